//! Learning from labels: features of a pair, learners, and the model that they give.
//!
//! A single measure says how alike two texts are. With labels a learned mix of measures does better. Three steps:
//!
//! 1. **Features** ([`feature`]): a [`FeatureSet`](feature::FeatureSet) is written as a list of expressions. Bound to counts and
//!    files it prepares each text once and gives the numbers of a pair.
//! 2. **Learners** ([`learn`]): a random forest, or support vector machines as in LIBSVM.
//! 3. **Models** ([`Model`]): one file that names its features, the files they use, the counts that they weigh words by, what was learned
//!    and how well that went. A [`Ranker`] is a model ready to give pairs probabilities.
//!
//! [`choose`](next_to_label) is for those who have no labels yet: it says which pairs are worth labelling.

mod active;
pub mod feature;
pub mod learn;
mod model;

pub use active::{Choice, next_to_label};
pub use model::{ColumnPair, Effect, Model, ModelError, Ranker};
