//! How alike are these texts?
//!
//! likewise scores pairs of texts, finds the texts most like a query, and links rows that mean the same: exactly, with a
//! reason for every score, by measures that are written as expressions. No model is downloaded.
//!
//! # Search
//!
//! ```
//! use likewise::columns::Columns;
//! use likewise::task::{Context, Search, search};
//!
//! let faq = ["How do I reset my password?", "How do I delete my account?", "Where is my invoice?"];
//! let best = search(&Columns::of(&faq), &["reset my pasword"], &Search::new().k(1), &Context::default())?;
//! assert_eq!(faq[best[0].row], "How do I reset my password?");
//! # Ok::<(), likewise::task::TaskError>(())
//! ```
//!
//! # Match two tables
//!
//! ```
//! use likewise::columns::Columns;
//! use likewise::task::{Context, Match, match_tables};
//!
//! let (ours, theirs) = (["Acme Inc", "Apex Ltd"], ["Apex Limited", "ACME Inc."]);
//! let (ours, theirs) = (Columns::of(&ours), Columns::of(&theirs));
//! let links = match_tables(&ours, &theirs, &Match::new().min(0.3), &Context::default())?.pairs;
//! assert_eq!(links.iter().map(|link| (link.left, link.right)).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
//! # Ok::<(), likewise::task::TaskError>(())
//! ```
//!
//! # Find duplicate rows
//!
//! ```
//! use likewise::columns::Columns;
//! use likewise::task::{Context, Dedupe, dedupe};
//!
//! let names = ["Acme Inc", "Apex Ltd", "ACME Inc."];
//! let found = dedupe(&Columns::of(&names), &Dedupe::new().min(0.6), &Context::default())?;
//! assert_eq!(found.clusters.cluster_of, [0, 1, 0]);
//! # Ok::<(), likewise::task::TaskError>(())
//! ```
//!
//! # Score, and why
//!
//! ```
//! use likewise::collection::Collection;
//! use likewise::measure::Measure;
//!
//! let names = ["Acme Incorporated", "Apex Industries", "ACME Inc."];
//! // What to compute: the default, or an expression: "0.7*sc + 0.3*jaro-winkler".parse()?
//! let measure = Measure::default();
//! // How rare words are among these texts: adaptive measures want to know.
//! let collection = Collection::build(measure.analyzers(), names)?;
//! let scorer = measure.bind(&collection)?;
//! assert!(scorer.score_texts(names[0], names[2]) > scorer.score_texts(names[0], names[1]));
//!
//! let why = scorer.explain(names[0], names[2]);
//! let strongest = &why.matches()[0];
//! assert_eq!(&names[0][strongest.left.clone().unwrap()], "Acme");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Scorer::prepare_all`](measure::Scorer::prepare_all) and [`Scorer::map_rows`](measure::Scorer::map_rows) score tables of
//! texts in bulk, in parallel, with the same scores to the bit. Nothing is allocated per pair.
//!
//! # The modules
//!
//! | module | you have | you get |
//! |---|---|---|
//! | [`task`] | rows and a wish | one call each: score, search, match, dedupe, evaluate |
//! | [`columns`] | texts in slices or Arrow's buffers | columns that tasks read in place, and what they hold |
//! | [`control`] | long work | progress and cancellation |
//! | [`text`] | a text | its terms, each with its place in the original |
//! | [`collection`] | many texts | vocabulary and counts |
//! | [`term`] | two terms | how alike they are |
//! | [`strings`] | two strings | plain functions: `levenshtein`, `jaro_winkler`, … |
//! | [`measure`] | two texts | how alike they are, and why |
//! | [`index`] | rows of texts, in memory or on disk | those most like a query, and all pairs above a score |
//! | [`link`] | scored pairs | clusters, optimal assignment, thresholds |
//! | [`resource`] | files that a measure names | each opened once, with its identity |
//! | [`values`] | two cells | how alike the numbers, dates, codes or sets are that they hold |
//! | [`expr`] | an expression | checked settings that print back, or an error that points |
//! | [`store`], [`flat`] | arrays | files that open at once and commits that survive a kill |
//! | [`lexicon`] | a word | its base forms, synonyms and neighbours in meaning |
#![cfg_attr(
    feature = "learn",
    doc = "| [`rank`] | labelled pairs | features, a learned model, probabilities |"
)]
#![cfg_attr(
    feature = "table",
    doc = "| [`table`] | a file | rows, as a stream, and back |
| [`vectors`] | word vectors | distributional similarity of words, and nearest neighbours |
| [`corpus`] | background text | word probabilities, co-occurrence, translation tables |
| [`answer`] | a document, a question and choices | the answer, with its evidence |
| [`eval`] | labelled data | figures and a report |"
)]
#![cfg_attr(
    feature = "syntax",
    doc = "| [`syntax`] | raw text, or CoNLL-U | words, tags, lemmas, dependency trees |"
)]
//!
//! # Cargo features
//!
//! None is on by default. `table`: whatever is read from files: tables (CSV, TSV, JSON Lines, plain lines, compressed too),
//! background text, word vectors, evaluation data. `arrow`: Parquet tables. `learn`: learning from labels. `syntax`: CoNLL-U
//! and a dependency parser; `model-en`: its English model, built in. `chinese`: dictionaries of Chinese.

#[cfg(feature = "table")]
pub mod answer;
pub mod collection;
pub mod columns;
pub mod control;
#[cfg(feature = "table")]
pub mod corpus;
mod csr;
#[cfg(feature = "table")]
pub mod eval;
pub mod expr;
pub mod flat;
pub mod index;
pub mod lexicon;
pub mod link;
pub mod measure;
#[cfg(feature = "learn")]
pub mod rank;
pub mod resource;
mod scored;
mod slack;
pub mod store;
pub mod strings;
#[cfg(feature = "syntax")]
pub mod syntax;
#[cfg(feature = "table")]
pub mod table;
pub mod task;
pub mod term;
pub mod text;
pub mod values;
#[cfg(feature = "table")]
pub mod vectors;

pub use scored::{Hit, Pair};

/// The README's example runs too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And the guide's.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
struct Guide;
