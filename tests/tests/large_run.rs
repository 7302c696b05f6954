//! A file of a gigabyte in 256 MB of memory. It takes a while, and so does not run by itself:
//! `cargo test --release -p json-correctness-tests --test large_run -- --ignored --nocapture`.

use std::{
    fs::File,
    io::{BufWriter, Write},
};

use json_correctness::{Checks, Dataset, Evaluator, JsonSchemaMatch, JsonValidity};
use json_correctness_tests::bench::corpus;
use serde_json::json;

/// The most memory that the process had so far, in bytes; `None` where the system does not tell.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[test]
#[ignore = "a gigabyte on disk, and half a minute"]
fn a_gigabyte_fits_into_256_megabytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.jsonl");
    let texts = corpus(500);
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let (mut rows, mut bytes) = (0_u64, 0);
    while bytes < 1 << 30 {
        let mut text = texts[rows as usize % texts.len()].clone();
        // One row in ten is wrong, in a field of its own, so that there is something to keep.
        if rows % 10 == 0 {
            text = text.replacen("\"paid\"", &format!("\"paid_{rows}\""), 1);
        }
        let line = json!({ "id": format!("row-{rows}"), "actual_output": text, "model": "m" }).to_string();
        writeln!(file, "{line}").expect("written");
        bytes += line.len() + 1;
        rows += 1;
    }
    drop(file);
    let schema = json!({ "type": "object", "required": ["paid"], "additionalProperties": { "type": ["string", "number", "object", "array", "null"] }, "properties": { "paid": { "type": "boolean" } } });
    let checks = Checks::new().with(JsonValidity::new()).with(JsonSchemaMatch::new().schema(schema));
    let evaluation = Evaluator::new(checks)
        .keep_bytes(64 << 20)
        .results(folder.path().join("results.jsonl"))
        .run(Dataset::open(&path).rows().expect("rows"))
        .expect("a run");
    assert_eq!(evaluation.summary.rows, rows);
    assert_eq!(evaluation.summary.metrics[1].failed, rows.div_ceil(10));
    assert!(evaluation.results_omitted > 0);
    println!("{rows} rows of {bytes} bytes in {:.1} s", evaluation.run.seconds);
    match peak() {
        Some(peak) => {
            println!("at most {} MB of memory", peak >> 20);
            assert!(peak < 256 << 20, "{peak} bytes of memory");
        }
        None => println!("skipped: this system does not tell how much memory was used"),
    }
}
