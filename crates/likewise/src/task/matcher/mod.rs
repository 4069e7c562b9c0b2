//! Left rows find their rows in a target, batch by batch.

mod joined;
mod listed;

use super::candidates::announce;
use super::report::{Chosen, Report, Threshold};
use super::{Context, Match, Target, TaskError, scale};
use crate::index::{Hit, IndexError, SearchOptions};
use crate::link::{Pair, assign, one_to_one};
use joined::Waiting;
use listed::Listed;

/// Among how many rows each looks for its partner at first, one to one, and how many times as many it asks for where its list
/// has not come to an end; also how many show which scores a table's rows reach.
const CANDIDATES: usize = 10;
const MORE: usize = 8;
/// About so many candidates are kept in all, one to one; after that, [`CANDIDATES`] for each row.
const MOST: usize = if cfg!(test) { 2_000 } else { 4_000_000 };
/// Said where no threshold is proposed.
const NO_GROUPS: &str = "the scores do not show which rows have a partner, and no threshold is usual for this measure, so each row \
                         has its best, however little alike; option `min` sets a threshold";

/// Matches rows that come batch by batch.
///
/// A batch gives its pairs at once, unless all pairs are needed together, to use each row once or to propose a threshold, or many
/// rows are better joined than looked up one by one: then they come from [`finish`](Self::finish).
pub struct Matcher<'a> {
    target: &'a Target<'a>,
    context: &'a Context,
    options: SearchOptions,
    one_to_one: bool,
    /// Whether the number of candidates is as asked for, and not to be raised.
    fixed: bool,
    /// As given; replaced at the end where one is proposed.
    threshold: Threshold,
    proposes: bool,
    /// How many rows for each are wanted.
    k: usize,
    /// Rows that were looked up.
    rows: usize,
    /// Rows that wait to be joined, if they may be.
    waiting: Option<Waiting>,
    /// Pairs that are needed together, in the order of the left rows, best first.
    held: Vec<Pair>,
    /// For each row that has candidates which were left out, the most that one of them scores.
    left_out: Vec<f64>,
}

impl<'a> Matcher<'a> {
    /// So many rows a batch make good use of all threads.
    pub const BATCH: usize = 1024;

    /// Looks rows up in a target.
    ///
    /// # Errors
    /// If scores cannot be as low or as high as `min`, or weights are to be learned, for which all rows are needed together.
    pub fn new(
        target: &'a Target<'a>,
        options: &Match,
        context: &'a Context,
    ) -> Result<Self, TaskError> {
        super::weights::refuse_ready(options.weights)?;
        let (min, proposes) = (options.min.unwrap_or(0.0), options.proposes());
        scale::check_min_of(min, target)?;
        scale::check_k(options.k)?;
        let k = options.k.unwrap_or(if options.one_to_one { CANDIDATES } else { 1 });
        let fixed = options.k.is_some();
        let found = if proposes && !options.one_to_one { k.max(CANDIDATES) } else { k };
        Ok(Self {
            target,
            context,
            // Equal rows are candidates together: were some of them cut off, rows could not be told apart that deserve the same.
            options: SearchOptions::new().k(found).min(min).ties(options.one_to_one && !fixed),
            one_to_one: options.one_to_one,
            fixed,
            threshold: match options.min {
                Some(min) => Threshold::new(min, Chosen::Given, ""),
                None => Threshold::new(0.0, Chosen::Unneeded, ""),
            },
            proposes,
            k,
            rows: 0,
            waiting: Waiting::for_join(target, min),
            held: Vec::new(),
            left_out: Vec::new(),
        })
    }

    /// Whether all pairs come at the end.
    pub fn holds_pairs(&self) -> bool {
        self.one_to_one || self.proposes || self.waiting.is_some()
    }

