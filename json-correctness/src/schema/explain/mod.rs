//! Why a schema refuses a document: every root cause, found within a budget.
//!
//! What is a root cause, and what only follows from one:
//!
//! - A value of the wrong type is held to `enum` and `const` as well (two findings at one place), to
//!   nothing else.
//! - A key that no subschema knows is given to at most one missing field whose name resembles it: one
//!   finding, neither a missing nor an unknown field. Its value is held to that field's schema; what
//!   is wrong with it is found at the key as it stands. Where unknown fields are allowed, a misspelt
//!   optional field is legal.
//! - `minProperties` and `maxProperties` are silent where missing or unknown fields explain the count;
//!   a field that another one asks for is not reported where it is missing anyway.
//! - Of a union, only the branch that is meant is explained: the one that the tag names, else the
//!   only one of the value's type, else the one with the fewest faults. A wrong tag is all that is
//!   reported of its object, since what the other fields should be hangs on it.
//! - A pattern that stays undecided counts as fulfilled.
//!
//! Of two equal keys the last one counts. Each look at a value with a subschema costs a step, and so
//! do long strings, numbers and lists, by their lengths.

mod array;
mod assertions;
mod bounds;
mod branches;
mod compile;
mod describe;
mod evaluated;
mod finding;
pub(super) mod graph;
mod keywords;
mod layers;
mod misspelt;
mod names;
mod object;
mod scopes;
mod subject;
mod suggest;
pub(super) mod types;
mod unions;
mod valid;
mod walk;
mod words;

use std::sync::Arc;

use jsonschema::Draft;
use serde_json::Value;

use self::{
    graph::Graph,
    walk::{Stop, Walk},
};
use crate::{
    Error,
    text::{Document, Limits, Pointer},
    violation::{Violation, ViolationKind},
};

/// What counts as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntegerRule {
    /// A number spelled without fraction and exponent, and not `-0`: what serde takes. For schemas
    /// of types.
    Spelling,
    /// A number whose value is an integer, such as `1.0`: what JSON Schema says. For other schemas.
    Value,
}

/// Finds out why a document is refused. Made from a schema once, for many documents.
#[derive(Clone, Debug)]
pub(crate) struct Explainer {
    graph: Arc<Graph>,
}

/// What an [`Explainer`] found.
#[derive(Clone, Debug)]
#[must_use]
#[cfg_attr(not(test), allow(dead_code, reason = "what a search cost is asked by tests"))]
pub(crate) struct Explanation {
    /// The root causes, sorted and placed; at most [`Limits::max_violations`] and one `Truncated`
    /// behind them where there may be more. Empty exactly where the document is valid, as far as the
    /// budget reached.
    pub(crate) violations: Vec<Violation>,
    /// How many steps of [`Limits::max_explain_steps`] were taken.
    pub(crate) steps: usize,
    /// Whether the search ended before its budget and reported all that it found.
    pub(crate) complete: bool,
}

impl Explainer {
    #[cfg(test)]
    pub(crate) fn compile(
        schema: &Value,
        draft: Draft,
        integers: IntegerRule,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Self::with_documents(schema, &[], draft, integers, limits)
    }

    /// Reads a schema, and of the other documents, each with its URI, what it refers to. This is also
    /// where the limits on schemas are enforced, so it must come before any other use of an untrusted
    /// schema.
    ///
    /// # Errors
    ///
    /// A schema beyond a limit (`is_limit`), a reference that leads nowhere, or a pattern that is no
    /// regular expression (`is_schema`). The message names the place in the schema.
    pub(crate) fn with_documents(
        schema: &Value,
        documents: &[(&str, &Value)],
        draft: Draft,
        integers: IntegerRule,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Ok(Self { graph: Arc::new(compile::compile(schema, documents, draft, integers, limits)?) })
    }

    /// How many subschemas stand inside one another on one value at most: with the depth of a document,
    /// how deep a judgement descends.
    pub(crate) fn nesting(&self) -> usize {
        self.graph.nesting
    }

    /// The schema, read.
    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Every root cause for which the schema refuses the document.
    pub(crate) fn explain(&self, document: &Document<'_>, limits: &Limits) -> Explanation {
        let mut walk = Walk::new(&self.graph, limits.max_explain_steps, limits.max_violations);
        walk.repeats_keys = !document.duplicates().is_empty();
        let mut findings = Vec::new();
        let result = walk.explain(&[self.graph.root], document.root(), &mut findings);
        let steps = walk.steps;
        let truncated = findings.len() > limits.max_violations;
        findings.truncate(limits.max_violations);
        let mut violations = words::violations(&self.graph, document, &findings, limits);
        let truncated = truncated || violations.len() < findings.len();
        Violation::place(&mut violations, document.text(), limits.max_message_bytes);
        let whole = document.root().span();
        if violations.is_empty() && (walk.skipped || result == Err(Stop::Budget)) {
            violations.push(Violation::new(ViolationKind::Unexplained, Pointer::root(), whole));
        } else if truncated || walk.skipped || result.is_err() {
            let kind = ViolationKind::Truncated { reported: violations.len() };
            violations.push(Violation::new(kind, Pointer::root(), whole));
        }
        Explanation { violations, steps, complete: result.is_ok() && !truncated && !walk.skipped }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
