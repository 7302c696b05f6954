use std::{fmt::Write as _, fs};

use super::*;

/// Each table is a file of blocks: `schema` (or `typed schema`, whose integers go by spelling), then texts
/// behind `>`, each followed by what is found. `EXPLAIN_BLESS=1` writes what is found into the files.
fn check(table: &str) {
    let path = format!("{}/src/schema/explain/tests/{table}.txt", env!("CARGO_MANIFEST_DIR"));
    let expected = fs::read_to_string(&path).unwrap();
    let mut actual = String::new();
    let mut current = None;
    for line in expected.lines() {
        if let Some(text) = line.strip_prefix("> ") {
            let _ = writeln!(actual, "{line}");
            let text = text.replace("\\n", "\n");
            let explanation = explain(current.as_ref().unwrap(), &text, &Limits::default());
            for line in lines(&explanation) {
                let _ = writeln!(actual, "    {line}");
            }
        } else if !line.starts_with("    ") {
            let _ = writeln!(actual, "{line}");
            for (prefix, rule) in [("schema ", IntegerRule::Value), ("typed schema ", IntegerRule::Spelling)]
            {
                if let Some(schema) = line.strip_prefix(prefix) {
                    let schema =
                        serde_json::from_str(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
                    current = Some(explainer(&schema, rule));
                }
            }
        }
    }
    if std::env::var_os("EXPLAIN_BLESS").is_some() {
        fs::write(&path, &actual).unwrap();
    }
    for (number, (actual, expected)) in actual.lines().zip(expected.lines()).enumerate() {
        assert_eq!(actual, expected, "{table}.txt:{}", number + 1);
    }
    assert_eq!(actual.lines().count(), expected.lines().count(), "{table}.txt");
}

#[test]
fn values() {
    check("values");
}

#[test]
fn fields() {
    check("fields");
}

#[test]
fn branches() {
    check("branches");
}
