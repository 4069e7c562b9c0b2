//! The one contract of every measure.

use super::search::{
    FeatureSpace, FeatureSum, NormModel, QueryBounds, QueryText, Refine, Searchable, StoredArray,
};
use super::{BindError, Explanation};
use crate::collection::Vocabulary;
use crate::expr::{Schema, Settings};
use crate::resource::Resources;
use crate::text::{Analyzer, Text};
use serde::Serialize;
use std::any::Any;
use std::sync::Arc;

/// How alike two texts are: prepare each once, then score, score with a cutoff, bound, explain.
///
/// Scores are higher for texts more alike, finite, and 0 when either text is empty. Once texts are
/// prepared nothing is allocated per pair.
pub trait TextSimilarity: Send + Sync + Sized + 'static {
    /// A text in the form in which it is compared.
    type Prepared: Send + Sync + 'static;

    /// Prepares a text, once, to be compared with many.
    fn prepare(&self, text: &Text) -> Self::Prepared;

    /// Precomputes state shared by all texts. Called before many are prepared.
    fn get_ready(&self) {}

    /// The score.
    fn score(&self, a: &Self::Prepared, b: &Self::Prepared) -> f64;

    /// The score of two texts that are compared as they stand and with no others; `None` if they must be prepared.
    fn score_plain(&self, a: &str, b: &str) -> Option<f64> {
        let _ = (a, b);
        None
    }

    /// `Some(score)` exactly when the score is at least `cutoff`; may stop early.
    fn score_at_least(&self, a: &Self::Prepared, b: &Self::Prepared, cutoff: f64) -> Option<f64> {
        if self.upper_bound(a, b) < cutoff {
            return None;
        }
        let score = self.score(a, b);
        (score >= cutoff).then_some(score)
    }

    /// Never below the score, and much cheaper.
    fn upper_bound(&self, a: &Self::Prepared, b: &Self::Prepared) -> f64;

    /// Why the score is what it is: the shared parts, and what each contributes.
    fn explain(&self, a: &Text, b: &Text) -> Explanation;

    /// Whether the text holds what the measure compares, such as a number; without it, it scores 0 with everything. `None` if every
    /// text that is not blank does.
    fn has_value(&self, text: &Text) -> Option<bool> {
        let _ = text;
        None
    }

    /// The upper bounds by which an index finds the best texts without scoring all; `None` if it must score every text.
    fn searchable(&self) -> Option<&dyn Searchable<Self::Prepared>> {
        None
    }

    /// What the user should know of the scores given so far: a sentence, if there is something.
    fn note(&self) -> Option<String> {
        None
    }

    /// Readies many texts to be compared with others in bulk. The scores are those of
    /// [`score`](Self::score), to the bit.
    fn batch<'a>(&'a self, columns: &'a [Self::Prepared]) -> Box<dyn Batch<Self::Prepared> + 'a> {
        Box::new(OneByOne { measure: self, columns })
    }
}

/// Many texts, ready to be compared with others in bulk.
pub trait Batch<P>: Sync {
    /// Every row against every text of the batch, row by row.
    fn score(&self, rows: &[P], out: &mut [f64]);
}

/// The plain batch: one pair after the other.
pub struct OneByOne<'a, M: TextSimilarity> {
    /// The measure.
    pub measure: &'a M,
    /// The texts of the batch.
    pub columns: &'a [M::Prepared],
}

impl<M: TextSimilarity> Batch<M::Prepared> for OneByOne<'_, M> {
    fn score(&self, rows: &[M::Prepared], out: &mut [f64]) {
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(self.columns.len().max(1))) {
            for (column, out) in self.columns.iter().zip(out) {
                *out = self.measure.score(row, column);
            }
        }
    }
}

