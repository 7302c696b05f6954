//! Edit distances with swaps over the whole table, 64 cells at once.
//!
//! Let `D(i, j)` be the distance between the first `i` characters of `a` and the first `j` of `b`. As
//! along a row, a column or a diagonal `D` changes by at most 1 (and never falls along a diagonal), a
//! column of the table is held in bits, one per row `i`:
//!
//! - `same`: `D(i, j) = D(i-1, j-1)`;
//! - `rises` and `falls`: `D(i, j) - D(i-1, j)` is 1 or -1.
//!
//! A cell is `same` where `a[i] = b[j]` (counted from 1), where `D(i, j-1)` or `D(i-1, j)` is
//! less than `D(i-1, j-1)`, or where a swap ends that costs no more than `D(i-1, j-1)`. The swaps
//! with deletions between begin in a row `k < i` with `a[k] = b[j]`, end where `a[i] = b[j-1]`, and cost
//! `D(k-1, j-2) + (i - k)`. How much that is above `D(i-1, j-1)` is never negative, as one
//! substitution and `i - k - 1` deletions lead there; with each row that `k` is further away it
//! grows by `1 - (D(i, j-1) - D(i-1, j-1))`, which is never negative either. So a swap that is not free
//! once is never free again, and a bit per cell says all that is to be known:
//!
//! - `deleting(i+1, j)`: `a[i] = b[j]` and `(i, j-1)` is not `same`, or `deleting(i, j)` and
//!   column `j-1` rises at `i`.
//!
//! These are the carries of an addition, and so is what one `same` cell hands down to the next (as in
//! Myers' algorithm for Levenshtein, in the form of Hyyrö). Swaps with insertions between are the
//! same with the texts exchanged; their bits go from column to column:
//!
//! - `inserting(i, j+1)`: `a[i] = b[j]` and `(i-1, j)` is not `same`, or `inserting(i, j)` and
//!   row `i-1` rises at `j`.
//!
//! Gaps on both sides are never needed: pairs of them are substitutions. For optimal string alignment
//! `deleting` is not handed down and `inserting` not needed. A table of `n` rows is worked
//! out in bands of 64 rows, each over all of `b`; the bits that one band hands down to the next are
//! kept per column. That is O(n·m / 64) steps in O(n + m) memory.

/// What a band hands down to the next in one column.
#[derive(Clone, Copy)]
struct Below {
    /// Whether the last row of the band rises or falls.
    rises: bool,
    falls: bool,
    /// Whether the last cell of the band is `same`.
    same: bool,
    /// Whether a swap with deletions between is open.
    deleting: bool,
}

/// The distance of two texts given as numbers, which are best small: memory grows with the largest.
/// With `APART` a swap may be edited further, otherwise only neighbours are swapped.
pub(super) fn distance<const APART: bool>(a: &[u32], b: &[u32]) -> usize {
    // Row 0 rises with every column.
    let mut borders = vec![Below { rises: true, falls: false, same: false, deleting: false }; b.len()];
    let distinct = a.iter().chain(b).max().map_or(0, |id| *id as usize + 1);
    let mut places = vec![0; distinct];
    let mut last = None;
    for rows in a.chunks(64) {
        for (row, id) in rows.iter().enumerate() {
            places[*id as usize] |= 1_u64 << row;
        }
        band::<APART>(&places, rows.len(), last, b, &mut borders);
        for id in rows {
            places[*id as usize] = 0;
        }
        last = rows.last();
    }
    let rises = borders.iter().filter(|below| below.rises).count();
    let falls = borders.iter().filter(|below| below.falls).count();
    a.len() + rises - falls
}

/// Works out one band: `places` are the rows of each character, `last` is that of the row above.
fn band<const APART: bool>(
    places: &[u64],
    height: usize,
    last: Option<&u32>,
    b: &[u32],
    borders: &mut [Below],
) {
    // The column before.
    let (mut rises, mut falls, mut same) = (u64::MAX, 0, 0);
    let (mut equal_before, mut inserting) = (0, 0);
    for (id, border) in b.iter().zip(borders) {
        let above = *border;
        let equal = places[*id as usize];
        let begun = equal & !same;
        let (deleting, deleting_below);
        let mut swapped = 0;
        if APART {
            let (handing, handed) = (begun | rises, u64::from(above.deleting));
            let (sum, over) = handing.overflowing_add(begun);
            let (sum, over_too) = sum.overflowing_add(handed);
            (deleting, deleting_below) = (sum ^ handing ^ begun, over | over_too);
            swapped = down(equal, last == Some(id)) & inserting;
        } else {
            (deleting, deleting_below) = (down(begun, above.deleting), begun >> 63 != 0);
        }
        swapped |= equal_before & deleting;
        let found = equal | swapped | u64::from(above.falls);
        let now = ((found & rises).wrapping_add(rises) ^ rises) | found | falls;
        let (row_rises, row_falls) = (falls | !(now | rises), now & rises);
        let (above_rises, above_falls) = (down(row_rises, above.rises), down(row_falls, above.falls));
        if APART {
            inserting = (equal & !down(now, above.same)) | (inserting & above_rises);
        }
        let bottom = |bits: u64| bits >> (height - 1) & 1 != 0;
        *border = Below {
            rises: bottom(row_rises),
            falls: bottom(row_falls),
            same: bottom(now),
            deleting: deleting_below,
        };
        rises = above_falls | !(now | above_rises);
        falls = now & above_rises;
        same = now;
        equal_before = equal;
    }
}

/// Each bit moved to the next row; `first` is that of the row above the band.
fn down(bits: u64, first: bool) -> u64 {
    bits << 1 | u64::from(first)
}
