//! `docs/violations.md`: every code has a section, and every example gives what the page says.
//!
//! `UPDATE_DOCS=1 cargo test -p json-correctness-tests --test violations_doc` writes the violations anew.

use std::collections::BTreeSet;

use json_correctness::{
    CompiledSchema, Document, ExpectedSchema, Extraction, JsonCorrectness, Limits, TestCase,
};
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
#[serde(try_from = "u8")]
struct Even;

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if number.is_multiple_of(2) { Ok(Self) } else { Err(format!("{number} is odd")) }
    }
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(try_from = "u8")]
struct Brittle;

impl TryFrom<u8> for Brittle {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        panic!("no plan for {number}")
    }
}

/// One section of the page.
#[derive(Debug, Default)]
struct Section {
    code: String,
    schema: Option<String>,
    with: Option<String>,
    output: Option<String>,
    violations: String,
    /// Lines of the page between which the violations stand.
    lines: (usize, usize),
}

fn sections(page: &str) -> Vec<Section> {
    let lines: Vec<&str> = page.lines().collect();
    let mut sections: Vec<Section> = Vec::new();
    let mut label = "";
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if let Some(head) = line.strip_prefix("## ") {
            let code = head.split(':').next().unwrap_or_default().to_owned();
            sections.push(Section { code, ..Section::default() });
        } else if let Some(with) = line.strip_prefix("With: ") {
            sections.last_mut().expect("a section").with = Some(with.trim_matches('`').to_owned());
        } else if matches!(line, "Schema:" | "Output:" | "Violations:") {
            label = line;
        } else if line.starts_with("```") {
            let fence = &line[..line.bytes().take_while(|&byte| byte == b'`').count()];
            let end =
                at + 1 + lines[at + 1..].iter().position(|line| *line == fence).expect("a closed fence");
            let text = lines[at + 1..end].join("\n");
            let section = sections.last_mut().expect("a section");
            match label {
                "Schema:" => section.schema = Some(text),
                "Output:" => section.output = Some(text),
                _ => {
                    section.violations = text;
                    section.lines = (at + 1, end);
                }
            }
            at = end;
        }
        at += 1;
    }
    sections
}

/// The violations of a section's example, one a line.
fn judge(section: &Section) -> String {
    let output = section.output.clone().expect("an output");
    let with = section.with.as_deref().unwrap_or_default();
    let limits = match with.strip_prefix("limit ").and_then(|limit| limit.split_once(' ')) {
        None => Limits::default(),
        Some((name, value)) => {
            let value = value.parse().expect("a number");
            match name {
                "max_text_bytes" => Limits::default().max_text_bytes(value),
                "max_depth" => Limits::default().max_depth(value),
                "max_backtracking_bytes" => Limits::default().max_backtracking_bytes(value),
                "max_violations" => Limits::default().max_violations(value),
                other => panic!("unknown limit {other}"),
            }
        }
    };
    let violations = if let Some(schema) = &section.schema {
        let schema = CompiledSchema::from_text(schema, &limits).expect("the schema compiles");
        let document = Document::parse(&output, &limits).expect("JSON");
        schema.violations(&document, &limits)
    } else {
        let text = output.replace("\\u{FEFF}", "\u{feff}").replace("\\u{A0}", "\u{a0}");
        let case = match with {
            "bytes" => TestCase::new(
                "",
                output
                    .replace("\\xE9", "\u{1}")
                    .into_bytes()
                    .iter()
                    .map(|&byte| if byte == 1 { 0xE9 } else { byte })
                    .collect::<Vec<u8>>(),
            ),
            "escaped" => TestCase::new("", text),
            _ => TestCase::new("", output),
        };
        let verdict = match with {
            "extract embedded" => {
                JsonCorrectness::<serde_json::Value>::new().extract(Extraction::Embedded).judge(&case)
            }
            "Vec<Even>" => JsonCorrectness::<Vec<Even>>::new().judge(&case),
            "Brittle" => JsonCorrectness::<Brittle>::new().judge(&case),
            _ => JsonCorrectness::<serde_json::Value>::new().limits(limits).judge(&case),
        };
        verdict.expect("set up").violations().to_vec()
    };
    let lines: Vec<String> = violations
        .iter()
        .map(|violation| match &violation.suggestion {
            Some(suggestion) => format!("{violation}\n    {suggestion}"),
            None => violation.to_string(),
        })
        .collect();
    lines.join("\n")
}

#[test]
fn every_example_gives_what_the_page_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/violations.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let examples: Vec<Section> =
        sections(&page).into_iter().filter(|section| section.output.is_some()).collect();
    assert!(examples.len() > 45);
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    let mut wrong = Vec::new();
    for section in examples.iter().rev() {
        let found = judge(section);
        if !found.contains(&section.code) || found != section.violations {
            wrong.push(format!("{}:\n{found}", section.code));
        }
        lines.splice(section.lines.0..section.lines.1, found.lines().map(str::to_owned));
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, lines.join("\n") + "\n").expect("writable");
    }
    assert!(wrong.is_empty(), "the page is out of date:\n{}", wrong.join("\n"));
}

#[test]
fn every_code_has_one_section() {
    let page = include_str!("../../docs/violations.md");
    let documented: Vec<String> = sections(page).into_iter().map(|section| section.code).collect();
    let unique: BTreeSet<&str> = documented.iter().map(String::as_str).collect();
    assert_eq!(unique.len(), documented.len(), "a code has two sections");
    // The codes as the sources spell them.
    let sources = [
        include_str!("../../json-correctness/src/violation/kind.rs"),
        include_str!("../../json-correctness/src/text/slip.rs"),
    ];
    let codes: BTreeSet<&str> = sources
        .iter()
        .flat_map(|source| source.match_indices("=> \"JC").map(|(at, _)| &source[at + 4..at + 10]))
        .collect();
    assert!(codes.len() > 45);
    assert_eq!(unique, codes);
}
