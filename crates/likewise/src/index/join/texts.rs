//! Texts under any measures whose scores are bounded by [sums over shared features](crate::measure::search::FeatureSum), as weighted sets.
//!
//! A measure may have features of several kinds, such as 2-grams and 3-grams, and the features of a text may differ by the side it is
//! on: soft cosine expands the words of one text by words that are like them, and compares with the plain words of the other. Then
//! the texts of a table stand on both sides, in two forms.
//!
//! A text's shares may add up to more than 1 there. They are divided by the largest sum on their side, and the measure's weight is
//! multiplied by the geometric mean of both sides' sums, which is the same.

use super::bound::JoinBound;
use super::sets::{WeightedSet, WeightedSets};
use crate::measure::search::{Combine, Space};
use crate::measure::{Prepared, Scorer};
use rayon::prelude::*;

/// What joins ask of a scorer: its measures, and where their features come from.
pub struct FeatureSums<'a> {
    scorer: &'a Scorer,
    measures: Vec<Measure>,
    /// Number of features of all spaces.
    features: usize,
    /// Whether texts have another form on the left.
    pub one_sided: bool,
}

struct Measure {
    weight: f64,
    combine: Combine,
    /// Where each of its spaces begins, among its own features and among those of all.
    spaces: Vec<(u32, u32)>,
}

/// A text's features, each with its share under each measure, and its norms where these count.
pub struct Raw<const K: usize> {
    features: Vec<(u32, [f32; K])>,
    norms: [f32; K],
}

impl<'a> FeatureSums<'a> {
    /// `None` if a measure's scores are no such sums.
    pub fn new(scorer: &'a Scorer) -> Option<Self> {
        let (mut known, mut features, mut one_sided) = (Vec::<(Space, u32)>::new(), 0, false);
        let mut measures = Vec::new();
        for number in 0..scorer.components() {
            let (weight, searchable) = scorer.searchable(number)?;
            let sum = searchable.feature_sum()?;
            one_sided |= sum.one_sided;
            let (mut spaces, mut own) = (Vec::new(), 0);
            for space in sum.spaces {
                let same = known.iter().find(|(other, _)| *other == space);
                let base = same.map(|(_, base)| *base);
                if base.is_none() {
                    known.push((space, features));
                }
                spaces.push((own, base.unwrap_or(features)));
                own += u32::try_from(space.len).ok()?;
                if base.is_none() {
                    features = features.checked_add(u32::try_from(space.len).ok()?)?;
                }
            }
            measures.push(Measure { weight, combine: sum.combine, spaces });
        }
        Some(Self { scorer, measures, features: features as usize, one_sided })
    }

    /// Whether the sums that bound a measure can be far above its scores.
    pub fn is_loose(&self) -> bool {
        self.measures.iter().any(|measure| measure.combine == Combine::GeometricMean)
    }

    /// Number of measures.
    pub fn len(&self) -> usize {
        self.measures.len()
    }

    /// The sum of the measures' weights.
    pub fn whole(&self) -> f64 {
        self.measures.iter().map(|measure| measure.weight).sum()
    }

