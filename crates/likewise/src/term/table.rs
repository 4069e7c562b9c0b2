//! Similarities that a user brings in a file.
//!
//! A table of pairs (`feature1,feature2,similarity`; see [`super::matrix::pairs`]) or a matrix that was saved. Words are
//! as the analyzer gives them: folded, stemmed and so on, if it does that. A word is like itself by 1; pairs that are
//! not in the file are not alike.
//!
//! A comparison is two lookups.

use super::matrix::Matrix;
use super::matrix::file::Saved;
use super::matrix::pairs::Pairs;
use super::neighbours::{Asked, NeighbourFinder, Words};
use super::spelled::{LookedUp, compare};
use super::{Alignment, TermDefinition, TermError, TermSimilarity, whole};
use crate::collection::{Strings, Vocabulary};
use crate::expr::{Kind as Takes, Param, Schema, Settings};
use crate::resource::{Kind, Request, Resources};
use crate::store::File;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// The similarity's name, settings and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "",
    build: |settings, resources| Ok(Box::new(open(settings, resources)?)),
};

static SCHEMA: Schema = Schema {
    name: "table",
    aliases: &[],
    summary: "similarities from a file: a table of feature1, feature2, similarity, or a saved matrix",
    params: &[
        Param {
            name: "file",
            kind: Takes::Text,
            default: "",
            help: "the table, or a matrix of `likewise matrix build`",
        },
        Param {
            name: "unknown",
            kind: Takes::Choice(&["ignore", "error"]),
            default: "ignore",
            help: "words of the file that the collection lacks",
        },
    ],
};

/// Similarities from a file.
pub struct Table {
    known: Arc<Known>,
    file: String,
    insist: bool,
}

fn open(settings: &Settings, resources: &Resources) -> Result<Table, TermError> {
    let wrong = |reason: String| TermError::new("table", reason);
    let Some(file) = settings.text_if_set("file") else {
        return Err(wrong("name the file: table(\"pairs.csv\")".to_owned()));
    };
    let insist = settings.choice("unknown") == "error";
    let request = Request::file(resources, Kind::Table, file);
    let known = resources.open(request, Known::read).map_err(|error| wrong(error.to_string()))?;
    Ok(Table { known, file: file.to_owned(), insist })
}

/// What is in the file.
struct Known {
    words: Strings,
    matrix: Matrix,
}

impl Known {
    fn read(path: &Path) -> Result<Self, Box<dyn Error + Send + Sync>> {
        if File::is_one(path) {
            let Saved { words, matrix, .. } = Saved::open(path)?;
            return Ok(Self { words, matrix });
        }
        let Pairs { words, matrix, .. } = Pairs::read(path)?;
        Ok(Self { words, matrix })
    }
}

impl Table {
    fn of(&self, x: &str, y: &str) -> f64 {
        match (self.known.words.get(x), self.known.words.get(y)) {
            (Some(x), Some(y)) => self.known.matrix.get(x, y),
            _ => 0.0,
        }
    }
}

impl TermSimilarity for Table {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        compare(a, b, |x, y| self.of(x, y))
    }

    /// Words with nothing in common may be alike.
    fn bound_by_characters(&self, _: usize, _: usize, _: usize) -> f64 {
        1.0
    }

    fn check(&self, vocabulary: &Vocabulary) -> Result<(), TermError> {
        let unknown = self.known.words.iter().find(|word| vocabulary.get(word).is_none());
        match unknown.filter(|_| self.insist && !vocabulary.is_empty()) {
            None => Ok(()),
            Some(word) => Err(TermError::new(
                "table",
                format!(
                    "{}: the collection has no word {word:?}; `unknown=ignore` passes over it",
                    self.file
                ),
            )),
        }
    }

    fn own_finder<'a>(
        &'a self,
        words: &'a Words,
        at_least: f64,
        _: Asked,
    ) -> Option<Box<dyn NeighbourFinder + 'a>> {
        let each_like = |term: &str, _: Option<u32>, each: &mut dyn FnMut(u32, f64)| {
            let Some(row) = self.known.words.get(term) else { return };
            let (others, values) = self.known.matrix.row(row);
            for (other, value) in others.iter().zip(values) {
                if let Some(word) = words.vocabulary().get(self.known.words.at(*other)) {
                    each(word.0, *value);
                }
            }
        };
        Some(Box::new(LookedUp { words, at_least, each_like }))
    }

    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        whole(a, b, self.similarity(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{chars, hold_laws, hold_neighbours, vocabulary};
    use super::*;
    use proptest::prelude::*;

    fn table(content: &str, unknown: &str) -> Result<Box<dyn TermSimilarity>, TermError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.csv");
        std::fs::write(&path, content).unwrap();
        let expression = format!("table({:?}, unknown={unknown})", path.to_str().unwrap());
        super::super::build(&super::super::parse(&expression).unwrap())
    }

    proptest! {
        #[test]
        fn laws_hold_and_near_words_are_those_of_all_pairs(
            pairs in proptest::collection::btree_map(("[ab]{1,3}", "[cd]{1,3}"), 0.0..1.0, 1..20),
            a in "[a-d]{0,3}", b in "[a-d]{0,3}", cutoff in 0.0..1.0,
        ) {
            let mut csv = "feature1,feature2,similarity\n".to_owned();
            for ((x, y), s) in &pairs {
                csv += &format!("{x},{y},{s}\n");
            }
            let table = table(&csv, "ignore").unwrap();
            hold_laws(&*table, &chars(&a), &chars(&b), cutoff)?;
            let words: Vec<String> = pairs.keys().flat_map(|(x, y)| [x.clone(), y.clone()]).collect();
            hold_neighbours(&*table, &words[..words.len() / 2 + 1], cutoff)?;
            for ((x, y), s) in &pairs {
                prop_assert_eq!(table.similarity(&chars(x), &chars(y)), *s);
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let complaint = |content: &str| table(content, "ignore").err().unwrap().to_string();
        let said = complaint("feature1,feature2,similarity\nup,up,0.5\n");
        assert!(
            said.starts_with("`table`: ") && said.contains("line 2: \"up\" with itself"),
            "{said}"
        );
        let none = super::super::build(&super::super::parse("table").unwrap()).err().unwrap();
        assert!(none.to_string().contains("name the file"));
        let missing = super::super::parse("table(\"/no/such/file.csv\")").unwrap();
        assert!(super::super::build(&missing).err().unwrap().to_string().contains("/no/such"));
    }

    #[test]
    fn unknown_words_are_named_if_that_was_asked_for() {
        let csv = "feature1,feature2,similarity\ncar,auto,0.9\n";
        let words = vocabulary(&["car".to_owned()]);
        assert!(table(csv, "ignore").unwrap().check(&words).is_ok());
        let said = table(csv, "error").unwrap().check(&words).unwrap_err().to_string();
        assert!(said.contains("no word \"auto\""), "{said}");
    }
}
