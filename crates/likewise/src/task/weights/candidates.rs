//! Which pairs are weighed, and how alike they are in each column.

use crate::collection::Collection;
use crate::columns::Columns;
use crate::index::{IndexError, SearchOptions};
use crate::link::Pair;
use crate::link::weights::Candidates;
use crate::measure::Measure;
use crate::task::match_tables::each_batch;
use crate::task::score::add_notes;
use crate::task::{Compare, Context, Match, On, Target, TaskError, Within, counts, match_target};
use rayon::prelude::*;

/// What the joined text is called beside the columns.
const ALL: &str = "all";
/// So many pairs are compared between two looks at whether the work is to end.
const BATCH: usize = 1 << 16;

/// Each left row's `k` best right rows by the joined text, in the order of the rows.
pub(super) fn best_of_each_row(
    left: &Columns,
    right: &Columns,
    options: &Match,
    k: usize,
    context: &Context,
) -> Result<Found, TaskError> {
    u32::try_from(left.rows()).map_err(|_| IndexError::TooManyRows)?;
    let (on, target) = match_target(left, right, options, context)?;
    let stage = context.control.stage("candidates found", Some(left.rows() as u64));
    let (mut found, mut before) = (Vec::new(), 0);
    each_batch(left, &on, |texts| {
        let pairs = target.search_batch(texts, SearchOptions::new().k(k), |number, hits| {
            let row = (before + number) as u32;
            let mut own: Vec<Pair> =
                hits.map(|hit| Pair::new(row, hit.row as u32, hit.score)).collect();
            own.sort_unstable_by_key(|pair| pair.right);
            own
        })?;
        found.extend(pairs.into_iter().flatten());
        before += texts.len();
        Ok(stage.advance(texts.len() as u64)?)
    })?;
    Ok(Found::new(found, &target))
}

/// The pairs of rows of one table of which one is among the `k` best of the other by the joined text, in the order of the rows.
pub(super) fn pairs_within(
    columns: &Columns,
    compare: &Compare,
    on: &On,
    k: usize,
    context: &Context,
) -> Result<Found, TaskError> {
    let target = Target::of_columns_on(columns, on, compare, None, context)?;
    let stage = context.control.stage("candidates found", Some(target.len() as u64));
    let found = Within::new(&target).pairs(0.0, Some(k), &stage)?;
    Ok(Found::new(found, &target))
}

/// Candidates, each with the score of the joined texts.
pub(super) struct Found {
    /// In the order of their rows.
    pub pairs: Vec<Pair>,
    /// What compared the joined texts.
    pub measure: String,
    /// What is to be known of that.
    pub notes: Vec<String>,
}

impl Found {
    fn new(pairs: Vec<Pair>, target: &Target) -> Self {
        // That columns are compared as one text is not all here.
        let reading = target.on().reading();
        let notes = target.notes().into_iter().filter(|note| Some(note) != reading.as_ref());
        let notes = notes.map(|note| format!("{ALL}: {note}")).collect();
        Self { pairs, measure: target.scorer(0).name().to_owned(), notes }
    }
}

/// Columns that are compared one by one.
pub(super) struct Compared<'a> {
    pub names: &'a [String],
    pub measures: &'a [Measure],
    /// By column.
    pub left: &'a [Vec<&'a str>],
    /// Of the other table, if there is one.
    pub right: Option<&'a [Vec<&'a str>]>,
    pub compare: &'a Compare,
}

impl Compared<'_> {
    /// How alike pairs are in each column, the joined text being the last; by which measures, and what is to be known of these.
    pub fn weigh(
        &self,
        Found { pairs: found, measure, mut notes }: Found,
        context: &Context,
    ) -> Result<(Candidates, Vec<String>, Vec<String>), TaskError> {
        let stage = context
            .control
            .stage("columns compared", Some((found.len() * self.names.len()) as u64));
        let counted = match &self.compare.collection {
            None => None,
            Some(from) => {
                let on = self.compare.on.as_deref();
                Some(counts::open(from, self.measures, on, context)?)
            }
        };
        let mut similarities = Vec::with_capacity(self.names.len() + 1);
        let mut measures = Vec::with_capacity(self.names.len() + 1);
        for (column, measure) in self.measures.iter().enumerate() {
            let left = &self.left[column][..];
            let right = self.right.map(|right| &right[column][..]);
            let filled = |text: &&&str| !text.trim().is_empty();
            let own;
            let collection = match &counted {
                Some(collection) => collection,
                None => {
                    let all = left.iter().chain(right.into_iter().flatten()).filter(filled);
                    own = Collection::build(measure.analyzers(), all)?;
                    &own
                }
            };
            let scorer = measure.bind_with(collection, &context.resources)?;
            let prepared = scorer.prepare_all(left);
            let other = right.map(|right| scorer.prepare_all(right));
            let (right, other) = (right.unwrap_or(left), other.as_ref().unwrap_or(&prepared));
            // Within one table a pair has no direction: the better way counts.
            let both_ways = self.right.is_none() && !scorer.properties().symmetric;
            let alike = |pair: &Pair| {
                let (l, r) = (pair.left as usize, pair.right as usize);
                if !scorer.has_value(left[l]) || !scorer.has_value(right[r]) {
                    return Ok(None);
                }
                let score = scorer.score_of(&prepared, l, other, r)?;
                let back = if both_ways { scorer.score_of(other, r, &prepared, l)? } else { score };
                Ok(Some(score.max(back)))
            };
            let mut of_column = Vec::with_capacity(found.len());
            for batch in found.chunks(BATCH) {
                let scored: Result<Vec<_>, crate::measure::ScoreError> =
                    batch.par_iter().map(alike).collect();
                of_column.extend(scored.expect("these texts were prepared by this scorer"));
                stage.advance(batch.len() as u64)?;
            }
            add_notes(
                &mut notes,
                scorer.notes().iter().map(|n| format!("{}: {n}", self.names[column])),
            );
            measures.push(scorer.name().to_owned());
            similarities.push(of_column);
        }
        measures.push(measure);
        let names = self.names.iter().map(String::as_str).chain([ALL]);
        let mut candidates = Candidates::new(names);
        let mut row = Vec::with_capacity(self.names.len() + 1);
        for (at, pair) in found.iter().enumerate() {
            row.clear();
            row.extend(similarities.iter().map(|column| column[at]));
            row.push(Some(pair.score));
            candidates.push(pair.left, pair.right, &row)?;
        }
        Ok((candidates, measures, notes))
    }
}
