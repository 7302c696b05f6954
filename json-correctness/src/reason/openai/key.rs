//! The key, which nobody sees but the server.

use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use crate::{error::Error, violation::cut};

/// Longest excerpt of what a server said, in bytes.
const MAX_EXCERPT_BYTES: usize = 200;
/// Shorter keys are placeholders, such as `EMPTY` or `ollama`. To conceal these would garble texts that
/// mean something else.
const MIN_SECRET_BYTES: usize = 8;

/// The key, or none. Its `Debug` does not show it.
#[derive(Clone, Debug)]
pub(super) struct Key(SecretString);

impl Key {
    /// The key without the white space around it: files and shells add a line feed.
    pub(super) fn new(key: &str, origin: &str) -> Result<Self, Error> {
        let key = key.trim();
        if let Some(at) = key.bytes().position(|byte| !byte.is_ascii_graphic()) {
            return Err(Error::option(format!(
                "the key of {origin} holds a character at byte {at} that no key has: give the key alone, \
                 which is visible ASCII"
            )));
        }
        Ok(Self(key.into()))
    }

    pub(super) fn is_none(&self) -> bool {
        self.expose().is_empty()
    }

    pub(super) fn secret(&self) -> &SecretString {
        &self.0
    }

    /// A header that holds the key; `None` where there is none. Logs do not show it.
    pub(super) fn header(&self, scheme: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::try_from(format!("{scheme}{}", self.expose())).ok()?;
        value.set_sensitive(true);
        (!self.is_none()).then_some(value)
    }

    /// The text without the key.
    pub(super) fn conceal(&self, text: String) -> String {
        let key = self.expose();
        if key.len() >= MIN_SECRET_BYTES && text.contains(key) { text.replace(key, "[key]") } else { text }
    }

    /// The start of what a server said: one line, without control characters and without the key.
    pub(super) fn excerpt(&self, text: &str) -> String {
        let visible: String = text.chars().filter(|c| c.is_whitespace() || !c.is_control()).collect();
        let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
        // Concealed before it is cut, lest half a key is left.
        let mut excerpt = self.conceal(line);
        cut(&mut excerpt, MAX_EXCERPT_BYTES);
        excerpt
    }

    fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_one_short_line_without_the_key() {
        let key = Key::new("\tsk-0123456789\r\n", "the test").expect("a key");
        for (said, excerpt) in [
            ("no such key: sk-0123456789.", "no such key: [key]."),
            ("a\r\n\tb\u{1b}[2Jc\u{9b}d\0", "a b[2Jcd"),
            ("sk-01234\u{0}56789", "[key]"),
            ("", ""),
        ] {
            assert_eq!(key.excerpt(said), excerpt);
        }
        let long = format!("{} sk-0123456789", "x".repeat(190));
        assert_eq!(key.excerpt(&long), format!("{} [key]", "x".repeat(190)));
        let longer = key.excerpt(&"é sk-0123456789 ".repeat(100));
        assert!(longer.len() <= MAX_EXCERPT_BYTES && !longer.contains("sk-"), "{longer}");
        assert_eq!(Key::new("EMPTY", "the test").expect("a key").excerpt("it is EMPTY"), "it is EMPTY");
    }

    #[test]
    fn a_key_fits_a_header_and_shows_nowhere() {
        let key = Key::new(" sk-0123456789\n", "the test").expect("a key");
        let header = key.header("Bearer ").expect("a header");
        assert_eq!(header, "Bearer sk-0123456789");
        assert!(!format!("{key:?} {header:?}").contains("0123"));
        assert!(Key::new(" \n", "the test").expect("no key").header("Bearer ").is_none());
        for bad in ["sk-\u{0}1", "two words", "sk-é", "a\nb"] {
            let error = Key::new(bad, "OPENAI_API_KEY").expect_err("no key");
            assert!(error.is_option() && error.to_string().contains("OPENAI_API_KEY"));
            assert!(!error.to_string().contains(bad));
        }
    }
}
