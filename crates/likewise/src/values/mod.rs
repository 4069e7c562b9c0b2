//! What cells of a table mean that are not texts: numbers, dates, phone numbers and codes, sets, exact values.
//!
//! Two cells of a column come as text. A comparator reads each of them once into a small prepared form and then compares
//! prepared forms; nothing is allocated for a pair once a thread is warm. Similarities lie in [0, 1], do not depend on the
//! order of the two cells, and are 1 for a cell and itself. As measures they have the same names: `number(tolerance=2)`.
//!
//! | comparator | what is compared | 1 | falls to 0 |
//! |---|---|---|---|
//! | [`Exact`] | the text | equal | at once |
//! | [`Number`] | value, currency, unit | equal values | linearly, by absolute or relative difference |
//! | [`Date`] | year, month, day | the same date, as far as both go | by a small table of typing errors, or linearly in days |
//! | [`Digits`] | the digits of phone numbers and codes | the same digits | with the square of the edit distance |
//! | [`Set`] | the values of a cell that holds several | the same values | with the Jaccard coefficient |
//!
//! A cell that holds no value of its kind (it is empty, says `n/a`, or cannot be read) is *missing*: it has no prepared form,
//! and a pair with it has no score. As measures they give 0 then, and
//! [`Scorer::has_value`](crate::measure::Scorer::has_value) tells it from a score.
//!
//! How a column writes its values is settled over the whole column, not cell by cell: whether `1,234` has a decimal comma
//! ([`number::Evidence`]), whether `03/04/2024` begins with the day ([`date::Evidence`]), what separates the values of
//! `a; b` ([`set::Evidence`]). [`Profile`](crate::columns::guess::Profile) gathers all of it in one pass, and
//! [`guess`](crate::columns::guess::guess()) says what kind of column it is and how to compare it.

pub mod date;
pub mod digits;
pub mod exact;
pub mod number;
pub mod set;
pub(crate) mod text;

pub use date::Date;
pub use digits::Digits;
pub use exact::Exact;
pub use number::Number;
pub use set::Set;
pub use text::is_missing;

use std::collections::BTreeMap;
use std::ops::Range;

/// A similarity of two cells that are read once and compared often.
pub trait Comparator: Send + Sync + 'static {
    /// What a cell is read into.
    type Prepared: Send + Sync + 'static;

    /// What a cell holds that can be read: `a number`.
    const HOLDS: &'static str;

    /// Reads a cell; none if it holds no value that this comparator can compare.
    fn prepare(&self, cell: &str) -> Option<Self::Prepared>;

    /// The similarity of two values, in [0, 1].
    fn compare(&self, a: &Self::Prepared, b: &Self::Prepared) -> f64;

    /// The similarity of two cells; none if one of them is missing.
    fn score(&self, a: &str, b: &str) -> Option<f64> {
        Some(self.compare(&self.prepare(a)?, &self.prepare(b)?))
    }

    /// What the similarity of two values comes from, in words.
    fn reason(&self, a: &Self::Prepared, b: &Self::Prepared) -> String;

    /// Whether the similarity is the Jaccard coefficient of the cells' [parts](Self::parts).
    const IS_JACCARD: bool = false;

    /// The parts of which the similarity is the Jaccard coefficient, each once.
    fn parts(prepared: &Self::Prepared) -> &[String] {
        let _ = prepared;
        &[]
    }

    /// Where such parts stand in a cell, in characters: each at its first place.
    fn places(&self, cell: &str) -> BTreeMap<String, Range<usize>> {
        let _ = cell;
        BTreeMap::new()
    }
}

/// From 1 at no difference in a straight line to 0 at `zero`, and 0 from there on. A limit that is no positive number
/// leaves nothing alike that differs.
fn falling(difference: f64, zero: f64) -> f64 {
    if zero > 0.0 { (1.0 - difference / zero).max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests;
