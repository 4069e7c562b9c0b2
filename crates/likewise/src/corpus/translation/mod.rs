//! Translation tables: the word r may stand for the word q, with probability P_t(q | r).
//!
//! r is the *source* and q the *target*. In one language `r` and `q` are words that say the same thing in different
//! texts; in two languages they are translations. [`Translations`] is such a table, read from a file
//! ([`Translations::open`]) or trained on pairs of texts that say the same ([`train`]).
//!
//! # Training
//!
//! [`train`] is expectation maximisation for IBM Model 1 (Brown, Della Pietra, Della Pietra and Mercer 1993, *The
//! mathematics of statistical machine translation: parameter estimation*, Computational Linguistics 19:2, section 4.2).
//! A source text e₁ … e_l makes a target text f₁ … f_m word by word: each f_j is made by one of the source words or by
//! NULL, e₀, all l + 1 being equally likely:
//!
//! ```text
//! P(f | e) = ∏_j 1/(l+1) Σ_i t(f_j | e_i)
//! ```
//!
//! up to the constant ε for the length of f. A step shares each target word out among the words that may have made it,
//! and takes the shares for counts:
//!
//! ```text
//! count(f | e) = Σ over pairs, j with f_j = f, i with e_i = e:  t(f | e) / Σ_k t(f | e_k)
//! t(f | e)     = count(f | e) / Σ_f' count(f' | e)
//! ```
//!
//! The likelihood never falls from step to step, and has no peaks besides the highest. The start is uniform: every t is
//! one over the number of distinct target words.
//!
//! ```
//! use likewise::corpus::translation::{Options, Pairs, train};
//! use likewise::text::Analyzer;
//!
//! let mut pairs = Pairs::default();
//! let texts = [("das Haus", "the house"), ("das Buch", "the book"), ("ein Buch", "a book")];
//! pairs.extend(&Analyzer::default(), &texts)?;
//!
//! let mut likelihoods = Vec::new();
//! let options = Options { iterations: 100, ..Options::default() };
//! let table = train(&pairs, &options, |_, likelihood| likelihoods.push(likelihood))?;
//! assert!(likelihoods.is_sorted());
//!
//! let best = table.of("buch").max_by(|x, y| x.1.total_cmp(&y.1));
//! assert_eq!(best.map(|(word, _)| word), Some("book"));
//! assert!(table.probability("das", "the") > table.probability("das", "house"));
//! # Ok::<(), likewise::corpus::translation::TranslationError>(())
//! ```
//!
//! # What it costs
//!
//! A step takes time in proportion to the sum, over all pairs, of distinct source words times distinct target words:
//! linear in the number of pairs, quadratic in their length. Only words that meet in a pair have an entry. Memory is 4
//! bytes for each summand (the place of the target in the source's row, so that no step looks anything up), 12 for each
//! distinct pair of words that meet, and about 16 for each distinct word of each text.
//!
//! Steps run on all threads and give the same bits for any number of them: a source's row belongs to one sum, in the
//! order of the pairs, cut (if at all) at places that depend on the data alone.

mod error;
mod pairs;
mod table;
mod train;

pub use error::TranslationError;
pub use pairs::Pairs;
pub use train::{Options, train};

use crate::collection::{Interner, Strings};

/// Which words may stand for which, and how likely.
///
/// ```
/// use likewise::corpus::translation::Translations;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("table.csv");
/// std::fs::write(&path, "source,target,probability\ncar,auto,0.25\ncar,car,0.75\nbus,car,0.1\n").unwrap();
/// let table = Translations::open(&path)?;
/// assert_eq!(table.of("car").collect::<Vec<_>>(), [("auto", 0.25), ("car", 0.75)]);
/// assert_eq!(table.into_word("car").collect::<Vec<_>>(), [("bus", 0.1), ("car", 0.75)]);
/// assert_eq!(table.probability("auto", "car"), 0.0);
/// assert_eq!((table.len(), table.entries()), (2, 3));
/// # Ok::<(), likewise::corpus::translation::TranslationError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Translations {
    /// Sources and targets, sorted.
    words: Strings,
    /// By source, its targets.
    forward: Side,
    /// By target, its sources.
    backward: Side,
    /// How many words have targets.
    sources: usize,
}

/// For each word the words that it goes with, in the order of their numbers and so of their bytes.
#[derive(Debug, Clone)]
struct Side {
    /// Where each word's begin, and where the last one's end.
    starts: Vec<usize>,
    others: Vec<u32>,
    probabilities: Vec<f64>,
}