/// What holds for all scores of a measure.
///
/// ```
/// use likewise::measure::Measure;
///
/// let bm25: Measure = "bm25".parse().unwrap();
/// let properties = bm25.properties();
/// assert!(properties.adaptive && !properties.symmetric && !properties.unit_interval);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Properties {
    /// All scores lie in [0, 1].
    pub unit_interval: bool,
    /// A text that has a term, and [a value](super::Scorer::has_value) by every measure of a sum, scores at least 1 with itself. In [0, 1] that is the maximum, so that no threshold
    /// misses equal texts. Not so where all of a text's terms may weigh nothing: under `idf=plain`, or too short
    /// under `short=drop`.
    pub reflexive: bool,
    /// score(a, b) = score(b, a), to the bit.
    pub symmetric: bool,
    /// The score depends on the counts of a collection.
    pub adaptive: bool,
    /// All terms must be known before scoring: those of a collection, whether it has counts or not. So it is of measures that
    /// learn from a column how to read its cells.
    pub needs_vocabulary: bool,
    /// Scores are logarithms, 0 at the most. Such a measure cannot be searched by: search takes a score
    /// of 0 for texts with nothing in common.
    pub logarithmic: bool,
}

/// In [0, 1], reflexive, symmetric, and a function of the two texts alone.
impl Default for Properties {
    fn default() -> Self {
        Self {
            unit_interval: true,
            reflexive: true,
            symmetric: true,
            adaptive: false,
            needs_vocabulary: false,
            logarithmic: false,
        }
    }
}

/// Everything that is fixed before texts are scored.
#[derive(Clone, Copy)]
pub struct BindContext<'a> {
    /// The words of the collection and their counts.
    pub vocabulary: &'a Arc<Vocabulary>,
    /// What texts go through before the measure sees them.
    pub analyzer: &'a Analyzer,
    /// Where files come from that the settings name.
    pub resources: &'a Resources,
}

/// Makes the measure for what it is bound to.
pub type Build = fn(&Settings, BindContext) -> Result<Box<dyn Erased>, BindError>;

/// Settings that go together under a name: `query-likelihood(preset=paper)`. What else is given goes before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Preset {
    /// The name users write.
    pub name: &'static str,
    /// The settings, as they would be written.
    pub settings: &'static str,
    /// What they are.
    pub help: &'static str,
}

impl Preset {
    /// The settings of the publication that a measure comes from, where the defaults are others.
    pub const fn paper(settings: &'static str, help: &'static str) -> Self {
        Self { name: "paper", settings, help }
    }
}

/// A measure's entry in [`MEASURES`](super::MEASURES).
pub struct Definition {
    /// Its name and settings.
    pub schema: &'static Schema,
    /// Where it comes from.
    pub source: &'static str,
    /// The analyzer its texts go through unless told otherwise, as an expression.
    pub analyzer: &'static str,
    /// Settings by name.
    pub presets: &'static [Preset],
    /// What holds for its scores under some settings.
    pub properties: fn(&Settings) -> Properties,
    /// Makes it.
    pub build: Build,
}

/// A [`TextSimilarity`] whose prepared form is hidden, so that all of them are one type.
pub trait Erased: Send + Sync {
    /// See [`TextSimilarity::prepare`].
    fn prepare(&self, text: &Text) -> Box<dyn Any + Send + Sync>;
    /// See [`TextSimilarity::score`].
    fn score(&self, a: &dyn Any, b: &dyn Any) -> f64;
    /// See [`TextSimilarity::score_plain`].
    fn score_plain(&self, a: &str, b: &str) -> Option<f64>;
    /// See [`TextSimilarity::score_at_least`].
    fn score_at_least(&self, a: &dyn Any, b: &dyn Any, cutoff: f64) -> Option<f64>;
    /// See [`TextSimilarity::upper_bound`].
    fn upper_bound(&self, a: &dyn Any, b: &dyn Any) -> f64;
    /// See [`TextSimilarity::explain`].
    fn explain(&self, a: &Text, b: &Text) -> Explanation;
    /// See [`TextSimilarity::has_value`].
    fn has_value(&self, text: &Text) -> Option<bool>;
    /// See [`TextSimilarity::searchable`].
    fn searchable(&self) -> Option<Box<dyn ErasedSearchable<'_> + '_>>;
    /// See [`TextSimilarity::note`].
    fn note(&self) -> Option<String>;
    /// Prepares many texts, in parallel.
    fn prepare_all(
        &self,
        texts: &(dyn Fn(usize) -> Text + Sync),
        n: usize,
    ) -> Box<dyn Any + Send + Sync>;
    /// One text of a set made by [`prepare_all`](Self::prepare_all).
    fn one<'a>(&self, set: &'a (dyn Any + Send + Sync), at: usize) -> &'a (dyn Any + Send + Sync);
    /// Readies such a set to be compared with rows of another.
    fn batch<'a>(&'a self, columns: &'a (dyn Any + Send + Sync)) -> Box<dyn ErasedBatch + 'a>;
}

