//! The q-grams of words, numbered: what measures over the grams of words have in common.

use super::search::Space;
use super::{Part, Place};
use crate::collection::{Spectrum, TermId, Vocabulary};
use crate::text::Text;
use crate::text::qgrams::{Cut, HEAD, TAIL};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The grams of several sizes that a vocabulary's terms have.
pub(super) struct Spectra {
    sizes: Vec<Sized>,
    /// Number of grams of all sizes.
    grams: usize,
}

/// The grams of one size, and where their numbers begin among those of all sizes.
pub(super) struct Sized {
    pub base: u32,
    pub spectrum: Arc<Spectrum>,
}

/// The distinct grams of one size that a term has.
pub(super) struct TermGrams<'a> {
    /// Which size, from 0.
    pub size: usize,
    /// Number of the size's first gram among those of all sizes.
    pub base: u32,
    /// Those the vocabulary has, by number within the spectrum.
    pub known: &'a [u32],
    /// The others.
    pub oov: &'a [String],
}

impl TermGrams<'_> {
    /// Number of distinct grams.
    pub fn len(&self) -> usize {
        self.known.len() + self.oov.len()
    }
}

/// A gram with its size, as a name that no gram of another size has.
pub(super) fn oov_name(size: usize, gram: &str) -> Box<str> {
    let size = char::from_u32(size as u32).unwrap_or('\0');
    let mut name = String::with_capacity(gram.len() + 1);
    name.push(size);
    name.push_str(gram);
    name.into()
}

impl Spectra {
    /// The grams as features: a space for each size.
    pub fn spaces(&self) -> Vec<Space> {
        self.sizes.iter().map(|size| Space::of(&*size.spectrum, size.spectrum.len())).collect()
    }

    /// Cuts every term of a vocabulary in each of these ways.
    pub fn new(cuts: &[Cut], vocabulary: &Vocabulary) -> Self {
        let spectra: Vec<Arc<Spectrum>> =
            cuts.par_iter().map(|&cut| vocabulary.spectrum(cut)).collect();
        let mut grams = 0;
        let sizes = spectra.into_iter().map(|spectrum| {
            let base = grams as u32;
            grams += spectrum.len();
            Sized { base, spectrum }
        });
        Self { sizes: sizes.collect(), grams }
    }

    /// Number of known grams.
    pub fn len(&self) -> usize {
        self.grams
    }

    /// The sizes, from the smallest.
    pub fn sizes(&self) -> &[Sized] {
        &self.sizes
    }

    /// A weight for each gram of each size, made of the gram and of the occurrences of terms that
    /// contain it.
    pub fn weigh(&self, weight: impl Fn(&str, u64) -> f64) -> Vec<Vec<f64>> {
        let weigh = |size: &Sized| {
            let counts = size.spectrum.occurrences().iter().enumerate();
            counts.map(|(n, &count)| weight(size.spectrum.gram(n as u32), count)).collect()
        };
        self.sizes.iter().map(weigh).collect()
    }

    /// Calls `each` with what of the known features lies in each size: the place of the size, its
    /// spectrum, and the features with numbers that begin at the size's own.
    pub fn by_size<'a, 'k, T: Copy>(
        &'a self,
        known: &'k [(u32, T)],
        mut each: impl FnMut(usize, &'a Spectrum, &mut dyn Iterator<Item = (u32, T)>),
    ) {
        let mut rest = known;
        for (at, Sized { base, spectrum }) in self.sizes.iter().enumerate() {
            let end = base + spectrum.len() as u32;
            let (own, others): (&'k [_], _) =
                rest.split_at(rest.partition_point(|(number, _)| *number < end));
            rest = others;
            each(at, spectrum, &mut own.iter().map(|&(number, held)| (number - base, held)));
        }
    }

    /// The grams of a term, size by size; `id` is its id in the vocabulary, if it has one.
    pub fn each_size(
        &self,
        term: &str,
        id: Option<TermId>,
        scratch: &mut Scratch,
        mut each: impl FnMut(&TermGrams),
    ) {
        for (size, &Sized { base, ref spectrum }) in self.sizes.iter().enumerate() {
            match id {
                Some(id) => {
                    let known = spectrum.grams_of(id);
                    each(&TermGrams { size, base, known, oov: &[] });
                }
                None => {
                    scratch.cut(term, spectrum);
                    let Scratch { known, oov, .. } = &*scratch;
                    each(&TermGrams { size, base, known, oov });
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
            for (size, Sized { spectrum, .. }) in self.sizes.iter().enumerate() {
                let mut grams: BTreeMap<String, Vec<Place>> = BTreeMap::new();
                spectrum.cut().each(&chars, &mut padded, |gram, place| {
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
    pub fn weight_of(&self, weights: &[Vec<f64>], oov: f64, size: usize, gram: &str) -> f64 {
        let number = self.sizes[size].spectrum.get(gram);
        number.map_or(oov, |n| weights[size][n as usize])
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

impl Scratch {
    /// The distinct grams of a term: those of the vocabulary by number, the others as they are.
    fn cut(&mut self, term: &str, spectrum: &Spectrum) {
        let Self { chars, padded, gram, known, oov } = self;
        chars.clear();
        chars.extend(term.chars());
        known.clear();
        oov.clear();
        spectrum.cut().each(chars, padded, |piece, _| {
            gram.clear();
            gram.extend(piece);
            match spectrum.get(gram) {
                Some(number) => known.push(number),
                None => oov.push(gram.clone()),
            }
        });
        known.sort_unstable();
        known.dedup();
        oov.sort_unstable();
        oov.dedup();
    }
}

/// Memory that is used again from term to term.
#[derive(Default)]
pub(super) struct Scratch {
    chars: Vec<char>,
    padded: Vec<char>,
    gram: String,
    known: Vec<u32>,
    oov: Vec<String>,
}
