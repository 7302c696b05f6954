//! The values of a document.

use std::fmt;

use serde::Serialize;

use super::{Document, Number, Pointer, Span};

/// The type of a JSON value. An integer is a number that is spelled without fraction
/// and exponent, and is not `-0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonType {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number that [is written as an integer](Number::is_written_as_integer): `-7`, not `7.0`.
    Integer,
    /// Another number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
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

/// Where a pointer leads: the value, and its key's span where it is an object's member.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Located<'d> {
    /// The value.
    pub node: Node<'d>,
    /// The key with its quotes, where the value is a member of an object.
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
        let Span { start, end } = self.span();
        write!(f, "{} at {start}..{end}", self.json_type())
    }
}

/// One member of an object.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Member<'d> {
    /// The key, decoded.
    pub key: &'d str,
    /// The key with its quotes.
    pub key_span: Span,
    /// The value.
    pub value: Node<'d>,
}

impl<'d> Node<'d> {
    pub(super) fn new(document: &'d Document<'d>, index: u32) -> Self {
        Self { document, index }
    }

    #[inline]
    fn first_byte(self) -> u8 {
        self.document.text.as_bytes()[self.document.entries[self.index as usize].start as usize]
    }

    /// The type of the value.
    #[must_use]
    #[inline]
    pub fn json_type(self) -> JsonType {
        match self.first_byte() {
            b'{' => JsonType::Object,
            b'[' => JsonType::Array,
            b'"' => JsonType::String,
            b't' | b'f' => JsonType::Boolean,
            b'n' => JsonType::Null,
            _ if Number::from_lexed(self.source()).is_written_as_integer() => JsonType::Integer,
            _ => JsonType::Number,
        }
    }

    /// Where the value stands in the text, with its brackets or quotes.
    #[must_use]
    #[inline]
    pub fn span(self) -> Span {
        self.document.span(self.index)
    }

    /// The value as the text spells it.
    #[must_use]
    pub fn source(self) -> &'d str {
        let span = self.span();
        &self.document.text[span.start..span.end]
    }

    /// Whether the value is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.first_byte() == b'n'
    }

    /// The boolean, where the value is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.first_byte() {
            b't' => Some(true),
            b'f' => Some(false),
            _ => None,
        }
    }

    /// The decoded string, where the value is one.
    #[must_use]
    #[inline]
    pub fn as_str(self) -> Option<&'d str> {
        (self.first_byte() == b'"').then(|| self.document.string(self.index))
    }

    /// The number, where the value is one.
    #[must_use]
    #[inline]
    pub fn as_number(self) -> Option<Number<'d>> {
        matches!(self.first_byte(), b'-' | b'0'..=b'9').then(|| Number::from_lexed(self.source()))
    }

    /// Number of elements of an array or members of an object (duplicate keys counted each), else 0.
    #[must_use]
    #[inline]
    pub fn len(self) -> usize {
        match self.first_byte() {
            b'{' | b'[' => self.document.entries[self.index as usize].extra as usize,
            _ => 0,
        }
    }

    /// Whether the value is an empty array or object, or no container at all.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The elements of an array; empty for other values.
    #[must_use]
    #[inline]
    pub fn elements(self) -> Elements<'d> {
        Elements { document: self.document, next: self.index + 1, left: self.len_if(b'[') }
    }

    /// The members of an object in the order of the text; empty for other values.
    #[must_use]
    #[inline]
    pub fn members(self) -> Members<'d> {
        Members { document: self.document, next: self.index + 1, left: self.len_if(b'{') }
    }

    #[inline]
    fn len_if(self, bracket: u8) -> u32 {
        if self.first_byte() == bracket { self.document.entries[self.index as usize].extra } else { 0 }
    }

    /// The member with this key; the last one where the key stands several times, as `serde_json`'s
    /// `Value` has it. Linear in small objects, by hash in large ones.
    #[must_use]
    pub fn member(self, key: &str) -> Option<Member<'d>> {
        if self.first_byte() != b'{' {
            return None;
        }
        self.document.find_key(self.index, key).map(|entry| self.document.member_at(entry))
    }

    /// The innermost value that holds the byte at an offset; of an object's member, also where its key
    /// does.
    pub(crate) fn innermost_at(self, offset: usize) -> Option<Self> {
        let holds = |node: &Self| (node.span().start..node.span().end).contains(&offset);
        let mut node = Some(self).filter(holds)?;
        loop {
            let child = match node.json_type() {
                JsonType::Array => node.elements().find(holds),
                JsonType::Object => node
                    .members()
                    .find(|member| (member.key_span.start..member.value.span().end).contains(&offset))
                    .map(|member| member.value),
                _ => None,
            };
            match child {
                Some(child) => node = child,
                None => return Some(node),
            }
        }
    }

    /// A number that no other value of the document has; stable, and less than [`Document::len`].
    #[must_use]
    pub fn id(self) -> usize {
        self.index as usize
    }

    /// Builds `serde_json`'s tree of the value: the last of duplicate keys wins, and numbers are what
    /// `serde_json` reads them as.
    #[must_use]
    pub fn to_value(self) -> serde_json::Value {
        super::value::build(self)
    }

    /// The value behind this one and all that it holds, in the order of the text.
    pub(super) fn entry_behind(self) -> u32 {
        self.document.behind(self.index)
    }
}

