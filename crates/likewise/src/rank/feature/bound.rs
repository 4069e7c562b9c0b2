//! Features bound to counts and files: they prepare records once and describe pairs.

use super::{Analyzed, Erased, FeatureExpression, FeatureSet, Scope};
use crate::collection::{Collection, CollectionError};
use crate::columns::{join, no_column};
use crate::measure::BindError;
use crate::resource::{Identity, Resources};
use crate::text::Analyzer;
use rayon::prelude::*;
use std::any::Any;
use std::fmt;

/// One text of a record that is compared: a column, or several joined.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// What it is called in names of features; nothing for the joined text.
    scope: Scope,
    /// The columns whose texts are joined.
    columns: Vec<usize>,
    features: Vec<FeatureExpression>,
}

impl Field {
    pub(super) fn joined<S: AsRef<str>>(columns: &[S]) -> Self {
        let columns = (0..columns.len()).collect();
        Self { scope: Scope::Joined, columns, features: Vec::new() }
    }

    pub(super) fn column(at: usize, name: &str) -> Self {
        Self { scope: Scope::Column(name.to_owned()), columns: vec![at], features: Vec::new() }
    }

    pub(super) fn add(&mut self, feature: &FeatureExpression) {
        if !self.features.contains(feature) {
            self.features.push(feature.clone());
        }
    }

    /// Its features.
    pub fn features(&self) -> &[FeatureExpression] {
        &self.features
    }

    /// What its numbers are called.
    pub fn value_names(&self) -> Vec<String> {
        let names = self.features.iter().flat_map(FeatureExpression::value_names);
        names.map(|name| format!("{}{name}", self.scope)).collect()
    }

    /// Its text, given those of all columns.
    fn text<S: AsRef<str>>(&self, texts: &[S]) -> String {
        join(self.columns.iter().filter_map(|&at| texts.get(at)).map(AsRef::as_ref))
    }

    /// The analyzers whose counts its features need.
    fn counted(&self) -> Vec<Analyzer> {
        self.features.iter().flat_map(FeatureExpression::counted).collect()
    }

    /// Counts the words of records for what the features of each field need: a collection for each field. A text that several
    /// records have counts as often as it is given.
    ///
    /// # Errors
    /// If there are more than 2³² − 1 distinct terms.
    pub fn count<R: AsRef<[S]> + Sync, S: AsRef<str>>(
        fields: &[Self],
        records: impl IntoIterator<Item = R, IntoIter: Clone>,
    ) -> Result<Vec<Collection>, CollectionError> {
        let records = records.into_iter();
        let count = |field: &Self| {
            Collection::build(
                field.counted(),
                records.clone().map(|record| field.text(record.as_ref())),
            )
        };
        fields.iter().map(count).collect()
    }
}

/// Why features cannot be computed.
#[derive(Debug)]
#[non_exhaustive]
pub enum FeatureError {
    /// A feature is of a column that there is not.
    NoColumn(String),
    /// A feature cannot be bound.
    Bind(BindError),
}

impl FeatureError {
    pub(super) fn no_column<S: AsRef<str>>(name: &str, columns: &[S]) -> Self {
        Self::NoColumn(format!("a feature is of a column `{name}`: {}", no_column(name, columns)))
    }
}

impl From<BindError> for FeatureError {
    fn from(error: BindError) -> Self {
        Self::Bind(error)
    }
}

impl fmt::Display for FeatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoColumn(message) => f.write_str(message),
            Self::Bind(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FeatureError {}

/// Features ready to describe pairs of records. See [`FeatureSet::bind`].
pub struct Features {
    fields: Vec<BoundField>,
    names: Vec<String>,
    resources: Vec<Identity>,
}

struct BoundField {
    field: Field,
    /// Each feature with how many numbers it gives.
    features: Vec<(Box<dyn Erased>, usize)>,
}

/// A record in the form in which one set of [`Features`] compares it.
pub struct PreparedRecord(Vec<Vec<Box<dyn Any + Send + Sync>>>);

impl FeatureSet {
    /// The features ready to describe records whose words were counted so, one collection for each field.
    ///
    /// # Errors
    /// If a file that a feature names cannot be had, or counts are missing.
    pub fn bind(
        &self,
        fields: &[Field],
        counts: &[Collection],
        resources: &Resources,
    ) -> Result<Features, FeatureError> {
        let resources = resources.scope();
        let none = Collection::default();
        let bind = |(at, field): (usize, &Field)| {
            let counts = counts.get(at).unwrap_or(&none);
            let bind = |feature: &FeatureExpression| {
                Ok((feature.bind(counts, &resources)?, feature.value_names().len()))
            };
            let features = field.features.iter().map(bind).collect::<Result<_, BindError>>()?;
            Ok(BoundField { field: field.clone(), features })
        };
        let bound = fields.iter().enumerate().map(bind).collect::<Result<_, BindError>>()?;
        let names = fields.iter().flat_map(Field::value_names).collect();
        Ok(Features { fields: bound, names, resources: resources.used() })
    }
}

impl Features {
    /// What the numbers are called, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many numbers describe a pair.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The files that they use, each once.
    pub fn resources(&self) -> &[Identity] {
        &self.resources
    }

    /// Prepares a record, given the texts of its columns.
    pub fn prepare<S: AsRef<str>>(&self, texts: &[S]) -> PreparedRecord {
        let of = |bound: &BoundField| {
            let text = bound.field.text(texts);
            let analyzed = Analyzed::new(&text);
            bound.features.iter().map(|(feature, _)| feature.prepare(&analyzed)).collect()
        };
        PreparedRecord(self.fields.iter().map(of).collect())
    }

    /// Prepares many records, in parallel.
    pub fn prepare_all<R: AsRef<[S]> + Sync, S: AsRef<str>>(
        &self,
        records: &[R],
    ) -> Vec<PreparedRecord> {
        records.par_iter().with_min_len(16).map(|record| self.prepare(record.as_ref())).collect()
    }

    /// Writes the numbers that describe a pair.
    ///
    /// # Panics
    /// If there is not room for [`len`](Self::len) numbers.
    pub fn describe(&self, a: &PreparedRecord, b: &PreparedRecord, out: &mut [f64]) {
        let mut at = 0;
        for (field, (a, b)) in self.fields.iter().zip(a.0.iter().zip(&b.0)) {
            for ((feature, n), (a, b)) in field.features.iter().zip(a.iter().zip(b)) {
                feature.describe(&**a, &**b, &mut out[at..at + n]);
                at += n;
            }
        }
        // A learner cannot take what is not a number.
        out[..at].iter_mut().filter(|x| !x.is_finite()).for_each(|x| *x = 0.0);
    }

    /// The numbers that describe a pair.
    pub fn values(&self, a: &PreparedRecord, b: &PreparedRecord) -> Vec<f64> {
        let mut out = vec![0.0; self.len()];
        self.describe(a, b, &mut out);
        out
    }
}
