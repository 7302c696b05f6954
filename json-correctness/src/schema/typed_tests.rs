#![allow(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::Deserialize;

use super::*;

fn judged<T: ExpectedSchema>(text: &str) -> Typed<T> {
    let limits = Limits::default();
    let document = Document::parse(text, &limits).expect("JSON");
    judge(&document, false, &limits).expect("the schema compiles")
}

/// The codes of a check, each with its pointer; empty where the text passes.
fn codes<T: ExpectedSchema>(text: &str) -> String {
    let typed = judged::<T>(text);
    assert_eq!(typed.value.is_some(), typed.violations.is_empty(), "{text}");
    typed
        .violations
        .iter()
        .map(|found| format!("{} {}", found.code, found.pointer))
        .collect::<Vec<_>>()
        .join(", ")
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Even(#[serde(deserialize_with = "even")] u8);

fn even<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(deserializer)?;
    assert_ne!(number, 66, "sixty-six");
    if number % 2 == 0 { Ok(number) } else { Err(serde::de::Error::custom("it is odd")) }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Order {
    id: u32,
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Part {
    count: Even,
    weight: Option<f32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t")]
#[allow(dead_code)]
enum Tagged {
    A { n: Even, m: u8 },
}

#[test]
fn agreement_by_example() {
    type Check = fn(&str) -> String;
    let rows: [(Check, &str, &str); 33] = [
        (codes::<u8>, "255", ""),
        (codes::<i32>, "1.0", "JC0201 "),
        (codes::<i32>, "1e2", "JC0201 "),
        (codes::<i32>, "-0", "JC0201 "),
        (codes::<i32>, "2147483648", "JC0203 "),
        (codes::<u32>, "4294967296", "JC0203 "),
        (codes::<i64>, "9223372036854775808", "JC0203 "),
        (codes::<i64>, "-9223372036854775809", "JC0203 "),
        (codes::<u64>, "18446744073709551616", "JC0203 "),
        (codes::<u64>, "18446744073709551615", ""),
        (codes::<u128>, "340282366920938463463374607431768211455", ""),
        (codes::<u128>, "340282366920938463463374607431768211456", "JC0203 "),
        (codes::<i128>, "-170141183460469231731687303715884105728", ""),
        (codes::<i128>, "-170141183460469231731687303715884105729", "JC0203 "),
        (codes::<std::num::NonZeroI8>, "0", "JC0303 "),
        (codes::<f32>, "1e39", "JC0203 "),
        (codes::<f32>, "340282356779733661637539395458142568447", ""),
        (codes::<f32>, "340282356779733661637539395458142568448", "JC0203 "),
        (codes::<f64>, "1e39", ""),
        (codes::<char>, "\"é\"", ""),
        (codes::<char>, "\"ab\"", "JC0205 "),
        (codes::<HashSet<u8>>, "[1, 1]", ""),
        (codes::<BTreeMap<String, u8>>, r#"{"a": 1, "a": 2}"#, "JC0104 /a"),
        (codes::<BTreeMap<u8, u8>>, r#"{"256": 1}"#, "JC0401 /256"),
        (codes::<Order>, r#"{"id": 1, "id": 2}"#, "JC0104 /id"),
        (codes::<Order>, "[1, []]", "JC0201 "),
        (codes::<Order>, r#"{"id": 1, "parts": [{"count": 2}, {"count": 3}]}"#, "JC0401 /parts/1/count"),
        (codes::<Order>, r#"{"id": 1, "parts": [{"count": 66}]}"#, "JC0402 "),
        (codes::<Tagged>, r#"{"t": "A", "n": 3, "m": 1}"#, "JC0401 "),
        (codes::<std::net::IpAddr>, "\"1.2.3\"", "JC0207 "),
        (codes::<std::net::SocketAddr>, "\"1.2.3.4\"", "JC0401 "),
        (codes::<std::time::Duration>, r#"{"secs": 1, "nanos": 2, "x": 3}"#, "JC0401 /x"),
        (codes::<std::ops::Range<u8>>, r#"{"start": 1, "end": 2, "x": 3}"#, "JC0401 /x"),
    ];
    let mut wrong = Vec::new();
    for (check, text, expected) in rows {
        let found = check(text);
        if found != expected {
            wrong.push(format!("{text}: expected {expected:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Nested 100%")]
#[allow(dead_code)]
enum Nested {
    A { x: Box<Nested>, z: u8 },
    B { x: Box<Nested>, y: u8 },
    Leaf(u8),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Json {
    Null,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

#[test]
fn recursive_alternatives_are_counted_before_the_type_is_asked() {
    let nested = |depth: usize, field: &str| {
        let close = format!(r#","{field}":1}}"#);
        format!("{}1{}", r#"{"x":"#.repeat(depth), close.repeat(depth))
    };
    // The first alternative fits at once, however deep.
    assert_eq!(codes::<Nested>(&nested(60, "z")), "");
    // The second one is tried after the first one went all the way down: each level doubles the work.
    assert_eq!(codes::<Nested>(&nested(10, "y")), "");
    assert_eq!(codes::<Nested>(&nested(60, "y")), "JC0401 ");
    assert_eq!(codes::<Vec<Nested>>(&format!("[{}]", nested(60, "y"))), "JC0401 ");
    assert_eq!(codes::<Vec<Nested>>(&format!("[{}]", nested(60, "z"))), "");
    let wide = format!("[{}0]", r#"{"a":[1,"b",null]},"#.repeat(5_000));
    assert_eq!(codes::<Json>(&wide), "");
    let deep = format!("{}{}", r#"[{"a":"#.repeat(60), "0".to_owned() + &"}]".repeat(60));
    assert_eq!(codes::<Json>(&deep), "");
}
