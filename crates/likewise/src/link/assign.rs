//! Each row with at most one of the other table.
//!
//! Where two tables hold the same things once each, the best decision is not the sum of the best single
//! decisions: two left rows may both be most like the same right row. [`one_to_one`] chooses the pairs so
//! that no row is used twice and the scores add up to as much as possible.
//!
//! Rows that no chain of pairs connects have nothing to do with each other, so every connected component is
//! solved on its own, in parallel. For a component of n rows and e pairs the exact way (shortest augmenting
//! paths with potentials) takes at most O(n · e · log n), and far less where most rows have one clear
//! partner. Components above a limit take the greedy way, O(e · log e): best pair first, which gets at least
//! half of the largest total, and in practice nearly all of it.

use super::components::Components;
use super::{Pair, best_of_each};
use rayon::prelude::*;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A limit for [`one_to_one`] that stays fast: components of up to this many rows are solved exactly.
///
/// Measured on one core without optimisation, a component of 1,000 left and 1,000 right rows takes 0.03 s with
/// ten pairs a row and 1 s with all 1,000, and half a minute if all 1,000 score so that every row wants the
/// same partners in the same order, which is the worst case known. With few pairs a row a limit of 10,000 is
/// fast as well (0.2 s at ten pairs a row).
pub const SMALL: usize = 2_000;

/// The pairs that were chosen, and how. See [`one_to_one`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Assignment {
    /// The chosen pairs in the order of their left rows.
    pub pairs: Vec<Pair>,
    /// How many connected components were solved exactly.
    pub optimal_components: usize,
    /// How many were too large for that and were solved greedily.
    pub greedy_components: usize,
    /// The number of rows in the largest of those; 0 if there is none.
    pub largest_greedy: usize,
}

impl Assignment {
    /// The sum of the scores.
    ///
    /// ```
    /// use likewise::link::{Pair, assign, one_to_one};
    /// let pairs = [Pair::new(0, 0, 0.5), Pair::new(1, 1, 0.25)];
    /// assert_eq!(one_to_one(&pairs, assign::SMALL).total(), 0.75);
    /// ```
    pub fn total(&self) -> f64 {
        self.pairs.iter().fold(0.0, |sum, p| sum + p.score)
    }
}

/// Chooses pairs so that each left row and each right row occurs at most once and the total score is as
/// large as possible: exactly (but for rounding) in connected components of at most `limit` rows, left and
/// right together, and greedily in larger ones, with at least half of the largest total. [`SMALL`] is a
/// good limit; `usize::MAX` always gives the best total, 0 always the greedy choice.
///
/// Of two pairs of the same rows the better counts. Pairs that score 0 or less cannot raise a total and are
/// never chosen, nor are those whose score is not finite. If several choices have the best total, which of
/// them comes out depends on the row numbers only, not on the order of the input.
///
/// ```
/// use likewise::link::{Pair, assign, one_to_one};
///
/// // Both left rows are most like right row 0. Giving it to row 0 would leave row 1 with nothing.
/// let pairs = [Pair::new(0, 0, 0.9), Pair::new(0, 1, 0.8), Pair::new(1, 0, 0.7)];
/// let best = one_to_one(&pairs, assign::SMALL);
/// assert_eq!(best.pairs, [pairs[1], pairs[2]]);
///
/// let greedy = one_to_one(&pairs, 0);
/// assert_eq!(greedy.pairs, [pairs[0]]);
/// assert_eq!((greedy.greedy_components, greedy.largest_greedy), (1, 4));
/// ```
pub fn one_to_one(pairs: &[Pair], limit: usize) -> Assignment {
    let mut pairs: Vec<Pair> =
        pairs.iter().filter(|p| p.score > 0.0 && p.score.is_finite()).copied().collect();
    best_of_each(&mut pairs);
    let solved: Vec<(usize, Vec<Pair>)> = split(&pairs)
        .into_par_iter()
        .map(|component| {
            let graph = Graph::new(&component);
            let rows = graph.lefts.len() + graph.rights.len();
            (rows, if rows <= limit { graph.best() } else { graph.greedy() })
        })
        .collect();
    let mut found = Assignment::default();
    for (rows, chosen) in solved {
        found.pairs.extend(chosen);
        if rows <= limit {
            found.optimal_components += 1;
        } else {
            found.greedy_components += 1;
            found.largest_greedy = found.largest_greedy.max(rows);
        }
    }
    found.pairs.sort_unstable_by_key(|p| p.left);
    found
}

/// The numbers that occur, ascending and once.
fn distinct(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut all: Vec<u32> = numbers.collect();
    all.par_sort_unstable();
    all.dedup();
    all
}

