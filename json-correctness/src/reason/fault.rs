//! Why a hook gave no reason.

use std::{borrow::Cow, fmt, time::Duration};

use crate::violation::cut;

/// Why a [`Reasoner`](crate::Reasoner) gave no reason, and whether to ask again.
///
/// Every error becomes one, and so does text; such a one is not asked again.
///
/// ```
/// use std::time::Duration;
///
/// use json_correctness::ReasonError;
///
/// let busy = ReasonError::new("503 Service Unavailable").transient();
/// let limited = ReasonError::new("429 Too Many Requests").retry_after(Duration::from_secs(2));
/// let unknown_key = ReasonError::new("401 Unauthorized").fatal();
/// assert!(busy.is_transient() && limited.is_transient() && unknown_key.is_fatal());
/// assert!(!ReasonError::from("it would rather not say").is_transient());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonError {
    message: Cow<'static, str>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lasting,
    Transient { after: Option<Duration> },
    Fatal,
}

impl ReasonError {
    /// A fault of this one call, which would fail again.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), kind: Kind::Lasting }
    }

    /// Says that it may go well the next time: the hook is asked again.
    #[must_use]
    pub fn transient(mut self) -> Self {
        self.kind = Kind::Transient { after: None };
        self
    }

    /// Says that it may go well after this time, and that until then nothing more should be asked.
    #[must_use]
    pub fn retry_after(mut self, time: Duration) -> Self {
        self.kind = Kind::Transient { after: Some(time) };
        self
    }

    /// Says that every call would fail in this way, as with a key that is not known: the hook is not
    /// called any more.
    #[must_use]
    pub fn fatal(mut self) -> Self {
        self.kind = Kind::Fatal;
        self
    }

    /// The same error, of a future that no executor polled.
    pub(super) fn of_no_executor(mut self) -> Self {
        self.message.to_mut().push_str("; where it needs an executor, use `evaluate_async` or `judge_async`");
        self
    }

    /// Whether it may go well the next time.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self.kind, Kind::Transient { .. })
    }

    /// Whether every call would fail in this way.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.kind == Kind::Fatal
    }

    /// After which time it may go well, where that is known.
    #[must_use]
    pub fn delay(&self) -> Option<Duration> {
        match self.kind {
            Kind::Transient { after } => after,
            _ => None,
        }
    }

    /// The same with at most so many bytes of the message.
    pub(super) fn cut(mut self, most: usize) -> Self {
        if self.message.len() > most {
            cut(self.message.to_mut(), most);
        }
        self
    }
}

impl fmt::Display for ReasonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

// Not an `Error` itself: then it could not be made from every error.
impl<E: Into<Box<dyn std::error::Error + Send + Sync>>> From<E> for ReasonError {
    fn from(error: E) -> Self {
        Self::new(error.into().to_string())
    }
}
