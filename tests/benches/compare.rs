//! What the comparing metrics cost, as ratios to the same work on `serde_json::Value` in the same run.
//!
//! `cargo bench -p json-correctness-tests --bench compare`. Each figure is the median of interleaved
//! rounds over pairs of invoice-like extractions of about 900 bytes.
//!
//! The Python peers on the same corpus: `cargo bench … --bench compare -- --write pairs.jsonl` writes it,
//! one object with `output` and `reference` a line; time their evaluators over its lines.

use std::{collections::BTreeSet, hint::black_box};

use json_correctness::{JsonDiff, JsonEditDistance, JsonEquality, JsonSchemaMatch, Metric, TestCase};
use json_correctness_tests::bench::{Job, corpus, measure};
use serde_json::{Value, json};

/// `JsonDiff` as it would be written on `Value`.
fn diff(a: &Value, b: &Value) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "few")]
    let mean = |sum: f64, count: usize| if count == 0 { 1.0 } else { sum / count as f64 };
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let of = |key: &&String| match (a.get(*key), b.get(*key)) {
                (Some(a), Some(b)) => diff(a, b),
                _ => 0.0,
            };
            mean(keys.iter().map(of).sum(), keys.len())
        }
        (Value::Array(a), Value::Array(b)) => {
            mean(a.iter().zip(b).map(|(a, b)| diff(a, b)).sum(), a.len().max(b.len()))
        }
        (Value::String(a), Value::String(b)) => strsim::normalized_levenshtein(a, b),
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(0.0), b.as_f64().unwrap_or(0.0));
            if a == b { 1.0 } else { 1.0 - (a - b).abs() / (a.abs() + b.abs()) }
        }
        (a, b) => f64::from(u8::from(a == b)),
    }
}

fn schema() -> Value {
    let party = json!({
        "type": "object",
        "properties": { "name": { "type": "string", "minLength": 1 }, "email": { "type": "string" },
                        "city": { "type": ["string", "null"] } },
        "required": ["name", "email"],
        "additionalProperties": false,
    });
    json!({
        "$defs": { "party": party },
        "type": "object",
        "properties": {
            "id": { "type": "string", "pattern": "^INV-[0-9]{4}-[0-9]{5}$" },
            "vendor": { "$ref": "#/$defs/party" },
            "customer": { "$ref": "#/$defs/party" },
            "currency": { "enum": ["USD", "EUR"] },
            "total": { "type": "number", "minimum": 0 },
            "paid": { "type": "boolean" },
            "confidence": { "type": "number", "minimum": 0, "maximum": 1 },
            "items": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "sku": { "type": "string" }, "description": { "type": "string" },
                    "quantity": { "type": "integer", "minimum": 1 }, "unit_price": { "type": "number" },
                    "tags": { "type": "array", "items": { "enum": ["hardware", "software", "service"] } },
                    "discount": { "type": ["number", "null"] },
                },
                "required": ["sku", "description", "quantity", "unit_price", "tags"],
            } },
            "notes": { "type": ["string", "null"] },
        },
        "required": ["id", "vendor", "currency", "total", "paid", "items"],
    })
}

fn main() {
    let references = corpus(500);
    // The same value in other bytes, and one with a wrong word, a wrong number and a field too few.
    let respelled: Vec<String> = references.iter().map(|text| text.replace("\": ", "\":")).collect();
    let wrong: Vec<String> = references
        .iter()
        .map(|text| {
            text.replacen("steel", "stele", 1).replacen("0.25", "0.5", 1).replace(", \"notes\": null", "")
        })
        .collect();
    if let Some(path) = std::env::args().skip_while(|argument| argument != "--write").nth(1) {
        let lines: Vec<String> = wrong
            .iter()
            .zip(&references)
            .map(|(output, reference)| json!({ "output": output, "reference": reference }).to_string())
            .collect();
        return std::fs::write(path, lines.join("\n")).expect("writable");
    }
    let cases = |outputs: &[String]| -> Vec<TestCase> {
        let pairs = outputs.iter().zip(&references);
        pairs
            .map(|(output, reference)| TestCase::new("", output.as_str()).expected_output(reference.as_str()))
            .collect()
    };
    let value = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    let peer = jsonschema::options().offline().should_validate_formats(true).build(&schema());
    let peer = peer.expect("the schema compiles");
    let (same, other, unequal) = (cases(&references), cases(&respelled), cases(&wrong));
    let (equality, difference) = (JsonEquality::new(), JsonDiff::new());
    let schema_match = JsonSchemaMatch::new().schema(schema());
    let distance = JsonEditDistance::new();

    fn score(metric: &dyn Metric, cases: &[TestCase], check: impl Fn(f64) -> bool) {
        for case in cases {
            assert!(check(black_box(metric.measure(case).expect("a score").score.value())));
        }
    }
    let values_equal = |outputs: &[String], equal: bool| {
        for (output, reference) in outputs.iter().zip(&references) {
            assert_eq!(black_box(value(output) == value(reference)), equal);
        }
    };
    let mut jobs: Vec<Job<'_>> = vec![
        ("two Values and ==", Box::new(|| values_equal(&respelled, true))),
        ("JsonEquality", Box::new(|| score(&equality, &other, |score| score == 1.0))),
        ("two Values and ==, same bytes", Box::new(|| values_equal(&references, true))),
        ("JsonEquality, same bytes", Box::new(|| score(&equality, &same, |score| score == 1.0))),
        ("two Values and ==, unequal", Box::new(|| values_equal(&wrong, false))),
        (
            "JsonEquality, unequal, differences named",
            Box::new(|| score(&equality, &unequal, |score| score == 0.0)),
        ),
        (
            "the difference on Value",
            Box::new(|| {
                for (output, reference) in wrong.iter().zip(&references) {
                    assert!(black_box(diff(&value(output), &value(reference))) < 1.0);
                }
            }),
        ),
        ("JsonDiff", Box::new(|| score(&difference, &unequal, |score| score < 1.0))),
        (
            "Value + jsonschema is_valid",
            Box::new(|| references.iter().for_each(|text| assert!(peer.is_valid(&value(text))))),
        ),
        ("JsonSchemaMatch", Box::new(|| score(&schema_match, &same, |score| score == 1.0))),
        ("JsonEditDistance", Box::new(|| score(&distance, &unequal, |score| score > 0.0))),
    ];
    let times = measure(&mut jobs, references.len(), 40);
    for ((name, _), time) in jobs.iter().zip(&times) {
        println!("{name:45} {:>8} ns", time.as_nanos());
    }
    let ratio = |peer: usize| times[peer].as_secs_f64() / times[peer + 1].as_secs_f64();
    println!("equality, against two Values: {:.2} (goal: at least 1.5)", ratio(0));
    println!("equality of the same bytes: {:.2} (goal: at least 5)", ratio(2));
    println!("inequality, with its differences: {:.2}", ratio(4));
    println!("JsonDiff, against the same on Value: {:.2} (goal: at least 1.6)", ratio(6));
    println!("schema match, against Value and jsonschema: {:.2} (goal: at least 1.4)", ratio(8));
}
