//! The one error of the library: a set-up that cannot work.

use std::fmt;

/// A set-up that cannot work: a schema that does not compile, an option out of range, a reference
/// that is not JSON. What is wrong with a model's output is never an `Error` but a
/// [`Violation`](crate::Violation).
///
/// The type is opaque; the `is_*` questions tell the kinds apart.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorKind {
    Schema,
    Limit,
    Option,
    Case,
    Missing,
    Data,
    Io,
    Interrupted,
    Hook,
}

impl Error {
    pub(crate) fn schema(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Schema, message: message.into() }
    }

    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Limit, message: message.into() }
    }

    pub(crate) fn option(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Option, message: message.into() }
    }

    pub(crate) fn case(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Case, message: message.into() }
    }

    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Missing, message: message.into() }
    }

    #[cfg(feature = "evaluate")]
    pub(crate) fn data(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Data, message: message.into() }
    }

    #[cfg(feature = "evaluate")]
    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Io, message: message.into() }
    }

    #[cfg(feature = "evaluate")]
    pub(crate) fn interrupted(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Interrupted, message: message.into() }
    }

    pub(crate) fn hook(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Hook, message: message.into() }
    }

    /// The same error, said of `whole`.
    pub(crate) fn within(self, whole: &str) -> Self {
        Self { message: format!("{whole}: {}", self.message), ..self }
    }

    /// A schema that does not compile; the message names the place in the schema.
    #[must_use]
    pub fn is_schema(&self) -> bool {
        self.kind == ErrorKind::Schema
    }

    /// A schema beyond one of the [`Limits`](crate::Limits); the message names the limit.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        self.kind == ErrorKind::Limit
    }

    /// An option out of its range, such as a threshold of 1.5.
    #[must_use]
    pub fn is_option(&self) -> bool {
        self.kind == ErrorKind::Option
    }

    /// A test case with something that the metric cannot use, such as a reference that is not JSON, or
    /// that lacks something which the metric needs ([`Error::is_missing`]).
    #[must_use]
    pub fn is_case(&self) -> bool {
        matches!(self.kind, ErrorKind::Case | ErrorKind::Missing)
    }

    /// A test case that lacks something which the metric needs: a run over many cases skips it.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.kind == ErrorKind::Missing
    }

    /// A dataset that cannot be taken as one: a column that is not there, an encoding that is not
    /// UTF-8, a results file of another run; or another file where a cache of reasons should be.
    #[must_use]
    pub fn is_data(&self) -> bool {
        self.kind == ErrorKind::Data
    }

    /// A file that could not be read or written.
    #[must_use]
    pub fn is_io(&self) -> bool {
        self.kind == ErrorKind::Io
    }

    /// A run that was asked to stop before its end.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.kind == ErrorKind::Interrupted
    }

    /// A hook of the user's that failed in a way that leaves no verdict.
    #[must_use]
    pub fn is_hook(&self) -> bool {
        self.kind == ErrorKind::Hook
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// What a caught panic said.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
