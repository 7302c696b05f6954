//! The HTML report in a real browser: what the model wrote never runs, the filter works, and a large run
//! is shown. Where there is no Chromium the parts that need no browser are still checked.
//!
//! The pages are left in `target/tmp/html_report`, to be looked at.

mod browser;
mod page;

use std::{
    fs,
    path::{Path, PathBuf},
};

use browser::in_browser;
use json_correctness::{
    Checks, Evaluation, JsonDiff, JsonEditDistance, JsonEquality, JsonSchemaMatch, JsonValidity, Outcome,
    ReasonError, ReasonHook, ReasonRequest, Record, TestCase, evaluate,
};
use page::assert_harmless;
use serde_json::{Map, Value, json};

/// What would take over a page, a terminal or an eye.
const PAYLOADS: &[&str] = &[
    "</script><script>document.documentElement.setAttribute('owned','1')</script>",
    "<img src=x onerror=document.documentElement.setAttribute('owned','2')>",
    "\"><svg onload=document.documentElement.setAttribute('owned','3')>",
    "' autofocus onfocus=document.documentElement.setAttribute('owned','4') x='",
    "</title></style></pre></textarea><!-- <script> <!--",
    "{{data}} {{script}} ${1} &lt;b&gt; &#60;i&#62;",
    "\u{1b}[2J\u{1b}]0;owned\u{7}",
    "]]>",
    "\u{202e}gnp.exe\u{2066}\u{200b}\u{feff}\u{2028}\u{2029}\0",
    "\\u003c/script\\u003e",
];

const HOSTILE_LINKS: &[&str] = &[
    "javascript:document.documentElement.setAttribute('owned','5')",
    " JaVa\tScript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//host/share",
    "file:///etc/passwd",
];

/// A schema for every second row, references for every third, all kinds of output.
fn cases(count: usize) -> Vec<TestCase> {
    let schema = json!({
        "type": "object",
        "required": ["name", "items"],
        "properties": {
            "name": { "type": "string" },
            "items": { "type": "array", "items": {
                "type": "object", "properties": { "price": { "type": "number" }, "sku": { "type": "string" } }
            } }
        }
    });
    let outputs = [
        r#"{"name": "Ünïcødé 😀", "items": [{"price": 3.5, "sku": "A1"}]}"#,
        r#"{"name": "Grace", "items": [{"price": "3.5", "sku": 17}]}"#,
        "{\n  \"nmae\": \"Ada\",\n  \"items\": [{\"price\": null}]\n}",
        "{'name': 'Ada', 'items': []}",
        "",
        r#"{"name": "cut", "items": [{"price": 1"#,
        r#"{"name": "twice", "name": "again", "items": []}"#,
        r#"{"name": "Ünïcødé 😀", "items": []}"#,
    ];
    (0..count)
        .map(|row| {
            let mut case = TestCase::new("", outputs[row * 7 % outputs.len()]).id(format!("case-{row}"));
            if row % 2 == 0 {
                case = case.json_schema(schema.clone()).label(format!("Invoice {row}"));
            }
            if row % 3 == 0 {
                case = case.expected_output(outputs[0]).tag("third").metadata("model", "small-7b");
            }
            case
        })
        .collect()
}

fn five() -> Checks {
    Checks::new()
        .with(JsonValidity::new())
        .with(JsonEquality::new())
        .with(JsonEditDistance::new())
        .with(JsonSchemaMatch::new())
        .with(JsonDiff::new())
}

fn run(count: usize) -> Evaluation {
    evaluate(cases(count), five()).expect("a run")
}

/// Every text of the run becomes hostile, but for those that name one of a few known things.
fn poison(value: &mut Value) {
    match value {
        Value::String(text) => {
            let known = ["passed", "failed", "errored", "skipped"].contains(&text.as_str());
            if !known && !text.starts_with("20") {
                *text = format!("{text} {}", PAYLOADS.join(" "));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(poison),
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                if name != "reason_source" {
                    poison(value);
                }
            }
            if let Some(Value::Object(metadata)) = members.get_mut("metadata") {
                let hostile: Map<String, Value> = PAYLOADS
                    .iter()
                    .map(|name| ((*name).to_owned(), json!([PAYLOADS, { *name: "x".repeat(1 << 20) }])))
                    .collect();
                *metadata = hostile;
            }
        }
        _ => {}
    }
}

fn hostile() -> Evaluation {
    let mut value = serde_json::to_value(run(12)).expect("JSON");
    poison(&mut value);
    let results = value["results"].as_array_mut().expect("results");
    for (index, result) in results.iter_mut().enumerate() {
        result["href"] = json!(HOSTILE_LINKS[index / 5 % HOSTILE_LINKS.len()]);
        if index == 10 {
            result["label"] = json!("long ".repeat(200_000));
        }
    }
    serde_json::from_value(value).expect("an evaluation")
}

fn save(name: &str, html: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html_report");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, html).expect("a page");
    path
}

