//! A model: what was learned, with everything that it takes to use it.
//!
//! On disk it is one container file of [`store`](crate::store), checked at opening over every byte:
//!
//! ```text
//! header       JSON: format version, columns, features, resources with checksums, calibration, threshold, figures
//! counts.N     the counts of field N, as in a collection file
//! roots, feature, value, child                 a forest
//! vectors, coefficients, shift, factor         a support vector machine
//! ```
//!
//! There is no code in it. Arrays are read where they lie; nothing is allocated by a number that the file gives, and a checksum tells
//! what was damaged, not what was made up, so that all of it is checked to fit together.

use super::feature::{FeatureError, FeatureSet, Features, Field, PreparedRecord};
use super::learn::{Calibration, Decide, Figures, Forest, Svm, Target, Trained};
use crate::collection::Collection;
use crate::resource::{Identity, Resources};
use crate::store::{File, FileWriter, Number, StoreError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u32 = 1;
/// A longer header is not read.
const LONGEST_HEADER: usize = 16 << 20;
/// Fields have their counts in sections of this name and their number.
const COUNTS: &str = "counts";

/// A column of the left rows and the one that it is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ColumnPair {
    /// Its name in the left table, or that of the query.
    pub left: String,
    /// Its name in the right table, or that of the candidate.
    pub right: String,
}

impl ColumnPair {
    /// Two columns that are compared.
    pub fn new(left: impl Into<String>, right: impl Into<String>) -> Self {
        Self { left: left.into(), right: right.into() }
    }
}

/// What was learned, with everything that it takes to use it.
#[derive(Debug, Clone)]
pub struct Model {
    header: Header,
    fields: Vec<Field>,
    counts: Vec<Collection>,
    decide: Decide,
    /// Where it was read from.
    path: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: u32,
    /// The program that wrote it.
    program: String,
    columns: Vec<ColumnPair>,
    features: FeatureSet,
    /// What the numbers are called: the program that reads the file must call them the same.
    values: Vec<String>,
    /// The mean of each number over the training examples.
    means: Vec<f64>,
    resources: Vec<Identity>,
    target: Target,
    calibration: Option<Calibration>,
    threshold: Option<f64>,
    figures: Figures,
    learned: Learned,
}

/// What is not an array of what was learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Learned {
    Forest,
    Svm { gamma: Option<f64>, rho: f64, mean: f64, deviation: f64 },
}

/// Why a model cannot be read, written or used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ModelError {
    /// The file is no model, is damaged, or of another version.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// Its features cannot be bound: a file that they use is not there, or not what it was.
    Features {
        /// The file, if it was read from one.
        path: Option<PathBuf>,
        /// Why.
        error: FeatureError,
    },
    /// It cannot be written.
    Write(StoreError),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::Features { path: Some(path), error } => write!(f, "{}: {error}", path.display()),
            Self::Features { path: None, error } => error.fmt(f),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ModelError {}

impl Model {
    /// A model of what was learned from examples that these features describe. `counts` has a collection for each field, `means` the mean of
    /// each number.
    ///
    /// # Errors
    /// If a feature is of a column that there is not.
    pub fn new(
        columns: Vec<ColumnPair>,
        features: FeatureSet,
        counts: Vec<Collection>,
        resources: &[Identity],
        means: Vec<f64>,
        trained: Trained,
    ) -> Result<Self, FeatureError> {
        let fields = fields(&features, &columns)?;
        let learned = match &trained.decide {
            Decide::Forest(_) => Learned::Forest,
            Decide::Svm(svm) => {
                let (mean, deviation) = svm.scale.target;
                Learned::Svm { gamma: svm.gamma, rho: svm.rho, mean, deviation }
            }
        };
        let header = Header {
            format: VERSION,
            program: format!("likewise {}", env!("CARGO_PKG_VERSION")),
            columns,
            features,
            values: fields.iter().flat_map(Field::value_names).collect(),
            means,
            resources: resources.to_vec(),
            target: trained.target,
            calibration: trained.calibration,
            threshold: trained.threshold,
            figures: trained.figures,
            learned,
        };
        Ok(Self { header, fields, counts, decide: trained.decide, path: None })
    }

