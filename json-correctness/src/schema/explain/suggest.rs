//! How to mend what was found, where that is plain.

use std::cmp::Ordering;

use serde_json::Value;

use super::{
    describe::{self, excerpt},
    finding::{Cause, Sink},
    graph::{Graph, Id},
    names::{self, Effort},
    subject::Subject,
    types::Types,
    walk::{Flow, Walk},
};
use crate::{
    schema::format,
    text::{JsonType, Node, Number},
    violation::Bound,
};

/// Most values that a suggestion lists.
const MAX_LISTED: usize = 12;
/// Most values that are compared with the wrong one.
const MAX_COMPARED: usize = 500;
/// What may be spent on the comparisons for one key.
const MAX_KEY_EFFORT: usize = 5_000;
/// Longest text that is compared, in bytes.
const MAX_TEXT: usize = 64;

/// For a value that is none of the allowed ones: the nearest one, else a list.
pub(super) fn allowed(node: Node<'_>, values: &[Value], effort: &mut Effort) -> Option<String> {
    if let Some(words) = wrapped(node, values) {
        return Some(words);
    }
    if let Some(nearest) = nearest(node, values, effort) {
        return Some(format!("did you mean {}?", describe::literal(nearest)));
    }
    if values.len() < 2 {
        return None;
    }
    let mut words = String::from("allowed: ");
    for (place, value) in values.iter().take(MAX_LISTED).enumerate() {
        if place > 0 {
            words.push_str(", ");
        }
        words.push_str(&describe::literal(value));
    }
    if values.len() > MAX_LISTED {
        words.push_str(&format!(" and {} more", values.len() - MAX_LISTED));
    }
    Some(words)
}

/// The allowed value that the wrong one nearly is.
fn nearest<'v>(node: Node<'_>, values: &'v [Value], effort: &mut Effort) -> Option<&'v Value> {
    let text = match node.json_type() {
        JsonType::Array | JsonType::Object => return None,
        JsonType::String => node.as_str()?,
        _ => node.source(),
    };
    nearest_text(text, values, effort)
}

/// The allowed value whose text is nearest; none where several are equally near: `"2017"` is as much
/// `"2015"` as `"2018"`.
fn nearest_text<'v>(text: &str, values: &'v [Value], effort: &mut Effort) -> Option<&'v Value> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_TEXT {
        return None;
    }
    let mut best: Option<(f64, &'v Value)> = None;
    let mut tied = false;
    for value in values.iter().take(MAX_COMPARED) {
        let own = match value {
            Value::String(own) if own.len() > 2 * MAX_TEXT => continue,
            Value::String(own) => own.clone(),
            Value::Array(_) | Value::Object(_) => continue,
            other => other.to_string(),
        };
        let likeness = if own == text {
            2.0
        } else if own.eq_ignore_ascii_case(text) || own.to_lowercase() == text.to_lowercase() {
            1.5
        } else if value.is_string() {
            effort.likeness(text, &own)
        } else {
            0.0
        };
        if likeness < names::PLAUSIBLE {
            continue;
        }
        match best.map_or(Ordering::Greater, |(most, _)| likeness.total_cmp(&most)) {
            Ordering::Greater => {
                best = Some((likeness, value));
                tied = false;
            }
            Ordering::Equal => tied = true,
            Ordering::Less => {}
        }
    }
    best.filter(|_| !tied).map(|(_, value)| value)
}

/// For an unknown key: a list of the known ones.
pub(super) fn known(
    known: &[&str],
    key: &str,
    there: impl Fn(&str) -> bool,
    effort: &mut Effort,
) -> Option<String> {
    let nearest = known
        .iter()
        .map(|name| (effort.likeness(key, name), name))
        .filter(|(likeness, name)| *likeness >= 0.75 && **name != key && there(name))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, name)) = nearest {
        return Some(format!("remove it; `{}` is there already", excerpt(name)));
    }
    if known.is_empty() || known.contains(&key) {
        return Some("remove it".to_owned());
    }
    let listed: Vec<String> = known.iter().map(|name| format!("`{}`", excerpt(name))).collect();
    let noun = if listed.len() == 1 { "the known field is" } else { "the known fields are" };
    Some(format!("{noun} {}", listed.join(", ")))
}

