//! Word vectors: words of alike contexts have vectors of alike direction (distributional similarity).
//!
//! max(0, cosine)^`power` of the two words' vectors, from a file of word2vec or GloVe ([`crate::vectors`]), after what all vectors
//! have in common was taken out of them (`without`). A word is like itself by 1, and words without a vector are
//! like no other. The defaults are what did best on pairs of sentences (`docs/soft-cosine.md`).
//!
//! A comparison is two lookups and a product; the words near one are found without computing every cosine.

use super::neighbours::{Asked, NeighbourFinder, Words};
use super::spelled::{LookedUp, compare};
use super::{Alignment, TermDefinition, TermError, TermSimilarity, whole};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::resource::Resources;
use crate::vectors::{Neighbourhood, WordVectors};
use std::sync::Arc;

/// The similarity's name, settings and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Mikolov et al. 2013; Pennington, Socher & Manning 2014",
    build: |settings, resources| Ok(Box::new(open(settings, resources)?)),
};

static SCHEMA: Schema = Schema {
    name: "vectors",
    aliases: &[],
    summary: "cosine of word vectors from a file of word2vec or GloVe",
    params: &[
        Param {
            name: "file",
            kind: Kind::Text,
            default: "",
            help: "word2vec text or binary, or GloVe text, also compressed",
        },
        Param {
            name: "power",
            kind: Kind::Integer(1, 100),
            default: "2",
            help: "the cosine to this power: more sets near words off from those that are merely not far",
        },
        Param {
            name: "without",
            kind: Kind::Integer(0, 100),
            default: "1",
            help: "take the vectors' mean and so many of their main directions out of them first; 0 leaves them as they are",
        },
    ],
};

/// The cosine of word vectors.
pub struct Vectors {
    vectors: Arc<WordVectors>,
    /// What they are known by among what is kept of a vocabulary.
    name: String,
    power: i32,
}

fn open(settings: &Settings, resources: &Resources) -> Result<Vectors, TermError> {
    let wrong = |reason: String| TermError::new("vectors", reason);
    let Some(file) = settings.text_if_set("file") else {
        return Err(wrong("name the file: vectors(\"glove.txt\")".to_owned()));
    };
    let top = settings.integer("without") as usize;
    let vectors = WordVectors::from_resources(resources, file, top);
    let vectors = vectors.map_err(|error| wrong(error.to_string()))?;
    let name = format!("{file} {top}");
    Ok(Vectors { vectors, name, power: settings.integer("power") as i32 })
}

impl Vectors {
    fn of(&self, cosine: f64) -> f64 {
        cosine.max(0.0).powi(self.power)
    }

    fn neighbourhood(&self, words: &Words) -> Arc<Neighbourhood> {
        words.kept(&self.name, || {
            let all = (0..words.len() as u32).map(|word| words.text(word));
            Neighbourhood::new(&self.vectors, &self.vectors.rows_of(all))
        })
    }
}

impl TermSimilarity for Vectors {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        compare(a, b, |x, y| match (self.vectors.get(x), self.vectors.get(y)) {
            (Some(x), Some(y)) => self.of(self.vectors.cosine(x, y)),
            _ => 0.0,
        })
    }

    /// Words with nothing in common may be alike.
    fn bound_by_characters(&self, _: usize, _: usize, _: usize) -> f64 {
        1.0
    }

    fn own_finder<'a>(
        &'a self,
        words: &'a Words,
        at_least: f64,
        asked: Asked,
    ) -> Option<Box<dyn NeighbourFinder + 'a>> {
        let neighbourhood = self.neighbourhood(words);
        // Whatever is above 0 is asked for at the least; a root may be rounded up.
        let root = at_least.powf(1.0 / f64::from(self.power)) * (1.0 - 1e-9);
        let cosine = root.max(f64::MIN_POSITIVE);
        let all = (asked == Asked::ForAll).then(|| neighbourhood.all_pairs(cosine, None));
        let each_like = move |term: &str, own: Option<u32>, each: &mut dyn FnMut(u32, f64)| {
            if let (Some(own), Some(all)) = (own, &all) {
                let (ids, cosines) = all.of(own);
                ids.iter().zip(cosines).for_each(|(id, cosine)| each(*id, self.of(*cosine)));
            } else if let Some(row) = self.vectors.get(term) {
                for near in neighbourhood.of(row, cosine) {
                    each(near.id, self.of(near.cosine));
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
    use super::super::testing::{chars, hold_laws, hold_neighbours};
    use super::*;
    use proptest::prelude::*;

    fn vectors(content: &str, power: i32) -> Box<dyn TermSimilarity> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiny.txt");
        std::fs::write(&path, content).unwrap();
        let vectors = WordVectors::read(&path).unwrap();
        Box::new(Vectors { vectors: Arc::new(vectors), name: String::new(), power })
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
            for power in [1, 2, 7] {
            let vectors = vectors(&text, power);
            hold_laws(&*vectors, &chars(&a), &chars(&b), cutoff)?;
            let words: Vec<String> = rows.keys().cloned().chain([a.clone(), b.clone()]).collect();
            hold_neighbours(&*vectors, &words[words.len() / 3..], cutoff)?;
            hold_neighbours(&*vectors, &words, 0.0)?;
            }
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
