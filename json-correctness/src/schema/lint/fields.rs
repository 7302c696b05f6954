//! Fields that are required and not described, or required and forbidden.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use super::{
    Lint, Site, nearest,
    place::{IN_PLACE, resolve},
};
use crate::{
    schema::pattern::Pattern,
    text::{Limits, Pointer},
};

pub(super) fn lint(schema: &Value, sites: &[Site<'_>], limits: &Limits, lints: &mut Vec<Lint>) {
    let mut known: BTreeMap<usize, Described<'_>> = BTreeMap::new();
    for (at, site) in sites.iter().enumerate() {
        let required = names_of(site.object.get("required"));
        if required.is_empty() {
            continue;
        }
        // `not` around it turns the meaning.
        let mut top = at;
        while let Some(around) = sites[top].around {
            top = around;
        }
        if sites[at].pointer.tokens().any(|token| token == "not") {
            continue;
        }
        let described = known.entry(top).or_insert_with(|| Described::at(schema, sites[top].object));
        for (index, name) in required {
            let place = site.pointer.key("required").index(index);
            if let Some(why) = forbids(site, name, limits) {
                let message = format!("`{name}` is required, but {why}");
                lints.push(
                    Lint::error("required-but-forbidden", &place, message)
                        .help("no output can pass: describe it under `properties`, or do not require it"),
                );
            } else if !described.knows(name, limits) {
                let message = format!("`required` names `{name}`, which `properties` does not describe");
                let help = match nearest(name, described.names.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "describe it under `properties`".to_owned(),
                };
                lints.push(Lint::warning("unknown-required", &place, message).help(help));
            }
        }
    }
}

fn names_of(required: Option<&Value>) -> Vec<(usize, &str)> {
    let list = required.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().enumerate().filter_map(|(index, name)| Some((index, name.as_str()?))).collect()
}

/// Why no object can have the field, if none can.
fn forbids(site: &Site<'_>, name: &str, limits: &Limits) -> Option<String> {
    let object = site.object;
    let described = object.get("properties").and_then(|properties| properties.get(name));
    if described == Some(&Value::Bool(false)) {
        return Some(format!("`properties` says that `{name}` has no value"));
    }
    if described.is_none()
        && object.get("additionalProperties") == Some(&Value::Bool(false))
        && !matches_pattern(object.get("patternProperties"), name, limits)
    {
        return Some("`additionalProperties` is false and `properties` does not describe it".to_owned());
    }
    let not = object.get("not").and_then(Value::as_object)?;
    let alone = not.len() == 1 && names_of(not.get("required")) == [(0, name)];
    alone.then(|| "`not` forbids it".to_owned())
}

fn matches_pattern(patterns: Option<&Value>, name: &str, limits: &Limits) -> bool {
    let mut patterns = patterns.and_then(Value::as_object).into_iter().flat_map(|patterns| patterns.keys());
    // What cannot be decided is given the benefit of the doubt.
    patterns.any(|source| {
        Pattern::compile(source, limits).map_or(true, |pattern| pattern.run(name).matches != Some(false))
    })
}

/// What is said of the fields of one value, by all subschemas that judge it.
#[derive(Default)]
struct Described<'s> {
    names: BTreeSet<&'s str>,
    patterns: Vec<&'s Value>,
    /// Something may describe any name: a map's values, a reference that is not followed.
    any: bool,
}

impl<'s> Described<'s> {
    fn at(root: &'s Value, object: &'s serde_json::Map<String, Value>) -> Self {
        let mut described = Self::default();
        let mut seen: HashSet<Pointer> = HashSet::new();
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            if let Some(Value::Object(properties)) = object.get("properties") {
                described.names.extend(properties.keys().map(String::as_str));
            }
            described.patterns.extend(object.get("patternProperties"));
            described.any |= ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|keyword| object.get(*keyword).is_some_and(Value::is_object));
            described.any |=
                ["$dynamicRef", "$recursiveRef"].iter().any(|keyword| object.contains_key(*keyword));
            if let Some(Value::String(reference)) = object.get("$ref") {
                match resolve(root, reference) {
                    Some((target, pointer)) => {
                        if seen.insert(pointer) {
                            pending.extend(target.as_object());
                        }
                    }
                    None => described.any = true,
                }
            }
            for keyword in IN_PLACE {
                match object.get(keyword) {
                    Some(Value::Array(list)) => pending.extend(list.iter().filter_map(Value::as_object)),
                    Some(Value::Object(members)) if keyword == "dependentSchemas" => {
                        pending.extend(members.values().filter_map(Value::as_object));
                    }
                    Some(Value::Object(one)) => pending.push(one),
                    _ => {}
                }
            }
        }
        described
    }

    fn knows(&self, name: &str, limits: &Limits) -> bool {
        self.any
            || self.names.contains(name)
            || self.patterns.iter().any(|patterns| matches_pattern(Some(*patterns), name, limits))
    }
}
