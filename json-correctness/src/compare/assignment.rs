//! Which elements of two lists belong together: the assignment of the greatest total similarity.

/// Similarities as whole numbers: sums of them do not depend on their order, so the best total is the
/// same for lists in any order.
#[derive(Clone, Copy)]
pub(super) struct Units {
    /// What a similarity of 1 is.
    pub(super) one: i64,
}

impl Units {
    /// As fine as sums of `count` similarities allow, and no finer than the similarities themselves.
    pub(super) fn for_sums_of(count: usize) -> Self {
        Self { one: 1 << (60 - (count.max(1).ilog2() + 1)).min(52) }
    }

    /// A similarity in [0, 1] in units; less than 1 stays less.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "at most 2^52")]
    pub(super) fn of(self, similarity: f64) -> i64 {
        if similarity >= 1.0 {
            return self.one;
        }
        ((similarity * self.one as f64).round() as i64).min(self.one - 1)
    }

    /// The mean of `count` similarities whose sum is `total`.
    #[expect(clippy::cast_precision_loss, reason = "rounded once")]
    pub(super) fn mean(self, total: i64, count: usize) -> f64 {
        total as f64 / self.one as f64 / count as f64
    }
}

/// Pairs as many rows as there are columns, or all of them, so that the sum of their units is the
/// greatest that there is: for each row its column. `units` holds a row behind the other, none of
/// them empty.
///
/// The Hungarian method with potentials: rows are added one by one, each along the shortest path
/// that changes earlier pairs. `O(s² · l)` for the shorter and the longer side. `spend` is told the
/// steps taken and may end the search, which then fails as it does.
pub(super) fn best<E>(
    units: &[i64],
    columns: usize,
    mut spend: impl FnMut(usize) -> Result<(), E>,
) -> Result<Vec<Option<usize>>, E> {
    let rows = units.len() / columns.max(1);
    if rows > columns {
        let turned: Vec<i64> =
            (0..columns).flat_map(|column| (0..rows).map(move |row| units[row * columns + column])).collect();
        let mut pairs = vec![None; rows];
        for (column, row) in best(&turned, rows, spend)?.into_iter().enumerate() {
            if let Some(row) = row {
                pairs[row] = Some(column);
            }
        }
        return Ok(pairs);
    }
    // Row and column 0 stand for none. Cost is what a pair lacks.
    let cost = |row: usize, column: usize| -units[(row - 1) * columns + column - 1];
    let (mut row_potential, mut column_potential) = (vec![0_i64; rows + 1], vec![0_i64; columns + 1]);
    let mut row_of = vec![0; columns + 1];
    let mut came_from = vec![0; columns + 1];
    for row in 1..=rows {
        let mut least = vec![i64::MAX; columns + 1];
        let mut visited = vec![false; columns + 1];
        let mut column = 0;
        row_of[0] = row;
        while row_of[column] != 0 {
            spend(columns)?;
            visited[column] = true;
            let here = row_of[column];
            let (mut step, mut next) = (i64::MAX, 0);
            for other in 1..=columns {
                if visited[other] {
                    continue;
                }
                let reduced = cost(here, other) - row_potential[here] - column_potential[other];
                if reduced < least[other] {
                    least[other] = reduced;
                    came_from[other] = column;
                }
                if least[other] < step {
                    step = least[other];
                    next = other;
                }
            }
            for other in 0..=columns {
                if visited[other] {
                    row_potential[row_of[other]] += step;
                    column_potential[other] -= step;
                } else if other > 0 {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            let before = came_from[column];
            row_of[column] = row_of[before];
            column = before;
        }
    }
    let mut pairs = vec![None; rows];
    for column in 1..=columns {
        if row_of[column] != 0 {
            pairs[row_of[column] - 1] = Some(column - 1);
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest sum, by trying everything.
    fn by_force(units: &[i64], columns: usize, row: usize, used: u32) -> i64 {
        let rows = units.len() / columns;
        if row == rows {
            return 0;
        }
        let mut most = i64::MIN;
        let spare = rows - row > columns - used.count_ones() as usize;
        if spare {
            most = by_force(units, columns, row + 1, used);
        }
        for column in (0..columns).filter(|column| used & 1 << column == 0) {
            let rest = by_force(units, columns, row + 1, used | 1 << column);
            most = most.max(rest + units[row * columns + column]);
        }
        most
    }

    #[test]
    fn the_best_of_all_assignments_up_to_six_by_six() {
        let mut state = 1_u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % end
        };
        for round in 0..1500 {
            let (rows, columns) = (1 + below(6) as usize, 1 + below(6) as usize);
            // Few different values make many ties.
            let values = [2, 4, 1 << 20][round % 3];
            let whole = Units::for_sums_of(6);
            let units: Vec<i64> =
                (0..rows * columns).map(|_| whole.of(below(values) as f64 / (values - 1) as f64)).collect();
            let pairs = best(&units, columns, |_| Ok::<(), ()>(())).expect("no end to the steps");
            assert_eq!(pairs.iter().flatten().count(), rows.min(columns));
            let mut taken: Vec<usize> = pairs.iter().flatten().copied().collect();
            taken.sort_unstable();
            taken.dedup();
            assert_eq!(taken.len(), rows.min(columns), "no column twice");
            let found: i64 = pairs
                .iter()
                .enumerate()
                .filter_map(|(row, column)| Some(units[row * columns + (*column)?]))
                .sum();
            assert_eq!(found, by_force(&units, columns, 0, 0), "{rows}×{columns} {units:?}");
        }
    }

    #[test]
    fn the_steps_can_be_ended() {
        let units = vec![0; 100];
        let mut left = 50_usize;
        let ended = best(&units, 10, |steps| left.checked_sub(steps).map(|rest| left = rest).ok_or("spent"));
        assert_eq!(ended, Err("spent"));
    }
}
