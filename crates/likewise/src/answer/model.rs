//! A learned ranker of choices: training, and the file that keeps it.

use super::describe::names;
use super::ranker::{Differences, dot, fit};
use crate::measure::{Measure, Scorer};
use crate::store::{File, FileWriter, StoreError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a model file says of itself.
const KIND: &str = "likewise answer model";
/// Counts up when features change their meaning.
const VERSION: u32 = 1;

/// The penalties that cross-validation chooses from.
const PENALTIES: [f64; 5] = [0.003, 0.01, 0.03, 0.1, 0.3];
/// Documents are dealt into so many folds, in the order of the data.
const FOLDS: usize = 5;

/// A learned ranker of choices.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Model {
    /// What it is and where it comes from.
    pub about: About,
    /// What each feature is divided by.
    scales: Vec<f64>,
    weights: Vec<f64>,
}

/// What a model file says of itself, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct About {
    kind: String,
    version: u32,
    /// The names of its features.
    pub features: Vec<String>,
    /// The measures among them, as expressions.
    pub measures: Vec<Measure>,
    /// The files it was trained on.
    pub trained_on: Vec<String>,
    /// How many questions they have.
    pub questions: usize,
    /// The penalty for large weights that was chosen.
    pub penalty: f64,
    /// The share of questions answered right in cross-validation over documents, with that penalty.
    pub cross_validated: f64,
}

/// A question for training: its document's number, its choices' features, and the right one.
pub(super) struct Example {
    pub document: usize,
    pub features: Vec<Vec<f64>>,
    pub answer: usize,
}

impl Model {
    /// Learns from examples, the same model on every run. Each feature is divided by its spread among the choices of a question;
    /// the penalty is the one with the most right answers in cross-validation, the largest of equals.
    pub(super) fn train(
        examples: &[Example],
        measures: &[Scorer],
        expressions: Vec<Measure>,
        trained_on: Vec<String>,
    ) -> Self {
        let features = names(measures);
        let width = features.len();
        let scales = scales(examples, width);
        let differences: Vec<Differences> =
            examples.iter().map(|example| differences(example, &scales)).collect();
        let right = |penalty: f64| {
            let of_fold = |fold: usize| {
                let is_in = |example: &Example| example.document % FOLDS == fold;
                let others = examples.iter().zip(&differences).filter(|(e, _)| !is_in(e));
                let weights = fit(&others.map(|(_, d)| d).collect::<Vec<_>>(), width, penalty);
                let own = examples.iter().zip(&differences).filter(|(e, _)| is_in(e));
                own.filter(|(_, d)| d.iter().all(|x| dot(&weights, x) > 0.0)).count()
            };
            (0..FOLDS).map(of_fold).sum::<usize>()
        };
        let tried = PENALTIES.map(|penalty| (right(penalty), penalty));
        let (best, penalty) = tried
            .into_iter()
            .fold((0, PENALTIES[0]), |best, one| if one.0 >= best.0 { one } else { best });
        let weights = fit(&differences.iter().collect::<Vec<_>>(), width, penalty);
        let about = About {
            kind: KIND.to_owned(),
            version: VERSION,
            features,
            measures: expressions,
            trained_on,
            questions: examples.len(),
            penalty,
            cross_validated: best as f64 / examples.len().max(1) as f64,
        };
        Self { about, scales, weights }
    }

    /// A choice's score: the log odds of being the better of two, up to what both have in common.
    pub(super) fn score(&self, features: &[f64]) -> f64 {
        let terms = features.iter().zip(&self.scales).zip(&self.weights);
        terms.map(|((value, scale), weight)| weight * value / scale).sum()
    }

    /// The features with their weights for standardised values, largest first.
    pub fn weights(&self) -> Vec<(&str, f64)> {
        let names = self.about.features.iter().map(String::as_str);
        let mut all: Vec<(&str, f64)> = names.zip(self.weights.iter().copied()).collect();
        all.sort_by(|x, y| y.1.abs().total_cmp(&x.1.abs()).then(x.0.cmp(y.0)));
        all
    }

    /// Writes the model: after a kill at any moment the old file or the new one is there, whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        let about = serde_json::to_vec_pretty(&self.about).unwrap_or_default();
        FileWriter::replace(path, |file| {
            file.write::<u8>("answer model", &about)?;
            file.write::<f64>("scales", &self.scales)?;
            file.write::<f64>("weights", &self.weights)
        })?;
        Ok(())
    }

    /// Reads a model.
    ///
    /// # Errors
    /// If it cannot be read, is cut short or altered, is no model of this kind or of another version, or was trained on features
    /// that this program does not compute.
    pub fn open(path: &Path) -> Result<Self, String> {
        let fail = |reason: &str| {
            format!("{}: {reason}; train it again: likewise answer train", path.display())
        };
        let file = File::open(path).map_err(|error| error.to_string())?;
        if !file.sections().any(|(name, _)| name == "answer model") {
            return Err(fail("it is a file of likewise, but no model for answering"));
        }
        let stored = |error: StoreError| error.to_string();
        let about = file.section::<u8>("answer model").map_err(stored)?;
        let about: About = serde_json::from_slice(&about)
            .map_err(|error| fail(&format!("what it says of itself cannot be read ({error})")))?;
        if about.kind != KIND || about.version != VERSION {
            return Err(fail(&format!(
                "it is of version {}, and this program reads {VERSION}",
                about.version
            )));
        }
        let scales = file.section::<f64>("scales").map_err(stored)?.to_vec();
        let weights = file.section::<f64>("weights").map_err(stored)?.to_vec();
        let width = about.features.len();
        let usable = |values: &[f64]| values.len() == width && values.iter().all(|v| v.is_finite());
        if !usable(&scales) || !usable(&weights) || scales.iter().any(|scale| *scale <= 0.0) {
            return Err(fail("its weights do not fit its features"));
        }
        Ok(Self { about, scales, weights })
    }

    /// Refuses a model whose features are not those of this program.
    pub(super) fn check(&self, measures: &[Scorer]) -> Result<(), String> {
        if self.about.features == names(measures) {
            return Ok(());
        }
        Err("the model was trained on other features than this program computes; train it again"
            .to_owned())
    }
}

/// The spread of each feature around the mean of its question.
fn scales(examples: &[Example], width: usize) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    let mut choices = 0;
    for example in examples {
        let count = example.features.len() as f64;
        for (at, sum) in sums.iter_mut().enumerate() {
            let mean = example.features.iter().map(|f| f[at]).sum::<f64>() / count;
            *sum += example.features.iter().map(|f| (f[at] - mean).powi(2)).sum::<f64>();
        }
        choices += example.features.len();
    }
    sums.iter().map(|sum| (sum / choices.max(1) as f64).sqrt().max(1e-9)).collect()
}

fn differences(example: &Example, scales: &[f64]) -> Differences {
    let right = &example.features[example.answer];
    let wrong = example.features.iter().enumerate().filter(|(at, _)| *at != example.answer);
    let minus = |(_, wrong): (usize, &Vec<f64>)| {
        right.iter().zip(wrong).zip(scales).map(|((r, w), scale)| (r - w) / scale).collect()
    };
    wrong.map(minus).collect()
}
