//! What a prompt and a cache of reasons cost in memory: one test, so that no other shares the allocator that
//! counts.

use std::{
    fs::File,
    io::{BufWriter, Write},
    sync::{Arc, Mutex},
};

use json_correctness::{JsonCorrectness, Prompt, ReasonHook, ReasonRequest, TestCase};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;
/// As many reasons as a cache is meant to hold.
const REASONS: u64 = 1_000_000;

#[test]
fn memory_is_bounded() {
    a_prompt_costs_what_it_holds();
    a_cache_holds_no_texts();
}

/// The peak of what the work takes.
fn peak_of<T>(work: impl FnOnce() -> T) -> (usize, T) {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let done = work();
    (ALLOCATOR.peak_usage().saturating_sub(before), done)
}

fn a_prompt_costs_what_it_holds() {
    let told = Arc::new(Mutex::new(None));
    let teller = Arc::clone(&told);
    let check = JsonCorrectness::<Vec<u32>>::new().reason_with(move |request: ReasonRequest| {
        *teller.lock().expect("a lock") = Some(request);
        "told"
    });
    let output = format!("[{}1]", "\"\u{e9}\u{202e}\",".repeat(15 * MIB / 8));
    let mut bytes = output.into_bytes();
    // The whole would have to be copied to be a text.
    bytes.push(0xff);
    let _ = check.judge(&TestCase::new("", bytes)).expect("a verdict");
    let request = told.lock().expect("a lock").take().expect("a case that fails");
    let (peak, messages) = peak_of(|| Prompt::new().messages(&request));
    assert!(messages.user.len() <= 8 << 10);
    println!("a prompt takes {} KiB", peak >> 10);
    assert!(peak < MIB / 4, "{peak}");
}

fn a_cache_holds_no_texts() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("reasons.jsonl");
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    writeln!(file, r#"{{"json_correctness":"reasons","version":1}}"#).expect("written");
    let reason = "r".repeat(50);
    for number in 0..REASONS {
        // Spread as digests are.
        let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        writeln!(file, r#"{{"key":"{key:016x}{number:048x}","reason":"{reason}","sum":"{number:016x}"}}"#)
            .expect("written");
    }
    file.into_inner().expect("written");
    let hook = || ReasonHook::new(|_: ReasonRequest| "words").fingerprint("f");
    let (peak, hook) = peak_of(|| hook().cache(&path).expect("a cache"));
    println!("a cache of a million reasons takes {} MiB", peak / MIB);
    assert!((20 * MIB..100 * MIB).contains(&peak), "{peak}");
    drop(hook);
}
