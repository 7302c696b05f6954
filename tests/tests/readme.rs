//! The README's failing example shows what the library really prints.
//!
//! `UPDATE_DOCS=1 cargo test -p json-correctness-tests --test readme` writes it anew.

use json_correctness::{ExpectedSchema, assert_json_correct};
use serde::Deserialize;

#[derive(Debug, Deserialize, ExpectedSchema)]
#[expect(dead_code, reason = "only judged")]
struct Ticket {
    customer_name: String,
    #[expected(format = "email")]
    customer_email: String,
    priority: Priority,
    #[expected(range(min = 0.0, max = 1.0))]
    confidence: Option<f64>,
}

#[derive(Debug, Deserialize, ExpectedSchema)]
enum Priority {
    High,
    Medium,
    Low,
}

/// The text of the first block of that language behind `after`.
fn block<'a>(page: &'a str, after: &str, language: &str) -> &'a str {
    let fence = format!("```{language}\n");
    let from = page.find(after).expect("the place");
    let start = from + page[from..].find(&fence).expect("a block") + fence.len();
    let end = start + page[start..].find("```\n").expect("a closed block");
    &page[start..end]
}

#[test]
fn the_failing_example_is_real() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let page = std::fs::read_to_string(path).expect("the README");
    let output = block(&page, "For\nthe output", "json");
    let panic = std::panic::catch_unwind(|| assert_json_correct!(Ticket, output)).expect_err("fails");
    let printed = panic.downcast_ref::<String>().expect("text").clone() + "\n";
    // On a terminal the report has colours.
    let colors = regex::Regex::new("\u{1b}\\[[0-9;]*m").expect("a pattern");
    let printed = colors.replace_all(&printed, "");
    let shown = block(&page, "the test says:", "text");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let at = shown.as_ptr() as usize - page.as_ptr() as usize;
        let updated = format!("{}{printed}{}", &page[..at], &page[at + shown.len()..]);
        std::fs::write(path, updated).expect("writable");
        return;
    }
    assert_eq!(shown, printed);
}
