//! The Rust equivalents of the pydantic models that the reference vectors were made with.
#![allow(missing_docs, missing_debug_implementations, reason = "models, not an interface")]

use std::{
    collections::{BTreeMap, BTreeSet},
    net::Ipv4Addr,
};

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};
use json_correctness::{Error, ExpectedSchema, JsonCorrectness, TestCase, Verdict};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use url::Url;
use uuid::Uuid;

#[derive(Deserialize, ExpectedSchema)]
pub struct ExampleSchema {
    pub name: String,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct FlatPerson {
    pub name: String,
    pub age: i64,
    pub height: f64,
    pub active: bool,
}

pub type PersonList = Vec<FlatPerson>;

#[derive(Deserialize, ExpectedSchema)]
pub struct Address {
    pub street: String,
    pub city: String,
    pub zip: Option<String>,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Customer {
    pub name: String,
    pub address: Address,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Item {
    pub sku: String,
    #[expected(range(min = 1))]
    pub qty: i64,
    #[expected(range(exclusive_min = 0))]
    pub price: f64,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct NestedOrder {
    pub id: i64,
    pub customer: Customer,
    pub items: Vec<Item>,
}

#[derive(Deserialize, ExpectedSchema)]
pub enum Priority {
    High,
    Medium,
    Low,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Open,
    Closed,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Ticket {
    pub priority: Priority,
    pub status: Status,
    #[expected(one_of = [1, 2, 3])]
    pub level: u8,
    #[expected(one_of = [1, "auto"])]
    pub mode: Option<Value>,
}

/// `Optional[..]` without a default: the field must be there, and may be null.
fn nullable<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

#[derive(Deserialize, ExpectedSchema)]
pub struct OptionalFields {
    #[serde(deserialize_with = "nullable")]
    #[expected(schema_as = "Option<i64>")]
    pub required_nullable: Option<i64>,
    pub optional_nullable: Option<String>,
    pub optional_list: Option<Vec<i64>>,
    pub optional_sub: Option<Address>,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Sub {
    pub a: i64,
    pub b: String,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(untagged)]
pub enum IntStrSub {
    Int(i64),
    Str(String),
    Sub(Sub),
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(untagged)]
pub enum Scalar {
    Int(i64),
    Float(f64),
    Bool(bool),
    Str(String),
    Null,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(untagged)]
pub enum AddressOrSub {
    Address(Address),
    Sub(Sub),
}

#[derive(Deserialize, ExpectedSchema)]
pub struct UntaggedUnion {
    pub value: IntStrSub,
    #[serde(default)]
    pub items: Vec<Scalar>,
    pub either: Option<AddressOrSub>,
}

fn nine() -> i64 {
    9
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Pet {
    Cat {
        #[serde(default = "nine")]
        lives: i64,
    },
    #[serde(alias = "puppy")]
    Dog { good: bool },
}

#[derive(Deserialize, ExpectedSchema)]
pub struct TaggedUnion {
    pub pet: Pet,
    #[serde(default)]
    pub others: Vec<Pet>,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Constraints {
    #[expected(range(min = 0, max = 150))]
    pub age: i64,
    #[expected(range(exclusive_min = 0, exclusive_max = 1))]
    pub ratio: f64,
    #[expected(length(min = 2, max = 5))]
    pub name: String,
    #[expected(pattern = r"^[A-Z]{2}-\d{3}$")]
    pub code: String,
    #[expected(multiple_of = 2)]
    pub even: i64,
    #[expected(length(min = 1, max = 3))]
    pub tags: Vec<String>,
    #[serde(default)]
    pub strict_n: i64,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Formats {
    #[expected(format = "email")]
    pub email: Option<String>,
    pub id: Option<Uuid>,
    pub at: Option<DateTime<FixedOffset>>,
    pub day: Option<NaiveDate>,
    pub clock: Option<NaiveTime>,
    #[expected(format = "duration")]
    pub span: Option<String>,
    #[expected(pattern = "^[Hh][Tt][Tt][Pp][Ss]?:")]
    pub url: Option<Url>,
    pub ip: Option<Ipv4Addr>,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct DictMaps {
    pub counts: BTreeMap<String, i64>,
    #[serde(default)]
    pub by_id: BTreeMap<i64, f64>,
    #[serde(default)]
    pub groups: BTreeMap<String, Vec<Sub>>,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct TreeNode {
    pub value: i64,
    #[serde(default)]
    pub children: Vec<TreeNode>,
    pub parent: Option<Box<TreeNode>>,
}

fn x() -> String {
    "x".to_owned()
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
pub struct Forbid {
    pub a: i64,
    #[serde(default = "x")]
    pub b: String,
    pub sub: Option<ForbidSub>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(deny_unknown_fields)]
pub struct ForbidSub {
    pub c: bool,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(default)]
pub struct Defaults {
    pub a: i64,
    pub b: String,
    pub c: Vec<i64>,
    pub d: Sub,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { a: 1, b: "b".to_owned(), c: Vec::new(), d: Sub { a: 1, b: "z".to_owned() } }
    }
}

/// Where the city of [`Aliases`] stands.
#[derive(Deserialize, ExpectedSchema)]
pub struct CityOf {
    pub city: Option<String>,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Aliases {
    #[serde(rename = "firstName")]
    pub first_name: String,
    #[serde(rename = "lastName", alias = "surname")]
    pub last_name: String,
    pub address: Option<CityOf>,
}

#[derive(Deserialize, ExpectedSchema)]
pub struct PopulateByName {
    #[serde(rename = "userId", alias = "user_id")]
    pub user_id: i64,
}

#[derive(Default, Deserialize, ExpectedSchema)]
pub struct Point(pub f64, pub f64);

#[derive(Deserialize, ExpectedSchema)]
pub struct Tuples {
    pub pair: (i64, String),
    #[serde(default)]
    pub many: Vec<i64>,
    #[serde(default)]
    pub uniq: BTreeSet<i64>,
    #[serde(default)]
    pub point: Point,
}

/// A number, or a number in quotes: what pydantic's `Decimal` is read from.
#[derive(Deserialize, ExpectedSchema)]
#[serde(untagged)]
pub enum Decimal {
    Number(f64),
    Text(#[expected(pattern = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([Ee][+-]?\d+)?\s*$")] String),
}

#[derive(Deserialize, ExpectedSchema)]
pub struct StrictModel {
    pub n: i128,
    pub f: f64,
    pub s: String,
    pub b: bool,
    pub when: Option<NaiveDateTime>,
    pub d: Option<Decimal>,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(default)]
#[derive(Default)]
pub struct Anything {
    pub data: Value,
    pub obj: BTreeMap<String, Value>,
    pub arr: Vec<Value>,
}

pub type RootInt = i64;

pub type RootDict = BTreeMap<String, i64>;

#[derive(Deserialize, ExpectedSchema)]
#[serde(untagged)]
pub enum RootUnion {
    One(ExampleSchema),
    Many(Vec<ExampleSchema>),
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Unordered {
    #[expected(range(min = 0))]
    pub low: i64,
    pub high: i64,
}

/// A model validator: what only code can say is a `try_from`.
#[derive(Debug, Deserialize, ExpectedSchema)]
#[serde(try_from = "Unordered")]
pub struct Validated {
    pub low: i64,
    pub high: i64,
}

impl TryFrom<Unordered> for Validated {
    type Error = &'static str;

    fn try_from(Unordered { low, high }: Unordered) -> Result<Self, Self::Error> {
        if low > high {
            return Err("low must not exceed high");
        }
        Ok(Self { low, high })
    }
}

#[derive(Deserialize, ExpectedSchema)]
pub struct Numbers {
    pub dec: Option<Decimal>,
    pub i: Option<i64>,
    pub f: Option<f64>,
    #[expected(range(min = 0))]
    pub nonneg: Option<f64>,
}

/// Judges an output by the model of that name.
///
/// # Errors
///
/// The schema of the model does not compile.
///
/// # Panics
///
/// There is no model of that name.
pub fn judge(model: &str, output: &str) -> Result<Verdict, Error> {
    let case = TestCase::new("", output);
    macro_rules! models {
        ($($name:ident)*) => {
            match model {
                $(stringify!($name) => JsonCorrectness::<$name>::new().judge(&case),)*
                other => panic!("no model `{other}`"),
            }
        };
    }
    models! {
        ExampleSchema FlatPerson PersonList NestedOrder Ticket OptionalFields UntaggedUnion TaggedUnion
        Constraints Formats DictMaps TreeNode Forbid Defaults Aliases PopulateByName Tuples StrictModel
        Anything RootInt RootDict RootUnion Validated Numbers
    }
}
