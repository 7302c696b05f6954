//! What LangChain's lenient parser makes of a text, and what our choices of extraction do.

use std::collections::BTreeMap;

use json_correctness::{Canonical, Document, Extraction, Limits, SyntaxError};
use json_correctness_tests::vectors::{code, generated, rows};
use serde_json::Value;

/// The canonical text of what is judged, in Python's spelling, or why nothing is.
fn judged(extraction: Extraction, text: &str) -> Result<String, SyntaxError> {
    let limits = Limits::default();
    let extracted = extraction.extract(text, &limits)?;
    let document = Document::parse_part(text, extracted.span, &limits)?;
    Ok(Canonical::PythonDumps.text(document.root()))
}

fn theirs(row: &Value) -> Option<&str> {
    row["expected"]["markdown_partial"]["canonical"].as_str()
}

#[test]
fn langchain_parse() {
    let Some(rows) = rows("langchain_parse") else { return };
    let choices = [
        ("`Whole`", Extraction::Whole),
        ("`Fenced`", Extraction::Fenced),
        ("`Embedded`", Extraction::Embedded),
    ];
    let mut table = format!("What becomes of {} recorded texts:\n\n", rows.len());
    table.push_str(
        "| extraction | the same value | refused, theirs a value | a value, theirs an exception | refused by \
         both | another value |\n|---|--:|--:|--:|--:|--:|\n",
    );
    let mut refused: BTreeMap<&str, (usize, String, String, &str)> = BTreeMap::new();
    for (name, extraction) in choices {
        let mut counts = [0; 5];
        for row in &rows {
            let text = row["text"].as_str().expect("a text");
            let ours = judged(extraction, text);
            let outcome = match (&ours, theirs(row)) {
                (Ok(ours), Some(theirs)) if ours == theirs => 0,
                (Err(_), Some(_)) => 1,
                (Ok(_), None) => 2,
                (Err(_), None) => 3,
                (Ok(ours), Some(theirs)) => {
                    // Only where several values stand in one text, of which theirs takes another one.
                    assert!(extraction != Extraction::Whole, "{text}: {ours} {theirs}");
                    4
                }
            };
            counts[outcome] += 1;
            if let (Extraction::Fenced, Err(error), Some(theirs)) = (extraction, &ours, theirs(row)) {
                let example = (1, code(text), code(theirs), error.slip.summary());
                let kept = refused.entry(error.slip.code()).or_insert((0, String::new(), String::new(), ""));
                let count = kept.0 + 1;
                if kept.1.is_empty() || text.len() < kept.1.len() {
                    *kept = example;
                }
                kept.0 = count;
            }
        }
        // Whatever is chosen, what we call a value is never a guess of ours.
        println!("{name}: {counts:?}");
        let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
        table.push_str(&format!("| {name} | {} |\n", counts.join(" | ")));
    }
    table.push_str(
        "\nWhat `Fenced` refuses and LangChain's parser makes a value of, by our code:\n\n\
         | code | texts | what is wrong | example | theirs |\n|---|--:|---|---|---|\n",
    );
    for (slip, (count, example, theirs, summary)) in &refused {
        table.push_str(&format!("| {slip} | {count} | {summary} | {example} | {theirs} |\n"));
    }
    generated("langchain_parse", &table, &["repaired-text"]);
}

/// A text that ends early is never completed, under no choice.
#[test]
fn no_truncated_text_is_completed() {
    let Some(rows) = rows("langchain_parse") else { return };
    for row in rows.iter().filter(|row| row["category"] == "truncated") {
        let text = row["text"].as_str().expect("a text");
        for extraction in [Extraction::Whole, Extraction::Fenced, Extraction::Embedded] {
            if let Ok(value) = judged(extraction, text) {
                let value: Value = serde_json::from_str(&value).expect("JSON");
                let part: Result<Value, _> = serde_json::from_str(text.trim());
                assert!(part.is_ok_and(|part| part == value), "{text} became {value}");
            }
        }
    }
}
