//! The grammar of values, with a name for every departure.

use super::super::lexer::skip_whitespace;
use super::{Slip, Span, SyntaxError, character, is_invisible, next_byte, place, quote};

/// Reads a text up to its first fault. Offsets are those of the whole text; the part that is read
/// ends with `text`.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    /// Where the part that is read starts.
    pub(super) start: usize,
    pub(super) at: usize,
    /// The opening brackets that are not closed yet.
    pub(super) open: Vec<usize>,
    max_depth: usize,
    /// The key or value that was read last.
    pub(super) last: Span,
}

/// What may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// The outermost value.
    Root,
    /// The first element or the end of an array.
    FirstElement,
    /// An element; a comma stands at the offset.
    Element(usize),
    /// The first key or the end of an object.
    FirstKey,
    /// A key; a comma stands at the offset.
    Key(usize),
    Colon,
    /// The value of a key.
    MemberValue,
    /// A comma or the end of the container.
    Comma,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, start: usize, max_depth: usize) -> Self {
        let last = Span::new(start, start);
        Self { text, bytes: text.as_bytes(), start, at: start, open: Vec::new(), max_depth, last }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The character at the present place, as a span.
    pub(super) fn one(&self) -> Span {
        Span::new(self.at, self.at + self.peek().map_or(0, char::len_utf8))
    }

    fn in_object(&self) -> bool {
        self.open.last().is_some_and(|&at| self.bytes[at] == b'{')
    }

    /// Reads one value, however deep.
    pub(super) fn value(&mut self) -> Result<(), SyntaxError> {
        let mut expected = Expected::Root;
        loop {
            self.skip_space()?;
            let Some(found) = self.peek() else { return Err(self.cut_off()) };
            expected = match (expected, found) {
                (Expected::Comma, ',') if self.in_object() => Expected::Key(self.step()),
                (Expected::Comma, ',') => Expected::Element(self.step()),
                (Expected::Comma | Expected::FirstElement | Expected::FirstKey, ']' | '}') => self.close()?,
                (Expected::Comma, _) => return Err(self.missing_comma(found)),
                (Expected::Colon, ':') => {
                    self.at += 1;
                    Expected::MemberValue
                }
                (Expected::Colon, _) => return Err(self.missing_colon(found)),
                (Expected::FirstKey | Expected::Key(_), '"') => {
                    self.string()?;
                    Expected::Colon
                }
                (Expected::FirstKey | Expected::Key(_), _) => return Err(self.no_key(expected, found)),
                (_, '{' | '[') => {
                    if self.open.len() == self.max_depth {
                        let detail =
                            format!("more than {} arrays and objects inside one another", self.max_depth);
                        return Err(SyntaxError::new(Slip::TooDeep, self.one(), detail)
                            .with_help("ask for a flatter shape, or raise `Limits::max_depth`"));
                    }
                    let opening = self.step();
                    self.open.push(opening);
                    if found == '{' { Expected::FirstKey } else { Expected::FirstElement }
                }
                (_, '"') => {
                    self.string()?;
                    Expected::Comma
                }
                (_, '-' | '+' | '.' | '0'..='9') => {
                    self.number()?;
                    Expected::Comma
                }
                (_, _) if found.is_alphanumeric() || matches!(found, '_' | '$') => {
                    self.word()?;
                    Expected::Comma
                }
                _ => return Err(self.no_value(expected, found)),
            };
            if expected == Expected::Comma && self.open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Steps over an ASCII character; the offset where it stood.
    fn step(&mut self) -> usize {
        self.at += 1;
        self.at - 1
    }

    /// Steps over white space. Comments and what only looks like white space are slips.
    pub(super) fn skip_space(&mut self) -> Result<(), SyntaxError> {
        self.at = skip_whitespace(self.bytes, self.at);
        let rest = &self.text[self.at..];
        match self.peek() {
            Some(found) if is_invisible(found) => {
                let detail = format!("{} is not white space in JSON", character(found));
                Err(SyntaxError::new(Slip::InvisibleCharacter, self.one(), detail)
                    .with_help("remove it, or write a plain space"))
            }
            Some('#' | '/') if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') => {
                let length = match rest.strip_prefix("/*") {
                    Some(comment) => comment.find("*/").map_or(rest.len(), |end| end + 4),
                    None => rest.find('\n').unwrap_or(rest.len()),
                };
                let span = Span::new(self.at, self.at + rest[..length].trim_end().len());
                Err(SyntaxError::new(Slip::Comment, span, quote(self.text, span))
                    .with_help("remove the comment"))
            }
            _ => Ok(()),
        }
    }

    fn close(&mut self) -> Result<Expected, SyntaxError> {
        let Some(&opening) = self.open.last() else { return Ok(Expected::Comma) };
        if self.bytes[self.at] != self.bytes[opening] + 2 {
            return Err(self.mismatched(opening));
        }
        self.open.pop();
        self.at += 1;
        self.last = Span::new(opening, self.at);
        Ok(Expected::Comma)
    }

    fn mismatched(&self, opening: usize) -> SyntaxError {
        let (found, needed) = if self.bytes[opening] == b'{' { (']', '}') } else { ('}', ']') };
        let around = self.open.iter().rev().nth(1).map(|&outer| self.bytes[outer] + 2);
        let help = if around == Some(found as u8) {
            format!("write `{needed}` before it, or in its place")
        } else if self.bytes[..self.at].trim_ascii_end().last() == Some(&(found as u8)) {
            "remove it: one is too many".to_owned()
        } else {
            format!("write `{needed}` in its place")
        };
        let detail = format!(
            "`{found}` cannot close the `{}` at {}",
            char::from(self.bytes[opening]),
            place(self.text, opening)
        );
        SyntaxError::new(Slip::MismatchedBracket, self.one(), detail).with_help(help)
    }

    /// The text ends within something: points at what was opened last, or at the token that is cut.
    pub(super) fn cut_off(&self) -> SyntaxError {
        let end = place(self.text, self.text.len());
        let Some(&opening) = self.open.last() else {
            let span = Span::new(self.text.len(), self.text.len());
            return SyntaxError::new(
                Slip::CutOff,
                span,
                format!("it ends at {end} before the value is complete"),
            )
            .with_help(self.cut_off_help());
        };
        let kind = if self.bytes[opening] == b'{' { "object" } else { "array" };
        let detail =
            format!("it ends at {end}, and the {kind} opened at {} is not closed", place(self.text, opening));
        SyntaxError::new(Slip::CutOff, Span::new(opening, opening + 1), detail).with_help(self.cut_off_help())
    }

    fn cut_off_help(&self) -> String {
        let close = match self.open[..] {
            [] => "",
            [_] => "close it; ",
            [first, ..] => {
                let (many, first) = (self.open.len(), place(self.text, first));
                &format!("close all {many} that are open, the first at {first}; ")
            }
        };
        format!("{close}raise the model's output limit if it was reached")
    }

    fn no_value(&self, expected: Expected, found: char) -> SyntaxError {
        if let Some(error) = self.common_slip(found) {
            return error;
        }
        match (expected, found) {
            (Expected::Element(comma), ']') => trailing_comma(comma, found),
            (Expected::MemberValue, ',' | '}') => SyntaxError::new(
                Slip::MissingValue,
                self.one(),
                format!("the key {} has none, found `{found}`", quote(self.text, self.last)),
            )
            .with_help("write the value, or `null`"),
            (_, '}' | ']') => match self.open.last() {
                Some(&opening) if self.bytes[opening] + 2 != found as u8 => self.mismatched(opening),
                _ => self.unexpected(format!("expected a value, found `{found}`")),
            },
            (Expected::Element(_), ',') => {
                self.unexpected("expected a value between two commas").with_help("remove one of the commas")
            }
            (Expected::FirstElement, ',') => self.unexpected("expected a value before the comma"),
            (_, '(') => self
                .unexpected("expected a value, found `(`")
                .with_help("JSON has no tuples: write `[` and `]`"),
            _ => self.unexpected(format!("expected a value, found {}", character(found))),
        }
    }

    fn no_key(&mut self, expected: Expected, found: char) -> SyntaxError {
        if let Expected::Key(comma) = expected
            && let Some(error) = self.thousands(comma, self.at)
        {
            return error;
        }
        if let Some(error) = self.common_slip(found) {
            return error;
        }
        match (expected, found) {
            (Expected::Key(comma), '}') => trailing_comma(comma, found),
            (_, ']') => match self.open.last() {
                Some(&opening) => self.mismatched(opening),
                None => self.unexpected("expected a key"),
            },
            (_, ',') => self.unexpected("expected a key before the comma").with_help("remove the comma"),
            (_, ':') => self.unexpected("expected a key before the colon"),
            (_, '{' | '[') => self.unexpected(format!("expected a key in double quotes, found `{found}`")),
            _ if found.is_alphanumeric() || matches!(found, '_' | '$' | '@' | '-' | '.') => {
                let span = self.bare();
                if next_byte(self.bytes, span.end) == Some(b'"') {
                    let detail = format!("expected a key in double quotes, found {}", quote(self.text, span));
                    return SyntaxError::new(Slip::Unexpected, span, detail);
                }
                SyntaxError::new(Slip::UnquotedKey, span, quote(self.text, span)).with_help(
                    match span.len() {
                        0..=60 => format!("write `\"{}\"`", &self.text[span.start..span.end]),
                        _ => "put it in double quotes".to_owned(),
                    },
                )
            }
            _ => self.unexpected(format!("expected a key in double quotes, found {}", character(found))),
        }
    }

    /// `"price": 1,250`: the comma within a number ended it. `at` is where the text goes on behind it.
    pub(super) fn thousands(&self, comma: usize, at: usize) -> Option<SyntaxError> {
        let digits = self.bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let after_number = comma == self.last.end && self.bytes[comma - 1].is_ascii_digit();
        (digits == 3 && at == comma + 1 && after_number).then(|| {
            let mut end = at + digits;
            while let [b',' | b'.', b'0'..=b'9', ..] = self.bytes[end..] {
                end += 1;
                end += self.bytes[end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            }
            let span = Span::new(self.last.start, end);
            let detail = format!("{} has a thousands separator", quote(self.text, span));
            SyntaxError::new(Slip::InvalidNumber, span, detail)
                .with_help("remove the comma within the number")
        })
    }

    fn missing_comma(&mut self, found: char) -> SyntaxError {
        if let Some(error) = self.unescaped_quote(found) {
            return error;
        }
        let closing = if self.in_object() { '}' } else { ']' };
        match found {
            '"' | '\'' | '“' | '”' | '{' | '[' | '-' | '0'..='9' => self.no_comma(),
            ':' if self.in_object() => {
                self.unexpected(format!("expected a comma or `{closing}` behind the value, found `:`"))
            }
            ':' => self
                .unexpected("a colon stands in an array")
                .with_help("members need the braces of an object: `{\"key\": value}`"),
            _ if found.is_alphanumeric() || matches!(found, '_' | '$') => {
                let word = self.bare();
                let literal = matches!(&self.text[word.start..word.end], "true" | "false" | "null");
                if literal || next_byte(self.bytes, word.end) == Some(b':') {
                    return self.no_comma();
                }
                let detail = format!("expected a comma or `{closing}`, found {}", quote(self.text, word));
                SyntaxError::new(Slip::Unexpected, word, detail)
            }
            _ => match self.common_slip(found) {
                Some(error) => error,
                None => {
                    self.unexpected(format!("expected a comma or `{closing}`, found {}", character(found)))
                }
            },
        }
    }

    fn no_comma(&mut self) -> SyntaxError {
        let span = self.token();
        let member = self.in_object() && next_byte(self.bytes, span.end) == Some(b':');
        let what = if member { "member" } else { "value" };
        let detail = format!("expected one before the {what} {}", quote(self.text, span));
        let after = place(self.text, self.last.end);
        SyntaxError::new(Slip::MissingComma, span, detail).with_help(format!("write a comma at {after}"))
    }

    fn missing_colon(&mut self, found: char) -> SyntaxError {
        if let Some(error) = self.unclosed_key().or_else(|| self.unescaped_quote(found)) {
            return error;
        }
        let key = quote(self.text, self.last);
        if let (']', Some(&opening)) = (found, self.open.last()) {
            return self.mismatched(opening);
        }
        let mut span = if matches!(found, ',' | '}' | '=' | '{' | '[') { self.one() } else { self.token() };
        let detail = format!("the key {key} has none, found {}", quote(self.text, span));
        if self.text[self.last.end..self.at].contains('\n') {
            span = self.last;
        }
        let help = match found {
            ',' | '}' => "write `: value` behind the key, or use `[` and `]` for a list",
            _ => "write a colon behind the key",
        };
        SyntaxError::new(Slip::MissingColon, span, detail).with_help(help)
    }

    /// `{"key:"value"}`
    fn unclosed_key(&self) -> Option<SyntaxError> {
        let Span { start, end } = self.last;
        (self.at == end && self.text[start..end - 1].ends_with(':')).then(|| {
            let detail = format!("the key opened at {} runs over its colon", place(self.text, start));
            SyntaxError::new(Slip::UnclosedString, Span::new(start, start + 1), detail)
                .with_help("close the key with a double quote before the colon")
        })
    }

    pub(super) fn unexpected(&self, detail: impl Into<String>) -> SyntaxError {
        SyntaxError::new(Slip::Unexpected, self.one(), detail)
    }
}

fn trailing_comma(comma: usize, closing: char) -> SyntaxError {
    SyntaxError::new(
        Slip::TrailingComma,
        Span::new(comma, comma + 1),
        format!("found one before `{closing}`"),
    )
    .with_help("remove the comma")
}
