//! The hook that a user sets.

use std::{future::Future, marker::PhantomData, pin::Pin, sync::Arc};

use super::{ReasonError, ReasonRequest};

/// The optional hook that words the reason of a failed verdict. It never changes the verdict.
///
/// Closures are reasoners, and so are closures that return a future; both take a [`ReasonRequest`] and
/// give text, or a `Result` of text:
///
/// ```
/// use json_correctness::{JsonCorrectness, ReasonRequest, TestCase};
///
/// let counted = |request: ReasonRequest| format!("{} fault(s)", request.violations.len());
/// let asked = |request: ReasonRequest| async move { Ok::<_, std::io::Error>(request.built_in.to_uppercase()) };
///
/// let case = TestCase::new("How many?", "\"three\"");
/// let verdict = JsonCorrectness::<u32>::new().reason_with(counted).judge(&case)?;
/// assert_eq!(verdict.reason(), Some("1 fault(s)"));
/// let verdict = JsonCorrectness::<u32>::new().reason_with(asked).judge(&case)?;
/// assert!(verdict.reason().unwrap().contains("INTEGER"));
/// # Ok::<(), json_correctness::Error>(())
/// ```
///
/// A type implements `Reasoner`, without an argument; `Kind` only tells closures apart from that. How a
/// reasoner is called, how long and how often, is the matter of a [`ReasonHook`](crate::ReasonHook).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no reasoner",
    label = "words no reasons",
    note = "a closure must name the type of its argument, and take it by value: `|request: ReasonRequest| …`",
    note = "it gives text or a `Result` of text, or a future of these that is `Send` and `'static`",
    note = "instead of `async move |request|` with something captured, write `move |request: ReasonRequest| {{ let \
            client = client.clone(); async move {{ … }} }}`"
)]
pub trait Reasoner<Kind = ()>: Send + Sync {
    /// Words the reason. More than 64 KiB are cut off, of an error more than 4 KiB; an empty reason counts as a
    /// failure.
    ///
    /// In [`Check::judge`](crate::Check::judge) and `evaluate`, the future is polled on a thread of its own, without
    /// an executor: what needs one, such as tokio's timers and sockets, works in
    /// [`Check::judge_async`](crate::Check::judge_async) and `evaluate_async` only.
    fn reason(&self, request: ReasonRequest) -> ReasonFuture;

    /// Whether [`reason`](Self::reason) does no more than to return its future. Otherwise it is called
    /// on a thread of its own, where it may block.
    fn is_async(&self) -> bool {
        false
    }

    /// What shapes the reason beside the request, such as the model and the prompt: reasons are kept
    /// ([`ReasonHook::cache`](crate::ReasonHook)) only by reasoners that tell it. It must depend on nothing
    /// else, and is asked for on a thread of its own.
    fn fingerprint(&self, request: &ReasonRequest) -> Option<String> {
        let _ = request;
        None
    }
}

/// A reason to come. It is dropped once it takes too long.
pub type ReasonFuture = Pin<Box<dyn Future<Output = Result<String, ReasonError>> + Send>>;

/// The [`Kind`](Reasoner) of closures that return a reason. They may block.
#[derive(Clone, Copy, Debug)]
pub enum SyncClosure {}

/// The [`Kind`](Reasoner) of closures that return the future of a reason.
#[derive(Clone, Copy, Debug)]
pub enum AsyncClosure {}

/// What a closure may give for a reason: text, or a `Result` of text.
pub trait IntoReason {
    /// The reason, or why there is none.
    ///
    /// # Errors
    ///
    /// What the closure returned as its error.
    fn into_reason(self) -> Result<String, ReasonError>;
}

impl IntoReason for String {
    fn into_reason(self) -> Result<String, ReasonError> {
        Ok(self)
    }
}

impl IntoReason for &str {
    fn into_reason(self) -> Result<String, ReasonError> {
        Ok(self.to_owned())
    }
}

impl<T: Into<String>, E: Into<ReasonError>> IntoReason for Result<T, E> {
    fn into_reason(self) -> Result<String, ReasonError> {
        self.map(Into::into).map_err(Into::into)
    }
}

impl<F, R> Reasoner<SyncClosure> for F
where
    F: Fn(ReasonRequest) -> R + Send + Sync,
    R: IntoReason,
{
    fn reason(&self, request: ReasonRequest) -> ReasonFuture {
        Box::pin(std::future::ready(self(request).into_reason()))
    }
}

impl<F, Fut> Reasoner<AsyncClosure> for F
where
    F: Fn(ReasonRequest) -> Fut + Send + Sync,
    Fut: Future<Output: IntoReason> + Send + 'static,
{
    fn reason(&self, request: ReasonRequest) -> ReasonFuture {
        let reason = self(request);
        Box::pin(async move { reason.await.into_reason() })
    }

    fn is_async(&self) -> bool {
        true
    }
}

macro_rules! forward_reasoner {
    ($($pointer:ty),*) => {
        $(impl<R: Reasoner + ?Sized> Reasoner for $pointer {
            fn reason(&self, request: ReasonRequest) -> ReasonFuture {
                (**self).reason(request)
            }
            fn is_async(&self) -> bool {
                (**self).is_async()
            }
            fn fingerprint(&self, request: &ReasonRequest) -> Option<String> {
                (**self).fingerprint(request)
            }
        })*
    };
}

forward_reasoner!(Box<R>, Arc<R>);

/// A reasoner of any kind as one of none.
pub(super) struct Plain<R, Kind> {
    pub(super) reasoner: R,
    pub(super) kind: PhantomData<fn() -> Kind>,
}

impl<R: Reasoner<Kind>, Kind> Reasoner for Plain<R, Kind> {
    fn reason(&self, request: ReasonRequest) -> ReasonFuture {
        self.reasoner.reason(request)
    }

    fn is_async(&self) -> bool {
        self.reasoner.is_async()
    }

    fn fingerprint(&self, request: &ReasonRequest) -> Option<String> {
        self.reasoner.fingerprint(request)
    }
}
