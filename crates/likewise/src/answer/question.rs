//! Questions as they lie on disk: JSON Lines, or any table whose column `choices` holds JSON lists.

use crate::eval::data::DataError;
use crate::table::{ReadOptions, Reader, Row};
use rustc_hash::FxHashMap;
use std::path::Path;

/// A question about a document, with choices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Question {
    /// What it goes by; its number, from 1, where the file has no ids.
    pub id: String,
    /// The number of its document in [`Questions::documents`].
    pub document: usize,
    /// The question.
    pub text: String,
    /// The answers to choose from: at least one.
    pub choices: Vec<String>,
    /// The right one, counted from 0, where it is known.
    pub answer: Option<usize>,
    /// What kind of evidence it needs, where the data say so: in MCTest `one` sentence or `multiple`.
    pub evidence: Option<String>,
}

/// Questions and the documents they are about. Questions on one document share it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Questions {
    /// The documents, in the order of their first question.
    pub documents: Vec<String>,
    /// The questions, in the order of the file.
    pub questions: Vec<Question>,
}

impl Questions {
    /// Reads `document`, `question`, `choices` (a JSON list of texts) and, where there are such, `id`, `answer` (counted from 0)
    /// and `evidence`.
    ///
    /// # Errors
    /// If the table cannot be read, a question is empty or has no choices, or an answer is none of them. The error says where.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, DataError> {
        Self::read(Reader::open(path, options)?, path)
    }

    /// The same of a table that is open; `path` is what messages call it.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn read(mut reader: Reader, path: &Path) -> Result<Self, DataError> {
        let wanted = reader.columns_named(&["document", "question", "choices"])?;
        let optional = ["id", "answer", "evidence"].map(|name| reader.optional_column(name));
        let selected: Vec<usize> =
            wanted.iter().copied().chain(optional.iter().flatten().copied()).collect();
        reader.select(&selected);
        let mut read = Self::default();
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        let mut row = Row::default();
        while reader.next_row(&mut row)? {
            let get = |column: Option<usize>| column.map_or("", |column| &row[column]);
            let id = match get(optional[0]) {
                "" => row.number().to_string(),
                id => id.to_owned(),
            };
            let fail = |reason: String| DataError::Content {
                path: path.to_owned(),
                reason: format!("line {}, question `{id}`: {reason}", row.line()),
            };
            let choices = choices(&row[wanted[2]]).map_err(&fail)?;
            let answer = answer(get(optional[1]), choices.len()).map_err(&fail)?;
            let text = row[wanted[1]].trim();
            if text.is_empty() {
                return Err(fail("the question is empty".to_owned()));
            }
            let (document, next) = (&row[wanted[0]], read.documents.len());
            let number = *numbers.entry(document.to_owned()).or_insert(next);
            if number == next {
                read.documents.push(document.to_owned());
            }
            read.questions.push(Question {
                document: number,
                text: text.to_owned(),
                choices,
                answer,
                evidence: Some(get(optional[2])).filter(|e| !e.is_empty()).map(str::to_owned),
                id,
            });
        }
        Ok(read)
    }

    /// The document of a question.
    pub fn document(&self, question: &Question) -> &str {
        &self.documents[question.document]
    }
}

fn choices(json: &str) -> Result<Vec<String>, String> {
    let list: Vec<serde_json::Value> = serde_json::from_str(json)
        .map_err(|_| "`choices` must be a list of texts, such as [\"red\", \"blue\"]".to_owned())?;
    if list.is_empty() {
        return Err("it has no choices; a question needs at least one".to_owned());
    }
    let text = |(at, value): (usize, serde_json::Value)| match value {
        serde_json::Value::String(text) => Ok(text),
        serde_json::Value::Number(number) => Ok(number.to_string()),
        other => Err(format!("choice {at} is `{other}`, which is no text")),
    };
    list.into_iter().enumerate().map(text).collect()
}

fn answer(text: &str, choices: usize) -> Result<Option<usize>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse::<usize>() {
        Ok(answer) if answer < choices => Ok(Some(answer)),
        _ => Err(format!(
            "the answer is `{text}`; there are {choices} choices, so it must be from 0 to {}",
            choices - 1
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &str) -> Result<Questions, String> {
        let reader = Reader::from_read(
            "q.jsonl",
            lines.as_bytes().to_vec().leak() as &[u8],
            &ReadOptions::default(),
        );
        let questions =
            reader.map_err(DataError::from).and_then(|r| Questions::read(r, Path::new("q.jsonl")));
        questions.map_err(|error| error.to_string())
    }

    #[test]
    fn questions_on_one_document_share_it() {
        let read = read(
            "{\"document\":\"A b.\",\"question\":\"Who?\",\"choices\":[\"x\",2],\"answer\":1}\n\
             {\"document\":\"C.\",\"question\":\"Why?\",\"choices\":[\"x\"],\"evidence\":\"one\",\"id\":\"k\"}\n\
             {\"document\":\"A b.\",\"question\":\"What?\",\"choices\":[\"x\"],\"answer\":null}\n",
        )
        .unwrap();
        assert_eq!(read.documents, ["A b.", "C."]);
        assert_eq!(read.questions.iter().map(|q| q.document).collect::<Vec<_>>(), [0, 1, 0]);
        assert_eq!(read.questions[0].choices, ["x", "2"]);
        assert_eq!(read.questions[0].answer, Some(1));
        assert_eq!(read.questions[1].evidence.as_deref(), Some("one"));
        assert_eq!(read.questions.iter().map(|q| &q.id[..]).collect::<Vec<_>>(), ["1", "k", "3"]);
        assert_eq!(read.document(&read.questions[2]), "A b.");
    }

    #[test]
    fn wrong_lines_are_refused_with_their_place() {
        let line = |rest: &str| format!("{{\"document\":\"d\",\"question\":\"Who?\",{rest}}}\n");
        for (rest, part) in [
            ("\"choices\":[]", "line 1, question `1`: it has no choices"),
            ("\"choices\":\"red\"", "must be a list"),
            ("\"choices\":[null]", "choice 0 is `null`"),
            ("\"choices\":[\"a\",\"b\"],\"answer\":2", "must be from 0 to 1"),
            ("\"choices\":[\"a\"],\"answer\":-1", "the answer is `-1`"),
        ] {
            let error = read(&line(rest)).unwrap_err();
            assert!(error.contains(part), "{rest}: {error}");
        }
        let error =
            read("{\"document\":\"d\",\"question\":\" \",\"choices\":[\"a\"]}").unwrap_err();
        assert!(error.contains("the question is empty"), "{error}");
        let error = read("{\"question\":\"q\",\"choices\":[\"a\"]}").unwrap_err();
        assert!(error.contains("document"), "{error}");
    }
}
