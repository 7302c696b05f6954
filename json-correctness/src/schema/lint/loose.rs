//! What a schema lets pass: instances that it accepts, changed in one place each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Lint, instance, listed, place::judging};
use crate::{
    schema::CompiledSchema,
    text::{Document, Limits, Pointer},
};

/// Bytes of changed instances that are judged at most.
const MOST_BYTES: usize = 16 << 20;
/// Places of all instances that are changed at most.
const MOST_PLACES: usize = 400;
/// A field that no schema describes.
const STRANGER: &str = "unexpected_field";

pub(super) fn lint(
    schema: &Value,
    compiled: &CompiledSchema,
    examples: &[Value],
    limits: &Limits,
    lints: &mut Vec<Lint>,
) {
    let mut judge = Judge { compiled, limits, left: MOST_BYTES };
    let root = Pointer::root();
    if ALL_TYPES.iter().chain(&EXTREMES).all(|make| judge.accepts(&make())) {
        let message = "every value passes: null, true, a number, a string, a list and an object";
        lints.push(
            Lint::error("accepts-everything", &root, message)
                .help("say what is expected by `type` and `properties`"),
        );
        return;
    }
    let own = schema.get("examples").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let own = own.iter().enumerate().map(|(at, value)| (value, root.key("examples").index(at)));
    let mut instances: Vec<Value> = Vec::new();
    for (example, at) in own.chain(examples.iter().map(|value| (value, root.clone()))) {
        match judge.why_not(example) {
            None => instances.push(example.clone()),
            Some(why) => {
                let message = format!("the schema refuses its example: {why}");
                lints.push(Lint::error("example-fails", &at, message).help("mend the one or the other"));
            }
        }
    }
    instances.extend(instance::candidates(schema).into_iter().filter(|made| judge.accepts(made)));
    if instances.is_empty() {
        instances.extend(ALL_TYPES.iter().map(|make| make()).find(|value| judge.accepts(value)));
    }
    if instances.is_empty() {
        let message =
            "no instance that the schema accepts could be made, so what it lets pass was not looked at";
        lints.push(Lint::note("not-examined", &root, message).help("give an example of a right output"));
        return;
    }
    let mut findings: BTreeMap<Pointer, Place> = BTreeMap::new();
    let mut places = 0;
    for instance in &instances {
        for (at, _) in nodes(instance) {
            places += 1;
            if places > MOST_PLACES {
                break;
            }
            // What no subschema describes is the business of the object around it.
            let Some(pointer) = judging(schema, &at) else { continue };
            let described = schema.pointer(pointer.as_str());
            let place = findings.entry(pointer).or_insert_with(|| Place::new(&at));
            probe(&mut judge, instance, &at, described, place);
        }
    }
    for (pointer, place) in &findings {
        place.report(pointer, lints);
    }
}

/// What was learnt of the values that one subschema judges.
struct Place {
    /// Where the first of them stands in its instance.
    at: Pointer,
    /// Whether each field could be left out wherever it stood.
    fields: BTreeMap<String, bool>,
    empty_passes: bool,
    stranger_passes: bool,
    /// Fields whose key could be misspelt.
    misspelt: BTreeSet<String>,
    any_type: bool,
}

impl Place {
    fn new(at: &Pointer) -> Self {
        Self {
            at: at.clone(),
            fields: BTreeMap::new(),
            empty_passes: false,
            stranger_passes: false,
            misspelt: BTreeSet::new(),
            any_type: false,
        }
    }

    fn report(&self, pointer: &Pointer, lints: &mut Vec<Lint>) {
        let whose = if self.at.is_root() { String::new() } else { format!(" of `{}`", self.at) };
        let optional: Vec<&str> =
            self.fields.iter().filter(|(_, optional)| **optional).map(|(name, _)| name.as_str()).collect();
        if self.empty_passes {
            let message = format!("no field{whose} is required: `{{}}` passes");
            lints.push(
                Lint::warning("nothing-required", pointer, message).help("list the fields under `required`"),
            );
        } else if !optional.is_empty() {
            let message = format!("these fields{whose} may be missing: {}", listed(optional.iter().copied()));
            lints.push(Lint::note("optional-fields", pointer, message));
        }
        if self.stranger_passes {
            let example = optional
                .first()
                .map(|name| format!(", so a misspelt `{name}` goes unseen"))
                .unwrap_or_default();
            let message = format!("additional properties{whose} are allowed{example}");
            let help =
                "write `\"additionalProperties\": false` (`unevaluatedProperties` beside `allOf` or `$ref`)";
            lints.push(Lint::warning("additional-properties", pointer, message).help(help));
        }
        if !self.stranger_passes && !self.misspelt.is_empty() {
            let message =
                format!("a misspelt key{whose} passes: {}", listed(self.misspelt.iter().map(String::as_str)));
            let help = "require the fields, or say by narrower patterns which keys there may be";
            lints.push(Lint::warning("misspelt-key", pointer, message).help(help));
        }
        if self.any_type {
            let what = if self.at.is_root() { "the value".to_owned() } else { format!("`{}`", self.at) };
            let message = format!("{what} may be of any type");
            lints.push(Lint::warning("any-type", pointer, message).help("say which by `type`"));
        }
    }
}