/// The place of a row among the rows that occur. It is always there.
fn place(of: u32, among: &[u32]) -> usize {
    among.partition_point(|&row| row < of)
}

/// The pairs of each connected component, sorted by rows if the pairs are.
fn split(pairs: &[Pair]) -> Vec<Vec<Pair>> {
    let lefts = distinct(pairs.iter().map(|p| p.left));
    let rights = distinct(pairs.iter().map(|p| p.right));
    let mut components = Components::new(lefts.len() + rights.len());
    let left_place = |p: &Pair| place(p.left, &lefts) as u32;
    for pair in pairs {
        components.join(left_place(pair), (lefts.len() + place(pair.right, &rights)) as u32);
    }
    // The smallest number of a component is that of a left row.
    let mut number_of: Vec<usize> = vec![usize::MAX; lefts.len()];
    let mut split: Vec<Vec<Pair>> = Vec::new();
    for pair in pairs {
        let number = &mut number_of[components.first(left_place(pair)) as usize];
        if *number == usize::MAX {
            *number = split.len();
            split.push(Vec::new());
        }
        split[*number].push(*pair);
    }
    split
}

/// A connected component with its rows numbered from 0.
struct Graph<'a> {
    pairs: &'a [Pair],
    lefts: Vec<u32>,
    rights: Vec<u32>,
}

/// No row.
const NONE: usize = usize::MAX;

impl<'a> Graph<'a> {
    fn new(pairs: &'a [Pair]) -> Self {
        Self {
            pairs,
            lefts: distinct(pairs.iter().map(|p| p.left)),
            rights: distinct(pairs.iter().map(|p| p.right)),
        }
    }

    fn places(&self, pair: &Pair) -> (usize, usize) {
        (place(pair.left, &self.lefts), place(pair.right, &self.rights))
    }

    /// Best pair first, each row once. Whatever pair of the best choice is missed was blocked by one that
    /// scores no less, and one pair blocks at most two: hence at least half of the best total.
    fn greedy(&self) -> Vec<Pair> {
        let mut order: Vec<&Pair> = self.pairs.iter().collect();
        order.sort_by(|x, y| y.score.total_cmp(&x.score));
        let mut left_used = vec![false; self.lefts.len()];
        let mut right_used = vec![false; self.rights.len()];
        let mut chosen = Vec::new();
        for pair in order {
            let (left, right) = self.places(pair);
            if !left_used[left] && !right_used[right] {
                left_used[left] = true;
                right_used[right] = true;
                chosen.push(*pair);
            }
        }
        chosen
    }

    /// The choice with the largest total.
    fn best(&self) -> Vec<Pair> {
        if let [only] = self.pairs {
            return vec![*only];
        }
        // One search for each row of one side: take the shorter.
        let turned = self.rights.len() < self.lefts.len();
        let (n, m) = if turned {
            (self.rights.len(), self.lefts.len())
        } else {
            (self.lefts.len(), self.rights.len())
        };
        // Sums of very large scores must not overflow.
        let largest = self.pairs.iter().fold(0.0, |most: f64, p| most.max(p.score));
        let scale = if largest > 1e100 { 2f64.powi(-1000) } else { 1.0 };
        let mut edges: Vec<Vec<(usize, f64, usize)>> = vec![Vec::new(); n];
        for (at, pair) in self.pairs.iter().enumerate() {
            let (left, right) = self.places(pair);
            let (row, column) = if turned { (right, left) } else { (left, right) };
            edges[row].push((column, pair.score * scale, at));
        }
        let mut search = Search::new(edges, m);
        for row in 0..n {
            search.add(row);
        }
        search.pair_of_row.iter().filter(|&&at| at != NONE).map(|&at| self.pairs[at]).collect()
    }
}

/// Shortest augmenting paths. Costs are negative scores, and every row may also stay alone at cost 0. Rows
/// are added one by one; the matching of the rows so far is always the cheapest there is. The potentials
/// prove it: a cost less the potentials of its row and column is never negative, and 0 in the matching.
struct Search {
    /// For each row: column, score and number of the pair.
    edges: Vec<Vec<(usize, f64, usize)>>,
    pair_of_row: Vec<usize>,
    row_of_column: Vec<usize>,
    row_potential: Vec<f64>,
    column_potential: Vec<f64>,
    /// Of the search under way, for each column: the distance, the row it is reached from and by which
    /// pair, and whether that is final. `touched` lists the columns that have to be reset.
    distance: Vec<f64>,
    from: Vec<(usize, usize)>,
    is_final: Vec<bool>,
    touched: Vec<usize>,
}

