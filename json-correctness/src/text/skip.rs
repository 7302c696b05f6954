//! Over a value without a look at what it says: in one loop, whose state stays in registers.

use super::Limits;
use super::lexer::{self, escape, plain_run, skip_whitespace};

/// The end of the value at or behind `at`. `None` where it is not well formed, or nested more than
/// `most` deep.
pub(super) fn end_of_value(bytes: &[u8], mut at: usize, most: usize) -> Option<usize> {
    // A bit for each open container around the innermost one: whether it is an object.
    let mut outer = [0_u64; Limits::MAX_DEPTH.div_ceil(64)];
    let (mut depth, mut in_object) = (0, false);
    loop {
        at = token(bytes, at);
        match *bytes.get(at)? {
            b'"' => at = string(bytes, at)?,
            bracket @ (b'{' | b'[') => {
                if depth >= most.min(Limits::MAX_DEPTH) {
                    return None;
                }
                let bit = 1 << (depth % 64);
                match in_object {
                    true => outer[depth / 64] |= bit,
                    false => outer[depth / 64] &= !bit,
                }
                depth += 1;
                in_object = bracket == b'{';
                at = token(bytes, at + 1);
                // `]` and `}` stand two behind their opening bracket in ASCII.
                if bytes.get(at) != Some(&(bracket + 2)) {
                    if in_object {
                        at = key(bytes, at)?;
                    }
                    continue;
                }
            }
            b't' => at = word(bytes, at, b"true")?,
            b'f' => at = word(bytes, at, b"false")?,
            b'n' => at = word(bytes, at, b"null")?,
            _ => at = lexer::number(bytes, at)?.end,
        }
        // A value is complete, or an empty container stands before its closing bracket.
        loop {
            if depth == 0 {
                return Some(at);
            }
            at = token(bytes, at);
            match *bytes.get(at)? {
                b',' => {
                    at += 1;
                    if in_object {
                        at = key(bytes, token(bytes, at))?;
                    }
                    break;
                }
                b'}' if in_object => {}
                b']' if !in_object => {}
                _ => return None,
            }
            at += 1;
            depth -= 1;
            in_object = outer[depth / 64] >> (depth % 64) & 1 == 1;
        }
    }
}

/// Where the next token starts.
#[inline(always)]
fn token(bytes: &[u8], at: usize) -> usize {
    match *bytes.get(at..).unwrap_or_default() {
        [byte, ..] if byte > b' ' => at,
        // One space is what models write most.
        [b' ', byte, ..] if byte > b' ' => at + 1,
        _ => skip_whitespace(bytes, at),
    }
}

/// The end of the key at `at`, with its colon.
#[inline(always)]
fn key(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let at = token(bytes, string(bytes, at)?);
    (bytes.get(at) == Some(&b':')).then_some(at + 1)
}

/// The end of the string at `at`.
#[inline(always)]
pub(super) fn string(bytes: &[u8], at: usize) -> Option<usize> {
    let end = plain_run(bytes, at + 1);
    if bytes.get(end) == Some(&b'"') { Some(end + 1) } else { behind_escapes(bytes, end) }
}

/// The end of a string whose first escape stands at `at`.
pub(super) fn behind_escapes(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at = plain_run(bytes, escape(bytes, at)?.1),
            _ => return None,
        }
    }
}

#[inline]
fn word(bytes: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let end = at + word.len();
    (bytes.get(at..end)? == word).then_some(end)
}
