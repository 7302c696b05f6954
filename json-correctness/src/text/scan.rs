//! Reads JSON without keeping anything of it: the cheapest way over a text that is expected to be
//! right. It says "well formed", or nothing at all: `None` is no verdict, and the text goes to
//! [`Document::parse`](super::Document::parse), which says what is wrong.

use std::ops::Range;

use super::expected::Expected;
use super::keys::fingerprint;
use super::lexer::{self, escape, plain_run, skip_whitespace};
use super::{Limits, Number, Span, skip};

/// From this many keys on, an object's keys are told apart by sorting them.
const MANY: usize = 32;

/// Whether a part of a text is one well-formed value within the limits on depth and size: just where
/// [`Document::parse_part`](super::Document::parse_part) has no fault to tell.
pub(crate) fn is_well_formed(text: &str, part: Span, limits: &Limits) -> bool {
    Scanner::new(text, part, limits).is_some_and(|mut scan| scan.skip().is_some() && scan.is_at_end())
}

/// A place in a text, moved forward token by token.
#[derive(Debug)]
pub(crate) struct Scanner<'t> {
    text: &'t str,
    /// The text up to the end of the part that is read.
    bytes: &'t [u8],
    at: usize,
    /// How many more arrays and objects may be opened.
    depth: usize,
    /// The keys of the open objects that are compared with one another.
    keys: Vec<Key>,
}

/// What a string or key is written as, without its quotes. Small enough to stay in registers: through
/// memory it costs more than to find it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quoted {
    start: u32,
    end: u32,
    pub(crate) escaped: bool,
}

impl Quoted {
    #[inline]
    fn new(start: usize, end: usize, escaped: bool) -> Self {
        Self { start: start as u32, end: end as u32, escaped }
    }

    #[inline]
    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A number as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numeral<'t> {
    pub(crate) number: Number<'t>,
    /// Written without fraction and exponent, and not `-0`.
    pub(crate) integer: bool,
}

/// A place to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    at: usize,
    depth: usize,
    keys: usize,
}

#[derive(Clone, Copy, Debug)]
struct Key {
    print: u32,
    start: u32,
    end: u32,
}

/// The keys of one object, from a place in [`Scanner::keys`] on.
#[derive(Debug)]
pub(crate) struct Keys {
    from: usize,
    /// A bit for each fingerprint that was seen.
    seen: u64,
}

/// Powers of ten that a float holds exactly.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

impl Numeral<'_> {
    /// The nearest float.
    pub(crate) fn near(&self) -> f64 {
        self.short().unwrap_or_else(|| self.number.as_f64())
    }

    /// The nearest float of a number of up to 15 digits without exponent: both the digits and the power
    /// of ten are exact, so their quotient is rounded once.
    fn short(&self) -> Option<f64> {
        let spelling = self.number.spelling().as_bytes();
        let (negative, digits) = match spelling {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        if digits.len() > 16 {
            return None;
        }
        let (mut mantissa, mut point) = (0_u64, digits.len() - 1);
        for (at, &byte) in digits.iter().enumerate() {
            match byte {
                b'.' => point = at,
                b'0'..=b'9' => mantissa = mantissa * 10 + u64::from(byte - b'0'),
                _ => return None,
            }
        }
        if mantissa >= 1_000_000_000_000_000 {
            return None;
        }
        let value = mantissa as f64 / POWERS.get(digits.len() - 1 - point)?;
        Some(if negative { -value } else { value })
    }
}

impl<'t> Scanner<'t> {
    /// `None` where the text is too large, or the part is not cut at characters.
    pub(crate) fn new(text: &'t str, part: Span, limits: &Limits) -> Option<Self> {
        let fits = text.len() <= limits.max_text_bytes.min(u32::MAX as usize);
        let bytes = text.get(..part.end).filter(|_| fits && text.is_char_boundary(part.start))?.as_bytes();
        let depth = limits.max_depth.min(Limits::MAX_DEPTH);
        Some(Self { text, bytes, at: part.start, depth, keys: Vec::new() })
    }

