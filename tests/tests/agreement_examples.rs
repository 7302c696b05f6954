//! The rows of the agreement table, by example: what a typed check says, in default and strict mode.
#![allow(clippy::unwrap_used, dead_code, missing_debug_implementations, reason = "tests")]

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    num::{NonZeroI64, NonZeroU8},
    ops::Range,
    time::Duration,
};

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use json_correctness::{Check, ExpectedSchema, JsonCorrectness, TestCase};
use serde::Deserialize;
use url::Url;
use uuid::Uuid;

/// What serde alone says, and the codes of a typed check with their pointers.
type Judge = fn(&str, bool) -> (bool, String);

fn judge<T: ExpectedSchema>(text: &str, strict: bool) -> (bool, String) {
    let serde = serde_json::from_slice::<T>(text.as_bytes()).is_ok();
    let check = Check::new(JsonCorrectness::<T>::new()).strict_mode(strict);
    let verdict = check.judge(&TestCase::new("", text)).unwrap();
    let found: Vec<String> = verdict
        .violations()
        .iter()
        .map(|found| format!("{} {}", found.code, found.pointer).trim_end().to_owned())
        .collect();
    assert_eq!(verdict.passed(), found.is_empty(), "{text}");
    (serde, found.join(", "))
}

#[derive(Deserialize, ExpectedSchema)]
struct Point {
    x: u8,
    #[serde(default)]
    y: Option<f32>,
}

#[derive(Deserialize, ExpectedSchema)]
struct Named {
    #[serde(alias = "title")]
    name: String,
    #[serde(default, alias = "memo")]
    note: Option<String>,
}

#[derive(Deserialize, ExpectedSchema)]
enum Level {
    #[serde(alias = "hi")]
    High,
    Low,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(tag = "t")]
enum Open {
    A {
        n: u8,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    U,
    N(u8),
}

#[derive(Deserialize, ExpectedSchema)]
struct Empty {}

#[derive(Deserialize, ExpectedSchema)]
struct Keyed {
    by_number: HashMap<u8, u8>,
    #[serde(default)]
    by_uuid: BTreeMap<Uuid, u8>,
    #[serde(default)]
    by_flag: BTreeMap<bool, u8>,
}

#[derive(Deserialize, ExpectedSchema)]
struct Flat {
    a: u8,
    #[serde(flatten)]
    point: Option<Point>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(try_from = "u8")]
struct Even(u8);

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        if number.is_multiple_of(2) { Ok(Self(number)) } else { Err(format!("{number} is odd")) }
    }
}

#[derive(Deserialize, ExpectedSchema)]
struct Event {
    on: NaiveDate,
    at: Vec<DateTime<Utc>>,
    #[expected(format = "date")]
    day: String,
    #[expected(format = "email")]
    by: String,
}

const TIME: &str = "2024-01-01T00:00:00Z";

