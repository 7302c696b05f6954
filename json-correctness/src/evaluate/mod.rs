//! Many cases, many checks: one result for each.

mod accumulate;
mod checks;
mod evaluation;
mod evaluator;
mod ids;
mod journal;
mod judged;
mod kept;
mod reader;
mod record;
mod repeats;
mod statistics;
mod summary;

pub(crate) use accumulate::field;
pub use checks::{Checks, IntoCheck};
pub use evaluation::{Evaluation, Gate, Run, RunCheck};
pub use evaluator::{Evaluator, Progress};
#[cfg(feature = "harness")]
pub(crate) use judged::judge_row;
pub use record::{Departure, Excerpt, Finding, Record};
pub use repeats::Repeats;
pub use summary::{
    AtK, CodeCount, Example, FieldCount, MetricSummary, RepeatGate, RepeatSummary, Scores, Summary,
};

use crate::{dataset::IntoRow, error::Error};

/// Runs the checks over the rows, with the defaults of [`Evaluator`].
///
/// # Errors
///
/// As [`Evaluator::run`].
pub fn evaluate<I>(rows: I, checks: Checks) -> Result<Evaluation, Error>
where
    I: IntoIterator,
    I::Item: IntoRow,
{
    Evaluator::new(checks).run(rows)
}
