//! Enums of all four taggings.

use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize};

use super::{Specimen, Trait};

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum Priority {
    High,
    Medium,
    Low,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Content {
    text: String,
    size: Option<u8>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: bool, b: Option<u8> },
    Content(Content),
    Empty {},
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "type")]
enum Internal {
    Unit,
    Struct { a: bool, b: Option<u8> },
    Content(Content),
    Empty {},
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum InternalClosed {
    PlainUnit,
    Circle { radius: f64 },
    Rectangle { width: f64, height: f64 },
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(u8),
    Optional(Option<u8>),
    Tuple(u8, String),
    Struct { a: bool, b: Option<u8> },
    Content(Content),
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
enum AdjacentClosed {
    Unit,
    Struct { a: bool },
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
    Pair(bool, bool),
    Struct { a: bool, b: Option<u8> },
    Nothing,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(untagged)]
enum UntaggedScalar {
    Whole(i64),
    Fraction(f64),
    Flag(bool),
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum PartlyUntagged {
    Named(u8),
    Bare,
    #[serde(untagged)]
    Text(String),
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Mixed {
    priority: Priority,
    external: Vec<External>,
    internal: Internal,
    adjacent: Option<Adjacent>,
}

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<Priority>("Priority", &[r#""High""#, r#""Medium""#, r#""Low""#]),
        Specimen::of::<External>(
            "External",
            &[
                r#""Unit""#,
                r#"{"Newtype":7}"#,
                r#"{"Tuple":[1,"x"]}"#,
                r#"{"Struct":{"a":true,"b":1}}"#,
                r#"{"Content":{"text":"x","size":null}}"#,
                r#"{"Empty":{}}"#,
            ],
        ),
        Specimen::of::<Internal>(
            "Internal",
            &[
                r#"{"type":"Unit"}"#,
                r#"{"type":"Struct","a":true,"b":1}"#,
                r#"{"text":"x","type":"Content"}"#,
                r#"{"type":"Empty"}"#,
            ],
        ),
        Specimen::of::<InternalClosed>(
            "InternalClosed",
            &[
                r#"{"kind":"plain_unit"}"#,
                r#"{"kind":"circle","radius":1.5}"#,
                r#"{"kind":"rectangle","width":1,"height":2.5}"#,
            ],
        )
        .with(&[Trait::ClosedInternal]),
        Specimen::of::<Adjacent>(
            "Adjacent",
            &[
                r#"{"t":"Unit"}"#,
                r#"{"t":"Newtype","c":7}"#,
                r#"{"c":null,"t":"Optional"}"#,
                r#"{"t":"Tuple","c":[1,"x"]}"#,
                r#"{"t":"Struct","c":{"a":true,"b":1}}"#,
                r#"{"c":{"text":"x","size":3},"t":"Content"}"#,
            ],
        )
        .with(&[Trait::Adjacent]),
        Specimen::of::<AdjacentClosed>("AdjacentClosed", &[r#"{"t":"Unit"}"#, r#"{"t":"Struct","c":{"a":true}}"#])
            .with(&[Trait::Adjacent]),
        Specimen::of::<Untagged>(
            "Untagged",
            &["7", r#""x""#, "[true,false]", r#"{"a":true,"b":1}"#, "null"],
        )
        .with(&[Trait::Untagged]),
        Specimen::of::<UntaggedScalar>("UntaggedScalar", &["7", "-1.5", "true"]).with(&[Trait::Untagged]),
        Specimen::of::<PartlyUntagged>("PartlyUntagged", &[r#"{"Named":1}"#, r#""Bare""#, r#""free""#])
            .with(&[Trait::Untagged]),
        Specimen::of::<Mixed>(
            "Mixed",
            &[
                r#"{"priority":"High","external":["Unit",{"Newtype":1},{"Struct":{"a":true}}],"internal":{"type":"Struct","a":true},"adjacent":{"t":"Newtype","c":7}}"#,
                r#"{"priority":"Low","external":[],"internal":{"type":"Unit"},"adjacent":null}"#,
            ],
        )
        .with(&[Trait::Adjacent]),
    ]
}
