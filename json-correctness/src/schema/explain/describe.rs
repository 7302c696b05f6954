//! Subschemas in a few words: `a string`, `an object with "kind": "cat"`.

use std::io;

use serde_json::Value;

use super::{
    graph::{Graph, Id, Schema},
    types::Types,
};
use crate::{schema::format, violation::cut};

/// Longest excerpt of a value, in bytes.
const MAX_EXCERPT: usize = 60;
/// Longest description, in bytes.
const MAX_DESCRIPTION: usize = 120;
/// Most values or fields that a description names.
const MAX_NAMED: usize = 4;
/// Most subschemas that a description looks at.
const MAX_LOOKS: usize = 64;

/// A JSON text, shortened.
pub(super) fn excerpt(source: &str) -> String {
    // Only the head is copied: the source may be the whole document.
    let mut head = source;
    if source.len() > MAX_EXCERPT * 2 {
        let mut end = MAX_EXCERPT * 2;
        while !source.is_char_boundary(end) {
            end -= 1;
        }
        head = &source[..end];
    }
    let mut text = head.to_owned();
    cut(&mut text, MAX_EXCERPT);
    text
}

/// A value of the schema as JSON text, shortened.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Array(items) if items.len() > 20 => format!("an array of {} items", items.len()),
        Value::Object(members) if members.len() > 20 => format!("an object of {} fields", members.len()),
        other => excerpt(&head_of(other)),
    }
}