impl Translations {
    /// A table of entries (source, target, probability), each pair once and in their order. Words without any are left
    /// out.
    fn new(words: &Strings, mut entries: Vec<(u32, u32, f64)>) -> Option<Self> {
        let mut used = vec![false; words.len()];
        for &(source, target, _) in &entries {
            used[source as usize] = true;
            used[target as usize] = true;
        }
        let mut kept = Interner::default();
        let mut numbers = vec![0; words.len()];
        for (number, word) in words.iter().enumerate().filter(|(number, _)| used[*number]) {
            numbers[number] = kept.intern(word.as_bytes())?;
        }
        // They came in order, so that their numbers stay.
        let (words, _) = kept.sorted();
        for (source, target, _) in &mut entries {
            (*source, *target) = (numbers[*source as usize], numbers[*target as usize]);
        }
        let forward = Side::new(words.len(), &entries, |&(source, target, _)| (source, target));
        let backward = Side::new(words.len(), &entries, |&(source, target, _)| (target, source));
        let sources = forward.starts.windows(2).filter(|ends| ends[0] < ends[1]).count();
        Some(Self { words: words.hashed(), forward, backward, sources })
    }

    /// What a word may stand for, in the order of bytes.
    pub fn of<'a>(
        &'a self,
        source: &str,
    ) -> impl ExactSizeIterator<Item = (&'a str, f64)> + use<'a> {
        self.along(&self.forward, source)
    }

    /// What may stand for a word, in the order of bytes: every r with P_t(target | r).
    #[allow(
        clippy::wrong_self_convention,
        reason = "nothing is turned into a word: it is translated into one"
    )]
    pub fn into_word<'a>(
        &'a self,
        target: &str,
    ) -> impl ExactSizeIterator<Item = (&'a str, f64)> + use<'a> {
        self.along(&self.backward, target)
    }

    fn along<'a>(
        &'a self,
        side: &'a Side,
        word: &str,
    ) -> impl ExactSizeIterator<Item = (&'a str, f64)> + use<'a> {
        let (others, probabilities) =
            self.words.get(word).map_or((&[][..], &[][..]), |w| side.row(w));
        others.iter().zip(probabilities).map(|(&other, &p)| (self.words.at(other), p))
    }

    /// P_t(target | source); 0 if the table does not have the pair.
    pub fn probability(&self, source: &str, target: &str) -> f64 {
        let (Some(source), Some(target)) = (self.words.get(source), self.words.get(target)) else {
            return 0.0;
        };
        let (targets, probabilities) = self.forward.row(source);
        targets.binary_search(&target).map_or(0.0, |at| probabilities[at])
    }

    /// Whether the table says what a word may stand for.
    pub fn has(&self, source: &str) -> bool {
        self.words.get(source).is_some_and(|word| !self.forward.row(word).0.is_empty())
    }

    /// Number of sources.
    pub fn len(&self) -> usize {
        self.sources
    }

    /// Whether there are none; a table that was read or trained has some.
    pub fn is_empty(&self) -> bool {
        self.sources == 0
    }

    /// Number of entries: pairs of source and target.
    pub fn entries(&self) -> usize {
        self.forward.others.len()
    }

    /// All words, sources and targets, in the order of bytes.
    pub fn words(&self) -> &Strings {
        &self.words
    }
}

impl Side {
    /// Entries by the first of their `ends`, which are sorted by the second already wherever the first is the same.
    fn new(
        words: usize,
        entries: &[(u32, u32, f64)],
        ends: impl Fn(&(u32, u32, f64)) -> (u32, u32),
    ) -> Self {
        let mut starts = vec![0; words + 1];
        for entry in entries {
            starts[ends(entry).0 as usize + 1] += 1;
        }
        for word in 0..words {
            starts[word + 1] += starts[word];
        }
        let mut next = starts.clone();
        let mut others = vec![0; entries.len()];
        let mut probabilities = vec![0.0; entries.len()];
        for entry in entries {
            let (one, other) = ends(entry);
            let at = &mut next[one as usize];
            (others[*at], probabilities[*at]) = (other, entry.2);
            *at += 1;
        }
        Self { starts, others, probabilities }
    }

    fn row(&self, word: u32) -> (&[u32], &[f64]) {
        let range = self.starts[word as usize]..self.starts[word as usize + 1];
        (&self.others[range.clone()], &self.probabilities[range])
    }
}
