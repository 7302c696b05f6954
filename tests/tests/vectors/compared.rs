//! Comparisons: LangChain's equality and edit distance, Lynxius' and autoevals' differences.

use json_correctness::{Compat, Document, JsonDiff, JsonEditDistance, JsonEquality, Limits, TestCase};
use json_correctness_tests::vectors::{Answer, Compared, Rule, Suite, argument, score_of};
use serde_json::Value;

use super::boxed;

fn against(row: &Value, output: &str, reference: &str) -> TestCase {
    TestCase::new("", argument(row, output)).expected_output(argument(row, reference))
}

fn langchain_peer(row: &Value) -> Answer {
    match row["expected"].get("raises") {
        Some(_) => Answer::Raised,
        None => score_of(&row["expected"]["result"]["score"]),
    }
}

/// Whether a text of the row is no JSON for us.
fn refused(row: &Compared<'_>, fields: [&str; 2]) -> bool {
    fields.iter().any(|field| Document::parse(&argument(row.row, field), &Limits::default()).is_err())
}

fn holds_float(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.contains_key("__float__") || members.values().any(holds_float),
        Value::Array(elements) => elements.iter().any(holds_float),
        _ => false,
    }
}

/// A value that is NaN or infinite, which no JSON text can hold.
fn non_finite(row: &Compared<'_>) -> bool {
    let texts = ["prediction", "output", "reference"];
    let named = |text: &str| ["NaN", "Infinity", "1e400", "1e999"].iter().any(|name| text.contains(name));
    texts.iter().any(|field| holds_float(&row.row[*field]) || named(row.text(field)))
}

const NON_FINITE: Rule = Rule { name: "python-numbers", holds: non_finite };

fn both(row: &Compared<'_>, of: fn(&Value) -> bool) -> bool {
    ["prediction", "output", "reference"].iter().any(|field| {
        let text = argument(row.row, field);
        serde_json::from_str::<Value>(&text).is_ok_and(|value| of(&value))
    })
}

/// Whether a text is JSON once white space, backticks and a fence are taken off.
fn backticks(row: &Compared<'_>) -> bool {
    ["prediction", "reference"].iter().any(|field| {
        let text = row.text(field);
        let behind = text.find("```").map_or(text, |at| &text[at + 3..]);
        let part = behind.strip_prefix("json").unwrap_or(behind);
        let part = part.trim_matches([' ', '\n', '\r', '\t', '`']);
        text.contains('`') && Document::parse(part, &Limits::default()).is_ok()
    })
}

#[test]
fn langchain_equality() {
    Suite {
        file: "langchain_equality",
        peer: langchain_peer,
        case: |row| against(row, "prediction", "reference"),
        compat: Some(&|_| boxed(JsonEquality::new().compat(Compat::LangChain))),
        default: &|_| boxed(JsonEquality::new()),
        rules: &[
            NON_FINITE,
            Rule { name: "backticks", holds: backticks },
            Rule { name: "repaired-text", holds: |row| refused(row, ["prediction", "reference"]) },
            Rule {
                name: "sorted-lists",
                holds: |row| {
                    both(row, Value::is_array)
                        && row.peer == Answer::Score(1.0)
                        && row.answer() == Answer::Score(0.0)
                },
            },
            Rule {
                name: "booleans-as-numbers",
                holds: |row| {
                    let text = row.row.to_string();
                    (text.contains("true") || text.contains("false")) && row.peer == Answer::Score(1.0)
                },
            },
            Rule {
                name: "rounded-numbers",
                // serde_json reads numbers with a fraction or an exponent as Python does.
                holds: |row| {
                    let number = |text: &str| text.contains(['.', 'e', 'E']);
                    number(row.text("prediction")) || number(row.text("reference"))
                },
            },
        ],
    }
    .check();
}

#[test]
fn langchain_edit_distance() {
    Suite {
        file: "langchain_edit_distance",
        peer: langchain_peer,
        case: |row| against(row, "prediction", "reference"),
        compat: Some(&|_| boxed(JsonEditDistance::new().compat(Compat::LangChain))),
        default: &|_| boxed(JsonEditDistance::new()),
        rules: &[
            NON_FINITE,
            Rule { name: "backticks", holds: backticks },
            Rule { name: "repaired-text", holds: |row| refused(row, ["prediction", "reference"]) },
            Rule {
                name: "python-text",
                holds: |row| {
                    // The canonical texts differ, and theirs has what ours writes otherwise.
                    let theirs = ["canonical_prediction", "canonical_reference"]
                        .map(|field| row.row["expected"][field].as_str().unwrap_or_default());
                    let ours = ["prediction", "reference"].map(|field| {
                        let text = argument(row.row, field);
                        let document = Document::parse(&text, &Limits::default()).expect("checked above");
                        json_correctness::Canonical::Jcs.text(document.root())
                    });
                    ours != theirs
                },
            },
        ],
    }
    .check();
}

