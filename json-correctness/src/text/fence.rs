//! Fenced blocks of Markdown, as models write them.

use super::lexer::skip_whitespace;
use super::{Span, diagnose};

/// The line that opens a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// The fence and its info string: ```` ```json ````.
    pub(super) marker: Span,
    /// The info string.
    info: Span,
    /// Where the content starts.
    content: usize,
}

/// A fenced block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The fence and its info string.
    pub(super) marker: Span,
    /// The first word behind the fence.
    pub(super) info: Span,
    /// The content without the white space around it.
    pub(super) content: Span,
}

/// The fence at `at`: three or more backticks or tildes.
///
/// Content may start on the same line, where it starts with a bracket or a quote.
pub(super) fn opening_at(text: &str, at: usize) -> Option<Opening> {
    let rest = &text[at..];
    let tick = rest.chars().next().filter(|tick| matches!(tick, '`' | '~'))?;
    let ticks = rest.len() - rest.trim_start_matches(tick).len();
    if ticks < 3 {
        return None;
    }
    let line = rest[ticks..].lines().next().unwrap_or_default();
    let start = at + ticks + (line.len() - line.trim_start().len());
    let word = line.trim_start();
    let length = word
        .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '+' | '.' | '#' | '-' | '/'))
        .unwrap_or(word.len());
    let info = Span::new(start, start + length);
    let marker = Span::new(at, if length == 0 { at + ticks } else { info.end });
    let behind = word[length..].trim_start();
    if behind.starts_with(['{', '[', '"']) {
        let content = info.end + (word[length..].len() - behind.len());
        return Some(Opening { marker, info, content });
    }
    // A code span, not a fence.
    if tick == '`' && behind.contains('`') {
        return None;
    }
    Some(Opening { marker, info, content: (at + ticks + line.len()).min(text.len()) })
}

/// The marker of the fence whose content starts at `at`.
pub(super) fn opening_before(text: &str, at: usize) -> Option<Span> {
    let before = text[..at].trim_end();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let ticks = line + before[line..].find("```").or_else(|| before[line..].find("~~~"))?;
    let opening = opening_at(text, ticks)?;
    (skip_whitespace(text.as_bytes(), opening.content) == at).then_some(opening.marker)
}

/// All fenced blocks, in one pass. A block that is never closed runs to the end of the text; a
/// lone fence at the very end opens nothing.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let line_end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
        let Some(opening) = opening_in(text, at, line_end) else {
            at = line_end;
            continue;
        };
        let (content_end, behind, closed) = closing(text, &opening);
        let content = diagnose::trimmed(text, Span::new(opening.content, content_end));
        if closed || !content.is_empty() {
            blocks.push(Block { marker: opening.marker, info: opening.info, content });
        }
        at = behind;
    }
    blocks
}

/// The opening fence of a line: at its start, or, marked as JSON, at its end behind prose.
fn opening_in(text: &str, start: usize, end: usize) -> Option<Opening> {
    let line = &text[start..end];
    let indented = start + (line.len() - line.trim_start_matches([' ', '\t', '>', '*', '-']).len());
    opening_at(text, indented).filter(|opening| opening.content <= end).or_else(|| {
        let before = line.find("```")?;
        // `{"text": "```json`: the fence stands in a string.
        let quoted = line[..before].matches('"').count() % 2 == 1;
        let opening = opening_at(text, start + before).filter(|_| !quoted)?;
        is_json_info(&text[opening.info.start..opening.info.end]).then_some(opening)
    })
}

/// Where the content ends, where the text behind the block starts, and whether the block is closed.
fn closing(text: &str, opening: &Opening) -> (usize, usize, bool) {
    let tick = char::from(text.as_bytes()[opening.marker.start]);
    let marker = &text[opening.marker.start..opening.marker.end];
    let ticks = marker.len() - marker.trim_start_matches(tick).len();
    let mut at = opening.content;
    while at < text.len() {
        let line_end = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
        let line = &text[at..line_end];
        let run = line.trim_start();
        let behind = run.trim_start_matches(tick);
        // `` ``` `` alone, or before more prose on the line.
        if run.len() - behind.len() >= ticks && (behind.is_empty() || behind.starts_with(char::is_whitespace))
        {
            return (at, at + (line.len() - behind.len()), true);
        }
        // `` }``` ``
        let bare = line.trim_end();
        let content = bare.trim_end_matches(tick);
        if bare.len() - content.len() >= ticks && content.trim_end().ends_with(['}', ']', '"']) {
            return (at + content.len(), line_end, true);
        }
        at = line_end;
    }
    (text.len(), text.len(), false)
}

/// Whether an info string marks JSON: `json`, `JSON`, `json5`, `jsonc`, `application/json`.
pub(super) fn is_json_info(info: &str) -> bool {
    let lower = info.to_ascii_lowercase();
    lower.starts_with("json") || lower.ends_with("json")
}
