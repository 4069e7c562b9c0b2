//! Average precision: the area under the recall-precision steps.

use super::{Ranking, Ties, share};

impl Ranking {
    /// Average precision, without interpolation.
    ///
    /// `AP = Σ (recall gained at a cut) · (precision at that cut)`
    ///
    /// With [`Ties::Together`] the cuts are the ends of tied groups, as in scikit-learn. With
    /// [`Ties::Worst`] and [`Ties::Best`] every relevant pair is a cut of its own. Pairs
    /// without a score count as never found. 0 if nothing is relevant.
    ///
    /// ```
    /// use likewise::eval::metrics::{Ranking, Ties};
    /// let ranking = Ranking::from_scores(&[0.9, 0.5, 0.4], &[true, false, true], 2);
    /// assert_eq!(ranking.average_precision(Ties::Together), (1.0 + 2.0 / 3.0) / 2.0);
    /// ```
    pub fn average_precision(&self, ties: Ties) -> f64 {
        let mut sum = 0.0;
        for (above, end) in self.steps() {
            let relevant = end.relevant - above.relevant;
            let first = match ties {
                Ties::Together => {
                    sum += relevant as f64 * share(end.relevant, end.pairs);
                    continue;
                }
                Ties::Worst => end.pairs - relevant,
                Ties::Best => above.pairs,
            };
            sum += (1..=relevant)
                .map(|i| share(above.relevant + i, first.saturating_add(i)))
                .sum::<f64>();
        }
        if self.total_relevant == 0 { 0.0 } else { sum / self.total_relevant as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::slow;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn worst_and_best_are_the_extremes_over_every_order_of_ties(
            pairs in slow::few_pairs(),
            missed in 0u64..4,
        ) {
            let (scores, relevant) = slow::apart(&pairs);
            let total = missed + relevant.iter().filter(|&&r| r).count() as u64;
            let ranking = Ranking::from_scores(&scores, &relevant, total);
            let values: Vec<f64> = slow::all_orders(&pairs)
                .iter()
                .map(|order| slow::average_precision(order, total))
                .collect();
            let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let highest = values.iter().copied().fold(0.0, f64::max);
            prop_assert!((ranking.average_precision(Ties::Worst) - lowest).abs() < 1e-12);
            prop_assert!((ranking.average_precision(Ties::Best) - highest).abs() < 1e-12);
        }
    }
}
