//! Features: what a learner is told of a pair of texts, as numbers with names.
//!
//! A [`FeatureSet`] is written as a list of expressions, the same on the command line, in Python and in a model file:
//!
//! ```text
//! tfidf, name: sc(q=2:3), name: length, *: missing, "release date": equal, records
//! ```
//!
//! - Any [measure](crate::measure::Measure) is a feature, by its expression.
//! - Features of our own have a name and settings; they may give several numbers (`length` gives `left`, `right` and `ratio`).
//! - A preset is a list by name; it stands for its features.
//! - `column: feature` compares one column of a record, `*: feature` each column by itself; without a column it is the joined
//!   text of all columns, or the text itself where there is one only.
//!
//! [`FeatureSet::bind`] gives [`Features`]: texts are prepared once, then pairs are described.
//!
//! ```
//! use likewise::rank::feature::{FeatureSet, Field};
//! use likewise::resource::Resources;
//!
//! let set: FeatureSet = "jaro-winkler, length".parse()?;
//! let fields = set.fields(&["text"])?;
//! let features = set.bind(&fields, &Field::count(&fields, [["a cat"], ["the cats"]])?, &Resources::default())?;
//! assert_eq!(features.names(), ["jaro-winkler", "length.left", "length.right", "length.ratio"]);
//! let (a, b) = (features.prepare(&["a cat"]), features.prepare(&["the cats"]));
//! assert_eq!(features.values(&a, &b)[1..], [2.0, 2.0, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Adding one
//!
//! One file here that implements `Feature` and describes itself in a `Definition`, and one line in `FEATURES`. A preset
//! is one entry in `presets.rs`.

mod analyzed;
mod bound;
mod by_parser;
mod by_vectors;
mod codes;
mod dependency;
mod embedding;
mod expression;
mod grams;
mod length;
mod measure;
mod missing;
mod numbers;
mod presets;
mod rarest;
mod set;
#[cfg(test)]
mod testing;
mod word_levenshtein;
mod word_order;

pub(crate) use analyzed::Analyzed;
pub use bound::{FeatureError, Features, Field, PreparedRecord};
pub use expression::{FeatureExpression, FeatureInfo};
pub use presets::{PRESETS, Preset};
pub use set::{FeatureSet, Scope};

use crate::expr::{Schema, Settings};
use crate::measure::{BindContext, BindError};
use std::any::Any;

/// Every feature of our own; measures are features too.
pub(crate) static FEATURES: &[&Definition] = &[
    &length::DEFINITION,
    &embedding::DEFINITION,
    &dependency::DEFINITION,
    &grams::CHAR_1,
    &grams::CHAR_2,
    &grams::CHAR_3,
    &grams::WORD_1,
    &grams::WORD_2,
    &grams::WORD_3,
    &word_levenshtein::DEFINITION,
    &word_order::DEFINITION,
    &missing::DEFINITION,
    &rarest::DEFINITION,
    &numbers::DEFINITION,
    &codes::DEFINITION,
];

/// Numbers that describe a pair of texts: each text is prepared once, then pairs are described.
///
/// Numbers are finite. What an empty text gives is up to the feature (`missing` says that it is empty).
pub(crate) trait Feature: Send + Sync + Sized + 'static {
    /// A text in the form in which it is compared.
    type Prepared: Send + Sync + 'static;

    /// Prepares a text, once, to be compared with many.
    fn prepare(&self, text: &Analyzed<'_>) -> Self::Prepared;

    /// Writes the numbers of a pair, as many as [`Definition::values`] names.
    fn describe(&self, a: &Self::Prepared, b: &Self::Prepared, out: &mut [f64]);
}

/// Makes a feature for what it is bound to. The vocabulary is empty unless [`Definition::counts`] says that it is needed.
pub(crate) type Build = fn(&Settings, BindContext<'_>) -> Result<Box<dyn Erased>, BindError>;

/// A feature's entry in [`FEATURES`].
pub(crate) struct Definition {
    /// Its name and settings.
    pub schema: &'static Schema,
    /// Where it comes from.
    pub source: &'static str,
    /// The analyzer that texts go through unless told otherwise, as an expression.
    pub analyzer: &'static str,
    /// Whether it needs the counts of a collection.
    pub counts: fn(&Settings) -> bool,
    /// What its numbers are called: `[""]` for a feature of one number, which goes by the feature's own name.
    pub values: fn(&Settings) -> &'static [&'static str],
    /// Makes it.
    pub build: Build,
}

/// A [`Feature`] whose prepared form is hidden, so that all of them are one type.
pub(crate) trait Erased: Send + Sync {
    /// See [`Feature::prepare`].
    fn prepare(&self, text: &Analyzed<'_>) -> Box<dyn Any + Send + Sync>;
    /// See [`Feature::describe`].
    fn describe(&self, a: &dyn Any, b: &dyn Any, out: &mut [f64]);
}

impl<F: Feature> Erased for F {
    fn prepare(&self, text: &Analyzed<'_>) -> Box<dyn Any + Send + Sync> {
        Box::new(Feature::prepare(self, text))
    }

    fn describe(&self, a: &dyn Any, b: &dyn Any, out: &mut [f64]) {
        let own = |prepared| <dyn Any>::downcast_ref(prepared);
        // [`Features`] keeps prepared texts and their features together.
        if let (Some(a), Some(b)) = (own(a), own(b)) {
            Feature::describe(self, a, b, out);
        }
    }
}
