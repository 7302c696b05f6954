//! Judges recorded outputs of a model that was asked for support tickets.
//!
//! `cargo run --example tickets [FILE.jsonl]`: one JSON object a line, with `id`, `input` and
//! `actual_output`. Ends with status 1 if an output failed.

use std::{error::Error, process::ExitCode};

use json_correctness::{ExpectedSchema, JsonCorrectness, TestCase};
use serde::Deserialize;

/// A support ticket as the model must return it.
#[derive(Deserialize, ExpectedSchema)]
#[expect(dead_code, reason = "only judged, never read")]
struct Ticket {
    customer_name: String,
    #[expected(format = "email")]
    customer_email: String,
    priority: Priority,
    #[expected(range(min = 0.0, max = 1.0))]
    confidence: Option<f64>,
}

#[derive(Deserialize, ExpectedSchema)]
enum Priority {
    High,
    Medium,
    Low,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    input: String,
    actual_output: String,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let file = std::env::args()
        .nth(1)
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/examples/tickets.jsonl").to_owned());
    let metric = JsonCorrectness::<Ticket>::new();
    let (mut passed, mut judged) = (0, 0);
    for line in std::fs::read_to_string(&file)?.lines() {
        let row: Row = serde_json::from_str(line)?;
        let verdict = metric.judge(&TestCase::new(row.input, row.actual_output).id(&row.id))?;
        judged += 1;
        if verdict.passed() {
            passed += 1;
            println!("{}: passed\n", row.id);
        } else {
            println!("{}: failed\n\n{}\n", row.id, verdict.report(false));
        }
    }
    println!("{passed} of {judged} outputs are right");
    Ok(if passed == judged { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
