//! Structs of every form, generics included.

use json_correctness::ExpectedSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::Specimen;

#[derive(Serialize, Deserialize, ExpectedSchema)]
pub(super) struct Person {
    pub(super) name: String,
    pub(super) age: u8,
    pub(super) height: f64,
    pub(super) active: bool,
    pub(super) nickname: Option<String>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Address {
    street: String,
    city: String,
    zip: Option<String>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Customer {
    name: String,
    address: Address,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Item {
    sku: String,
    quantity: u32,
    price: f64,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Order {
    id: u64,
    customer: Customer,
    items: Vec<Item>,
    tags: Vec<String>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Pair(u8, String);

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Wrapper(String);

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Unit;

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Empty {}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Forms {
    pair: Pair,
    wrapper: Wrapper,
    unit: Unit,
    empty: Empty,
    nested: Wrapped<Wrapped<u8>>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Wrapped<T>(T);

#[derive(Serialize, Deserialize, ExpectedSchema)]
#[serde(bound(deserialize = "T: DeserializeOwned", serialize = "T: Serialize"))]
struct Page<T>
where
    T: Clone,
{
    items: Vec<T>,
    next: Option<T>,
    total: u32,
}

#[derive(Serialize, Deserialize, ExpectedSchema, Clone)]
struct Leaf {
    label: String,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Pages {
    numbers: Page<u16>,
    leaves: Page<Leaf>,
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Matrix<const N: usize>
where
    [u8; N]: Serialize + DeserializeOwned + schemars::JsonSchema,
{
    row: [u8; N],
}

#[derive(Serialize, Deserialize, ExpectedSchema)]
struct Matrices {
    two: Matrix<2>,
    three: Matrix<3>,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema)]
struct OnlySchemars {
    name: String,
    count: u16,
    kind: OnlyKind,
    wide: Option<i64>,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OnlyKind {
    Small,
    Large,
}

pub(super) const PERSON: &str = r#"{"name":"Jane","age":41,"height":1.7,"active":true,"nickname":"J"}"#;

pub(super) fn specimens() -> Vec<Specimen> {
    vec![
        Specimen::of::<Person>("Person", &[PERSON, r#"{"name":"","age":0,"height":-1e-9,"active":false}"#]),
        Specimen::of::<Order>(
            "Order",
            &[
                r#"{"id":1,"customer":{"name":"A","address":{"street":"S","city":"C","zip":"Z"}},"items":[{"sku":"a","quantity":2,"price":1.5},{"sku":"b","quantity":0,"price":2}],"tags":["x","y"]}"#,
                r#"{"id":0,"customer":{"name":"","address":{"street":"","city":"","zip":null}},"items":[],"tags":[]}"#,
            ],
        ),
        Specimen::of::<Pair>("Pair", &[r#"[1,"x"]"#]),
        Specimen::of::<Wrapper>("Wrapper", &[r#""x""#, r#""""#]),
        Specimen::of::<Unit>("Unit", &["null"]),
        Specimen::of::<Empty>("Empty", &["{}", r#"{"a":1}"#]),
        Specimen::of::<Forms>(
            "Forms",
            &[r#"{"pair":[1,"x"],"wrapper":"w","unit":null,"empty":{},"nested":7}"#],
        ),
        Specimen::of::<Pages>(
            "Pages",
            &[
                r#"{"numbers":{"items":[1,2],"next":3,"total":2},"leaves":{"items":[{"label":"a"}],"next":{"label":"b"},"total":1}}"#,
                r#"{"numbers":{"items":[],"next":null,"total":0},"leaves":{"items":[],"total":0}}"#,
            ],
        ),
        Specimen::of::<Matrices>("Matrices", &[r#"{"two":{"row":[1,2]},"three":{"row":[1,2,3]}}"#]),
        Specimen::of::<OnlySchemars>(
            "OnlySchemars",
            &[
                r#"{"name":"x","count":65535,"kind":"small","wide":-1}"#,
                r#"{"name":"","count":0,"kind":"large"}"#,
            ],
        ),
    ]
}
