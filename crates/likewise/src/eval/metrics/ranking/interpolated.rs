//! Precision at eleven levels of recall.

use super::{Ranking, Ties, share};

/// How to interpolate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interpolation {
    /// What to make of tied scores.
    pub ties: Ties,
    /// Let the point at recall 1.0 count 0, whatever was found.
    ///
    /// Some programs ask for recall *above* each level and so never reach the last one;
    /// published numbers with a ceiling of 10/11 can only be met this way.
    pub strict_recall: bool,
}

impl Ranking {
    /// Interpolated precision at recall 0.0, 0.1, …, 1.0.
    ///
    /// `p(r) = max { precision at a cut : recall at that cut ≥ r }`, and 0 where no cut has
    /// that much recall.
    ///
    /// ```
    /// use likewise::eval::metrics::Ranking;
    /// let ranking = Ranking::from_scores(&[0.9, 0.5, 0.4], &[true, false, true], 2);
    /// let at = ranking.interpolated_precision(Default::default());
    /// assert_eq!(at[5], 1.0); // half of the relevant pairs: the first one alone
    /// assert_eq!(at[6], 2.0 / 3.0);
    /// ```
    pub fn interpolated_precision(&self, how: Interpolation) -> [f64; 11] {
        let mut at = [0.0; 11];
        if self.total_relevant == 0 {
            return at;
        }
        // From the bottom up, the best precision so far holds for every level of recall
        // that is still reached. Whole numbers decide that: 0.3 is not 3/10 in binary.
        let mut best = 0.0_f64;
        let mut unfilled = 11;
        for cut in self.cut_places(how.ties).rev() {
            while unfilled > 0 && !reaches(cut.relevant, unfilled - 1, self.total_relevant) {
                at[unfilled - 1] = best;
                unfilled -= 1;
            }
            best = best.max(share(cut.relevant, cut.pairs));
        }
        at[..unfilled].fill(best);
        if how.strict_recall {
            at[10] = 0.0;
        }
        at
    }

    /// Interpolated average precision: the mean of
    /// [`interpolated_precision`](Self::interpolated_precision) over its eleven points.
    ///
    /// ```
    /// use likewise::eval::metrics::{Interpolation, Ranking};
    /// let perfect = Ranking::from_scores(&[0.9, 0.1], &[true, false], 1);
    /// assert_eq!(perfect.iap(Interpolation::default()), 1.0);
    /// let strict = Interpolation { strict_recall: true, ..Default::default() };
    /// assert!((perfect.iap(strict) - 10.0 / 11.0).abs() < 1e-12);
    /// ```
    pub fn iap(&self, how: Interpolation) -> f64 {
        self.interpolated_precision(how).iter().sum::<f64>() / 11.0
    }
}

/// Is `found / total ≥ tenths / 10`?
fn reaches(found: u64, tenths: usize, total: u64) -> bool {
    u128::from(found) * 10 >= tenths as u128 * u128::from(total)
}

#[cfg(test)]
mod tests {
    use super::super::slow;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn matches_the_definition_tried_on_every_order_of_ties(
            pairs in slow::few_pairs(),
            missed in 0u64..4,
        ) {
            let (scores, relevant) = slow::apart(&pairs);
            let total = missed + relevant.iter().filter(|&&r| r).count() as u64;
            let ranking = Ranking::from_scores(&scores, &relevant, total);
            let values: Vec<f64> = slow::all_orders(&pairs)
                .iter()
                .map(|order| slow::iap(order, total))
                .collect();
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = values.iter().copied().fold(0.0, f64::max);
            let with = |ties| ranking.iap(Interpolation { ties, strict_recall: false });
            prop_assert!((with(Ties::Worst) - lowest).abs() < 1e-12);
            prop_assert!((with(Ties::Together) - lowest).abs() < 1e-12);
            prop_assert!((with(Ties::Best) - highest).abs() < 1e-12);
        }
    }

    #[test]
    fn exactly_three_of_ten_reaches_recall_three_tenths() {
        // With floats 3.0 / 10.0 >= 0.1 * 3.0 is false.
        let scores: Vec<f64> = (0..10).map(|i| 1.0 - f64::from(i) / 10.0).collect();
        let mut relevant = [true; 10];
        relevant[3] = false;
        let at = Ranking::from_scores(&scores, &relevant, 10)
            .interpolated_precision(Interpolation::default());
        assert_eq!(at[3], 1.0);
        assert_eq!(at[4], 0.9);
        assert_eq!(at[10], 0.0);
    }

    #[test]
    fn nothing_relevant_gives_zero() {
        assert_eq!(Ranking::from_scores(&[0.5], &[false], 0).iap(Interpolation::default()), 0.0);
        assert_eq!(Ranking::from_scores(&[], &[], 5).iap(Interpolation::default()), 0.0);
    }
}
