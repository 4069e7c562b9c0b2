//! Queries, documents and relevance judgements, in the layout of BEIR.

use super::{DataError, Places, Record, each_row, each_row_of, need_table, remember};
use crate::table::{ReadOptions, Reader, join_columns};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Queries, documents, and how relevant documents are to queries.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RetrievalSet {
    /// The queries.
    pub queries: Vec<Record>,
    /// The documents: title and text.
    pub documents: Vec<Record>,
    /// Grades above 0 by the places of query and document.
    pub grades: FxHashMap<(usize, usize), u8>,
    /// Grades of judged documents that are not in the corpus, by query; they count as never found.
    /// Relevance judgements for queries that are not there are left out.
    pub missed: FxHashMap<usize, Vec<u8>>,
}

impl RetrievalSet {
    /// Reads `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`, `text`) and
    /// `qrels/test.tsv` (`query-id`, `corpus-id`, `score`). Grades below 0 count as 0, above 255 as
    /// 255.
    ///
    /// # Errors
    /// If a file is missing or cannot be read, a grade is not a whole number, or none is above 0.
    pub fn open(folder: &Path, options: &ReadOptions) -> Result<Self, DataError> {
        let layout = "a retrieval set is corpus.jsonl, queries.jsonl and qrels/test.tsv";
        let corpus = need_table(folder, "corpus", layout)?;
        let queries = need_table(folder, "queries", layout)?;
        let qrels = need_table(&folder.join("qrels"), "test", layout)?;
        let (documents, document_places) = read(&corpus, options)?;
        let (queries, query_places) = read(&queries, options)?;
        let mut set = Self { queries, documents, ..Self::default() };
        each_row(&qrels, options, &["query-id", "corpus-id", "score"], |fields, line| {
            let grade: i64 = fields[2].trim().parse().map_err(|_| DataError::Content {
                path: qrels.clone(),
                reason: format!("line {line}: `{}` is not a grade", fields[2]),
            })?;
            let Some(&query) = query_places.get(fields[0].trim()) else { return Ok(()) };
            let grade = grade.clamp(0, 255) as u8;
            match document_places.get(fields[1].trim()) {
                _ if grade == 0 => {}
                Some(&document) => {
                    set.grades.insert((query, document), grade);
                }
                None => set.missed.entry(query).or_default().push(grade),
            }
            Ok(())
        })?;
        if set.grades.is_empty() && set.missed.is_empty() {
            let reason =
                "no document is relevant to any query, so there is nothing to evaluate against";
            return Err(DataError::Content { path: qrels, reason: reason.to_owned() });
        }
        Ok(set)
    }

    /// The highest grade of any document.
    pub fn highest_grade(&self) -> u8 {
        self.grades.values().chain(self.missed.values().flatten()).copied().max().unwrap_or(1)
    }

    /// All texts: documents and queries.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().chain(&self.queries).map(|r| r.text.as_str())
    }
}

fn read(path: &Path, options: &ReadOptions) -> Result<(Vec<Record>, Places), DataError> {
    let mut reader = Reader::open(path, options)?;
    let columns = reader.columns_named(&["_id", "text"])?;
    // Queries have no title, and some documents neither.
    let title = reader.optional_column("title");
    let wanted: Vec<usize> = [columns[0]].into_iter().chain(title).chain([columns[1]]).collect();
    let mut records = Vec::new();
    let mut places = Places::default();
    each_row_of(reader, &wanted, |fields, line| {
        let id = fields[0].trim().to_owned();
        remember(&mut places, &id, records.len(), path, line)?;
        records.push(Record { id, text: join_columns(fields[1..].iter().copied()) });
        Ok(())
    })?;
    Ok((records, places))
}
