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

/// The same of what a user gave weights for, though none for this field.
static GIVEN: Weights = Weights { own: 1.0, members: BTreeMap::new(), given: true };

/// Deepest nesting of a weights document.
const MAX_DEPTH: usize = 128;

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
            Value::Object(members) => Self::object(members, None, &Pointer::root(), 0),
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
        let mut weights = GIVEN.clone();
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
                value => Self { own: number(value)?, ..GIVEN.clone() },
            };
            weights.members.insert(key.clone(), child);
        }
        Ok(weights)
    }

    /// What a member weighs, and what it holds.
    pub(super) fn member(&self, key: &str) -> &Self {
        self.members.get(key).unwrap_or(if self.given { &GIVEN } else { &EVEN })
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
