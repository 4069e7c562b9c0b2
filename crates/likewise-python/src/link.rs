//! Match and dedupe.

use crate::errors::of_task;
use crate::found::{Found, Results};
use crate::frame::{Data, Frame, pick};
use crate::keep::{add, ids, kept, kept_of_both, named, numbers};
use crate::learn::Model;
use crate::rows::{INDEX, Inner, Source, Where, no_columns};
use crate::run::{How, run};
use crate::why::{Left, Why};
use arrow_array::{ArrayRef, Float64Array, Int64Array};
use likewise::link::Pair;
use likewise::task::{
    ByModel, Context, Dedupe, Deduped, Match, Report, TaskError, dedupe_by_model,
    dedupe_by_weights, dedupe_target, duplicate_pairs_of_target, from_json, match_by_model,
    match_by_weights, match_rows, match_target,
};
use pyo3::prelude::*;
use serde_json::Value;
use std::sync::Arc;

type NamedColumn = (String, ArrayRef);

fn json_of(report: &Report) -> Option<Value> {
    serde_json::to_value(report).ok()
}

/// Scores of pairs, and the place of each among those of its left row.
fn scores_and_ranks(pairs: &[Pair]) -> [NamedColumn; 2] {
    let scores = Float64Array::from_iter_values(pairs.iter().map(|pair| pair.score));
    let (mut before, mut rank) = (None, 0);
    let ranks = pairs.iter().map(|pair| {
        rank = if before == Some(pair.left) { rank + 1 } else { 1 };
        before = Some(pair.left);
        rank
    });
    let ranks: Vec<i64> = ranks.collect();
    [("score".to_owned(), Arc::new(scores)), ("rank".to_owned(), Arc::new(Int64Array::from(ranks)))]
}

fn link(
    left: &Arc<Data>,
    right: Source,
    options: &Match,
    keep: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let right = match right {
        Source::Table(data) if options.weights.is_some() => {
            return link_by_weights(left, &data, options, keep, context);
        }
        right => right,
    };
    let columns = left.columns()?;
    let (on, right) = match right {
        Source::Table(data) => {
            let (on, target) = match_target(&columns, &data.columns()?, options, context)?;
            let id = options.id_of_right().map(str::to_owned);
            (on, Arc::new(Inner { target: Arc::new(target), data: Some(data), id }))
        }
        Source::Index(rows) => {
            options.check_right_index(INDEX)?;
            (options.on_left("the left table", columns.names(), rows.target.on())?, rows)
        }
    };
    let found = match_rows(&columns, &on, &right.target, options, context)?;
    let pairs = &found.pairs;
    let (l, r) = (numbers(pairs.iter().map(|p| p.left)), numbers(pairs.iter().map(|p| p.right)));
    let mut table = vec![
        ("left_id".to_owned(), ids(left, options.id_of_left(), &l)?),
        ("right_id".to_owned(), right.ids(&r)?),
    ];
    table.extend(scores_and_ranks(pairs));
    let of_right = right.data.as_deref();
    let [of_left, kept_right] =
        kept_of_both(left, of_right, keep, [options.id_of_left(), right.id.as_deref()])?;
    add(&mut table, left, &of_left, "left_", &l)?;
    if let Some(data) = of_right {
        add(&mut table, data, &kept_right, "right_", &r)?;
    }
    let rows = pairs.iter().map(|p| (p.left, p.right)).collect();
    let left = Left::Rows(Arc::clone(left), on);
    Ok(Results {
        data: Data::of(table)?,
        stats: None,
        report: json_of(&found.report),
        why: Why::Target { target: Arc::clone(&right.target), left, rows },
    })
}

fn link_by_model(
    left: &Arc<Data>,
    right: &Arc<Data>,
    model: &Arc<likewise::rank::Model>,
    options: &ByModel,
    keep: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let (l_columns, r_columns) = (left.columns()?, right.columns()?);
    let found = match_by_model(&l_columns, &r_columns, model, options, context)?;
    let places = options.id_columns(&l_columns, &r_columns)?;
    let l_id = places[0].map(|at| l_columns.names()[at].as_str());
    let r_id = places[1].map(|at| r_columns.names()[at].as_str());
    let data = linked(left, right, [l_id, r_id], &found.pairs, keep)?;
    let rows = found.pairs.iter().map(|p| (p.left, p.right)).collect();
    let (left, right) = (Arc::clone(left), Some(Arc::clone(right)));
    let why = Why::Decided { model: Arc::clone(model), left, right, rows };
    Ok(Results { data, stats: None, report: json_of(&found.report), why })
}

fn link_by_weights(
    left: &Data,
    right: &Data,
    options: &Match,
    keep: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let (found, learned) = match_by_weights(&left.columns()?, &right.columns()?, options, context)?;
    let of = [options.id_of_left(), options.id_of_right()];
    let data = linked(left, right, of, &found.pairs, keep)?;
    let rows = found.pairs.iter().map(|p| (p.left, p.right)).collect();
    let why = Why::Weighed { learned: Box::new(learned), rows };
    Ok(Results { data, stats: None, report: json_of(&found.report), why })
}

