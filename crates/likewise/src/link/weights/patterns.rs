//! Pairs whose columns reach the same levels are one pattern, and counted.

use super::candidates::Candidates;
use super::levels::level;

/// The patterns of levels among pairs, in lexicographic order, so that sums over them do not depend on the
/// order of the pairs. There are a few thousand however many pairs there are.
pub(super) struct Patterns {
    columns: usize,
    /// Level codes, pattern by pattern; 0 where a cell is empty.
    codes: Vec<u8>,
    /// How many pairs have the pattern.
    pub counts: Vec<f64>,
    /// The pairs in an order of their own, by rows and then by what they say.
    pub order: Vec<u32>,
    /// The pattern of each pair, in that order.
    pub of: Vec<u32>,
}

impl Patterns {
    pub(super) fn new(candidates: &Candidates, cuts: &[Vec<f64>]) -> Self {
        let columns = cuts.len();
        let mut of_pair: Vec<u8> = Vec::with_capacity(candidates.len() * columns);
        for pair in 0..candidates.len() {
            let seen = candidates.seen(pair).similarities.iter().zip(cuts);
            of_pair.extend(seen.map(|(&s, cuts)| level(cuts.iter().copied(), s)));
        }
        let codes_of = |pair: u32| &of_pair[pair as usize * columns..][..columns];
        let pairs = || 0..u32::try_from(candidates.len()).unwrap_or(u32::MAX);
        let mut by_codes: Vec<u32> = pairs().collect();
        by_codes.sort_unstable_by(|&x, &y| codes_of(x).cmp(codes_of(y)));
        let mut codes: Vec<u8> = Vec::new();
        let mut counts: Vec<f64> = Vec::new();
        let mut pattern_of = vec![0; candidates.len()];
        for &pair in &by_codes {
            if counts.is_empty() || codes[codes.len() - columns..] != *codes_of(pair) {
                codes.extend(codes_of(pair));
                counts.push(0.0);
            }
            let last = counts.len() - 1;
            counts[last] += 1.0;
            pattern_of[pair as usize] = last as u32;
        }
        let mut order: Vec<u32> = pairs().collect();
        let rows = candidates.rows();
        let what = |pair: u32| {
            let seen = candidates.seen(pair as usize);
            seen.similarities.iter().chain(seen.rarities)
        };
        order.sort_unstable_by(|&x, &y| {
            let by_rows = rows[x as usize].cmp(&rows[y as usize]);
            by_rows.then_with(|| what(x).map(|n| n.to_bits()).cmp(what(y).map(|n| n.to_bits())))
        });
        let of = order.iter().map(|&pair| pattern_of[pair as usize]).collect();
        Self { columns, codes, counts, order, of }
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The level of each column, from 1; 0 where a cell is empty.
    pub(super) fn codes(&self, pattern: usize) -> &[u8] {
        &self.codes[pattern * self.columns..][..self.columns]
    }

    /// For each column and level, the sum of what each pattern weighs.
    pub(super) fn sums(&self, cuts: &[Vec<f64>], weight: impl Fn(usize) -> f64) -> Vec<Vec<f64>> {
        let mut sums: Vec<Vec<f64>> = cuts.iter().map(|cuts| vec![0.0; cuts.len()]).collect();
        for pattern in 0..self.len() {
            let weight = weight(pattern);
            for (sums, &code) in sums.iter_mut().zip(self.codes(pattern)) {
                if let Some(at) = usize::from(code).checked_sub(1) {
                    sums[at] += weight;
                }
            }
        }
        sums
    }
}
