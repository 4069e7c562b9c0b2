//! Match and dedupe by a model: candidates from the exact engine, decisions by probability.

use super::pairs::{LabelledPair, Records, id_column};
use crate::columns::{Columns, join};
use crate::index::SearchOptions;
use crate::link::{Pair, assign, clusters, one_to_one};
use crate::measure::Measure;
use crate::rank::learn::Target as Learned;
use crate::rank::{ColumnPair, Effect, Model};
use crate::task::Matched;
use crate::task::report::{Chosen, Report, Threshold};
use crate::task::target::find;
use crate::task::within::of_nearest;
use crate::task::{Compare, Context, Dedupe, Deduped, Target, TaskError};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Options for linking by a model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ByModel {
    /// The column that names a row; without it the one called `id`, or the row's number.
    pub id: Option<String>,
    /// The column that names a row of the left table, if not `id`.
    pub left_id: Option<String>,
    /// The column that names a row of the right table, if not `id`.
    pub right_id: Option<String>,
    /// How many candidates of each row are looked at (10 without it): those most alike by the default measure over all columns.
    pub k: Option<usize>,
    /// Leave out pairs whose probability is less; without it the model's own threshold.
    pub min: Option<f64>,
    /// Use each row of either table at most once, with the largest total probability.
    pub one_to_one: bool,
}

impl ByModel {
    /// The columns that options name for ids of the left and of the right table.
    pub fn ids(&self) -> [Option<&str>; 2] {
        [&self.left_id, &self.right_id].map(|own| own.as_deref().or(self.id.as_deref()))
    }

    /// Where both tables have what a row goes by; nothing where rows go by their numbers.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn id_columns(
        &self,
        left: &Columns,
        right: &Columns,
    ) -> Result<[Option<usize>; 2], TaskError> {
        let [l, r] = self.ids();
        let place = |columns: &Columns, said| {
            id_column(columns, said).map(|id| find(columns, id)).transpose()
        };
        Ok([place(left, l)?, place(right, r)?])
    }
}

/// How many candidates a row has.
pub(super) const CANDIDATES: usize = 10;
/// So many rows at a time.
const BATCH: usize = 1024;

/// Each left row's `k` best right rows by a measure, over the columns joined. Within one table a row is no candidate of itself, and each
/// pair comes once, the lower row on the left.
pub(super) fn candidates(
    left: &Records,
    right: &Records,
    own: bool,
    (k, by): (usize, &Compare),
    context: &Context,
) -> Result<Vec<Pair>, TaskError> {
    let joined = |records: &Records| -> Vec<String> {
        records.texts.iter().map(|texts| join(texts.iter().map(String::as_str))).collect()
    };
    let of_right = joined(right);
    let target = Target::of_columns(&Columns::of(&of_right), by, context)?;
    let of_left = if own { of_right } else { joined(left) };
    let options = SearchOptions::new().k(k + usize::from(own));
    let stage = context.control.stage("candidates found", Some(of_left.len() as u64));
    let mut found = Vec::new();
    for (batch, texts) in of_left.chunks(BATCH).enumerate() {
        let queries: Vec<[&str; 1]> = texts.iter().map(|text| [text.as_str()]).collect();
        let pairs = target.search_batch(&queries, options, |number, hits| {
            let row = (batch * BATCH + number) as u32;
            let pair = |hit: crate::index::Hit| Pair::new(row, hit.row as u32, hit.score);
            hits.map(pair).filter(|p| !own || p.left != p.right).take(k).collect::<Vec<_>>()
        })?;
        found.extend(pairs.into_iter().flatten());
        stage.advance(texts.len() as u64)?;
    }
    if own {
        found
            .iter_mut()
            .filter(|p| p.left > p.right)
            .for_each(|p| std::mem::swap(&mut p.left, &mut p.right));
        crate::link::best_of_each(&mut found);
    }
    Ok(found)
}

