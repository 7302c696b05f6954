//! Many cases, many checks: one result for each.

mod evaluation;
mod record;
mod summary;

pub use evaluation::{Evaluation, Run, RunCheck};
pub use record::{Departure, Excerpt, Finding, Record};
pub use summary::{
    AtK, CodeCount, Example, FieldCount, MetricSummary, RepeatGate, RepeatSummary, Scores, Summary,
};
