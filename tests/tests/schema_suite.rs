//! The JSON-Schema-Test-Suite through the public path of `JsonSchemaMatch`: the suite's verdicts, with
//! formats asserted where the suite asserts them, and a violation at an existing place for each
//! instance that fails.

use std::{collections::BTreeMap, fs, path::Path};

use json_correctness::{Document, JsonSchemaMatch, Limits, Metric, TestCase};
use json_correctness_tests::vectors::shared;
use serde_json::Value;

/// The JSON files under a folder, as paths relative to it.
fn json_files(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            json_files(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.strip_prefix(root).expect("inside").to_str().expect("a name in UTF-8");
            found.push(name.replace('\\', "/"));
        }
    }
    found.sort();
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("readable")).expect("JSON")
}

/// The documents that the suite serves at `http://localhost:1234/`, for one draft.
fn remotes(suite: &Path, draft: &str) -> Vec<(String, Value)> {
    let folder = suite.join("remotes");
    let mut names = Vec::new();
    json_files(&folder, &folder, &mut names);
    let across = ["dependentRequired.json", "ignore-prefixItems.json"];
    names
        .into_iter()
        .filter(|name| !name.starts_with("v1"))
        // Of other drafts only what is referred to across drafts.
        .filter(|name| {
            !name.starts_with("draft")
                || name.starts_with(draft)
                || across.iter().any(|end| name.ends_with(end))
        })
        .map(|name| (format!("http://localhost:1234/{name}"), read(&folder.join(name))))
        .collect()
}

#[derive(Default)]
struct Tally {
    tests: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
    unexplained: Vec<String>,
}

impl Tally {
    fn run(&mut self, metric: &JsonSchemaMatch, part: &'static str, place: &str, test: &Value) {
        *self.tests.entry(part).or_default() += 1;
        let text = test["data"].to_string();
        let valid = test["valid"] == true;
        let measured = match metric.measure(&TestCase::new("", text.as_str())) {
            Ok(measured) => measured,
            Err(error) => return self.wrong.push(format!("{place}: {error}")),
        };
        if (measured.score.value() == 1.0) != valid {
            self.wrong.push(format!("{place}: {text} scores {}", measured.score.value()));
        }
        let document = Document::parse(&text, &Limits::default()).expect("JSON");
        let exists =
            |violation: &json_correctness::Violation| document.locate(violation.found_at()).is_some();
        let told = measured.violations.iter().all(exists);
        if !told || measured.violations.is_empty() != (measured.score.value() == 1.0) {
            self.unexplained.push(format!("{place}: {:?}", measured.violations));
        }
        let graded = metric.clone().graded().measure(&TestCase::new("", text.as_str())).expect("as before");
        if (graded.score.value() == 1.0) != valid {
            self.wrong.push(format!("{place}: graded {}", graded.score.value()));
        }
    }
}

fn run(draft: &str, uri: &str) {
    let suite = shared().join("conformance/JSON-Schema-Test-Suite");
    if !suite.is_dir() {
        println!("skipped: ../shared/conformance/JSON-Schema-Test-Suite is absent");
        return;
    }
    let remotes = remotes(&suite, draft);
    let folder = suite.join("tests").join(draft);
    let mut names = Vec::new();
    json_files(&folder, &folder, &mut names);
    let mut tally = Tally::default();
    for name in names {
        // Only the optional parts about formats assert them.
        let asserted = name.starts_with("optional/format");
        let part = match name.starts_with("optional/") {
            true if asserted => "optional, formats asserted",
            true => "optional",
            false => "required",
        };
        let groups = read(&folder.join(&name));
        for group in groups.as_array().expect("groups") {
            let mut schema = group["schema"].clone();
            if let Value::Object(members) = &mut schema {
                members.entry("$schema").or_insert_with(|| uri.into());
            }
            let mut metric = JsonSchemaMatch::new().formats(asserted);
            if schema.to_string().contains("localhost:1234") {
                metric = remotes
                    .iter()
                    .fold(metric, |metric, (uri, remote)| metric.document(uri.as_str(), remote.clone()));
            }
            let metric = metric.schema(schema);
            for test in group["tests"].as_array().expect("tests") {
                let place = format!("{name}: {}: {}", group["description"], test["description"]);
                tally.run(&metric, part, &place, test);
            }
        }
    }
    for (part, tests) in &tally.tests {
        println!("{draft}, {part}: {tests} tests");
    }
    assert!(
        tally.wrong.is_empty() && tally.unexplained.is_empty(),
        "{} wrong, {} not explained\n{}\n{}",
        tally.wrong.len(),
        tally.unexplained.len(),
        tally.wrong.join("\n"),
        tally.unexplained.join("\n")
    );
}

#[test]
fn draft_7() {
    run("draft7", "http://json-schema.org/draft-07/schema#");
}

#[test]
fn draft_2020_12() {
    run("draft2020-12", "https://json-schema.org/draft/2020-12/schema");
}
