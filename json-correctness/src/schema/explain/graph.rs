//! A schema as an arena of subschemas: what the compiler makes and the walk reads.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use jsonschema::Draft;
use serde_json::Value;

use super::{IntegerRule, types::Types, unions::Union};
use crate::{
    schema::{canonical, pattern::Pattern},
    violation::Bound,
};

/// A subschema's place in the arena.
pub(super) type Id = u32;

/// The schema that accepts everything.
pub(super) const ANYTHING: Id = 0;
/// The schema that accepts nothing.
pub(super) const NOTHING: Id = 1;

#[derive(Debug)]
pub(super) struct Graph {
    pub(super) schemas: Vec<Schema>,
    pub(super) root: Id,
    pub(super) integers: IntegerRule,
    /// Whether `unevaluatedProperties` or `unevaluatedItems` occurs anywhere.
    pub(super) tracks_evaluation: bool,
    /// How many subschemas stand inside one another on one value at most.
    pub(super) nesting: usize,
}

impl Graph {
    pub(super) fn schema(&self, id: Id) -> &Schema {
        &self.schemas[id as usize]
    }
}

/// One subschema. Every group of keywords that it lacks is `None`.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) draft: Draft,
    /// A boolean schema.
    pub(super) verdict: Option<bool>,
    pub(super) types: Option<Types>,
    /// `enum`.
    pub(super) allowed: Option<Box<Allowed>>,
    /// `const`.
    pub(super) constant: Option<Box<Allowed>>,
    pub(super) number: Option<Box<NumberRules>>,
    pub(super) string: Option<Box<StringRules>>,
    pub(super) array: Option<Box<ArrayRules>>,
    pub(super) object: Option<Box<ObjectRules>>,
    pub(super) applied: Option<Box<Applied>>,
}

impl Schema {
    pub(super) fn new(draft: Draft, verdict: Option<bool>) -> Self {
        Self {
            draft,
            verdict,
            types: None,
            allowed: None,
            constant: None,
            number: None,
            string: None,
            array: None,
            object: None,
            applied: None,
        }
    }

    /// The subschemas that apply to the same value, whatever the value is.
    pub(super) fn conjuncts(&self) -> impl Iterator<Item = Id> + '_ {
        self.applied.iter().flat_map(|applied| applied.refs.iter().chain(&applied.all_of).copied())
    }

    /// Every subschema that may apply to the same value.
    pub(super) fn in_place(&self) -> Vec<Id> {
        let mut ids: Vec<Id> = self.conjuncts().collect();
        if let Some(applied) = &self.applied {
            for union in [&applied.any_of, &applied.one_of].into_iter().flatten() {
                ids.extend(&union.branches);
            }
            ids.extend(&applied.not);
            if let Some(condition) = &applied.condition {
                ids.push(condition.test);
                ids.extend(condition.then);
                ids.extend(condition.otherwise);
            }
        }
        if let Some(object) = &self.object {
            ids.extend(object.dependent_schemas.iter().map(|&(_, id)| id));
        }
        ids
    }
}

/// The values of an `enum` or `const`.
#[derive(Debug)]
pub(super) struct Allowed {
    pub(super) values: Box<[Value]>,
    /// The strings among many values.
    pub(super) strings: Option<HashSet<Box<str>>>,
    /// The numbers among many values, in the form that equal numbers share.
    pub(super) numbers: Option<HashSet<String>>,
}

impl Allowed {
    pub(super) fn new(values: &[Value]) -> Self {
        let many = values.len() > 16;
        let strings = many.then(|| values.iter().filter_map(Value::as_str).map(Box::from).collect());
        let numbers = many.then(|| {
            values
                .iter()
                .filter(|value| value.is_number())
                .map(|value| number_form(&value.to_string()))
                .collect()
        });
        Self { values: values.into(), strings, numbers }
    }

    pub(super) fn types(&self) -> Types {
        self.values.iter().fold(Types::NONE, |types, value| types.or(Types::of_value(value)))
    }
}

#[derive(Debug, Default)]
pub(super) struct NumberRules {
    /// The bounds with their limits as the schema spells them.
    pub(super) bounds: Vec<(Bound, Box<str>)>,
    pub(super) multiple_of: Option<Box<str>>,
}

#[derive(Debug, Default)]
pub(super) struct StringRules {
    pub(super) min_length: Option<u64>,
    pub(super) max_length: Option<u64>,
    pub(super) pattern: Option<Arc<Pattern>>,
    pub(super) format: Option<Box<str>>,
    pub(super) content: Option<Content>,
}

/// `contentEncoding` and `contentMediaType`, judged by a validator that has nothing else.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) validator: Arc<jsonschema::Validator>,
    pub(super) expected: Box<str>,
}

#[derive(Debug, Default)]
pub(super) struct ArrayRules {
    pub(super) prefix: Vec<Id>,
    /// The schema of the items behind the prefix.
    pub(super) rest: Option<Id>,
    pub(super) min_items: Option<u64>,
    pub(super) max_items: Option<u64>,
    pub(super) unique: bool,
    pub(super) contains: Option<Contains>,
    pub(super) unevaluated: Option<Id>,
    /// How many items from the first one count as evaluated.
    pub(super) evaluates: usize,
}

#[derive(Debug)]
pub(super) struct Contains {
    pub(super) schema: Id,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

#[derive(Debug, Default)]
pub(super) struct ObjectRules {
    pub(super) properties: Vec<(Box<str>, Id)>,
    pub(super) index: HashMap<Box<str>, u32>,
    pub(super) patterns: Vec<(Arc<Pattern>, Id)>,
    pub(super) additional: Option<Id>,
    pub(super) required: Vec<Box<str>>,
    pub(super) min_fields: Option<u64>,
    pub(super) max_fields: Option<u64>,
    pub(super) names: Option<Id>,
    /// What a key must be, in words, where the schema says so.
    pub(super) keys: Option<Box<str>>,
    pub(super) dependent_required: Vec<(Box<str>, Vec<Box<str>>)>,
    pub(super) dependent_schemas: Vec<(Box<str>, Id)>,
    pub(super) unevaluated: Option<Id>,
    pub(super) aliases: Vec<AliasGroup>,
}

impl ObjectRules {
    pub(super) fn property(&self, name: &str) -> Option<Id> {
        self.index.get(name).map(|&at| self.properties[at as usize].1)
    }

    /// Whether nothing is said of any member but of its name.
    pub(super) fn is_silent_on_members(&self) -> bool {
        self.properties.is_empty()
            && self.patterns.is_empty()
            && self.additional.is_none()
            && self.unevaluated.is_none()
    }
}

/// The names of one field, of which at most one may stand in an object; the first is its own.
#[derive(Debug)]
pub(super) struct AliasGroup {
    pub(super) names: Vec<Box<str>>,
    pub(super) required: bool,
}

/// Subschemas that apply to the value itself.
#[derive(Debug, Default)]
pub(super) struct Applied {
    /// `$ref`, `$dynamicRef` and `$recursiveRef`.
    pub(super) refs: Vec<Id>,
    pub(super) all_of: Vec<Id>,
    pub(super) any_of: Option<Union>,
    pub(super) one_of: Option<Union>,
    pub(super) not: Vec<Id>,
    pub(super) condition: Option<Condition>,
}

#[derive(Debug)]
pub(super) struct Condition {
    pub(super) test: Id,
    pub(super) then: Option<Id>,
    pub(super) otherwise: Option<Id>,
}

/// A text that equal numbers share.
pub(super) fn number_form(spelling: &str) -> String {
    let mut form = String::new();
    let _ = canonical::write_number(spelling, &mut form);
    form
}
