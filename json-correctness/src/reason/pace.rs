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
    Open {
        until: Option<Instant>,
        /// Whether that is what the reasoner said, which holds whatever becomes of the calls that were under
        /// way, and not what was counted.
        said: bool,
        why: String,
    },
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
            Circuit::Open { until: Some(until), said, .. } if *until <= now => {
                // The next probe, should this one never come back.
                *until = later(now, breaker.cooldown);
                *said = false;
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
        loop {
            let slot = {
                let mut state = self.state();
                let slot = [state.next, state.quiet].into_iter().flatten().fold(Instant::now(), Instant::max);
                state.next = Some(later(slot, throttle));
                slot
            };
            loop {
                let wait = slot.saturating_duration_since(Instant::now());
                if wait.is_zero() {
                    break;
                }
                Delay::new(wait).await;
            }
            // Where the server asked for quiet meanwhile, all who waited take new turns behind it, lest they
            // start together.
            if self.state().quiet.is_none_or(|quiet| quiet <= slot) {
                return;
            }
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
        if !matches!(state.circuit, Circuit::Open { said: true, .. }) {
            state.circuit = Circuit::Closed;
        }
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
        let (until, said, why) = if error.is_fatal() {
            (None, true, format!("not called any more since it said: {error}"))
        } else if let Some(time) = lasting {
            let until = later(Instant::now(), time);
            (Some(until), true, format!("not called for {time:?} since it said: {error}"))
        } else if many || leave.probe {
            let until = later(Instant::now(), breaker.cooldown);
            (Some(until), false, format!("not called for a while, having failed too often: {error}"))
        } else {
            return;
        };
        // What was said holds, whatever calls say that were under way.
        let holds = match &state.circuit {
            Circuit::Open { until: held, said: true, .. } => match (held, until) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(held), Some(until)) => until <= *held,
            },
            _ => false,
        };
        if !holds {
            state.circuit = Circuit::Open { until, said, why };
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
        let pace = Pace::default();
        pace.failed(&leave, breaker, &error, None);
        assert!(pace.admit(breaker).is_err());
        pace.keep_quiet(Duration::MAX);
        assert!(pace.state().quiet > Some(Instant::now() + Duration::from_secs(60)));
        pollster::block_on(Pace::default().turn(Duration::MAX));
    }

    /// A time of nothing else than what the reasoner said, and a call that was under way as it said so.
    #[test]
    fn what_was_said_holds_whatever_calls_say_that_were_under_way() {
        let breaker = Breaker { failures: 2, cooldown: Duration::ZERO };
        let hour = Duration::from_secs(3600);
        let (limited, broken) = (ReasonError::new("limited").retry_after(hour), ReasonError::new("broken"));
        for (error, lasting) in [(&limited, Some(hour)), (&ReasonError::new("unknown").fatal(), None)] {
            let pace = Pace::default();
            let leave = pace.admit(breaker).expect("leave");
            pace.failed(&leave, breaker, error, lasting);
            let why = pace.admit(breaker).expect_err("said").to_string();
            pace.succeeded();
            (0..3).for_each(|_| pace.failed(&leave, breaker, &broken, None));
            pace.failed(&leave, breaker, &limited, Some(Duration::ZERO));
            let now = pace.admit(breaker).expect_err("said");
            assert_eq!(now.to_string(), why);
        }

        // Once the time is over, the one that is let through decides.
        let pace = Pace::default();
        let leave = pace.admit(breaker).expect("leave");
        pace.failed(&leave, breaker, &limited, Some(Duration::ZERO));
        assert!(pace.admit(breaker).expect("leave to see").probe);
        pace.succeeded();
        assert!(!pace.admit(breaker).expect("leave").probe);

        // What was only counted does not outlast a reason.
        let breaker = Breaker { failures: 1, cooldown: hour };
        pace.failed(&leave, breaker, &broken, None);
        assert!(pace.admit(breaker).is_err());
        pace.succeeded();
        assert!(pace.admit(breaker).is_ok());
    }
}
