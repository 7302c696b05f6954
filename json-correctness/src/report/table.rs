//! A run as tables for a terminal.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{reasoned, sanitize::for_terminal_line};
use crate::{
    check::Outcome,
    evaluate::{Evaluation, FieldCount, MetricSummary, ReasonSummary, Record, RepeatSummary},
    reason::ReasonSource,
    text::cut,
};

/// How many fields of a metric are listed.
const LISTED_FIELDS: usize = 15;
/// How many reasons of a hook are shown, and how much of each, in characters.
const SHOWN_REASONS: usize = 5;
const MAX_REASON: usize = 400;
/// How many causes of errored and skipped results are listed.
const LISTED_CAUSES: usize = 5;
/// Widest column of fields and of examples where no width is asked for, in characters.
const MAX_FIELD: usize = 40;
const MAX_EXAMPLE: usize = 100;

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const RESET: &str = "\u{1b}[0m";

impl Evaluation {
    /// The run as a person wants to read it in a terminal: what passed, and which fields are wrong most
    /// often, each with an example, and the first reasons of a hook. At most `width` characters wide, where one is given; with colour
    /// where `color`. Text of the model and of the dataset is made harmless.
    #[must_use]
    pub fn to_table(&self, color: bool, width: Option<usize>) -> String {
        let mut table = Table { text: String::new(), color, width: width.map(|width| width.max(40)) };
        table.head(self);
        table.metrics(&self.summary.metrics);
        for metric in &self.summary.metrics {
            table.fields(metric);
        }
        table.worded(&self.results);
        for (outcome, title) in [(Outcome::Errored, "errored"), (Outcome::Skipped, "skipped")] {
            table.causes(self, outcome, title);
        }
        table.text
    }
}

struct Table {
    text: String,
    color: bool,
    width: Option<usize>,
}

impl Table {
    fn styled(&self, style: &str, text: &str) -> String {
        if self.color { format!("{style}{text}{RESET}") } else { text.to_owned() }
    }

    /// A line that is cut to the width.
    fn line(&mut self, text: &str) {
        let text = self.width.map_or_else(|| text.to_owned(), |width| cut(text, width));
        let _ = writeln!(self.text, "{}", text.trim_end());
    }

    fn head(&mut self, evaluation: &Evaluation) {
        let rows = evaluation.summary.rows;
        let plural = if rows == 1 { "" } else { "s" };
        let data = match evaluation.run.data.as_slice() {
            [] => String::new(),
            [one] => format!(" of {}", for_terminal_line(one)),
            many => format!(" of {} files", many.len()),
        };
        self.line(&format!("{rows} row{plural}{data}, {:.2} s", evaluation.run.seconds));
    }

    fn metrics(&mut self, metrics: &[MetricSummary]) {
        let names: Vec<String> = metrics.iter().map(|metric| shown(&metric.metric)).collect();
        let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let head = format!(
            "{:<widest$}  {:>8}  {:>8}  {:>8}  {:>8}  {:>7}  {:^15}  {:>6}",
            "metric", "passed", "failed", "errored", "skipped", "rate", "95% interval", "median"
        );
        self.text.push('\n');
        self.line(&head);
        for (name, metric) in names.iter().zip(metrics) {
            let percent = |part: f64| format!("{:.1}%", part * 100.0);
            let rate = metric.pass_rate.map_or_else(|| "none".to_owned(), percent);
            let interval = metric
                .interval
                .map_or_else(String::new, |(low, high)| format!("{} – {}", percent(low), percent(high)));
            let median =
                metric.scores.as_ref().map_or_else(String::new, |scores| format!("{:.3}", scores.p50));
            let (passed, failed) = (metric.passed.to_string(), metric.failed.to_string());
            let errored = metric.errored.to_string();
            let marked = |style: &str, text: String, width: usize, count: u64| {
                let padded = format!("{text:>width$}");
                if count > 0 { self.styled(style, &padded) } else { padded }
            };
            let row = format!(
                "{name:<widest$}  {}  {}  {}  {:>8}  {rate:>7}  {interval:^15}  {median:>6}",
                marked(GREEN, passed, 8, metric.passed),
                marked(RED, failed, 8, metric.failed),
                marked(RED, errored, 8, metric.errored),
                metric.skipped,
            );
            // Colours take no room, so a row with colours is not cut.
            let _ = writeln!(self.text, "{}", row.trim_end());
            if let Some(repeats) = &metric.repeats {
                self.repeats(repeats);
            }
            if let Some(reasons) = &metric.reasons {
                self.reasons(reasons);
            }
        }
    }

    fn repeats(&mut self, repeats: &RepeatSummary) {
        let mut parts = vec![format!("{} cases, {} of them flaky", repeats.cases, repeats.flaky)];
        for at in &repeats.at {
            let shown = |chance: Option<f64>| chance.map_or_else(|| "none".to_owned(), |c| format!("{c:.3}"));
            parts.push(format!("pass@{} {}", at.k, shown(at.pass_at)));
            parts.push(format!("pass^{} {}", at.k, shown(at.pass_all)));
        }
        if let Some(gate) = &repeats.gate {
            parts.push(format!(
                "{} of {}: {} passed, {} failed, {} with another number of samples",
                gate.required, gate.of, gate.passed, gate.failed, gate.errored
            ));
        }
        self.line(&format!("  {}", parts.join("; ")));
    }

