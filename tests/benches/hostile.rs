//! How long hostile texts take. Run with `cargo bench -p json-correctness-tests --bench hostile`.

use std::time::Instant;

use json_correctness::Limits;
use json_correctness_tests::hostile::{deep_texts, deep_valid_texts, wide_texts, wrong_leaves};

fn main() {
    let attacks =
        wrong_leaves().step_by(42).chain(deep_texts()).chain(deep_valid_texts()).chain(wide_texts());
    for attack in attacks {
        let _ = attack.judge(&Limits::default());
        let start = Instant::now();
        let violations = attack.judge(&Limits::default());
        let took = start.elapsed().as_secs_f64() * 1e3;
        println!(
            "{took:>9.2} ms  {:>4} violations  {:>8} bytes  {}",
            violations.len(),
            attack.text.len(),
            attack.name
        );
    }
}
