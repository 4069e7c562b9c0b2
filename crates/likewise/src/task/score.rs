//! Score: how alike the two texts of a pair are.

use super::options::builders;
use super::target::find;
use super::{Compare, Context, TaskError, counts};
use crate::collection::Collection;
use crate::columns::{Columns, column_names};
use crate::measure::{Explanation, Measure, Scorer};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Options for scoring pairs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Score {
    /// What is compared, and by what; `on` names the two columns of a table of pairs.
    #[serde(flatten)]
    pub compare: Compare,
}

builders!(Score {});

/// Said where words weigh the same because nobody told how rare they are.
const NO_COUNTS: &str =
    "no option `collection`, so all words weigh the same; with one, rare words weigh more";

/// So many pairs are scored by one thread in a row.
const PART: usize = 64;

/// Scores pairs by one measure or several, bound to the counts that the options ask for.
pub struct PairScorer {
    scorers: Vec<Scorer>,
    notes: Vec<String>,
}

/// The scores of two texts, one for each measure.
///
/// ```
/// use likewise::task::{Context, Score, score};
///
/// let options = Score::new().measure("levenshtein".parse()?).measure("equal".parse()?);
/// assert_eq!(score("kitten", "mitten", &options, &Context::default())?, [1.0 - 1.0 / 6.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`PairScorer::for_texts`].
pub fn score(
    left: &str,
    right: &str,
    options: &Score,
    context: &Context,
) -> Result<Vec<f64>, TaskError> {
    Ok(PairScorer::for_texts(left, right, options, context)?.score(left, right))
}

/// The scores of every pair of two columns, row by row, for each measure. The texts of both columns are the collection unless
/// the options name another.
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::task::{Context, Score, score_pairs};
///
/// let pairs = Columns::new().with("a", &["kitten", "cat"])?.with("b", &["mitten", "cat"])?;
/// let options = Score::new().on("a,b").measure("levenshtein".parse()?);
/// assert_eq!(score_pairs(&pairs, &options, &Context::default())?, [[1.0 - 1.0 / 6.0], [1.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the options do not name two columns, a measure cannot be bound, or the work is cancelled.
pub fn score_pairs(
    columns: &Columns,
    options: &Score,
    context: &Context,
) -> Result<Vec<Vec<f64>>, TaskError> {
    let (scorer, places) = PairScorer::of_columns(columns, options, context)?;
    let by_measure = scorer.score_columns(columns, places, context)?;
    let of_row = |row| by_measure.iter().map(|scores| scores[row]).collect();
    Ok((0..columns.rows()).map(of_row).collect())
}

/// The two columns of a table of pairs: those that `on` names, or the only two. `find` finds a column by its name.
pub(super) fn pair_columns(
    table: &str,
    columns: &[String],
    on: Option<&str>,
    find: impl Fn(&str) -> Result<usize, TaskError>,
) -> Result<[usize; 2], TaskError> {
    let Some(on) = on else {
        if columns.len() == 2 {
            return Ok([0, 1]);
        }
        return Err(TaskError::options(format!(
            "{table}: which two columns? It has {}; name them: option `on` LEFT,RIGHT",
            columns.join(", ")
        )));
    };
    let places = column_names(on).iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
    let wrong = |_| TaskError::options("two columns are wanted here: option `on` LEFT,RIGHT");
    places.try_into().map_err(wrong)
}

impl PairScorer {
    /// So many pairs at a time make good use of all threads.
    pub const BATCH: usize = 4096;

    /// For two texts by themselves, which cannot tell what is rare: without a collection from elsewhere all words weigh the
    /// same to adaptive measures, and a note says so.
    ///
    /// # Errors
    /// If a measure cannot be bound.
    pub fn for_texts(
        left: &str,
        right: &str,
        options: &Score,
        context: &Context,
    ) -> Result<Self, TaskError> {
        let compare = &options.compare;
        compare.refuse_columns()?;
        let (measures, mut notes) = (compare.measures(), Vec::new());
        let collection = match &compare.collection {
            Some(from) => counts::open(from, &measures, compare.on.as_deref(), context)?,
            None => {
                if measures.iter().any(|m| m.properties().adaptive) {
                    notes.push(NO_COUNTS.to_owned());
                }
                Collection::default()
            }
        };
        let collection =
            if collection.is_empty() && measures.iter().any(|m| m.properties().needs_vocabulary) {
                Collection::words(measures.iter().flat_map(Measure::analyzers), [left, right])?
            } else {
                collection
            };
        Ok(Self { scorers: bind(&measures, &collection, context)?, notes })
    }

