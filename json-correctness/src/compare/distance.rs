//! Edit distances between texts.

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
    /// The number of edits.
    ///
    /// # Errors
    ///
    /// Where the product of the lengths, without what both texts begin and end with, is larger than
    /// [`Limits::max_distance_cost`] ([`Error::is_limit`]).
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
        if a.is_ascii() && b.is_ascii() {
            return self.over(a.as_bytes(), b.as_bytes(), limits);
        }
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        self.over(&a, &b, limits)
    }

    fn over<T: Eq + Copy + std::hash::Hash>(
        self,
        a: &[T],
        b: &[T],
        limits: &Limits,
    ) -> Result<(usize, usize), Error> {
        let longer = a.len().max(b.len());
        let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let (a, b) = (&a[prefix..], &b[prefix..]);
        let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
        let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
        if a.len().saturating_mul(b.len()) > limits.max_distance_cost {
            return Err(Error::limit(format!(
                "the edit distance of texts with {} and {} different characters costs more than \
                 max_distance_cost = {}: raise the limit, or compare field by field with json_diff",
                a.len(),
                b.len(),
                limits.max_distance_cost
            )));
        }
        let edits = match self {
            _ if a.is_empty() || b.is_empty() => a.len().max(b.len()),
            Self::DamerauLevenshtein => strsim::generic_damerau_levenshtein(a, b),
            Self::OptimalStringAlignment => alignment(a, b),
            Self::Levenshtein => strsim::generic_levenshtein(&Slice(a), &Slice(b)),
        };
        Ok((edits, longer))
    }
}

struct Slice<'a, T>(&'a [T]);

impl<'a, 'b, T> IntoIterator for &'b Slice<'a, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// Optimal string alignment in three rows.
fn alignment<T: Eq + Copy>(a: &[T], b: &[T]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let changed = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + changed);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}
