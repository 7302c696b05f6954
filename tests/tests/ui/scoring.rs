use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(comparison = "levenstein")]
    misspelt: String,
    #[expected(comparison = "levenshtein")]
    number: f64,
    #[expected(comparison = "numeric")]
    text: String,
    #[expected(tolerance = -1)]
    negative: f64,
    #[expected(tolerance = 1)]
    of_text: String,
    #[expected(align = "unorderd")]
    list: Vec<u8>,
    #[expected(align = "unordered")]
    not_a_list: u8,
}

fn main() {}
