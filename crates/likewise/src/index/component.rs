//! One measure of a weighted sum, with what its bounds say of each word at hand.

use crate::collection::{TermId, Vocabulary};
use crate::flat::Flat;
use crate::measure::by_word::{Curve, Gains, Likelihood, List, Sharp, Sizes, Table, Words};
use crate::measure::{ErasedByWord, Scorer};
use rayon::prelude::*;
use std::any::Any;

/// One measure of a weighted sum.
pub struct Component {
    /// Which column it looks at, and which of the sum's measures it is there.
    pub column: usize,
    pub number: usize,
    /// What it counts in the score of a row.
    pub weight: f64,
    sizes: Sizes,
    /// For each word, see [`crate::measure::by_word::ByWord`].
    word_sizes: Flat<f32>,
}

impl Component {
    pub fn new(
        scorer: &Scorer,
        column: usize,
        column_weight: f64,
        number: usize,
        vocabulary: &Vocabulary,
    ) -> Option<Self> {
        let (weight, by_word) = scorer.by_word(number)?;
        let of_words = |of: &(dyn Fn(TermId) -> f64 + Sync)| {
            (0..vocabulary.len() as u32)
                .into_par_iter()
                .map(|w| of(TermId(w)) as f32)
                .collect::<Vec<_>>()
        };
        Some(Self {
            column,
            number,
            weight: column_weight * weight,
            sizes: by_word.sizes(),
            word_sizes: if by_word.sizes() == Sizes::Asked {
                Flat::default()
            } else {
                of_words(&|w| by_word.word_size(w)).into()
            },
        })
    }

    /// The same for an index that is built already: sizes of words are not asked for any more.
    pub fn of_built(
        scorer: &Scorer,
        column: usize,
        column_weight: f64,
        number: usize,
    ) -> Option<Self> {
        let (weight, by_word) = scorer.by_word(number)?;
        let (weight, sizes) = (column_weight * weight, by_word.sizes());
        Some(Self { column, number, weight, sizes, word_sizes: Flat::default() })
    }

    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    pub fn size(&self, word: u32) -> f32 {
        self.word_sizes[word as usize]
    }
}

/// A component's bounds for one query.
pub struct Asked<'a> {
    pub component: &'a Component,
    by_word: Box<dyn ErasedByWord + 'a>,
    pub query_size: f64,
    /// What a text can have beyond its words' gains.
    pub constant: f32,
    /// How its score follows from the sum of gains, if it is a likelihood.
    likelihood: Option<Likelihood>,
    /// Whether it is the only one of its cutting. Then levels of a likelihood are told in gains: by its curve, which is sharper
    /// than any line.
    alone: bool,
}

/// Below this a size is taken for this: such texts score 0, and nothing is divided by 0.
const LEAST_SIZE: f64 = 1e-12;

impl<'a> Asked<'a> {
    pub fn new(
        component: &'a Component,
        scorer: &'a Scorer,
        query: &dyn Any,
        alone: bool,
    ) -> Option<Self> {
        let (_, by_word) = scorer.by_word(component.number)?;
        let query_size = by_word.text_size(query).max(LEAST_SIZE);
        let constant = by_word.constant(query) as f32;
        let likelihood = by_word.likelihood(query);
        Some(Self { component, by_word, query_size, constant, likelihood, alone })
    }

    /// The curve, where levels are told in gains.
    fn curve(&self) -> Option<Likelihood> {
        self.likelihood.filter(|_| self.alone)
    }

    /// Numbers (α, β) so that n times the slope for a text of n words is at most α·n + β·n/size.
    pub fn steepness(&self) -> [f32; 2] {
        if self.curve().is_some() {
            return [1.0, 0.0];
        }
        let (by_words, by_size) = match self.likelihood {
            Some(curve) => (curve.steepest(), 0.0),
            None => self.by_word.steepness(self.query_size),
        };
        let weight = self.component.weight;
        [(weight * by_words) as f32, (weight * by_size) as f32]
    }

    /// The most that so many occurrences of a word can give to one text, in gains.
    pub fn total(&self, query: &dyn Any, word: u32, occurrences: u32, gain: f32) -> f32 {
        self.by_word.total(query, word, occurrences, gain)
    }

    /// Lists of words that gain alike.
    pub fn lists(&self, query: &dyn Any, words: &Words) -> Vec<List<'_>> {
        self.by_word.lists(query, words)
    }

    /// What words gain by each feature of the query.
    pub fn curves(&self, query: &dyn Any) -> Vec<(u32, Curve)> {
        self.by_word.curves(query)
    }

    /// What each word of a stretch gains beyond that.
    pub fn gains(&self, query: &dyn Any, words: &Words, gains: &mut Gains) {
        self.by_word.gains(query, words, gains);
    }

    /// Lays the query out, so that texts can be met with it.
    pub fn lay_out(&self, query: &dyn Any, table: &mut Table) -> Sharp {
        self.by_word.lay_out(query, table)
    }

    /// What takes the place of the sum of gains for a text of these words.
    pub fn meet(&self, words: &[u32], table: &mut Table) -> f32 {
        self.by_word.meet(words, table)
    }

    /// Touches what meeting texts of these words will need.
    pub fn fetch(&self, words: &[u32], table: &Table) {
        self.by_word.fetch(words, table);
    }

    /// A line above the scores of texts of a size, the weight in the sum included: what those without gains have, and what a
    /// gain counts. Where levels are told in gains, gains as they are.
    pub fn line(&self, text_size: f32) -> (f32, f32) {
        let size = f64::from(text_size).max(LEAST_SIZE);
        if self.curve().is_some() {
            return (0.0, 1.0);
        }
        let weight = self.component.weight;
        match self.likelihood {
            Some(curve) => {
                let (without, slope) = curve.line(size);
                ((weight * without) as f32, (weight * slope) as f32)
            }
            None => {
                let slope = (weight * self.by_word.slope(self.query_size, size)) as f32;
                (slope * self.constant, slope)
            }
        }
    }

    /// What the gains of a text of a size must be together to reach a level, where levels are told in gains.
    pub fn needed(&self, level: f32, text_size: f32) -> Option<f32> {
        let size = f64::from(text_size).max(LEAST_SIZE);
        let level = f64::from(level) / self.component.weight;
        self.curve().map(|curve| curve.needed(level, size) as f32)
    }

    /// Never below what the component gives to the score.
    pub fn bound(&self, sum: f64, text_size: f32) -> f64 {
        let size = f64::from(text_size).max(LEAST_SIZE);
        let bound = match self.likelihood {
            Some(curve) => curve.bound(sum, size),
            None => self.by_word.bound(sum, self.query_size, size),
        };
        self.component.weight * bound
    }

    /// Up to what the slope bounds the component's part of the score.
    pub fn linear_up_to(&self) -> f64 {
        self.component.weight * self.by_word.linear_up_to()
    }
}
