//! Term similarities as measures: the whole text is one term.
//!
//! The string compared is the analysed text, its terms joined by one blank. Unless told otherwise the
//! analyzer leaves the text as it is ([`Analyzer::raw`](crate::text::Analyzer::raw)), so that
//! `levenshtein` is what users of other tools know under that name.

use super::by_word::{ByWord, Gains, List, Sizes, Words};
use super::{Batch, Explanation, Place, TextSimilarity};
use crate::collection::{Spectrum, TermId, Vocabulary};
use crate::term::TermSimilarity;
use crate::term::coefficient::{Coefficient, mean};
use crate::term::qgrams::{Count, Qgrams};
use crate::text::Text;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A term similarity over whole texts.
pub struct WholeText {
    similarity: Box<dyn TermSimilarity>,
    vocabulary: Arc<Vocabulary>,
    /// The characters of each text of the vocabulary, counted in buckets, made when search asks.
    bags: OnceLock<Vec<Bag>>,
    /// The q-grams of each text of the vocabulary and how many it has, where they are what is compared.
    grams: OnceLock<(Arc<Spectrum>, Vec<f32>)>,
}

/// How many characters a text has, and how many of them fall into each bucket.
struct Bag {
    length: u32,
    buckets: [u8; 32],
}

impl Bag {
    fn of(chars: impl Iterator<Item = char>) -> Self {
        let mut bag = Self { length: 0, buckets: [0; 32] };
        for c in chars {
            bag.length += 1;
            let bucket = &mut bag.buckets[c as usize % 32];
            *bucket = bucket.saturating_add(1);
        }
        bag
    }

    /// At least as many characters as the two texts have in common.
    fn common(&self, other: &Self) -> usize {
        let shorter = self.length.min(other.length) as usize;
        if shorter > usize::from(u8::MAX) {
            return shorter; // a bucket may have overflowed
        }
        let least = self.buckets.iter().zip(&other.buckets).map(|(x, y)| *x.min(y));
        least.fold(0u16, |sum, n| sum + u16::from(n)).into()
    }
}

impl WholeText {
    /// Compares whole texts; those searched are the vocabulary's.
    pub fn new(similarity: Box<dyn TermSimilarity>, vocabulary: &Arc<Vocabulary>) -> Self {
        Self {
            similarity,
            vocabulary: Arc::clone(vocabulary),
            bags: OnceLock::new(),
            grams: OnceLock::new(),
        }
    }

    /// How many grams count.
    fn gram_count(qgrams: &Qgrams, chars: &[char]) -> usize {
        let mut grams: Vec<Vec<char>> = Vec::new();
        qgrams.cut().each(chars, &mut Vec::new(), |gram, _| grams.push(gram.to_vec()));
        if qgrams.count == Count::Set {
            grams.sort_unstable();
            grams.dedup();
        }
        grams.len()
    }

    /// The texts' grams, where the similarity is one of q-grams.
    fn grams(&self, qgrams: &Qgrams) -> &(Arc<Spectrum>, Vec<f32>) {
        self.grams.get_or_init(|| {
            let spectrum = self.vocabulary.spectrum(qgrams.cut());
            let count = |id: u32| {
                if qgrams.count == Count::Set {
                    return spectrum.grams_of(TermId(id)).len() as f32;
                }
                let chars: Vec<char> = self.vocabulary.term(TermId(id)).chars().collect();
                Self::gram_count(qgrams, &chars) as f32
            };
            let counts = (0..self.vocabulary.len() as u32).into_par_iter().map(count).collect();
            (spectrum, counts)
        })
    }
}

/// The whole text is its only word. What it gains is a bound on the similarity, from the characters the
/// two have in common; or the number of shared q-grams, where those are compared.
impl ByWord<Box<[char]>> for WholeText {
    fn whole(&self) -> bool {
        true
    }

    fn sizes(&self) -> Sizes {
        Sizes::Sum
    }

    fn word_size(&self, word: TermId) -> f64 {
        match self.similarity.as_qgrams() {
            Some(qgrams) => f64::from(self.grams(qgrams).1[word.index()]),
            None => 1.0,
        }
    }

    fn text_size(&self, text: &Box<[char]>) -> f64 {
        self.similarity.as_qgrams().map_or(1.0, |qgrams| Self::gram_count(qgrams, text) as f64)
    }

