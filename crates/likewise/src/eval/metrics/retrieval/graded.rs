//! Metrics that ask how relevant a document is.

use super::{QueryRanking, TieOrder, TiedDocuments};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a document of some grade is worth.
///
/// ```
/// use likewise::eval::metrics::Gain;
/// assert_eq!("exponential".parse(), Ok(Gain::Exponential));
/// assert_eq!(Gain::Exponential.of(2), 3.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gain {
    /// The grade itself, as in `trec_eval`.
    #[default]
    Linear,
    /// `2^grade − 1`, which sets the highest grades apart; usual in web search and at NTCIR.
    Exponential,
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Gain::Linear => "linear",
            Gain::Exponential => "exponential",
        })
    }
}

impl FromStr for Gain {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Gain::Linear, Gain::Exponential]
            .into_iter()
            .find(|gain| gain.to_string() == text)
            .ok_or_else(|| "linear (the grade) or exponential (2^grade − 1)".to_owned())
    }
}

impl Gain {
    /// The worth of a document of this grade.
    pub fn of(self, grade: u8) -> f64 {
        match self {
            Gain::Linear => f64::from(grade),
            Gain::Exponential => f64::from(grade).exp2() - 1.0,
        }
    }

    /// The gain as a formula, to be printed beside a figure.
    pub(crate) fn formula(self) -> &'static str {
        match self {
            Gain::Linear => "the grade",
            Gain::Exponential => "2^grade − 1",
        }
    }

    /// The probability that a reader is content with a document of this grade and stops:
    /// `gain / (highest gain + 1)`, which never is a certainty.
    fn stop(self, grade: u8, highest: u8) -> f64 {
        self.of(grade.min(highest)) / (self.of(highest) + 1.0)
    }
}

impl QueryRanking {
    /// Normalised discounted cumulative gain of the first `k` documents.
    ///
    /// `DCG = Σ gain(r) / log2(r + 1)` over ranks `r ≤ k`; nDCG divides it by the DCG of the
    /// best possible list. 0 if nothing is relevant (Järvelin and Kekäläinen, 2002).
    ///
    /// ```
    /// use likewise::eval::metrics::{Gain, QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8], &[1, 2], &[]);
    /// let log3 = 3f64.log2();
    /// let expected = (1.0 + 2.0 / log3) / (2.0 + 1.0 / log3);
    /// assert!((query.ndcg_at(10, Gain::Linear, TieOrder::Expected) - expected).abs() < 1e-12);
    /// ```
    pub fn ndcg_at(&self, k: usize, gain: Gain, order: TieOrder) -> f64 {
        let discounted = |grades: &mut dyn Iterator<Item = u8>| -> f64 {
            grades.take(k).enumerate().map(|(i, g)| gain.of(g) / discount(i)).sum()
        };
        let actual = match order {
            TieOrder::Expected => self.expected_dcg(k, gain),
            TieOrder::Worst => discounted(&mut self.ordered(false)),
            TieOrder::Best => discounted(&mut self.ordered(true)),
        };
        over(actual, discounted(&mut self.ideal.iter().copied()))
    }

    /// Expected reciprocal rank of the first `k` documents: a reader goes down the list and
    /// stops at each document with a probability that grows with its grade.
    ///
    /// `ERR = Σ (1 / r) · p(r) · Π (1 − p(i)) over i < r`, with
    /// `p = gain / (gain of the highest grade + 1)`
    ///
    /// `highest` is the highest grade of the *scale*, not of this query, so that queries can
    /// be compared; grades above it count as `highest`. With [`Gain::Exponential`] this is the
    /// definition of Chapelle et al. (2009). Ties take time proportional to
    /// `k · (tied documents)` for each grade.
    ///
    /// ```
    /// use likewise::eval::metrics::{Gain, QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8], &[1, 2], &[]);
    /// let err = query.err_at(10, Gain::Exponential, 2, TieOrder::Expected);
    /// assert_eq!(err, 0.25 + 0.75 * 0.75 / 2.0);
    /// ```
    pub fn err_at(&self, k: usize, gain: Gain, highest: u8, order: TieOrder) -> f64 {
        let stop = |grade| gain.stop(grade, highest);
        match order {
            TieOrder::Expected => self.expected_err(k, &stop),
            TieOrder::Worst => err(self.ordered(false).take(k), &stop),
            TieOrder::Best => err(self.ordered(true).take(k), &stop),
        }
    }

