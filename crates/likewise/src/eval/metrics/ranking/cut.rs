//! Calling every pair above a cut "alike": precision, recall, F1, accuracy.

use super::{Boundary, Ranking, Ties, share};

/// What comes of calling every pair down to some place in the ranking alike.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cut {
    /// The lowest score above the cut; positive infinity if the cut lies above every pair.
    pub threshold: f64,
    /// How many pairs are called alike.
    pub pairs: u64,
    /// How many of them rightly so.
    pub right: u64,
    /// `right / pairs`, 0 if there are none.
    pub precision: f64,
    /// `right / total_relevant`, 0 if nothing is relevant.
    pub recall: f64,
    /// `2 · precision · recall / (precision + recall)`, 0 if both are 0.
    pub f1: f64,
    /// Share of all scored pairs that are called rightly, alike or not; 0 without pairs.
    pub accuracy: f64,
}

impl Ranking {
    /// The cut with the highest F1; of several, the one with the fewest pairs.
    ///
    /// The threshold is chosen with the labels in view, so this is an upper limit. Say so
    /// where you print it, or choose the threshold on other data and use
    /// [`at_threshold`](Self::at_threshold). With [`Ties::Best`] the cut may lie between pairs
    /// of the same score, where no threshold can cut.
    ///
    /// ```
    /// use likewise::eval::metrics::{Ranking, Ties};
    /// let ranking = Ranking::from_scores(&[0.9, 0.8, 0.2], &[true, true, false], 2);
    /// let best = ranking.best_f1(Ties::Together);
    /// assert_eq!((best.threshold, best.f1, best.accuracy), (0.8, 1.0, 1.0));
    /// ```
    pub fn best_f1(&self, ties: Ties) -> Cut {
        // F1 = 2 · right / (pairs + total); compared crosswise in whole numbers, so that
        // equal fractions are equal and the choice does not hang on rounding.
        let total = u128::from(self.total_relevant);
        let crosswise =
            |right: u64, pairs: u64| u128::from(right).saturating_mul(u128::from(pairs) + total);
        let mut best = self.top();
        for place in self.cut_places(ties) {
            let here = crosswise(place.relevant, best.pairs);
            let there = crosswise(best.relevant, place.pairs);
            if here > there {
                best = place;
            }
        }
        self.cut(best)
    }

    /// The cut that calls a pair alike if its score is at least `threshold`.
    ///
    /// ```
    /// use likewise::eval::metrics::Ranking;
    /// let ranking = Ranking::from_scores(&[0.9, 0.5, 0.4], &[true, false, true], 2);
    /// let cut = ranking.at_threshold(0.5);
    /// assert_eq!((cut.precision, cut.recall, cut.f1), (0.5, 0.5, 0.5));
    /// assert_eq!(cut.accuracy, 1.0 / 3.0);
    /// ```
    pub fn at_threshold(&self, threshold: f64) -> Cut {
        let groups = self.boundaries.partition_point(|b| b.score >= threshold);
        let place = groups.checked_sub(1).map_or(self.top(), |last| self.boundaries[last]);
        Cut { threshold, ..self.cut(place) }
    }

    /// The place above all pairs.
    fn top(&self) -> Boundary {
        Boundary { score: f64::INFINITY, pairs: 0, relevant: 0 }
    }

    fn cut(&self, place: Boundary) -> Cut {
        let Boundary { score, pairs, relevant: right } = place;
        let wrong = pairs - right;
        // Saturating, for counts that were already cut off at the largest integer.
        let rightly_left_out = (self.pairs() - self.found()).saturating_sub(wrong);
        Cut {
            threshold: score,
            pairs,
            right,
            precision: share(right, pairs),
            recall: share(right, self.total_relevant),
            f1: if right == 0 {
                0.0
            } else {
                2.0 * right as f64 / (pairs as f64 + self.total_relevant as f64)
            },
            accuracy: share(right + rightly_left_out, self.pairs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::slow;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn best_f1_matches_the_extremes_over_every_order_of_ties(
            pairs in slow::few_pairs(),
            missed in 0u64..4,
        ) {
            let (scores, relevant) = slow::apart(&pairs);
            let total = missed + relevant.iter().filter(|&&r| r).count() as u64;
            let ranking = Ranking::from_scores(&scores, &relevant, total);
            let values: Vec<f64> = slow::all_orders(&pairs)
                .iter()
                .map(|order| slow::best_f1(order, total))
                .collect();
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = values.iter().copied().fold(0.0, f64::max);
            prop_assert!((ranking.best_f1(Ties::Together).f1 - lowest).abs() < 1e-12);
            prop_assert!((ranking.best_f1(Ties::Worst).f1 - lowest).abs() < 1e-12);
            prop_assert!((ranking.best_f1(Ties::Best).f1 - highest).abs() < 1e-12);
        }

        #[test]
        fn the_best_threshold_leads_back_to_the_best_cut(
            pairs in slow::few_pairs(),
        ) {
            let (scores, relevant) = slow::apart(&pairs);
            let ranking = Ranking::from_scores(&scores, &relevant, 0);
            let best = ranking.best_f1(Ties::Together);
            prop_assert_eq!(ranking.at_threshold(best.threshold), best);
        }
    }

    #[test]
    fn a_cut_above_everything_calls_nothing_alike() {
        let cut = Ranking::from_scores(&[0.4, 0.2], &[true, false], 1).at_threshold(0.9);
        assert_eq!((cut.pairs, cut.precision, cut.recall, cut.f1), (0, 0.0, 0.0, 0.0));
        assert_eq!(cut.accuracy, 0.5);
    }

    #[test]
    fn a_threshold_that_is_not_a_number_calls_nothing_alike() {
        assert_eq!(Ranking::from_scores(&[0.4], &[true], 1).at_threshold(f64::NAN).pairs, 0);
    }
}
