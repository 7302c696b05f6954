//! JSON for files and programs, harmless where a person looks at it in a terminal all the same.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use super::sanitize::terminal_substitute;
use crate::evaluate::Evaluation;

impl Evaluation {
    /// The evaluation as indented JSON, with a line feed at its end.
    ///
    /// Its form is that of [`json_schema::<Evaluation>()`](crate::json_schema); characters that could
    /// move a cursor, turn the reading direction or hide themselves are written as escapes.
    #[must_use]
    pub fn to_json(&self) -> String {
        written(self, PrettyFormatter::new()) + "\n"
    }
}

/// A value as JSON on one line.
pub(crate) fn to_line<T: Serialize>(value: &T) -> String {
    written(value, CompactFormatter)
}

fn written<T: Serialize>(value: &T, formatter: impl Formatter) -> String {
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
}
