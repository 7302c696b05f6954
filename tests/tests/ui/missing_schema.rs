use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize)]
struct Customer {
    name: String,
}

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    customers: Vec<Customer>,
}

fn main() {}
