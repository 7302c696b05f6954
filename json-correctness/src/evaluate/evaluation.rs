//! The result of many cases and checks.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{MetricSummary, Record, Summary};
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

/// Whether a check of a run holds what is asked of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Gate {
    /// The name of the check.
    pub metric: String,
    /// Which part passed: of the cases where there is a gate for repeats, else of the results. Absent
    /// where nothing was judged.
    pub rate: Option<f64>,
    /// Which part should have.
    pub required: f64,
    /// Whether it did. A check that judged nothing never holds.
    pub holds: bool,
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { metric, rate, required, holds } = self;
        let relation = if *holds { "reaches" } else { "is below" };
        match rate {
            Some(rate) => write!(f, "{metric}: the pass rate {rate:.4} {relation} {required}"),
            None => write!(f, "{metric}: nothing was judged, and that is no pass"),
        }
    }
}

impl Evaluation {
    /// Whether each check holds: at least the part `required` of what it judged passed. Skipped results
    /// do not count, errored ones count as not passed. Where the samples of a case have a gate of their
    /// own ([`Repeats::require`](crate::Repeats::require)), cases are counted in place of results.
    #[must_use]
    pub fn gates(&self, required: f64) -> Vec<Gate> {
        let gate = |summary: &MetricSummary| {
            let of_cases = summary.repeats.as_ref().and_then(|repeats| repeats.gate.as_ref());
            let rate = match of_cases {
                #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
                Some(gate) => {
                    let cases = gate.passed + gate.failed + gate.errored;
                    (cases > 0).then(|| gate.passed as f64 / cases as f64)
                }
                None => summary.pass_rate,
            };
            // What errored was not judged, and must not pass where no rate is asked for.
            let rate = rate.filter(|_| summary.passed + summary.failed > 0);
            let holds = rate.is_some_and(|rate| rate >= required);
            Gate { metric: summary.metric.clone(), rate, required, holds }
        };
        self.summary.metrics.iter().map(gate).collect()
    }

    /// Panics with the table of the run unless each check holds: see [`Evaluation::gates`].
    ///
    /// # Panics
    ///
    /// A check judged nothing, or less than the part `required` of what it judged passed.
    #[track_caller]
    pub fn assert_pass_rate(&self, required: f64) {
        let broken: Vec<String> =
            self.gates(required).iter().filter(|gate| !gate.holds).map(Gate::to_string).collect();
        assert!(broken.is_empty(), "{}\n\n{}", broken.join("\n"), self.to_table(false, None));
    }
}
