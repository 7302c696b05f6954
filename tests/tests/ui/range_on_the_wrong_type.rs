use json_correctness::ExpectedSchema;
use serde::Deserialize;

use std::collections::HashMap;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(range(min = 1, max = 10))]
    text: String,
    #[expected(range(min = 1))]
    list: Option<Vec<u8>>,
    #[expected(range(min = 1))]
    texts: Vec<String>,
    #[expected(range(min = 1))]
    flag: bool,
    #[expected(range(min = 1))]
    map: Box<HashMap<String, u8>>,
    #[expected(inner(range(min = 1)))]
    inner: Vec<String>,
}

fn main() {}
