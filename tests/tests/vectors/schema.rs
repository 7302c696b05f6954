//! Schema match: LangChain's `JsonSchemaEvaluator`.

use json_correctness::{Compat, JsonSchemaMatch, TestCase};
use json_correctness_tests::vectors::{Answer, Rule, Suite, argument, score_of};

use super::boxed;
use crate::validity::PYTHON_NUMBERS;

pub(crate) const FORMATS: Rule =
    Rule { name: "formats", holds: |row| row.codes() == ["JC0207"] && row.peer == Answer::Score(1.0) };
pub(crate) const UNKNOWN_DRAFT: Rule =
    Rule { name: "unknown-draft", holds: |row| row.error().contains("names the unknown draft") };

/// Python's floating-point remainder, where ours is exact.
pub(crate) const MULTIPLE_OF: Rule = Rule {
    name: "multiple-of",
    holds: |row| row.row["schema"].to_string().contains("multipleOf") && row.answer() == Answer::Score(1.0),
};
/// Python's `re`, where JSON Schema asks for ECMA-262.
pub(crate) const REGEX_DIALECT: Rule =
    Rule { name: "regex-dialect", holds: |row| row.codes() == ["JC0206"] && row.peer == Answer::Score(1.0) };
/// `dependencies` in the drafts that have split it in two.
pub(crate) const DEPENDENCIES: Rule = Rule {
    name: "dependencies",
    holds: |row| row.codes() == ["JC0106"] && row.row["schema"].get("dependencies").is_some(),
};
/// The schema is a text in a fence.
const FENCED_SCHEMA: Rule = Rule {
    name: "schema-text",
    holds: |row| row.error().starts_with("the schema is not JSON") && row.row["schema_kind"] == "text",
};

#[test]
fn langchain_schema() {
    // A schema that is given as text is compiled as text.
    let with_schema = |metric: JsonSchemaMatch, row: &serde_json::Value| match row["schema_kind"] == "text" {
        true => metric.schema(row["schema"].as_str().expect("a text")),
        false => metric.schema(row["schema"].clone()),
    };
    Suite {
        file: "langchain_schema",
        peer: |row| match row["expected"].get("raises") {
            Some(_) => Answer::Raised,
            None => score_of(&row["expected"]["result"]["score"]),
        },
        case: |row| TestCase::new("", argument(row, "prediction")),
        compat: Some(&|row| boxed(with_schema(JsonSchemaMatch::new().compat(Compat::LangChain), row))),
        default: &|row| boxed(with_schema(JsonSchemaMatch::new(), row)),
        rules: &[
            PYTHON_NUMBERS,
            FORMATS,
            UNKNOWN_DRAFT,
            MULTIPLE_OF,
            REGEX_DIALECT,
            DEPENDENCIES,
            FENCED_SCHEMA,
            Rule {
                name: "repaired-text",
                holds: |row| row.codes().iter().any(|code| code.starts_with("JC00")),
            },
        ],
    }
    .check();
}