    /// [`err_at`](Self::err_at) divided by that of the best possible list; 0 if nothing is
    /// relevant.
    ///
    /// ```
    /// use likewise::eval::metrics::{Gain, QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8], &[1, 2], &[]);
    /// let nerr = query.nerr_at(10, Gain::Exponential, 2, TieOrder::Expected);
    /// let (err, best) = (0.25 + 0.75 * 0.75 / 2.0, 0.75 + 0.25 * 0.25 / 2.0);
    /// assert!((nerr - err / best).abs() < 1e-12);
    /// ```
    pub fn nerr_at(&self, k: usize, gain: Gain, highest: u8, order: TieOrder) -> f64 {
        let best = err(self.ideal.iter().copied().take(k), &|g| gain.stop(g, highest));
        over(self.err_at(k, gain, highest, order), best)
    }

    /// P+ (Sakai, 2006): how good is the list down to its preferred document, the first one of
    /// the highest grade in the list? Nobody is assumed to read beyond it.
    ///
    /// `P+ = (1 / relevant down to the preferred rank) · Σ BR(r)` over relevant ranks `r` down
    /// to it, with the blended ratio
    /// `BR(r) = (relevant down to r + gain down to r) / (r + best possible gain down to r)`.
    /// 0 if nothing relevant was found.
    ///
    /// With ties the preferred rank itself varies, and the expectation has no simple closed
    /// form: [`TieOrder::Expected`] is the mean of the values with the least relevant first
    /// and with the most relevant first in each group. Those two are not always the lowest
    /// and the highest value of all orders.
    ///
    /// ```
    /// use likewise::eval::metrics::{Gain, QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8, 0.7], &[1, 2, 1], &[]);
    /// // Rank 1: (1 + 1) / (1 + 3); rank 2, the preferred one: (2 + 4) / (2 + 4).
    /// let p_plus = query.p_plus(Gain::Exponential, TieOrder::Expected);
    /// assert_eq!(p_plus, (0.5 + 1.0) / 2.0);
    /// ```
    pub fn p_plus(&self, gain: Gain, order: TieOrder) -> f64 {
        let ordered = |best_first| {
            let grades: Vec<u8> = self.ordered(best_first).collect();
            p_plus(&grades, &self.ideal, gain)
        };
        match order {
            TieOrder::Expected => (ordered(false) + ordered(true)) / 2.0,
            TieOrder::Worst => ordered(false),
            TieOrder::Best => ordered(true),
        }
    }

    /// On average every place of a group holds the group's mean gain.
    fn expected_dcg(&self, k: usize, gain: Gain) -> f64 {
        self.groups()
            .take_while(|group| group.above < k)
            .map(|group| {
                let sum: f64 = group.grades.iter().map(|&g| gain.of(g)).sum();
                let places = group.above..group.above + group.within(k);
                let weight: f64 = places.map(|place| 1.0 / discount(place)).sum();
                weight * (sum / group.grades.len() as f64)
            })
            .sum()
    }

    fn expected_err(&self, k: usize, stop: &dyn Fn(u8) -> f64) -> f64 {
        let mut reached = 1.0;
        let mut expected = 0.0;
        for group in self.groups().take_while(|group| group.above < k) {
            expected += reached * expected_err_of_group(&group, k, stop);
            reached *= group.grades.iter().map(|&g| 1.0 - stop(g)).product::<f64>();
        }
        expected
    }
}

/// `log2(rank + 1)` for a rank counted from 0.
fn discount(place: usize) -> f64 {
    (place as f64 + 2.0).log2()
}

fn over(actual: f64, best: f64) -> f64 {
    if best > 0.0 { actual / best } else { 0.0 }
}

fn err(grades: impl Iterator<Item = u8>, stop: &dyn Fn(u8) -> f64) -> f64 {
    let mut reached = 1.0;
    let mut expected = 0.0;
    for (place, grade) in grades.enumerate() {
        expected += reached * stop(grade) / (place + 1) as f64;
        reached *= 1.0 - stop(grade);
    }
    expected
}

/// The expected `1 / rank` of stopping inside a group, given that its start was reached.
///
/// A document stands at each place with probability `1 / n`. If it has `j` tied documents
/// before it, these are any `j` of the others with the same probability, so what counts is
/// the mean, over all choices of `j` others, of the probability to pass them all.
fn expected_err_of_group(group: &TiedDocuments, k: usize, stop: &dyn Fn(u8) -> f64) -> f64 {
    let all = group.grades.len();
    let mut expected = 0.0;
    let mut start = 0;
    for same in group.grades.chunk_by(|a, b| a == b) {
        let here = stop(same[0]);
        if here > 0.0 {
            let others =
                group.grades.iter().enumerate().filter(|&(i, _)| i != start).map(|(_, &g)| g);
            let passing = mean_passing(others.map(|g| 1.0 - stop(g)), group.within(k));
            let by_place: f64 = passing
                .iter()
                .enumerate()
                .map(|(before, pass)| pass / (group.above + before + 1) as f64)
                .sum();
            expected += same.len() as f64 * here * by_place / all as f64;
        }
        start += same.len();
    }
    expected
}

