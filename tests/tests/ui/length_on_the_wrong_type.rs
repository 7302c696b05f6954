use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(length(max = 10))]
    integer: i32,
    #[expected(length(max = 10))]
    number: Option<f64>,
    #[expected(length(max = 10))]
    flag: bool,
}

fn main() {}
