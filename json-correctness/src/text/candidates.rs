//! Arrays and objects within prose: which brackets open JSON, and where they close.

use super::Span;
use super::lexer::{plain_run, skip_whitespace};

/// How surely a bracket in prose opens JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// An empty container, or an array of numbers and literals: also `{}` in code and `[1]` as a
    /// citation look so.
    Weak,
    /// An object with a key (however quoted), or an array with a string or such an object first.
    Strong,
}

/// The candidates of a text.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// The first of them.
    pub(super) first: Vec<Span>,
    /// How many there are.
    pub(super) count: usize,
}

impl Candidates {
    /// Most candidates whose places are kept.
    const KEPT: usize = 4;

    fn add(&mut self, span: Span) {
        self.count += 1;
        if self.first.len() < Self::KEPT {
            self.first.push(span);
        }
    }
}

/// How surely the bracket at `at` opens JSON; `None` where it does not, as in `{placeholder}`,
/// `[a link](…)` and `code['index']`. Looks at a bounded number of tokens.
pub(super) fn strength(text: &str, at: usize) -> Option<Strength> {
    const MOST_BRACKETS: usize = 16;
    let bytes = text.as_bytes();
    let indexed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b')');
    if bytes[at] == b'[' && at > 0 && indexed(bytes[at - 1]) {
        return None;
    }
    let mut at = at;
    for _ in 0..MOST_BRACKETS {
        match bytes.get(at)? {
            b'{' => return object_strength(text, skip_whitespace(bytes, at + 1)),
            b'[' => at = skip_whitespace(bytes, at + 1),
            b'"' | b'\'' => return Some(Strength::Strong),
            b']' | b'-' | b'0'..=b'9' => return Some(Strength::Weak),
            _ => {
                let rest = &text[at..];
                let literal = ["true", "false", "null", "True", "False", "None"]
                    .iter()
                    .any(|word| rest.starts_with(word));
                return match rest.chars().next() {
                    Some('“' | '”' | '„') => Some(Strength::Strong),
                    _ => literal.then_some(Strength::Weak),
                };
            }
        }
    }
    Some(Strength::Strong)
}

/// The same for an object, whose first token stands at `at`.
fn object_strength(text: &str, at: usize) -> Option<Strength> {
    const LONGEST_KEY: usize = 64;
    let rest = &text[at..];
    match rest.chars().next() {
        None | Some('}') => Some(Strength::Weak),
        Some('"' | '\'' | '“' | '”' | '„') => Some(Strength::Strong),
        Some('/') if rest.starts_with("//") || rest.starts_with("/*") => Some(Strength::Strong),
        Some(_) => {
            let key = rest
                .char_indices()
                .take(LONGEST_KEY)
                .find(|(_, c)| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '$'))
                .map_or(rest.len().min(LONGEST_KEY), |(end, _)| end);
            let behind = skip_whitespace(text.as_bytes(), at + key);
            (key > 0 && text.as_bytes().get(behind) == Some(&b':')).then_some(Strength::Strong)
        }
    }
}

/// The first bracket at or behind `from` that surely opens JSON, up to where it closes.
pub(super) fn first_strong(text: &str, from: usize) -> Option<Span> {
    let mut at = from;
    while let Some(bracket) = next_bracket(text, at) {
        if strength(text, bracket) == Some(Strength::Strong) {
            return Some(Span::new(bracket, end(text, bracket)));
        }
        at = bracket + 1;
    }
    None
}

/// The outermost candidates of a text: the sure ones, and only where there are none the others.
/// What is never closed runs to the end of the text. One pass, whatever the text.
pub(super) fn outermost(text: &str) -> Candidates {
    let (mut strong, mut weak) = (Candidates::default(), Candidates::default());
    let mut at = 0;
    while let Some(bracket) = next_bracket(text, at) {
        at = match strength(text, bracket) {
            Some(Strength::Strong) => {
                let span = Span::new(bracket, end(text, bracket));
                strong.add(span);
                span.end
            }
            Some(Strength::Weak) => {
                // Short: numbers, literals and brackets up to the first other character.
                let span = Span::new(bracket, weak_end(text, bracket));
                if span.len() > 1 {
                    weak.add(span);
                }
                span.end
            }
            None => bracket + 1,
        };
    }
    if strong.count > 0 { strong } else { weak }
}

fn next_bracket(text: &str, from: usize) -> Option<usize> {
    text.as_bytes().get(from..)?.iter().position(|byte| matches!(byte, b'{' | b'[')).map(|at| from + at)
}

/// The end of the container at `at`, as far as brackets and strings tell it; the end of the text
/// where it is not closed. Single quotes count as quotes where a string can start.
fn end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = at;
    // The last byte outside strings that is not white space.
    let mut before = b' ';
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            b'"' => at = double_quoted(bytes, at),
            b'\'' if matches!(before, b'{' | b'[' | b',' | b':') => at = single_quoted(bytes, at),
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    text.len()
}

/// Behind the closing quote of the string that starts before `at`.
fn double_quoted(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = plain_run(bytes, at);
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at = (at + 2).min(bytes.len()),
            Some(_) => at += 1,
        }
    }
}

/// The same for single quotes, which end a string only where a string can end.
fn single_quoted(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' => at = (at + 1).min(bytes.len()),
            b'\''
                if matches!(
                    bytes.get(skip_whitespace(bytes, at)),
                    None | Some(b',' | b':' | b'}' | b']')
                ) =>
            {
                return at;
            }
            _ => {}
        }
    }
    bytes.len()
}

fn weak_end(text: &str, at: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, byte) in text.as_bytes()[at..].iter().enumerate() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + offset + 1;
                }
            }
            b' ' | b'\n' | b'\r' | b'\t' | b',' | b'.' | b'+' | b'-' => {}
            _ if byte.is_ascii_alphanumeric() => {}
            // No array of numbers after all.
            _ => return at + offset.max(1),
        }
    }
    text.len()
}
