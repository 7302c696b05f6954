//! A run as Markdown for the summary of a CI run, and as annotations of GitHub Actions.

use std::fmt::Write as _;

use super::{
    reasoned,
    sanitize::{for_terminal, for_terminal_line},
};
use crate::{
    check::Outcome,
    evaluate::{Evaluation, MetricSummary, Record},
    reason::ReasonSource,
    text::cut,
};

/// How many fields of a metric, cases, and violations of a case are shown.
const LISTED_FIELDS: usize = 20;
const LISTED_CASES: usize = 25;
const LISTED_VIOLATIONS: usize = 20;
/// How much of a text is shown, in characters.
const MAX_CELL: usize = 160;
const MAX_REASON: usize = 600;
const MAX_OUTPUT: usize = 2_000;
/// How many bytes the tables may take, and the whole: GitHub drops the summary of a step over 1 MiB.
const MAX_TABLES_BYTES: usize = 600 << 10;
const MAX_BYTES: usize = 960 << 10;
/// How many annotations of a kind GitHub shows for a step.
const MAX_ANNOTATIONS: usize = 10;

impl Evaluation {
    /// The run as GitHub-flavoured Markdown: a table of the checks, the fields that are wrong most often,
    /// and the first 25 cases that did not pass; less where it would take more than 960 KiB, since GitHub
    /// shows no summary of a step over 1 MiB.
    ///
    /// All text of the model and of the dataset stands in code, so that nothing in it is a link, an image,
    /// an element, a mention or the end of a cell.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("## JSON correctness\n\n");
        let data: Vec<String> = self.run.data.iter().take(10).map(|file| code(file, false)).collect();
        let of = if data.is_empty() { String::new() } else { format!(" of {}", data.join(", ")) };
        let _ = writeln!(text, "{} rows{of}\n", self.summary.rows);
        text.push_str(
            "| metric | passed | failed | errored | skipped | pass rate | 95% interval | median score |\n",
        );
        text.push_str("|---|--:|--:|--:|--:|--:|---|--:|\n");
        for metric in &self.summary.metrics {
            text.push_str(&metric_row(metric));
        }
        let reasons =
            self.summary.metrics.iter().filter_map(|metric| Some((metric, metric.reasons.as_ref()?)));
        for (metric, reasons) in reasons {
            let reasons = reasoned::summary(reasons, |error| code(error, false));
            let _ = writeln!(text, "\n{}: {reasons}", code(&metric.metric, false));
        }
        let mut left_out = 0;
        for metric in self.summary.metrics.iter().filter(|metric| !metric.by_field.is_empty()) {
            let table = fields(metric);
            if text.len() + table.len() > MAX_TABLES_BYTES {
                left_out += 1;
                continue;
            }
            text.push_str(&table);
        }
        if left_out > 0 {
            let _ = writeln!(text, "\nAnd the fields of {left_out} more metrics.");
        }
        self.cases(&mut text);
        text
    }

    fn cases(&self, text: &mut String) {
        let bad = |record: &&Record| matches!(record.outcome, Outcome::Failed | Outcome::Errored);
        let mut records = self.results.iter().filter(bad).peekable();
        if records.peek().is_none() {
            return;
        }
        text.push_str("\n### Cases that did not pass\n");
        for _ in 0..LISTED_CASES {
            let Some(case) = records.peek().map(|record| case(record)) else { break };
            if text.len() + case.len() > MAX_BYTES {
                break;
            }
            text.push_str(&case);
            records.next();
        }
        let more = records.count();
        if more > 0 {
            let _ = writeln!(text, "\nAnd {more} more results.");
        }
    }

    /// Annotations for the log of GitHub Actions: an error at the row of the dataset for each result that
    /// failed or errored, ten at most, which is what GitHub shows of a step.
    #[must_use]
    pub fn to_github_annotations(&self) -> String {
        let mut text = String::new();
        let bad = |record: &&Record| matches!(record.outcome, Outcome::Failed | Outcome::Errored);
        let mut records = self.results.iter().filter(bad);
        for record in records.by_ref().take(MAX_ANNOTATIONS) {
            let mut place = String::new();
            if let Some(file) = &record.file {
                let _ = write!(place, "file={},", property(file));
            }
            if let Some(line) = record.line {
                let _ = write!(place, "line={line},");
            }
            let title = property(&format!("{} {}: {}", record.metric, record.outcome, record.id));
            let reason = record.reason.as_deref().unwrap_or_default();
            let note = reasoned::of_record(record, for_terminal_line);
            let note = note.map(|note| data(&format!("\n(reason {note})"))).unwrap_or_default();
            let _ = writeln!(text, "::error {place}title={title}::{}", data(reason) + &note);
        }
        let more = records.count();
        if more > 0 {
            let _ = writeln!(text, "::notice title=json-correctness::{more} more results did not pass");
        }
        text
    }
}

