//! Distinct strings, numbered: two flat arrays, no allocation a string.
//!
//! An [`Interner`] numbers strings in the order they come. Sorted, they are [`Strings`], which may as well lie in a
//! mapped file. Strings made here are found by a table of hashes; those of a file by their order, because no
//! hash is ever written.

use crate::flat::Flat;
use rayon::prelude::*;
use rustc_hash::FxHasher;
use std::hash::Hasher;

const FREE: u32 = u32::MAX;
/// For every so many strings the first bytes are kept at hand, to look strings up by.
const STEP: usize = 32;

/// Distinct strings in the order of their bytes, with numbers from 0.
#[derive(Debug, Clone, Default)]
pub struct Strings {
    bytes: Flat<u8>,
    ends: Flat<u64>,
    lookup: Lookup,
}

#[derive(Debug, Clone)]
enum Lookup {
    /// Open addressing: each slot holds a number or `FREE`. At most half of it is in use.
    Table(Vec<u32>),
    /// The first eight bytes of every `STEP`th string.
    Heads(Vec<u64>),
}

impl Default for Lookup {
    fn default() -> Self {
        Self::Heads(Vec::new())
    }
}

impl Strings {
    /// Strings that lie one after the other, in the order of their bytes, each ending where `ends` says;
    /// `None` if that cannot be. Whether they are in order is not looked at.
    pub(crate) fn from_sorted(bytes: Flat<u8>, ends: Flat<u64>) -> Option<Self> {
        check(&bytes, &ends)?;
        let mut strings = Self { bytes, ends, lookup: Lookup::default() };
        let heads = (0..strings.len()).step_by(STEP).map(|n| head(strings.bytes_at(n))).collect();
        strings.lookup = Lookup::Heads(heads);
        Some(strings)
    }

    /// The same, looked up by a table of hashes: faster, and made in one pass over all strings.
    pub(crate) fn hashed(mut self) -> Self {
        let mut slots = vec![FREE; slots_for(self.len())];
        let (bytes, ends): (&[u8], &[u64]) = (&self.bytes, &self.ends);
        for number in 0..ends.len() {
            let slot = find(&slots, bytes, ends, slice(bytes, ends, number));
            slots[slot] = number as u32;
        }
        self.lookup = Lookup::Table(slots);
        self
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The string with a number.
    ///
    /// # Panics
    /// If there is no such number.
    pub fn at(&self, number: u32) -> &str {
        // It is text, or these strings would not have been made.
        str::from_utf8(self.bytes_at(number as usize)).unwrap_or_default()
    }

    pub(crate) fn bytes_at(&self, number: usize) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    /// All strings, by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len() as u32).map(|n| self.at(n))
    }

    /// The number of a string, if it is here.
    pub fn get(&self, string: &str) -> Option<u32> {
        let (bytes, ends): (&[u8], &[u64]) = (&self.bytes, &self.ends);
        let string = string.as_bytes();
        match &self.lookup {
            Lookup::Table(slots) => {
                Some(slots[find(slots, bytes, ends, string)]).filter(|&n| n != FREE)
            }
            Lookup::Heads(heads) => {
                let key = head(string);
                // In the block before the first whose head is not below, or in one with the same head.
                let first = heads.partition_point(|&h| h < key).saturating_sub(1) * STEP;
                let last = (heads.partition_point(|&h| h <= key) * STEP).min(ends.len());
                let (mut low, mut high) = (first, last);
                while low < high {
                    let middle = low + (high - low) / 2;
                    match slice(bytes, ends, middle).cmp(string) {
                        std::cmp::Ordering::Less => low = middle + 1,
                        std::cmp::Ordering::Equal => return Some(middle as u32),
                        std::cmp::Ordering::Greater => high = middle,
                    }
                }
                None
            }
        }
    }

    /// Whether the strings are in order, each once.
    pub(crate) fn in_order(&self) -> bool {
        (1..self.len()).all(|n| self.bytes_at(n - 1) < self.bytes_at(n))
    }

    /// All bytes, and where each string ends.
    pub(crate) fn parts(&self) -> (&Flat<u8>, &Flat<u64>) {
        (&self.bytes, &self.ends)
    }
}

/// Distinct strings in the order they came, with numbers from 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interner {
    bytes: Vec<u8>,
    ends: Vec<u64>,
    slots: Vec<u32>,
}