/// For a missing tag: its values.
pub(super) fn tag(field: &str, values: &[Value]) -> Option<String> {
    (!values.is_empty()).then(|| format!("add `{}`: {}", excerpt(field), describe::one_of(values)))
}

/// For a value of the wrong type: what it would take.
pub(super) fn wrong_type(graph: &Graph, schema: Id, expected: Types, node: Node<'_>) -> Option<String> {
    if let Some(words) = variant(graph, schema, node) {
        return Some(words);
    }
    if let Some(words) = node.as_str().and_then(|text| from_string(expected, text)) {
        return Some(words);
    }
    match node.json_type() {
        JsonType::Integer | JsonType::Number => {
            let source = node.source();
            if expected.meets(Types::INTEGER) {
                return as_integer(source).map(|integer| format!("write {}", excerpt(&integer)));
            }
            if expected.meets(Types::STRING) {
                return Some(format!("put it in quotes: \"{}\"", excerpt(source)));
            }
        }
        JsonType::Boolean if expected.meets(Types::STRING) => {
            return Some(format!("put it in quotes: \"{}\"", node.source()));
        }
        JsonType::Array => {
            let mut elements = node.elements();
            if let (Some(only), None) = (elements.next(), elements.next())
                && expected.meets(Types::of(only.json_type()))
            {
                return Some(format!("take the one item out of the array: {}", excerpt(only.source())));
            }
        }
        _ => {}
    }
    if let Some(words) = wrapped_value(expected, node) {
        return Some(words);
    }
    let only_array = expected.without(Types::NULL) == Types::ARRAY;
    if only_array && !node.is_null() && takes_items(graph, schema, node) {
        return Some("put it in an array: `[…]`".to_owned());
    }
    None
}

/// A variant that is written as one of the other kind is.
fn variant(graph: &Graph, schema: Id, node: Node<'_>) -> Option<String> {
    if let Some(name) = node.as_str() {
        let applied = graph.schema(schema).applied.as_ref()?;
        let unions = [&applied.any_of, &applied.one_of];
        let known = unions
            .into_iter()
            .flatten()
            .filter_map(|union| union.keys.as_ref())
            .any(|keys| keys.contains_key(name));
        return known.then(|| format!("write an object: {{\"{}\": …}}", excerpt(name)));
    }
    wrapped(node, describe::listed(graph, schema)?)
}

/// A list that is wrapped in an object with one field, as models like to return it.
fn wrapped_value(expected: Types, node: Node<'_>) -> Option<String> {
    let mut members = node.members();
    let (Some(only), None) = (members.next(), members.next()) else { return None };
    let list = only.value.json_type() == JsonType::Array && expected.meets(Types::ARRAY);
    list.then(|| format!("take the array out of `{}`", excerpt(only.key)))
}

/// A listed string that is written as the one key of an object.
fn wrapped(node: Node<'_>, values: &[Value]) -> Option<String> {
    let mut members = node.members();
    let (Some(only), None) = (members.next(), members.next()) else { return None };
    let value = values.iter().take(MAX_COMPARED).find(|value| value.as_str() == Some(only.key))?;
    Some(format!("write {} alone", describe::literal(value)))
}

