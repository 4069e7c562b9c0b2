//! What a user does, one call each.
//!
//! | you have | you want | call |
//! |---|---|---|
//! | two texts, or a table of pairs | how alike they are | [`score`], [`score_pairs`] |
//! | rows and a query | the rows most like it | [`search`] |
//! | two tables | for each row of the one its best rows in the other | [`match_tables`] |
//! | a table | its rows in clusters of duplicates, or the pairs | [`dedupe`], [`duplicate_pairs`] |
//! | tables, and no idea what each column should count | matches or duplicates with probabilities, and why | [`match_by_weights`], [`dedupe_by_weights`] |
#![cfg_attr(
    feature = "table",
    doc = "| labelled data | how well measures do | [`evaluate_match`], [`evaluate_retrieval`], [`evaluate_pairs`] |"
)]
#![cfg_attr(
    feature = "table",
    doc = "| questions with choices | answers with evidence, or a model that learns to give them | [`answer_questions`], [`train_answers`], [`evaluate_answers`] |
| a table | an index on disk | [`build_index`], [`add_to_index`] |
| a word | the words of a corpus, table or collection most like it | [`WordFinder`] |"
)]
//!
#![cfg_attr(
    feature = "learn",
    doc = "| labelled pairs | a model that decides | [`train_pairs`], [`train_records`] |
| a model and tables | links, or clusters | [`match_by_model`], [`dedupe_by_model`] |
| two tables and no labels | the pairs worth labelling | [`Labeller`] |"
)]
//!
//! Every decision is taken here, once: which collection counts, whether an index is searched or every row is scored, how a
//! threshold is chosen, what an empty cell means, how many candidates there are. A door (the command, Python, HTTP) parses
//! options, calls a task and prints what comes back.
//!
//! - Input is [`Columns`](crate::columns::Columns), borrowed from wherever they lie, or a [`Target`]: rows that are ready to
//!   be searched, such as an index on disk.
//! - Options are one struct a task, with serde; the field names are the command's flags.
//! - A [`Context`] is passed along: who watches the work and may end it, and how files are read that options name.
//! - Matches and duplicates come with a [`Report`]: the threshold and how it was chosen, the measure in canonical form,
//!   notes. Searches come with [`SearchStats`].

mod adapt;
#[cfg(feature = "table")]
mod answer;
mod auto;
mod candidates;
mod cohesion;
mod context;
mod counts;
mod dedupe;
mod equal;
mod error;
#[cfg(feature = "table")]
mod evaluate;
#[cfg(feature = "syntax")]
mod graph;
mod ids;
#[cfg(feature = "table")]
mod index_rows;
#[cfg(feature = "learn")]
mod learn;
mod match_tables;
mod matcher;
mod on;
mod options;
mod parts;
mod report;
#[cfg(feature = "table")]
mod rows;
mod scale;
mod score;
mod search;
mod target;
mod weights;
#[cfg(feature = "table")]
mod whole_table;
mod within;
#[cfg(feature = "table")]
mod words;

pub use crate::columns::column_names;
#[cfg(feature = "table")]
pub use answer::{
    Answer, Answered, TrainAnswers, answer_all, answer_questions, evaluate_answers, train_answers,
};
pub use auto::named;
#[cfg(feature = "table")]
pub use auto::{settle_table, settle_tables};
pub use context::Context;
pub use counts::open as open_collection;
pub use dedupe::{
    Dedupe, Deduped, DuplicatePairs, Member, dedupe, dedupe_target, duplicate_pairs,
    duplicate_pairs_of_target,
};
pub use error::TaskError;
#[cfg(feature = "table")]
pub use evaluate::{Evaluate, Evaluation, evaluate_match, evaluate_pairs, evaluate_retrieval};
#[cfg(feature = "syntax")]
pub use graph::{GraphOptions, syntactic_graph};
pub use ids::check_ids;
#[cfg(feature = "table")]
pub use index_rows::{
    AddToIndex, BuildIndex, add_columns_to_index, add_to_index, build_index, build_index_of,
};
#[cfg(feature = "learn")]
pub use learn::{
    ByModel, Described, ExplainedPair, Label, Labeller, Labels, Lesson, PairFeatures, Question,
    Rank, Ranked, Reranker, Train, dedupe_by_model, describe_pairs, explain_by_model,
    match_by_model, train_pairs, train_records,
};
#[cfg(all(feature = "learn", feature = "table"))]
pub use learn::{
    EvaluateRank, ModelEvaluation, evaluate_model, evaluate_model_on_pairs, evaluate_rank,
    training_report,
};
pub use match_tables::{Match, Matched, match_rows, match_tables, match_target};
pub use matcher::Matcher;
pub use on::{On, Said};
pub use options::{CollectionFrom, Compare, duration, from_json};
pub use parts::{
    Layout, PartCount, PartMember, PartOptions, PartPair, PartRow, Parts, Side, assign_parts,
    clusters_of_parts, count_part, counts_of_parts,
};
pub use report::{Chosen, Report, SearchStats, Threshold};
#[cfg(feature = "table")]
pub use rows::{
    Record, Rereadable, TableRows, adapt_to_tables, count, open_table, pair_columns, text_columns,
};
pub use scale::usual_threshold;
pub use score::{PairScorer, Score, score, score_pairs};
pub use search::{Search, Searcher, search};
pub use target::{Hits, Target};
pub use weights::{Weighed, WeighedPair, WeightsFrom, dedupe_by_weights, match_by_weights};
#[cfg(feature = "table")]
pub use whole_table::{TableColumns, read_table};
pub use within::Within;
#[cfg(feature = "table")]
pub use words::{SimilarWord, SimilarWords, WordFinder, Words};
