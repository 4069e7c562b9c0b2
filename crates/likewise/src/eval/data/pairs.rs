//! Pairs of texts with a label or a human rating.

use super::{DataError, each_row_of};
use crate::table::{ReadOptions, Reader};
use std::path::Path;

/// Pairs of texts with human labels.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PairSet {
    /// The pairs.
    pub pairs: Vec<(String, String)>,
    /// The labels, pair by pair.
    pub gold: Gold,
}

/// The human label of each pair.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Gold {
    /// Alike or not.
    Labels(Vec<bool>),
    /// How alike.
    Ratings(Vec<f64>),
}

/// Columns that hold two texts, under the names they have in the usual data sets.
const TEXT_COLUMNS: [(&str, &str); 6] = [
    ("left", "right"),
    ("sentence1", "sentence2"),
    ("text1", "text2"),
    ("text", "hypothesis"),
    ("question1", "question2"),
    ("a", "b"),
];

impl PairSet {
    /// Reads a table of pairs. The two texts are the columns `on`, or else a pair of columns with
    /// usual names; the gold standard is the column `gold`, or else `label` (0 or 1) or `score`.
    ///
    /// # Errors
    /// If the table cannot be read, a column is missing, or a label or rating is no number.
    pub fn open(
        path: &Path,
        on: Option<(&str, &str)>,
        gold: Option<&str>,
        options: &ReadOptions,
    ) -> Result<Self, DataError> {
        let reader = Reader::open(path, options)?;
        let columns = reader.columns().to_vec();
        let has = |name: &str| columns.iter().any(|c| c == name);
        let content = |reason: String| DataError::Content { path: path.to_owned(), reason };
        let columns_error = |reason: String| DataError::Columns { path: path.to_owned(), reason };
        let [a, b] = Self::text_columns(&reader, path, on)?;
        let usual = ["label", "score"].into_iter().find(|name| has(name));
        let gold = gold.or(usual).ok_or_else(|| {
            columns_error(format!(
                "no column `label` or `score`; it has {}; say option `gold` COLUMN",
                columns.join(", ")
            ))
        })?;
        let mut pairs = Vec::new();
        let mut values = Vec::new();
        let wanted = [a, b, reader.columns_named(&[gold])?[0]];
        each_row_of(reader, &wanted, |fields, line| {
            let value: f64 =
                fields[2].trim().parse().ok().filter(|v: &f64| v.is_finite()).ok_or_else(|| {
                    content(format!(
                        "line {line}: `{}` in column `{gold}` is not a number",
                        fields[2]
                    ))
                })?;
            pairs.push((fields[0].to_owned(), fields[1].to_owned()));
            values.push(value);
            Ok(())
        })?;
        if let Some(at) = values.iter().position(|v| gold == "label" && *v != 0.0 && *v != 1.0) {
            let reason = format!(
                "pair {}: a label is 0 or 1, not {}; ratings go in a column `score`, or say option `gold` COLUMN",
                at + 1,
                values[at]
            );
            return Err(content(reason));
        }
        let labels =
            gold == "label" || (gold != "score" && values.iter().all(|v| *v == 0.0 || *v == 1.0));
        let gold = if labels {
            Gold::Labels(values.iter().map(|v| *v > 0.0).collect())
        } else {
            Gold::Ratings(values)
        };
        Ok(Self { pairs, gold })
    }

    /// The two columns of a table of pairs that hold the texts: `on`, or else a pair of columns with usual names. Training
    /// needs no more of such a table.
    ///
    /// # Errors
    /// If a column is missing, or none has a usual name.
    pub fn text_columns(
        reader: &Reader,
        path: &Path,
        on: Option<(&str, &str)>,
    ) -> Result<[usize; 2], DataError> {
        let columns = reader.columns();
        let has = |name: &str| columns.iter().any(|c| c == name);
        let found = TEXT_COLUMNS.into_iter().find(|(a, b)| has(a) && has(b));
        let (a, b) = on.or(found).ok_or_else(|| DataError::Columns {
            path: path.to_owned(),
            reason: format!(
                "which columns are the two texts? It has {}; say option `on` FIRST,SECOND",
                columns.join(", ")
            ),
        })?;
        let columns = reader.columns_named(&[a, b])?;
        Ok([columns[0], columns[1]])
    }

    /// All texts, pair by pair.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().flat_map(|(a, b)| [a.as_str(), b.as_str()])
    }
}
