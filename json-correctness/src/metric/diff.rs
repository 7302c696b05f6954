//! How much of the reference does the output have?

use serde_json::Value;

use super::{
    Measurement, Metric,
    compat::Compat,
    input::{Input, named, not_json, reference},
};
use crate::{
    case::TestCase,
    compare::{self, Rules, Weights},
    error::Error,
    score::Score,
    text::{Document, Extraction, Limits},
};

/// How similar an output is to the reference, field by field, weighted.
///
/// score = σ(reference, output), in [0, 1]; it is 1 exactly where nothing that weighs differs, and 0 for
/// an output that is not JSON.
///
/// | values | σ |
/// |---|---|
/// | numbers | 1 − \|x₁ − x₂\| / (\|x₁\| + \|x₂\|); 0 for opposite signs, 1 for equal values |
/// | strings | 1 − Levenshtein distance / longer length |
/// | objects | Σ σᵢ·wᵢ / Σ wᵢ over the keys of either; a missing or extra key has σ = 0 |
/// | lists | the mean over the longer list, element by element; a missing or extra one has σ = 0 |
/// | `null`, booleans | 1 where they are equal, else 0 |
/// | different types | 0 |
///
/// Fields weigh 1 unless weights are given: those of the case come first, then those of the metric,
/// then what a schema says under `x-expected`. A weights document is an object from keys to numbers in
/// [0, 1]; an object in place of a number weighs what the key holds, and the key itself by the member
/// `"__" + key`. Lists hand their weights on to each element. What weighs 0 is not compared.
///
/// After the JSON Difference of Lynxius.
///
/// ```
/// use json_correctness::{JsonDiff, Metric, TestCase};
/// use serde_json::json;
///
/// let case = TestCase::new("Menu?", r#"{"beer": 6.0, "pizza": "peppers", "note": "!"}"#)
///     .expected_output(r#"{"beer": 6.0, "pizza": "pepperoni", "note": "?"}"#);
/// let metric = JsonDiff::new().weights(json!({ "pizza": 0.5, "note": 0 }));
/// let measurement = metric.measure(&case)?;
/// assert_eq!(measurement.score.value(), (1.0 + 0.5 * (2.0 / 3.0)) / 1.5);
/// assert_eq!(measurement.differences[0].pointer.as_str(), "/pizza");
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct JsonDiff {
    weights: Option<Value>,
    schema: Option<Value>,
    extraction: Extraction,
    compat: Option<Compat>,
    limits: Limits,
}

impl JsonDiff {
    /// The metric with its defaults: every field weighs 1, whole text, default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the weights for the cases that have none of their own. Weights outside [0, 1], of a key that
    /// neither the reference nor the output has at that place, or all 0 in one object, are an [`Error`]
    /// of [`Metric::measure`].
    pub fn weights(mut self, weights: Value) -> Self {
        self.weights = Some(weights);
        self
    }

    /// Takes the weights from a schema, where no others are given: from `x-expected.weight` and
    /// `x-expected.ignore` of its properties, as [`json_schema`](crate::json_schema) writes them for
    /// `#[expected(weight = 0.25)]`. The schema of the case serves where the metric has none.
    pub fn schema(mut self, schema: Value) -> Self {
        self.schema = Some(schema);
        self
    }

    /// Sets which part of the output is judged. The reference is always a whole text.
    pub fn extract(mut self, extraction: Extraction) -> Self {
        self.extraction = extraction;
        self
    }

    /// Scores by the rules of another library.
    ///
    /// [`Compat::Lynxius`]: lists are compared up to the end of the shorter one, a missing key equals
    /// null, booleans are the numbers 0 and 1, weights that name no key or are all 0 are ignored.
    /// [`Compat::Autoevals`]: a missing key equals null, booleans are numbers, values of different
    /// types are compared by their texts, weights are ignored. Another mode is an [`Error`] of
    /// [`Metric::measure`].
    pub fn compat(mut self, mode: Compat) -> Self {
        self.compat = Some(mode);
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn weights_for(
        &self,
        case: &TestCase,
        expected: &Document<'_>,
        found: &Document<'_>,
    ) -> Result<Weights, Error> {
        if self.compat == Some(Compat::Autoevals) {
            return Ok(Weights::default());
        }
        if let Some(weights) = case.weights.as_deref().or(self.weights.as_ref()) {
            let weights = Weights::read(weights)?;
            if self.compat.is_none() {
                weights.check_names(&[expected.root(), found.root()])?;
            }
            return Ok(weights);
        }
        match self.schema.as_ref().or(case.json_schema.as_deref()) {
            Some(schema) => Weights::of_schema(schema),
            None => Ok(Weights::default()),
        }
    }
}

impl Metric for JsonDiff {
    fn name(&self) -> &'static str {
        "json_diff"
    }

    /// # Errors
    ///
    /// The case has no reference, or one that is not JSON ([`Error::is_case`]); weights that are wrong
    /// ([`Error::is_option`]); two strings whose distance costs more than
    /// [`Limits::max_distance_cost`] ([`Error::is_limit`]).
    fn measure(&self, case: &TestCase) -> Result<Measurement, Error> {
        Compat::among(self.compat, self.name(), &[Compat::Lynxius, Compat::Autoevals])?;
        let expected = reference(case, self.name(), self.compat, &self.limits)?;
        let output = &case.actual_output;
        let input = Input::read_as(output, self.extraction, self.compat, &self.limits);
        let found = match &input.document {
            Ok(document) => document,
            Err(error) => {
                let violations = not_json(error, &output.to_text(), &self.limits);
                return Ok(input.measurement(Score::ZERO, violations, []));
            }
        };
        let rules = match self.compat {
            Some(Compat::Lynxius) => Rules::Lynxius,
            Some(Compat::Autoevals) => Rules::Autoevals,
            _ => Rules::Own,
        };
        let compared = self
            .weights_for(case, &expected, found)
            .and_then(|weights| {
                compare::compare(expected.root(), found.root(), &weights, rules, &self.limits)
            })
            .map_err(|error| error.within(&named(case)))?
            .placed(found.text());
        let score = Score::new(compared.similarity).unwrap_or(Score::ZERO);
        let step = format!("{} places differ from the reference", compared.count);
        Ok(input.measurement(score, Vec::new(), [step]).differences(compared.differences, compared.count))
    }
}
