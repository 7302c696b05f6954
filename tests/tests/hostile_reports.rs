//! Hostile text in every place of a run: every report is harmless, and can still be read.

use json_correctness::Evaluation;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

/// Texts that mean something to whoever shows them.
fn hostile() -> Vec<String> {
    [
        "\u{1b}]0;owned\u{7}\u{1b}[2J",
        "\u{9b}2J\u{7f}",
        "]]></failure><script>alert(1)</script>",
        "</script><img src=x onerror=alert(1)>",
        "<!-- --> --!>",
        "| a | b |\n|---|---|",
        "`` ` ``` ````\n```\n# head",
        "\\| a \\\\| b \\` c \\",
        "~~~\n~~~\n    indented\n\n1. one\n> quote\n",
        "[link](javascript:alert(1)) ![image](http://x) <http://x> http://x",
        "@everyone #1 :+1: **bold** _i_ \\",
        "=cmd()|' /C calc'!A0",
        "\u{202e}evil\u{2066}\u{200b}\u{e0041}",
        "nul\0 \u{fffe}\u{ffff} \u{fffd}",
        "::error file=x::owned\r\n::set-output name=a::b%0A",
        "</details></summary>&lt;b&gt;&#x3c;",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain(["x".repeat(1 << 20)])
    .collect()
}

/// A run with this text wherever text can stand.
fn evaluation(text: &str, repeats: bool) -> Evaluation {
    let record = |row: u64, outcome: &str| {
        json!({
            "id": text, "row": row, "file": text, "line": 3, "metric": text, "outcome": outcome,
            "score": if outcome == "errored" { Value::Null } else { json!(0.25) }, "threshold": 0.5, "reason": text,
            "reason_source": if row == 2 { "hook" } else { "fallback" }, "reason_error": text,
            "violations": if outcome == "failed" { json!([{
                "code": "JC0102", "kind": "misspelt_field", "pointer": format!("/{text}"), "line": 1,
                "column": 2, "span": [1, 3], "message": text, "help": text,
            }]) } else { json!([]) },
            "differences": if row == 2 { json!([{
                "pointer": text, "expected": text, "found": Value::Null, "similarity": 0.0, "weight": 1.0,
                "line": 1, "column": 1, "span": [0, 1],
            }]) } else { json!([]) },
            "label": text, "href": text, "tags": [text], "metadata": { text: text },
            "output": { "text": text, "start": 0, "bytes": text.len() },
        })
    };
    let example = json!({ "id": text, "row": 1, "message": text });
    let count = json!({ "field": text, "code": "JC0102", "kind": text, "violations": 1, "cases": 1, "example": example });
    let mut metric = json!({
        "metric": text, "threshold": 0.5, "passed": 1, "failed": 1, "errored": 1, "skipped": 1,
        "pass_rate": 0.3, "interval": [0.1, 0.9], "by_code": [], "by_field": [count],
        "scores": { "count": 3, "mean": 0.3, "min": 0.0, "p05": 0.0, "p25": 0.1, "p50": 0.2, "p75": 0.5,
            "p95": 1.0, "max": 1.0, "histogram": [1, 0, 0, 0, 0, 0, 0, 0, 0, 2] },
        "reasons": { "by_hook": 1, "built_in": 1, "errors": [{ "error": text, "cases": 1 }] },
    });
    if repeats {
        metric["repeats"] = json!({ "cases": 1, "flaky": 1, "at": [], "gate": { "required": 2, "of": 3, "passed": 0, "failed": 1, "errored": 0 } });
    }
    serde_json::from_value(json!({
        "format_version": 1,
        "run": {
            "id": "0190b6a0-0000-7000-8000-000000000000", "started": "2026-01-02T03:04:05.678Z", "seconds": 1.5,
            "version": "0.1.0", "data": [text],
            "checks": [{ "metric": text, "threshold": 0.5, "strict_mode": false, "lower_is_better": false, "options": Value::Null }],
        },
        "summary": { "rows": 4, "metrics": [metric] },
        "results": [record(1, "passed"), record(2, "failed"), record(3, "errored"), record(4, "skipped")],
        "results_omitted": 0,
    }))
    .expect("an evaluation")
}

fn each(mut check: impl FnMut(&str, &Evaluation)) {
    for text in hostile() {
        for repeats in [false, true] {
            check(&text, &evaluation(&text, repeats));
        }
    }
}

/// Whether a terminal could do anything with the text but show it.
fn harmless(text: &str) -> bool {
    !text.chars().any(|character| {
        (character.is_control() && character != '\n')
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{e0041}')
    })
}

#[test]
fn tables_are_harmless_and_as_wide_as_asked() {
    each(|text, evaluation| {
        let table = evaluation.to_table(false, Some(100));
        assert!(harmless(&table), "{text:?}: {table:?}");
        let wide = table.lines().filter(|line| line.chars().count() > 100).count();
        // A metric's own line is never cut, since its figures stand behind the name.
        assert!(wide <= 1, "{text:.80?}: {wide}");
        assert!(harmless(&evaluation.to_table(true, None).replace('\u{1b}', "")) || text.contains('\u{1b}'));
    });
}

#[test]
fn json_is_harmless_and_comes_back() {
    each(|text, evaluation| {
        let written = evaluation.to_json();
        assert!(harmless(&written), "{text:?}");
        let back: Evaluation = serde_json::from_str(&written).expect("JSON");
        assert_eq!(back, *evaluation);
    });
}

#[test]
fn junit_is_xml_that_says_how_each_case_ended() {
    each(|text, evaluation| {
        let written = evaluation.to_junit();
        assert!(harmless(&written), "{text:?}");
        let repeated = evaluation.summary.metrics[0].repeats.is_some();
        let document =
            roxmltree::Document::parse(&written).unwrap_or_else(|error| panic!("{error}: {text:.80?}"));
        let names = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
        if repeated {
            // The failure, and the error as what came of trying again.
            assert_eq!(
                (names("testcase"), names("failure"), names("error"), names("rerunError")),
                (1, 1, 0, 1)
            );
        } else {
            assert_eq!((names("testcase"), names("failure"), names("error"), names("skipped")), (4, 1, 1, 1));
        }
        assert_eq!(names("script"), 0);
        let attribute = |node: &str, name: &str| {
            let node = document.descendants().find(|found| found.has_tag_name(node)).expect("it is there");
            node.attribute(name).map(str::to_owned)
        };
        assert_eq!(attribute("testsuite", "tests").as_deref(), Some(if repeated { "1" } else { "4" }));
        assert_eq!(attribute("failure", "type").as_deref(), Some("JC0102"));
    });
}

#[test]
fn markdown_shows_text_as_text() {
    each(|text, evaluation| {
        let written = evaluation.to_markdown();
        assert!(harmless(&written), "{text:?}");
        let mut cells = 0;
        let (mut depth, mut fenced) = (0, false);
        for event in Parser::new_ext(&written, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Emphasis | Tag::Strong) => {
                    panic!("{text:?} is more than text in:\n{written}");
                }
                Event::Start(Tag::TableCell) => cells += 1,
                Event::Start(Tag::CodeBlock(_)) => fenced = true,
                Event::End(TagEnd::CodeBlock) => fenced = false,
                // GitHub makes links of addresses and mentions wherever they are not code.
                Event::Text(plain) => {
                    let live = plain.contains(['@', '#']) || plain.contains("http") || plain.contains(":+1");
                    assert!(fenced || !live, "{plain:?} of {text:?}");
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    for element in html.split('<').skip(1) {
                        let name =
                            element.trim_start_matches('/').split(['>', ' ']).next().unwrap_or_default();
                        assert!(["details", "summary", "code"].contains(&name), "{name} of {text:?}");
                        depth += i32::from(element.starts_with("details"))
                            - i32::from(element.starts_with("/details"));
                    }
                }
                _ => {}
            }
        }
        assert_eq!(cells, 2 * 8 + 2 * 6, "{text:?}:\n{written}");
        assert_eq!(depth, 0, "{text:?}");
        for name in ["label: `", "link: `", "tags: `"] {
            assert!(written.contains(name), "{name} is not in:\n{written}");
        }
        assert!(written.len() < 100_000, "{} bytes", written.len());
    });
}

