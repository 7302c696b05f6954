//! The explainer against the judge of record: it finds something exactly where the judge refuses.

use std::{collections::BTreeMap, fs, path::PathBuf};

use super::*;
use crate::schema::{
    CompiledSchema,
    explain::{subject::Subject, walk::Walk},
    keywords::Judgement,
};

pub(super) fn shared(what: &str) -> Option<PathBuf> {
    let root = std::env::var_os("JSON_CORRECTNESS_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")), PathBuf::from);
    let path = root.join(what);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: ../shared/{what} is absent");
    None
}

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Compares judge, own judge and explanation of one text; the difference, if there is one.
pub(super) fn difference(compiled: &CompiledSchema, explainer: &Explainer, text: &str) -> Option<String> {
    let limits = Limits::default();
    let document = Document::parse(text, &limits).ok()?;
    let judged = match compiled.judge(&document) {
        Judgement::Valid => true,
        Judgement::Invalid => false,
        Judgement::Undecided(_) | Judgement::TooDeep => return None,
    };
    let mut walk = Walk::new(&explainer.graph, limits.max_explain_steps, 1);
    let own = walk.valid(explainer.graph.root, Subject::Value(document.root()));
    let explanation = explainer.explain(&document, &limits);
    let unexplained = explanation.violations.iter().any(|violation| violation.code == "JC0304");
    if own.is_ok_and(|own| own != judged) || explanation.violations.is_empty() != judged || unexplained {
        let head: String = text.chars().take(300).collect();
        return Some(format!(
            "{head}\n   judge {judged}, own {own:?}, explanation {:#?}",
            lines(&explanation)
        ));
    }
    None
}

#[test]
fn the_test_suite() {
    let Some(suite) = shared("conformance/JSON-Schema-Test-Suite/tests") else { return };
    // Each collection also under the drafts whose own collections are not at hand: what matters here is
    // that both say the same.
    let drafts = [
        ("draft7", "http://json-schema.org/draft-04/schema#"),
        ("draft7", "http://json-schema.org/draft-06/schema#"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("draft2020-12", "https://json-schema.org/draft/2019-09/schema"),
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ];
    let mut differences = Vec::new();
    for (draft, uri) in drafts {
        let (mut cases, mut skipped) = (0, BTreeMap::new());
        for file in files(suite.join(draft)) {
            let groups: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
            for group in groups.as_array().unwrap() {
                let mut schema = group["schema"].clone();
                if let Value::Object(map) = &mut schema {
                    map.insert("$schema".to_owned(), uri.into());
                }
                let compiled = match CompiledSchema::new(&schema, &Limits::default()) {
                    Ok(compiled) => compiled,
                    Err(error) => {
                        *skipped
                            .entry(error.to_string().chars().take(100).collect::<String>())
                            .or_insert(0) += 1;
                        continue;
                    }
                };
                let explainer = explainer(&schema, IntegerRule::Value);
                for test in group["tests"].as_array().unwrap() {
                    cases += 1;
                    let text = test["data"].to_string();
                    if let Some(difference) = difference(&compiled, &explainer, &text) {
                        differences.push(format!("{} {schema} {difference}", file.display()));
                    }
                }
            }
        }
        println!("{draft} as {uri}: {cases} cases; {} schemas skipped", skipped.values().sum::<i32>());
    }
    assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn random_instances_of_real_schemas() {
    let Some(folder) = shared("conformance/schemastore") else { return };
    let per_schema: usize =
        std::env::var("EXPLAIN_INSTANCES").ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    let (mut compiled_schemas, mut refused, mut texts, mut invalid) = (0, Vec::new(), 0, 0);
    let (mut most_steps, mut unfinished) = (0, 0);
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    let limits = Limits::default();
    for file in files(folder) {
        let schema: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let compiled = match CompiledSchema::new(&schema, &limits) {
            Ok(compiled) => compiled,
            Err(error) => {
                refused.push(format!("{}: {error:.150}", file.file_name().unwrap().to_string_lossy()));
                continue;
            }
        };
        compiled_schemas += 1;
        let explainer = explainer(&schema, IntegerRule::Value);
        let random = super::instances::Random(0x9E37_79B9_7F4A_7C15 ^ compiled_schemas as u64);
        let mut instances = super::instances::Instances { root: &schema, random };
        for _ in 0..per_schema {
            let text = instances.instance().to_string();
            texts += 1;
            if let Some(difference) = difference(&compiled, &explainer, &text) {
                differences.push(format!("{} {difference}", file.display()));
            }
            let explanation = explain(&explainer, &text, &limits);
            invalid += usize::from(!explanation.violations.is_empty());
            most_steps = most_steps.max(explanation.steps);
            unfinished += usize::from(!explanation.complete);
            for violation in &explanation.violations {
                *codes.entry(violation.code).or_default() += 1;
            }
        }
    }
    println!(
        "{compiled_schemas} schemas, {texts} texts, {invalid} invalid, at most {most_steps} steps, {unfinished} unfinished\n{codes:?}\nrefused: {refused:#?}"
    );
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences[..differences.len().min(12)].join("\n")
    );
}
