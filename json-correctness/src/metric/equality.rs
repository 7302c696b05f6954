//! Is the output the reference?

use serde_json::Value;

use super::{
    Measurement, Metric,
    compat::Compat,
    input::{Input, not_json, reference},
    options::Told,
};
use crate::{
    case::TestCase,
    compare::{self, Fields, Rules, Weights},
    error::Error,
    score::Score,
    text::{Document, Extraction, Limits},
};

/// Whether an output is the same JSON value as the reference.
///
/// score = 1 if it is, else 0. The order of keys does not count, that of lists does, unless
/// [`unordered`](Self::unordered). Numbers are compared by their exact value: `1`, `1.0` and `1e0` are
/// equal, 2⁵³ and 2⁵³ + 1 are not; `true` is not `1`. Of a key that is written twice the last value
/// counts. The measurement lists every place that differs. An output that is not JSON scores 0.
///
/// After LangChain's `JsonEqualityEvaluator`.
///
/// ```
/// use json_correctness::{JsonEquality, Metric, TestCase};
///
/// let case = TestCase::new("Who?", r#"{"age": 30.0, "name": "Jon"}"#)
///     .expected_output(r#"{"name": "John", "age": 30}"#);
/// let verdict = JsonEquality::new().judge(&case)?;
/// assert_eq!(verdict.score(), Some(0.0));
/// let difference = &verdict.differences()[0];
/// assert_eq!(difference.pointer.as_str(), "/name");
/// assert_eq!(difference.expected.as_deref(), Some("\"John\""));
/// assert_eq!(difference.found.as_deref(), Some("\"Jon\""));
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct JsonEquality {
    unordered: bool,
    extraction: Extraction,
    compat: Option<Compat>,
    limits: Limits,
}

const EQUAL: &str = "equal to the reference";

impl JsonEquality {
    /// The metric with its defaults: lists in order, whole text, default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets lists be in any order, at any depth: they are equal where each element of one has an equal
    /// one of its own in the other.
    pub fn unordered(mut self) -> Self {
        self.unordered = true;
        self
    }

    /// Sets which part of the output is judged. The reference is always a whole text.
    pub fn extract(mut self, extraction: Extraction) -> Self {
        self.extraction = extraction;
        self
    }

    /// Scores by the rules of another library: [`Compat::LangChain`] takes white space, backticks and a
    /// fence off both texts, sorts a list at the root by the Python text of its elements, rounds
    /// numbers with a fraction or an exponent to 64-bit floats, and calls `true` and `1` equal.
    /// Another mode is an [`Error`] of [`Metric::measure`].
    pub fn compat(mut self, mode: Compat) -> Self {
        self.compat = Some(mode);
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The measurement of an output that has the reference's very bytes, read once for both.
    fn same_text(&self, case: &TestCase) -> Option<Measurement> {
        let reference = case.expected_output.as_ref()?;
        let plain = self.compat.is_none() && self.extraction == Extraction::Whole;
        if !plain || reference.as_bytes() != case.actual_output.as_bytes() {
            return None;
        }
        let input = Input::read(&case.actual_output, self.extraction, &self.limits);
        // Where it is no JSON, the reference is at fault.
        let equal = input.document.is_ok();
        equal.then(|| input.measurement(Score::ONE, Vec::new(), [EQUAL.to_owned()]))
    }

    fn equal(&self, expected: &Document<'_>, found: &Document<'_>) -> bool {
        let (a, b) = (expected.root(), found.root());
        let duplicates = !expected.duplicates().is_empty() || !found.duplicates().is_empty();
        match self.compat {
            Some(Compat::LangChain) => compare::equal_as_langchain(a, b),
            _ if self.unordered => compare::equal_unordered(a, b),
            _ => compare::equal(a, b, duplicates),
        }
    }
}

impl Metric for JsonEquality {
    fn name(&self) -> &'static str {
        "json_equality"
    }

    fn options(&self) -> Value {
        Told::new(self.extraction, self.compat, &self.limits).flag("unordered", self.unordered).into_value()
    }

    /// # Errors
    ///
    /// The case has no reference, or one that is not JSON ([`Error::is_case`]).
    fn measure(&self, case: &TestCase) -> Result<Measurement, Error> {
        Compat::among(self.compat, self.name(), &[Compat::LangChain])?;
        if let Some(measurement) = self.same_text(case) {
            return Ok(measurement);
        }
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
        if self.equal(&expected, found) {
            return Ok(input.measurement(Score::ONE, Vec::new(), [EQUAL.to_owned()]));
        }
        let (a, b) = (expected.root(), found.root());
        let compared = if self.unordered {
            compare::unordered_differences(a, b, &self.limits)
        } else {
            // Which places differ is told, not how much: a costly string counts as wholly different.
            compare::compare(
                &expected,
                found,
                &Weights::default(),
                &Fields::default(),
                Rules::Exact,
                &self.limits,
            )?
        };
        let compared = compared.placed(found.text());
        let step = format!("{} places differ from the reference", compared.count);
        Ok(input
            .measurement(Score::ZERO, Vec::new(), [step])
            .differences(compared.differences, compared.count))
    }
}
