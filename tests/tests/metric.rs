//! From a case to a verdict, through the public interface.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use json_correctness::{
    Check, ExpectedSchema, Extraction, JsonCorrectness, Limits, Metric, Outcome, ReasonRequest, ReasonSource,
    TestCase, Verdict, assert_json_correct, assert_passes, try_assert_json_correct, try_assert_passes,
};
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize, ExpectedSchema)]
struct Ticket {
    customer_name: String,
    #[expected(format = "email")]
    customer_email: String,
    priority: Priority,
    #[expected(range(min = 0.0, max = 1.0), weight = 0.25)]
    confidence: Option<f64>,
}

#[derive(Debug, PartialEq, Deserialize, ExpectedSchema)]
enum Priority {
    High,
    Medium,
    Low,
}

const GOOD: &str = r#"{"customer_name": "Jane", "customer_email": "jane@example.com", "priority": "High"}"#;
const BAD: &str = "{\n  \"name\": \"Alex\",\n  \"priority\": 1\n}";

fn case(output: &str) -> TestCase {
    TestCase::new("Extract the ticket.", output)
}

fn judge(check: &Check<impl Metric>, output: &str) -> Verdict {
    check.judge(&case(output)).expect("set up")
}

fn found(verdict: &Verdict) -> Vec<String> {
    verdict
        .violations()
        .iter()
        .map(|v| format!("{} {} {}:{}", v.code, v.pointer, v.position.line, v.position.column))
        .collect()
}

#[test]
fn the_schema_example_of_sap_gives_its_four_findings() {
    let verdict = JsonCorrectness::<Ticket>::new().judge(&case(BAD)).expect("set up");
    assert_eq!(
        found(&verdict),
        [
            "JC0101 /customer_email 1:1",
            "JC0102 /customer_name 2:3",
            "JC0201 /priority 3:15",
            "JC0202 /priority 3:15",
        ]
    );
}

#[test]
fn single_quotes_are_named_where_they_stand() {
    let verdict = JsonCorrectness::<Ticket>::new().judge(&case("{'name': null}")).expect("set up");
    assert_eq!(found(&verdict), ["JC0004  1:2"]);
    let reason = verdict.reason().expect("a reason");
    assert!(reason.starts_with("JSON needs double quotes"), "{reason}");
}

