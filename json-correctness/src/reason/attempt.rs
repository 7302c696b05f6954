//! One call of a reasoner, and whatever it does contained.

use std::{
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    thread,
    time::Duration,
};

use futures_channel::oneshot;
use futures_timer::Delay;
use futures_util::{
    FutureExt,
    future::{Either, select},
};

use super::{ReasonError, ReasonRequest, Reasoner};
use crate::{error::panic_message, violation::cut};

/// Longest reason of a hook that is kept, in bytes.
const MAX_REASON_BYTES: usize = 64 << 10;

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
    let called = call(Arc::clone(reasoner), request, wait);
    let mut called = Box::pin(contained(called));
    let ended = select(&mut called, Delay::new(timeout)).await;
    let ended = match ended {
        Either::Left((reason, _)) => reason,
        Either::Right(_) => Err(too_late(timeout, reasoner.is_async())),
    };
    // What is dropped is the reasoner's too, and may panic.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(called)));
    let mut reason = ended?;
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

async fn call(
    reasoner: Arc<dyn Reasoner>,
    request: ReasonRequest,
    wait: Wait,
) -> Result<String, ReasonError> {
    match wait {
        Wait::Task if reasoner.is_async() => reasoner.reason(request).await,
        Wait::Task => on_thread(move |_| reasoner.reason(request)).await?.await,
        Wait::Thread => {
            let called = on_thread(move |given_up| {
                let reason = async move { reasoner.reason(request).await };
                // Where nobody waits any more, the future is dropped, and with it what it holds.
                match pollster::block_on(select(pin!(reason), given_up)) {
                    Either::Left((reason, _)) => reason,
                    Either::Right(_) => Err("nobody waits for it any more".into()),
                }
            });
            called.await?
        }
    }
}

/// Runs the work on a thread of its own; it is told when nobody waits any more.
pub(super) fn on_thread<T: Send + 'static>(
    work: impl FnOnce(oneshot::Cancellation<'_, Result<T, ReasonError>>) -> T + Send + 'static,
) -> impl Future<Output = Result<T, ReasonError>> {
    let (mut sender, receiver) = oneshot::channel();
    let run = move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(sender.cancellation())));
        let _ = sender.send(done.map_err(|panic| panicked(panic.as_ref())));
    };
    let started = thread::Builder::new().name("reason".to_owned()).spawn(run);
    async move {
        started.map_err(|error| ReasonError::new(format!("no thread can be started for it: {error}")))?;
        receiver.await.unwrap_or_else(|_| Err("its thread ended".into()))
    }
}

async fn contained(called: impl Future<Output = Result<String, ReasonError>>) -> Result<String, ReasonError> {
    AssertUnwindSafe(called).catch_unwind().await.unwrap_or_else(|panic| Err(panicked(panic.as_ref())))
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> ReasonError {
    ReasonError::new(format!("it panicked: {}", panic_message(panic)))
}
