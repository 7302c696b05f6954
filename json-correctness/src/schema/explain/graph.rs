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
pub(in crate::schema) type Id = u32;

/// The schema that accepts everything.
pub(in crate::schema) const ANYTHING: Id = 0;
/// The schema that accepts nothing.
pub(in crate::schema) const NOTHING: Id = 1;

#[derive(Debug)]
pub(in crate::schema) struct Graph {
    pub(in crate::schema) schemas: Vec<Schema>,
    pub(in crate::schema) root: Id,
    pub(in crate::schema) integers: IntegerRule,
    /// Whether `unevaluatedProperties` or `unevaluatedItems` occurs anywhere.
    pub(in crate::schema) tracks_evaluation: bool,
    /// How many subschemas stand inside one another on one value at most.
    pub(in crate::schema) nesting: usize,
}

impl Graph {
    pub(in crate::schema) fn schema(&self, id: Id) -> &Schema {
        &self.schemas[id as usize]
    }
}

/// One subschema. Every group of keywords that it lacks is `None`.
#[derive(Debug)]
pub(in crate::schema) struct Schema {
    pub(in crate::schema) draft: Draft,
    /// A boolean schema.
    pub(in crate::schema) verdict: Option<bool>,
    pub(in crate::schema) types: Option<Types>,
    /// `enum`.
    pub(in crate::schema) allowed: Option<Box<Allowed>>,
    /// `const`.
    pub(in crate::schema) constant: Option<Box<Allowed>>,
    pub(in crate::schema) number: Option<Box<NumberRules>>,
    pub(in crate::schema) string: Option<Box<StringRules>>,
    pub(in crate::schema) array: Option<Box<ArrayRules>>,
    pub(in crate::schema) object: Option<Box<ObjectRules>>,
    pub(in crate::schema) applied: Option<Box<Applied>>,
}

impl Schema {
    pub(in crate::schema) fn new(draft: Draft, verdict: Option<bool>) -> Self {
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
    pub(in crate::schema) fn conjuncts(&self) -> impl Iterator<Item = Id> + '_ {
        self.applied.iter().flat_map(|applied| applied.refs.iter().chain(&applied.all_of).copied())
    }

    /// Every subschema that may apply to the same value.
    pub(in crate::schema) fn in_place(&self) -> Vec<Id> {
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
pub(in crate::schema) struct Allowed {
    pub(in crate::schema) values: Box<[Value]>,
    /// The strings among many values.
    pub(in crate::schema) strings: Option<HashSet<Box<str>>>,
    /// The numbers among many values, in the form that equal numbers share.
    pub(in crate::schema) numbers: Option<HashSet<String>>,
}

impl Allowed {
    pub(in crate::schema) fn new(values: &[Value]) -> Self {
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

    pub(in crate::schema) fn types(&self) -> Types {
        self.values.iter().fold(Types::NONE, |types, value| types.or(Types::of_value(value)))
    }
}

#[derive(Debug, Default)]
pub(in crate::schema) struct NumberRules {
    /// The bounds with their limits as the schema spells them.
    pub(in crate::schema) bounds: Vec<(Bound, Box<str>)>,
    pub(in crate::schema) multiple_of: Option<Box<str>>,
}

#[derive(Debug, Default)]
pub(in crate::schema) struct StringRules {
    pub(in crate::schema) min_length: Option<u64>,
    pub(in crate::schema) max_length: Option<u64>,
    pub(in crate::schema) pattern: Option<Arc<Pattern>>,
    pub(in crate::schema) format: Option<Box<str>>,
    pub(in crate::schema) content: Option<Content>,
}

/// `contentEncoding` and `contentMediaType`, judged by a validator that has nothing else.
#[derive(Debug)]
pub(in crate::schema) struct Content {
    pub(in crate::schema) validator: Arc<jsonschema::Validator>,
    pub(in crate::schema) expected: Box<str>,
}

#[derive(Debug, Default)]
pub(in crate::schema) struct ArrayRules {
    pub(in crate::schema) prefix: Vec<Id>,
    /// The schema of the items behind the prefix.
    pub(in crate::schema) rest: Option<Id>,
    pub(in crate::schema) min_items: Option<u64>,
    pub(in crate::schema) max_items: Option<u64>,
    pub(in crate::schema) unique: bool,
    pub(in crate::schema) contains: Option<Contains>,
    pub(in crate::schema) unevaluated: Option<Id>,
    /// How many items from the first one count as evaluated.
    pub(in crate::schema) evaluates: usize,
}

#[derive(Debug)]
pub(in crate::schema) struct Contains {
    pub(in crate::schema) schema: Id,
    pub(in crate::schema) min: u64,
    pub(in crate::schema) max: Option<u64>,
}

#[derive(Debug, Default)]
pub(in crate::schema) struct ObjectRules {
    pub(in crate::schema) properties: Vec<(Box<str>, Id)>,
    pub(in crate::schema) index: HashMap<Box<str>, u32>,
    pub(in crate::schema) patterns: Vec<(Arc<Pattern>, Id)>,
    pub(in crate::schema) additional: Option<Id>,
    pub(in crate::schema) required: Vec<Box<str>>,
    pub(in crate::schema) min_fields: Option<u64>,
    pub(in crate::schema) max_fields: Option<u64>,
    pub(in crate::schema) names: Option<Id>,
    /// What a key must be, in words, where the schema says so.
    pub(in crate::schema) keys: Option<Box<str>>,
    pub(in crate::schema) dependent_required: Vec<(Box<str>, Vec<Box<str>>)>,
    pub(in crate::schema) dependent_schemas: Vec<(Box<str>, Id)>,
    pub(in crate::schema) unevaluated: Option<Id>,
    pub(in crate::schema) aliases: Vec<AliasGroup>,
}

impl ObjectRules {
    pub(in crate::schema) fn property(&self, name: &str) -> Option<Id> {
        self.index.get(name).map(|&at| self.properties[at as usize].1)
    }

    /// Whether nothing is said of any member but of its name.
    pub(in crate::schema) fn is_silent_on_members(&self) -> bool {
        self.properties.is_empty()
            && self.patterns.is_empty()
            && self.additional.is_none()
            && self.unevaluated.is_none()
    }
}

/// The names of one field, of which at most one may stand in an object; the first is its own.
#[derive(Debug)]
pub(in crate::schema) struct AliasGroup {
    pub(in crate::schema) names: Vec<Box<str>>,
    pub(in crate::schema) required: bool,
}

/// Subschemas that apply to the value itself.
#[derive(Debug, Default)]
pub(in crate::schema) struct Applied {
    /// `$ref`, `$dynamicRef` and `$recursiveRef`.
    pub(in crate::schema) refs: Vec<Id>,
    pub(in crate::schema) all_of: Vec<Id>,
    pub(in crate::schema) any_of: Option<Union>,
    pub(in crate::schema) one_of: Option<Union>,
    pub(in crate::schema) not: Vec<Id>,
    pub(in crate::schema) condition: Option<Condition>,
}

#[derive(Debug)]
pub(in crate::schema) struct Condition {
    pub(in crate::schema) test: Id,
    pub(in crate::schema) then: Option<Id>,
    pub(in crate::schema) otherwise: Option<Id>,
}

/// A text that equal numbers share.
pub(in crate::schema) fn number_form(spelling: &str) -> String {
    let mut form = String::new();
    let _ = canonical::write_number(spelling, &mut form);
    form
}
