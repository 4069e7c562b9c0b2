//! Words of a vocabulary that are near a word, found by walking the tree instead of comparing with all.

use super::arrays::Lists;
use super::lookup::folded;
use super::similarity::{IN_TREES, Relation, Word, from_depth, path_at};
use super::{Pos, Senses, WordNet};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longer than any way in a tree: see [`super::hierarchy::DEEPEST`].
const FAR: u32 = 1 << 9;

/// A vocabulary, with the words of each synset at hand.
///
/// ```
/// use likewise::lexicon::wordnet::{Relation, Senses, WordNet};
///
/// # if WordNet::find(None).is_err() { return Ok(()) } // There is nothing to show where it is not installed.
/// let wordnet = WordNet::find(None)?;
/// let words = ["automobiles", "bicycle", "carrot", "jeep"];
/// let neighbours = wordnet.neighbours(words, Senses::First(1));
/// let mut near = Vec::new();
/// neighbours.of("car", Relation::WuPalmer, 0.9, &mut |number, _| near.push(words[number as usize]));
/// assert_eq!(near, ["automobiles", "jeep"]);
/// # Ok::<(), likewise::lexicon::wordnet::WordNetError>(())
/// ```
#[derive(Debug)]
pub struct Neighbours {
    wordnet: WordNet,
    senses: Senses,
    /// For each synset the words that have it among the senses that count.
    words: Lists,
}

impl WordNet {
    /// Makes a vocabulary ready for questions after neighbours. Its words have the numbers 0, 1, … in the order in
    /// which they come; inflected forms are found by their base forms.
    pub fn neighbours<'w>(
        &self,
        words: impl IntoIterator<Item = &'w str>,
        senses: Senses,
    ) -> Neighbours {
        let mut has: Vec<(u32, u32)> = Vec::new();
        for (number, word) in words.into_iter().enumerate() {
            let (number, word) = (number as u32, folded(word));
            for pos in Pos::ALL {
                let synsets = self.numbers(&word, pos, senses);
                has.extend(synsets.into_iter().map(|synset| (synset, number)));
            }
        }
        has.sort_unstable();
        has.dedup();
        let of_synset = has.chunk_by(|a, b| a.0 == b.0);
        let mut ends = vec![0u32; self.len()];
        of_synset.for_each(|some| ends[some[0].0 as usize] = some.len() as u32);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let items: Vec<u32> = has.into_iter().map(|(_, word)| word).collect();
        Neighbours {
            wordnet: self.clone(),
            senses,
            words: Lists { ends: ends.into(), items: items.into() },
        }
    }
}

impl Neighbours {
    /// Gives the number of each word of the vocabulary whose [`similarity`](Word::similarity) with `word` is at least
    /// `at_least`, and that similarity; in the order of the numbers. The word itself is among them if it is in the
    /// vocabulary. For [`Relation::Synonym`] these are the words that share a synset with it, whatever `at_least` is.
    pub fn of(
        &self,
        word: &str,
        relation: Relation,
        at_least: f64,
        each: &mut dyn FnMut(u32, f64),
    ) {
        let word = self.wordnet.word(word, self.senses);
        let mut found = FxHashMap::default();
        match relation {
            Relation::Synonym => {
                let synsets = Pos::ALL.into_iter().flat_map(|pos| word.senses(pos));
                synsets.for_each(|&synset| self.add(&mut found, synset, 1.0));
            }
            Relation::Path => {
                for pos in IN_TREES {
                    self.within(&word, pos, &|d| Some(path_at(d)), at_least, &mut found);
                }
            }
            Relation::LeacockChodorow => {
                for pos in IN_TREES {
                    let value = |d| self.wordnet.normal_leacock_chodorow(pos, d);
                    self.within(&word, pos, &value, at_least, &mut found);
                }
            }
            Relation::WuPalmer => {
                for pos in IN_TREES {
                    let senses = word.senses(pos).iter();
                    senses.for_each(|&synset| self.under(synset, pos, at_least, &mut found));
                }
            }
        }
        let mut found: Vec<(u32, f64)> = found.into_iter().collect();
        found.sort_unstable_by_key(|&(number, _)| number);
        found.into_iter().for_each(|(number, value)| each(number, value));
    }

    /// The best value for each word.
    fn add(&self, found: &mut FxHashMap<u32, f64>, synset: u32, value: f64) {
        for &word in self.words.of(synset) {
            let best = found.entry(word).or_insert(value);
            *best = best.max(value);
        }
    }

