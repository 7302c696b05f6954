//! JUnit XML says of samples what the summary of the run says of them.

use json_correctness::Evaluation;
use serde_json::{Value, json};

/// What the XML says of each case: its id, how it ended, and the reruns in it.
fn cases(evaluation: &Evaluation) -> Vec<String> {
    let xml = evaluation.to_junit();
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
    cases
        .map(|case| {
            let elements =
                case.children().filter(|node| node.is_element() && !node.has_tag_name("properties"));
            let names: Vec<&str> = elements.map(|element| element.tag_name().name()).collect();
            let names = if names.is_empty() { "passed".to_owned() } else { names.join(" ") };
            format!("{}: {names}", case.attribute("name").expect("a name"))
        })
        .collect()
}

fn outcome(letter: char) -> &'static str {
    match letter {
        'p' => "passed",
        'f' => "failed",
        'e' => "errored",
        _ => "skipped",
    }
}

/// A run in which each id has samples: `p` passed, `f` failed, `e` errored, `s` skipped.
fn sampled(samples: &[(&str, &str)], gate: Option<(u64, u64)>, omitted: u64) -> Evaluation {
    let letters = samples.iter().flat_map(|(id, letters)| letters.chars().map(move |letter| (id, letter)));
    let results: Vec<Value> = letters
        .enumerate()
        .map(|(index, (id, letter))| {
            json!({
                "id": id, "row": index + 1, "file": "cases.jsonl", "line": index + 1, "metric": "json_validity",
                "outcome": outcome(letter), "score": null, "threshold": 0.5, "reason": "why", "violations": [],
            })
        })
        .collect();
    let gate = gate.map(
        |(required, of)| json!({ "required": required, "of": of, "passed": 0, "failed": 0, "errored": 0 }),
    );
    let mut repeats = json!({ "cases": samples.len(), "flaky": 0, "at": [] });
    if let Some(gate) = gate {
        repeats["gate"] = gate;
    }
    serde_json::from_value(json!({
        "format_version": 1,
        "run": {
            "id": "0190b6a0-0000-7000-8000-000000000000", "started": "2026-01-02T03:04:05Z", "seconds": 1.5,
            "version": "0.1.0", "data": ["cases.jsonl"],
            "checks": [{ "metric": "json_validity", "threshold": 0.5, "strict_mode": false,
                "lower_is_better": false, "options": null }],
        },
        "summary": { "rows": results.len(), "metrics": [{
            "metric": "json_validity", "threshold": 0.5, "passed": 0, "failed": 0, "errored": 0, "skipped": 0,
            "pass_rate": null, "interval": null, "scores": null, "by_code": [], "by_field": [],
            "repeats": repeats,
        }] },
        "results": results,
        "results_omitted": omitted,
    }))
    .expect("an evaluation")
}

#[test]
fn a_gate_ends_each_case_as_the_summary_counts_it() {
    for (samples, expected) in [
        ("ppp", "passed"),
        ("ppf", "flakyFailure"),
        ("fpp", "flakyFailure"),
        ("epp", "flakyError"),
        ("pff", "failure rerunFailure"),
        ("fpe", "failure rerunError"),
        ("efp", "error rerunFailure"),
        ("fff", "failure rerunFailure rerunFailure"),
        // Skipped samples are not judged, and so not counted.
        ("ppfs", "flakyFailure"),
        ("sss", "skipped"),
        // Another number of judged samples than there should be: nothing can be said.
        ("pp", "error"),
        ("pps", "error"),
        ("pppp", "error"),
        ("p", "error"),
        ("f", "error rerunFailure"),
        ("ppff", "error rerunFailure rerunFailure"),
    ] {
        assert_eq!(
            cases(&sampled(&[("a", samples)], Some((2, 3)), 0)),
            [format!("a: {expected}")],
            "{samples}"
        );
    }
}

#[test]
fn a_gate_that_no_case_can_meet_fails_each() {
    assert_eq!(cases(&sampled(&[("a", "ppp")], Some((4, 3)), 0)), ["a: failure"]);
}

#[test]
fn without_a_gate_one_bad_sample_is_enough() {
    let run = sampled(&[("a", "ppp"), ("b", "pfe"), ("c", "ss"), ("d", "sp")], None, 0);
    assert_eq!(cases(&run), ["a: passed", "b: failure rerunError", "c: skipped", "d: passed"]);
}

/// What passed goes first where a run is large: what is left must not look as if it were all.
#[test]
fn samples_that_were_not_kept_do_not_fail_a_case() {
    // Of five samples three must pass: two bad ones leave that open, three do not.
    let run = sampled(&[("a", "ff"), ("b", "fff"), ("c", "eeff")], Some((3, 5)), 9);
    let expected = ["b: failure rerunFailure rerunFailure", "c: error rerunError rerunFailure rerunFailure"];
    assert_eq!(cases(&run), expected);
}

#[test]
fn beyond_the_cap_cases_that_pass_are_not_listed() {
    let names: Vec<String> = (0..50_001).map(|index| format!("case-{index}")).collect();
    let mut samples: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "pf")).collect();
    samples[7].1 = "ff";
    let listed = cases(&sampled(&samples, Some((1, 2)), 0));
    assert_eq!((listed.len(), listed[0].as_str()), (1, "case-7: failure rerunFailure"));
}

#[test]
fn a_case_says_where_its_row_stands() {
    let xml = sampled(&[("a", "f")], None, 0).to_junit();
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let case = document.descendants().find(|node| node.has_tag_name("testcase")).expect("a case");
    assert_eq!((case.attribute("file"), case.attribute("line")), (Some("cases.jsonl"), Some("1")));
}
