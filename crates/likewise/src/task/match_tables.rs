//! Match: for each row of a table its best rows in another.

use super::adapt::Adapting;
use super::auto::settle_both;
use super::candidates::check_no_candidates;
use super::ids::check_ids;
use super::on::{On, Said};
use super::options::builders;
use super::report::Report;
use super::target::{check_no_limit, find};
use super::weights::{WeightsFrom, match_by_weights, refuse_ready};
use super::{Compare, Context, Matcher, Target, TaskError, scale};
use crate::columns::Columns;
use crate::link::Pair;
use crate::measure::Measure;
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
    /// Compare each row only with its 100 best by this measure, over the texts of all columns: approximate, for measures without
    /// bounds and large tables.
    pub candidates_by: Option<Measure>,
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
    /// Compares each row only with its best by this measure.
    candidates_by: Measure => Some,
    /// Keeps the rows of the second table on disk, and takes about so many bytes of memory to get them there.
    max_memory: u64 => Some,
});

impl Match {
    /// Whether measures and the lowest score fit these columns: known before any row is.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self, on: &On) -> Result<(), TaskError> {
        scale::check_min_on(self.min.unwrap_or(0.0), on, &self.compare)
    }

    /// Whether a threshold is proposed.
    pub(super) fn proposes(&self) -> bool {
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
        check_no_candidates(index, self.candidates_by.as_ref())?;
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
    let mut options = options.clone();
    let mut notes = settle_both(&mut options, left, right)?;
    let (option, text) = options.left_columns();
    let on = On::of(Said { option, text, table: "the left table" }, left.names())?;
    let right_on = options.on_right("the right table", right.names(), &on)?;
    let mut compare = options.right_compare();
    let adapting = Adapting::new(&right_on, &compare)?;
    notes.extend(adapting.map_or(Ok(Vec::new()), |mut adapting| {
        for (columns, on) in [(left, &on), (right, &right_on)] {
            each_batch(columns, on, |texts| {
                adapting.add(texts);
                Ok(())
            })?;
        }
        adapting.finish(&mut compare)
    })?);
    let target = Target::of_columns_on(right, &right_on, &compare, options.max_memory, context)?;
    let target =
        target.with_notes(notes).with_candidates(options.candidates_by.as_ref(), context)?;
    Ok((on, target))
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
    let mut matcher = Matcher::new(target, options, context)?;
    let mut pairs = Vec::new();
    let stage = context.control.stage("rows matched", Some(left.rows() as u64));
    each_batch(left, on, |texts| {
        pairs.extend(matcher.push(texts)?);
        Ok(stage.advance(texts.len() as u64)?)
    })?;
    let (rest, report) = matcher.finish()?;
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
    for from in (0..columns.rows()).step_by(Matcher::BATCH) {
        let to = (from + Matcher::BATCH).min(columns.rows());
        each(&(from..to).map(texts).collect::<Vec<_>>())?;
    }
    Ok(())
}
