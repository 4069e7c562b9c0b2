//! A field index: a column cut into terms by one analyzer, with its vocabulary, its postings, and the measures bounded by them.

use super::format::bins::Bins;
use super::format::docs::Docs;
use crate::collection::{TermId, Vocabulary};
use crate::flat::Flat;
use crate::measure::Scorer;
use crate::measure::search::NormModel;
use rayon::prelude::*;
use std::sync::Arc;

/// A column cut by one analyzer.
pub struct FieldIndex {
    /// Its number among the analyzed columns.
    pub number: usize,
    pub vocabulary: Arc<Vocabulary>,
    /// The measures whose scores are bounded by these terms.
    pub components: Vec<Component>,
    pub docs: Docs,
    /// The terms in bins, if the measures share a feature space.
    pub bins: Option<Arc<Bins>>,
}

/// One measure of a weighted sum.
pub struct Component {
    /// The column that it compares, and its number in that column's sum.
    pub column: usize,
    pub number: usize,
    /// Its weight in the score of a row.
    pub weight: f64,
}

impl Component {
    /// The component of a column's scorer, if it can be bounded.
    pub fn new(scorer: &Scorer, column: usize, column_weight: f64, number: usize) -> Option<Self> {
        let (weight, _) = scorer.searchable(number)?;
        Some(Self { column, number, weight: column_weight * weight })
    }
}

/// How the norms of texts follow from their terms, with the norm of each term at hand.
pub enum TermNorms {
    Sum(Flat<f32>),
    RootOfSum(Flat<f32>),
    OfText,
}

impl TermNorms {
    /// The norms of a vocabulary's terms under a component.
    pub fn new(scorer: &Scorer, component: &Component, vocabulary: &Vocabulary) -> Self {
        let Some((_, searchable)) = scorer.searchable(component.number) else {
            return Self::OfText;
        };
        let all = |of: &(dyn Fn(TermId) -> f64 + Sync)| -> Flat<f32> {
            let terms = (0..vocabulary.len() as u32).into_par_iter();
            terms.map(|term| of(TermId(term)) as f32).collect::<Vec<_>>().into()
        };
        match searchable.norm() {
            NormModel::Sum(of) => Self::Sum(all(&*of)),
            NormModel::RootOfSum(of) => Self::RootOfSum(all(&*of)),
            NormModel::OfText => Self::OfText,
        }
    }
}