/// A column to be visited: the nearest first. Of several a free one, which ends the search: many rows with
/// one and the same text would be visited in vain otherwise. Then the first.
#[derive(PartialEq)]
struct Visit {
    distance: f64,
    taken: bool,
    column: usize,
}

impl Eq for Visit {}
impl Ord for Visit {
    fn cmp(&self, other: &Self) -> Ordering {
        let nearer = self.distance.total_cmp(&other.distance);
        nearer.then((self.taken, self.column).cmp(&(other.taken, other.column)))
    }
}
impl PartialOrd for Visit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Search {
    fn new(edges: Vec<Vec<(usize, f64, usize)>>, columns: usize) -> Self {
        Self {
            pair_of_row: vec![NONE; edges.len()],
            row_of_column: vec![NONE; columns],
            row_potential: vec![0.0; edges.len()],
            column_potential: vec![0.0; columns],
            distance: vec![f64::INFINITY; columns],
            from: vec![(NONE, NONE); columns],
            is_final: vec![false; columns],
            touched: Vec::new(),
            edges,
        }
    }

    /// Adds a row: the cheapest way to give it a column, moving others, or to leave one row alone.
    fn add(&mut self, start: usize) {
        let cheapest = self.edges[start]
            .iter()
            .map(|&(column, score, _)| -score - self.column_potential[column])
            .fold(0.0, f64::min);
        self.row_potential[start] = cheapest;
        let mut heap: BinaryHeap<Reverse<Visit>> = BinaryHeap::new();
        // Rows visited, with their distances and the columns by which they were reached.
        let mut rows: Vec<(usize, f64)> = Vec::new();
        let mut visited: Vec<usize> = Vec::new();
        // Where the path ends: leaving a row alone, or a free column.
        let mut alone = (f64::INFINITY, NONE);
        let (mut row, mut base) = (start, 0.0);
        let (length, end) = loop {
            rows.push((row, base));
            let to_stay_alone = base - self.row_potential[row];
            if to_stay_alone < alone.0 {
                alone = (to_stay_alone, row);
            }
            for &(column, score, pair) in &self.edges[row] {
                if self.is_final[column] {
                    continue;
                }
                let reduced = -score - self.row_potential[row] - self.column_potential[column];
                // Rounding may leave a trace below 0.
                let distance = base + reduced.max(0.0);
                if distance < self.distance[column] && distance <= alone.0 {
                    if self.distance[column] == f64::INFINITY {
                        self.touched.push(column);
                    }
                    self.distance[column] = distance;
                    self.from[column] = (row, pair);
                    let taken = self.row_of_column[column] != NONE;
                    heap.push(Reverse(Visit { distance, taken, column }));
                }
            }
            let next = loop {
                match heap.pop() {
                    Some(Reverse(visit)) if self.is_final[visit.column] => {}
                    other => break other.map(|Reverse(visit)| visit),
                }
            };
            let Some(Visit { distance, taken, column }) = next.filter(|v| v.distance <= alone.0)
            else {
                break (alone.0, NONE);
            };
            if !taken {
                break (distance, column);
            }
            self.is_final[column] = true;
            visited.push(column);
            (row, base) = (self.row_of_column[column], distance);
        };
        for &(row, base) in &rows {
            self.row_potential[row] += length - base;
        }
        for &column in &visited {
            self.column_potential[column] -= length - self.distance[column];
        }
        self.augment(start, alone.1, end);
        for column in self.touched.drain(..) {
            self.distance[column] = f64::INFINITY;
            self.is_final[column] = false;
        }
    }

