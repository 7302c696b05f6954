//! Which part of an output is judged.
#![expect(missing_docs, reason = "signatures only")]

use super::{Limits, Span, SyntaxError};

/// Which part of an output is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extraction {
    #[default]
    Whole,
    Fenced,
    Embedded,
}

/// What an extraction did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extracted {
    pub extraction: Extraction,
    pub span: Span,
    /// bytes left out before and behind
    pub before: usize,
    pub behind: usize,
}

impl Extraction {
    pub fn extract(self, text: &str, limits: &Limits) -> Result<Extracted, SyntaxError> {
        let _ = limits;
        Ok(Extracted { extraction: self, span: Span::new(0, text.len()), before: 0, behind: 0 })
    }
}
impl std::fmt::Display for Extracted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("x")
    }
}