/// A table of pairs of rows of two tables, whose ids are in these columns.
fn linked(
    left: &Data,
    right: &Data,
    [l_id, r_id]: [Option<&str>; 2],
    pairs: &[Pair],
    keep: &[String],
) -> Result<Data, TaskError> {
    let (l, r) = (numbers(pairs.iter().map(|p| p.left)), numbers(pairs.iter().map(|p| p.right)));
    let mut table = vec![
        ("left_id".to_owned(), ids(left, l_id, &l)?),
        ("right_id".to_owned(), ids(right, r_id, &r)?),
    ];
    table.extend(scores_and_ranks(pairs));
    let [of_left, of_right] = kept_of_both(left, Some(right), keep, [l_id, r_id])?;
    add(&mut table, left, &of_left, "left_", &l)?;
    add(&mut table, right, &of_right, "right_", &r)?;
    Data::of(table)
}

/// For each row of a table its best rows of another table or of an index.
#[pyfunction]
pub fn match_tables(
    py: Python<'_>,
    left: &Frame,
    right: Where<'_>,
    options: String,
    keep: Vec<String>,
    model: Option<&Model>,
    how: How,
) -> PyResult<Found> {
    let (left, right) = (Arc::clone(&left.0), Source::from(right));
    let raise = |error: TaskError| of_task(py, &error);
    if let Some(model) = model {
        let (model, options) = (model.inner(), from_json::<ByModel>(&options).map_err(raise)?);
        let linked = run(py, &how, move |context| match &right {
            Source::Table(right) => link_by_model(&left, right, &model, &options, &keep, context),
            Source::Index(_) => Err(tables_only()),
        });
        return Ok(linked?.into());
    }
    let options: Match = from_json(&options).map_err(raise)?;
    Ok(run(py, &how, move |context| link(&left, right, &options, &keep, context))?.into())
}

fn tables_only() -> TaskError {
    TaskError::Options("a model compares columns of tables: give a table, not an index".to_owned())
}

/// What of duplicates is wanted.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Clusters,
    Pairs,
    Unique,
}

/// Clusters or pairs that were found, and the rows they are of.
struct Duplicates<'a> {
    ids: &'a dyn Fn(&arrow_array::UInt32Array) -> Result<ArrayRef, TaskError>,
    data: Option<&'a Data>,
    id: Option<&'a str>,
    keep: &'a [String],
}

impl Duplicates<'_> {
    fn pairs(&self, pairs: &[Pair]) -> Result<Data, TaskError> {
        let l = numbers(pairs.iter().map(|p| p.left));
        let r = numbers(pairs.iter().map(|p| p.right));
        let scores = Float64Array::from_iter_values(pairs.iter().map(|pair| pair.score));
        let mut table: Vec<NamedColumn> = vec![
            ("left_id".to_owned(), (self.ids)(&l)?),
            ("right_id".to_owned(), (self.ids)(&r)?),
            ("score".to_owned(), Arc::new(scores)),
        ];
        if !self.keep.is_empty() {
            let data = self.data.ok_or_else(no_columns)?;
            let names = kept(data, self.keep, self.shown())?;
            add(&mut table, data, &names, "left_", &l)?;
            add(&mut table, data, &names, "right_", &r)?;
        }
        Data::of(table)
    }

    /// A table of clusters, and for each of its rows the row and its representative.
    fn clusters(&self, found: &Deduped) -> Result<(Data, Vec<(u32, u32)>), TaskError> {
        let members: Vec<_> = found.members().collect();
        let rows = numbers(members.iter().map(|m| m.row as u32));
        let leaders = numbers(members.iter().map(|m| m.representative as u32));
        let numbered = Int64Array::from_iter_values(members.iter().map(|m| m.cluster as i64 + 1));
        let mut table: Vec<NamedColumn> = vec![
            ("id".to_owned(), (self.ids)(&rows)?),
            ("cluster".to_owned(), Arc::new(numbered)),
            ("representative".to_owned(), (self.ids)(&leaders)?),
        ];
        if !self.keep.is_empty() {
            let data = self.data.ok_or_else(no_columns)?;
            add(&mut table, data, &kept(data, self.keep, self.shown())?, "", &rows)?;
        }
        let pairs = members.iter().map(|m| (m.row as u32, m.representative as u32)).collect();
        Ok((Data::of(table)?, pairs))
    }

    /// The table itself, of each cluster the row that stands for it.
    fn unique(&self, found: &Deduped) -> Result<(Data, Vec<(u32, u32)>), TaskError> {
        let data = self.data.ok_or_else(no_columns)?;
        let rows: Vec<u32> = found.members().map(|member| member.row as u32).collect();
        let taken = numbers(rows.iter().copied());
        let column = |name: &str| Ok((name.to_owned(), pick(&data.column(name)?, &taken)?));
        let table = data.names().map(column).collect::<Result<Vec<_>, TaskError>>()?;
        Ok((Data::of(table)?, rows.into_iter().map(|row| (row, row)).collect()))
    }

    /// What is wanted of them, as a table, and the rows that each of its rows is of.
    fn table(
        &self,
        form: Form,
        found: &Deduped,
        pairs: &[Pair],
    ) -> Result<(Data, Vec<(u32, u32)>), TaskError> {
        match form {
            Form::Pairs => {
                let rows = pairs.iter().map(|pair| (pair.left, pair.right)).collect();
                Ok((self.pairs(pairs)?, rows))
            }
            Form::Clusters => self.clusters(found),
            Form::Unique => self.unique(found),
        }
    }

    fn shown(&self) -> &[&str] {
        if self.id == Some("id") { &["id"] } else { &[] }
    }
}

