//! Whether a word is among the many neighbours of another, and at which place of its list, without searching the list.
//!
//! A list that holds more than a few of all words is looked up by bits: one for each word of the corpus, with the number of those before each 64. Going
//! through a list in steps takes some ten jumps that no processor foresees for each word that is looked for.

/// The words of a list.
pub(super) struct Marks {
    /// A bit for each word.
    bits: Vec<u64>,
    /// How many are marked before each 64 of them.
    before: Vec<u32>,
}

impl Marks {
    /// Of some of so many words, in order.
    pub fn new(words: usize, marked: &[u32]) -> Self {
        let mut bits = vec![0_u64; words.div_ceil(64)];
        marked.iter().for_each(|&word| bits[word as usize / 64] |= 1 << (word % 64));
        let mut sum = 0;
        let before = bits.iter().map(|bits| {
            let before = sum;
            sum += bits.count_ones();
            before
        });
        Self { before: before.collect(), bits }
    }

    /// Whether a list of so many of all words should have marks: then they are no larger than the list.
    pub fn worth(words: usize, marked: usize) -> bool {
        marked > words / 32
    }

    /// Whether a word is in the list.
    #[inline]
    pub fn has(&self, word: u32) -> bool {
        self.bits[word as usize / 64] >> (word % 64) & 1 != 0
    }

    /// The place of a word in the list; of one that is not there, where it would be.
    #[inline]
    pub fn place(&self, word: u32) -> usize {
        let at = word as usize / 64;
        let before = self.bits[at] & ((1 << (word % 64)) - 1);
        (self.before[at] + before.count_ones()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_those_of_the_list(marked in prop::collection::btree_set(0..300_u32, 0..200)) {
            let marked: Vec<u32> = marked.into_iter().collect();
            let marks = Marks::new(300, &marked);
            for word in 0..300 {
                let (found, place) = match marked.binary_search(&word) {
                    Ok(place) => (true, place),
                    Err(place) => (false, place),
                };
                prop_assert_eq!((marks.has(word), marks.place(word)), (found, place));
            }
        }
    }
}
