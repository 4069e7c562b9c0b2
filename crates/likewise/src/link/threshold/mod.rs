//! From which score on are two rows the same thing?
//!
//! Two answers. [`learn`] is for people who have labelled some pairs, and is to be preferred: a few hundred
//! labels are worth more than any rule. [`propose`] looks at the scores alone.
//!
//! # Without labels
//!
//! Take for every row the score of the row that is most like it. Rows that have a duplicate score high; the
//! others score what chance gives. So there are two humps, and the threshold belongs between them.
//! [`propose`] fits two normal distributions of one width to the scores and cuts where a score is as likely to come
//! from the one as from the other. Real humps are not normal, so that alone is often off by a tenth; it goes
//! half way from there towards [`USUAL`], which is good on average for the default measure; other measures have other [usual
//! thresholds](crate::task::usual_threshold). Where the curves
//! do not stand clear of each other, or both lie on the same side of the usual threshold, the scores do not
//! tell, and the proposal is the usual threshold and says so.
//!
//! What was tried, and the figures for fifteen sets, are in `docs/link-threshold.md`; `cargo run
//! --example threshold_study --features table -- DATA_DIR` computes them again. Over the fifteen sets on which
//! any threshold is of use, F1 at the proposal is on average .04 below the best that any threshold reaches.
//!
//! Both functions sort or count once, and so take O(n log n) for n scores.

mod learn;
mod propose;
#[cfg(test)]
mod tests;

pub(crate) use learn::mix;
pub use learn::{Learned, learn};
pub use propose::{Group, Proposal, USUAL, propose, propose_around, usual_for};

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A share as people write it.
pub(crate) fn percent(share: f64) -> String {
    match 100.0 * share {
        p if p < 0.1 => "less than 0.1 %".to_owned(),
        p if p < 10.0 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}
