//! All pairs of texts that score at least so much, each found once: a table joined with itself.
//!
//! A search for each row would find them, too; but here the level is known beforehand and the same for all. That is what this module lives
//! on. It serves sums of measures that add up what the features of two texts give ([`Features`](crate::measure::by_word::Features)): of
//! the default measure these are the grams of words. Other measures are left to searches.
//!
//! **The first feature in common.** Features are put in an order, those first that few texts have. A pair of texts has some feature in common that is the
//! first such; all that they have in common is that feature and features after it. If a text has too little from there on to
//! reach the level with anybody, it need not be looked at among the texts with that feature: so each text is on the lists of some of
//! its features only, of its rare ones ([`lists`]).
//!
//! **Groups.** The texts on a list are a group. What each can have in common with another is bounded by what it has from that feature on, its *reach*
//! ([`measures`]); and who reaches too little for all others leaves. A large group is divided by the next feature in common, again and again, with a
//! bound that gets closer each time ([`groups`]).
//!
//! **Adding up.** In a small group what texts share is added up feature by feature ([`sums`]). Few pairs are left after that: they are bounded by all of their
//! features, and then scored exactly, by the code that scores all pairs.

mod groups;
mod lists;
mod measures;
mod sums;
mod tally;
mod texts;
mod way;

use super::{Cutting, Index};
use crate::measure::{Prepared, Scorer};
use crate::slack::{F32_EACH as FOR_EACH, F32_RELATIVE as SLACK};
use groups::{Effort, Groups, Scratch};
use lists::Lists;
use measures::Measures;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;
use texts::{Measure, Texts};

/// Levels below this are left to searches: nearly all texts would be in nearly all groups.
const LEAST: f64 = 0.2;
/// So many pairs are scored by a core at a time. Those that were found together often have texts in common.
const SHARE: usize = 4096;

/// A pair: two rows, and the score.
pub(super) type Joined = (u32, u32, f64);

/// All pairs of rows that score at least so much, in their order; `None` if this is none of the joins that are served here.
pub(super) fn pairs(
    index: &Index,
    min: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Option<Vec<Joined>> {
    pairs_by(index, min, Effort::USUAL, progress)
}

fn pairs_by(
    index: &Index,
    min: f64,
    effort: Effort,
    progress: &(dyn Fn(u64) + Sync),
) -> Option<Vec<Joined>> {
    let ([column], [cutting]) = (&index.columns[..], &index.layers[..]) else { return None };
    let (scorer, layer) = (&column.scorer, &cutting.layer);
    if layer.blocks() > 0 && layer.too_long(layer.blocks() - 1) {
        return None;
    }
    let measures = measures(scorer, cutting)?;
    // Of the most that texts can score, mostly.
    let whole = measures.iter().map(|measure| measure.weight).sum::<f64>();
    let level = min / (column.weight * whole);
    if level.is_nan() || level < LEAST {
        return None;
    }
    let (weight, level) = (column.weight, level as f32);
    let join = Join { scorer, cutting, weight, min, whole, level, effort };
    match measures.len() {
        1 => join.pairs::<1>(measures.first_chunk()?, progress),
        2 => join.pairs::<2>(measures.first_chunk()?, progress),
        3 => join.pairs::<3>(measures.first_chunk()?, progress),
        _ => None,
    }
}

/// The measures of a sum, if all of them go by features of words.
fn measures(scorer: &Scorer, cutting: &Cutting) -> Option<Vec<Measure>> {
    if cutting.components.len() != scorer.components() {
        return None;
    }
    let measure = |number: usize| {
        let (weight, by_word) = scorer.by_word(number)?;
        Some(Measure { weight, features: by_word.features()? })
    };
    cutting.components.iter().map(|component| measure(component.number)).collect()
}

struct Join<'a> {
    scorer: &'a Scorer,
    cutting: &'a Cutting,
    /// What counts of the score in that of a row, and what that must be.
    weight: f64,
    min: f64,
    /// The sum of the measures' weights, and what texts must reach of that.
    whole: f64,
    level: f32,
    effort: Effort,
}

