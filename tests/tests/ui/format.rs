use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(format = "e-mail")]
    misspelt: String,
    #[expected(format = "house number")]
    unknown: String,
    #[expected(format = "email")]
    number: u8,
    #[expected(format = "email")]
    list: Vec<String>,
}

fn main() {}