fn metric_row(metric: &MetricSummary) -> String {
    let percent = |part: f64| format!("{:.1}%", part * 100.0);
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} |\n",
        code(&metric.metric, true),
        metric.passed,
        metric.failed,
        metric.errored,
        metric.skipped,
        metric.pass_rate.map_or_else(|| "none".to_owned(), percent),
        metric.interval.map_or_else(String::new, |(low, high)| format!(
            "{} to {}",
            percent(low),
            percent(high)
        )),
        metric.scores.as_ref().map_or_else(String::new, |scores| format!("{:.3}", scores.p50)),
    )
}

fn fields(metric: &MetricSummary) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "\n### {}: what is wrong most often\n", code(&metric.metric, false));
    text.push_str("| cases | count | field | code | kind | example |\n|--:|--:|---|---|---|---|\n");
    for field in metric.by_field.iter().take(LISTED_FIELDS) {
        let name = if field.field.is_empty() { "(root)" } else { &field.field };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} in {} |",
            field.cases,
            field.violations,
            code(name, true),
            code(&field.code, true),
            code(&field.kind, true),
            code(&field.example.message, true),
            code(&field.example.id, true),
        );
    }
    if metric.by_field.len() > LISTED_FIELDS {
        let _ = writeln!(text, "\nAnd {} more fields.", metric.by_field.len() - LISTED_FIELDS);
    }
    text
}

fn case(record: &Record) -> String {
    let mut text = String::new();
    let _ = write!(
        text,
        "\n<details>\n<summary><code>{}</code> <code>{}</code> {}</summary>\n\n",
        html(&record.id),
        html(&record.metric),
        record.outcome
    );
    for (name, value) in [("label", &record.label), ("link", &record.href)] {
        if let Some(value) = value {
            let _ = writeln!(text, "{name}: {}  ", code(value, false));
        }
    }
    if !record.tags.is_empty() {
        let tags: Vec<String> = record.tags.iter().take(20).map(|tag| code(tag, false)).collect();
        let _ = writeln!(text, "tags: {}", tags.join(" "));
    }
    if record.label.is_some() || record.href.is_some() || !record.tags.is_empty() {
        text.push('\n');
    }
    // A built-in reason says what is listed below, a hook's wording may say more.
    let hooked = record.reason_source == Some(ReasonSource::Hook);
    if record.violations.is_empty() || hooked {
        let most = if hooked { MAX_REASON } else { MAX_CELL };
        let _ = writeln!(text, "- {}", code_up_to(most, record.reason.as_deref().unwrap_or_default(), false));
    }
    if let Some(note) = reasoned::of_record(record, |error| code(error, false)) {
        let _ = writeln!(text, "- reason {note}");
    }
    for found in record.violations.iter().take(LISTED_VIOLATIONS) {
        let _ = writeln!(
            text,
            "- {} at {}:{} {}: {}",
            code(&found.code, false),
            found.line,
            found.column,
            code(if found.pointer.is_empty() { "(root)" } else { &found.pointer }, false),
            code(&found.message, false)
        );
    }
    if record.violations.len() > LISTED_VIOLATIONS {
        let _ = writeln!(text, "- and {} more", record.violations.len() - LISTED_VIOLATIONS);
    }
    if let Some(output) = &record.output {
        let harmless = for_terminal(&output.text);
        let mut shown: String = harmless.chars().take(MAX_OUTPUT).collect();
        if shown.len() < harmless.len() {
            shown.push('…');
        }
        let fence = "`".repeat(longest_run(&shown).max(2) + 1);
        let _ = writeln!(text, "\n{fence}text\n{shown}\n{fence}");
    }
    text.push_str("\n</details>\n");
    text
}

/// A text as code of Markdown. In the cell of a table, what would end the cell is escaped.
fn code(text: &str, cell: bool) -> String {
    code_up_to(MAX_CELL, text, cell)
}

fn code_up_to(most: usize, text: &str, cell: bool) -> String {
    let mut text = cut(&for_terminal_line(text), most);
    if text.trim().is_empty() {
        return "(empty)".to_owned();
    }
    if cell {
        text = text.replace('|', "\\|");
    }
    let ticks = "`".repeat(longest_run(&text) + 1);
    // A space is taken off each side where both have one; a tick must not touch those around it.
    let space = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// The longest run of ticks in a text.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// A text within an element of HTML.
fn html(text: &str) -> String {
    let text: String = for_terminal_line(text).chars().take(MAX_CELL).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text as the message of a workflow command.
fn data(text: &str) -> String {
    let text = for_terminal(text);
    let text: String = text.chars().take(MAX_OUTPUT).collect();
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text as the property of a workflow command.
fn property(text: &str) -> String {
    let text: String = for_terminal_line(text).chars().take(MAX_CELL).collect();
    data(&text).replace(':', "%3A").replace(',', "%2C")
}
