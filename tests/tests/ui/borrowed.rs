use json_correctness::ExpectedSchema;
use serde::Deserialize;

use std::borrow::Cow;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket<'a> {
    name: &'a str,
    list: Option<&'a [u8]>,
    #[serde(borrow)]
    cow: Cow<'a, str>,
}

fn main() {}
