//! From which score on are two rows the same thing?
//!
//! Two answers. [`learn`] is for people who have judged some pairs, and is to be preferred: a few hundred
//! judgements are worth more than any rule. [`propose`] looks at the scores alone.
//!
//! # Without judgements
//!
//! Take for every row the score of the row that is most like it. Rows that have a double score high; the
//! others score what chance gives. So there are two humps, and the threshold belongs between them.
//! [`propose`] fits two bell curves of one width to the scores and cuts where a score is as likely to come
//! from the one as from the other. Real humps are not bells, so that alone is often off by a tenth; it goes
//! half way from there towards [`USUAL`], which is good on average for the default measure. Where the curves
//! do not stand clear of each other, or both lie on the same side of the usual threshold, the scores do not
//! tell, and the proposal is the usual threshold and says so.
//!
//! What was tried, and the figures for sixteen sets, are in `docs/link-threshold.md`; `cargo run
//! --example threshold_study --features eval -- DATA_DIR` computes them again. Over the fifteen sets on which
//! any threshold is of use, F1 at the proposal is on average .04 below the best that any threshold reaches.
//!
//! Both functions sort or count once, and so take O(n log n) for n scores.

use serde::Serialize;

/// A threshold that is rarely far off for scores of the default measure: on most of the sets in
/// `docs/link-threshold.md` the best threshold lies between .53 and .75, and the best single one for all is
/// .62. This is a little more, because a wrong match does more harm than one that was missed.
pub const USUAL: f64 = 0.65;

/// Fewer scores than this do not show groups.
const FEWEST: usize = 20;

/// How many standard deviations apart the groups must be. Most tables without doubles, whose scores make one
/// lopsided hump, stay at 3.3 or below; most tables with doubles reach 3.7 or more.
const APART: f64 = 3.5;

/// How finely scores are counted.
const BINS: usize = 1000;

/// One of the two groups of scores in a [`Proposal`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Group {
    /// Around which score it lies.
    pub mean: f64,
    /// Which share of the rows belongs to it.
    pub share: f64,
}

/// A threshold for data that nobody has judged. See [`propose`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Proposal {
    /// Call pairs that score at least this the same.
    pub min: f64,
    /// How it was found and how sure it is, for people to read.
    pub reading: String,
    /// Whether the scores show two groups. If not, `min` says nothing about these data.
    pub two_groups: bool,
    /// The rows that have no double, as they were fitted.
    pub low: Group,
    /// The rows that have one.
    pub high: Group,
    /// The standard deviation in either group.
    pub spread: f64,
    /// How many standard deviations the groups are apart.
    pub separation: f64,
    /// The share of rows that lie on the wrong side of the cut, if the fit is right.
    pub unsure: f64,
    /// The share of rows whose best score is at least `min`.
    pub share_above: f64,
}

/// Proposes a threshold from scores of the default measure: for every row of a table the score of the row
/// most like it, or, if two tables are matched, for every row of *both* tables the score of the row of the
/// other table most like it.
///
/// Scores that are not finite are passed over. Fewer than 20 scores are too few to see anything.
///
/// ```
/// use likewise::link::propose;
///
/// // Most rows resemble some other by chance, around 0.3; every fourth has a double.
/// let scores: Vec<f64> = (0..400)
///     .map(|row| if row % 4 == 0 { 0.85 } else { 0.3 } + f64::from(row % 11 - 5) / 100.0)
///     .collect();
/// let proposal = propose(&scores);
/// assert!(proposal.two_groups);
/// assert!((proposal.high.share - 0.25).abs() < 0.01);
/// assert!(proposal.min > 0.4 && proposal.min < 0.8);
/// assert!(proposal.reading.contains("two groups"));
///
/// // Without doubles there is nothing to see, and it says so.
/// let proposal = propose(&scores.iter().filter(|s| **s < 0.5).copied().collect::<Vec<_>>());
/// assert_eq!((proposal.two_groups, proposal.min), (false, 0.65));
/// assert!(proposal.reading.contains("no sign of two groups"));
/// ```
pub fn propose(scores: &[f64]) -> Proposal {
    propose_around(scores, Some(USUAL))
}