    /// Which columns it compares.
    pub fn columns(&self) -> &[ColumnPair] {
        &self.header.columns
    }

    /// Its features.
    pub fn features(&self) -> &FeatureSet {
        &self.header.features
    }

    /// What the numbers are called that describe a pair.
    pub fn value_names(&self) -> &[String] {
        &self.header.values
    }

    /// What it gives: a probability, or a rating.
    pub fn target(&self) -> Target {
        self.header.target
    }

    /// The probability from which on a pair is a match; none where it gives ratings.
    pub fn threshold(&self) -> Option<f64> {
        self.header.threshold
    }

    /// How training went.
    pub fn figures(&self) -> &Figures {
        &self.header.figures
    }

    /// The files that its features use.
    pub fn resources(&self) -> &[Identity] {
        &self.header.resources
    }

    /// Writes it: after a crash at any moment the old file or the new one is there, whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        let header = serde_json::to_vec(&self.header).map_err(|error| ModelError::Unreadable {
            path: path.into(),
            reason: error.to_string(),
        })?;
        let write = |file: &mut FileWriter| {
            file.write::<u8>("header", &header)?;
            for (number, counts) in self.counts.iter().enumerate() {
                file.write::<u8>(&format!("{COUNTS}.{number}"), &counts.to_bytes())?;
            }
            match &self.decide {
                Decide::Forest(forest) => {
                    file.write("roots", &forest.roots)?;
                    file.write("feature", &forest.feature)?;
                    file.write("value", &forest.value)?;
                    file.write("child", &forest.child)
                }
                Decide::Svm(svm) => {
                    file.write("vectors", &svm.vectors)?;
                    file.write("coefficients", &svm.coefficients)?;
                    file.write("shift", &svm.scale.shift)?;
                    file.write("factor", &svm.scale.factor)
                }
            }
        };
        FileWriter::replace(path, write).map(|_| ()).map_err(ModelError::Write)
    }

    /// Reads a model and checks all of it.
    ///
    /// # Errors
    /// If it is no model, of another version, differs in any byte from what was written, or does not fit together.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let wrong = |reason: String| ModelError::Unreadable { path: path.to_owned(), reason };
        let file = File::open(path).map_err(|error| match error {
            StoreError::Io { source, .. } => wrong(source.to_string()),
            _ if !File::is_one(path) => wrong("not a model; `likewise train` makes one".to_owned()),
            error => wrong(format!(
                "damaged or cut short ({}); train it again",
                error.to_string().trim_start_matches(&format!("{}: ", path.display()))
            )),
        })?;
        let mut model = Self::read(&file).map_err(wrong)?;
        model.path = Some(path.to_owned());
        Ok(model)
    }

    fn read(file: &File) -> Result<Self, String> {
        let no_model = || "not a model; `likewise train` makes one".to_owned();
        let broken = |what: &str| format!("its {what} makes no sense; train it again");
        let header = file.section::<u8>("header").map_err(|_| no_model())?;
        if header.len() > LONGEST_HEADER {
            return Err(broken("header"));
        }
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let Format { format } = serde_json::from_slice(&header).map_err(|_| no_model())?;
        if format != VERSION {
            return Err(format!(
                "a model of format version {format}, but this program reads version {VERSION}; train it again"
            ));
        }
        let header: Header = serde_json::from_slice(&header)
            .map_err(|error| format!("its header cannot be read ({error}); train it again"))?;
        let fields =
            fields(&header.features, &header.columns).map_err(|error| error.to_string())?;
        let width = header.values.len();
        let values: Vec<String> = fields.iter().flat_map(Field::value_names).collect();
        if values != header.values {
            return Err("its features have other values in this version; train it again".to_owned());
        }
        if header.means.len() != width || !header.means.iter().all(|m| m.is_finite()) {
            return Err(broken("header"));
        }
        let probability = |p: f64| (0.0..=1.0).contains(&p);
        let decides = match (header.target, header.calibration, header.threshold) {
            (Target::Match, Some(c), Some(threshold)) => {
                probability(threshold) && c.a.is_finite() && c.b.is_finite()
            }
            (Target::Rating, None, None) => true,
            _ => false,
        };
        if !decides {
            return Err(broken("threshold"));
        }
        let counts = |number: usize| {
            let bytes = file.section::<u8>(&format!("{COUNTS}.{number}"));
            let bytes = bytes.map_err(|_| broken("list of counts"))?;
            Collection::from_bytes(&bytes).map_err(|_| broken("list of counts"))
        };
        let counts = (0..fields.len()).map(counts).collect::<Result<_, String>>()?;
        let decide = Self::read_learned(file, &header.learned, width)?;
        Ok(Self { header, fields, counts, decide, path: None })
    }

    fn read_learned(file: &File, learned: &Learned, width: usize) -> Result<Decide, String> {
        fn array<T: Number>(file: &File, name: &str) -> Result<Vec<T>, String> {
            let section = file.section::<T>(name);
            section.map(|all| all.to_vec()).map_err(|_| format!("it has no {name}; train it again"))
        }
        let fits = match learned {
            Learned::Forest => {
                let forest = Forest {
                    roots: array(file, "roots")?,
                    feature: array(file, "feature")?,
                    value: array(file, "value")?,
                    child: array(file, "child")?,
                };
                forest.check(width).then_some(Decide::Forest(forest))
            }
            &Learned::Svm { gamma, rho, mean, deviation } => {
                let svm = Svm::of_parts(
                    gamma,
                    width,
                    [array(file, "vectors")?, array(file, "coefficients")?],
                    rho,
                    [array(file, "shift")?, array(file, "factor")?],
                    (mean, deviation),
                );
                svm.check(width).then_some(Decide::Svm(svm))
            }
        };
        fits.ok_or_else(|| "what it learned makes no sense; train it again".to_owned())
    }

    /// The model ready to describe and decide, with the files that its features use.
    ///
    /// # Errors
    /// If such a file is not there, or has not the content that the model was trained with.
    pub fn bind(&self, resources: &Resources) -> Result<Ranker<'_>, ModelError> {
        let resources = match &self.path {
            Some(path) => resources.expecting(path, self.header.resources.clone()),
            None => resources.clone(),
        };
        let features = self.header.features.bind(&self.fields, &self.counts, &resources);
        let wrong = |error| ModelError::Features { path: self.path.clone(), error };
        Ok(Ranker { model: self, features: features.map_err(wrong)? })
    }
}

