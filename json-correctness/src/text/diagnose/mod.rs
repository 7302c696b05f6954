//! The careful pass over a text that is not well formed: names the first slip that a reader would.
//!
//! It reads as the fast pass does, one token after another with an explicit stack, and stops at the
//! first token that JSON does not know. Only then does it look ahead, to tell what the writer meant.

mod around;
mod grammar;
mod quoted;
mod token;

use std::str::Utf8Error;

use super::lexer::skip_whitespace;
use super::{Position, Slip, Span, SyntaxError};
use grammar::Reader;

/// What is wrong with a part of a text that the fast pass refused. The part must be cut at
/// character boundaries.
pub(super) fn diagnose(text: &str, part: Span, max_depth: usize) -> SyntaxError {
    let mut reader = Reader::new(&text[..part.end], part.start, max_depth);
    match reader.before().and_then(|()| reader.value()).and_then(|()| reader.behind()) {
        Err(error) => reader.or_prose(error),
        // The two passes would disagree: never, by the tests, but a verdict is owed all the same.
        Ok(()) => SyntaxError::new(Slip::Unexpected, part, ""),
    }
}

/// Bytes that are not UTF-8.
pub(super) fn not_utf8(bytes: &[u8], error: Utf8Error) -> SyntaxError {
    let at = error.valid_up_to();
    let end = error.error_len().map_or(bytes.len(), |length| at + length);
    let detail = match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "it starts with the byte order mark of UTF-16".to_owned(),
        _ if error.error_len().is_none() => {
            format!("it ends in the middle of a character, at byte {at}")
        }
        _ => format!("byte 0x{:02X} at offset {at} starts no character", bytes[at]),
    };
    SyntaxError::new(Slip::NotUtf8, Span::new(at, end), detail).with_help("encode the output as UTF-8")
}

/// The token at `span` for a message: short, in backticks where it has none itself.
fn quote(text: &str, span: Span) -> String {
    const MOST: usize = 40;
    let token = &text[span.start..span.end];
    let (token, more) = match token.char_indices().nth(MOST) {
        Some((end, _)) => (&token[..end], "…"),
        None => (token, ""),
    };
    if token.contains('`') { format!("{token}{more}") } else { format!("`{token}{more}`") }
}

/// Line and column, as `3:14`.
fn place(text: &str, offset: usize) -> String {
    let Position { line, column } = Position::of(text, offset);
    format!("{line}:{column}")
}

/// A character for a message: as it is, or by its number where it cannot be seen.
fn character(found: char) -> String {
    match found {
        '\n' => "a line break".to_owned(),
        '\r' => "a carriage return".to_owned(),
        '\t' => "a tab".to_owned(),
        '\u{a0}' => "a no-break space (U+00A0)".to_owned(),
        '\u{200b}' => "a zero-width space (U+200B)".to_owned(),
        '\u{feff}' => "a byte order mark (U+FEFF)".to_owned(),
        '`' => "a backtick".to_owned(),
        other if is_invisible(other) => format!("U+{:04X}", other as u32),
        other => format!("`{other}`"),
    }
}

/// A character that takes no ink, and is not white space in JSON.
fn is_invisible(character: char) -> bool {
    !matches!(character, ' ' | '\n' | '\r' | '\t')
        && (character.is_whitespace()
            || character.is_control()
            || matches!(character,
                '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'))
}

/// The part of a text without the white space around it.
pub(super) fn trimmed(text: &str, span: Span) -> Span {
    let part = &text[span.start..span.end];
    let start = span.start + (part.len() - part.trim_start().len());
    Span::new(start, start + part.trim().len())
}

/// The first byte behind white space, where there is one.
fn next_byte(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(skip_whitespace(bytes, at)).copied()
}

#[cfg(test)]
mod tests;
