//! A reasoner, and how it is called.

use std::{any::type_name, fmt, marker::PhantomData, sync::Arc, time::Duration};

use backon::{BackoffBuilder, ExponentialBuilder};
use futures_timer::Delay;
use tracing::Instrument;

#[cfg(feature = "evaluate")]
use super::cache::Keeping;
use super::{
    ReasonError, ReasonRequest, ReasonSource, Reasoner,
    attempt::{Wait, attempt},
    pace::{Breaker, Leave, Pace},
    reasoner::Plain,
};
#[cfg(feature = "evaluate")]
use crate::error::Error;

/// A [`Reasoner`], and how it is called: how many at a time, how fast, how long, and how often.
///
/// | option | default | |
/// |---|---|---|
/// | [`concurrency`](Self::concurrency) | 20 | how many calls of a run are under way at a time |
/// | [`throttle`](Self::throttle) | 0 s | least time from the start of one call to that of the next |
/// | [`timeout`](Self::timeout) | 30 s | for one call |
/// | [`attempts`](Self::attempts) | 3 | how many calls are made for one case, at most |
/// | [`backoff`](Self::backoff) | 0.5 s | from a call to the next for the same case; doubled each time up to 8 s, and up to twice as long by chance |
/// | [`circuit_breaker`](Self::circuit_breaker) | 5 cases, 30 s | after so many cases in a row without a reason, no call is made for that time, and then one to see |
/// | `cache` (feature `evaluate`) | none | a file that keeps the reasons |
///
/// What becomes of a call:
///
/// | the reasoner | the case | the next cases |
/// |---|---|---|
/// | gives text | has that reason | |
/// | gives an error that is [transient](ReasonError::transient), or takes too long | is asked again, up to `attempts` times | |
/// | gives an error with a [time](ReasonError::retry_after) of up to 60 s | is asked again after it | wait for it too |
/// | gives one with a longer time | keeps the built-in reason | are not asked within that time |
/// | gives a [fatal](ReasonError::fatal) error | keeps the built-in reason | are not asked any more |
/// | gives any other error or an empty text, or panics | keeps the built-in reason | |
/// | is called on a thread of its own, and blocks for too long | keeps the built-in reason; the thread is left to itself | |
///
/// A clone is the same hook: checks that share it share its limits too. The verdict is not its matter,
/// whatever happens.
///
/// ```
/// use std::time::Duration;
///
/// use json_correctness::{JsonCorrectness, ReasonHook, ReasonRequest, ReasonSource, TestCase};
///
/// let hook = ReasonHook::new(|_: ReasonRequest| async { std::future::pending::<String>().await })
///     .timeout(Duration::from_millis(10))
///     .attempts(1);
/// let check = JsonCorrectness::<u32>::new().reason_hook(hook);
/// let verdict = check.judge(&TestCase::new("How many?", "\"three\""))?;
/// assert_eq!(verdict.reason_source(), Some(ReasonSource::Fallback));
/// assert_eq!(verdict.reason_error(), Some("it gave no reason within 10ms"));
/// # Ok::<(), json_correctness::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct ReasonHook {
    reasoner: Arc<dyn Reasoner>,
    name: &'static str,
    pace: Arc<Pace>,
    concurrency: usize,
    throttle: Duration,
    timeout: Duration,
    attempts: usize,
    backoff: Duration,
    breaker: Breaker,
    #[cfg(feature = "evaluate")]
    keeping: Keeping,
}

/// The longest time that a server may ask to be waited for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(60);
/// The longest time from one call to the next for the same case, before chance doubles it.
const MAX_BACKOFF: Duration = Duration::from_secs(8);

/// A reason, and who worded it.
#[derive(Clone)]
pub(crate) struct Worded {
    pub(crate) reason: String,
    pub(crate) source: ReasonSource,
    /// Why the hook worded none.
    pub(crate) error: Option<String>,
}

/// Why a case got no reason.
enum Fault {
    /// The circuit opened meanwhile, which is no fault of this case.
    Refused(ReasonError),
    /// The calls failed.
    Failed(ReasonError),
}

