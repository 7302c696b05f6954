//! The report of a failing assertion: each violation at its place in the text, as compilers do it.

use std::io::IsTerminal;

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};

use super::sanitize::for_terminal_line;
use crate::{
    text::{Position, Span, terminal_substitute},
    violation::Violation,
};

/// Lines shown before and behind the faulty ones.
const CONTEXT_LINES: usize = 1;
/// Most characters that are shown of a line, and of the lines that a fault covers together.
const WINDOW_CHARACTERS: usize = 100;

/// Whether reports on standard error should have colour: only on a terminal, and neither under CI
/// nor under a test runner that collects the output, nor where the user asked for none.
pub(crate) fn use_color() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let asked = std::env::var("CARGO_TERM_COLOR").unwrap_or_default();
    if set("NO_COLOR") || asked == "never" || std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return false;
    }
    if asked == "always" || set("CLICOLOR_FORCE") {
        return true;
    }
    !set("CI") && !set("NEXTEST") && std::io::stderr().is_terminal()
}

/// Every violation at its place in the text, which comes from `origin`, separated by blank lines.
pub(crate) fn violations(text: &str, origin: &str, violations: &[Violation], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let blocks: Vec<String> =
        violations.iter().map(|violation| violation_block(text, origin, violation, &renderer)).collect();
    blocks.join("\n\n")
}

fn violation_block(text: &str, origin: &str, violation: &Violation, renderer: &Renderer) -> String {
    let origin = for_terminal_line(origin);
    let pointer = if violation.pointer.is_root() { "root" } else { violation.pointer.as_str() };
    let pointer = for_terminal_line(pointer);
    let primary = Shown::new(text, &origin, violation.span, &format!(" ({pointer})"));
    let label = violation.suggestion.as_deref().map(for_terminal_line).unwrap_or_default();
    let title = Level::ERROR.primary_title(for_terminal_line(&violation.message)).id(violation.code);
    let mut group = title.element(primary.snippet(AnnotationKind::Primary, &label));
    let related = violation
        .related
        .as_ref()
        .map(|(span, what)| (Shown::new(text, &origin, *span, ""), for_terminal_line(what)));
    if let Some((related, what)) = &related {
        group = group.element(related.snippet(AnnotationKind::Context, what));
    }
    let mut rendered = renderer.render(&[group]);
    for shown in [Some(&primary), related.as_ref().map(|(related, _)| related)].into_iter().flatten() {
        shown.drop_window_position(&mut rendered);
    }
    rendered
}

/// A place in the text as it is printed: its window, and the line that says where it stands.
struct Shown {
    window: Window,
    origin: String,
}

impl Shown {
    fn new(text: &str, origin: &str, span: Span, suffix: &str) -> Self {
        let Position { line, column } = Position::of(text, span.start);
        Self { window: Window::around(text, span), origin: format!("{origin}:{line}:{column}{suffix}") }
    }

    fn snippet<'a>(&'a self, kind: AnnotationKind, label: &'a str) -> Snippet<'a, Annotation<'a>> {
        let Window { text, span, first_line } = &self.window;
        let annotation = kind.span(span.start..span.end);
        Snippet::source(text.as_str())
            .path(self.origin.as_str())
            .line_start(*first_line)
            .fold(false)
            .annotation(if label.is_empty() { annotation } else { annotation.label(label) })
    }

    /// The renderer adds line and column in the window behind the origin, which has those in the text.
    fn drop_window_position(&self, rendered: &mut String) {
        let body = rendered.find('\n').unwrap_or(0);
        let Some(at) = rendered[body..].find(&self.origin) else { return };
        let from = body + at + self.origin.len();
        let extra =
            rendered[from..].bytes().take_while(|byte| *byte == b':' || byte.is_ascii_digit()).count();
        rendered.replace_range(from..from + extra, "");
    }
}

/// The part of a text around a fault, short enough to print and harmless: each hostile character is
/// one visible character.
struct Window {
    text: String,
    /// The fault's bytes in `text`.
    span: Span,
    /// The 1-based number of the window's first line.
    first_line: usize,
}

