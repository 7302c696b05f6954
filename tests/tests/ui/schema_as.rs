use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
#[expected(crate = "not a path")]
struct Ticket {
    #[expected(schema_as = "not a type")]
    name: String,
    #[expected(schema_as = "u8", length(max = 1))]
    other: String,
}

fn main() {}