impl Join<'_> {
    fn pairs<const K: usize>(
        &self,
        all: &[Measure; K],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Option<Vec<Joined>> {
        let texts = Texts::new(self.cutting, all)?;
        let measures = Measures::new(
            all.each_ref().map(|measure| measure.features.meeting),
            all.each_ref().map(|measure| (measure.weight / self.whole) as f32),
        );
        let level = self.level * (1.0 - SLACK) - texts.most as f32 * FOR_EACH;
        let found = find(
            &Groups { texts: &texts, measures: &measures, level, effort: self.effort },
            progress,
        );
        drop(texts);
        let mut pairs =
            found.par_chunks(SHARE).flat_map_iter(|pairs| self.score(pairs)).collect::<Vec<_>>();
        pairs.par_sort_unstable_by_key(|&(row, other, _)| (row, other));
        Some(pairs)
    }

    /// Scores pairs, and leaves those that score enough.
    fn score(&self, pairs: &[(u32, u32)]) -> Vec<Joined> {
        let layer = &self.cutting.layer;
        let prepare = |row: u32| {
            let words = layer.own_words(layer.place_of(row));
            self.scorer.prepare_words(|_| words)
        };
        let rows = pairs.iter().flat_map(|&(row, other)| [row, other]);
        let mut prepared: BTreeMap<u32, Option<Prepared>> = rows.map(|row| (row, None)).collect();
        prepared.iter_mut().for_each(|(&row, text)| *text = prepare(row));
        let scored = pairs.iter().filter_map(|&(row, other)| {
            let (x, y) = (prepared.get(&row)?.as_ref()?, prepared.get(&other)?.as_ref()?);
            Some((row, other, self.weight * self.scorer.score_own(x, y)))
        });
        scored.filter(|(.., score)| *score >= self.min).collect()
    }
}

/// The pairs of texts that may reach the level, each once, and always in the same order.
fn find<const K: usize>(groups: &Groups<K>, progress: &(dyn Fn(u64) + Sync)) -> Vec<(u32, u32)> {
    let lists = Lists::new(groups);
    let rows = groups.texts.len() as u64;
    // How many rows count as done when so many entries of lists are.
    let done = |entries: usize| rows * entries as u64 / (lists.entries() as u64).max(1);
    let kept: Mutex<Vec<Scratch<K>>> = Mutex::default();
    let found = |share: &std::ops::Range<usize>| {
        let take = || kept.lock().ok()?.pop();
        let mut scratch = take().unwrap_or_else(|| Scratch::new(groups.texts.features));
        let mut pairs = Vec::new();
        for feature in share.clone() {
            groups.pairs(feature as u32, lists.of(feature), &mut scratch, &mut pairs);
        }
        if let Ok(mut kept) = kept.lock() {
            kept.push(scratch);
        }
        progress(done(lists.before(share.end)) - done(lists.before(share.start)));
        pairs
    };
    let found: Vec<Vec<(u32, u32)>> =
        lists.shares().par_iter().with_max_len(1).map(found).collect();
    if lists.entries() == 0 {
        progress(rows);
    }
    found.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of three words, of which the first are common, with a slip of the pen in some.
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
    fn dividing_groups_changes_nothing() {
        let index = Index::of_texts(&crate::measure::Measure::default(), names(2_000)).unwrap();
        for min in [0.4, 0.6, 0.75] {
            let pairs = |many: usize, dividing: f32| {
                pairs_by(&index, min, Effort { many, dividing }, &|_| ()).unwrap()
            };
            let never = pairs(usize::MAX, 0.0);
            assert!(never.len() > 20, "{}", never.len());
            for (many, dividing) in [(0, 0.0), (40, 0.0), (0, 1.0), (100, 5.0)] {
                assert!(never == pairs(many, dividing), "{min}: {many}, {dividing}");
            }
        }
    }
}
