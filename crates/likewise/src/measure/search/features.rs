//! Terms as weighted features, such as q-grams.

use crate::collection::Lists;
use crate::flat::Flat;

/// Terms as weighted features. The weight of feature f in term t is `scale(t) · weight(f)`; the impact of a term is at most the
/// sum over shared features of [`combine`](Self::combine) of both sides' weights. All weights of a term, or their squares,
/// add up to its norm, see [`NormModel`](super::NormModel).
#[derive(Debug, Clone)]
pub struct FeatureSpace {
    /// The features of each term, and the terms with each feature.
    pub(crate) of_terms: Lists,
    pub(crate) terms_with: Lists,
    /// What the weights of a term's features are multiplied by.
    pub scales: Flat<f32>,
    /// The weight of each feature.
    pub weights: Vec<f32>,
    /// How the weights of both texts are combined.
    pub combine: Combine,
}

/// How two weights of the same feature are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// By their harmonic mean. The sum is divided by the harmonic mean of the norms.
    HarmonicMean,
    /// By their geometric mean. The sum is divided by the harmonic mean of the norms.
    GeometricMean,
    /// By their product. The sum is divided by the product of the norms.
    Product,
}

/// A score that is at most a sum over the features which two texts share: what a join asks of a measure.
///
/// ```text
/// score(A, B)  ≤  Σ over features f that both have of combine(a_f, b_f), divided as [`Combine`] says
/// ```
///
/// with the weights a_f of [`asked_features`](super::Searchable::asked_features) and b_f of
/// [`features_of`](super::Searchable::features_of).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureSum {
    /// Where features come from. A feature's number counts those of all spaces, one space after the other.
    pub spaces: Vec<Space>,
    /// How weights are combined.
    pub combine: Combine,
    /// Whether [`asked_features`](super::Searchable::asked_features) are other ones than
    /// [`features_of`](super::Searchable::features_of), also for a text that is indexed itself.
    pub one_sided: bool,
}

/// A set of features, such as the 3-grams of a vocabulary's words. Two measures with equal spaces have the same features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// Where in memory it lies that defines the features.
    place: usize,
    /// Number of features.
    pub len: usize,
}

impl Space {
    /// The features that something defines, so many of them. It must outlive the space.
    pub fn of<T>(defined_by: &T, len: usize) -> Self {
        Self { place: std::ptr::from_ref(defined_by) as usize, len }
    }
}

/// The impact that a feature of a query gives a term of scale s: `rise·s / (rest + bend·s)`, which grows with s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactCurve {
    /// The initial slope, times `rest`.
    pub rise: f32,
    /// Above 0.
    pub rest: f32,
    /// 0 for a line.
    pub bend: f32,
}

impl ImpactCurve {
    /// No impact.
    pub const NONE: Self = Self::line(0.0);

    /// An impact in proportion to the scale.
    pub const fn line(rise: f32) -> Self {
        Self { rise, rest: 1.0, bend: 0.0 }
    }

    /// The impact for a term of a scale.
    #[inline]
    pub fn at(self, scale: f32) -> f32 {
        self.rise * scale / (self.rest + self.bend * scale)
    }
}
