//! Other libraries' rules, by name.

use std::{fmt, str::FromStr};

use crate::{
    error::Error,
    text::{Document, Extracted, Extraction, Limits, Span, SyntaxError},
};

/// A library whose scores a metric can reproduce, for those who move over: the same numbers first, the
/// defaults of this library second. `docs/coming-from.md` lists every difference with its reason.
///
/// | | metrics that have it |
/// |---|---|
/// | [`LangChain`](Self::LangChain) | `JsonValidity`, `JsonEquality`, `JsonEditDistance`, `JsonSchemaMatch` |
/// | [`Lynxius`](Self::Lynxius) | `JsonDiff` |
/// | [`Autoevals`](Self::Autoevals) | `JsonValidity`, `JsonSchemaMatch`, `JsonDiff` |
///
/// What no mode does is to complete or repair a text: an output that is not JSON scores as such.
///
/// ```
/// use json_correctness::Compat;
/// assert_eq!("langchain".parse::<Compat>()?, Compat::LangChain);
/// assert_eq!(Compat::Lynxius.name(), "lynxius");
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Compat {
    /// LangChain's JSON evaluators (`langchain-classic`).
    LangChain,
    /// The JSON difference of Lynxius.
    Lynxius,
    /// `ValidJSON` and `JSONDiff` of autoevals.
    Autoevals,
}

impl Compat {
    pub(crate) const ALL: [Self; 3] = [Self::LangChain, Self::Lynxius, Self::Autoevals];

    /// The name in configuration files and on command lines: `langchain`, `lynxius`, `autoevals`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LangChain => "langchain",
            Self::Lynxius => "lynxius",
            Self::Autoevals => "autoevals",
        }
    }

    /// Refuses a mode that the metric does not have.
    pub(crate) fn among(mode: Option<Self>, metric: &str, known: &[Self]) -> Result<(), Error> {
        match mode {
            Some(mode) if !known.contains(&mode) => {
                let known: Vec<&str> = known.iter().map(|mode| mode.name()).collect();
                Err(Error::option(format!(
                    "{metric} has no compatibility mode `{mode}`: choose {} or none",
                    known.join(" or ")
                )))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Compat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Compat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(|| {
            Error::option(format!(
                "there is no compatibility mode `{name}`: choose langchain, lynxius or autoevals"
            ))
        })
    }
}

/// What LangChain strips from both ends of a text.
const STRIPPED: [char; 5] = [' ', '\n', '\r', '\t', '`'];

/// The part of a text that LangChain parses: without white space and backticks around it; where that
/// is no JSON and there is a fence, what stands behind the first fence.
pub(super) fn langchain_document<'t>(
    text: &'t str,
    limits: &Limits,
) -> (Extracted, Result<Document<'t>, SyntaxError>) {
    let part = |from: usize| {
        let rest = &text[from..];
        let start = from + (rest.len() - rest.trim_start_matches(STRIPPED).len());
        let span = Span::new(start, start + rest.trim_matches(STRIPPED).len());
        let extracted = Extracted {
            extraction: Extraction::Fenced,
            span,
            before: span.start,
            behind: text.len() - span.end,
            fenced: text[..span.start].contains("```"),
        };
        (extracted, Document::parse_part(text, span, limits))
    };
    let whole = part(0);
    match text.find("```") {
        Some(fence) if whole.1.is_err() => {
            let behind = fence + "```".len();
            part(behind + if text[behind..].starts_with("json") { "json".len() } else { 0 })
        }
        _ => whole,
    }
}
