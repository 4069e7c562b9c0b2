//! WordNet as flat arrays, which lie in memory or in a mapped file.

use crate::collection::Strings;
use crate::flat::{Flat, Number};
use crate::store::{File, FileWriter, StoreError};

/// Lists of numbers, one after the other.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub ends: Flat<u32>,
    pub items: Flat<u32>,
}

impl Lists {
    pub(super) fn new(lists: impl Iterator<Item = impl IntoIterator<Item = u32>>) -> Self {
        let (mut ends, mut items) = (Vec::new(), Vec::new());
        for list in lists {
            items.extend(list);
            ends.push(items.len() as u32);
        }
        Self { ends: ends.into(), items: items.into() }
    }

    pub(super) fn range(&self, number: u32) -> std::ops::Range<usize> {
        let (ends, number): (&[u32], usize) = (&self.ends, number as usize);
        match ends.get(number) {
            Some(&end) => (if number == 0 { 0 } else { ends[number - 1] }) as usize..end as usize,
            None => 0..0,
        }
    }

    /// A list; an empty one if there is none of that number.
    pub(super) fn of(&self, number: u32) -> &[u32] {
        &self.items[self.range(number)]
    }

    /// Whether there are `lists` lists, of numbers below `below`.
    fn fits(&self, lists: usize, below: usize) -> bool {
        self.ends.len() == lists
            && self.ends.is_sorted()
            && self.ends.last().copied().unwrap_or(0) as usize == self.items.len()
            && self.items.iter().all(|&item| (item as usize) < below)
    }
}

/// Everything. Lists for each lemma (or form) and part of speech have the number `lemma * 4 + part of speech`.
#[derive(Debug, Default)]
pub(super) struct Arrays {
    /// Words in lower case with blanks.
    pub lemmas: Strings,
    /// The synsets of each lemma and part of speech, most frequent first, and how often each was tagged.
    pub senses: Lists,
    pub counts: Flat<u32>,
    /// Words as they are spelled.
    pub words: Strings,
    /// The words of each synset, in the order of its line, and the same as lemmas.
    pub synset_words: Lists,
    pub synset_lemmas: Flat<u32>,
    /// The byte of its file at which each synset begins.
    pub offsets: Flat<u32>,
    pub hypernyms: Lists,
    pub hyponyms: Lists,
    /// For noun and verb synsets; see [`super::hierarchy::Ancestors`].
    pub ancestors: Lists,
    pub up: Flat<u8>,
    pub across: Flat<u8>,
    pub reach: Flat<u8>,
    pub slack: Flat<u8>,
    pub least_depth: Flat<u8>,
    pub most_depth: Flat<u8>,
    /// Irregular forms, in which parts of speech each is listed (a bit each), and the lemmas it comes from.
    pub forms: Strings,
    pub form_in: Flat<u8>,
    pub form_lemmas: Lists,
    /// Where each part of speech ends among the synsets; how many verbs stand before the root that they share;
    /// the depth of the tree of nouns and of that of verbs.
    pub facts: Flat<u32>,
}

impl Arrays {
    /// The numbers of the synsets of a part of speech.
    pub(super) fn synsets(&self, pos: usize) -> std::ops::Range<u32> {
        (if pos == 0 { 0 } else { self.facts[pos - 1] })..self.facts[pos]
    }

    /// The number that the root of all verbs would have: it comes before the synset that has it.
    pub(super) fn root(&self) -> u32 {
        self.facts[0] + self.facts[4]
    }

    /// How deep the tree of nouns (0) or verbs (1) is, as Leacock and Chodorow count.
    pub(super) fn depth(&self, pos: usize) -> u32 {
        self.facts[5 + pos]
    }

    pub(super) fn write(&self, file: &mut FileWriter) -> Result<(), StoreError> {
        write_strings(file, "lemmas", &self.lemmas)?;
        write_lists(file, "senses", &self.senses)?;
        file.write("counts", &self.counts)?;
        write_strings(file, "words", &self.words)?;
        write_lists(file, "synset words", &self.synset_words)?;
        file.write("synset lemmas", &self.synset_lemmas)?;
        file.write("offsets", &self.offsets)?;
        write_lists(file, "hypernyms", &self.hypernyms)?;
        write_lists(file, "hyponyms", &self.hyponyms)?;
        write_lists(file, "ancestors", &self.ancestors)?;
        file.write("up", &self.up)?;
        file.write("across", &self.across)?;
        file.write("reach", &self.reach)?;
        file.write("slack", &self.slack)?;
        file.write("least depth", &self.least_depth)?;
        file.write("most depth", &self.most_depth)?;
        write_strings(file, "forms", &self.forms)?;
        file.write("form in", &self.form_in)?;
        write_lists(file, "form lemmas", &self.form_lemmas)?;
        file.write("facts", &self.facts)
    }

