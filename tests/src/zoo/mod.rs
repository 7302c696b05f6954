//! The zoo: types that cover what serde and schemars can do, each with valid samples.

mod attributes;
mod constraints;
mod containers;
mod enums;
mod foreign;
pub mod promise;
pub mod recursion;
mod roots;
mod scalars;
mod structs;

use json_correctness::{ExpectedSchema, Limits, Violation};
use serde::Serialize;
use serde_json::Value;

use crate::judges;

/// What a type accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// The value as the type itself writes it.
    pub canonical: String,
    /// Whether the value keeps the constraints that the schema states, by a check written by hand.
    pub holds: bool,
}

/// What of a type the rows of the agreement need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// Has a `try_from` or custom deserializer whose refusals begin with "refused".
    Refuses,
    /// Has a flattened externally tagged enum.
    FlattenedEnum,
    /// Has a flattened `Option`.
    FlattenedOption,
    /// Has an adjacently tagged enum.
    Adjacent,
    /// Holds dates, addresses, identifiers: strings that serde reads in more spellings than one.
    Spelling,
    /// Has a map keyed by numbers or `bool`.
    ScalarKeys,
    /// Is such a map itself, with no derive that could say more of its keys.
    BareMap,
    /// Has an internally tagged enum that denies unknown fields.
    ClosedInternal,
    /// Holds a std type that refuses unknown fields.
    ClosedStd,
    /// Faults of several parts meet in one place: `contains`, `unique_items`, or a variant for every
    /// other tag.
    Entangled,
    /// Faults inside are ambiguous by nature: every part of it may be another alternative.
    Untagged,
}

type Deserialize = dyn Fn(&[u8]) -> Result<Accepted, String> + Send + Sync;

/// One type of the zoo, its type erased.
pub struct Specimen {
    /// The type's name.
    pub name: &'static str,
    /// Valid JSON texts.
    pub samples: &'static [&'static str],
    /// What the rows need to know.
    pub traits: &'static [Trait],
    deserialize: Box<Deserialize>,
    schema: fn() -> Value,
    judge: fn(&str, bool, &Limits) -> Vec<Violation>,
    grade: fn(&str) -> f64,
    is_schema_valid: fn(&str, bool) -> Option<bool>,
    is_valid_at_sight: fn(&str, bool) -> bool,
}

impl std::fmt::Debug for Specimen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Specimen").field(&self.name).finish()
    }
}

impl Specimen {
    fn of<T: ExpectedSchema + Serialize>(name: &'static str, samples: &'static [&'static str]) -> Self {
        Self::constrained::<T>(name, samples, |_| true)
    }

    fn constrained<T: ExpectedSchema + Serialize>(
        name: &'static str,
        samples: &'static [&'static str],
        holds: fn(&T) -> bool,
    ) -> Self {
        Self {
            name,
            samples,
            traits: &[],
            deserialize: Box::new(move |bytes| {
                let value: T = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
                let canonical = serde_json::to_string(&value).map_err(|error| error.to_string())?;
                Ok(Accepted { canonical, holds: holds(&value) })
            }),
            schema: json_correctness::json_schema::<T>,
            judge: judges::judge::<T>,
            grade: judges::grade::<T>,
            is_schema_valid: judges::is_schema_valid::<T>,
            is_valid_at_sight: judges::is_valid_at_sight::<T>,
        }
    }

    fn with(mut self, traits: &'static [Trait]) -> Self {
        self.traits = traits;
        self
    }

    /// Whether the type has a trait.
    #[must_use]
    pub fn has(&self, wanted: Trait) -> bool {
        self.traits.contains(&wanted)
    }

    /// What serde says to the bytes.
    ///
    /// # Errors
    /// serde's message.
    pub fn deserialize(&self, bytes: &[u8]) -> Result<Accepted, String> {
        (self.deserialize)(bytes)
    }

    /// The type's public schema.
    #[must_use]
    pub fn schema(&self) -> Value {
        (self.schema)()
    }

    /// What the whole typed check says to the text.
    #[must_use]
    pub fn judge(&self, text: &str, strict: bool, limits: &Limits) -> Vec<Violation> {
        (self.judge)(text, strict, limits)
    }

    /// The partial credit that the typed check gives the text.
    #[must_use]
    pub fn grade(&self, text: &str) -> f64 {
        (self.grade)(text)
    }

    /// What the compiled schema alone says to the text; `None` where the text is not JSON.
    #[must_use]
    pub fn is_schema_valid(&self, text: &str, strict: bool) -> Option<bool> {
        (self.is_schema_valid)(text, strict)
    }

    /// Whether the fast pass alone is sure that the compiled schema accepts the text.
    #[must_use]
    pub fn is_valid_at_sight(&self, text: &str, strict: bool) -> bool {
        (self.is_valid_at_sight)(text, strict)
    }
}

/// All types of the zoo.
#[must_use]
pub fn specimens() -> Vec<Specimen> {
    let rooms: [fn() -> Vec<Specimen>; 9] = [
        scalars::specimens,
        containers::specimens,
        structs::specimens,
        enums::specimens,
        attributes::specimens,
        recursion::specimens,
        foreign::specimens,
        constraints::specimens,
        roots::specimens,
    ];
    rooms.iter().flat_map(|room| room()).collect()
}
