//! Pairs of texts to train on, as numbers.

use super::TranslationError;
use crate::collection::Interner;
use crate::text::Analyzer;
use rayon::prelude::*;

/// Pairs of a source text and a target text, cut into words. Words are kept once, and a text is their numbers.
///
/// ```
/// use likewise::corpus::translation::Pairs;
/// use likewise::text::Analyzer;
///
/// let mut pairs = Pairs::default();
/// pairs.extend(&Analyzer::default(), &[("A car!", "an auto"), ("what?", "…")])?;
/// assert_eq!((pairs.len(), pairs.skipped()), (1, 1)); // a side without words makes no pair
/// pairs.mirror()?;
/// assert_eq!((pairs.len(), pairs.words()), (2, 4));
/// # Ok::<(), likewise::corpus::translation::TranslationError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    pub(super) words: Interner,
    tokens: Vec<u32>,
    /// Where the source and the target of each pair end.
    ends: Vec<(usize, usize)>,
    skipped: u64,
}

impl Pairs {
    /// Adds a pair of texts as words. Without a word on a side it is skipped and counted; returns whether it was taken.
    ///
    /// # Errors
    /// If there are more words or pairs than can be numbered. The pairs are of no use then.
    pub fn push<'a>(
        &mut self,
        source: impl IntoIterator<Item = &'a str>,
        target: impl IntoIterator<Item = &'a str>,
    ) -> Result<bool, TranslationError> {
        let mut source = source.into_iter().peekable();
        let mut target = target.into_iter().peekable();
        if source.peek().is_none() || target.peek().is_none() {
            self.skipped += 1;
            return Ok(false);
        }
        self.append(source)?;
        let middle = self.tokens.len();
        self.append(target)?;
        self.close(middle)?;
        Ok(true)
    }

    /// Adds many pairs of texts, cut by an analyzer on all threads.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn extend<S: AsRef<str> + Sync>(
        &mut self,
        analyzer: &Analyzer,
        texts: &[(S, S)],
    ) -> Result<(), TranslationError> {
        // So many at a time that their words take little memory beside the numbers.
        for texts in texts.chunks(4096) {
            let cut = |(source, target): &(S, S)| {
                (analyzer.analyze(source.as_ref()), analyzer.analyze(target.as_ref()))
            };
            let cut: Vec<_> = texts.par_iter().map(cut).collect();
            for (source, target) in &cut {
                self.push(source.terms(), target.terms())?;
            }
        }
        Ok(())
    }

    /// Adds every pair once more the other way round: in one language either text may stand for the other.
    ///
    /// # Errors
    /// If there are more pairs than can be numbered.
    pub fn mirror(&mut self) -> Result<(), TranslationError> {
        self.tokens.reserve(self.tokens.len());
        for pair in 0..self.len() {
            let (source, middle, target) = self.bounds(pair);
            self.tokens.extend_from_within(middle..target);
            let new_middle = self.tokens.len();
            self.tokens.extend_from_within(source..middle);
            self.close(new_middle)?;
        }
        Ok(())
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many pairs were skipped because a side has no word.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Number of distinct words, on both sides together.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// The words of a pair's source and target, by number in the order they came.
    pub(super) fn at(&self, pair: usize) -> (&[u32], &[u32]) {
        let (source, middle, target) = self.bounds(pair);
        (&self.tokens[source..middle], &self.tokens[middle..target])
    }

    fn bounds(&self, pair: usize) -> (usize, usize, usize) {
        let begin = if pair == 0 { 0 } else { self.ends[pair - 1].1 };
        (begin, self.ends[pair].0, self.ends[pair].1)
    }

    fn append<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Result<(), TranslationError> {
        for word in words {
            let number = self.words.intern(word.as_bytes());
            self.tokens.push(number.ok_or(TranslationError::TooMany("distinct words"))?);
        }
        Ok(())
    }

    fn close(&mut self, middle: usize) -> Result<(), TranslationError> {
        if self.ends.len() >= u32::MAX as usize - 1 {
            return Err(TranslationError::TooMany("pairs"));
        }
        self.ends.push((middle, self.tokens.len()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_without_words_on_a_side_is_skipped_and_leaves_no_words() {
        let mut pairs = Pairs::default();
        assert!(!pairs.push(["a"], []).unwrap());
        assert!(!pairs.push([], ["b"]).unwrap());
        assert!(!pairs.push([], []).unwrap());
        assert!(pairs.push(["c", "c"], ["d"]).unwrap());
        assert_eq!((pairs.len(), pairs.skipped(), pairs.words()), (1, 3, 2));
        assert_eq!(pairs.at(0), (&[0, 0][..], &[1][..]));
    }

    #[test]
    fn mirrored_pairs_follow_the_pairs() {
        let mut pairs = Pairs::default();
        pairs.push(["a", "b"], ["c"]).unwrap();
        pairs.push(["c"], ["a", "a"]).unwrap();
        pairs.mirror().unwrap();
        let all: Vec<_> = (0..pairs.len()).map(|pair| pairs.at(pair)).collect();
        let expected: [(&[u32], &[u32]); 4] =
            [(&[0, 1], &[2]), (&[2], &[0, 0]), (&[2], &[0, 1]), (&[0, 0], &[2])];
        assert_eq!(all, expected);
    }
}