    /// Relations that know only the distance, the nearer the more: up as far as it goes, and from everywhere down
    /// as far as is left, those with most left first, so that each synset is passed once and at its least distance.
    fn within(
        &self,
        word: &Word<'_>,
        pos: Pos,
        value: &dyn Fn(u32) -> Option<f64>,
        at_least: f64,
        found: &mut FxHashMap<u32, f64>,
    ) {
        let enough = |distance: u32| value(distance).is_some_and(|value| value >= at_least);
        let Some(farthest) = last(enough) else { return };
        let mut waiting: Vec<Vec<u32>> = Vec::new();
        for &(synset, steps) in word.above(pos) {
            put(&mut waiting, steps.into(), synset);
        }
        let mut passed = FxHashSet::default();
        let mut distance = 0;
        while distance < waiting.len() && distance as u32 <= farthest {
            for synset in std::mem::take(&mut waiting[distance]) {
                if !passed.insert(synset) {
                    continue;
                }
                if let Some(value) = value(distance as u32) {
                    self.add(found, synset, value);
                }
                let below = self.wordnet.arrays.hyponyms.of(synset);
                below.iter().for_each(|&below| put(&mut waiting, distance + 1, below));
            }
            distance += 1;
        }
        if let Some(to_root) = word.root_distance().filter(|_| pos == Pos::Verb) {
            for verb in self.verbs_within(farthest.checked_sub(to_root)) {
                if let Some(value) = value(to_root + self.wordnet.to_root(verb)) {
                    self.add(found, verb, value);
                }
            }
        }
    }

    /// Wu and Palmer: for each hypernym, down as far as a synset that shares it may lie.
    fn under(&self, synset: u32, pos: Pos, at_least: f64, found: &mut FxHashMap<u32, f64>) {
        let (wordnet, arrays) = (&self.wordnet, &self.wordnet.arrays);
        let mut tried = FxHashSet::default();
        let mut attempt = |other: u32| {
            if !tried.insert(other) || self.words.of(other).is_empty() {
                return;
            }
            let value = wordnet.wu_palmer_of(pos, synset, other);
            if let Some(value) = value.filter(|&value| value >= at_least) {
                self.add(found, other, value);
            }
        };
        for at in arrays.ancestors.range(synset) {
            let (hypernym, own) = (arrays.ancestors.items[at], u32::from(arrays.across[at]));
            let enough = |other| wordnet.wu_palmer_by(hypernym, own, other) >= at_least;
            let Some(farthest) = last(enough) else { continue };
            // Some below it are nearer to it than the way down is long.
            let mut steps = farthest + u32::from(arrays.slack[hypernym as usize]);
            let mut level = vec![hypernym];
            let mut passed = FxHashSet::default();
            while !level.is_empty() {
                level.retain(|&synset| passed.insert(synset));
                level.iter().for_each(|&synset| attempt(synset));
                if steps == 0 {
                    break;
                }
                steps -= 1;
                level =
                    level.iter().flat_map(|&synset| arrays.hyponyms.of(synset)).copied().collect();
            }
        }
        if pos == Pos::Verb {
            let own = wordnet.to_root(synset);
            let farthest = last(|other| from_depth(1, own, other) >= at_least);
            self.verbs_within(farthest).for_each(attempt);
        }
    }

    /// The verbs that are at most so far from the root that they share.
    fn verbs_within(&self, farthest: Option<u32>) -> impl Iterator<Item = u32> {
        let verbs = self.wordnet.arrays.synsets(Pos::Verb.number());
        // The nearest are one step from it.
        let verbs = farthest
            .filter(|&farthest| farthest > 0)
            .map(|farthest| verbs.filter(move |&verb| self.wordnet.to_root(verb) <= farthest));
        verbs.into_iter().flatten()
    }
}

/// The last distance at which something holds that holds up to a distance and not beyond.
fn last(holds: impl Fn(u32) -> bool) -> Option<u32> {
    (0..FAR).take_while(|&distance| holds(distance)).last()
}

fn put(waiting: &mut Vec<Vec<u32>>, distance: usize, synset: u32) {
    if waiting.len() <= distance {
        waiting.resize_with(distance + 1, Vec::new);
    }
    waiting[distance].push(synset);
}
