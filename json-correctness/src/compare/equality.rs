//! Exact equality of two values.

use std::cmp::Ordering;

use super::{
    canonical::{Canonical, sorted_members},
    difference::{Compared, Finder},
};
use crate::text::{JsonType, Limits, Node};

/// Whether two values are equal: key order is ignored, numbers are compared by their exact value, of
/// several values of one key the last one counts. `duplicates` says whether a key may stand twice.
pub(crate) fn equal(a: Node<'_>, b: Node<'_>, duplicates: bool) -> bool {
    match (kind(a), kind(b)) {
        (x, y) if x != y => false,
        (JsonType::Null, _) => true,
        (JsonType::Boolean, _) => a.as_bool() == b.as_bool(),
        (JsonType::Number, _) => match (a.as_number(), b.as_number()) {
            (Some(x), Some(y)) => x.spelling() == y.spelling() || x.compare(y) == Ordering::Equal,
            _ => false,
        },
        (JsonType::String, _) => a.as_str() == b.as_str(),
        (JsonType::Array, _) => {
            a.len() == b.len() && a.elements().zip(b.elements()).all(|(x, y)| equal(x, y, duplicates))
        }
        _ if duplicates => {
            let (a, b) =
                (sorted_members(a, Canonical::PythonDumps), sorted_members(b, Canonical::PythonDumps));
            a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x.0 == y.0 && equal(x.1, y.1, duplicates))
        }
        _ => {
            // Most writers keep one order of keys: a look-up is only needed where they do not.
            a.len() == b.len()
                && a.members().zip(b.members()).all(|(x, y)| {
                    let other = if x.key == y.key { Some(y) } else { b.member(x.key) };
                    other.is_some_and(|y| equal(x.value, y.value, duplicates))
                })
        }
    }
}

/// The type, with integers among the numbers.
pub(super) fn kind(node: Node<'_>) -> JsonType {
    match node.json_type() {
        JsonType::Integer => JsonType::Number,
        other => other,
    }
}

/// Whether two values are equal when the order of lists does not count at any depth.
pub(crate) fn equal_unordered(a: Node<'_>, b: Node<'_>) -> bool {
    Canonical::unordered_text(a) == Canonical::unordered_text(b)
}

/// Where two values differ when the order of lists does not count at any depth: of a list, the elements
/// of either side that the other one lacks.
pub(crate) fn unordered_differences<'d>(expected: Node<'d>, found: Node<'d>, limits: &Limits) -> Compared {
    let mut finder = Finder::new(limits);
    let equal = unordered(&mut finder, expected, found);
    finder.finish(if equal { 1.0 } else { 0.0 })
}

fn unordered<'d>(finder: &mut Finder<'d>, expected: Node<'d>, found: Node<'d>) -> bool {
    match (kind(expected), kind(found)) {
        (JsonType::Object, JsonType::Object) => {
            let mut same = true;
            for (key, value) in sorted_members(expected, Canonical::Jcs) {
                finder.enter_key(key);
                same &= match found.member(key) {
                    Some(member) => unordered(finder, value, member.value),
                    None => finder.missing(value, found, 1.0),
                };
                finder.leave();
            }
            for (key, value) in sorted_members(found, Canonical::Jcs) {
                if expected.member(key).is_none() {
                    finder.enter_key(key);
                    same &= finder.extra(value, 1.0);
                    finder.leave();
                }
            }
            same
        }
        (JsonType::Array, JsonType::Array) => {
            let text = |(index, node): (usize, Node<'d>)| (Canonical::unordered_text(node), index, node);
            let mut wanted: Vec<_> = expected.elements().enumerate().map(text).collect();
            let mut given: Vec<_> = found.elements().enumerate().map(text).collect();
            wanted.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
            given.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
            let (mut lacking, mut surplus) = (Vec::new(), Vec::new());
            let (mut left, mut right) = (wanted.iter().peekable(), given.iter().peekable());
            loop {
                let order = match (left.peek(), right.peek()) {
                    (None, None) => break,
                    (Some(_), None) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    (Some(wanted), Some(given)) => wanted.0.cmp(&given.0),
                };
                if order.is_le() {
                    lacking.extend(left.next().filter(|_| order.is_lt()).map(|(_, at, node)| (*at, *node)));
                }
                if order.is_ge() {
                    surplus.extend(right.next().filter(|_| order.is_gt()).map(|(_, at, node)| (*at, *node)));
                }
            }
            lacking.sort_by_key(|(index, _)| *index);
            surplus.sort_by_key(|(index, _)| *index);
            for (index, node) in &lacking {
                finder.enter_index(*index);
                finder.missing(*node, found, 1.0);
                finder.leave();
            }
            for (index, node) in &surplus {
                finder.enter_index(*index);
                finder.extra(*node, 1.0);
                finder.leave();
            }
            lacking.is_empty() && surplus.is_empty()
        }
        _ => equal(expected, found, true) || finder.differs(expected, found, 0.0, 1.0),
    }
}
