//! The edit distances of any two texts are those of `rapidfuzz`, whichever way round, and whichever
//! limit allows them.

#![no_main]

use json_correctness::{Distance, Limits, damerau_levenshtein};
use libfuzzer_sys::fuzz_target;
use rapidfuzz::distance as peer;

fuzz_target!(|texts: (&[u8], &[u8], u16)| {
    let (a, b, steps) = texts;
    let (x, y) = (a.iter().copied(), b.iter().copied());
    let expected = peer::damerau_levenshtein::distance(x.clone(), y.clone());
    assert_eq!(damerau_levenshtein(a, b), expected);
    assert_eq!(damerau_levenshtein(b, a), expected);
    let little = Limits::default().max_distance_cost(usize::from(steps));
    for (distance, expected) in [
        (Distance::DamerauLevenshtein, expected),
        (Distance::OptimalStringAlignment, peer::osa::distance(x.clone(), y.clone())),
        (Distance::Levenshtein, peer::levenshtein::distance(x.clone(), y.clone())),
    ] {
        let found = distance.between_slices(a, b, &Limits::default());
        assert_eq!(found.ok(), Some(expected), "{distance:?}");
        match distance.between_slices(a, b, &little) {
            Ok(found) => assert_eq!(found, expected, "{distance:?} in {steps} steps"),
            Err(error) => assert!(error.is_limit(), "{error}"),
        }
    }
});
