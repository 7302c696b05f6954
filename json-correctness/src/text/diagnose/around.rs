//! What stands before and behind the value.

use super::super::builder;
use super::super::candidates::{self, Strength};
use super::super::fence;
use super::super::lexer::skip_whitespace;
use super::super::limits::Limits;
use super::grammar::Reader;
use super::{Slip, Span, SyntaxError, character, next_byte, quote, trimmed};

impl Reader<'_> {
    /// Looks at what stands before the outermost value.
    pub(super) fn before(&mut self) -> Result<(), SyntaxError> {
        let all = Span::new(self.start, self.text.len());
        let content = trimmed(self.text, all);
        if content.is_empty() {
            let detail = if all.is_empty() { "" } else { "it holds only white space" };
            return Err(SyntaxError::new(Slip::Empty, all, detail).with_help("the model returned nothing"));
        }
        let part = &self.text[self.start..];
        if part.starts_with('\u{feff}') {
            let span = Span::new(self.start, self.start + 3);
            return Err(SyntaxError::new(Slip::ByteOrderMark, span, "found U+FEFF before the value")
                .with_help("write UTF-8 without a byte order mark"));
        }
        self.at = content.start;
        if let Some(opening) = fence::opening_at(self.text, content.start)
            && self.fenced_prose(content.start).is_none()
        {
            let detail = format!("it starts with {}", quote(self.text, opening.marker));
            return Err(SyntaxError::new(Slip::Fenced, opening.marker, detail)
                .with_help("ask for JSON without a fence, or extract the fenced block"));
        }
        self.at = self.start;
        // A heading or a list of Markdown looks like a comment or a number; prose decides later.
        Ok(())
    }

    /// Looks at what stands behind the outermost value.
    pub(super) fn behind(&mut self) -> Result<(), SyntaxError> {
        let end_of_value = self.at;
        self.skip_space()?;
        let Some(found) = self.peek() else { return Ok(()) };
        let rest = trimmed(self.text, Span::new(self.at, self.text.len()));
        let text = &self.text[rest.start..rest.end];
        let string = self.bytes[end_of_value - 1] == b'"' && self.bytes[self.last.start] == b'"';
        let thousands = (found == ',').then(|| self.thousands(self.at, self.at + 1)).flatten();
        if let Some(error) = thousands {
            return Err(error);
        }
        Err(match found {
            '}' | ']' => SyntaxError::new(
                Slip::Unexpected,
                self.one(),
                format!("`{found}` closes nothing: the value ends before"),
            )
            .with_help("remove it"),
            ':' if string => SyntaxError::new(
                Slip::Unexpected,
                self.one(),
                "a colon stands behind a string outside an object",
            )
            .with_help("write `{` before the first key and `}` behind the last value"),
            _ if text.starts_with("```") || text.starts_with("~~~") => {
                let span = Span::new(
                    rest.start,
                    rest.start + text.lines().next().map_or(0, |line| line.trim_end().len()),
                );
                SyntaxError::new(Slip::TextAfter, span, "found a code fence")
                    .with_help("remove it, or extract the embedded value")
            }
            ',' if self.next_is_member(rest.start + 1) => {
                let closed = super::place(self.text, end_of_value - 1);
                SyntaxError::new(Slip::TextAfter, rest, "members stand behind the object's closing bracket")
                    .with_help(format!("remove the bracket at {closed}, which closes the object too early"))
            }
            _ if starts_value(text.trim_start_matches([',', ';']).trim_start()) => {
                self.at = rest.start + (text.len() - text.trim_start_matches([',', ';']).trim_start().len());
                let span = Span::new(self.at, rest.end);
                let detail = format!("a second one starts with {}", quote(self.text, self.token()));
                SyntaxError::new(Slip::SeveralValues, span, detail)
                    .with_help("ask for one value, or for an array that holds them all")
            }
            _ => SyntaxError::new(
                Slip::TextAfter,
                rest,
                match text.chars().count() {
                    1 => format!("found {}", character(found)),
                    _ => format!("found {}", quote(self.text, first_line(self.text, rest))),
                },
            )
            .with_help("ask for JSON alone, or extract the embedded value"),
        })
    }

    /// Whether a string and a colon stand at the place.
    fn next_is_member(&mut self, at: usize) -> bool {
        let here = (self.at, self.last);
        self.at = skip_whitespace(self.bytes, at);
        let member =
            self.peek() == Some('"') && self.string().is_ok() && next_byte(self.bytes, self.at) == Some(b':');
        (self.at, self.last) = here;
        member
    }

    /// The content of the block that opens at `at`, where it is prose: taking the fence off would
    /// not help.
    fn fenced_prose(&self, at: usize) -> Option<Span> {
        let block = fence::blocks(self.text).into_iter().find(|block| block.marker.start == at)?;
        let line = self.text[block.content.start..block.content.end].lines().next()?;
        let prose = block.info.is_empty()
            && line.starts_with(char::is_alphabetic)
            && line.trim_end().contains(char::is_whitespace);
        prose.then_some(block.content)
    }

    /// The content of the first fenced block that starts with a bracket.
    fn fenced_brackets(&self, from: usize) -> Option<Span> {
        let contents = fence::blocks(self.text).into_iter().map(|block| block.content);
        contents
            .filter(|content| content.start > from)
            .find(|content| matches!(self.bytes.get(content.start), Some(b'{' | b'[')))
    }

    /// The one array of numbers and literals, or empty container, in which prose ends, where it is
    /// no citation such as `[1]`.
    fn plain_array(&self, content: Span) -> Option<Span> {
        let text = &self.text[..content.end];
        let candidates = candidates::outermost(text);
        let [span] = candidates.first[..] else { return None };
        let behind = &text[span.end..];
        let before = text.get(content.start..span.start)?;
        let announced = before.trim_end_matches([' ', '\t']).ends_with([':', '!', '=', '\n']);
        let meant = candidates.count == 1
            && (behind.is_empty() || behind == ".")
            && (announced || text[span.start..span.end].contains(','))
            && builder::build(text, span.start, span.end, Limits::MAX_DEPTH).is_some();
        meant.then_some(span)
    }

    /// Decides, once the text has failed as JSON, whether it is JSON with a fault at all, or prose
    /// around it or without it.
    pub(super) fn or_prose(&self, error: SyntaxError) -> SyntaxError {
        let mut content = trimmed(self.text, Span::new(self.start, self.text.len()));
        if matches!(error.slip, Slip::Empty | Slip::ByteOrderMark | Slip::Fenced | Slip::TooDeep) {
            return error;
        }
        if let Some(prose) = self.fenced_prose(content.start) {
            content.start = prose.start;
        }
        let first = self.bytes[content.start];
        let bracket = matches!(first, b'{' | b'[');
        if bracket && candidates::strength(self.text, content.start) == Some(Strength::Strong) {
            return error;
        }
        // A comment of `//` or `/*` before the value is a comment, not prose; `#` may be a heading.
        if error.slip == Slip::Comment && first == b'/' {
            return error;
        }
        // `"key": {…}`: the braces are missing.
        if first == b'"' && error.slip == Slip::Unexpected {
            return error;
        }
        // A tuple of Python, and not `(1) A remark`.
        if first == b'(' && closes_at_end(&self.text[content.start..content.end]) {
            return error;
        }
        // `[]{"a": 1}`
        if bracket && error.slip == Slip::SeveralValues {
            return error;
        }
        let wrapped =
            matches!(error.slip, Slip::SingleQuotes | Slip::CurlyQuotes) && error.span == content && !bracket;
        if wrapped {
            return error;
        }
        if matches!(first, b'}' | b']') {
            return error;
        }
        // Brackets alone are no prose: `{{"a": 1}}`.
        let prose = |end: usize| {
            let bracket = |c: char| c.is_whitespace() || matches!(c, '{' | '[' | '(');
            !self.text[content.start..end].trim_matches(bracket).is_empty()
        };
        let found = candidates::first_strong(self.text, content.start + 1)
            .or_else(|| self.fenced_brackets(content.start + 1))
            .or_else(|| self.plain_array(content))
            .filter(|found| prose(found.start));
        if let Some(candidate) = found {
            let fence =
                fence::opening_before(self.text, candidate.start).filter(|fence| fence.start > content.start);
            let end = fence.map_or(candidate.start, |fence| fence.start);
            let span = trimmed(self.text, Span::new(content.start, end));
            let part = if fence.is_some() { "fenced block" } else { "embedded value" };
            let detail = format!("found {}", quote(self.text, first_line(self.text, span)));
            return SyntaxError::new(Slip::TextBefore, span, detail)
                .with_help(format!("ask for JSON alone, or extract the {part}"));
        }
        let text = &self.text[content.start..content.end];
        let single = !text.contains(char::is_whitespace);
        let scalar =
            matches!(error.slip, Slip::TextAfter | Slip::SeveralValues | Slip::CutOff | Slip::Comment);
        if bracket || single || error.span == content && error.slip != Slip::UnknownWord {
            return error;
        }
        if scalar && first != b'#'
            || matches!(
                error.slip,
                Slip::ControlCharacter | Slip::InvalidEscape | Slip::LoneSurrogate | Slip::InvisibleCharacter
            )
        {
            return error;
        }
        SyntaxError::new(
            Slip::NoJson,
            content,
            format!("it starts with {}", quote(self.text, first_line(self.text, content))),
        )
        .with_help("ask for JSON alone; the model may have refused or answered in prose")
    }
}

/// Whether the parenthesis that a text starts with is closed by its last character.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0_usize;
    let closing = text.char_indices().find(|&(_, c)| {
        depth += usize::from(c == '(');
        depth -= usize::from(c == ')' && depth > 0);
        depth == 0
    });
    closing.is_some_and(|(at, _)| at + 1 == text.len())
}

/// Whether a text starts with a JSON value.
fn starts_value(text: &str) -> bool {
    let word = |literal: &str| {
        text.strip_prefix(literal).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    text.starts_with(['{', '[', '"'])
        || text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
            && !text
                .trim_start_matches(|c: char| c.is_ascii_digit() || "+-.eE".contains(c))
                .trim_start()
                .starts_with(char::is_alphabetic)
        || word("true")
        || word("false")
        || word("null")
}

fn first_line(text: &str, span: Span) -> Span {
    let line = text[span.start..span.end].lines().next().unwrap_or_default();
    Span::new(span.start, span.start + line.trim_end().len())
}
