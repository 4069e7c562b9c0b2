//! Set-similarity self-join: all pairs of rows that score at least a threshold, each once.
//!
//! A search for each row would find them too; but here the threshold is known beforehand and the same for all rows. A join serves
//! sums of up to three measures with a [feature space](crate::measure::search::FeatureSpace): each text is a weighted set
//! of features ([`sets`]), for the default measure of q-grams. Other measures are left to searches.
//!
//! **Prefix filter** ([`prefix`]). Features are ordered by frequency over weight, rare and heavy ones first. All that two texts share is their first shared
//! feature and features after it. If what a text has from a feature on, its *suffix*, is too little to reach the threshold
//! with any other text ([`bound`]), the text need not be found by that feature: it is listed under a prefix of its
//! features only, the rare ones. This is the prefix filter of AllPairs, with the bounds of L2AP for each measure.
//!
//! **Partitions** ([`partition`]). The texts listed under a feature are a partition. Texts leave it whose suffix is too short for all
//! others. A large partition is divided by the next shared feature, again and again, with a closer bound each time.
//!
//! **Accumulation** ([`accumulate`]). In a small partition the shared weights are added up feature by feature. Few pairs are left:
//! they are bounded by all of their features, and scored exactly by the code that scores all pairs.
//!
//! Where nobody has all texts, some features are left to others ([`parts`]).
//!
//! A pair is in several partitions. It is reported in the one that it came to by the first shared feature at every step, its
//! *canonical path* ([`canonical`]).

mod accumulate;
mod bound;
mod canonical;
mod columns;
mod counter;
mod partition;
mod parts;
mod prefix;
mod sets;
mod sketch;

pub use parts::{JoinTextError, PartJoin};
pub use sketch::Sketch;

use super::Index;
use super::field::FieldIndex;
use crate::control::{Cancelled, Stage};
use crate::measure::{Prepared, Scorer};
use crate::scored::Pair;
use crate::slack::{F32_EACH as FOR_EACH, F32_RELATIVE as SLACK};
use bound::JoinBound;
use partition::{CostModel, PartitionBuffers, Partitioner};
use prefix::PrefixIndex;
use rayon::prelude::*;
use sets::{JoinComponent, WeightedSets};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Lower thresholds are left to searches: nearly all texts would be in nearly all partitions.
const LEAST: f64 = 0.2;
/// So many pairs are scored by a core at a time. Consecutive ones often have texts in common.
const SHARE: usize = 4096;

/// All pairs of rows that score at least `min`, in the order of rows; `None` if the measures or the threshold are left to
/// searches.
pub(super) fn pairs(
    index: &Index,
    rows: Option<&[bool]>,
    min: f64,
    stage: &Stage,
) -> Option<Result<Vec<Pair>, Cancelled>> {
    pairs_by(index, rows, min, CostModel::USUAL, stage)
}

fn pairs_by(
    index: &Index,
    rows: Option<&[bool]>,
    min: f64,
    cost: CostModel,
    stage: &Stage,
) -> Option<Result<Vec<Pair>, Cancelled>> {
    if index.columns.len() > 1 {
        return columns::pairs(index, rows, min, stage);
    }
    let ([column], [field]) = (&index.columns[..], &index.field_indexes[..]) else { return None };
    let scorer = &column.scorer;
    let measures = measures(scorer, field)?;
    // As a share of the highest score.
    let whole = measures.iter().map(|measure| measure.weight).sum::<f64>();
    let threshold = min / (column.weight * whole);
    if threshold.is_nan() || threshold < LEAST {
        return None;
    }
    let join = Join { field, whole, threshold: threshold as f32, cost };
    let found = join.candidates_by(&measures, rows, stage)?;
    Some(found.map(|found| verify(scorer, field, column.weight, min, &found)))
}

/// The measures of a sum, if they are at most three and all of them have a feature space.
fn measures(scorer: &Scorer, field: &FieldIndex) -> Option<Vec<JoinComponent>> {
    if field.components.len() != scorer.components() || field.components.len() > 3 {
        return None;
    }
    let measure = |number: usize| {
        let (weight, searchable) = scorer.searchable(number)?;
        Some(JoinComponent { weight, features: searchable.feature_space()? })
    };
    field.components.iter().map(|component| measure(component.number)).collect()
}

struct Join<'a> {
    field: &'a FieldIndex,
    /// The sum of the measures' weights, and the threshold as a share of it.
    whole: f64,
    threshold: f32,
    cost: CostModel,
}

