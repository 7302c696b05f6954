//! Keys that are expected, compared in words of eight bytes.

use super::lexer::plain_run;

/// A key as a text is expected to write it. Nearly all keys are short: one or two words tell them from
/// others without a call.
#[derive(Debug)]
pub(crate) struct Expected {
    name: Box<str>,
    /// The first eight bytes of the name and its closing quote, and which bits of them count.
    head: u64,
    mask: u64,
    /// The last eight bytes of the name and its quote, where there are more.
    tail: u64,
    /// Whether the name is written without escapes.
    plain: bool,
}

impl Expected {
    pub(crate) fn new(name: &str) -> Self {
        let quoted = format!("{name}\"");
        let bytes = quoted.as_bytes();
        let mut head = [0; 8];
        let mut mask = [0; 8];
        for (at, &byte) in bytes.iter().take(8).enumerate() {
            (head[at], mask[at]) = (byte, u8::MAX);
        }
        Self {
            name: name.into(),
            head: u64::from_le_bytes(head),
            mask: u64::from_le_bytes(mask),
            tail: bytes.last_chunk().map_or(0, |tail| u64::from_le_bytes(*tail)),
            plain: plain_run(name.as_bytes(), 0) == name.len(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether bytes begin with the name and its quote; never where it must be written with escapes.
    #[inline]
    pub(super) fn begins(&self, bytes: &[u8]) -> bool {
        if !self.plain {
            return false;
        }
        let Some(head) = bytes.first_chunk() else { return self.begins_the_end(bytes) };
        if (u64::from_le_bytes(*head) ^ self.head) & self.mask != 0 {
            return false;
        }
        let length = self.name.len() + 1;
        if length <= 8 {
            return true;
        }
        let tail = bytes.get(..length).and_then(<[u8]>::last_chunk);
        tail.is_some_and(|tail| u64::from_le_bytes(*tail) == self.tail)
            && (length <= 16 || bytes.starts_with(self.name.as_bytes()))
    }

    #[cold]
    fn begins_the_end(&self, bytes: &[u8]) -> bool {
        bytes.strip_prefix(self.name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'"'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_needs_escapes_is_never_found() {
        for name in ["a\"b", "a\\d", "a\nb"] {
            assert!(!Expected::new(name).begins(format!("{name}\": 1, \"b\": 2").as_bytes()));
        }
    }

    #[test]
    fn a_key_begins_as_it_is_written() {
        let long = "a name of more than sixteen bytes";
        for name in ["", "a", "é", "1234567", "12345678", "123456789", "exactly-16-bytes", long] {
            let expected = Expected::new(name);
            for rest in ["", ":", ": 1, \"more\": 2}"] {
                assert!(expected.begins(format!("{name}\"{rest}").as_bytes()), "{name} {rest}");
                assert!(!expected.begins(format!("{name}{rest}").as_bytes()), "{name} {rest}");
                assert!(!expected.begins(format!("{name}x\"{rest}").as_bytes()), "{name} {rest}");
                for (at, _) in name.char_indices() {
                    let mut other = name.to_owned();
                    other.insert(at, '_');
                    assert!(!expected.begins(format!("{other}\"{rest}").as_bytes()), "{name} {other}");
                    other.remove(at);
                    other.remove(at);
                    other.insert(at, '_');
                    assert!(!expected.begins(format!("{other}\"{rest}").as_bytes()), "{name} {other}");
                }
            }
        }
    }
}
