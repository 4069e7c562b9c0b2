//! How near two meanings are in the tree of hypernyms, and two words by their nearest senses.
//!
//! The definitions are those of NLTK 3.9, whose results are the same to the last digit: nouns have one root, verbs
//! are thought to share one, adjectives and adverbs are in no tree.

use super::lookup::folded;
use super::{Pos, Senses, Synset, WordNet};

/// What makes words alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// 1 for words that share a synset, in any part of speech.
    Synonym,
    /// 1 / (1 + d), where d is the length of the shortest way from sense to sense by hypernyms and hyponyms.
    Path,
    /// How deep the lowest hypernym that two senses share lies, against how deep they lie themselves.
    WuPalmer,
    /// −ln((1 + d) / 2D), where D is the depth of the tree, divided by its value at d = 0; never below 0.
    LeacockChodorow,
}

/// A word, looked up: ready to be compared.
#[derive(Debug, Clone)]
pub struct Word<'a> {
    wordnet: &'a WordNet,
    /// By part of speech, in WordNet's order.
    senses: [Vec<u32>; 4],
    /// What is above any of its senses as a noun or as a verb, with the least number of steps.
    above: [Vec<(u32, u8)>; 2],
    /// From the nearest of its verbs to the root that all verbs share.
    to_root: Option<u32>,
}

/// The parts of speech that have a tree.
pub(super) const IN_TREES: [Pos; 2] = [Pos::Noun, Pos::Verb];

impl WordNet {
    /// Looks a word up, inflected or not, to compare it with others.
    pub fn word(&self, word: &str, senses: Senses) -> Word<'_> {
        let word = folded(word);
        self.with_senses(Pos::ALL.map(|pos| self.numbers(&word, pos, senses)))
    }

    fn with_senses(&self, senses: [Vec<u32>; 4]) -> Word<'_> {
        let arrays = &self.arrays;
        let above = IN_TREES.map(|pos| {
            let mut above = Vec::new();
            for &synset in &senses[pos.number()] {
                let places = arrays.ancestors.range(synset);
                let steps = arrays.up[places.clone()].iter().copied();
                above.extend(arrays.ancestors.items[places].iter().copied().zip(steps));
            }
            // The shortest way to each first.
            above.sort_unstable();
            above.dedup_by_key(|&mut (synset, _)| synset);
            above
        });
        let verbs = senses[Pos::Verb.number()].iter();
        let to_root = verbs.map(|&synset| self.to_root(synset)).min();
        Word { wordnet: self, senses, above, to_root }
    }

    /// [`Relation::Path`] of two words.
    pub fn path(&self, a: &str, b: &str, senses: Senses) -> Option<f64> {
        self.word(a, senses).similarity(Relation::Path, &self.word(b, senses))
    }

    /// [`Relation::WuPalmer`] of two words.
    pub fn wu_palmer(&self, a: &str, b: &str, senses: Senses) -> Option<f64> {
        self.word(a, senses).similarity(Relation::WuPalmer, &self.word(b, senses))
    }

    /// [`Word::leacock_chodorow`] of two words: not in [0, 1].
    pub fn leacock_chodorow(&self, a: &str, b: &str, senses: Senses) -> Option<f64> {
        self.word(a, senses).leacock_chodorow(&self.word(b, senses))
    }

    /// Verbs' root is one step above their farthest ancestor.
    pub(super) fn to_root(&self, verb: u32) -> u32 {
        self.arrays.reach.get(verb as usize).map_or(0, |&reach| u32::from(reach)) + 1
    }

    /// The larger of the values in both orders, see [`Synset::wu_palmer`].
    pub(super) fn wu_palmer_of(&self, pos: Pos, a: u32, b: u32) -> Option<f64> {
        let (depth, value) = self.lowest_shared(pos, a, b)?;
        let in_order = |a, b| self.itself_shared(a, b, depth).unwrap_or(value);
        Some(in_order(a, b).max(in_order(b, a)))
    }

    /// The depth of the lowest hypernym that two synsets share, and the value by it. Of several as deep it is
    /// the first by name, as synsets are numbered; what all verbs share has a place among them.
    fn lowest_shared(&self, pos: Pos, a: u32, b: u32) -> Option<(u8, f64)> {
        let arrays = &self.arrays;
        let (of_a, of_b) = (arrays.ancestors.range(a), arrays.ancestors.range(b));
        let ancestors: &[u32] = &arrays.ancestors.items;
        let (mut i, mut j) = (of_a.start, of_b.start);
        while i < of_a.end && j < of_b.end && ancestors[i] != ancestors[j] {
            if ancestors[i] < ancestors[j] { i += 1 } else { j += 1 }
        }
        let shared = (i < of_a.end && j < of_b.end).then(|| ancestors[i]);
        match shared.filter(|&shared| pos != Pos::Verb || shared < arrays.root()) {
            Some(shared) => {
                let value =
                    self.wu_palmer_by(shared, arrays.across[i].into(), arrays.across[j].into());
                Some((arrays.least_depth[shared as usize], value))
            }
            None if pos == Pos::Verb => Some((0, from_depth(1, self.to_root(a), self.to_root(b)))),
            None => None,
        }
    }

    /// The value by `a`, if it is above `b` and as deep as the lowest hypernym that they share.
    fn itself_shared(&self, a: u32, b: u32, depth: u8) -> Option<f64> {
        let arrays = &self.arrays;
        if arrays.least_depth[a as usize] != depth {
            return None;
        }
        let of_b = arrays.ancestors.range(b);
        let at = arrays.ancestors.items[of_b.clone()].binary_search(&a).ok()?;
        Some(self.wu_palmer_by(a, 0, arrays.across[of_b.start + at].into()))
    }

    /// The value for two synsets at these distances from a hypernym that they share.
    pub(super) fn wu_palmer_by(&self, hypernym: u32, a: u32, b: u32) -> f64 {
        from_depth(u32::from(self.arrays.most_depth[hypernym as usize]) + 1, a, b)
    }

    /// [`Relation::LeacockChodorow`] at a distance.
    pub(super) fn normal_leacock_chodorow(&self, pos: Pos, distance: u32) -> Option<f64> {
        let most = self.leacock_chodorow_at(pos, 0)?;
        Some((self.leacock_chodorow_at(pos, distance)? / most).max(0.0))
    }

    fn leacock_chodorow_at(&self, pos: Pos, distance: u32) -> Option<f64> {
        let depth = self.arrays.depth(pos.number());
        (depth > 0).then(|| -(f64::from(distance + 1) / (2.0 * f64::from(depth))).ln())
    }
}

