//! An output parsed once: a flat arena whose keys and values carry spans.

use super::builder;
use super::keys::KeyIndex;
use super::{Limits, Node, Pointer, Slip, Span, SyntaxError, diagnose};

/// A text parsed as one RFC 8259 value, with the byte span of every key and value, the spelling of
/// its numbers and its duplicate keys kept.
///
/// It is a flat list of entries in the order of the text: building, walking and dropping it need no
/// recursion, and strings without escapes are borrowed from the text.
///
/// What is well formed is what `serde_json::from_slice::<serde_json::Value>` accepts, but for this:
///
/// - nesting up to [`Limits::max_depth`] is accepted, `serde_json`'s limit is always 127;
/// - a text over [`Limits::max_text_bytes`] is refused;
/// - whether a number overflows a 64-bit float is decided on the correctly rounded value.
///
/// ```
/// use json_correctness::{Document, Limits, Slip};
/// let limits = Limits::default();
/// let document = Document::parse(r#"{"total": 1.50}"#, &limits).expect("well formed");
/// let total = document.root().member("total").expect("the member");
/// assert_eq!((total.key_span.start, total.value.span().start), (1, 10));
/// assert_eq!(total.value.as_number().expect("a number").spelling(), "1.50");
///
/// let error = Document::parse("{'total': 1}", &limits).expect_err("not JSON");
/// assert_eq!((error.slip, error.span.start), (Slip::SingleQuotes, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Document<'t> {
    pub(super) text: &'t str,
    pub(super) entries: Vec<Entry>,
    /// The decoded strings, one behind the other.
    pub(super) buffer: String,
    /// Where in `buffer` each decoded string ends; the first is 0, an end before them all.
    pub(super) ends: Vec<u32>,
    pub(super) index: KeyIndex,
    pub(super) depth: usize,
    pub(super) duplicates: Vec<Duplicate>,
}

/// What the pointers of the duplicates may take together: a key can be as long as the text.
const MAX_POINTER_BYTES: usize = 4 << 20;

/// A value or a key, in the order of the text: a container is followed by what it holds, a key by
/// its value. The kind of a value is told by its first byte in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Of a container, the entry behind its last descendant; of another value, 0. Of a key, its
    /// fingerprint.
    pub(super) next: u32,
    /// Of a container, the number of elements or members. Of a string or key, its decoded form's
    /// place in `Document::ends`, 0 where the text is its form.
    pub(super) extra: u32,
}

/// A key that stands again in one object, also where it is spelled with escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicate {
    /// The member that both keys name.
    pub pointer: Pointer,
    /// The key, decoded.
    pub key: String,
    /// Where the key stands first, with its quotes.
    pub first: Span,
    /// Where it stands again, with its quotes. A key that stands three times makes two duplicates
    /// with the same `first`.
    pub second: Span,
}

impl<'t> Document<'t> {
    /// Parses the whole text as one RFC 8259 value.
    ///
    /// # Errors
    /// The first place where the text departs from RFC 8259 or leaves the limits.
    pub fn parse(text: &'t str, limits: &Limits) -> Result<Self, SyntaxError> {
        Self::parse_part(text, Span::new(0, text.len()), limits)
    }

    /// Parses a part of the text, such as [`Extraction::extract`](crate::Extraction::extract) found;
    /// spans are those of the whole text. A part that ends behind the text or inside a character is
    /// cut to the characters that it holds whole.
    ///
    /// # Errors
    /// The first place where the part departs from RFC 8259 or leaves the limits; the limit on bytes
    /// holds for the whole text.
    pub fn parse_part(text: &'t str, part: Span, limits: &Limits) -> Result<Self, SyntaxError> {
        if let Some(error) = too_large(text.len(), limits) {
            return Err(error);
        }
        let end = text.floor_boundary(part.end);
        let start = text.floor_boundary(part.start.min(end));
        let max_depth = limits.max_depth.min(Limits::MAX_DEPTH);
        match builder::build(text, start, end, max_depth) {
            Some(built) => {
                let mut document = Self {
                    text,
                    entries: built.entries,
                    buffer: built.buffer,
                    ends: built.ends,
                    index: built.index,
                    depth: built.depth,
                    duplicates: Vec::new(),
                };
                if !built.repeated.is_empty() {
                    document.name_duplicates(built.repeated, limits.max_violations.max(1));
                }
                Ok(document)
            }
            None => Err(diagnose::diagnose(text, Span::new(start, end), max_depth)),
        }
    }

