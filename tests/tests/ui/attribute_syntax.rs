use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected]
    alone: f64,
    #[expected = "x"]
    valued: f64,
    #[expected(weight =)]
    empty: f64,
    #[expected("weight")]
    quoted: f64,
    #[expected(weight 0.5)]
    unequal: f64,
    #[expected(range)]
    unlisted: f64,
    #[expected(pattern)]
    flag: String,
    #[expected(ignore = true)]
    ignored: String,
    #[expected(one_of = "a")]
    unbracketed: String,
    #[expected(one_of = [])]
    none: String,
}

fn main() {}
