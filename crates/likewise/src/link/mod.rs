//! From scored pairs to decisions: who belongs with whom, and from which score on.
//!
//! A measure says how alike two rows are. What people want to know is which rows are the same thing, and
//! that takes a few more steps, each a function here that takes pairs or scores and nothing else:
//!
//! | you have | you want | call |
//! |---|---|---|
//! | pairs between two tables | each row with at most one of the other table | [`one_to_one`] |
//! | pairs within one table | groups of rows that are one thing | [`clusters`] |
//! | no labels at all | a threshold to start with | [`propose`] |
//! | some labelled pairs | the threshold that suits them, and how good it is | [`learn`] |
//! | how alike pairs are in each column, and no labels | what each column counts, and probabilities | [`weights::Weights::fit`] |
//!
//! ```
//! use likewise::link::{Method, Pair, clusters};
//!
//! // Rows 0, 1 and 2 are alike, 3 is on its own.
//! let pairs = [Pair::new(0, 1, 0.9), Pair::new(1, 2, 0.8), Pair::new(0, 2, 0.7), Pair::new(2, 3, 0.2)];
//! let found = clusters(4, &pairs, 0.6, Method::AverageLink);
//! assert_eq!(found.cluster_of, [0, 0, 0, 1]);
//! // Row 1 is most like the others: it can stand for its cluster.
//! assert_eq!(found.representative, [1, 3]);
//! ```
//!
//! Everything here is deterministic: the order of the input, the number of threads and the order of a hash
//! map never reach the output. Ties are broken by row numbers. Scores of [`crate::measure`] are never NaN;
//! a pair whose score is NaN all the same is left out.

pub mod assign;
pub mod cluster;
mod components;
pub mod threshold;
pub mod weights;

pub use crate::scored::Pair;
pub use assign::{Assignment, one_to_one};
pub(crate) use cluster::{COHESIVE, Parted, grouped};
pub use cluster::{Clusters, Method, clusters, clusters_of_equal};
pub use threshold::{Learned, Proposal, learn, propose, propose_around, usual_for};
pub(crate) use threshold::{mix, percent};

/// What labels say of pairs: the score, and whether both rows have the same label. A row whose label is empty is not
/// labelled, and pairs with it are left out.
///
/// ```
/// use likewise::link::{Pair, labelled};
/// let pairs = [Pair::new(0, 1, 0.9), Pair::new(0, 2, 0.4), Pair::new(1, 3, 0.3)];
/// assert_eq!(labelled(&pairs, &["a", "a", "b", ""]), [(0.9, true), (0.4, false)]);
/// ```
pub fn labelled<T: AsRef<str>>(pairs: &[Pair], labels: &[T]) -> Vec<(f64, bool)> {
    let label = |row: u32| labels.get(row as usize).map(AsRef::as_ref).filter(|l| !l.is_empty());
    let compare = |pair: &Pair| Some((pair.score, label(pair.left)? == label(pair.right)?));
    pairs.iter().filter_map(compare).collect()
}

/// Sorts pairs by their rows and keeps, of pairs of the same rows, the one with the largest score.
pub(crate) fn best_of_each(pairs: &mut Vec<Pair>) {
    use rayon::slice::ParallelSliceMut;
    pairs.par_sort_unstable_by(|x, y| {
        (x.left, x.right).cmp(&(y.left, y.right)).then(y.score.total_cmp(&x.score))
    });
    pairs.dedup_by_key(|p| (p.left, p.right));
}
