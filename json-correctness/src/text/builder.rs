//! The fast pass: builds the arena of a well-formed text, and says no more than "no" of another.

use super::document::Entry;
use super::keys::{KeyIndex, fingerprint};
use super::lexer::{escape, number, plain_run, skip_whitespace};

/// The parts of a document.
pub(super) struct Built {
    pub(super) entries: Vec<Entry>,
    pub(super) buffer: String,
    pub(super) ends: Vec<u32>,
    pub(super) index: KeyIndex,
    /// Keys that stand again: the first one's entry and the later one's.
    pub(super) repeated: Vec<(u32, u32)>,
    /// The deepest nesting of arrays and objects.
    pub(super) depth: usize,
}

struct Builder<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    built: Built,
}

/// Parses `text[start..end]`, which must be cut at character boundaries and less than 4 GiB long.
/// `None` where it is not one well-formed value, or is nested more than `max_depth` deep.
pub(super) fn build(text: &str, start: usize, end: usize, max_depth: usize) -> Option<Built> {
    let bytes = &text.as_bytes()[..end];
    let built = Built {
        // About one entry in 10 bytes of compact text; too low a guess costs one more allocation.
        entries: Vec::with_capacity(((end - start) / 9).clamp(4, 1 << 16)),
        buffer: String::new(),
        ends: Vec::new(),
        index: KeyIndex::default(),
        repeated: Vec::new(),
        depth: 0,
    };
    let mut builder = Builder { text, bytes, at: start, built };
    builder.value(max_depth)?;
    (skip_whitespace(bytes, builder.at) == end).then_some(builder.built)
}

impl Builder<'_> {
    /// Parses one value, however deep, in one loop: the way back from a container stands in the
    /// container's own entry until it is closed.
    fn value(&mut self, max_depth: usize) -> Option<()> {
        const NO_PARENT: u32 = u32::MAX;
        let mut open = NO_PARENT;
        let mut depth = 0;
        loop {
            self.at = skip_whitespace(self.bytes, self.at);
            match *self.bytes.get(self.at)? {
                b'"' => self.string()?,
                bracket @ (b'{' | b'[') => {
                    depth += 1;
                    if depth > max_depth {
                        return None;
                    }
                    self.built.depth = self.built.depth.max(depth);
                    let container = self.built.entries.len() as u32;
                    self.push(self.at, 0, open);
                    open = container;
                    self.at = skip_whitespace(self.bytes, self.at + 1);
                    // `]` and `}` stand two behind their opening bracket in ASCII.
                    if self.bytes.get(self.at) != Some(&(bracket + 2)) {
                        if bracket == b'{' {
                            self.key()?;
                        }
                        self.built.entries[container as usize].extra = 1;
                        continue;
                    }
                }
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => self.number()?,
            }
            // A value is complete, or an empty container stands before its closing bracket.
            loop {
                if open == NO_PARENT {
                    return Some(());
                }
                let container = open as usize;
                let entry = self.built.entries[container];
                let object = self.bytes[entry.start as usize] == b'{';
                self.at = skip_whitespace(self.bytes, self.at);
                match *self.bytes.get(self.at)? {
                    b',' => {
                        self.built.entries[container].extra += 1;
                        self.at += 1;
                        if object {
                            self.at = skip_whitespace(self.bytes, self.at);
                            self.key()?;
                        }
                        break;
                    }
                    b'}' if object => {}
                    b']' if !object => {}
                    _ => return None,
                }
                self.at += 1;
                depth -= 1;
                let next = self.built.entries.len() as u32;
                self.built.entries[container] =
                    Entry { start: entry.start, end: self.at as u32, next, extra: entry.extra };
                if object && entry.extra > 1 {
                    self.close_object(open);
                }
                open = entry.next;
            }
        }
    }

    #[inline]
    fn push(&mut self, start: usize, end: usize, next: u32) {
        self.built.entries.push(Entry { start: start as u32, end: end as u32, next, extra: 0 });
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        let start = self.at;
        self.at += word.len();
        if self.bytes.get(start..self.at)? != word {
            return None;
        }
        self.push(start, self.at, 0);
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let start = self.at;
        self.at = number(self.bytes, start)?.end;
        self.push(start, self.at, 0);
        Some(())
    }

    fn key(&mut self) -> Option<()> {
        if self.bytes.get(self.at) != Some(&b'"') {
            return None;
        }
        self.string()?;
        let key = self.built.entries.len() - 1;
        let entry = self.built.entries[key];
        let content = if entry.extra == 0 {
            &self.bytes[entry.start as usize + 1..entry.end as usize - 1]
        } else {
            let end = entry.extra as usize;
            &self.built.buffer.as_bytes()[self.built.ends[end - 1] as usize..self.built.ends[end] as usize]
        };
        self.built.entries[key].next = fingerprint(content);
        self.at = skip_whitespace(self.bytes, self.at);
        if self.bytes.get(self.at) != Some(&b':') {
            return None;
        }
        self.at += 1;
        Some(())
    }

    #[inline]
    fn string(&mut self) -> Option<()> {
        let start = self.at;
        let end = plain_run(self.bytes, start + 1);
        match *self.bytes.get(end)? {
            b'"' => {
                self.at = end + 1;
                self.push(start, self.at, 0);
                Some(())
            }
            b'\\' => self.string_with_escapes(start, end),
            _ => None,
        }
    }

    /// The string at `start`, whose first escape stands at `at`: decoded into the buffer.
    fn string_with_escapes(&mut self, start: usize, mut at: usize) -> Option<()> {
        let mut copied = start + 1;
        if self.built.buffer.capacity() == 0 {
            self.built.buffer.reserve(256);
        }
        loop {
            let stop = self.bytes.get(at)?;
            self.built.buffer.push_str(&self.text[copied..at]);
            match stop {
                b'"' => break,
                b'\\' => {
                    let (character, end) = escape(self.bytes, at)?;
                    self.built.buffer.push(character);
                    copied = end;
                    at = plain_run(self.bytes, end);
                }
                _ => return None,
            }
        }
        self.at = at + 1;
        if self.built.ends.is_empty() {
            self.built.ends.reserve(16);
            self.built.ends.push(0);
        }
        let extra = self.built.ends.len() as u32;
        self.built.ends.push(self.built.buffer.len() as u32);
        self.built.entries.push(Entry { start: start as u32, end: self.at as u32, next: 0, extra });
        Some(())
    }

    fn close_object(&mut self, object: u32) {
        let Built { entries, buffer, ends, index, repeated, .. } = &mut self.built;
        index.close(object, self.text, entries, buffer, ends, repeated);
    }
}
