//! One result: what a check said of a case, as it is written to a file.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    ExpectedSchema,
    check::{Outcome, Verdict},
    compare::{Difference, first_fault},
    reason::{ReasonSource, Worded},
    text::{Span, around},
    violation::Violation,
};

/// What one check said of one case: a line of a results file.
///
/// Every text in it that comes from the model or from the dataset is untrusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Record {
    /// The case's id; `#` and the number of its row where it has none.
    pub id: String,
    /// The number of the row in the run, from 1.
    pub row: u64,
    /// The file that the row stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the file at which the row begins, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The name of the check.
    pub metric: String,
    /// How the judgement ended.
    pub outcome: Outcome,
    /// In [0, 1]; absent where nothing was measured.
    #[expected(range(min = 0.0, max = 1.0))]
    pub score: Option<f64>,
    /// The threshold that counted, in [0, 1].
    #[expected(range(min = 0.0, max = 1.0))]
    pub threshold: f64,
    /// Why the case did not pass; absent where it passed or no reason was wanted.
    pub reason: Option<String>,
    /// Who worded the reason, where that was a hook or should have been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_source: Option<ReasonSource>,
    /// Why the hook worded no reason, where it should have; the built-in one then stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_error: Option<String>,
    /// Everything that is wrong with the output, in the order of the text.
    pub violations: Vec<Finding>,
    /// Where the output differs from the reference, for the checks that compare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Departure>,
    /// The case's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The case's link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// The case's tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// What else the row held.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// The output, or the part of it around the first fault, where the case did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Excerpt>,
}

/// A [`Violation`] in a results file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Finding {
    /// Stable code, such as `JC0102`.
    pub code: String,
    /// The name of the kind, such as `misspelt_field`.
    pub kind: String,
    /// The field that is wrong, as a JSON Pointer.
    pub pointer: String,
    /// 1-based line in the output.
    pub line: u64,
    /// 1-based column in the output, in Unicode scalar values.
    pub column: u64,
    /// The bytes of the output that are wrong: the first, and the one behind the last.
    pub span: (u64, u64),
    /// One sentence without a full stop.
    pub message: String,
    /// How to mend it, where that is known.
    pub help: Option<String>,
}

/// A [`Difference`] in a results file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Departure {
    /// The place, as a JSON Pointer.
    pub pointer: String,
    /// What the reference has there, shortened where it is long; absent where it has nothing.
    pub expected: Option<String>,
    /// What the output has there, shortened where it is long; absent where it has nothing.
    pub found: Option<String>,
    /// How similar the two are, in [0, 1].
    pub similarity: f64,
    /// How much the place weighs among its siblings, in [0, 1].
    pub weight: f64,
    /// 1-based line in the output.
    pub line: u64,
    /// 1-based column in the output, in Unicode scalar values.
    pub column: u64,
    /// The bytes of the output: the first, and the one behind the last.
    pub span: (u64, u64),
}

/// A part of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Excerpt {
    /// The text, with U+FFFD for what is not UTF-8.
    pub text: String,
    /// How many bytes of the output stand before it.
    pub start: u64,
    /// How many bytes the whole output has.
    pub bytes: u64,
}

/// Longest part of an output that a record keeps, in bytes.
const MAX_EXCERPT_BYTES: usize = 8 << 10;

impl From<&Violation> for Finding {
    fn from(violation: &Violation) -> Self {
        Self {
            code: violation.code.to_owned(),
            kind: violation.kind.name().to_owned(),
            pointer: violation.pointer.as_str().to_owned(),
            line: violation.position.line as u64,
            column: violation.position.column as u64,
            span: bytes(violation.span),
            message: violation.message.clone(),
            help: violation.suggestion.clone(),
        }
    }
}

impl From<&Difference> for Departure {
    fn from(difference: &Difference) -> Self {
        Self {
            pointer: difference.pointer.as_str().to_owned(),
            expected: difference.expected.clone(),
            found: difference.found.clone(),
            similarity: difference.similarity,
            weight: difference.weight,
            line: difference.position.line as u64,
            column: difference.position.column as u64,
            span: bytes(difference.span),
        }
    }
}

impl Departure {
    /// How the difference is counted: as `extra`, `missing` or `different`.
    pub(crate) fn kind(&self) -> &'static str {
        match (&self.expected, &self.found) {
            (None, _) => "extra",
            (Some(_), None) => "missing",
            (Some(_), Some(_)) => "different",
        }
    }
}

impl Excerpt {
    /// The whole output where it is short, else the part around the first byte that is wrong.
    pub(crate) fn of(output: &[u8], fault: usize) -> Self {
        let part = around(output, fault, MAX_EXCERPT_BYTES);
        Self {
            text: String::from_utf8_lossy(&output[part.clone()]).into_owned(),
            start: part.start as u64,
            bytes: output.len() as u64,
        }
    }
}

impl Record {
    /// Takes over what a verdict says.
    pub(crate) fn set_verdict(&mut self, verdict: &Verdict) {
        self.outcome = verdict.outcome();
        self.score = verdict.score();
        self.threshold = verdict.threshold();
        self.reason = verdict.reason().map(str::to_owned);
        self.reason_source = verdict.reason_source().filter(|source| *source != ReasonSource::BuiltIn);
        self.reason_error = verdict.reason_error().map(str::to_owned);
        self.violations = verdict.violations().iter().map(Finding::from).collect();
        self.differences = verdict.differences().iter().map(Departure::from).collect();
        if !verdict.passed() {
            let first = first_fault(verdict.violations(), verdict.differences());
            self.output = Some(Excerpt::of(verdict.output().as_bytes(), first));
        }
    }

    /// Takes over what came of the hook.
    pub(crate) fn set_worded(&mut self, worded: Worded) {
        self.reason = Some(worded.reason);
        self.reason_source = Some(worded.source);
        self.reason_error = worded.error;
    }
}

fn bytes(span: Span) -> (u64, u64) {
    (span.start as u64, span.end as u64)
}
