use json_correctness::ExpectedSchema;
use serde::Deserialize;

#[derive(ExpectedSchema)]
union Memory {
    integer: u32,
    number: f32,
}

fn unused() {
    let _: Option<Deserialization> = None;
}

#[derive(Deserialize)]
struct Deserialization;

fn main() {}
