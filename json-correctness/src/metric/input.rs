//! The way from an output to its document, the same for every metric.

use std::borrow::Cow;

use super::{
    Measurement,
    compat::{self, Compat},
};
use crate::{
    case::{Output, TestCase},
    error::Error,
    score::Score,
    text::{Document, Extracted, Extraction, Limits, Pointer, Position, Slip, Span, SyntaxError},
    violation::{Violation, ViolationKind, cut},
};

/// The part of an output that is judged, before anything in it is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Part<'t> {
    /// The whole output.
    pub(crate) text: &'t str,
    pub(crate) extracted: Extracted,
}

impl<'t> Part<'t> {
    /// Finds the part.
    pub(crate) fn find(
        output: &'t Output,
        extraction: Extraction,
        limits: &Limits,
    ) -> Result<Self, SyntaxError> {
        let text = text_of(output)?;
        Ok(Self { text, extracted: extraction.extract(text, limits)? })
    }

    pub(crate) fn span(&self) -> Span {
        self.extracted.span
    }

    /// The measurement of an output that is right at sight, without a document.
    pub(crate) fn right(&self, step: &'static str) -> Measurement {
        let mut measurement = Measurement::new(Score::ONE).extracted(Some(self.extracted));
        measurement.steps = vec![self.step(), step.into()];
        measurement
    }

    fn step(&self) -> Cow<'static, str> {
        match self.extracted.extraction {
            Extraction::Whole => "extracted the whole text".into(),
            _ => format!("extracted {}", self.extracted).into(),
        }
    }
}

/// An output on its way to being judged.
pub(crate) struct Input<'t> {
    /// What was taken for the JSON text; `None` where nothing could be.
    pub(crate) extracted: Option<Extracted>,
    /// The document, or why there is none.
    pub(crate) document: Result<Document<'t>, SyntaxError>,
    steps: Vec<Cow<'static, str>>,
}

impl<'t> Input<'t> {
    /// Extracts and parses.
    pub(crate) fn read(output: &'t Output, extraction: Extraction, limits: &Limits) -> Self {
        Self::parse(Part::find(output, extraction, limits), limits)
    }

    /// Parses what was found.
    pub(crate) fn parse(part: Result<Part<'t>, SyntaxError>, limits: &Limits) -> Self {
        match part {
            Err(error) => Self::new(None, Err(error), Vec::new()),
            Ok(part) => {
                let document = Document::parse_part(part.text, part.span(), limits);
                Self::new(Some(part.extracted), document, vec![part.step()])
            }
        }
    }

    /// Extracts and parses, by the rules of the library that is named.
    pub(crate) fn read_as(
        output: &'t Output,
        extraction: Extraction,
        mode: Option<Compat>,
        limits: &Limits,
    ) -> Self {
        match text_of(output) {
            Ok(text) if mode == Some(Compat::LangChain) && extraction == Extraction::Whole => {
                let (extracted, document) = compat::langchain_document(text, limits);
                Self::new(Some(extracted), document, Vec::new())
            }
            _ => Self::read(output, extraction, limits),
        }
    }

    fn new(
        extracted: Option<Extracted>,
        document: Result<Document<'t>, SyntaxError>,
        mut steps: Vec<Cow<'static, str>>,
    ) -> Self {
        let step = match &document {
            Ok(document) => format!("parsed {} values and keys", document.len()),
            Err(error) => format!("not parsed: {}", error.slip.summary()),
        };
        steps.push(step.into());
        Self { extracted, document, steps }
    }

    /// The measurement of a score and violations on this input.
    pub(crate) fn measurement(
        self,
        score: Score,
        violations: Vec<Violation>,
        steps: impl IntoIterator<Item = String>,
    ) -> Measurement {
        let mut measurement = Measurement::new(score).violations(violations).extracted(self.extracted);
        measurement.steps = self.steps;
        measurement.steps.extend(steps.into_iter().map(Cow::Owned));
        measurement
    }
}

fn text_of(output: &Output) -> Result<&str, SyntaxError> {
    output.as_text().map_err(|error| {
        let at = error.valid_up_to();
        // Reports show the text with U+FFFD for what is not UTF-8; up to `at` both are the same.
        SyntaxError {
            slip: Slip::NotUtf8,
            span: Span::new(at, at + error.error_len().unwrap_or(1)),
            detail: format!("the byte at offset {at} does not belong to a UTF-8 character"),
            help: Some("decode the output as UTF-8 before it is judged".to_owned()),
        }
    })
}

/// The reference of a case, for a metric that compares: its whole text, parsed.
pub(crate) fn reference<'c>(
    case: &'c TestCase,
    metric: &str,
    mode: Option<Compat>,
    limits: &Limits,
) -> Result<Document<'c>, Error> {
    let Some(output) = &case.expected_output else {
        return Err(Error::missing(format!(
            "{} has no expected_output, which {metric} compares with",
            named(case)
        )));
    };
    Input::read_as(output, Extraction::Whole, mode, limits).document.map_err(|error| {
        let Position { line, column } = Position::of(&output.to_text(), error.span.start);
        let detail = if error.detail.is_empty() { "" } else { ": " };
        let mut message = format!(
            "the expected_output of {} is not JSON at {line}:{column}: {}{detail}{}",
            named(case),
            // The words are those for outputs.
            error.slip.summary().replace("the output", "it"),
            error.detail
        );
        cut(&mut message, limits.max_message_bytes);
        Error::case(message)
    })
}

/// The case, for a message.
pub(crate) fn named(case: &TestCase) -> String {
    case.id.as_deref().map_or_else(|| "the case".to_owned(), |id| format!("the case `{id}`"))
}

/// The violation that says why a text is no JSON.
pub(crate) fn not_json(error: &SyntaxError, text: &str, limits: &Limits) -> Vec<Violation> {
    let kind = ViolationKind::NotJson { slip: error.slip, detail: error.detail.clone() };
    let mut violation = Violation::new(kind, Pointer::root(), error.span);
    violation.suggestion.clone_from(&error.help);
    let mut violations = vec![violation];
    Violation::place(&mut violations, text, limits.max_message_bytes);
    violations
}