impl Interner {
    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Roughly how many bytes of memory it holds.
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 8 + self.slots.capacity() * 4
    }

    /// The string with a number.
    pub fn at(&self, number: usize) -> &[u8] {
        slice(&self.bytes, &self.ends, number)
    }

    /// The number of a string, which is added if it is new; `None` when all 2³² − 1 numbers are
    /// taken.
    pub fn intern(&mut self, string: &[u8]) -> Option<u32> {
        if (self.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = find(&self.slots, &self.bytes, &self.ends, string);
        if self.slots[slot] != FREE {
            return Some(self.slots[slot]);
        }
        let number = u32::try_from(self.len()).ok().filter(|&n| n != FREE)?;
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len() as u64);
        self.slots[slot] = number;
        Some(number)
    }

    fn grow(&mut self) {
        let mut slots = vec![FREE; slots_for(self.len() + 1)];
        for number in 0..self.len() {
            let slot = find(&slots, &self.bytes, &self.ends, self.at(number));
            slots[slot] = number as u32;
        }
        self.slots = slots;
    }

    /// The numbers of all strings in the order of their bytes, each after the head of its string.
    pub fn order(&self) -> Vec<(u64, u32)> {
        let key = |n: u32| (head(self.at(n as usize)), n);
        let mut order: Vec<(u64, u32)> = (0..self.len() as u32).map(key).collect();
        order.par_sort_unstable_by(|x, y| {
            x.0.cmp(&y.0).then_with(|| self.at(x.1 as usize).cmp(self.at(y.1 as usize)))
        });
        order
    }

    /// The same strings in the order of their bytes, and for each old number the new one.
    pub fn sorted(mut self) -> (Strings, Vec<u32>) {
        self.slots = Vec::new();
        let order = self.order();
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut ends = Vec::with_capacity(self.len());
        let mut new_number = vec![0; self.len()];
        for (new, &(_, old)) in order.iter().enumerate() {
            bytes.extend_from_slice(self.at(old as usize));
            ends.push(bytes.len() as u64);
            new_number[old as usize] = new as u32;
        }
        let sorted = Strings::from_sorted(bytes.into(), ends.into());
        (sorted.expect("texts, one after the other"), new_number)
    }
}

/// Twice as many slots as strings, and a power of two.
fn slots_for(strings: usize) -> usize {
    (strings * 2).next_power_of_two().max(16)
}

/// Whether `ends` cut `bytes` into texts, all of it.
fn check(bytes: &[u8], ends: &[u64]) -> Option<()> {
    let all = str::from_utf8(bytes).ok()?;
    let rising = ends.windows(2).all(|pair| pair[0] <= pair[1]);
    if !rising
        || ends.last().copied().unwrap_or(0) != bytes.len() as u64
        || ends.len() >= FREE as usize
    {
        return None;
    }
    // Rising, and the last is in range.
    ends.iter().all(|&end| all.is_char_boundary(end as usize)).then_some(())
}

#[inline]
fn slice<'a>(bytes: &'a [u8], ends: &[u64], number: usize) -> &'a [u8] {
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[start as usize..ends[number] as usize]
}

/// The slot that holds `string`, or the free one where it belongs.
#[inline]
fn find(slots: &[u32], bytes: &[u8], ends: &[u64], string: &[u8]) -> usize {
    let mask = slots.len() - 1;
    let mut slot = hash(string) & mask;
    while slots[slot] != FREE && slice(bytes, ends, slots[slot] as usize) != string {
        slot = (slot + 1) & mask;
    }
    slot
}

fn hash(string: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(string);
    hasher.finish() as usize
}

/// The first eight bytes as a number that sorts as they do.
#[inline]
fn head(string: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = string.len().min(8);
    first[..length].copy_from_slice(&string[..length]);
    u64::from_be_bytes(first)
}