    /// Skips white space. The first byte of the next token; 0, which starts none, at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        match *self.bytes.get(self.at..).unwrap_or_default() {
            [byte, ..] if byte > b' ' => byte,
            // One space is what models write most.
            [b' ', byte, ..] if byte > b' ' => {
                self.at += 1;
                byte
            }
            _ => self.peek_far(),
        }
    }

    #[cold]
    fn peek_far(&mut self) -> u8 {
        self.at = skip_whitespace(self.bytes, self.at);
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    pub(crate) fn is_at_end(&mut self) -> bool {
        skip_whitespace(self.bytes, self.at) == self.bytes.len()
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { at: self.at, depth: self.depth, keys: self.keys.len() }
    }

    /// Goes back. Returns how many bytes are to be read again.
    pub(crate) fn rewind(&mut self, mark: Mark) -> usize {
        let read = self.at - mark.at;
        self.at = mark.at;
        self.depth = mark.depth;
        self.keys.truncate(mark.keys);
        read
    }

    /// Number of bytes of the part and what stands before it.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Enters the array or object at hand; whether it holds anything.
    #[inline]
    pub(crate) fn open(&mut self, close: u8) -> Option<bool> {
        self.depth = self.depth.checked_sub(1)?;
        self.at += 1;
        let empty = self.peek() == close;
        if empty {
            self.at += 1;
            self.depth += 1;
        }
        Some(!empty)
    }

    /// Behind an element or member: whether another one follows, or the container ends here.
    #[inline]
    pub(crate) fn goes_on(&mut self, close: u8) -> Option<bool> {
        let byte = self.peek();
        self.at += 1;
        if byte == b',' {
            return Some(true);
        }
        self.depth += 1;
        (byte == close).then_some(false)
    }

    /// Reads a key that is expected to be this one, with its colon; whether it is.
    #[inline]
    pub(crate) fn key_is(&mut self, expected: &Expected) -> bool {
        let start = self.at + 1;
        if !self.bytes.get(start..).is_some_and(|bytes| expected.begins(bytes)) {
            return false;
        }
        let at = std::mem::replace(&mut self.at, start + expected.name().len() + 1);
        if self.colon().is_none() {
            self.at = at;
            return false;
        }
        true
    }

    /// Reads a key with its colon.
    #[inline(always)]
    pub(crate) fn key(&mut self) -> Option<Quoted> {
        if self.peek() != b'"' {
            return None;
        }
        let key = self.string()?;
        self.colon()?;
        Some(key)
    }

    #[inline]
    fn colon(&mut self) -> Option<()> {
        if self.peek() != b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// Reads the string at hand.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Option<Quoted> {
        let start = self.at + 1;
        let end = plain_run(self.bytes, start);
        match *self.bytes.get(end)? {
            b'"' => {
                self.at = end + 1;
                Some(Quoted::new(start, end, false))
            }
            b'\\' => self.string_with_escapes(start, end),
            _ => None,
        }
    }

    #[cold]
    fn string_with_escapes(&mut self, start: usize, at: usize) -> Option<Quoted> {
        self.at = skip::behind_escapes(self.bytes, at)?;
        Some(Quoted::new(start, self.at - 1, true))
    }

    /// The string as it is written.
    #[inline]
    pub(crate) fn written(&self, quoted: Quoted) -> &'t str {
        self.text.get(quoted.range()).unwrap_or_default()
    }

    /// Decodes the string into the buffer.
    pub(crate) fn decode(&self, quoted: Quoted, buffer: &mut String) -> Option<()> {
        buffer.clear();
        let Range { start: mut at, end: last } = quoted.range();
        loop {
            let stop = plain_run(self.bytes, at);
            buffer.push_str(self.text.get(at..stop)?);
            if stop >= last {
                return Some(());
            }
            let (character, end) = escape(self.bytes, stop)?;
            buffer.push(character);
            at = end;
        }
    }

    #[inline]
    pub(crate) fn word(&mut self, word: &[u8]) -> Option<()> {
        let end = self.at + word.len();
        if self.bytes.get(self.at..end)? != word {
            return None;
        }
        self.at = end;
        Some(())
    }

    /// Reads the number at hand.
    #[inline]
    pub(crate) fn number(&mut self) -> Option<Numeral<'t>> {
        let start = self.at;
        let token = lexer::number(self.bytes, start)?;
        self.at = token.end;
        let number = Number::from_lexed(self.text.get(start..token.end)?);
        Some(Numeral { number, integer: token.integer && number.spelling() != "-0" })
    }

    /// Skips the value at hand, also where its objects write keys twice.
    pub(crate) fn skip(&mut self) -> Option<()> {
        self.at = skip::end_of_value(self.bytes, self.at, self.depth)?;
        Some(())
    }

    /// Reads the value at hand, whatever it is. No object in it may write a key twice; a key with
    /// escapes is no verdict.
    pub(crate) fn value(&mut self) -> Option<()> {
        match self.peek() {
            b'"' => self.string().map(drop),
            b'{' => self.object(),
            b'[' => {
                let mut more = self.open(b']')?;
                while more {
                    self.value()?;
                    more = self.goes_on(b']')?;
                }
                Some(())
            }
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => {
                self.at = lexer::number(self.bytes, self.at)?.end;
                Some(())
            }
        }
    }

    fn object(&mut self) -> Option<()> {
        let mut keys = self.no_keys();
        let mut more = self.open(b'}')?;
        while more {
            let key = self.key()?;
            self.add(&mut keys, key)?;
            self.value()?;
            more = self.goes_on(b'}')?;
        }
        self.close(&keys)
    }

    /// An object's keys, before the first one.
    #[inline]
    pub(crate) fn no_keys(&self) -> Keys {
        Keys { from: self.keys.len(), seen: 0 }
    }

    /// Adds a key of the object; `None` where it is there already, or has escapes.
    #[inline]
    pub(crate) fn add(&mut self, keys: &mut Keys, key: Quoted) -> Option<()> {
        if key.escaped {
            return None;
        }
        let content = self.bytes.get(key.range())?;
        let print = fingerprint(content);
        let bit = 1 << (print & 63);
        if keys.seen & bit != 0 && self.keys.len() - keys.from < MANY {
            let same = |other: &Key| other.print == print && self.content(*other) == content;
            if self.keys[keys.from..].iter().any(same) {
                return None;
            }
        }
        keys.seen |= bit;
        self.keys.push(Key { print, start: key.start, end: key.end });
        Some(())
    }

    /// At the end of the object; `None` where it writes a key twice.
    #[inline]
    pub(crate) fn close(&mut self, keys: &Keys) -> Option<()> {
        if self.keys.len() - keys.from > MANY {
            self.close_large(keys.from)?;
        }
        self.keys.truncate(keys.from);
        Some(())
    }

    fn close_large(&mut self, from: usize) -> Option<()> {
        let bytes = self.bytes;
        let content = |key: &Key| &bytes[key.start as usize..key.end as usize];
        let keys = &mut self.keys[from..];
        keys.sort_unstable_by(|a, b| a.print.cmp(&b.print).then_with(|| content(a).cmp(content(b))));
        let twice = |pair: &[Key]| pair[0].print == pair[1].print && content(&pair[0]) == content(&pair[1]);
        (!keys.windows(2).any(twice)).then_some(())
    }

    fn content(&self, key: Key) -> &[u8] {
        &self.bytes[key.start as usize..key.end as usize]
    }
}
