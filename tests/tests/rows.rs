//! Each row of a file as a test of its own, and what becomes of rows that do not pass: the file runs
//! itself on rows of which some fail, and reads what that says.

use std::process::{Command, ExitCode};

use json_correctness::{Checks, Dataset, JsonEquality, JsonValidity, test_rows};

const ASKED: &str = "JSON_CORRECTNESS_ROWS";
const GOOD: &str = r#"{"id": "one", "actual_output": "[1]", "expected_output": "[1.0]"}
{"id": "two", "actual_output": "{}", "expected_output": "{}"}
"#;
const BAD: &str = r#"{"id": "right", "actual_output": "[1]", "expected_output": "[1]"}
{"id": "wrong\u001b[2J", "actual_output": "[1,]", "expected_output": "[1]"}
{"id": "lonely", "actual_output": "[1]"}
{oops}
{"id": "right", "actual_output": "[2]", "expected_output": "[1]"}
"#;

mod rows {
    use super::*;

    fn dataset() -> Dataset {
        let text = match std::env::var(ASKED).as_deref() {
            Ok("bad") => BAD,
            Ok("none") => "",
            _ => GOOD,
        };
        Dataset::from_reader("rows.jsonl", text.as_bytes())
    }

    test_rows!(dataset(), Checks::new().with(JsonValidity::new()).with(JsonEquality::new()));

    pub(super) fn run() -> ExitCode {
        main()
    }
}

/// Runs this file on other rows.
fn of(rows: &str, arguments: &[&str]) -> (bool, String) {
    let this = std::env::current_exe().expect("this file");
    let output = Command::new(this).args(arguments).env(ASKED, rows).output().expect("it runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).expect("text"))
}

fn main() -> ExitCode {
    if std::env::var_os(ASKED).is_none() && std::env::args().len() == 1 {
        let (good, text) = of("bad", &["--test-threads=1"]);
        assert!(!good);
        for part in [
            "test json_validity::right     ... ok",
            "test json_equality::lonely    ... ignored",
            "test json_validity::wrong␛[2J ... FAILED",
            "rows.jsonl:2\njson_validity failed: score 0, threshold 0.5",
            "error[JC0007]",
            "rows.jsonl:4\nthe row at line 4 (byte 183) cannot be read: ",
            "test json_equality::right#5   ... FAILED",
            "4 passed; 5 failed; 1 ignored",
        ] {
            assert!(text.contains(part), "{part:?} is not in:\n{text}");
        }
        let (good, text) = of("bad", &["--exact", "json_validity::right"]);
        assert!(good && text.contains("1 passed; 0 failed"), "{text}");
        let (good, text) = of("bad", &["--list"]);
        assert!(good && text.lines().count() == 10, "{text}");
        let (good, text) = of("none", &[]);
        assert!(!good && text.contains("the dataset has no row"), "{text}");
    }
    rows::run()
}
