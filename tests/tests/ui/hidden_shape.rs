use json_correctness::ExpectedSchema;
use serde::Deserialize;

use serde::Deserializer;

fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    bool::deserialize(deserializer)
}

mod module {
    pub(super) use super::read as deserialize;
}

#[derive(Deserialize, ExpectedSchema)]
struct Ticket {
    #[serde(deserialize_with = "read")]
    function: bool,
    #[serde(default, with = "module")]
    module: bool,
}

#[derive(Deserialize, ExpectedSchema)]
enum Choice {
    #[serde(deserialize_with = "read")]
    Variant(bool),
}

fn main() {}
