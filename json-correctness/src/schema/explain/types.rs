//! Sets of JSON types.

use crate::text::JsonType;

/// A set of JSON types. What JSON Schema calls `number` is two of them here, integers and the other
/// numbers, so that unions and intersections come out right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::schema) struct Types(u8);

impl Types {
    pub(in crate::schema) const NONE: Self = Self(0);
    pub(in crate::schema) const NULL: Self = Self(1);
    pub(in crate::schema) const BOOLEAN: Self = Self(2);
    pub(in crate::schema) const INTEGER: Self = Self(4);
    /// A number that is no integer.
    pub(in crate::schema) const FRACTION: Self = Self(8);
    pub(in crate::schema) const NUMBER: Self = Self(12);
    pub(in crate::schema) const STRING: Self = Self(16);
    pub(in crate::schema) const ARRAY: Self = Self(32);
    pub(in crate::schema) const OBJECT: Self = Self(64);
    pub(in crate::schema) const ALL: Self = Self(127);

    /// The type that JSON Schema gives this name; `NONE` for another name.
    pub(in crate::schema) fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }

    /// The type of a value of a schema (`enum`, `const`). Any number counts as either kind, since
    /// `1.0` equals `1`.
    pub(in crate::schema) fn of_value(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::NULL,
            serde_json::Value::Bool(_) => Self::BOOLEAN,
            serde_json::Value::Number(_) => Self::NUMBER,
            serde_json::Value::String(_) => Self::STRING,
            serde_json::Value::Array(_) => Self::ARRAY,
            serde_json::Value::Object(_) => Self::OBJECT,
        }
    }

    pub(in crate::schema) fn of(json_type: JsonType) -> Self {
        match json_type {
            JsonType::Null => Self::NULL,
            JsonType::Boolean => Self::BOOLEAN,
            JsonType::Integer => Self::INTEGER,
            JsonType::Number => Self::FRACTION,
            JsonType::String => Self::STRING,
            JsonType::Array => Self::ARRAY,
            JsonType::Object => Self::OBJECT,
        }
    }

    pub(in crate::schema) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(in crate::schema) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(in crate::schema) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(in crate::schema) fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(in crate::schema) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(in crate::schema) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The types as JSON Schema names them, null last.
    pub(in crate::schema) fn list(self) -> Vec<JsonType> {
        let number = if self.meets(Self::FRACTION) { JsonType::Number } else { JsonType::Integer };
        [
            (Self::OBJECT, JsonType::Object),
            (Self::ARRAY, JsonType::Array),
            (Self::STRING, JsonType::String),
            (Self::NUMBER, number),
            (Self::BOOLEAN, JsonType::Boolean),
            (Self::NULL, JsonType::Null),
        ]
        .into_iter()
        .filter_map(|(types, json_type)| self.meets(types).then_some(json_type))
        .collect()
    }
}
