//! Where something stands in a text.

use serde::Serialize;

/// A half-open range of byte offsets in the text that was judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` to `end`, in bytes; `end` is never less than `start`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span holds no byte: a place between two characters.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A place in a text as people count it: both numbers start at 1, and a column is one Unicode
/// scalar value, not one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Position {
    /// 1-based line; lines end at `\n`.
    pub line: usize,
    /// 1-based column, in Unicode scalar values.
    pub column: usize,
}

impl Default for Position {
    fn default() -> Self {
        Self { line: 1, column: 1 }
    }
}

impl Position {
    /// The position of a byte offset in a text. An offset inside a character or behind the end
    /// counts as the nearest character boundary before it.
    ///
    /// ```
    /// use json_correctness::Position;
    /// let position = Position::of("{\n  \"é\": 1}", 9);
    /// assert_eq!((position.line, position.column), (2, 7));
    /// ```
    #[must_use]
    pub fn of(text: &str, offset: usize) -> Self {
        Self::default().advanced(text, 0, offset)
    }

    /// The position of `offset`, when `self` is the position of `from`: many ordered offsets of one
    /// text are found in one pass.
    pub(crate) fn advanced(self, text: &str, from: usize, offset: usize) -> Self {
        let mut to = offset.min(text.len());
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        if to <= from {
            return self;
        }
        let passed = &text.as_bytes()[from..to];
        let newlines = passed.iter().filter(|&&byte| byte == b'\n').count();
        let line_start = passed.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        // Continuation bytes are not counted: a column is a scalar value.
        let scalars = passed[line_start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        if newlines == 0 {
            Self { line: self.line, column: self.column + scalars }
        } else {
            Self { line: self.line + newlines, column: 1 + scalars }
        }
    }
}
