//! Roughly how alike the most frequent words are to all others: a byte for each pair, found when a corpus is built.
//!
//! Texts are made of frequent words, and these are what takes longest to compare with all others: they have the most neighbours. So what
//! search needs of them, a bound, is at hand. A byte stands for a number that is never below the similarity, not cut at 1, and not above it by more than a
//! seventeenth: twelve steps double it.

/// Of so many words.
pub(super) const MOST: usize = if cfg!(test) { 3 } else { 2048 };
/// How many steps double the number.
const STEPS: f64 = 12.0;
/// What the byte 0 would stand for, if it did not stand for 0.
const LEAST: f64 = 1.0 / 256.0;

/// The byte for a similarity.
pub(super) fn byte(similarity: f64) -> u8 {
    if similarity <= 0.0 {
        return 0;
    }
    let steps = ((similarity / LEAST).log2() * STEPS * (1.0 + 1e-12) + 1e-9).ceil();
    steps.clamp(1.0, 255.0) as u8
}

/// What a byte stands for: never below the similarity it was made of.
pub(super) fn bound(byte: u8) -> f64 {
    match byte {
        0 => 0.0,
        u8::MAX => f64::INFINITY,
        _ => LEAST * (f64::from(byte) / STEPS).exp2(),
    }
}

/// The words that have one: the most frequent, of those as frequent the first, in the order of their numbers.
pub(super) fn words(cf: &[u64]) -> Vec<u32> {
    let mut words: Vec<u32> = (0..cf.len() as u32).collect();
    words.sort_by_key(|&word| (std::cmp::Reverse(cf[word as usize]), word));
    words.truncate(MOST);
    words.sort_unstable();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bounds_are_never_below_and_close(similarity in prop_oneof![0.0..1.0f64, 0.0..2000.0f64, Just(0.0)]) {
            let bound = bound(byte(similarity));
            prop_assert!(bound >= similarity);
            prop_assert!(similarity < LEAST || bound <= similarity * 1.06);
            prop_assert_eq!(similarity == 0.0, bound == 0.0);
        }
    }
}
