use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(one_of = ["a", 1])]
    text: String,
    #[expected(one_of = [1, 2.5])]
    integer: Option<i32>,
    #[expected(one_of = ["a"])]
    list: Vec<String>,
    #[expected(inner(one_of = [true]))]
    inner: Vec<String>,
    #[expected(contains = "a")]
    contains: Vec<u8>,
}

fn main() {}
