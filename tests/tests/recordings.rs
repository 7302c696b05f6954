//! Recorded outputs of real models, judged by the schemas that they were asked for: how many are
//! right, and what is wrong with the others.
//!
//! `UPDATE_DOCS=1 cargo test -p json-correctness-tests --test recordings` writes the tables of
//! `docs/recordings.md` anew.

use std::collections::{BTreeMap, HashMap};

use json_correctness::{CompiledSchema, Document, Extraction, Limits, Violation, ViolationKind};
use json_correctness_tests::{docs, shared};
use serde::Deserialize;
use serde_json::Value;

const PAGE: &str = "docs/recordings.md";

#[derive(Deserialize)]
struct Row {
    id: String,
    actual_output: String,
    json_schema: Option<Value>,
}

/// A file, and for each extraction the outputs that are JSON and those that meet their schemas.
struct Recording {
    file: &'static str,
    outputs: usize,
    counts: &'static [(Extraction, usize, usize)],
}

use Extraction::{Embedded, Fenced, Whole};

const RECORDINGS: [Recording; 5] = [
    Recording {
        file: "rover_extraction",
        outputs: 882,
        counts: &[(Whole, 392, 392), (Fenced, 701, 701), (Embedded, 864, 864)],
    },
    Recording { file: "nerre_extraction", outputs: 1219, counts: &[(Whole, 1209, 1204)] },
    Recording { file: "taubench_tool_calls", outputs: 657, counts: &[(Whole, 657, 657)] },
    Recording {
        file: "crewai_cassettes",
        outputs: 274,
        counts: &[(Whole, 218, 218), (Fenced, 221, 221), (Embedded, 272, 272)],
    },
    Recording {
        file: "parser_test_fixtures",
        outputs: 377,
        counts: &[(Whole, 91, 91), (Fenced, 101, 101), (Embedded, 127, 127)],
    },
];

/// What one output is.
struct Judged {
    is_json: bool,
    /// The codes of what is wrong, with their names in the page.
    faults: Vec<(&'static str, String)>,
}

/// The schemas of a file, each compiled once.
#[derive(Default)]
struct Schemas(HashMap<String, CompiledSchema>);

impl Schemas {
    fn compiled(&mut self, schema: &Value, limits: &Limits) -> &CompiledSchema {
        self.0
            .entry(schema.to_string())
            .or_insert_with(|| CompiledSchema::new(schema, limits).expect("the schema compiles"))
    }
}

fn judge(row: &Row, extraction: Extraction, schemas: &mut Schemas, limits: &Limits) -> Judged {
    let text = &row.actual_output;
    let read = extraction
        .extract(text, limits)
        .and_then(|extracted| Document::parse_part(text, extracted.span, limits));
    let document = match read {
        Ok(document) => document,
        Err(error) => {
            assert!(text.get(error.span.start..error.span.end).is_some(), "{}: {error:?}", row.id);
            let fault = (error.slip.code(), error.slip.summary().to_owned());
            return Judged { is_json: false, faults: vec![fault] };
        }
    };
    let Some(schema) = &row.json_schema else { return Judged { is_json: true, faults: Vec::new() } };
    let schema = schemas.compiled(schema, limits);
    let violations = schema.violations(&document, limits);
    let valid = schema.is_valid(&document);
    let duplicates_only =
        violations.iter().all(|violation| matches!(violation.kind, ViolationKind::DuplicateKey { .. }));
    assert_eq!(valid, duplicates_only, "{}: the violations are those of the verdict", row.id);
    let fault = |violation: &Violation| (violation.code, kind_name(violation));
    Judged { is_json: true, faults: violations.iter().map(fault).collect() }
}

/// `missing_field` as `missing field`.
fn kind_name(violation: &Violation) -> String {
    let value = serde_json::to_value(&violation.kind).expect("plain data");
    value["kind"].as_str().expect("a tag").replace('_', " ")
}

#[test]
fn the_recorded_outputs_are_judged_as_the_page_says() {
    let limits = Limits::default();
    let mut summary = vec![["outputs", "number", "extraction", "JSON", "right"].map(str::to_owned)];
    let head = ["outputs", "code", "what is wrong", "whole", "fenced", "embedded"];
    let mut faults = vec![head.map(str::to_owned)];
    for Recording { file, outputs, counts } in &RECORDINGS {
        let Some(rows) = shared::rows::<Row>(&format!("recordings/{file}.jsonl")) else { return };
        assert_eq!(rows.len(), *outputs, "{file}");
        let mut schemas = Schemas::default();
        // How often each fault is found, by the place of the extraction in `counts`.
        let mut times: BTreeMap<(&str, String), [usize; 3]> = BTreeMap::new();
        for (column, (extraction, json, right)) in counts.iter().enumerate() {
            let name = format!("{extraction:?}").to_lowercase();
            let judged: Vec<Judged> =
                rows.iter().map(|row| judge(row, *extraction, &mut schemas, &limits)).collect();
            let found = (
                judged.iter().filter(|output| output.is_json).count(),
                judged.iter().filter(|output| output.faults.is_empty()).count(),
            );
            assert_eq!(found, (*json, *right), "{file}, {name}: JSON, and right");
            for fault in judged.into_iter().flat_map(|output| output.faults) {
                times.entry(fault).or_default()[column] += 1;
            }
            summary.push([
                (*file).to_owned(),
                outputs.to_string(),
                name.clone(),
                found.0.to_string(),
                found.1.to_string(),
            ]);
        }
        faults.extend(times.into_iter().map(|((code, what), times)| {
            let times = [0, 1, 2].map(|column| match counts.get(column) {
                Some(_) => times[column].to_string(),
                None => "–".to_owned(),
            });
            let [whole, fenced, embedded] = times;
            [(*file).to_owned(), format!("`{code}`"), what, whole, fenced, embedded]
        }));
    }
    let (summary, faults) = (docs::table(&summary), docs::table(&faults));
    println!("{summary}\n{faults}");
    docs::check(PAGE, "summary", &summary);
    docs::check(PAGE, "faults", &faults);
}

/// Text that is JSON as it stands is JSON by any extraction, and never cut.
#[test]
fn extraction_leaves_json_alone() {
    let limits = Limits::default();
    for Recording { file, .. } in &RECORDINGS {
        let Some(rows) = shared::rows::<Row>(&format!("recordings/{file}.jsonl")) else { return };
        for row in rows {
            if serde_json::from_str::<Value>(&row.actual_output).is_err() {
                continue;
            }
            for extraction in [Whole, Fenced, Embedded] {
                let extracted = extraction.extract(&row.actual_output, &limits).expect("one value");
                let span = extracted.span;
                assert_eq!((span.start, span.end), (0, row.actual_output.len()), "{}", row.id);
            }
        }
    }
}