impl<'t> Document<'t> {
    #[inline]
    fn member_at(&self, key: u32) -> Member<'_> {
        Member { key: self.string(key), key_span: self.span(key), value: Node::new(self, key + 1) }
    }

    /// The value that the pointer leads to. `None` where it leads nowhere; of duplicate keys the last
    /// one is meant.
    ///
    /// ```
    /// use json_correctness::{Document, Limits, Pointer};
    /// let document = Document::parse(r#"{"a": [1, true]}"#, &Limits::default()).expect("well formed");
    /// let place = document.locate(&Pointer::root().key("a").index(1)).expect("there");
    /// assert_eq!((place.node.source(), place.key_span), ("true", None));
    /// ```
    #[must_use]
    pub fn locate(&self, pointer: &Pointer) -> Option<Located<'_>> {
        let mut located = Located { node: self.root(), key_span: None };
        for token in pointer.tokens() {
            located = match located.node.first_byte() {
                b'{' => {
                    let member = located.node.member(&token)?;
                    Located { node: member.value, key_span: Some(member.key_span) }
                }
                b'[' => {
                    let canonical = token == "0" || !token.starts_with(['0', '+']);
                    let index = token.parse::<usize>().ok().filter(|_| canonical)?;
                    Located { node: located.node.elements().nth(index)?, key_span: None }
                }
                _ => return None,
            };
        }
        Some(located)
    }
}

/// The elements of an array, in order.
#[derive(Clone, Debug)]
pub struct Elements<'d> {
    document: &'d Document<'d>,
    next: u32,
    left: u32,
}

impl<'d> Iterator for Elements<'d> {
    type Item = Node<'d>;

    #[inline]
    fn next(&mut self) -> Option<Node<'d>> {
        self.left = self.left.checked_sub(1)?;
        let node = Node::new(self.document, self.next);
        self.next = node.entry_behind();
        Some(node)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Elements<'_> {}

/// The members of an object, in order.
#[derive(Clone, Debug)]
pub struct Members<'d> {
    document: &'d Document<'d>,
    next: u32,
    left: u32,
}

impl<'d> Iterator for Members<'d> {
    type Item = Member<'d>;

    #[inline]
    fn next(&mut self) -> Option<Member<'d>> {
        self.left = self.left.checked_sub(1)?;
        let member = self.document.member_at(self.next);
        self.next = member.value.entry_behind();
        Some(member)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Members<'_> {}
