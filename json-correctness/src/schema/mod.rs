//! Schemas: of types and of documents, the judge of record, and the search for reasons.

mod compiled;
mod explain;
mod pattern;
mod tighten;
mod typed;

pub use compiled::CompiledSchema;
pub use typed::{ExpectedSchema, json_schema};
pub(crate) use typed::{judge, type_name};
