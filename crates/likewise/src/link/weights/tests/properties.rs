//! What holds for any pairs.

use super::reference::{Made, candidates, pairs};
use crate::link::weights::{Candidates, Options, Weights};
use proptest::prelude::*;

fn any_options() -> impl Strategy<Value = Options> {
    (any::<bool>(), 0.5f64..2.5, 1usize..10).prop_map(|(exclusive, sharpness, halvings)| Options {
        exclusive,
        sharpness,
        halvings,
        rounds: 60,
        ..Options::any()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_order_of_pairs_does_not_matter(
        (made, shuffled) in pairs(3, 60)
            .prop_flat_map(|p| (Just(p.clone()), Just(p).prop_shuffle())),
        options in any_options(),
    ) {
        let (one, other) = (candidates(3, &made), candidates(3, &shuffled));
        let weights = Weights::fit(&one, &options);
        prop_assert_eq!(&weights, &Weights::fit(&other, &options));
        // Nor does it for probabilities: the same pair has the same.
        let sorted = |pairs: &Candidates| {
            let mut all: Vec<_> = pairs.rows().iter().copied()
                .zip(weights.probabilities(pairs).unwrap()).collect();
            all.sort_by(|x, y| x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)));
            all
        };
        prop_assert_eq!(sorted(&one), sorted(&other));
    }

    /// Sums are rounded in another order, which many rounds may magnify: hence few.
    #[test]
    fn the_order_of_columns_does_not_matter(made in pairs(3, 60), options in any_options()) {
        let turned: Vec<Made> = made.iter().map(|(left, right, s)| (*left, *right, vec![s[2], s[0], s[1]])).collect();
        let options = Options { rounds: 8, ..options };
        let one = Weights::fit(&candidates(3, &made), &options);
        let other = Weights::fit(&candidates(3, &turned), &options);
        prop_assert!((one.prior() - other.prior()).abs() < 1e-5);
        for (c, turned) in [(0, 1), (1, 2), (2, 0)] {
            for (x, y) in one.columns()[c].levels.iter().zip(&other.columns()[turned].levels) {
                prop_assert!((x.bits - y.bits).abs() < 1e-3, "{x:?} {y:?}");
            }
        }
    }

    #[test]
    fn terms_add_up_and_empty_cells_add_none(
        made in pairs(3, 60),
        pair in prop::collection::vec(prop::option::of(0.0f64..=1.0), 3),
        rarities in prop::collection::vec(prop::option::of(0.0f64..=1.0), 3),
        options in any_options(),
    ) {
        let mut all = candidates(3, &made);
        all.push_with_rarity(9, 9, &[Some(1.0); 3], &rarities).unwrap();
        let weights = Weights::fit(&all, &options);
        let why = weights.explain(&pair, &rarities).unwrap();
        let sum: f64 = why.columns.iter().map(|c| c.bits + c.rarity).sum();
        prop_assert!((why.prior + sum - why.total).abs() < 1e-9);
        prop_assert_eq!(why.total, weights.bits(&pair, &rarities).unwrap());
        prop_assert_eq!(why.probability, weights.probability(&pair, &rarities).unwrap());
        for (column, similarity) in why.columns.iter().zip(&pair) {
            prop_assert_eq!(column.from.is_none(), similarity.is_none());
            prop_assert!(similarity.is_some() || (column.bits == 0.0 && column.rarity == 0.0));
        }
        let nothing = weights.explain(&[None; 3], &rarities).unwrap();
        prop_assert_eq!(nothing.total, nothing.prior);
    }

    /// A column that is always empty changes nothing.
    #[test]
    fn an_empty_column_is_neutral(made in pairs(2, 60), options in any_options()) {
        let more: Vec<Made> = made.iter().map(|(left, right, s)| (*left, *right, vec![s[0], s[1], None])).collect();
        let two = Weights::fit(&candidates(2, &made), &options);
        let three = Weights::fit(&candidates(3, &more), &options);
        prop_assert_eq!(two.prior(), three.prior());
        prop_assert_eq!(two.columns(), &three.columns()[..2]);
    }

    #[test]
    fn more_similar_is_never_less_probable(
        made in pairs(3, 60),
        column in 0usize..3,
        pair in prop::collection::vec(prop::option::of(0.0f64..=1.0), 3),
        mut ends in (0.0f64..=1.0, prop_oneof![0.0f64..=1.0, Just(1.0)]),
        rarity in prop::option::of(1e-6f64..=1.0),
        options in any_options(),
    ) {
        let mut all = candidates(3, &made);
        all.push_with_rarity(9, 9, &[Some(1.0); 3], &[Some(0.01); 3]).unwrap();
        let weights = Weights::fit(&all, &options);
        if ends.0 > ends.1 {
            ends = (ends.1, ends.0);
        }
        let bits = |similarity: f64| {
            let mut pair = pair.clone();
            pair[column] = Some(similarity);
            weights.bits(&pair, &[rarity; 3]).unwrap()
        };
        prop_assert!(bits(ends.0) <= bits(ends.1) + 1e-9);
    }

    #[test]
    fn every_number_is_finite_and_shares_are_shares(
        made in pairs(3, 40),
        odd in prop::collection::vec(prop_oneof![
            Just(None), Just(Some(f64::NAN)), Just(Some(f64::INFINITY)), Just(Some(-3.0)), Just(Some(1.0)), Just(Some(0.0)),
        ], 3),
        constant: bool,
        options in any_options(),
    ) {
        let mut all = if constant { Candidates::new(["c0", "c1", "c2"]) } else { candidates(3, &made) };
        for row in 0..if constant { made.len() as u32 } else { 1 } {
            all.push(row, 7, &odd).unwrap();
        }
        let weights = Weights::fit(&all, &options);
        prop_assert!(weights.prior() > 0.0 && weights.prior() < 1.0);
        for column in weights.columns() {
            let (m, u) = column.levels.iter().fold((0.0, 0.0), |(m, u), l| (m + l.m, u + l.u));
            prop_assert!((m - 1.0).abs() < 1e-4 && (u - 1.0).abs() < 1e-4);
            prop_assert!(column.levels.iter().all(|l| l.bits.is_finite()));
            prop_assert!(column.levels.windows(2).all(|w| w[0].bits <= w[1].bits));
        }
        for probability in weights.probabilities(&all).unwrap() {
            prop_assert!((0.0..=1.0).contains(&probability));
        }
        for e in weights.estimates() {
            prop_assert!([e.precision, e.recall].iter().all(|s| (0.0..=1.0).contains(s)));
        }
        // What is fitted can be stored.
        let json = serde_json::to_string(&weights).unwrap();
        prop_assert_eq!(serde_json::from_str::<Weights>(&json).unwrap(), weights);
    }

    /// Rows exclude each other: what is expected of them is one match at most.
    #[test]
    fn a_row_has_at_most_one_match(made in pairs(3, 60)) {
        let all = candidates(3, &made);
        let weights = Weights::fit(&all, &Options { rounds: 30, ..Options::one_to_one() });
        let probabilities = weights.probabilities(&all).unwrap();
        for row in 0..8 {
            let of = |side: fn(&(u32, u32)) -> u32| -> f64 {
                all.rows().iter().zip(&probabilities).filter(|(r, _)| side(r) == row).map(|p| p.1).sum()
            };
            prop_assert!(of(|r| r.0) <= 1.0 + 1e-9 && of(|r| r.1) <= 1.0 + 1e-9);
        }
    }
}
