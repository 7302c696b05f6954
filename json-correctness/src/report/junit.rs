//! A run as JUnit XML, for the viewers of CI systems.

use std::{collections::HashMap, time::Duration};

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};

use super::{reasoned, sanitize::for_terminal_line};
use crate::{
    check::Outcome,
    evaluate::{Evaluation, MetricSummary, Record, RepeatGate},
    reason::ReasonSource,
};

/// How many results are listed; beyond it, only those that did not pass.
const MAX_LISTED: usize = 100_000;

impl Evaluation {
    /// The run as JUnit XML: a suite for each check, a test case for each result.
    ///
    /// A failed result is a `failure`, an errored one an `error`, a skipped one `skipped`. Where samples
    /// of a case are taken together ([`Evaluator::repeats`](crate::Evaluator::repeats)), a case is one
    /// test case, which ends as the gate of the samples says ([`RepeatGate`](crate::RepeatGate); without a
    /// gate it fails where one of them does), and its other samples are reruns. `file` and `line` of the
    /// row are attributes; `label`, `href` and each `tag` are properties. In a run of more than 100,000
    /// results, only those that did not pass are listed, at most 100,000 of a check. Characters that XML
    /// has not, or that are not harmless in a terminal, are replaced.
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
            let records = self.results.iter().filter(|record| record.metric == summary.metric);
            let (mut results, mut cases) = (0, Vec::new());
            match &summary.repeats {
                Some(repeats) => {
                    // What is listed is chosen behind the gate: it counts the samples that passed, too.
                    let kept_all = self.results_omitted == 0;
                    for samples in by_id(records) {
                        let Some(case) = of_case(&samples, repeats.gate.as_ref(), kept_all) else { continue };
                        let passed = matches!(case.status, TestCaseStatus::Success { .. });
                        if (all || !passed) && cases.len() < MAX_LISTED {
                            results += samples.len();
                            cases.push(case);
                        }
                    }
                }
                None => {
                    let listed = |record: &&Record| all || record.outcome != Outcome::Passed;
                    let listed = records.filter(listed).take(MAX_LISTED);
                    cases.extend(listed.map(|record| described(record, status(record))));
                    results = cases.len();
                }
            }
            for property in properties_of(summary, results) {
                suite.add_property(property);
            }
            suite.add_test_cases(cases);
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
    let mut first: String = xml(first).chars().take(300).collect();
    if record.violations.is_empty()
        && let Some(note) = reasoned::of_record(record, xml)
    {
        first.push_str(&format!(" ({note})"));
    }
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
    // A built-in reason says what is listed already, a hook's wording may say more.
    let told = !record.violations.is_empty() || !record.differences.is_empty();
    if !told || record.reason_source == Some(ReasonSource::Hook) {
        lines.extend(record.reason.clone());
    }
    lines.extend(reasoned::of_record(record, str::to_owned).map(|note| format!("(reason {note})")));
    let lines: Vec<String> = lines.iter().map(|line| xml(line)).collect();
    lines.join("\n")
}

fn described(record: &Record, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(xml(&record.id), status);
    case.set_classname(xml(&record.metric));
    // As attributes, since that is where viewers look for what they link to.
    let line = record.line.map(|line| line.to_string());
    for (name, text) in [("file", &record.file), ("line", &line)] {
        if let Some(text) = text {
            case.extra.insert(name.into(), xml(text).into());
        }
    }
    for (name, text) in [("label", &record.label), ("href", &record.href)] {
        if let Some(text) = text {
            case.add_property(Property::new(name, xml(text)));
        }
    }
    for tag in &record.tags {
        case.add_property(Property::new("tag", xml(tag)));
    }
    case
}

/// The samples of each id, the ids in the order of their first samples.
fn by_id<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Vec<&'a Record>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut cases: Vec<Vec<&Record>> = Vec::new();
    for record in records {
        let place = *places.entry(&record.id).or_insert(cases.len());
        if place == cases.len() {
            cases.push(Vec::new());
        }
        cases[place].push(record);
    }
    cases
}

/// One test case for all samples of an id; `None` where the samples that the run kept leave open how it
/// ended.
fn of_case(samples: &[&Record], gate: Option<&RepeatGate>, kept_all: bool) -> Option<TestCase> {
    let first = *samples.first()?;
    let count = |outcome| samples.iter().filter(|record| record.outcome == outcome).count() as u64;
    let mut bad: Vec<&Record> = samples.to_vec();
    bad.retain(|record| matches!(record.outcome, Outcome::Failed | Outcome::Errored));
    let (passed, judged) = (count(Outcome::Passed), samples.len() as u64 - count(Outcome::Skipped));
    let enough = match gate {
        // Nothing was judged, or nothing was asked for.
        _ if judged == 0 => true,
        None => bad.is_empty(),
        // Samples that passed go first where a run does not keep all: they may have been there.
        Some(gate) if !kept_all => {
            if gate.of.saturating_sub(bad.len() as u64) >= gate.required {
                return None;
            }
            false
        }
        Some(gate) if judged != gate.of => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(format!("{judged} judged samples, where {} should be", gate.of));
            status.set_type("samples");
            status.add_reruns(bad.into_iter().map(rerun));
            return Some(described(first, status));
        }
        Some(gate) => passed >= gate.required,
    };
    if enough {
        let shown = samples.iter().find(|record| record.outcome == Outcome::Passed).unwrap_or(&first);
        let mut status = if bad.is_empty() { status(shown) } else { TestCaseStatus::success() };
        status.add_reruns(bad.into_iter().map(rerun));
        return Some(described(shown, status));
    }
    // The first bad sample is the failure itself, the others are what came of trying again.
    let Some((shown, others)) = bad.split_first() else {
        // Only a gate that asks for more than there should be fails without a bad sample.
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(format!("{passed} samples pass, which are too few")).set_type("samples");
        return Some(described(first, status));
    };
    let mut status = status(shown);
    status.add_reruns(others.iter().map(|record| rerun(record)));
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
    for_terminal_line(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}
