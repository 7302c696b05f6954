use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(multiple_of = 2)]
    flag: bool,
    #[expected(multiple_of = 2)]
    list: Vec<u8>,
    #[expected(unique_items)]
    text: String,
    #[expected(contains = 1)]
    number: u8,
    #[expected(inner(length(max = 1)))]
    not_a_list: String,
}

fn main() {}
