//! One call of a reasoner, and whatever it does contained.

use std::{
    any::Any,
    future::Future,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    thread,
    time::Duration,
};

use futures_channel::oneshot;
use futures_timer::Delay;
use futures_util::future::{Either, select};

use super::{ReasonError, ReasonRequest, Reasoner};
use crate::{error::panic_message, violation::cut};

/// Longest reason of a hook that is kept, in bytes.
const MAX_REASON_BYTES: usize = 64 << 10;
/// Longest error of a hook that is kept, in bytes: each case that is not asked about repeats it.
const MAX_ERROR_BYTES: usize = 4 << 10;

/// Who waits for a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// A thread, which does nothing else: futures are polled on threads of their own, where they may
    /// block.
    Thread,
    /// A task of an executor: futures are polled by it, since they may need it.
    Task,
}

/// Calls the reasoner once.
pub(super) async fn attempt(
    reasoner: &Arc<dyn Reasoner>,
    request: ReasonRequest,
    timeout: Duration,
    wait: Wait,
) -> Result<String, ReasonError> {
    let called = Called(Some(Box::pin(call(Arc::clone(reasoner), request, wait))));
    let ended = match select(called, Delay::new(timeout)).await {
        Either::Left((reason, _)) => reason,
        Either::Right(_) => Err(too_late(timeout, guarded(|| reasoner.is_async()).unwrap_or(false))),
    };
    let mut reason = ended.map_err(|error| error.cut(MAX_ERROR_BYTES))?;
    if reason.trim().is_empty() {
        return Err("it gave an empty reason".into());
    }
    cut(&mut reason, MAX_REASON_BYTES);
    Ok(reason)
}

/// A future that is dropped takes nothing any more, but a thread that is blocked stays so: it is not
/// given a second one.
fn too_late(timeout: Duration, droppable: bool) -> ReasonError {
    let error = ReasonError::new(format!("it gave no reason within {timeout:?}"));
    if droppable { error.transient() } else { error }
}

/// A call whose panics are errors. What is dropped is the reasoner's too, and may panic as well, also where
/// the run is given up.
struct Called<F>(Option<Pin<Box<F>>>);

impl<F: Future<Output = Result<String, ReasonError>>> Future for Called<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(called) = &mut self.0 else { return Poll::Pending };
        guarded(|| called.as_mut().poll(context)).unwrap_or_else(|panicked| Poll::Ready(Err(panicked)))
    }
}

impl<F> Drop for Called<F> {
    fn drop(&mut self) {
        let called = self.0.take();
        let _ = guarded(|| drop(called));
    }
}

async fn call(
    reasoner: Arc<dyn Reasoner>,
    request: ReasonRequest,
    wait: Wait,
) -> Result<String, ReasonError> {
    match wait {
        Wait::Task if reasoner.is_async() => reasoner.reason(request).await,
        Wait::Task => on_thread(move |_| reasoner.reason(request)).await?.await,
        Wait::Thread => {
            let is_async = reasoner.is_async();
            let called = on_thread(move |given_up| {
                let reason = async move { reasoner.reason(request).await };
                // Where nobody waits any more, the future is dropped, and with it what it holds.
                match pollster::block_on(select(pin!(reason), given_up)) {
                    Either::Left((reason, _)) => reason,
                    Either::Right(_) => Err("nobody waits for it any more".into()),
                }
            });
            // So tokio says that its runtime is not there.
            let lacks_executor = |error: &ReasonError| is_async && error.to_string().contains("runtime");
            called
                .await
                .map_err(|error| if lacks_executor(&error) { error.of_no_executor() } else { error })?
        }
    }
}

/// Runs the work on a thread of its own; it is told when nobody waits any more.
pub(super) fn on_thread<T: Send + 'static>(
    work: impl FnOnce(oneshot::Cancellation<'_, Result<T, ReasonError>>) -> T + Send + 'static,
) -> impl Future<Output = Result<T, ReasonError>> {
    let (mut sender, receiver) = oneshot::channel();
    let run = move || {
        let done = guarded(|| work(sender.cancellation()));
        let _ = sender.send(done);
    };
    let started = thread::Builder::new().name("reason".to_owned()).spawn(run);
    async move {
        started.map_err(|error| ReasonError::new(format!("no thread can be started for it: {error}")))?;
        receiver.await.unwrap_or_else(|_| Err("its thread ended".into()))
    }
}

/// Does the work; a panic is an error.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, ReasonError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(panicked)
}

fn panicked(panic: Box<dyn Any + Send>) -> ReasonError {
    let error = ReasonError::new(format!("it panicked: {}", panic_message(panic.as_ref())));
    // What it panicked with may panic as it is dropped, and so may what that panics with.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        mem::forget(again);
    }
    error
}
