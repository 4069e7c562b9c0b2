//! Measures: how alike are two texts.
//!
//! A measure is written as an expression ([`Measure`]), the same on the command line, in an index
//! and in a report:
//!
//! ```text
//! sc(q=2:4, weights=c.idf)        jaro-winkler        0.7*sc + 0.3*tfidf
//! ```
//!
//! Bound to a [`Collection`](crate::collection::Collection) it becomes a [`Scorer`], which prepares
//! texts and scores them:
//!
//! ```
//! use likewise::collection::Collection;
//! use likewise::measure::Measure;
//!
//! let measure: Measure = "sc(q=2:3)".parse().unwrap();
//! let scorer = measure.bind(&Collection::default()).unwrap();
//! let (a, b) = (scorer.prepare("Sergio Jimenez"), scorer.prepare("S. Gimenez"));
//! let score = scorer.score(&a, &b)?;
//! assert!((score - 0.479_911).abs() < 1e-6);
//! assert_eq!(scorer.score_at_least(&a, &b, 0.9)?, None);
//! assert!(scorer.upper_bound(&a, &b)? >= score);
//!
//! // Texts that another scorer prepared are refused.
//! let other = measure.bind(&Collection::default()).unwrap();
//! assert!(other.score(&a, &b).is_err());
//! # Ok::<(), likewise::measure::ScoreError>(())
//! ```
//!
//! # Which measure should you use?
//!
//! Start with the default ([`Measure::default`]): it was chosen by experiment to be good from names
//! to product descriptions. `sc` without a collection for pairs out of nowhere; `jaro-winkler` for
//! single short names; `tfidf` for long texts in which words are spelt right.
//!
//! # Adding one
//!
//! One file here that implements `TextSimilarity` and describes itself in a `Definition`, and one line
//! in `MEASURES`. Everything else (parsing, help, scoring in bulk, weighted sums, evaluation)
//! follows.

pub(crate) mod bag;
pub(crate) mod bm25;
mod contract;
mod default;
mod elsewhere;
mod explain;
mod expression;
mod idf;
mod info;
pub(crate) mod likelihood;
pub(crate) mod monge_elkan;
pub(crate) mod overlap;
pub(crate) mod sc;
pub(crate) mod sc_pairwise;
mod scorer;
pub(crate) mod search;
pub(crate) mod soft_cosine;
pub(crate) mod soft_tfidf;
mod sparse;
mod spectra;
pub(crate) mod strings;
pub(crate) mod sts;
pub(crate) mod tfidf;
pub(crate) mod typed;
mod usual;
pub(crate) mod word_grams;
mod words;

pub(crate) use contract::{Batch, BindContext, Definition, TextSimilarity};
pub use contract::{Preset, Properties};
pub use default::{DEFAULT, USUAL};
pub use elsewhere::Elsewhere;
pub use explain::{Explanation, Match, Part, Place, Side, Weighted};
pub use expression::{BindError, Measure, MeasureInfo};
pub use info::{Example, SearchedBy, Trial};
pub use scorer::{Prepared, PreparedTexts, ScoreError, Scorer};

pub use soft_cosine::Transform;

/// Every measure that is more than a term similarity over the whole text. The term similarities of
/// `crate::term::TERMS` are measures too.
pub(crate) static MEASURES: &[&Definition] = &[
    &word_grams::DEFINITION,
    &sc::DEFINITION,
    &sc_pairwise::DEFINITION,
    &tfidf::DEFINITION,
    &soft_tfidf::DEFINITION,
    &soft_cosine::DEFINITION,
    &monge_elkan::DEFINITION,
    &sts::DEFINITION,
    &overlap::OVERLAP,
    &overlap::IDF_OVERLAP,
    &overlap::TFIDF_SUM,
    &overlap::RELATIVE_FREQUENCY,
    &bm25::DEFINITION,
    &likelihood::query_likelihood::DEFINITION,
    &likelihood::translation::DEFINITION,
    &likelihood::kl::DEFINITION,
    &typed::EXACT,
    &typed::NUMBER,
    &typed::DATE,
    &typed::DIGITS,
    &typed::SET,
];
