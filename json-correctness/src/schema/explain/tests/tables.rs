use serde_json::json;

use super::*;

#[test]
fn the_four_findings_of_the_ticket() {
    let schema = json!({
        "type": "object",
        "required": ["customer_name", "customer_email", "priority"],
        "properties": {
            "customer_name": {"type": "string"},
            "customer_email": {"type": "string", "format": "email"},
            "priority": {"type": "string", "enum": ["High", "Medium", "Low"]},
        },
    });
    let explainer = explainer(&schema, IntegerRule::Value);
    let explanation = explain(&explainer, r#"{"name": "Alex", "priority": 1}"#, &Limits::default());
    let codes: Vec<_> =
        explanation.violations.iter().map(|found| format!("{} {}", found.code, found.pointer)).collect();
    let expected =
        ["JC0101 /customer_email", "JC0102 /customer_name", "JC0201 /priority", "JC0202 /priority"];
    assert_eq!(codes, expected);
    assert!(explanation.complete);
}