#[test]
fn roots_need_no_wrapper() {
    assert_eq!(assert_json_correct!(Ticket, GOOD).priority, Priority::High);
    assert_eq!(assert_json_correct!(Vec<Ticket>, format!("[{GOOD}]")).len(), 1);
    let map = assert_json_correct!(std::collections::BTreeMap<String, Ticket>, format!("{{\"a\": {GOOD}}}"));
    assert_eq!(map.len(), 1);
    assert_eq!(assert_json_correct!((u8, String), r#"[1, "a"]"#), (1, "a".to_owned()));
    assert_eq!(assert_json_correct!(Option<Ticket>, "null"), None);
    assert!(assert_json_correct!(bool, b"true"));
    assert_eq!(assert_json_correct!(i64, serde_json::json!(-3)), -3);
    let verdict = try_assert_json_correct!(Vec<Ticket>, format!("[{GOOD}, {BAD}]")).expect_err("wrong");
    assert!(verdict.violations().iter().all(|v| v.pointer.as_str().starts_with("/1/")));
}

#[test]
fn the_policy_decides() {
    let metric = JsonCorrectness::<Ticket>::new;
    let graded = || metric().graded();
    // (check, output, passed, score, threshold)
    let table = [
        (metric().threshold(0.5), GOOD, true, 1.0, 0.5),
        (metric().threshold(0.5), BAD, false, 0.0, 0.5),
        (metric().threshold(0.0), BAD, true, 0.0, 0.0),
        (metric().threshold(1.0), GOOD, true, 1.0, 1.0),
        (metric().strict_mode(true), GOOD, true, 1.0, 1.0),
        (metric().strict_mode(true).threshold(0.0), BAD, false, 0.0, 1.0),
        (graded().threshold(0.5), GOOD, true, 1.0, 0.5),
        // Of name, email and priority one is misspelt, one missing, one wrong.
        (graded().threshold(0.5), BAD, false, 0.0, 0.5),
        // Two of three fields are right.
        (
            graded().threshold(0.5),
            r#"{"customer_name": "A", "customer_email": "a@b.co", "priority": "?"}"#,
            true,
            2.0 / 3.0,
            0.5,
        ),
        (
            graded().strict_mode(true),
            r#"{"customer_name": "A", "customer_email": "a@b.co", "priority": "?"}"#,
            false,
            0.0,
            1.0,
        ),
        (graded().threshold(0.5), "{\"customer_name\": ", false, 0.0, 0.5),
    ];
    for (check, output, passed, score, threshold) in table {
        let verdict = judge(&check, output);
        assert_eq!(verdict.passed(), passed, "{check:?} {output}");
        assert_eq!(verdict.outcome(), if passed { Outcome::Passed } else { Outcome::Failed });
        assert!((verdict.score().expect("a score") - score).abs() < 1e-12, "{check:?} {output}: {verdict:?}");
        assert!((verdict.threshold() - threshold).abs() < 1e-12);
        assert_eq!(verdict.reason().is_some(), !passed);
    }
}

#[test]
fn a_threshold_outside_its_range_is_an_error() {
    for threshold in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
        let error =
            JsonCorrectness::<Ticket>::new().threshold(threshold).judge(&case(GOOD)).expect_err("wrong");
        assert!(error.is_option() && error.to_string().contains(&threshold.to_string()), "{error}");
    }
}

#[test]
fn bad_input_ends_in_a_verdict() {
    let deep = "[".repeat(5_000_000);
    let table: [(&[u8], &str); 9] = [
        (b"", "JC0001"),
        (b" \n\t", "JC0001"),
        (b"\"caf\xE9\"", "JC0002"),
        (b"\xEF\xBB\xBF{}", "JC0003"),
        (b"\0", "JC0026"),
        (b"[1e400]", "JC0025"),
        (br#"{"customer_name": "\ud800"}"#, "JC0022"),
        (deep.as_bytes(), "JC0502"),
        (
            br#"{"customer_name": "a", "customer_name": "a", "customer_email": "a@b.co", "priority": "Low"}"#,
            "JC0104",
        ),
    ];
    for (output, code) in table {
        let case = TestCase::new("", output);
        let verdict = JsonCorrectness::<Ticket>::new().judge(&case).expect("set up");
        let shown = String::from_utf8_lossy(&output[..output.len().min(80)]).into_owned();
        assert!(!verdict.passed(), "{shown}");
        assert_eq!(verdict.violations()[0].code, code, "{shown}");
        assert_eq!(verdict.score(), Some(0.0));
        assert!(!verdict.to_string().is_empty());
    }
}

#[test]
fn a_hundred_megabytes_end_in_a_verdict() {
    let long = format!("{{\"customer_name\": \"{}\"}}", "x".repeat(100 << 20));
    let case = case(&long);
    let verdict = JsonCorrectness::<Ticket>::new().judge(&case).expect("set up");
    assert_eq!(verdict.violations()[0].code, "JC0501");
    let raised = JsonCorrectness::<Ticket>::new().limits(Limits::default().max_text_bytes(128 << 20));
    let verdict = raised.judge(&case).expect("set up");
    assert_eq!(found(&verdict), ["JC0101 /customer_email 1:1", "JC0101 /priority 1:1"]);
    assert!(verdict.report(false).len() < 10_000);
}

#[test]
fn reasons_are_built_in_or_worded_by_a_hook() {
    let metric = JsonCorrectness::<Ticket>::new;
    let first = judge(&metric().threshold(0.5), BAD);
    let again = judge(&metric().threshold(0.5), BAD);
    assert_eq!(first.reason(), again.reason());
    assert_eq!(first.reason_source(), Some(ReasonSource::BuiltIn));
    assert_eq!(judge(&metric().include_reason(false), BAD).reason(), None);

    let calls = Arc::new(AtomicUsize::new(0));
    let counted = {
        let calls = Arc::clone(&calls);
        move |request: ReasonRequest| {
            calls.fetch_add(1, Ordering::Relaxed);
            format!("{} faults, score {}", request.violations.len(), request.score)
        }
    };
    let check = metric().reason_with(counted);
    let verdict = judge(&check, BAD);
    assert_eq!(verdict.reason(), Some("4 faults, score 0"));
    assert_eq!(verdict.reason_source(), Some(ReasonSource::Hook));
    assert!(judge(&check, GOOD).passed());
    assert!(judge(&check.clone().include_reason(false), BAD).reason().is_none());
    assert_eq!(calls.load(Ordering::Relaxed), 1, "called only for failures whose reason is wanted");

    // A hook that fails leaves the built-in reason, and the verdict as it is.
    let silent = |_: ReasonRequest| " ";
    let failing = |_: ReasonRequest| Err::<String, _>("no connection");
    let panicking = |_: ReasonRequest| -> String { panic!("out of order") };
    let checks =
        [metric().reason_with(silent), metric().reason_with(failing), metric().reason_with(panicking)];
    for (check, fault) in checks.iter().zip(["empty reason", "no connection", "out of order"]) {
        let verdict = judge(check, BAD);
        assert_eq!(verdict.reason(), first.reason());
        assert_eq!(verdict.reason_source(), Some(ReasonSource::Fallback));
        assert_eq!(verdict.score(), Some(0.0));
        assert!(verdict.steps().iter().any(|step| step.contains(fault)), "{:?}", verdict.steps());
    }
}

#[test]
fn verbose_mode_tells_the_steps() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let check = Check::new(JsonCorrectness::<Ticket>::new())
        .verbose_to(move |line| sink.lock().expect("not poisoned").push(line.to_owned()));
    let verdict = judge(&check, BAD);
    let lines = lines.lock().expect("not poisoned").join("\n");
    for part in ["extracted", "parsed", "schema", "score 0 < threshold 0.5: failed"] {
        assert!(lines.contains(part), "{part} is not in:\n{lines}");
    }
    assert_eq!(verdict.steps().len(), lines.lines().count());
}

#[test]
fn extraction_is_a_choice_and_part_of_the_result() {
    let fenced = format!("Here it is:\n\n```json\n{GOOD}\n```\nBye");
    let metric = JsonCorrectness::<Ticket>::new;
    assert!(!metric().judge(&case(&fenced)).expect("set up").passed());
    for extraction in [Extraction::Fenced, Extraction::Embedded] {
        let verdict = metric().extract(extraction).judge(&case(&fenced)).expect("set up");
        assert!(verdict.passed(), "{verdict}");
        let span = verdict.extracted().expect("extracted").span;
        assert_eq!(fenced[span.start..span.end].trim(), GOOD);
    }
    let two = format!("{GOOD} or {GOOD}");
    let verdict = metric().extract(Extraction::Embedded).judge(&case(&two)).expect("set up");
    assert_eq!(verdict.violations()[0].code, "JC0032");
    // Spans are those of the whole text.
    let shifted = format!("prose\n```json\n{BAD}\n```");
    let verdict = metric().extract(Extraction::Fenced).judge(&case(&shifted)).expect("set up");
    assert_eq!(found(&verdict)[1], "JC0102 /customer_name 4:3");
}

#[test]
fn assertions_panic_with_the_report() {
    let panic_of = |run: Box<dyn FnOnce() + Send>| {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("panics");
        panic.downcast_ref::<String>().expect("text").clone()
    };
    let text = panic_of(Box::new(|| drop(assert_json_correct!(Ticket, BAD, "row {}", 7))));
    for part in [
        "the output is not correct JSON for `Ticket`: row 7",
        "error[JC0102]: required field `customer_name` is missing; `name` is present instead",
        " --> actual_output:2:3 (/customer_name)",
        "2 |   \"name\": \"Alex\",",
        "did you mean `customer_name`?",
        "4 violations",
    ] {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
    let text = panic_of(Box::new(|| {
        assert_passes!(JsonCorrectness::<Ticket>::new().threshold(0.9), &case(BAD).id("seven"));
    }));
    assert!(text.starts_with("the case `seven` failed json_correctness: score 0, threshold 0.9"), "{text}");
    let text = panic_of(Box::new(|| {
        let silent = |_: ReasonRequest| " ";
        assert_passes!(JsonCorrectness::<Ticket>::new().reason_with(silent), &case(BAD));
    }));
    assert!(text.ends_with("4 violations\nnote: the reason hook failed: it gave an empty reason"), "{text}");
    let verdict = assert_passes!(JsonCorrectness::<Ticket>::new(), &case(GOOD));
    assert_eq!(verdict.score(), Some(1.0));
    let fenced = format!("Here:\n```json\n{GOOD}\n```");
    assert_json_correct!(Ticket, extract: Extraction::Fenced, fenced.as_str());
    assert_json_correct!(Ticket, extract: Extraction::Fenced, fenced.as_str(), "row {}", 7);
    let verdict = try_assert_json_correct!(Ticket, extract: Extraction::Whole, fenced.as_str()).err();
    assert_eq!(verdict.expect("a fence").violations()[0].code, "JC0018");
    let verdict = try_assert_passes!(JsonCorrectness::<Ticket>::new(), &case(GOOD)).expect("passes");
    assert!(verdict.violations().is_empty());
}

#[test]
fn hostile_output_is_harmless_in_every_text() {
    let hostile = "{\"customer_name\u{1b}]0;owned\u{7}\": 1, \"\u{202e}\u{9b}2J\": \"\\u001b[31m\", \"priority\": \"\u{1b}[2J\u{200b}\"}";
    let verdict = JsonCorrectness::<Ticket>::new().judge(&case(hostile)).expect("set up");
    let escaped = "{\"customer_name\\u001b]0;owned\\u0007\": 1, \"\u{202e}\u{9b}2J\": \"\\u001b[31m\", \"priority\": \"\\u001b[2J\u{200b}\"}";
    let second = JsonCorrectness::<Ticket>::new().judge(&case(escaped)).expect("set up");
    for text in [verdict.to_string(), verdict.report(false), second.to_string(), second.report(false)] {
        let bad = |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{200b}".contains(c);
        assert!(!text.contains(bad), "{text:?}");
    }
}

#[test]
fn metrics_are_shared_and_boxed() {
    fn shared<T: Send + Sync + 'static>(_: &T) {}
    let metric = JsonCorrectness::<Ticket>::new();
    shared(&metric);
    let boxed: Box<dyn Metric> = Box::new(metric.clone());
    let check = Check::new(boxed).strict_mode(true);
    shared(&check);
    assert_eq!(check.metric().name(), "json_correctness");
    assert!(judge(&check, GOOD).passed());
    let shared_metric: Arc<dyn Metric> = Arc::new(metric);
    assert!(judge(&Check::new(shared_metric), GOOD).passed());
}
