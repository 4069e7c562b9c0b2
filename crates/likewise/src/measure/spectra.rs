//! The q-grams of words, numbered: what measures over the grams of words have in common.

use super::{Part, Place};
use crate::collection::{Strings, TermId, Vocabulary};
use crate::text::Text;
use crate::text::qgrams::{Cut, HEAD, TAIL};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The grams of several sizes that a vocabulary's terms have.
pub(super) struct Spectra {
    spectra: Vec<Spectrum>,
    /// Number of grams of all sizes.
    grams: usize,
}

/// The grams of one size.
pub(super) struct Spectrum {
    pub cut: Cut,
    /// Number of its first gram among those of all sizes.
    pub base: u32,
    /// The grams; a gram's number is its place in the order of bytes, so that it does not depend
    /// on the order in which texts came.
    grams: Strings,
    /// Occurrences of terms that contain each gram.
    occurrences: Vec<u64>,
    /// The distinct grams of the term with number t: `term_grams[term_ends[t-1]..term_ends[t]]`.
    term_ends: Vec<usize>,
    term_grams: Vec<u32>,
}

/// The distinct grams of one size that a term has.
pub(super) struct TermGrams<'a> {
    /// Which size, from 0.
    pub size: usize,
    pub spectrum: &'a Spectrum,
    /// Those the vocabulary has, by number within the spectrum.
    pub known: &'a [u32],
    /// The others.
    pub fresh: &'a [String],
}

impl TermGrams<'_> {
    /// Number of distinct grams.
    pub fn len(&self) -> usize {
        self.known.len() + self.fresh.len()
    }
}

/// A gram with its size, as a name that no gram of another size has.
pub(super) fn fresh_name(size: usize, gram: &str) -> Box<str> {
    let size = char::from_u32(size as u32).unwrap_or('\0');
    let mut name = String::with_capacity(gram.len() + 1);
    name.push(size);
    name.push_str(gram);
    name.into()
}

impl Spectra {
    /// Cuts every term of a vocabulary in each of these ways.
    pub fn new(cuts: &[Cut], vocabulary: &Vocabulary) -> Self {
        let mut spectra: Vec<Spectrum> =
            cuts.par_iter().map(|&cut| Spectrum::new(cut, vocabulary)).collect();
        let mut grams = 0;
        for spectrum in &mut spectra {
            spectrum.base = grams as u32;
            grams += spectrum.grams.len();
        }
        Self { spectra, grams }
    }

    /// Number of known grams.
    pub fn len(&self) -> usize {
        self.grams
    }

    /// The spectra, by size.
    pub fn iter(&self) -> impl Iterator<Item = &Spectrum> {
        self.spectra.iter()
    }

    /// The grams of a term, size by size; `id` is its id in the vocabulary, if it has one.
    pub fn each_size(
        &self,
        term: &str,
        id: Option<TermId>,
        scratch: &mut Scratch,
        mut each: impl FnMut(&TermGrams),
    ) {
        for (size, spectrum) in self.spectra.iter().enumerate() {
            match id {
                Some(id) => {
                    let known = spectrum.grams_of_term(id);
                    each(&TermGrams { size, spectrum, known, fresh: &[] });
                }
                None => {
                    spectrum.cut_term(term, scratch);
                    let Scratch { known, fresh, .. } = &*scratch;
                    each(&TermGrams { size, spectrum, known, fresh });
                }
            }
        }
    }
}

/// Every gram of a text, by size and characters.
pub(super) type Seen = BTreeMap<(usize, String), SeenGram>;

/// A gram of a text: in how many term occurrences it stands, its weights' sum, and where.
#[derive(Default)]
pub(super) struct SeenGram {
    pub count: u32,
    pub sum: f64,
    pub places: Vec<Place>,
}

