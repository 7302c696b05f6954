//! Standard output.

use std::{
    borrow::Cow,
    io::{BufWriter, IsTerminal, Stdout, Write},
};

use json_correctness::for_terminal;

use crate::failure::Failure;

/// Standard output. What cannot be written is a [`Failure`], not a panic.
pub(crate) struct Screen {
    out: BufWriter<Stdout>,
    color: bool,
}

impl Screen {
    pub(crate) fn new() -> Self {
        Self { out: BufWriter::new(std::io::stdout()), color: use_color() }
    }

    /// Whether to use colour.
    pub(crate) fn color(&self) -> bool {
        self.color
    }

    /// How many characters fit on a line of the terminal; `None` where the output goes elsewhere.
    pub(crate) fn width(&self) -> Option<usize> {
        terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| width.0.into())
    }

    /// Writes a text and a line feed.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        writeln!(self.out, "{}", text.as_ref()).map_err(|error| Failure::output(&error))
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes).map_err(|error| Failure::output(&error))
    }

    /// Writes a value as indented JSON, in which what is not harmless on a terminal is an escape.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::set_up(format!("the result cannot be written as JSON: {error}")))?;
        self.line(harmless(&text))
    }

    /// Writes what is still held back.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| Failure::output(&error))
    }
}

/// The same JSON with escapes for what could move a cursor or hide itself: outside strings it has none.
fn harmless(json: &str) -> Cow<'_, str> {
    if matches!(for_terminal(json), Cow::Borrowed(_)) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if matches!(for_terminal(character.encode_utf8(&mut [0; 4])), Cow::Borrowed(_)) {
            text.push(character);
        } else {
            text.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    Cow::Owned(text)
}

/// On a terminal, unless the user asked for none; never where CI collects the output; everywhere where
/// the user asked for it.
fn use_color() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if set("NO_COLOR") {
        return false;
    }
    if set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return true;
    }
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !dumb && !set("CI") && std::io::stdout().is_terminal()
}
