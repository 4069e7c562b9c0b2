//! What exact search asks of a measure: upper bounds on scores, as sums over terms.
//!
//! A measure is *searchable* if the score of a query Q and a text D is bounded by a sum over the term occurrences of D:
//!
//! ```text
//! score(Q, D)  ≤  bound( constant + Σ over occurrences t in D of impact(t),  norm(D) )
//! ```
//!
//! where `bound` grows with the sum and shrinks with the norm. An index needs three things then: the *impact* of each
//! vocabulary term for this query (the term upper bound of MaxScore and WAND), the terms of each text, and the texts'
//! norms. Weights, coefficients and similar spellings are the measure's own business.
//!
//! There are two traits. [`Searchable`] is what is known before any query: how norms follow from terms. [`QueryBounds`]
//! is what one query asks: impacts, and how a score follows from sum and norm. Three and two methods are required; the
//! others make search sharper or faster. `docs/add-a-measure.md` goes through an example.

mod features;
mod impacts;
mod likelihood;
mod shared;

pub use features::{Combine, FeatureSpace, FeatureSum, ImpactCurve, Space};
pub use impacts::{Classes, ImpactList, ImpactRange, Impacts};
pub use likelihood::{ALIKE, Likelihood, is_background};
pub use shared::{SharedFeatures, SquareSums};

use crate::collection::TermId;
use crate::flat::Flat;

/// What is known of a measure's terms before any query. `P` is the measure's prepared text.
///
/// All of it bounds: norms of indexed texts are never above the true ones.
pub trait Searchable<P>: Sync {
    /// How the norm of an indexed text follows from its terms.
    fn norm(&self) -> NormModel<'_>;

    /// The norm of a prepared text.
    fn text_norm(&self, text: &P) -> f64;

    /// The bounds for one query. They may borrow from the measure, not from the query.
    fn query<'a>(&'a self, query: &QueryText<'_, P>) -> Box<dyn QueryBounds + 'a>;

    /// A sharper bound for single texts, for the few that are left after candidate generation. Worth while where the terms
    /// of a text together give less than the sum of their impacts.
    fn refiner<'a>(&'a self, query: &P) -> Option<Box<dyn Refine + 'a>> {
        let _ = query;
        None
    }

    /// Whether the whole text is its only term.
    fn whole_text(&self) -> bool {
        false
    }

    /// The prepared form of a text of just these terms, in this order: the same, to the bit, as from the text. Search then
    /// scores candidates without analysing them again. `None` if only the text will do.
    fn prepare_terms(&self, terms: &[u32]) -> Option<P> {
        let _ = terms;
        None
    }

    /// The norm of a text of just these terms, off by less than a millionth, for [`NormModel::OfText`]; `None` if the text must
    /// be prepared.
    fn norm_of_terms(&self, terms: &[u32]) -> Option<f64> {
        Some(self.text_norm(&self.prepare_terms(terms)?))
    }

    /// Terms as weighted features, if impacts are sums over the features that a term shares with the query and nothing else.
    /// Term bounds are quantised by it, and a self-join is faster with it.
    fn feature_space(&self) -> Option<FeatureSpace> {
        None
    }

    /// Which features two texts share if they score at all, if scores are bounded by a sum over these. Joins need it.
    fn feature_sum(&self) -> Option<FeatureSum> {
        None
    }

    /// The features of an indexed text under [`feature_sum`](Self::feature_sum), each with its weight; the same as those of the
    /// [feature space](Self::feature_space), where there is one.
    fn features_of(&self, text: &P) -> Vec<(u32, f64)> {
        let _ = text;
        Vec::new()
    }

    /// The features of any other text. What the text has beside features that indexed texts can have counts in its norm.
    fn asked_features(&self, text: &P) -> Vec<(u32, f64)> {
        self.features_of(text)
    }

    /// Arrays computed from the vocabulary that an index keeps, so that opening it need not compute them again. Only this
    /// measure reads them.
    fn stored(&self) -> Vec<StoredArray> {
        Vec::new()
    }

    /// Takes back what [`stored`](Self::stored) gave for the same measure and vocabulary. What does not fit is ignored, and
    /// computed when it is needed.
    fn restore(&self, _: Vec<StoredArray>) {}
}

