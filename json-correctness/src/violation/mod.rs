//! What is wrong with an output, as data.

mod kind;
mod words;

use std::fmt;

use serde::Serialize;

pub use kind::{Bound, Counted, ViolationKind};

use crate::text::{Pointer, Position, Span};

/// One thing wrong with an output: what, where, and how to mend it.
///
/// `docs/violations.md` describes every code with an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Violation {
    /// Stable code, such as `JC0102`.
    pub code: &'static str,
    /// What is wrong, with its operands.
    #[serde(flatten)]
    pub kind: ViolationKind,
    /// The field that is wrong, as a JSON Pointer. For a missing field it names the place where the
    /// field should be; [`Violation::found_at`] is always a place that exists.
    pub pointer: Pointer,
    /// The bytes of the output that are wrong. For a missing field, the object's opening bracket.
    pub span: Span,
    /// Line and column of the span's start, both from 1.
    #[serde(flatten)]
    pub position: Position,
    /// One sentence without a full stop. Holds text of the model: untrusted.
    pub message: String,
    /// How to mend it, where that is known.
    #[serde(rename = "help")]
    pub suggestion: Option<String>,
    /// Another place that has to do with it, such as the first of two equal keys, and what it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related: Option<(Span, String)>,
    #[serde(skip)]
    found_at: Pointer,
}

impl Violation {
    /// A violation of the value at `pointer`. The position is filled in by [`Violation::place`].
    pub(crate) fn new(kind: ViolationKind, pointer: Pointer, span: Span) -> Self {
        let found_at = match &kind {
            ViolationKind::MissingField { .. } | ViolationKind::DependentField { .. } => {
                pointer.parent().unwrap_or_default()
            }
            ViolationKind::MisspeltField { found, .. } => pointer.parent().unwrap_or_default().key(found),
            _ => pointer.clone(),
        };
        let message = kind.message(&pointer);
        Self {
            code: kind.code(),
            suggestion: kind.default_suggestion(),
            position: Position::default(),
            related: None,
            kind,
            pointer,
            span,
            message,
            found_at,
        }
    }

    pub(crate) fn with_suggestion(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    pub(crate) fn with_related(mut self, span: Span, what: impl Into<String>) -> Self {
        self.related = Some((span, what.into()));
        self
    }

    /// The value of the output that the violation was found at, as a JSON Pointer: the object that
    /// lacks a field, the misspelt key, else the same as [`Violation::pointer`](Self#structfield.pointer).
    #[must_use]
    pub fn found_at(&self) -> &Pointer {
        &self.found_at
    }

    /// Sorts by span, pointer and code, drops repetitions, and fills in the positions; cuts messages
    /// to `max_message_bytes`.
    pub(crate) fn place(violations: &mut Vec<Self>, text: &str, max_message_bytes: usize) {
        violations.sort_by(|a, b| {
            (a.span.start, a.span.end, &a.pointer, a.code, &a.message).cmp(&(
                b.span.start,
                b.span.end,
                &b.pointer,
                b.code,
                &b.message,
            ))
        });
        violations.dedup_by(|a, b| a.span == b.span && a.pointer == b.pointer && a.kind == b.kind);
        let (mut from, mut position) = (0, Position::default());
        for violation in violations {
            position = position.advanced(text, from, violation.span.start);
            from = violation.span.start.min(text.len()).max(from);
            violation.position = position;
            cut(&mut violation.message, max_message_bytes);
            if let Some(suggestion) = &mut violation.suggestion {
                cut(suggestion, max_message_bytes);
            }
        }
    }
}

impl fmt::Display for Violation {
    /// `JC0102 at 2:3 (/customer_name): message`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_root() { "root" } else { self.pointer.as_str() };
        let Position { line, column } = self.position;
        write!(f, "{} at {line}:{column} ({pointer}): {}", self.code, self.message)
    }
}

/// Shortens a text to at most `max` bytes, at a character boundary, with an ellipsis.
pub(crate) fn cut(text: &mut String, max: usize) {
    if text.len() <= max {
        return;
    }
    let mut end = max.saturating_sub('…'.len_utf8());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push('…');
}
