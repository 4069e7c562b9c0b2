//! The words within a few edits of a term, by deletion neighbourhoods.
//!
//! Two terms at most d edits apart have a common subsequence that is left of both when at most d characters are
//! deleted from each: a changed character is deleted on both sides, an inserted one on its own side. So every word is entered
//! in a hash table under each of its deletion variants, and a term is looked up under each of its own. Words that are
//! found are compared, so hash collisions do no harm.
//!
//! The number of variants grows with the square of a word's length for d = 2 (46 for nine characters), so the few very long
//! words are compared one by one. Source: Mor & Fraenkel, "A hash code method for detecting and correcting spelling errors"
//! (CACM 1982).

use super::neighbours::{NeighbourFinder, Words};
use crate::csr::Csr;
use rayon::prelude::*;
use std::cell::RefCell;

/// Not more deletions than this.
pub const MOST: usize = 2;
/// Words longer than this are not entered.
const LONGEST: usize = 32;
/// Any odd number with well-mixed bits will do.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// Compares a term with a word of the vocabulary: the similarity, if it is what was asked for.
pub type Compare<'a> = Box<dyn Fn(&[char], &[char]) -> Option<f64> + Sync + 'a>;

/// A vocabulary entered under all deletion variants of its words.
pub struct Deletions<'a> {
    words: &'a Words,
    deletions: usize,
    compare: Compare<'a>,
    /// The words of each bucket.
    buckets: Csr<Vec<u32>, Vec<u32>>,
    /// How far a hash is shifted to give a bucket.
    shift: u32,
    long: Vec<u32>,
}

thread_local! {
    /// For each word the number of the term that met it last, and that number.
    static MET: RefCell<(Vec<u32>, u32)> = const { RefCell::new((Vec::new(), 0)) };
}

impl<'a> Deletions<'a> {
    /// Whether a vocabulary has few enough entries to be numbered.
    pub fn fits(words: &Words, deletions: usize) -> bool {
        let of = |word: u32| count(words.of(word).len().min(LONGEST), deletions) as u64;
        (0..words.len() as u32).map(of).sum::<u64>() < u64::from(u32::MAX)
    }

    /// Enters a vocabulary; at most `deletions` characters are deleted, and what is found is compared.
    pub fn new(words: &'a Words, deletions: usize, compare: Compare<'a>) -> Self {
        let deletions = deletions.min(MOST);
        let all = || (0..words.len() as u32).into_par_iter();
        let short = |word: &u32| words.of(*word).len() <= LONGEST;
        let many: usize = all().filter(short).map(|w| count(words.of(w).len(), deletions)).sum();
        let bits = many.next_power_of_two().trailing_zeros().clamp(4, 30);
        let shift = 64 - bits;
        // Each core fills buckets of its own: hashing is cheap beside writing to random places of memory.
        let shares = rayon::current_num_threads().next_power_of_two().min(1 << 4);
        let share_bits = shares.trailing_zeros();
        let filled: Vec<(Vec<u32>, Vec<u32>)> = (0..shares as u64)
            .into_par_iter()
            .map(|share| {
                let own = |hash: u64| {
                    let bucket = hash >> shift;
                    let first = share << (bits - share_bits);
                    (bucket >> (bits - share_bits) == share).then(|| (bucket - first) as usize)
                };
                let each = |enter: &mut dyn FnMut(usize, u32)| {
                    for word in (0..words.len() as u32).filter(short) {
                        left_of(words.of(word), deletions, &mut |hash| {
                            if let Some(bucket) = own(hash) {
                                enter(bucket, word);
                            }
                        });
                    }
                };
                let mut ends = vec![0u32; (1 << (bits - share_bits)) + 1];
                each(&mut |bucket, _| ends[bucket + 1] += 1);
                for at in 1..ends.len() {
                    ends[at] += ends[at - 1];
                }
                let mut entries = vec![0; ends[ends.len() - 1] as usize];
                // `ends[b]` is where bucket b begins; filling it moves that to where it ends.
                each(&mut |bucket, word| {
                    entries[ends[bucket] as usize] = word;
                    ends[bucket] += 1;
                });
                ends.pop();
                (entries, ends)
            })
            .collect();
        let (mut entries, mut ends) = (Vec::with_capacity(many), Vec::with_capacity(1 << bits));
        for (some, some_ends) in filled {
            let before = entries.len() as u32;
            ends.extend(some_ends.into_iter().map(|end| before + end));
            entries.extend(some);
        }
        let long = (0..words.len() as u32).filter(|word| !short(word)).collect();
        Self { words, deletions, compare, buckets: Csr::new(ends, entries), shift, long }
    }

    fn bucket(&self, hash: u64) -> &[u32] {
        self.buckets.at((hash >> self.shift) as usize)
    }
}

impl NeighbourFinder for Deletions<'_> {
    fn each_neighbour(&self, term: &[char], each: &mut dyn FnMut(u32, f64)) {
        MET.with_borrow_mut(|(met, round)| {
            if met.len() < self.words.len() || *round == u32::MAX {
                met.clear();
                met.resize(self.words.len(), 0);
                *round = 0;
            }
            *round += 1;
            let mut meet = |word: u32| {
                if std::mem::replace(&mut met[word as usize], *round) != *round {
                    let other = self.words.of(word);
                    if term.len().abs_diff(other.len()) <= self.deletions
                        && let Some(similarity) = (self.compare)(term, other)
                    {
                        each(word, similarity);
                    }
                }
            };
            if term.len() <= LONGEST + self.deletions {
                left_of(term, self.deletions, &mut |hash| {
                    self.bucket(hash).iter().for_each(|&word| meet(word));
                });
            }
            if term.len() + self.deletions > LONGEST {
                self.long.iter().for_each(|&word| meet(word));
            }
        });
    }
}

/// How many deletion variants a word of so many characters has, at most.
fn count(length: usize, deletions: usize) -> usize {
    let two = if deletions > 1 { length * length.saturating_sub(1) / 2 } else { 0 };
    1 + if deletions > 0 { length } else { 0 } + two
}

/// Calls `each` with the hash of each deletion variant of a term; with some of them twice.
fn left_of(term: &[char], deletions: usize, each: &mut dyn FnMut(u64)) {
    const ROOM: usize = LONGEST + MOST + 1;
    // Hashes of what begins and of what ends at each place: a stretch's own follows from two of them, and so does that
    // of stretches put together.
    let n = term.len().min(ROOM - 1);
    let (mut heads, mut powers) = ([0u64; ROOM], [1u64; ROOM]);
    for at in 0..n {
        heads[at + 1] = heads[at].wrapping_mul(BASE).wrapping_add(u64::from(term[at] as u32) + 1);
        powers[at + 1] = powers[at].wrapping_mul(BASE);
    }
    let stretch = |from: usize, to: usize| {
        heads[to].wrapping_sub(heads[from].wrapping_mul(powers[to - from]))
    };
    let join = |left: u64, right: u64, length: usize| {
        left.wrapping_mul(powers[length]).wrapping_add(right)
    };
    each(mix(heads[n]));
    if deletions == 0 {
        return;
    }
    for (first, &head) in heads[..n].iter().enumerate() {
        each(mix(join(head, stretch(first + 1, n), n - first - 1)));
        if deletions < 2 {
            continue;
        }
        for second in first + 1..n {
            let middle = join(head, stretch(first + 1, second), second - first - 1);
            each(mix(join(middle, stretch(second + 1, n), n - second - 1)));
        }
    }
}

/// Spreads the bits, of which the high ones choose the bucket.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