/// The same for scores of another measure: `usual` is a threshold that tends to suit it, by experience.
///
/// Expect less of it: for other measures such proposals lose .1 and more of F1 on average
/// (`docs/link-threshold.md`), and judged pairs are the better way.
///
/// Without a usual threshold, the cut between the groups is taken as it is. If there are no two groups, the proposal is
/// then the mean of the scores and two standard deviations more, but not above the largest: about one row in
/// forty of a single hump.
///
/// ```
/// use likewise::link::propose_around;
/// let scores: Vec<f64> = (0..400).map(|row| if row % 4 == 0 { 0.9 } else { 0.6 }).collect();
/// let fitted = propose_around(&scores, None).min;
/// assert!(fitted > 0.7 && fitted < 0.8);
/// assert!(propose_around(&scores, Some(0.85)).min > fitted);
/// ```
pub fn propose_around(scores: &[f64], usual: Option<f64>) -> Proposal {
    let usual = usual.filter(|u| u.is_finite());
    let scores: Vec<f64> = scores.iter().copied().filter(|s| s.is_finite()).collect();
    let counts = Histogram::new(&scores);
    let fit = if scores.len() < FEWEST { None } else { counts.fit() };
    let mut found = match &fit {
        Some(fit) => fit.proposal(&counts),
        None => Proposal::default(),
    };
    let across = usual.is_none_or(|u| found.low.mean <= u && u <= found.high.mean);
    let cut = fit.and_then(|f| f.cut());
    match cut.filter(|_| found.separation >= APART && across) {
        Some(cut) => {
            found.two_groups = true;
            found.min = counts.neat(usual.map_or(cut, |u| 0.5 * cut + 0.5 * u));
            found.reading = found.two(counts.neat(cut), usual);
        }
        None => {
            found.min = usual.unwrap_or_else(|| counts.neat(counts.outlying()));
            found.reading = found.one(scores.len(), usual);
        }
    }
    let above = scores.iter().filter(|s| **s >= found.min).count();
    found.share_above = share(above, scores.len());
    found
}

impl Proposal {
    fn two(&self, cut: f64, usual: Option<f64>) -> String {
        let how_clear = match self.unsure {
            u if u < 0.005 => "clearly apart",
            u if u < 0.03 => "well apart",
            _ => "blurred into each other",
        };
        let pulled = usual.map_or_else(String::new, |u| {
            format!(", and the threshold is {}, half way from there to the usual {u}", self.min)
        });
        format!(
            "The best scores form two groups, around {:.2} ({} of the rows, probably without a \
             double) and {:.2} ({}, probably with one); they part at {cut}{pulled}. The groups are \
             {how_clear}: about {} of the rows would fall on the wrong side.",
            self.low.mean,
            percent(self.low.share),
            self.high.mean,
            percent(self.high.share),
            percent(self.unsure),
        )
    }

    fn one(&self, scores: usize, usual: Option<f64>) -> String {
        let why = if scores < FEWEST {
            format!("{scores} scores are too few to show whether there are two groups")
        } else if self.separation >= APART {
            let where_ = if usual.is_some_and(|u| self.low.mean > u) {
                "all lie high, as if nearly every row had a double"
            } else {
                "all lie low, as if no row had a double"
            };
            format!("The best scores {where_}, so there is no sign of two groups")
        } else {
            "The best scores form one hump: there is no sign of two groups, rows with a double \
             and rows without"
                .to_owned()
        };
        let what = match usual {
            Some(u) => format!("{u} is just the usual threshold"),
            None => format!("{} is just two standard deviations above their mean", self.min),
        };
        format!(
            "{why}. So {what}, and says nothing about these data; judge some pairs to learn more."
        )
    }
}

/// Scores counted in bins, so that the cost of a fit does not depend on their number, nor its result on
/// their order.
struct Histogram {
    low: f64,
    high: f64,
    /// The middles of the bins that are not empty, and how many scores they hold.
    bins: Vec<(f64, f64)>,
    total: f64,
}

impl Histogram {
    /// Of finite scores.
    fn new(scores: &[f64]) -> Self {
        let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let high = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Halves first: the difference of very large numbers would overflow.
        let width = (high / BINS as f64) - (low / BINS as f64);
        let mut counts = vec![0usize; BINS];
        for &score in scores {
            let at = if width > 0.0 { (score / width - low / width) as usize } else { 0 };
            counts[at.min(BINS - 1)] += 1;
        }
        let full = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let bins = full.map(|(at, &count)| (low + (at as f64 + 0.5) * width, count as f64));
        Self { low, high, bins: bins.collect(), total: scores.len() as f64 }
    }

