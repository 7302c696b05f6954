//! Untrusted text made harmless for a page.

use std::borrow::Cow;

use crate::text::terminal_substitute;

/// Longest text of a page that is not an output, in bytes.
pub(super) const MAX_TEXT: usize = 4 << 10;

/// A text with a visible substitute for each character that is invisible or turns the reading direction,
/// shortened to about `max` bytes.
pub(super) fn clean(text: &str, max: usize) -> String {
    let mut cleaned = String::with_capacity(text.len().min(max));
    for character in text.chars() {
        if cleaned.len() >= max {
            cleaned.push('…');
            break;
        }
        cleaned.push(terminal_substitute(character).unwrap_or(character));
    }
    cleaned
}

/// A text for the content of an element or a quoted attribute.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

/// An untrusted text as content of an element or a quoted attribute.
pub(super) fn content(text: &str) -> String {
    escape(&clean(text, MAX_TEXT)).into_owned()
}

/// JSON that can stand in a `<script>`: nothing in it ends the element or begins a comment.
///
/// The characters stand only in strings, where their escapes mean the same.
pub(super) fn embed(json: &str, into: &mut String) {
    for character in json.chars() {
        match character {
            '<' => into.push_str("\\u003c"),
            '>' => into.push_str("\\u003e"),
            '&' => into.push_str("\\u0026"),
            '\u{2028}' => into.push_str("\\u2028"),
            '\u{2029}' => into.push_str("\\u2029"),
            other => into.push(other),
        }
    }
}

/// An untrusted text for a part of the address behind `#`, as `URLSearchParams` reads it.
pub(super) fn clean_fragment(text: &str) -> String {
    let text = clean(text, MAX_TEXT);
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            for digit in [byte >> 4, byte & 15] {
                encoded.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
            }
        }
    }
    encoded
}

/// Whether a link leads to the web or to a place relative to the page, and nowhere else.
///
/// Browsers drop blanks and control characters from an address before they read its scheme, and take `\`
/// for `/`; an address with any of them is no link. `//host` would leave the file system for a server.
pub(super) fn may_link(href: &str) -> bool {
    let odd = |character: char| {
        character.is_whitespace() || character == '\\' || terminal_substitute(character).is_some()
    };
    if href.is_empty() || href.len() > MAX_TEXT || href.contains(odd) || href.starts_with("//") {
        return false;
    }
    let before_path = href.split(['/', '?', '#']).next().unwrap_or_default();
    match before_path.split_once(':') {
        Some((scheme, _)) => ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_and_relative_ones_are_links() {
        for link in [
            "https://example.org/a?b=c:d#e",
            "HTTP://example.org",
            "runs/17.html",
            "./a:b",
            "#here",
            "?q=javascript:x",
        ] {
            assert!(may_link(link), "{link}");
        }
        for text in [
            "",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "\u{1}javascript:alert(1)",
            "data:text/html,<script>",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:x",
            "//host/share",
            "\\\\host\\share",
            "https:\\\\host",
            "https://example.org/\u{202e}",
            "mailto:a@example.org",
        ] {
            assert!(!may_link(text), "{text:?}");
        }
    }

    #[test]
    fn embedded_json_means_the_same() {
        let hostile = "</script><!-- & \u{2028}\u{2029} \" \\ \0 ]]>";
        let mut embedded = String::new();
        embed(&serde_json::to_string(hostile).expect("a string"), &mut embedded);
        assert!(!embedded.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert_eq!(serde_json::from_str::<String>(&embedded).expect("JSON"), hostile);
    }

    #[test]
    fn texts_are_escaped_substituted_and_bounded() {
        assert_eq!(content("<a href=\"'&\u{1b}\u{202e}\0"), "&lt;a href=&quot;&#39;&amp;␛\u{fffd}␀");
        assert_eq!(clean("ééé", 3), "éé…");
        assert_eq!(clean("ééé", 6), "ééé");
        assert_eq!(clean_fragment("/a b/*&é"), "/a%20b/%2A%26%C3%A9");
    }
}
