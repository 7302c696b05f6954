//! The results as the page's script reads them: cleaned, bounded, and with the places of the faults.

use serde::Serialize;
use serde_json::Value;

use super::text::{MAX_TEXT, clean, embed, may_link};
use crate::{
    check::Outcome,
    evaluate::{Departure, Evaluation, Excerpt, Finding, Record, field},
    report::reasoned,
    text::terminal_substitute,
};

/// Most results in a page.
pub(super) const MAX_RESULTS: usize = 20_000;
/// Most bytes of results in a page.
pub(super) const MAX_BYTES: usize = 32 << 20;
/// Longest output in a page, in bytes.
const MAX_OUTPUT: usize = 16 << 10;
/// Most violations, differences, tags and metadata of a result, each.
const MAX_LISTED: usize = 100;

/// What of the results stands in the page, and what does not.
pub(super) struct Data {
    /// A JSON array of results that can stand in a `<script>`.
    pub(super) json: String,
    pub(super) shown: usize,
    /// What the page leaves out, by outcome.
    pub(super) left_out: [(Outcome, usize); 4],
    /// What the run did not keep.
    pub(super) omitted: u64,
}

impl Data {
    pub(super) fn of(evaluation: &Evaluation) -> Self {
        Self::bounded(evaluation, MAX_RESULTS, MAX_BYTES)
    }

    fn bounded(evaluation: &Evaluation, max_results: usize, max_bytes: usize) -> Self {
        // What a reader would act on comes first, the rest as far as there is room.
        let first: [&[Outcome]; 3] =
            [&[Outcome::Failed, Outcome::Errored], &[Outcome::Skipped], &[Outcome::Passed]];
        let in_order = first.iter().flat_map(|outcomes| {
            let of_them = |(_, record): &(usize, &Record)| outcomes.contains(&record.outcome);
            evaluation.results.iter().enumerate().filter(of_them)
        });
        let mut left_out = [Outcome::Failed, Outcome::Errored, Outcome::Skipped, Outcome::Passed]
            .map(|outcome| (outcome, 0));
        let mut entries: Vec<(usize, String)> = Vec::new();
        let (mut bytes, mut full) = (0, false);
        for (index, record) in in_order {
            if !full && entries.len() < max_results {
                let mut entry = String::new();
                embed(&serde_json::to_string(&Entry::of(record)).unwrap_or_default(), &mut entry);
                if bytes + entry.len() < max_bytes {
                    bytes += entry.len() + 1;
                    entries.push((index, entry));
                    continue;
                }
            }
            full = true;
            if let Some((_, count)) = left_out.iter_mut().find(|(outcome, _)| *outcome == record.outcome) {
                *count += 1;
            }
        }
        entries.sort_unstable_by_key(|(index, _)| *index);
        let shown = entries.len();
        let mut json = String::with_capacity(bytes + shown + 16);
        for (index, (_, entry)) in entries.into_iter().enumerate() {
            json.push_str(if index == 0 { "[\n" } else { ",\n" });
            json.push_str(&entry);
        }
        json.push_str(if shown == 0 { "[]" } else { "\n]" });
        Self { json, shown, left_out, omitted: evaluation.results_omitted }
    }
}

/// A result in the page.
#[derive(Serialize)]
struct Entry {
    id: String,
    row: u64,
    metric: String,
    outcome: Outcome,
    score: Option<f64>,
    threshold: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Who worded the reason, where a hook was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    href: Option<String>,
    /// Whether `href` may be followed.
    #[serde(skip_serializing_if = "is_false")]
    link: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    metadata: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<Fault>,
    /// How many more faults there are than are listed.
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Shown>,
}

/// A violation, or a difference from the reference: it has no code.
#[derive(Serialize)]
struct Fault {
    #[serde(skip_serializing_if = "String::is_empty")]
    code: String,
    kind: String,
    pointer: String,
    /// The pointer with `*` for numbers, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    line: u64,
    column: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// The part of the shown output, in UTF-16 code units: the first, and the one behind the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<(usize, usize)>,
}

/// An output, or a part of it.
#[derive(Serialize)]
struct Shown {
    text: String,
    start: u64,
    bytes: u64,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}

