//! The q-grams of one size that a vocabulary's terms have: numbered, counted, and listed both ways.

use super::strings::Interner;
use super::{Strings, TermId, Vocabulary};
use crate::csr::FlatCsr;
use crate::flat::Flat;
use crate::text::qgrams::Cut;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// The grams that one way of cutting makes of a vocabulary's terms.
#[derive(Debug, Clone)]
pub struct Spectrum {
    cut: Cut,
    /// The grams; a gram's number is its place in the order of bytes, so that it does not depend
    /// on the order in which texts came.
    grams: Strings,
    /// Occurrences of terms that contain each gram.
    occurrences: Flat<u64>,
    /// The distinct grams of each term, by number.
    of_terms: FlatCsr,
    /// The terms that have each gram: the transpose, made when first asked for.
    of_grams: OnceLock<FlatCsr>,
}

impl Spectrum {
    fn new(cut: Cut, vocabulary: &Vocabulary) -> Self {
        let mut grams = Interner::default();
        // For each gram in the order of arrival: occurrences, and the last term that had it.
        let mut counts: Vec<(u64, u32)> = Vec::new();
        // Short grams are found faster as one number than by their characters.
        let mut packed: FxHashMap<u64, u32> = FxHashMap::default();
        let (mut ends, mut items) = (Vec::new(), Vec::new());
        let (mut chars, mut padded, mut gram) = (Vec::new(), Vec::new(), String::new());
        for id in vocabulary.ids() {
            chars.clear();
            chars.extend(vocabulary.term(id).chars());
            cut.each(&chars, &mut padded, |piece, _| {
                let key = pack(piece);
                let known = key.and_then(|key| packed.get(&key).copied());
                let number = known.or_else(|| {
                    gram.clear();
                    gram.extend(piece);
                    let number = grams.intern(gram.as_bytes())?;
                    key.map(|key| packed.insert(key, number));
                    Some(number)
                });
                let Some(number) = number else { return };
                if number as usize == counts.len() {
                    counts.push((0, u32::MAX));
                }
                let (count, last) = &mut counts[number as usize];
                // A gram twice in one term is one term that contains it.
                if *last != id.0 {
                    *count += vocabulary.cf(id);
                    *last = id.0;
                    items.push(number);
                }
            });
            ends.push(items.len() as u64);
        }
        let (grams, new_number) = grams.sorted();
        let mut occurrences = vec![0; counts.len()];
        for ((count, _), &at) in counts.iter().zip(&new_number) {
            occurrences[at as usize] = *count;
        }
        let mut start = 0;
        for &end in &ends {
            let own = &mut items[start..end as usize];
            own.iter_mut().for_each(|number| *number = new_number[*number as usize]);
            own.sort_unstable();
            start = end as usize;
        }
        Self {
            cut,
            grams: grams.hashed(),
            occurrences: occurrences.into(),
            of_terms: FlatCsr::new(ends, items),
            of_grams: OnceLock::new(),
        }
    }

    /// From its parts, for a vocabulary of so many terms; `None` if they do not fit together.
    pub(crate) fn from_parts(
        cut: Cut,
        terms: usize,
        grams: Strings,
        occurrences: Flat<u64>,
        of_terms: FlatCsr,
        of_grams: Option<FlatCsr>,
    ) -> Option<Self> {
        let fits = occurrences.len() == grams.len()
            && of_terms.len() == terms
            && of_terms.all_below(grams.len())
            && of_grams.iter().all(|of| of.len() == grams.len() && of.all_below(terms));
        let of_grams = of_grams.map(OnceLock::from).unwrap_or_default();
        fits.then_some(Self { cut, grams, occurrences, of_terms, of_grams })
    }

    /// The grams, the grams of each term, and the terms with each gram.
    pub(crate) fn parts(&self) -> (&Strings, &FlatCsr, &FlatCsr) {
        (&self.grams, &self.of_terms, self.of_grams())
    }

    /// The same without the terms with each gram, which may not be made yet.
    pub(crate) fn parts_of_terms(&self) -> (&Strings, &FlatCsr) {
        (&self.grams, &self.of_terms)
    }

    fn of_grams(&self) -> &FlatCsr {
        self.of_grams.get_or_init(|| self.of_terms.transposed(self.len()))
    }

    /// How terms were cut.
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// Number of grams.
    pub fn len(&self) -> usize {
        self.grams.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.grams.is_empty()
    }

    /// The gram with a number.
    pub fn gram(&self, number: u32) -> &str {
        self.grams.at(number)
    }

    /// The number of a gram, if a term has it.
    pub fn get(&self, gram: &str) -> Option<u32> {
        self.grams.get(gram)
    }

    /// Occurrences of terms that contain each gram.
    pub fn occurrences(&self) -> &[u64] {
        &self.occurrences
    }

    /// The distinct grams of a term, by number.
    pub fn grams_of(&self, term: TermId) -> &[u32] {
        self.of_terms.at(term.index())
    }

    /// The terms that have a gram, in the order of their ids.
    pub fn terms_with(&self, gram: u32) -> &[u32] {
        self.of_grams().at(gram as usize)
    }
}

/// Up to three characters as one number, which no others have.
fn pack(piece: &[char]) -> Option<u64> {
    // A character has 21 bits; from 1, so that fewer characters differ from more.
    (piece.len() <= 3).then(|| piece.iter().fold(0, |key, &c| (key << 21) + u64::from(c) + 1))
}

/// The spectra of a vocabulary that somebody asked for: several measures share one.
#[derive(Debug, Default)]
pub(super) struct Spectra(Mutex<Vec<Arc<Spectrum>>>);

impl Clone for Spectra {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.known().clone()))
    }
}

impl Spectra {
    fn known(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Spectrum>>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Vocabulary {
    /// The same with spectra that are known already.
    pub(crate) fn with_spectra(self, spectra: Vec<Spectrum>) -> Self {
        let spectra = Spectra(Mutex::new(spectra.into_iter().map(Arc::new).collect()));
        Self { spectra, ..self }
    }

    /// The spectra that somebody asked for, in an order that is always the same.
    pub(crate) fn known_spectra(&self) -> Vec<Arc<Spectrum>> {
        let mut known = self.spectra.known().clone();
        known.sort_by_key(|spectrum| spectrum.cut.to_numbers());
        known
    }

    /// The grams that `cut` makes of this vocabulary's terms, counted when first asked for.
    ///
    /// Derived, not stored with the counts: it depends on size, padding and the rule for short
    /// terms, and one pass over the vocabulary, which is small beside the texts, gives it.
    pub fn spectrum(&self, cut: Cut) -> Arc<Spectrum> {
        let find = |all: &[Arc<Spectrum>]| all.iter().find(|s| s.cut == cut).map(Arc::clone);
        if let Some(known) = find(&self.spectra.known()) {
            return known;
        }
        // Made without holding the lock, so that sizes are cut side by side.
        let made = Arc::new(Spectrum::new(cut, self));
        let mut all = self.spectra.known();
        find(&all).unwrap_or_else(|| {
            all.push(Arc::clone(&made));
            made
        })
    }
}
