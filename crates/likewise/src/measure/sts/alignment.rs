//! Word alignment: which words of two texts are taken for each other.

/// How words are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// The two most alike first, then the two most alike of the others, and so on.
    Greedy,
    /// So that the similarities of all pairs together are the most there can be.
    Optimal,
}

/// Memory that is used again from pair to pair of texts.
#[derive(Default)]
pub(super) struct Aligner {
    /// How alike each word of one text is to each of the other, row by row.
    pub matrix: Vec<f64>,
    /// Which entries are no more than bounds: never below what they stand for. Either for each entry, or nothing if all are exact.
    pub bounds: Vec<bool>,
    /// The aligned words, in the order they were taken: row, column, similarity.
    pub pairs: Vec<(u32, u32, f64)>,
    /// For each row the best column that is left: what it has and which it is; nothing for rows that are aligned.
    best: Vec<Option<(f64, u32)>>,
    taken: Vec<bool>,
    optimal: Optimal,
}

impl Aligner {
    /// Aligns the rows of the matrix with its columns, as many as the fewer are, and adds up their similarities; `exact` is
    /// asked for entries that are bounds, where they matter. The sum is the same, to the bit, for rows and columns exchanged, if
    /// `Greedy`.
    pub fn align(
        &mut self,
        rows: usize,
        columns: usize,
        method: Method,
        exact: impl FnMut(usize, usize) -> f64,
    ) -> f64 {
        debug_assert_eq!(self.matrix.len(), rows * columns);
        self.pairs.clear();
        match method {
            Method::Greedy => self.greedily(rows, columns, exact),
            Method::Optimal => self.optimally(rows, columns, exact),
        }
        self.pairs.iter().fold(0.0, |sum, (_, _, similarity)| sum + similarity)
    }

    /// Of several that are most alike, the first in the first row: seen from the columns it is the same one, or both are taken one
    /// after the other. Pairs that have nothing in common are left out.
    ///
    /// The first of the largest entries is looked for. If it is a bound, it is made exact, and it is looked for again: so the one that
    /// is taken is the first of the largest, as if all were exact.
    fn greedily(
        &mut self,
        rows: usize,
        columns: usize,
        mut exact: impl FnMut(usize, usize) -> f64,
    ) {
        let Self { matrix, bounds, pairs, best, taken, .. } = self;
        let first_best = |matrix: &[f64], row: usize, taken: &[bool]| {
            let mut most: Option<(f64, u32)> = None;
            let similarities = &matrix[row * columns..][..columns];
            for (column, (&similarity, taken)) in similarities.iter().zip(taken).enumerate() {
                if !taken && most.is_none_or(|(highest, _)| similarity > highest) {
                    most = Some((similarity, column as u32));
                }
            }
            most
        };
        taken.clear();
        taken.resize(columns, false);
        best.clear();
        best.extend((0..rows).map(|row| first_best(matrix, row, taken)));
        let mut left = rows.min(columns);
        while left > 0 {
            let mut most: Option<(f64, usize, u32)> = None;
            for (row, own) in best.iter().enumerate() {
                if let Some((similarity, column)) = *own
                    && most.is_none_or(|(highest, ..)| similarity > highest)
                {
                    most = Some((similarity, row, column));
                }
            }
            let Some((similarity, row, column)) = most.filter(|(most, ..)| *most > 0.0) else {
                break;
            };
            let at = row * columns + column as usize;
            if bounds.get(at) == Some(&true) {
                bounds[at] = false;
                matrix[at] = exact(row, column as usize);
                best[row] = first_best(matrix, row, taken);
                continue;
            }
            left -= 1;
            pairs.push((row as u32, column, similarity));
            taken[column as usize] = true;
            best[row] = None;
            for (row, own) in best.iter_mut().enumerate() {
                if own.is_some_and(|(_, of)| of == column) {
                    *own = first_best(matrix, row, taken);
                }
            }
        }
    }

    fn optimally(
        &mut self,
        rows: usize,
        columns: usize,
        mut exact: impl FnMut(usize, usize) -> f64,
    ) {
        let Self { matrix, bounds, pairs, optimal, .. } = self;
        for (at, _) in bounds.iter().enumerate().filter(|(_, bound)| **bound) {
            matrix[at] = exact(at / columns, at % columns);
        }
        if rows <= columns {
            optimal.assign(rows, columns, |row, column| matrix[row * columns + column]);
        } else {
            optimal.assign(columns, rows, |row, column| matrix[column * columns + row]);
        }
        for (column, row) in optimal.row_of.iter().enumerate().skip(1) {
            if let Some(row) = row.checked_sub(1) {
                let (row, column) = (row, column - 1);
                let (row, column) = if rows <= columns { (row, column) } else { (column, row) };
                pairs.push((row as u32, column as u32, matrix[row * columns + column]));
            }
        }
        pairs.retain(|(.., similarity)| *similarity > 0.0);
        // As they would be named: the most alike first.
        pairs.sort_unstable_by(|x, y| y.2.total_cmp(&x.2).then((x.0, x.1).cmp(&(y.0, y.1))));
    }
}

/// The assignment of rows to columns with the largest sum: rows one by one, each by a shortest path to a column that is free, as
/// Hungarian mathematicians showed (Kuhn 1955, Munkres 1957). O(rows² · columns).
#[derive(Default)]
struct Optimal {
    /// Potentials of rows and columns; the first of each stands for none.
    of_row: Vec<f64>,
    of_column: Vec<f64>,
    /// For each column its row, counted from 1; 0 for none.
    row_of: Vec<usize>,
    /// For each column the least cost of a path to it, the column before it on that path, and whether the path is settled.
    least: Vec<f64>,
    before: Vec<usize>,
    settled: Vec<bool>,
}

