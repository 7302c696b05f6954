//! The types of the examples in `docs/agreement.md`. What stands between the two marks stands there
//! too, to the letter; a test compares them.

use std::{
    collections::{HashMap, HashSet},
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use chrono::NaiveDate;
use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize};
use url::Url;
use uuid::Uuid;

use super::{Specimen, Trait};

// <docs>
#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Point {
    x: i32,
    y: Option<f32>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Named {
    #[serde(alias = "fullName")]
    name: String,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Rated {
    #[expected(range(max = 10))]
    stars: u8,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum Action {
    Stop,
    Go { fast: bool },
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "kind")]
enum Shape {
    Dot,
    Circle { radius: f64 },
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "kind", deny_unknown_fields)]
enum Sign {
    Stop,
    Speed { limit: u8 },
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Keyed {
    votes: HashMap<u8, u32>,
    answers: HashMap<bool, u32>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "type", content = "data")]
enum Message {
    Quit,
    Say(String),
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(untagged)]
enum Loose {
    Number(f64),
    Nothing,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum Level {
    Low,
    #[serde(alias = "top")]
    High,
    #[serde(other)]
    Unknown,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Placed {
    name: String,
    #[serde(flatten)]
    point: Option<Point>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Planned {
    name: String,
    #[serde(flatten)]
    action: Action,
}

#[derive(Clone, Copy, Serialize, Deserialize, ExpectedSchema)]
#[serde(try_from = "u16", into = "u16")]
struct Even(u16);
// </docs>

impl TryFrom<u16> for Even {
    type Error = String;

    fn try_from(number: u16) -> Result<Self, String> {
        if number.is_multiple_of(2) { Ok(Self(number)) } else { Err(format!("refused: {number} is odd")) }
    }
}

impl From<Even> for u16 {
    fn from(even: Even) -> Self {
        even.0
    }
}

/// The types of the examples, under the names that the docs give them.
#[must_use]
pub fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<Point>("Point", &[r#"{"x":1,"y":0.5}"#]),
        Specimen::of::<Named>("Named", &[r#"{"name":"x"}"#]),
        Specimen::constrained::<Rated>("Rated", &[r#"{"stars":3}"#], |rated| rated.stars <= 10),
        Specimen::of::<Action>("Action", &[r#""Stop""#, r#"{"Go":{"fast":true}}"#]),
        Specimen::of::<Shape>("Shape", &[r#"{"kind":"Dot"}"#, r#"{"kind":"Circle","radius":1}"#]),
        Specimen::of::<Sign>("Sign", &[r#"{"kind":"Stop"}"#]).with(&[Trait::ClosedInternal]),
        Specimen::of::<Keyed>("Keyed", &[r#"{"votes":{"1":1},"answers":{"true":1}}"#])
            .with(&[Trait::ScalarKeys]),
        Specimen::of::<Message>("Message", &[r#"{"type":"Quit"}"#, r#"{"type":"Say","data":"x"}"#])
            .with(&[Trait::Adjacent]),
        Specimen::of::<Loose>("Loose", &["1", "null"]).with(&[Trait::Untagged]),
        Specimen::of::<Level>("Level", &[r#""Low""#]),
        Specimen::of::<Placed>("Placed", &[r#"{"name":"x"}"#, r#"{"name":"x","x":1}"#])
            .with(&[Trait::FlattenedOption]),
        Specimen::of::<Planned>("Planned", &[r#"{"name":"x","Go":{"fast":true}}"#])
            .with(&[Trait::FlattenedEnum]),
        Specimen::of::<Even>("Even", &["2"]).with(&[Trait::Refuses]),
        Specimen::of::<u8>("u8", &["1"]),
        Specimen::of::<u64>("u64", &["1"]),
        Specimen::of::<i128>("i128", &["1"]),
        Specimen::of::<f32>("f32", &["1.5"]),
        Specimen::of::<HashSet<u8>>("HashSet<u8>", &["[1]"]),
        Specimen::of::<HashMap<u8, bool>>("HashMap<u8, bool>", &[r#"{"1":true}"#])
            .with(&[Trait::ScalarKeys, Trait::BareMap]),
        Specimen::of::<HashMap<bool, u8>>("HashMap<bool, u8>", &[r#"{"true":1}"#])
            .with(&[Trait::ScalarKeys, Trait::BareMap]),
        Specimen::of::<NaiveDate>("NaiveDate", &[r#""2024-01-31""#]).with(&[Trait::Spelling]),
        Specimen::of::<Uuid>("Uuid", &[r#""67e55044-10b1-426f-9247-bb680e5fe0c8""#]).with(&[Trait::Spelling]),
        Specimen::of::<Url>("Url", &[r#""http://example.com/""#]).with(&[Trait::Spelling]),
        Specimen::of::<IpAddr>("IpAddr", &[r#""::1""#]).with(&[Trait::Spelling]),
        Specimen::of::<SocketAddr>("SocketAddr", &[r#""[::1]:80""#]).with(&[Trait::Spelling]),
        Specimen::of::<Duration>("Duration", &[r#"{"secs":1,"nanos":0}"#]).with(&[Trait::ClosedStd]),
    ]
}
