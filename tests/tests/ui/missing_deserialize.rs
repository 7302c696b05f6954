use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(ExpectedSchema)]
struct Ticket {
    name: String,
}

#[derive(Deserialize)]
struct Customer;

fn unused() {
    let _ = json_correctness::json_schema::<Ticket>();
    let _ = json_correctness::json_schema::<Vec<Customer>>();
}

fn main() {}
