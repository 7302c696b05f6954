//! What many results come to.

use serde::{Deserialize, Serialize};

use crate::ExpectedSchema;

/// What a run comes to, check by check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Summary {
    /// How many rows were read.
    pub rows: u64,
    /// One entry for each check, in their order.
    pub metrics: Vec<MetricSummary>,
}

/// What one check says of all cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MetricSummary {
    /// The name of the check.
    pub metric: String,
    /// The threshold of the check, in [0, 1].
    pub threshold: f64,
    /// How many cases passed.
    pub passed: u64,
    /// How many cases failed.
    pub failed: u64,
    /// How many cases could not be judged because something was wrong with the set-up or the row.
    pub errored: u64,
    /// How many cases lack what the check needs, and were not judged.
    pub skipped: u64,
    /// passed / (passed + failed + errored); absent where that is nothing by nothing.
    pub pass_rate: Option<f64>,
    /// The 95% Wilson score interval of the pass rate.
    pub interval: Option<(f64, f64)>,
    /// How the scores are distributed; absent where there are none.
    pub scores: Option<Scores>,
    /// How often each code was found, the most frequent first.
    pub by_code: Vec<CodeCount>,
    /// How often each code was found in each field, the most frequent first.
    pub by_field: Vec<FieldCount>,
    /// Where the same case was sampled several times: what the samples of a case come to together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<RepeatSummary>,
    /// Who worded the reasons, where a hook was at work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<ReasonSummary>,
}

/// Who worded the reasons of a check that has a reason hook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ReasonSummary {
    /// How many reasons the hook worded.
    pub by_hook: u64,
    /// How many reasons are built in, since the hook failed.
    pub built_in: u64,
    /// Why it failed: the ten most frequent errors, the one that came first before others as frequent;
    /// behind them `(other errors)`, where there are more.
    pub errors: Vec<ReasonErrorCount>,
}

/// How often a reason hook failed in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ReasonErrorCount {
    /// What went wrong, at most 200 characters of it. May come from a server: untrusted.
    pub error: String,
    /// How many cases keep the built-in reason because of it.
    pub cases: u64,
}

/// How scores are distributed. A quantile is the smallest score that at least that part of the scores
/// does not exceed (nearest rank).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Scores {
    /// How many scores there are.
    pub count: u64,
    /// Their arithmetic mean.
    pub mean: f64,
    /// The least.
    pub min: f64,
    /// The 5% quantile.
    pub p05: f64,
    /// The 25% quantile.
    pub p25: f64,
    /// The median.
    pub p50: f64,
    /// The 75% quantile.
    pub p75: f64,
    /// The 95% quantile.
    pub p95: f64,
    /// The greatest.
    pub max: f64,
    /// How many scores fall into each tenth of [0, 1], the last of which holds 1 too.
    pub histogram: Vec<u64>,
}

/// How often a code was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CodeCount {
    /// The code, such as `JC0102`.
    pub code: String,
    /// The name of the kind, such as `misspelt_field`.
    pub kind: String,
    /// How many violations have it.
    pub violations: u64,
    /// How many cases have at least one of them.
    pub cases: u64,
}

/// How often a code was found in a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FieldCount {
    /// The field, as a JSON Pointer with `*` for every number in it: `/items/*/price` is the price of
    /// every item. Empty for the whole output. May come from the model: untrusted.
    pub field: String,
    /// The code.
    pub code: String,
    /// The name of the kind.
    pub kind: String,
    /// How many violations there are.
    pub violations: u64,
    /// How many cases have at least one of them.
    pub cases: u64,
    /// The first of them.
    pub example: Example,
}

/// One violation of many.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Example {
    /// The id of the case.
    pub id: String,
    /// The number of its row, from 1.
    pub row: u64,
    /// What the violation says.
    pub message: String,
}

/// What the samples of each case come to together: a case is all rows of one id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RepeatSummary {
    /// How many cases have at least one judged sample.
    pub cases: u64,
    /// How many of them have samples that pass beside samples that do not.
    pub flaky: u64,
    /// For each asked k.
    pub at: Vec<AtK>,
    /// The gate, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<RepeatGate>,
}

/// The chances of k samples of a case, each the mean over all cases with at least k judged samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct AtK {
    /// How many samples are drawn.
    pub k: u64,
    /// How many cases have at least k judged samples.
    pub cases: u64,
    /// pass@k: that at least one of k samples passes, `1 - C(n - c, k) / C(n, k)` for a case of which
    /// c of n samples pass.
    pub pass_at: Option<f64>,
    /// pass^k: that all of k samples pass, `C(c, k) / C(n, k)`.
    pub pass_all: Option<f64>,
}

/// How many cases have enough samples that pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RepeatGate {
    /// How many samples of a case must pass.
    pub required: u64,
    /// Of how many.
    pub of: u64,
    /// How many cases pass.
    pub passed: u64,
    /// How many cases do not: too few samples pass.
    pub failed: u64,
    /// How many cases have another number of judged samples than they should.
    pub errored: u64,
}
