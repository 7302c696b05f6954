//! What a type's own deserializer said, and where in the text that is.

use crate::{
    text::{Document, JsonType, Node, Pointer, Span},
    violation::{Violation, ViolationKind},
};

/// A text that a type refused.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) pointer: Pointer,
    span: Span,
    message: String,
    panicked: bool,
}

impl Refusal {
    pub(crate) fn panicked(document: &Document<'_>, message: String) -> Self {
        Self { pointer: Pointer::root(), span: document.root().span(), message, panicked: true }
    }

    /// A text that the type was not asked about.
    pub(crate) fn not_asked(document: &Document<'_>, message: String) -> Self {
        Self { pointer: Pointer::root(), span: document.root().span(), message, panicked: false }
    }

    /// Finds the place of serde's error: by its path as far as that leads, then by line and column.
    pub(crate) fn locate(
        document: &Document<'_>,
        error: &serde_json::Error,
        path: Option<&serde_path_to_error::Path>,
    ) -> Self {
        let message = without_place(error);
        let (mut node, resolved) = follow(document.root(), path);
        // A path that breaks off (serde buffers flattened and tagged content) leaves the rest to the
        // position, which serde counts in bytes; it never leads out of where the path led.
        if !resolved
            && let Some(offset) = offset_of(document.root().source(), error)
            && let Some(inner) = node.innermost_at(document.root().span().start + offset)
        {
            node = inner;
        }
        let mut pointer = document.pointer_to(node);
        let mut span = node.span();
        // The key is what is wrong, and it stands in the object that the path leads to.
        if let Some(member) = quoted(&message, "unknown field `").and_then(|key| node.member(key)) {
            pointer = pointer.key(member.key);
            span = member.key_span;
        }
        Self { pointer, span, message, panicked: false }
    }

    pub(crate) fn is_duplicate(&self) -> bool {
        self.message.starts_with("duplicate field `")
    }

    pub(crate) fn into_violation(self, type_name: String) -> Violation {
        let message = self.message;
        let kind = if self.panicked {
            ViolationKind::TypePanicked { type_name, message }
        } else {
            ViolationKind::RefusedByType { type_name, message }
        };
        Violation::new(kind, self.pointer, self.span)
    }
}

/// serde's message without its position: ours is of the whole text.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).unwrap_or(&message).to_owned()
}

/// The text between the mark and the next backtick.
fn quoted<'m>(message: &'m str, mark: &str) -> Option<&'m str> {
    message.strip_prefix(mark)?.split_once('`').map(|(key, _)| key)
}

/// Walks a path as far as it leads; whether it led to its end.
fn follow<'d>(root: Node<'d>, path: Option<&serde_path_to_error::Path>) -> (Node<'d>, bool) {
    use serde_path_to_error::Segment;
    let mut node = root;
    let Some(path) = path else { return (root, false) };
    for segment in path {
        let next = match segment {
            Segment::Seq { index } => node.elements().nth(*index),
            Segment::Map { key } => node.member(key).map(|member| member.value),
            // Only an externally tagged variant stands in the text, as a key.
            Segment::Enum { variant } => Some(node.member(variant).map_or(node, |member| member.value)),
            Segment::Unknown => None,
        };
        match next {
            Some(next) => node = next,
            None => return (node, false),
        }
    }
    // A container may hold the fault deeper inside, where serde had to buffer it.
    (node, !path_may_break_off(node))
}

fn path_may_break_off(node: Node<'_>) -> bool {
    matches!(node.json_type(), JsonType::Array | JsonType::Object)
}

/// The byte that serde's line and column mean.
fn offset_of(source: &str, error: &serde_json::Error) -> Option<usize> {
    let lines_before = error.line().checked_sub(1)?;
    let line_start = match lines_before {
        0 => 0,
        count => source.match_indices('\n').nth(count - 1)?.0 + 1,
    };
    Some((line_start + error.column().saturating_sub(1)).min(source.len()))
}

/// A type's name without the paths in it: `Vec<Ticket>`.
pub(crate) fn type_name<T: ?Sized>() -> String {
    let mut short = String::new();
    let mut word = String::new();
    for character in std::any::type_name::<T>().chars() {
        match character {
            ':' => word.clear(),
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            other => {
                short.push_str(&word);
                word.clear();
                short.push(other);
            }
        }
    }
    short + &word
}
