//! Distinct strings, numbered: two flat arrays and a table of numbers, no allocation a string.

use rustc_hash::FxHasher;
use std::hash::Hasher;

const FREE: u32 = u32::MAX;

/// Distinct strings with numbers from 0, in the order they came or, after
/// [`sorted`](Strings::sorted), in the order of their bytes.
#[derive(Debug, Clone, Default)]
pub struct Strings {
    bytes: String,
    ends: Vec<usize>,
    /// Open addressing: each slot holds a number or `FREE`. At most half of it is in use.
    slots: Vec<u32>,
}

impl Strings {
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
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.bytes[start..self.ends[number]]
    }

    /// All strings, by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len() as u32).map(|n| self.at(n))
    }

    /// The number of a string, if it is here.
    pub fn get(&self, string: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.find(string);
        Some(self.slots[slot]).filter(|&n| n != FREE)
    }

    /// The number of a string, which is added if it is new; `None` when all 2³² − 1 numbers are
    /// taken.
    pub fn intern(&mut self, string: &str) -> Option<u32> {
        if (self.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.find(string);
        if self.slots[slot] != FREE {
            return Some(self.slots[slot]);
        }
        let number = u32::try_from(self.len()).ok().filter(|&n| n != FREE)?;
        self.bytes.push_str(string);
        self.ends.push(self.bytes.len());
        self.slots[slot] = number;
        Some(number)
    }

    /// The same strings in the order of their bytes, and for each old number the new one.
    pub fn sorted(&self) -> (Self, Vec<u32>) {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by_key(|&n| self.at(n));
        let mut sorted = Self::default();
        let mut new_number = vec![0; self.len()];
        for (new, &old) in order.iter().enumerate() {
            sorted.bytes.push_str(self.at(old));
            sorted.ends.push(sorted.bytes.len());
            new_number[old as usize] = new as u32;
        }
        sorted.rehash(self.slots.len());
        (sorted, new_number)
    }

    /// Strings from flat parts; `None` if the parts do not fit together.
    pub(super) fn from_parts(bytes: String, ends: Vec<usize>) -> Option<Self> {
        let mut start = 0;
        for &end in &ends {
            bytes.get(start..end)?;
            start = end;
        }
        if start != bytes.len() || ends.len() >= FREE as usize {
            return None;
        }
        let mut strings = Self { bytes, ends, slots: Vec::new() };
        strings.rehash((strings.len() * 2).next_power_of_two().max(16));
        Some(strings)
    }

    /// The slot that holds `string`, or the free one where it belongs.
    fn find(&self, string: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(string) & mask;
        while self.slots[slot] != FREE && self.at(self.slots[slot]) != string {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.rehash((self.slots.len() * 2).max(16));
    }

    fn rehash(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, FREE);
        for number in 0..self.len() as u32 {
            let slot = self.find(self.at(number));
            self.slots[slot] = number;
        }
    }
}

fn hash(string: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(string.as_bytes());
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn numbers_and_strings_belong_together(words in proptest::collection::vec("[a-cé]{0,3}", 0..60)) {
            let mut strings = Strings::default();
            for word in &words {
                let number = strings.intern(word).unwrap();
                prop_assert_eq!(strings.at(number), word);
            }
            let distinct: BTreeSet<&str> = words.iter().map(String::as_str).collect();
            prop_assert_eq!(strings.len(), distinct.len());
            let (sorted, new_number) = strings.sorted();
            prop_assert!(sorted.iter().eq(distinct.iter().copied()));
            for word in &words {
                let old = strings.get(word).unwrap();
                prop_assert_eq!(sorted.get(word), Some(new_number[old as usize]));
            }
            prop_assert_eq!(sorted.get("zz"), None);
        }
    }
}
