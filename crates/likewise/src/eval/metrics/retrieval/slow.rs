//! Metrics by definition, tried on every order of tied documents, to test against.

use super::{QueryRanking, TieOrder};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

/// Found documents as (score, grade), and the grades of those not found.
#[derive(Debug)]
pub(super) struct Case {
    documents: Vec<(u8, u8)>,
    missed: Vec<u8>,
}

/// A few documents over few scores, so that ties are common but their orders can be listed.
pub(super) fn few_documents() -> impl Strategy<Value = Case> {
    let documents = prop::collection::vec((0u8..4, 0u8..4), 0..7);
    let missed = prop::collection::vec(0u8..4, 0..3);
    (documents, missed).prop_map(|(documents, missed)| Case { documents, missed })
}

pub(super) fn hits(grades: &[u8]) -> f64 {
    grades.iter().filter(|&&g| g > 0).count() as f64
}

impl Case {
    /// Compares `fast` with the mean, the lowest and the highest of `slow` over all orders;
    /// `slow` gets the list and the ideal list.
    pub(super) fn check(
        &self,
        fast: impl Fn(&QueryRanking, TieOrder) -> f64,
        slow: impl Fn(&[u8], &[u8]) -> f64,
    ) -> TestCaseResult {
        let (scores, grades): (Vec<f64>, Vec<u8>) =
            self.documents.iter().map(|&(score, grade)| (f64::from(score), grade)).unzip();
        let query = QueryRanking::from_scores(&scores, &grades, &self.missed);
        let mut ideal: Vec<u8> = grades.iter().chain(&self.missed).copied().collect();
        ideal.retain(|&g| g > 0);
        ideal.sort_unstable();
        ideal.reverse();
        let values: Vec<f64> =
            orders(&self.documents).iter().map(|list| slow(list, &ideal)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (order, expected) in
            [(TieOrder::Expected, mean), (TieOrder::Worst, lowest), (TieOrder::Best, highest)]
        {
            let got = fast(&query, order);
            prop_assert!((got - expected).abs() < 1e-12, "{:?}: {} not {}", order, got, expected);
        }
        Ok(())
    }
}

/// Grades in every order in which scores never rise, each order as often as it is likely.
fn orders(documents: &[(u8, u8)]) -> Vec<Vec<u8>> {
    let Some(top) = documents.iter().map(|d| d.0).max() else {
        return vec![vec![]];
    };
    let mut all = Vec::new();
    for (i, document) in documents.iter().enumerate().filter(|(_, d)| d.0 == top) {
        let mut rest = documents.to_vec();
        rest.remove(i);
        for mut tail in orders(&rest) {
            tail.insert(0, document.1);
            all.push(tail);
        }
    }
    all
}
