//! Runs over many rows: every row has its results, in order, whatever happens.

use std::{
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use json_correctness::{
    Checks, Dataset, Error, Evaluation, Evaluator, JsonCorrectness, JsonDiff, JsonEditDistance, JsonEquality,
    JsonSchemaMatch, JsonValidity, Measurement, Metric, Outcome, Record, Repeats, Score, TestCase, evaluate,
    json_schema, metric,
};
use serde_json::{Value, json};

/// A schema for every second row, references for every third, all kinds of output.
fn cases(count: usize) -> Vec<TestCase> {
    let schema = json!({ "type": "object", "required": ["n"], "properties": { "n": { "type": "integer" } } });
    let outputs =
        [r#"{"n": 1}"#, r#"{"n": "1"}"#, r#"{"m": 1}"#, "{'n': 1}", "", "[1, 2", r#"{"n": 1, "n": 2}"#];
    (0..count)
        .map(|row| {
            let mut case = TestCase::new("", outputs[row % outputs.len()]).id(format!("case-{row}"));
            if row % 2 == 0 {
                case = case.json_schema(schema.clone());
            }
            if row % 3 == 0 {
                case = case.expected_output(r#"{"n": 1}"#).tag("third").metadata("row", row);
            }
            case
        })
        .collect()
}

fn five() -> Checks {
    Checks::new()
        .with(JsonValidity::new())
        .with(JsonEquality::new())
        .with(JsonEditDistance::new())
        .with(JsonSchemaMatch::new())
        .with(JsonDiff::new())
}

fn outcomes(evaluation: &Evaluation, metric: &str) -> [u64; 4] {
    let summary = evaluation.summary.metrics.iter().find(|summary| summary.metric == metric).expect("it ran");
    [summary.passed, summary.failed, summary.errored, summary.skipped]
}

#[test]
fn rows_in_are_rows_out_whatever_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    for jobs in [1, 2, 7] {
        let path = folder.path().join(format!("{jobs}.jsonl"));
        let evaluation = Evaluator::new(five()).jobs(jobs).results(&path).run(cases(10_000)).expect("a run");
        assert_eq!(evaluation.summary.rows, 10_000);
        assert_eq!(evaluation.results.len(), 50_000);
        files.push(fs::read(path).expect("results"));
        assert_eq!(outcomes(&evaluation, "json_equality")[3], 6_666);
        assert_eq!(outcomes(&evaluation, "json_schema_match")[3], 5_000);
        assert_eq!(outcomes(&evaluation, "json_validity"), [4 * 1_429 - 1, 10_000 - 4 * 1_429 + 1, 0, 0]);
    }
    assert!(files.iter().all(|file| *file == files[0]), "the bytes depend on the number of threads");
    let lines: Vec<Record> = String::from_utf8(files[0].clone())
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    let names = ["json_validity", "json_equality", "json_edit_distance", "json_schema_match", "json_diff"];
    for (index, record) in lines.iter().enumerate() {
        assert_eq!(record.row as usize, index / 5 + 1);
        assert_eq!(record.metric, names[index % 5]);
        assert_eq!(record.id, format!("case-{}", index / 5));
    }
}

#[test]
fn an_evaluation_meets_its_own_schema_and_comes_back() {
    let evaluation = evaluate(cases(42), five()).expect("a run");
    let text = serde_json::to_string(&evaluation).expect("JSON");
    let verdict =
        JsonCorrectness::<Evaluation>::new().judge(&TestCase::new("", text.as_str())).expect("a verdict");
    assert!(verdict.passed(), "{verdict}");
    let back: Evaluation = serde_json::from_str(&text).expect("an evaluation");
    assert_eq!(back, evaluation);
    let schema = json_schema::<Evaluation>();
    assert_eq!(
        schema["properties"]["format_version"]["description"].as_str().map(|text| &text[..11]),
        Some("The version")
    );
}

/// Fails in every way a metric can.
struct Moody;

impl Metric for Moody {
    fn name(&self) -> &str {
        "moody"
    }

    fn measure(&self, case: &TestCase) -> Result<Measurement, Error> {
        match case.id.as_deref() {
            Some("panics") => panic!("no mood"),
            Some("errs") => metric("no_such_metric", &Value::Null).map(|_| unreachable!("it does not exist")),
            _ => Ok(Measurement::new(Score::ONE)),
        }
    }
}

#[test]
fn what_goes_wrong_harms_only_its_own_row() {
    let lines = concat!(
        "{\"id\": \"fine\", \"actual_output\": \"1\"}\n",
        "{\"id\": \"panics\", \"actual_output\": \"1\"}\n",
        "{\"id\": \"errs\", \"actual_output\": \"1\"}\n",
        "{oops}\n",
        "{\"id\": \"nothing\"}\n",
        "{\"id\": \"fine\", \"actual_output\": \"1\"}\n",
        "{\"actual_output\": \"1\"}\n",
    );
    let rows = Dataset::from_reader("rows.jsonl", lines.as_bytes()).rows().expect("rows");
    let evaluation = evaluate(rows, Checks::new().with(Moody)).expect("a run");
    let found: Vec<(&str, Outcome, Option<u64>, &str)> = evaluation
        .results
        .iter()
        .map(|record| {
            let reason = record.reason.as_deref().unwrap_or_default();
            (record.id.as_str(), record.outcome, record.line, reason.split(':').next().unwrap_or_default())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("fine", Outcome::Passed, Some(1), ""),
            ("panics", Outcome::Errored, Some(2), "the metric panicked"),
            ("errs", Outcome::Errored, Some(3), "there is no metric `no_such_metric`"),
            ("#4", Outcome::Errored, Some(4), "the row at line 4 (byte 113) cannot be read"),
            ("nothing", Outcome::Skipped, Some(5), "the row has no actual_output"),
            ("fine", Outcome::Errored, Some(6), "the id `fine` stands twice"),
            ("#7", Outcome::Passed, Some(7), ""),
        ]
    );
    assert_eq!(evaluation.run.data, ["rows.jsonl"]);
    assert_eq!(outcomes(&evaluation, "moody"), [2, 0, 4, 1]);
    assert_eq!(evaluation.summary.metrics[0].pass_rate, Some(2.0 / 6.0));
}

#[test]
fn set_ups_that_cannot_run_say_so() {
    let rows = [
        (Checks::new(), "there is no check"),
        (
            Checks::new().with(JsonValidity::new()).with(JsonValidity::new()),
            "two checks are called `json_validity`: give one a name of its own",
        ),
        (
            Checks::new().with(JsonValidity::new().threshold(1.5)),
            "json_validity: threshold 1.5 is outside [0, 1]",
        ),
    ];
    for (checks, expected) in rows {
        let error = evaluate(cases(1), checks).expect_err(expected);
        assert!(error.is_option() && error.to_string().starts_with(expected), "{error}");
    }
}

#[test]
fn gates_hold_where_enough_of_what_was_judged_passed() {
    let judged = evaluate(cases(7), Checks::new().with(JsonValidity::new())).expect("a run");
    // Four of seven parse; the last of them has a key twice.
    assert_eq!(judged.gates(0.57).iter().map(|gate| gate.holds).collect::<Vec<_>>(), [true]);
    assert_eq!(judged.gates(0.58).iter().map(|gate| gate.holds).collect::<Vec<_>>(), [false]);
    judged.assert_pass_rate(0.5);
    let nothing = evaluate(cases(0), Checks::new().with(JsonValidity::new())).expect("a run");
    assert!(!nothing.gates(0.0)[0].holds);
    let skipped = evaluate([TestCase::new("", "1")], Checks::new().with(JsonEquality::new())).expect("a run");
    assert_eq!(skipped.gates(0.0)[0].to_string(), "json_equality: nothing was judged, and that is no pass");
    let panic = std::panic::catch_unwind(|| judged.assert_pass_rate(0.9)).expect_err("it is below");
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(message.contains("json_validity: the pass rate 0.5714 is below 0.9"), "{message}");
}

#[test]
fn tags_filter_and_what_is_known_of_a_case_comes_back() {
    let evaluation =
        Evaluator::new(Checks::new().with(JsonValidity::new())).tag("third").run(cases(9)).expect("a run");
    assert_eq!(
        evaluation.results.iter().map(|record| record.id.as_str()).collect::<Vec<_>>(),
        ["case-0", "case-3", "case-6"]
    );
    assert_eq!(json!(evaluation.results[1].metadata), json!({ "row": 3 }));
    assert_eq!(evaluation.results[1].tags, ["third"]);
}

#[test]
fn samples_of_one_case_are_taken_together() {
    let outputs = [("a", "1"), ("a", "["), ("a", "1"), ("b", "["), ("b", "["), ("b", "1")];
    let cases = outputs.map(|(id, output)| TestCase::new("", output).id(id));
    let checks = Checks::new().with(JsonValidity::new());
    let evaluation =
        Evaluator::new(checks).repeats(Repeats::new().at([1, 2]).require(2, 3)).run(cases).expect("a run");
    let repeats = evaluation.summary.metrics[0].repeats.as_ref().expect("repeats");
    assert_eq!((repeats.cases, repeats.flaky), (2, 2));
    assert_eq!(repeats.at[0].pass_at, Some(0.5));
    let gate = repeats.gate.as_ref().expect("a gate");
    assert_eq!((gate.passed, gate.failed), (1, 1));
    assert_eq!(evaluation.gates(0.5)[0].rate, Some(0.5));
}

#[test]
fn the_worst_fields_come_first_with_an_example() {
    let schema = json!({ "type": "array", "items": { "properties": { "price": { "type": "number" } } } });
    let output = r#"[{"price": "1"}, {"price": "2"}, {"price": 3}]"#;
    let checks = Checks::new().with(JsonSchemaMatch::new().schema(schema)).with(JsonDiff::new());
    let cases = [TestCase::new("", output).id("x").expected_output(r#"[{"price": 1}]"#)];
    let evaluation = evaluate(cases, checks).expect("a run");
    let worst = &evaluation.summary.metrics[0].by_field[0];
    assert_eq!(
        (worst.field.as_str(), worst.code.as_str(), worst.violations, worst.cases),
        ("/*/price", "JC0201", 2, 1)
    );
    assert_eq!(worst.example.id, "x");
    assert!(worst.example.message.contains("must be a number"), "{worst:?}");
    let diff: Vec<(&str, &str, u64)> = evaluation.summary.metrics[1]
        .by_field
        .iter()
        .map(|field| (field.field.as_str(), field.kind.as_str(), field.violations))
        .collect();
    assert_eq!(diff, [("/*", "extra", 2), ("/*/price", "different", 1)]);
}

#[test]
fn what_is_kept_is_bounded_and_the_rest_is_counted() {
    let checks = || Checks::new().with(JsonValidity::new());
    let all = Evaluator::new(checks()).run(cases(7_000)).expect("a run");
    let some = Evaluator::new(checks()).keep_bytes(1_000_000).run(cases(7_000)).expect("a run");
    assert_eq!(all.results_omitted, 0);
    assert_eq!(some.results.len() as u64 + some.results_omitted, 7_000);
    assert!(!some.results.is_empty() && some.results.iter().all(|record| record.outcome != Outcome::Passed));
    assert_eq!(some.summary, all.summary);
}

#[test]
fn a_run_stops_when_it_is_told_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole.jsonl");
    let expected = Evaluator::new(five()).results(&whole).run(cases(3_000)).expect("a run");
    let path = folder.path().join("results.jsonl");
    let part = folder.path().join("results.jsonl.part");
    fs::write(&path, "older results\n").expect("written");

    let flag = Arc::new(AtomicBool::new(false));
    let (told, seen) = (Arc::clone(&flag), Arc::new(Mutex::new(Vec::new())));
    let rows = Arc::clone(&seen);
    let stopped = Evaluator::new(five()).results(&path).cancel(flag).progress(move |progress| {
        rows.lock().expect("not poisoned").push(progress.rows);
        told.store(progress.rows >= 1_000, Ordering::Relaxed);
    });
    let error = stopped.run(cases(3_000)).expect_err("it was stopped");
    assert!(error.is_interrupted(), "{error}");
    assert_eq!(*seen.lock().expect("not poisoned"), [512, 1_024]);
    assert_eq!(fs::read_to_string(&path).expect("the older file"), "older results\n");

    // A kill in the middle of a line, and in the middle of a row.
    let whole_text = fs::read(&whole).expect("results");
    let mut torn = fs::read(&part).expect("a part");
    torn.truncate(torn.len() - 700);
    fs::write(&part, &torn).expect("written");
    let resumed = || Evaluator::new(five()).results(&path).resume(true);
    let other = Evaluator::new(Checks::new().with(JsonValidity::new())).results(&path).resume(true);
    let error = other.run(cases(3_000)).expect_err("other checks");
    assert!(error.is_data() && error.to_string().contains("is of another run"), "{error}");
    let mut others = cases(3_000);
    others.swap(3, 4);
    let error = resumed().run(others).expect_err("other data");
    assert!(error.is_data() && error.to_string().contains("are not those of the run"), "{error}");

    let evaluation = resumed().run(cases(3_000)).expect("a run");
    assert_eq!(fs::read(&path).expect("results"), whole_text);
    assert_eq!(evaluation.summary, expected.summary);
    assert_eq!(evaluation.results, expected.results);
    let left: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|file| file.expect("a file").file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_results_file_that_cannot_be_written_is_named() {
    let error = Evaluator::new(five()).results("/dev/null/x").run(cases(1)).expect_err("no folder");
    assert!(
        error.is_io() && error.to_string().starts_with("/dev/null/x.part.run cannot be written: "),
        "{error}"
    );
}

#[test]
fn the_line_of_a_results_file_in_the_docs_is_real() {
    let page = include_str!("../../docs/runs.md");
    let line = page.lines().find(|line| line.starts_with("{\"id\"")).expect("a line");
    let expected: Value = serde_json::from_str(line).expect("JSON");
    let schema = json!({ "properties": { "n": { "type": "integer" } } }).to_string();
    let rows = [
        json!({ "id": "t-0", "actual_output": "{}", "json_schema": schema }),
        json!({ "id": "t-1", "actual_output": r#"{"n": "1"}"# }),
    ];
    let rows = rows.map(|row| row.to_string()).join("\n");
    let rows = Dataset::from_reader("outputs.jsonl", std::io::Cursor::new(rows)).rows().expect("rows");
    let evaluation = evaluate(rows, Checks::new().with(JsonSchemaMatch::new())).expect("a run");
    assert_eq!(json!(evaluation.results[1]), expected);
}
