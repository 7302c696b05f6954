//! The engines one by one against rapidfuzz, and what the limit means.

use rapidfuzz::distance as peer;

use super::{Distance, diagonals, words};
use crate::text::Limits;

/// Numbers that are the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn text(&mut self, length: usize, alphabet: usize) -> Vec<u32> {
        (0..length).map(|_| self.below(alphabet) as u32).collect()
    }

    /// `text` after some edits, half of them swaps, of which some are edited further.
    fn edited(&mut self, text: &[u32], edits: usize, alphabet: usize) -> Vec<u32> {
        let mut text = text.to_vec();
        for _ in 0..edits {
            if text.len() < 2 {
                break;
            }
            let at = self.below(text.len() - 1);
            match self.below(8) {
                0 => text.insert(at, self.below(alphabet) as u32),
                1 => text[at] = self.below(alphabet) as u32,
                2 => drop(text.remove(at)),
                3 => {
                    text.swap(at, at + 1);
                    for _ in 0..=self.below(3) {
                        text.insert(at + 1, self.below(alphabet) as u32);
                    }
                }
                4 if at + 4 < text.len() => {
                    text.swap(at, at + 3);
                    text.drain(at + 1..at + 3);
                }
                _ => text.swap(at, at + 1),
            }
        }
        text
    }

    /// Two texts of up to `longest` characters, unrelated or related.
    fn pair(&mut self, longest: usize) -> (Vec<u32>, Vec<u32>) {
        let alphabet = [1, 2, 3, 4, 6, 10, 26, 100, 1000][self.below(9)];
        let length = self.below(longest + 1);
        let a = self.text(length, alphabet);
        let b = if self.below(3) == 0 {
            let length = self.below(longest + 1);
            self.text(length, alphabet)
        } else {
            let most = [4, 12, 60][self.below(3)];
            let edits = self.below(most);
            let mut b = self.edited(&a, edits, alphabet);
            b.truncate(longest);
            b
        };
        (a, b)
    }
}

const ALL: [Distance; 3] =
    [Distance::DamerauLevenshtein, Distance::OptimalStringAlignment, Distance::Levenshtein];

/// Without what both begin and end with; `None` where nothing or one side alone is left.
fn differing<'a>(a: &'a [u32], b: &'a [u32]) -> Option<(&'a [u32], &'a [u32])> {
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
    (!a.is_empty() && !b.is_empty()).then_some((a, b))
}

fn agree(a: &[u32], b: &[u32]) {
    for distance in ALL {
        let (x, y) = (a.iter().copied(), b.iter().copied());
        let expected = match distance {
            Distance::DamerauLevenshtein => peer::damerau_levenshtein::distance(x, y),
            Distance::OptimalStringAlignment => peer::osa::distance(x, y),
            Distance::Levenshtein => peer::levenshtein::distance(x, y),
        };
        let found = distance.between_slices(a, b, &Limits::default()).expect("within the limit");
        assert_eq!(found, expected, "{distance:?} of {a:?} and {b:?}");
        if let Some((a, b)) = differing(a, b) {
            let found = diagonals::search(distance, a, b, usize::MAX);
            assert_eq!(found, Some(expected), "{distance:?} by diagonals of {a:?} and {b:?}");
        }
        let found = match distance {
            Distance::DamerauLevenshtein => words::distance::<true>(a, b),
            Distance::OptimalStringAlignment => words::distance::<false>(a, b),
            Distance::Levenshtein => continue,
        };
        assert_eq!(found, expected, "{distance:?} by words of {a:?} and {b:?}");
    }
}

#[test]
fn random_pairs_as_rapidfuzz() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for round in 0..5_000 {
        let (a, b) = numbers.pair(if round % 50 == 0 { 300 } else { 24 });
        agree(&a, &b);
    }
}

#[test]
#[ignore = "long: run in release"]
fn a_million_random_pairs_as_rapidfuzz() {
    let mut numbers = Numbers(0xD1B5_4A32_D192_ED03);
    for round in 0..1_000_000 {
        let (a, b) = numbers.pair(if round % 4 == 0 { 300 } else { 24 });
        agree(&a, &b);
    }
}

/// Texts, and their three distances in the order of `ALL`.
const BY_HAND: [(&str, &str, [usize; 3]); 12] = [
    ("", "", [0, 0, 0]),
    ("", "abc", [3, 3, 3]),
    ("same", "same", [0, 0, 0]),
    ("ca", "ac", [1, 1, 2]),
    ("ca", "abc", [2, 3, 3]),
    ("abc", "ca", [2, 3, 3]),
    ("a cat", "an abct", [3, 4, 4]),
    ("ab", "bxxxa", [4, 5, 5]),
    ("1010", "1100", [1, 1, 2]),
    ("kitten", "sitting", [3, 3, 3]),
    ("größe", "grßöe", [1, 1, 2]),
    ("🦀🎉", "🎉🦀", [1, 1, 2]),
];

#[test]
fn by_hand() {
    for (a, b, expected) in BY_HAND {
        for (distance, expected) in ALL.into_iter().zip(expected) {
            for (a, b) in [(a, b), (b, a)] {
                let found = distance.between(a, b, &Limits::default()).expect("within the limit");
                assert_eq!(found, expected, "{distance:?} of {a:?} and {b:?}");
            }
        }
    }
}

/// Lengths around those of a word.
#[test]
fn word_borders() {
    const LENGTHS: [usize; 8] = [1, 2, 63, 64, 65, 127, 128, 129];
    let mut numbers = Numbers(7);
    for (n, m) in LENGTHS.into_iter().flat_map(|n| LENGTHS.map(|m| (n, m))) {
        let a = numbers.text(n, 3);
        let mut b = numbers.edited(&a, n / 8, 3);
        b.resize(m, 0);
        agree(&a, &b);
        agree(&a, &numbers.text(m, 3));
    }
}

#[test]
fn the_limit_counts_steps() {
    let limits = Limits::default();
    let mut numbers = Numbers(11);
    let mut text = |length: usize| -> String {
        numbers.text(length, 26).into_iter().map(|id| char::from(b'a' + id as u8)).collect()
    };
    let long = text(1 << 20);
    let mut near = long.clone();
    near.replace_range(1000..1001, "-");
    near.insert(500_000, '-');
    near.truncate(near.len() - 3);
    let far = text(1 << 16);
    for distance in ALL {
        assert_eq!(distance.between(&long, &near, &limits).ok(), Some(5), "{distance:?}");
        let little = Limits::default().max_distance_cost(1_000_000);
        let error = distance.between(&long, &far, &little).expect_err("a million steps are not enough");
        assert!(error.is_limit() && error.to_string().contains("max_distance_cost = 1000000"), "{error}");
    }
    let table = Limits::default().max_distance_cost(60);
    let unrelated = |n| Distance::DamerauLevenshtein.between(&"a".repeat(n), &"b".repeat(n), &table).ok();
    assert_eq!(unrelated(10), Some(10), "10 words of 6 steps");
    assert_eq!(unrelated(11), None);
}
