//! Match: for each row of a table its best rows in another.

use super::adapt::Adapting;
use super::ids::check_ids;
use super::on::{On, Said};
use super::options::builders;
use super::report::{Chosen, Report, Threshold};
use super::target::{check_no_limit, find};
use super::weights::{WeightsFrom, match_by_weights, refuse_ready};
use super::{Compare, Context, Target, TaskError, scale};
use crate::columns::Columns;
use crate::index::{IndexError, SearchOptions};
use crate::link::{Pair, assign, one_to_one};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Options for matching two tables.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Match {
    /// What is compared, and by what.
    #[serde(flatten)]
    pub compare: Compare,
    /// The columns of the first table, if they are called differently there.
    pub left_on: Option<String>,
    /// The columns of the second table.
    pub right_on: Option<String>,
    /// The column that names a row of the first table, if not `id`.
    pub left_id: Option<String>,
    /// The column that names a row of the second table, if not `id`.
    pub right_id: Option<String>,
    /// How many rows for each (1 without it); with `one_to_one`, among how many to choose (without it every row that scores
    /// `min`, or the 10 best and those tied with the tenth if there is no `min`).
    pub k: Option<usize>,
    /// Leave out pairs that score less; 0 leaves out none. Without it a threshold is proposed from the scores, unless `k` rows
    /// are wanted for each, which are an answer by themselves.
    pub min: Option<f64>,
    /// Use each row of either table at most once, with the largest total score among the candidates.
    pub one_to_one: bool,
    /// Learn what each column of `on` counts, from the rows and without labels: the score of a pair is its probability, and without
    /// `min` those that are more likely a match than not are taken.
    pub weights: Option<WeightsFrom>,
    /// Keep the rows of the second table in an index on disk while the work lasts, and take about so many bytes of memory to
    /// build it.
    pub max_memory: Option<u64>,
}

builders!(Match {
    /// The columns of the first table.
    left_on: &str => |columns: &str| Some(columns.to_owned()),
    /// The columns of the second table.
    right_on: &str => |columns: &str| Some(columns.to_owned()),
    /// The column that names a row of the first table.
    left_id: &str => |column: &str| Some(column.to_owned()),
    /// The column that names a row of the second table.
    right_id: &str => |column: &str| Some(column.to_owned()),
    /// So many rows for each.
    k: usize => Some,
    /// Leaves out pairs that score less.
    min: f64 => Some,
    /// Uses each row at most once.
    one_to_one: bool => std::convert::identity,
    /// What each column counts comes from here.
    weights: WeightsFrom => Some,
    /// Keeps the rows of the second table on disk, and takes about so many bytes of memory to get them there.
    max_memory: u64 => Some,
});

/// Among how many rows each looks for its partner at first, one to one, and how many times as many it asks for where its list
/// has not come to an end; also how many show which scores a table's rows reach.
const CANDIDATES: usize = 10;
const MORE: usize = 8;
/// About so many candidates are kept in all, one to one; after that, [`CANDIDATES`] for each row.
const MOST: usize = if cfg!(test) { 2_000 } else { 4_000_000 };
/// Said where no threshold is proposed.
const NO_GROUPS: &str = "the scores do not show which rows have a partner, and no threshold is usual for this measure, so each row \
                         has its best, however little alike; option `min` sets a threshold";
/// So many rows are looked up at a time.
const BATCH: usize = 1024;

