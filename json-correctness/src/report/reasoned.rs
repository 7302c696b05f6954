//! How reports say who worded a reason, where a hook was set.

#[cfg(feature = "evaluate")]
use crate::evaluate::{ReasonSummary, Record};
use crate::{reason::ReasonSource, text::cut};

/// How much of an error of the hook stands beside a reason, in characters.
const MAX_ERROR: usize = 300;
/// How much of it, and of how many errors, stands in what a check comes to.
#[cfg(feature = "evaluate")]
const MAX_LISTED_ERROR: usize = 100;
#[cfg(feature = "evaluate")]
const LISTED_ERRORS: usize = 3;

/// Who worded the reason; `None` where no hook was set. `shown` makes the hook's error fit to stand in
/// the report: it may hold text of a server, untrusted.
pub(crate) fn note(
    source: Option<ReasonSource>,
    error: Option<&str>,
    shown: impl FnOnce(&str) -> String,
) -> Option<String> {
    match source? {
        ReasonSource::BuiltIn => None,
        ReasonSource::Hook => Some("worded by the hook".to_owned()),
        ReasonSource::Fallback => {
            let error = shown(&cut(error.unwrap_or_default(), MAX_ERROR));
            Some(format!("built in, since the reason hook failed: {error}"))
        }
    }
}

/// Who worded the reason of a result.
#[cfg(feature = "evaluate")]
pub(super) fn of_record(record: &Record, shown: impl FnOnce(&str) -> String) -> Option<String> {
    note(record.reason_source, record.reason_error.as_deref(), shown)
}

/// Who worded the reasons of a check, in one line.
#[cfg(feature = "evaluate")]
pub(super) fn summary(reasons: &ReasonSummary, shown: impl Fn(&str) -> String) -> String {
    let mut text = format!("reasons: {} by the hook", reasons.by_hook);
    if reasons.built_in == 0 {
        return text;
    }
    text.push_str(&format!(", {} built in, since the hook failed: ", reasons.built_in));
    let listed = reasons.errors.iter().take(LISTED_ERRORS);
    let mut parts: Vec<String> = listed
        .map(|error| format!("{} ({})", shown(&cut(&error.error, MAX_LISTED_ERROR)), error.cases))
        .collect();
    let more: u64 =
        reasons.errors.iter().skip(LISTED_ERRORS).map(|error| error.cases).fold(0, u64::saturating_add);
    if more > 0 {
        parts.push(format!("other errors ({more})"));
    }
    text.push_str(&parts.join(", "));
    text
}
