//! When a hook may be called: the throttle, the pauses that a server asks for, and the circuit breaker.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_timer::Delay;

use super::ReasonError;

/// How a hook is doing, shared by all who call it.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// When the next call may start, by the throttle.
    next: Option<Instant>,
    /// Until when the server asked for quiet.
    quiet: Option<Instant>,
    /// How many cases in a row got no reason.
    failed: u32,
    circuit: Circuit,
}

#[derive(Debug, Default)]
enum Circuit {
    /// Calls go through.
    #[default]
    Closed,
    /// None does, up to a time or for good; then one is let through to see.
    Open { until: Option<Instant>, why: String },
}

/// When the breaker opens, and for how long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breaker {
    pub(super) failures: u32,
    pub(super) cooldown: Duration,
}

/// Leave to call the hook for one case.
#[derive(Debug)]
pub(super) struct Leave {
    /// Whether this is the one that is let through to see.
    probe: bool,
}

impl Pace {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks leave to call the hook for a case.
    pub(super) fn admit(&self, breaker: Breaker) -> Result<Leave, ReasonError> {
        let mut state = self.state();
        let now = Instant::now();
        match &mut state.circuit {
            Circuit::Closed => Ok(Leave { probe: false }),
            Circuit::Open { until: Some(until), .. } if *until <= now => {
                // The next probe, should this one never come back.
                *until = later(now, breaker.cooldown);
                Ok(Leave { probe: true })
            }
            Circuit::Open { why, .. } => Err(ReasonError::new(why.clone())),
        }
    }

    /// Whether leave that was given still holds.
    pub(super) fn confirm(&self, leave: &Leave) -> Result<(), ReasonError> {
        match &self.state().circuit {
            Circuit::Open { why, .. } if !leave.probe => Err(ReasonError::new(why.clone())),
            _ => Ok(()),
        }
    }

    /// Waits until a call may start.
    pub(super) async fn turn(&self, throttle: Duration) {
        let now = Instant::now();
        let mut at = {
            let mut state = self.state();
            let slot = state.next.map_or(now, |next| next.max(now));
            state.next = Some(later(slot, throttle));
            state.quiet.map_or(slot, |quiet| quiet.max(slot))
        };
        loop {
            let wait = at.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return;
            }
            Delay::new(wait).await;
            // While this call waited, the server may have asked for quiet.
            at = self.state().quiet.map_or(at, |quiet| quiet.max(at));
        }
    }

    /// No call starts for this time.
    pub(super) fn keep_quiet(&self, time: Duration) {
        let until = later(Instant::now(), time);
        let mut state = self.state();
        state.quiet = Some(state.quiet.map_or(until, |quiet| quiet.max(until)));
    }

    /// A case got its reason.
    pub(super) fn succeeded(&self) {
        let mut state = self.state();
        state.failed = 0;
        state.circuit = Circuit::Closed;
    }

    /// A case got none, and none of the others would for `lasting`, if that is known.
    pub(super) fn failed(
        &self,
        leave: &Leave,
        breaker: Breaker,
        error: &ReasonError,
        lasting: Option<Duration>,
    ) {
        let mut state = self.state();
        state.failed = state.failed.saturating_add(1);
        let many = breaker.failures > 0 && state.failed >= breaker.failures;
        let (until, why) = if error.is_fatal() {
            (None, format!("not called any more since it said: {error}"))
        } else if let Some(time) = lasting {
            (Some(later(Instant::now(), time)), format!("not called for {time:?} since it said: {error}"))
        } else if many || leave.probe {
            let until = later(Instant::now(), breaker.cooldown);
            (Some(until), format!("not called for a while, having failed {} times: {error}", state.failed))
        } else {
            return;
        };
        // What was fatal stays so, whatever calls say that were under way.
        if !matches!(state.circuit, Circuit::Open { until: None, .. }) {
            state.circuit = Circuit::Open { until, why };
        }
    }
}

/// The instant after this time. Times come from servers and users: one that no clock reaches counts as ten
/// years.
fn later(instant: Instant, time: Duration) -> Instant {
    instant.checked_add(time).unwrap_or_else(|| instant + Duration::from_secs(10 * 365 * 24 * 60 * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_no_clock_reaches_are_long_ones() {
        let breaker = Breaker { failures: 1, cooldown: Duration::MAX };
        let pace = Pace::default();
        let leave = pace.admit(breaker).expect("leave");
        let error = ReasonError::new("busy").retry_after(Duration::MAX);
        pace.failed(&leave, breaker, &error, error.delay());
        assert!(pace.admit(breaker).is_err());
        pace.succeeded();
        pace.failed(&leave, breaker, &error, None);
        assert!(pace.admit(breaker).is_err());
        pace.keep_quiet(Duration::MAX);
        assert!(pace.state().quiet > Some(Instant::now() + Duration::from_secs(60)));
        pollster::block_on(Pace::default().turn(Duration::MAX));
    }
}
