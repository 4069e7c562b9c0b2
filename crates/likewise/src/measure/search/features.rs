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
    /// By their product. The sum is divided by the product of the norms.
    Product,
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
