//! One check of one row.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tracing::Span;

use super::{Record, checks::Named};
use crate::{
    check::{Outcome, Verdict},
    dataset::{Fault, Row},
    error::panic_message,
    reason::ReasonRequest,
};

/// The result of one check for one row.
pub(crate) struct Judged {
    /// With the built-in reason.
    pub(crate) record: Record,
    #[cfg_attr(not(feature = "harness"), expect(dead_code, reason = "only the tests of rows show it"))]
    pub(crate) verdict: Option<Verdict>,
    /// What the check's hook is to be asked, if it is.
    pub(super) request: Option<ReasonRequest>,
    /// That of the case, in which the hook is called.
    pub(super) span: Span,
}

impl Judged {
    /// Judges a row by a check, within `run`.
    pub(crate) fn of(number: u64, id: &str, row: &Row, named: &Named, run: &Span) -> Self {
        let Named { name, check } = named;
        let case = &row.case;
        let span = tracing::debug_span!(parent: run, "case", id, row = number);
        let _entered = span.enter();
        let mut record = Record {
            id: id.to_owned(),
            row: number,
            file: row.file.as_deref().map(str::to_owned),
            line: row.line,
            metric: name.clone(),
            outcome: Outcome::Errored,
            score: None,
            threshold: check.effective_threshold().unwrap_or_default(),
            reason: None,
            reason_source: None,
            reason_error: None,
            violations: Vec::new(),
            differences: Vec::new(),
            label: case.label.clone(),
            href: case.href.clone(),
            tags: case.tags.clone(),
            metadata: case.metadata.clone(),
            output: None,
        };
        let (mut judged, mut asked) = (None, None);
        let judge = || check.judge_only(case).map(|verdict| (check.request(case, &verdict), verdict));
        match &row.fault {
            Some(Fault::Unreadable(fault)) => record.reason = Some(fault.clone()),
            Some(Fault::Nothing(fault)) => {
                record.outcome = Outcome::Skipped;
                record.reason = Some(fault.clone());
            }
            None => match catch_unwind(AssertUnwindSafe(judge)) {
                Ok(Ok((request, verdict))) => {
                    record.set_verdict(&verdict);
                    asked = request.map(|(_, request)| request);
                    judged = Some(verdict);
                }
                Ok(Err(error)) => {
                    if error.is_missing() {
                        record.outcome = Outcome::Skipped;
                    }
                    record.reason = Some(error.to_string());
                }
                Err(panic) => {
                    record.reason = Some(format!("the metric panicked: {}", panic_message(panic.as_ref())));
                }
            },
        }
        drop(_entered);
        Self { record, verdict: judged, request: asked, span }
    }

    /// Lets the check's hook word the reason, on this thread.
    #[cfg(feature = "harness")]
    pub(crate) fn worded(mut self, Named { check, .. }: &Named) -> Self {
        if let (Some(hook), Some(request)) = (check.hook(), self.request.take()) {
            let worded = self.span.in_scope(|| hook.word_now(request));
            self.record.set_worded(worded.clone());
            if let Some(verdict) = &mut self.verdict {
                verdict.set_worded(worded);
            }
        }
        self
    }
}