impl Match {
    /// Whether measures and the lowest score fit these columns: known before any row is.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self, on: &On) -> Result<(), TaskError> {
        scale::check_min_on(self.min.unwrap_or(0.0), on, &self.compare)
    }

    /// Whether a threshold is proposed.
    fn proposes(&self) -> bool {
        self.min.is_none() && (self.k.is_none() || self.one_to_one)
    }

    /// Whether the options that name columns go together.
    pub(super) fn check_columns(&self) -> Result<(), TaskError> {
        match (&self.compare.on, &self.left_on, &self.right_on) {
            (_, None, None) | (None, Some(_), Some(_)) => Ok(()),
            _ => Err(TaskError::options(
                "name the columns of both tables: option `on`, or option `left_on` and option `right_on`",
            )),
        }
    }

    /// The option that names the columns of the first table, and what it says.
    pub fn left_columns(&self) -> (&'static str, Option<&str>) {
        match &self.left_on {
            Some(on) => ("left_on", Some(on)),
            None => ("on", self.compare.on.as_deref()),
        }
    }

    /// The option that names the columns of the second table, and what it says.
    pub fn right_columns(&self) -> (&'static str, Option<&str>) {
        match &self.right_on {
            Some(on) => ("right_on", Some(on)),
            None => ("on", self.compare.on.as_deref()),
        }
    }

    /// The column that names a row of the first table.
    pub fn id_of_left(&self) -> Option<&str> {
        self.left_id.as_deref().or(self.compare.id.as_deref())
    }

    /// The column that names a row of the second table.
    pub fn id_of_right(&self) -> Option<&str> {
        self.right_id.as_deref().or(self.compare.id.as_deref())
    }

    /// The columns of the second table, which stand for those of the first.
    ///
    /// # Errors
    /// If there are no such columns, or they do not agree with those of the first.
    pub fn on_right(&self, table: &str, columns: &[String], left: &On) -> Result<On, TaskError> {
        let (option, text) = self.right_columns();
        On::of(Said { option, text, table }, columns)?.agree_with(left)
    }

    /// An index on disk as the second table. Its columns and measures are its own; `on` and `left_on` name columns of the
    /// first table.
    ///
    /// # Errors
    /// If the options say what the index decided when it was built, or it cannot be opened.
    pub fn open_right(&self, path: &Path, context: &Context) -> Result<Target<'static>, TaskError> {
        self.check_right_index(&path.display().to_string())?;
        Target::open(path, &Compare::default(), context)
    }

    /// Refuses what an index as the second table decided when it was built; `index` is what the message calls it.
    ///
    /// # Errors
    /// If the options say such a thing.
    pub fn check_right_index(&self, index: &str) -> Result<(), TaskError> {
        check_no_limit(index, self.max_memory)?;
        refuse_ready(self.weights)?;
        let mut compare = self.right_compare();
        compare.on.clone_from(&self.right_on);
        compare.id.clone_from(&self.right_id);
        compare.check_ready(index)
    }

    /// Which columns of the first table are compared with the second, which is ready to be searched.
    ///
    /// # Errors
    /// If there are no such columns, or their weights are not those of the second table.
    pub fn on_left(&self, table: &str, columns: &[String], right: &On) -> Result<On, TaskError> {
        let (option, text) = self.left_columns();
        match text {
            Some(_) => On::of(Said { option, text, table }, columns)?.agree_with(right),
            None if columns.len() == 1 && right.names.len() == 1 => {
                Ok(On { names: columns.to_vec(), weights: right.weights.clone() })
            }
            None => Ok(right.clone()),
        }
    }

    /// The options under which the second table is made a [`Target`].
    pub fn right_compare(&self) -> Compare {
        let mut compare = self.compare.clone();
        compare.on = self.right_columns().1.map(str::to_owned);
        compare.id = self.id_of_right().map(str::to_owned);
        compare
    }
}

/// Matched rows. See [`match_tables`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Matched {
    /// The pairs, in the order of the left rows, best first.
    pub pairs: Vec<Pair>,
    /// The measures, and what else is good to know.
    pub report: Report,
}

/// For each row of the left columns its best rows of the right ones.
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::task::{Context, Match, match_tables};
///
/// let (ours, theirs) = (["Acme Inc", "Apex Ltd"], ["Apex Limited", "ACME Inc."]);
/// let (ours, theirs) = (Columns::of(&ours), Columns::of(&theirs));
/// let found = match_tables(&ours, &theirs, &Match::new().min(0.3), &Context::default())?;
/// let rows: Vec<(u32, u32)> = found.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
/// assert_eq!(rows, [(0, 1), (1, 0)]);
///
/// // Without a lowest score one is proposed, and the report says why.
/// let found = match_tables(&ours, &theirs, &Match::new(), &Context::default())?;
/// assert!(found.report.threshold.unwrap().reading.contains("too few"));
/// # Ok::<(), likewise::task::TaskError>(())
/// ```
///
/// # Errors
/// If the options do not fit the columns, or the work is cancelled.
pub fn match_tables(
    left: &Columns,
    right: &Columns,
    options: &Match,
    context: &Context,
) -> Result<Matched, TaskError> {
    if options.weights.is_some() {
        return Ok(match_by_weights(left, right, options, context)?.0);
    }
    let (on, target) = match_target(left, right, options, context)?;
    match_rows(left, &on, &target, options, context)
}

