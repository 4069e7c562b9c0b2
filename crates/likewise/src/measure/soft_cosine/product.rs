//! The product of two texts under similarities of words:
//!
//! ```text
//! a·b = Σ_i d_i·a_i·b_i + Σ_{i<j} s_ij·(a_i·b_j + a_j·b_i)
//! ```
//!
//! Words go by number, then those the vocabulary lacks by name, and pairs in that order: so a product is the same to the bit
//! whichever text comes first and however the similarities are come by.

use super::SoftText;
use super::related::{OutOfVocabulary, Related};
use std::cell::RefCell;
use std::ops::Range;

/// A word of either text, or of both.
struct Entry {
    /// Its number, or [`OOV`].
    word: u32,
    /// Of which text it is, and its place there, if the vocabulary lacks it.
    oov: (bool, usize),
    a: f64,
    b: f64,
    /// Its characters, if they were asked for.
    chars: Range<usize>,
}

pub const OOV: u32 = u32::MAX;

#[derive(Default)]
struct Scratch {
    entries: Vec<Entry>,
    chars: Vec<char>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The product, with `diagonal` giving each d_i ([`OOV`] stands for a word that the vocabulary lacks). Such words are like
/// others only if `fresh_meet`.
pub fn product(
    related: &Related,
    a: &SoftText,
    b: &SoftText,
    diagonal: impl Fn(u32) -> f64,
    fresh_meet: bool,
) -> f64 {
    // Before the scratch is taken: it may have to be made.
    let matrix = related.matrix_at_hand();
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.fill(a, b);
        let mut sum = 0.0;
        for entry in &scratch.entries {
            if entry.a != 0.0 && entry.b != 0.0 {
                sum += diagonal(entry.word) * entry.a * entry.b;
            }
        }
        let known = scratch.entries.partition_point(|entry| entry.word != OOV);
        let any_fresh = fresh_meet && known < scratch.entries.len();
        if matrix.is_none() || any_fresh {
            scratch.spell(related);
        }
        let Scratch { entries, chars } = scratch;
        let fresh_of = |entry: &Entry| -> &OutOfVocabulary {
            let (left, at) = entry.oov;
            if left { &a.oov[at] } else { &b.oov[at] }
        };
        for (at, one) in entries.iter().enumerate() {
            let add = |sum: &mut f64, other: &Entry, similarity: f64| {
                if similarity != 0.0 {
                    *sum += similarity * (one.a * other.b + other.a * one.b);
                }
            };
            let meets = |other: &Entry| one.a * other.b + other.a * one.b != 0.0;
            let (later_known, later_fresh) =
                (&entries[at + 1..known.max(at + 1)], &entries[known.max(at + 1)..]);
            if one.word != OOV {
                match matrix {
                    Some(matrix) => {
                        let (others, values) = matrix.row(one.word);
                        // Whichever is shorter is gone through, and looked up in the other.
                        if others.len() < 4 * later_known.len() {
                            let from = others.partition_point(|other| *other <= one.word);
                            let mut later = later_known;
                            for (other, value) in others[from..].iter().zip(&values[from..]) {
                                let skip = later.partition_point(|entry| entry.word < *other);
                                later = &later[skip..];
                                match later.first() {
                                    Some(entry) if entry.word == *other => {
                                        add(&mut sum, entry, *value);
                                    }
                                    Some(_) => {}
                                    None => break,
                                }
                            }
                        } else {
                            for entry in later_known.iter().filter(|entry| meets(entry)) {
                                if let Ok(at) = others.binary_search(&entry.word) {
                                    add(&mut sum, entry, values[at]);
                                }
                            }
                        }
                    }
                    None => {
                        for entry in later_known.iter().filter(|entry| meets(entry)) {
                            let similarity = related
                                .compare(&chars[one.chars.clone()], &chars[entry.chars.clone()]);
                            add(&mut sum, entry, similarity);
                        }
                    }
                }
            }
            if fresh_meet {
                for entry in later_fresh.iter().filter(|entry| meets(entry)) {
                    let oov = fresh_of(entry);
                    let similarity = if one.word == OOV {
                        related.compare(&fresh_of(one).chars, &oov.chars)
                    } else {
                        related.of_fresh(oov, one.word, &chars[one.chars.clone()])
                    };
                    add(&mut sum, entry, similarity);
                }
            }
        }
        sum
    })
}

impl Scratch {
    /// The words of both texts, in order.
    fn fill(&mut self, a: &SoftText, b: &SoftText) {
        self.entries.clear();
        self.chars.clear();
        let entry = |word: u32, a: f64, b: f64| Entry { word, oov: (true, 0), a, b, chars: 0..0 };
        let (mut i, mut j) = (0, 0);
        loop {
            let next = match (a.known.get(i), b.known.get(j)) {
                (Some(&(x, held)), Some(&(y, _))) if x < y => entry(x, held, 0.0),
                (Some(&(x, held)), None) => entry(x, held, 0.0),
                (Some(&(x, one)), Some(&(y, other))) if x == y => entry(x, one, other),
                (_, Some(&(y, held))) => entry(y, 0.0, held),
                (None, None) => break,
            };
            i += usize::from(a.known.get(i).is_some_and(|(x, _)| *x == next.word));
            j += usize::from(b.known.get(j).is_some_and(|(y, _)| *y == next.word));
            self.entries.push(next);
        }
        let oov = |oov: (bool, usize), a: f64, b: f64| Entry { oov, ..entry(OOV, a, b) };
        let (mut i, mut j) = (0, 0);
        while i < a.oov.len() || j < b.oov.len() {
            let order = match (a.oov.get(i), b.oov.get(j)) {
                (Some(x), Some(y)) => x.text.cmp(&y.text),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let next = match order {
                std::cmp::Ordering::Less => oov((true, i), a.oov[i].weight, 0.0),
                std::cmp::Ordering::Equal => oov((true, i), a.oov[i].weight, b.oov[j].weight),
                std::cmp::Ordering::Greater => oov((false, j), 0.0, b.oov[j].weight),
            };
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
            self.entries.push(next);
        }
    }

    /// The characters of the words that the vocabulary has.
    fn spell(&mut self, related: &Related) {
        for entry in self.entries.iter_mut().filter(|entry| entry.word != OOV) {
            let start = self.chars.len();
            related.spell(entry.word, &mut self.chars);
            entry.chars = start..self.chars.len();
        }
    }
}
