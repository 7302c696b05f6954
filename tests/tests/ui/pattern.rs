use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(pattern = "(a")]
    open: String,
    #[expected(pattern = "[z-a]")]
    backwards: String,
    #[expected(pattern = "*a")]
    nothing: String,
    #[expected(pattern = r"a\")]
    escape: String,
    #[expected(pattern = 5)]
    number: String,
    #[expected(pattern = "^a")]
    integer: u8,
    #[expected(pattern = "^a")]
    list: Vec<String>,
}

fn main() {}