    /// The arrays of a file; `None` if one is missing or they do not fit together.
    pub(super) fn open(file: &File) -> Option<Self> {
        let arrays = Self {
            lemmas: strings(file, "lemmas")?,
            senses: lists(file, "senses")?,
            counts: get(file, "counts")?,
            words: strings(file, "words")?,
            synset_words: lists(file, "synset words")?,
            synset_lemmas: get(file, "synset lemmas")?,
            offsets: get(file, "offsets")?,
            hypernyms: lists(file, "hypernyms")?,
            hyponyms: lists(file, "hyponyms")?,
            ancestors: lists(file, "ancestors")?,
            up: get(file, "up")?,
            across: get(file, "across")?,
            reach: get(file, "reach")?,
            slack: get(file, "slack")?,
            least_depth: get(file, "least depth")?,
            most_depth: get(file, "most depth")?,
            forms: strings(file, "forms")?,
            form_in: get(file, "form in")?,
            form_lemmas: lists(file, "form lemmas")?,
            facts: get(file, "facts")?,
        };
        arrays.fit().then_some(arrays)
    }

    /// Whether every number that stands for something else has it. The checksum has passed, yet nothing that
    /// comes from a file is taken on trust.
    fn fit(&self) -> bool {
        let [nouns, verbs, adjectives, all, root, ..] = self.facts[..] else { return false };
        let (synsets, lemmas) = (self.offsets.len(), self.lemmas.len());
        let in_tree = verbs as usize;
        self.facts.len() == 7
            && [nouns, verbs, adjectives, all].is_sorted()
            && all as usize == synsets
            && root <= verbs - nouns
            && self.senses.fits(lemmas * 4, synsets)
            && self.senses_are_of_their_part_of_speech()
            && self.counts.len() == self.senses.items.len()
            && self.synset_words.fits(synsets, self.words.len())
            && self.synset_lemmas.len() == self.synset_words.items.len()
            && self.synset_lemmas.iter().all(|&lemma| (lemma as usize) < lemmas)
            && self.hypernyms.fits(synsets, synsets)
            && self.hyponyms.fits(synsets, synsets)
            && self.ancestors.fits(in_tree, in_tree)
            && [&self.up, &self.across].iter().all(|a| a.len() == self.ancestors.items.len())
            && [&self.reach, &self.slack].iter().all(|a| a.len() == in_tree)
            && [&self.least_depth, &self.most_depth].iter().all(|a| a.len() == synsets)
            && self.form_in.len() == self.forms.len()
            && self.form_lemmas.fits(self.forms.len() * 4, lemmas)
    }

    fn senses_are_of_their_part_of_speech(&self) -> bool {
        let ranges = [0, 1, 2, 3].map(|pos| self.synsets(pos));
        let (ends, senses): (&[u32], &[u32]) = (&self.senses.ends, &self.senses.items);
        let mut start = 0;
        ends.iter().enumerate().all(|(list, &end)| {
            let range = &ranges[list % 4];
            let fits = senses[start..end as usize].iter().all(|synset| range.contains(synset));
            start = end as usize;
            fits
        })
    }
}

fn write_strings(file: &mut FileWriter, name: &str, strings: &Strings) -> Result<(), StoreError> {
    let (bytes, ends) = strings.parts();
    file.write(&format!("{name}: bytes"), bytes)?;
    file.write(&format!("{name}: ends"), ends)
}

fn write_lists(file: &mut FileWriter, name: &str, lists: &Lists) -> Result<(), StoreError> {
    file.write(&format!("{name}: ends"), &lists.ends)?;
    file.write(name, &lists.items)
}

fn get<T: Number>(file: &File, name: &str) -> Option<Flat<T>> {
    file.section(name).ok()
}

fn strings(file: &File, name: &str) -> Option<Strings> {
    let (bytes, ends) =
        (get(file, &format!("{name}: bytes"))?, get(file, &format!("{name}: ends"))?);
    Strings::from_sorted(bytes, ends)
}

fn lists(file: &File, name: &str) -> Option<Lists> {
    Some(Lists { ends: get(file, &format!("{name}: ends"))?, items: get(file, name)? })
}