/// Upper bounds for one query.
pub trait QueryBounds: Send {
    /// For each vocabulary term the most that one occurrence adds to the sum.
    fn impacts(&self) -> Impacts<'_>;

    /// How a score is bounded by the sum of impacts.
    fn shape(&self) -> Shape;

    /// The slope of a [linear](Shape::Linear) bound for texts of a norm: `score ≤ slope · (constant + Σ impacts)`. Never above
    /// `alpha + beta / norm`, which is the default.
    fn slope(&self, norm: f64) -> f64 {
        match self.shape() {
            Shape::Linear(line) => line.alpha + line.beta / norm,
            Shape::Likelihood(_) => 1.0,
        }
    }

    /// Never below the score of a text of this norm for which constant and impacts add up to `sum`. Only asked of
    /// [linear](Shape::Linear) bounds; to be overridden where more than the line is known.
    fn bound(&self, sum: f64, norm: f64) -> f64 {
        sum * self.slope(norm)
    }

    /// The most that so many occurrences of a term in one text add to the sum, if one adds `impact`: each further occurrence
    /// adds no more than the one before.
    fn repeated(&self, term: u32, occurrences: u32, impact: f32) -> f32 {
        let _ = term;
        occurrences as f32 * impact
    }

    /// For each feature of the query, by number, the impact of a term that has it. For measures with a
    /// [feature space](Searchable::feature_space), in place of [`impacts`](Self::impacts).
    fn feature_impacts(&self) -> Vec<(u32, ImpactCurve)> {
        Vec::new()
    }
}

/// Bounds single texts more sharply than the sum of impacts.
pub trait Refine: Send {
    /// What takes the place of constant and impacts for a text of exactly these terms, off by less than a ten-thousandth.
    fn refine(&mut self, terms: &[u32]) -> f32;

    /// Touches the memory that [`refine`](Self::refine) will read for these terms, so that cache misses overlap.
    fn prefetch(&self, terms: &[u32]) {
        let _ = terms;
    }
}

/// A query as its measure sees it.
pub struct QueryText<'q, P> {
    /// The prepared text.
    pub text: &'q P,
    /// Its norm, above 0.
    pub norm: f64,
    /// For each vocabulary term the largest number of occurrences in one indexed text.
    pub max_tf: &'q [u32],
}

/// How the norm of a text follows from its terms.
pub enum NormModel<'a> {
    /// It is at least the sum over occurrences of what each term adds.
    Sum(TermNorm<'a>),
    /// Its square is at least that sum.
    RootOfSum(TermNorm<'a>),
    /// Only the prepared text knows it.
    OfText,
}

/// What an occurrence of a term adds to a norm.
pub type TermNorm<'a> = Box<dyn Fn(TermId) -> f64 + Sync + 'a>;

/// How a score is bounded by the sum of impacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// By a line through the origin.
    Linear(Line),
    /// By an exponential, as the likelihood of a language model is.
    Likelihood(Likelihood),
}

/// A linear bound: `score ≤ slope(norm) · (constant + Σ impacts)`, where `slope(norm) ≤ alpha + beta / norm`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The part of the slope that is the same for all texts.
    pub alpha: f64,
    /// The part that falls with the norm.
    pub beta: f64,
    /// What any text can have beyond its terms' impacts.
    pub constant: f64,
    /// Scores up to this are bounded by the line; of higher ones it says nothing.
    pub up_to: f64,
}

impl Line {
    /// A line of slope `alpha + beta / norm`.
    pub fn new(alpha: f64, beta: f64) -> Self {
        Self { alpha, beta, constant: 0.0, up_to: f64::INFINITY }
    }
}

/// An array that a measure computed from the vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub enum StoredArray {
    /// Four-byte floats.
    F32(Flat<f32>),
    /// Eight-byte floats.
    F64(Flat<f64>),
    /// Four-byte integers.
    U32(Flat<u32>),
    /// Eight-byte integers.
    U64(Flat<u64>),
}
