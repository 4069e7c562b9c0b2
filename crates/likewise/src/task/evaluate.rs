//! Evaluate: how well measures do on labelled data.

use super::options::builders;
use super::score::add_notes;
use super::{Compare, Context, Dedupe, Match, On, Said, TaskError, auto, named};
use crate::collection::Collection;
use crate::columns::{Columns, column_names};
use crate::control::Stage;
use crate::eval::data::{Gold, MatchSet, PairSet, Record, RetrievalSet};
use crate::eval::matching::WeighedColumn;
use crate::eval::metrics::Gain;
use crate::eval::report::{Curve, Fact, Report, Sweep, SweepBar};
use crate::eval::{Outcome, matching, pairs, report, retrieval};
use crate::measure::{Measure, Scorer};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Options of an evaluation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Evaluate {
    /// What is compared, and by what; several measures are compared with one another.
    #[serde(flatten)]
    pub compare: Compare,
    /// Run every smaller range of q of this measure too: `sc(q=1:10)` makes 55.
    pub sweep: Option<Measure>,
    /// What a document of a grade is worth to nDCG, P+ and nERR. Only retrieval has grades.
    pub gains: Gain,
}

builders!(Evaluate {
    /// Runs every smaller range of q of this measure.
    sweep: Measure => Some,
    /// What a document of a grade is worth.
    gains: Gain => std::convert::identity,
});

impl Evaluate {
    /// Refuses gains where nothing has a grade: an option is never ignored.
    fn refuse_gains(&self) -> Result<(), TaskError> {
        if self.gains == Gain::default() {
            return Ok(());
        }
        Err(TaskError::options("only retrieval has grades: leave out option `gains`"))
    }
}

/// First and last q.
type QRange = (u32, u32);

/// What measures reached on some data.
#[derive(Debug)]
#[non_exhaustive]
pub struct Evaluation {
    /// One for each measure.
    pub outcomes: Vec<Outcome>,
    /// What the user should know, each a sentence.
    pub notes: Vec<String>,
    title: String,
    facts: Vec<Fact>,
    /// The range of q of each measure of a sweep.
    ranges: Vec<QRange>,
    /// The figure that a sweep is drawn by.
    key: &'static str,
}

impl Evaluation {
    /// Outcomes on a file or folder, without a sweep; `key` is the figure that orders them.
    pub(super) fn of(
        data: &Path,
        facts: Vec<Fact>,
        outcomes: Vec<Outcome>,
        key: &'static str,
    ) -> Self {
        let title = title(data);
        Self { outcomes, notes: Vec::new(), title, facts, ranges: Vec::new(), key }
    }

    /// A page to look at.
    pub fn report(mut self) -> Report {
        let facts = std::mem::take(&mut self.facts);
        let mut page = report(&self.title, "likewise eval", facts, &self.outcomes);
        if !self.ranges.is_empty() {
            let bar = |(&(from, to), outcome): (&QRange, &Outcome)| SweepBar {
                label: format!("[{from}:{to}]"),
                from: from.into(),
                to: to.into(),
                value: outcome.get(self.key).unwrap_or(0.0),
            };
            page.sweep = Some(Sweep {
                x_label: "q".to_owned(),
                y_label: self.key.to_owned(),
                bars: self.ranges.iter().zip(&self.outcomes).map(bar).collect(),
            });
            // 55 curves would hide one another, and nobody asks for the errors of the first range.
            if let Some(best) = self.best() {
                page.curves = vec![Curve { name: best.label.clone(), points: best.curve.clone() }];
                page.scatter.clone_from(&best.scatter);
                page.errors.clone_from(&best.errors);
                let note = format!("Chart and errors are those of the best range, {}.", best.label);
                page.notes = vec![note];
            }
        }
        page.notes.extend(self.notes);
        page
    }

    /// The outcome with the highest figure; of equal ones the first.
    fn best(&self) -> Option<&Outcome> {
        let value = |outcome: &Outcome| outcome.get(self.key).unwrap_or(f64::NEG_INFINITY);
        self.outcomes.iter().rev().max_by(|a, b| value(a).total_cmp(&value(b)))
    }
}

