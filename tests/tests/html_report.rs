//! The HTML report in a real browser: what the model wrote never runs, the filter works, and a large run
//! is shown. Where there is no Chromium the parts that need no browser are still checked.
//!
//! The pages are left in `target/tmp/html_report`, to be looked at.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
};

use json_correctness::{
    Checks, Evaluation, JsonDiff, JsonEditDistance, JsonEquality, JsonSchemaMatch, JsonValidity, Outcome,
    Record, TestCase, evaluate,
};
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

/// A start tag: its name, and its attributes.
type Tag = (String, Vec<(String, String)>);

/// The start tags of HTML as a browser writes it, or as this library does: attributes are quoted, and no
/// quote stands in them as it is.
fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if !rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
            continue;
        }
        let end = rest.find(|c: char| c == '>' || c == '/' || c.is_whitespace()).expect("a name");
        let name = rest[..end].to_ascii_lowercase();
        rest = &rest[end..];
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
            if let Some(behind) = rest.strip_prefix('>') {
                rest = behind;
                break;
            }
            let end = rest.find(|c: char| c == '=' || c == '>' || c.is_whitespace()).expect("an attribute");
            let attribute = rest[..end].to_ascii_lowercase();
            rest = &rest[end..];
            let mut value = "";
            if let Some(quoted) = rest.strip_prefix("=\"") {
                (value, rest) = quoted.split_once('"').expect("a closing quote");
            } else {
                assert!(!rest.starts_with('='), "a value without quotes in {name}");
            }
            attributes.push((attribute, value.to_owned()));
        }
        if ["script", "style", "title", "noscript"].contains(&name.as_str()) {
            rest = &rest[rest.find(&format!("</{name}")).expect("its end")..];
        }
        tags.push((name, attributes));
    }
    tags
}

/// Nothing in the page is more than the page's own elements and attributes.
fn assert_harmless(html: &str) {
    const TAGS: &str = "a article body button circle code dd details div dl dt figcaption figure form h1 h2 h3 \
        h4 head header html i input label li main mark meta nav noscript option p path pre rect script section \
        select span strong style summary svg table tbody td th thead title tr ul br caption";
    const ATTRIBUTES: &str = "aria-expanded aria-hidden aria-label aria-labelledby autocomplete charset class \
        colspan content d data-faults data-name for height hidden href http-equiv id lang name placeholder \
        preserveaspectratio rel role scope spellcheck tabindex target title type value viewbox width x y disabled";
    let known: BTreeSet<&str> = TAGS.split_whitespace().collect();
    let known_attributes: BTreeSet<&str> = ATTRIBUTES.split_whitespace().collect();
    let tags = tags(html);
    assert!(tags.len() > 50, "the page is there");
    let mut scripts = 0;
    for (name, attributes) in &tags {
        assert!(known.contains(name.as_str()), "an element {name}");
        scripts += usize::from(name == "script");
        for (attribute, value) in attributes {
            assert!(known_attributes.contains(attribute.as_str()), "an attribute {attribute} of {name}");
            if attribute == "href" {
                let outside = value.starts_with("https://example.org/");
                assert!(value.starts_with('#') || outside, "a link to {value}");
            }
        }
    }
    assert_eq!(scripts, 2, "the data, and the page's own script");
    for hidden in ['\0', '\u{1b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{2028}', '\u{2029}'] {
        assert!(!html.contains(hidden), "{hidden:?} stands in the page");
    }
}

fn save(name: &str, html: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html_report");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, html).expect("a page");
    path
}

/// What a browser makes of the page; `None`, and it is said, where there is no browser.
fn in_browser(page: &Path, fragment: &str) -> Option<String> {
    // One at a time: each takes several processes.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let chromium = std::env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
    let profile = tempfile::tempdir().expect("a folder");
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{fragment}", page.display()))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    match output {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: no Chromium (on the PATH, or named by CHROMIUM)");
            None
        }
        Err(error) => panic!("Chromium does not start: {error}"),
        Ok(output) => {
            let dom = String::from_utf8(output.stdout).expect("UTF-8");
            assert!(dom.contains("</html>"), "Chromium ended with {} and wrote no page", output.status);
            Some(dom)
        }
    }
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

#[test]
fn links_lead_to_the_web() {
    let case = TestCase::new("", "[").id("a").href("https://example.org/a?b&c=\"<d>");
    let html = evaluate([case], Checks::new().with(JsonValidity::new())).expect("a run").to_html();
    let Some(dom) = in_browser(&save("link.html", &html), "#row=1") else { return };
    assert_harmless(&dom);
    assert!(dom.contains("<a href=\"https://example.org/a?b&amp;c=&quot;"), "the link is there");
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
