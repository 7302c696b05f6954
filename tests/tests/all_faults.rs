//! Every fault of a text is reported at once, at its own place, and nothing else is.

use std::collections::BTreeMap;

use json_correctness_tests::{
    faults::{Change, Fault, choose, judge},
    random::Random,
    tree::{Layout, Tree},
    zoo::{Specimen, Trait, specimens},
};

const SEED: u64 = 7;
/// Failures that are printed.
const SHOWN: usize = 25;

#[test]
fn every_independent_fault_is_reported_once_and_at_its_place() {
    let rounds =
        std::env::var("JSON_CORRECTNESS_FAULT_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let (mut cases, mut injected) = (0, 0);
    let mut by_count: BTreeMap<usize, usize> = BTreeMap::new();
    let mut by_change: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for specimen in specimens() {
        // Inside an untagged union every fault can also be a step towards another alternative: which
        // one was meant is not in the text.
        if specimen.has(Trait::Untagged) || specimen.has(Trait::Entangled) {
            continue;
        }
        let mut random = Random::new(SEED, specimen.name);
        let mut of_this = 0;
        for round in 0..rounds {
            let tree = Tree::parse(specimen.samples[round % specimen.samples.len()]);
            let wanted = 1 + random.below(6);
            let faults = choose(&specimen, &tree, wanted, &mut random);
            if faults.is_empty() {
                continue;
            }
            cases += 1;
            injected += faults.len();
            *by_count.entry(faults.len()).or_default() += 1;
            for fault in &faults {
                *by_change.entry(name(&fault.change)).or_default() += 1;
            }
            let layout = if round % 3 == 0 { Layout::PRETTY } else { Layout::COMPACT };
            if judge(&specimen, &tree, &faults, &layout).is_some() && of_this < 3 {
                of_this += 1;
                failures.push(shrink(&specimen, &tree, faults, &layout));
            }
        }
    }
    println!("{cases} cases, {injected} faults, by number of faults {by_count:?}, by change {by_change:?}");
    let shown = failures.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} failures:\n{shown}", failures.len());
    assert!(cases >= 1_000 && by_count.keys().copied().eq(1..=6) && by_change.len() == 5, "the zoo shrank");
}

fn name(change: &Change) -> &'static str {
    match change {
        Change::Replace(_) => "replaced",
        Change::Rename(_) => "renamed",
        Change::Drop => "left out",
        Change::Extra(..) => "added",
        Change::Duplicate => "doubled",
    }
}

/// The failure with the fewest faults that still shows it.
fn shrink(specimen: &Specimen, tree: &Tree, mut faults: Vec<Fault>, layout: &Layout) -> String {
    let mut index = 0;
    while index < faults.len() && faults.len() > 1 {
        let mut fewer = faults.clone();
        fewer.remove(index);
        if judge(specimen, tree, &fewer, layout).is_some() {
            faults = fewer;
        } else {
            index += 1;
        }
    }
    judge(specimen, tree, &faults, layout).unwrap_or_default()
}
