//! Learning from labels, as tasks: features of pairs, training, linking by a model, and choosing what to label.
//!
//! | file | job |
//! |---|---|
//! | `pairs` | records and labelled pairs, from columns |
//! | `describe` | the numbers of pairs |
//! | `train` | from labelled pairs to a model |
//! | `decide` | match and dedupe by a model |
//! | `evaluate` | how good a model is on labelled data |
//! | `label` | which pairs to label |
//! | `report` | a page about a training |

mod decide;
mod describe;
#[cfg(feature = "table")]
mod evaluate;
mod label;
mod pairs;
#[cfg(feature = "table")]
mod report;
#[cfg(feature = "table")]
mod table;
mod train;

pub use decide::{ByModel, dedupe_by_model, match_by_model};
pub use describe::{Described, PairFeatures, describe_pairs};
#[cfg(feature = "table")]
pub use evaluate::{ModelEvaluation, evaluate_model, evaluate_model_on_pairs};
pub use label::{Label, Labeller, Question};
pub use pairs::Labels;
#[cfg(feature = "table")]
pub use report::training_report;
#[cfg(feature = "table")]
pub use table::{TableColumns, read_table};
pub use train::{Lesson, Train, train_pairs, train_records};
