//! Edit distances by furthest-reaching points: little work where the texts are nearly equal.
//!
//! `D(i, j)` is the distance between the first `i` characters of `a` and the first `j` of `b`; a
//! diagonal holds the points of one `j - i`. Three facts carry the method:
//!
//! 1. Along a diagonal `D` never falls and rises by at most 1. It rises by at most 1 as one
//!    substitution more is enough. It does not fall: by induction over what an optimal script of
//!    `(i + 1, j + 1)` does last. An insertion or a deletion there leaves a neighbour of `(i, j)`, which
//!    differs from it by at most 1. A swap there that began at `(k, l)` costs
//!    `(i - k) + (j - l) - 1`, neither term less than 1, and no more edits than that lead from `(k, l)`
//!    to `(i, j)`: the larger term is enough of substitutions, insertions and deletions.
//! 2. So one number per diagonal says which points `p` edits reach: the furthest row. From there
//!    equal characters are free and always worth taking.
//! 3. Let a swap begin at `(i, j)`, reached with `p` edits, take `a[i]`, `a[i + 1]` to `b[j + q + 1]`,
//!    `b[j]`, and insert the `q` characters between. It costs `q + 1` edits and ends in row `i + 2` of
//!    the diagonal `j - i + q`. Had `p + s` edits reached row `i + 1` or more on diagonal `j - i + s`
//!    for any `s` up to `q`, then `q - s` insertions and a substitution would lead as far.
//!    So a swap is worth following only while the furthest row stays `i`: it stays "open" from
//!    one diagonal and level to the next, one bit each, and where it closes, the point moves on by two
//!    rows instead of the one of a substitution. Swaps with deletions between are the same with the
//!    texts exchanged. Gaps on both sides are never needed: pairs of them are substitutions.
//!
//! With `d` edits that is O(n + d²) where the texts do not repeat themselves, O(n·d) always, in O(d)
//! memory. The same holds without swaps (Levenshtein) and with swaps of neighbours alone (optimal string
//! alignment, whose swap never stays open).

use super::Distance;

/// What a point costs, in steps (see [`Limits::max_distance_cost`](crate::Limits)).
const POINT: usize = 8;
/// How many equal characters are passed over in one step.
const PASSED: usize = 8;

/// The furthest point of a diagonal.
#[derive(Clone, Copy)]
struct Point {
    row: isize,
    /// How many rows one edit more moves on: 2 where it completes a swap.
    advance: isize,
    /// A swap with insertions between has begun in this row.
    inserting: bool,
    /// A swap with deletions between has begun in this column.
    deleting: bool,
}

impl Point {
    const NONE: Self = Self { row: isize::MIN / 2, advance: 1, inserting: false, deleting: false };
}

/// The distance, or `None` where it takes more than `steps`. `a` and `b` are not empty and begin with
/// different characters.
pub(super) fn search<T: Eq>(distance: Distance, a: &[T], b: &[T], steps: usize) -> Option<usize> {
    match distance {
        Distance::DamerauLevenshtein => levels::<_, true, true>(a, b, steps),
        Distance::OptimalStringAlignment => levels::<_, true, false>(a, b, steps),
        Distance::Levenshtein => levels::<_, false, false>(a, b, steps),
    }
}

fn levels<T: Eq, const SWAPS: bool, const APART: bool>(a: &[T], b: &[T], steps: usize) -> Option<usize> {
    let (n, m) = (a.len().cast_signed(), b.len().cast_signed());
    // From diagonal `low` to `high`, between two that no edit reaches on either side.
    let (mut low, mut high) = (0, 0);
    let mut points = vec![Point::NONE; 5];
    points[2] = settle::<_, SWAPS, APART>(a, b, 0, 0, [Point::NONE; 2]);
    let mut next = Vec::new();
    let mut left_over = steps;
    for level in 1.. {
        let skipped = usize::from(low == -n);
        low = (low - 1).max(-n);
        high = (high + 1).min(m);
        next.clear();
        next.extend([Point::NONE; 2]);
        for (diagonal, near) in (low..=high).zip(points[skipped..].windows(3)) {
            let &[left, here, right] = near else { continue };
            let row = (here.row + here.advance).max(left.row).max(right.row + 1).min(n).min(m - diagonal);
            let (i, j) = (row.cast_unsigned(), (row + diagonal).cast_unsigned());
            let equal = common_prefix(&a[i..], &b[j..]);
            next.push(settle::<_, SWAPS, APART>(a, b, i + equal, j + equal, [left, right]));
            left_over = left_over.checked_sub(POINT + equal / PASSED)?;
        }
        next.extend([Point::NONE; 2]);
        std::mem::swap(&mut points, &mut next);
        let end = m - n;
        if (low..=high).contains(&end) && points[(end - low).cast_unsigned() + 2].row == n {
            return Some(level);
        }
    }
    None
}

/// The point at `a[i]` and `b[j]`, which differ or are not there, and the swaps that go on from it;
/// `sides` are the diagonals to the left and right, with one edit less.
#[inline(always)]
fn settle<T: Eq, const SWAPS: bool, const APART: bool>(
    a: &[T],
    b: &[T],
    i: usize,
    j: usize,
    [left, right]: [Point; 2],
) -> Point {
    let mut point = Point { row: i.cast_signed(), ..Point::NONE };
    if SWAPS && i < a.len() && j < b.len() {
        let down = i + 1 < a.len() && a[i + 1] == b[j];
        let across = j + 1 < b.len() && b[j + 1] == a[i];
        if APART {
            point.inserting = down | (left.inserting & (left.row == point.row));
            point.deleting = across | (right.deleting & (right.row + 1 == point.row));
            point.advance += isize::from((point.inserting & across) | (point.deleting & down));
        } else {
            point.advance += isize::from(down & across);
        }
    }
    point
}

/// How many characters both begin with.
pub(super) fn common_prefix<T: Eq>(a: &[T], b: &[T]) -> usize {
    const BLOCK: usize = 16;
    let few = a.iter().zip(b).take(BLOCK).take_while(|(x, y)| x == y).count();
    if few < BLOCK {
        return few;
    }
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK)).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[blocks * BLOCK..], &b[blocks * BLOCK..]);
    blocks * BLOCK + a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

/// How many characters both end with.
pub(super) fn common_suffix<T: Eq>(a: &[T], b: &[T]) -> usize {
    const BLOCK: usize = 16;
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK)).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - blocks * BLOCK], &b[..b.len() - blocks * BLOCK]);
    blocks * BLOCK + a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count()
}
