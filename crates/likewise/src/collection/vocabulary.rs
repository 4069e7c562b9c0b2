//! The terms of a collection under one analyzer, and their counts.

use super::lengths::{LengthCounts, Lengths, Profile, ProfileCounts};
use super::spectrum::Spectra;
use super::strings::Interner;
use super::{CollectionError, Strings};
use crate::flat::Flat;
use crate::text::Analyzer;
use rayon::prelude::*;

/// A term's number in a vocabulary, in the order of the terms' bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

impl TermId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Terms, sorted, with the number of texts (df) and of occurrences (cf) of each.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    pub(super) terms: Strings,
    pub(super) df: Flat<u64>,
    pub(super) cf: Flat<u64>,
    pub(super) texts: u64,
    pub(super) occurrences: u64,
    pub(super) lengths: Lengths,
    pub(super) spectra: Spectra,
}

impl Vocabulary {
    /// Sorted terms and their counts.
    pub(crate) fn new(
        terms: Strings,
        df: Flat<u64>,
        cf: Flat<u64>,
        texts: u64,
        occurrences: u64,
        lengths: Lengths,
    ) -> Self {
        Self { terms, df, cf, texts, occurrences, lengths, spectra: Spectra::default() }
    }

    /// The terms, and their numbers of texts and of occurrences.
    pub(crate) fn parts(&self) -> (&Strings, &Flat<u64>, &Flat<u64>) {
        (&self.terms, &self.df, &self.cf)
    }

    /// Number of texts counted.
    pub fn texts(&self) -> u64 {
        self.texts
    }

    /// Number of term occurrences counted.
    pub fn occurrences(&self) -> u64 {
        self.occurrences
    }

    /// How many of the texts have how many terms.
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// What the texts are like.
    pub fn profile(&self) -> Profile {
        let mut counts = ProfileCounts::default();
        counts.add_vocabulary(self);
        counts.finish()
    }

    /// Number of distinct terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The id of a term, if it was seen.
    pub fn get(&self, term: &str) -> Option<TermId> {
        self.terms.get(term).map(TermId)
    }

    /// The term with an id.
    ///
    /// # Panics
    /// If the id is not one of this vocabulary's.
    pub fn term(&self, id: TermId) -> &str {
        self.terms.at(id.0)
    }

    /// Number of texts a term occurs in.
    pub fn df(&self, id: TermId) -> u64 {
        self.df[id.index()]
    }

    /// Number of times a term occurs.
    pub fn cf(&self, id: TermId) -> u64 {
        self.cf[id.index()]
    }

    /// All ids, in the order of the terms' bytes.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = TermId> + use<> {
        (0..self.len() as u32).map(TermId)
    }

    /// ln(M/m) with M texts, m of which have the term. A term never seen counts as seen in one
    /// text. With no texts counted every term weighs 1.
    pub fn idf(&self, term: &str) -> f64 {
        self.weight(term, |texts, df| (texts / df).ln())
    }

    /// ln(1 + M/m): never 0, so a word that every text has still counts a little.
    pub fn smooth_idf(&self, term: &str) -> f64 {
        self.weight(term, |texts, df| (texts / df).ln_1p())
    }

    /// The [smooth idf](Self::smooth_idf) of a term by its id.
    pub fn smooth_idf_of(&self, id: TermId) -> f64 {
        self.weight_of(Some(id), |texts, df| (texts / df).ln_1p())
    }

    fn weight(&self, term: &str, weight: impl Fn(f64, f64) -> f64) -> f64 {
        self.weight_of(self.get(term), weight)
    }

    /// What a term weighs, from the number of texts and how many of them have it: one if it was never seen. With no
    /// texts counted every term weighs 1.
    pub(crate) fn weight_of(&self, id: Option<TermId>, weight: impl Fn(f64, f64) -> f64) -> f64 {
        if self.texts == 0 {
            return 1.0;
        }
        let df = id.map_or(1, |id| self.df(id));
        weight(self.texts as f64, df as f64)
    }
}

/// Counts while a vocabulary grows.
#[derive(Default)]
pub(super) struct Counts {
    terms: Interner,
    /// df, cf and the last text that had the term.
    counts: Vec<(u64, u64, u64)>,
    texts: u64,
    occurrences: u64,
    lengths: LengthCounts,
    overflow: bool,
}

