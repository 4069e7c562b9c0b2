//! Training: from labelled pairs to a model.

use super::describe::{bind, distinct_texts, examples, settled};
use super::pairs::{LabelledPair, Labels, Records, compared, distinct, id_column};
use crate::columns::Columns;
use crate::measure::Measure;
use crate::rank::feature::FeatureSet;
use crate::rank::learn::{Examples, Learner, Metric, Target, Training, train};
use crate::rank::{ColumnPair, Model};
use crate::task::target::find;
use crate::task::{Compare, Context, TaskError};
use crate::text::Analyzer;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Options for training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Train {
    /// The column of queries, in a table of pairs.
    pub query: String,
    /// The column of candidates.
    pub candidate: String,
    /// The columns of records that are compared; without it all that both tables have.
    pub on: Option<String>,
    /// Those of the left table, if they are called differently there.
    pub left_on: Option<String>,
    /// Those of the right table.
    pub right_on: Option<String>,
    /// The column that names a row of the left table; without it the one called `id`, or the row's number.
    pub left_id: Option<String>,
    /// The column that names a row of the right table.
    pub right_id: Option<String>,
    /// The column of labelled pairs with ids of the left table.
    pub pairs_left: String,
    /// The column of labelled pairs with ids of the right table.
    pub pairs_right: String,
    /// The column with labels, grades or ratings.
    pub label: String,
    /// A grade of at least this is a match.
    pub positive: f64,
    /// What is learned: whether a pair is a match, or how it is rated.
    pub target: Target,
    /// The matches that are listed are all there are: each left row's so many best candidates count as no match unless they are listed.
    pub candidates: Option<usize>,
    /// The measure by which candidates are chosen; without it the default.
    pub candidates_by: Option<Measure>,
    /// The features: a preset or a list of expressions. Without it `records` for records and `sentences` for pairs of texts.
    pub features: Option<FeatureSet>,
    /// How texts become terms, for features that do not say themselves.
    pub analyzer: Option<Analyzer>,
    /// A file of word vectors, for features that use one and do not name one themselves.
    pub vectors: Option<String>,
    /// Who parses texts that bring no trees, for features that use trees and do not say themselves: a parser's model, `en` the English
    /// one that is built in, `none` nobody. Without it the English one, texts in Latin script.
    pub parser: Option<String>,
    /// The learner.
    pub learner: Learner,
    /// What the threshold is chosen for.
    pub metric: Metric,
    /// Into how many folds examples are cut for cross-validation.
    pub folds: usize,
    /// Where random numbers start.
    pub seed: u64,
}

impl Default for Train {
    fn default() -> Self {
        let labels = Labels::default();
        let training = Training::default();
        Self {
            query: "query".to_owned(),
            candidate: "candidate".to_owned(),
            on: None,
            left_on: None,
            right_on: None,
            left_id: None,
            right_id: None,
            pairs_left: labels.left,
            pairs_right: labels.right,
            label: labels.label,
            positive: labels.positive,
            target: training.target,
            candidates: None,
            candidates_by: None,
            features: None,
            analyzer: None,
            vectors: None,
            parser: None,
            learner: training.learner,
            metric: training.metric,
            folds: training.folds,
            seed: training.seed,
        }
    }
}

impl Train {
    /// Where pairs of texts are learned from, options of records say nothing: they are refused, not ignored.
    fn refuse_those_of_records(&self) -> Result<(), TaskError> {
        let default = Labels::default();
        refuse(
            "goes with tables of records",
            &[
                ("on", self.on.is_some()),
                ("left_on", self.left_on.is_some()),
                ("right_on", self.right_on.is_some()),
                ("left_id", self.left_id.is_some()),
                ("right_id", self.right_id.is_some()),
                ("pairs_left", self.pairs_left != default.left),
                ("pairs_right", self.pairs_right != default.right),
                ("candidates", self.candidates.is_some()),
                ("candidates_by", self.candidates_by.is_some()),
            ],
        )
    }

    /// The other way round; and candidates are chosen only where there are to be any.
    fn refuse_those_of_texts(&self) -> Result<(), TaskError> {
        let default = Self::default();
        refuse(
            "goes with a table of pairs of texts",
            &[
                ("query", self.query != default.query),
                ("candidate", self.candidate != default.candidate),
            ],
        )?;
        let alone = self.candidates_by.is_some() && self.candidates.is_none();
        refuse("goes with option `candidates`", &[("candidates_by", alone)])
    }

    /// How labelled pairs are written down.
    pub fn labels(&self) -> Labels {
        Labels {
            left: self.pairs_left.clone(),
            right: self.pairs_right.clone(),
            label: self.label.clone(),
            positive: self.positive,
            ratings: self.target == Target::Rating,
        }
    }

    pub(super) fn training(&self) -> Training {
        Training {
            learner: self.learner.clone(),
            target: self.target,
            metric: self.metric,
            folds: self.folds,
            seed: self.seed,
        }
    }

