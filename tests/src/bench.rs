//! What the benches share: a corpus, and a clock.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

/// Deterministic invoice-like extractions of about 900 bytes.
#[must_use]
#[allow(clippy::missing_panics_doc, reason = "numbers below n fit")]
pub fn corpus(count: usize) -> Vec<String> {
    const WORDS: [&str; 8] = ["steel", "bolt", "für", "annual", "naïve", "\\\"premium\\\"", "量子", "rack"];
    const TAGS: [&str; 3] = ["hardware", "software", "service"];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % n as u64).expect("small")
    };
    (0..count)
        .map(|number| {
            let mut items = String::new();
            for index in 0..4 {
                let separator = if index == 0 { "" } else { ", " };
                let words: Vec<&str> = (0..5).map(|_| WORDS[below(8)]).collect();
                let _ = write!(
                    items,
                    "{separator}{{\"sku\": \"SKU-{:06}\", \"description\": \"{}\", \"quantity\": {}, \
                     \"unit_price\": {}.{:02}, \"tags\": [\"{}\"], \"discount\": {}}}",
                    below(1_000_000),
                    words.join(" "),
                    1 + below(99),
                    below(900),
                    below(100),
                    TAGS[below(3)],
                    if below(2) == 0 { "null" } else { "0.25" },
                );
            }
            format!(
                "{{\"id\": \"INV-2026-{number:05}\", \"vendor\": {{\"name\": \"Zoë Müller\", \"email\": \
                 \"zoe@example.com\", \"city\": \"Zürich\"}}, \"customer\": {{\"name\": \"Bob\", \"email\": \
                 \"bob@example.com\"}}, \"currency\": \"EUR\", \"total\": {}.50, \"paid\": true, \
                 \"confidence\": 0.{:02}, \"items\": [{items}], \"notes\": null}}",
                below(9000),
                below(100),
            )
        })
        .collect()
}

/// A named piece of work.
pub type Job<'a> = (&'a str, Box<dyn FnMut() + 'a>);

/// The median time of each job for one document, over interleaved rounds.
///
/// # Panics
///
/// Where there are more than 2^32 documents.
pub fn measure(jobs: &mut [Job<'_>], documents: usize, rounds: usize) -> Vec<Duration> {
    let mut times = vec![Vec::new(); jobs.len()];
    for round in 0..=rounds {
        for ((_, job), times) in jobs.iter_mut().zip(&mut times) {
            let start = Instant::now();
            job();
            if round > 0 {
                times.push(start.elapsed());
            }
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort();
            times[times.len() / 2] / u32::try_from(documents).expect("few")
        })
        .collect()
}
