//! What edit distances cost, as ratios to rapidfuzz and strsim in the same run.
//!
//! `cargo bench -p json-correctness-tests --bench distance`. 5,000 characters of 26 letters; each
//! figure is the least of interleaved rounds, which other work on the machine disturbs least.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use json_correctness::{Distance, Limits};
use rapidfuzz::distance as peer;

const LENGTH: usize = 5_000;

/// Numbers that are the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % bound as u64).expect("small")
    }

    fn letter(&mut self) -> char {
        char::from(b"abcdefghijklmnopqrstuvwxyz"[self.below(26)])
    }

    fn text(&mut self) -> String {
        (0..LENGTH).map(|_| self.letter()).collect()
    }

    /// `text` after insertions, deletions, substitutions and swaps.
    fn edited(&mut self, text: &str, edits: usize) -> String {
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..edits {
            let at = self.below(text.len() - 1);
            match self.below(4) {
                0 => text.insert(at, self.letter()),
                1 => drop(text.remove(at)),
                2 => text[at] = self.letter(),
                _ => text.swap(at, at + 1),
            }
        }
        text.into_iter().collect()
    }
}

type Job<'a> = (&'a str, usize, Box<dyn Fn() -> usize + 'a>);

/// The least time of each job, over interleaved rounds; a job of `n` runs every `n` rounds.
fn measure(jobs: &[Job<'_>], rounds: usize) -> Vec<Duration> {
    let mut least = vec![Duration::MAX; jobs.len()];
    for round in 0..rounds {
        for ((_, every, job), least) in jobs.iter().zip(&mut least) {
            if round % every == 0 {
                let start = Instant::now();
                black_box(job());
                *least = start.elapsed().min(*least);
            }
        }
    }
    least
}

fn report(title: &str, jobs: &[Job<'_>]) {
    let times = measure(jobs, 16);
    let edits = jobs[0].2();
    println!("{title}: {edits} edits");
    for ((name, ..), time) in jobs.iter().zip(&times) {
        println!(
            "  {name:<10} {:>12.1} µs  {:>10.1} × ours",
            time.as_secs_f64() * 1e6,
            time.as_secs_f64() / times[0].as_secs_f64()
        );
    }
}

fn main() {
    let limits = &Limits::default();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let text = numbers.text();
    let others = [
        ("0.5% edits", numbers.edited(&text, LENGTH / 200)),
        ("5% edits", numbers.edited(&text, LENGTH / 20)),
        ("30% edits", numbers.edited(&text, LENGTH * 3 / 10)),
        ("unrelated", numbers.text()),
    ];
    for (name, other) in &others {
        let (a, b) = (text.as_str(), other.as_str());
        let ours = |distance: Distance| move || distance.between(a, b, limits).expect("within the limit");
        report(
            &format!("Damerau-Levenshtein, {name}"),
            &[
                ("ours", 1, Box::new(ours(Distance::DamerauLevenshtein))),
                ("rapidfuzz", 4, Box::new(|| peer::damerau_levenshtein::distance(a.bytes(), b.bytes()))),
                ("strsim", 8, Box::new(|| strsim::damerau_levenshtein(a, b))),
            ],
        );
        report(
            &format!("optimal string alignment, {name}"),
            &[
                ("ours", 1, Box::new(ours(Distance::OptimalStringAlignment))),
                ("rapidfuzz", 1, Box::new(|| peer::osa::distance(a.bytes(), b.bytes()))),
                ("strsim", 8, Box::new(|| strsim::osa_distance(a, b))),
            ],
        );
        report(
            &format!("Levenshtein, {name}"),
            &[
                ("ours", 1, Box::new(ours(Distance::Levenshtein))),
                ("rapidfuzz", 1, Box::new(|| peer::levenshtein::distance(a.bytes(), b.bytes()))),
                ("strsim", 8, Box::new(|| strsim::levenshtein(a, b))),
            ],
        );
    }
}