impl Entry {
    fn of(record: &Record) -> Self {
        let text = |text: &String| clean(text, MAX_TEXT);
        let texts = record.output.as_ref().map(Text::of);
        let marks = texts.as_ref();
        let violations = record.violations.iter().take(MAX_LISTED).map(|found| Fault::found(found, marks));
        let differences =
            record.differences.iter().take(MAX_LISTED).map(|found| Fault::differs(found, marks));
        let place = match (&record.file, record.line) {
            (Some(file), Some(line)) => Some(format!("{}:{line}", clean(file, MAX_TEXT))),
            (Some(file), None) => Some(clean(file, MAX_TEXT)),
            (None, line) => line.map(|line| format!("line {line}")),
        };
        let metadata = record.metadata.iter().take(MAX_LISTED).map(|(name, value)| {
            let value = match value {
                Value::String(text) => clean(text, MAX_TEXT),
                other => clean(&other.to_string(), MAX_TEXT),
            };
            (clean(name, MAX_TEXT), value)
        });
        Self {
            id: clean(&record.id, MAX_TEXT),
            row: record.row,
            metric: clean(&record.metric, MAX_TEXT),
            outcome: record.outcome,
            score: record.score,
            threshold: record.threshold,
            place,
            reason: record.reason.as_ref().map(text),
            note: reasoned::of_record(record, |error| clean(error, MAX_TEXT)),
            label: record.label.as_ref().map(text),
            href: record.href.as_ref().map(text),
            link: record.href.as_deref().is_some_and(may_link),
            tags: record.tags.iter().take(MAX_LISTED).map(text).collect(),
            metadata: metadata.collect(),
            faults: violations.chain(differences).collect(),
            more: record.violations.len().saturating_sub(MAX_LISTED)
                + record.differences.len().saturating_sub(MAX_LISTED),
            output: texts.map(|text| Shown { text: text.shown, start: text.start, bytes: text.bytes }),
        }
    }
}

/// The field that the page counts and selects a pointer as, or a field of the summary.
pub(super) fn shown_field(pointer: &str) -> String {
    match pointer.chars().next() {
        None => "(whole output)".to_owned(),
        Some('/') => clean(&field(pointer), MAX_TEXT),
        // The summary's name for fields that it did not tell apart.
        Some(_) => clean(pointer, MAX_TEXT),
    }
}

impl Fault {
    fn found(found: &Finding, text: Option<&Text>) -> Self {
        Self {
            code: clean(&found.code, MAX_TEXT),
            message: clean(&found.message, MAX_TEXT),
            help: found.help.as_ref().map(|help| clean(help, MAX_TEXT)),
            expected: None,
            found: None,
            similarity: None,
            ..Self::at(&found.pointer, &found.kind, (found.line, found.column), found.span, text)
        }
    }

    fn differs(difference: &Departure, text: Option<&Text>) -> Self {
        let shortened = |text: &Option<String>| text.as_ref().map(|text| clean(text, MAX_TEXT));
        let place = (difference.line, difference.column);
        Self {
            expected: shortened(&difference.expected),
            found: shortened(&difference.found),
            similarity: Some(difference.similarity),
            ..Self::at(&difference.pointer, difference.kind(), place, difference.span, text)
        }
    }

    fn at(
        pointer: &str,
        kind: &str,
        (line, column): (u64, u64),
        span: (u64, u64),
        text: Option<&Text>,
    ) -> Self {
        let field = shown_field(pointer);
        let pointer = clean(pointer, MAX_TEXT);
        Self {
            code: String::new(),
            kind: clean(kind, MAX_TEXT),
            field: (field != pointer).then_some(field),
            pointer,
            line,
            column,
            message: String::new(),
            help: None,
            expected: None,
            found: None,
            similarity: None,
            mark: text.and_then(|text| text.mark(span)),
        }
    }
}

/// An output as it is shown, and where each of its characters came from.
struct Text {
    shown: String,
    start: u64,
    bytes: u64,
    /// For each character its first byte in the output and its first code unit in the page, and what
    /// stands behind the last.
    at: Vec<(u64, usize)>,
}

