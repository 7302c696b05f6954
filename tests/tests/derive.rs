//! What the derive emits, feature by feature.
#![allow(dead_code, missing_docs)]

use std::collections::{BTreeMap, HashMap};

use json_correctness::{ExpectedSchema, json_schema};
use serde::Deserialize;
use serde_json::json;

/// A ticket.
#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    customer_name: String,
    #[expected(format = "email")]
    customer_email: String,
    priority: Priority,
    #[expected(range(min = 0.0, max = 1.0), weight = 0.25)]
    confidence: Option<f64>,
    by_age: HashMap<u8, String>,
    #[serde(default)]
    counts: BTreeMap<i64, Vec<Priority>>,
    parent: Option<Box<Self>>,
}

#[derive(Deserialize, ExpectedSchema, PartialEq, Eq, PartialOrd, Ord)]
enum Priority {
    High,
    #[serde(alias = "Normal")]
    Medium,
    #[serde(other)]
    Low,
}

#[test]
fn smoke() {
    let schema = json_schema::<Ticket>();
    assert_eq!(schema.pointer("/properties/customer_email/format"), Some(&json!("email")));
    assert_eq!(schema.pointer("/properties/confidence/maximum"), Some(&json!(1.0)));
}
