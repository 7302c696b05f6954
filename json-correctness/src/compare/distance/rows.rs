//! Unrestricted Damerau-Levenshtein over the whole table, one anti-diagonal after the other.
//!
//! The cells of an anti-diagonal do not depend on one another, so the compiler works out 8 of them
//! or more at once. With `D(i, j)` the distance between the first `i` characters of `a` and the
//! first `j` of `b`, a cell is the least of
//!
//! - `D(i-1, j-1)`, plus 1 unless `a[i] = b[j]` (counted from 1);
//! - `D(i-1, j) + 1` and `D(i, j-1) + 1`;
//! - `D(k-1, j-2) + (i - k)`, where `a[i] = b[j-1]` and `k < i` is the last row with `a[k] = b[j]`: a
//!   swap with deletions between; and the same with the texts exchanged.
//!
//! A swap with gaps on both sides costs no less than substitutions for the one gap, so these two
//! are enough; the last `k` is enough as an earlier one costs as much and leaves more to do. For each column
//! `D(k-1, j-2) - k` of its last equal row is remembered, for each row likewise: O(n) memory.
//! The swap of neighbours is `k = i - 1`.
//!
//! No branch, no load under a condition and no index that the compiler has to check may stand in
//! the inner loop, or it is not vectorised; 16-bit cells are twice as fast as 32-bit ones.

use super::numbered;

/// The longest text whose distances fit the widest cells.
pub(super) const LONGEST: usize = (i32::MAX / 2) as usize - 1;

/// The distance. Equal numbers are equal characters; both texts are no longer than [`LONGEST`].
pub(super) fn damerau_levenshtein(a: &[u32], b: &[u32]) -> usize {
    if a.len().max(b.len()) >= Cells::<i16>::FAR as usize {
        return Cells::<i32>::distance(a, b);
    }
    // The last two numbers of 16 bits stand for no character.
    if a.iter().chain(b).all(|id| *id < u32::from(u16::MAX) - 1) {
        return Cells::<i16>::distance(a, b);
    }
    let [a, b] = numbered(a, b);
    Cells::<i16>::distance(&a, &b)
}

/// The neighbours of a stretch of an anti-diagonal, cell by cell; `a` is read downwards and `b`
/// backwards, so that all go the same way.
struct Around<'a, I> {
    above: &'a [I],
    left: &'a [I],
    corner: &'a [I],
    /// `D(i-2, j-1)` and `D(i-1, j-2)`.
    corner_above: &'a [I],
    corner_left: &'a [I],
    a: &'a [I],
    a_before: &'a [I],
    b: &'a [I],
    b_before: &'a [I],
}

pub(super) struct Cells<I>(std::marker::PhantomData<I>);

macro_rules! cells {
    ($cell:ty) => {
        impl Cells<$cell> {
            /// More than any distance; twice as much still fits.
            const FAR: $cell = <$cell>::MAX / 2;

            pub(super) fn distance(a: &[u32], b: &[u32]) -> usize {
                let (n, m) = (a.len(), b.len());
                // Row `i` stands at index `i + 1`: row -1 is far from everything.
                let mut diagonals: [Vec<$cell>; 4] = std::array::from_fn(|_| vec![Self::FAR; n + 2]);
                let mut columns = vec![Self::FAR; m];
                let mut rows = vec![Self::FAR; n];
                // The character before the first equals none.
                let cut = |id: &u32| *id as $cell;
                let a: Vec<$cell> = std::iter::once(-1).chain(a.iter().map(cut)).collect();
                let b: Vec<$cell> = b.iter().rev().map(cut).chain(std::iter::once(-2)).collect();
                for sum in 0..=n + m {
                    let [current, last, second, third] = &mut diagonals;
                    // Rows of the cells that are not on the border.
                    let (from, to) = (sum.saturating_sub(m).max(1), n.min(sum.saturating_sub(1)));
                    if from <= to {
                        let backwards = m + from - sum;
                        let around = Around {
                            above: &last[from..],
                            left: &last[from + 1..],
                            corner: &second[from..],
                            corner_above: &third[from - 1..],
                            corner_left: &third[from..],
                            a: &a[from..],
                            a_before: &a[from - 1..],
                            b: &b[backwards..],
                            b_before: &b[backwards + 1..],
                        };
                        Self::stretch(
                            &mut current[from + 1..to + 2],
                            &mut columns[backwards..],
                            &mut rows[from - 1..],
                            around,
                            from as $cell,
                            (sum - from) as $cell,
                        );
                    }
                    if sum <= m {
                        current[1] = sum as $cell;
                    }
                    if sum <= n {
                        current[sum + 1] = sum as $cell;
                    }
                    diagonals.rotate_right(1);
                }
                diagonals[1][n + 1] as usize
            }

            #[inline(never)]
            fn stretch(
                current: &mut [$cell],
                columns: &mut [$cell],
                rows: &mut [$cell],
                around: Around<'_, $cell>,
                first_row: $cell,
                first_column: $cell,
            ) {
                let n = current.len();
                let (columns, rows) = (&mut columns[..n], &mut rows[..n]);
                let (above, left, corner) = (&around.above[..n], &around.left[..n], &around.corner[..n]);
                let corner_above = &around.corner_above[..n];
                let corner_left = &around.corner_left[..n];
                let (a, a_before) = (&around.a[..n], &around.a_before[..n]);
                let (b, b_before) = (&around.b[..n], &around.b_before[..n]);
                for x in 0..n {
                    let row = first_row.wrapping_add(x as $cell);
                    let column = first_column.wrapping_sub(x as $cell);
                    let (in_column, in_row) = (columns[x], rows[x]);
                    let (near_left, near_above) = (corner_left[x], corner_above[x]);
                    let equal = a[x] == b[x];
                    let edited = corner[x].wrapping_add(<$cell>::from(!equal));
                    let gap = above[x].min(left[x]).wrapping_add(1);
                    let deleting = in_column.wrapping_add(row);
                    let deleting = if a[x] == b_before[x] { deleting } else { Self::FAR };
                    let inserting = in_row.wrapping_add(column);
                    let inserting = if a_before[x] == b[x] { inserting } else { Self::FAR };
                    current[x] = edited.min(gap).min(deleting.min(inserting));
                    let (now_column, now_row) =
                        (near_left.wrapping_sub(row), near_above.wrapping_sub(column));
                    columns[x] = if equal { now_column } else { in_column };
                    rows[x] = if equal { now_row } else { in_row };
                }
            }
        }
    };
}

cells!(i16);
cells!(i32);