    /// Parses bytes that may not be UTF-8.
    ///
    /// ```
    /// use json_correctness::{Document, Limits, Slip};
    /// let error = Document::from_slice(b"[\"\xE9\"]", &Limits::default()).expect_err("Latin-1");
    /// assert_eq!((error.slip, error.span.start), (Slip::NotUtf8, 2));
    /// ```
    ///
    /// # Errors
    /// [`Slip::NotUtf8`] at the first byte that is not, else as [`Document::parse`].
    pub fn from_slice(bytes: &'t [u8], limits: &Limits) -> Result<Self, SyntaxError> {
        if let Some(error) = too_large(bytes.len(), limits) {
            return Err(error);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text, limits),
            Err(error) => Err(diagnose::not_utf8(bytes, error)),
        }
    }

    /// The whole text, also where only a part of it was parsed.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }

    /// The keys that stand more than once in one object, in the order of the text; no more of them
    /// than [`Limits::max_violations`], and fewer where their pointers would take megabytes.
    #[must_use]
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// The deepest nesting of arrays and objects; 0 for a scalar.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Number of values and keys in the document; never 0.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a document always holds a value")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    fn name_duplicates(&mut self, mut repeated: Vec<(u32, u32)>, most: usize) {
        repeated.sort_unstable_by_key(|&(_, again)| again);
        repeated.truncate(most);
        let members: Vec<u32> = repeated.iter().map(|&(_, again)| again + 1).collect();
        let pointers = self.pointers(&members, MAX_POINTER_BYTES);
        self.duplicates = repeated
            .into_iter()
            .zip(pointers)
            .map(|((first, again), pointer)| Duplicate {
                pointer,
                key: self.string(again).to_owned(),
                first: self.span(first),
                second: self.span(again),
            })
            .collect();
    }

    pub(super) fn span(&self, index: u32) -> Span {
        let entry = self.entries[index as usize];
        Span::new(entry.start as usize, entry.end as usize)
    }

    /// The decoded form of the string or key.
    #[inline]
    pub(super) fn string(&self, index: u32) -> &str {
        string(self.text, &self.buffer, &self.ends, self.entries[index as usize])
    }
}

/// The decoded form of a string or key: borrowed where the text is that form.
#[inline]
pub(super) fn string<'a>(text: &'a str, buffer: &'a str, ends: &[u32], entry: Entry) -> &'a str {
    if entry.extra == 0 {
        return &text[entry.start as usize + 1..entry.end as usize - 1];
    }
    let at = entry.extra as usize;
    &buffer[ends[at - 1] as usize..ends[at] as usize]
}

pub(super) fn too_large(bytes: usize, limits: &Limits) -> Option<SyntaxError> {
    let most = limits.max_text_bytes.min(u32::MAX as usize);
    (bytes > most).then(|| {
        SyntaxError::new(
            Slip::TooLarge,
            Span::new(most, bytes),
            format!("it has {bytes} bytes, and {most} are allowed"),
        )
        .with_help("raise `Limits::max_text_bytes`, or ask the model for less")
    })
}

/// `str::floor_char_boundary`, which is younger than the oldest compiler that is supported.
pub(super) trait FloorBoundary {
    /// The last character boundary at or before the offset, and inside the text.
    fn floor_boundary(&self, offset: usize) -> usize;
}

impl FloorBoundary for str {
    fn floor_boundary(&self, offset: usize) -> usize {
        let mut at = offset.min(self.len());
        while !self.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
