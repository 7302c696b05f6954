//! An output parsed once: a flat tree whose keys and values carry spans.
#![expect(missing_docs, reason = "signatures only")]

use std::fmt;

use serde::Serialize;

use super::{Limits, Pointer, Span, SyntaxError};

/// The type of a JSON value. An integer is a number that is spelled without fraction and exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonType {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl JsonType {
    /// The type's name in JSON Schema.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
    pub(crate) fn with_article(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A parsed text.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
}

/// A key that stands a second time in one object.
#[derive(Clone, Debug)]
pub struct Duplicate {
    pub pointer: Pointer,
    pub key: String,
    pub first: Span,
    pub second: Span,
}

impl<'t> Document<'t> {
    /// Parses the whole text as one RFC 8259 value.
    pub fn parse(text: &'t str, limits: &Limits) -> Result<Self, SyntaxError> {
        let _ = limits;
        Ok(Self { text })
    }
    /// Parses a part of the text (bytes); spans are those of the whole text.
    pub fn parse_part(text: &'t str, part: Span, limits: &Limits) -> Result<Self, SyntaxError> {
        let _ = part;
        Self::parse(text, limits)
    }
    pub fn text(&self) -> &'t str {
        self.text
    }
    pub fn root(&self) -> Node<'_> {
        unimplemented!()
    }
    pub fn duplicates(&self) -> &[Duplicate] {
        &[]
    }
    /// Number of values and keys in the document.
    pub fn len(&self) -> usize {
        0
    }
    pub fn locate(&self, pointer: &Pointer) -> Option<Located<'_>> {
        let _ = pointer;
        None
    }
}

/// Where a pointer leads: the value, and its key's span where it is an object's member.
#[derive(Clone, Copy, Debug)]
pub struct Located<'d> {
    pub node: Node<'d>,
    pub key_span: Option<Span>,
}

/// One value of a document. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document<'d>,
    index: u32,
}
impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({})", self.index)
    }
}

/// One member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member<'d> {
    pub key: &'d str,
    pub key_span: Span,
    pub value: Node<'d>,
}

impl<'d> Node<'d> {
    pub fn json_type(self) -> JsonType {
        unimplemented!()
    }
    pub fn span(self) -> Span {
        unimplemented!()
    }
    /// The value as the text spells it.
    pub fn source(self) -> &'d str {
        let s = self.span();
        &self.document.text[s.start..s.end]
    }
    pub fn as_bool(self) -> Option<bool> {
        unimplemented!()
    }
    pub fn as_str(self) -> Option<&'d str> {
        unimplemented!()
    }
    pub fn as_number(self) -> Option<Number<'d>> {
        unimplemented!()
    }
    /// Number of elements of an array or members of an object, else 0.
    pub fn len(self) -> usize {
        unimplemented!()
    }
    /// The elements of an array; empty for other values.
    pub fn elements(self) -> Elements<'d> {
        unimplemented!()
    }
    /// The members of an object in the order of the text; empty for other values.
    pub fn members(self) -> Members<'d> {
        unimplemented!()
    }
    /// The member with this key; the last one where the key stands several times (as serde_json's Value has it).
    pub fn member(self, key: &str) -> Option<Member<'d>> {
        let _ = key;
        unimplemented!()
    }
    /// A number that no other value of the document has; stable, and less than Document::len().
    pub fn id(self) -> usize {
        self.index as usize
    }
    /// Builds serde_json's tree of the value (the last of duplicate keys wins).
    pub fn to_value(self) -> serde_json::Value {
        unimplemented!()
    }
}

#[derive(Clone, Debug)]
pub struct Elements<'d> {
    document: &'d Document<'d>,
    next: u32,
    end: u32,
}
impl<'d> Iterator for Elements<'d> {
    type Item = Node<'d>;
    fn next(&mut self) -> Option<Node<'d>> {
        let _ = (self.next, self.end, self.document);
        unimplemented!()
    }
}
#[derive(Clone, Debug)]
pub struct Members<'d> {
    document: &'d Document<'d>,
    next: u32,
    end: u32,
}
impl<'d> Iterator for Members<'d> {
    type Item = Member<'d>;
    fn next(&mut self) -> Option<Member<'d>> {
        let _ = (self.next, self.end, self.document);
        unimplemented!()
    }
}

/// A number as the text spells it.
#[derive(Clone, Copy, Debug)]
pub struct Number<'d> {
    spelling: &'d str,
}
impl<'d> Number<'d> {
    pub fn spelling(self) -> &'d str {
        self.spelling
    }
    /// Spelled without fraction and exponent, and not `-0`: what serde takes for an integer.
    pub fn is_written_as_integer(self) -> bool {
        unimplemented!()
    }
    /// Whether the mathematical value is an integer (1.0, 1e2).
    pub fn is_integer(self) -> bool {
        unimplemented!()
    }
    pub fn as_u64(self) -> Option<u64> {
        unimplemented!()
    }
    pub fn as_i64(self) -> Option<i64> {
        unimplemented!()
    }
    pub fn as_f64(self) -> f64 {
        unimplemented!()
    }
    /// Compares the exact mathematical values of two spellings; no rounding, cost linear in their lengths.
    pub fn compare(self, other: Number<'_>) -> std::cmp::Ordering {
        let _ = other;
        unimplemented!()
    }
}
