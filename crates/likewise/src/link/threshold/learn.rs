//! A threshold from labelled pairs.

use super::share;
use serde::Serialize;

/// A threshold that suits labelled pairs. See [`learn`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Learned {
    /// Call pairs that score at least this the same. Infinite if no pair is labelled a match.
    pub min: f64,
    /// F1 on pairs that had no say in the choice: in each fold at the threshold that is best in all the
    /// others, all folds counted together.
    pub f1: f64,
    /// The same fold by fold; empty if there are too few matches to leave any out.
    pub fold_f1: Vec<f64>,
    /// Precision on pairs that had no say.
    pub precision: f64,
    /// Recall on pairs that had no say.
    pub recall: f64,
    /// What was found and how sure it is, for people to read.
    pub reading: String,
}

/// Chooses the threshold with the best F1 on labelled pairs, scores and whether they match, and says how good
/// such a threshold is on pairs that it has not seen.
///
/// `min` is chosen on all pairs. It lies half way between the lowest score that should be called a match and
/// the next lower one; of several that are as good it is the highest. The figures are cross-validated with
/// `folds` folds, from 2 to the number of matches. Matches and others are dealt out evenly, by rank in the order of
/// scores and a fixed shuffle of the ranks: the same for any order of the input. Pairs whose score is NaN are
/// never called a match.
///
/// ```
/// use likewise::link::learn;
/// let labelled: Vec<(f64, bool)> =
///     (0..100).map(|pair| (f64::from(pair) / 100.0, pair >= 70)).collect();
/// let learned = learn(&labelled, 5);
/// assert!((learned.min - 0.695).abs() < 1e-12);
/// assert_eq!(learned.fold_f1.len(), 5);
/// assert!(learned.f1 > 0.9);
/// ```
pub fn learn(scores_and_labels: &[(f64, bool)], folds: usize) -> Learned {
    // NaN ranks below everything, as a score that no threshold reaches.
    let reachable = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { score };
    let mut ranked: Vec<(f64, bool)> =
        scores_and_labels.iter().map(|&(score, label)| (reachable(score), label)).collect();
    // Best first; among equals matches first, but a cut never lies between them.
    ranked.sort_by(|x, y| y.0.total_cmp(&x.0).then(y.1.cmp(&x.1)));
    let matches = ranked.iter().filter(|p| p.1).count();
    let min = best_cut(&ranked);
    let folds = folds.max(2).min(matches);
    let mut learned = Learned { min, ..Learned::default() };
    let mut all = Counts::default();
    if folds < 2 {
        all.add(&ranked, min);
    } else {
        let fold_of = deal(&ranked, folds);
        for fold in 0..folds {
            let part = |held_out: bool| -> Vec<(f64, bool)> {
                let pairs = ranked.iter().zip(&fold_of);
                pairs.filter(|(_, f)| (**f == fold) == held_out).map(|(p, _)| *p).collect()
            };
            let mut counts = Counts::default();
            counts.add(&part(true), best_cut(&part(false)));
            learned.fold_f1.push(counts.f1());
            all.join(counts);
        }
    }
    learned.f1 = all.f1();
    learned.precision = share(all.right, all.called);
    learned.recall = share(all.right, all.matches);
    learned.reading = learned.read(ranked.len(), matches);
    learned
}

impl Learned {
    fn read(&self, pairs: usize, matches: usize) -> String {
        if matches == 0 {
            return format!(
                "None of the {pairs} labelled pairs matches, so there is nothing to learn a \
                 threshold from; add some that do."
            );
        }
        let best = format!(
            "{:.4} has the best F1 on {pairs} labelled pairs, {matches} of them matches",
            self.min
        );
        if self.fold_f1.is_empty() {
            return format!(
                "{best}. One match is too few to test that on pairs left out: F1 {:.3} is that of \
                 the pairs it was chosen on.",
                self.f1
            );
        }
        let lowest = self.fold_f1.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = self.fold_f1.iter().copied().fold(0.0, f64::max);
        let warning = if matches < 50 {
            " With so few matches that may be off by several hundredths."
        } else {
            ""
        };
        format!(
            "{best}. On pairs left out of the choice such a threshold has F1 {:.3} (precision \
             {:.3}, recall {:.3}; from {lowest:.3} to {highest:.3} in {} folds).{warning}",
            self.f1,
            self.precision,
            self.recall,
            self.fold_f1.len(),
        )
    }
}

/// The threshold with the best F1 on pairs sorted from the best score down; the highest of several.
fn best_cut(ranked: &[(f64, bool)]) -> f64 {
    let matches = ranked.iter().filter(|p| p.1).count() as u128;
    // F1 = 2 · right / (called + matches), compared crosswise in whole numbers.
    let (mut best_right, mut best_called, mut cut) = (0u128, 0u128, f64::INFINITY);
    let mut right = 0u128;
    for (at, &(score, label)) in ranked.iter().enumerate() {
        right += u128::from(label);
        let next = ranked.get(at + 1).map(|p| p.0);
        let called = at as u128 + 1;
        let better = right * (best_called + matches) > best_right * (called + matches);
        if next != Some(score) && score > f64::NEG_INFINITY && better {
            (best_right, best_called) = (right, called);
            cut = between(score, next);
        }
    }
    cut
}

/// Half way down to the next score, and never so low as to reach it.
fn between(score: f64, next: Option<f64>) -> f64 {
    let middle = next.map_or(score, |next| 0.5 * score + 0.5 * next);
    let separates = middle.is_finite() && middle <= score && next.is_none_or(|n| middle > n);
    if separates { middle } else { score }
}

/// The fold of each pair.
pub(super) fn deal(ranked: &[(f64, bool)], folds: usize) -> Vec<usize> {
    let mut fold_of = vec![0; ranked.len()];
    for label in [true, false] {
        let mut places: Vec<usize> =
            (0..ranked.len()).filter(|&at| ranked[at].1 == label).collect();
        let mut shuffled: Vec<(u64, usize)> = (0u64..).map(mix).zip(places.drain(..)).collect();
        shuffled.sort_unstable();
        for (dealt, (_, at)) in shuffled.into_iter().enumerate() {
            fold_of[at] = dealt % folds;
        }
    }
    fold_of
}

/// A fixed shuffle of the whole numbers (the finish of SplitMix64).
pub(crate) fn mix(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// What comes of a threshold.
#[derive(Default, Clone, Copy)]
struct Counts {
    called: usize,
    right: usize,
    matches: usize,
}

impl Counts {
    fn add(&mut self, pairs: &[(f64, bool)], min: f64) {
        for &(score, label) in pairs {
            let called = score >= min;
            self.called += usize::from(called);
            self.right += usize::from(called && label);
            self.matches += usize::from(label);
        }
    }

    fn join(&mut self, other: Self) {
        self.called += other.called;
        self.right += other.right;
        self.matches += other.matches;
    }

    fn f1(&self) -> f64 {
        share(2 * self.right, self.called + self.matches)
    }
}
