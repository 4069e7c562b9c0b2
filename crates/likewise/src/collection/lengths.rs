//! How long the texts of a collection are, and what else tells how they should be compared.

use super::Vocabulary;
use crate::flat::Flat;
use std::collections::BTreeMap;
use std::fmt;

/// Counts texts by their number of terms, while a collection grows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LengthCounts(BTreeMap<u64, u64>);

impl LengthCounts {
    /// Counts some texts of a length.
    pub fn add(&mut self, length: u64, texts: u64) {
        *self.0.entry(length).or_default() += texts;
    }

    /// Adds the texts of others.
    pub fn merge(&mut self, others: &Self) {
        for (&length, &texts) in &others.0 {
            self.add(length, texts);
        }
    }

    /// No more counting.
    pub fn finish(&self) -> Lengths {
        Lengths(
            self.0.iter().flat_map(|(&length, &texts)| [length, texts]).collect::<Vec<_>>().into(),
        )
    }
}

/// How many texts have how many terms: lengths and numbers of texts in turn, lengths ascending.
#[derive(Debug, Clone, Default)]
pub struct Lengths(Flat<u64>);

impl Lengths {
    /// From such an array; `None` if it is not one of so many texts and term occurrences.
    pub(crate) fn from_parts(array: Flat<u64>, texts: u64, occurrences: u64) -> Option<Self> {
        let own = Self(array);
        let (pairs, rest) = own.0.as_chunks::<2>();
        let ascending = pairs.windows(2).all(|two| two[0][0] < two[1][0]);
        let sum = |of: fn(&[u64; 2]) -> Option<u64>| {
            pairs.iter().try_fold(0u64, |sum, pair| sum.checked_add(of(pair)?))
        };
        let fits = sum(|pair| Some(pair[1])) == Some(texts)
            && sum(|[length, texts]| length.checked_mul(*texts)) == Some(occurrences);
        (ascending && rest.is_empty() && fits).then_some(own)
    }

    /// The array.
    pub(crate) fn parts(&self) -> &Flat<u64> {
        &self.0
    }

    /// Mean number of terms of texts that have any, and the mean difference of two of them as a share of that mean. Both are 0
    /// where no text has a term.
    pub fn mean_and_spread(&self) -> (f64, f64) {
        let (mut texts, mut terms, mut differences) = (0.0f64, 0.0f64, 0.0f64);
        for &[length, many] in self.0.as_chunks().0.iter().filter(|pair| pair[0] > 0) {
            let (length, many) = (length as f64, many as f64);
            // With each of the shorter texts before: Σ (length − shorter).
            differences += many * (texts * length - terms);
            texts += many;
            terms += many * length;
        }
        if terms == 0.0 {
            return (0.0, 0.0);
        }
        (terms / texts, 2.0 * differences / (texts * terms))
    }
}

/// What texts are like, whatever they say. The profiles of parts add up to that of all texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileCounts {
    lengths: LengthCounts,
    /// Terms that have a digit in them.
    numbers: u64,
}

impl ProfileCounts {
    /// Counts a text of these terms.
    pub fn add<'t>(&mut self, terms: impl Iterator<Item = &'t str>) {
        let mut length = 0;
        for term in terms {
            length += 1;
            self.numbers += u64::from(has_number(term));
        }
        self.lengths.add(length, 1);
    }

    /// Counts the texts of a vocabulary.
    pub fn add_vocabulary(&mut self, vocabulary: &Vocabulary) {
        for [length, texts] in vocabulary.lengths().0.as_chunks().0 {
            self.lengths.add(*length, *texts);
        }
        let numbers = vocabulary.ids().filter(|&id| has_number(vocabulary.term(id)));
        self.numbers += numbers.map(|id| vocabulary.cf(id)).sum::<u64>();
    }

    /// Adds the texts of others.
    pub fn merge(&mut self, others: &Self) {
        self.lengths.merge(&others.lengths);
        self.numbers += others.numbers;
    }

    /// The profile of all texts.
    pub fn finish(&self) -> Profile {
        let lengths = self.lengths.finish();
        let (words, spread) = lengths.mean_and_spread();
        let terms: u64 = lengths.0.as_chunks().0.iter().map(|[length, texts]| length * texts).sum();
        Profile { words, spread, numbers: self.numbers as f64 / terms.max(1) as f64 }
    }
}

fn has_number(term: &str) -> bool {
    term.chars().any(char::is_numeric)
}

/// What the texts of a collection are like: by this the [default measure](crate::measure::DEFAULT) adapts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Profile {
    /// Mean number of terms of texts that have any.
    pub words: f64,
    /// The mean difference of two texts' numbers of terms, as a share of that mean.
    pub spread: f64,
    /// The share of terms that have a digit in them.
    pub numbers: f64,
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "texts have {:.1} words on average, two of them differ by {:.1}, and {:.0} % of words have digits",
            self.words,
            self.spread * self.words,
            100.0 * self.numbers
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(lengths: &[u64]) -> Lengths {
        let mut counts = LengthCounts::default();
        lengths.iter().for_each(|&length| counts.add(length, 1));
        counts.finish()
    }

    #[test]
    fn texts_of_one_length_have_no_spread() {
        assert_eq!(of(&[3, 3, 3]).mean_and_spread(), (3.0, 0.0));
        // Two of four pairs of texts differ, by 4, and the mean is 3: 2 / 3.
        assert_eq!(of(&[1, 5]).mean_and_spread(), (3.0, 2.0 / 3.0));
        assert_eq!(of(&[]).mean_and_spread(), (0.0, 0.0));
        assert_eq!(of(&[0, 0]).mean_and_spread(), (0.0, 0.0));
    }

    proptest! {
        #[test]
        fn mean_and_spread_are_those_of_all_pairs(
            lengths in proptest::collection::vec(0u64..40, 0..30),
            more in proptest::collection::vec(0u64..40, 0..30),
        ) {
            let both: Vec<u64> = lengths.iter().chain(&more).copied().collect();
            let mut counts = LengthCounts::default();
            lengths.iter().for_each(|&length| counts.add(length, 1));
            let mut others = LengthCounts::default();
            more.iter().for_each(|&length| others.add(length, 1));
            counts.merge(&others);
            let (mean, spread) = counts.finish().mean_and_spread();
            let full: Vec<f64> = both.iter().filter(|n| **n > 0).map(|&n| n as f64).collect();
            let many = full.len() as f64;
            let of_all = full.iter().sum::<f64>() / many.max(1.0);
            let pairs = full.iter().flat_map(|a| full.iter().map(move |b| (a - b).abs()));
            let difference = pairs.sum::<f64>() / (many * many).max(1.0);
            prop_assert!((mean - of_all).abs() < 1e-9);
            prop_assert!((spread - difference / of_all.max(1e-300)).abs() < 1e-9);
            let (array, texts) = (of(&both).parts().clone(), both.len() as u64);
            let occurrences = both.iter().sum::<u64>();
            prop_assert!(Lengths::from_parts(array.clone(), texts, occurrences).is_some());
            prop_assert!(Lengths::from_parts(array, texts + 1, occurrences).is_none());
        }
    }
}
