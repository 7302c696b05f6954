//! The result of many cases and checks.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Record, Summary};
use crate::ExpectedSchema;

/// The result of many cases and checks. Every report is a view of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Evaluation {
    /// The version of this form: 1. It grows when a field changes its meaning or goes.
    pub format_version: u64,
    /// What was run.
    pub run: Run,
    /// What it came to.
    pub summary: Summary,
    /// The results, in the order of the rows, and of one row in the order of the checks.
    pub results: Vec<Record>,
    /// How many more results there were than are kept in `results`; those that passed go first.
    pub results_omitted: u64,
}

/// What was run, and by what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Run {
    /// Different for every run: a UUID, version 7.
    pub id: String,
    /// When it began, in UTC, by RFC 3339.
    #[expected(format = "date-time")]
    pub started: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The version of this library.
    pub version: String,
    /// The checks, in their order.
    pub checks: Vec<RunCheck>,
    /// Where the rows came from, in their order.
    pub data: Vec<String>,
}

/// A check of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RunCheck {
    /// The name of the check.
    pub metric: String,
    /// The threshold, in [0, 1].
    pub threshold: f64,
    /// Whether strict mode was on.
    pub strict_mode: bool,
    /// Whether lower scores are the better ones.
    pub lower_is_better: bool,
    /// The options of the metric that differ from their defaults, limits included, as the metric
    /// tells them; null where it tells none.
    pub options: Value,
}