impl Text {
    fn of(excerpt: &Excerpt) -> Self {
        let mut shown = String::with_capacity(excerpt.text.len().min(MAX_OUTPUT));
        let (mut byte, mut unit) = (excerpt.start, 0);
        let mut at = vec![(byte, unit)];
        for character in excerpt.text.chars() {
            if shown.len() >= MAX_OUTPUT {
                break;
            }
            let harmless = match character {
                '\t' => '\t',
                other => terminal_substitute(other).unwrap_or(other),
            };
            shown.push(harmless);
            byte = byte.saturating_add(character.len_utf8() as u64);
            unit += harmless.len_utf16();
            at.push((byte, unit));
        }
        Self { shown, start: excerpt.start, bytes: excerpt.bytes, at }
    }

    /// The code units that show the bytes of `span`, whole characters always; `None` where they are
    /// not in the excerpt.
    ///
    /// Where bytes that are not UTF-8 were replaced, what comes after the first of them cannot be told
    /// by bytes; an output that has such bytes has one violation, at the first of them.
    fn mark(&self, (start, end): (u64, u64)) -> Option<(usize, usize)> {
        let (first, last) = (self.at.first()?, self.at.last()?);
        if start > last.0 || end < first.0 || end < start || (start < first.0 && end == first.0) {
            return None;
        }
        let from = self.at.partition_point(|(byte, _)| *byte <= start).saturating_sub(1);
        let to = self.at.partition_point(|(byte, _)| *byte < end).min(self.at.len() - 1);
        Some((self.at[from].1, self.at[to.max(from)].1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, start: u64, span: (u64, u64)) -> Option<String> {
        let text = Text::of(&Excerpt { text: text.to_owned(), start, bytes: 1_000 });
        let units: Vec<u16> = text.shown.encode_utf16().collect();
        let (from, to) = text.mark(span)?;
        Some(String::from_utf16(&units[from..to]).expect("whole characters"))
    }

    #[test]
    fn bytes_of_the_output_become_characters_of_the_page() {
        for (text, start, span, expected) in [
            (r#"{"a": 1}"#, 0, (6, 7), Some("1")),
            (r#"{"é": "😀x"}"#, 0, (8, 12), Some("😀")),
            (r#"{"é": "😀x"}"#, 0, (12, 13), Some("x")),
            // Tags are four bytes and two units, their substitute three bytes and one unit.
            ("\u{e0041}x", 0, (4, 5), Some("x")),
            ("abc", 100, (101, 102), Some("b")),
            ("abc", 100, (90, 101), Some("a")),
            ("abc", 100, (102, 200), Some("c")),
            ("abc", 100, (103, 103), Some("")),
            ("abc", 100, (99, 100), None),
            ("abc", 100, (104, 105), None),
            ("abc", 100, (102, 101), None),
            ("", 0, (0, 0), Some("")),
            // Half a character is all of it.
            ("é", 0, (1, 2), Some("é")),
            // One byte that is not UTF-8.
            ("ab\u{fffd}c", 0, (2, 3), Some("\u{fffd}")),
        ] {
            assert_eq!(marked(text, start, span).as_deref(), expected, "{text:?} {span:?}");
        }
    }

    #[test]
    fn those_that_passed_are_left_out_first() {
        let outputs = ["1", "[", "2", "", "3"];
        let cases = outputs.map(|output| crate::TestCase::new("", output));
        let checks = crate::Checks::new().with(crate::JsonValidity::new());
        let run = crate::evaluate(cases, checks).expect("a run");
        let rows = |results, bytes| -> (Vec<u64>, Vec<usize>) {
            let data = Data::bounded(&run, results, bytes);
            let shown: Vec<Value> = serde_json::from_str(&data.json).expect("JSON");
            assert!(shown.len() == data.shown && data.json.len() <= bytes + 8);
            let rows = shown.iter().map(|entry| entry["row"].as_u64().expect("a number"));
            (rows.collect(), data.left_out.map(|(_, count)| count).to_vec())
        };
        assert_eq!(rows(9, 1 << 20), (vec![1, 2, 3, 4, 5], vec![0, 0, 0, 0]));
        assert_eq!(rows(4, 1 << 20), (vec![1, 2, 3, 4], vec![0, 0, 0, 1]));
        assert_eq!(rows(1, 1 << 20), (vec![2], vec![1, 0, 0, 3]));
        assert_eq!(rows(9, 0), (vec![], vec![2, 0, 0, 3]));
    }
}
