//! How good a model is on labelled data.

use super::decide::{ByModel, match_by_model, probabilities, records};
use super::describe::distinct_texts;
use super::pairs::Labels;
use crate::columns::Columns;
use crate::link::Pair;
use crate::rank::Model;
use crate::rank::learn::Confusion;
use crate::table::Wanted;
use crate::task::target::find;
use crate::task::{Context, TaskError, read_table};
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};
use std::path::Path;

/// What a model reached at its own threshold.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelEvaluation {
    /// Decisions against labels.
    pub confusion: Confusion,
    /// The threshold.
    pub threshold: f64,
    /// Ends of the 95 % bootstrap interval of F1.
    pub interval: Option<(f64, f64)>,
    /// What was evaluated.
    pub reading: String,
}

impl ModelEvaluation {
    /// As a JSON object.
    pub fn to_json(&self) -> Value {
        let c = &self.confusion;
        let mut all = Map::new();
        all.insert("f1".into(), json!(c.f(1.0)));
        all.insert("precision".into(), json!(c.precision()));
        all.insert("recall".into(), json!(c.recall()));
        all.insert("accuracy".into(), json!(c.accuracy()));
        if let Some((low, high)) = self.interval {
            all.insert("f1_low".into(), json!(low));
            all.insert("f1_high".into(), json!(high));
        }
        all.insert("threshold".into(), json!(self.threshold));
        all.insert("true_positives".into(), json!(c.true_positives));
        all.insert("false_positives".into(), json!(c.false_positives));
        all.insert("false_negatives".into(), json!(c.false_negatives));
        all.insert("true_negatives".into(), json!(c.true_negatives));
        Value::Object(all)
    }
}

/// Evaluates a model on a folder, at its own threshold: labelled pairs (`tableA.csv`, `tableB.csv`, `test.csv`) are decided one by one; of whole tables
/// (`left.csv`, `right.csv`, `matches.csv`) all links are found and compared with the matches.
///
/// # Errors
/// If the folder holds neither, or the tables have not the columns that the model compares.
pub fn evaluate_model(
    folder: &Path,
    model: &Model,
    options: &ByModel,
    context: &Context,
) -> Result<ModelEvaluation, TaskError> {
    let threshold = threshold_of(model)?;
    let has = |name: &str| folder.join(name).is_file();
    let read = |name: &str| read_table(&folder.join(name), &Wanted::default(), context);
    if has("tableA.csv") && has("tableB.csv") && has("test.csv") {
        let (a, b, test) = (read("tableA.csv")?, read("tableB.csv")?, read("test.csv")?);
        let (a, b, test) = (a.columns()?, b.columns()?, test.columns()?);
        let (l, r) = records(&a, Some(&b), model, options.ids())?;
        let r = r.unwrap_or_default();
        let pairs = Labels::default().of_ids(&test, "test.csv", &l, &r, false)?;
        let plain: Vec<Pair> =
            pairs.iter().map(|p| Pair::new(p.left as u32, p.right as u32, 0.0)).collect();
        let found = probabilities(model, &l, &r, &plain, context)?;
        let p: Vec<f64> = found.iter().map(|pair| pair.score).collect();
        let labels: Vec<f64> = pairs.iter().map(|pair| pair.target).collect();
        let confusion = Confusion::at(threshold, &p, &labels);
        let interval = interval(&p, &labels, threshold);
        let reading = format!("{} labelled pairs of test.csv", pairs.len());
        return Ok(ModelEvaluation { confusion, threshold, interval, reading });
    }
    if has("left.csv") && has("right.csv") && has("matches.csv") {
        let (a, b, matches) = (read("left.csv")?, read("right.csv")?, read("matches.csv")?);
        let (a, b, matches) = (a.columns()?, b.columns()?, matches.columns()?);
        let found = match_by_model(&a, &b, model, options, context)?;
        let (l, r) = records(&a, Some(&b), model, options.ids())?;
        let (l, r) = (l, r.unwrap_or_default());
        let mut labels = Labels::default();
        (labels.left, labels.right) = ("left_id".to_owned(), "right_id".to_owned());
        let listed = labels.of_ids(&matches, "matches.csv", &l, &r, true)?;
        let wanted: FxHashSet<(u32, u32)> =
            listed.iter().map(|p| (p.left as u32, p.right as u32)).collect();
        let right =
            found.pairs.iter().filter(|p| wanted.contains(&(p.left, p.right))).count() as u64;
        let all = (l.texts.len() as u64).saturating_mul(r.texts.len() as u64);
        let (false_positives, false_negatives) =
            (found.pairs.len() as u64 - right, wanted.len() as u64 - right);
        let confusion = Confusion {
            true_positives: right,
            false_positives,
            false_negatives,
            true_negatives: all.saturating_sub(right + false_positives + false_negatives),
        };
        let reading = format!("links between {} and {} rows", l.texts.len(), r.texts.len());
        return Ok(ModelEvaluation { confusion, threshold, interval: None, reading });
    }
    Err(TaskError::Input(format!(
        "{}: it has neither tableA.csv, tableB.csv and test.csv nor left.csv, right.csv and matches.csv",
        folder.display()
    )))
}

/// Evaluates a model on a table of labelled pairs of texts, at its own threshold. The columns of texts are those that it was trained on; `labels` says
/// which column has labels, and from which grade on a pair is a match.
///
/// # Errors
/// If the table has no such columns, or the model gives ratings.
pub fn evaluate_model_on_pairs(
    pairs: &Columns,
    model: &Model,
    labels: &Labels,
    context: &Context,
) -> Result<ModelEvaluation, TaskError> {
    let threshold = threshold_of(model)?;
    let [columns] = model.columns() else {
        return Err(TaskError::options(
            "the model compares records of several columns, not pairs of texts",
        ));
    };
    let places = [find(pairs, &columns.left)?, find(pairs, &columns.right)?];
    let (left, right, of_rows) = distinct_texts(pairs, places);
    let targets = labels.targets(pairs, "the table of pairs")?;
    let plain: Vec<Pair> =
        of_rows.iter().map(|&(l, r)| Pair::new(l as u32, r as u32, 0.0)).collect();
    let found = probabilities(model, &left, &right, &plain, context)?;
    let p: Vec<f64> = found.iter().map(|pair| pair.score).collect();
    Ok(ModelEvaluation {
        confusion: Confusion::at(threshold, &p, &targets),
        threshold,
        interval: interval(&p, &targets, threshold),
        reading: format!("{} labelled pairs", pairs.rows()),
    })
}

fn threshold_of(model: &Model) -> Result<f64, TaskError> {
    model.threshold().ok_or_else(|| {
        TaskError::options("the model gives ratings and decides nothing; train one on labels")
    })
}

/// How many samples an interval is made of.
const SAMPLES: u64 = 1000;

/// The 95 % bootstrap interval of F1 at a threshold, over pairs.
fn interval(p: &[f64], labels: &[f64], threshold: f64) -> Option<(f64, f64)> {
    use crate::rank::learn::Random;
    if p.is_empty() {
        return None;
    }
    let sample = |number: u64| {
        let (mut random, mut counts) = (Random::new(1, number), Confusion::default());
        for _ in 0..p.len() {
            let at = random.below(p.len());
            counts.add(p[at] >= threshold, labels[at] > 0.5);
        }
        counts.f(1.0)
    };
    let mut all: Vec<f64> = (0..SAMPLES).map(sample).collect();
    all.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize];
    Some((at(0.025), at(0.975)))
}
