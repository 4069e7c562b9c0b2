//! Set-similarity join: all pairs of rows, of one table or two, that score at least a threshold, each once.
//!
//! A search for each row would find them too; but here the threshold is known beforehand and the same for all rows. A join serves
//! sums of up to three measures whose scores are bounded by sums over shared features
//! ([`FeatureSum`](crate::measure::search::FeatureSum)): each text is a weighted set of features ([`sets`], [`texts`]), for the
//! default measure of q-grams. Other measures are left to searches. The rows of another table are joined in the same way: all texts
//! are put together, and pairs of one side are passed over ([`partition::Sides`]).
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
mod texts;
mod verify;

pub use parts::{JoinTextError, PartJoin};
pub use sketch::Sketch;

use super::Index;
use super::field::FieldIndex;
use crate::control::{Cancelled, Stage};
use crate::measure::Scorer;
use crate::scored::Pair;
use crate::slack::{F32_EACH as FOR_EACH, F32_RELATIVE as SLACK};
use bound::JoinBound;
use partition::{CostModel, PartitionBuffers, Partitioner, Sides};
use prefix::PrefixIndex;
use rayon::prelude::*;
use sets::{JoinComponent, WeightedSets};
use std::sync::Mutex;
use texts::{FeatureSums, Raw};

/// Lower thresholds are left to searches: nearly all texts would be in nearly all partitions.
const LEAST: f64 = 0.2;
/// Where bounds are loose, partitions stay large: if more texts than these meet each text, searches are faster.
const MOST_MEETINGS: u64 = if cfg!(test) { 1 << 30 } else { 10_000 };
/// Which texts are compared with the rows of an index.
#[derive(Clone, Copy)]
pub(super) enum Rows<'a> {
    /// The rows themselves, or those that are marked: each pair comes once, the lower row on the left.
    Own(Option<&'a [bool]>),
    /// Other rows, each with a text for each column, with the rows of the index, or those that are marked.
    Others(&'a [Vec<&'a str>], Option<&'a [bool]>),
}

impl<'a> Rows<'a> {
    /// The text on the left in a column.
    fn text(self, index: &'a Index, column: usize, number: u32) -> &'a str {
        match self {
            Self::Own(_) => &index.columns[column].texts[number as usize],
            Self::Others(texts, _) => texts[number as usize][column],
        }
    }

    /// Whether a row of the index takes part.
    fn wanted(self, row: usize) -> bool {
        let (Self::Own(wanted) | Self::Others(_, wanted)) = self;
        wanted.is_none_or(|wanted| wanted[row])
    }

    /// How many there are on the left.
    fn len(self, index: &Index) -> usize {
        match self {
            Self::Own(_) => index.rows,
            Self::Others(texts, _) => texts.len(),
        }
    }
}

/// All pairs that score at least `min`, in the order of rows; `None` if the measures or the threshold are left to searches.
pub(super) fn pairs(
    index: &Index,
    rows: Rows,
    min: f64,
    stage: &Stage,
) -> Option<Result<Vec<Pair>, Cancelled>> {
    pairs_by(index, rows, min, CostModel::USUAL, stage)
}

fn pairs_by(
    index: &Index,
    rows: Rows,
    min: f64,
    cost: CostModel,
    stage: &Stage,
) -> Option<Result<Vec<Pair>, Cancelled>> {
    let [column] = &index.columns[..] else { return columns::pairs(index, rows, min, stage) };
    let join = ColumnJoin::new(index, 0)?;
    let found = join.candidates(rows, min / column.weight, cost, stage)?;
    Some(found.map(|mut found| {
        found.par_sort_unstable();
        verify::verify(index, rows, &found, min)
    }))
}

/// A column that can be joined by itself.
struct ColumnJoin<'a> {
    index: &'a Index,
    column: usize,
    sums: FeatureSums<'a>,
    /// The measures with their feature spaces, if each has one and the column is cut only once: rows are sets sooner then.
    spaces: Option<(&'a FieldIndex, Vec<JoinComponent>)>,
}

impl<'a> ColumnJoin<'a> {
    fn new(index: &'a Index, column: usize) -> Option<Self> {
        let scorer = &index.columns[column].scorer;
        let sums = FeatureSums::new(scorer).filter(|sums| sums.len() <= 3)?;
        let of = |field: &&FieldIndex| field.components.first().is_some_and(|c| c.column == column);
        let mut own = index.field_indexes.iter().filter(of);
        let field = own.next().filter(|_| own.next().is_none());
        let spaces = field.and_then(|field| Some((field, measures(scorer, field)?)));
        Some(Self { index, column, sums, spaces })
    }

