//! Weights without labels: how much each column says for and against a match.
//!
//! This is the model of Fellegi and Sunter. The similarity of a column is cut into levels. A level weighs
//! `log2(m / u)` bits, where `m` is its share among matches and `u` among other candidates. A pair's total is the bits of
//! its columns and of the prior, the share of candidates that match; so it is the log-odds of a match, and 0 bits is a
//! probability of one half. No labels are needed: `m`, `u` and the prior are those under which the candidates are the
//! most probable, found by expectation–maximisation.
//!
//! ```
//! # use likewise::link::weights::{Candidates, Options, Weights};
//! # fn main() -> Result<(), likewise::link::weights::Error> {
//! let mut pairs = Candidates::new(["name", "town"]);
//! for row in 0..200 {
//!     // Each row of the one table with three of the other; one in two rows has a match there.
//!     let (name, town) = if row % 2 == 0 { (0.9, 1.0) } else { (0.3, 0.2) };
//!     pairs.push(row, 3 * row, &[Some(name), Some(town)])?;
//!     pairs.push(row, 3 * row + 1, &[Some(0.2), Some(0.1)])?;
//!     pairs.push(row, 3 * row + 2, &[Some(0.3), None])?;
//! }
//! let weights = Weights::fit(&pairs, &Options::one_to_one());
//! assert!(weights.probability(&[Some(0.95), Some(1.0)], &[])? > 0.95);
//!
//! // Why: bits before anything is seen, and of each column.
//! let why = weights.explain(&[Some(0.95), None], &[])?;
//! assert_eq!(why.columns[1].bits, 0.0);
//! assert!((why.prior + why.columns[0].bits - why.total).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! # What differs from the textbook
//!
//! - **`u` comes from the candidates too**, not from pairs drawn at random. Candidates were chosen because they are
//!   alike, so those that do not match are far more alike than random pairs; with `u` of random pairs nearly every
//!   candidate is called a match.
//! - **Pairs that share a row exclude each other** ([`Options::one_to_one`]). Among candidates, members of a
//!   household or products of one maker are a more visible group than matches are, and plain EM finds that group.
//!   What tells a match is that it is better than its rivals. The E-step divides a pair's odds by one plus those of
//!   itself and its rivals, and the prior odds are such that the number of matches expected before and after seeing
//!   the pairs agree.
//! - **Levels hold half as many pairs as the ones below**, which puts the fine ones where matches are, whatever the
//!   scale of a measure.
//! - **More similar never weighs less**: levels out of order are pooled in every round.
//! - **The start is fixed**: pairs that are the most alike of both their rows.
//!
//! An empty cell says nothing. Columns are taken as independent given a match or none. They rarely are, and then
//! totals are too large on both sides; [`Estimate`]s say what the model thinks of itself, which is not what labels
//! would say. The similarity of the rows' joined texts makes a good further column.
//!
//! # Where it fails
//!
//! Where fewer than about a third of the rows have a match, pairs that are merely alike outnumber the matches, and
//! most of what is called a match may be none. Without rivals ([`Options::any`]) the same comes of households and
//! product families. [`Weights::warnings`] said so in all cases of the first kind that were tried, and in two of
//! three of the second.
//!
//! # Cost
//!
//! Pairs are sorted once, then counted by pattern of levels. A round costs O(patterns × columns), and where rivals
//! count a look-up per pair.

mod candidates;
mod error;
mod fit;
mod levels;
mod model;
mod patterns;
mod report;
mod rivals;
mod stored;
#[cfg(test)]
mod tests;

pub use candidates::Candidates;
pub use error::Error;
pub use fit::Options;
pub use model::{Column, Contribution, Level, Waterfall, Weights, bits_of, probability_of};
pub use report::{Estimate, Fit};
