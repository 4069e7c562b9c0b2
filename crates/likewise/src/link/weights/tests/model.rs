//! What the model learns from pairs whose truth is known.

use super::made::{LEVELS, M, U, tables};
use crate::link::weights::{Candidates, Options, Weights, bits_of};

fn plain(exclusive: bool) -> Options {
    Options { sharpness: 1.0, exclusive, ..Options::any() }
}

#[track_caller]
fn near(found: f64, wanted: f64, off: f64, what: &str) {
    assert!((found - wanted).abs() <= off, "{what}: {found}, not {wanted}");
}

#[test]
fn known_shares_are_found_again() {
    for exclusive in [false, true] {
        let (pairs, _) = tables(20_000, 5, 0.6, 1);
        let weights = Weights::fit(&pairs, &plain(exclusive));
        near(weights.prior(), 0.12, 0.01, "prior");
        for (c, column) in weights.columns().iter().enumerate() {
            // Similarities between the cuts share a level with the cut below them.
            for (l, &similarity) in LEVELS.iter().enumerate() {
                let level = column.levels.iter().rfind(|level| level.from <= similarity).unwrap();
                let what = format!("{} at {similarity}, exclusive {exclusive}", column.name);
                near(level.m, M[c][l], 0.03, &format!("m of {what}"));
                near(level.u, U[c][l], 0.01, &format!("u of {what}"));
                near(level.bits, (M[c][l] / U[c][l]).log2(), 0.35, &format!("bits of {what}"));
            }
        }
        assert_eq!(weights.warnings(), &[] as &[String]);
    }
}

#[test]
fn probabilities_are_what_they_say() {
    let (pairs, truth) = tables(20_000, 5, 0.6, 2);
    let weights = Weights::fit(&pairs, &plain(true));
    let probabilities = weights.probabilities(&pairs).unwrap();
    for from in [0.05, 0.2, 0.4, 0.6, 0.8, 0.95] {
        let of: Vec<bool> = (0..truth.len())
            .filter(|&p| (from..from + 0.15).contains(&probabilities[p]))
            .map(|p| truth[p])
            .collect();
        let right = of.iter().filter(|&&t| t).count() as f64 / of.len() as f64;
        assert!(right > from - 0.05 && right < from + 0.2, "{right} of those from {from}");
    }
}

#[test]
fn estimates_are_borne_out() {
    let (pairs, truth) = tables(20_000, 5, 0.6, 3);
    let weights = Weights::fit(&pairs, &plain(true));
    let probabilities = weights.probabilities(&pairs).unwrap();
    let matches = truth.iter().filter(|&&t| t).count() as f64;
    for estimate in weights.estimates() {
        let called = |p: &usize| probabilities[*p] >= estimate.probability;
        let pairs = (0..truth.len()).filter(called).count();
        let right = (0..truth.len()).filter(called).filter(|&p| truth[p]).count() as f64;
        assert_eq!(estimate.pairs, pairs);
        if pairs > 0 {
            near(estimate.precision, right / pairs as f64, 0.03, "precision");
            near(estimate.recall, right / matches, 0.03, "recall");
        }
    }
}

/// A family shares its address and name; only who is the same has the same first name, too.
#[test]
fn rivals_tell_a_person_from_a_household() {
    let mut pairs = Candidates::new(["street", "surname", "first"]);
    for left in 0..500u32 {
        for right in 0..8u32 {
            let family = right < 4;
            let first =
                if right == 0 { 1.0 } else { 0.1 + 0.02 * f64::from((left * 7 + right * 3) % 10) };
            let shared = if family { 1.0 } else { 0.1 + 0.02 * f64::from((left + right) % 10) };
            pairs.push(left, left * 8 + right, &[Some(shared), Some(shared), Some(first)]).unwrap();
        }
    }
    let person = [Some(1.0), Some(1.0), Some(1.0)];
    let relative = [Some(1.0), Some(1.0), Some(0.2)];
    let one = Weights::fit(&pairs, &Options::one_to_one());
    assert!(one.probability(&person, &[]).unwrap() > 0.9);
    assert!(one.probability(&relative, &[]).unwrap() < 0.1);
    near(one.prior(), 1.0 / 8.0, 0.01, "prior");
    assert_eq!(one.warnings(), &[] as &[String]);
    // Without rivals it is the household that is found, and a warning says so.
    let any = Weights::fit(&pairs, &Options::any());
    let warnings = any.warnings().join("\n");
    assert!(warnings.contains("Rows would have 4.0 matches each"), "{warnings}");
}

