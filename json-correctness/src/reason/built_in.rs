//! The reason that needs no model.

use std::fmt;

use crate::{compare::Difference, metric::Measurement, violation::Violation};

/// How many violations the built-in reason names.
const NAMED_VIOLATIONS: usize = 5;

/// The reason that needs no model: one sentence for each of the first violations, in the order of
/// the text. A function of its arguments alone, so the same bytes on every run.
pub(crate) fn built_in(metric: &str, measurement: &Measurement) -> String {
    let Measurement { score, violations, differences, differing, .. } = measurement;
    struct Sentence<'a>(&'a Violation);
    impl fmt::Display for Sentence<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Violation { message, suggestion, position, code, .. } = self.0;
            let mut characters = message.chars();
            let first = characters.next().into_iter().flat_map(char::to_uppercase).collect::<String>();
            // A message that starts with a quoted name keeps its case: the first character is a tick.
            write!(f, "{first}{}", characters.as_str())?;
            if let Some(suggestion) = suggestion {
                write!(f, "; {suggestion}")?;
            }
            write!(f, " [{code} at {}:{}].", position.line, position.column)
        }
    }
    if violations.is_empty() && !differences.is_empty() {
        let mut sentences: Vec<String> = differences.iter().take(NAMED_VIOLATIONS).map(differs).collect();
        if *differing > sentences.len() {
            sentences.push(format!("And {} more.", differing - sentences.len()));
        }
        return sentences.join(" ");
    }
    if violations.is_empty() {
        return format!("{metric} scored {}.", score.value());
    }
    let mut sentences: Vec<String> =
        violations.iter().take(NAMED_VIOLATIONS).map(|violation| Sentence(violation).to_string()).collect();
    if violations.len() > NAMED_VIOLATIONS {
        sentences.push(format!("And {} more.", violations.len() - NAMED_VIOLATIONS));
    }
    sentences.join(" ")
}

/// One sentence about one difference.
fn differs(difference: &Difference) -> String {
    let Difference { pointer, expected, found, position, .. } = difference;
    let place = if pointer.is_root() { "The value".to_owned() } else { format!("`{pointer}`") };
    let said = match (expected, found) {
        (Some(expected), Some(found)) => format!("should be {expected}, found {found}"),
        (Some(expected), None) => format!("is missing, should be {expected}"),
        (None, found) => format!("should not be there, found {}", found.as_deref().unwrap_or_default()),
    };
    format!("{place} {said} [at {}:{}].", position.line, position.column)
}
