//! Why a case failed, in words: built in, or by a hook.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{
    case::TestCase,
    compare::Difference,
    metric::Measurement,
    violation::{Violation, cut},
};

/// Longest reason of a hook that is kept, in bytes.
const MAX_REASON_BYTES: usize = 64 << 10;

/// How many violations the built-in reason names.
const NAMED_VIOLATIONS: usize = 5;

/// What a hook is told about a failed case.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReasonRequest<'a> {
    /// The case.
    pub case: &'a TestCase,
    /// The name of the metric.
    pub metric: &'a str,
    /// Everything that is wrong with the output; the messages are already worded.
    pub violations: &'a [Violation],
    /// The score, in [0, 1].
    pub score: f64,
    /// The threshold that the score did not reach.
    pub threshold: f64,
    /// The reason that stands if the hook gives none.
    pub built_in: &'a str,
}

/// The optional hook that words the reason of a failed verdict. It never changes the verdict.
///
/// Closures that take a [`ReasonRequest`] and return text, or a `Result` of text, are reasoners.
pub trait Reasoner: Send + Sync {
    /// Words the reason. More than 64 KiB are cut off; an empty reason counts as a failure.
    ///
    /// # Errors
    ///
    /// Where no reason can be given; the built-in one then stands.
    fn reason(&self, request: &ReasonRequest<'_>) -> Result<String, ReasonError>;
}

/// Why a hook gave no reason.
pub type ReasonError = Box<dyn std::error::Error + Send + Sync>;

/// What a reasoner closure may return: text, or a `Result` of text.
pub trait IntoReason {
    /// The reason, or why there is none.
    ///
    /// # Errors
    ///
    /// What the closure returned as its error.
    fn into_reason(self) -> Result<String, ReasonError>;
}

impl IntoReason for String {
    fn into_reason(self) -> Result<String, ReasonError> {
        Ok(self)
    }
}

impl IntoReason for &str {
    fn into_reason(self) -> Result<String, ReasonError> {
        Ok(self.to_owned())
    }
}

impl<T: Into<String>, E: Into<ReasonError>> IntoReason for Result<T, E> {
    fn into_reason(self) -> Result<String, ReasonError> {
        self.map(Into::into).map_err(Into::into)
    }
}

impl<F, R> Reasoner for F
where
    F: for<'a> Fn(&ReasonRequest<'a>) -> R + Send + Sync,
    R: IntoReason,
{
    fn reason(&self, request: &ReasonRequest<'_>) -> Result<String, ReasonError> {
        self(request).into_reason()
    }
}

/// Who worded a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "evaluate", derive(serde::Deserialize, crate::ExpectedSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasonSource {
    /// The library; no hook is set.
    BuiltIn,
    /// The hook.
    Hook,
    /// The library, since the hook failed.
    Fallback,
}

/// Calls a hook and contains whatever it does.
pub(crate) fn call(reasoner: &dyn Reasoner, request: &ReasonRequest<'_>) -> Result<String, String> {
    let mut reason = catch_unwind(AssertUnwindSafe(|| reasoner.reason(request)))
        .map_err(|panic| format!("it panicked: {}", panic_message(panic.as_ref())))?
        .map_err(|error| error.to_string())?;
    if reason.trim().is_empty() {
        return Err("it gave an empty reason".to_owned());
    }
    cut(&mut reason, MAX_REASON_BYTES);
    Ok(reason)
}

/// What a caught panic said.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// The reason that needs no model: one sentence for each of the first violations, in the order of
/// the text. A function of its arguments alone, so the same bytes on every run.
pub(crate) fn built_in(metric: &str, measurement: &Measurement) -> String {
    let Measurement { score, violations, differences, differing, .. } = measurement;
    struct Sentence<'a>(&'a Violation);
    impl fmt::Display for Sentence<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Violation { message, suggestion, position, code, .. } = self.0;
            let mut characters = message.chars();
            let first = characters.next().into_iter().flat_map(char::to_uppercase).collect::<String>();
            // A message that starts with a quoted name keeps its case: the first character is a tick.
            write!(f, "{first}{}", characters.as_str())?;
            if let Some(suggestion) = suggestion {
                write!(f, "; {suggestion}")?;
            }
            write!(f, " [{code} at {}:{}].", position.line, position.column)
        }
    }
    if violations.is_empty() && !differences.is_empty() {
        let mut sentences: Vec<String> = differences.iter().take(NAMED_VIOLATIONS).map(differs).collect();
        if *differing > sentences.len() {
            sentences.push(format!("And {} more.", differing - sentences.len()));
        }
        return sentences.join(" ");
    }
    if violations.is_empty() {
        return format!("{metric} scored {}.", score.value());
    }
    let mut sentences: Vec<String> =
        violations.iter().take(NAMED_VIOLATIONS).map(|violation| Sentence(violation).to_string()).collect();
    if violations.len() > NAMED_VIOLATIONS {
        sentences.push(format!("And {} more.", violations.len() - NAMED_VIOLATIONS));
    }
    sentences.join(" ")
}

/// One sentence about one difference.
fn differs(difference: &Difference) -> String {
    let Difference { pointer, expected, found, position, .. } = difference;
    let place = if pointer.is_root() { "The value".to_owned() } else { format!("`{pointer}`") };
    let said = match (expected, found) {
        (Some(expected), Some(found)) => format!("should be {expected}, found {found}"),
        (Some(expected), None) => format!("is missing, should be {expected}"),
        (None, found) => format!("should not be there, found {}", found.as_deref().unwrap_or_default()),
    };
    format!("{place} {said} [at {}:{}].", position.line, position.column)
}