fn find(
    source: Source,
    options: &Dedupe,
    form: Form,
    keep: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let (rows, labels) = match source {
        Source::Table(data) if options.weights.is_some() => {
            return find_by_weights(&data, options, form, keep, context);
        }
        Source::Table(data) => {
            let (target, labels) = options.target(&data.columns()?, context)?;
            let id = options.compare.id.clone();
            (Arc::new(Inner { target: Arc::new(target), data: Some(data), id }), labels)
        }
        Source::Index(rows) => {
            options.check_index(INDEX)?;
            (rows, Vec::new())
        }
    };
    let ids = |of: &arrow_array::UInt32Array| rows.ids(of);
    let (data, id) = (rows.data.as_deref(), rows.id.as_deref());
    let duplicates = Duplicates { ids: &ids, data, id, keep };
    let target = &rows.target;
    let (table, of, report) = if form == Form::Pairs {
        let found = duplicate_pairs_of_target(target, &labels, options, context)?;
        let of = found.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
        (duplicates.pairs(&found.pairs)?, of, found.report)
    } else {
        let found = dedupe_target(target, &labels, options, context)?;
        let (table, of) = match form {
            Form::Unique => duplicates.unique(&found)?,
            _ => duplicates.clusters(&found)?,
        };
        (table, of, found.report)
    };
    let why = Why::Target { target: Arc::clone(target), left: Left::Own, rows: of };
    Ok(Results { data: table, stats: None, report: json_of(&report), why })
}

fn find_by_model(
    data: &Arc<Data>,
    model: &Arc<likewise::rank::Model>,
    options: &Dedupe,
    by: &ByModel,
    form: Form,
    keep: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let columns = data.columns()?;
    let (found, pairs) = dedupe_by_model(&columns, model, options, by, context)?;
    let [id, _] = by.id_columns(&columns, &columns)?;
    let id = id.map(|at| columns.names()[at].as_str());
    let id = id.map(|id| named(data, id)).transpose()?;
    let of = |rows: &arrow_array::UInt32Array| ids(data, id.as_deref(), rows);
    let duplicates = Duplicates { ids: &of, data: Some(data), id: id.as_deref(), keep };
    let (table, rows) = duplicates.table(form, &found, &pairs)?;
    let why = Why::Decided { model: Arc::clone(model), left: Arc::clone(data), right: None, rows };
    Ok(Results { data: table, stats: None, report: json_of(&found.report), why })
}

fn find_by_weights(
    data: &Data,
    options: &Dedupe,
    form: Form,
    keep: &[String],
    context: &Context,
) -> Result<Results, TaskError> {
    let (found, pairs, learned) = dedupe_by_weights(&data.columns()?, options, context)?;
    let id = options.compare.id.as_deref();
    let of = |rows: &arrow_array::UInt32Array| ids(data, id, rows);
    let duplicates = Duplicates { ids: &of, data: Some(data), id, keep };
    let (table, rows) = duplicates.table(form, &found, &pairs)?;
    let why = Why::Weighed { learned: Box::new(learned), rows };
    Ok(Results { data: table, stats: None, report: json_of(&found.report), why })
}

/// The rows of a table or index in clusters of duplicates, or the pairs, or the table without its duplicates. With a model,
/// `by` has its options.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "called from one place, where they have names")]
pub fn dedupe(
    py: Python<'_>,
    rows: Where<'_>,
    options: String,
    by: String,
    form: &str,
    keep: Vec<String>,
    model: Option<&Model>,
    how: How,
) -> PyResult<Found> {
    let raise = |error: TaskError| of_task(py, &error);
    let form = match form {
        "pairs" => Form::Pairs,
        "unique" => Form::Unique,
        _ => Form::Clusters,
    };
    let mut options: Dedupe = from_json(&options).map_err(raise)?;
    options.representatives |= form == Form::Unique;
    let source = Source::from(rows);
    if let Some(model) = model {
        let (model, by) = (model.inner(), from_json::<ByModel>(&by).map_err(raise)?);
        let found = run(py, &how, move |context| match &source {
            Source::Table(data) => find_by_model(data, &model, &options, &by, form, &keep, context),
            Source::Index(_) => Err(tables_only()),
        });
        return Ok(found?.into());
    }
    Ok(run(py, &how, move |context| find(source, &options, form, &keep, context))?.into())
}