/// The sentence over the table that says how many results are selected.
fn count(dom: &str) -> &str {
    let (_, rest) = dom.split_once(r#"<p id="count" role="status">"#).expect("the count");
    rest.split_once('<').expect("its end").0
}

/// How many results the page shows in its table.
fn rows(dom: &str) -> usize {
    dom.matches(r#"<tr class="case">"#).count()
}

#[test]
fn hostile_texts_stay_texts() {
    let html = hostile().to_html();
    assert_harmless(&html);
    assert!(html.len() < 4 << 20, "long texts are shortened: {} bytes", html.len());
    let page = save("hostile.html", &html);
    for row in 1..=HOSTILE_LINKS.len() {
        let Some(dom) = in_browser(&page, &format!("#row={row}")) else { return };
        assert_harmless(&dom);
        assert_eq!(count(&dom), "5 of 60 results");
        assert!(dom.contains("class=\"detail\""), "a row that is asked for is open");
        assert!(dom.contains("&lt;img src=x onerror="), "the text is there, as a text");
    }
}

/// Were a text not escaped, the policy would still keep it from running.
#[test]
fn the_policy_keeps_other_scripts_from_running() {
    let html = run(3).to_html();
    let broken = html.replace("<main>", &format!("<main>{}", PAYLOADS.join(" ")));
    assert_ne!(html, broken);
    let Some(dom) = in_browser(&save("injected.html", &broken), "") else { return };
    assert!(dom.contains("<img src=\"x\""), "the elements are there");
    let (_, html) = dom.split_once("<html").expect("an element");
    let attributes = html.split_once('>').expect("its end").0;
    assert!(!attributes.contains("owned"), "a script ran: {attributes}");
    // Without the policy they do run: the payloads are what they say.
    let (before, policy) = broken.split_once("<meta http-equiv").expect("a policy");
    let open = format!("{before}{}", policy.split_once('>').expect("its end").1);
    let dom = in_browser(&save("open.html", &open), "").expect("a browser");
    let attributes =
        dom.split_once("<html").and_then(|(_, html)| html.split_once('>')).expect("an element").0;
    assert!(attributes.contains("owned"), "the payloads are harmless anyway");
}

/// Drives the page as a person would, from a page beside it, and writes down what it sees.
const DRIVER: &str = include_str!("driver.html");

#[test]
fn the_page_follows_its_reader() {
    let evaluation = run(100);
    let page = save("hundred.html", &evaluation.to_html());
    let driver = save("driver.html", &DRIVER.replace("PAGE", &format!("file://{}", page.display())));
    let Some(dom) = in_browser(&driver, "") else { return };
    let (_, seen) = dom.split_once("<ol id=\"seen\">").expect("a list");
    let seen = seen.split_once("</ol>").expect("its end").0.replace("&amp;", "&");
    let seen: Vec<&str> =
        seen.split("<li>").skip(1).map(|item| item.strip_suffix("</li>").expect("its end")).collect();
    let of_all = |wanted: &dyn Fn(&Record) -> bool| {
        format!("{} of 500 results", evaluation.results.iter().filter(|record| wanted(record)).count())
    };
    let typed = of_all(&|record| record.id.contains("case-7"));
    let chosen = of_all(&|record| record.id.contains("case-7") && record.outcome == Outcome::Failed);
    let cut_off = of_all(&|record| record.violations.iter().any(|it| it.code == "JC0016"));
    let expected = [
        "all: 500 results",
        &format!("typed: {typed} at #q=case-7"),
        &format!("chosen: {chosen} at #q=case-7&outcome=failed"),
        "cleared: 500 results q=",
        "next: Previouspage 2 of 10Next focus on cases",
        &format!("field: {cut_off} at #code=JC0016&field=%28whole%20output%29"),
        "open: true 1",
        "jump: focus on MARK {",
        "too wide at: ",
        "closed: false 0",
        "done",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn links_lead_to_the_web() {
    let case = TestCase::new("", "[").id("a").href("https://example.org/a?b&c=\"<d>");
    let html = evaluate([case], Checks::new().with(JsonValidity::new())).expect("a run").to_html();
    let Some(dom) = in_browser(&save("link.html", &html), "#row=1") else { return };
    assert_harmless(&dom);
    assert!(dom.contains("<a href=\"https://example.org/a?b&amp;c=&quot;"), "the link is there");
}

#[test]
fn who_worded_a_reason_is_shown_and_found() {
    let hook = ReasonHook::new(|request: ReasonRequest| match request.case.id.as_deref() {
        Some("a") => Ok("Nothing closes the list.".to_owned()),
        _ => Err(ReasonError::new(format!("503 {}", PAYLOADS.join(" ")))),
    });
    let check = JsonValidity::new().reason_hook(hook.attempts(1));
    let cases = ["a", "b", "c"].map(|id| TestCase::new("", if id == "c" { "1" } else { "[" }).id(id));
    let html = evaluate(cases, Checks::new().with(check)).expect("a run").to_html();
    assert_harmless(&html);
    let page = save("reasons.html", &html);
    for (fragment, found, note) in [
        ("#q=worded+hook&row=1", 1, "worded by the hook</div>"),
        ("#q=hook+failed+503&row=2", 1, "built in, since the reason hook failed: 503 "),
        ("#q=hook", 2, ""),
    ] {
        let Some(dom) = in_browser(&page, fragment) else { return };
        assert_harmless(&dom);
        assert_eq!(count(&dom), format!("{found} of 3 results"), "{fragment}");
        assert!(dom.contains("reasons: 1 by the hook, 1 built in, since the hook failed: 503 "));
        let (_, table) = dom.split_once("<tr class=\"case\">").expect("a table");
        let (table, _) = table.split_once("</table>").expect("its end");
        assert!(table.contains(note), "{fragment}: {table:.2000}");
    }
}

/// The texts that are marked in the outputs that are open.
fn marks(dom: &str) -> Vec<&str> {
    let parts = dom.split("<mark ").skip(1);
    parts
        .map(|part| part.split_once('>').expect("a tag").1.split_once("</mark>").expect("its end").0)
        .collect()
}

#[test]
fn faults_are_underlined_where_they_are() {
    let html = run(10).to_html();
    assert_harmless(&html);
    // What it comes to and the fields are there without the script.
    let (before, _) = html.split_once("id=\"data\"").expect("the data");
    for text in ["<strong>70.0%</strong>", "95% interval", "<code>/items/*/price</code>", "misspelt field"] {
        assert!(before.contains(text), "{text}");
    }
    let page = save("ten.html", &html);
    for (fragment, marked) in [
        // Row 3 repeats a key, row 7 misspells one and has null for a price.
        ("#row=3&metric=json_schema_match", &["\"name\""][..]),
        ("#row=7&metric=json_schema_match", &["\"nmae\"", "null"]),
        // Row 4 is cut off within an object.
        ("#row=4&metric=json_validity", &["{"]),
        ("#row=6&metric=json_validity", &["'name'"]),
        // The list lacks an item; before it stand letters of two bytes and one of four.
        ("#row=10&metric=json_equality", &["["]),
    ] {
        let Some(dom) = in_browser(&page, fragment) else { return };
        assert_harmless(&dom);
        assert_eq!(marks(&dom), marked, "{fragment}");
    }
}

#[test]
fn a_fault_in_a_long_line_is_underlined() {
    let output = format!("[{}{}x, 1]", "1, ".repeat(200_000), "\"\u{e9}\u{1f600}\u{202e}\", ".repeat(1_000));
    let at = output.find('x').expect("it is there");
    let run = evaluate([TestCase::new("", output)], Checks::new().with(JsonValidity::new())).expect("a run");
    assert_eq!(run.results[0].violations[0].span.0, at as u64);
    let Some(dom) = in_browser(&save("long.html", &run.to_html()), "#row=1") else { return };
    assert_harmless(&dom);
    assert_eq!(marks(&dom), ["x"]);
    assert!(dom.contains("bytes before"), "it says that it is a part");
}

#[test]
fn ten_thousand_cases_are_shown_and_filtered() {
    let evaluation = run(10_000);
    assert_eq!(evaluation.results.len(), 50_000);
    let html = evaluation.to_html();
    let page = save("ten_thousand.html", &html);
    assert_harmless(&html);
    assert!(html.contains("20,000 results are here. Left out of the page: "), "it says what is left out");
    let failed = |metric: &str, id: &str| {
        let found = evaluation.results.iter().filter(|record| {
            record.outcome == Outcome::Failed && record.metric == metric && record.id.contains(id)
        });
        found.count()
    };
    let Some(dom) = in_browser(&page, "") else { return };
    assert_harmless(&dom);
    assert_eq!((count(&dom), rows(&dom)), ("20,000 results", 50));
    for (fragment, expected) in [
        ("#outcome=failed&metric=json_validity", failed("json_validity", "")),
        ("#outcome=failed&metric=json_validity&q=CASE-77", failed("json_validity", "case-77")),
        ("#outcome=failed&metric=json_validity&q=no+such+case", 0),
        ("#metric=json_schema_match&code=JC0201&field=%2Fitems%2F*%2Fprice", {
            let fits = |pointer: &str| pointer.starts_with("/items/") && pointer.ends_with("/price");
            let records = evaluation.results.iter().filter(|record| record.metric == "json_schema_match");
            let wrong = |record: &&Record| {
                record.violations.iter().any(|it| it.code == "JC0201" && fits(&it.pointer))
            };
            records.filter(wrong).count()
        }),
    ] {
        let Some(dom) = in_browser(&page, fragment) else { return };
        let shown = count(&dom).replace(',', "");
        assert_eq!(shown, format!("{expected} of 20000 results"), "{fragment}");
        assert_eq!(rows(&dom), expected.min(50), "{fragment}");
    }
}