/// Which columns of the left table are compared, and the right table ready to be searched: the first half of [`match_tables`].
///
/// # Errors
/// If the options do not fit the columns, or the work is cancelled.
pub fn match_target(
    left: &Columns,
    right: &Columns,
    options: &Match,
    context: &Context,
) -> Result<(On, Target<'static>), TaskError> {
    options.check_columns()?;
    refuse_ready(options.weights)?;
    let (option, text) = options.left_columns();
    let on = On::of(Said { option, text, table: "the left table" }, left.names())?;
    let right_on = options.on_right("the right table", right.names(), &on)?;
    let mut compare = options.right_compare();
    let adapting = Adapting::new(&right_on, &compare)?;
    let notes = adapting.map_or(Ok(Vec::new()), |mut adapting| {
        for (columns, on) in [(left, &on), (right, &right_on)] {
            each_batch(columns, on, |texts| {
                adapting.add(texts);
                Ok(())
            })?;
        }
        adapting.finish(&mut compare)
    })?;
    let target = Target::of_columns_on(right, &right_on, &compare, options.max_memory, context)?;
    Ok((on, target.with_notes(notes)))
}

/// For each row of some columns, of which `on` are compared, its best rows of a target: the second half of [`match_tables`].
///
/// # Errors
/// As for [`match_tables`].
pub fn match_rows(
    left: &Columns,
    on: &On,
    target: &Target,
    options: &Match,
    context: &Context,
) -> Result<Matched, TaskError> {
    if let Some(id) = options.id_of_left() {
        check_ids(left, find(left, id)?)?;
    }
    let mut matcher = Matcher::new(target, options)?;
    let mut pairs = Vec::new();
    let stage = context.control.stage("rows matched", Some(left.rows() as u64));
    each_batch(left, on, |texts| {
        pairs.extend(matcher.push(texts)?);
        Ok(stage.advance(texts.len() as u64)?)
    })?;
    let (rest, report) = matcher.finish();
    pairs.extend(rest);
    Ok(Matched { pairs, report })
}

