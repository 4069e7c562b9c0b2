//! Records and labelled pairs, from columns.

use crate::columns::{Columns, column_names};
use crate::rank::ColumnPair;
use crate::task::TaskError;
use crate::task::target::find;
use rustc_hash::FxHashMap;

/// The rows of a table as records: what each goes by, and the texts of the columns that are compared.
#[derive(Debug, Clone, Default)]
pub(super) struct Records {
    pub ids: Vec<String>,
    pub texts: Vec<Vec<String>>,
}

impl Records {
    /// The rows of some columns.
    pub fn new(columns: &Columns, id: Option<&str>, compared: &[&str]) -> Result<Self, TaskError> {
        let id = id.map(|id| find(columns, id)).transpose()?;
        let places = compared.iter().map(|c| find(columns, c)).collect::<Result<Vec<_>, _>>()?;
        let name = |row: usize| {
            id.map_or_else(|| (row + 1).to_string(), |c| columns.text(c, row).to_owned())
        };
        let texts = |row: usize| places.iter().map(|&c| columns.text(c, row).to_owned()).collect();
        let rows = 0..columns.rows();
        Ok(Self { ids: rows.clone().map(name).collect(), texts: rows.map(texts).collect() })
    }

    /// The row of each id.
    fn by_id(&self, table: &str) -> Result<FxHashMap<&str, usize>, TaskError> {
        let mut by_id = FxHashMap::default();
        for (row, id) in self.ids.iter().enumerate() {
            if by_id.insert(id.as_str(), row).is_some() {
                return Err(TaskError::Input(format!(
                    "two rows of the {table} table have the id `{id}`; ids must name one row each"
                )));
            }
        }
        Ok(by_id)
    }
}

/// A labelled pair of records.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LabelledPair {
    pub left: usize,
    pub right: usize,
    /// A label, 0 or 1, or a rating.
    pub target: f64,
}

/// How labelled pairs are written down.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Labels {
    /// The column with ids of the left table.
    pub left: String,
    /// The column with ids of the right table.
    pub right: String,
    /// The column with labels, grades or ratings.
    pub label: String,
    /// A grade of at least this is a match.
    pub positive: f64,
    /// Whether labels are ratings, to be learned as they are.
    pub ratings: bool,
}

impl Default for Labels {
    fn default() -> Self {
        let [left, right, label] = ["ltable_id", "rtable_id", "label"].map(str::to_owned);
        Self { left, right, label, positive: 1.0, ratings: false }
    }
}

impl Labels {
    /// The target of each row of a table of pairs.
    pub(super) fn targets(&self, pairs: &Columns, table: &str) -> Result<Vec<f64>, TaskError> {
        let column = find(pairs, &self.label)?;
        let target = |row: usize| {
            let text = pairs.text(column, row).trim();
            let grade: f64 = text.parse().ok().filter(|g: &f64| g.is_finite()).ok_or_else(|| {
                TaskError::Input(format!(
                    "{table}, row {}: `{text}` in column `{}` is no number; a label is 0 or 1, a grade or a rating is a number",
                    row + 1,
                    self.label
                ))
            })?;
            Ok(if self.ratings { grade } else { f64::from(grade >= self.positive) })
        };
        (0..pairs.rows()).map(target).collect()
    }

    /// The pairs that a table lists, by ids. Without a column of labels, where none is asked for by name, all of them are matches.
    pub(super) fn of_ids(
        &self,
        pairs: &Columns,
        table: &str,
        left: &Records,
        right: &Records,
        only_matches: bool,
    ) -> Result<Vec<LabelledPair>, TaskError> {
        let (l, r) = (find(pairs, &self.left)?, find(pairs, &self.right)?);
        let targets = if only_matches
            && self.label == Self::default().label
            && !pairs.names().contains(&self.label)
        {
            vec![1.0; pairs.rows()]
        } else {
            self.targets(pairs, table)?
        };
        let (left, right) = (left.by_id("left")?, right.by_id("right")?);
        let pair = |row: usize| {
            let place = |rows: &FxHashMap<&str, usize>, column: usize, side: &str| {
                let id = pairs.text(column, row);
                rows.get(id).copied().ok_or_else(|| {
                    TaskError::Input(format!(
                        "{table}, row {}: `{id}` in column `{}` is the id of no row of the {side} table",
                        row + 1,
                        pairs.names()[column]
                    ))
                })
            };
            let (left, right) = (place(&left, l, "left")?, place(&right, r, "right")?);
            Ok(LabelledPair { left, right, target: targets[row] })
        };
        (0..pairs.rows()).map(pair).collect()
    }
}

/// Each pair once; a pair that has two labels is an error. Says how many stood there again.
pub(super) fn distinct(
    pairs: Vec<LabelledPair>,
    table: &str,
    name: impl Fn(&LabelledPair) -> String,
) -> Result<(Vec<LabelledPair>, usize), TaskError> {
    let mut seen: FxHashMap<(usize, usize), f64> = FxHashMap::default();
    let (mut kept, mut against) = (Vec::with_capacity(pairs.len()), Vec::new());
    let all = pairs.len();
    for pair in pairs {
        match seen.insert((pair.left, pair.right), pair.target) {
            None => kept.push(pair),
            Some(before) if before == pair.target => {}
            Some(_) => against.push(pair),
        }
    }
    if let Some(first) = against.first() {
        return Err(TaskError::Input(format!(
            "{table}: labels contradict each other: {} of {all} pairs stand there with different labels, such as {}; decide which is right \
             and leave out the other",
            against.len(),
            name(first)
        )));
    }
    let again = all - kept.len();
    Ok((kept, again))
}

/// The columns that are compared: those of `left_on` and `right_on`, those of `on`, or all that both tables have but for the ids.
pub(super) fn compared(
    left: &Columns,
    right: &Columns,
    on: Option<&str>,
    sides: (Option<&str>, Option<&str>),
    ids: [Option<&str>; 2],
) -> Result<Vec<ColumnPair>, TaskError> {
    let pairs: Vec<ColumnPair> = match (on, sides) {
        (None, (Some(l), Some(r))) => {
            let (l, r) = (column_names(l), column_names(r));
            if l.len() != r.len() {
                return Err(TaskError::options(format!(
                    "option `left_on` names {} columns and option `right_on` {}: they are compared one by one",
                    l.len(),
                    r.len()
                )));
            }
            l.into_iter().zip(r).map(|(l, r)| ColumnPair::new(l, r)).collect()
        }
        (Some(on), (None, None)) => {
            column_names(on).iter().map(|name| ColumnPair::new(name, name)).collect()
        }
        (None, (None, None)) => {
            let shared = left
                .names()
                .iter()
                .filter(|name| right.names().contains(name) && !ids.contains(&Some(name.as_str())));
            shared.map(|name| ColumnPair::new(name, name)).collect()
        }
        _ => {
            return Err(TaskError::options(
                "name the columns of both tables: option `on`, or option `left_on` and option `right_on`",
            ));
        }
    };
    for pair in &pairs {
        find(left, &pair.left)?;
        find(right, &pair.right)?;
    }
    if pairs.is_empty() {
        return Err(TaskError::options(
            "the two tables have no column in common but for ids; name them: option `left_on` and option `right_on`",
        ));
    }
    Ok(pairs)
}

/// The column of ids: the one that an option names, or the one called `id`.
pub(super) fn id_column<'a>(columns: &Columns, said: Option<&'a str>) -> Option<&'a str> {
    said.or_else(|| columns.names().iter().any(|name| name == "id").then_some("id"))
}
