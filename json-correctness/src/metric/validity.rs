//! Is the output JSON at all?

use serde_json::Value;

use super::{
    Measurement, Metric,
    compat::Compat,
    input::{Input, Part, not_json},
    options::Told,
};
use crate::{
    case::TestCase,
    error::Error,
    score::Score,
    text::{Document, Extraction, JsonType, Limits, Pointer, Slip, Span, SyntaxError, is_well_formed},
    violation::{Violation, ViolationKind},
};

/// Whether an output is one JSON value (RFC 8259).
///
/// score = 1 if it is, else 0, with the line and column (both from 1, columns in Unicode scalar
/// values) of the first fault, what kind of slip it is, and what was expected there. NaN and
/// infinities, a byte order mark, half of a surrogate pair, a number beyond 64-bit floats, and bytes
/// that are not UTF-8 are faults, each with its own code. A key that is written twice is no fault of
/// syntax; [`JsonSchemaMatch`](crate::JsonSchemaMatch) and
/// [`JsonCorrectness`](crate::JsonCorrectness) report it.
///
/// After LangChain's `JsonValidityEvaluator`.
///
/// ```
/// use json_correctness::{JsonValidity, Metric, TestCase};
///
/// let case = TestCase::new("Who?", r#"{"name": "John", "age": 30, "city": "New York",}"#);
/// let verdict = JsonValidity::new().judge(&case)?;
/// assert_eq!(verdict.score(), Some(0.0));
/// let fault = &verdict.violations()[0];
/// assert_eq!((fault.code, fault.position.line, fault.position.column), ("JC0007", 1, 47));
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct JsonValidity {
    extraction: Extraction,
    compat: Option<Compat>,
    limits: Limits,
}

impl JsonValidity {
    /// The metric with its defaults: whole text, default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets which part of the output is judged.
    pub fn extract(mut self, extraction: Extraction) -> Self {
        self.extraction = extraction;
        self
    }

    /// Scores by the rules of another library.
    ///
    /// [`Compat::LangChain`] takes white space, backticks and a fence off the text, and reports a comma
    /// before a closing bracket at the bracket. With [`Compat::Autoevals`] only objects and arrays
    /// score 1. Another mode is an [`Error`] of [`Metric::measure`].
    pub fn compat(mut self, mode: Compat) -> Self {
        self.compat = Some(mode);
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl Metric for JsonValidity {
    fn name(&self) -> &'static str {
        "json_validity"
    }

    fn options(&self) -> Value {
        Told::new(self.extraction, self.compat, &self.limits).into_value()
    }

    /// # Errors
    ///
    /// A compatibility mode that the metric does not have.
    fn measure(&self, case: &TestCase) -> Result<Measurement, Error> {
        Compat::among(self.compat, self.name(), &[Compat::LangChain, Compat::Autoevals])?;
        let output = &case.actual_output;
        if self.compat.is_none()
            && let Ok(part) = Part::find(output, self.extraction, &self.limits)
            && is_well_formed(part.text, part.span(), &self.limits)
        {
            return Ok(part.right("it is well formed"));
        }
        let input = Input::read_as(output, self.extraction, self.compat, &self.limits);
        let violations = match &input.document {
            Ok(document) if self.compat == Some(Compat::Autoevals) => {
                scalar(document, &self.limits).into_iter().collect()
            }
            Ok(_) => Vec::new(),
            Err(error) => {
                let text = output.to_text();
                let moved = (self.compat == Some(Compat::LangChain)).then(|| at_bracket(error, &text));
                not_json(moved.as_ref().unwrap_or(error), &text, &self.limits)
            }
        };
        let score = Score::from(violations.is_empty());
        Ok(input.measurement(score, violations, []))
    }
}

/// The violation of a root that is neither object nor array.
fn scalar(document: &Document<'_>, limits: &Limits) -> Option<Violation> {
    let root = document.root();
    if matches!(root.json_type(), JsonType::Object | JsonType::Array) {
        return None;
    }
    let kind = ViolationKind::WrongType {
        expected: vec![JsonType::Array, JsonType::Object],
        found: root.json_type(),
    };
    let mut placed = vec![Violation::new(kind, Pointer::root(), root.span())];
    Violation::place(&mut placed, document.text(), limits.max_message_bytes);
    placed.pop()
}

/// A trailing comma is a fault of the comma for a reader; a parser notices it at the bracket.
fn at_bracket(error: &SyntaxError, text: &str) -> SyntaxError {
    let behind = text.get(error.span.end..).unwrap_or_default();
    match (error.slip, behind.find(['}', ']'])) {
        (Slip::TrailingComma, Some(gap)) => {
            let at = error.span.end + gap;
            SyntaxError { span: Span::new(at, at + 1), ..error.clone() }
        }
        _ => error.clone(),
    }
}
