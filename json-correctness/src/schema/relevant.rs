//! The part of a schema that matters for some places of an output, in a bounded number of bytes and steps.

mod cut;

use serde_json::{Map, Value, json};

use super::{lint::resolve, pattern::Pattern};
use crate::text::{Limits, Pointer, line_bytes};

/// A place of an output at which something is wrong.
pub(crate) struct Wrong<'p> {
    /// A value of the output.
    pub(crate) at: &'p Pointer,
    /// The field of it that is wrong, where the value is an object that lacks one.
    pub(crate) field: Option<String>,
}

/// Most places that are looked for.
const MAX_PLACES: usize = 8;
/// Most subschemas that judge one place which are followed.
const MAX_WAYS: usize = 4;
/// Most subschemas that are looked at on all ways together.
const MAX_STEPS: usize = 20_000;
/// Most subschemas that are looked at for one value, or in one list.
const MAX_LOOKED_AT: usize = 500;
/// Most patterns of keys that are tried on all ways together.
const MAX_PATTERNS: usize = 64;
/// The least that it makes sense to say something in.
const LEAST_BYTES: usize = 40;

/// The schema where its compact text has at most `most` bytes; else a list of `{"at": …, "schema": …}` that
/// has: the subschemas that govern the first places, with their references replaced by what they lead to,
/// and their deeper levels cut down.
///
/// What governs a place is found by names: a place that the schema does not describe counts as the object
/// or array around it. Anchors, dynamic references and other documents are not followed.
pub(crate) fn relevant<'p>(schema: &Value, places: impl Iterator<Item = Wrong<'p>>, most: usize) -> Value {
    if line_bytes(schema, most).is_some() {
        return schema.clone();
    }
    let mut search = Search { root: schema, steps: MAX_STEPS, patterns: MAX_PATTERNS };
    let mut found: Vec<Governing<'_>> = Vec::new();
    for place in places.take(MAX_PLACES * 4) {
        let (at, ways) = search.governing(place.at);
        let field = place.field.or_else(|| next_token(place.at, &at));
        for schema in ways {
            if !found.iter().any(|known| std::ptr::eq(known.schema, schema)) {
                found.push(Governing { at: at.clone(), schema, field: field.clone() });
            }
        }
        if found.len() >= MAX_PLACES {
            found.truncate(MAX_PLACES);
            break;
        }
    }
    let mut parts = Vec::new();
    let mut left = most.saturating_sub("[]".len());
    for (index, one) in found.iter().enumerate() {
        let share = left / (found.len() - index).min(2);
        let part = json!({ "at": crate::text::cut_escaped(one.at.as_str(), share / 4) });
        let frame = line_bytes(&part, share).unwrap_or(share) + ",\"schema\":,".len();
        let Some(room) = share.checked_sub(frame).filter(|room| *room >= LEAST_BYTES) else { break };
        let Some(schema) = cut::down(search.root, one.schema, one.field.as_deref(), room) else { continue };
        left -= frame + line_bytes(&schema, room).unwrap_or(room);
        let mut part = part;
        part["schema"] = schema;
        parts.push(part);
    }
    Value::Array(parts)
}

/// A subschema and the place that it governs.
struct Governing<'s> {
    at: Pointer,
    schema: &'s Value,
    /// The field of it that is wrong.
    field: Option<String>,
}

/// The first token of `place` behind `holder`.
fn next_token(place: &Pointer, holder: &Pointer) -> Option<String> {
    let depth = holder.tokens().count();
    place.tokens().nth(depth)
}

struct Search<'s> {
    root: &'s Value,
    steps: usize,
    patterns: usize,
}

impl<'s> Search<'s> {
    /// What governs a place, or the innermost value around it of which the schema says something.
    fn governing(&mut self, place: &Pointer) -> (Pointer, Vec<&'s Value>) {
        let (mut at, mut ways) = (Pointer::root(), vec![self.root]);
        for token in place.tokens() {
            let next = self.ways_on(&ways, &token);
            if next.is_empty() {
                break;
            }
            at.push_key(&token);
            ways = next;
        }
        (at, ways)
    }

    /// The subschemas of a member or element, by all subschemas that judge what holds it.
    fn ways_on(&mut self, ways: &[&'s Value], token: &str) -> Vec<&'s Value> {
        let mut on: Vec<&'s Value> = Vec::new();
        let mut seen: Vec<*const Value> = Vec::new();
        let mut pending: Vec<&'s Value> = ways.iter().rev().copied().collect();
        while let Some(schema) = pending.pop() {
            if self.steps == 0 || on.len() >= MAX_WAYS || seen.len() >= MAX_LOOKED_AT {
                break;
            }
            self.steps -= 1;
            let Value::Object(object) = schema else { continue };
            if seen.contains(&std::ptr::from_ref(schema)) {
                continue;
            }
            seen.push(schema);
            for way in self.ways_of(object, token) {
                if !on.iter().any(|known| std::ptr::eq(*known, way)) {
                    on.push(way);
                }
            }
            let first = pending.len();
            self.in_place(object, &mut pending);
            pending[first..].reverse();
        }
        on.truncate(MAX_WAYS);
        on
    }

    /// The subschemas that judge the same value.
    fn in_place(&self, object: &'s Map<String, Value>, pending: &mut Vec<&'s Value>) {
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            pending.extend(resolve(self.root, reference).map(|(target, _)| target));
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            pending.extend(
                object.get(keyword).and_then(Value::as_array).into_iter().flatten().take(MAX_LOOKED_AT),
            );
        }
        for keyword in ["then", "else"] {
            pending.extend(object.get(keyword));
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            let members = object.get(keyword).and_then(Value::as_object).into_iter().flatten();
            pending.extend(members.map(|(_, member)| member).take(MAX_LOOKED_AT));
        }
    }

    /// The subschemas of a member or element, by this subschema itself. One that is `true` or `false` says
    /// nothing that the one around it does not say.
    fn ways_of(&mut self, object: &'s Map<String, Value>, token: &str) -> Vec<&'s Value> {
        let mut ways = Vec::new();
        ways.extend(object.get("properties").and_then(|properties| properties.get(token)));
        if let Some(Value::Object(patterns)) = object.get("patternProperties") {
            ways.extend(
                patterns.iter().filter(|(source, _)| self.matches(source, token)).map(|(_, way)| way),
            );
        }
        if ways.is_empty() {
            ways.extend(
                ["additionalProperties", "unevaluatedProperties"].iter().find_map(|name| object.get(*name)),
            );
        }
        if let Ok(index) = token.parse::<usize>() {
            ways.extend(element(object, index));
            ways.extend(object.get("contains"));
        }
        ways.retain(|way| way.is_object());
        ways
    }

    fn matches(&mut self, source: &str, key: &str) -> bool {
        if self.patterns == 0 {
            return false;
        }
        self.patterns -= 1;
        Pattern::compile(source, &Limits::default())
            .is_ok_and(|pattern| pattern.run(key).matches == Some(true))
    }
}

/// The subschema of an element of an array, in the form of any draft.
fn element(object: &Map<String, Value>, index: usize) -> Option<&Value> {
    for keyword in ["prefixItems", "items"] {
        if let Some(found) = object.get(keyword).and_then(|list| list.get(index)) {
            return Some(found);
        }
    }
    ["items", "additionalItems", "unevaluatedItems"]
        .iter()
        .find_map(|keyword| object.get(*keyword).filter(|rest| rest.is_object()))
}

#[cfg(test)]
mod tests;
