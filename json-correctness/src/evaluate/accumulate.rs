//! Summing up results as they come, in bounded memory.

use std::{collections::HashMap, hash::Hash};

use super::{
    CodeCount, Example, FieldCount, MetricSummary, Record, RunCheck, Summary,
    reasons::Reasons,
    repeats::{Repeats, Samples},
    statistics::{Distribution, wilson},
};
use crate::check::Outcome;

/// How many different fields are told apart for a check; those that come later count as
/// [`OTHER_FIELDS`].
const MAX_FIELDS: usize = 10_000;
/// How many of them a summary lists.
const LISTED_FIELDS: usize = 1_000;
const OTHER_FIELDS: &str = "(other fields)";

/// Sums up the results of a run.
pub(crate) struct Accumulator {
    rows: u64,
    last_row: u64,
    metrics: Vec<OfMetric>,
}

struct OfMetric {
    metric: String,
    threshold: f64,
    outcomes: [u64; 4],
    scores: Distribution,
    codes: HashMap<String, Count>,
    fields: HashMap<(String, String, String), Count>,
    samples: Option<Samples>,
    reasons: Reasons,
}

/// How often something was found.
struct Count {
    kind: String,
    violations: u64,
    cases: u64,
    last_row: u64,
    example: Example,
}

impl Accumulator {
    pub(crate) fn new(checks: &[RunCheck], repeats: Option<&Repeats>) -> Self {
        let metrics = checks.iter().map(|check| OfMetric {
            metric: check.metric.clone(),
            threshold: check.threshold,
            outcomes: [0; 4],
            scores: Distribution::default(),
            codes: HashMap::new(),
            fields: HashMap::new(),
            samples: repeats.map(|repeats| Samples::new(repeats.clone())),
            reasons: Reasons::default(),
        });
        Self { rows: 0, last_row: 0, metrics: metrics.collect() }
    }

    /// Adds a result. They come in the order of the rows.
    pub(crate) fn add(&mut self, record: &Record) {
        if record.row != self.last_row {
            self.rows += 1;
            self.last_row = record.row;
        }
        if let Some(metric) = self.metrics.iter_mut().find(|metric| metric.metric == record.metric) {
            metric.add(record);
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        Summary { rows: self.rows, metrics: self.metrics.iter().map(OfMetric::summary).collect() }
    }
}

impl OfMetric {
    fn add(&mut self, record: &Record) {
        self.outcomes[record.outcome as usize] += 1;
        if let Some(score) = record.score {
            self.scores.add(score);
        }
        if let Some(samples) = &mut self.samples {
            samples.add(&record.id, record.outcome);
        }
        self.reasons.add(record);
        let example =
            |message: &str| Example { id: record.id.clone(), row: record.row, message: message.to_owned() };
        for found in &record.violations {
            count(&mut self.codes, found.code.clone(), &found.kind, record.row, || example(&found.message));
            self.add_field(&found.pointer, &found.code, &found.kind, record.row, || example(&found.message));
        }
        for difference in &record.differences {
            let message = || match (&difference.expected, &difference.found) {
                (None, found) => format!("found {}", found.as_deref().unwrap_or_default()),
                (Some(expected), None) => format!("should be {expected}"),
                (Some(expected), Some(found)) => format!("should be {expected}, found {found}"),
            };
            self.add_field(&difference.pointer, "", difference.kind(), record.row, || example(&message()));
        }
    }

    fn add_field(
        &mut self,
        pointer: &str,
        code: &str,
        kind: &str,
        row: u64,
        example: impl FnOnce() -> Example,
    ) {
        let mut key = (field(pointer), code.to_owned(), kind.to_owned());
        if self.fields.len() >= MAX_FIELDS && !self.fields.contains_key(&key) {
            key.0 = OTHER_FIELDS.to_owned();
        }
        count(&mut self.fields, key, kind, row, example);
    }

    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    fn summary(&self) -> MetricSummary {
        let of = |outcome: Outcome| self.outcomes[outcome as usize];
        let [passed, failed, errored] = [Outcome::Passed, Outcome::Failed, Outcome::Errored].map(of);
        let judged = passed + failed + errored;
        let mut by_code: Vec<CodeCount> = self
            .codes
            .iter()
            .map(|(code, count)| CodeCount {
                code: code.clone(),
                kind: count.kind.clone(),
                violations: count.violations,
                cases: count.cases,
            })
            .collect();
        by_code.sort_by(|a, b| (b.violations, &a.code).cmp(&(a.violations, &b.code)));
        let mut by_field: Vec<FieldCount> = self
            .fields
            .iter()
            .map(|((field, code, kind), count)| FieldCount {
                field: field.clone(),
                code: code.clone(),
                kind: kind.clone(),
                violations: count.violations,
                cases: count.cases,
                example: count.example.clone(),
            })
            .collect();
        by_field.sort_by(|a, b| {
            (b.violations, &a.field, &a.code, &a.kind).cmp(&(a.violations, &b.field, &b.code, &b.kind))
        });
        by_field.truncate(LISTED_FIELDS);
        MetricSummary {
            metric: self.metric.clone(),
            threshold: self.threshold,
            passed,
            failed,
            errored,
            skipped: of(Outcome::Skipped),
            pass_rate: (judged > 0).then(|| passed as f64 / judged as f64),
            interval: wilson(passed, judged),
            scores: self.scores.scores(),
            by_code,
            by_field,
            repeats: self.samples.as_ref().map(Samples::summary),
            reasons: self.reasons.summary(),
        }
    }
}

fn count<K: Eq + Hash>(
    counts: &mut HashMap<K, Count>,
    key: K,
    kind: &str,
    row: u64,
    example: impl FnOnce() -> Example,
) {
    let count = counts.entry(key).or_insert_with(|| Count {
        kind: kind.to_owned(),
        violations: 0,
        cases: 0,
        last_row: 0,
        example: example(),
    });
    count.violations += 1;
    if count.last_row != row {
        count.cases += 1;
        count.last_row = row;
    }
}

/// A pointer with `*` for every number in it, so that all elements of a list are one field.
pub(crate) fn field(pointer: &str) -> String {
    let mut field = String::with_capacity(pointer.len());
    for token in pointer.split('/').skip(1) {
        let number = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        field.push('/');
        field.push_str(if number { "*" } else { token });
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elements_of_a_list_are_one_field() {
        let rows = [
            ("", ""),
            ("/a", "/a"),
            ("/items/3/price", "/items/*/price"),
            ("/0", "/*"),
            ("/a~1b//1x", "/a~1b//1x"),
        ];
        for (pointer, expected) in rows {
            assert_eq!(field(pointer), expected);
        }
    }
}
