//! The definitions, spelled out without regard for speed, to test against.

use proptest::prelude::*;

/// A few pairs over few scores, so that ties are common but their orders can be listed.
pub(super) fn few_pairs() -> impl Strategy<Value = Vec<(u8, bool)>> {
    prop::collection::vec((0u8..4, any::<bool>()), 0..7)
}

/// Scores and labels apart.
pub(super) fn apart(pairs: &[(u8, bool)]) -> (Vec<f64>, Vec<bool>) {
    pairs.iter().map(|&(score, relevant)| (f64::from(score), relevant)).unzip()
}

/// Labels in every order in which scores never rise.
pub(super) fn all_orders(pairs: &[(u8, bool)]) -> Vec<Vec<bool>> {
    if pairs.is_empty() {
        return vec![vec![]];
    }
    let top = pairs.iter().map(|p| p.0).max().unwrap_or(0);
    let mut orders = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        if pair.0 == top {
            let mut rest = pairs.to_vec();
            rest.remove(i);
            for mut tail in all_orders(&rest) {
                tail.insert(0, pair.1);
                orders.push(tail);
            }
        }
    }
    orders
}

/// Precision and recall at every position, as fractions of whole numbers.
fn positions(order: &[bool]) -> impl Iterator<Item = (u64, u64)> {
    order.iter().scan((0, 0), |(found, seen), &relevant| {
        *found += u64::from(relevant);
        *seen += 1;
        Some((*found, *seen))
    })
}

pub(super) fn iap(order: &[bool], total: u64) -> f64 {
    (0..=10)
        .map(|tenths| {
            positions(order)
                .filter(|&(found, _)| total > 0 && found * 10 >= tenths * total)
                .map(|(found, seen)| found as f64 / seen as f64)
                .fold(0.0, f64::max)
        })
        .sum::<f64>()
        / 11.0
}

pub(super) fn average_precision(order: &[bool], total: u64) -> f64 {
    let sum: f64 = positions(order)
        .zip(order)
        .filter(|&(_, &relevant)| relevant)
        .map(|((found, seen), _)| found as f64 / seen as f64)
        .sum();
    if total == 0 { 0.0 } else { sum / total as f64 }
}

pub(super) fn best_f1(order: &[bool], total: u64) -> f64 {
    positions(order)
        .filter(|&(found, _)| found > 0)
        .map(|(found, seen)| {
            let (precision, recall) = (found as f64 / seen as f64, found as f64 / total as f64);
            2.0 * precision * recall / (precision + recall)
        })
        .fold(0.0, f64::max)
}
