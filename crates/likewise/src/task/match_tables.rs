//! Match: for each row of a table its best rows in another.

use super::on::{On, Said};
use super::options::builders;
use super::report::Report;
use super::target::find;
use super::{Compare, Context, Target, TaskError};
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
    /// How many rows for each (1 without it); with `one_to_one`, among how many to choose (10 without it).
    pub k: Option<usize>,
    /// Leave out pairs that score less.
    pub min: f64,
    /// Use each row of either table at most once, with the largest total score among the candidates.
    pub one_to_one: bool,
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
    min: f64 => std::convert::identity,
    /// Uses each row at most once.
    one_to_one: bool => std::convert::identity,
});

/// Among how many rows each looks for its partner, one to one.
const CANDIDATES: usize = 10;
/// So many rows are looked up at a time.
const BATCH: usize = 1024;

impl Match {
    /// Whether the options that name columns go together.
    fn check(&self) -> Result<(), TaskError> {
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
        let mut compare = self.right_compare();
        compare.on.clone_from(&self.right_on);
        compare.id.clone_from(&self.right_id);
        Target::open(path, &compare, context)
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
/// let found = match_tables(&ours, &theirs, &Match::new(), &Context::default())?;
/// let rows: Vec<(u32, u32)> = found.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
/// assert_eq!(rows, [(0, 1), (1, 0)]);
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
    options.check()?;
    let (option, text) = options.left_columns();
    let on = On::of(Said { option, text, table: "the left table" }, left.names())?;
    let right_on = options.on_right("the right table", right.names(), &on)?;
    let target = Target::of_columns_on(right, &right_on, &options.right_compare(), context)?;
    let places = on.names.iter().map(|name| find(left, name)).collect::<Result<Vec<_>, _>>()?;
    let mut matcher = Matcher::new(&target, options);
    let mut pairs = Vec::new();
    let stage = context.control.stage("rows matched", Some(left.rows() as u64));
    for from in (0..left.rows()).step_by(BATCH) {
        let to = (from + BATCH).min(left.rows());
        let texts: Vec<Vec<String>> =
            (from..to).map(|row| on.texts_of(places.iter().map(|&c| left.text(c, row)))).collect();
        pairs.extend(matcher.push(&texts)?);
        stage.advance(texts.len() as u64)?;
    }
    let (rest, report) = matcher.finish();
    pairs.extend(rest);
    Ok(Matched { pairs, report })
}

/// Matches rows that come batch by batch.
///
/// Without `one_to_one` each batch gives its pairs at once. One to one takes all pairs together: they come from
/// [`finish`](Self::finish).
pub struct Matcher<'a> {
    target: &'a Target<'a>,
    options: SearchOptions,
    one_to_one: bool,
    /// Rows that came.
    rows: usize,
    /// Candidates for one to one.
    candidates: Vec<Pair>,
}

impl<'a> Matcher<'a> {
    /// So many rows a batch make good use of all threads.
    pub const BATCH: usize = BATCH;

    /// Looks rows up in a target.
    pub fn new(target: &'a Target<'a>, options: &Match) -> Self {
        let k = options.k.unwrap_or(if options.one_to_one { CANDIDATES } else { 1 });
        Self {
            target,
            options: SearchOptions::new().k(k).min(options.min),
            one_to_one: options.one_to_one,
            rows: 0,
            candidates: Vec::new(),
        }
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
        let found = self.target.search_batch(rows, self.options, |number, hits| {
            let pair = |hit: crate::index::Hit| {
                Pair::new((first + number) as u32, hit.row as u32, hit.score)
            };
            hits.map(pair).collect::<Vec<_>>()
        })?;
        self.rows += rows.len();
        if self.one_to_one {
            self.candidates.extend(found.into_iter().flatten());
            return Ok(Vec::new());
        }
        Ok(found.concat())
    }

    /// The pairs that were chosen one to one, in the order of the left rows, and what there is to report.
    pub fn finish(self) -> (Vec<Pair>, Report) {
        let name = |column| self.target.scorer(column).name().to_owned();
        let measure = (0..self.target.on().texts()).map(name).collect();
        let mut report = Report { measure, ..Report::default() };
        if !self.one_to_one {
            return (Vec::new(), report);
        }
        let found = one_to_one(&self.candidates, assign::SMALL);
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
        (found.pairs, report)
    }
}
