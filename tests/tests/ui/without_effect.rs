use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[serde(flatten)]
    #[expected(weight = 0.5)]
    flattened: Inner,
    #[serde(skip)]
    #[expected(range(min = 1))]
    skipped: u8,
}

#[derive(Deserialize, ExpectedSchema)]
struct Inner {
    a: u8,
}

#[derive(Deserialize, ExpectedSchema)]
#[serde(from = "u8")]
struct Through(#[expected(range(max = 3))] u8);

impl From<u8> for Through {
    fn from(number: u8) -> Self {
        Self(number)
    }
}

fn main() {}
