//! Learning from labels, as tasks: features of pairs, training, linking by a model, and choosing what to label.
//!
//! | file | job |
//! |---|---|
//! | `pairs` | records and labelled pairs, from columns |
//! | `describe` | the numbers of pairs |
//! | `train` | from labelled pairs to a model |
//! | `decide` | match and dedupe by a model |
//! | `rank` | candidates by a measure, put in order by a model |
//! | `evaluate`, `evaluate_rank` | how good a model is on labelled data, and on queries with relevance judgements |
//! | `label` | which pairs to label |
//! | `report` | a page about a training |

mod decide;
mod describe;
#[cfg(feature = "table")]
mod evaluate;
#[cfg(feature = "table")]
mod evaluate_rank;
mod label;
mod pairs;
mod rank;
#[cfg(feature = "table")]
mod report;
mod train;

pub use decide::{ByModel, ExplainedPair, dedupe_by_model, explain_by_model, match_by_model};
pub use describe::{Described, PairFeatures, describe_pairs};
#[cfg(feature = "table")]
pub use evaluate::{ModelEvaluation, evaluate_model, evaluate_model_on_pairs};
#[cfg(feature = "table")]
pub use evaluate_rank::{EvaluateRank, evaluate_rank};
pub use label::{Label, Labeller, Question};
pub use pairs::Labels;
pub use rank::{Rank, Ranked, Reranker};
#[cfg(feature = "table")]
pub use report::training_report;
pub use train::{Lesson, Train, train_pairs, train_records};