fn from_string(expected: Types, text: &str) -> Option<String> {
    let trimmed = text.trim();
    if trimmed.len() > MAX_TEXT {
        let open = trimmed.as_bytes().first();
        let stringified = (expected.meets(Types::OBJECT) && open == Some(&b'{'))
            || (expected.meets(Types::ARRAY) && open == Some(&b'['));
        return stringified.then(|| "write the JSON itself, not a string that holds it".to_owned());
    }
    if expected.meets(Types::NUMBER)
        && let Some(number) = Number::parse(trimmed)
    {
        if expected.meets(Types::FRACTION) || number.is_written_as_integer() {
            return Some(format!("remove the quotes: {trimmed}"));
        }
        return as_integer(trimmed).map(|integer| format!("write {integer} without quotes"));
    }
    let lower = trimmed.to_lowercase();
    if expected.meets(Types::BOOLEAN) {
        let meant = match lower.as_str() {
            "true" | "yes" => Some("true"),
            "false" | "no" => Some("false"),
            _ => None,
        };
        if let Some(meant) = meant {
            return Some(if trimmed == meant {
                format!("remove the quotes: {meant}")
            } else {
                format!("write {meant} without quotes")
            });
        }
    }
    if expected.meets(Types::NULL) && matches!(lower.as_str(), "null" | "none" | "nil" | "n/a" | "") {
        return Some("write null without quotes".to_owned());
    }
    let stringified = (expected.meets(Types::OBJECT) && trimmed.starts_with('{') && trimmed.ends_with('}'))
        || (expected.meets(Types::ARRAY) && trimmed.starts_with('[') && trimmed.ends_with(']'));
    stringified.then(|| "write the JSON itself, not a string that holds it".to_owned())
}

/// The integer that a number with a fraction or exponent stands for, where it is short.
fn as_integer(source: &str) -> Option<String> {
    let number = Number::parse(source).filter(|number| source.len() <= 30 && number.is_integer())?;
    let (digits, exponent) = crate::schema::canonical::decimal(number.spelling())?;
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    let zeros = usize::try_from(exponent).ok().filter(|&zeros| digits.len() + zeros <= 25)?;
    let sign = if source.starts_with('-') { "-" } else { "" };
    Some(format!("{sign}{digits}{}", "0".repeat(zeros)))
}

/// Whether the items of the array that is asked for may have the type of the value.
fn takes_items(graph: &Graph, schema: Id, node: Node<'_>) -> bool {
    describe::conjunction(graph, schema).into_iter().filter_map(|part| graph.schema(part).array.as_ref()).all(
        |rules| {
            let Some(items) = rules.prefix.first().copied().or(rules.rest) else { return true };
            describe::conjunction(graph, items).into_iter().all(|part| {
                graph.schema(part).types.is_none_or(|types| types.meets(Types::of(node.json_type())))
            })
        },
    )
}

impl<'a> Walk<'a> {
    /// Why a key is not allowed, and the key that may be meant.
    pub(super) fn key_reason(&mut self, names: Id, key: &'a str) -> Flow<(String, Option<String>)> {
        let graph = self.graph;
        for part in describe::conjunction(graph, names) {
            let schema = graph.schema(part);
            let mut causes = Vec::new();
            self.assertions(schema, Subject::Key(key), &mut Sink::All(&mut causes))?;
            if let Some(cause) = causes.into_iter().next() {
                let nearest = match &cause {
                    Cause::NotAllowed(values) => {
                        let mut effort = Effort { left: MAX_KEY_EFFORT };
                        let nearest = nearest_text(key, values, &mut effort);
                        self.spend(MAX_KEY_EFFORT - effort.left)?;
                        nearest.map(|value| format!("did you mean {}?", describe::literal(value)))
                    }
                    _ => None,
                };
                return Ok((reason(&cause), nearest));
            }
        }
        Ok((format!("it must be {}", describe::describe(graph, names)), None))
    }
}

/// Why a key is not allowed, as a clause.
fn reason(cause: &Cause<'_>) -> String {
    match cause {
        Cause::NotAllowed(values) => format!("it must be {}", describe::one_of(values)),
        Cause::Pattern(pattern) => format!("it does not match `{}`", excerpt(pattern)),
        Cause::Format(name) => format!("it is not a valid {}", excerpt(format::public_name(name))),
        Cause::Count { bound, limit, found, .. } => {
            let relation = if *bound == Bound::Minimum { "at least" } else { "at most" };
            format!("it must have {relation} {limit} characters, and has {found}")
        }
        _ => "the schema refuses it".to_owned(),
    }
}