impl ReasonHook {
    /// The reasoner, called with the default limits.
    pub fn new<Kind: 'static>(reasoner: impl Reasoner<Kind> + 'static) -> Self {
        fn name_of<R>(_: &R) -> &'static str {
            type_name::<R>()
        }
        Self {
            name: name_of(&reasoner),
            reasoner: Arc::new(Plain { reasoner, kind: PhantomData }),
            pace: Arc::default(),
            concurrency: 20,
            throttle: Duration::ZERO,
            timeout: Duration::from_secs(30),
            attempts: 3,
            backoff: Duration::from_millis(500),
            breaker: Breaker { failures: 5, cooldown: Duration::from_secs(30) },
            #[cfg(feature = "evaluate")]
            keeping: Keeping::default(),
        }
    }

    /// Sets how many calls of a run are under way at a time; 0 counts as 1. A check that judges by itself
    /// makes one call at a time on each thread that uses it.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = calls.max(1);
        self
    }

    /// Sets the least time from the start of one call to that of the next.
    pub fn throttle(mut self, time: Duration) -> Self {
        self.throttle = time;
        self
    }

    /// Sets how long one call may take.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.timeout = time;
        self
    }

    /// Sets how many calls are made for one case, at most; 0 counts as 1.
    pub fn attempts(mut self, attempts: usize) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// Sets the time from a call that failed to the next one for the same case.
    pub fn backoff(mut self, time: Duration) -> Self {
        self.backoff = time;
        self
    }

    /// Sets after how many cases in a row without a reason the hook is not called any more, and for how
    /// long; 0 cases turn that off. After that time one call is made to see whether it works again.
    pub fn circuit_breaker(mut self, cases: u32, cooldown: Duration) -> Self {
        self.breaker = Breaker { failures: cases, cooldown };
        self
    }

    /// Keeps the reasons in a file, so that the same question is asked once. Off by default.
    ///
    /// A reason comes back for the same case input, output, reference, metric, score, threshold, schema,
    /// violations and differences, and the same [fingerprint](Reasoner::fingerprint) of the reasoner: its model
    /// and prompt. Nothing else of the case counts, such as its id. A reason that comes back makes no call, waits
    /// for nothing, and counts as the hook's.
    ///
    /// The file is begun where it is absent or empty. It is only ever appended to, and several hooks and processes
    /// may share it; to forget the reasons, delete it. An entry that is damaged is passed over and written anew.
    /// Built-in reasons are not kept. A file that may not be written is read all the same; where a reason cannot
    /// be kept, a `tracing` warning says so, and the reason stands. The file holds what the reasoner wrote, which
    /// is untrusted, and grows by that and 100 bytes a reason.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// use json_correctness::{JsonCorrectness, ReasonHook, ReasonRequest, TestCase};
    ///
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let path = directory.path().join("reasons.jsonl");
    /// static CALLS: AtomicU32 = AtomicU32::new(0);
    /// let case = TestCase::new("How many?", "\"three\"");
    /// for run in 0..2 {
    ///     let hook = ReasonHook::new(|_: ReasonRequest| {
    ///         CALLS.fetch_add(1, Ordering::Relaxed);
    ///         "a word where a number should be"
    ///     });
    ///     // A closure cannot tell what shapes its reasons, so it must be said.
    ///     let hook = hook.fingerprint("number words, 1").cache(&path)?;
    ///     let verdict = JsonCorrectness::<u32>::new().reason_hook(hook).judge(&case)?;
    ///     assert_eq!(verdict.reason(), Some("a word where a number should be"));
    /// }
    /// assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The reasoner tells no fingerprint and none was set before ([`Error::is_option`]); the file cannot be
    /// opened or read ([`Error::is_io`]); or it is another file than a cache of reasons ([`Error::is_data`]).
    #[cfg(feature = "evaluate")]
    pub fn cache(mut self, path: impl AsRef<std::path::Path>) -> Result<Self, Error> {
        self.keeping.open(&*self.reasoner, path.as_ref())?;
        Ok(self)
    }

    /// Says what shapes the reasons, for a reasoner that does not [tell it itself](Reasoner::fingerprint), such as
    /// a closure: change the text whenever the model, the prompt or the code changes, and
    /// [kept](Self::cache) reasons are not used any more. For a reasoner that tells it, the text counts besides.
    #[cfg(feature = "evaluate")]
    pub fn fingerprint(mut self, text: impl Into<String>) -> Self {
        self.keeping.set_fingerprint(text.into());
        self
    }

    /// How many calls of a run are under way at a time.
    #[cfg(feature = "evaluate")]
    pub(crate) fn calls_at_a_time(&self) -> usize {
        self.concurrency
    }

    /// Whether both are the same hook.
    #[cfg(feature = "evaluate")]
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pace, &other.pace)
    }

    /// The reason for a failed verdict: that of the reasoner, or else the built-in one.
    pub(crate) async fn word(&self, request: ReasonRequest, wait: Wait) -> Worded {
        match self.ask(&request, wait).await {
            Ok(reason) => Worded { reason, source: ReasonSource::Hook, error: None },
            Err(error) => {
                tracing::warn!(
                    metric = &*request.metric,
                    id = request.case.id,
                    error = error.to_string(),
                    "the reason hook failed"
                );
                let error = Some(error.to_string());
                Worded { reason: request.built_in.to_string(), source: ReasonSource::Fallback, error }
            }
        }
    }

    /// As [`word`](Self::word), on a thread that waits for it.
    pub(crate) fn word_now(&self, request: ReasonRequest) -> Worded {
        pollster::block_on(self.word(request, Wait::Thread))
    }

    async fn ask(&self, request: &ReasonRequest, wait: Wait) -> Result<String, ReasonError> {
        #[cfg(feature = "evaluate")]
        let mut place = self.keeping.place(&self.reasoner, request, self.timeout).await;
        #[cfg(feature = "evaluate")]
        if let Some(reason) = place.as_mut().and_then(|place| place.kept.take()) {
            return Ok(reason);
        }
        let leave = self.pace.admit(self.breaker)?;
        let reason = self.try_all(request, wait, &leave).await;
        match &reason {
            Ok(_) => self.pace.succeeded(),
            Err(Fault::Refused(_)) => {}
            Err(Fault::Failed(error)) => {
                let lasting = error.delay().filter(|delay| *delay > MAX_RETRY_AFTER);
                self.pace.failed(&leave, self.breaker, error, lasting);
            }
        }
        #[cfg(feature = "evaluate")]
        if let (Some(place), Ok(reason)) = (place, &reason) {
            place.keep(reason.clone(), self.timeout).await;
        }
        reason.map_err(|(Fault::Refused(error) | Fault::Failed(error))| error)
    }

    async fn try_all(&self, request: &ReasonRequest, wait: Wait, leave: &Leave) -> Result<String, Fault> {
        let mut delays = ExponentialBuilder::new()
            .with_min_delay(self.backoff)
            .with_max_delay(MAX_BACKOFF.max(self.backoff))
            .with_max_times(self.attempts - 1)
            .with_jitter()
            .build();
        let mut number = 0_u64;
        loop {
            self.pace.turn(self.throttle).await;
            self.pace.confirm(leave).map_err(Fault::Refused)?;
            number += 1;
            let span = tracing::info_span!(
                "reason",
                metric = &*request.metric,
                id = request.case.id,
                attempt = number
            );
            let called = attempt(&self.reasoner, request.clone(), self.timeout, wait).instrument(span);
            let error = match called.await {
                Err(error) if error.is_transient() => error,
                ended => return ended.map_err(Fault::Failed),
            };
            let Some(delay) = delays.next() else { return Err(Fault::Failed(error)) };
            tracing::debug!(
                metric = &*request.metric,
                id = request.case.id,
                error = error.to_string(),
                "the reason hook is asked again"
            );
            match error.delay() {
                Some(time) if time > MAX_RETRY_AFTER => return Err(Fault::Failed(error)),
                Some(time) => self.pace.keep_quiet(time),
                None => Delay::new(delay).await,
            }
        }
    }
}

impl fmt::Debug for ReasonHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReasonHook")
            .field("reasoner", &self.name)
            .field("concurrency", &self.concurrency)
            .field("throttle", &self.throttle)
            .field("timeout", &self.timeout)
            .field("attempts", &self.attempts)
            .field("backoff", &self.backoff)
            .finish_non_exhaustive()
    }
}
