//! Co-occurrence counts as they lie in the file of a corpus, checked.

use super::lists::Lists;
use super::sums::{Counts, SocPmiConstants, above_chance};
use super::{ALIKE, ALIKE_ENDS, COUNTS, ENDS, FACTS, NEIGHBOURS, REST};
use super::{SIMILARITIES, SKETCHED, SKETCHES, TYPICAL, TYPICAL_ENDS, VERSION, WORDS, sketch};
use crate::corpus::CorpusError;
use crate::flat::Flat;
use crate::store::File;

/// Which words of a corpus stand near each other, and how often.
///
/// Words that occur often enough have numbers from 0, in the order of their bytes; rarer words are not counted in pairs.
/// [`Corpus::cooccurrences`](crate::corpus::Corpus::cooccurrences) gives it, and [`SocPmi`](super::SocPmi) compares words by it.
pub struct Cooccurrences {
    window: u32,
    floor: u64,
    /// The words' numbers in the corpus.
    pub(super) words: Flat<u32>,
    pub(super) counts: Counts,
    /// For the usual constants.
    pub(super) typical: Lists,
    pub(super) alike: Lists,
    pub(super) similarities: Flat<f32>,
    pub(super) rest: Flat<f32>,
    /// The words that have sketches, and these, one after the other: see [`super::sketch`].
    pub(super) sketched: Flat<u32>,
    pub(super) sketches: Flat<u8>,
}

impl Cooccurrences {
    /// What a file has, if it has any; `cf` are the counts of all words.
    pub(in super::super) fn open(
        file: &File,
        cf: &[u64],
        occurrences: u64,
    ) -> Result<Option<Self>, CorpusError> {
        if !file.sections().any(|(name, _)| name == FACTS) {
            return Ok(None);
        }
        let damaged = |reason: &str| CorpusError::Damaged {
            path: file.path().to_owned(),
            reason: reason.to_owned(),
        };
        let facts = file.section::<u64>(FACTS)?;
        let [found, facts @ ..] = &facts[..] else {
            return Err(damaged("it does not say the version of its pairs of words"));
        };
        if *found != VERSION {
            let path = file.path().to_owned();
            return Err(CorpusError::Version { path, found: *found, read: VERSION });
        }
        let about = match *facts {
            [window, floor] => u32::try_from(window).ok().filter(|w| *w > 0).zip(Some(floor)),
            _ => None,
        };
        let (window, floor) =
            about.ok_or_else(|| damaged("it does not say how its pairs of words were counted"))?;
        let words = file.section::<u32>(WORDS)?;
        let frequent = (0_u32..).zip(cf).filter(|(_, cf)| **cf >= floor).map(|(word, _)| word);
        if !frequent.eq(words.iter().copied()) {
            return Err(damaged("the words of its pairs are not the frequent ones"));
        }
        let lists = |ends: &str, items: &str| {
            let lists = Lists::checked(file.section(ends)?, file.section(items)?, words.len());
            lists.ok_or_else(|| damaged("its lists of words make no sense"))
        };
        let own: Vec<u64> = words.iter().map(|&word| cf[word as usize]).collect();
        let counts = Counts {
            neighbours: lists(ENDS, NEIGHBOURS)?,
            together: file.section(COUNTS)?,
            cf: own.into(),
            occurrences,
            distinct: cf.len(),
        };
        let typical = lists(TYPICAL_ENDS, TYPICAL)?;
        let alike = lists(ALIKE_ENDS, ALIKE)?;
        let (similarities, rest) = (file.section(SIMILARITIES)?, file.section(REST)?);
        let (sketched, sketches) = (file.section(SKETCHED)?, file.section(SKETCHES)?);
        let cooccurrences = Self {
            window,
            floor,
            words,
            counts,
            typical,
            alike,
            similarities,
            rest,
            sketched,
            sketches,
        };
        match cooccurrences.wrong() {
            None => Ok(Some(cooccurrences)),
            Some(reason) => Err(damaged(reason)),
        }
    }