    fn lists<'a>(&'a self, query: &Box<[char]>, _: &Words) -> Vec<List<'a>> {
        let Some(qgrams) = self.similarity.as_qgrams() else { return Vec::new() };
        let spectrum = &self.grams(qgrams).0;
        let mut own: BTreeMap<String, f32> = BTreeMap::new();
        qgrams.cut().each(query, &mut Vec::new(), |gram, _| {
            *own.entry(gram.iter().collect()).or_default() += 1.0;
        });
        let list = |(gram, count): (String, f32)| {
            let shared = if qgrams.count == Count::Set { 1.0 } else { count };
            Some(List::alike(spectrum.terms_with(spectrum.get(&gram)?), shared))
        };
        own.into_iter().filter_map(list).collect()
    }

    fn gains(&self, query: &Box<[char]>, _: &Words, gains: &mut Gains) {
        if self.similarity.as_qgrams().is_some() {
            return;
        }
        let bags = self.bags.get_or_init(|| {
            let bag = |id: u32| Bag::of(self.vocabulary.term(TermId(id)).chars());
            (0..self.vocabulary.len() as u32).into_par_iter().map(bag).collect()
        });
        let own = Bag::of(query.iter().copied());
        for word in gains.stretch() {
            let other = &bags[word as usize];
            let (a, b) = (own.length as usize, other.length as usize);
            let common = own.common(other).min(a).min(b);
            gains.add(word, self.similarity.bound_by_characters(a, b, common) as f32);
        }
    }

    fn slope(&self, query_size: f64, text_size: f64) -> f64 {
        let Some(qgrams) = self.similarity.as_qgrams() else { return 1.0 };
        1.0 / match qgrams.coefficient {
            // Dice's is above Jaccard's.
            Coefficient::Jaccard => mean(1.0, query_size, text_size),
            Coefficient::Mean(p) => mean(p, query_size, text_size),
        }
    }

    fn steepness(&self, query_size: f64) -> (f64, f64) {
        match self.similarity.as_qgrams().map(|qgrams| qgrams.coefficient) {
            None => (1.0, 0.0),
            Some(Coefficient::OVERLAP) => (1.0 / query_size, 1.0),
            Some(_) => (0.5 / query_size, 0.5),
        }
    }

    fn bound(&self, sum: f64, query_size: f64, text_size: f64) -> f64 {
        match self.similarity.as_qgrams().map(|qgrams| qgrams.coefficient) {
            Some(Coefficient::Jaccard) => {
                let shared = sum.min(query_size).min(text_size);
                shared / (query_size + text_size - shared)
            }
            _ => sum * self.slope(query_size, text_size),
        }
    }
}

impl TextSimilarity for WholeText {
    type Prepared = Box<[char]>;

    fn prepare(&self, text: &Text) -> Box<[char]> {
        text.joined().chars().collect()
    }

    fn score(&self, a: &Box<[char]>, b: &Box<[char]>) -> f64 {
        self.similarity.similarity(a, b)
    }

    fn score_at_least(&self, a: &Box<[char]>, b: &Box<[char]>, cutoff: f64) -> Option<f64> {
        self.similarity.similarity_at_least(a, b, cutoff)
    }

    fn upper_bound(&self, a: &Box<[char]>, b: &Box<[char]>) -> f64 {
        self.similarity.upper_bound(a, b)
    }

    fn by_word(&self) -> Option<&dyn ByWord<Box<[char]>>> {
        Some(self)
    }

    fn batch<'a>(&'a self, columns: &'a [Box<[char]>]) -> Box<dyn Batch<Box<[char]>> + 'a> {
        let columns = columns.iter().map(|c| &**c).collect();
        Box::new(Columns { similarity: &*self.similarity, columns })
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.prepare(a), self.prepare(b));
        let alignment = self.similarity.align(&left, &right);
        let label = |l: &std::ops::Range<usize>, r: &std::ops::Range<usize>| {
            let (l, r): (String, String) =
                (left[l.clone()].iter().collect(), right[r.clone()].iter().collect());
            if l == r { l } else { format!("{l} | {r}") }
        };
        let reading =
            format!("pieces of the two strings of {} and {} characters", left.len(), right.len());
        Explanation::of_alignment(&alignment, &places(a), &places(b), label, reading)
    }
}

/// Where each character of the joined text stands in the original; a joining blank stands
/// between its neighbours.
fn places(text: &Text) -> Vec<Place> {
    let mut places = Vec::new();
    for (term, characters) in text.terms().enumerate() {
        if term > 0 {
            let (start, end) = (text.span(term - 1).end, text.span(term).start);
            places.push(Place { start: start.min(end), end, term: start.min(end) });
        }
        for at in 0..characters.chars().count() {
            places.push(Place::of_chars(text, term, at..at + 1));
        }
    }
    places
}

struct Columns<'a> {
    similarity: &'a dyn TermSimilarity,
    columns: Vec<&'a [char]>,
}

impl Batch<Box<[char]>> for Columns<'_> {
    fn score(&self, rows: &[Box<[char]>], out: &mut [f64]) {
        let rows: Vec<&[char]> = rows.iter().map(|r| &**r).collect();
        self.similarity.matrix(&rows, &self.columns, out);
    }
}