/// Wu and Palmer: a shared hypernym at a depth, counted from 1, and the distances to it.
pub(super) fn from_depth(depth: u32, a: u32, b: u32) -> f64 {
    2.0 * f64::from(depth) / f64::from(a + depth + b + depth)
}

pub(super) fn path_at(distance: u32) -> f64 {
    1.0 / f64::from(distance + 1)
}

impl Word<'_> {
    /// Whether WordNet has it, within the senses asked for.
    pub fn is_known(&self) -> bool {
        self.senses.iter().any(|senses| !senses.is_empty())
    }

    /// How alike two words are: as those of their senses that are most alike. Symmetric, in [0, 1]; `None` if no
    /// part of speech that the relation knows has both, or they were not looked up in the same [`WordNet`].
    ///
    /// Two equal words need not come to 1: [`WuPalmer`](Relation::WuPalmer) gives a synset with several
    /// hypernyms less with itself, as NLTK does.
    ///
    /// ```
    /// # use likewise::lexicon::wordnet::{Relation, Senses, WordNet};
    /// # let Ok(wordnet) = WordNet::find(None) else { return Ok(()) };
    /// let [doctor, nurse, bread] = ["doctor", "nurse", "bread"].map(|word| wordnet.word(word, Senses::First(1)));
    /// let near = doctor.similarity(Relation::WuPalmer, &nurse);
    /// assert!(near > Some(0.7));
    /// assert!(near > doctor.similarity(Relation::WuPalmer, &bread));
    /// # Ok::<(), likewise::lexicon::wordnet::WordNetError>(())
    /// ```
    pub fn similarity(&self, relation: Relation, other: &Self) -> Option<f64> {
        let wordnet = self.wordnet;
        if !wordnet.is(other.wordnet) || !self.is_known() || !other.is_known() {
            return None;
        }
        if relation == Relation::Synonym {
            let mut pairs = self.senses.iter().zip(&other.senses);
            let shared =
                pairs.any(|(own, others)| own.iter().any(|synset| others.contains(synset)));
            return Some(f64::from(u8::from(shared)));
        }
        self.best(|pos| match relation {
            Relation::Synonym => None,
            Relation::Path => self.distance(other, pos).map(path_at),
            Relation::LeacockChodorow => {
                wordnet.normal_leacock_chodorow(pos, self.distance(other, pos)?)
            }
            Relation::WuPalmer => {
                let (own, others) = (&self.senses[pos.number()], &other.senses[pos.number()]);
                let pairs = own.iter().flat_map(|&a| others.iter().map(move |&b| (a, b)));
                pairs.filter_map(|(a, b)| wordnet.wu_palmer_of(pos, a, b)).reduce(f64::max)
            }
        })
    }

    /// −ln((1 + d) / 2D) as NLTK has it, where d is the length of the shortest way between senses and D the depth of
    /// the tree: up to ln 2D, which is 3.6 for nouns and 3.3 for verbs.
    pub fn leacock_chodorow(&self, other: &Self) -> Option<f64> {
        if !self.wordnet.is(other.wordnet) {
            return None;
        }
        self.best(|pos| self.wordnet.leacock_chodorow_at(pos, self.distance(other, pos)?))
    }

    fn best(&self, of: impl Fn(Pos) -> Option<f64>) -> Option<f64> {
        IN_TREES.into_iter().filter_map(of).reduce(f64::max)
    }

    /// The length of the shortest way from a sense of one word to a sense of the other. Since every way goes up and
    /// then down, it is enough to know the nearest sense below each hypernym.
    fn distance(&self, other: &Self, pos: Pos) -> Option<u32> {
        let (own, others) = (&self.above[pos.number()], &other.above[pos.number()]);
        let (mut i, mut j) = (0, 0);
        let mut least = None;
        while let (Some(&(a, to_a)), Some(&(b, to_b))) = (own.get(i), others.get(j)) {
            i += usize::from(a <= b);
            j += usize::from(b <= a);
            if a == b {
                let length = u32::from(to_a) + u32::from(to_b);
                least = Some(least.map_or(length, |least: u32| least.min(length)));
            }
        }
        let by_root = match pos {
            Pos::Verb => self.to_root.zip(other.to_root).map(|(a, b)| a + b),
            _ => None,
        };
        least.into_iter().chain(by_root).min()
    }

    /// Its senses in a part of speech.
    pub(super) fn senses(&self, pos: Pos) -> &[u32] {
        &self.senses[pos.number()]
    }

    /// What is above its senses, see [`Word::above`].
    pub(super) fn above(&self, pos: Pos) -> &[(u32, u8)] {
        &self.above[pos.number()]
    }

    pub(super) fn root_distance(&self) -> Option<u32> {
        self.to_root
    }
}

