use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[expected(range(min = 10, max = 1))]
    swapped: i32,
    #[expected(range(min = 1, exclusive_max = 1))]
    open: i32,
    #[expected(range(min = 1, exclusive_min = 0))]
    both: i32,
    #[expected(range())]
    none: i32,
    #[expected(range(min = 1, min = 2))]
    twice: i32,
    #[expected(length(min = 3, max = 2))]
    length: String,
    #[expected(length(equal = 3, max = 4))]
    equal: String,
    #[expected(length(min = -1))]
    negative: String,
}

fn main() {}
