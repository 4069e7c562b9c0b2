//! WordNet: words that mean the same, or stand near each other in the tree of meanings.
//!
//! - `synonym`: 1 if two words share a meaning, else 0
//! - `path`: 1/(1 + steps between the nearest meanings)
//! - `wu-palmer`: twice the depth of the nearest common ancestor over the depths of both
//! - `leacock-chodorow`: −log of the path over twice the depth of the tree, of the largest there is
//!
//! Inflected words go by their base forms; a word that WordNet lacks is like no other. The largest over the meanings of both
//! words, all of them or the most frequent `senses` of each part of speech.
//!
//! Sources: Fellbaum, "WordNet" (1998); Wu & Palmer (1994); Leacock & Chodorow (1998). See `docs/wordnet.md`.

use super::neighbours::{Asked, NeighbourFinder, Words};
use super::spelled::{LookedUp, compare};
use super::{Alignment, TermDefinition, TermError, TermSimilarity, whole};
use crate::expr::{Kind, Param, Schema, Setting, Settings};
use crate::lexicon::wordnet::{Relation, Senses, WordNet as Database};
use crate::resource::Resources;

/// The similarity's name, settings and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Fellbaum 1998; Wu & Palmer 1994; Leacock & Chodorow 1998",
    build: |settings, resources| Ok(Box::new(open(settings, resources)?)),
};

/// How many meanings of a word count.
pub(crate) const SENSES: Param = Param {
    name: "senses",
    kind: Kind::Integer(1, 1000),
    default: "",
    help: "only so many meanings of a word, the most frequent of each part of speech",
};

/// Where WordNet is.
pub(crate) const DIRECTORY: Param = Param {
    name: "directory",
    kind: Kind::Text,
    default: "",
    help: "where WordNet's files are; otherwise where packages put them",
};

static SCHEMA: Schema = Schema {
    name: "wordnet",
    aliases: &[],
    summary: "synonyms, or nearness in the tree of meanings, by an installed WordNet",
    params: &[
        Param {
            name: "relation",
            kind: Kind::Choice(&["synonym", "path", "wu-palmer", "leacock-chodorow"]),
            default: "synonym",
            help: "what makes words alike",
        },
        SENSES,
        DIRECTORY,
    ],
};

/// Nearness in meaning.
pub struct WordNet {
    database: Database,
    relation: Relation,
    senses: Senses,
    name: String,
}

fn open(settings: &Settings, resources: &Resources) -> Result<WordNet, TermError> {
    let directory = settings.text_if_set("directory");
    let database = Database::from_resources(resources, directory);
    let database = database.map_err(|error| TermError::new("wordnet", error.to_string()))?;
    let relation = match settings.choice("relation") {
        "synonym" => Relation::Synonym,
        "path" => Relation::Path,
        "wu-palmer" => Relation::WuPalmer,
        _ => Relation::LeacockChodorow,
    };
    let senses = match settings.get("senses") {
        Setting::Integer(n) => Senses::First(*n as usize),
        _ => Senses::All,
    };
    Ok(WordNet { database, relation, senses, name: format!("{senses:?} {directory:?}") })
}

impl TermSimilarity for WordNet {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        compare(a, b, |x, y| {
            let (x, y) = (self.database.word(x, self.senses), self.database.word(y, self.senses));
            x.similarity(self.relation, &y).unwrap_or(0.0)
        })
    }

    /// Words with nothing in common may mean the same.
    fn bound_by_characters(&self, _: usize, _: usize, _: usize) -> f64 {
        1.0
    }

    fn own_finder<'a>(
        &'a self,
        words: &'a Words,
        at_least: f64,
        _: Asked,
    ) -> Option<Box<dyn NeighbourFinder + 'a>> {
        let neighbours = words.kept(&self.name, || {
            let all = (0..words.len() as u32).map(|word| words.text(word));
            self.database.neighbours(all, self.senses)
        });
        let each_like = move |term: &str, _: Option<u32>, each: &mut dyn FnMut(u32, f64)| {
            neighbours.of(term, self.relation, at_least, each);
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

    const WORDS: [&str; 24] = [
        "car",
        "cars",
        "automobile",
        "auto",
        "bicycle",
        "dog",
        "dogs",
        "cat",
        "run",
        "running",
        "walk",
        "go",
        "good",
        "well",
        "quickly",
        "fast",
        "goose",
        "geese",
        "bank",
        "money",
        "xyzzy",
        "machine",
        "jeep",
        "animal",
    ];

    #[test]
    fn laws_hold_and_near_words_are_those_of_all_pairs_where_wordnet_is_installed() {
        for relation in ["synonym", "path", "wu-palmer", "leacock-chodorow"] {
            for senses in ["", ", senses=1"] {
                let expression = format!("wordnet({relation}{senses})");
                let Ok(term) = super::super::build(&super::super::parse(&expression).unwrap())
                else {
                    eprintln!("WordNet is not installed: nothing was tested");
                    return;
                };
                let words = WORDS.map(str::to_owned);
                for a in &words {
                    for b in &words {
                        hold_laws(&*term, &chars(a), &chars(b), 0.5).unwrap();
                    }
                }
                for at_least in [0.3, 0.9] {
                    hold_neighbours(&*term, &words, at_least).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_directory_without_wordnet_is_an_error_that_helps() {
        let settings = super::super::parse("wordnet(directory=\"/no/such/place\")").unwrap();
        let error = super::super::build(&settings).err().unwrap().to_string();
        assert!(error.contains("/no/such/place"), "{error}");
    }
}
