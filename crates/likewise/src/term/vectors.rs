//! Word vectors: words that keep the same company point the same way.
//!
//! max(0, cosine) of the two words' vectors, from a file of word2vec or GloVe ([`crate::vectors`]). A word is like itself by 1,
//! and words without a vector are like no other.
//!
//! A comparison is two lookups and a product; the words near one are found without computing every cosine.

use super::near::{Asked, Near, Words};
use super::spelled::with_texts;
use super::{Alignment, TermDefinition, TermError, TermSimilarity, whole};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::vectors::{NearLists, Neighbourhood, WordVectors};
use std::sync::Arc;

/// The similarity's name, settings and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Mikolov et al. 2013; Pennington, Socher & Manning 2014",
    build: |settings| Ok(Box::new(open(settings)?)),
};

static SCHEMA: Schema = Schema {
    name: "vectors",
    aliases: &[],
    summary: "cosine of word vectors from a file of word2vec or GloVe",
    params: &[Param {
        name: "file",
        kind: Kind::Text,
        default: "",
        help: "word2vec text or binary, or GloVe text, also compressed",
    }],
};

/// The cosine of word vectors.
pub struct Vectors {
    vectors: WordVectors,
    file: String,
}

fn open(settings: &Settings) -> Result<Vectors, TermError> {
    let wrong = |reason: String| TermError::new("vectors", reason);
    let Some(file) = settings.text_if_set("file") else {
        return Err(wrong("name the file: vectors(\"glove.txt\")".to_owned()));
    };
    let vectors = WordVectors::open(file).map_err(|error| wrong(error.to_string()))?;
    Ok(Vectors { vectors, file: file.to_owned() })
}

impl Vectors {
    fn neighbourhood(&self, words: &Words) -> Arc<Neighbourhood> {
        words.kept(&self.file, || {
            let all = (0..words.len() as u32).map(|word| words.text(word));
            Neighbourhood::new(&self.vectors, &self.vectors.rows_of(all))
        })
    }
}

impl TermSimilarity for Vectors {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        if a == b {
            return 1.0;
        }
        with_texts(a, b, |x, y| match (self.vectors.get(x), self.vectors.get(y)) {
            (Some(x), Some(y)) => self.vectors.cosine(x, y).max(0.0),
            _ => 0.0,
        })
    }

    /// Words with nothing in common may be alike.
    fn bound_by_characters(&self, _: usize, _: usize, _: usize) -> f64 {
        1.0
    }

    fn own_near<'a>(
        &'a self,
        words: &'a Words,
        at_least: f64,
        asked: Asked,
    ) -> Option<Box<dyn Near + 'a>> {
        let neighbourhood = self.neighbourhood(words);
        // Whatever is above 0 is asked for at the least.
        let at_least = at_least.max(f64::MIN_POSITIVE);
        let all = (asked == Asked::ForAll).then(|| neighbourhood.all_pairs(at_least, None));
        Some(Box::new(NearVectors { of: self, words, neighbourhood, at_least, all }))
    }

    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        whole(a, b, self.similarity(a, b))
    }
}

struct NearVectors<'a> {
    of: &'a Vectors,
    words: &'a Words,
    neighbourhood: Arc<Neighbourhood>,
    at_least: f64,
    /// For each word those near it, if all were asked for.
    all: Option<NearLists>,
}

impl Near for NearVectors<'_> {
    fn near(&self, term: &[char], each: &mut dyn FnMut(u32, f64)) {
        if term.is_empty() {
            return;
        }
        let text: String = term.iter().collect();
        let own = self.words.vocabulary().get(&text);
        if let Some(own) = own.filter(|_| self.at_least <= 1.0) {
            each(own.0, 1.0);
        }
        if let (Some(own), Some(all)) = (own, &self.all) {
            let (ids, cosines) = all.of(own.0);
            ids.iter().zip(cosines).for_each(|(id, cosine)| each(*id, *cosine));
        } else if let Some(row) = self.of.vectors.get(&text) {
            for near in self.neighbourhood.of(row, self.at_least) {
                if own.is_none_or(|own| own.0 != near.id) {
                    each(near.id, near.cosine);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{chars, hold_laws, hold_near};
    use super::*;
    use proptest::prelude::*;

    fn vectors(content: &str) -> Box<dyn TermSimilarity> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiny.txt");
        std::fs::write(&path, content).unwrap();
        let vectors = WordVectors::read(&path).unwrap();
        Box::new(Vectors { vectors, file: path.to_string_lossy().into_owned() })
    }

    proptest! {
        #[test]
        fn laws_hold_and_near_words_are_those_of_all_pairs(
            rows in proptest::collection::btree_map("[a-c]{1,3}", (-3..4i32, -3..4i32, -3..4i32), 2..30),
            a in "[a-c]{0,3}", b in "[a-c]{0,3}", cutoff in 0.0..1.0,
        ) {
            let mut text = String::new();
            for (word, (x, y, z)) in &rows {
                text += &format!("{word} {x} {y} {z}\n");
            }
            let vectors = vectors(&text);
            hold_laws(&*vectors, &chars(&a), &chars(&b), cutoff)?;
            let words: Vec<String> = rows.keys().cloned().chain([a, b]).collect();
            hold_near(&*vectors, &words[words.len() / 3..], cutoff)?;
            hold_near(&*vectors, &words, 0.0)?;
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let of = |expression: &str| {
            super::super::build(&super::super::parse(expression).unwrap())
                .err()
                .unwrap()
                .to_string()
        };
        assert!(of("vectors").contains("name the file"));
        assert!(of("vectors(\"/no/such/glove.txt\")").contains("/no/such/glove.txt"));
    }
}
