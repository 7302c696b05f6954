//! Characters that do harm where they are shown, and JSON that holds them as escapes alone.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// What a terminal shows in place of a character that could move the cursor, change colours, turn
/// the reading direction or hide itself; `None` for the characters that are harmless.
///
/// Line feeds are left to the caller: whether a text may have lines is its decision.
pub(crate) fn terminal_substitute(character: char) -> Option<char> {
    match character {
        '\n' => None,
        // The control pictures block mirrors the C0 controls.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + character as u32),
        '\u{7f}' => Some('\u{2421}'),
        // C1 controls: CSI and OSC have one-character forms there.
        '\u{80}'..='\u{9f}'
        // Soft hyphen, zero-width characters, bidirectional marks, embeddings, overrides, isolates.
        | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        // Tags and variation selectors hide text inside text.
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// A value as JSON on one line.
pub(crate) fn to_line<T: Serialize>(value: &T) -> String {
    written(value, CompactFormatter)
}

/// A value as JSON, as the formatter lays it out.
pub(crate) fn written<T: Serialize>(value: &T, formatter: impl Formatter) -> String {
    let mut bytes = Vec::with_capacity(256);
    // Nothing of ours refuses to be written, and memory does not either.
    let _ = value.serialize(&mut Serializer::with_formatter(&mut bytes, Harmless(formatter)));
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes as another formatter does, but for the characters that are not harmless.
struct Harmless<F>(F);

macro_rules! as_the_other {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {
        $(fn $method<W: ?Sized + Write>(&mut self, writer: &mut W $(, $name: $type)*) -> io::Result<()> {
            self.0.$method(writer $(, $name)*)
        })*
    };
}

impl<F: Formatter> Formatter for Harmless<F> {
    as_the_other! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        if text.is_ascii() && !text.contains('\u{7f}') {
            return writer.write_all(text.as_bytes());
        }
        let mut from = 0;
        for (at, character) in text.char_indices() {
            if terminal_substitute(character).is_none() {
                continue;
            }
            writer.write_all(&text.as_bytes()[from..at])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            from = at + character.len_utf8();
        }
        writer.write_all(&text.as_bytes()[from..])
    }
}

/// How many bytes a value takes as [`to_line`] writes it; `None` where they are more than `most`. The work is
/// bounded by that too.
pub(crate) fn line_bytes<T: Serialize>(value: &T, most: usize) -> Option<usize> {
    struct Room {
        left: usize,
    }
    impl Write for Room {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let left = self.left.checked_sub(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
            self.left = left;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut room = Room { left: most };
    value.serialize(&mut Serializer::with_formatter(&mut room, Harmless(CompactFormatter))).ok()?;
    Some(most - room.left)
}

/// How many bytes a character takes in a string of [`to_line`].
fn escaped_bytes(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        _ if terminal_substitute(character).is_some() => 6 * character.len_utf16(),
        _ => character.len_utf8(),
    }
}

/// As much of the text as takes at most `most` bytes in a string of [`to_line`], with an ellipsis where
/// something is cut off.
pub(crate) fn cut_escaped(text: &str, most: usize) -> String {
    let ellipsis = '…'.len_utf8();
    let (mut bytes, mut fits) = (0, 0);
    for (at, character) in text.char_indices() {
        if bytes + ellipsis <= most {
            fits = at;
        }
        bytes += escaped_bytes(character);
        if bytes > most {
            return if most < ellipsis { String::new() } else { format!("{}…", &text[..fits]) };
        }
    }
    text.to_owned()
}

/// A text of at most so many characters, with an ellipsis for what was cut off.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_characters_are_escapes_and_come_back() {
        let text = "é\u{7f}\u{9b}2J\u{202e}\u{e0041}\u{1b}\"\\\n日本";
        let line = to_line(&[text]);
        assert_eq!(line, "[\"é\\u007f\\u009b2J\\u202e\\udb40\\udc41\\u001b\\\"\\\\\\n日本\"]");
        let back: Vec<String> = serde_json::from_str(&line).expect("JSON");
        assert_eq!(back, [text]);
    }

    #[test]
    fn the_bytes_are_counted_as_they_are_written() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            assert_eq!(to_line(&text).len(), escaped_bytes(character) + 2, "{character:?}");
        }
        let value = serde_json::json!({ "a\u{202e}": [1, null, "\u{1b}"] });
        let bytes = to_line(&value).len();
        assert_eq!(line_bytes(&value, bytes), Some(bytes));
        assert_eq!(line_bytes(&value, bytes - 1), None);
    }

    #[test]
    fn a_cut_text_fits() {
        for text in ["", "plain", "\u{1b}\u{1b}\u{1b}", "é日😀\u{e0041}", "\"\\\n…"] {
            for most in 0..60 {
                let cut = cut_escaped(text, most);
                assert!(to_line(&cut).len() <= most + 2, "{text:?} {most} {cut:?}");
                let whole = to_line(&text).len() <= most + 2;
                assert_eq!(cut == text, whole, "{text:?} {most} {cut:?}");
            }
        }
    }
}
