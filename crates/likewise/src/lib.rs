//! How alike are these texts?
//!
//! likewise scores pairs of texts, exactly and with a reason for every score, by measures that are
//! written as expressions, and evaluates measures on judged data. No model is downloaded.
//!
//! # In a minute
//!
//! ```
//! use likewise::collection::Collection;
//! use likewise::measure::Measure;
//!
//! let names = ["Acme Incorporated", "Apex Industries", "ACME Inc."];
//!
//! // What to compute: the default, or an expression: "0.7*sc + 0.3*jaro-winkler".parse()?
//! let measure = Measure::default();
//!
//! // How rare words are among these texts: adaptive measures want to know.
//! let collection = Collection::build(measure.analyzers(), names)?;
//!
//! // Ready to score: prepare each text once, compare it with many.
//! let scorer = measure.bind(&collection)?;
//! let [acme, apex, short] = names.map(|name| scorer.prepare(name));
//! assert!(scorer.score(&acme, &short)? > scorer.score(&acme, &apex)?);
//!
//! // And why?
//! let why = scorer.explain(names[0], names[2]);
//! let strongest = &why.meetings()[0];
//! assert_eq!(&names[0][strongest.left.clone().unwrap()], "Acme");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many at once
//!
//! [`Scorer::prepare_all`](measure::Scorer::prepare_all) and
//! [`Scorer::map_rows`](measure::Scorer::map_rows) score tables of texts in parallel, by ways that only a batch
//! allows, with the same scores to the bit. Nothing is allocated per pair.
//!
//! # The modules
//!
//! | module | you have | you get |
//! |---|---|---|
//! | [`text`] | a text | its terms, each with its place in the original |
//! | [`collection`] | many texts | vocabulary and counts |
//! | [`strings`] | two strings | how alike they are, by one function call |
//! | [`term`] | two terms | how alike they are |
//! | [`measure`] | two texts | how alike they are, and why |
//! | [`link`] | scored pairs | who belongs with whom, and from which score on |
//! | [`expr`] | an expression | checked settings that print back, or an error that points |
//! | [`flat`] | numbers, in memory or in a mapped file | one slice |
#![cfg_attr(feature = "table", doc = "| [`table`] | a file | rows, as a stream, and back |")]
//! | [`index`] | rows of texts, in memory or on disk | those most like a query |
//! | [`store`] | arrays | files that open at once and commits that survive a kill |
//! | [`lexicon`] | a word | its base forms, synonyms and neighbours in meaning |
#![cfg_attr(
    feature = "table",
    doc = "| [`vectors`] | word vectors | how alike words are by the company they keep, and all that are near |"
)]
#![cfg_attr(
    feature = "table",
    doc = "| [`corpus`] | background text | how likely words are, and what they stand for |"
)]
#![cfg_attr(feature = "table", doc = "| [`eval`] | judged data | figures and a report |")]
//!
//! # Cargo features
//!
//! None is on by default. `table`: whatever is read from files: tables (CSV, TSV, JSON Lines, plain lines, compressed too),
//! background text, word vectors, evaluation data. `arrow`: Parquet tables.
//! `passages`: passages of background text that can be searched.

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
mod scored;
mod slack;
pub mod store;
pub mod strings;
#[cfg(feature = "table")]
pub mod table;
pub mod task;
pub mod term;
pub mod text;
#[cfg(feature = "table")]
pub mod vectors;

pub use scored::{Hit, Pair};

/// The README's example runs too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
