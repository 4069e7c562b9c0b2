//! String similarities as plain functions: two strings in, a number out.
//!
//! Strings are compared character by character as they are given: case, accents and blanks count. All
//! similarities lie in [0, 1], are 1 for equal strings, and 0 as soon as one of the two is empty. Nothing is
//! allocated once a thread is warm.
//!
//! | function | what it is | for |
//! |---|---|---|
//! | [`levenshtein`](fn@levenshtein) | 1 − d / longer length, d edits | misspellings |
//! | [`osa`](fn@osa) | the same, and neighbours may change places | typing errors |
//! | [`jaro`], [`jaro_winkler`] | characters in common, nearly in place | short names |
//! | [`lcs`](fn@lcs) | longest common subsequence / longer length | abbreviations |
//! | [`qgrams`] | shared stretches of q characters | longer strings |
//!
//! To compare many strings with many, with settings, or to search, use a
//! [`Measure`](crate::measure::Measure) of the same name, or a [`TermSimilarity`] of [`crate::term`].

use crate::term::TermSimilarity;
use crate::term::jaro::{Jaro, JaroWinkler};
use crate::term::lcs::{self, Lcs};
use crate::term::levenshtein::{self, Levenshtein};
use crate::term::osa::{self, Osa};
use crate::term::qgrams::Qgrams;
use std::cell::RefCell;

thread_local! {
    static CHARACTERS: RefCell<[Vec<char>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// Calls `compare` with the characters of both strings.
fn with_characters<R>(a: &str, b: &str, compare: impl FnOnce(&[char], &[char]) -> R) -> R {
    CHARACTERS.with_borrow_mut(|[left, right]| {
        for (characters, string) in [(&mut *left, a), (&mut *right, b)] {
            characters.clear();
            characters.extend(string.chars());
        }
        compare(left, right)
    })
}

fn similarity(a: &str, b: &str, similarity: &impl TermSimilarity) -> f64 {
    with_characters(a, b, |a, b| similarity.similarity(a, b))
}

/// The Levenshtein distance: the least number of characters to change, insert or delete.
///
/// ```
/// assert_eq!(likewise::strings::levenshtein_distance("kitten", "sitting"), 3);
/// assert_eq!(likewise::strings::levenshtein_distance("", "né"), 2);
/// ```
pub fn levenshtein_distance(a: &str, b: &str) -> usize {
    with_characters(a, b, levenshtein::distance)
}

/// The Levenshtein similarity: 1 − distance / length of the longer string.
///
/// ```
/// assert_eq!(likewise::strings::levenshtein("kitten", "sitting"), 4.0 / 7.0);
/// ```
pub fn levenshtein(a: &str, b: &str) -> f64 {
    similarity(a, b, &Levenshtein)
}

/// The optimal-string-alignment distance: as [`levenshtein_distance`], and two neighbouring characters may
/// change places at the cost of one edit. No stretch is edited twice.
///
/// ```
/// assert_eq!(likewise::strings::osa_distance("martha", "marhta"), 1);
/// ```
pub fn osa_distance(a: &str, b: &str) -> usize {
    with_characters(a, b, osa::distance)
}

/// The optimal-string-alignment similarity: 1 − distance / length of the longer string.
///
/// ```
/// assert_eq!(likewise::strings::osa("martha", "marhta"), 5.0 / 6.0);
/// ```
pub fn osa(a: &str, b: &str) -> f64 {
    similarity(a, b, &Osa)
}

/// The Jaro similarity: characters in common within a window, and how many of them are out of order.
///
/// ```
/// assert!((likewise::strings::jaro("martha", "marhta") - 0.944).abs() < 0.001);
/// ```
pub fn jaro(a: &str, b: &str) -> f64 {
    similarity(a, b, &Jaro)
}

/// The Jaro-Winkler similarity: [`jaro`], raised where the first four characters agree. With Winkler's
/// constants: 0.1 for each character, only if Jaro is above 0.7.
///
/// ```
/// assert!((likewise::strings::jaro_winkler("martha", "marhta") - 0.961).abs() < 0.001);
/// ```
pub fn jaro_winkler(a: &str, b: &str) -> f64 {
    similarity(a, b, &JaroWinkler::default())
}

/// The length of the longest common subsequence, in characters.
///
/// ```
/// assert_eq!(likewise::strings::lcs_length("street", "str"), 3);
/// ```
pub fn lcs_length(a: &str, b: &str) -> usize {
    with_characters(a, b, lcs::length)
}

/// The length of the longest common subsequence / length of the longer string.
///
/// ```
/// assert_eq!(likewise::strings::lcs("street", "str"), 0.5);
/// ```
pub fn lcs(a: &str, b: &str) -> f64 {
    similarity(a, b, &Lcs)
}

/// The Jaccard coefficient of the two sets of q-grams, without padding. A string shorter than q is its own
/// only gram. [`Qgrams`] has the other coefficients, padding and bags.
///
/// ```
/// // Of ni, ig, gh, ht and na, ac, ch, ht they share one of seven.
/// assert_eq!(likewise::strings::qgrams("night", "nacht", 2), 1.0 / 7.0);
/// ```
pub fn qgrams(a: &str, b: &str, q: usize) -> f64 {
    similarity(a, b, &Qgrams { q, ..Qgrams::default() })
}
