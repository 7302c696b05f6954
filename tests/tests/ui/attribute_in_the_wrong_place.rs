use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
#[expected(range(min = 1))]
struct Ticket {
    #[expected(deny_unknown_fields)]
    confidence: f64,
}

#[derive(Deserialize, ExpectedSchema)]
enum Choice {
    #[expected(weight = 0.5)]
    First(u8),
}

fn main() {}