#[test]
fn every_row_has_its_winner() {
    let event = |on: &str, at: &str, day: &str, by: &str| {
        format!(r#"{{"on":"{on}","at":["{TIME}","{at}"],"day":"{day}","by":"{by}"}}"#)
    };
    // Type, text, whether serde takes it, and what the check says by default and in strict mode.
    let rows: Vec<(Judge, String, bool, &str, &str)> = [
        // The schema accepts, serde refuses.
        (judge::<i32> as Judge, "1.0", false, "JC0201", "JC0201"),
        (judge::<u8>, "1e2", false, "JC0201", "JC0201"),
        (judge::<i64>, "-0", false, "JC0201", "JC0201"),
        (judge::<i128>, "-0", true, "JC0201", "JC0201"),
        (judge::<i32>, "3000000000", false, "JC0203", "JC0203"),
        (judge::<u64>, "18446744073709551616", false, "JC0203", "JC0203"),
        (judge::<NonZeroU8>, "0", false, "JC0203", "JC0203"),
        (judge::<NonZeroI64>, "9223372036854775808", false, "JC0203", "JC0203"),
        (judge::<u128>, "340282366920938463463374607431768211456", false, "JC0203", "JC0203"),
        (judge::<f32>, "1e39", false, "JC0203", "JC0203"),
        (judge::<Point>, r#"{"x":1,"x":2}"#, false, "JC0104 /x", "JC0104 /x"),
        (judge::<Named>, r#"{"name":"a","title":"b"}"#, false, "JC0104 /title", "JC0104 /title"),
        (
            judge::<Keyed>,
            r#"{"by_number":{"256":1}}"#,
            false,
            "JC0105 /by_number/256",
            "JC0105 /by_number/256",
        ),
        (judge::<Keyed>, r#"{"by_number":{"01":1}}"#, false, "JC0105 /by_number/01", "JC0105 /by_number/01"),
        (
            judge::<Keyed>,
            r#"{"by_number":{},"by_flag":{"N":1}}"#,
            false,
            "JC0105 /by_flag/N",
            "JC0105 /by_flag/N",
        ),
        (
            judge::<Keyed>,
            r#"{"by_number":{},"by_uuid":{"zzz":1}}"#,
            false,
            "JC0105 /by_uuid/zzz",
            "JC0105 /by_uuid/zzz",
        ),
        (judge::<HashMap<u8, u8>>, r#"{"256":1}"#, false, "JC0401 /256", "JC0401 /256"),
        (judge::<Adjacent>, r#"{"t":"U","c":1}"#, false, "JC0201 /c", "JC0201 /c"),
        (judge::<Even>, "3", false, "JC0401", "JC0401"),
        (judge::<Vec<Even>>, "[2,3]", false, "JC0401 /1", "JC0401 /1"),
        (judge::<NaiveDate>, r#""2024-02-30""#, false, "JC0207", "JC0207"),
        (judge::<NaiveDate>, r#""1""#, false, "JC0207", "JC0207"),
        (judge::<NaiveTime>, r#""25:00""#, false, "JC0207", "JC0207"),
        (judge::<NaiveDateTime>, r#""2024-01-01""#, false, "JC0207", "JC0207"),
        (judge::<DateTime<Utc>>, r#""2024-01-01T00:00:00""#, false, "JC0207", "JC0207"),
        (judge::<IpAddr>, r#""1.2.3""#, false, "JC0207", "JC0207"),
        (judge::<Ipv4Addr>, r#""1.2.3.256""#, false, "JC0207", "JC0207"),
        (judge::<SocketAddr>, r#""1.2.3.4""#, false, "JC0401", "JC0401"),
        (judge::<Url>, r#""http:""#, false, "JC0401", "JC0401"),
        (judge::<Url>, r#""http://x:99999""#, false, "JC0401", "JC0401"),
        (judge::<Url>, r#""x""#, false, "JC0207", "JC0207"),
        (judge::<Duration>, r#"{"secs":1,"nanos":2,"x":3}"#, false, "JC0401 /x", "JC0401 /x"),
        (judge::<Range<u8>>, r#"{"start":1,"end":2,"x":3}"#, false, "JC0401 /x", "JC0401 /x"),
        // serde accepts, the schema refuses.
        (judge::<Point>, "[1,null]", true, "JC0201", "JC0201"),
        (judge::<Empty>, "[]", true, "JC0201", "JC0201"),
        (judge::<Level>, r#"{"High":null}"#, true, "JC0201, JC0202", "JC0201, JC0202"),
        (judge::<Named>, r#"{"title":"a"}"#, true, "", ""),
        (judge::<Named>, r#"{"title":"a","memo":"b"}"#, true, "", ""),
        (judge::<Level>, r#""hi""#, true, "", ""),
        (judge::<Open>, r#"{"t":"Z","n":"any"}"#, true, "", ""),
        (judge::<Open>, r#"{"t":"A","n":"any"}"#, false, "JC0201 /n", "JC0201 /n"),
        (judge::<HashSet<u8>>, "[1,1]", true, "", ""),
        (judge::<BTreeSet<String>>, r#"["a","a"]"#, true, "", ""),
        (judge::<Flat>, r#"{"a":1,"x":"no"}"#, true, "JC0201 /x", "JC0201 /x"),
        (judge::<Point>, r#"{"x":1,"q":1,"q":2}"#, true, "JC0104 /q", "JC0104 /q"),
        (judge::<BTreeMap<String, u8>>, r#"{"a":1,"a":2}"#, true, "JC0104 /a", "JC0104 /a"),
        (judge::<NaiveDate>, r#""2024-1-1""#, true, "", "JC0207"),
        (judge::<Uuid>, r#""67E5504410B1426F9247BB680E5FE0C8""#, true, "", "JC0207"),
        (judge::<Uuid>, r#""{67e55044-10b1-426f-9247-bb680e5fe0c8}""#, true, "", "JC0207"),
        (judge::<Uuid>, r#""urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8""#, true, "", "JC0207"),
        (judge::<Url>, r#"" http://x ""#, true, "", "JC0207"),
        (judge::<DateTime<Utc>>, r#""2024-01-01 00:00:00Z""#, true, "", "JC0207"),
    ]
    .into_iter()
    .map(|(judge, text, serde, default, strict)| (judge, text.to_owned(), serde, default, strict))
    .chain([
        (judge::<Event> as Judge, event("2024-1-1", TIME, "2024-01-01", "a@b.co"), true, "", "JC0207 /on"),
        (
            judge::<Event>,
            event("2024-13-1", "soon", "2024-1-1", "x"),
            false,
            "JC0207 /on, JC0207 /at/1, JC0207 /day, JC0207 /by",
            "JC0207 /on, JC0207 /at/1, JC0207 /day, JC0207 /by",
        ),
        (
            judge::<Event>,
            event("2024-01-01", "2024-01-01T00:00:00", "2024-01-01", "a@b.co"),
            false,
            "JC0207 /at/1",
            "JC0207 /at/1",
        ),
    ])
    .collect();
    let mut wrong = Vec::new();
    for (judge, text, serde, default, strict) in &rows {
        let found = [judge(text, false), judge(text, true)];
        let expected = [(*serde, (*default).to_owned()), (*serde, (*strict).to_owned())];
        if found != expected {
            wrong.push(format!("{text}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows differ:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
