//! Validity: LangChain's `JsonValidityEvaluator` and autoevals' `ValidJSON` without a schema.

use json_correctness::{Compat, JsonSchemaMatch, JsonValidity, TestCase};
use json_correctness_tests::vectors::{Answer, Rule, Suite, score_of};

use super::boxed;
use crate::schema;

/// What Python's parser takes beyond RFC 8259.
pub(crate) const PYTHON_NUMBERS: Rule = Rule {
    name: "python-numbers",
    holds: |row| row.has(&["JC0014", "JC0025"]) && row.peer != Answer::Score(0.0),
};
const LONE_SURROGATES: Rule =
    Rule { name: "lone-surrogates", holds: |row| row.has(&["JC0022"]) && row.peer != Answer::Score(0.0) };
/// Our limit on nesting is lower than Python's.
const NESTING: Rule =
    Rule { name: "nesting", holds: |row| row.has(&["JC0502"]) && row.peer != Answer::Score(0.0) };

#[test]
fn langchain_validity() {
    Suite {
        file: "langchain_validity",
        peer: |row| score_of(&row["expected"]["result"]["score"]),
        case: |row| TestCase::new("", row["prediction"].as_str().expect("a text")),
        compat: Some(&|_| boxed(JsonValidity::new().compat(Compat::LangChain))),
        default: &|_| boxed(JsonValidity::new()),
        rules: &[
            PYTHON_NUMBERS,
            LONE_SURROGATES,
            NESTING,
            Rule { name: "action-input", holds: |row| row.text("prediction").contains("\"action_input\"") },
            Rule {
                name: "backticks",
                holds: |row| row.text("prediction").contains('`') && row.peer == Answer::Score(1.0),
            },
        ],
    }
    .check();
}

#[test]
fn autoevals_valid_json() {
    Suite {
        file: "autoevals_valid_json",
        peer: |row| match row["expected"].get("raises") {
            Some(_) => Answer::Raised,
            None => score_of(&row["expected"]["score"]),
        },
        case: |row| {
            let case = TestCase::new("", row["output"].as_str().expect("a text"));
            if row["schema"].is_null() { case } else { case.json_schema(row["schema"].clone()) }
        },
        compat: Some(&|row| match row["schema"].is_null() {
            true => boxed(JsonValidity::new().compat(Compat::Autoevals)),
            false => boxed(JsonSchemaMatch::new().compat(Compat::Autoevals)),
        }),
        default: &|row| match row["schema"].is_null() {
            true => boxed(JsonValidity::new()),
            false => boxed(JsonSchemaMatch::new()),
        },
        rules: &[
            PYTHON_NUMBERS,
            NESTING,
            schema::FORMATS,
            schema::UNKNOWN_DRAFT,
            schema::MULTIPLE_OF,
            schema::REGEX_DIALECT,
            schema::DEPENDENCIES,
            Rule {
                name: "scalars",
                holds: |row| {
                    row.row["schema"].is_null() && row.answer() == Answer::Score(1.0) && {
                        !row.text("output").trim_start().starts_with(['{', '['])
                    }
                },
            },
        ],
    }
    .check();
}