impl Optimal {
    /// With no more rows than columns.
    fn assign(&mut self, rows: usize, columns: usize, similarity: impl Fn(usize, usize) -> f64) {
        let Self { of_row, of_column, row_of, least, before, settled } = self;
        of_row.clear();
        of_row.resize(rows + 1, 0.0);
        of_column.clear();
        of_column.resize(columns + 1, 0.0);
        row_of.clear();
        row_of.resize(columns + 1, 0);
        before.clear();
        before.resize(columns + 1, 0);
        for row in 1..=rows {
            row_of[0] = row;
            least.clear();
            least.resize(columns + 1, f64::INFINITY);
            settled.clear();
            settled.resize(columns + 1, false);
            let mut column = 0;
            while row_of[column] != 0 {
                settled[column] = true;
                let (row, mut shortest, mut next) = (row_of[column], f64::INFINITY, 0);
                for other in 1..=columns {
                    if settled[other] {
                        continue;
                    }
                    let cost =
                        1.0 - similarity(row - 1, other - 1) - of_row[row] - of_column[other];
                    if cost < least[other] {
                        (least[other], before[other]) = (cost, column);
                    }
                    if least[other] < shortest {
                        (shortest, next) = (least[other], other);
                    }
                }
                for other in 0..=columns {
                    if settled[other] {
                        of_row[row_of[other]] += shortest;
                        of_column[other] -= shortest;
                    } else {
                        least[other] -= shortest;
                    }
                }
                column = next;
            }
            while column != 0 {
                row_of[column] = row_of[before[column]];
                column = before[column];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(matrix: &[f64], rows: usize, columns: usize, method: Method) -> f64 {
        let mut aligner = Aligner { matrix: matrix.to_vec(), ..Aligner::default() };
        let sum = aligner.align(rows, columns, method, |_, _| unreachable!("all are exact"));
        // Bounds for some entries change nothing, not even in the order.
        let mut others = Aligner::default();
        others.matrix = matrix.iter().map(|entry| (entry * 4.0).ceil() / 4.0).collect();
        others.bounds =
            others.matrix.iter().zip(matrix).map(|(bound, exact)| bound != exact).collect();
        let again = others.align(rows, columns, method, |i, j| matrix[i * columns + j]);
        assert_eq!((again.to_bits(), &others.pairs), (sum.to_bits(), &aligner.pairs));
        let mut met: Vec<(u32, u32)> = aligner.pairs.iter().map(|p| (p.0, p.1)).collect();
        met.sort_unstable();
        for pairs in met.windows(2) {
            assert!(pairs[0].0 < pairs[1].0, "no row twice");
        }
        met.sort_unstable_by_key(|pair| pair.1);
        assert!(met.windows(2).all(|pairs| pairs[0].1 < pairs[1].1), "no column twice");
        sum
    }

    /// The definition: the largest entry, its row and column removed, and again.
    fn slow_greedy(rows: &[Vec<f64>]) -> f64 {
        if rows.is_empty() || rows[0].is_empty() {
            return 0.0;
        }
        let (mut at, mut most) = ((0, 0), f64::NEG_INFINITY);
        for (i, row) in rows.iter().enumerate() {
            for (j, &entry) in row.iter().enumerate() {
                if entry > most {
                    (at, most) = ((i, j), entry);
                }
            }
        }
        let without = |row: &Vec<f64>| {
            row.iter().enumerate().filter(|(j, _)| *j != at.1).map(|(_, e)| *e).collect()
        };
        let rest: Vec<Vec<f64>> =
            rows.iter().enumerate().filter(|(i, _)| *i != at.0).map(|(_, r)| without(r)).collect();
        most + slow_greedy(&rest)
    }

    /// Every way to give rows columns of their own.
    fn slow_optimal(rows: &[Vec<f64>], taken: &mut Vec<usize>) -> f64 {
        let Some((row, rest)) = rows.split_first() else { return 0.0 };
        let mut most = slow_optimal(rest, taken);
        for (column, similarity) in row.iter().enumerate() {
            if !taken.contains(&column) {
                taken.push(column);
                most = most.max(similarity + slow_optimal(rest, taken));
                taken.pop();
            }
        }
        most
    }

    fn matrices() -> impl Strategy<Value = (usize, usize, Vec<f64>)> {
        (1..6usize, 1..6usize).prop_flat_map(|(rows, columns)| {
            // Few numbers, so that there are ties; and any.
            let few = (0..4u32).prop_map(|n| f64::from(n) / 3.0);
            let entry = prop_oneof![3 => few, 1 => 0.0..1.0];
            (Just(rows), Just(columns), prop::collection::vec(entry, rows * columns))
        })
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_the_definition((rows, columns, matrix) in matrices()) {
            let by_row: Vec<Vec<f64>> = matrix.chunks(columns).map(<[f64]>::to_vec).collect();
            let greedy = sum(&matrix, rows, columns, Method::Greedy);
            prop_assert!((greedy - slow_greedy(&by_row)).abs() < 1e-12);
            let optimal = sum(&matrix, rows, columns, Method::Optimal);
            prop_assert!((optimal - slow_optimal(&by_row, &mut Vec::new())).abs() < 1e-9);
            // What is given up by greed is less than half.
            prop_assert!(greedy <= optimal + 1e-9 && greedy >= optimal / 2.0 - 1e-9);
            let turned: Vec<f64> =
                (0..matrix.len()).map(|at| matrix[at % rows * columns + at / rows]).collect();
            prop_assert_eq!(sum(&turned, columns, rows, Method::Greedy).to_bits(), greedy.to_bits());
            prop_assert!((sum(&turned, columns, rows, Method::Optimal) - optimal).abs() < 1e-9);
        }
    }
}