    /// Takes over the path that ends in the free column `end` or, if that is none, in the row `alone`.
    fn augment(&mut self, start: usize, alone: usize, end: usize) {
        let mut column = end;
        if column == NONE {
            if alone == start {
                return;
            }
            // The row gives up its column, which then is the end of the path.
            let given_up = self.edges[alone].iter().find(|e| e.2 == self.pair_of_row[alone]);
            self.pair_of_row[alone] = NONE;
            let Some(&(free, _, _)) = given_up else { return };
            column = free;
        }
        loop {
            let (row, pair) = self.from[column];
            let before = std::mem::replace(&mut self.pair_of_row[row], pair);
            self.row_of_column[column] = row;
            if row == start {
                return;
            }
            let Some(&(next, _, _)) = self.edges[row].iter().find(|e| e.2 == before) else {
                return;
            };
            column = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The largest total over all ways to choose pairs without using a row twice.
    fn by_trying_all(pairs: &[Pair]) -> f64 {
        let Some((first, rest)) = pairs.split_first() else { return 0.0 };
        let free: Vec<Pair> = rest
            .iter()
            .filter(|p| p.left != first.left && p.right != first.right)
            .copied()
            .collect();
        by_trying_all(rest).max(first.score + by_trying_all(&free))
    }

    fn each_row_once(pairs: &[Pair]) -> bool {
        let once = |rows: Vec<u32>| distinct(rows.iter().copied()).len() == rows.len();
        once(pairs.iter().map(|p| p.left).collect())
            && once(pairs.iter().map(|p| p.right).collect())
    }

    /// Few rows and few scores, so that there are ties and repeated pairs; some score 0 or less.
    fn few_pairs() -> impl Strategy<Value = Vec<Pair>> {
        let pair = (0u32..6, 0u32..6, -1i32..9);
        prop::collection::vec(pair, 0..14).prop_map(|all| {
            all.into_iter().map(|(l, r, s)| Pair::new(l * 7, r * 3, f64::from(s) / 8.0)).collect()
        })
    }

    fn any_pairs(rows: u32, most: usize) -> impl Strategy<Value = Vec<Pair>> {
        prop::collection::vec((0..rows, 0..rows, 0.001f64..1.0), 0..most)
            .prop_map(|all| all.into_iter().map(|(l, r, s)| Pair::new(l, r, s)).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

        #[test]
        fn the_total_is_the_largest_there_is(pairs in few_pairs()) {
            let found = one_to_one(&pairs, usize::MAX);
            prop_assert!(each_row_once(&found.pairs));
            prop_assert!(found.pairs.iter().all(|p| pairs.contains(p)));
            // These scores are eighths, so sums are exact.
            prop_assert_eq!(found.total(), by_trying_all(&pairs));
            prop_assert_eq!(found.greedy_components, 0);
        }

        #[test]
        fn the_total_is_the_largest_for_scores_of_any_kind(pairs in any_pairs(5, 13)) {
            let found = one_to_one(&pairs, usize::MAX);
            prop_assert!((found.total() - by_trying_all(&pairs)).abs() < 1e-12);
        }

        #[test]
        fn greedy_gets_at_least_half(pairs in few_pairs()) {
            let greedy = one_to_one(&pairs, 0);
            prop_assert!(each_row_once(&greedy.pairs));
            prop_assert!(2.0 * greedy.total() >= by_trying_all(&pairs));
            prop_assert_eq!(greedy.optimal_components, 0);
        }

        #[test]
        fn the_order_of_input_and_the_number_of_threads_change_nothing(
            pairs in any_pairs(40, 120),
            limit in 0usize..60,
        ) {
            let mut turned = pairs.clone();
            turned.reverse();
            turned.rotate_left(pairs.len() / 3);
            let straight = one_to_one(&pairs, limit);
            prop_assert_eq!(&straight, &one_to_one(&turned, limit));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            prop_assert_eq!(&straight, &pool.install(|| one_to_one(&pairs, limit)));
        }

        #[test]
        fn swapping_the_tables_keeps_the_total(pairs in any_pairs(12, 60)) {
            let swapped: Vec<Pair> =
                pairs.iter().map(|p| Pair::new(p.right, p.left, p.score)).collect();
            let (one, other) = (one_to_one(&pairs, SMALL), one_to_one(&swapped, SMALL));
            prop_assert!((one.total() - other.total()).abs() < 1e-9);
            prop_assert!(one.total() + 1e-9 >= one_to_one(&pairs, 0).total());
        }
    }

    #[test]
    fn only_components_above_the_limit_are_greedy() {
        // A component of four rows, of two, and of three.
        let pairs = [
            Pair::new(0, 0, 0.9),
            Pair::new(0, 1, 0.8),
            Pair::new(1, 0, 0.8),
            Pair::new(5, 5, 0.1),
            Pair::new(7, 7, 0.3),
            Pair::new(7, 8, 0.4),
        ];
        let found = one_to_one(&pairs, 3);
        assert_eq!(found.pairs, [pairs[0], pairs[3], pairs[5]]);
        assert_eq!((found.optimal_components, found.greedy_components), (2, 1));
        assert_eq!(found.largest_greedy, 4);
    }

    #[test]
    fn strange_scores_do_no_harm() {
        let strange = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, -0.0];
        let mut pairs: Vec<Pair> = strange.iter().map(|&s| Pair::new(1, 1, s)).collect();
        assert_eq!(one_to_one(&pairs, SMALL), Assignment::default());
        pairs.extend([Pair::new(0, 0, f64::MAX), Pair::new(0, 1, f64::MAX)]);
        pairs.extend([Pair::new(1, 0, f64::MAX), Pair::new(2, 1, f64::MIN_POSITIVE)]);
        pairs.push(Pair::new(u32::MAX, u32::MAX, 5e-324));
        assert_eq!(one_to_one(&pairs, SMALL).pairs.len(), 3);
    }
}
