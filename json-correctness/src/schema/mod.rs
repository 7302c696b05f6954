//! Schemas: of types and of documents, the judge of record, and the search for reasons.

mod canonical;
mod compiled;
pub(crate) mod derive_support;
mod dialect;
mod explain;
mod fast;
mod format;
mod judge;
pub(crate) mod keyed_map;
mod keywords;
mod lint;
mod meta;
mod pattern;
mod refusal;
mod relevant;
pub(crate) mod stack;
mod tighten;
mod typed;
mod undecided;
mod untagged;
mod walk;

pub use compiled::CompiledSchema;
pub use lint::{Lint, Severity, lint_schema};
pub(crate) use refusal::type_name;
pub(crate) use relevant::{Wrong, relevant};
pub use typed::{ExpectedSchema, json_schema};
pub(crate) use typed::{compiled_for, judge, value_at_sight};
pub(crate) use untagged::without_percents;
