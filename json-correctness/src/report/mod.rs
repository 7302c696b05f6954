//! What people read: a verdict as a report. One format is one file.

mod diff;
mod sanitize;
mod terminal;

pub(crate) use diff::differences;
pub use sanitize::for_terminal;
#[cfg(feature = "harness")]
pub(crate) use sanitize::for_terminal_line;
pub(crate) use terminal::{use_color, violations};