/// The beginning of a value as JSON text: all that an excerpt needs of it, and not much more.
fn head_of(value: &Value) -> String {
    struct Head(Vec<u8>);
    impl io::Write for Head {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let room = (MAX_EXCERPT * 2).saturating_sub(self.0.len());
            self.0.extend(&bytes[..room.min(bytes.len())]);
            // Ends the writing: the rest may be very long.
            if room < bytes.len() { Err(io::ErrorKind::WriteZero.into()) } else { Ok(bytes.len()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut head = Head(Vec::new());
    let _ = serde_json::to_writer(&mut head, value);
    // A character that was cut apart lies behind what an excerpt shows.
    String::from_utf8_lossy(&head.0).into_owned()
}

/// A schema with all that it refers to and joins, as far as a look goes.
pub(super) fn conjunction(graph: &Graph, id: Id) -> Vec<Id> {
    let mut parts = vec![id];
    let mut next = 0;
    while next < parts.len() && parts.len() < MAX_LOOKS {
        for child in graph.schema(parts[next]).conjuncts() {
            if !parts.contains(&child) {
                parts.push(child);
            }
        }
        next += 1;
    }
    parts
}

/// The values that a schema lists, by itself or by what it refers to and joins.
pub(super) fn listed(graph: &Graph, id: Id) -> Option<&[Value]> {
    let of = |part: Id| {
        let schema = graph.schema(part);
        schema.constant.as_deref().or(schema.allowed.as_deref())
    };
    conjunction(graph, id)
        .into_iter()
        .find_map(of)
        .map(|listed| &listed.values[..listed.values.len().min(1_000)])
}

/// What the schema accepts, in short.
pub(super) fn describe(graph: &Graph, id: Id) -> String {
    let mut words = describe_parts(graph, &conjunction(graph, id), 0);
    cut(&mut words, MAX_DESCRIPTION);
    words
}

fn describe_parts(graph: &Graph, parts: &[Id], depth: usize) -> String {
    let schemas: Vec<&Schema> = parts.iter().map(|&part| graph.schema(part)).collect();
    if schemas.iter().any(|schema| schema.verdict == Some(false)) {
        return "nothing".to_owned();
    }
    for schema in &schemas {
        if let Some(listed) = schema.constant.as_ref().or(schema.allowed.as_ref()) {
            return one_of(&listed.values);
        }
    }
    let mut types = schemas.iter().filter_map(|schema| schema.types).fold(Types::ALL, Types::and);
    if types == Types::ALL {
        for (there, implied) in [
            (schemas.iter().any(|schema| schema.object.is_some()), Types::OBJECT),
            (schemas.iter().any(|schema| schema.array.is_some()), Types::ARRAY),
            (schemas.iter().any(|schema| schema.string.is_some()), Types::STRING),
            (schemas.iter().any(|schema| schema.number.is_some()), Types::NUMBER),
        ] {
            if there {
                types = implied;
                break;
            }
        }
    }
    if types == Types::OBJECT {
        return object(graph, &schemas);
    }
    if types == Types::STRING {
        return string(&schemas);
    }
    if types == Types::INTEGER || types == Types::NUMBER {
        return number(&schemas, types);
    }
    if types == Types::ARRAY {
        return array(graph, &schemas, depth);
    }
    if types == Types::ALL {
        return unions(graph, &schemas, depth);
    }
    let list = types.list();
    let names: Vec<&str> = list.iter().map(|json_type| json_type.with_article()).collect();
    alternatives(&names)
}

/// `"a"`, or `one of "a", "b"`.
pub(super) fn one_of(values: &[Value]) -> String {
    match values {
        [only] => literal(only),
        _ => {
            let named: Vec<String> = values.iter().take(MAX_NAMED).map(literal).collect();
            let more = if values.len() > MAX_NAMED { ", …" } else { "" };
            format!("one of {}{more}", named.join(", "))
        }
    }
}

fn object(graph: &Graph, schemas: &[&Schema]) -> String {
    let mut named = Vec::new();
    for rules in schemas.iter().filter_map(|schema| schema.object.as_ref()) {
        for (name, schema) in &rules.properties {
            let tag = conjunction(graph, *schema).into_iter().find_map(|part| {
                let schema = graph.schema(part);
                let listed = schema.constant.as_ref().or(schema.allowed.as_ref())?;
                (listed.values.len() == 1).then(|| literal(&listed.values[0]))
            });
            if let Some(tag) = tag {
                return format!("an object with `{}` = {tag}", excerpt(name));
            }
        }
        for name in &rules.required {
            if named.len() <= MAX_NAMED && !named.contains(&name) {
                named.push(name);
            }
        }
    }
    if named.is_empty() {
        return "an object".to_owned();
    }
    let more = if named.len() > MAX_NAMED { ", …" } else { "" };
    let shown: Vec<String> =
        named.iter().take(MAX_NAMED).map(|name| format!("`{}`", excerpt(name))).collect();
    format!("an object with {}{more}", shown.join(", "))
}

fn string(schemas: &[&Schema]) -> String {
    let rules = || schemas.iter().filter_map(|schema| schema.string.as_ref());
    if let Some(name) = rules().find_map(|rules| rules.format.as_deref()) {
        return format!("a string in the format {}", excerpt(format::public_name(name)));
    }
    if let Some(pattern) = rules().find_map(|rules| rules.pattern.as_ref()) {
        return format!("a string that matches `{}`", excerpt(pattern.source()));
    }
    "a string".to_owned()
}

fn number(schemas: &[&Schema], types: Types) -> String {
    let noun = if types == Types::INTEGER { "an integer" } else { "a number" };
    let mut bounds = Vec::new();
    for rules in schemas.iter().filter_map(|schema| schema.number.as_ref()) {
        for (bound, limit) in &rules.bounds {
            bounds.push(format!("{} {}", bound.relation(), excerpt(limit)));
        }
        if let Some(divisor) = &rules.multiple_of {
            bounds.push(format!("divisible by {}", excerpt(divisor)));
        }
    }
    bounds.truncate(2);
    if bounds.is_empty() { noun.to_owned() } else { format!("{noun} {}", bounds.join(" and ")) }
}

fn array(graph: &Graph, schemas: &[&Schema], depth: usize) -> String {
    for rules in schemas.iter().filter_map(|schema| schema.array.as_ref()) {
        if let (Some(rest), true, true) = (rules.rest, rules.prefix.is_empty(), depth < 2) {
            let items = describe_parts(graph, &conjunction(graph, rest), depth + 1);
            if !items.is_empty() && items != "nothing" && items != "anything" {
                return format!("an array, each item {items}");
            }
        }
        if !rules.prefix.is_empty() {
            return format!("an array of {} items", rules.prefix.len());
        }
    }
    "an array".to_owned()
}

fn unions(graph: &Graph, schemas: &[&Schema], depth: usize) -> String {
    for applied in schemas.iter().filter_map(|schema| schema.applied.as_ref()) {
        if let Some(union) = applied.any_of.as_ref().or(applied.one_of.as_ref()) {
            if depth >= 2 {
                return "one of several forms".to_owned();
            }
            let branches: Vec<String> = union
                .branches
                .iter()
                .take(3)
                .map(|&branch| describe_parts(graph, &conjunction(graph, branch), depth + 1))
                .collect();
            let mut words = branches.join(" or ");
            if union.branches.len() > 3 {
                words.push_str(" or …");
            }
            return words;
        }
        if let Some(&not) = applied.not.first()
            && depth < 2
        {
            return format!("not {}", describe_parts(graph, &conjunction(graph, not), depth + 1));
        }
    }
    "anything".to_owned()
}

pub(super) fn alternatives(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
