//! How a command ends.

use std::{fmt, io::Write, path::Path, process::ExitCode};

use json_correctness::for_terminal;

/// Exit code of a gate that failed.
const GATE: u8 = 1;
/// Exit code of bad usage or set-up.
pub(crate) const SET_UP: u8 = 2;
/// Exit code of a file that could not be read or written (`EX_IOERR` of sysexits).
const IO: u8 = 74;
/// Exit code of an interrupted run, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether what was asked for holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    Holds,
    Failed,
}

impl From<Gate> for ExitCode {
    fn from(gate: Gate) -> Self {
        match gate {
            Gate::Holds => Self::SUCCESS,
            Gate::Failed => Self::from(GATE),
        }
    }
}

impl From<bool> for Gate {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Failed }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    message: String,
    help: Option<String>,
}

impl Failure {
    /// Bad usage or set-up.
    pub(crate) fn set_up(message: impl Into<String>) -> Self {
        Self { code: SET_UP, message: message.into(), help: None }
    }

    /// A file that could not be read or written: `doing` is `read` or `write`.
    pub(crate) fn file(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        let message = format!("cannot {doing} {}: {error}", path.display());
        let failure = Self { code: IO, message, help: None };
        match error.kind() {
            std::io::ErrorKind::NotFound if doing == "read" => failure.help("is the path right?"),
            std::io::ErrorKind::NotFound => failure.help("does the directory exist?"),
            _ => failure,
        }
    }

    /// Standard output could not be written.
    pub(crate) fn output(error: &std::io::Error) -> Self {
        Self { code: IO, message: format!("cannot write to standard output: {error}"), help: None }
    }

    /// Adds how to mend it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same failure, said of `whole`.
    pub(crate) fn within(mut self, whole: impl fmt::Display) -> Self {
        self.message = format!("{whole}: {}", self.message);
        self
    }

    /// Tells it on standard error.
    pub(crate) fn tell(self) -> ExitCode {
        let mut text = format!("error: {}\n", for_terminal(&self.message));
        if let Some(help) = &self.help {
            text.push_str(&format!("help: {}\n", for_terminal(help)));
        }
        // Where standard error is closed too, the exit code is all that can be said.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        ExitCode::from(self.code)
    }
}

impl From<json_correctness::Error> for Failure {
    fn from(error: json_correctness::Error) -> Self {
        let code = match &error {
            error if error.is_io() => IO,
            error if error.is_interrupted() => INTERRUPTED,
            _ => SET_UP,
        };
        Self { code, message: error.to_string(), help: None }
    }
}
