//! Learners: from labelled examples to a model that gives a new example a probability, or a rating.
//!
//! A [`Learner`] is written as an expression: `forest`, `forest(trees=500)`, `svm(kernel=linear)`. [`train`] finds its
//! settings by cross-validation, fits it, calibrates probabilities and chooses a threshold; all of it depends on the examples and the seed
//! alone, for any number of threads.
//!
//! | file | job |
//! |---|---|
//! | `examples` | numbers, targets and groups |
//! | `folds` | cross-validation in which a group is never cut |
//! | `forest` | random forest |
//! | `svm` | support vector machines as in LIBSVM, scaled |
//! | `calibrate` | from decision values to probabilities |
//! | `threshold` | the probability from which on a pair is a match |
//! | `train` | the steps together |

mod calibrate;
mod examples;
mod folds;
mod forest;
mod learner;
mod random;
mod svm;
mod threshold;
mod train;

pub use calibrate::Calibration;
pub use examples::Examples;
pub use folds::folds;
pub use forest::Forest;
pub use learner::{Decide, Learner};
pub use svm::Svm;
pub use threshold::{Confusion, Metric};
pub use train::{Figures, Target, Trained, Training, train};

pub(crate) use random::Random;
#[cfg(feature = "table")]
pub(crate) use threshold::best as best_threshold;