    fn reasons(&mut self, reasons: &ReasonSummary) {
        let text = format!("  {}", reasoned::summary(reasons, for_terminal_line));
        // Cut before it is coloured, since colours take no room.
        let text = self.width.map_or_else(|| text.clone(), |width| cut(&text, width));
        let text = if reasons.built_in > 0 { self.styled(RED, &text) } else { text };
        let _ = writeln!(self.text, "{text}");
    }

    fn fields(&mut self, metric: &MetricSummary) {
        if metric.by_field.is_empty() {
            return;
        }
        let title = format!("{}: what is wrong most often", shown(&metric.metric));
        let title = self.styled(BOLD, &title);
        let _ = write!(self.text, "\n{title}\n");
        let listed = &metric.by_field[..metric.by_field.len().min(LISTED_FIELDS)];
        let place = |field: &FieldCount| {
            if field.field.is_empty() { "(root)".to_owned() } else { shown(&field.field) }
        };
        let widest = |column: &dyn Fn(&FieldCount) -> String, least: usize| {
            listed.iter().map(|field| column(field).chars().count()).max().unwrap_or(0).max(least)
        };
        let places = widest(&place, 5);
        let kinds = widest(&|field| shown(&field.kind), 4);
        self.line(&format!(
            "  {:>6}  {:>6}  {:<places$}  {:<6}  {:<kinds$}  example",
            "cases", "count", "field", "code", "kind"
        ));
        for field in listed {
            let example = format!(
                "{} ({}, row {})",
                cut(&for_terminal_line(&field.example.message), MAX_EXAMPLE),
                shown_id(&field.example.id),
                field.example.row
            );
            self.line(&format!(
                "  {:>6}  {:>6}  {:<places$}  {:<6}  {:<kinds$}  {example}",
                field.cases,
                field.violations,
                place(field),
                shown(&field.code),
                shown(&field.kind),
            ));
        }
        let more = metric.by_field.len() - listed.len();
        if more > 0 {
            let more = self.styled(DIM, &format!("  and {more} more"));
            let _ = writeln!(self.text, "{more}");
        }
    }

    /// The first reasons that a hook worded: those that the library words say what the fields say.
    fn worded(&mut self, results: &[Record]) {
        let by_hook = |record: &&Record| record.reason_source == Some(ReasonSource::Hook);
        let mut records = results.iter().filter(by_hook).peekable();
        if records.peek().is_none() {
            return;
        }
        let title = self.styled(BOLD, "reasons, worded by the hook");
        let _ = write!(self.text, "\n{title}\n");
        for record in records.by_ref().take(SHOWN_REASONS) {
            let reason = for_terminal_line(record.reason.as_deref().unwrap_or_default());
            let name = format!("{}, {}", shown_id(&record.id), shown(&record.metric));
            self.paragraph(&format!("{name}: {}", cut(reason.trim(), MAX_REASON)));
        }
        let more = records.count();
        if more > 0 {
            let more = self.styled(DIM, &format!("  and {more} more"));
            let _ = writeln!(self.text, "{more}");
        }
    }

    /// A text that goes over several lines where it is wider than one.
    fn paragraph(&mut self, text: &str) {
        let Some(width) = self.width else { return self.line(&format!("  {text}")) };
        let mut line = " ".to_owned();
        for word in text.split_whitespace() {
            if line.trim().chars().count() > 0 && line.chars().count() + 1 + word.chars().count() > width {
                self.line(&line);
                line = "     ".to_owned();
            }
            line.push(' ');
            line.push_str(word);
        }
        self.line(&line);
    }

    /// Why results errored or were skipped, each cause once.
    fn causes(&mut self, evaluation: &Evaluation, outcome: Outcome, title: &str) {
        let mut causes: BTreeMap<String, (u64, &Record)> = BTreeMap::new();
        for record in evaluation.results.iter().filter(|record| record.outcome == outcome) {
            let cause = format!("{}: {}", record.metric, cause_of(record));
            causes.entry(cause).or_insert((0, record)).0 += 1;
        }
        if causes.is_empty() {
            return;
        }
        let mut causes: Vec<(String, (u64, &Record))> = causes.into_iter().collect();
        causes.sort_by(|(a, (m, _)), (b, (n, _))| (n, a).cmp(&(m, b)));
        let heading = self.styled(BOLD, title);
        let _ = write!(self.text, "\n{heading}\n");
        for (cause, (count, record)) in causes.iter().take(LISTED_CAUSES) {
            let first = format!("{}, row {}", shown_id(&record.id), record.row);
            self.line(&format!("  {count:>6}  {}  (first: {first})", for_terminal_line(cause)));
        }
        if causes.len() > LISTED_CAUSES {
            self.line(&format!("  and {} other causes", causes.len() - LISTED_CAUSES));
        }
    }
}

/// The reason without the name of its case, so that the same cause reads the same in all cases.
fn cause_of(record: &Record) -> String {
    let reason = record.reason.as_deref().unwrap_or("no reason");
    for named in [format!("the case `{}`", record.id), "the case".to_owned()] {
        if let Some(rest) = reason.strip_prefix(named.as_str()) {
            return format!("the case{rest}");
        }
    }
    reason.to_owned()
}

/// A name as a cell of a table.
fn shown(name: &str) -> String {
    cut(&for_terminal_line(name), MAX_FIELD)
}

/// An id, of whose two ends the second tells more.
fn shown_id(id: &str) -> String {
    let id = for_terminal_line(id);
    let count = id.chars().count();
    if count <= MAX_FIELD {
        return id;
    }
    let head = MAX_FIELD / 3;
    let tail = MAX_FIELD - head - 1;
    id.chars().take(head).chain(['…']).chain(id.chars().skip(count - tail)).collect()
}
