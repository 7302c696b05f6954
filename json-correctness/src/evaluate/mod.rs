//! Many cases, many checks: one result for each.

mod accumulate;
mod checks;
mod desk;
mod evaluation;
mod evaluator;
mod ids;
mod journal;
mod judged;
mod kept;
mod reader;
mod reasons;
mod record;
mod repeats;
mod state;
mod statistics;
mod stop;
mod summary;

pub(crate) use accumulate::field;
pub use checks::{Checks, IntoCheck};
pub use evaluation::{Evaluation, Gate, Run, RunCheck};
pub use evaluator::Evaluator;
#[cfg(feature = "harness")]
pub(crate) use judged::Judged;
pub use record::{Departure, Excerpt, Finding, Record};
pub use repeats::Repeats;
pub use state::Progress;
use stop::Stop;
pub use summary::{
    AtK, CodeCount, Example, FieldCount, MetricSummary, ReasonErrorCount, ReasonSummary, RepeatGate,
    RepeatSummary, Scores, Summary,
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

/// As [`evaluate`], on any executor: see [`Evaluator::run_async`].
///
/// # Errors
///
/// As [`Evaluator::run`].
pub async fn evaluate_async<I>(rows: I, checks: Checks) -> Result<Evaluation, Error>
where
    I: IntoIterator<Item: IntoRow> + Send + 'static,
{
    Evaluator::new(checks).run_async(rows).await
}
