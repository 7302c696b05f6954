//! What a verdict costs, as ratios to the named peers in the same run.
//!
//! `cargo bench -p json-correctness-tests --bench verdict`. Each figure is the median of interleaved
//! rounds over a corpus of invoice-like extractions of about 900 bytes.

use std::hint::black_box;

use json_correctness::{
    CompiledSchema, Document, ExpectedSchema, JsonCorrectness, JsonValidity, Limits, Metric, TestCase,
};
use json_correctness_tests::bench::{Job, corpus, measure};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only deserialized")]
struct Invoice {
    #[expected(pattern = "^INV-[0-9]{4}-[0-9]{5}$")]
    id: String,
    vendor: Party,
    customer: Option<Party>,
    currency: Currency,
    #[expected(range(min = 0.0))]
    total: f64,
    paid: bool,
    #[expected(range(min = 0.0, max = 1.0))]
    confidence: f64,
    items: Vec<Item>,
    notes: Option<String>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only deserialized")]
struct Party {
    #[expected(length(min = 1))]
    name: String,
    email: String,
    city: Option<String>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only deserialized")]
struct Item {
    sku: String,
    description: String,
    #[expected(range(min = 1))]
    quantity: u32,
    unit_price: f64,
    tags: Vec<Tag>,
    discount: Option<f64>,
}

#[derive(Deserialize, ExpectedSchema)]
enum Currency {
    #[serde(rename = "USD")]
    Usd,
    #[serde(rename = "EUR")]
    Eur,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(rename_all = "snake_case")]
enum Tag {
    Hardware,
    Software,
    Service,
}

fn main() {
    let texts = corpus(500);
    let bytes: usize = texts.iter().map(String::len).sum();
    let limits = Limits::default();
    let document_schema = json_correctness::json_schema::<Invoice>();
    let schema = CompiledSchema::new(&document_schema, &limits).expect("the schema compiles");
    let peer = jsonschema::options()
        .offline()
        .should_validate_formats(true)
        .build(&document_schema)
        .expect("the schema compiles");
    let metric = JsonCorrectness::<Invoice>::new();
    let validity = JsonValidity::new();
    let cases: Vec<TestCase> = texts.iter().map(|text| TestCase::new("", text.as_str())).collect();
    println!("{} documents of {} bytes on average", texts.len(), bytes / texts.len());

    let mut jobs: Vec<Job<'_>> = vec![
        (
            "serde_json IgnoredAny",
            Box::new(|| {
                texts.iter().for_each(|text| {
                    black_box(serde_json::from_slice::<IgnoredAny>(text.as_bytes()).expect("valid"));
                });
            }),
        ),
        (
            "Document::parse",
            Box::new(|| {
                texts.iter().for_each(|text| {
                    black_box(Document::parse(text, &limits).expect("valid"));
                });
            }),
        ),
        (
            "serde_json into the type",
            Box::new(|| {
                texts.iter().for_each(|text| {
                    black_box(serde_json::from_slice::<Invoice>(text.as_bytes()).expect("valid"));
                });
            }),
        ),
        (
            "typed verdict",
            Box::new(|| {
                cases.iter().for_each(|case| {
                    assert!(metric.measure(case).expect("set up").violations.is_empty());
                });
            }),
        ),
        (
            "Value + jsonschema is_valid",
            Box::new(|| {
                texts.iter().for_each(|text| {
                    let value: Value = serde_json::from_slice(text.as_bytes()).expect("valid");
                    assert!(peer.is_valid(&value));
                });
            }),
        ),
        (
            "Document + CompiledSchema::is_valid",
            Box::new(|| {
                texts.iter().for_each(|text| {
                    let document = Document::parse(text, &limits).expect("valid");
                    assert!(schema.is_valid(&document));
                });
            }),
        ),
        (
            "CompiledSchema::is_valid_text",
            Box::new(|| {
                texts.iter().for_each(|text| assert!(schema.is_valid_text(text, &limits)));
            }),
        ),
        (
            "validity verdict",
            Box::new(|| {
                cases.iter().for_each(|case| {
                    assert!(validity.measure(case).expect("set up").violations.is_empty());
                });
            }),
        ),
    ];
    let times = measure(&mut jobs, texts.len(), 40);
    for ((name, _), time) in jobs.iter().zip(&times) {
        println!("{name:40} {:>7} ns", time.as_nanos());
    }
    let ratio = |a: usize, b: usize| times[a].as_secs_f64() / times[b].as_secs_f64();
    println!("typed verdict / serde_json into the type: {:.2} (goal: at most 2.0)", ratio(3, 2));
    println!("peer / schema verdict at sight: {:.2} (goal: at least 2.5)", ratio(4, 6));
    println!("peer / schema verdict on a document: {:.2} (goal: at least 1.4)", ratio(4, 5));
    println!("IgnoredAny / validity verdict: {:.2} (goal: at least 1.0)", ratio(0, 7));
    drop(jobs);

    let failing = "{\n  \"name\": \"Alex\",\n  \"priority\": 1\n}";
    let ticket = CompiledSchema::new(
        &serde_json::json!({
            "type": "object",
            "properties": {
                "customer_name": {"type": "string"},
                "customer_email": {"type": "string", "format": "email"},
                "priority": {"type": "string", "enum": ["High", "Medium", "Low"]},
            },
            "required": ["customer_name", "customer_email", "priority"],
        }),
        &limits,
    )
    .expect("the schema compiles");
    let mut jobs: Vec<Job<'_>> = vec![(
        "failing",
        Box::new(|| {
            for _ in 0..1000 {
                let document = Document::parse(failing, &limits).expect("JSON");
                assert_eq!(ticket.violations(&document, &limits).len(), 4);
            }
        }),
    )];
    let times = measure(&mut jobs, 1000, 20);
    println!("failing text with 4 violations, explained: {} ns (goal: at most 25000)", times[0].as_nanos());
}