/// GitHub drops a summary of more than 1 MiB.
#[test]
fn markdown_fits_into_the_summary_of_a_step() {
    let mut run = serde_json::to_value(evaluation(&"\u{1f600}".repeat(3_000), false)).expect("JSON");
    let failed = &mut run["results"][1];
    let found = failed["violations"][0].clone();
    failed["violations"] = Value::Array(vec![found; 100]);
    run["results"] = Value::Array(vec![failed.clone(); 100]);
    let field = run["summary"]["metrics"][0]["by_field"][0].clone();
    run["summary"]["metrics"][0]["by_field"] = Value::Array(vec![field; 100]);
    run["summary"]["metrics"] = Value::Array(vec![run["summary"]["metrics"][0].clone(); 100]);
    let run: Evaluation = serde_json::from_value(run).expect("an evaluation");
    let written = run.to_markdown();
    assert!(written.len() < 1 << 20, "{} bytes", written.len());
    assert!(written.contains("more"), "it says what is left out");
}

#[test]
fn annotations_are_one_command_a_line() {
    each(|text, evaluation| {
        let written = evaluation.to_github_annotations();
        assert!(harmless(&written), "{text:?}");
        assert_eq!(written.lines().count(), 2, "{text:?}: {written}");
        for line in written.lines() {
            let (properties, message) =
                line.strip_prefix("::error ").and_then(|rest| rest.split_once("::")).expect(line);
            assert_eq!(properties.split(',').count(), 3, "{line}");
            assert!(!message.contains('\r') && message.len() < 10_000);
        }
    });
}
