//! The threshold schedule: for which scores candidates are generated, one after the other.
//!
//! Thresholds fall from round to round, unlike in MaxScore, where θ is the k-th best score and rises: results are to be final one
//! by one, and a high threshold is cheap. After a round for θ every row that can score θ or more has been scored, but for rows
//! that score less than k others. So scored rows are final if they score at least θ: no better row is unknown.
//!
//! The first threshold is the best score among a few likely rows, which proves the first result with little work. The second
//! one is the k-th best score by then. It is the last, because k rows that score as much are known. After a scan there are
//! more in between: each a score that about four times as many docs can reach as the one before, until the k-th best score
//! is higher.

/// The state of a schedule.
pub struct Schedule {
    /// Everything that can score as much has been scored.
    pub theta: f64,
    /// Below this nearly all rows that score anything are reached: the next threshold is 0.
    lowest: f64,
    /// How far the last step went down, where too few results are found.
    step: f64,
    /// After a scan, how many groups of docs the next threshold is for.
    pub groups: usize,
}

/// Asked for more results than this, a search goes down to the lowest threshold at once.
pub const MOST_RANKED: usize = 100_000;
/// Rows that score less score nothing.
pub const LEAST_THRESHOLD: f64 = 1e-30;
/// The square root of the first step down, where too few results are found.
const STEP: f64 = 0.77;
/// What share of the best score is as good as none.
const LOWEST: f64 = 1e-3;
/// After a scan the first threshold is for one group of docs in so many docs, and each next one for so many times as many
/// groups.
const GROUPS: usize = 1_024;
const MORE: usize = 4;

/// What a schedule goes by.
pub struct Progress {
    /// The lowest score that can still matter, and whether there are as many results as asked for.
    pub wanted: f64,
    pub enough: bool,
    /// The best score that is not final.
    pub top: Option<f64>,
    /// After a scan, a threshold that only some groups of docs can reach.
    pub of_groups: Option<f64>,
}

impl Schedule {
    pub fn new(rows: usize) -> Self {
        Self { theta: f64::INFINITY, lowest: LOWEST, step: STEP, groups: rows / GROUPS + 1 }
    }

    /// Whether no candidates have been generated yet.
    pub fn at_start(&self) -> bool {
        self.theta == f64::INFINITY
    }

    /// Four times as many groups from now on.
    pub fn more_groups(&mut self) {
        self.groups *= MORE;
    }

    /// The next threshold for the best k. `as_well` says whether a round for the first score is half the work of one for the
    /// second, or more: then the first one is not worth it.
    pub fn next(
        &mut self,
        k: usize,
        Progress { wanted, enough, top, of_groups }: Progress,
        as_well: impl FnOnce(f64, f64) -> bool,
    ) -> f64 {
        let next = if k > MOST_RANKED {
            wanted
        } else if self.at_start() {
            // The first result alone, unless it scores about what the last one does.
            let first = match top {
                Some(top) if !enough => top,
                Some(top) if top > wanted * 1.02 && !as_well(top, wanted) => top,
                Some(_) => wanted,
                None => of_groups.unwrap_or(0.5),
            };
            self.lowest = LOWEST * first.min(1.0);
            first.max(of_groups.unwrap_or(0.0))
        } else if let Some(of_groups) = of_groups {
            // A few docs more, so that `wanted` is nearly what the last result will score.
            of_groups
        } else if enough {
            wanted
        } else {
            // Faster and faster: where little is found, most of the work is at low thresholds.
            self.step *= self.step;
            self.theta * self.step
        };
        let next = next.max(wanted).min(self.theta);
        if of_groups == Some(next) {
            self.more_groups();
        }
        if !enough && next < self.lowest { f64::MIN_POSITIVE } else { next }
    }
}
