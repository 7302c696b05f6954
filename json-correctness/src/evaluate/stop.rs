//! Whether a run is to stop.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::error::Error;

/// What a run that stopped ends with.
pub(super) fn interrupted() -> Error {
    Error::interrupted("the run was interrupted")
}

/// Whether a run is to stop: the user said so, or nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    cancelled: Arc<AtomicBool>,
    dropped: Arc<AtomicBool>,
}

impl Stop {
    /// A run that stops once the flag is set.
    pub(super) fn on(cancelled: Arc<AtomicBool>) -> Self {
        Self { cancelled, dropped: Arc::default() }
    }

    pub(super) fn is_set(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.dropped.load(Ordering::Relaxed)
    }

    /// Stops the run as soon as this is dropped.
    pub(super) fn on_drop(&self) -> impl Drop + use<> {
        struct OnDrop(Arc<AtomicBool>);
        impl Drop for OnDrop {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        OnDrop(Arc::clone(&self.dropped))
    }
}