/// A [`Batch`] whose prepared form is hidden.
pub trait ErasedBatch: Sync {
    /// Rows `from..to` of a prepared set against all columns.
    fn score(&self, rows: &(dyn Any + Send + Sync), from: usize, to: usize, out: &mut [f64]);
}

/// Prepared texts always come from the measure they are given back to: [`super::Scorer`] keeps
/// them together.
fn own<T: 'static>(prepared: &dyn Any) -> &T {
    prepared.downcast_ref().expect("a text prepared by this very measure")
}

impl<M: TextSimilarity> Erased for M {
    fn prepare(&self, text: &Text) -> Box<dyn Any + Send + Sync> {
        Box::new(TextSimilarity::prepare(self, text))
    }

    fn score(&self, a: &dyn Any, b: &dyn Any) -> f64 {
        TextSimilarity::score(self, own(a), own(b))
    }

    fn score_plain(&self, a: &str, b: &str) -> Option<f64> {
        TextSimilarity::score_plain(self, a, b)
    }

    fn score_at_least(&self, a: &dyn Any, b: &dyn Any, cutoff: f64) -> Option<f64> {
        TextSimilarity::score_at_least(self, own(a), own(b), cutoff)
    }

    fn upper_bound(&self, a: &dyn Any, b: &dyn Any) -> f64 {
        TextSimilarity::upper_bound(self, own(a), own(b))
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        // Parts add up in another order; what is explained is the score, to the bit.
        let (x, y) = (TextSimilarity::prepare(self, a), TextSimilarity::prepare(self, b));
        let score = TextSimilarity::score(self, &x, &y);
        Explanation { score, ..TextSimilarity::explain(self, a, b) }
    }

    fn has_value(&self, text: &Text) -> Option<bool> {
        TextSimilarity::has_value(self, text)
    }

    fn searchable(&self) -> Option<Box<dyn ErasedSearchable<'_> + '_>> {
        let searchable = TextSimilarity::searchable(self)?;
        Some(Box::new(TypedSearchable(searchable)))
    }

    fn note(&self) -> Option<String> {
        TextSimilarity::note(self)
    }

    fn prepare_all(
        &self,
        texts: &(dyn Fn(usize) -> Text + Sync),
        n: usize,
    ) -> Box<dyn Any + Send + Sync> {
        use rayon::prelude::*;
        if n > 1 {
            self.get_ready();
        }
        let set: Vec<M::Prepared> = (0..n)
            .into_par_iter()
            .with_min_len(64)
            .map(|at| TextSimilarity::prepare(self, &texts(at)))
            .collect();
        Box::new(set)
    }

    fn one<'a>(&self, set: &'a (dyn Any + Send + Sync), at: usize) -> &'a (dyn Any + Send + Sync) {
        let set: &Vec<M::Prepared> = own(set);
        &set[at]
    }

    fn batch<'a>(&'a self, columns: &'a (dyn Any + Send + Sync)) -> Box<dyn ErasedBatch + 'a> {
        let columns: &Vec<M::Prepared> = own(columns);
        Box::new(Typed(TextSimilarity::batch(self, columns)))
    }
}

struct Typed<'a, P>(Box<dyn Batch<P> + 'a>);

