//! Counting who worded the reasons, in bounded memory.

use super::{ReasonErrorCount, ReasonSummary, Record};
use crate::{reason::ReasonSource, text::cut};

/// How many different errors are told apart for a check; those that come later count as
/// [`OTHER_ERRORS`].
const MAX_ERRORS: usize = 100;
/// How many of them a summary lists.
const LISTED_ERRORS: usize = 10;
/// How much of an error is kept, in characters: a server may answer with a whole page.
const MAX_ERROR: usize = 200;
const OTHER_ERRORS: &str = "(other errors)";

/// Counts the reasons of one check.
#[derive(Default)]
pub(super) struct Reasons {
    by_hook: u64,
    built_in: u64,
    /// In the order of their first rows.
    errors: Vec<ReasonErrorCount>,
    others: u64,
}

impl Reasons {
    pub(super) fn add(&mut self, record: &Record) {
        match record.reason_source {
            Some(ReasonSource::Hook) => self.by_hook += 1,
            Some(ReasonSource::Fallback) => {
                self.built_in += 1;
                self.add_error(record.reason_error.as_deref().unwrap_or_default());
            }
            Some(ReasonSource::BuiltIn) | None => {}
        }
    }

    fn add_error(&mut self, error: &str) {
        let error = cut(error, MAX_ERROR);
        if let Some(known) = self.errors.iter_mut().find(|known| known.error == error) {
            known.cases += 1;
        } else if self.errors.len() < MAX_ERRORS {
            self.errors.push(ReasonErrorCount { error, cases: 1 });
        } else {
            self.others += 1;
        }
    }

    /// `None` where no hook was at work.
    pub(super) fn summary(&self) -> Option<ReasonSummary> {
        if self.by_hook + self.built_in == 0 {
            return None;
        }
        let mut errors = self.errors.clone();
        // A stable sort leaves those as frequent in the order of their first rows.
        errors.sort_by_key(|error| std::cmp::Reverse(error.cases));
        let unlisted = errors.iter().skip(LISTED_ERRORS).map(|error| error.cases).sum::<u64>() + self.others;
        errors.truncate(LISTED_ERRORS);
        if unlisted > 0 {
            errors.push(ReasonErrorCount { error: OTHER_ERRORS.to_owned(), cases: unlisted });
        }
        Some(ReasonSummary { by_hook: self.by_hook, built_in: self.built_in, errors })
    }
}