/// For `j` = 0, 1, … below `places`: the mean product over all choices of `j` of the given
/// probabilities. Built up one probability at a time from means of means, all within 0 and
/// 1, so nothing overflows or cancels as it would with binomial coefficients.
fn mean_passing(probabilities: impl Iterator<Item = f64>, places: usize) -> Vec<f64> {
    let mut mean = vec![0.0; places];
    if let Some(none) = mean.first_mut() {
        *none = 1.0;
    }
    for (n, probability) in probabilities.enumerate() {
        let n = n + 1;
        for j in (1..places.min(n + 1)).rev() {
            let with = j as f64 / n as f64;
            mean[j] = (1.0 - with) * mean[j] + with * probability * mean[j - 1];
        }
    }
    mean
}

fn p_plus(grades: &[u8], ideal: &[u8], gain: Gain) -> f64 {
    let highest = grades.iter().copied().max().unwrap_or(0);
    if highest == 0 {
        return 0.0;
    }
    let mut relevant = 0.0;
    let (mut worth, mut best_worth) = (0.0, 0.0);
    let mut sum = 0.0;
    for (place, &grade) in grades.iter().enumerate() {
        best_worth += ideal.get(place).map_or(0.0, |&g| gain.of(g));
        if grade > 0 {
            relevant += 1.0;
            worth += gain.of(grade);
            sum += (relevant + worth) / ((place + 1) as f64 + best_worth);
        }
        if grade == highest {
            break;
        }
    }
    sum / relevant
}

#[cfg(test)]
mod tests {
    use super::super::slow;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ndcg_and_err_are_what_trying_all_orders_of_ties_gives(
            case in slow::few_documents(),
            k in 0usize..8,
        ) {
            for gain in [Gain::Linear, Gain::Exponential] {
                case.check(|q, order| q.ndcg_at(k, gain, order), |list, ideal| {
                    let dcg = |l: &[u8]| -> f64 {
                        (0..k.min(l.len()))
                            .map(|i| gain.of(l[i]) / ((i + 2) as f64).ln() * 2f64.ln())
                            .sum()
                    };
                    if ideal.is_empty() || k == 0 { 0.0 } else { dcg(list) / dcg(ideal) }
                })?;
                let err = |l: &[u8]| -> f64 {
                    let p = |g: u8| gain.of(g) / (gain.of(3) + 1.0);
                    (0..k.min(l.len()))
                        .map(|r| {
                            let pass: f64 = l[..r].iter().map(|&g| 1.0 - p(g)).product();
                            pass * p(l[r]) / (r + 1) as f64
                        })
                        .sum()
                };
                case.check(|q, order| q.err_at(k, gain, 3, order), |list, _| err(list))?;
                case.check(|q, order| q.nerr_at(k, gain, 3, order), |list, ideal| {
                    if ideal.is_empty() || k == 0 { 0.0 } else { err(list) / err(ideal) }
                })?;
            }
        }

        #[test]
        fn p_plus_is_one_exactly_for_lists_that_start_like_the_ideal(
            mut grades in prop::collection::vec(0u8..3, 1..7),
        ) {
            grades.sort_unstable_by(|a, b| b.cmp(a));
            let scores: Vec<f64> = (0..grades.len()).map(|i| -(i as f64)).collect();
            let query = QueryRanking::from_scores(&scores, &grades, &[]);
            let expected = if grades[0] > 0 { 1.0 } else { 0.0 };
            prop_assert_eq!(query.p_plus(Gain::Exponential, TieOrder::Expected), expected);
        }
    }

    #[test]
    fn many_ties_neither_overflow_nor_lose_precision() {
        // One relevant document among n: ERR is its stopping probability times the mean of
        // 1 / rank over the first k places.
        let n = 100_000;
        let mut grades = vec![0; n];
        grades[0] = 1;
        let query = QueryRanking::from_scores(&vec![0.0; n], &grades, &[]);
        let mean: f64 = (1..=10).map(|r| 1.0 / f64::from(r)).sum::<f64>() / n as f64;
        let err = query.err_at(10, Gain::Linear, 1, TieOrder::Expected);
        assert!((err / (0.5 * mean) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn grades_above_the_scale_do_not_make_stopping_more_than_certain() {
        let query = QueryRanking::from_scores(&[0.9, 0.8], &[255, 1], &[]);
        let err = query.err_at(10, Gain::Exponential, 1, TieOrder::Expected);
        assert_eq!(err, 0.5 + 0.5 * 0.5 / 2.0);
    }
}
