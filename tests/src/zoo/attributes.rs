//! What serde's attributes change.

use std::collections::BTreeMap;

use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize};

use super::{Specimen, Trait};

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Inner {
    x: u8,
    y: Option<String>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct FlattenStruct {
    a: bool,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct FlattenMap {
    a: bool,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum Shape {
    Circle(u8),
    Square { side: u8 },
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct FlattenEnum {
    a: bool,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "shape")]
enum TaggedShape {
    Circle { radius: u8 },
    Point,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct FlattenTagged {
    a: bool,
    #[serde(flatten)]
    shape: TaggedShape,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct FlattenOption {
    a: bool,
    #[serde(flatten)]
    inner: Option<Inner>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(transparent)]
struct Transparent {
    inner: Inner,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Transparents {
    required: Transparent,
    optional: TransparentOption,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(transparent)]
struct TransparentOption {
    value: Option<u16>,
}

mod elsewhere {
    pub(super) struct Meters {
        pub(super) value: f64,
        pub(super) exact: bool,
    }
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(remote = "elsewhere::Meters")]
struct MetersDef {
    value: f64,
    exact: bool,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Remote {
    #[serde(with = "MetersDef")]
    #[expected(schema_as = "MetersDef")]
    length: elsewhere::Meters,
}

#[derive(Serialize, Deserialize, ExpectedSchema, Clone, Copy)]
#[serde(try_from = "u16", into = "u16")]
struct Even(u16);

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

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct TryFromField {
    even: Even,
    list: Vec<Even>,
}

#[derive(Serialize, Deserialize, ExpectedSchema, Clone)]
#[serde(from = "Inner", into = "Inner")]
struct FromInner {
    sum: u8,
}

impl From<Inner> for FromInner {
    fn from(inner: Inner) -> Self {
        Self { sum: inner.x }
    }
}

impl From<FromInner> for Inner {
    fn from(outer: FromInner) -> Self {
        Self { x: outer.sum, y: None }
    }
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct DefaultFields {
    a: u8,
    #[serde(default)]
    b: u8,
    #[serde(default = "seven")]
    c: u8,
    #[serde(default)]
    d: Option<String>,
    #[serde(default)]
    e: Vec<u8>,
}

fn seven() -> u8 {
    7
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(default)]
struct DefaultContainer {
    a: u8,
    b: String,
}

impl Default for DefaultContainer {
    fn default() -> Self {
        Self { a: 3, b: "three".to_owned() }
    }
}

macro_rules! renamed {
    ($($name:ident $case:literal)*) => {
        $(
            #[derive(Serialize, Deserialize, ExpectedSchema)]
            #[serde(rename_all = $case)]
            struct $name {
                first_name: u8,
                last_name: Option<u8>,
            }
        )*
    };
}

renamed! {
    Lower "lowercase" Upper "UPPERCASE" Pascal "PascalCase" Camel "camelCase" Snake "snake_case"
    Screaming "SCREAMING_SNAKE_CASE" Kebab "kebab-case" ScreamingKebab "SCREAMING-KEBAB-CASE"
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Renamed {
    lower: Lower,
    upper: Upper,
    pascal: Pascal,
    camel: Camel,
    snake: Snake,
    screaming: Screaming,
    kebab: Kebab,
    screaming_kebab: ScreamingKebab,
    #[serde(rename = "a/b~c \"d\"")]
    odd: u8,
    r#type: u8,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum RenamedVariants {
    FirstOne,
    SecondTry {
        some_field: u8,
    },
    #[serde(rename = "3rd")]
    ThirdCase(u8),
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Aliases {
    #[serde(alias = "fullName", alias = "full-name")]
    name: String,
    #[serde(alias = "years")]
    age: Option<u8>,
    other: bool,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
struct ClosedAliases {
    #[serde(alias = "n")]
    name: String,
    #[serde(default, alias = "y")]
    age: u8,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum VariantAliases {
    #[serde(alias = "on", alias = "yes")]
    On,
    #[serde(alias = "level")]
    Level(u8),
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(rename_all = "lowercase")]
enum OtherUnit {
    Known,
    #[serde(other)]
    Unknown,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(tag = "type")]
enum OtherTagged {
    Known {
        a: bool,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Others {
    unit: OtherUnit,
    tagged: OtherTagged,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: bool,
    b: Option<u8>,
    nested: ClosedInner,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
struct ClosedInner {
    label: String,
    count: u16,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Skipped {
    a: u8,
    #[serde(skip)]
    #[expect(dead_code, reason = "no text can set it")]
    hidden: u8,
    #[serde(skip_deserializing)]
    write_only: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
enum SkippedVariant {
    Kept,
    #[serde(skip)]
    #[expect(dead_code, reason = "no text can make it")]
    Hidden,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct SkippedVariants {
    kept: Option<SkippedVariant>,
}

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<FlattenStruct>(
            "FlattenStruct",
            &[r#"{"a":true,"x":1,"y":"z"}"#, r#"{"x":0,"a":false}"#],
        ),
        Specimen::of::<FlattenMap>("FlattenMap", &[r#"{"a":true,"k":1,"l":255}"#, r#"{"a":false}"#]),
        Specimen::of::<FlattenEnum>(
            "FlattenEnum",
            &[r#"{"a":true,"Circle":7}"#, r#"{"Square":{"side":2},"a":true}"#],
        )
        .with(&[Trait::FlattenedEnum]),
        Specimen::of::<FlattenTagged>(
            "FlattenTagged",
            &[r#"{"a":true,"shape":"Circle","radius":7}"#, r#"{"shape":"Point","a":true}"#],
        ),
        Specimen::of::<FlattenOption>("FlattenOption", &[r#"{"a":true}"#, r#"{"a":true,"x":1,"y":null}"#])
            .with(&[Trait::FlattenedOption]),
        Specimen::of::<Transparents>(
            "Transparents",
            &[r#"{"required":{"x":1,"y":"z"},"optional":7}"#, r#"{"required":{"x":1},"optional":null}"#],
        ),
        Specimen::of::<Remote>("Remote", &[r#"{"length":{"value":1.5,"exact":true}}"#]),
        Specimen::of::<Even>("Even", &["0", "4", "65534"]).with(&[Trait::Refuses]),
        Specimen::of::<TryFromField>(
            "TryFromField",
            &[r#"{"even":2,"list":[4,6]}"#, r#"{"even":0,"list":[]}"#],
        )
        .with(&[Trait::Refuses]),
        Specimen::of::<FromInner>("FromInner", &[r#"{"x":1,"y":"z"}"#, r#"{"x":0}"#]),
        Specimen::of::<DefaultFields>(
            "DefaultFields",
            &[r#"{"a":1}"#, r#"{"a":1,"b":2,"c":3,"d":"x","e":[1,2]}"#, r#"{"a":1,"d":null}"#],
        ),
        Specimen::of::<DefaultContainer>("DefaultContainer", &["{}", r#"{"a":1,"b":"x"}"#]),
        Specimen::of::<Renamed>(
            "Renamed",
            &[concat!(
                r#"{"lower":{"first_name":1,"last_name":2},"upper":{"FIRST_NAME":1,"LAST_NAME":null},"#,
                r#""pascal":{"FirstName":1},"camel":{"firstName":1,"lastName":2},"snake":{"first_name":1},"#,
                r#""screaming":{"FIRST_NAME":1},"kebab":{"first-name":1,"last-name":3},"#,
                r#""screaming_kebab":{"FIRST-NAME":1},"a/b~c \"d\"":9,"type":1}"#
            )],
        ),
        Specimen::of::<RenamedVariants>(
            "RenamedVariants",
            &[r#""first-one""#, r#"{"second-try":{"someField":1}}"#, r#"{"3rd":1}"#],
        ),
        Specimen::of::<Aliases>(
            "Aliases",
            &[
                r#"{"name":"x","age":1,"other":true}"#,
                r#"{"fullName":"x","years":null,"other":true}"#,
                r#"{"full-name":"x","other":false}"#,
            ],
        ),
        Specimen::of::<ClosedAliases>(
            "ClosedAliases",
            &[r#"{"name":"x","age":1}"#, r#"{"n":"x","y":2}"#, r#"{"n":""}"#],
        ),
        Specimen::of::<VariantAliases>(
            "VariantAliases",
            &[r#""On""#, r#""on""#, r#""yes""#, r#"{"Level":1}"#, r#"{"level":2}"#],
        ),
        Specimen::of::<Others>(
            "Others",
            &[
                r#"{"unit":"known","tagged":{"type":"Known","a":true}}"#,
                r#"{"unit":"anything","tagged":{"type":"New","b":1}}"#,
                r#"{"unit":"unknown","tagged":{"type":"Unknown"}}"#,
            ],
        )
        .with(&[Trait::Entangled]),
        Specimen::of::<Closed>(
            "Closed",
            &[
                r#"{"a":true,"b":1,"nested":{"label":"x","count":3}}"#,
                r#"{"a":true,"nested":{"label":"","count":0}}"#,
            ],
        ),
        Specimen::of::<Skipped>(
            "Skipped",
            &[r#"{"a":1,"b":2}"#, r#"{"a":1,"hidden":"any","write_only":[]}"#],
        ),
        Specimen::of::<SkippedVariants>("SkippedVariants", &[r#"{"kept":"Kept"}"#, r#"{"kept":null}"#]),
    ]
}