impl Counts {
    /// Counts a batch of texts, its parts in parallel.
    pub fn add<T: AsRef<str> + Sync>(&mut self, analyzer: &Analyzer, texts: &[T]) {
        let part = texts.len().div_ceil(rayon::current_num_threads()).max(1);
        let parts: Vec<Self> = texts
            .par_chunks(part)
            .map(|texts| {
                let mut counts = Self::default();
                for text in texts {
                    counts.add_one(analyzer, text.as_ref());
                }
                counts
            })
            .collect();
        for part in parts {
            self.merge(&part);
        }
    }

    fn add_one(&mut self, analyzer: &Analyzer, text: &str) {
        self.texts += 1;
        let text = analyzer.analyze(text);
        self.lengths.add(text.len() as u64, 1);
        for term in text.terms() {
            self.occurrences += 1;
            let Some(entry) = self.entry(term.as_bytes()) else { return };
            let (df, cf, last) = &mut self.counts[entry];
            *cf += 1;
            if *last != self.texts {
                *df += 1;
                *last = self.texts;
            }
        }
    }

    fn merge(&mut self, part: &Self) {
        self.texts += part.texts;
        self.occurrences += part.occurrences;
        self.lengths.merge(&part.lengths);
        self.overflow |= part.overflow;
        for (number, &(df, cf, _)) in part.counts.iter().enumerate() {
            let Some(entry) = self.entry(part.terms.at(number)) else { return };
            self.counts[entry].0 += df;
            self.counts[entry].1 += cf;
        }
    }

    fn entry(&mut self, term: &[u8]) -> Option<usize> {
        let Some(number) = self.terms.intern(term) else {
            self.overflow = true;
            return None;
        };
        if number as usize == self.counts.len() {
            self.counts.push((0, 0, 0));
        }
        Some(number as usize)
    }

    pub fn finish(self) -> Result<Vocabulary, CollectionError> {
        if self.overflow {
            return Err(CollectionError::TooManyTerms);
        }
        let (terms, new_number) = self.terms.sorted();
        let mut df = vec![0; terms.len()];
        let mut cf = vec![0; terms.len()];
        for ((d, c, _), &at) in self.counts.iter().zip(&new_number) {
            df[at as usize] = *d;
            cf[at as usize] = *c;
        }
        let lengths = self.lengths.finish();
        let (df, cf) = (df.into(), cf.into());
        Ok(Vocabulary::new(terms.hashed(), df, cf, self.texts, self.occurrences, lengths))
    }
}

#[cfg(test)]
mod tests {
    use crate::collection::{Collection, TermId};
    use crate::text::Analyzer;
    use crate::text::qgrams::{Cut, Padding, Short};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn counts_are_what_counting_by_hand_gives(texts in
            proptest::collection::vec("([a-c]{1,4} ){0,6}", 0..30)) {
            let analyzer = Analyzer::default();
            let collection = Collection::build([analyzer.clone()], &texts).unwrap();
            let words = collection.vocabulary(&analyzer).unwrap();
            let mut df = BTreeMap::<&str, u64>::new();
            let mut cf = BTreeMap::<&str, u64>::new();
            let mut grams = BTreeMap::<String, u64>::new();
            for text in &texts {
                for term in text.split_whitespace() {
                    *cf.entry(term).or_default() += 1;
                    let pairs: BTreeSet<String> =
                        term.as_bytes().windows(2).map(|w| String::from_utf8(w.to_vec()).unwrap()).collect();
                    for gram in pairs {
                        *grams.entry(gram).or_default() += 1;
                    }
                }
                for term in text.split_whitespace().collect::<BTreeSet<_>>() {
                    *df.entry(term).or_default() += 1;
                }
            }
            prop_assert_eq!(words.texts(), texts.len() as u64);
            prop_assert_eq!(words.occurrences(), cf.values().sum::<u64>());
            prop_assert!(words.ids().map(|id| words.term(id)).eq(cf.keys().copied()));
            prop_assert!(words.ids().map(|id| words.df(id)).eq(df.values().copied()));
            prop_assert!(words.ids().map(|id| words.cf(id)).eq(cf.values().copied()));
            let cut = Cut { q: 2, padding: Padding::None, short: Short::Drop };
            let spectrum = words.spectrum(cut);
            let numbers = 0..spectrum.len() as u32;
            prop_assert!(numbers.clone().map(|n| spectrum.gram(n)).eq(grams.keys().map(String::as_str)));
            prop_assert!(spectrum.occurrences().iter().eq(grams.values()));
            for number in numbers {
                let has = |id: &TermId| words.term(*id).contains(spectrum.gram(number));
                prop_assert!(words.ids().filter(has).map(|id| id.0).eq(spectrum.terms_with(number).iter().copied()));
            }
        }
    }
}
