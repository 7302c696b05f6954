//! How much of the reference does the output have?

use std::{borrow::Cow, sync::OnceLock};

use serde_json::Value;

use super::{
    Measurement, Metric,
    compat::Compat,
    input::{Input, named, not_json, reference},
    options::Told,
};
use crate::{
    case::TestCase,
    compare::{self, Fields, Rules, Weights},
    error::Error,
    score::Score,
    text::{Document, Extraction, Limits, Node, Pointer},
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
/// A [schema](Self::schema) can say more of a field, under `x-expected`, as `#[expected(…)]` does for
/// a type:
///
/// | `x-expected` | |
/// |---|---|
/// | `weight`, `ignore` | the weight among its siblings; ignored is 0 |
/// | `comparison` | `exact`, `case_insensitive`, `whitespace_insensitive` (runs of white space are one space) and `instant` (RFC 3339 dates and times by what they name): 1 where equal so, else 0; `numeric`, `levenshtein`: as above |
/// | `tolerance` | `{"absolute": d}` or `{"relative": d}`, of the expected number: 1 within it, else 0, or what `numeric` gives where that is named too |
/// | `align` | `positional`; `unordered`: pairs of the greatest total similarity, over the longer list; `{"key": k}`: pairs with the same value under `k`, over all such values |
/// | `threshold` | the similarity from which the field counts as [right](crate::Difference::right); the score stays what it is |
///
/// `exact` on an object compares it whole. A list hands its comparison and tolerance to its elements,
/// unless they have their own. What stands under `patternProperties`, or in another document, is not
/// looked at.
///
/// ```
/// use json_correctness::{JsonDiff, TestCase};
/// use serde_json::json;
///
/// let schema = json!({ "properties": {
///     "tags": { "x-expected": { "align": "unordered", "comparison": "case_insensitive" } },
///     "total": { "x-expected": { "tolerance": { "absolute": 0.05 } } },
/// }});
/// let case = TestCase::new("Invoice?", r#"{"tags": ["new", "PAID"], "total": 12.34}"#)
///     .expected_output(r#"{"tags": ["Paid", "New"], "total": 12.30}"#);
/// # use json_correctness::Metric as _;
/// assert_eq!(JsonDiff::new().schema(schema).measure(&case)?.score.value(), 1.0);
/// # Ok::<(), json_correctness::Error>(())
/// ```
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
    /// What the schema says, once it was read.
    fields: OnceLock<Result<Fields, Error>>,
    /// The user's own comparisons.
    own: Fields,
    wrong_path: Option<String>,
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

    /// Takes from a schema how each field is scored: what stands under `x-expected`, as
    /// [`json_schema`](crate::json_schema) writes it for `#[expected(weight = 0.25)]`. Weights that are
    /// given otherwise replace those of the schema. The schema of the case serves where the metric has
    /// none.
    pub fn schema(mut self, schema: Value) -> Self {
        self.schema = Some(schema);
        self.fields = OnceLock::new();
        self
    }

    /// Lets a function of your own compare the values at a path of keys (a JSON Pointer without
    /// indices: lists hand it on to their elements). It is given the value of the output and that of
    /// the reference, unless they are spelled the same, and returns their similarity in [0, 1]. Any
    /// other number, NaN included, and a panic are an [`Error`] of [`Metric::measure`]
    /// ([`Error::is_hook`]).
    ///
    /// ```
    /// use json_correctness::{JsonDiff, TestCase};
    ///
    /// let metric = JsonDiff::new().compare_with("/items/sku", |found, expected| {
    ///     let sku = |text: Option<&str>| text.map(|text| text.replace('-', ""));
    ///     if sku(found.as_str()) == sku(expected.as_str()) { 1.0 } else { 0.0 }
    /// });
    /// let case = TestCase::new("", r#"{"items": [{"sku": "A-1"}]}"#)
    ///     .expected_output(r#"{"items": [{"sku": "A1"}]}"#);
    /// # use json_correctness::Metric as _;
    /// assert_eq!(metric.measure(&case)?.score.value(), 1.0);
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    pub fn compare_with(
        mut self,
        path: &str,
        similarity: impl Fn(Node<'_>, Node<'_>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        match Pointer::parse(path) {
            Some(path) => self.own.compare_with(&path, similarity),
            None => self.wrong_path = Some(path.to_owned()),
        }
        self.fields = OnceLock::new();
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
        self.fields = OnceLock::new();
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
        Ok(Weights::default())
    }

    /// How the fields are scored, but for weights that are given otherwise.
    fn fields_for(&self, case: &TestCase) -> Result<Cow<'_, Fields>, Error> {
        if let Some(path) = &self.wrong_path {
            return Err(Error::option(format!(
                "`{path}` is no JSON Pointer: write \"/key/key\" for what `compare_with` compares"
            )));
        }
        let read = |schema| Ok(self.own.clone().and(&Fields::of_schema(schema, &self.limits)?));
        match (&self.schema, &case.json_schema) {
            _ if self.compat == Some(Compat::Autoevals) => Ok(Cow::Owned(Fields::default())),
            (Some(schema), _) => match self.fields.get_or_init(|| read(schema)) {
                Ok(fields) => Ok(Cow::Borrowed(fields)),
                Err(error) => Err(error.clone()),
            },
            (None, Some(schema)) => read(schema).map(Cow::Owned),
            (None, None) => Ok(Cow::Borrowed(&self.own)),
        }
    }
}

impl Metric for JsonDiff {
    fn name(&self) -> &'static str {
        "json_diff"
    }

    fn options(&self) -> Value {
        Told::new(self.extraction, self.compat, &self.limits)
            .and("weights", self.weights.clone())
            .and("schema", self.schema.clone())
            .into_value()
    }

    /// # Errors
    ///
    /// The case has no reference, or one that is not JSON ([`Error::is_case`]); weights that are wrong
    /// ([`Error::is_option`]); a schema whose `x-expected` is wrong ([`Error::is_schema`]); two strings
    /// whose distance costs more than [`Limits::max_distance_cost`], or lists whose alignment costs
    /// more than [`Limits::max_alignment_steps`] ([`Error::is_limit`]); a comparison of your own that
    /// fails ([`Error::is_hook`]).
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
                let fields = self.fields_for(case)?;
                compare::compare(&expected, found, &weights, &fields, rules, &self.limits)
            })
            .map_err(|error| error.within(&named(case)))?
            .placed(found.text());
        let score = Score::new(compared.similarity).unwrap_or(Score::ZERO);
        let step = format!("{} places differ from the reference", compared.count);
        Ok(input.measurement(score, Vec::new(), [step]).differences(compared.differences, compared.count))
    }
}
