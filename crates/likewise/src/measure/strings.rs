//! Term similarities as measures: the whole text is one term.
//!
//! The string compared is the analysed text, its terms joined by one blank. Unless told otherwise the
//! analyzer leaves the text as it is ([`Analyzer::raw`](crate::text::Analyzer::raw)), so that
//! `levenshtein` is what users of other tools know under that name.

use super::search::{
    ImpactList, Impacts, Line, NormModel, QueryBounds, QueryText, Searchable, Shape,
};
use super::{Batch, Explanation, Place, TextSimilarity};
use crate::collection::{Spectrum, TermId, Vocabulary};
use crate::term::TermSimilarity;
use crate::term::coefficient::{Coefficient, mean};
use crate::term::qgrams::{Count, Qgrams};
use crate::text::Text;
use rayon::prelude::*;
use std::cell::RefCell;
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

/// The whole text is its only term. Its impact is a bound on the similarity, from the characters that both have in common;
/// or the number of shared q-grams, where those are compared.
impl Searchable<Box<[char]>> for WholeText {
    fn norm(&self) -> NormModel<'_> {
        NormModel::Sum(match self.similarity.as_qgrams() {
            Some(qgrams) => Box::new(|term| f64::from(self.grams(qgrams).1[term.index()])),
            None => Box::new(|_| 1.0),
        })
    }

    fn text_norm(&self, text: &Box<[char]>) -> f64 {
        self.similarity.as_qgrams().map_or(1.0, |qgrams| Self::gram_count(qgrams, text) as f64)
    }

    fn query<'a>(&'a self, query: &QueryText<'_, Box<[char]>>) -> Box<dyn QueryBounds + 'a> {
        match self.similarity.as_qgrams() {
            Some(qgrams) => Box::new(QgramBounds::new(self, qgrams, query)),
            None => Box::new(CharacterBounds {
                measure: self,
                query: Bag::of(query.text.iter().copied()),
            }),
        }
    }

    fn whole_text(&self) -> bool {
        true
    }
}

/// Bounds a string similarity by the characters that two strings have in common.
struct CharacterBounds<'a> {
    measure: &'a WholeText,
    query: Bag,
}

impl QueryBounds for CharacterBounds<'_> {
    fn impacts(&self) -> Impacts<'_> {
        let Self { measure, query } = self;
        let bags = measure.bags.get_or_init(|| {
            let bag = |id: u32| Bag::of(measure.vocabulary.term(TermId(id)).chars());
            (0..measure.vocabulary.len() as u32).into_par_iter().map(bag).collect()
        });
        Impacts::Computed(Box::new(move |impacts| {
            for term in impacts.terms() {
                let other = &bags[term as usize];
                let (a, b) = (query.length as usize, other.length as usize);
                let common = query.common(other).min(a).min(b);
                impacts.add(term, measure.similarity.bound_by_characters(a, b, common) as f32);
            }
        }))
    }

    fn shape(&self) -> Shape {
        Shape::Linear(Line::new(1.0, 0.0))
    }

    fn slope(&self, _: f64) -> f64 {
        1.0
    }
}

/// Bounds a coefficient of q-grams by the q-grams that two strings share.
struct QgramBounds<'a> {
    coefficient: Coefficient,
    /// For each gram of the query the strings that have it, and how often the query does.
    grams: Vec<(&'a [u32], f32)>,
    norm: f64,
}

impl<'a> QgramBounds<'a> {
    fn new(measure: &'a WholeText, qgrams: &'a Qgrams, query: &QueryText<'_, Box<[char]>>) -> Self {
        let spectrum = &measure.grams(qgrams).0;
        let mut own: BTreeMap<String, f32> = BTreeMap::new();
        qgrams.cut().each(query.text, &mut Vec::new(), |gram, _| {
            *own.entry(gram.iter().collect()).or_default() += 1.0;
        });
        let list = |(gram, count): (String, f32)| {
            let shared = if qgrams.count == Count::Set { 1.0 } else { count };
            Some((spectrum.terms_with(spectrum.get(&gram)?), shared))
        };
        let grams = own.into_iter().filter_map(list).collect();
        Self { coefficient: qgrams.coefficient, grams, norm: query.norm }
    }
}

impl QueryBounds for QgramBounds<'_> {
    fn impacts(&self) -> Impacts<'_> {
        let lists = self.grams.iter().map(|(terms, shared)| ImpactList::uniform(*terms, *shared));
        Impacts::Lists(lists.collect())
    }

    fn shape(&self) -> Shape {
        Shape::Linear(match self.coefficient {
            Coefficient::OVERLAP => Line::new(1.0 / self.norm, 1.0),
            _ => Line::new(0.5 / self.norm, 0.5),
        })
    }

    fn slope(&self, norm: f64) -> f64 {
        1.0 / match self.coefficient {
            // Dice's is above Jaccard's.
            Coefficient::Jaccard => mean(1.0, self.norm, norm),
            Coefficient::Mean(p) => mean(p, self.norm, norm),
        }
    }

    fn bound(&self, sum: f64, norm: f64) -> f64 {
        match self.coefficient {
            Coefficient::Jaccard => {
                let shared = sum.min(self.norm).min(norm);
                shared / (self.norm + norm - shared)
            }
            _ => sum * self.slope(norm),
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

    fn score_plain(&self, a: &str, b: &str) -> Option<f64> {
        thread_local! {
            static CHARS: RefCell<[Vec<char>; 2]> = RefCell::default();
        }
        if a.is_ascii()
            && b.is_ascii()
            && let Some(score) = self.similarity.similarity_ascii(a.as_bytes(), b.as_bytes())
        {
            return Some(score);
        }
        CHARS.with_borrow_mut(|[left, right]| {
            for (chars, text) in [(&mut *left, a), (&mut *right, b)] {
                chars.clear();
                chars.extend(text.chars());
            }
            Some(self.similarity.similarity(left, right))
        })
    }

    fn score_at_least(&self, a: &Box<[char]>, b: &Box<[char]>, cutoff: f64) -> Option<f64> {
        self.similarity.similarity_at_least(a, b, cutoff)
    }

    fn upper_bound(&self, a: &Box<[char]>, b: &Box<[char]>) -> f64 {
        self.similarity.upper_bound(a, b)
    }

    fn searchable(&self) -> Option<&dyn Searchable<Box<[char]>>> {
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
pub(super) fn places(text: &Text) -> Vec<Place> {
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
