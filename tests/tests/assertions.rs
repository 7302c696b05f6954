//! What the comparing assertions print.

use json_correctness::{assert_json_eq, assert_json_similar, try_assert_json_eq, try_assert_json_similar};
use serde_json::json;

fn panic_text(run: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(run).expect_err("it panics");
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

const FOUND: &str = "{\n  \"name\": \"Jon\",\n  \"age\": 30.0,\n  \"tags\": [\"a\", \"b\"]\n}";

#[test]
fn equality_names_every_place() {
    assert_json_eq!(FOUND, json!({ "name": "Jon", "age": 30, "tags": ["a", "b"] }));
    let text = panic_text(|| {
        assert_json_eq!(FOUND, json!({ "name": "John", "age": 30, "tags": ["a"], "zip": 1 }), "case {}", 7);
    });
    let expected = "\
the output is not the expected JSON: case 7

  1:1   /zip     - 1
                 + (missing)
  2:11  /name    - \"John\"
                 + \"Jon\"
  4:17  /tags/1  - (nothing)
                 + \"b\"
  3 differences: - expected, + found";
    // A reader of the log sees no colours here: standard error is no terminal.
    assert_eq!(text, expected);
}

#[test]
fn similarity_is_told_with_the_places() {
    let verdict =
        assert_json_similar!(>= 0.8, FOUND, json!({ "name": "John", "age": 30, "tags": ["a", "b"] }));
    assert_eq!(verdict.score(), Some((0.75 + 1.0 + 1.0) / 3.0));
    let text = panic_text(|| {
        assert_json_similar!(>= 0.95, FOUND, json!({ "name": "John", "age": 30, "tags": ["a", "b"] }));
    });
    assert!(text.starts_with("the output is not similar enough to the expected JSON: 0.91"), "{text}");
    assert!(text.contains("+ \"Jon\"  (similarity 0.75)"), "{text}");
}

#[test]
fn an_output_that_is_no_json_is_reported_at_its_fault() {
    let text = panic_text(|| drop(assert_json_eq!("{'a': 1}", "{}")));
    assert!(text.contains("error[JC0004]") && text.contains("actual_output:1:2"), "{text}");
    // A reference that is no JSON is a fault of the test.
    let text = panic_text(|| drop(assert_json_eq!("{}", "{'a': 1}")));
    assert!(text.contains("expected_output") && text.contains("1:2"), "{text}");
}

#[test]
fn the_forms_that_return_do_not_panic() {
    let verdict = try_assert_json_eq!("[1, 2]", "[2, 1]").expect_err("another order");
    assert_eq!(verdict.differing(), 2);
    assert!(try_assert_json_eq!("[1.0]", "[1]").is_ok());
    assert!(try_assert_json_similar!(>= 0.5, "[1, \"x\"]", "[1, 2]").is_ok());
    assert!(try_assert_json_similar!(>= 0.6, "[1, \"x\"]", "[1, 2]").is_err());
}
