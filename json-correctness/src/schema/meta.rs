//! What is wrong with a schema that does not compile.

use jsonschema::Draft;
use serde_json::{Value, json};

use super::{compiled::CompiledSchema, dialect::shown};
use crate::{
    Error,
    text::{Document, Limits},
    violation::Violation,
};

/// Says where the schema is wrong.
pub(super) fn refusal(schema: &Value, error: &jsonschema::ValidationError<'_>, draft: Draft) -> Error {
    // What the meta-schema refuses stands at an instance path, what the compiler does at a schema path.
    let (place, said) = match against_meta_schema(schema, draft, &Limits::default()).split_first() {
        Some((found, others)) => {
            let mut said = found.message.clone();
            if let Some(mend) = &found.suggestion {
                said.push_str(&format!("; {mend}"));
            }
            if !others.is_empty() {
                said.push_str(&format!(" (and {} more)", others.len()));
            }
            (found.pointer.to_string(), said)
        }
        None => (error.schema_path().to_string(), error.to_string()),
    };
    let place = if place.is_empty() { "its root".to_owned() } else { format!("`{}`", shown(&place)) };
    Error::schema(format!("the schema does not compile at {place}: {}", shown(&said)))
}

/// A schema is a document like any other: what its draft's own schema says of it, each fault at its place.
pub(super) fn against_meta_schema(schema: &Value, draft: Draft, limits: &Limits) -> Vec<Violation> {
    let uri = match draft {
        Draft::Draft4 => "http://json-schema.org/draft-04/schema#",
        Draft::Draft6 => "http://json-schema.org/draft-06/schema#",
        Draft::Draft7 => "http://json-schema.org/draft-07/schema#",
        Draft::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
        _ => "https://json-schema.org/draft/2020-12/schema",
    };
    let reference = json!({ "$schema": uri, "$ref": uri });
    let Ok(meta) = CompiledSchema::new(&reference, limits) else { return Vec::new() };
    let text = schema.to_string();
    let limits = limits.clone().max_depth(Limits::MAX_DEPTH);
    let Ok(document) = Document::parse(&text, &limits) else { return Vec::new() };
    meta.violations(&document, &limits)
}
