//! How much each field counts.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    error::Error,
    text::{JsonType, Node, Pointer},
};

/// The weights of a value and of what it holds. Lists hand theirs to each element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    /// The weight of the value among its siblings, in [0, 1].
    pub(super) own: f64,
    members: BTreeMap<String, Weights>,
    /// Whether a user wrote them for this comparison, so that what is wrong with them must be told.
    pub(super) given: bool,
}

/// What every field weighs that no weight is given for.
static EVEN: Weights = Weights { own: 1.0, members: BTreeMap::new(), given: false };

/// Deepest nesting of a weights document.
const MAX_DEPTH: usize = 128;
/// How deep weights are looked for in a schema, references followed.
const MAX_SCHEMA_DEPTH: usize = 24;

impl Default for Weights {
    /// Every field weighs 1.
    fn default() -> Self {
        EVEN.clone()
    }
}

impl Weights {
    /// Reads a weights document: an object from keys to weights. A number weighs the key; an object
    /// weighs what the key holds, and the key itself by its member `"__" + key`.
    pub(crate) fn read(document: &Value) -> Result<Self, Error> {
        match document {
            Value::Object(members) => {
                Ok(Self { given: true, ..Self::object(members, None, &Pointer::root(), 0)? })
            }
            _ => Err(Error::option("the weights are no object: write {\"key\": 0.5, …}")),
        }
    }

    fn object(
        members: &Map<String, Value>,
        key: Option<&str>,
        place: &Pointer,
        depth: usize,
    ) -> Result<Self, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::option(format!("the weights are nested deeper than {MAX_DEPTH} levels")));
        }
        let loopback = key.map(|key| format!("__{key}"));
        let mut weights = EVEN.clone();
        for (key, value) in members {
            let place = place.key(key);
            let number = |value: &Value| {
                value.as_f64().filter(|weight| (0.0..=1.0).contains(weight)).ok_or_else(|| {
                    let mut found = value.to_string();
                    crate::violation::cut(&mut found, 100);
                    Error::option(format!(
                        "the weight `{place}` is {found}: give a number from 0 to 1, or an object of weights"
                    ))
                })
            };
            if loopback.as_ref() == Some(key) {
                weights.own = number(value)?;
                continue;
            }
            let child = match value {
                Value::Object(members) => Self::object(members, Some(key), &place, depth + 1)?,
                value => Self { own: number(value)?, ..EVEN.clone() },
            };
            weights.members.insert(key.clone(), child);
        }
        Ok(weights)
    }

    /// The weights that a schema gives its properties under `x-expected` (`weight`, `ignore`). What it
    /// says of a key that no weight was given for is that it weighs 1.
    pub(crate) fn of_schema(schema: &Value) -> Result<Self, Error> {
        Self::subschema(schema, schema, &Pointer::root(), 0)
    }

    fn subschema(root: &Value, schema: &Value, place: &Pointer, depth: usize) -> Result<Self, Error> {
        let mut weights = EVEN.clone();
        // In a circle of references there is no end; what lies deeper weighs 1.
        if depth > MAX_SCHEMA_DEPTH {
            return Ok(weights);
        }
        if let Some(extension) = schema.get("x-expected") {
            let ignored = extension.get("ignore") == Some(&Value::Bool(true));
            weights.own = match extension.get("weight") {
                _ if ignored => 0.0,
                None => 1.0,
                Some(weight) => {
                    weight.as_f64().filter(|weight| (0.0..=1.0).contains(weight)).ok_or_else(|| {
                        Error::schema(format!(
                            "`{place}/x-expected/weight` of the schema is {weight}: give a number from 0 to 1"
                        ))
                    })?
                }
            };
        }
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for (key, property) in properties {
                let place = place.key("properties").key(key);
                let child = Self::subschema(root, property, &place, depth + 1)?;
                if child != EVEN {
                    weights.members.insert(key.clone(), child);
                }
            }
        }
        let mut inside: Vec<(&Value, Pointer)> = Vec::new();
        let reference = schema.get("$ref").and_then(Value::as_str).and_then(|uri| uri.strip_prefix('#'));
        if let Some(target) = reference.and_then(|pointer| root.pointer(pointer)) {
            inside.push((target, place.key("$ref")));
        }
        inside.extend(schema.get("items").map(|items| (items, place.key("items"))));
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let branches = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
            inside.extend(branches.enumerate().map(|(at, branch)| (branch, place.key(keyword).index(at))));
        }
        for (schema, place) in inside {
            let found = Self::subschema(root, schema, &place, depth + 1)?;
            for (key, child) in found.members {
                weights.members.entry(key).or_insert(child);
            }
        }
        Ok(weights)
    }

    /// What a member weighs, and what it holds.
    pub(super) fn member(&self, key: &str) -> &Self {
        self.members.get(key).unwrap_or(&EVEN)
    }

    /// Refuses weights that name no key of any of the values.
    pub(crate) fn check_names(&self, roots: &[Node<'_>]) -> Result<(), Error> {
        self.check(&Pointer::root(), roots)
    }

    fn check(&self, place: &Pointer, nodes: &[Node<'_>]) -> Result<(), Error> {
        if self.members.is_empty() {
            return Ok(());
        }
        // Lists hand their weights on.
        let mut objects = Vec::new();
        let mut pending = nodes.to_vec();
        while let Some(node) = pending.pop() {
            match node.json_type() {
                JsonType::Object => objects.push(node),
                JsonType::Array => pending.extend(node.elements()),
                _ => {}
            }
        }
        for (key, weights) in &self.members {
            let values: Vec<Node<'_>> =
                objects.iter().filter_map(|object| object.member(key).map(|member| member.value)).collect();
            let place = place.key(key);
            if values.is_empty() {
                return Err(Error::option(format!(
                    "the weight `{place}` names no key of the reference or the output: mend its name or \
                     remove it"
                )));
            }
            weights.check(&place, &values)?;
        }
        Ok(())
    }
}
