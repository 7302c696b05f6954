//! What the fast pass follows: for each set of subschemas that apply to one value together, one node.

use std::sync::{Arc, atomic::AtomicU8};

use crate::{
    schema::{format::FormatCheck, keywords::Limit, pattern::Pattern},
    text::{Expected, fingerprint},
};

/// A node's place in the plan.
pub(super) type Id = u32;

/// The node that accepts everything.
pub(super) const ANYTHING: Id = 0;
/// The node of what the schema never accepts.
pub(super) const NOTHING: Id = 1;

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) nodes: Vec<Node>,
    pub(super) root: Id,
}

/// A set of kinds of values. The two booleans and the two sorts of numbers are kinds of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(pub(super) u8);

impl Kinds {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const TRUE: Self = Self(2);
    pub(super) const FALSE: Self = Self(4);
    pub(super) const INTEGER: Self = Self(8);
    /// A number that may be no integer.
    pub(super) const FRACTION: Self = Self(16);
    pub(super) const NUMBER: Self = Self(24);
    pub(super) const STRING: Self = Self(32);
    pub(super) const ARRAY: Self = Self(64);
    pub(super) const OBJECT: Self = Self(128);
    pub(super) const ALL: Self = Self(255);

    #[inline]
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// What one value is held to. Whatever it cannot check, it does not accept.
#[derive(Debug)]
pub(super) struct Node {
    /// What may be accepted here.
    pub(super) kinds: Kinds,
    /// What the schema might accept, also where the fast pass cannot know.
    pub(super) possible: Kinds,
    pub(super) number: Option<Box<NumberRules>>,
    pub(super) string: Option<Box<StringRules>>,
    pub(super) array: Option<Box<ArrayRules>>,
    pub(super) object: Option<Box<ObjectRules>>,
    /// The alternatives of which one must accept; then there are no other rules.
    pub(super) union: Option<Box<Union>>,
}

impl Node {
    pub(super) fn of(kinds: Kinds) -> Self {
        Self { kinds, possible: kinds, number: None, string: None, array: None, object: None, union: None }
    }

    /// One that accepts nothing, since nothing is known about it.
    pub(super) fn unknown() -> Self {
        Self { possible: Kinds::ALL, ..Self::of(Kinds::NONE) }
    }
}

#[derive(Debug, Default)]
pub(super) struct NumberRules {
    pub(super) limits: Vec<Limit>,
    pub(super) divisors: Vec<Box<str>>,
    /// The only numbers that are allowed.
    pub(super) allowed: Option<Vec<Box<str>>>,
    pub(super) forbidden: Vec<Box<str>>,
}

#[derive(Debug, Default)]
pub(super) struct StringRules {
    /// In characters.
    pub(super) min: usize,
    pub(super) max: Option<usize>,
    pub(super) patterns: Vec<Arc<Pattern>>,
    pub(super) formats: Vec<FormatCheck>,
    /// The only strings that are allowed, sorted.
    pub(super) allowed: Option<Vec<Box<str>>>,
    pub(super) forbidden: Vec<Box<str>>,
}

#[derive(Debug)]
pub(super) struct ArrayRules {
    pub(super) prefix: Vec<Id>,
    /// What the items behind the prefix are held to.
    pub(super) rest: Id,
    pub(super) min: usize,
    pub(super) max: usize,
}

/// A set of fields of one object, by their places in [`ObjectRules::fields`].
pub(super) type FieldSet = u128;

#[derive(Debug)]
pub(super) struct ObjectRules {
    pub(super) fields: Vec<Field>,
    /// The places of the fields by the fingerprints of their names: an open table, a power of two long.
    pub(super) table: Vec<u8>,
    /// The field that came first last time: a guess.
    pub(super) first: AtomicU8,
    pub(super) required: FieldSet,
    /// What the members are held to that are no fields and that no pattern matches.
    pub(super) rest: Id,
    pub(super) patterns: Vec<(Arc<Pattern>, Id)>,
    /// What the keys are held to that are no fields.
    pub(super) names: Id,
    pub(super) min: usize,
    pub(super) max: usize,
    /// Fields of which at most one may stand there, or exactly one.
    pub(super) exclusive: Vec<(FieldSet, bool)>,
    /// A field, and those that must stand beside it.
    pub(super) dependent: Vec<(usize, FieldSet)>,
}

/// A name that the schema knows.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) key: Expected,
    pub(super) node: Id,
    /// The field that came behind this one last time. A model writes fields in the same order mostly,
    /// and to compare a key with one name is quicker than to look it up.
    pub(super) next: AtomicU8,
}

#[derive(Debug)]
pub(super) struct Union {
    pub(super) branches: Vec<Id>,
    /// Whether exactly one branch must accept.
    pub(super) exclusive: bool,
    /// The branches that may accept a value, by the place of its kind in [`Kinds`].
    pub(super) by_kind: [Vec<Id>; 8],
    pub(super) choice: Option<Choice>,
}

/// How the branch for an object is found.
#[derive(Debug)]
pub(super) enum Choice {
    /// By the value of a field, sorted by the values.
    Tag { name: Box<str>, branches: Vec<(Box<str>, Id)> },
    /// By the name of its only field.
    Key(Vec<(Box<str>, Id)>),
    /// By the one field of these that stands there: each branch requires another one.
    Present(Vec<(Box<str>, Id)>),
}

impl ObjectRules {
    /// The place of the field of this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let mask = self.table.len().checked_sub(1)?;
        let mut slot = fingerprint(name.as_bytes()) as usize & mask;
        loop {
            let place = usize::from(self.table[slot]);
            if self.fields.get(place)?.key.name() == name {
                return Some(place);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Builds the table; there are at most 128 fields.
    pub(super) fn index(&mut self) {
        let slots = (self.fields.len() * 4).next_power_of_two();
        self.table = vec![u8::MAX; slots];
        for (place, field) in self.fields.iter().enumerate() {
            let mut slot = fingerprint(field.key.name().as_bytes()) as usize & (slots - 1);
            while self.table[slot] != u8::MAX {
                slot = (slot + 1) & (slots - 1);
            }
            self.table[slot] = place as u8;
        }
    }
}
