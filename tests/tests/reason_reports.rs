//! Every report says who worded a reason, and where the hook failed, why: harmlessly, whatever the error says.

use std::{fs, path::Path, time::Duration};

use json_correctness::{
    Check, Checks, Evaluation, Evaluator, JsonCorrectness, JsonEquality, ReasonError, ReasonHook,
    ReasonRequest, ReasonSource, TestCase, Verdict, evaluate,
};

/// What a server may say that wants no good.
const HOSTILE: &str = "401 \u{1b}[2J\u{202e}<script>alert(1)</script> ]]> | `x`\n::error::owned &amp; end";
/// What of it must not stand in any report as it is.
const RAW: [&str; 2] = ["\u{1b}", "\u{202e}"];
const BY_HOOK: &str = "worded by the hook";
const BUILT_IN: &str = "built in, since the reason hook failed: ";

/// The third of three outputs is right; of those that are not, the hook words every second reason.
fn cases(number: usize) -> impl Iterator<Item = TestCase> + Send + Clone {
    (0..number).map(|n| {
        let output = if n % 3 == 2 { n.to_string() } else { format!(r#"{{"wrong": {n}}}"#) };
        TestCase::new("", output).id(format!("case-{n}")).expected_output(n.to_string())
    })
}

/// Fails for the cases whose number is even, in a way that the number alone decides.
fn hook(error: fn(usize) -> String) -> ReasonHook {
    ReasonHook::new(move |request: ReasonRequest| {
        let number = request.case.id.as_deref().and_then(|id| id.strip_prefix("case-"));
        let number: usize = number.and_then(|number| number.parse().ok()).unwrap_or_default();
        if number.is_multiple_of(2) {
            Err(ReasonError::new(error(number)))
        } else {
            Ok(format!("number {number}, says {HOSTILE}"))
        }
    })
    .attempts(1)
    .circuit_breaker(u32::MAX, Duration::ZERO)
}

fn checks(hook: &ReasonHook) -> Checks {
    Checks::new()
        .with(JsonCorrectness::<u32>::new().reason_hook(hook.clone()))
        .with(Check::new(JsonEquality::new()).reason_hook(hook.clone()))
}

fn hooked() -> Evaluation {
    evaluate(cases(30), checks(&hook(|_| HOSTILE.to_owned()))).expect("a run")
}

#[track_caller]
fn assert_told(name: &str, report: &str) {
    for mark in [BY_HOOK, BUILT_IN] {
        assert!(report.contains(mark), "{name} has no {mark:?}: {report:.2000}");
    }
    for raw in RAW {
        assert!(!report.contains(raw), "{name} has {raw:?}");
    }
}

#[test]
fn every_report_says_who_worded_the_reasons() {
    let run = hooked();
    let junit = run.to_junit();
    assert_told("JUnit", &junit);
    assert!(!junit.contains("]]>") && !junit.contains("<script>"), "{junit:.2000}");
    let parsed = roxmltree::Document::parse(&junit).expect("XML");
    let failures = parsed.descendants().filter(|node| node.has_tag_name("failure"));
    for failure in failures {
        let text = failure.text().unwrap_or_default();
        assert!(text.contains(BY_HOOK) != text.contains(BUILT_IN), "{text}");
        assert_eq!(text.contains(BY_HOOK), text.contains("says 401 "), "the hook's words are there: {text}");
    }

    let markdown = run.to_markdown();
    assert_told("Markdown", &markdown);
    assert!(
        markdown.contains("reasons: 10 by the hook, 10 built in, since the hook failed: "),
        "{markdown:.2000}"
    );
    let mut code = false;
    for event in pulldown_cmark::Parser::new_ext(&markdown, pulldown_cmark::Options::all()) {
        use pulldown_cmark::Event::{Code, Html, InlineHtml, Text};
        match event {
            Html(html) | InlineHtml(html) => assert!(!html.contains("script"), "{html}"),
            Text(text) => assert!(!text.contains("owned"), "{text}"),
            Code(text) => code |= text.contains("::error::owned"),
            _ => {}
        }
    }
    assert!(code, "the error stands in code");

    let annotations = run.to_github_annotations();
    assert_told("GitHub", &annotations);
    assert!(annotations.lines().all(|line| line.starts_with("::error ") || line.starts_with("::notice ")));

    let html = run.to_html();
    assert_told("HTML", &html);
    assert!(
        !html.contains("<script>alert") && html.contains("result.note"),
        "escaped, and shown and searched"
    );

    let json = run.to_json();
    assert!(RAW.iter().all(|raw| !json.contains(raw)));
    let verdict =
        JsonCorrectness::<Evaluation>::new().judge(&TestCase::new("", json.as_str())).expect("set up");
    assert!(verdict.passed(), "{verdict}");
    assert_eq!(serde_json::from_str::<Evaluation>(&json).expect("an evaluation"), run);
}

#[test]
fn tables_say_it_in_one_line() {
    let run = hooked();
    for (color, width) in [(false, None), (false, Some(60)), (true, None), (true, Some(60))] {
        let table = run.to_table(color, width);
        let lines: Vec<&str> = table.lines().filter(|line| line.contains("reasons: ")).collect();
        assert_eq!(lines.len(), 2, "{table}");
        for line in lines {
            let plain = line.replace("\u{1b}[31m", "").replace("\u{1b}[0m", "");
            assert!(RAW.iter().all(|raw| !plain.contains(raw)), "{line:?}");
            assert_eq!(line.len() > plain.len(), color);
            assert!(plain.starts_with("  reasons: 10 by the hook, 10 built in, since the hook f"), "{plain}");
            assert_eq!(plain.chars().count() <= 60, width.is_some(), "{plain}");
        }
    }
}

#[test]
fn tables_show_the_first_reasons_of_the_hook() {
    let run = hooked();
    for width in [None, Some(60)] {
        let table = run.to_table(false, width);
        let (_, shown) = table.split_once("\nreasons, worded by the hook\n").expect("the section");
        assert!(RAW.iter().all(|raw| !shown.contains(raw)), "{shown:?}");
        assert!(shown.lines().all(|line| width.is_none_or(|width| line.chars().count() <= width)), "{shown}");
        let words: Vec<&str> = shown.split_whitespace().collect();
        let words = words.join(" ");
        for id in ["case-1", "case-3", "case-7"] {
            let number = &id[5..];
            assert!(
                words.contains(&format!("{id}, json_correctness: number {number}, says 401 ")),
                "{shown}"
            );
        }
        assert!(!words.contains("number 15"), "five of them: {shown}");
        assert!(shown.trim_end().ends_with("and 15 more"), "{shown}");
    }
    // What the library words says no more than the fields do.
    let plain = evaluate(cases(9), Checks::new().with(JsonCorrectness::<u32>::new())).expect("a run");
    assert!(!plain.to_table(false, None).contains("reasons"));
}

#[test]
fn verdicts_say_it() {
    let check = JsonCorrectness::<u32>::new().reason_hook(hook(|_| HOSTILE.to_owned()));
    let judged: Vec<Verdict> = cases(3).map(|case| check.judge(&case).expect("set up")).collect();
    let shown: Vec<String> = judged.iter().map(Verdict::to_string).collect();
    assert!(shown[0].contains(&format!("\n(reason {BUILT_IN}401 ")), "{}", shown[0]);
    assert!(shown[1].contains(&format!("\n(reason {BY_HOOK})")), "{}", shown[1]);
    assert!(!shown[2].contains("reason"), "{}", shown[2]);
    assert!(shown.iter().all(|text| RAW.iter().all(|raw| !text.contains(raw))));
    assert_eq!(judged[2].reason_note(), None);
    let plain = Check::new(JsonCorrectness::<u32>::new()).judge(&TestCase::new("", "{}")).expect("set up");
    assert_eq!((plain.reason_source(), plain.reason_note()), (Some(ReasonSource::BuiltIn), None));
}

/// A hundred and more errors: the frequent first, then in the order of the rows, the rest together.
#[test]
fn the_summary_counts_within_bounds() {
    let error = |number: usize| match number {
        0..150 | 300..450 => format!("{number} {}", "long ".repeat(1_000)),
        150..300 => "frequent".to_owned(),
        _ => "too late to be told apart".to_owned(),
    };
    let run = evaluate(cases(600), checks(&hook(error))).expect("a run");
    for metric in &run.summary.metrics {
        let reasons = metric.reasons.as_ref().expect("reasons");
        let of = |source| {
            run.results.iter().filter(move |r| r.metric == metric.metric && r.reason_source == Some(source))
        };
        assert_eq!(reasons.by_hook, of(ReasonSource::Hook).count() as u64);
        assert_eq!(reasons.built_in, of(ReasonSource::Fallback).count() as u64);
        assert_eq!(reasons.errors.iter().map(|error| error.cases).sum::<u64>(), reasons.built_in);
        assert!(reasons.errors.iter().all(|error| error.error.chars().count() <= 200));
        let errors: Vec<&str> =
            reasons.errors.iter().map(|error| error.error.split(' ').next().unwrap_or_default()).collect();
        let expected = ["frequent", "0", "4", "6", "10", "12", "16", "18", "22", "24", "(other"];
        assert_eq!(errors, expected);
    }
}

#[test]
fn a_resumed_run_counts_the_same() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reason_reports");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("results.jsonl");
    let _ = fs::remove_file(&path);
    let error = |number: usize| format!("error {}", number % 7);
    let run = |resume| Evaluator::new(checks(&hook(error))).results(&path).resume(resume).run(cases(300));
    let whole = run(false).expect("a run");
    let text = fs::read_to_string(&path).expect("results");
    let part: String = text.split_inclusive('\n').take(150).collect();
    fs::write(&path, part).expect("a part");
    let resumed = run(true).expect("the rest");
    assert_eq!(resumed.summary, whole.summary);
    assert!(
        whole
            .summary
            .metrics
            .iter()
            .all(|metric| metric.reasons.as_ref().is_some_and(|r| r.errors.len() == 7))
    );
}

#[test]
fn without_a_hook_nothing_is_said() {
    let checks = Checks::new().with(JsonCorrectness::<u32>::new()).with(JsonEquality::new());
    let run = evaluate(cases(30), checks).expect("a run");
    assert!(run.summary.metrics.iter().all(|metric| metric.reasons.is_none()));
    assert!(!run.to_json().contains("\"reasons\""));
    for report in [run.to_table(false, None), run.to_junit(), run.to_markdown(), run.to_github_annotations()]
    {
        assert!(!report.contains("hook") && !report.contains("reasons:"), "{report}");
    }
}
