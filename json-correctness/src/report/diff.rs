//! Where an output differs from its reference, as a small aligned table.

use std::fmt::Write as _;

use super::sanitize::for_terminal_line;
use crate::compare::Difference;

/// Widest column of places, in characters; values are cut likewise.
const MAX_PLACE: usize = 40;
const MAX_VALUE: usize = 60;
/// Most differences that are shown.
const MAX_SHOWN: usize = 30;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const RESET: &str = "\u{1b}[0m";

/// The differences, one place after the other: what the reference has (`-`) above what was found (`+`).
///
/// ```text
///   2:11  /name         - "John"
///                       + "Jon"
///   1:1   /address/zip  - "12345"
///                       + (missing)
/// ```
pub(crate) fn differences(differences: &[Difference], differing: usize, color: bool) -> String {
    let shown = &differences[..differences.len().min(MAX_SHOWN)];
    let rows: Vec<(String, String, &Difference)> = shown
        .iter()
        .map(|difference| {
            let place = if difference.pointer.is_root() { "(root)" } else { difference.pointer.as_str() };
            let position = format!("{}:{}", difference.position.line, difference.position.column);
            (position, cut(place, MAX_PLACE), difference)
        })
        .collect();
    let positions = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0);
    let places = rows.iter().map(|row| row.1.chars().count()).max().unwrap_or(0);
    let (red, green, reset) = if color { (RED, GREEN, RESET) } else { ("", "", "") };
    let mut report = String::new();
    for (position, place, difference) in &rows {
        let expected = difference.expected.as_deref().map_or("(nothing)".into(), |text| cut(text, MAX_VALUE));
        let found = difference.found.as_deref().map_or("(missing)".into(), |text| cut(text, MAX_VALUE));
        let _ = writeln!(report, "  {position:<positions$}  {place:<places$}  {green}- {expected}{reset}");
        let _ = write!(report, "  {:<positions$}  {:<places$}  {red}+ {found}{reset}", "", "");
        if difference.similarity > 0.0 {
            let _ = write!(report, "  (similarity {:.2})", rounded_down(difference.similarity));
        }
        report.push('\n');
    }
    let plural = if differing == 1 { "" } else { "s" };
    let more = if differing > shown.len() { format!(", {} shown", shown.len()) } else { String::new() };
    let _ = write!(report, "  {differing} difference{plural}{more}: - expected, + found");
    report
}

/// So that what is not the same is never shown as 1.00.
fn rounded_down(similarity: f64) -> f64 {
    (similarity * 100.0).floor() / 100.0
}

/// A text on one line, harmless for a terminal and no longer than a column.
fn cut(text: &str, most: usize) -> String {
    let line = for_terminal_line(text);
    if line.chars().count() <= most {
        return line;
    }
    line.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JsonEquality, TestCase};

    fn report(found: &str, expected: &str) -> String {
        let case = TestCase::new("", found).expected_output(expected);
        let verdict = JsonEquality::new().judge(&case).expect("a verdict");
        differences(verdict.differences(), verdict.differing(), false)
    }

    #[test]
    fn differences_stand_one_above_the_other() {
        let found = "{\n  \"name\": \"Jon\",\n  \"tags\": [1, 2],\n  \"x\": null\n}";
        let expected = "{\"name\": \"John\", \"tags\": [1], \"address\": {\"zip\": 1}}";
        let shown = "\
\x20 1:1   /address  - {\"zip\": 1}
                  + (missing)
  2:11  /name     - \"John\"
                  + \"Jon\"
  3:15  /tags/1   - (nothing)
                  + 2
  4:8   /x        - (nothing)
                  + null
  4 differences: - expected, + found";
        assert_eq!(report(found, expected), shown);
    }

    #[test]
    fn hostile_text_does_not_reach_the_terminal() {
        let shown = report("{\"a\u{202e}\": \"\\u001b \u{9b}31m\"}", "{\"a\u{202e}\": \"\u{7f}\"}");
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{shown:?}");
    }
}
