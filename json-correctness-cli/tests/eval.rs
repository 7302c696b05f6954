//! What `eval` takes, and what it comes to.

mod common;

use std::{fs, path::Path};

use common::{data, run, run_with};
use json_correctness::{Evaluation, JsonCorrectness, Outcome, Record, TestCase};
use tempfile::TempDir;

/// A gate for each row: the arguments, the exit code, and what must be said.
#[test]
fn gates_decide() {
    let csv = "eval renamed.csv --map id=name --map actual_output=prediction --map expected_output=truth";
    let rows: &[(&str, i32, &[&str])] = &[
        ("eval tickets.jsonl", 1, &["since the rows carry a json_schema", "json_schema_match", "is below 1"]),
        ("eval tickets.jsonl --fail-under 0.3", 0, &["json_schema_match"]),
        (
            "eval tickets.jsonl --fail-under 0.31",
            1,
            &["gate failed: json_schema_match: the pass rate 0.3077 is below 0.31"],
        ),
        ("eval tickets.jsonl --extract embedded --fail-under 0.38", 0, &[]),
        ("eval tickets.jsonl --tag support --fail-under 0.3", 0, &[]),
        ("eval tickets.jsonl --tag support --tag billing --fail-under 0.5", 1, &[]),
        ("eval tickets.jsonl --schema ticket_schema.json", 1, &["since there is a `--schema`"]),
        ("eval tickets.jsonl --graded --threshold 0.2 --fail-under 0.6 --metric json_schema_match", 0, &[]),
        ("CSV", 0, &["judging by json_validity, since there is no schema"]),
        ("CSV --metric json_equality", 1, &["json_equality: the pass rate 0.5000 is below 1"]),
        ("CSV --metric json_equality --fail-under 0.5 --jobs 2", 0, &[]),
        ("CSV --metric json_diff --threshold 0.6", 0, &[]),
        ("CSV --metric json_diff --threshold 0.6 --strict", 1, &[]),
        ("CSV --metric json_edit_distance --threshold 0", 1, &[]),
        ("CSV --metric json_edit_distance --threshold 0.2", 0, &[]),
        ("eval --config eval.toml", 0, &[]),
        (
            "eval --config eval.toml --fail-under 0.9",
            1,
            &["json_equality: the pass rate 0.5000 is below 0.9"],
        ),
        (
            "eval --config eval.toml --metric json_validity --option extract=whole",
            2,
            &["`json_diff` is not among the metrics"],
        ),
        ("eval --config eval.toml tickets.jsonl", 2, &["tickets.jsonl has no column `prediction`"]),
    ];
    for (line, code, expected) in rows {
        let line = line.replace("CSV", csv);
        let said = run(&line);
        assert_eq!(said.code, Some(*code), "{line}\n{said:#?}");
        for part in *expected {
            let text = format!("{}{}", said.stdout, said.stderr);
            assert!(text.contains(part), "{line}: {part} is not in\n{text}");
        }
    }
}

#[test]
fn several_files_and_standard_input() {
    let rows = "{\"id\": \"x\", \"actual_output\": \"1\"}\n{\"id\": \"y\", \"actual_output\": \"2\"}\n";
    assert_eq!(run_with("eval -", rows).code, Some(0));
    let array = "[{\"actual_output\": [1]}]";
    assert_eq!(run_with("eval -", array).code, Some(0));
    assert_eq!(run_with("eval - --data-format csv", "actual_output\n{}\n").code, Some(0));
    let both = run_with("eval tickets.jsonl - --metric json_validity --format json", rows);
    let evaluation: Evaluation = serde_json::from_str(&both.stdout).expect("an evaluation");
    assert_eq!(evaluation.summary.rows, 15);
    assert_eq!(evaluation.run.data, ["tickets.jsonl", "standard input"]);
}

#[test]
fn samples_of_a_case_are_taken_together() {
    let sample = |id: &str, output: &str| format!("{{\"id\": \"{id}\", \"actual_output\": \"{output}\"}}\n");
    let rows = [("a", "1"), ("a", "{"), ("a", "2"), ("b", "1"), ("b", "{"), ("b", "{")];
    let rows: String = rows.iter().map(|(id, output)| sample(id, output)).collect();
    let judged = |more: &str| run_with(&format!("eval - --metric json_validity --format json {more}"), &rows);
    assert_eq!(judged("--repeats 1,3 --require 2/3").code, Some(1));
    assert_eq!(judged("--repeats 1,3 --require 2/3 --fail-under 0.5").code, Some(0));
    let said = judged("--require 1/3 --repeats 3");
    assert_eq!(said.code, Some(0), "{said:#?}");
    let evaluation: Evaluation = serde_json::from_str(&said.stdout).expect("an evaluation");
    let repeats = evaluation.summary.metrics[0].repeats.as_ref().expect("repeats");
    assert_eq!((repeats.cases, repeats.at[0].k, repeats.at[0].pass_at), (2, 3, Some(1.0)));
    // Without repeats, an id that stands twice is a fault of the data.
    assert!(judged("").stdout.contains("stands twice"));
}

