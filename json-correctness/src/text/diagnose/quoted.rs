//! Strings, in whatever quotes, and what goes wrong in them.

use super::super::lexer::{escape, hex4, plain_run, skip_whitespace};
use super::grammar::Reader;
use super::{Slip, Span, SyntaxError, character, next_byte, place, quote};

impl Reader<'_> {
    /// Reads the string at a double quote.
    pub(super) fn string(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let mut at = start + 1;
        loop {
            at = plain_run(self.bytes, at);
            match self.bytes.get(at) {
                None => return Err(self.string_cut_off(start)),
                Some(b'"') => break,
                Some(b'\\') => match escape(self.bytes, at) {
                    Some((_, end)) => at = end,
                    None => return Err(self.bad_escape(start, at)),
                },
                Some(&control) => return Err(self.control(start, at, control)),
            }
        }
        self.at = at + 1;
        self.last = Span::new(start, self.at);
        Ok(())
    }

    fn string_cut_off(&self, start: usize) -> SyntaxError {
        let (opening, span) = (place(self.text, start), Span::new(start, start + 1));
        if self.swallows_closing_brackets(start) {
            let detail = format!("the string opened at {opening} runs over the closing brackets");
            return SyntaxError::new(Slip::UnclosedString, span, detail)
                .with_help("close the string with a double quote");
        }
        let end = place(self.text, self.text.len());
        let brackets = match self.open[..] {
            [] => String::new(),
            [one] => format!(", and the bracket at {}", place(self.text, one)),
            [first, ..] => {
                format!(
                    ", and the {} open brackets, the first at {}",
                    self.open.len(),
                    place(self.text, first)
                )
            }
        };
        let detail = format!("it ends at {end}, and the string opened at {opening} is not closed");
        SyntaxError::new(Slip::CutOff, span, detail).with_help(format!(
            "close the string{brackets}; raise the model's output limit if it was reached"
        ))
    }

    /// Whether a string that never ends does so with just the brackets that are open: `["a]`.
    fn swallows_closing_brackets(&self, start: usize) -> bool {
        let content = self.text[start + 1..].trim_end().trim_end_matches('`');
        let mut rest = content;
        for &opening in &self.open {
            let closing = char::from(self.bytes[opening] + 2);
            let Some(before) = rest.trim_end().strip_suffix(closing) else { return false };
            rest = before;
        }
        // Brackets that the string itself opens are its own: `"fn main() {}`.
        let opens = content.matches(['{', '[']).count();
        !self.open.is_empty() && content.matches(['}', ']']).count() == opens + self.open.len()
    }

    fn bad_escape(&self, start: usize, at: usize) -> SyntaxError {
        let Some(escaped) = self.text[at + 1..].chars().next() else { return self.string_cut_off(start) };
        if escaped != 'u' {
            let span = Span::new(at, at + 1 + escaped.len_utf8());
            let help = match escaped {
                '\'' => "a single quote needs no escape in JSON: write `'`".to_owned(),
                'x' => "write `\\u00` and the two digits".to_owned(),
                _ if super::is_invisible(escaped) || escaped.is_whitespace() => {
                    "write `\\n` for a line break".to_owned()
                }
                _ => format!("write `{escaped}`, or `\\\\{escaped}` for a backslash before it"),
            };
            let found = match character(escaped).strip_prefix('`') {
                Some(_) => quote(self.text, span),
                None => format!("a backslash before {}", character(escaped)),
            };
            return SyntaxError::new(Slip::InvalidEscape, span, found).with_help(help);
        }
        let digits = self.bytes[at + 2..].iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let span = Span::new(at, at + 2 + digits);
        match hex4(self.bytes, at + 2) {
            None if span.end == self.text.len() => self.string_cut_off(start),
            None => SyntaxError::new(
                Slip::InvalidEscape,
                span,
                format!("{} has {digits} of the four hexadecimal digits", quote(self.text, span)),
            )
            .with_help("write four digits behind `\\u`"),
            Some(high) => {
                let rest = &self.text[span.end..];
                // `\uD83D`, `\uD83D\`, `\uD83D\uDE`: the other half may have been cut off.
                let half = rest.strip_prefix("\\u").or_else(|| rest.strip_prefix('\\')).unwrap_or(rest);
                if high < 0xDC00 && half.len() < 4 && half.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return self.string_cut_off(start);
                }
                let (half, other) = if high < 0xDC00 { ("first", "second") } else { ("second", "first") };
                let detail =
                    format!("{} is the {half} half, and the {other} is missing", quote(self.text, span));
                SyntaxError::new(Slip::LoneSurrogate, span, detail).with_help("write the character itself")
            }
        }
    }

    fn control(&self, start: usize, at: usize, control: u8) -> SyntaxError {
        let found = char::from(control);
        if found == '\n' && self.text[at..].trim().is_empty() {
            return self.string_cut_off(start);
        }
        if found == '\n' && self.next_line_is_json(at) {
            let span = Span::new(start, start + self.text[start..at].trim_end().len());
            let detail = format!("the line ends before {} is closed", quote(self.text, span));
            return SyntaxError::new(Slip::UnclosedString, span, detail)
                .with_help(format!("write a double quote at {}", place(self.text, span.end)));
        }
        let help = match found {
            '\n' => "write `\\n`".to_owned(),
            '\r' => "write `\\r`".to_owned(),
            '\t' => "write `\\t`".to_owned(),
            _ => format!("write `\\u{control:04x}`"),
        };
        let opening = place(self.text, start);
        let detail = format!("{} stands in the string opened at {opening}", character(found));
        SyntaxError::new(Slip::ControlCharacter, Span::new(at, at + 1), detail).with_help(help)
    }

    /// Whether the line behind a line break in a string goes on with the next member, or with a
    /// bracket alone: then the string's closing quote was forgotten.
    fn next_line_is_json(&self, line_break: usize) -> bool {
        let start = skip_whitespace(self.bytes, line_break);
        let line = self.text[start..].lines().next().unwrap_or_default();
        match line.strip_prefix('"') {
            Some(key) => key.find('"').is_some_and(|end| key[end + 1..].trim_start().starts_with(':')),
            None => line.starts_with(['}', ']']) && line.trim_end().len() <= 2,
        }
    }

    /// Looks, where something odd follows a string, for a quote within it that was not escaped, or a
    /// closing quote that was forgotten.
    pub(super) fn unescaped_quote(&mut self, found: char) -> Option<SyntaxError> {
        let Span { start, end } = self.last;
        if self.bytes.get(start) != Some(&b'"') || self.bytes.get(end - 1) != Some(&b'"') {
            return None;
        }
        if found == '"' && end - start == 2 && self.at == end {
            let span = Span::new(start, end + 1);
            return Some(
                SyntaxError::new(Slip::UnescapedQuote, span, "JSON has no strings in three quotes")
                    .with_help("write one double quote, and `\\n` for each line break"),
            );
        }
        let wordy = found.is_alphanumeric() || matches!(found, '_' | '$');
        let odd =
            !wordy && self.at == end && !matches!(found, ',' | ':' | '}' | ']' | '{' | '[' | '"' | '=' | '+');
        if !wordy && !odd {
            return None;
        }
        let line_end = self.text[self.at..].find('\n').map_or(self.text.len(), |length| self.at + length);
        let closing = self.text[self.at..line_end].find('"')?;
        let word = self.bare();
        let behind = next_byte(self.bytes, word.end);
        let literal = matches!(&self.text[word.start..word.end], "true" | "false" | "null")
            || found.is_ascii_digit() && behind != Some(b'"');
        if wordy && self.at > end && (behind == Some(b':') || literal) {
            return None;
        }
        let swallowed = self.text[start..end - 1].trim_end().ends_with(',');
        if swallowed && next_byte(self.bytes, self.at + closing + 1) == Some(b':') {
            let span = Span::new(start, start + 1);
            let detail = format!("the string opened at {} runs into the next key", place(self.text, start));
            return Some(
                SyntaxError::new(Slip::UnclosedString, span, detail)
                    .with_help("close the string with a double quote"),
            );
        }
        let span = Span::new(end - 1, end);
        let detail = format!("this quote ends the string, and {} follows", quote(self.text, word));
        Some(SyntaxError::new(Slip::UnescapedQuote, span, detail).with_help("write `\\\"` inside a string"))
    }

    /// The string in single quotes, typographic quotes or backticks at the present place: up to the
    /// closing quote where one is found on the line, else the opening one alone.
    pub(super) fn other_quotes(&self, found: char) -> Span {
        let closing: &[char] = match found {
            '\'' => &['\''],
            '`' => &['`'],
            '«' => &['»'],
            '‘' | '’' | '‚' => &['‘', '’', '\''],
            _ => &['“', '”', '„', '"', '＂'],
        };
        let opening = self.one();
        let rest = &self.text[opening.end..];
        let line = rest.lines().next().unwrap_or_default();
        let mut escaped = false;
        for (at, character) in line.char_indices() {
            let end = opening.end + at + character.len_utf8();
            if !escaped
                && closing.contains(&character)
                && matches!(next_byte(self.bytes, end), None | Some(b',' | b':' | b'}' | b']'))
            {
                return Span::new(opening.start, end);
            }
            escaped = character == '\\' && !escaped;
        }
        opening
    }
}