    fn check(&self) -> Result<(), TaskError> {
        if !(2..=100).contains(&self.folds) {
            return Err(TaskError::options("option `folds` must be from 2 to 100"));
        }
        if self.positive.is_nan() {
            return Err(TaskError::options("option `positive` must be a number"));
        }
        if self.target == Target::Rating && self.candidates.is_some() {
            return Err(TaskError::options(
                "option `candidates` goes with matches, not with ratings",
            ));
        }
        Ok(())
    }
}

/// What training gives besides the model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Lesson {
    /// The training examples.
    pub examples: Examples,
    /// For each the probability or rating by a model that did not see its group.
    pub held_out: Vec<f64>,
    /// The texts of each example, left and right.
    pub texts: Vec<(String, String)>,
    /// What else is good to know.
    pub notes: Vec<String>,
}

/// So few labels teach nothing.
const LEAST: usize = 10;

/// Trains a model on pairs of texts: columns of queries, candidates and labels.
///
/// # Errors
/// If there are fewer than ten labels, labels of one kind only or contradictory ones, or a feature cannot be bound.
pub fn train_pairs(
    pairs: &Columns,
    valid: Option<&Columns>,
    options: &Train,
    context: &Context,
) -> Result<(Model, Lesson), TaskError> {
    options.check()?;
    options.refuse_those_of_records()?;
    let columns = vec![ColumnPair::new(&options.query, &options.candidate)];
    let (name, valid_name) = ("the table of pairs", "the table for validation");
    let (left, right, mut all) = texts_of(pairs, name, options)?;
    let (mut left, mut right) = (left, right);
    let again;
    (all, again) = distinct(all, name, |pair| {
        format!("«{}» and «{}»", left.texts[pair.left][0], right.texts[pair.right][0])
    })?;
    // Texts for validation stand behind the others.
    let mut held = Vec::new();
    let counted = (left.texts.len(), right.texts.len());
    if let Some(valid) = valid {
        let (l, r, pairs) = texts_of(valid, valid_name, options)?;
        held.extend(pairs.into_iter().map(|pair| LabelledPair {
            left: pair.left + counted.0,
            right: pair.right + counted.1,
            ..pair
        }));
        left.texts.extend(l.texts);
        right.texts.extend(r.texts);
    }
    let preset = if options.features.is_none() { "sentences" } else { "" };
    let notes = repeated(again);
    teach(
        columns,
        preset,
        Lessons { left, right, counted, pairs: all, held, notes },
        options,
        context,
    )
}

/// Refuses the first option that is set.
fn refuse(where_it_goes: &str, options: &[(&str, bool)]) -> Result<(), TaskError> {
    match options.iter().find(|(_, set)| *set) {
        Some((name, _)) => Err(TaskError::options(format!("option `{name}` {where_it_goes}"))),
        None => Ok(()),
    }
}

fn texts_of(
    pairs: &Columns,
    table: &str,
    options: &Train,
) -> Result<(Records, Records, Vec<LabelledPair>), TaskError> {
    let places = [find(pairs, &options.query)?, find(pairs, &options.candidate)?];
    let (left, right, of_rows) = distinct_texts(pairs, places);
    let targets = options.labels().targets(pairs, table)?;
    let pair = |((left, right), target)| LabelledPair { left, right, target };
    Ok((left, right, of_rows.into_iter().zip(targets).map(pair).collect()))
}

/// Trains a model on records of two tables, of which pairs are labelled by ids. Without a right table the pairs are of rows of the left one.
///
/// # Errors
/// As for [`train_pairs`]; or if a pair has an id that no row has.
pub fn train_records(
    left: &Columns,
    right: Option<&Columns>,
    pairs: &Columns,
    valid: Option<&Columns>,
    options: &Train,
    context: &Context,
) -> Result<(Model, Lesson), TaskError> {
    options.check()?;
    options.refuse_those_of_texts()?;
    let own = right.is_none();
    let right = right.unwrap_or(left);
    let ids = [
        id_column(left, options.left_id.as_deref()),
        id_column(
            right,
            options.right_id.as_deref().or(options.left_id.as_deref().filter(|_| own)),
        ),
    ];
    let sides = (options.left_on.as_deref(), options.right_on.as_deref());
    let columns = compared(left, right, options.on.as_deref(), sides, ids)?;
    let names =
        |of: fn(&ColumnPair) -> &String| columns.iter().map(|c| of(c).as_str()).collect::<Vec<_>>();
    let l = Records::new(left, ids[0], &names(|c| &c.left))?;
    let r = Records::new(right, ids[1], &names(|c| &c.right))?;
    let labels = options.labels();
    let read = |table: &Columns, name: &str| {
        let only_matches = options.candidates.is_some();
        let mut pairs = labels.of_ids(table, name, &l, &r, only_matches)?;
        if own {
            // Which of two rows is the left one means nothing within a table.
            pairs
                .iter_mut()
                .filter(|p| p.left > p.right)
                .for_each(|p| std::mem::swap(&mut p.left, &mut p.right));
        }
        let named = |pair: &LabelledPair| format!("{} and {}", l.ids[pair.left], r.ids[pair.right]);
        distinct(pairs, name, named)
    };
    let (mut all, again) = read(pairs, "the labelled pairs")?;
    let mut notes = repeated(again);
    let held = match valid {
        Some(valid) => read(valid, "the pairs for validation")?.0,
        None => Vec::new(),
    };
    let seen: FxHashSet<(usize, usize)> = all.iter().map(|p| (p.left, p.right)).collect();
    let both = held.iter().filter(|h| seen.contains(&(h.left, h.right))).count();
    if both > 0 {
        notes.push(format!(
            "{both} pairs for validation are among those for training, so that figures are too good"
        ));
    }
    if let Some(k) = options.candidates {
        let listed = all.len();
        let mut by = Compare::default();
        by.measure.extend(options.candidates_by.clone());
        super::decide::add_candidates(&mut all, &l, &r, own, (k, &by), context)?;
        notes.push(format!(
            "{} candidates of the {} rows of the left table are in no listed pair and count as no match",
            all.len() - listed,
            l.texts.len()
        ));
    }
    let preset = if options.features.is_none() { "records" } else { "" };
    let counted = (l.texts.len(), r.texts.len());
    teach(
        columns,
        preset,
        Lessons { left: l, right: r, counted, pairs: all, held, notes },
        options,
        context,
    )
}

