//! Judges the JSON that a language model returned.

mod error;
mod schema;
mod text;
mod violation;

pub use error::Error;
#[cfg(feature = "derive")]
pub use json_correctness_derive::ExpectedSchema;
pub use schema::{CompiledSchema, ExpectedSchema, json_schema};
pub use text::{
    Document, Duplicate, Elements, Extracted, Extraction, JsonType, Limits, Located, Member, Members, Node,
    Number, Pointer, Position, Slip, Span, SyntaxError,
};
pub use violation::{Bound, Counted, Violation, ViolationKind};

/// What the macros of this crate expand to. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use schemars;
}
