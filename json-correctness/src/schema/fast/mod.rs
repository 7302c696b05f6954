//! The fast pass: a schema and a text walked side by side, without a tree.
//!
//! It may only say that a text is valid, and then every other judge would say so: the text is well
//! formed and within the limits, no object writes a key twice, and the schema accepts it. Silence is
//! no verdict; such a text goes to the judge of record. So whatever is rare or hard is simply not
//! accepted here:
//!
//! - `if`, `contains`, `uniqueItems`, `unevaluated…`, `dependentSchemas`, content, `not` but of listed
//!   values, and patterns that need backtracking;
//! - a number with a fraction or exponent where an integer is wanted, and arrays and objects that must
//!   equal one in the schema;
//! - a `oneOf` two of whose branches are not told apart by type, tag, key or listed strings;
//! - a key that no subschema names and that is written with escapes;
//! - a text whose unions make the walk go back too often.
//!
//! Alternatives are tried one after the other where nothing tells them apart, and what they read again
//! is counted: the work is at most a few times the length of the text.

mod compile;
mod merge;
mod plan;
mod unions;
mod walk;

use self::{plan::Plan, walk::Walk};
use super::explain::graph::Graph;
use crate::text::{Limits, Scanner, Span};

/// Schemas that nest more subschemas on one value are left to the judge of record, which may refuse to
/// judge by them.
const MOST_NESTING: usize = 400;

/// A schema as the fast pass follows it.
#[derive(Debug)]
pub(super) struct FastPass {
    plan: Plan,
}

impl FastPass {
    /// Reads the schema. `None` where no text would ever be accepted.
    pub(super) fn compile(graph: &Graph) -> Option<Self> {
        if graph.nesting > MOST_NESTING {
            return None;
        }
        let plan = compile::compile(graph);
        let accepts = plan.root != plan::NOTHING;
        accepts.then_some(Self { plan })
    }

    /// Whether the part of the text is certainly valid.
    pub(super) fn accepts(&self, text: &str, part: Span, limits: &Limits) -> bool {
        Scanner::new(text, part, limits).is_some_and(|scanner| Walk::new(&self.plan, scanner).accepts())
    }
}

#[cfg(test)]
mod tests;