    /// Takes the next rows, and gives their pairs unless these come [at the end](Self::holds_pairs); `left` of a pair counts all rows
    /// that came.
    ///
    /// # Errors
    /// If a row has not as many texts as the target has columns, or there are more rows than can be numbered.
    pub fn push<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync>(
        &mut self,
        rows: &[Q],
    ) -> Result<Vec<Pair>, TaskError> {
        let Some(waiting) = &mut self.waiting else {
            return self.look_up(rows);
        };
        for row in rows {
            self.target.on().check_query(row.as_ref().len())?;
            waiting.add(row.as_ref());
        }
        u32::try_from(self.rows + waiting.len()).map_err(|_| IndexError::TooManyRows)?;
        if waiting.is_full() {
            self.join_waiting()?;
        }
        Ok(Vec::new())
    }

    /// Joins the rows that wait, or looks them up where that is not done.
    fn join_waiting(&mut self) -> Result<(), TaskError> {
        let Some(waiting) = &mut self.waiting else { return Ok(()) };
        let rows = waiting.take();
        let stage = self.context.control.stage("rows matched", Some(rows.len() as u64));
        let Some(joined) = joined::join(self.target, &rows, self.options.min, &stage)? else {
            for batch in rows.chunks(Self::BATCH) {
                stage.advance(batch.len() as u64)?;
                let pairs = self.look_up(batch)?;
                self.held.extend(pairs);
            }
            return Ok(());
        };
        // All candidates are known: only a number that was asked for, or too many in all, leaves some out.
        let k = if self.fixed || !self.one_to_one { self.k } else { usize::MAX };
        let is_room = joined.len() <= MOST.saturating_sub(self.held.len());
        let room = if is_room { usize::MAX } else { self.room(rows.len()) };
        for row in 0..rows.len() {
            let left = (self.rows + row) as u32;
            // One more than there is room for shows that something is left out.
            let mut pairs = joined.of(row, k.min(room.saturating_add(1)));
            if k < usize::MAX {
                pairs.truncate(k);
            }
            self.hold(Listed::new(&pairs, k, room, left));
        }
        self.rows += rows.len();
        Ok(())
    }

    fn hold(&mut self, listed: Listed) {
        self.held.extend(listed.pairs);
        self.left_out.extend(listed.next);
    }

    /// Each row's share of the candidates that are left, one to one.
    fn room(&self, rows: usize) -> usize {
        (MOST.saturating_sub(self.held.len()) / rows.max(1)).max(self.options.k)
    }

    fn look_up<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync>(
        &mut self,
        rows: &[Q],
    ) -> Result<Vec<Pair>, TaskError> {
        let first = self.rows;
        u32::try_from(first + rows.len()).map_err(|_| IndexError::TooManyRows)?;
        if first == 0 {
            announce(self.target, rows, None, &self.context.control)?;
        }
        if self.one_to_one {
            self.look_up_candidates(rows)?;
            return Ok(Vec::new());
        }
        let found = self.target.search_batch(rows, self.options, |number, hits| {
            let pair = |hit: Hit| Pair::new((first + number) as u32, hit.row as u32, hit.score);
            hits.map(pair).collect::<Vec<_>>()
        })?;
        self.rows += rows.len();
        if self.holds_pairs() {
            self.held.extend(found.into_iter().flatten());
            return Ok(Vec::new());
        }
        Ok(found.concat())
    }

    /// Finds the candidates of the next rows. Where there is a threshold, rows whose lists have not come to an end are looked up
    /// again for more, as long as candidates are not too many.
    fn look_up_candidates<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync>(
        &mut self,
        rows: &[Q],
    ) -> Result<(), TaskError> {
        let first = self.rows;
        let mut options = self.options;
        let mut listed: Vec<Listed> = Vec::new();
        let mut open: Vec<usize> = (0..rows.len()).collect();
        let room = self.room(rows.len());
        loop {
            let texts: Vec<&[T]> = open.iter().map(|&row| rows[row].as_ref()).collect();
            let found = self.target.search_batch(&texts, options, |number, hits| {
                let left = (first + open[number]) as u32;
                let pair = |hit: Hit| Pair::new(left, hit.row as u32, hit.score);
                Listed::new(&hits.map(pair).collect::<Vec<_>>(), options.k, room, left)
            })?;
            if listed.is_empty() {
                listed = found;
            } else {
                for (&row, found) in open.iter().zip(found) {
                    listed[row] = found;
                }
            }
            open.retain(|&row| listed[row].next.is_some());
            let more = options.k.saturating_mul(MORE).min(room);
            if open.is_empty() || self.fixed || options.min <= 0.0 || more <= options.k {
                break;
            }
            options.k = more;
        }
        self.rows += rows.len();
        listed.into_iter().for_each(|listed| self.hold(listed));
        Ok(())
    }

