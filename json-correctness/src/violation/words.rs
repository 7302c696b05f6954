//! What a violation says: one sentence for each kind.

use std::fmt::Write as _;

use super::{Bound, Counted, ViolationKind};
use crate::text::{JsonType, Pointer};

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

impl ViolationKind {
    /// The sentence that says what is wrong with the value at `pointer`.
    pub(super) fn message(&self, pointer: &Pointer) -> String {
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
            Self::NotAllowed { found, .. } => {
                format!("{name} is {found}, which is none of the allowed values")
            }
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

    pub(super) fn default_suggestion(&self) -> Option<String> {
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
