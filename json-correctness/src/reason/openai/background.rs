//! Where calls run: sockets need tokio's reactor, and the caller may have another executor, or none.

use std::{
    future::Future,
    io, panic,
    pin::Pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
};

use tokio::{
    runtime::{Builder, Handle, Runtime},
    task::JoinHandle,
};

use crate::reason::ReasonError;

/// Runs the future on the runtime of this module. Dropping what is returned drops the future.
pub(super) async fn run<T: Send + 'static>(
    future: impl Future<Output = Result<T, ReasonError>> + Send + 'static,
) -> Result<T, ReasonError> {
    let runtime = runtime().map_err(|error| {
        ReasonError::new(format!("no thread can be started for calls: {error}")).transient()
    })?;
    Running(runtime.spawn(future)).await?
}

/// Runs work that may block, from within [`run`].
pub(super) async fn work<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ReasonError> {
    Running(tokio::task::spawn_blocking(work)).await
}

/// The runtime, which starts with the first call.
///
/// One for the process, and never dropped: tokio forbids to drop a runtime within another one, and a
/// future may outlive the reasoner that made it.
fn runtime() -> io::Result<Handle> {
    static RUNTIME: Mutex<Option<Runtime>> = Mutex::new(None);
    let mut runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = &*runtime {
        return Ok(runtime.handle().clone());
    }
    let started =
        Builder::new_multi_thread().worker_threads(1).thread_name("reason-openai").enable_all().build()?;
    Ok(runtime.insert(started).handle().clone())
}

/// A task that ends with the one who waits for it.
struct Running<T>(JoinHandle<T>);

impl<T> Future for Running<T> {
    type Output = Result<T, ReasonError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map(|ended| {
            ended.map_err(|error| match error.try_into_panic() {
                // It is contained where it would have been without a runtime between.
                Ok(panicked) => panic::resume_unwind(panicked),
                Err(_) => ReasonError::new("its call was cancelled"),
            })
        })
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