    /// What cannot be, though every number is in its range.
    fn wrong(&self) -> Option<&'static str> {
        let counts = &self.counts;
        let (cf, neighbours, together) = (&*counts.cf, counts.neighbours.view(), &*counts.together);
        if together.len() != neighbours.items.len()
            || self.similarities.len() != self.alike.items.len()
            || self.rest.len() != self.len()
        {
            return Some("its lists and their numbers do not fit together");
        }
        if *self.sketched != sketch::words(cf)
            || self.sketches.len() != self.sketched.len() * self.len()
        {
            return Some("its sketches are not those of the most frequent words");
        }
        let rising = |list: &[u32]| list.windows(2).all(|pair| pair[0] < pair[1]);
        // Both ways of a pair cancel out. To look each up in the other's list would take longer than all the rest.
        let mut one_way = 0_u64;
        for word in 0..self.len() as u32 {
            let (own, list, range) =
                (cf[word as usize], neighbours.of(word), neighbours.range(word));
            if !rising(list) {
                return Some("its neighbours are not in order");
            }
            for (&other, &count) in list.iter().zip(&together[range]) {
                let theirs = cf[other as usize];
                if other == word || !above_chance(count.into(), counts.occurrences, own, theirs) {
                    return Some("its pairs of words make no sense");
                }
                one_way = one_way.wrapping_add(mixed(word, other, count));
                one_way = one_way.wrapping_sub(mixed(other, word, count));
            }
        }
        if one_way != 0 {
            return Some("its pairs of words are not the same both ways");
        }
        let (typical, constants) = (self.typical.view(), SocPmiConstants::default());
        for word in 0..self.len() {
            let list = typical.of(word as u32);
            if !rising(list) || list.len() != counts.typical_of(word, &constants) {
                return Some("its typical neighbours make no sense");
            }
        }
        let (alike, similarities) = (self.alike.view(), &*self.similarities);
        // For each word the last list that had it, counted from 1.
        let mut last = vec![0; self.len()];
        for (word, &rest) in (0_u32..).zip(&*self.rest) {
            let similarities = &similarities[alike.range(word)];
            let least = similarities.last().copied().unwrap_or(0.0);
            let falling = similarities.windows(2).all(|pair| pair[0] >= pair[1])
                && similarities.iter().all(|s| *s > 0.0 && s.is_finite());
            let once = |&other: &u32| {
                other != word && std::mem::replace(&mut last[other as usize], word + 1) != word + 1
            };
            if !falling || !(0.0..=least).contains(&rest) || !alike.of(word).iter().all(once) {
                return Some("its similar words make no sense");
            }
        }
        None
    }

    /// How many words to either side stand near a word.
    pub fn window(&self) -> u32 {
        self.window
    }

    /// How often a word must occur to take part.
    pub fn floor(&self) -> u64 {
        self.floor
    }

    /// How many words take part.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether no word occurs often enough.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many pairs of words stand together more often than by chance, each pair once.
    pub fn pairs(&self) -> u64 {
        self.counts.neighbours.items.len() as u64 / 2
    }

    /// How often two words stand together, by their numbers; 0 if that is not more often than by chance.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn together(&self, a: u32, b: u32) -> u32 {
        let neighbours = self.counts.neighbours.view();
        let found = neighbours.of(a).binary_search(&b);
        found.map_or(0, |at| self.counts.together[neighbours.range(a).start + at])
    }
}

/// A pair and its count in one number, such that sums over different pairs hardly ever meet.
#[inline]
fn mixed(word: u32, other: u32, count: u32) -> u64 {
    let pair = (u64::from(word) << 32 | u64::from(other)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let all = (pair ^ pair >> 29 ^ u64::from(count)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    all ^ all >> 32
}

impl std::fmt::Debug for Cooccurrences {
    /// Without the words and pairs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cooccurrences")
            .field("window", &self.window)
            .field("floor", &self.floor)
            .field("words", &self.len())
            .field("pairs", &self.pairs())
            .finish_non_exhaustive()
    }
}
