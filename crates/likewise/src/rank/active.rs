//! Which pairs are worth labelling: uncertainty sampling, begun with likely matches.
//!
//! Source: Lewis & Gale, "A sequential algorithm for training text classifiers" (SIGIR 1994). Nothing is known at first, so the first pairs
//! are spread over the scores of a measure, more of them at the top, where matches are. From ten labels of both kinds on a forest is trained
//! after each batch, and the pairs are asked for that it is least sure of.

use super::learn::{Examples, Learner, Random, Target};

/// Which pair to label next, and whether more labels are likely to help.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The pairs to label next, by their number among all.
    pub next: Vec<usize>,
    /// The probability of each pair by what was labelled so far; nothing before there are labels enough.
    pub probabilities: Option<Vec<f64>>,
    /// How many pairs would change sides between two forests of other seeds, as a share of those that either takes for matches: with few of
    /// those left, more labels are unlikely to help.
    pub unstable: Option<f64>,
}

/// So many labels of each kind are needed before a forest is trained.
const LEAST: usize = 3;
/// And so many in all.
const LEAST_IN_ALL: usize = 10;
/// Trees of a forest that chooses: it is trained anew after every batch.
const TREES: &str = "forest(trees=100, leaf=1)";

/// Chooses pairs to label: `all` describes every pair there is, `scores` are those of a measure, `labels` what is known so far.
///
/// The targets of `all` are not looked at.
pub fn next_to_label(
    all: &Examples,
    scores: &[f64],
    labels: &[(usize, bool)],
    batch: usize,
    seed: u64,
) -> Choice {
    let mut asked = vec![false; all.len()];
    labels.iter().for_each(|&(at, _)| asked[at] = true);
    let matches = labels.iter().filter(|(_, label)| *label).count();
    let others = labels.len() - matches;
    if labels.len() < LEAST_IN_ALL || matches < LEAST || others < LEAST {
        let next = spread(all.len(), scores, &asked, batch, matches, others);
        return Choice { next, probabilities: None, unstable: None };
    }
    let mut known = Examples::new(all.width());
    labels.iter().for_each(|&(at, label)| known.push(all.row(at), f64::from(label), at as u32));
    let learner: Learner = TREES.parse().unwrap_or_default();
    let round = labels.len() as u64;
    let predict = |stream: u64| -> Vec<f64> {
        use rayon::prelude::*;
        let seed = Random::new(seed, 2 * round + stream).next();
        let decide = learner.fit(&known, Target::Match, seed);
        let sigmoid = |f: f64| 1.0 / (1.0 + (-f).exp());
        (0..all.len())
            .into_par_iter()
            .map(|at| sigmoid(decide.decision(all.row(at), Target::Match)))
            .collect()
    };
    let (p, q) = (predict(0), predict(1));
    let mean: Vec<f64> = p.iter().zip(&q).map(|(p, q)| (p + q) / 2.0).collect();
    let mut open: Vec<usize> = (0..all.len()).filter(|&at| !asked[at]).collect();
    open.sort_by(|&a, &b| (mean[a] - 0.5).abs().total_cmp(&(mean[b] - 0.5).abs()).then(a.cmp(&b)));
    open.truncate(batch);
    let either = (0..all.len()).filter(|&at| p[at] >= 0.5 || q[at] >= 0.5).count();
    let changed = (0..all.len()).filter(|&at| (p[at] >= 0.5) != (q[at] >= 0.5)).count();
    let unstable = Some(changed as f64 / either.max(1) as f64);
    Choice { next: open, probabilities: Some(mean), unstable }
}

/// Pairs spread over the scores: half of them from the very top, the others at even steps below. Where one kind of label is missing, from
/// the end where that is likely.
fn spread(
    n: usize,
    scores: &[f64],
    asked: &[bool],
    batch: usize,
    matches: usize,
    others: usize,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).filter(|&at| !asked[at]).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    let mut chosen = Vec::new();
    let asked_for = matches + others;
    for turn in asked_for..asked_for + batch {
        if order.is_empty() {
            break;
        }
        // Steps get wider: 0, then 1/16, 1/8, 1/4, 1/2 of the way down.
        let step = [0.0, 0.0625, 0.0, 0.125, 0.0, 0.25, 0.0, 0.5][turn % 8];
        let top = matches <= others;
        let step = if asked_for >= LEAST_IN_ALL { if top { 0.0 } else { 0.75 } } else { step };
        let at = ((order.len() - 1) as f64 * step) as usize;
        chosen.push(order.remove(at));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two numbers a pair; a match is where their sum is large.
    fn pairs(n: usize) -> (Examples, Vec<f64>, Vec<bool>) {
        let (mut random, mut all) = (Random::new(2, 2), Examples::new(2));
        let (mut scores, mut labels) = (Vec::new(), Vec::new());
        for at in 0..n {
            let row = [random.below(1000) as f64 / 1000.0, random.below(1000) as f64 / 1000.0];
            all.push(&row, 0.0, at as u32);
            scores.push(row[0]);
            labels.push(row[0] + row[1] > 1.6);
        }
        (all, scores, labels)
    }

    #[test]
    fn chosen_pairs_teach_more_than_random_ones() {
        let (all, scores, truth) = pairs(2000);
        let learned = |known: &[(usize, bool)]| {
            let found = next_to_label(&all, &scores, known, 1, 1).probabilities.unwrap();
            (0..all.len()).filter(|&at| (found[at] >= 0.5) != truth[at]).count()
        };
        let mut known: Vec<(usize, bool)> = Vec::new();
        while known.len() < 80 {
            let choice = next_to_label(&all, &scores, &known, 10, 1);
            assert!(choice.next.iter().all(|at| known.iter().all(|(k, _)| k != at)), "asked twice");
            known.extend(choice.next.iter().map(|&at| (at, truth[at])));
        }
        let random: Vec<(usize, bool)> = (0..80).map(|at| (at, truth[at])).collect();
        assert!(learned(&known) < learned(&random), "{} {}", learned(&known), learned(&random));
    }

    #[test]
    fn the_first_pairs_are_of_both_kinds() {
        let (all, scores, truth) = pairs(500);
        let first = next_to_label(&all, &scores, &[], 16, 1);
        assert_eq!(first.probabilities, None);
        let matches = first.next.iter().filter(|&&at| truth[at]).count();
        assert!((3..=13).contains(&matches), "{matches}");
        // With no match among ten labels the likeliest pairs come next.
        let none: Vec<(usize, bool)> =
            (0..500).filter(|&at| !truth[at]).take(10).map(|at| (at, false)).collect();
        let next = next_to_label(&all, &scores, &none, 3, 1).next;
        assert!(next.iter().all(|&at| scores[at] > 0.95), "{next:?}");
    }

    #[test]
    fn when_everything_is_labelled_there_is_nothing_to_ask() {
        let (all, scores, truth) = pairs(30);
        let known: Vec<(usize, bool)> = truth.iter().copied().enumerate().collect();
        assert!(next_to_label(&all, &scores, &known, 5, 1).next.is_empty());
        assert!(next_to_label(&all, &scores, &[], 99, 1).next.len() == 30);
    }
}
