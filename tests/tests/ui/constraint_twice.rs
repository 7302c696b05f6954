use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(range(min = 1), range(max = 2))]
    same: i32,
    #[expected(length(min = 1))]
    #[schemars(length(max = 2))]
    two: String,
    #[expected(pattern = "^a")]
    #[schemars(regex(pattern = "^b"))]
    patterns: String,
    #[expected(format = "email")]
    #[schemars(url)]
    formats: String,
}

fn main() {}