impl Window {
    fn around(text: &str, span: Span) -> Self {
        let start = floor_boundary(text, span.start);
        let end = floor_boundary(text, span.end).max(start);
        // A fault that covers many lines is shown by its first one.
        let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |at| from + at);
        let line_start = |from: usize| text[..from].rfind('\n').map_or(0, |at| at + 1);
        let (fault_line, fault_line_end) = (line_start(start), line_end(start));
        let end = end.min(fault_line_end);
        let mut first = fault_line;
        for _ in 0..CONTEXT_LINES {
            first = if first == 0 { 0 } else { line_start(first - 1) };
        }
        let mut last = fault_line_end;
        for _ in 0..CONTEXT_LINES {
            last = if last >= text.len() { last } else { line_end(last + 1) };
        }
        let mut window = Self {
            text: String::new(),
            span: Span::default(),
            first_line: 1 + text.as_bytes()[..first].iter().filter(|&&byte| byte == b'\n').count(),
        };
        let mut at = first;
        while at <= last {
            let end_of_line = line_end(at);
            let line = &text[at..end_of_line];
            if at == fault_line {
                window.push_fault_line(line, Span::new(start - at, end - at));
            } else {
                window.push_cut(line, WINDOW_CHARACTERS);
            }
            if end_of_line >= last {
                break;
            }
            window.text.push('\n');
            at = end_of_line + 1;
        }
        window
    }

    /// A line cut around its fault.
    fn push_fault_line(&mut self, line: &str, fault: Span) {
        let before = &line[..fault.start];
        let shown_before = suffix(before, WINDOW_CHARACTERS / 2);
        if shown_before.len() < before.len() {
            self.text.push('…');
        }
        self.push_harmless(shown_before);
        let start = self.text.len();
        self.push_cut(&line[fault.start..fault.end], WINDOW_CHARACTERS);
        // A fault between two characters is shown at the one behind it; at the end of a text an
        // empty span is what marks the end.
        self.span = Span::new(start, self.text.len());
        self.push_cut(&line[fault.end..], WINDOW_CHARACTERS / 2);
    }

    fn push_cut(&mut self, text: &str, characters: usize) {
        let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
        self.push_harmless(&text[..end]);
        if end < text.len() {
            self.text.push('…');
        }
    }

    fn push_harmless(&mut self, text: &str) {
        self.text.extend(text.chars().map(|character| terminal_substitute(character).unwrap_or(character)));
    }
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The last characters of a text.
fn suffix(text: &str, characters: usize) -> &str {
    match characters.checked_sub(1).and_then(|back| text.char_indices().nth_back(back)) {
        Some((at, _)) => &text[at..],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        text::Pointer,
        violation::{Violation, ViolationKind},
    };

    fn report(text: &str, span: Span, key: &str) -> String {
        let kind = ViolationKind::UnknownField { field: key.to_owned(), known: Vec::new() };
        let mut found =
            vec![Violation::new(kind, Pointer::root().key(key), span).with_suggestion("remove it")];
        Violation::place(&mut found, text, 1024);
        violations(text, "actual_output", &found, false)
    }

    #[test]
    fn a_fault_is_shown_with_its_neighbours() {
        let text = "{\n  \"a\": 1,\n  \"é\": 2,\n  \"c\": 3\n}\n";
        let expected = "\
error[JC0103]: unknown field `é`
 --> actual_output:3:3 (/é)
  |
2 |   \"a\": 1,
3 |   \"é\": 2,
  |   ^^^ remove it
4 |   \"c\": 3
  |";
        assert_eq!(report(text, Span::new(14, 18), "é"), expected);
    }

    #[test]
    fn long_lines_are_cut_around_the_fault() {
        let text = format!("[{}\"bad\"{}]", "1,".repeat(500_000), ",2".repeat(500_000));
        let shown = report(&text, Span::new(1_000_001, 1_000_006), "bad");
        assert!(shown.len() < 1_000, "{shown}");
        assert!(shown.contains("1,\"bad\",2"), "{shown}");
        assert!(shown.contains("actual_output:1:1000002"), "{shown}");
        let caret = shown.lines().find(|line| line.contains("^^^^^")).expect("carets");
        let line = shown.lines().find(|line| line.contains("\"bad\"")).expect("the line");
        let column = |line: &str, what| line.split_once(what).map(|(before, _)| before.chars().count());
        assert_eq!(column(caret, "^"), column(line, "\"bad\""));
    }

    #[test]
    fn hostile_text_does_not_reach_the_terminal() {
        let text = "{\"a\u{1b}[2J\u{202e}\u{9b}\": 1}";
        let shown = report(text, Span::new(1, text.len() - 4), "a\u{1b}[2J\u{202e}\u{9b}");
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{shown:?}");
    }

    #[test]
    fn any_span_of_any_text_can_be_shown() {
        for text in ["", "\n", "\n\n\n", "é", "a\r\nb", "\u{1b}", "[1,\n\n\n\n2]", "x\n"] {
            for start in 0..=text.len() + 1 {
                for end in start..=text.len() + 2 {
                    assert!(report(text, Span::new(start, end), "k").contains("JC0103"));
                }
            }
        }
    }
}