    /// The pairs that may score at least `min` in the column, without order.
    fn candidates(
        &self,
        rows: Rows,
        min: f64,
        cost: CostModel,
        stage: &Stage,
    ) -> Option<Result<Vec<(u32, u32)>, Cancelled>> {
        let whole = self.sums.whole();
        // As a share of the highest score.
        let threshold = min / whole;
        if threshold.is_nan() || threshold < LEAST {
            return None;
        }
        let threshold = threshold as f32;
        if let (Rows::Own(wanted), Some((field, measures))) = (rows, &self.spaces) {
            let join = Join { field, whole, threshold, cost };
            return join.candidates_by(measures, wanted, stage);
        }
        match self.sums.len() {
            1 => self.of_texts::<1>(rows, threshold, cost, stage),
            2 => self.of_texts::<2>(rows, threshold, cost, stage),
            _ => self.of_texts::<3>(rows, threshold, cost, stage),
        }
    }

    fn of_texts<const K: usize>(
        &self,
        rows: Rows,
        threshold: f32,
        cost: CostModel,
        stage: &Stage,
    ) -> Option<Result<Vec<(u32, u32)>, Cancelled>> {
        let Self { index, column, sums, .. } = self;
        let all = |left: bool| -> Vec<Raw<K>> {
            let raw = |row: usize| match rows.wanted(row) {
                false => Raw::none(),
                true => sums.raw(&index.prepared_cell(*column, row as u32), left),
            };
            (0..index.rows).into_par_iter().map(raw).collect()
        };
        let scorer = &index.columns[*column].scorer;
        let (left, right, same) = match rows {
            Rows::Own(_) if sums.one_sided => (all(true), all(false), true),
            Rows::Own(_) => (Vec::new(), all(false), false),
            Rows::Others(texts, _) => {
                let raw = |texts: &Vec<&str>| sums.raw(&scorer.prepare(texts[*column]), true);
                (texts.par_iter().map(raw).collect(), all(false), false)
            }
        };
        let from = left.len() as u32;
        let sides = match rows {
            Rows::Own(_) if !sums.one_sided => Sides::One,
            _ => Sides::Two { from, same },
        };
        let (texts, measures) = sums.sets(left, right)?;
        let threshold = threshold * (1.0 - SLACK) - texts.most as f32 * FOR_EACH;
        let of = Partitioner { texts: &texts, measures: &measures, threshold, cost, sides };
        let lists = PrefixIndex::new(&of, None);
        if sums.is_loose() && lists.meetings() > MOST_MEETINGS * texts.len() as u64 {
            return None;
        }
        let found = find(&of, &lists, rows.len(index), stage);
        Some(found.map(|mut found| {
            if sides != Sides::One {
                found.iter_mut().for_each(|(_, right)| *right -= from);
            }
            found
        }))
    }
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
        let sides = Sides::One;
        let of =
            Partitioner { texts: &texts, measures: &measures, threshold, cost: self.cost, sides };
        Some(find(&of, &PrefixIndex::new(&of, rows), texts.len(), stage))
    }
}

/// The pairs of texts that may reach the threshold, each once, always in the same order. The work has so many steps.
fn find<const K: usize>(
    partitioner: &Partitioner<K>,
    lists: &PrefixIndex<K>,
    steps: usize,
    stage: &Stage,
) -> Result<Vec<(u32, u32)>, Cancelled> {
    let steps = steps as u64;
    // How many steps are done after so many entries.
    let done = |entries: usize| steps * entries as u64 / (lists.entries() as u64).max(1);
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
        stage.advance(steps)?;
    }
    Ok(found?.concat())
}

#[cfg(test)]
mod tests;
