//! Which part of an output is judged.

use std::fmt;

use serde::Serialize;

use super::candidates::{self, Candidates};
use super::fence::{self, Block};
use super::{Limits, Position, Slip, Span, SyntaxError, document, is_well_formed};

/// Which part of an output is judged. Nothing is ever guessed or completed: where more than one part
/// could be meant, that is a failure which says so.
///
/// ```
/// use json_correctness::{Extraction, Limits, Slip};
/// let limits = Limits::default();
/// let text = "Sure:\n```json\n{\"a\": 1}\n```\n";
/// let extracted = Extraction::Fenced.extract(text, &limits).expect("one fenced block");
/// assert_eq!(&text[extracted.span.start..extracted.span.end], "{\"a\": 1}");
/// assert_eq!(
///     extracted.to_string(),
///     "a code fence was taken off; 14 bytes before and 5 behind were left out"
/// );
///
/// let error = Extraction::Embedded.extract("{\"a\": 1} or {\"a\": 2}", &limits).expect_err("two");
/// assert_eq!(error.slip, Slip::SeveralCandidates);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Extraction {
    /// The whole text: fences and prose are slips.
    #[default]
    Whole,
    /// The content of the one fenced Markdown block (```` ``` ```` or `~~~`) that holds JSON; the
    /// whole text where there is no fence, or where the whole text is well formed.
    ///
    /// A block holds JSON where its info string says so (`json`, `JSON`, `jsonc`, `json5`, …), or where
    /// it has none and starts with `{` or `[`, or is the only block. A block that is never closed runs to the end of the text, so an
    /// output that was cut off is judged as such.
    Fenced,
    /// The one array or object in prose, or the whole text where it is well formed.
    ///
    /// A bracket opens a candidate where what follows it shows the intent: an object with a key
    /// (however it is quoted), or an array that starts with a string, an array or such an object.
    /// So `{placeholder}`, `[a link](…)` and `code['index']` are prose. Empty containers and arrays that start with a
    /// number or a literal, which citations such as `[1]` look like too, count only where there is no
    /// other candidate. Brackets within a candidate belong to it; one that is never closed runs to the
    /// end of the text and is judged as cut off. Scalars are not extracted.
    Embedded,
}

/// What an extraction did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[must_use]
pub struct Extracted {
    /// What was asked for.
    pub extraction: Extraction,
    /// The part of the text that is to be judged.
    pub span: Span,
    /// Bytes before the part that were left out, the fence among them.
    pub before: usize,
    /// Bytes behind the part that were left out, the fence among them.
    pub behind: usize,
    /// Whether a code fence was taken off.
    pub fenced: bool,
}

impl Extracted {
    fn new(extraction: Extraction, text: &str, span: Span, fenced: bool) -> Self {
        Self { extraction, span, before: span.start, behind: text.len() - span.end, fenced }
    }

    /// Whether the whole text is judged.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.before == 0 && self.behind == 0
    }
}

impl fmt::Display for Extracted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.extraction, self.fenced, self.is_whole()) {
            (Extraction::Whole, ..) => return f.write_str("the whole text was judged"),
            (Extraction::Fenced, false, _) => {
                return f.write_str("no code fence was taken off: the whole text was judged");
            }
            (Extraction::Embedded, _, true) => {
                return f.write_str("the whole text was judged: it is one value");
            }
            (Extraction::Fenced, true, _) => "a code fence was taken off",
            (Extraction::Embedded, ..) => "the one array or object in the text was judged",
        })?;
        write!(f, "; {} bytes before and {} behind were left out", self.before, self.behind)
    }
}

impl Extraction {
    /// Finds the part of the text that is to be judged, for
    /// [`Document::parse_part`](super::Document::parse_part). One pass over the text, whatever it
    /// holds.
    ///
    /// # Errors
    /// [`Slip::NothingToExtract`], [`Slip::SeveralCandidates`], or [`Slip::TooLarge`].
    pub fn extract(self, text: &str, limits: &Limits) -> Result<Extracted, SyntaxError> {
        if let Some(error) = document::too_large(text.len(), limits) {
            return Err(error);
        }
        let all = Span::new(0, text.len());
        let whole = Extracted::new(self, text, all, false);
        let well_formed = || is_well_formed(text, all, limits);
        if self == Self::Whole || text.trim().is_empty() || well_formed() {
            return Ok(whole);
        }
        let candidates = match self {
            Self::Embedded => candidates::outermost(text),
            _ => match fence::blocks(text) {
                blocks if blocks.is_empty() => return Ok(whole),
                blocks => fenced(text, &blocks)?,
            },
        };
        match candidates.first[..] {
            [] => Err(SyntaxError::new(
                Slip::NothingToExtract,
                diagnose_span(text),
                "the text holds no array and no object",
            )
            .with_help("ask for JSON; the model may have refused or answered in prose")),
            [span] => Ok(Extracted::new(self, text, span, self == Self::Fenced)),
            [_, second, ..] => Err(several(text, &candidates, second, self)),
        }
    }
}

fn diagnose_span(text: &str) -> Span {
    super::diagnose::trimmed(text, Span::new(0, text.len()))
}

/// The blocks that hold JSON. `blocks` is not empty.
fn fenced(text: &str, blocks: &[Block]) -> Result<Candidates, SyntaxError> {
    let source = |span: Span| &text[span.start..span.end];
    let plain = |block: &&Block| block.info.is_empty();
    let json: Vec<&Block> = blocks
        .iter()
        .filter(|block| match plain(block) {
            true => source(block.content).starts_with(['{', '[']),
            false => fence::is_json_info(source(block.info)),
        })
        .collect();
    // A plain block alone may hold a scalar, or JSON with a fault in its first character.
    let chosen = match blocks {
        [only] if json.is_empty() && plain(&only) => vec![only],
        _ => json,
    };
    if let (true, Some(first)) = (chosen.is_empty(), blocks.first()) {
        let detail = match blocks.len() {
            1 => format!("the only fenced block is marked `{}`", source(first.info)),
            many => format!("none of the {many} fenced blocks is marked as JSON or starts with a bracket"),
        };
        return Err(SyntaxError::new(Slip::NothingToExtract, first.marker, detail)
            .with_help("ask for a block marked ```json, or extract the embedded value"));
    }
    let count = chosen.len();
    Ok(Candidates { first: chosen.into_iter().map(|block| block.content).take(4).collect(), count })
}

fn several(text: &str, candidates: &Candidates, second: Span, extraction: Extraction) -> SyntaxError {
    let mut places = Vec::new();
    let (mut position, mut from) = (Position::default(), 0);
    for span in &candidates.first {
        position = position.advanced(text, from, span.start);
        from = span.start;
        places.push(format!("{}:{}", position.line, position.column));
    }
    let more = candidates.count - candidates.first.len();
    let more = if more > 0 { format!(" and {more} more places") } else { String::new() };
    let what = if extraction == Extraction::Fenced { "fenced blocks" } else { "arrays or objects" };
    SyntaxError::new(
        Slip::SeveralCandidates,
        second,
        format!("{} {what} stand at {}{more}", candidates.count, places.join(", ")),
    )
    .with_help("ask for one value, or for an array that holds them all")
}

#[cfg(test)]
#[path = "extraction_tests.rs"]
mod tests;