fn fields(features: &FeatureSet, columns: &[ColumnPair]) -> Result<Vec<Field>, FeatureError> {
    let names: Vec<&str> = columns.iter().map(|c| c.left.as_str()).collect();
    features.fields(&names)
}

/// What one number did to a probability or rating.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Effect {
    /// What the number is called.
    pub name: String,
    /// The number.
    pub value: f64,
    /// How much larger the result is than if the number were what it is on average.
    pub effect: f64,
}

/// A model ready to give pairs probabilities or ratings.
pub struct Ranker<'a> {
    model: &'a Model,
    features: Features,
}

impl Ranker<'_> {
    /// The model.
    pub fn model(&self) -> &Model {
        self.model
    }

    /// The features, bound.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The probability that a pair is a match, or its rating, given its numbers.
    pub fn predict(&self, values: &[f64]) -> f64 {
        let header = &self.model.header;
        let decision = self.model.decide.decision(values, header.target);
        header.calibration.map_or(decision, |c| c.probability(decision))
    }

    /// The same of two records prepared by its [`features`](Self::features).
    pub fn score(&self, left: &PreparedRecord, right: &PreparedRecord) -> f64 {
        self.predict(&self.features.values(left, right))
    }

    /// Why a pair gets what it gets: what each number did to it, the strongest first.
    pub fn explain(&self, values: &[f64]) -> Vec<Effect> {
        let result = self.predict(values);
        let mut changed = values.to_vec();
        let mut effects: Vec<Effect> = Vec::with_capacity(values.len());
        for (at, name) in self.features.names().iter().enumerate() {
            let value = values[at];
            changed[at] = self.model.header.means[at];
            effects.push(Effect {
                name: name.clone(),
                value,
                effect: result - self.predict(&changed),
            });
            changed[at] = value;
        }
        effects.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
        effects
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
