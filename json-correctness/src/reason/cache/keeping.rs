//! Whether and where a hook keeps its reasons.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    pin::pin,
    sync::Arc,
    time::Duration,
};

use futures_channel::oneshot::Cancellation;
use futures_timer::Delay;
use futures_util::future::{Either, select};
use tracing::Span;

use super::{Cache, Key};
use crate::{
    case::TestCase,
    error::Error,
    reason::{ReasonError, ReasonRequest, Reasoner, attempt::on_thread},
};

/// Whether and where a hook keeps its reasons.
#[derive(Clone, Default)]
pub(in crate::reason) struct Keeping {
    cache: Option<Arc<Cache>>,
    /// What the user says that shapes the reasons.
    fingerprint: Option<Arc<str>>,
}

/// Where the reason of one request is kept, and what stands there.
pub(in crate::reason) struct Place {
    cache: Arc<Cache>,
    key: Key,
    pub(in crate::reason) kept: Option<String>,
}

/// How long it may take to find a place, where calls may not take longer.
const LEAST_TIME: Duration = Duration::from_secs(1);

impl Keeping {
    pub(in crate::reason) fn set_fingerprint(&mut self, text: String) {
        self.fingerprint = Some(text.into());
    }

    pub(in crate::reason) fn open(&mut self, reasoner: &dyn Reasoner, path: &Path) -> Result<(), Error> {
        let told = || reasoner.fingerprint(&sample());
        // One that panics on the sample tells something; what, the cases will show.
        if self.fingerprint.is_none() && matches!(catch_unwind(AssertUnwindSafe(told)), Ok(None)) {
            return Err(Error::option(
                "the reasoner does not tell what shapes its reasons, so they cannot be kept: implement \
                 `Reasoner::fingerprint` for it, or, for a closure, set `ReasonHook::fingerprint` before the cache",
            ));
        }
        self.cache = Some(Arc::new(Cache::open(path)?));
        Ok(())
    }

    /// Where the reason is kept; `None` where that is off, or cannot be told for this request.
    ///
    /// On a thread of its own, as a call is: the fingerprint is the user's code, and the output may be long.
    pub(in crate::reason) async fn place(
        &self,
        reasoner: &Arc<dyn Reasoner>,
        request: &ReasonRequest,
        timeout: Duration,
    ) -> Option<Place> {
        let cache = Arc::clone(self.cache.as_ref()?);
        let (reasoner, asked, set) = (Arc::clone(reasoner), request.clone(), self.fingerprint.clone());
        let find = move |_: Cancellation<'_, _>| {
            let told = reasoner.fingerprint(&asked);
            if set.is_none() && told.is_none() {
                return None;
            }
            let key = Key::of(&asked, set.as_deref(), told.as_deref());
            Some(Place { kept: cache.get(&key), cache, key })
        };
        let why = match select(pin!(on_thread(find)), Delay::new(timeout.max(LEAST_TIME))).await {
            Either::Left((Ok(Some(place)), _)) => return Some(place),
            Either::Left((Ok(None), _)) => {
                ReasonError::new("the reasoner tells no fingerprint for this case")
            }
            Either::Left((Err(error), _)) => error,
            Either::Right(_) => ReasonError::new("the fingerprint took too long"),
        };
        tracing::warn!(metric = &*request.metric, id = request.case.id, %why, "the reason will not be kept");
        None
    }
}

impl Place {
    /// Keeps the reason, on a thread of its own: the file may be slow, and who polls this must not wait for it.
    pub(in crate::reason) async fn keep(self, reason: String, timeout: Duration) {
        let Self { cache, key, .. } = self;
        let span = Span::current();
        let keep = move |_: Cancellation<'_, _>| span.in_scope(|| cache.put(&key, &reason));
        let why = match select(pin!(on_thread(keep)), Delay::new(timeout.max(LEAST_TIME))).await {
            Either::Left((Ok(()), _)) => return,
            Either::Left((Err(error), _)) => error,
            Either::Right(_) => ReasonError::new("the file took too long"),
        };
        tracing::warn!(%why, "the reason may not be kept");
    }
}

/// A request that asks a reasoner whether it tells its fingerprint at all.
pub(super) fn sample() -> ReasonRequest {
    ReasonRequest {
        case: Arc::new(TestCase::new("", "null")),
        metric: "sample".into(),
        schema: None,
        violations: Arc::default(),
        differences: Arc::default(),
        score: 0.0,
        threshold: 1.0,
        built_in: "sample".into(),
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests")]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn who_polls_does_not_wait_for_the_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Arc::new(Cache::open(&directory.path().join("reasons.jsonl")).expect("a cache"));
        let key = || Key::of(&sample(), None, Some("a test"));
        let place = Place { cache: Arc::clone(&cache), key: key(), kept: None };
        let mut keeps = Box::pin(place.keep("so it is".to_owned(), Duration::MAX));
        let busy = cache.state();
        assert_eq!((&mut keeps).now_or_never(), None);
        drop(busy);
        pollster::block_on(keeps);
        assert_eq!(cache.get(&key()).as_deref(), Some("so it is"));
    }
}
