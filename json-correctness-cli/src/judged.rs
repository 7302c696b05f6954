//! What `check` and `compare` print of a verdict for a program.

use json_correctness::{Departure, Finding, Outcome, ReasonSource, Verdict};
use serde::Serialize;

/// Whether a command's output is for a person or for a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For a person
    #[default]
    Plain,
    /// For a program
    Json,
}

/// The results of one output.
#[derive(Debug, Serialize)]
pub(crate) struct Judged<'v> {
    passed: bool,
    results: Vec<Judgement<'v>>,
}

/// One result, in the form of a line of a results file without what only a dataset has.
#[derive(Debug, Serialize)]
struct Judgement<'v> {
    metric: &'v str,
    outcome: Outcome,
    score: Option<f64>,
    threshold: f64,
    reason: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason_source: Option<ReasonSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason_error: Option<&'v str>,
    violations: Vec<Finding>,
    differences: Vec<Departure>,
}

impl<'v> Judged<'v> {
    pub(crate) fn new(passed: bool, verdicts: &'v [Verdict]) -> Self {
        let judgement = |verdict: &'v Verdict| Judgement {
            metric: verdict.metric(),
            outcome: verdict.outcome(),
            score: verdict.score(),
            threshold: verdict.threshold(),
            reason: verdict.reason(),
            reason_source: verdict.reason_source().filter(|source| *source != ReasonSource::BuiltIn),
            reason_error: verdict.reason_error(),
            violations: verdict.violations().iter().map(Finding::from).collect(),
            differences: verdict.differences().iter().map(Departure::from).collect(),
        };
        Self { passed, results: verdicts.iter().map(judgement).collect() }
    }
}
