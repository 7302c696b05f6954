//! One check of one row.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Record, checks::Named};
use crate::{
    check::{Outcome, Verdict},
    dataset::{Fault, Row},
    reason::panic_message,
};

/// The result of one check for one row, and the verdict if there is one.
pub(crate) fn judge_row(
    number: u64,
    id: &str,
    row: &Row,
    Named { name, check }: &Named,
) -> (Record, Option<Verdict>) {
    let case = &row.case;
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
        violations: Vec::new(),
        differences: Vec::new(),
        label: case.label.clone(),
        href: case.href.clone(),
        tags: case.tags.clone(),
        metadata: case.metadata.clone(),
        output: None,
    };
    let mut judged = None;
    match &row.fault {
        Some(Fault::Unreadable(fault)) => record.reason = Some(fault.clone()),
        Some(Fault::Nothing(fault)) => {
            record.outcome = Outcome::Skipped;
            record.reason = Some(fault.clone());
        }
        None => match catch_unwind(AssertUnwindSafe(|| check.judge(case))) {
            Ok(Ok(verdict)) => {
                record.set_verdict(&verdict);
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
    (record, judged)
}
