//! A threshold from the scores alone: a mixture of two normal distributions.

use super::{percent, share};
use serde::Serialize;

/// A threshold that is rarely far off for scores of the default measure: on most of the sets in
/// `docs/link-threshold.md` the best threshold lies between .53 and .75, and the best single one for all is
/// .62. This is a little more, because a wrong match does more harm than one that was missed.
pub const USUAL: f64 = 0.65;

/// The same where the default measure weighs its cosine part so: scores of long texts are lower the more that part counts.
pub fn usual_for(cosine: f64) -> f64 {
    USUAL - FALL * (cosine - 0.3) / 0.7
}

/// How much lower it is where the cosine part counts alone: short titles find their long descriptions at about .45, long records of one
/// kind at about .5.
const FALL: f64 = 0.18;

/// Fewer scores than this do not show groups.
const FEWEST: usize = 20;

/// How many standard deviations apart the groups must be. Most tables without duplicates, whose scores make one
/// lopsided hump, stay at 3.3 or below; most tables with duplicates reach 3.7 or more.
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

/// A threshold for data that nobody has labelled. See [`propose`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Proposal {
    /// Call pairs that score at least this the same.
    pub min: f64,
    /// How it was found and how sure it is, for people to read.
    pub reading: String,
    /// Whether the scores show two groups. If not, `min` says nothing about these data.
    pub two_groups: bool,
    /// The rows that have no duplicate, as they were fitted.
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
/// // Most rows resemble some other by chance, around 0.3; every fourth has a duplicate.
/// let scores: Vec<f64> = (0..400)
///     .map(|row| if row % 4 == 0 { 0.85 } else { 0.3 } + f64::from(row % 11 - 5) / 100.0)
///     .collect();
/// let proposal = propose(&scores);
/// assert!(proposal.two_groups);
/// assert!((proposal.high.share - 0.25).abs() < 0.01);
/// assert!(proposal.min > 0.4 && proposal.min < 0.8);
/// assert!(proposal.reading.contains("two groups"));
///
/// // Without duplicates there is nothing to see, and it says so.
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
/// (`docs/link-threshold.md`), and labelled pairs are the better way.
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
             duplicate) and {:.2} ({}, probably with one); they part at {cut}{pulled}. The groups are \
             {how_clear}: if they are what they seem, about {} of the rows fall on the wrong side. Different things with \
             like texts (people of one name, models of one product) break that: look at pairs near the threshold, or label some.",
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
                "all lie high, as if nearly every row had a duplicate"
            } else {
                "all lie low, as if no row had a duplicate"
            };
            format!("The best scores {where_}, so there is no sign of two groups")
        } else {
            "The best scores form one hump: there is no sign of two groups, rows with a duplicate \
             and rows without"
                .to_owned()
        };
        let what = match usual {
            Some(u) => format!("{u} is just the usual threshold"),
            None => format!("{} is just two standard deviations above their mean", self.min),
        };
        format!(
            "{why}. So {what}, and says nothing about these data; label some pairs to learn more."
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

    /// Two normal distributions of one width, by expectation and maximisation. None if they fall together or the
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

/// Two normal distributions of one width.
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
