//! How good is a measure? Numbers from labelled data, and a page that shows them.
//!
//! - [`data`]: labelled data as it lies on disk: two tables and their matches, queries and documents,
//!   pairs with labels or ratings.
//! - [`matching`], [`retrieval`], [`pairs`], [`answering`]: a measure run over such data, giving an [`Outcome`].
//! - [`metrics`]: pure functions from scores and labels to numbers.
//! - [`mod@report`]: one self-contained HTML page with tables, charts and the worst errors.

pub mod answering;
pub mod data;
pub mod matching;
pub mod metrics;
mod outcome;
pub mod pairs;
pub(crate) mod query_figures;
pub mod report;
pub mod retrieval;

pub use outcome::{Figure, Outcome, report};

/// Scores that agree to twelve decimals are tied: beyond that lies rounding, which depends on the
/// order in which a sum happened to run and says nothing about the texts.
fn rounded(score: f64) -> f64 {
    const DECIMALS: f64 = 1e12;
    let scaled = score * DECIMALS;
    // A large score has no such decimals, and an enormous one would overflow.
    if scaled.is_finite() { scaled.round() / DECIMALS } else { score }
}
