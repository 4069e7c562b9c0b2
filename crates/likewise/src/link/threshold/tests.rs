//! Thresholds on made-up scores whose best cut is known.

use super::learn::deal;
use super::*;
use proptest::prelude::*;

/// A hump of scores around `mean`: sums of four evenly spread numbers.
fn hump(rows: u64, mean: f64, width: f64) -> Vec<f64> {
    let even = |n: u64| (mix(n) >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
    let at = |row: u64| (0..4).map(|part| even(4 * row + part)).sum::<f64>();
    (0..rows).map(|row| mean + width * at(row) * 3f64.sqrt()).collect()
}

/// F1 of a threshold, by counting.
fn f1_at(pairs: &[(f64, bool)], min: f64) -> f64 {
    let right = pairs.iter().filter(|p| p.0 >= min && p.1).count() as f64;
    let called = pairs.iter().filter(|p| p.0 >= min).count() as f64;
    let matches = pairs.iter().filter(|p| p.1).count() as f64;
    if right == 0.0 { 0.0 } else { 2.0 * right / (called + matches) }
}

fn labelled() -> impl Strategy<Value = Vec<(f64, bool)>> {
    prop::collection::vec((0u32..12, any::<bool>()), 0..60)
        .prop_map(|all| all.into_iter().map(|(s, l)| (f64::from(s) / 11.0, l)).collect())
}

proptest! {
    #[test]
    fn no_threshold_has_a_better_f1(pairs in labelled()) {
        let learned = learn(&pairs, 4);
        let best = pairs.iter().map(|p| f1_at(&pairs, p.0)).fold(0.0, f64::max);
        prop_assert!((f1_at(&pairs, learned.min) - best).abs() < 1e-12);
        // Of several as good, it is the highest.
        for pair in pairs.iter().filter(|p| p.0 > learned.min) {
            let higher = f1_at(&pairs, pair.0);
            let same_cut = pairs.iter().all(|p| (p.0 >= learned.min) == (p.0 >= pair.0));
            prop_assert!(higher < best || same_cut);
        }
    }

    #[test]
    fn every_pair_is_held_out_once_and_matches_are_dealt_evenly(
        pairs in labelled(),
        folds in 2usize..6,
    ) {
        let fold_of = deal(&pairs, folds);
        for label in [true, false] {
            let sizes: Vec<usize> = (0..folds)
                .map(|f| (0..pairs.len()).filter(|&at| fold_of[at] == f && pairs[at].1 == label).count())
                .collect();
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            prop_assert!(most - least <= 1);
        }
    }

    #[test]
    fn what_is_learned_does_not_depend_on_the_order(pairs in labelled(), folds in 0usize..9) {
        let mut turned = pairs.clone();
        turned.reverse();
        turned.rotate_left(pairs.len() / 3);
        prop_assert_eq!(learn(&pairs, folds), learn(&turned, folds));
    }

    #[test]
    fn a_proposal_does_not_depend_on_the_order(
        scores in prop::collection::vec(0.0f64..1.0, 0..80),
    ) {
        let mut turned = scores.clone();
        turned.reverse();
        prop_assert_eq!(propose(&scores), propose(&turned));
        prop_assert!(propose(&scores).min > 0.0);
    }

    #[test]
    fn no_input_does_harm(
        scores in prop::collection::vec(any::<f64>(), 0..60),
        usual in any::<f64>(),
        folds in any::<usize>(),
    ) {
        for usual in [None, Some(usual)] {
            prop_assert!(propose_around(&scores, usual).min.is_finite());
        }
        let pairs: Vec<(f64, bool)> = scores.iter().map(|&s| (s, s > 1.0)).collect();
        learn(&pairs, folds);
    }
}

#[test]
fn the_cut_lies_between_two_humps() {
    for (low, high, width, share) in
        [(0.3, 0.9, 0.06, 3), (0.4, 0.8, 0.06, 20), (0.2, 0.75, 0.1, 2)]
    {
        let mut scores = hump(3_000, low, width);
        scores.extend(hump(3_000 / share, high, width));
        let fitted = propose_around(&scores, None);
        assert!(fitted.two_groups, "{fitted:?}");
        assert!((fitted.low.mean - low).abs() < 0.02, "{fitted:?}");
        assert!((fitted.high.mean - high).abs() < 0.02, "{fitted:?}");
        // Rarer duplicates need better reasons.
        assert!(fitted.min >= 0.5 * (low + high) - 0.02 && fitted.min < high, "{fitted:?}");
        let pulled = propose(&scores).min;
        assert!((pulled - 0.5 * (fitted.min + USUAL)).abs() < 0.001);
    }
}

#[test]
fn one_hump_is_called_one_hump() {
    for mean in [0.3, 0.5, 0.65, 0.9] {
        let proposal = propose(&hump(3_000, mean, 0.08));
        assert!(!proposal.two_groups, "{proposal:?}");
        assert_eq!(proposal.min, USUAL);
        assert!(proposal.reading.contains("no sign of two groups"));
    }
}

#[test]
fn two_humps_on_one_side_of_the_usual_are_not_duplicates_and_others() {
    let mut scores = hump(1_000, 0.75, 0.02);
    scores.extend(hump(1_000, 0.95, 0.02));
    let proposal = propose(&scores);
    assert_eq!((proposal.two_groups, proposal.min), (false, USUAL));
    assert!(proposal.reading.contains("all lie high"), "{}", proposal.reading);
    assert!(propose_around(&scores, None).two_groups);
}

#[test]
fn nothing_and_all_the_same_are_read_as_such() {
    assert!(propose(&[]).reading.starts_with("0 scores are too few"));
    assert_eq!(propose_around(&[], None).min, USUAL);
    let same = propose(&[0.8; 100]);
    assert_eq!((same.two_groups, same.min, same.share_above), (false, USUAL, 1.0));
    assert_eq!(propose_around(&[0.8; 100], None).min, 0.8);
}

#[test]
fn too_few_matches_are_said_to_be_too_few() {
    assert_eq!(learn(&[], 5).min, f64::INFINITY);
    assert!(learn(&[(0.3, false)], 5).reading.contains("nothing to learn"));
    let one = learn(&[(0.9, true), (0.1, false)], 5);
    assert_eq!((one.min, one.f1), (0.5, 1.0));
    assert!(one.fold_f1.is_empty() && one.reading.contains("One match is too few"));
}

#[test]
fn neighbouring_numbers_are_still_told_apart() {
    let (low, high) = (0.5, f64::from_bits(0.5f64.to_bits() + 1));
    let learned = learn(&[(high, true), (low, false)], 2);
    assert_eq!(learned.min, high);
}

#[test]
fn held_out_figures_are_those_of_thresholds_that_others_chose() {
    // One fold's odd match cannot be found by a threshold chosen without it.
    let mut pairs: Vec<(f64, bool)> = (0..40).map(|n| (0.01 * f64::from(n), false)).collect();
    pairs.extend((0..9).map(|n| (0.9 + 0.01 * f64::from(n), true)));
    pairs.push((0.45, true));
    let learned = learn(&pairs, 10);
    assert_eq!(f1_at(&pairs, learned.min), 1.0);
    assert!(learned.recall < 1.0 && learned.precision == 1.0, "{learned:?}");
    assert_eq!(learned.fold_f1.iter().filter(|f| **f == 0.0).count(), 1);
}
