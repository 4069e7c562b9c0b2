//! The different values of a column, in bounded memory.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// At most so many values are held.
const MOST: usize = 100_000;

/// The hash of a value. Its keys are fixed, so that the same cells always give the same.
pub(super) fn hash(value: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// How often each value occurs, by its hash. Of columns with more values than are held, those are held whose hash ends in
/// `level` zero bits (Wegman's adaptive sampling): which ones does not depend on where they stand, so that a value that repeats
/// is seen to, and two columns hold the same of the values that they share.
#[derive(Debug, Clone, Default)]
pub(super) struct Distinct {
    level: u32,
    held: HashMap<u64, usize>,
    cells: usize,
}

impl Distinct {
    pub fn add(&mut self, value: &str) {
        self.cells += 1;
        let hash = hash(value);
        if !is_held(hash, self.level) {
            return;
        }
        *self.held.entry(hash).or_default() += 1;
        while self.held.len() > MOST {
            self.level += 1;
            self.held.retain(|hash, _| is_held(*hash, self.level));
        }
    }

    /// How many cells there were.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// About how many different values; exactly, if they are all held.
    pub fn distinct(&self) -> usize {
        self.held.len() << self.level
    }

    /// Whether no value that is held occurs twice.
    pub fn all_differ(&self) -> bool {
        self.held.values().all(|cells| *cells == 1)
    }

    /// The share of the cells of both columns whose value the other column has.
    pub fn shared(&self, other: &Self) -> f64 {
        let level = self.level.max(other.level);
        let (mut shared, mut all) = (0, 0);
        for (own, others) in [(self, other), (other, self)] {
            let held = || own.held.iter().filter(|(hash, _)| is_held(**hash, level));
            all += held().map(|(_, cells)| cells).sum::<usize>();
            let of_both = held().filter(|(hash, _)| others.held.contains_key(hash));
            shared += of_both.map(|(_, cells)| cells).sum::<usize>();
        }
        shared as f64 / all.max(1) as f64
    }
}

fn is_held(hash: u64, level: u32) -> bool {
    hash.trailing_zeros() >= level
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: impl Iterator<Item = usize>) -> Distinct {
        let mut values = Distinct::default();
        of.for_each(|value| values.add(&value.to_string()));
        values
    }

    #[test]
    fn few_values_are_counted_and_many_are_estimated() {
        let few = values((0..300_000).map(|i| i % 7));
        assert_eq!((few.distinct(), few.cells(), few.all_differ()), (7, 300_000, false));
        let many = values(0..300_000);
        assert!(
            many.held.len() <= MOST && many.distinct().abs_diff(300_000) < 3_000,
            "{}",
            many.distinct()
        );
        assert!(many.all_differ());
        let twice = values((0..300_000).chain(0..300_000));
        assert!(twice.distinct() == many.distinct() && !twice.all_differ());
    }

    #[test]
    fn the_share_of_shared_cells_is_that_of_the_definition() {
        let share = |a: Distinct, b: Distinct| (a.shared(&b), b.shared(&a));
        assert_eq!(share(values(0..4), values(2..8)), (0.4, 0.4));
        assert_eq!(
            share(values([1, 1, 1, 2].into_iter()), values([1, 3].into_iter())),
            (4.0 / 6.0, 4.0 / 6.0)
        );
        assert_eq!(share(values(0..0), values(0..0)), (0.0, 0.0));
        // 200,000 of 400,000 and of 250,000, whichever way the tables are sorted.
        let (estimate, back) = share(values(0..400_000), values((200_000..450_000).rev()));
        assert!((estimate - 400.0 / 650.0).abs() < 0.02 && estimate == back, "{estimate}");
    }
}
