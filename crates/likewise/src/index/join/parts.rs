//! A join in parts: for tables that nobody holds whole.
//!
//! A pair is found by its first shared feature in the order of the join, and a text is listed under its prefix. So whoever has all
//! texts that are listed under some features finds the pairs of which one of these is the first, and nobody else finds them. What must be
//! the same everywhere is what weights and the order of features come from: the collection, counted beforehand. A [`Sketch`] says
//! how far prefixes go; it may be of more texts than there are, but not of fewer.
//!
//! Texts are prepared from the text itself, so they may have words that the collection lacks; of two such texts a shared one would
//! not be found. Those of one side must have none.

use super::bound::JoinBound;
use super::partition::{CostModel, PartitionBuffers, Partitioner, Sides};
use super::prefix::{PrefixIndex, prefix};
use super::sets::{FeatureSpaces, JoinComponent, WeightedSet, WeightedSets};
use super::sketch::Sketch;
use super::{FOR_EACH, LEAST, SLACK};
use crate::collection::Collection;
use crate::measure::search::Combine;
use crate::measure::{Prepared, Scorer};
use crate::scored::Pair;
use std::fmt;

/// Why texts cannot be joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JoinTextError {
    /// The measure is no sum of up to three measures whose scores are sums over shared features.
    NoFeatures,
    /// The threshold is too low.
    TooLow,
    /// A text has too many features.
    TooLong,
    /// Bytes are not those of a sketch for this measure.
    NoSketch,
}

impl fmt::Display for JoinTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFeatures => f.write_str(
                "its score is no sum over features that two texts share, so pairs cannot be found by them; `word-grams` with one size of \
                 grams, and sums of up to three such measures, can be joined",
            ),
            Self::TooLow => write!(
                f,
                "below {LEAST} of the highest score nearly all texts would be compared with nearly all"
            ),
            Self::TooLong => f.write_str("a text has too many distinct grams to be joined"),
            Self::NoSketch => f.write_str("these bytes are not a sketch of texts under this measure"),
        }
    }
}

impl std::error::Error for JoinTextError {}

/// Finds pairs of texts that score at least a threshold, among any part of all texts.
pub struct PartJoin {
    scorer: Scorer,
    kernel: Box<dyn Kernel>,
    min: f64,
}

impl PartJoin {
    /// A join by a measure that is bound to the counts of all texts.
    ///
    /// # Errors
    /// If the measure or the threshold is left to searches.
    pub fn new(scorer: Scorer, collection: &Collection, min: f64) -> Result<Self, JoinTextError> {
        let of = |number: usize| {
            let (weight, searchable) = scorer.searchable(number)?;
            Some(JoinComponent { weight, features: searchable.feature_space()? })
        };
        let all: Option<Vec<JoinComponent>> = (0..scorer.components()).map(of).collect();
        let all = all.ok_or(JoinTextError::NoFeatures)?;
        let whole = all.iter().map(|measure| measure.weight).sum::<f64>();
        let threshold = min / whole;
        if threshold.is_nan() || threshold < LEAST {
            return Err(JoinTextError::TooLow);
        }
        let spaces = FeatureSpaces::new(&all, |measure, term| {
            let counted = collection.vocabulary(scorer.analyzer(measure));
            counted.map_or(0, |words| words.cf(crate::collection::TermId(term)))
        });
        let threshold = threshold as f32;
        let typed = TypedFor { spaces, whole, threshold };
        let kernel: Box<dyn Kernel> = match <[JoinComponent; 1]>::try_from(all) {
            Ok(one) => Box::new(typed.of(&one)),
            Err(all) => match <[JoinComponent; 2]>::try_from(all) {
                Ok(two) => Box::new(typed.of(&two)),
                Err(all) => match <[JoinComponent; 3]>::try_from(all) {
                    Ok(three) => Box::new(typed.of(&three)),
                    Err(_) => return Err(JoinTextError::NoFeatures),
                },
            },
        };
        Ok(Self { scorer, kernel, min })
    }

    /// What scores.
    pub fn scorer(&self) -> &Scorer {
        &self.scorer
    }

    /// Number of measures of the sum.
    pub fn measures(&self) -> usize {
        self.scorer.components()
    }

    /// The sketch of some texts.
    ///
    /// # Errors
    /// If a text is too long.
    pub fn sketch(&self, texts: &[&str]) -> Result<Sketch, JoinTextError> {
        self.kernel.sketch(&self.scorer, texts)
    }

    /// For each text the features under which it is listed, by number in the order of the join, where `sketch` is of all texts.
    ///
    /// # Errors
    /// If a text is too long.
    pub fn prefixes(
        &self,
        sketch: &Sketch,
        texts: &[&str],
    ) -> Result<Vec<Vec<u32>>, JoinTextError> {
        self.kernel.prefixes(&self.scorer, sketch, texts)
    }

