//! A run as JUnit XML, for the viewers of CI systems.

use std::{collections::HashMap, time::Duration};

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};

use super::sanitize::{for_terminal, for_terminal_line};
use crate::{
    check::Outcome,
    evaluate::{Evaluation, MetricSummary, Record},
};

/// How many results are listed; beyond it, only those that did not pass.
const MAX_LISTED: usize = 100_000;

impl Evaluation {
    /// The run as JUnit XML: a suite for each check, a test case for each result.
    ///
    /// A failed result is a `failure`, an errored one an `error`, a skipped one `skipped`. Where samples
    /// of a case are taken together ([`Evaluator::repeats`](crate::Evaluator::repeats)), a case is one
    /// test case, which fails where the gate of the samples does (without a gate: where one of them does),
    /// and its other samples are reruns. `label`, `href`, `tags`, `file` and `line` are properties.
    /// Beyond 100,000 results only those that did not pass are listed. Characters that XML has not, or
    /// that are not harmless in a terminal, are replaced.
    #[must_use]
    pub fn to_junit(&self) -> String {
        let mut report = Report::new("json-correctness");
        report.set_time(seconds(self.run.seconds));
        if let Ok(started) = chrono::DateTime::parse_from_rfc3339(&self.run.started) {
            report.set_timestamp(started);
        }
        if let Ok(id) = uuid::Uuid::parse_str(&self.run.id) {
            report.set_uuid(id);
        }
        let all = self.results.len() <= MAX_LISTED;
        for summary in &self.summary.metrics {
            let mut suite = TestSuite::new(xml(&summary.metric));
            let listed = |record: &&Record| {
                record.metric == summary.metric && (all || record.outcome != Outcome::Passed)
            };
            let records: Vec<&Record> = self.results.iter().filter(listed).take(MAX_LISTED).collect();
            for property in properties_of(summary, records.len()) {
                suite.add_property(property);
            }
            match &summary.repeats {
                Some(repeats) => {
                    let gate = repeats.gate.as_ref().map(|gate| gate.required);
                    suite.add_test_cases(of_samples(&records, gate));
                }
                None => {
                    suite.add_test_cases(records.iter().map(|record| described(record, status(record))));
                }
            }
            report.add_test_suite(suite);
        }
        // Memory takes whatever is written, and no text of ours is refused.
        report.to_string().unwrap_or_default()
    }
}

/// How many results the suite stands for, where it does not list them all.
fn properties_of(summary: &MetricSummary, listed: usize) -> Vec<Property> {
    let results = summary.passed + summary.failed + summary.errored + summary.skipped;
    if listed as u64 == results {
        return Vec::new();
    }
    vec![Property::new("results", results.to_string()), Property::new("results_listed", listed.to_string())]
}

fn status(record: &Record) -> TestCaseStatus {
    let mut status = match record.outcome {
        Outcome::Passed => return TestCaseStatus::success(),
        Outcome::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Errored => TestCaseStatus::non_success(NonSuccessKind::Error),
        Outcome::Skipped => TestCaseStatus::skipped(),
    };
    status.set_message(message(record)).set_type(kind(record)).set_description(description(record));
    status
}

/// One line for lists.
fn message(record: &Record) -> String {
    let reason = record.reason.as_deref().unwrap_or_default();
    let first = record.violations.first().map_or(reason, |violation| violation.message.as_str());
    let first: String = xml(first).chars().take(300).collect();
    match record.violations.len() {
        0 | 1 => first,
        more => format!("{first} (and {} more)", more - 1),
    }
}

/// What kind of failure it is, for viewers that group by it.
fn kind(record: &Record) -> String {
    record.violations.first().map_or_else(|| record.outcome.to_string(), |violation| violation.code.clone())
}

fn description(record: &Record) -> String {
    let mut lines = Vec::new();
    if let (Some(file), Some(line)) = (&record.file, record.line) {
        lines.push(format!("{file}:{line}"));
    }
    if let Some(score) = record.score {
        lines.push(format!("score {score}, threshold {}", record.threshold));
    }
    for found in &record.violations {
        let place = if found.pointer.is_empty() { "root" } else { &found.pointer };
        let help = found.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        lines.push(format!(
            "{} at {}:{} ({place}): {}{help}",
            found.code, found.line, found.column, found.message
        ));
    }
    for difference in &record.differences {
        let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
        lines.push(format!(
            "at {}:{} ({}): expected {}, found {}",
            difference.line,
            difference.column,
            difference.pointer,
            side(&difference.expected),
            side(&difference.found)
        ));
    }
    if record.violations.is_empty() && record.differences.is_empty() {
        lines.extend(record.reason.clone());
    }
    let lines: Vec<String> = lines.iter().map(|line| xml(line)).collect();
    lines.join("\n")
}

fn described(record: &Record, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(xml(&record.id), status);
    case.set_classname(xml(&record.metric));
    let line = record.line.map(|line| line.to_string());
    let texts = [("file", &record.file), ("line", &line), ("label", &record.label), ("href", &record.href)];
    for (name, text) in texts {
        if let Some(text) = text {
            case.add_property(Property::new(name, xml(text)));
        }
    }
    for tag in &record.tags {
        case.add_property(Property::new("tag", xml(tag)));
    }
    case
}

/// One test case for all samples of an id.
fn of_samples(records: &[&Record], required: Option<u64>) -> Vec<TestCase> {
    let mut order: Vec<&str> = Vec::new();
    let mut by_id: HashMap<&str, Vec<&Record>> = HashMap::new();
    for record in records {
        let samples = by_id.entry(&record.id).or_default();
        if samples.is_empty() {
            order.push(&record.id);
        }
        samples.push(record);
    }
    order.into_iter().filter_map(|id| by_id.get(id).and_then(|samples| of_case(samples, required))).collect()
}

fn of_case(samples: &[&Record], required: Option<u64>) -> Option<TestCase> {
    let passed = |record: &&&Record| record.outcome == Outcome::Passed;
    let bad = || samples.iter().filter(|record| matches!(record.outcome, Outcome::Failed | Outcome::Errored));
    let enough = required
        .map_or(bad().next().is_none(), |required| samples.iter().filter(passed).count() as u64 >= required);
    let first = *samples.iter().find(passed).or_else(|| samples.first())?;
    let mut reruns: Vec<&&Record> = bad().collect();
    let (mut status, shown) = if enough {
        (if bad().next().is_some() { TestCaseStatus::success() } else { status(first) }, first)
    } else {
        // The first bad sample is the failure itself, the others are what came of trying again.
        let shown = *reruns.first().copied().unwrap_or(&first);
        reruns.retain(|record| record.row != shown.row);
        (status(shown), shown)
    };
    status.add_reruns(reruns.into_iter().map(|record| rerun(record)));
    Some(described(shown, status))
}

fn rerun(record: &Record) -> TestRerun {
    let kind_of =
        if record.outcome == Outcome::Errored { NonSuccessKind::Error } else { NonSuccessKind::Failure };
    let mut rerun = TestRerun::new(kind_of);
    rerun.set_message(message(record)).set_type(kind(record)).set_description(description(record));
    rerun
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// A text that XML 1.0 can hold, on one line, and that is harmless in a log.
fn xml(text: &str) -> String {
    // The two non-characters that XML 1.0 refuses stand beyond what a terminal minds.
    for_terminal_line(&for_terminal(text)).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