/// What is written is what the library says it is.
#[test]
fn results_and_report_have_their_form() {
    let directory = TempDir::new().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    let said = run(&format!(
        "eval tickets.jsonl --metric json_schema_match,json_diff --out {} --report json={}",
        at("results.jsonl").display(),
        at("report.json").display()
    ));
    assert_eq!(said.code, Some(1), "{said:#?}");
    let text = fs::read_to_string(at("results.jsonl")).expect("results");
    assert_eq!(text.lines().count(), 13 * 2);
    let record = JsonCorrectness::<Record>::new();
    for line in text.lines() {
        let verdict = record.judge(&TestCase::new("", line)).expect("judged");
        assert!(verdict.passed(), "{verdict}");
    }
    let report = fs::read_to_string(at("report.json")).expect("a report");
    let verdict = JsonCorrectness::<Evaluation>::new().judge(&TestCase::new("", report)).expect("judged");
    assert!(verdict.passed(), "{verdict}");
}

#[test]
fn the_recordings_come_to_what_is_known_of_them() {
    let recordings = std::env::var_os("JSON_CORRECTNESS_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), Into::into)
        .join("recordings");
    if !recordings.exists() {
        println!("skipped: ../shared/recordings is absent");
        return;
    }
    let rows = [
        ("rover_extraction", "json_validity", "whole", (392, 490)),
        ("rover_extraction", "json_validity", "fenced", (701, 181)),
        ("nerre_extraction", "json_schema_match", "whole", (1_204, 15)),
        ("nerre_extraction", "json_equality", "whole", (322, 897)),
        ("taubench_tool_calls", "json_schema_match", "whole", (657, 0)),
        ("taubench_tool_calls", "json_equality", "whole", (55, 31)),
    ];
    for (name, metric, extract, expected) in rows {
        let file = recordings.join(format!("{name}.jsonl"));
        let line = format!("eval {} --metric {metric} --extract {extract} --format json", file.display());
        let said = run(&line);
        let evaluation: Evaluation = serde_json::from_str(&said.stdout).expect("an evaluation");
        let summary = &evaluation.summary.metrics[0];
        assert_eq!((summary.passed, summary.failed), expected, "{line}");
        assert_eq!(said.code, Some(i32::from(summary.failed > 0)), "{line}");
    }
}

#[test]
fn the_files_of_the_tests_are_there() {
    // A checkout that cannot make links would test nothing.
    assert!(fs::read_to_string(data().join("tickets.jsonl")).expect("the example").contains("ticket-12"));
}

/// Every option that the command line has can stand in a configuration.
#[test]
fn a_configuration_says_all_that_the_command_line_says() {
    let directory = TempDir::new().expect("a directory");
    let at = |name: &str| directory.path().join(name).display().to_string();
    let configuration = format!(
        r#"
data = ["tickets.jsonl"]
metric = ["json_schema_match", "json_diff"]
threshold = 0.6
strict = false
graded = true
extract = "fenced"
tag = ["billing", "support"]
repeats = [1, 2]
require = "1/1"
fail_under = 0
jobs = 2
out = "{results}"
resume = false
annotations = "github"
data_format = "jsonl"
format = "plain"

[map]
label = "input"

[limit]
max_depth = 50

[option]
formats = false
json-diff.weights = {{ customer_name = 0.5 }}

[report]
json = '{json}'
junit = ['{junit}']
markdown = '{markdown}'
"#,
        results = at("results.jsonl"),
        json = at("run.json"),
        junit = at("run.xml"),
        markdown = at("run.md"),
    );
    fs::write(directory.path().join("all.toml"), &configuration).expect("written");
    let said = run(&format!("eval --config {}", at("all.toml")));
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("::error file=tickets.jsonl"), "{said:#?}");
    let report = fs::read_to_string(at("run.json")).expect("a report");
    let evaluation: Evaluation = serde_json::from_str(&report).expect("an evaluation");
    let [schema, diff] = &evaluation.run.checks[..] else { panic!("two checks") };
    assert_eq!((schema.metric.as_str(), diff.metric.as_str()), ("json_schema_match", "json_diff"));
    let common = serde_json::json!({ "extract": "fenced", "limits": { "max_depth": 50 } });
    let mut expected = common.clone();
    expected["graded"] = true.into();
    expected["formats"] = false.into();
    assert_eq!((schema.threshold, &schema.options), (0.6, &expected));
    let mut expected = common;
    expected["weights"] = serde_json::json!({ "customer_name": 0.5 });
    assert_eq!(diff.options, expected);
    let labelled = |record: &Record| record.outcome == Outcome::Errored || record.label.is_some();
    assert!(evaluation.results.iter().all(labelled));
    assert!(evaluation.summary.metrics[0].repeats.as_ref().is_some_and(|repeats| repeats.at.len() == 2));
    for (name, start) in [("run.xml", "<?xml"), ("run.md", "#"), ("results.jsonl", "{\"id\"")] {
        let text = fs::read_to_string(at(name)).expect(name);
        assert!(text.starts_with(start), "{name}: {text:.80}");
    }
}