/// Record matching: every pair of a data set in one ranking. `on` names the columns to compare, `text` without it.
///
/// # Errors
/// If the data cannot be read, a measure cannot be bound, or the work is cancelled.
pub fn evaluate_match(
    folder: &Path,
    options: &Evaluate,
    context: &Context,
) -> Result<Evaluation, TaskError> {
    options.refuse_gains()?;
    let columns = MatchSet::columns(folder, &context.read)?;
    let (settled, notes) = settle(folder, options, context)?;
    let options = &settled;
    let on = options.compare.on.as_deref().unwrap_or("text");
    let table = folder.to_string_lossy();
    let on = On::of(Said { option: "on", text: Some(on), table: &table }, &columns)?;
    let mut evaluation = evaluate_on(folder, &on, options, context)?;
    evaluation.notes.splice(0..0, notes);
    Ok(evaluation)
}

/// Where columns are left to the data, the options that stand for it, and what the user should know of it.
fn settle(
    folder: &Path,
    options: &Evaluate,
    context: &Context,
) -> Result<(Evaluate, Vec<String>), TaskError> {
    let mut options = options.clone();
    if options.compare.on.is_none() || named(options.compare.on.as_deref()).is_some() {
        return Ok((options, Vec::new()));
    }
    let names = MatchSet::shared_columns(folder, &context.read)?;
    let open = |name: &String| MatchSet::open(folder, &[name], &context.read);
    let sets = names.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let texts = |side: fn(&MatchSet) -> &[Record]| -> Vec<Vec<&str>> {
        sets.iter().map(|set| side(set).iter().map(|record| &record.text[..]).collect()).collect()
    };
    let (left, right) = (texts(|set| &set.left), texts(|set| &set.right));
    let notes = if sets.iter().all(|set| set.one_table) {
        let mut by = Dedupe { compare: options.compare, ..Dedupe::default() };
        let notes = auto::settle(&mut by, &columns_of(&names, &left)?)?;
        options.compare = by.compare;
        notes
    } else {
        let mut by = Match { compare: options.compare, ..Match::default() };
        let notes =
            auto::settle_both(&mut by, &columns_of(&names, &left)?, &columns_of(&names, &right)?)?;
        options.compare = by.compare;
        notes
    };
    Ok((options, notes))
}

