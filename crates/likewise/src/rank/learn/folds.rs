//! Folds of a cross-validation: a group is never cut, and each fold gets its share of positive examples.

use super::{Examples, Random};

/// The fold of each example, below `folds`. Groups are dealt out in random order, the largest first, each to the fold that has
/// the fewest positive examples and then the fewest at all.
///
/// ```
/// use likewise::rank::learn::{Examples, folds};
///
/// let mut examples = Examples::new(1);
/// for at in 0..30 {
///     examples.push(&[0.0], f64::from(at % 3 == 0), at / 3);
/// }
/// let fold = folds(&examples, 5, 1);
/// // The three examples of a group are in one fold, and each fold has two of the ten groups.
/// assert!((0..30).all(|at| fold[at] == fold[at / 3 * 3]));
/// assert!((0..5).all(|f| fold.iter().filter(|&&own| own == f).count() == 6));
/// ```
pub fn folds(examples: &Examples, folds: usize, seed: u64) -> Vec<usize> {
    let folds = folds.max(1);
    let mut order: Vec<usize> = (0..examples.len()).collect();
    order.sort_by_key(|&at| examples.groups()[at]);
    let mut groups: Vec<&[usize]> =
        order.chunk_by(|&a, &b| examples.groups()[a] == examples.groups()[b]).collect();
    Random::new(seed, 0xf01d).shuffle(&mut groups);
    let positives =
        |group: &[usize]| group.iter().filter(|&&at| examples.targets()[at] > 0.5).count();
    groups.sort_by_key(|group| std::cmp::Reverse((positives(group), group.len())));
    let (mut held, mut fold) = (vec![(0, 0); folds], vec![0; examples.len()]);
    for group in groups {
        let own = positives(group);
        // A group without positive examples goes where there are the fewest examples.
        let load = |f: &usize| {
            let (positive, all): (usize, usize) = held[*f];
            (if own > 0 { positive } else { 0 }, all, *f)
        };
        let least = (0..folds).min_by_key(load).unwrap_or(0);
        held[least].0 += own;
        held[least].1 += group.len();
        group.iter().for_each(|&at| fold[at] = least);
    }
    fold
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_group_is_cut_and_positives_are_spread(
            examples in proptest::collection::vec((0u32..20, any::<bool>()), 1..80),
            seed in any::<u64>(),
        ) {
            let mut all = Examples::new(0);
            examples.iter().for_each(|&(group, label)| all.push(&[], f64::from(label), group));
            let fold = folds(&all, 4, seed);
            for (a, b) in (0..all.len()).flat_map(|a| (0..all.len()).map(move |b| (a, b))) {
                if all.groups()[a] == all.groups()[b] {
                    prop_assert_eq!(fold[a], fold[b]);
                }
            }
            prop_assert_eq!(&fold, &folds(&all, 4, seed));
            let largest = (0..20).map(|g| {
                (0..all.len()).filter(|&at| all.groups()[at] == g && all.targets()[at] > 0.5).count()
            }).max().unwrap_or(0);
            let of = |f| (0..all.len()).filter(|&at| fold[at] == f && all.targets()[at] > 0.5).count();
            let counts: Vec<usize> = (0..4).map(of).collect();
            let spread = counts.iter().max().unwrap() - counts.iter().min().unwrap();
            prop_assert!(spread <= largest.max(1), "{counts:?}");
        }
    }
}
