//! One ranking of all pairs by score.
//!
//! Equal scores form one group. The groups, best first, with running counts are all that any
//! of these metrics needs: after one sort each of them is a single pass.

mod average;
mod curve;
mod cut;
mod interpolated;
#[cfg(test)]
mod slow;

pub use curve::CurvePoint;
pub use cut::Cut;
pub use interpolated::Interpolation;

use super::score_order;
use rayon::slice::ParallelSliceMut;

/// What to make of pairs with the same score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// A cut lies before or after all of them, never between: what a threshold can do.
    #[default]
    Together,
    /// The order that gives the lowest value: irrelevant pairs first.
    ///
    /// For interpolated precision and for the best F1 this is the same as [`Ties::Together`]:
    /// within a group the value only rises after the last irrelevant pair, up to the group's end.
    Worst,
    /// The order that gives the highest value: relevant pairs first.
    Best,
}

/// Pairs that share one score, in short form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TiedPairs {
    /// The score that they share.
    pub score: f64,
    /// How many they are.
    pub pairs: u64,
    /// How many of them are relevant.
    pub relevant: u64,
}

/// The end of a group of tied pairs, with all that ranks above it.
#[derive(Clone, Copy, Debug)]
struct Boundary {
    score: f64,
    /// Pairs down to and including this group.
    pairs: u64,
    /// Relevant pairs among them.
    relevant: u64,
}

/// All pairs in one ranking, best score first.
///
/// ```
/// use likewise::eval::metrics::{Interpolation, Ranking};
///
/// let scores = [0.9, 0.8, 0.8, 0.3];
/// let alike = [true, true, false, false];
/// // Three pairs should have been found; one of them never got a score.
/// let ranking = Ranking::from_scores(&scores, &alike, 3);
/// assert_eq!(ranking.pairs(), 4);
/// assert_eq!(ranking.missed(), 1);
/// assert_eq!(ranking.at_threshold(0.5).precision, 2.0 / 3.0);
/// // Recall 0.0 to 0.3: precision 1; 0.4 to 0.6: 2/3; beyond: never reached.
/// let iap = ranking.iap(Interpolation::default());
/// assert!((iap - (4.0 + 3.0 * 2.0 / 3.0) / 11.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Ranking {
    boundaries: Vec<Boundary>,
    total_relevant: u64,
}

impl Ranking {
    /// Ranks pairs: `relevant[i]` says whether the pair with `scores[i]` should be found.
    ///
    /// `total_relevant` counts all pairs that should be found, also those that are not among
    /// the scores; it is raised to the number that is present if it is lower. If one slice is
    /// longer than the other, its rest is ignored. A score that is not a number ranks last.
    pub fn from_scores(scores: &[f64], relevant: &[bool], total_relevant: u64) -> Self {
        // Sorting relevant and irrelevant scores apart keeps each element one integer.
        let present = relevant.iter().filter(|&&r| r).count();
        let mut hits = Vec::with_capacity(present);
        let mut misses = Vec::with_capacity(relevant.len() - present);
        for (&score, &relevant) in scores.iter().zip(relevant) {
            let side = if relevant { &mut hits } else { &mut misses };
            side.push(score_order::key(score));
        }
        hits.par_sort_unstable();
        misses.par_sort_unstable();
        Self::from_sorted_keys(&hits, &misses, total_relevant)
    }

    /// Ranks pairs that are already counted by score; a score may occur more than once.
    ///
    /// This is the form for a large product of records of which most score 0: rank those
    /// that share something, and give the rest as one group.
    ///
    /// ```
    /// use likewise::eval::metrics::{Ranking, TiedPairs};
    /// let ranking = Ranking::from_tied(
    ///     &[
    ///         TiedPairs { score: 0.7, pairs: 1, relevant: 1 },
    ///         TiedPairs { score: 0.0, pairs: 1_000_000_000, relevant: 1 },
    ///     ],
    ///     2,
    /// );
    /// assert_eq!(ranking.best_f1(Default::default()).threshold, 0.7);
    /// ```
    pub fn from_tied(groups: &[TiedPairs], total_relevant: u64) -> Self {
        let mut keyed: Vec<_> = groups
            .iter()
            .filter(|group| group.pairs > 0)
            .map(|group| (score_order::key(group.score), group))
            .collect();
        keyed.sort_unstable_by_key(|&(key, _)| std::cmp::Reverse(key));
        let mut ranking =
            Ranking { boundaries: Vec::with_capacity(keyed.len()), total_relevant: 0 };
        for (key, group) in keyed {
            ranking.push_group(key, group.pairs, group.relevant.min(group.pairs));
        }
        ranking.total_relevant = total_relevant.max(ranking.found());
        ranking
    }

    /// The same ranking with further pairs, all of one score; for example all the pairs of a
    /// product that share nothing and therefore score 0.
    pub fn with_tied(self, group: TiedPairs) -> Self {
        let mut groups: Vec<_> = self.groups().collect();
        groups.push(group);
        Self::from_tied(&groups, self.total_relevant)
    }

    /// How many pairs have a score.
    pub fn pairs(&self) -> u64 {
        self.boundaries.last().map_or(0, |b| b.pairs)
    }

    /// How many pairs should be found, with or without a score.
    pub fn total_relevant(&self) -> u64 {
        self.total_relevant
    }

