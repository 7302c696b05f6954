//! Text of a model made harmless, one rule for each place where it is printed.

use std::borrow::Cow;

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
