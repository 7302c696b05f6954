//! Edit distances between texts.

mod diagonals;
#[cfg(test)]
mod tests;
mod words;

use std::{collections::HashMap, hash::Hash};

use crate::{error::Error, text::Limits};

/// An edit distance between two texts, over Unicode scalar values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Distance {
    /// Insertions, deletions, substitutions, and swaps of neighbours that may be edited further
    /// (unrestricted).
    #[default]
    DamerauLevenshtein,
    /// As that, but no part of the text is edited twice.
    OptimalStringAlignment,
    /// Insertions, deletions and substitutions.
    Levenshtein,
}

impl Distance {
    /// The number of edits between two texts.
    ///
    /// # Errors
    ///
    /// Where it takes more than [`Limits::max_distance_cost`] steps ([`Error::is_limit`]).
    ///
    /// ```
    /// use json_correctness::{Distance, Limits};
    /// let limits = Limits::default();
    /// assert_eq!(Distance::DamerauLevenshtein.between("ca", "abc", &limits)?, 2);
    /// assert_eq!(Distance::OptimalStringAlignment.between("ca", "abc", &limits)?, 3);
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    pub fn between(self, a: &str, b: &str, limits: &Limits) -> Result<usize, Error> {
        Ok(self.measured(a, b, limits)?.0)
    }

    /// The number of edits between two slices: of words, lines, tokens, bytes.
    ///
    /// # Errors
    ///
    /// As [`Distance::between`].
    ///
    /// ```
    /// use json_correctness::{Distance, Limits};
    /// let [a, b] = ["to be or not", "to or be not"].map(|text| text.split(' ').collect::<Vec<_>>());
    /// assert_eq!(Distance::DamerauLevenshtein.between_slices(&a, &b, &Limits::default())?, 1);
    /// # Ok::<(), json_correctness::Error>(())
    /// ```
    pub fn between_slices<T>(self, a: &[T], b: &[T], limits: &Limits) -> Result<usize, Error>
    where
        T: Eq + Hash + Copy,
    {
        self.over(a, b, limits.max_distance_cost, numbered).ok_or_else(|| too_far(a.len(), b.len(), limits))
    }

    /// The number of edits divided by the longer length; 0 where both texts are empty.
    ///
    /// # Errors
    ///
    /// As [`Distance::between`].
    pub fn normalized(self, a: &str, b: &str, limits: &Limits) -> Result<f64, Error> {
        let (edits, longer) = self.measured(a, b, limits)?;
        #[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2^32")]
        let ratio = if longer == 0 { 0.0 } else { edits as f64 / longer as f64 };
        Ok(ratio)
    }

    fn measured(self, a: &str, b: &str, limits: &Limits) -> Result<(usize, usize), Error> {
        if a == b {
            return Ok((0, 0));
        }
        let steps = limits.max_distance_cost;
        let (edits, [n, m]) = if a.is_ascii() && b.is_ascii() {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            let ids = |text: &[u8]| text.iter().copied().map(u32::from).collect();
            (self.over(a, b, steps, |a, b| [ids(a), ids(b)]), [a.len(), b.len()])
        } else {
            let [a, b] = [a, b].map(|text| text.chars().collect::<Vec<_>>());
            (self.over(&a, &b, steps, numbered), [a.len(), b.len()])
        };
        edits.map(|edits| (edits, n.max(m))).ok_or_else(|| too_far(n, m, limits))
    }

    /// The number of edits, or `None` where it takes more than `steps`; `ids` is asked for the
    /// characters as small numbers where the whole table is worked out.
    fn over<T: Eq + Copy>(
        self,
        a: &[T],
        b: &[T],
        steps: usize,
        ids: impl FnOnce(&[T], &[T]) -> [Vec<u32>; 2],
    ) -> Option<usize> {
        let prefix = diagonals::common_prefix(a, b);
        let (a, b) = (&a[prefix..], &b[prefix..]);
        let suffix = diagonals::common_suffix(a, b);
        let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
        if a.is_empty() || b.is_empty() {
            return Some(a.len().max(b.len()));
        }
        let Some(left_over) = self.table_steps(a.len(), b.len()).and_then(|table| steps.checked_sub(table))
        else {
            return diagonals::search(self, a, b, steps);
        };
        // Where the table is within the limit, what is spent on the diagonals in vain adds a quarter.
        let attempt = ((steps - left_over) / 4).max(LITTLE).min(left_over);
        diagonals::search(self, a, b, attempt).or_else(|| {
            let [a, b] = ids(a, b);
            Some(match self {
                Self::DamerauLevenshtein => words::distance::<true>(&a, &b),
                Self::OptimalStringAlignment => words::distance::<false>(&a, &b),
                Self::Levenshtein => rapidfuzz::distance::levenshtein::distance(a, b),
            })
        })
    }

    /// The steps that the whole table takes; `None` where there is no such number.
    fn table_steps(self, n: usize, m: usize) -> Option<usize> {
        let of_64_cells = match self {
            Self::DamerauLevenshtein => 6,
            Self::OptimalStringAlignment => 4,
            Self::Levenshtein => 3,
        };
        n.div_ceil(64).checked_mul(m)?.checked_mul(of_64_cells)
    }
}

/// Steps that cost less than setting up the table.
const LITTLE: usize = 2 << 10;

/// The unrestricted Damerau-Levenshtein distance: the fewest insertions, deletions, substitutions,
/// and swaps of neighbours that may be edited further.
///
/// Without a limit: the work grows with the square of the distance, and where there are more edits
/// than some 5% of the characters, with the product of the lengths. [`Distance::between_slices`] ends at a limit. Memory grows with the
/// lengths alone.
///
/// ```
/// use json_correctness::damerau_levenshtein;
/// assert_eq!(damerau_levenshtein(b"ca", b"abc"), 2);
/// assert_eq!(damerau_levenshtein(&["the", "cat", "sat"], &["cat", "the", "sat"]), 1);
/// ```
#[must_use]
pub fn damerau_levenshtein<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> usize {
    let unlimited = usize::MAX;
    Distance::DamerauLevenshtein.over(a, b, unlimited, numbered).unwrap_or(unlimited)
}

/// Each character as the number of its first occurrence in both.
fn numbered<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> [Vec<u32>; 2] {
    let mut ids = HashMap::new();
    [a, b].map(|text| {
        text.iter()
            .map(|character| {
                let next = ids.len() as u32;
                *ids.entry(*character).or_insert(next)
            })
            .collect()
    })
}

fn too_far(n: usize, m: usize, limits: &Limits) -> Error {
    Error::limit(format!(
        "the edit distance of texts with {n} and {m} characters takes more steps than max_distance_cost = {}: \
         raise the limit, or compare field by field with json_diff",
        limits.max_distance_cost
    ))
}
