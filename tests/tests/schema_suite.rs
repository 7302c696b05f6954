//! The JSON-Schema-Test-Suite through the public path of `JsonSchemaMatch`: the suite's verdicts, with
//! formats asserted where the suite asserts them, and a violation at an existing place for each
//! instance that fails.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use json_correctness::{Document, JsonSchemaMatch, Limits, Metric, TestCase};
use json_correctness_tests::shared;
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
    fn run(&mut self, metric: &JsonSchemaMatch, part: &'static str, place: &str, text: &str, valid: bool) {
        *self.tests.entry(part).or_default() += 1;
        let measured = match metric.measure(&TestCase::new("", text)) {
            Ok(measured) => measured,
            Err(error) => return self.wrong.push(format!("{place}: {error}")),
        };
        if (measured.score.value() == 1.0) != valid {
            self.wrong.push(format!("{place}: {text} scores {}", measured.score.value()));
        }
        let document = Document::parse(text, &Limits::default()).expect("JSON");
        let exists =
            |violation: &json_correctness::Violation| document.locate(violation.found_at()).is_some();
        let told = measured.violations.iter().all(exists);
        if !told || measured.violations.is_empty() != (measured.score.value() == 1.0) {
            self.unexplained.push(format!("{place}: {:?}", measured.violations));
        }
        let graded = metric.clone().graded().measure(&TestCase::new("", text)).expect("as before");
        if (graded.score.value() == 1.0) != valid {
            self.wrong.push(format!("{place}: graded {}", graded.score.value()));
        }
    }
}

/// The older drafts as the crate `json_schema_test_suite` carries them, where cargo has fetched it.
fn older_suite() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))?;
    let registries = fs::read_dir(home.join("registry/src")).ok()?;
    let suite = "json_schema_test_suite-0.3.0/path/to/JSON-Schema-Test-Suite/repository";
    let mut found = registries.filter_map(|registry| Some(registry.ok()?.path().join(suite)));
    let found = found.find(|suite| suite.is_dir());
    if found.is_none() {
        println!("skipped: the crate json_schema_test_suite 0.3.0 is not fetched");
    }
    found
}

/// Runs the suite's files of one draft. `known` are the starts of the places at which the suite is
/// wrong or leaves a choice, each with its reason.
fn run(suite: &Path, draft: &str, uri: &str, known: &[(&str, &str)]) {
    let remotes = remotes(suite, draft);
    let folder = suite.join("tests").join(draft);
    let mut names = Vec::new();
    json_files(&folder, &folder, &mut names);
    let mut tally = Tally::default();
    for name in names {
        // Only the optional parts about formats assert them; in 2020 one of them stood elsewhere.
        let asserted = name.starts_with("optional/format")
            || (!known.is_empty() && name.ends_with("ecmascript-regex.json"));
        let part = match name.starts_with("optional/") {
            true if asserted => "optional, formats asserted",
            true => "optional",
            false => "required",
        };
        let text = fs::read_to_string(folder.join(&name)).expect("readable");
        // `Value` rounds large numbers: the instances are taken as they are spelled.
        let document = Document::parse(&text, &Limits::default()).expect("JSON");
        for group in document.root().elements() {
            let tests = group.member("tests").expect("tests").value;
            let spelled: Vec<&str> =
                tests.elements().map(|test| test.member("data").expect("data").value.source()).collect();
            let group = group.to_value();
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
            for (test, text) in group["tests"].as_array().expect("tests").iter().zip(spelled) {
                let place = format!("{name}: {}: {}", group["description"], test["description"]);
                tally.run(&metric, part, &place, text, test["valid"] == true);
            }
        }
    }
    for (part, tests) in &tally.tests {
        println!("{draft}, {part}: {tests} tests");
    }
    let excused = |place: &String| known.iter().any(|(start, _)| place.starts_with(start));
    let before = tally.wrong.len();
    tally.wrong.retain(|place| !excused(place));
    println!("{draft}: {} differ for a written reason", before - tally.wrong.len());
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
    let Some(suite) = shared::path("conformance/JSON-Schema-Test-Suite") else { return };
    run(&suite, "draft7", "http://json-schema.org/draft-07/schema#", &[]);
}

#[test]
fn draft_2020_12() {
    let Some(suite) = shared::path("conformance/JSON-Schema-Test-Suite") else { return };
    run(&suite, "draft2020-12", "https://json-schema.org/draft/2020-12/schema", &[]);
}

#[test]
fn older_drafts() {
    let Some(suite) = older_suite() else { return };
    run(&suite, "draft4", "http://json-schema.org/draft-04/schema#", &OLDER);
    run(&suite, "draft6", "http://json-schema.org/draft-06/schema#", &OLDER);
    run(&suite, "draft2019-09", "https://json-schema.org/draft/2019-09/schema", &OLDER);
}

/// Where the suite of 2020, as the crate has it, was changed since.
const OLDER: [(&str, &str); 2] = [
    (
        "ref.json: \"Location-independent identifier with absolute URI\"",
        "an `id` that is another document's URI with a fragment; later drafts forbid it",
    ),
    ("optional/content.json: ", "content is a comment from 2019-09 on, as the suite has it today"),
];
