//! The examples that other libraries document, to the digit.

use json_correctness::{
    Compat, JsonCorrectness, JsonDiff, JsonEditDistance, JsonEquality, JsonSchemaMatch, JsonValidity, Metric,
    TestCase,
};
use serde_json::{Value, json};

fn score(metric: &dyn Metric, case: &TestCase) -> f64 {
    metric.measure(case).expect("a sound set-up").score.value()
}

#[test]
fn langchain_validity() {
    let good = TestCase::new("", r#"{"name": "John", "age": 30, "city": "New York"}"#);
    let bad = TestCase::new("", r#"{"name": "John", "age": 30, "city": "New York",}"#);
    assert_eq!(score(&JsonValidity::new(), &good), 1.0);
    let compat = JsonValidity::new().compat(Compat::LangChain);
    for (metric, column) in [(JsonValidity::new(), 47), (compat, 48)] {
        let measured = metric.measure(&bad).expect("a sound set-up");
        assert_eq!(measured.score.value(), 0.0);
        let at = measured.violations[0].position;
        // LangChain: "Expecting property name enclosed in double quotes: line 1 column 48 (char 47)",
        // which is the bracket; ours is the comma, which has to go.
        assert_eq!((at.line, at.column), (1, column));
    }
}

#[test]
fn langchain_equality() {
    let rows: [(Value, Value, f64); 3] = [
        (json!({ "a": 1 }), json!({ "a": 1 }), 1.0),
        (json!({ "a": 1 }), json!({ "a": 2 }), 0.0),
        (json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }), 1.0),
    ];
    for (found, expected, wanted) in rows {
        let case = TestCase::new("", found).expected_output(expected);
        assert_eq!(score(&JsonEquality::new(), &case), wanted);
        assert_eq!(score(&JsonEquality::new().compat(Compat::LangChain), &case), wanted);
    }
}

#[test]
fn langchain_edit_distance() {
    let rows = [
        (r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "b": 3}"#, 0.076_923_076_923_076_93),
        ("\n    {\n        \"b\": 3,\n        \"a\":   1\n    }", r#"{"a": 1, "b": 3}"#, 0.0),
        (r#"{"a": [1, 2]}"#, r#"{"a": [2, 1]}"#, 0.181_818_181_818_181_82),
        (r#"{"a": 1}"#, r#"{"a": 2}"#, 0.142_857_142_857_142_85),
    ];
    for (found, expected, wanted) in rows {
        let case = TestCase::new("", found).expected_output(expected);
        assert_eq!(score(&JsonEditDistance::new(), &case), wanted, "{found}");
        assert_eq!(score(&JsonEditDistance::new().compat(Compat::LangChain), &case), wanted, "{found}");
    }
}

#[test]
fn langchain_schema() {
    let found = r#"{"name": "John", "age": 30}"#;
    let schema =
        r#"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}"#;
    let value: Value = serde_json::from_str(schema).expect("JSON");
    let case = TestCase::new("", found);
    assert_eq!(score(&JsonSchemaMatch::new().schema(schema), &case), 1.0);
    assert_eq!(score(&JsonSchemaMatch::new(), &case.clone().json_schema(value)), 1.0);
    let schema = concat!(
        r#"{"type": "object", "properties": {"name": {"type": "string"},"#,
        r#""age": {"type": "integer", "minimum": 66}}}"#
    );
    let measured = JsonSchemaMatch::new().schema(schema).measure(&case).expect("a sound set-up");
    assert_eq!(measured.score.value(), 0.0);
    // LangChain: "30 is less than the minimum of 66".
    let messages: Vec<&str> = measured.violations.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("30") && messages[0].contains("below the minimum of 66"), "{messages:?}");
}

fn sap_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "customer_name": { "type": "string" },
            "customer_email": { "type": "string", "format": "email" },
            "priority": { "type": "string", "enum": ["High", "Medium", "Low"] },
        },
        "required": ["customer_name", "customer_email", "priority"],
    })
}

#[test]
fn sap_json_schema_match() {
    let metric = JsonSchemaMatch::new().schema(sap_schema());
    let valid = r#"{"customer_name": "Alex","customer_email": "alex@example.com","priority": "High"}"#;
    assert_eq!(score(&metric, &TestCase::new("", valid)), 1.0);
    let measured = metric.measure(&TestCase::new("", r#"{"name": "Alex","priority": 1}"#)).expect("sound");
    assert_eq!(measured.score.value(), 0.0);
    let mut found: Vec<(&str, &str)> =
        measured.violations.iter().map(|found| (found.pointer.as_str(), found.code)).collect();
    found.sort_unstable();
    let expected = [
        ("/customer_email", "JC0101"),
        ("/customer_name", "JC0102"),
        ("/priority", "JC0201"),
        ("/priority", "JC0202"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn lynxius_pizza_menu() {
    let reference = json!({
        "margherita": 19.0, "pepperoni": 21.0, "beer": 6.0,
        "fixed_menus": [
            { "menu_name": "baby", "pizza": "margerita", "drink": "Coca-Cola", "price": 24.0 },
            { "menu_name": "adult", "pizza": "pepperoni", "drink": "beer", "price": 27.0 },
        ],
    });
    let output = json!({
        "margherita": 39.0, "pepperoni": 21.0, "beer": 6.0,
        "fixed_menus": [
            { "menu_name": "baby", "pizza": "margerita", "drink": "Coca-Cola", "price": 24.0 },
            { "menu_name": "adult", "pizza": "peppers", "drink": "beer", "price": 27.0 },
        ],
    });
    let weights = json!({
        "margherita": 1.0, "pepperoni": 1.0, "beer": 0.25,
        "fixed_menus": {
            "__fixed_menus": 0.8, "menu_name": 0.0, "pizza": 0.5, "drink": 0.5, "price": 1.0,
        },
    });
    let case = TestCase::new("", output).expected_output(reference).weights(weights);
    assert_eq!(score(&JsonDiff::new().compat(Compat::Lynxius), &case), 0.876_012_813_265_498_5);
    assert_eq!(score(&JsonDiff::new(), &case), 0.876_012_813_265_498_5);
    let measured = JsonDiff::new().measure(&case).expect("a sound set-up");
    let places: Vec<&str> = measured.differences.iter().map(|found| found.pointer.as_str()).collect();
    assert_eq!(places, ["/fixed_menus/1/pizza", "/margherita"]);
}

#[test]
fn deepeval_sample() {
    #[derive(serde::Deserialize, json_correctness::ExpectedSchema)]
    struct ExampleSchema {
        #[expect(dead_code, reason = "only its schema is of interest")]
        name: String,
    }
    let verdict = JsonCorrectness::<ExampleSchema>::new()
        .judge(&TestCase::new("Output me a random Json with the 'name' key", "{'name': null}"))
        .expect("a sound set-up");
    assert!(!verdict.passed());
    let fault = &verdict.violations()[0];
    assert_eq!((fault.code, fault.position.line, fault.position.column), ("JC0004", 1, 2));
}
