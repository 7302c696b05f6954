//! Where subschemas stand in a schema.

use serde_json::{Map, Value};

/// Keywords whose value is one subschema (`items` may also be a list of them).
pub(super) const ONE: [&str; 12] = [
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];
/// Keywords whose value is a list of subschemas.
pub(super) const LIST: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords whose value maps names to subschemas.
pub(super) const MAP: [&str; 6] =
    ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];

/// Calls `visit` with the schema and every subschema in it that is an object, outermost first. What
/// is data (`const`, `enum`, `default`, `examples`) is not entered.
pub(crate) fn subschemas_mut(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(object) = schema else { return };
    visit(object);
    for (keyword, value) in object {
        match value {
            Value::Object(members) if MAP.contains(&keyword.as_str()) => {
                for member in members.values_mut() {
                    subschemas_mut(member, visit);
                }
            }
            Value::Array(list) if LIST.contains(&keyword.as_str()) => {
                for element in list {
                    subschemas_mut(element, visit);
                }
            }
            Value::Object(_) if ONE.contains(&keyword.as_str()) => subschemas_mut(value, visit),
            _ => {}
        }
    }
}

/// As [`subschemas_mut`], for reading.
pub(crate) fn subschemas<'s>(schema: &'s Value, visit: &mut impl FnMut(&'s Map<String, Value>)) {
    let Value::Object(object) = schema else { return };
    visit(object);
    for (keyword, value) in object {
        match value {
            Value::Object(members) if MAP.contains(&keyword.as_str()) => {
                for member in members.values() {
                    subschemas(member, visit);
                }
            }
            Value::Array(list) if LIST.contains(&keyword.as_str()) => {
                for element in list {
                    subschemas(element, visit);
                }
            }
            Value::Object(_) if ONE.contains(&keyword.as_str()) => subschemas(value, visit),
            _ => {}
        }
    }
}
