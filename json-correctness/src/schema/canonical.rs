//! Equal values by one key: how `uniqueItems` finds two equal elements among many.

use std::{
    fmt::{self, Write},
    hash::{BuildHasher, Hasher, RandomState},
};

use crate::text::{JsonType, Node};

/// The indices of the first two equal elements of an array: the second one is the smallest index
/// that repeats an earlier element. `None` where all differ. Time grows with the text of the array
/// alone, not with the square of its length.
pub(crate) fn first_repetition(array: Node<'_>) -> Option<(usize, usize)> {
    // Keyed at random, so that no text can be made whose elements collide.
    let state = RandomState::new();
    let mut digests: Vec<(u64, usize, Node<'_>)> = array
        .elements()
        .enumerate()
        .map(|(index, element)| {
            let mut digest = Digest(state.build_hasher());
            let _ = write_key(element, &mut digest);
            (digest.0.finish(), index, element)
        })
        .collect();
    digests.sort_unstable_by_key(|&(digest, index, _)| (digest, index));
    digests
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() > 1)
        .filter_map(|group| {
            group.iter().enumerate().find_map(|(at, later)| {
                let first = group[..at].iter().find(|earlier| key(earlier.2) == key(later.2))?;
                Some((first.1, later.1))
            })
        })
        .min_by_key(|&(_, second)| second)
}

/// Takes a key in without keeping it.
struct Digest<H>(H);

impl<H: Hasher> Write for Digest<H> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

/// A text that two values share exactly when JSON Schema calls them equal.
fn key(node: Node<'_>) -> String {
    let mut key = String::new();
    let _ = write_key(node, &mut key);
    key
}

fn write_key(node: Node<'_>, key: &mut impl Write) -> fmt::Result {
    match node.json_type() {
        JsonType::Null | JsonType::Boolean => key.write_str(node.source()),
        JsonType::Integer | JsonType::Number => write_number(node.source(), key),
        JsonType::String => write_string(node.as_str().unwrap_or_default(), key),
        JsonType::Array => {
            key.write_char('[')?;
            for element in node.elements() {
                write_key(element, key)?;
                key.write_char(',')?;
            }
            key.write_char(']')
        }
        JsonType::Object => {
            let mut members: Vec<_> = node.members().collect();
            // Stable: of equal keys the last in the text stays the last, and it counts.
            members.sort_by_key(|member| member.key);
            key.write_char('{')?;
            for (index, member) in members.iter().enumerate() {
                if members.get(index + 1).is_some_and(|next| next.key == member.key) {
                    continue;
                }
                write_string(member.key, key)?;
                write_key(member.value, key)?;
            }
            key.write_char('}')
        }
    }
}

fn write_string(text: &str, key: &mut impl Write) -> fmt::Result {
    // The length in front keeps texts apart whatever they contain.
    write!(key, "\"{}:", text.len())?;
    key.write_str(text)
}

/// Writes a text that equal numbers share.
pub(crate) fn write_number(spelling: &str, key: &mut impl Write) -> fmt::Result {
    let magnitude = spelling.trim_start_matches('-');
    let sign = &spelling[..spelling.len() - magnitude.len()];
    if magnitude.bytes().all(|byte| byte.is_ascii_digit()) {
        // As nearly every number is spelled: nothing to move.
        let digits = magnitude.trim_end_matches('0');
        return write_decimal(sign, digits, (magnitude.len() - digits.len()) as i128, key);
    }
    match decimal(spelling) {
        Some((digits, exponent)) => write_decimal(sign, &digits, exponent, key),
        None => key.write_str(spelling),
    }
}

fn write_decimal(sign: &str, digits: &str, exponent: i128, key: &mut impl Write) -> fmt::Result {
    if digits.is_empty() {
        return key.write_char('0');
    }
    key.write_str(sign)?;
    key.write_str(digits)?;
    if exponent == 0 { Ok(()) } else { write!(key, "e{exponent}") }
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

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::text::{Document, Limits};

    #[test]
    fn the_first_repetition() {
        let rows = [
            ("[]", None),
            ("[1]", None),
            ("[2, 1, 1.0, 2]", Some((1, 2))),
            ("[1, 10, 100, 1e2]", Some((2, 3))),
            ("[0, -0]", Some((0, 1))),
            ("[1, -1, \"1\", [1], {\"1\": 1}, true, null]", None),
            ("[{\"a\": 1, \"b\": 2}, {\"b\": 2, \"a\": 1}]", Some((0, 1))),
            ("[[1, 2], [12], [[1], 2], [1, [2]]]", None),
            ("[\"a\\u0062\", \"ab\"]", Some((0, 1))),
            ("[3, 3, 3]", Some((0, 1))),
        ];
        for (text, expected) in rows {
            let document = Document::parse(text, &Limits::default()).expect(text);
            assert_eq!(first_repetition(document.root()), expected, "{text}");
        }
    }
}