/// Whether one of two objects lacks a key that is null in the other.
fn missing_null(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.iter().zip(b).any(|(a, b)| missing_null(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            let lone = |(key, value): (&String, &Value), other: &serde_json::Map<String, Value>| {
                value.is_null() && !other.contains_key(key)
            };
            a.iter().any(|member| lone(member, b))
                || b.iter().any(|member| lone(member, a))
                || a.iter().any(|(key, a)| b.get(key).is_some_and(|b| missing_null(a, b)))
        }
        _ => false,
    }
}

#[test]
fn lynxius_json_diff() {
    fn unequal_lists(a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Array(a), Value::Array(b)) => {
                a.len() != b.len() || a.iter().zip(b).any(|(a, b)| unequal_lists(a, b))
            }
            (Value::Object(a), Value::Object(b)) => {
                a.iter().any(|(key, a)| b.get(key).is_some_and(|b| unequal_lists(a, b)))
            }
            _ => false,
        }
    }
    fn mixed(a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Array(a), Value::Array(b)) => a.iter().zip(b).any(|(a, b)| mixed(a, b)),
            (Value::Object(a), Value::Object(b)) => {
                a.iter().any(|(key, a)| b.get(key).is_some_and(|b| mixed(a, b)))
            }
            (a, b) => (a.is_boolean() && b.is_number()) || (a.is_number() && b.is_boolean()),
        }
    }
    Suite {
        file: "lynxius_json_diff",
        peer: |row| match row["expected"].get("raises") {
            Some(_) => Answer::Raised,
            None => score_of(&row["expected"]["score"]),
        },
        case: |row| {
            TestCase::new("", row["output_source"].as_str().expect("a spelling"))
                .expected_output(row["reference_source"].as_str().expect("a spelling"))
                .weights(row["weights"].clone())
        },
        compat: Some(&|_| boxed(JsonDiff::new().compat(Compat::Lynxius))),
        default: &|_| boxed(JsonDiff::new()),
        rules: &[
            NON_FINITE,
            Rule { name: "weights-all-zero", holds: |row| row.error().contains("are 0: give at least one") },
            Rule {
                name: "shorter-list",
                holds: |row| unequal_lists(&row.row["output"], &row.row["reference"]),
            },
            Rule {
                name: "missing-is-null",
                holds: |row| missing_null(&row.row["output"], &row.row["reference"]),
            },
            Rule {
                name: "booleans-as-numbers",
                holds: |row| mixed(&row.row["output"], &row.row["reference"]),
            },
            Rule { name: "overflow", holds: |row| row.row["output"].to_string().contains("e+308") },
        ],
    }
    .check();
}

/// autoevals compares texts that are no object or list as plain strings.
fn not_a_document(row: &Compared<'_>) -> bool {
    ["output", "reference"].iter().any(|field| {
        row.row[format!("{field}_kind")] == "text"
            && !serde_json::from_str::<Value>(row.text(field))
                .is_ok_and(|value| value.is_array() || value.is_object())
    })
}

fn parsed(row: &Compared<'_>, field: &str) -> Value {
    serde_json::from_str(&argument(row.row, field)).unwrap_or_default()
}

/// Whether two values have, at one place, values of different types, or something missing against null.
fn other_types(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.iter().zip(b).any(|(a, b)| other_types(a, b)),
        (Value::Object(x), Value::Object(y)) => {
            missing_null(a, b) || x.iter().any(|(key, a)| y.get(key).is_some_and(|b| other_types(a, b)))
        }
        _ => std::mem::discriminant(a) != std::mem::discriminant(b),
    }
}

fn json_in_strings(value: &Value) -> bool {
    match value {
        Value::String(text) => text.trim_start().starts_with(['{', '[']),
        Value::Array(elements) => elements.iter().any(json_in_strings),
        Value::Object(members) => members.values().any(json_in_strings),
        _ => false,
    }
}

#[test]
fn autoevals_json_diff() {
    Suite {
        file: "autoevals_json_diff",
        peer: |row| score_of(&row["expected"]["score"]),
        case: |row| against(row, "output", "reference"),
        compat: Some(&|_| boxed(JsonDiff::new().compat(Compat::Autoevals))),
        default: &|_| boxed(JsonDiff::new()),
        rules: &[
            NON_FINITE,
            Rule {
                name: "preserve-strings",
                holds: |row| {
                    row.row["options"]["preserve_strings"] == true
                        && (row.row["output_kind"] == "text" || row.row["reference_kind"] == "text")
                },
            },
            Rule { name: "plain-texts", holds: not_a_document },
            Rule { name: "json-in-strings", holds: |row| both(row, json_in_strings) },
            Rule {
                name: "autoevals-types",
                holds: |row| other_types(&parsed(row, "output"), &parsed(row, "reference")),
            },
        ],
    }
    .check();
}
