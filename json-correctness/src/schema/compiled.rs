//! A schema ready to judge.

use serde_json::Value;

use crate::{
    Error,
    text::{Document, Limits},
    violation::Violation,
};

/// A schema ready to judge, from a type or from a JSON Schema document.
#[derive(Clone, Debug)]
pub struct CompiledSchema {}

impl CompiledSchema {
    /// Compiles a JSON Schema document.
    pub fn new(schema: &Value, limits: &Limits) -> Result<Self, Error> {
        let _ = (schema, limits);
        Ok(Self {})
    }
    /// The verdict alone.
    pub fn is_valid(&self, document: &Document<'_>) -> bool {
        let _ = document;
        true
    }
    /// Every violation; empty exactly when the document is valid.
    pub fn violations(&self, document: &Document<'_>, limits: &Limits) -> Vec<Violation> {
        let _ = (document, limits);
        Vec::new()
    }
}