impl<P: 'static> ErasedBatch for Typed<'_, P> {
    fn score(&self, rows: &(dyn Any + Send + Sync), from: usize, to: usize, out: &mut [f64]) {
        let rows: &Vec<P> = own(rows);
        self.0.score(&rows[from..to], out);
    }
}

/// A [`Searchable`] whose prepared form is hidden. Bounds of a query hide it by themselves.
pub trait ErasedSearchable<'m>: Sync {
    /// See [`Searchable::norm`].
    fn norm(&self) -> NormModel<'m>;
    /// See [`Searchable::text_norm`].
    fn text_norm(&self, text: &dyn Any) -> f64;
    /// See [`Searchable::query`].
    fn query(&self, query: &dyn Any, max_tf: &[u32]) -> Box<dyn QueryBounds + 'm>;
    /// See [`Searchable::refiner`].
    fn refiner(&self, query: &dyn Any) -> Option<Box<dyn Refine + 'm>>;
    /// See [`Searchable::whole_text`].
    fn whole_text(&self) -> bool;
    /// See [`Searchable::prepare_terms`].
    fn prepare_terms(&self, terms: &[u32]) -> Option<Box<dyn Any + Send + Sync>>;
    /// See [`Searchable::norm_of_terms`].
    fn norm_of_terms(&self, terms: &[u32]) -> Option<f64>;
    /// See [`Searchable::feature_space`].
    fn feature_space(&self) -> Option<FeatureSpace>;
    /// See [`Searchable::feature_sum`].
    fn feature_sum(&self) -> Option<FeatureSum>;
    /// See [`Searchable::features_of`].
    fn features_of(&self, text: &dyn Any) -> Vec<(u32, f64)>;
    /// See [`Searchable::asked_features`].
    fn asked_features(&self, text: &dyn Any) -> Vec<(u32, f64)>;
    /// See [`Searchable::stored`].
    fn stored(&self) -> Vec<StoredArray>;
    /// See [`Searchable::restore`].
    fn restore(&self, arrays: Vec<StoredArray>);
}

struct TypedSearchable<'m, P>(&'m dyn Searchable<P>);

/// A norm below this counts as this: such texts score 0, and nothing is divided by 0.
const LEAST_NORM: f64 = 1e-12;

impl<'m, P: Send + Sync + 'static> ErasedSearchable<'m> for TypedSearchable<'m, P> {
    fn norm(&self) -> NormModel<'m> {
        self.0.norm()
    }
    fn text_norm(&self, text: &dyn Any) -> f64 {
        self.0.text_norm(own(text))
    }
    fn query(&self, query: &dyn Any, max_tf: &[u32]) -> Box<dyn QueryBounds + 'm> {
        let text: &P = own(query);
        self.0.query(&QueryText { text, norm: self.0.text_norm(text).max(LEAST_NORM), max_tf })
    }
    fn refiner(&self, query: &dyn Any) -> Option<Box<dyn Refine + 'm>> {
        self.0.refiner(own(query))
    }
    fn whole_text(&self) -> bool {
        self.0.whole_text()
    }
    fn prepare_terms(&self, terms: &[u32]) -> Option<Box<dyn Any + Send + Sync>> {
        Some(Box::new(self.0.prepare_terms(terms)?))
    }
    fn norm_of_terms(&self, terms: &[u32]) -> Option<f64> {
        self.0.norm_of_terms(terms)
    }
    fn feature_space(&self) -> Option<FeatureSpace> {
        self.0.feature_space()
    }
    fn feature_sum(&self) -> Option<FeatureSum> {
        self.0.feature_sum()
    }
    fn features_of(&self, text: &dyn Any) -> Vec<(u32, f64)> {
        self.0.features_of(own(text))
    }
    fn asked_features(&self, text: &dyn Any) -> Vec<(u32, f64)> {
        self.0.asked_features(own(text))
    }
    fn stored(&self) -> Vec<StoredArray> {
        self.0.stored()
    }
    fn restore(&self, arrays: Vec<StoredArray>) {
        self.0.restore(arrays);
    }
}
