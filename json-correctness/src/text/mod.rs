//! The text of an output: spans, positions, pointers, the lexer, the document and its extraction.

mod builder;
mod candidates;
mod diagnose;
mod document;
mod excerpt;
mod expected;
mod extraction;
mod fence;
mod harmless;
mod keys;
mod lexer;
mod limits;
mod node;
mod number;
mod pointer;
mod scan;
mod skip;
mod slip;
mod span;
mod value;

pub use document::{Document, Duplicate};
pub(crate) use excerpt::around;
pub(crate) use expected::Expected;
pub use extraction::{Extracted, Extraction};
#[cfg(feature = "evaluate")]
pub(crate) use harmless::written;
pub(crate) use harmless::{cut, cut_escaped, line_bytes, terminal_substitute, to_line};
pub(crate) use keys::fingerprint;
pub use limits::Limits;
pub use node::{Elements, JsonType, Located, Member, Members, Node};
pub use number::Number;
pub use pointer::Pointer;
pub(crate) use scan::{Mark, Numeral, Quoted, Scanner, is_well_formed};
pub use slip::{Slip, SyntaxError};
pub use span::{Position, Span};