    /// A text on the left, or among those that are indexed.
    pub fn raw<const K: usize>(&self, text: &Prepared, left: bool) -> Raw<K> {
        let (mut features, mut norms) = (Vec::<(u32, [f32; K])>::new(), [0.0; K]);
        for (k, measure) in self.measures.iter().enumerate().take(K) {
            let Some((_, searchable)) = self.scorer.searchable(k) else { continue };
            let form = text.of(k);
            let norm = searchable.text_norm(form);
            if norm.is_nan() || norm <= 0.0 {
                continue;
            }
            if measure.combine != Combine::Product {
                norms[k] = norm as f32;
            }
            let power = |weight: f64| match measure.combine {
                Combine::Product => weight * weight,
                Combine::HarmonicMean | Combine::GeometricMean => weight,
            };
            let own =
                if left { searchable.asked_features(form) } else { searchable.features_of(form) };
            features.extend(own.into_iter().filter(|(_, weight)| *weight != 0.0).map(
                |(at, weight)| {
                    let mut shares = [0.0; K];
                    shares[k] = ((power(weight) / power(norm)) as f32).next_up();
                    (measure.number(at), shares)
                },
            ));
        }
        features.sort_unstable_by_key(|(feature, _)| *feature);
        features.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                (0..K).for_each(|k| kept.1[k] += next.1[k]);
            }
            same
        });
        Raw { features, norms }
    }

    /// Texts as sets, those on the left first, and the bound of their scores as a share of the [whole](Self::whole). Without a left
    /// side all are compared with all. `None` if a text has too many features.
    pub fn sets<const K: usize>(
        &self,
        left: Vec<Raw<K>>,
        right: Vec<Raw<K>>,
    ) -> Option<(WeightedSets<K>, JoinBound<K>)> {
        let most_right = most(&right);
        let most_left = if left.is_empty() { most_right } else { most(&left) };
        let order = self.order(left.iter().chain(&right));
        let combines: [Combine; K] = std::array::from_fn(|k| self.measures[k].combine);
        let whole = self.whole();
        let sums = |k: usize| match combines[k] {
            Combine::HarmonicMean => [1.0; 2],
            Combine::GeometricMean | Combine::Product => [most_left[k], most_right[k]],
        };
        let sets_of = |raw: Vec<Raw<K>>, side: usize| -> Option<Vec<WeightedSet<K>>> {
            raw.into_par_iter().map(|raw| raw.into_set(&order, |k| sums(k)[side])).collect()
        };
        let mut sets = sets_of(left, 0)?;
        sets.extend(sets_of(right, 1)?);
        let weights = std::array::from_fn(|k| {
            let [x, y] = sums(k);
            (self.measures[k].weight / whole * (x * y).sqrt()) as f32
        });
        let sets = WeightedSets::of_numbered(&sets, self.features);
        Some((sets, JoinBound::new(combines, weights)))
    }

    /// For each feature its number in the order of the join: by frequency over weight.
    fn order<'r, const K: usize>(&self, texts: impl Iterator<Item = &'r Raw<K>>) -> Vec<u32> {
        let mut counted = vec![(0.0f64, 0.0f64); self.features];
        for (feature, shares) in texts.flat_map(|text| &text.features) {
            let (count, sum) = &mut counted[*feature as usize];
            *count += 1.0;
            for (share, measure) in shares.iter().zip(&self.measures) {
                *sum += f64::from(*share) * measure.weight.abs();
            }
        }
        let key = |feature: &u32| {
            let (count, sum) = counted[*feature as usize];
            count * count / sum.max(f64::MIN_POSITIVE)
        };
        let mut by_key: Vec<u32> = (0..self.features as u32).collect();
        by_key.par_sort_by(|x, y| key(x).total_cmp(&key(y)).then(x.cmp(y)));
        let mut order = vec![0; self.features];
        for (number, feature) in (0..).zip(by_key) {
            order[feature as usize] = number;
        }
        order
    }
}

impl Measure {
    /// The number of one of its features among those of all.
    fn number(&self, feature: u32) -> u32 {
        let space = self.spaces.partition_point(|(own, _)| *own <= feature) - 1;
        let (own, base) = self.spaces[space];
        base + (feature - own)
    }
}

impl<const K: usize> Raw<K> {
    /// A text without features, which is like no other.
    pub fn none() -> Self {
        Self { features: Vec::new(), norms: [0.0; K] }
    }

    fn into_set(self, order: &[u32], sum: impl Fn(usize) -> f64) -> Option<WeightedSet<K>> {
        let shares = |(feature, shares): (u32, [f32; K])| {
            let number = order[feature as usize];
            (0..K).map(move |k| (number, k, f64::from(shares[k])))
        };
        let parts = self.features.into_iter().flat_map(shares);
        let parts = parts.map(|(feature, k, share)| (feature, k, share / sum(k)));
        WeightedSet::new(parts.collect(), self.norms)
    }
}

/// For each measure the largest sum of a text's shares, or 1 if there are none.
fn most<const K: usize>(texts: &[Raw<K>]) -> [f64; K] {
    let mut most = [0.0f64; K];
    for text in texts {
        for (k, most) in most.iter_mut().enumerate() {
            let sum: f64 = text.features.iter().map(|(_, shares)| f64::from(shares[k])).sum();
            *most = most.max(sum);
        }
    }
    most.map(|most| if most > 0.0 { most } else { 1.0 })
}
