//! Where the subschemas of a schema stand, and which of them judge the same value.

use serde_json::{Map, Value};

use crate::text::Pointer;

/// A subschema that is an object.
pub(super) struct Site<'s> {
    pub(super) object: &'s Map<String, Value>,
    pub(super) pointer: Pointer,
    /// The subschema around it that judges the same value.
    pub(super) around: Option<usize>,
}

/// Keywords whose subschemas judge the value that their own schema judges.
pub(super) const IN_PLACE: [&str; 8] =
    ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];
const ONE: [&str; 8] = [
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "contentSchema",
    "items",
];
const LIST: [&str; 2] = ["prefixItems", "items"];
const MAP: [&str; 5] = ["properties", "patternProperties", "dependencies", "$defs", "definitions"];

/// Every subschema that is an object, outermost first.
pub(super) fn sites(schema: &Value) -> Vec<Site<'_>> {
    let mut sites = Vec::new();
    let mut pending = vec![(schema, Pointer::root(), None)];
    while let Some((schema, pointer, around)) = pending.pop() {
        let Value::Object(object) = schema else { continue };
        let own = sites.len();
        for (keyword, value) in object {
            let at = pointer.key(keyword);
            let inner = IN_PLACE.contains(&keyword.as_str()).then_some(own);
            let is = |known: &[&str]| known.contains(&keyword.as_str());
            match value {
                Value::Object(members) if is(&MAP) || keyword == "dependentSchemas" => {
                    pending.extend(members.iter().map(|(name, member)| (member, at.key(name), inner)));
                }
                Value::Array(list) if is(&LIST) || is(&IN_PLACE) => {
                    pending.extend(
                        list.iter().enumerate().map(|(index, member)| (member, at.index(index), inner)),
                    );
                }
                Value::Object(_) if is(&ONE) || is(&IN_PLACE) => pending.push((value, at, inner)),
                _ => {}
            }
        }
        sites.push(Site { object, pointer, around });
    }
    sites
}

/// What a reference within the document leads to.
pub(in crate::schema) fn resolve<'s>(root: &'s Value, reference: &str) -> Option<(&'s Value, Pointer)> {
    let pointer = Pointer::parse(reference.strip_prefix('#')?)?;
    // Percent signs are rare enough to leave such references alone.
    root.pointer(pointer.as_str()).map(|found| (found, pointer))
}

/// The subschema that judges a place of an instance, where that can be followed by names.
pub(super) fn judging(root: &Value, path: &Pointer) -> Option<Pointer> {
    let (mut schema, mut pointer) = (root, Pointer::root());
    for token in path.tokens() {
        (schema, pointer) = step(root, schema, &pointer, &token, 0)?;
    }
    // The place where something can be said is behind the references.
    let mut hops = 0;
    while let Some((target, at)) =
        schema.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(root, reference))
    {
        (schema, pointer) = (target, at);
        hops += 1;
        if hops > 20 {
            break;
        }
    }
    Some(pointer)
}

/// Deepest nesting of schemas that judge one value which is searched.
const MAX_HOPS: usize = 12;

fn step<'s>(
    root: &'s Value,
    schema: &'s Value,
    pointer: &Pointer,
    token: &str,
    hops: usize,
) -> Option<(&'s Value, Pointer)> {
    let object = schema.as_object().filter(|_| hops < MAX_HOPS)?;
    let index = token.parse::<usize>().ok();
    let within = |keyword: &str| object.get(keyword).map(|value| (value, pointer.key(keyword)));
    if let Some((properties, at)) = within("properties")
        && let Some(found) = properties.get(token)
    {
        return Some((found, at.key(token)));
    }
    for keyword in ["prefixItems", "items"] {
        if let (Some((Value::Array(list), at)), Some(index)) = (within(keyword), index)
            && let Some(found) = list.get(index)
        {
            return Some((found, at.index(index)));
        }
    }
    if let (Some((items @ Value::Object(_), at)), Some(_)) = (within("items"), index) {
        return Some((items, at));
    }
    if let Some(reference) = object.get("$ref").and_then(Value::as_str)
        && let Some((target, at)) = resolve(root, reference)
        && let Some(found) = step(root, target, &at, token, hops + 1)
    {
        return Some(found);
    }
    for keyword in IN_PLACE {
        let found = match within(keyword) {
            Some((Value::Array(list), at)) => list
                .iter()
                .enumerate()
                .find_map(|(index, member)| step(root, member, &at.index(index), token, hops + 1)),
            Some((member @ Value::Object(_), at)) if keyword != "not" => {
                step(root, member, &at, token, hops + 1)
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    within("additionalProperties").filter(|(value, _)| value.is_object())
}
