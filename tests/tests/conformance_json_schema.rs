//! The JSON-Schema-Test-Suite through `CompiledSchema`: the verdict equals the suite's.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use json_correctness::{CompiledSchema, Document, Limits};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Group {
    description: String,
    schema: Value,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    description: String,
    data: Value,
    valid: bool,
}

/// Where the library means to differ, by the start of `file: group: test`, and why.
const RULES: [(&str, &str); 1] = [("format.json: ", "formats are asserted in every draft")];

fn suite() -> Option<PathBuf> {
    json_correctness_tests::shared::path("conformance/JSON-Schema-Test-Suite")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
}

fn remotes(suite: &Path, draft: &str) -> Vec<(String, Value)> {
    let folder = suite.join("remotes");
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    paths
        .iter()
        .filter_map(|path| {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
            // Of other drafts only what is referred to across drafts: it names its draft.
            let other_draft = name.starts_with("draft") && !name.starts_with(draft);
            let across = ["dependentRequired.json", "ignore-prefixItems.json"];
            let wanted = !other_draft || across.iter().any(|end| name.ends_with(end));
            (wanted && !name.starts_with("v1")).then(|| {
                let value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
                (format!("http://localhost:1234/{name}"), value)
            })
        })
        .collect()
}

fn run(draft: &str, uri: &str) {
    let Some(suite) = suite() else { return };
    let folder = suite.join("tests").join(draft);
    let remotes = remotes(&suite, draft);
    let documents: Vec<(&str, &Value)> = remotes.iter().map(|(uri, value)| (uri.as_str(), value)).collect();
    let limits = Limits::default();
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    // Per part of the suite: tests, and those that differ by a rule.
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
        let part = match name.split('/').collect::<Vec<_>>()[..] {
            [_] => "required",
            [_, "format", _] => "optional/format",
            _ => "optional",
        };
        let text = fs::read_to_string(&path).unwrap();
        let groups: Vec<Group> = serde_json::from_str(&text).unwrap();
        for mut group in groups {
            if let Value::Object(schema) = &mut group.schema {
                schema.entry("$schema").or_insert_with(|| uri.into());
            }
            let remote = group.schema.to_string().contains("localhost:1234");
            let documents = if remote { &documents[..] } else { &[] };
            let compiled = CompiledSchema::with_documents(&group.schema, documents, &limits);
            for test in group.tests {
                let place = format!("{name}: {}: {}", group.description, test.description);
                let found = match &compiled {
                    Ok(schema) => {
                        let text = test.data.to_string();
                        let document = Document::parse(&text, &limits).unwrap();
                        let valid = schema.is_valid(&document);
                        let explained = schema.violations(&document, &limits).is_empty();
                        assert_eq!(valid, explained, "{place}: violations agree with the verdict");
                        (valid != test.valid).then(|| "wrong verdict".to_owned())
                    }
                    Err(error) => Some(error.to_string()),
                };
                let count = counts.entry(part).or_default();
                count.0 += 1;
                let Some(found) = found else { continue };
                if RULES.iter().any(|(start, _)| place.starts_with(start)) {
                    count.1 += 1;
                } else {
                    wrong.push(format!("{place}: {found}"));
                }
            }
        }
    }
    for (part, (tests, by_rule)) in counts {
        println!("{draft} {part}: {tests} tests, {by_rule} differ by a written rule");
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn draft_7() {
    run("draft7", "http://json-schema.org/draft-07/schema#");
}

#[test]
fn draft_2020_12() {
    run("draft2020-12", "https://json-schema.org/draft/2020-12/schema");
}
