//! serde and the schema of a type agree on any text, outside the rows of `docs/agreement.md`. The
//! first byte chooses the type, the second strict mode.

#![no_main]

use std::sync::OnceLock;

use json_correctness_tests::{
    rows::classify,
    zoo::{Specimen, specimens},
};
use libfuzzer_sys::fuzz_target;

static SPECIMENS: OnceLock<Vec<Specimen>> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let [choice, strict, rest @ ..] = bytes else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let specimens = SPECIMENS.get_or_init(specimens);
    let specimen = &specimens[usize::from(*choice) % specimens.len()];
    if let Err(why) = classify(specimen, text, strict % 2 == 1) {
        panic!("{}: {why}", specimen.name);
    }
});