    /// To three decimals, as one would type it, unless that is coarse for these scores.
    fn neat(&self, value: f64) -> f64 {
        if self.high - self.low > 0.1 && value.abs() < 1e9 {
            (value * 1000.0).round() / 1000.0
        } else {
            value
        }
    }

    /// Mean and standard deviation.
    fn moments(&self) -> (f64, f64) {
        let mean = self.sum(|x| x) / self.total;
        (mean, (self.sum(|x| (x - mean) * (x - mean)) / self.total).sqrt())
    }

    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.bins.iter().fold(0.0, |sum, &(x, count)| sum + count * of(x))
    }

    fn outlying(&self) -> f64 {
        if self.bins.is_empty() {
            return USUAL;
        }
        let (mean, spread) = self.moments();
        let above = mean + 2.0 * spread;
        if above < self.high { above } else { self.high }
    }

    /// The cut with the largest variance between its sides (Otsu's): where the fit starts. The first of
    /// several.
    fn start(&self) -> f64 {
        let all = self.sum(|x| x);
        let (mut best, mut cut) = (-1.0, self.low);
        let (mut count, mut sum) = (0.0, 0.0);
        for pair in self.bins.windows(2) {
            count += pair[0].1;
            sum += pair[0].0 * pair[0].1;
            let rest = self.total - count;
            let apart = (all - sum) / rest - sum / count;
            let between = count * rest * apart * apart;
            if between > best {
                (best, cut) = (between, 0.5 * pair[0].0 + 0.5 * pair[1].0);
            }
        }
        cut
    }

    /// Two bell curves of one width, by expectation and maximisation. None if they fall together or the
    /// numbers get out of hand.
    fn fit(&self) -> Option<Fit> {
        let start = self.start();
        // Groups that are narrower than that would be a matter of a few equal scores.
        let narrowest = (self.high - self.low) / 50.0;
        let mut fit = self.estimate(narrowest, |x| if x < start { 0.0 } else { 1.0 })?;
        for _ in 0..1000 {
            let next = self.estimate(narrowest, |x| fit.chance_of_high(x))?;
            let change = (next.low - fit.low).abs() + (next.high - fit.high).abs();
            fit = next;
            if change < 1e-9 * narrowest {
                break;
            }
        }
        Some(fit)
    }

    /// The curves that suit scores of which each belongs to the high group to some degree.
    fn estimate(&self, narrowest: f64, high: impl Fn(f64) -> f64) -> Option<Fit> {
        let (mut highs, mut high_sum, mut low_sum) = (0.0, 0.0, 0.0);
        for &(x, count) in &self.bins {
            let part = high(x);
            highs += count * part;
            high_sum += count * part * x;
            low_sum += count * (1.0 - part) * x;
        }
        let (high_mean, low_mean) = (high_sum / highs, low_sum / (self.total - highs));
        let squares = self.sum(|x| {
            let part = high(x);
            part * (x - high_mean).powi(2) + (1.0 - part) * (x - low_mean).powi(2)
        });
        let fit = Fit {
            low: low_mean,
            high: high_mean,
            share: highs / self.total,
            spread: (squares / self.total).sqrt().max(narrowest),
        };
        let sound = fit.low.is_finite() && fit.high.is_finite() && fit.spread.is_finite();
        (sound && fit.spread > 0.0 && fit.share > 0.0 && fit.share < 1.0).then_some(fit)
    }
}

/// Two bell curves of one width.
#[derive(Clone, Copy)]
struct Fit {
    low: f64,
    high: f64,
    /// The share of the high one.
    share: f64,
    spread: f64,
}

impl Fit {
    fn odds(&self) -> f64 {
        (self.share / (1.0 - self.share)).ln()
    }

    /// How likely a score is to belong to the high group.
    fn chance_of_high(&self, score: f64) -> f64 {
        let apart = (self.high - self.low) / self.spread;
        let place = (score - 0.5 * (self.low + self.high)) / self.spread;
        1.0 / (1.0 + (-(self.odds() + apart * place)).exp())
    }

    /// Where a score is as likely to belong to the one as to the other, if that lies between them.
    fn cut(&self) -> Option<f64> {
        let apart = (self.high - self.low) / self.spread;
        let cut = 0.5 * (self.low + self.high) - self.spread * self.odds() / apart;
        (cut > self.low && cut < self.high).then_some(cut)
    }