/// Adds the candidates that are not among the pairs, as pairs that are no match.
pub(super) fn add_candidates(
    pairs: &mut Vec<LabelledPair>,
    left: &Records,
    right: &Records,
    own: bool,
    by: (usize, &Compare),
    context: &Context,
) -> Result<(), TaskError> {
    let listed: rustc_hash::FxHashSet<(usize, usize)> =
        pairs.iter().map(|p| (p.left, p.right)).collect();
    for pair in candidates(left, right, own, by, context)? {
        let (left, right) = (pair.left as usize, pair.right as usize);
        if !listed.contains(&(left, right)) {
            pairs.push(LabelledPair { left, right, target: 0.0 });
        }
    }
    Ok(())
}

/// The records of both tables that a model compares, and the ids' columns.
pub(super) fn records(
    left: &Columns,
    right: Option<&Columns>,
    model: &Model,
    ids: [Option<&str>; 2],
) -> Result<(Records, Option<Records>), TaskError> {
    let names = |of: fn(&ColumnPair) -> &String| {
        model.columns().iter().map(|c| of(c).as_str()).collect::<Vec<_>>()
    };
    let read = |columns: &Columns, id: Option<&str>, names: &[&str], side: &str| {
        Records::new(columns, id_column(columns, id), names).map_err(|error| match error {
            TaskError::Options(message) => TaskError::options(format!(
                "the {side} table: {message} (the model compares its columns)"
            )),
            error => error,
        })
    };
    let l = read(left, ids[0], &names(|c| &c.left), "left")?;
    let r = right.map(|right| read(right, ids[1], &names(|c| &c.right), "right")).transpose()?;
    Ok((l, r))
}

/// The probabilities of pairs. Records are prepared batch by batch, so that memory does not grow with the tables.
pub(super) fn probabilities(
    model: &Model,
    left: &Records,
    right: &Records,
    pairs: &[Pair],
    context: &Context,
) -> Result<Vec<Pair>, TaskError> {
    let ranker = model.bind(&context.resources)?;
    let stage = context.control.stage("pairs decided", Some(pairs.len() as u64));
    let mut scored = Vec::with_capacity(pairs.len());
    for batch in pairs.chunks(BATCH * CANDIDATES) {
        let prepare = |records: &Records, row: fn(&Pair) -> u32| {
            let mut rows: Vec<u32> = batch.iter().map(row).collect();
            rows.sort_unstable();
            rows.dedup();
            let prepare =
                |&row: &u32| (row, ranker.features().prepare(&records.texts[row as usize]));
            rows.par_iter()
                .map(prepare)
                .collect::<Vec<_>>()
                .into_iter()
                .collect::<FxHashMap<_, _>>()
        };
        let (l, r) = (prepare(left, |p| p.left), prepare(right, |p| p.right));
        let score = |p: &Pair| Pair::new(p.left, p.right, ranker.score(&l[&p.left], &r[&p.right]));
        scored.extend(batch.par_iter().map(score).collect::<Vec<_>>());
        stage.advance(batch.len() as u64)?;
    }
    Ok(scored)
}

/// The probability from which on pairs are matches, and what there is to report.
fn report(model: &Model, options: &ByModel) -> Result<(f64, Report), TaskError> {
    if model.target() == Learned::Rating {
        return Err(TaskError::options(
            "the model gives ratings and decides nothing; train one on labels to link rows",
        ));
    }
    let own = model.threshold().unwrap_or(0.5);
    let (min, chosen) = options.min.map_or((own, Chosen::Learned), |min| (min, Chosen::Given));
    let k = options.k.unwrap_or(CANDIDATES);
    let reading = match chosen {
        Chosen::Given => String::new(),
        _ => format!("learned by the model from {} labelled pairs", model.figures().examples),
    };
    let note = format!(
        "candidates: each row's {k} best by the default measure over {}; a match from probability {min:.3} on",
        model.columns().iter().map(|c| c.left.as_str()).collect::<Vec<_>>().join(", ")
    );
    let measure = vec![Measure::default().to_string()];
    let threshold = Some(Threshold::new(min, chosen, reading));
    Ok((min, Report { measure, threshold, notes: vec![note] }))
}

