//! What people read: a verdict or a run as a report. One format is one file.

mod diff;
#[cfg(feature = "evaluate")]
mod html;
#[cfg(feature = "evaluate")]
mod json;
#[cfg(feature = "evaluate")]
mod junit;
#[cfg(feature = "evaluate")]
mod markdown;
mod reasoned;
mod sanitize;
#[cfg(feature = "evaluate")]
mod table;
mod terminal;

pub(crate) use diff::differences;
pub(crate) use reasoned::note as reason_note;
pub use sanitize::for_terminal;
pub(crate) use sanitize::for_terminal_line;
pub(crate) use terminal::{use_color, violations};