impl Spectra {
    /// Every gram of a text with where it stands; `weigh` gives a gram's weight in a term, from
    /// its size, its characters, the term's place and the term's number of distinct grams. For
    /// explanations, which must show places: preparing a text is the fast way to the same sums.
    pub fn seen(&self, text: &Text, weigh: impl Fn(usize, &str, usize, usize) -> f64) -> Seen {
        let mut seen = Seen::new();
        let (mut chars, mut padded) = (Vec::new(), Vec::new());
        for (term, characters) in text.terms().enumerate() {
            chars.clear();
            chars.extend(characters.chars());
            for (size, spectrum) in self.spectra.iter().enumerate() {
                let mut grams: BTreeMap<String, Vec<Place>> = BTreeMap::new();
                spectrum.cut.each(&chars, &mut padded, |gram, place| {
                    let places = grams.entry(gram.iter().collect()).or_default();
                    places.push(Place::of_chars(text, term, place));
                });
                let length = grams.len();
                for (gram, places) in grams {
                    let weight = weigh(size, &gram, term, length);
                    let entry = seen.entry((size, gram)).or_default();
                    entry.count += 1;
                    entry.sum += weight;
                    entry.places.extend(places);
                }
            }
        }
        seen
    }

    /// A weight by the number of a gram, or the one for grams never seen.
    pub fn weight_of(&self, weights: &[Vec<f64>], fresh: f64, size: usize, gram: &str) -> f64 {
        let number = self.spectra[size].grams.get(gram);
        number.map_or(fresh, |n| weights[size][n as usize])
    }
}

/// The grams that two texts share, with what `meet` makes of each.
pub(super) fn shared_parts(
    left: Seen,
    right: &Seen,
    meet: impl Fn(&SeenGram, &SeenGram) -> f64,
) -> Vec<Part> {
    left.into_iter()
        .filter_map(|(key, l)| {
            let r = right.get(&key)?;
            Some(Part {
                what: key.1.replace(HEAD, "⊢").replace(TAIL, "⊣"),
                kind: "",
                contribution: meet(&l, r),
                left: l.places,
                right: r.places.clone(),
            })
        })
        .collect()
}

impl Spectrum {
    fn new(cut: Cut, vocabulary: &Vocabulary) -> Self {
        let (grams, occurrences) = vocabulary.gram_occurrences(cut);
        let mut spectrum = Self {
            cut,
            base: 0,
            grams,
            occurrences,
            term_ends: Vec::with_capacity(vocabulary.len()),
            term_grams: Vec::new(),
        };
        let mut scratch = Scratch::default();
        for id in vocabulary.ids() {
            spectrum.cut_term(vocabulary.term(id), &mut scratch);
            spectrum.term_grams.extend_from_slice(&scratch.known);
            spectrum.term_ends.push(spectrum.term_grams.len());
        }
        spectrum
    }

    /// The gram with a number.
    pub fn gram(&self, number: u32) -> &str {
        self.grams.at(number)
    }

    /// A weight for each gram, made of the occurrences of terms that contain it.
    pub fn weigh(&self, weight: impl Fn(u64) -> f64) -> Vec<f64> {
        self.occurrences.iter().map(|&n| weight(n)).collect()
    }

    fn grams_of_term(&self, id: TermId) -> &[u32] {
        let start = if id.0 == 0 { 0 } else { self.term_ends[id.index() - 1] };
        &self.term_grams[start..self.term_ends[id.index()]]
    }

    /// The distinct grams of a term: those of the vocabulary by number, the others as they are.
    fn cut_term(&self, term: &str, scratch: &mut Scratch) {
        let Scratch { chars, padded, gram, known, fresh } = scratch;
        chars.clear();
        chars.extend(term.chars());
        known.clear();
        fresh.clear();
        self.cut.each(chars, padded, |piece, _| {
            gram.clear();
            gram.extend(piece);
            match self.grams.get(gram) {
                Some(number) => known.push(number),
                None => fresh.push(gram.clone()),
            }
        });
        known.sort_unstable();
        known.dedup();
        fresh.sort_unstable();
        fresh.dedup();
    }
}

/// Memory that is used again from term to term.
#[derive(Default)]
pub(super) struct Scratch {
    chars: Vec<char>,
    padded: Vec<char>,
    gram: String,
    known: Vec<u32>,
    fresh: Vec<String>,
}
