//! Ctrl-C.

use std::{
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use crate::failure::{Failure, INTERRUPTED};

/// How long a run may take to end in order.
const PATIENCE: Duration = Duration::from_millis(700);

/// A flag that Ctrl-C sets. Where the run does not end soon after, or at a second Ctrl-C, the process
/// ends all the same: what was judged is in the journal, which is only ever appended to.
pub(super) fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            let _ = std::io::stderr().write_all(b"error: the run was interrupted\n");
            std::process::exit(INTERRUPTED.into());
        });
    })
    .map_err(|error| Failure::set_up(format!("Ctrl-C cannot be listened for: {error}")))?;
    Ok(flag)
}