    /// Which pairs the assignment was chosen from, and by how much its total can be off for those that were not.
    fn of_candidates(&self, exact: bool) -> String {
        let (k, min) = (self.options.k, self.threshold.min);
        let all = if min > 0.0 {
            format!("all pairs that score at least {min}")
        } else {
            "all pairs that score more than 0".to_owned()
        };
        if self.left_out.is_empty() {
            return format!("candidates: {all}");
        }
        let how = if self.fixed {
            format!("the {k} best of each row (option `k`)")
        } else if self.options.min > 0.0 {
            format!("{all}, but for what went beyond {MOST} pairs")
        } else {
            format!(
                "the {k} best of each row and those that score the same; option `min` takes all pairs above it"
            )
        };
        format!(
            "candidates: {how}. Others were left out for {} of {} rows: with {all} the total score can be higher, by {:.4} at the most{}",
            self.left_out.len(),
            self.rows,
            self.left_out.iter().sum::<f64>(),
            if exact { "" } else { ", beside what the greedy components miss" }
        )
    }

    /// The pairs that were held until all were known, in the order of the left rows, and what there is to report.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn finish(mut self) -> Result<(Vec<Pair>, Report), TaskError> {
        self.join_waiting()?;
        let name = |column| self.target.scorer(column).name().to_owned();
        let measure = (0..self.target.on().texts()).map(name).collect();
        let mut report = Report { measure, notes: self.target.notes(), ..Report::default() };
        if self.proposes {
            let proposal = scale::propose_for(self.target, &self.best_scores());
            // Where the scores say nothing and no threshold is usual, a cut would be a guess; each row's best is an answer.
            if proposal.two_groups || scale::usual(self.target).is_some() {
                let reading = format!("proposed. {}", proposal.reading);
                self.held.retain(|pair| pair.score >= proposal.min);
                self.left_out.retain(|&score| score >= proposal.min);
                self.threshold = Threshold::new(proposal.min, Chosen::Proposed, reading);
            } else {
                report.notes.push(NO_GROUPS.to_owned());
            }
        }
        report.threshold = Some(self.threshold.clone());
        if !self.one_to_one {
            let rows = self.held.chunk_by(|x, y| x.left == y.left);
            let best = rows.flat_map(|row| row.iter().take(self.k)).copied();
            return Ok((best.collect(), report));
        }
        let found = one_to_one(&self.held, assign::SMALL);
        let mut said = format!(
            "one to one: {} pairs; connected components solved exactly: {}, greedily: {}",
            found.pairs.len(),
            found.optimal_components,
            found.greedy_components
        );
        if found.greedy_components > 0 {
            said += &format!(
                " (the largest has {} rows; a higher option `min` or a lower option `k` makes them smaller)",
                found.largest_greedy
            );
        }
        report.notes.push(said);
        report.notes.push(self.of_candidates(found.greedy_components == 0));
        Ok((found.pairs, report))
    }

    /// Each row's best score: of all left rows, and of those right rows that are among a left row's nearest. Where the groups
    /// of rows with and without a partner lie shows in both tables together; right rows that are near to none say nothing.
    fn best_scores(&self) -> Vec<f64> {
        let mut left = vec![0.0f64; self.rows];
        let mut right = vec![None::<f64>; self.target.len()];
        for pair in &self.held {
            let best = &mut left[pair.left as usize];
            *best = best.max(pair.score);
            let best = &mut right[pair.right as usize];
            *best = Some(best.map_or(pair.score, |best| best.max(pair.score)));
        }
        left.extend(right.into_iter().flatten());
        left
    }
}

#[cfg(test)]
mod tests;