/// Changes one place of an instance in every way, and notes what passes.
fn probe(
    judge: &mut Judge<'_>,
    instance: &Value,
    at: &Pointer,
    described: Option<&Value>,
    place: &mut Place,
) {
    let Some(value) = instance.pointer(at.as_str()) else { return };
    if let Value::Object(members) = value
        && !described.is_some_and(is_map)
    {
        let mut all = !members.is_empty();
        for name in members.keys() {
            let passes = judge.accepts_with(instance, at, |value| {
                value.as_object_mut().is_some_and(|members| members.remove(name).is_some())
            });
            // What an `anyOf` requires in one instance only is optional in none.
            let misspelt = judge.accepts_with(instance, at, |value| {
                let Some(members) = value.as_object_mut() else { return false };
                let value = members.remove(name);
                value.is_some_and(|value| members.insert(misspelt(name), value).is_none())
            });
            if misspelt {
                place.misspelt.insert(name.clone());
            }
            place.fields.entry(name.clone()).and_modify(|optional| *optional &= passes).or_insert(passes);
            all &= passes;
        }
        place.empty_passes |= all
            && judge.accepts_with(instance, at, |value| {
                *value = json!({});
                true
            });
        place.stranger_passes |= judge.accepts_with(instance, at, |value| {
            value
                .as_object_mut()
                .is_some_and(|members| members.insert(STRANGER.to_owned(), json!(1)).is_none())
        });
    }
    let others =
        ALL_TYPES.iter().map(|make| make()).filter(|other| kind(other) != kind(value) && !other.is_null());
    let mut others = others.collect::<Vec<_>>().into_iter();
    place.any_type |= others.all(|other| {
        judge.accepts_with(instance, at, |value| {
            *value = other.clone();
            true
        })
    });
}

/// Whether the objects that a schema describes are maps, whose keys are data.
fn is_map(schema: &Value) -> bool {
    schema.get("properties").is_none()
        && ["additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames"]
            .iter()
            .any(|keyword| schema.get(*keyword).is_some_and(Value::is_object))
}

/// A name as someone may write it in haste: two letters change places, or one stands twice.
fn misspelt(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    match letters[..] {
        [.., first, last] if first != last => {
            let end = letters.len();
            letters.swap(end - 2, end - 1);
        }
        [.., last] => letters.push(last),
        [] => letters.push('x'),
    }
    letters.into_iter().collect()
}

/// One value of each type.
const ALL_TYPES: [fn() -> Value; 6] =
    [|| json!(null), || json!(true), || json!(7), || json!("something else"), || json!([]), || json!({})];

fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// All places of an instance, the root first.
fn nodes(instance: &Value) -> Vec<(Pointer, &Value)> {
    let mut nodes = Vec::new();
    let mut pending = vec![(Pointer::root(), instance)];
    while let Some((at, value)) = pending.pop() {
        match value {
            Value::Object(members) => {
                pending.extend(members.iter().rev().map(|(key, value)| (at.key(key), value)));
            }
            Value::Array(list) => {
                pending.extend(list.iter().enumerate().rev().map(|(index, value)| (at.index(index), value)));
            }
            _ => {}
        }
        nodes.push((at, value));
        if nodes.len() > MOST_PLACES {
            break;
        }
    }
    nodes
}

/// Values that nearly every assertion about their type refuses.
const EXTREMES: [fn() -> Value; 7] = [
    || json!(-1e12),
    || json!(0.123),
    || json!(1e12),
    || json!(""),
    || json!("\u{1}é ".repeat(200)),
    || json!([null, null, 1, "a", [], {}, 2, 3, 4, 5, 6, 7, 8, 9]),
    || json!({ "": null, "a": 1, "b": "c", "unexpected_field": [], "A B": {}, "d": 1, "e": 2, "f": 3 }),
];

/// The schema, and how much may still be judged by it.
struct Judge<'c> {
    compiled: &'c CompiledSchema,
    limits: &'c Limits,
    left: usize,
}

impl Judge<'_> {
    fn accepts(&mut self, instance: &Value) -> bool {
        let text = instance.to_string();
        let Some(left) = self.left.checked_sub(text.len()) else { return false };
        self.left = left;
        Document::parse(&text, self.limits).is_ok_and(|document| self.compiled.is_valid(&document))
    }

    fn accepts_with(
        &mut self,
        instance: &Value,
        at: &Pointer,
        change: impl FnOnce(&mut Value) -> bool,
    ) -> bool {
        let mut changed = instance.clone();
        changed.pointer_mut(at.as_str()).is_some_and(change) && self.accepts(&changed)
    }

    /// The first reason why the schema refuses an instance.
    fn why_not(&mut self, instance: &Value) -> Option<String> {
        let text = instance.to_string();
        match Document::parse(&text, self.limits) {
            Err(error) => Some(error.slip.summary().to_owned()),
            Ok(document) => self
                .compiled
                .violations(&document, self.limits)
                .first()
                .map(|violation| violation.message.clone()),
        }
    }
}
