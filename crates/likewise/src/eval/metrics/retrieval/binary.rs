//! Metrics that ask only whether a document is relevant.

use super::{QueryRanking, TieOrder, TiedDocuments};

impl QueryRanking {
    /// Precision at `k`: `(relevant among the first k) / k`.
    ///
    /// The divisor is `k` even if fewer documents were found. 0 for `k` = 0.
    ///
    /// ```
    /// use likewise::eval::metrics::{QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8, 0.7], &[1, 0, 2], &[]);
    /// assert_eq!(query.precision_at(2, TieOrder::Expected), 0.5);
    /// assert_eq!(query.precision_at(5, TieOrder::Expected), 0.4);
    /// ```
    pub fn precision_at(&self, k: usize, order: TieOrder) -> f64 {
        if k == 0 { 0.0 } else { self.relevant_within(k, order) / k as f64 }
    }

    /// Recall at `k`: `(relevant among the first k) / (all relevant)`; 0 if nothing is
    /// relevant.
    ///
    /// ```
    /// use likewise::eval::metrics::{QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8], &[1, 0], &[1]);
    /// assert_eq!(query.recall_at(2, TieOrder::Expected), 0.5);
    /// ```
    pub fn recall_at(&self, k: usize, order: TieOrder) -> f64 {
        match self.relevant() {
            0 => 0.0,
            relevant => self.relevant_within(k, order) / relevant as f64,
        }
    }

    /// Hit at `k`: 1 if a relevant document is among the first `k`, else 0; with ties the probability of that.
    ///
    /// ```
    /// use likewise::eval::metrics::{QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8, 0.8], &[0, 1, 0], &[]);
    /// assert_eq!(query.hit_at(1, TieOrder::Expected), 0.0);
    /// assert_eq!(query.hit_at(2, TieOrder::Expected), 0.5);
    /// assert_eq!(query.hit_at(3, TieOrder::Expected), 1.0);
    /// ```
    pub fn hit_at(&self, k: usize, order: TieOrder) -> f64 {
        let first = self.groups().take_while(|g| g.above < k).find(|g| g.relevant() > 0);
        let Some(group) = first else { return 0.0 };
        let (all, relevant, within) = (group.grades.len(), group.relevant(), group.within(k));
        match order {
            TieOrder::Best => 1.0,
            TieOrder::Worst => f64::from(within > all - relevant),
            TieOrder::Expected => {
                // None of the tied places within k holds one of the relevant documents.
                let none = |place: usize| {
                    (all - relevant).saturating_sub(place) as f64 / (all - place) as f64
                };
                1.0 - (0..within).map(none).product::<f64>()
            }
        }
    }

    /// Reciprocal rank: `1 / (rank of the first relevant document)`, 0 if none was found.
    ///
    /// ```
    /// use likewise::eval::metrics::{QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8], &[0, 1], &[]);
    /// assert_eq!(query.reciprocal_rank(TieOrder::Expected), 0.5);
    /// ```
    pub fn reciprocal_rank(&self, order: TieOrder) -> f64 {
        let Some(group) = self.groups().find(|g| g.relevant() > 0) else {
            return 0.0;
        };
        let irrelevant = group.grades.len() - group.relevant();
        match order {
            TieOrder::Expected => expected_reciprocal_rank(&group),
            TieOrder::Worst => 1.0 / (group.above + irrelevant + 1) as f64,
            TieOrder::Best => 1.0 / (group.above + 1) as f64,
        }
    }

    /// Average precision: the mean over all relevant documents of the precision at their
    /// rank, 0 for those not found.
    ///
    /// `AP = (1 / all relevant) · Σ (precision at rank r) over ranks r of relevant documents`
    ///
    /// ```
    /// use likewise::eval::metrics::{QueryRanking, TieOrder};
    /// let query = QueryRanking::from_scores(&[0.9, 0.8, 0.7], &[1, 0, 1], &[]);
    /// assert_eq!(query.average_precision(TieOrder::Expected), (1.0 + 2.0 / 3.0) / 2.0);
    /// ```
    pub fn average_precision(&self, order: TieOrder) -> f64 {
        if self.relevant() == 0 {
            return 0.0;
        }
        let mut found = 0;
        let mut sum = 0.0;
        for group in self.groups() {
            sum += precision_sum(&group, found, order);
            found += group.relevant();
        }
        sum / self.relevant() as f64
    }

