//! The careful pass over a text that is not well formed: names the first slip.

use std::str::Utf8Error;

use super::{Slip, Span, SyntaxError};

/// What is wrong with a part of a text that the fast pass refused.
pub(super) fn diagnose(text: &str, part: Span, max_depth: usize) -> SyntaxError {
    let _ = (text, max_depth);
    SyntaxError::new(Slip::Unexpected, part, String::new())
}

/// Bytes that are not UTF-8.
pub(super) fn not_utf8(bytes: &[u8], error: Utf8Error) -> SyntaxError {
    let at = error.valid_up_to();
    let span = Span::new(at, (at + error.error_len().unwrap_or(bytes.len() - at)).min(bytes.len()));
    SyntaxError::new(Slip::NotUtf8, span, format!("byte {at} is 0x{:02X}", bytes[at]))
}