    fn proposal(&self, of: &Histogram) -> Proposal {
        let wrong = of.sum(|x| {
            let high = self.chance_of_high(x);
            high.min(1.0 - high)
        });
        Proposal {
            low: Group { mean: self.low, share: 1.0 - self.share },
            high: Group { mean: self.high, share: self.share },
            spread: self.spread,
            separation: (self.high - self.low) / self.spread,
            unsure: wrong / of.total,
            ..Proposal::default()
        }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn percent(share: f64) -> String {
    match 100.0 * share {
        p if p < 0.1 => "less than 0.1 %".to_owned(),
        p if p < 10.0 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}

/// A threshold that suits judged pairs. See [`learn`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Learned {
    /// Call pairs that score at least this the same. Infinite if no pair was judged to match.
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

/// Chooses the threshold with the best F1 on judged pairs, scores and whether they match, and says how good
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
/// let judged: Vec<(f64, bool)> =
///     (0..100).map(|pair| (f64::from(pair) / 100.0, pair >= 70)).collect();
/// let learned = learn(&judged, 5);
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
                "None of the {pairs} judged pairs matches, so there is nothing to learn a \
                 threshold from; add some that do."
            );
        }
        let best = format!(
            "{:.4} has the best F1 on {pairs} judged pairs, {matches} of them matches",
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
fn deal(ranked: &[(f64, bool)], folds: usize) -> Vec<usize> {
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
fn mix(number: u64) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A hump of scores around `mean`: sums of four evenly spread numbers.
    fn hump(rows: u64, mean: f64, width: f64) -> Vec<f64> {
        let even = |n: u64| (mix(n) >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        let at = |row: u64| (0..4).map(|part| even(4 * row + part)).sum::<f64>();
        (0..rows).map(|row| mean + width * at(row) * 3f64.sqrt()).collect()
    }

    /// F1 of a threshold, by counting.
    fn f1_at(pairs: &[(f64, bool)], min: f64) -> f64 {
        let right = pairs.iter().filter(|p| p.0 >= min && p.1).count() as f64;
        let called = pairs.iter().filter(|p| p.0 >= min).count() as f64;
        let matches = pairs.iter().filter(|p| p.1).count() as f64;
        if right == 0.0 { 0.0 } else { 2.0 * right / (called + matches) }
    }

    fn judged() -> impl Strategy<Value = Vec<(f64, bool)>> {
        prop::collection::vec((0u32..12, any::<bool>()), 0..60)
            .prop_map(|all| all.into_iter().map(|(s, l)| (f64::from(s) / 11.0, l)).collect())
    }

    proptest! {
        #[test]
        fn no_threshold_has_a_better_f1(pairs in judged()) {
            let learned = learn(&pairs, 4);
            let best = pairs.iter().map(|p| f1_at(&pairs, p.0)).fold(0.0, f64::max);
            prop_assert!((f1_at(&pairs, learned.min) - best).abs() < 1e-12);
            // Of several as good, it is the highest.
            for pair in pairs.iter().filter(|p| p.0 > learned.min) {
                let higher = f1_at(&pairs, pair.0);
                let same_cut = pairs.iter().all(|p| (p.0 >= learned.min) == (p.0 >= pair.0));
                prop_assert!(higher < best || same_cut);
            }
        }

        #[test]
        fn every_pair_is_held_out_once_and_matches_are_dealt_evenly(
            pairs in judged(),
            folds in 2usize..6,
        ) {
            let fold_of = deal(&pairs, folds);
            for label in [true, false] {
                let sizes: Vec<usize> = (0..folds)
                    .map(|f| (0..pairs.len()).filter(|&at| fold_of[at] == f && pairs[at].1 == label).count())
                    .collect();
                let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
                prop_assert!(most - least <= 1);
            }
        }

        #[test]
        fn what_is_learned_does_not_depend_on_the_order(pairs in judged(), folds in 0usize..9) {
            let mut turned = pairs.clone();
            turned.reverse();
            turned.rotate_left(pairs.len() / 3);
            prop_assert_eq!(learn(&pairs, folds), learn(&turned, folds));
        }

        #[test]
        fn a_proposal_does_not_depend_on_the_order(
            scores in prop::collection::vec(0.0f64..1.0, 0..80),
        ) {
            let mut turned = scores.clone();
            turned.reverse();
            prop_assert_eq!(propose(&scores), propose(&turned));
            prop_assert!(propose(&scores).min > 0.0);
        }

        #[test]
        fn no_input_does_harm(
            scores in prop::collection::vec(any::<f64>(), 0..60),
            usual in any::<f64>(),
            folds in any::<usize>(),
        ) {
            for usual in [None, Some(usual)] {
                prop_assert!(propose_around(&scores, usual).min.is_finite());
            }
            let pairs: Vec<(f64, bool)> = scores.iter().map(|&s| (s, s > 1.0)).collect();
            learn(&pairs, folds);
        }
    }

    #[test]
    fn the_cut_lies_between_two_humps() {
        for (low, high, width, share) in
            [(0.3, 0.9, 0.06, 3), (0.4, 0.8, 0.06, 20), (0.2, 0.75, 0.1, 2)]
        {
            let mut scores = hump(3_000, low, width);
            scores.extend(hump(3_000 / share, high, width));
            let fitted = propose_around(&scores, None);
            assert!(fitted.two_groups, "{fitted:?}");
            assert!((fitted.low.mean - low).abs() < 0.02, "{fitted:?}");
            assert!((fitted.high.mean - high).abs() < 0.02, "{fitted:?}");
            // Rarer doubles need better reasons.
            assert!(fitted.min >= 0.5 * (low + high) - 0.02 && fitted.min < high, "{fitted:?}");
            let pulled = propose(&scores).min;
            assert!((pulled - 0.5 * (fitted.min + USUAL)).abs() < 0.001);
        }
    }

    #[test]
    fn one_hump_is_called_one_hump() {
        for mean in [0.3, 0.5, 0.65, 0.9] {
            let proposal = propose(&hump(3_000, mean, 0.08));
            assert!(!proposal.two_groups, "{proposal:?}");
            assert_eq!(proposal.min, USUAL);
            assert!(proposal.reading.contains("no sign of two groups"));
        }
    }

    #[test]
    fn two_humps_on_one_side_of_the_usual_are_not_doubles_and_others() {
        let mut scores = hump(1_000, 0.75, 0.02);
        scores.extend(hump(1_000, 0.95, 0.02));
        let proposal = propose(&scores);
        assert_eq!((proposal.two_groups, proposal.min), (false, USUAL));
        assert!(proposal.reading.contains("all lie high"), "{}", proposal.reading);
        assert!(propose_around(&scores, None).two_groups);
    }

    #[test]
    fn nothing_and_all_the_same_are_read_as_such() {
        assert!(propose(&[]).reading.starts_with("0 scores are too few"));
        assert_eq!(propose_around(&[], None).min, USUAL);
        let same = propose(&[0.8; 100]);
        assert_eq!((same.two_groups, same.min, same.share_above), (false, USUAL, 1.0));
        assert_eq!(propose_around(&[0.8; 100], None).min, 0.8);
    }

    #[test]
    fn too_few_matches_are_said_to_be_too_few() {
        assert_eq!(learn(&[], 5).min, f64::INFINITY);
        assert!(learn(&[(0.3, false)], 5).reading.contains("nothing to learn"));
        let one = learn(&[(0.9, true), (0.1, false)], 5);
        assert_eq!((one.min, one.f1), (0.5, 1.0));
        assert!(one.fold_f1.is_empty() && one.reading.contains("One match is too few"));
    }

    #[test]
    fn neighbouring_numbers_are_still_told_apart() {
        let (low, high) = (0.5, f64::from_bits(0.5f64.to_bits() + 1));
        let learned = learn(&[(high, true), (low, false)], 2);
        assert_eq!(learned.min, high);
    }

    #[test]
    fn held_out_figures_are_those_of_thresholds_that_others_chose() {
        // One fold's odd match cannot be found by a threshold chosen without it.
        let mut pairs: Vec<(f64, bool)> = (0..40).map(|n| (0.01 * f64::from(n), false)).collect();
        pairs.extend((0..9).map(|n| (0.9 + 0.01 * f64::from(n), true)));
        pairs.push((0.45, true));
        let learned = learn(&pairs, 10);
        assert_eq!(f1_at(&pairs, learned.min), 1.0);
        assert!(learned.recall < 1.0 && learned.precision == 1.0, "{learned:?}");
        assert_eq!(learned.fold_f1.iter().filter(|f| **f == 0.0).count(), 1);
    }
}
