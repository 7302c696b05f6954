//! Equality as Python and LangChain have it.

use std::{cmp::Ordering, fmt::Write as _};

use super::{canonical::write_python_number, equality::kind};
use crate::text::{JsonType, Node};

/// Whether LangChain's `JsonEqualityEvaluator` calls two parsed values equal: as Python's `==` does,
/// but where the reference is a list, both lists are first sorted by the text that `str` makes of each
/// element.
pub(crate) fn equal_as_langchain(expected: Node<'_>, found: Node<'_>) -> bool {
    match (kind(expected), kind(found)) {
        (JsonType::Array, JsonType::Array) => {
            let (a, b) = (sorted_elements(expected), sorted_elements(found));
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| equal(a.1, b.1))
        }
        _ => equal(expected, found),
    }
}

fn sorted_elements(list: Node<'_>) -> Vec<(String, Node<'_>)> {
    let mut elements: Vec<(String, Node<'_>)> = list.elements().map(|node| (text(node), node)).collect();
    elements.sort_by(|a, b| a.0.cmp(&b.0));
    elements
}

/// Python's `==`: booleans are the numbers 0 and 1, a number with a fraction or an exponent is rounded
/// to a 64-bit float, an integer is exact.
fn equal(a: Node<'_>, b: Node<'_>) -> bool {
    match (kind(a), kind(b)) {
        (JsonType::Object, JsonType::Object) => {
            let distinct = |object: Node<'_>| members(object).len();
            distinct(a) == distinct(b)
                && members(a)
                    .into_iter()
                    .all(|(key, value)| b.member(key).is_some_and(|member| equal(value, member.value)))
        }
        (JsonType::Array, JsonType::Array) => {
            a.len() == b.len() && a.elements().zip(b.elements()).all(|(a, b)| equal(a, b))
        }
        (JsonType::String, JsonType::String) => a.as_str() == b.as_str(),
        (JsonType::Null, JsonType::Null) => true,
        (JsonType::Boolean | JsonType::Number, JsonType::Boolean | JsonType::Number) => {
            let (a, b) = (exact(a), exact(b));
            match (crate::text::Number::parse(&a), crate::text::Number::parse(&b)) {
                (Some(a), Some(b)) => a.compare(b) == Ordering::Equal,
                _ => false,
            }
        }
        _ => false,
    }
}

/// The exact value of what Python parses, in decimal.
fn exact(node: Node<'_>) -> String {
    match node.as_bool() {
        Some(flag) => u8::from(flag).to_string(),
        None if node.source().contains(['.', 'e', 'E']) => {
            // Every digit of the float: it is compared with integers exactly.
            format!("{:.1080}", node.source().parse::<f64>().unwrap_or(0.0))
        }
        None => node.source().to_owned(),
    }
}

/// The members in Python's order: a key keeps its first place and takes its last value.
fn members(object: Node<'_>) -> Vec<(&str, Node<'_>)> {
    let mut found: Vec<(&str, Node<'_>)> = Vec::with_capacity(object.len());
    let mut seen = std::collections::HashSet::new();
    for member in object.members() {
        if seen.insert(member.key) {
            let last = object.member(member.key).map_or(member.value, |last| last.value);
            found.push((member.key, last));
        }
    }
    found
}

/// Python's `str` of a value, for sorting.
fn text(node: Node<'_>) -> String {
    let mut out = String::new();
    match node.as_str() {
        Some(string) => out.push_str(string),
        None => write_repr(node, &mut out),
    }
    out
}

fn write_repr(node: Node<'_>, out: &mut String) {
    match node.json_type() {
        JsonType::Null => out.push_str("None"),
        JsonType::Boolean => out.push_str(if node.as_bool() == Some(true) { "True" } else { "False" }),
        JsonType::Integer | JsonType::Number => write_python_number(node.source(), out),
        JsonType::String => write_repr_string(node.as_str().unwrap_or_default(), out),
        JsonType::Array => {
            out.push('[');
            for (index, element) in node.elements().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write_repr(element, out);
            }
            out.push(']');
        }
        JsonType::Object => {
            out.push('{');
            for (index, (key, value)) in members(node).into_iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write_repr_string(key, out);
                out.push_str(": ");
                write_repr(value, out);
            }
            out.push('}');
        }
    }
}

fn write_repr_string(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if character == quote => {
                out.push('\\');
                out.push(character);
            }
            '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}' => {
                let _ = write!(out, "\\x{:02x}", character as u32);
            }
            _ => out.push(character),
        }
    }
    out.push(quote);
}