    /// For many pairs: their own texts are the collection unless the options name another. `texts` gives all texts of all
    /// pairs, and is called only if they are to be counted.
    ///
    /// # Errors
    /// What `texts` fails with; or if a measure cannot be bound.
    pub fn for_pairs<T, I>(
        options: &Score,
        context: &Context,
        texts: impl FnOnce() -> Result<I, TaskError>,
    ) -> Result<Self, TaskError>
    where
        T: AsRef<str> + Send + Sync,
        I: Iterator<Item = Result<T, TaskError>>,
    {
        options.compare.refuse_columns()?;
        let measures = options.compare.measures();
        let collection = match &options.compare.collection {
            Some(from) => counts::open(from, &measures, options.compare.on.as_deref(), context)?,
            None => Collection::build_from_stream(
                measures.iter().flat_map(Measure::analyzers),
                texts()?,
            )?,
        };
        Ok(Self { scorers: bind(&measures, &collection, context)?, notes: Vec::new() })
    }

    /// For two columns, and which these are: the two that the options name, or the only two.
    ///
    /// # Errors
    /// If the options do not name two columns, or a measure cannot be bound.
    pub fn of_columns(
        columns: &Columns,
        options: &Score,
        context: &Context,
    ) -> Result<(Self, [usize; 2]), TaskError> {
        let on = options.compare.on.as_deref();
        let places @ [left, right] =
            pair_columns("the table", columns.names(), on, |name| find(columns, name))?;
        let texts = (0..columns.rows())
            .flat_map(|row| [columns.text(left, row), columns.text(right, row)])
            .map(Ok::<_, TaskError>);
        let scorer = if Self::counts_texts(options) {
            Self::for_pairs(options, context, || Ok(texts))?
        } else {
            Self::for_stream(options, context)?
        };
        Ok((scorer, places))
    }

    /// The scores of every pair of two columns, in parallel: a list for each measure.
    ///
    /// # Errors
    /// If the work is cancelled.
    ///
    /// # Panics
    /// If there are no such columns.
    pub fn score_columns(
        &self,
        columns: &Columns,
        [left, right]: [usize; 2],
        context: &Context,
    ) -> Result<Vec<Vec<f64>>, TaskError> {
        let stage = context.control.stage("pairs scored", Some(columns.rows() as u64));
        let mut scores = vec![vec![0.0; columns.rows()]; self.scorers.len()];
        for from in (0..columns.rows()).step_by(Self::BATCH) {
            let to = (from + Self::BATCH).min(columns.rows());
            for (scorer, scores) in self.scorers.iter().zip(&mut scores) {
                let parts = scores[from..to].par_chunks_mut(PART).enumerate();
                parts.for_each(|(part, scores)| {
                    let rows = from + part * PART..from + part * PART + scores.len();
                    let (left, right) =
                        (columns.texts(left, rows.clone()), columns.texts(right, rows));
                    for ((score, left), right) in scores.iter_mut().zip(left).zip(right) {
                        *score = scorer.score_texts(left, right);
                    }
                });
            }
            stage.advance((to - from) as u64)?;
        }
        Ok(scores)
    }

    /// For pairs that come once and are not counted: the collection is the one that the options name, or empty.
    ///
    /// # Errors
    /// If a measure cannot be bound.
    pub fn for_stream(options: &Score, context: &Context) -> Result<Self, TaskError> {
        Self::for_pairs(options, context, || Ok(std::iter::empty::<Result<&str, _>>()))
    }

    /// Whether scores depend on counts of the texts at hand: then a stream of pairs is read twice.
    pub fn counts_texts(options: &Score) -> bool {
        let depends = |m: &Measure| m.properties().adaptive || m.properties().needs_vocabulary;
        options.compare.collection.is_none() && options.compare.measures().iter().any(depends)
    }

    /// What the user should know of the options and of the scores given so far, each sentence once.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        add_notes(&mut notes, self.scorers.iter().flat_map(Scorer::notes));
        notes
    }

    /// What scores by each measure.
    pub fn scorers(&self) -> &[Scorer] {
        &self.scorers
    }

    /// The scores of two texts, one for each measure.
    pub fn score(&self, left: &str, right: &str) -> Vec<f64> {
        self.scorers.iter().map(|scorer| scorer.score_texts(left, right)).collect()
    }

    /// The scores of many pairs, in parallel.
    pub fn score_all<L: AsRef<str> + Sync, R: AsRef<str> + Sync>(
        &self,
        pairs: &[(L, R)],
    ) -> Vec<Vec<f64>> {
        pairs.par_iter().map(|(left, right)| self.score(left.as_ref(), right.as_ref())).collect()
    }

    /// Why two texts score what they score, for each measure.
    pub fn explain(&self, left: &str, right: &str) -> Vec<Explanation> {
        self.scorers.iter().map(|s| s.explain(left, right)).collect()
    }
}

/// Adds what is not said yet.
pub(super) fn add_notes(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

fn bind(
    measures: &[Measure],
    collection: &Collection,
    context: &Context,
) -> Result<Vec<Scorer>, TaskError> {
    let bind = |measure: &Measure| measure.bind_with(collection, &context.resources);
    Ok(measures.iter().map(bind).collect::<Result<_, _>>()?)
}