fn repeated(again: usize) -> Vec<String> {
    let note =
        format!("{again} pairs stand there more than once with the same label and count once");
    if again > 0 { vec![note] } else { Vec::new() }
}

/// What is to be learned from.
struct Lessons {
    left: Records,
    right: Records,
    /// So many records of each side are counted: those for validation are not.
    counted: (usize, usize),
    pairs: Vec<LabelledPair>,
    held: Vec<LabelledPair>,
    notes: Vec<String>,
}

fn teach(
    columns: Vec<ColumnPair>,
    preset: &str,
    from: Lessons,
    options: &Train,
    context: &Context,
) -> Result<(Model, Lesson), TaskError> {
    let Lessons { left, right, counted, pairs, held, notes } = from;
    check_labels(&pairs, options)?;
    let features = match &options.features {
        Some(features) => features.clone(),
        None => preset.parse()?,
    };
    let features = settled(
        features,
        options.analyzer.as_ref(),
        options.vectors.as_deref(),
        options.parser.as_deref(),
    )?;
    let names: Vec<&str> = columns.iter().map(|c| c.left.as_str()).collect();
    let first = |records: &Records, n: usize| Records {
        ids: Vec::new(),
        texts: records.texts[..n].to_vec(),
    };
    let (counts, bound) =
        bind(&features, &names, &first(&left, counted.0), &first(&right, counted.1), context)?;
    let of_training = examples(&bound, &left, &right, &pairs, context)?;
    let of_valid =
        if held.is_empty() { None } else { Some(examples(&bound, &left, &right, &held, context)?) };
    let trained = train(&of_training, of_valid.as_ref(), &options.training(), &context.control)?;
    let n = of_training.len() as f64;
    let mean =
        |at: usize| (0..of_training.len()).map(|row| of_training.row(row)[at]).sum::<f64>() / n;
    let means = (0..bound.len()).map(mean).collect();
    let text = |records: &Records, row: usize| {
        crate::columns::join(records.texts[row].iter().map(String::as_str))
    };
    let texts = pairs.iter().map(|p| (text(&left, p.left), text(&right, p.right))).collect();
    let held_out = trained.held_out.clone();
    let lesson = Lesson { examples: of_training, held_out, texts, notes };
    let model = Model::new(columns, features, counts, bound.resources(), means, trained)?;
    Ok((model, lesson))
}

/// Whether there is anything to learn from.
fn check_labels(pairs: &[LabelledPair], options: &Train) -> Result<(), TaskError> {
    let n = pairs.len();
    if n < LEAST {
        return Err(TaskError::Input(format!(
            "{n} labelled pairs are too few to learn from: {LEAST} are needed, and a hundred are worth having; `likewise label` chooses them"
        )));
    }
    if options.target == Target::Rating {
        let first = pairs[0].target;
        if pairs.iter().all(|p| p.target == first) {
            return Err(TaskError::Input(format!(
                "all {n} pairs are rated {first}: there is nothing to tell apart"
            )));
        }
        return Ok(());
    }
    let matches = pairs.iter().filter(|p| p.target > 0.5).count();
    let positive = options.positive;
    match (matches, n - matches) {
        (0, _) => Err(TaskError::Input(format!(
            "none of the {n} pairs is a match (a label of at least {positive}): both kinds are needed to tell them apart; \
             option `positive` says from which grade on a pair is one"
        ))),
        (_, 0) => Err(TaskError::Input(format!(
            "all {n} pairs are matches (a label of at least {positive}): pairs that are none are needed as well; \
             option `candidates` takes them from the tables"
        ))),
        (m, o) if m < 3 || o < 3 => Err(TaskError::Input(format!(
            "{m} matches and {o} others: at least 3 of each kind are needed"
        ))),
        _ => Ok(()),
    }
}
