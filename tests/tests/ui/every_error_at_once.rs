use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
#[expected(titel = "Ticket")]
struct Ticket {
    #[expected(weight = 2, range(min = 1), format = "emial")]
    text: String,
    #[expected(length(min = 1))]
    number: u8,
}

// No further error comes from the type's use.
fn unused() {
    let _ = json_correctness::json_schema::<Vec<Ticket>>();
}

fn main() {}
