//! Numbers that say how good a ranking, a correlation or a set of answers is.
//!
//! Which one do you need?
//!
//! | you have | look at |
//! |---|---|
//! | pairs, each alike or not, and one score for each pair | [`Ranking`] |
//! | queries, each with its own ranked documents, with binary or graded relevance judgements | [`QueryRanking`] and [`mean_over_queries`] |
//! | a human score and a measured score for each pair | [`pearson`], [`spearman`], [`kendall_tau_b`] |
//! | questions answered right, wrong or left open | [`c_at_1`] |
//! | any of these, and the wish to know how far to trust it | [`Bootstrap`] |
//!
//! No result depends on the order of the input: equal scores are one group, and each
//! function says what it makes of a group ([`Ties`], [`TieOrder`]).

mod answering;
mod bootstrap;
mod correlation;
mod ranking;
mod retrieval;
mod score_order;

pub use answering::c_at_1;
pub use bootstrap::{Bootstrap, Interval};
pub use correlation::{kendall_tau_b, pearson, spearman};
pub use ranking::{CurvePoint, Cut, Interpolation, Ranking, TiedPairs, Ties};
pub use retrieval::{
    Gain, QueryMean, QueryRanking, TieOrder, mean_average_precision, mean_over_queries,
    mean_reciprocal_rank,
};
