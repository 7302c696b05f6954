//! The text of an output: spans, positions, pointers, the lexer, the document and its extraction.

mod document;
mod extraction;
mod lexer;
mod limits;
mod pointer;
mod slip;
mod span;

pub use document::{Document, Duplicate, Elements, JsonType, Located, Member, Members, Node, Number};
pub use extraction::{Extracted, Extraction};
pub use limits::Limits;
pub use pointer::Pointer;
pub use slip::{Slip, SyntaxError};
pub use span::{Position, Span};
