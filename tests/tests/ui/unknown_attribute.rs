use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(wieght = 0.5)]
    confidence: f64,
    #[expected(zzzzzzzz)]
    other: f64,
    #[expected(min = 1)]
    habit: f64,
    #[expected(regex = "^a")]
    regex: String,
    #[expected(rename = "x")]
    of_serde: String,
}

fn main() {}
