//! What a metric tells of its options, in the form in which [`metric`](super::metric) takes them.

use serde_json::{Map, Value};

use super::Compat;
use crate::text::{Extraction, Limits};

/// The options that differ from their defaults.
pub(super) struct Told(Map<String, Value>);

impl Told {
    /// Those that every metric has.
    pub(super) fn new(extraction: Extraction, compat: Option<Compat>, limits: &Limits) -> Self {
        let extract = match extraction {
            Extraction::Whole => None,
            Extraction::Fenced => Some("fenced"),
            Extraction::Embedded => Some("embedded"),
        };
        let limits = limits.changed();
        Self(Map::new())
            .and("extract", extract)
            .and("compat", compat.map(Compat::name))
            .and("limits", (!limits.is_empty()).then_some(Value::Object(limits)))
    }

    /// One more, where it differs.
    pub(super) fn and(mut self, name: &str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.into());
        }
        self
    }

    /// One more that is on or off, where it is on.
    pub(super) fn flag(self, name: &str, on: bool) -> Self {
        self.and(name, on.then_some(true))
    }

    pub(super) fn into_value(self) -> Value {
        Value::Object(self.0)
    }
}