    /// How many of the first `k` documents are relevant; a fraction where ties make it one.
    fn relevant_within(&self, k: usize, order: TieOrder) -> f64 {
        let mut count = 0.0;
        for group in self.groups().take_while(|g| g.above < k) {
            let (all, relevant, within) = (group.grades.len(), group.relevant(), group.within(k));
            count += match order {
                TieOrder::Expected => within as f64 * (relevant as f64 / all as f64),
                TieOrder::Worst => within.saturating_sub(all - relevant) as f64,
                TieOrder::Best => within.min(relevant) as f64,
            };
        }
        count
    }
}

/// The first of `k` relevant among `n` tied documents is at place `j` with probability
/// `k / (n − j + 1)`, given that it was at none of the places before.
fn expected_reciprocal_rank(group: &TiedDocuments) -> f64 {
    let (all, relevant) = (group.grades.len(), group.relevant());
    let mut none_before = 1.0;
    let mut expected = 0.0;
    for place in 1..=all - relevant + 1 {
        let here = relevant as f64 / (all - place + 1) as f64;
        expected += none_before * here / (group.above + place) as f64;
        none_before *= 1.0 - here;
    }
    expected
}

/// What a group adds to the sum of precisions, with `found` relevant documents above it.
fn precision_sum(group: &TiedDocuments, found: usize, order: TieOrder) -> f64 {
    let (all, relevant) = (group.grades.len(), group.relevant());
    if relevant == 0 {
        return 0.0;
    }
    let one_by_one = |first: usize| -> f64 {
        (1..=relevant).map(|i| (found + i) as f64 / (first + i) as f64).sum()
    };
    match order {
        TieOrder::Worst => one_by_one(group.above + all - relevant),
        TieOrder::Best => one_by_one(group.above),
        TieOrder::Expected => {
            // A place holds a relevant document with probability k / n; each of the tied
            // places before it then holds one of the others with (k − 1) / (n − 1).
            let others = if all > 1 { (relevant - 1) as f64 / (all - 1) as f64 } else { 0.0 };
            (1..=all)
                .map(|place| {
                    let up_to_here = found as f64 + 1.0 + (place - 1) as f64 * others;
                    up_to_here / (group.above + place) as f64
                })
                .sum::<f64>()
                * (relevant as f64 / all as f64)
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
        fn every_metric_is_what_trying_all_orders_of_ties_gives(
            case in slow::few_documents(),
            k in 0usize..8,
        ) {
            case.check(|q, order| q.precision_at(k, order), |list, _| {
                if k == 0 { 0.0 } else { slow::hits(&list[..k.min(list.len())]) / k as f64 }
            })?;
            case.check(|q, order| q.recall_at(k, order), |list, ideal| {
                slow::hits(&list[..k.min(list.len())]) / (ideal.len() as f64).max(1.0)
            })?;
            case.check(|q, order| q.hit_at(k, order), |list, _| {
                f64::from(slow::hits(&list[..k.min(list.len())]) > 0.0)
            })?;
            case.check(QueryRanking::reciprocal_rank, |list, _| {
                list.iter().position(|&g| g > 0).map_or(0.0, |p| 1.0 / (p + 1) as f64)
            })?;
            case.check(QueryRanking::average_precision, |list, ideal| {
                let sum: f64 = (0..list.len())
                    .filter(|&i| list[i] > 0)
                    .map(|i| slow::hits(&list[..=i]) / (i + 1) as f64)
                    .sum();
                sum / (ideal.len() as f64).max(1.0)
            })?;
        }
    }
}
