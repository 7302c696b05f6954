use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(weight = 1.5)]
    high: f64,
    #[expected(weight = -0.1)]
    low: f64,
    #[expected(weight = "half")]
    text: f64,
    #[expected(weight)]
    missing: f64,
    #[expected(weight = 0.5, ignore)]
    ignored: f64,
}

fn main() {}