/// The texts of all rows, of which `on` are compared, a batch at a time.
pub(super) fn each_batch(
    columns: &Columns,
    on: &On,
    mut each: impl FnMut(&[Vec<String>]) -> Result<(), TaskError>,
) -> Result<(), TaskError> {
    let places = on.names.iter().map(|name| find(columns, name)).collect::<Result<Vec<_>, _>>()?;
    let texts = |row| on.texts_of(places.iter().map(|&c| columns.text(c, row)));
    for from in (0..columns.rows()).step_by(BATCH) {
        let to = (from + BATCH).min(columns.rows());
        each(&(from..to).map(texts).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Matches rows that come batch by batch.
///
/// A batch gives its pairs at once, unless all pairs are needed together, to use each row once or to propose a threshold:
/// then they come from [`finish`](Self::finish).
pub struct Matcher<'a> {
    target: &'a Target<'a>,
    options: SearchOptions,
    one_to_one: bool,
    /// Whether the number of candidates is as asked for, and not to be raised.
    fixed: bool,
    /// As given; replaced at the end where one is proposed.
    threshold: Threshold,
    proposes: bool,
    /// How many rows for each are wanted.
    k: usize,
    /// Rows that came.
    rows: usize,
    /// Pairs that are needed together, in the order of the left rows, best first.
    held: Vec<Pair>,
    /// For each row that has candidates which were left out, the most that one of them scores.
    left_out: Vec<f64>,
}

/// What is known of a row's candidates.
struct Listed {
    pairs: Vec<Pair>,
    /// The most that a candidate scores which is not listed, if there may be one.
    next: Option<f64>,
}

impl<'a> Matcher<'a> {
    /// So many rows a batch make good use of all threads.
    pub const BATCH: usize = BATCH;

    /// Looks rows up in a target.
    ///
    /// # Errors
    /// If scores cannot be as low or as high as `min`, or weights are to be learned, for which all rows are needed together.
    pub fn new(target: &'a Target<'a>, options: &Match) -> Result<Self, TaskError> {
        refuse_ready(options.weights)?;
        let (min, proposes) = (options.min.unwrap_or(0.0), options.proposes());
        scale::check_min_of(min, target)?;
        scale::check_k(options.k)?;
        let k = options.k.unwrap_or(if options.one_to_one { CANDIDATES } else { 1 });
        let fixed = options.k.is_some();
        let found = if proposes && !options.one_to_one { k.max(CANDIDATES) } else { k };
        Ok(Self {
            target,
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
            held: Vec::new(),
            left_out: Vec::new(),
        })
    }

    /// Whether all pairs come at the end.
    pub fn holds_pairs(&self) -> bool {
        self.one_to_one || self.proposes
    }

    /// Looks up the next rows; `left` of a pair counts all rows that came.
    ///
    /// # Errors
    /// If a row has not as many texts as the target has columns, or there are more rows than can be numbered.
    pub fn push<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync>(
        &mut self,
        rows: &[Q],
    ) -> Result<Vec<Pair>, TaskError> {
        let first = self.rows;
        u32::try_from(first + rows.len()).map_err(|_| IndexError::TooManyRows)?;
        if self.one_to_one {
            self.push_candidates(rows)?;
            return Ok(Vec::new());
        }
        let found = self.target.search_batch(rows, self.options, |number, hits| {
            let pair = |hit: crate::index::Hit| {
                Pair::new((first + number) as u32, hit.row as u32, hit.score)
            };
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
    fn push_candidates<Q: AsRef<[T]> + Sync, T: AsRef<str> + Sync>(
        &mut self,
        rows: &[Q],
    ) -> Result<(), TaskError> {
        let first = self.rows;
        let mut options = self.options;
        let mut listed: Vec<Listed> = Vec::new();
        let mut open: Vec<usize> = (0..rows.len()).collect();
        // Each row's share of the candidates that are left.
        let room = (MOST.saturating_sub(self.held.len()) / rows.len().max(1)).max(options.k);
        loop {
            let texts: Vec<&[T]> = open.iter().map(|&row| rows[row].as_ref()).collect();
            let found = self.target.search_batch(&texts, options, |number, hits| {
                let left = (first + open[number]) as u32;
                let pair = |hit: crate::index::Hit| Pair::new(left, hit.row as u32, hit.score);
                Listed::new(hits.map(pair).collect(), options.k, room, left)
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
        for Listed { pairs, next } in listed {
            self.held.extend(pairs);
            self.left_out.extend(next);
        }
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
    pub fn finish(mut self) -> (Vec<Pair>, Report) {
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
            return (best.collect(), report);
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
        (found.pairs, report)
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

impl Listed {
    /// The best k candidates of a left row, or all if they are fewer, of which there is room for some.
    fn new(mut pairs: Vec<Pair>, k: usize, room: usize, left: u32) -> Self {
        let mut next = if pairs.len() < k { None } else { pairs.last().map(|pair| pair.score) };
        if pairs.len() > room
            && let Some(last) = pairs.get(room).map(|pair| pair.score)
        {
            // Of those that score the same each row takes others, by its number: equal rows find partners then.
            let start = pairs.partition_point(|pair| pair.score > last);
            let tied = pairs[start..].partition_point(|pair| pair.score >= last);
            let turn = left as usize % tied.max(1);
            pairs[start..start + tied].rotate_left(turn);
            pairs.truncate(room);
            pairs.shrink_to_fit();
            next = Some(last);
        }
        Self { pairs, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(left: &[&str], right: &[&str], options: &Match) -> Matched {
        match_tables(&Columns::of(left), &Columns::of(right), options, &Context::default()).unwrap()
    }

    fn once(min: f64) -> Match {
        Match::new().one_to_one(true).min(min)
    }

    #[test]
    fn one_to_one_links_all_equal_rows_however_many() {
        for (many, min) in [(12, 0.0), (12, 0.5), (40, 0.0), (40, 0.5)] {
            let names = vec!["Acme Incorporated"; many];
            let found = matched(&names, &names, &once(min));
            assert_eq!(found.pairs.len(), many);
        }
        // More candidates than are kept.
        let names = vec!["Acme Incorporated"; 300];
        let found = matched(&names, &names, &once(0.5));
        assert_eq!(found.pairs.len(), 300);
        assert!(found.report.notes[1].contains("can be higher, by"), "{:?}", found.report.notes);
    }

    #[test]
    fn with_a_threshold_one_to_one_chooses_among_all_pairs_above_it() {
        // Thirty rows are most like the same thirty; the one that is left out scores lower with all of them.
        let right: Vec<String> = (0..30).map(|n| format!("acme incorporated {n}")).collect();
        let left: Vec<String> = (0..30).map(|n| format!("acme incorporated {}", n + 100)).collect();
        let of = |texts: &[String]| texts.iter().map(ToOwned::to_owned).collect::<Vec<_>>();
        let (left, right) = (of(&left), of(&right));
        let left: Vec<&str> = left.iter().map(String::as_str).collect();
        let right: Vec<&str> = right.iter().map(String::as_str).collect();
        let found = matched(&left, &right, &once(0.1));
        assert_eq!(found.pairs.len(), 30);
        assert_eq!(found.report.notes[1], "candidates: all pairs that score at least 0.1");
    }

    #[test]
    fn candidates_that_were_left_out_are_told_with_what_they_could_add() {
        let names = ["acme inc", "acme ltd", "acme inc", "acme corp"];
        let found = matched(&names, &names, &once(0.0).k(1));
        let note = &found.report.notes[1];
        assert!(note.starts_with("candidates: the 1 best of each row"), "{note}");
        assert!(note.contains("for 4 of 4 rows"), "{note}");
        let total = |found: &Matched| found.pairs.iter().map(|pair| pair.score).sum::<f64>();
        let all = matched(&names, &names, &once(0.0));
        assert_eq!(all.report.notes[1], "candidates: all pairs that score more than 0");
        let most: f64 =
            note.rsplit_once("by ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
        assert!(total(&all) > total(&found) && total(&all) <= total(&found) + most);
    }

    fn names(from: usize, to: usize) -> Vec<String> {
        (from..to).map(|i| format!("{} {}", i * 7919, i * 104_729)).collect()
    }

    fn matched_names(options: &Match) -> Matched {
        let (left, right) = (names(0, 40), names(20, 60));
        match_tables(&Columns::of(&left), &Columns::of(&right), options, &Context::default())
            .unwrap()
    }

    #[test]
    fn without_a_lowest_score_one_is_proposed_with_its_reason() {
        let found = matched_names(&Match::new());
        let threshold = found.report.threshold.unwrap();
        assert_eq!(threshold.chosen, Chosen::Proposed);
        assert!(threshold.reading.starts_with("proposed. "), "{}", threshold.reading);
        assert!(found.pairs.iter().all(|pair| pair.score >= threshold.min));
        let same = matched_names(&Match::new().min(threshold.min));
        assert_eq!(found.pairs, same.pairs);
        assert_eq!(same.report.threshold.unwrap().chosen, Chosen::Given);
    }

    #[test]
    fn a_lowest_score_of_0_leaves_out_nothing_and_the_nearest_need_none() {
        let all = matched_names(&Match::new().min(0.0));
        assert!(all.pairs.len() > matched_names(&Match::new()).pairs.len());
        let nearest = matched_names(&Match::new().k(1));
        assert_eq!(nearest.pairs, all.pairs);
        assert_eq!(nearest.report.threshold.unwrap().chosen, Chosen::Unneeded);
    }

    #[test]
    fn a_lowest_score_that_no_pair_can_reach_is_refused() {
        let texts = Columns::of(&["a"]);
        let with = |min| match_tables(&texts, &texts, &Match::new().min(min), &Context::default());
        assert!(with(80.0).unwrap_err().to_string().contains("did you mean 0.8?"));
        assert!(with(-0.5).unwrap_err().to_string().contains("between 0 and 1"));
    }
}