#[test]
fn equally_good_rivals_share_a_probability() {
    let (mut pairs, _) = tables(2000, 5, 0.6, 4);
    for right in 0..2 {
        pairs.push(900_000, 900_000 + right, &[Some(1.0); 3]).unwrap();
    }
    let weights = Weights::fit(&pairs, &Options::one_to_one());
    let probabilities = weights.probabilities(&pairs).unwrap();
    assert!(weights.probability(&[Some(1.0); 3], &[]).unwrap() > 0.9);
    for p in &probabilities[probabilities.len() - 2..] {
        assert!(*p > 0.45 && *p <= 0.5, "{p}");
    }
}

#[test]
fn a_rare_value_counts_more_than_a_common_one() {
    let mut pairs = Candidates::new(["name", "town"]);
    for left in 0..300u32 {
        for right in 0..4u32 {
            let name = if right == 0 { 1.0 } else { f64::from((left + right) % 7) / 10.0 };
            let town = if right < 2 { 1.0 } else { f64::from((left + right) % 5) / 10.0 };
            let rarity = if left % 3 == 0 { 0.1 } else { 0.001 };
            pairs
                .push_with_rarity(left, right, &[Some(name), Some(town)], &[Some(rarity), None])
                .unwrap();
        }
    }
    let weights = Weights::fit(&pairs, &Options::any());
    let equal = [Some(1.0), Some(1.0)];
    let at = |rarity: f64| weights.explain(&equal, &[Some(rarity), Some(rarity)]).unwrap();
    let (rare, common) = (at(0.001), at(0.1));
    // Half of log2(0.1 / 0.001), and only where something was known.
    near(rare.columns[0].rarity - common.columns[0].rarity, 0.5 * 100f64.log2(), 1e-6, "name");
    assert_eq!(rare.columns[1].rarity, 0.0);
    // Not so common that equal weighs less than the level below.
    let below = weights.columns()[0].levels.iter().rev().nth(1).unwrap().bits;
    let all = at(1.0).columns[0];
    assert!(all.bits + all.rarity >= below);
    let unlike = [Some(0.5), Some(1.0)];
    assert_eq!(weights.explain(&unlike, &[Some(0.1), None]).unwrap().columns[0].rarity, 0.0);
}

#[test]
fn what_is_wrong_is_said() {
    let said = |pairs: &Candidates, what: &str| {
        let weights = Weights::fit(pairs, &Options::one_to_one());
        let warnings = weights.warnings().join("\n");
        assert!(warnings.contains(what), "{what}: {warnings}");
    };
    let mut pairs = Candidates::new(["name", "note"]);
    said(&pairs, "There are no pairs");
    pairs.push(0, 0, &[Some(1.0), None]).unwrap();
    said(&pairs, "too few");
    said(&pairs, "Column note is empty in every pair");
    for row in 1..400 {
        pairs.push(row, row, &[Some(0.9 + 0.0001 * f64::from(row)), Some(0.3)]).unwrap();
    }
    said(&pairs, "seem to match");
    said(&pairs, "Column note tells matches from others hardly at all");

    let (pairs, _) = tables(500, 4, 0.5, 5);
    let hasty = Weights::fit(&pairs, &Options { rounds: 1, ..Options::any() });
    assert!(hasty.warnings().iter().any(|w| w.contains("not come to rest after 1 rounds")));
    assert!(!hasty.report().converged);
}

/// Where no row has a match, whatever is found is unsure of itself.
#[test]
fn no_matches_at_all_give_a_warning() {
    let (pairs, _) = tables(5000, 5, 0.0, 10);
    let weights = Weights::fit(&pairs, &Options::one_to_one());
    assert!(!weights.warnings().is_empty(), "{:?}", weights.estimates());
}

#[test]
fn wrong_numbers_of_columns_are_refused() {
    let mut pairs = Candidates::new(["a", "b"]);
    let error = pairs.push(0, 0, &[Some(1.0)]).unwrap_err().to_string();
    assert!(error.starts_with("1 similarities for 2 columns"), "{error}");
    let error = pairs.push_with_rarity(0, 0, &[None, None], &[None]).unwrap_err().to_string();
    assert!(error.starts_with("1 rarities for 2 columns"), "{error}");
    assert!(pairs.is_empty());
    let weights = Weights::fit(&pairs, &Options::any());
    assert!(weights.bits(&[], &[]).is_err());
    let error = weights.all_bits(&Candidates::new(["b", "a"])).unwrap_err().to_string();
    assert!(error.contains("for the columns a, b, the pairs have b, a"), "{error}");
}

#[test]
fn a_threshold_is_a_probability() {
    let (pairs, _) = tables(2000, 5, 0.6, 6);
    let weights = Weights::fit(&pairs, &Options::any());
    let bits = weights.all_bits(&pairs).unwrap();
    let probabilities = weights.probabilities(&pairs).unwrap();
    for at in [0.1, 0.5, 0.99] {
        let by_bits = bits.iter().map(|&b| b >= bits_of(at));
        assert!(by_bits.eq(probabilities.iter().map(|&p| p >= at)));
    }
}
