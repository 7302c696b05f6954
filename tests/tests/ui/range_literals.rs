use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(range(min = 0.5))]
    decimal: i32,
    #[expected(range(min = "1"))]
    quoted: i32,
    #[expected(range(max = 170141183460469231731687303715884105727))]
    wide: i128,
    #[expected(range(maximum = 1))]
    misnamed: i32,
    #[expected(multiple_of = 0)]
    zero: i32,
    #[expected(multiple_of = "2")]
    text: i32,
}

fn main() {}
