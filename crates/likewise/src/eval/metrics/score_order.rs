//! Scores as integers that sort the same way.
//!
//! Whole numbers sort about twice as fast as floats compared with `total_cmp`, and equality
//! of two keys is exactly "these scores are tied".

const SIGN: u64 = 1 << 63;

/// A key that is larger for a larger score and equal for tied scores.
///
/// `-0.0` and `0.0` are the same score. A score that is not a number says nothing in favour
/// of its pair, so it ranks at the very bottom, with negative infinity.
pub(super) fn key(score: f64) -> u64 {
    if score.is_nan() {
        return key(f64::NEG_INFINITY);
    }
    // Adding zero turns -0.0 into 0.0 and leaves everything else alone.
    let bits = (score + 0.0).to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

/// The score that a key was made from.
pub(super) fn score(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN })
}

#[cfg(test)]
mod tests {
    use super::{key, score};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_order_as_scores_do_and_lead_back(a: f64, b: f64) {
            prop_assert_eq!(key(a).cmp(&key(b)), a.partial_cmp(&b).unwrap());
            prop_assert_eq!(score(key(a)), a);
        }
    }

    #[test]
    fn both_zeros_are_one_score_and_not_a_number_ranks_last() {
        assert_eq!(key(0.0), key(-0.0));
        assert_eq!(key(f64::NAN), key(f64::NEG_INFINITY));
        assert!(key(f64::NEG_INFINITY) < key(f64::MIN));
    }
}