    /// The pairs of texts, lower number on the left, that score at least the threshold, of which the first shared feature is `kept` and
    /// whose numbers are `wanted`. In the order of numbers.
    ///
    /// # Errors
    /// If a text is too long.
    pub fn pairs(
        &self,
        texts: &[&str],
        kept: &dyn Fn(u32) -> bool,
        wanted: &dyn Fn(u32, u32) -> bool,
    ) -> Result<Vec<Pair>, JoinTextError> {
        let mut found = self.kernel.pairs(&self.scorer, texts, kept)?;
        found.retain(|&(left, right)| wanted(left, right));
        found.sort_unstable();
        let mut prepared: Vec<Option<Prepared>> = Vec::new();
        prepared.resize_with(texts.len(), || None);
        for &(left, right) in &found {
            for text in [left, right] {
                prepared[text as usize]
                    .get_or_insert_with(|| self.scorer.prepare(texts[text as usize]));
            }
        }
        let scored = found.into_iter().filter_map(|(left, right)| {
            let of = |text: u32| prepared[text as usize].as_ref();
            Some(Pair::new(left, right, self.scorer.score_own(of(left)?, of(right)?)))
        });
        Ok(scored.filter(|pair| pair.score >= self.min).collect())
    }
}

/// A join of some number of measures.
trait Kernel: Send + Sync {
    fn sketch(&self, scorer: &Scorer, texts: &[&str]) -> Result<Sketch, JoinTextError>;

    fn prefixes(
        &self,
        scorer: &Scorer,
        sketch: &Sketch,
        texts: &[&str],
    ) -> Result<Vec<Vec<u32>>, JoinTextError>;

    fn pairs(
        &self,
        scorer: &Scorer,
        texts: &[&str],
        kept: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<(u32, u32)>, JoinTextError>;
}

/// What a kernel has, whatever the number of its measures.
struct TypedFor {
    spaces: FeatureSpaces,
    whole: f64,
    threshold: f32,
}

impl TypedFor {
    fn of<const K: usize>(self, all: &[JoinComponent; K]) -> Typed<K> {
        let combines = all.each_ref().map(|measure| measure.features.combine);
        let weights = all.each_ref().map(|measure| (measure.weight / self.whole) as f32);
        let Self { spaces, threshold, .. } = self;
        Typed { measures: JoinBound::new(combines, weights), combines, spaces, threshold }
    }
}

struct Typed<const K: usize> {
    measures: JoinBound<K>,
    combines: [Combine; K],
    spaces: FeatureSpaces,
    threshold: f32,
}

impl<const K: usize> Typed<K> {
    /// The threshold for texts of at most so many features.
    fn threshold(&self, most: usize) -> f32 {
        self.threshold * (1.0 - SLACK) - most as f32 * FOR_EACH
    }

    fn set(&self, scorer: &Scorer, text: &str) -> Result<WeightedSet<K>, JoinTextError> {
        let prepared = scorer.prepare(text);
        let (mut parts, mut norms) = (Vec::new(), [0.0; K]);
        for (k, own) in norms.iter_mut().enumerate() {
            let Some((_, searchable)) = scorer.searchable(k) else { continue };
            let form = prepared.of(k);
            let (norm, ranks) = (searchable.text_norm(form), self.spaces.ranks_of(k));
            let product = self.combines[k] == Combine::Product;
            let power = |weight: f64| if product { weight * weight } else { weight };
            if norm > 0.0 {
                let share = |(feature, weight): (u32, f64)| {
                    (ranks[feature as usize], k, power(weight) / power(norm))
                };
                let weighty = searchable.features_of(form).into_iter().filter(|f| f.1 > 0.0);
                parts.extend(weighty.map(share));
            }
            *own = if product { 0.0 } else { norm as f32 };
        }
        WeightedSet::new(parts, norms).ok_or(JoinTextError::TooLong)
    }
}

impl<const K: usize> Kernel for Typed<K> {
    fn sketch(&self, scorer: &Scorer, texts: &[&str]) -> Result<Sketch, JoinTextError> {
        let mut sketch = Sketch::default();
        for text in texts {
            let set = self.set(scorer, text)?;
            if !set.elements.is_empty() {
                sketch.add(&set, &self.measures);
            }
        }
        Ok(sketch)
    }

    fn prefixes(
        &self,
        scorer: &Scorer,
        sketch: &Sketch,
        texts: &[&str],
    ) -> Result<Vec<Vec<u32>>, JoinTextError> {
        let (partners, threshold) = (sketch.partners(), self.threshold(sketch.most as usize));
        let of = |text: &&str| {
            let set = self.set(scorer, text)?;
            let many = prefix(&set.elements, set.norms, &self.measures, &partners, threshold);
            Ok(set.elements[..many].iter().map(|element| element.feature).collect())
        };
        texts.iter().map(of).collect()
    }

    fn pairs(
        &self,
        scorer: &Scorer,
        texts: &[&str],
        kept: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<(u32, u32)>, JoinTextError> {
        let sets =
            texts.iter().map(|text| self.set(scorer, text)).collect::<Result<Vec<_>, _>>()?;
        let (texts, features) = WeightedSets::of_sets(sets, self.spaces.len());
        let threshold = self.threshold(texts.most);
        let (measures, cost) = (&self.measures, CostModel::USUAL);
        let sides = Sides::One;
        let partitioner = Partitioner { texts: &texts, measures, threshold, cost, sides };
        let lists = PrefixIndex::new(&partitioner, None);
        let (mut buffers, mut found) = (PartitionBuffers::new(texts.features), Vec::new());
        for (own, &feature) in (0..).zip(&features) {
            let listed = lists.of(own as usize);
            if listed.len() > 1 && kept(feature) {
                partitioner.pairs(own, listed, &mut buffers, &mut found);
            }
        }
        Ok(found)
    }
}
