//! Words, numbers and the slips that stand in for any token.

use super::super::lexer::{number, number_form};
use super::grammar::Reader;
use super::{Slip, Span, SyntaxError, quote};

impl Reader<'_> {
    /// The run of characters at the present place that no bracket, quote, comma, colon or white
    /// space ends.
    pub(super) fn bare(&self) -> Span {
        let rest = &self.text[self.at..];
        let ends = |c: char| {
            c.is_whitespace()
                || super::is_invisible(c)
                || matches!(c, ',' | ':' | ';' | '{' | '}' | '[' | ']' | '"' | '(' | ')')
        };
        Span::new(self.at, self.at + rest.find(ends).unwrap_or(rest.len()))
    }

    /// The token at the present place, whatever it is.
    pub(super) fn token(&mut self) -> Span {
        let (start, last) = (self.at, self.last);
        let span = match self.peek() {
            Some('"') if self.string().is_ok() => self.last,
            Some(quote @ ('\'' | '“' | '”')) => self.other_quotes(quote),
            Some('"' | '{' | '[') | None => Span::new(start, (start + 1).min(self.text.len())),
            Some(_) => match self.bare() {
                span if span.is_empty() => self.one(),
                span => span,
            },
        };
        (self.at, self.last) = (start, last);
        span
    }

    pub(super) fn word(&mut self) -> Result<(), SyntaxError> {
        let span = self.bare();
        let word = &self.text[span.start..span.end];
        if matches!(word, "true" | "false" | "null") {
            self.at = span.end;
            self.last = span;
            return Ok(());
        }
        Err(self.no_literal(span, word))
    }

    fn no_literal(&self, span: Span, word: &str) -> SyntaxError {
        let cut = ["true", "false", "null"].iter().any(|literal| literal.starts_with(word));
        // One letter alone is an answer of its own, not the beginning of a literal.
        if cut && span.end == self.text.len() && (!self.open.is_empty() || word.len() > 1) {
            let mut error = self.cut_off();
            error.span = span;
            return error;
        }
        let write = |right: &str| format!("write `{right}`");
        let (slip, help) = match word {
            "True" => (Slip::PythonLiteral, write("true")),
            "False" => (Slip::PythonLiteral, write("false")),
            "None" => (Slip::PythonLiteral, write("null")),
            "NaN" | "nan" | "NAN" | "Infinity" | "infinity" | "inf" | "Inf" => {
                (Slip::NotFinite, "write `null`, or a number".to_owned())
            }
            _ => match word.to_lowercase().as_str() {
                lower @ ("true" | "false" | "null") => (Slip::UnknownWord, write(lower)),
                "undefined" | "nil" | "none" | "void" => (Slip::UnknownWord, write("null")),
                "yes" | "on" => (Slip::UnknownWord, "write `true`, or put it in double quotes".to_owned()),
                "no" | "off" => (Slip::UnknownWord, "write `false`, or put it in double quotes".to_owned()),
                _ => return self.unquoted(span),
            },
        };
        SyntaxError::new(slip, span, quote(self.text, span)).with_help(help)
    }

    /// A string value without quotes: up to what would end a value.
    fn unquoted(&self, first: Span) -> SyntaxError {
        let rest = &self.text[self.at..];
        let end = rest.find([',', '}', ']', '\n', '"', '{', '[']).unwrap_or(rest.len());
        let span = Span::new(self.at, self.at + rest[..end].trim_end().len().max(first.len()));
        SyntaxError::new(Slip::UnknownWord, span, quote(self.text, span))
            .with_help("put a string in double quotes")
    }

    pub(super) fn number(&mut self) -> Result<(), SyntaxError> {
        let span = self.bare();
        let form = number_form(self.bytes, self.at).filter(|form| form.end == span.end);
        if form.is_some() && number(self.bytes, self.at).is_some() {
            self.at = span.end;
            self.last = span;
            return Ok(());
        }
        let found = quote(self.text, span);
        if form.is_some() {
            let detail = format!("{found} is beyond the range of a 64-bit float (about 1.8e308)");
            return Err(SyntaxError::new(Slip::NumberOutOfRange, span, detail)
                .with_help("write a smaller number, or put it in double quotes"));
        }
        Err(self.no_number(span, found))
    }

    fn no_number(&self, span: Span, found: String) -> SyntaxError {
        let spelling = &self.text[span.start..span.end];
        let unsigned = spelling.trim_start_matches(['-', '+']);
        let lower = unsigned.to_ascii_lowercase();
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let completed = format!("{spelling}0");
        if span.end == self.text.len()
            && number_form(completed.as_bytes(), 0).is_some_and(|form| form.end == completed.len())
        {
            let mut error = self.cut_off();
            error.span = span;
            return error;
        }
        if spelling.starts_with("...") {
            return self.ellipsis(3);
        }
        let invalid = |detail: &str, help: String| {
            SyntaxError::new(Slip::InvalidNumber, span, format!("{found} {detail}")).with_help(help)
        };
        let valid = |text: &str| number_form(text.as_bytes(), 0).is_some_and(|form| form.end == text.len());
        let write = |right: &str| format!("write `{right}`");
        if matches!(lower.as_str(), "infinity" | "inf" | "nan") {
            return SyntaxError::new(Slip::NotFinite, span, found).with_help("write `null`, or a number");
        }
        if let Some(plain) = spelling.strip_prefix('+').filter(|plain| valid(plain)) {
            return invalid("has a plus sign", write(plain));
        }
        if let Some(digits) = lower.strip_prefix("0x").filter(|digits| !digits.is_empty())
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        {
            return invalid("is hexadecimal", "write it in decimal".to_owned());
        }
        if lower.starts_with(['o', 'b']) || lower.starts_with("0o") || lower.starts_with("0b") {
            return invalid("is not decimal", "write it in decimal".to_owned());
        }
        let plain = spelling.replace('_', "");
        if plain.len() < spelling.len() && valid(&plain) {
            return invalid("has underscores", write(&plain));
        }
        if unsigned.starts_with('.') && valid(&format!("0{unsigned}")) {
            return invalid("has no digit before the point", write(&spelling.replacen('.', "0.", 1)));
        }
        if valid(unsigned.trim_start_matches('0')) && unsigned.starts_with('0') {
            return invalid("starts with a zero", write(unsigned.trim_start_matches('0')));
        }
        if spelling
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-' | b'%' | b','))
        {
            let dashes =
                unsigned.split(['e', 'E']).any(|part| part.trim_start_matches(['+', '-']).contains('-'));
            let points = unsigned.matches('.').count() > 1;
            if unsigned.ends_with('.') && !points {
                return invalid("has no digit behind the point", write(spelling.trim_end_matches('.')));
            }
            if !dashes && !points {
                return invalid(
                    "is no number in JSON",
                    "write digits, at most one point, and an exponent".to_owned(),
                );
            }
        }
        if unsigned.split_once('/').is_some_and(|(above, below)| digits(above) && digits(below)) {
            return invalid("is a fraction", "write the result, or put it in double quotes".to_owned());
        }
        // A date, a version, a quantity with its unit: meant as a string.
        self.unquoted(span)
    }

    fn ellipsis(&self, length: usize) -> SyntaxError {
        SyntaxError::new(
            Slip::Unexpected,
            Span::new(self.at, self.at + length),
            "an ellipsis stands for what was left out",
        )
        .with_help("write all of it")
    }

    /// Slips that stand where a key or a value should.
    pub(super) fn common_slip(&self, found: char) -> Option<SyntaxError> {
        let rest = &self.text[self.at..];
        let quotes = |slip| {
            let span = self.other_quotes(found);
            let mut inner = self.text[span.start..span.end].chars();
            inner.next();
            inner.next_back();
            let inner = inner.as_str();
            let short = span.len() > found.len_utf8() && inner.len() <= 60 && !inner.contains(['"', '\\']);
            SyntaxError::new(slip, span, format!("found {}", quote(self.text, span))).with_help(if short {
                format!("write `\"{inner}\"`")
            } else {
                "put it in straight double quotes".to_owned()
            })
        };
        match found {
            '`' if rest.starts_with("```") => Some(SyntaxError::new(
                Slip::Unexpected,
                Span::new(self.at, self.at + 3),
                "a code fence stands inside the value",
            )),
            '\'' | '`' => Some(quotes(Slip::SingleQuotes)),
            '“' | '”' | '„' | '‟' | '‘' | '’' | '‚' | '«' | '»' | '＂' => {
                Some(quotes(Slip::CurlyQuotes))
            }
            '.' if rest.starts_with("...") => Some(self.ellipsis(3)),
            '…' => Some(self.ellipsis('…'.len_utf8())),
            '\\' => Some(
                self.unexpected("a backslash stands outside a string")
                    .with_help("the text may have been escaped once too often: write it without backslashes"),
            ),
            _ => None,
        }
    }
}