impl<'a> Synset<'a> {
    /// As a word that means nothing else.
    fn alone(self) -> Word<'a> {
        let mut senses: [Vec<u32>; 4] = Default::default();
        senses[self.pos().number()].push(self.number);
        self.wordnet.with_senses(senses)
    }

    /// [`Relation::Path`] of two synsets: `path_similarity` of NLTK. `None` if they are not in one tree.
    pub fn path(self, other: Synset<'_>) -> Option<f64> {
        self.alone().similarity(Relation::Path, &other.alone())
    }

    /// [`Relation::WuPalmer`] of two synsets: `wup_similarity` of NLTK, which is not symmetric: where several
    /// shared hypernyms lie equally deep, and the first of the two synsets is one of them, it is the one.
    pub fn wu_palmer(self, other: Synset<'_>) -> Option<f64> {
        let pos = self.pos();
        if !IN_TREES.contains(&pos) || other.pos() != pos || !self.wordnet.is(other.wordnet) {
            return None;
        }
        let (depth, value) = self.wordnet.lowest_shared(pos, self.number, other.number)?;
        Some(self.wordnet.itself_shared(self.number, other.number, depth).unwrap_or(value))
    }

    /// [`Word::leacock_chodorow`] of two synsets: `lch_similarity` of NLTK.
    pub fn leacock_chodorow(self, other: Synset<'_>) -> Option<f64> {
        self.alone().leacock_chodorow(&other.alone())
    }
}
