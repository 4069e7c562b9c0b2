//! A query's way to its results. The guarantee: the same rows and the same scores, to the bit, as by scoring every row.
//!
//! ```text
//!   query texts
//!       │  bind             each measure of the sum states its bounds for this query
//!       ▼
//!   impacts                 for each vocabulary term the most that one occurrence adds
//!       │
//!       │   ┌──────────────── threshold ◀────────────┐   θ falls: the best of a few likely rows, then the k-th best
//!       ▼   ▼                                        │
//!   generate  (Plan)        docs that can reach θ    │
//!    ├ max_score            few terms                │
//!    ├ postings             essential terms          │
//!    └ scan                 all docs, quantised      │
//!       │  own_terms        bounded by own terms     │
//!       ▼                                            │
//!   refine                  bounded by terms together│
//!       │                                            │
//!       ▼                                            │
//!   score ─▶ results        exact, best bound first ─┘   final once θ ≤ score: all that can be better is scored
//! ```

mod batch;
mod bind;
mod exhaustive;
mod generate;
mod impacts;
mod max_score;
mod options;
mod own_terms;
mod plan;
mod postings;
mod refine;
mod results;
mod scan;
mod search;
mod threshold;

pub use exhaustive::Exhaustive;
pub(super) use exhaustive::{PreparedRows, Weighted};
pub use options::{SearchOptions, Stats};
pub use plan::Plan;
pub(super) use search::QueryBuffers;
pub use search::Search;
