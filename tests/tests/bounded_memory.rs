//! Hostile texts cost memory in proportion to their length, and no more than promised. One test, so
//! that no other shares the allocator that counts.

use json_correctness::Limits;
use json_correctness_tests::hostile::{Attack, deep_texts, deep_valid_texts, wide_texts, wrong_leaves};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;
/// For a text of up to 1 MiB; longer ones may take as much for each MiB.
const PROMISED: usize = 64 * MIB;

#[test]
fn memory_is_bounded() {
    let attacks: Vec<Attack> = wrong_leaves()
        .step_by(42)
        .chain(deep_texts())
        .chain(deep_valid_texts())
        .chain(wide_texts())
        .collect();
    let mut wrong = Vec::new();
    let mut largest = (0, String::new());
    for attack in &attacks {
        // Compiling the type's schema is not the text's doing.
        let _ = attack.judge(&Limits::default());
        ALLOCATOR.reset_peak_usage();
        let before = ALLOCATOR.current_usage();
        let violations = attack.judge(&Limits::default());
        let peak = ALLOCATOR.peak_usage().saturating_sub(before);
        drop(violations);
        let allowed = PROMISED * attack.text.len().div_ceil(MIB).max(1);
        largest = largest.max((peak, attack.name.clone()));
        if peak > allowed {
            wrong.push(format!("{}: {peak} bytes for a text of {}", attack.name, attack.text.len()));
        }
    }
    println!("{} attacks, at most {} KiB ({})", attacks.len(), largest.0 / 1024, largest.1);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