fn columns_of<'t>(names: &[String], texts: &'t [Vec<&'t str>]) -> Result<Columns<'t>, TaskError> {
    let mut columns = names.iter().zip(texts);
    columns
        .try_fold(Columns::new(), |all, (name, texts)| all.with(name, texts))
        .map_err(|error| TaskError::Input(error.to_string()))
}

fn evaluate_on(
    folder: &Path,
    on: &On,
    options: &Evaluate,
    context: &Context,
) -> Result<Evaluation, TaskError> {
    if on.weights.is_some() {
        return evaluate_columns(folder, on, options, context);
    }
    options.compare.refuse_missing()?;
    let set = MatchSet::open(folder, &strs(&on.names), &context.read)?;
    let facts = facts_of(&set);
    let texts: Vec<&str> = set.texts().collect();
    run(folder, &texts, set.left.len() as u64, facts, "iap", options, context, |scorer, stage| {
        let scored = matching::score_all(&set, scorer, stage)?;
        Ok(matching::evaluate(&set, scorer, &scored))
    })
}

/// Columns with weights, each scored by itself: with one measure for all of them or one for each, as everywhere. Words are
/// weighed by how rare they are in their own column.
fn evaluate_columns(
    folder: &Path,
    on: &On,
    options: &Evaluate,
    context: &Context,
) -> Result<Evaluation, TaskError> {
    options.compare.refuse_id()?;
    let (measures, ranges) = measures(options)?;
    let variants = match &options.sweep {
        Some(_) => measures.iter().map(|m| on.fields(std::slice::from_ref(m))).collect(),
        None => on.fields(&measures).map(|fields| vec![fields]),
    }?;
    let missing = options.compare.missing;
    let open = |name: &String| MatchSet::open(folder, &[name], &context.read);
    let sets = on.names.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    refuse_nothing(sets[0].texts().next().is_none(), folder)?;
    let collections = match &options.compare.collection {
        Some(from) => {
            vec![super::counts::open(from, &measures, Some(&on.names.join(",")), context)?]
        }
        None => {
            let count = |set: &MatchSet| {
                Collection::build(measures.iter().flat_map(Measure::analyzers), set.texts())
            };
            sets.iter().map(count).collect::<Result<_, _>>()?
        }
    };
    let steps = sets[0].left.len() * sets.len() * variants.len();
    let stage = context.control.stage("scoring", Some(steps as u64));
    let (mut outcomes, mut notes) = (Vec::new(), Vec::new());
    for fields in &variants {
        let bound = fields.iter().zip(collections.iter().cycle());
        let scorers = bound
            .map(|(field, collection)| field.measure.bind_with(collection, &context.resources))
            .collect::<Result<Vec<_>, _>>()?;
        let columns: Vec<WeighedColumn> = (0..fields.len())
            .map(|c| WeighedColumn {
                name: Some(&on.names[c]),
                weight: fields[c].weight,
                missing,
                set: &sets[c],
                scorer: &scorers[c],
            })
            .collect();
        let scored = matching::score_columns(&columns, &stage)?;
        outcomes.push(matching::evaluate_columns(&columns, &scored));
        scorers.iter().for_each(|scorer| add_notes(&mut notes, scorer.notes()));
    }
    let facts = facts_of(&sets[0]);
    Ok(Evaluation { outcomes, notes, title: title(folder), facts, ranges, key: "iap" })
}

/// Retrieval: for each query the documents in the order of their scores.
///
/// # Errors
/// As for [`evaluate_match`].
pub fn evaluate_retrieval(
    folder: &Path,
    options: &Evaluate,
    context: &Context,
) -> Result<Evaluation, TaskError> {
    if options.compare.on.is_some() {
        return Err(TaskError::options(
            "documents and queries have one text: leave out option `on`",
        ));
    }
    let set = RetrievalSet::open(folder, &context.read)?;
    let facts = vec![
        fact("documents", set.documents.len()),
        fact("queries", set.queries.len()),
        fact("relevance judgements", set.grades.len()),
        gains_fact(options.gains),
    ];
    let texts: Vec<&str> = set.texts().collect();
    run(
        folder,
        &texts,
        set.queries.len() as u64,
        facts,
        "map",
        options,
        context,
        |scorer, stage| {
            let scored = retrieval::score_all(&set, scorer, stage)?;
            Ok(retrieval::evaluate(&set, scorer, &scored, options.gains))
        },
    )
}

/// Pairs with labels or ratings. `on` names the two columns; `gold` the one with the label or rating; `train` a table on which
/// the threshold of the held-out figures is chosen.
///
/// # Errors
/// As for [`evaluate_match`]; or if `train` is given and there are ratings, which need no threshold.
pub fn evaluate_pairs(
    file: &Path,
    gold: Option<&str>,
    train: Option<&Path>,
    options: &Evaluate,
    context: &Context,
) -> Result<Evaluation, TaskError> {
    options.refuse_gains()?;
    let on = match options.compare.on.as_deref().map(column_names).as_deref() {
        None => None,
        Some([left, right]) => Some((left.clone(), right.clone())),
        Some(_) => {
            return Err(TaskError::options("two columns are wanted here: option `on` LEFT,RIGHT"));
        }
    };
    let open = |path: &Path| {
        let on = on.as_ref().map(|(left, right)| (left.as_str(), right.as_str()));
        PairSet::open(path, on, gold, &context.read)
    };
    let set = open(file)?;
    let train = train.map(open).transpose()?;
    if let Some(train) = &train
        && !matches!((&train.gold, &set.gold), (Gold::Labels(_), Gold::Labels(_)))
    {
        let message = "option `train` goes with labels (0 or 1): ratings need no threshold";
        return Err(TaskError::options(message));
    }
    let threshold = |scorer: &Scorer| match &train {
        Some(train @ PairSet { gold: Gold::Labels(labels), .. }) => {
            let scores = pairs::score_all(train, scorer, &Stage::default())?;
            Ok::<_, TaskError>(Some(pairs::best_threshold(labels, &scores)))
        }
        _ => Ok(None),
    };
    let (key, kind) = match &set.gold {
        Gold::Labels(_) => ("best_f1", "labels"),
        Gold::Ratings(_) => ("pearson", "ratings"),
    };
    let facts = vec![fact("pairs", set.pairs.len()), fact("ground truth", kind)];
    let texts: Vec<&str> = set.texts().collect();
    run(file, &texts, set.pairs.len() as u64, facts, key, options, context, |scorer, stage| {
        let scores = pairs::score_all(&set, scorer, stage)?;
        Ok(pairs::evaluate(&set, scorer, &scores, threshold(scorer)?))
    })
}

fn strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn facts_of(set: &MatchSet) -> Vec<Fact> {
    vec![
        fact("records", set.left.len() + set.right.len()),
        fact("pairs", set.pairs()),
        fact("matches", set.total),
    ]
}

fn refuse_nothing(nothing: bool, data: &Path) -> Result<(), TaskError> {
    if nothing {
        let message = format!("{}: there is nothing to evaluate in it", data.display());
        return Err(TaskError::Input(message));
    }
    Ok(())
}

pub(super) fn fact(label: &str, value: impl std::fmt::Display) -> Fact {
    Fact { label: label.to_owned(), value: format!("{value}") }
}

/// Which gains the figures of graded relevance have.
pub(super) fn gains_fact(gains: Gain) -> Fact {
    fact("gains", format!("{gains} ({})", gains.formula()))
}

/// Runs every measure over the data. `steps` is the work of one.
#[expect(clippy::too_many_arguments, reason = "three evaluations differ in just these")]
fn run(
    data: &Path,
    texts: &[&str],
    steps: u64,
    facts: Vec<Fact>,
    key: &'static str,
    options: &Evaluate,
    context: &Context,
    outcome: impl Fn(&Scorer, &Stage) -> Result<Outcome, TaskError>,
) -> Result<Evaluation, TaskError> {
    options.compare.refuse_columns()?;
    let (measures, ranges) = measures(options)?;
    refuse_nothing(texts.is_empty(), data)?;
    let collection = match &options.compare.collection {
        Some(from) => super::counts::open(from, &measures, options.compare.on.as_deref(), context)?,
        None => Collection::build(measures.iter().flat_map(Measure::analyzers), texts)?,
    };
    let stage = context.control.stage("scoring", Some(steps * measures.len() as u64));
    let (mut outcomes, mut notes) = (Vec::new(), Vec::new());
    for measure in &measures {
        let scorer = measure.bind_with(&collection, &context.resources)?;
        outcomes.push(outcome(&scorer, &stage)?);
        add_notes(&mut notes, scorer.notes());
    }
    Ok(Evaluation { outcomes, notes, title: title(data), facts, ranges, key })
}

/// What data go by. A folder names its data; a file called test.tsv needs its folder's name too.
fn title(data: &Path) -> String {
    let names = data.components().rev().take(if data.is_file() { 2 } else { 1 });
    let names: Vec<_> = names.map(|c| c.as_os_str().to_string_lossy()).collect();
    names.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// The measures, and for a sweep the range of q of each.
fn measures(options: &Evaluate) -> Result<(Vec<Measure>, Vec<QRange>), TaskError> {
    let Some(measure) = &options.sweep else {
        return Ok((options.compare.measures(), Vec::new()));
    };
    let spectra = options.compare.with_analyzer(measure.clone()).spectra();
    if spectra.is_empty() {
        let message = format!("`{measure:#}` has no range of q to sweep; such as sc(q=1:10) has");
        return Err(TaskError::options(message));
    }
    Ok(spectra.into_iter().map(|(range, measure)| (measure, range)).unzip())
}
