//! One text for all spellings of a value.

use std::fmt::Write as _;

use super::decimal::Decimal;
use crate::text::{JsonType, Node};

/// The text into which both sides are brought before their distance is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Canonical {
    /// RFC 8785 (JCS): keys in the order of their UTF-16 code units, no white space, the shortest
    /// escapes; numbers in its form, but exact, whatever their size. Two texts are equal exactly where
    /// the values are.
    #[default]
    Jcs,
    /// What Python's `json.dumps(value, sort_keys=True, separators=(",", ":"))` gives for the parsed
    /// text: keys in the order of their code points, ASCII only, integers exact, other numbers rounded
    /// to 64-bit floats.
    PythonDumps,
}

impl Canonical {
    /// The canonical text of a value. Of several values of one key the last one counts.
    ///
    /// ```
    /// use json_correctness::{Canonical, Document, Limits};
    /// let document = Document::parse("{\"b\": 1.50, \"a\": \"é\"}", &Limits::default()).expect("JSON");
    /// assert_eq!(Canonical::Jcs.text(document.root()), "{\"a\":\"é\",\"b\":1.5}");
    /// assert_eq!(Canonical::PythonDumps.text(document.root()), "{\"a\":\"\\u00e9\",\"b\":1.5}");
    /// ```
    #[must_use]
    pub fn text(self, node: Node<'_>) -> String {
        let mut out = String::with_capacity(node.span().len());
        self.write(node, &mut |_| (), &mut out);
        out
    }

    /// The canonical text in which the elements of every list are sorted.
    pub(super) fn unordered_text(node: Node<'_>) -> String {
        let mut out = String::with_capacity(node.span().len());
        Self::Jcs.write(node, &mut |elements| elements.sort_unstable(), &mut out);
        out
    }

    /// Recursive: a document is at most `Limits::MAX_DEPTH` deep.
    fn write(self, node: Node<'_>, arrange: &mut impl FnMut(&mut Vec<String>), out: &mut String) {
        match node.json_type() {
            JsonType::Null | JsonType::Boolean => out.push_str(node.source()),
            JsonType::Integer | JsonType::Number => self.write_number(node.source(), out),
            JsonType::String => self.write_string(node.as_str().unwrap_or_default(), out),
            JsonType::Array => {
                let mut elements: Vec<String> = node
                    .elements()
                    .map(|element| {
                        let mut text = String::new();
                        self.write(element, arrange, &mut text);
                        text
                    })
                    .collect();
                arrange(&mut elements);
                out.push('[');
                out.push_str(&elements.join(","));
                out.push(']');
            }
            JsonType::Object => {
                out.push('{');
                for (index, (key, value)) in sorted_members(node, self).into_iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.write_string(key, out);
                    out.push(':');
                    self.write(value, arrange, out);
                }
                out.push('}');
            }
        }
    }

    fn write_number(self, spelling: &str, out: &mut String) {
        match self {
            Self::Jcs => Decimal::read(spelling).write_ecmascript(out),
            Self::PythonDumps => write_python_number(spelling, out),
        }
    }

    fn write_string(self, text: &str, out: &mut String) {
        out.push('"');
        for character in text.chars() {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\u{8}' => out.push_str("\\b"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\u{c}' => out.push_str("\\f"),
                '\r' => out.push_str("\\r"),
                ' '..='~' => out.push(character),
                _ if self == Self::Jcs && character >= ' ' => out.push(character),
                _ => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        let _ = write!(out, "\\u{unit:04x}");
                    }
                }
            }
        }
        out.push('"');
    }
}

/// A number as Python reads and writes it: an integer where it is spelled as one, else a float.
pub(super) fn write_python_number(spelling: &str, out: &mut String) {
    if !spelling.contains(['.', 'e', 'E']) {
        out.push_str(if spelling == "-0" { "0" } else { spelling });
        return;
    }
    let float: f64 = spelling.parse().unwrap_or(0.0);
    // `{:e}` gives the fewest digits that read back as the same float.
    Decimal::read(&format!("{float:e}")).write_python_float(float.is_sign_negative(), out);
}

/// The members of an object in the order of the canonical form, each key once: its last value.
pub(crate) fn sorted_members(node: Node<'_>, order: Canonical) -> Vec<(&str, Node<'_>)> {
    let mut members: Vec<_> = node.members().map(|member| (member.key, member.value)).collect();
    match order {
        Canonical::Jcs => members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16())),
        Canonical::PythonDumps => members.sort_by_key(|(key, _)| *key),
    }
    // The sort is stable, so that the last of equal keys is the one that stands last in the text.
    members.reverse();
    members.dedup_by_key(|(key, _)| *key);
    members.reverse();
    members
}
