//! What is wrong with an output, as data.

use std::fmt::{self, Write as _};

use serde::Serialize;

use crate::text::{JsonType, Pointer, Position, Slip, Span};

/// Which side of a range was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Bound {
    /// Not less than the limit.
    Minimum,
    /// Not more than the limit.
    Maximum,
    /// More than the limit.
    ExclusiveMinimum,
    /// Less than the limit.
    ExclusiveMaximum,
}

impl Bound {
    /// The relation that the value had to hold to the limit, in words.
    pub(crate) fn relation(self) -> &'static str {
        match self {
            Self::Minimum => "at least",
            Self::Maximum => "at most",
            Self::ExclusiveMinimum => "more than",
            Self::ExclusiveMaximum => "less than",
        }
    }

    fn side(self) -> &'static str {
        match self {
            Self::Minimum => "below the minimum of",
            Self::Maximum => "above the maximum of",
            Self::ExclusiveMinimum => "not above the exclusive minimum of",
            Self::ExclusiveMaximum => "not below the exclusive maximum of",
        }
    }
}

/// What is counted by a count constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Counted {
    /// Unicode scalar values of a string.
    Characters,
    /// Elements of an array.
    Items,
    /// Members of an object.
    Fields,
    /// Elements of an array that match the `contains` schema.
    MatchingItems,
}

impl Counted {
    fn noun(self, count: u64) -> &'static str {
        match (self, count) {
            (Self::Characters, 1) => "character",
            (Self::Characters, _) => "characters",
            (Self::Items, 1) => "item",
            (Self::Items, _) => "items",
            (Self::Fields, 1) => "field",
            (Self::Fields, _) => "fields",
            (Self::MatchingItems, 1) => "matching item",
            (Self::MatchingItems, _) => "matching items",
        }
    }
}

/// The kind of a violation, with its operands.
///
/// Operands named `found` and `allowed` are JSON texts, shortened where they are long; they and every
/// key come from the model and are untrusted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ViolationKind {
    /// The text is not one JSON value.
    NotJson {
        /// What kind of slip it is.
        slip: Slip,
        /// What was expected or found there.
        detail: String,
    },
    /// A required field is missing.
    MissingField {
        /// The missing field.
        field: String,
    },
    /// A required or optional field is missing and a similar key stands in its place.
    MisspeltField {
        /// The field that was expected.
        field: String,
        /// The key that stands in its place.
        found: String,
        /// Whether the field is required.
        required: bool,
    },
    /// A field that the schema does not know, where it allows no others.
    UnknownField {
        /// The unknown key.
        field: String,
        /// The keys that the schema knows.
        known: Vec<String>,
    },
    /// A key stands twice in one object, or a field's name beside its alias.
    DuplicateKey {
        /// The key as it stands the second time.
        key: String,
        /// The key as it stands the first time; differs from `key` for an alias.
        first: String,
    },
    /// The value has another type than the schema asks for.
    WrongType {
        /// The types that the schema allows.
        expected: Vec<JsonType>,
        /// The type of the value.
        found: JsonType,
    },
    /// The value is none of the allowed ones (`enum`, `const`).
    NotAllowed {
        /// The value.
        found: String,
        /// The allowed values.
        allowed: Vec<String>,
    },
    /// A number outside its range.
    OutOfRange {
        /// Which bound is broken.
        bound: Bound,
        /// The limit, as the schema spells it.
        limit: String,
        /// The number, as the text spells it.
        found: String,
    },
    /// A number that is no multiple of the divisor.
    NotMultipleOf {
        /// The divisor, as the schema spells it.
        divisor: String,
        /// The number, as the text spells it.
        found: String,
    },
    /// A string, array or object with too few or too many characters, items or fields.
    Count {
        /// What is counted.
        counted: Counted,
        /// Which bound is broken.
        bound: Bound,
        /// The limit.
        limit: u64,
        /// The count.
        found: u64,
    },
    /// A string that does not match the pattern.
    Pattern {
        /// The regular expression.
        pattern: String,
        /// The string.
        found: String,
    },
    /// A string that does not have the format.
    Format {
        /// The name of the format.
        format: String,
        /// The string.
        found: String,
    },
    /// A string whose content is not encoded as, or not of the media type, that the schema names.
    Content {
        /// The encoding or media type.
        expected: String,
    },
    /// An array with two equal elements.
    NotUnique {
        /// Index of the first of the equal elements.
        first: usize,
        /// Index of the second.
        second: usize,
    },
    /// A key that the schema does not allow as a key.
    InvalidKey {
        /// The key.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A field that must be present because another one is.
    DependentField {
        /// The missing field.
        field: String,
        /// The field that asks for it.
        because: String,
    },
    /// None of the alternatives (`anyOf`, `oneOf`) fits, and none is clearly meant.
    NoBranch {
        /// The alternatives, in short.
        branches: Vec<String>,
    },
    /// More than one alternative of a `oneOf` fits.
    SeveralBranches {
        /// The alternatives that fit, in short.
        fitting: Vec<String>,
    },
    /// A value that the schema forbids (`not`, `false`).
    Forbidden {
        /// What is forbidden, in short.
        forbidden: String,
    },
    /// The schema refuses the value, and the search for the reason found no closer one.
    Unexplained,
    /// The schema accepts the text, and the type refuses it.
    RefusedByType {
        /// The type.
        type_name: String,
        /// What the deserializer said.
        message: String,
    },
    /// The type's own code panicked on the text.
    TypePanicked {
        /// The type.
        type_name: String,
        /// The panic's message.
        message: String,
    },
    /// A pattern that needs backtracking was not run on a string of this length, or gave up on it.
    Undecided {
        /// The regular expression.
        pattern: String,
        /// The string's length in bytes.
        bytes: usize,
    },
    /// There are more violations than are reported, or the search for them was cut short.
    Truncated {
        /// How many are reported.
        reported: usize,
    },
}

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

