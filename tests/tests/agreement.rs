//! serde and the schema of a type agree on every text, outside the table of `docs/agreement.md`.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use json_correctness_tests::{
    mutate::Pool,
    random::Random,
    rows::{Row, ask, classify, shrink},
    zoo::{Specimen, specimens},
};

const SEED: u64 = 1;
/// Failures that are printed.
const SHOWN: usize = 40;

#[test]
fn the_samples_are_valid_for_every_judge() {
    let mut wrong = Vec::new();
    for specimen in specimens() {
        for sample in specimen.samples {
            let opinions = ask(&specimen, sample, false);
            let holds = opinions.serde.as_ref().is_ok_and(|accepted| accepted.holds);
            if !(holds && opinions.schema == Some(true) && opinions.passes) {
                wrong.push(format!("{} {sample}\n  {opinions:?}", specimen.name));
            }
            if !classify(&specimen, sample, true).is_ok_and(|rows| rows.is_empty()) {
                wrong.push(format!("{} {sample}: not valid in strict mode", specimen.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_zoo_is_large_and_its_names_are_unique() {
    let mut names: Vec<&str> = specimens().iter().map(|specimen| specimen.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(count >= 50, "{count}");
}

#[test]
fn a_few_mutants_are_explained() {
    explain_mutants(mutants_per_type(300));
}

/// `cargo test --release -p json-correctness-tests --test agreement -- --ignored`
#[test]
#[ignore = "20,000 mutants of each type: for release builds"]
fn all_mutants_are_explained() {
    explain_mutants(mutants_per_type(20_000));
}

fn mutants_per_type(default: usize) -> usize {
    std::env::var("JSON_CORRECTNESS_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(default)
}

#[derive(Default)]
struct Tally {
    mutants: usize,
    accepted: usize,
    rows: BTreeMap<Row, usize>,
    unexplained: Vec<String>,
}

fn explain_mutants(count: usize) {
    let all = specimens();
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|_| {
                scope.spawn(|| {
                    let mut tally = Tally::default();
                    while let Some(specimen) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                        explain(specimen, count, &mut tally);
                    }
                    tally
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().expect("a worker panicked")).collect()
    });
    let mut rows: BTreeMap<Row, usize> = Row::ALL.iter().map(|&row| (row, 0)).collect();
    let (mut mutants, mut accepted, mut unexplained) = (0, 0, Vec::new());
    for tally in tallies {
        mutants += tally.mutants;
        accepted += tally.accepted;
        unexplained.extend(tally.unexplained);
        for (row, count) in tally.rows {
            *rows.entry(row).or_default() += count;
        }
    }
    println!("{} types, {mutants} judgements, {accepted} accepted by all", all.len());
    for (row, count) in rows {
        println!("{count:>8} {row:?}");
    }
    unexplained.sort_unstable();
    let shown = unexplained.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    assert!(unexplained.is_empty(), "{} not explained:\n{shown}", unexplained.len());
}

fn explain(specimen: &Specimen, count: usize, tally: &mut Tally) {
    let pool = Pool::new(specimen.samples);
    let mut random = Random::new(SEED, specimen.name);
    let mut failures = 0;
    for _ in 0..count {
        let text = pool.mutant(&mut random);
        for strict in [false, true] {
            tally.mutants += 1;
            match classify(specimen, &text, strict) {
                Ok(rows) if rows.is_empty() => {
                    tally.accepted += usize::from(specimen.is_schema_valid(&text, strict) == Some(true));
                }
                Ok(rows) => rows.into_iter().for_each(|row| *tally.rows.entry(row).or_default() += 1),
                Err(_) if failures < 3 => {
                    failures += 1;
                    let small = shrink(specimen, &text, strict);
                    let why = classify(specimen, &small, strict).expect_err("it still fails");
                    let mode = if strict { "strict" } else { "lenient" };
                    tally
                        .unexplained
                        .push(format!("{} ({mode}) {small}\n  from {text}\n  {why}", specimen.name));
                }
                Err(_) => tally.unexplained.push(format!("~ {} {text}", specimen.name)),
            }
        }
    }
}
