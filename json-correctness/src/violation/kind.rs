//! The kinds of violations, their operands and their codes.

use serde::Serialize;

use crate::text::{JsonType, Slip};

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

    /// The name of the kind in results and reports, such as `misspelt_field`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotJson { .. } => "not_json",
            Self::MissingField { .. } => "missing_field",
            Self::MisspeltField { .. } => "misspelt_field",
            Self::UnknownField { .. } => "unknown_field",
            Self::DuplicateKey { .. } => "duplicate_key",
            Self::InvalidKey { .. } => "invalid_key",
            Self::DependentField { .. } => "dependent_field",
            Self::WrongType { .. } => "wrong_type",
            Self::NotAllowed { .. } => "not_allowed",
            Self::OutOfRange { .. } => "out_of_range",
            Self::NotMultipleOf { .. } => "not_multiple_of",
            Self::Count { .. } => "count",
            Self::Pattern { .. } => "pattern",
            Self::Format { .. } => "format",
            Self::Content { .. } => "content",
            Self::NotUnique { .. } => "not_unique",
            Self::NoBranch { .. } => "no_branch",
            Self::SeveralBranches { .. } => "several_branches",
            Self::Forbidden { .. } => "forbidden",
            Self::Unexplained => "unexplained",
            Self::RefusedByType { .. } => "refused_by_type",
            Self::TypePanicked { .. } => "type_panicked",
            Self::Undecided { .. } => "undecided",
            Self::Truncated { .. } => "truncated",
        }
    }
}