impl ViolationKind {
    /// The stable code of the kind. A code never changes its meaning.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotJson { slip, .. } => slip.code(),
            Self::MissingField { .. } => "JC0101",
            Self::MisspeltField { .. } => "JC0102",
            Self::UnknownField { .. } => "JC0103",
            Self::DuplicateKey { .. } => "JC0104",
            Self::InvalidKey { .. } => "JC0105",
            Self::DependentField { .. } => "JC0106",
            Self::WrongType { .. } => "JC0201",
            Self::NotAllowed { .. } => "JC0202",
            Self::OutOfRange { .. } => "JC0203",
            Self::NotMultipleOf { .. } => "JC0204",
            Self::Count { .. } => "JC0205",
            Self::Pattern { .. } => "JC0206",
            Self::Format { .. } => "JC0207",
            Self::Content { .. } => "JC0208",
            Self::NotUnique { .. } => "JC0209",
            Self::NoBranch { .. } => "JC0301",
            Self::SeveralBranches { .. } => "JC0302",
            Self::Forbidden { .. } => "JC0303",
            Self::Unexplained => "JC0304",
            Self::RefusedByType { .. } => "JC0401",
            Self::TypePanicked { .. } => "JC0402",
            Self::Undecided { .. } => "JC0503",
            Self::Truncated { .. } => "JC0504",
        }
    }

    /// The sentence that says what is wrong with the value at `pointer`.
    fn message(&self, pointer: &Pointer) -> String {
        let name = subject(pointer);
        match self {
            Self::NotJson { slip, detail } if detail.is_empty() => slip.summary().to_owned(),
            Self::NotJson { slip, detail } => format!("{}: {detail}", slip.summary()),
            Self::MissingField { field } => format!("required field `{field}` is missing"),
            Self::MisspeltField { field, found, required: true } => {
                format!("required field `{field}` is missing; `{found}` is present instead")
            }
            Self::MisspeltField { field, found, required: false } => {
                format!("unknown field `{found}`; the schema knows `{field}`")
            }
            Self::UnknownField { field, .. } => format!("unknown field `{field}`"),
            Self::DuplicateKey { key, first } if key == first => format!("key `{key}` is written twice"),
            Self::DuplicateKey { key, first } => {
                format!("`{key}` and `{first}` are two names of one field, and both are written")
            }
            Self::InvalidKey { key, reason } => format!("`{key}` is not allowed as a key: {reason}"),
            Self::DependentField { field, because } => {
                format!("field `{field}` is missing, which `{because}` asks for")
            }
            Self::WrongType { expected, found } => {
                format!("{name} must be {}, found {}", one_of_types(expected), found.with_article())
            }
            Self::NotAllowed { found, allowed } if allowed.len() == 1 => {
                format!("{name} must be {}, found {found}", allowed[0])
            }
            Self::NotAllowed { found, .. } => format!("{name} has the value {found}, which is not allowed"),
            Self::OutOfRange { bound, limit, found } => {
                format!("{name} is {found}, {} {limit}", bound.side())
            }
            Self::NotMultipleOf { divisor, found } => {
                format!("{name} is {found}, which is not a multiple of {divisor}")
            }
            Self::Count { counted, bound, limit, found } => format!(
                "{name} must have {} {limit} {}, found {found}",
                bound.relation(),
                counted.noun(*limit),
            ),
            Self::Pattern { pattern, found } => {
                format!("{name} does not match the pattern `{pattern}`: {found}")
            }
            Self::Format { format, found } => format!("{name} is not a valid {format}: {found}"),
            Self::Content { expected } => format!("the content of {name} is not {expected}"),
            Self::NotUnique { first, second } => {
                format!("the items of {name} must be unique: items {first} and {second} are equal")
            }
            Self::NoBranch { branches } => {
                format!("{name} fits none of the allowed forms: {}", branches.join("; "))
            }
            Self::SeveralBranches { fitting } => {
                format!("{name} fits more than one form where exactly one must fit: {}", fitting.join("; "))
            }
            Self::Forbidden { forbidden } if forbidden.is_empty() => format!("{name} is not allowed here"),
            Self::Forbidden { forbidden } => format!("{name} is not allowed: it must not be {forbidden}"),
            Self::Unexplained => format!("the schema refuses {name}"),
            Self::RefusedByType { type_name, message } => {
                format!("`{type_name}` refuses {name}: {message}")
            }
            Self::TypePanicked { type_name, message } => {
                format!("`{type_name}` panicked while it was deserialized: {message}")
            }
            Self::Undecided { pattern, bytes } => {
                format!("{name} could not be judged by the pattern `{pattern}`: it has {bytes} bytes")
            }
            Self::Truncated { reported } => {
                format!("there may be more violations than the {reported} that are reported")
            }
        }
    }

    fn default_suggestion(&self) -> Option<String> {
        match self {
            Self::MisspeltField { field, .. } => Some(format!("did you mean `{field}`?")),
            Self::DuplicateKey { .. } => Some("remove one of the two".to_owned()),
            _ => None,
        }
    }
}

/// What a message calls the value at a pointer: its key, and for elements the indices behind it.
fn subject(pointer: &Pointer) -> String {
    let tokens: Vec<String> = pointer.tokens().collect();
    let is_index = |token: &String| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    let indices = tokens.iter().rev().take_while(|token| is_index(token)).count();
    let (path, indices) = tokens.split_at(tokens.len() - indices);
    if path.is_empty() && indices.is_empty() {
        return "the value".to_owned();
    }
    let mut name = format!("`{}", path.last().map_or("", String::as_str));
    for index in indices {
        let _ = write!(name, "[{index}]");
    }
    name.push('`');
    name
}

fn one_of_types(types: &[JsonType]) -> String {
    let mut text = String::new();
    for (index, json_type) in types.iter().enumerate() {
        let separator = match index {
            0 => "",
            _ if index + 1 == types.len() => " or ",
            _ => ", ",
        };
        let _ = write!(text, "{separator}{}", json_type.with_article());
    }
    text
}
