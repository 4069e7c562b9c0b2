//! Questions to WordNet line by line, to hold against other readers of it.
//!
//! Reads a question and its words, separated by tabs, from standard input and prints the answer as JSON. The directory
//! with WordNet's files is the first argument, or where it is usually found. See `checks/wordnet_agreement.py`.
//!
//! | question | answer |
//! |---|---|
//! | `senses` word | part of speech, offset, base form and tag count of each |
//! | `morphy` letter word | base forms |
//! | `synonyms` n word | other words of the first n senses, of all if n is 0 |
//! | `synset` letter word | of each sense: its words, and the offsets of its hypernyms |
//! | `path`, `wup`, `lch`, `lch-normal`, `synonym` a b | similarity of two words, or null |
//! | `synsets` a b | for all pairs of their nouns and verbs: path, wup and lch |

use likewise::lexicon::wordnet::{Pos, Relation, Senses, Synset, WordNet};
use serde_json::{Value, json};
use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::path::PathBuf;

fn pos(letter: &str) -> Result<Pos, String> {
    let letter = letter.chars().next().and_then(Pos::from_letter);
    letter.ok_or_else(|| "expected one of the letters n, v, a, r".to_owned())
}

fn pairs(wordnet: &WordNet, a: &str, b: &str) -> Vec<Value> {
    let mut values = Vec::new();
    for pos in [Pos::Noun, Pos::Verb] {
        let senses = |word| wordnet.synsets(word, Some(pos)).into_iter().map(|sense| sense.synset);
        let others: Vec<Synset<'_>> = senses(b).collect();
        for a in senses(a) {
            for &b in &others {
                values.push(json!([a.path(b), a.wu_palmer(b), a.leacock_chodorow(b)]));
            }
        }
    }
    values
}

fn answer(wordnet: &WordNet, fields: &[&str]) -> Result<Value, String> {
    let relation = |relation, a, b| {
        let word = |word| wordnet.word(word, Senses::All);
        json!(word(a).similarity(relation, &word(b)))
    };
    Ok(match *fields {
        ["senses", word] => {
            let senses = wordnet.synsets(word, None).into_iter();
            let told = senses.map(|sense| {
                let pos = sense.synset.pos().letter().to_string();
                json!([pos, sense.synset.offset(), sense.lemma, sense.count])
            });
            told.collect()
        }
        ["morphy", letter, word] => json!(wordnet.morphy(word, pos(letter)?)),
        ["synonyms", "0", word] => json!(wordnet.synonyms(word, Senses::All)),
        ["synonyms", n, word] => {
            let n = n.parse().map_err(|_| format!("{n} is no number of senses"))?;
            json!(wordnet.synonyms(word, Senses::First(n)))
        }
        ["synset", letter, word] => {
            let senses = wordnet.synsets(word, Some(pos(letter)?)).into_iter();
            let told = senses.map(|sense| {
                let words: Vec<&str> = sense.synset.words().collect();
                let mut above: Vec<u32> = sense.synset.hypernyms().map(Synset::offset).collect();
                above.sort_unstable();
                json!([words, above])
            });
            told.collect()
        }
        ["path", a, b] => relation(Relation::Path, a, b),
        ["wup", a, b] => relation(Relation::WuPalmer, a, b),
        ["lch-normal", a, b] => relation(Relation::LeacockChodorow, a, b),
        ["synonym", a, b] => relation(Relation::Synonym, a, b),
        ["lch", a, b] => json!(wordnet.leacock_chodorow(a, b, Senses::All)),
        ["synsets", a, b] => json!(pairs(wordnet, a, b)),
        _ => return Err(format!("no such question: {}", fields.join(" "))),
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wordnet = WordNet::find(std::env::args_os().nth(1).map(PathBuf::from).as_deref())?;
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        writeln!(out, "{}", answer(&wordnet, &fields)?)?;
    }
    out.flush()?;
    Ok(())
}
