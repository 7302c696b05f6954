//! What a run over 200,000 rows of about 1 KB costs, next to the same loop written by hand.
//!
//! `cargo bench -p json-correctness-tests --bench dataset`. Figures are the best of three rounds.

use std::{
    fs::File,
    hint::black_box,
    io::{BufRead, BufReader, BufWriter, Write},
    time::{Duration, Instant},
};

use json_correctness::{Checks, Dataset, Document, Evaluator, JsonSchemaMatch, Limits, Metric, TestCase};
use json_correctness_tests::bench::corpus;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

/// How many rows there are, where the command line says no other number.
const ROWS: usize = 200_000;

fn schema() -> Value {
    let party = json!({
        "type": "object",
        "properties": { "name": { "type": "string", "minLength": 1 }, "email": { "type": "string" }, "city": { "type": "string" } },
        "required": ["name", "email"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "pattern": "^INV-[0-9]{4}-[0-9]{5}$" },
            "vendor": party,
            "customer": party,
            "currency": { "enum": ["EUR", "USD"] },
            "total": { "type": "number", "minimum": 0 },
            "paid": { "type": "boolean" },
            "confidence": { "type": "number", "minimum": 0, "maximum": 1 },
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "sku": { "type": "string" },
                        "description": { "type": "string" },
                        "quantity": { "type": "integer", "minimum": 1 },
                        "unit_price": { "type": "number" },
                        "tags": { "type": "array", "items": { "enum": ["hardware", "software", "service"] } },
                        "discount": { "type": ["number", "null"] },
                    },
                    "required": ["sku", "description", "quantity", "unit_price", "tags"],
                    "additionalProperties": false,
                },
            },
            "notes": { "type": ["string", "null"] },
        },
        "required": ["id", "vendor", "currency", "total", "items"],
        "additionalProperties": false,
    })
}

fn best(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..3).map(time).min().expect("rounds")
}

/// What someone writes who has no such library: lines, a row, a value, a verdict.
fn by_hand(path: &std::path::Path, validator: &jsonschema::Validator, pool: &rayon::ThreadPool) -> usize {
    #[derive(Deserialize)]
    struct Row {
        actual_output: String,
    }
    let lines = BufReader::new(File::open(path).expect("a file")).lines();
    let mut passed = 0;
    let mut lines = lines.map(|line| line.expect("a line"));
    loop {
        let chunk: Vec<String> = lines.by_ref().take(4_096).collect();
        if chunk.is_empty() {
            return passed;
        }
        let judged = |line: &String| {
            let row: Row = serde_json::from_str(line).expect("a row");
            serde_json::from_str::<Value>(&row.actual_output).is_ok_and(|value| validator.is_valid(&value))
        };
        passed += pool.install(|| chunk.par_iter().filter(|line| judged(line)).count());
    }
}

fn main() {
    let rows_wanted = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(ROWS);
    run(rows_wanted);
}

#[expect(clippy::cast_precision_loss, reason = "few rows")]
fn run(count: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.jsonl");
    let texts = corpus(500);
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    for row in 0..count {
        let mut text = texts[row % texts.len()].clone();
        // One row in twenty is wrong.
        if row % 20 == 0 {
            text = text.replace("\"paid\": true", "\"paid\": 1");
        }
        writeln!(file, "{}", json!({ "id": row.to_string(), "actual_output": text })).expect("written");
    }
    drop(file);
    let bytes = std::fs::metadata(&path).expect("a file").len();
    println!("{count} rows, {} bytes each", bytes / count as u64);

    let rows = || Dataset::open(&path).rows().expect("rows");
    let reading = best(|| {
        let read = rows().filter(|row| black_box(row).is_ok()).count();
        assert_eq!(read, count);
    });
    let metric = JsonSchemaMatch::new().schema(schema());
    let limits = Limits::default();
    let cases: Vec<TestCase> = texts.iter().map(|text| TestCase::new("", text.as_str())).collect();
    let checking = best(|| {
        for row in 0..count {
            let _ = black_box(metric.measure(&cases[row % cases.len()]).expect("a measurement"));
        }
    });
    let parsing = best(|| {
        for row in 0..count {
            black_box(Document::parse(&texts[row % texts.len()], &limits).expect("JSON"));
        }
    });
    let validator = jsonschema::options().offline().build(&schema()).expect("a schema");
    let per_second = |time: Duration| count as f64 / time.as_secs_f64();
    println!("reading alone, one thread: {:.0} rows/s", per_second(reading));
    println!(
        "checking alone, one thread: {:.0} rows/s (to a tree: {:.0})",
        per_second(checking),
        per_second(parsing)
    );
    for jobs in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().expect("threads");
        let hand = best(|| assert_eq!(by_hand(&path, &validator, &pool), count - count / 20));
        let run = |results: bool| {
            best(|| {
                let checks = Checks::new().with(metric.clone());
                let mut evaluator = Evaluator::new(checks).jobs(jobs).keep_bytes(1 << 20);
                if results {
                    evaluator = evaluator.results(folder.path().join("results.jsonl"));
                }
                let evaluation = evaluator.run(rows()).expect("a run");
                assert_eq!(evaluation.summary.metrics[0].passed as usize, count - count / 20);
            })
        };
        let (own, written) = (run(false), run(true));
        println!(
            "{jobs} thread(s): by hand {:.0} rows/s; evaluate {:.0} rows/s, ratio {:.2}; with a results file {:.0} rows/s, ratio {:.2}",
            per_second(hand),
            per_second(own),
            hand.as_secs_f64() / own.as_secs_f64(),
            per_second(written),
            hand.as_secs_f64() / written.as_secs_f64(),
        );
    }
}
