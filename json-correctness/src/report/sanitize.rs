//! Text of a model made harmless, one rule for each place where it is printed.

use std::borrow::Cow;

use crate::text::terminal_substitute;

/// A text made harmless for a terminal or a plain log: each character that could move the cursor, change
/// colours, turn the reading direction or hide itself becomes a visible one. Line feeds stay.
///
/// ```
/// use json_correctness::for_terminal;
/// assert_eq!(for_terminal("\u{1b}[2Jgone"), "␛[2Jgone");
/// ```
#[must_use]
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| terminal_substitute(character).is_none()) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .map(|character| terminal_substitute(character).unwrap_or(character))
        .collect::<String>()
        .into()
}

/// As [`for_terminal`], and on one line.
pub(crate) fn for_terminal_line(text: &str) -> String {
    for_terminal(text).replace('\n', "\u{240a}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_characters_become_harmless() {
        for (hostile, harmless) in [
            ("plain é 日本 😀", "plain é 日本 😀"),
            ("\u{1b}[31mred\u{1b}[0m", "␛[31mred␛[0m"),
            ("a\rb\tc\0d\u{7f}", "a␍b␉c␀d␡"),
            ("\u{9b}31m", "\u{fffd}31m"),
            ("\u{202e}evil\u{2066}", "\u{fffd}evil\u{fffd}"),
            ("line\nline", "line\nline"),
            ("a\u{e0041}b", "a\u{fffd}b"),
        ] {
            assert_eq!(for_terminal(hostile), harmless);
        }
    }
}
