//! The numbers of pairs, for learners of ours and of others.

use super::pairs::{LabelledPair, Records};
use crate::columns::Columns;
use crate::rank::feature::{FeatureSet, Features, Field, PreparedRecord};
use crate::rank::learn::Examples;
use crate::task::score::pair_columns;
use crate::task::target::find;
use crate::task::{Context, TaskError};
use crate::text::Analyzer;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Options for describing pairs of texts by features.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct PairFeatures {
    /// The two columns, `LEFT,RIGHT`; without it the only two.
    pub on: Option<String>,
    /// The features: a preset or a list of expressions. Without it `sentences`.
    pub features: Option<FeatureSet>,
    /// How texts become terms, for features that do not say themselves.
    pub analyzer: Option<Analyzer>,
    /// A file of word vectors, for features that use one and do not name one themselves.
    pub vectors: Option<String>,
    /// Who parses texts that bring no trees, for features that use trees and do not say themselves: a parser's model, `en` the English
    /// one that is built in, `none` nobody. Without it the English one, texts in Latin script.
    pub parser: Option<String>,
}

/// Pairs as numbers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Described {
    /// What the numbers are called.
    pub names: Vec<String>,
    /// The numbers of each pair.
    pub rows: Vec<Vec<f64>>,
}

/// So many pairs are described between two looks at whether to go on.
const CHUNK: usize = 4096;

/// The features of every pair of two columns. Words are weighed by how rare they are among all texts of both.
///
/// ```
/// use likewise::columns::Columns;
/// use likewise::task::{Context, PairFeatures, describe_pairs};
///
/// let pairs = Columns::new().with("a", &["a cat", "dogs"])?.with("b", &["the cat", "dog"])?;
/// let mut options = PairFeatures::default();
/// options.features = Some("overlap, length(form=ratio)".parse()?);
/// let found = describe_pairs(&pairs, &options, &Context::default())?;
/// assert_eq!(found.rows, [[0.5, 1.0], [0.0, 1.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the options do not name two columns, or a feature cannot be bound.
pub fn describe_pairs(
    pairs: &Columns,
    options: &PairFeatures,
    context: &Context,
) -> Result<Described, TaskError> {
    let places =
        pair_columns("the table", pairs.names(), options.on.as_deref(), |name| find(pairs, name))?;
    let (left, right, all) = distinct_texts(pairs, places);
    let features = options.features.clone().map_or_else(|| "sentences".parse(), Ok)?;
    let features = settled(
        features,
        options.analyzer.as_ref(),
        options.vectors.as_deref(),
        options.parser.as_deref(),
    )?;
    let (_, bound) = bind(&features, &["text"], &left, &right, context)?;
    let all: Vec<LabelledPair> =
        all.into_iter().map(|(left, right)| LabelledPair { left, right, target: 0.0 }).collect();
    let examples = examples(&bound, &left, &right, &all, context)?;
    let rows = (0..examples.len()).map(|at| examples.row(at).to_vec()).collect();
    Ok(Described { names: bound.names().to_vec(), rows })
}

/// Features with an analyzer, word vectors and a parser, if there are any. Vectors or a parser that no feature takes are refused: an option is
/// never ignored.
pub(super) fn settled(
    mut features: FeatureSet,
    analyzer: Option<&Analyzer>,
    vectors: Option<&str>,
    parser: Option<&str>,
) -> Result<FeatureSet, TaskError> {
    if let Some(analyzer) = analyzer {
        features = features.with_analyzer(analyzer);
    }
    if let Some(vectors) = vectors {
        let with = features.clone().with_vectors(vectors);
        features = changed("vectors", "word vectors", &features, with)?;
    }
    if let Some(parser) = parser {
        let with = features.clone().with_parser(parser);
        features = changed("parser", "a parser", &features, with)?;
    }
    Ok(features)
}

fn changed(
    option: &str,
    what: &str,
    before: &FeatureSet,
    with: FeatureSet,
) -> Result<FeatureSet, TaskError> {
    if with == *before {
        return Err(TaskError::options(format!(
            "option `{option}`: none of these features takes {what}, or each names its own; `embedding` and `dependency` do: {before:#}"
        )));
    }
    Ok(with)
}

/// The distinct texts of both columns, and the pairs by their numbers.
pub(super) fn distinct_texts(
    pairs: &Columns,
    [left, right]: [usize; 2],
) -> (Records, Records, Vec<(usize, usize)>) {
    let distinct = |column: usize| {
        let mut places = rustc_hash::FxHashMap::default();
        let (mut records, mut of_row) = (Records::default(), Vec::with_capacity(pairs.rows()));
        for row in 0..pairs.rows() {
            let text = pairs.text(column, row);
            let place = *places.entry(text).or_insert_with(|| {
                records.ids.push((row + 1).to_string());
                records.texts.push(vec![text.to_owned()]);
                records.texts.len() - 1
            });
            of_row.push(place);
        }
        (records, of_row)
    };
    let ((l, of_left), (r, of_right)) = (distinct(left), distinct(right));
    (l, r, of_left.into_iter().zip(of_right).collect())
}

/// Counts the words of all records and binds the features to them.
pub(super) fn bind<S: AsRef<str>>(
    features: &FeatureSet,
    columns: &[S],
    left: &Records,
    right: &Records,
    context: &Context,
) -> Result<(Vec<crate::collection::Collection>, Features), TaskError> {
    let fields = features.fields(columns)?;
    let stage = context.control.stage("counting words", None);
    let counts = Field::count(&fields, left.texts.iter().chain(&right.texts))?;
    drop(stage);
    let bound = features.bind(&fields, &counts, &context.resources)?;
    Ok((counts, bound))
}

/// The numbers of pairs; a group is a left record. Each record is prepared once.
pub(super) fn examples(
    features: &Features,
    left: &Records,
    right: &Records,
    pairs: &[LabelledPair],
    context: &Context,
) -> Result<Examples, TaskError> {
    let stage = context.control.stage("pairs described", Some(pairs.len() as u64));
    let prepare = |records: &Records, row: &dyn Fn(&LabelledPair) -> usize| {
        let mut needed = vec![false; records.texts.len()];
        pairs.iter().for_each(|pair| needed[row(pair)] = true);
        let prepare =
            |(texts, needed): (&Vec<String>, bool)| needed.then(|| features.prepare(texts));
        records.texts.par_iter().zip(needed).map(prepare).collect::<Vec<Option<PreparedRecord>>>()
    };
    let l = prepare(left, &|pair| pair.left);
    stage.check()?;
    let r = prepare(right, &|pair| pair.right);
    let mut examples = Examples::new(features.len());
    for chunk in pairs.chunks(CHUNK) {
        let values = |pair: &LabelledPair| match (&l[pair.left], &r[pair.right]) {
            (Some(a), Some(b)) => features.values(a, b),
            // Every record of a pair was prepared above.
            _ => vec![0.0; features.len()],
        };
        let rows: Vec<Vec<f64>> = chunk.par_iter().map(values).collect();
        for (row, pair) in rows.iter().zip(chunk) {
            examples.push(row, pair.target, pair.left as u32);
        }
        stage.advance(chunk.len() as u64)?;
    }
    Ok(examples)
}
