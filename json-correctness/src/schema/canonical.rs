//! Equal values by one key: how `uniqueItems` finds two equal elements among many.

use std::{collections::HashMap, fmt::Write as _};

use crate::text::{JsonType, Node};

/// The indices of the first two equal elements of an array: the second one is the smallest index
/// that repeats an earlier element. `None` where all differ. Time and memory grow with the text of
/// the array alone, not with the square of its length.
pub(crate) fn first_repetition(array: Node<'_>) -> Option<(usize, usize)> {
    let mut seen = HashMap::with_capacity(array.len());
    for (index, element) in array.elements().enumerate() {
        let mut key = String::new();
        write_key(element, &mut key);
        if let Some(first) = seen.insert(key, index) {
            return Some((first, index));
        }
    }
    None
}

/// Writes a text that two values share exactly when JSON Schema calls them equal.
fn write_key(node: Node<'_>, key: &mut String) {
    match node.json_type() {
        JsonType::Null | JsonType::Boolean => key.push_str(node.source()),
        JsonType::Integer | JsonType::Number => write_number(node.source(), key),
        JsonType::String => write_string(node.as_str().unwrap_or_default(), key),
        JsonType::Array => {
            key.push('[');
            for element in node.elements() {
                write_key(element, key);
                key.push(',');
            }
            key.push(']');
        }
        JsonType::Object => {
            let mut members: Vec<_> = node.members().collect();
            // Stable: of equal keys the last in the text stays the last, and it counts.
            members.sort_by_key(|member| member.key);
            key.push('{');
            for (index, member) in members.iter().enumerate() {
                if members.get(index + 1).is_some_and(|next| next.key == member.key) {
                    continue;
                }
                write_string(member.key, key);
                write_key(member.value, key);
            }
            key.push('}');
        }
    }
}

fn write_string(text: &str, key: &mut String) {
    // The length in front keeps texts apart whatever they contain.
    let _ = write!(key, "\"{}:{text}", text.len());
}

fn write_number(spelling: &str, key: &mut String) {
    let sign = if spelling.starts_with('-') { "-" } else { "" };
    match decimal(spelling) {
        Some((digits, _)) if digits.is_empty() => key.push('0'),
        Some((digits, exponent)) => {
            let _ = write!(key, "{sign}{digits}e{exponent}");
        }
        None => key.push_str(spelling),
    }
}

/// The digits of a number without zeros at either end (none: zero), and the power of ten behind
/// them. `None` where the exponent does not fit.
pub(crate) fn decimal(spelling: &str) -> Option<(String, i128)> {
    let magnitude = spelling.strip_prefix('-').unwrap_or(spelling);
    let (mantissa, exponent) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let without_end = all.trim_end_matches('0');
    let digits = without_end.trim_start_matches('0').to_owned();
    let exponent: i128 = exponent.trim_start_matches('+').parse().ok()?;
    let shift = (all.len() - without_end.len()) as i128 - fraction.len() as i128;
    Some((digits, exponent.checked_add(shift)?))
}
