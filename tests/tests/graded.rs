//! Partial credit: 1 exactly when correct, 0 when it does not parse, and never higher after one more
//! fault.

use json_correctness_tests::{
    faults::{choose, inject},
    random::Random,
    tree::{Layout, Tree},
    zoo::{Trait, specimens},
};

const SEED: u64 = 11;
const ROUNDS: usize = 12;

#[test]
fn one_more_fault_never_raises_the_score() {
    let (mut cases, mut steps) = (0, 0);
    let mut failures = Vec::new();
    for specimen in specimens() {
        // There one more fault can be a step towards another alternative.
        if specimen.has(Trait::Untagged) || specimen.has(Trait::Entangled) {
            continue;
        }
        let mut random = Random::new(SEED, specimen.name);
        for round in 0..ROUNDS {
            let tree = Tree::parse(specimen.samples[round % specimen.samples.len()]);
            let faults = choose(&specimen, &tree, 6, &mut random);
            let mut last = 1.0;
            for count in 0..=faults.len() {
                let (text, _) = inject(&tree, &faults[..count], &Layout::COMPACT);
                let score = specimen.grade(&text);
                let right = if count == 0 { score == 1.0 } else { score < 1.0 && score <= last };
                if !right {
                    failures.push(format!("{}: {score} after {last}: {text}", specimen.name));
                }
                last = score;
                steps += 1;
            }
            let cut = tree.text();
            let cut = &cut[..cut.len() - cut.chars().last().map_or(0, char::len_utf8)];
            if cut.starts_with(['{', '[', '"']) && specimen.grade(cut) != 0.0 {
                failures.push(format!("{}: not 0, and cut off: {cut}", specimen.name));
            }
            cases += 1;
        }
    }
    println!("{cases} cases, {steps} scores");
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures[..failures.len().min(20)].join("\n")
    );
    assert!(steps > 1_000);
}