/// Sorted lists of strings put together: all strings of all lists, each once, and for each list the new numbers of
/// its strings, `u32::MAX` for one that is left out. `keep` says of list and number whether it is wanted.
///
/// `None` if there are more than 2³² − 1.
pub(crate) fn merge(
    lists: &[&Strings],
    keep: impl Fn(usize, usize) -> bool,
) -> Option<(Strings, Vec<Vec<u32>>)> {
    let (mut bytes, mut ends) = (Vec::<u8>::new(), Vec::<u64>::new());
    let mut numbers: Vec<Vec<u32>> = lists.iter().map(|list| vec![FREE; list.len()]).collect();
    let next = |list: usize, from: usize| (from..lists[list].len()).find(|&n| keep(list, n));
    // What each list has to give next, the least first.
    let mut waiting = std::collections::BinaryHeap::new();
    let entry = |list: usize, n: usize| {
        let string = lists[list].bytes_at(n);
        std::cmp::Reverse((head(string), string, list, n))
    };
    waiting.extend((0..lists.len()).filter_map(|list| Some(entry(list, next(list, 0)?))));
    let mut last: Option<&[u8]> = None;
    while let Some(mut least) = waiting.peek_mut() {
        let (_, string, list, n) = least.0;
        if last != Some(string) {
            bytes.extend_from_slice(string);
            ends.push(bytes.len() as u64);
            last = Some(string);
        }
        numbers[list][n] = u32::try_from(ends.len() - 1).ok().filter(|&n| n != FREE)?;
        match next(list, n + 1) {
            Some(n) => *least = entry(list, n),
            None => {
                std::collections::binary_heap::PeekMut::pop(least);
            }
        }
    }
    Some((Strings::from_sorted(bytes.into(), ends.into())?, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn numbers_and_strings_belong_together(words in
            proptest::collection::vec("[a-cé]{0,3}|abcdefgh[a-c]{0,3}", 0..300)) {
            let mut strings = Interner::default();
            for word in &words {
                let number = strings.intern(word.as_bytes()).unwrap();
                prop_assert_eq!(strings.at(number as usize), word.as_bytes());
            }
            let distinct: BTreeSet<&str> = words.iter().map(String::as_str).collect();
            prop_assert_eq!(strings.len(), distinct.len());
            let mut again = strings.clone();
            let (sorted, new_number) = strings.sorted();
            prop_assert!(sorted.iter().eq(distinct.iter().copied()));
            prop_assert!(sorted.in_order());
            for strings in [sorted.clone(), sorted.hashed()] {
                for word in &words {
                    let old = again.intern(word.as_bytes()).unwrap();
                    prop_assert_eq!(strings.get(word), Some(new_number[old as usize]));
                }
                for other in ["zz", "abcdefgh", "abcdefghz", "", "a\0"] {
                    prop_assert_eq!(strings.get(other).is_some(), distinct.contains(other));
                }
            }
        }

        #[test]
        fn merged_lists_hold_what_was_kept_in_order(lists in
            proptest::collection::vec(proptest::collection::btree_set("[a-c]{0,3}", 0..20), 0..4), odd: bool) {
            let sorted: Vec<Strings> = lists.iter().map(|list| {
                let mut strings = Interner::default();
                list.iter().for_each(|s| { strings.intern(s.as_bytes()); });
                strings.sorted().0
            }).collect();
            let keep = |list: usize, n: usize| !odd || (list + n) % 2 == 1;
            let (all, numbers) = merge(&sorted.iter().collect::<Vec<_>>(), keep).unwrap();
            let mut expected = BTreeSet::new();
            for (at, list) in lists.iter().enumerate() {
                for (n, string) in list.iter().enumerate() {
                    if keep(at, n) {
                        expected.insert(string.as_str());
                        prop_assert_eq!(all.at(numbers[at][n]), string);
                    } else {
                        prop_assert_eq!(numbers[at][n], u32::MAX);
                    }
                }
            }
            prop_assert!(all.iter().eq(expected.iter().copied()));
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let strings = |bytes: &[u8], ends: &[u64]| {
            Strings::from_sorted(bytes.to_vec().into(), ends.to_vec().into())
        };
        assert!(strings("aé".as_bytes(), &[1, 3]).is_some());
        assert!(strings("aé".as_bytes(), &[2, 3]).is_none(), "inside a character");
        assert!(strings(b"ab", &[1]).is_none(), "too short");
        assert!(strings(b"ab", &[1, 3]).is_none(), "too long");
        assert!(strings(b"ab", &[2, 1, 2]).is_none(), "backwards");
        assert!(strings(b"a\xff", &[2]).is_none(), "not a text");
        assert!(strings(b"", &[]).is_some_and(|none| none.get("").is_none()));
    }
}
