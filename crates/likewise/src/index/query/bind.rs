//! Bind: a query's texts are prepared, and each measure of the sum states its bounds for it.

use crate::index::Index;
use crate::index::field::Component;
use crate::measure::Prepared;
use crate::measure::search::{ImpactCurve, Impacts, Likelihood, Line, QueryBounds, Shape};

/// A query, bound to an index.
pub struct BoundQuery<'a> {
    /// For each column the text.
    pub plain: Vec<String>,
    /// For each column the prepared text.
    pub texts: Vec<Prepared>,
    /// For each column whether it counts.
    pub asked: Vec<bool>,
    /// For each field index the bounds of its components.
    pub fields: Vec<Vec<ComponentBounds<'a>>>,
}

impl<'a> BoundQuery<'a> {
    pub fn new(index: &'a Index, query: &[&str]) -> Self {
        let texts: Vec<Prepared> =
            index.columns.iter().zip(query).map(|(c, text)| c.scorer.prepare(text)).collect();
        // Where every row is scored nothing is bounded.
        let bounded = if index.every_row { &[] } else { &index.field_indexes[..] };
        let fields = bounded.iter().map(|field| {
            let alone = field.components.len() == 1;
            let bounds = field.components.iter().filter_map(|component| {
                let query = texts[component.column].of(component.number);
                let scorer = &index.columns[component.column].scorer;
                let (_, searchable) = scorer.searchable(component.number)?;
                let bounds = searchable.query(query, field.docs.max_tf());
                Some(ComponentBounds::new(component, bounds, alone))
            });
            bounds.collect()
        });
        let fields = fields.collect();
        let asked = index.columns.iter().zip(query).map(|(c, text)| c.counts(text)).collect();
        let plain = query.iter().map(|&text| text.to_owned()).collect();
        Self { plain, texts, asked, fields }
    }
}

/// The bounds of one measure of the sum for one query.
pub struct ComponentBounds<'a> {
    pub component: &'a Component,
    bounds: Box<dyn QueryBounds + 'a>,
    shape: Shape,
    /// What any text can have beyond its terms' impacts.
    pub constant: f32,
    /// Whether it is the only component of its field index. Then a threshold on a likelihood is translated into a sum of
    /// impacts by its curve, which is sharper than any line.
    alone: bool,
}

/// A norm below this counts as this: such texts score 0, and nothing is divided by 0.
const LEAST_NORM: f64 = 1e-12;

impl<'a> ComponentBounds<'a> {
    pub fn new(component: &'a Component, bounds: Box<dyn QueryBounds + 'a>, alone: bool) -> Self {
        let shape = bounds.shape();
        let constant = match shape {
            Shape::Linear(line) => line.constant as f32,
            Shape::Likelihood(_) => 0.0,
        };
        Self { component, bounds, shape, constant, alone }
    }

    /// The curve by which thresholds are translated into sums of impacts, if they are.
    fn curve(&self) -> Option<Likelihood> {
        match self.shape {
            Shape::Likelihood(curve) if self.alone => Some(curve),
            _ => None,
        }
    }

    /// (α, β) so that n times the slope for a text of n terms is at most α·n + β·n/norm.
    pub fn slope_limit(&self) -> [f32; 2] {
        let (alpha, beta) = match self.shape {
            Shape::Likelihood(_) if self.alone => return [1.0, 0.0],
            Shape::Likelihood(curve) => (curve.steepest(), 0.0),
            Shape::Linear(Line { alpha, beta, .. }) => (alpha, beta),
        };
        let weight = self.component.weight;
        [(weight * alpha) as f32, (weight * beta) as f32]
    }

    /// See [`QueryBounds::impacts`].
    pub fn impacts(&self) -> Impacts<'_> {
        self.bounds.impacts()
    }

    /// See [`QueryBounds::feature_impacts`].
    pub fn feature_impacts(&self) -> Vec<(u32, ImpactCurve)> {
        self.bounds.feature_impacts()
    }

    /// See [`QueryBounds::repeated`].
    pub fn repeated(&self, term: u32, occurrences: u32, impact: f32) -> f32 {
        self.bounds.repeated(term, occurrences, impact)
    }

    /// A line above the weighted scores of texts of a norm: its value without impacts, and its slope. Where thresholds are
    /// translated into sums of impacts, the identity.
    pub fn line(&self, norm: f32) -> (f32, f32) {
        let norm = f64::from(norm).max(LEAST_NORM);
        let weight = self.component.weight;
        match self.shape {
            Shape::Likelihood(_) if self.alone => (0.0, 1.0),
            Shape::Likelihood(curve) => {
                let (without, slope) = curve.line(norm);
                ((weight * without) as f32, (weight * slope) as f32)
            }
            Shape::Linear(_) => {
                let slope = (weight * self.bounds.slope(norm)) as f32;
                (slope * self.constant, slope)
            }
        }
    }

    /// The sum of impacts that a text of a norm needs to reach θ, where thresholds are translated.
    pub fn needed(&self, theta: f32, norm: f32) -> Option<f32> {
        let norm = f64::from(norm).max(LEAST_NORM);
        let theta = f64::from(theta) / self.component.weight;
        self.curve().map(|curve| curve.needed(theta, norm) as f32)
    }

    /// Never below the component's part of the score of a text.
    pub fn bound(&self, sum: f64, norm: f32) -> f64 {
        let norm = f64::from(norm).max(LEAST_NORM);
        let bound = match self.shape {
            Shape::Likelihood(curve) => curve.bound(sum, norm),
            Shape::Linear(_) => self.bounds.bound(sum, norm),
        };
        self.component.weight * bound
    }

    /// Up to what the line bounds the component's part of the score.
    pub fn linear_up_to(&self) -> f64 {
        match self.shape {
            Shape::Linear(line) => self.component.weight * line.up_to,
            Shape::Likelihood(_) => self.component.weight * f64::INFINITY,
        }
    }
}
