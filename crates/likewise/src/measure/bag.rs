//! A text as a bag of words: term frequencies and term weights, for measures that sum over shared words.

use super::sparse::Sparse;
use super::words::{WordWeights, distinct_words};
use super::{Explanation, Part, Place};
use crate::collection::{TermId, Vocabulary};
use crate::text::Text;

/// How often a text has a word, and what the word weighs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// How often the text has it.
    pub count: u32,
    /// What it weighs.
    pub weight: f64,
}

/// The words of a text with how often it has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Bag {
    pub(super) words: Sparse<Held>,
    /// How many words the text has, repeats included.
    pub(super) terms: usize,
}

/// What a word weighs that so many of so many texts have.
pub type Weigh = fn(texts: f64, df: f64) -> f64;

/// What a word of the vocabulary weighs. With no texts counted every word weighs 1; a word never seen counts as seen in one
/// text.
pub fn weight(vocabulary: &Vocabulary, word: Option<TermId>, weigh: Weigh) -> f64 {
    if vocabulary.texts() == 0 {
        return 1.0;
    }
    weigh(vocabulary.texts() as f64, word.map_or(1, |word| vocabulary.df(word)) as f64)
}

impl Bag {
    /// The bag of a text.
    pub fn new(text: &Text, vocabulary: &Vocabulary, weigh: Weigh) -> Self {
        let (mut known, mut oov) = (Vec::new(), Vec::new());
        for word in distinct_words(text, vocabulary, WordWeights::none()) {
            let held = Held { count: word.count, weight: weight(vocabulary, word.id, weigh) };
            match word.id {
                Some(id) => known.push((id.0, held)),
                None => oov.push((text.term(word.term).into(), held)),
            }
        }
        Self { words: gather(known, oov), terms: text.len() }
    }

    /// The bag of a text of just these words of the vocabulary.
    pub fn of_words(words: &[u32], vocabulary: &Vocabulary, weigh: Weigh) -> Self {
        let mut sorted = words.to_vec();
        sorted.sort_unstable();
        let held = |same: &[u32]| {
            let weight = weight(vocabulary, Some(TermId(same[0])), weigh);
            (same[0], Held { count: same.len() as u32, weight })
        };
        let known = sorted.chunk_by(|x, y| x == y).map(held).collect();
        Self { words: gather(known, Vec::new()), terms: words.len() }
    }
}

fn gather(known: Vec<(u32, Held)>, oov: Vec<(Box<str>, Held)>) -> Sparse<Held> {
    let none = Held { count: 0, weight: 0.0 };
    // Each word comes once.
    Sparse::gather(known, oov, |all| all.next().unwrap_or(none))
}

/// Explains a sum over shared words: `meet` gives what a word adds to the numerator.
pub fn explain(
    (a, b): (&Text, &Text),
    vocabulary: &Vocabulary,
    weigh: Weigh,
    meet: impl Fn(Held, Held) -> f64,
    denominator: f64,
    reading: String,
) -> Explanation {
    let words = |text: &Text| distinct_words(text, vocabulary, WordWeights::none());
    let right = words(b);
    let all = |text: &Text, term: &str| -> Vec<Place> {
        let same = text.terms().enumerate().filter(|(_, t)| *t == term);
        same.map(|(i, _)| Place::of_term(text, i)).collect()
    };
    let part = |l: &super::words::Word| {
        let r = right.iter().find(|r| r.chars == l.chars)?;
        let weight = weight(vocabulary, l.id, weigh);
        let held = |count: u32| Held { count, weight };
        let term = a.term(l.term);
        Some(Part {
            what: term.to_owned(),
            kind: "",
            contribution: meet(held(l.count), held(r.count)),
            left: all(a, term),
            right: all(b, term),
        })
    };
    Explanation::of_quotient(words(a).iter().filter_map(part).collect(), denominator, reading)
}