/// For each left row the right rows that are the same thing by a model: candidates by the default measure, decided by probability. Scores of pairs
/// are probabilities.
///
/// # Errors
/// If a table has not the columns that the model compares, or the model cannot be bound.
pub fn match_by_model(
    left: &Columns,
    right: &Columns,
    model: &Model,
    options: &ByModel,
    context: &Context,
) -> Result<Matched, TaskError> {
    let (l, r) = records(left, Some(right), model, options.ids())?;
    let r = r.unwrap_or_default();
    let (min, mut report) = report(model, options)?;
    let k = options.k.unwrap_or(CANDIDATES);
    let found = candidates(&l, &r, false, (k, &Compare::default()), context)?;
    let mut pairs = probabilities(model, &l, &r, &found, context)?;
    pairs.retain(|pair| pair.score >= min);
    pairs.sort_by(|a, b| {
        a.left.cmp(&b.left).then(b.score.total_cmp(&a.score)).then(a.right.cmp(&b.right))
    });
    if options.one_to_one {
        let found = one_to_one(&pairs, assign::SMALL);
        report.notes.push(format!("one to one: {} pairs", found.pairs.len()));
        pairs = found.pairs;
    }
    Ok(Matched { pairs, report })
}

/// What a model makes of one pair of rows, and why.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExplainedPair {
    /// The probability that both are the same thing.
    pub probability: f64,
    /// What each feature did to it, the strongest first.
    pub effects: Vec<Effect>,
    /// The texts that were compared, column by column.
    pub texts: Vec<[String; 2]>,
}

/// Why a model gives a row of the left and a row of the right table the probability that it gives them in [`match_by_model`]; of one table,
/// given twice, in [`dedupe_by_model`], where a pair has the lower row on the left.
///
/// # Errors
/// If a table has not the columns that the model compares, or not that row, or the model cannot be bound.
pub fn explain_by_model(
    (left, l): (&Columns, usize),
    (right, r): (&Columns, usize),
    model: &Model,
    context: &Context,
) -> Result<ExplainedPair, TaskError> {
    let text = |columns: &Columns, name: &str, row: usize| {
        let column = find(columns, name)?;
        if row >= columns.rows() {
            let there = columns.rows();
            return Err(TaskError::Input(format!("there is no row {row}: there are {there}")));
        }
        Ok(columns.text(column, row).to_owned())
    };
    let pair = |c: &ColumnPair| Ok([text(left, &c.left, l)?, text(right, &c.right, r)?]);
    let texts = model.columns().iter().map(pair).collect::<Result<Vec<_>, TaskError>>()?;
    let ranker = model.bind(&context.resources)?;
    let side = |at: usize| {
        let texts: Vec<&str> = texts.iter().map(|pair| pair[at].as_str()).collect();
        ranker.features().prepare(&texts)
    };
    let values = ranker.features().values(&side(0), &side(1));
    let (probability, effects) = (ranker.predict(&values), ranker.explain(&values));
    Ok(ExplainedPair { probability, effects, texts })
}

/// Rows of a table in clusters of duplicates by a model, and the pairs that it takes for duplicates. Of the options of [`dedupe`](crate::task::dedupe)
/// those count that say how pairs become clusters and which rows are wanted.
///
/// # Errors
/// As for [`match_by_model`].
pub fn dedupe_by_model(
    columns: &Columns,
    model: &Model,
    clustering: &Dedupe,
    options: &ByModel,
    context: &Context,
) -> Result<(Deduped, Vec<Pair>), TaskError> {
    let (rows, _) = records(columns, None, model, options.ids())?;
    let (min, report) = report(model, options)?;
    let k = options.k.unwrap_or(CANDIDATES);
    let found = candidates(&rows, &rows, true, (k, &Compare::default()), context)?;
    let mut pairs = probabilities(model, &rows, &rows, &found, context)?;
    let method = of_nearest(clustering.method, Some(k));
    let clusters = clusters(rows.texts.len(), &pairs, min, method);
    pairs.retain(|pair| pair.score >= min);
    Ok((Deduped::new(clusters, report, clustering), pairs))
}