impl Join<'_> {
    /// The pairs that may reach the threshold.
    fn candidates_by(
        &self,
        measures: &[JoinComponent],
        rows: Option<&[bool]>,
        stage: &Stage,
    ) -> Option<Result<Vec<(u32, u32)>, Cancelled>> {
        match measures.len() {
            1 => self.candidates::<1>(measures.first_chunk()?, rows, stage),
            2 => self.candidates::<2>(measures.first_chunk()?, rows, stage),
            3 => self.candidates::<3>(measures.first_chunk()?, rows, stage),
            _ => None,
        }
    }

    fn candidates<const K: usize>(
        &self,
        all: &[JoinComponent; K],
        rows: Option<&[bool]>,
        stage: &Stage,
    ) -> Option<Result<Vec<(u32, u32)>, Cancelled>> {
        let texts = WeightedSets::new(self.field, all)?;
        let measures = JoinBound::new(
            all.each_ref().map(|measure| measure.features.combine),
            all.each_ref().map(|measure| (measure.weight / self.whole) as f32),
        );
        let threshold = self.threshold * (1.0 - SLACK) - texts.most as f32 * FOR_EACH;
        let of = Partitioner { texts: &texts, measures: &measures, threshold, cost: self.cost };
        Some(find(&of, rows, stage))
    }
}

/// Scores the candidates of a column, and sorts the pairs by their rows.
fn verify(
    scorer: &Scorer,
    field: &FieldIndex,
    weight: f64,
    min: f64,
    found: &[(u32, u32)],
) -> Vec<Pair> {
    let score = |pairs: &[(u32, u32)]| score(scorer, field, weight, min, pairs);
    let mut pairs = found.par_chunks(SHARE).flat_map_iter(score).collect::<Vec<_>>();
    pairs.par_sort_unstable_by_key(|pair| (pair.left, pair.right));
    pairs
}

/// Scores pairs exactly, and keeps those that score enough.
fn score(
    scorer: &Scorer,
    field: &FieldIndex,
    weight: f64,
    min: f64,
    pairs: &[(u32, u32)],
) -> Vec<Pair> {
    let prepare = |row: u32| {
        let terms = field.docs.terms_of(field.docs.doc_of(row));
        scorer.prepare_terms(|_| terms)
    };
    let rows = pairs.iter().flat_map(|&(row, other)| [row, other]);
    let mut prepared: BTreeMap<u32, Option<Prepared>> = rows.map(|row| (row, None)).collect();
    prepared.iter_mut().for_each(|(&row, text)| *text = prepare(row));
    let scored = pairs.iter().filter_map(|&(row, other)| {
        let (x, y) = (prepared.get(&row)?.as_ref()?, prepared.get(&other)?.as_ref()?);
        Some(Pair::new(row, other, weight * scorer.score_own(x, y)))
    });
    scored.filter(|pair| pair.score >= min).collect()
}

/// The pairs of texts that may reach the threshold, each once, always in the same order.
fn find<const K: usize>(
    partitioner: &Partitioner<K>,
    wanted: Option<&[bool]>,
    stage: &Stage,
) -> Result<Vec<(u32, u32)>, Cancelled> {
    let lists = PrefixIndex::new(partitioner, wanted);
    let rows = partitioner.texts.len() as u64;
    // How many rows count as done after so many entries.
    let done = |entries: usize| rows * entries as u64 / (lists.entries() as u64).max(1);
    let kept: Mutex<Vec<PartitionBuffers<K>>> = Mutex::default();
    let found = |share: &std::ops::Range<usize>| {
        let take = || kept.lock().ok()?.pop();
        let mut buffers =
            take().unwrap_or_else(|| PartitionBuffers::new(partitioner.texts.features));
        let mut pairs = Vec::new();
        for feature in share.clone() {
            partitioner.pairs(feature as u32, lists.of(feature), &mut buffers, &mut pairs);
        }
        if let Ok(mut kept) = kept.lock() {
            kept.push(buffers);
        }
        stage.advance(done(lists.before(share.end)) - done(lists.before(share.start)))?;
        Ok(pairs)
    };
    let found: Result<Vec<Vec<(u32, u32)>>, Cancelled> =
        lists.shares().par_iter().with_max_len(1).map(found).collect();
    if lists.entries() == 0 {
        stage.advance(rows)?;
    }
    Ok(found?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of three terms, of which the first are common, with a slip of the pen in some.
    fn names(many: usize) -> Vec<String> {
        let mut state = 7u64;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let firsts = ["keyboard", "keybord", "kettle", "blender", "watch"];
        let syllables = ["an", "ber", "ca", "do", "el", "fi", "gar", "hu", "stra", "mo"];
        let name = |_| {
            let second = format!("{}{}", syllables[next(10)], syllables[next(10)]);
            let third = format!("{}{}{}", syllables[next(10)], syllables[next(10)], next(30));
            format!("{} {second} {third}", firsts[next(5)])
        };
        (0..many).map(name).collect()
    }

    #[test]
    fn dividing_partitions_changes_nothing() {
        let index = Index::of_texts(&crate::measure::Measure::default(), names(2_000)).unwrap();
        for min in [0.4, 0.6, 0.75] {
            let pairs = |many: usize, dividing: f32| {
                pairs_by(&index, None, min, CostModel { many, dividing }, &Stage::default())
                    .unwrap()
                    .unwrap()
            };
            let never = pairs(usize::MAX, 0.0);
            assert!(never.len() > 20, "{}", never.len());
            for (many, dividing) in [(0, 0.0), (40, 0.0), (0, 1.0), (100, 5.0)] {
                assert!(never == pairs(many, dividing), "{min}: {many}, {dividing}");
            }
        }
    }
}
