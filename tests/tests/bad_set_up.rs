//! A set-up that cannot work is an error that names the fault, and the other cases of a run go on.

use json_correctness::{
    Error, JsonDiff, JsonEditDistance, JsonEquality, JsonSchemaMatch, JsonValidity, Limits, Metric, TestCase,
};
use serde_json::json;

/// A metric, a case, the kind of the error, and a part of its message.
type Row = (Box<dyn Metric>, TestCase, fn(&Error) -> bool, &'static str);

fn pair(found: &str, expected: &str) -> TestCase {
    TestCase::new("", found).expected_output(expected).id("7")
}

#[test]
fn each_fault_of_the_set_up_is_named() {
    let diff = |weights| JsonDiff::new().weights(weights);
    let objects = || pair(r#"{"a": 1, "b": [{"c": 2}]}"#, r#"{"a": 1, "b": [{"c": 3}]}"#);
    let nan = JsonEditDistance::new().distance_with(|_, _| f64::NAN);
    let beyond = JsonEditDistance::new().distance_with(|_, _| 1.5);
    let panics = JsonEditDistance::new().distance_with(|_, _| panic!("no text"));
    let rows: Vec<Row> = vec![
        (Box::new(diff(json!({ "x": 0.5 }))), objects(), Error::is_option, "the weight `/x` names no key"),
        (
            Box::new(diff(json!({ "b": { "d": 0.5 } }))),
            objects(),
            Error::is_option,
            "the weight `/b/d` names no key",
        ),
        (Box::new(diff(json!({ "a": 1.5 }))), objects(), Error::is_option, "the weight `/a` is 1.5"),
        (Box::new(diff(json!({ "b": { "__b": -1 } }))), objects(), Error::is_option, "`/b/__b` is -1"),
        (Box::new(diff(json!({ "a": null }))), objects(), Error::is_option, "the weight `/a` is null"),
        (Box::new(diff(json!([1]))), objects(), Error::is_option, "the weights are no object"),
        (
            Box::new(diff(json!({ "b": { "c": 0 } }))),
            objects(),
            Error::is_option,
            "the weights of all keys at `/b/0` are 0",
        ),
        (
            Box::new(
                JsonDiff::new().schema(json!({ "properties": { "a": { "x-expected": { "weight": 7 } } } })),
            ),
            objects(),
            Error::is_schema,
            "`/properties/a/x-expected/weight` of the schema is 7",
        ),
        (Box::new(JsonDiff::new()), pair("1", "{'a': 1}"), Error::is_case, "is not JSON at 1:2"),
        (Box::new(JsonEquality::new()), pair("1", "[1,]"), Error::is_case, "the case `7` is not JSON at 1:3"),
        (
            Box::new(JsonEquality::new()),
            TestCase::new("", "1").id("7"),
            Error::is_case,
            "the case `7` has no expected_output",
        ),
        (Box::new(nan), pair("1", "2"), Error::is_hook, "returned NaN on the case `7`"),
        (Box::new(beyond), pair("1", "2"), Error::is_hook, "returned 1.5 on the case `7`"),
        (Box::new(panics), pair("1", "2"), Error::is_hook, "panicked on the case `7`: no text"),
        (
            Box::new(JsonSchemaMatch::new().schema(json!({ "items": { "minLength": -1 } }))),
            TestCase::new("", "1"),
            Error::is_schema,
            "/items/minLength",
        ),
    ];
    for (metric, case, is_kind, expected) in rows {
        let error = metric.measure(&case).expect_err(expected);
        assert!(error.to_string().contains(expected) && is_kind(&error), "{error} for {expected}");
        // The next case goes on.
        if let Ok(measured) =
            metric.measure(&pair("not JSON", r#"{"a": 1, "x": 1, "b": [{"c": 1, "d": 1}]}"#))
        {
            assert_ne!(measured.violations, []);
        }
    }
}

#[test]
fn two_strings_of_50_mb_are_refused_within_the_limits() {
    let long = |letter: &str| format!("\"{}\"", letter.repeat(50 << 20));
    let (a, b) = (long("a"), long("b"));
    let case = pair(&a, &b);
    // As they are, they are larger than a text may be: the output fails, a reference is an error.
    let measured = JsonValidity::new().measure(&case).expect("a verdict");
    assert_eq!(measured.violations[0].code, "JC0501");
    let metrics: [Box<dyn Metric>; 3] =
        [Box::new(JsonEquality::new()), Box::new(JsonEditDistance::new()), Box::new(JsonDiff::new())];
    for metric in &metrics {
        let error = metric.measure(&case).expect_err("too large");
        assert!(error.to_string().contains("it is too large"), "{error}");
    }
}

#[test]
fn a_distance_that_costs_too_much_is_refused() {
    let long = |letter: &str| format!("\"{}\"", letter.repeat(5 << 20));
    let case = pair(&long("a"), &long("b"));
    // The default would take a debug build a minute.
    let limits = Limits::default().max_distance_cost(1 << 24);
    let metrics: [Box<dyn Metric>; 2] =
        [Box::new(JsonEditDistance::new().limits(limits.clone())), Box::new(JsonDiff::new().limits(limits))];
    for metric in &metrics {
        let error = metric.measure(&case).expect_err("too costly");
        assert!(error.is_limit() && error.to_string().contains("max_distance_cost"), "{error}");
    }
    let measured = JsonEquality::new().measure(&case).expect("a verdict");
    assert_eq!(measured.score.value(), 0.0);
    let difference = &measured.differences[0];
    assert!(difference.found.as_ref().is_some_and(|found| found.len() <= 300));
}
