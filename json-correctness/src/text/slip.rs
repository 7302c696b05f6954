//! What makes a text no JSON: the usual slips of a model, each with its own name.

use serde::Serialize;

use super::Span;

/// Why a text is not one JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Slip {
    /// The text is empty or holds only white space.
    Empty,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The text starts with a byte order mark.
    ByteOrderMark,
    /// A string or key in single quotes or backticks.
    SingleQuotes,
    /// A string or key in typographic quotes.
    CurlyQuotes,
    /// A key without quotes.
    UnquotedKey,
    /// A comma before a closing bracket.
    TrailingComma,
    /// Two values or members without a comma between them.
    MissingComma,
    /// A key without a colon behind it.
    MissingColon,
    /// A key without a value.
    MissingValue,
    /// A comma, colon or closing bracket where a value or key should be.
    Unexpected,
    /// Python's `True`, `False` or `None`.
    PythonLiteral,
    /// `undefined`, `nil`, `TRUE` or another word that is no JSON literal.
    UnknownWord,
    /// `NaN`, `Infinity` or `-Infinity`.
    NotFinite,
    /// A comment.
    Comment,
    /// The text ends inside a string, array or object.
    CutOff,
    /// A bracket is closed by one of another kind.
    MismatchedBracket,
    /// Text stands before the JSON value.
    TextBefore,
    /// Text stands behind the JSON value.
    TextAfter,
    /// The value is wrapped in a Markdown code fence.
    Fenced,
    /// An escape that JSON does not know.
    InvalidEscape,
    /// A `\u` escape of half a surrogate pair.
    LoneSurrogate,
    /// A control character inside a string, not escaped.
    ControlCharacter,
    /// A number in a form that JSON does not know: `+1`, `01`, `.5`, `1.`, `0x1F`, `1_000`.
    InvalidNumber,
    /// A number too large for a 64-bit float.
    NumberOutOfRange,
    /// An invisible character (no-break space, zero-width space, …) outside a string.
    InvisibleCharacter,
    /// More nesting than [`Limits::max_depth`](crate::Limits).
    TooDeep,
    /// More bytes than [`Limits::max_text_bytes`](crate::Limits).
    TooLarge,
    /// The text holds no JSON at all: a refusal, or an answer in prose.
    NoJson,
    /// More than one JSON value, one behind the other, such as JSON Lines.
    SeveralValues,
    /// A double quote inside a string without a backslash before it.
    UnescapedQuote,
    /// A string whose closing quote is missing, where the text goes on.
    UnclosedString,
    /// Extraction was asked for and found nothing to extract.
    NothingToExtract,
    /// Extraction was asked for and found more than one candidate.
    SeveralCandidates,
}

/// The first place where a text departs from RFC 8259, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxError {
    /// What kind of slip it is.
    pub slip: Slip,
    /// Where it stands.
    pub span: Span,
    /// What was expected there, or what was found: one clause without a full stop. Characters of
    /// the text in it are untrusted.
    pub detail: String,
    /// How to mend it.
    pub help: Option<String>,
}

impl SyntaxError {
    pub(crate) fn new(slip: Slip, span: Span, detail: impl Into<String>) -> Self {
        Self { slip, span, detail: detail.into(), help: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl Slip {
    /// The stable code of the slip. A code never changes its meaning.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "JC0001",
            Self::NotUtf8 => "JC0002",
            Self::ByteOrderMark => "JC0003",
            Self::SingleQuotes => "JC0004",
            Self::CurlyQuotes => "JC0005",
            Self::UnquotedKey => "JC0006",
            Self::TrailingComma => "JC0007",
            Self::MissingComma => "JC0008",
            Self::MissingColon => "JC0009",
            Self::MissingValue => "JC0010",
            Self::Unexpected => "JC0011",
            Self::PythonLiteral => "JC0012",
            Self::UnknownWord => "JC0013",
            Self::NotFinite => "JC0014",
            Self::Comment => "JC0015",
            Self::CutOff => "JC0016",
            Self::MismatchedBracket => "JC0017",
            Self::TextBefore => "JC0018",
            Self::TextAfter => "JC0019",
            Self::Fenced => "JC0020",
            Self::InvalidEscape => "JC0021",
            Self::LoneSurrogate => "JC0022",
            Self::ControlCharacter => "JC0023",
            Self::InvalidNumber => "JC0024",
            Self::NumberOutOfRange => "JC0025",
            Self::InvisibleCharacter => "JC0026",
            Self::NoJson => "JC0027",
            Self::SeveralValues => "JC0028",
            Self::UnescapedQuote => "JC0029",
            Self::UnclosedString => "JC0030",
            Self::NothingToExtract => "JC0031",
            Self::SeveralCandidates => "JC0032",
            Self::TooLarge => "JC0501",
            Self::TooDeep => "JC0502",
        }
    }

    /// What the slip is, as the head of a sentence.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Empty => "the output is empty",
            Self::NotUtf8 => "the output is not UTF-8",
            Self::ByteOrderMark => "the output starts with a byte order mark",
            Self::SingleQuotes => "JSON needs double quotes",
            Self::CurlyQuotes => "JSON needs straight double quotes",
            Self::UnquotedKey => "JSON needs double quotes around a key",
            Self::TrailingComma => "JSON allows no comma before a closing bracket",
            Self::MissingComma => "a comma is missing",
            Self::MissingColon => "a colon is missing",
            Self::MissingValue => "a value is missing",
            Self::Unexpected => "this is not JSON",
            Self::PythonLiteral => "JSON does not know Python's literals",
            Self::UnknownWord => "JSON does not know this word",
            Self::NotFinite => "JSON has no NaN and no infinity",
            Self::Comment => "JSON allows no comments",
            Self::CutOff => "the output is cut off",
            Self::MismatchedBracket => "a bracket is closed by one of another kind",
            Self::TextBefore => "text stands before the JSON value",
            Self::TextAfter => "text stands behind the JSON value",
            Self::Fenced => "the JSON is wrapped in a code fence",
            Self::InvalidEscape => "JSON does not know this escape",
            Self::LoneSurrogate => "half of a surrogate pair is escaped",
            Self::ControlCharacter => "a control character in a string must be escaped",
            Self::InvalidNumber => "this is not a JSON number",
            Self::NumberOutOfRange => "the number is out of range",
            Self::InvisibleCharacter => "an invisible character stands outside a string",
            Self::NoJson => "the output is not JSON",
            Self::SeveralValues => "the output holds more than one JSON value",
            Self::UnescapedQuote => "a double quote inside a string must be escaped",
            Self::UnclosedString => "a string is not closed",
            Self::TooDeep => "the output is nested too deeply",
            Self::TooLarge => "the output is too large",
            Self::NothingToExtract => "there is no JSON to extract",
            Self::SeveralCandidates => "there is more than one JSON value to extract",
        }
    }
}