    /// How many pairs should be found but have no score.
    pub fn missed(&self) -> u64 {
        self.total_relevant - self.found()
    }

    /// The groups of tied pairs, best score first.
    pub fn groups(&self) -> impl Iterator<Item = TiedPairs> {
        self.steps().map(|(above, end)| TiedPairs {
            score: end.score,
            pairs: end.pairs - above.pairs,
            relevant: end.relevant - above.relevant,
        })
    }

    /// Merges two ascending lists from their upper ends.
    fn from_sorted_keys(hits: &[u64], misses: &[u64], total_relevant: u64) -> Self {
        let mut ranking = Ranking {
            boundaries: Vec::with_capacity(hits.len() + misses.len()),
            total_relevant: total_relevant.max(hits.len() as u64),
        };
        let (mut hits, mut misses) = (hits, misses);
        while let Some(&key) = hits.last().max(misses.last()) {
            let relevant = take_equal(&mut hits, key);
            let irrelevant = take_equal(&mut misses, key);
            ranking.push_group(key, relevant + irrelevant, relevant);
        }
        // Heavily tied scores leave most of the room unused.
        ranking.boundaries.shrink_to_fit();
        ranking
    }

    /// Adds a group below all others, or to the last one if it has the same score.
    fn push_group(&mut self, key: u64, pairs: u64, relevant: u64) {
        let score = score_order::score(key);
        let above = self.boundaries.last().copied();
        let (above_pairs, above_relevant) = above.map_or((0, 0), |a| (a.pairs, a.relevant));
        let end = Boundary {
            score,
            pairs: above_pairs.saturating_add(pairs),
            relevant: above_relevant.saturating_add(relevant),
        };
        match self.boundaries.last_mut() {
            Some(last) if last.score == score => *last = end,
            _ => self.boundaries.push(end),
        }
    }

    fn found(&self) -> u64 {
        self.boundaries.last().map_or(0, |b| b.relevant)
    }

    /// Each group's end together with the end of the group above.
    fn steps(&self) -> impl DoubleEndedIterator<Item = (Boundary, Boundary)> + ExactSizeIterator {
        let top = Boundary { score: f64::INFINITY, pairs: 0, relevant: 0 };
        (0..self.boundaries.len()).map(move |i| {
            let above = if i == 0 { top } else { self.boundaries[i - 1] };
            (above, self.boundaries[i])
        })
    }

    /// The one place in each group where a cut can be best, given the order of ties.
    ///
    /// Relevant pairs only raise precision, recall and F1, irrelevant ones only lower them.
    /// So with relevant pairs first the place is just after the last of them, and with
    /// irrelevant pairs first it is the end of the group.
    fn cut_places(
        &self,
        ties: Ties,
    ) -> impl DoubleEndedIterator<Item = Boundary> + ExactSizeIterator {
        self.steps().map(move |(above, end)| match ties {
            Ties::Together | Ties::Worst => end,
            Ties::Best => {
                Boundary { pairs: above.pairs.saturating_add(end.relevant - above.relevant), ..end }
            }
        })
    }
}

/// Takes all keys equal to `key` off the upper end and says how many they were.
fn take_equal(ascending: &mut &[u64], key: u64) -> u64 {
    let mut count = 0;
    while let Some((&last, rest)) = ascending.split_last()
        && last == key
    {
        *ascending = rest;
        count += 1;
    }
    count
}

/// `part / whole`, and 0 where there is nothing to take a part of.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn input_order_and_short_form_change_nothing(
            pairs in prop::collection::vec((0u8..5, any::<bool>()), 0..30),
            rotation in 0usize..30,
        ) {
            let scores: Vec<f64> = pairs.iter().map(|p| f64::from(p.0)).collect();
            let relevant: Vec<bool> = pairs.iter().map(|p| p.1).collect();
            let straight = Ranking::from_scores(&scores, &relevant, 0);
            let mut turned = pairs.clone();
            turned.rotate_left(if pairs.is_empty() { 0 } else { rotation % pairs.len() });
            turned.reverse();
            let singles: Vec<_> = turned
                .iter()
                .map(|p| TiedPairs { score: f64::from(p.0), pairs: 1, relevant: p.1.into() })
                .collect();
            let short = Ranking::from_tied(&singles, 0);
            prop_assert!(straight.groups().eq(short.groups()));
            prop_assert_eq!(straight.total_relevant(), short.total_relevant());
        }
    }

    #[test]
    fn the_rest_of_a_product_joins_the_pairs_that_score_zero() {
        let ranking = Ranking::from_scores(&[0.5, 0.0], &[true, false], 3).with_tied(TiedPairs {
            score: 0.0,
            pairs: 10,
            relevant: 1,
        });
        let groups: Vec<_> = ranking.groups().collect();
        assert_eq!(groups[1], TiedPairs { score: 0.0, pairs: 11, relevant: 1 });
        assert_eq!((ranking.pairs(), ranking.missed()), (12, 1));
    }

    #[test]
    fn impossible_counts_do_not_break_anything() {
        let odd = Ranking::from_tied(
            &[
                TiedPairs { score: f64::NAN, pairs: u64::MAX, relevant: u64::MAX },
                TiedPairs { score: 1.0, pairs: 3, relevant: 9 },
            ],
            0,
        );
        assert_eq!(odd.pairs(), u64::MAX);
        assert!(odd.best_f1(Ties::Together).f1 <= 1.0);
    }
}
