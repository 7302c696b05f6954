//! Room on the stack for deep judgements.

use std::{panic::resume_unwind, thread};

/// Levels that fit on any stack: a debug build stays under a megabyte.
const EASY_LEVELS: usize = 300;
/// What one level may take of a stack in a debug build.
const BYTES_PER_LEVEL: usize = 4 << 10;
/// What a judgement needs besides.
const BASE_BYTES: usize = 2 << 20;
/// The largest stack that is asked for; of it, only what is used is ever backed by memory.
const MOST_BYTES: usize = 1 << 30;

/// Runs what descends so many levels, on a thread of its own where the stack at hand might not do. A
/// level is one subschema applied to one value. `None` where there is no such stack.
pub(crate) fn with_room<R: Send>(levels: usize, run: impl FnOnce() -> R + Send) -> Option<R> {
    if levels <= EASY_LEVELS {
        return Some(run());
    }
    let bytes = levels.saturating_mul(BYTES_PER_LEVEL).saturating_add(BASE_BYTES);
    if bytes > MOST_BYTES {
        return None;
    }
    thread::scope(|scope| {
        let handle = thread::Builder::new().stack_size(bytes).spawn_scoped(scope, run).ok()?;
        match handle.join() {
            Ok(result) => Some(result),
            Err(panic) => resume_unwind(panic),
        }
    })
}
