use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema, schemars::JsonSchema)]
struct Ticket {
    name: String,
}

fn main() {}
