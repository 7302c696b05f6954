//! How far a run is, on a terminal only.

use std::{
    io::{IsTerminal, Write},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use json_correctness::{Progress, for_terminal};

/// A line on standard error that tells how far the run is.
#[derive(Clone)]
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// `None` where nobody would see it.
    pub(super) fn new() -> Option<Self> {
        let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        if ci || !std::io::stderr().is_terminal() {
            return None;
        }
        let style = ProgressStyle::with_template("{spinner} {pos} rows in {elapsed}  {msg}").ok()?;
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(100));
        Some(Self(bar))
    }

    pub(super) fn show(&self, progress: &Progress) {
        let Progress { passed, failed, errored, skipped, .. } = progress;
        self.0.set_position(progress.rows);
        self.0.set_message(format!("{passed} passed, {failed} failed, {errored} errored, {skipped} skipped"));
    }

    pub(super) fn clear(self) {
        self.0.finish_and_clear();
    }
}

/// Says something by the way, on standard error.
pub(super) fn note(text: &str) {
    tell("note", text);
}

/// Says how to mend what went wrong, on standard error.
pub(super) fn help(text: &str) {
    tell("help", text);
}

fn tell(kind: &str, text: &str) {
    // Where standard error is closed, there is nobody to tell.
    let _ = std::io::stderr().write_all(format!("{kind}: {}\n", for_terminal(text)).as_bytes());
}
