//! openevals' `json_match`, which calls each key right or wrong, through the metric that is nearest.

use json_correctness::{JsonDiff, JsonEquality, TestCase};
use json_correctness_tests::vectors::{Answer, Rule, Suite, score_of};
use serde_json::{Value, json};

use super::boxed;

/// The score of a row: that of the aggregate, or of all keys where each has its own.
fn peer(row: &Value) -> Answer {
    let Some(results) = row["expected"]["results"].as_array() else { return Answer::Raised };
    let scores: Vec<Answer> = results.iter().map(|result| score_of(&result["score"])).collect();
    match scores.as_slice() {
        [score] => score.clone(),
        scores => Answer::Score(f64::from(u8::from(scores.iter().all(|score| *score == Answer::Score(1.0))))),
    }
}

fn option<'r>(row: &'r Value, name: &str) -> &'r str {
    row["options"][name].as_str().unwrap_or_default()
}

#[test]
fn openevals_json_match() {
    Suite {
        file: "openevals_json_match",
        peer,
        case: |row| {
            TestCase::new("", row["outputs_source"].as_str().expect("a spelling"))
                .expected_output(row["reference_outputs_source"].as_str().expect("a spelling"))
        },
        compat: None,
        default: &|row| {
            let excluded = row["options"]["exclude_keys"].as_array().expect("a list");
            if option(row, "aggregator") == "average" {
                let excluded = excluded.iter().filter_map(Value::as_str);
                let keys = excluded.map(|key| (key.to_owned(), json!({ "x-expected": { "ignore": true } })));
                let items = json!({ "properties": Value::Object(keys.collect()) });
                boxed(JsonDiff::new().schema(json!({ "items": items, "properties": items["properties"] })))
            } else if option(row, "list_match_mode") == "ordered" {
                boxed(JsonEquality::new())
            } else {
                boxed(JsonEquality::new().unordered())
            }
        },
        rules: &[
            Rule { name: "key-by-key", holds: |row| option(row.row, "aggregator") == "average" },
            Rule {
                name: "list-subset",
                holds: |row| ["subset", "superset"].contains(&option(row.row, "list_match_mode")),
            },
            Rule { name: "excluded-keys", holds: |row| row.row["options"]["exclude_keys"] != json!([]) },
            Rule {
                name: "list-average",
                holds: |row| option(row.row, "list_aggregator") == "average" && row.row["outputs"].is_array(),
            },
            Rule {
                name: "nested-lists",
                holds: |row| row.answer() == Answer::Score(1.0) && row.peer == Answer::Score(0.0),
            },
        ],
    }
    .check();
}
