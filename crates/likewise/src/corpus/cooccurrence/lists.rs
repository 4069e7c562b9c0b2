//! Lists of word numbers, one for each word: made here, or mapped from a file.

use crate::flat::Flat;
use std::ops::Range;

/// For each word a list of words, in order.
#[derive(Clone, Default)]
pub(super) struct Lists {
    pub ends: Flat<u64>,
    pub items: Flat<u32>,
}

impl Lists {
    /// `None` unless each of so many words has a list of words, and the lists cut all of the items.
    pub fn checked(ends: Flat<u64>, items: Flat<u32>, words: usize) -> Option<Self> {
        let rising = ends.windows(2).all(|pair| pair[0] <= pair[1]);
        let fit = ends.len() == words && ends.last().copied().unwrap_or(0) == items.len() as u64;
        let known = items.iter().all(|&item| (item as usize) < words);
        (rising && fit && known).then_some(Self { ends, items })
    }

    pub fn view(&self) -> ListsView<'_> {
        ListsView { ends: &self.ends, items: &self.items }
    }

    /// For each word those whose lists have it.
    pub fn turned(&self) -> Self {
        let lists = self.view();
        let mut ends = vec![0_u64; lists.ends.len()];
        lists.items.iter().for_each(|&item| ends[item as usize] += 1);
        // Where each list begins; filling it moves that to where it ends.
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut items = vec![0; lists.items.len()];
        for word in 0..lists.ends.len() as u32 {
            for &item in lists.of(word) {
                let at = &mut ends[item as usize];
                items[*at as usize] = word;
                *at += 1;
            }
        }
        Self { ends: ends.into(), items: items.into() }
    }
}

/// The same, for loops.
#[derive(Clone, Copy)]
pub(super) struct ListsView<'a> {
    pub ends: &'a [u64],
    pub items: &'a [u32],
}

impl<'a> ListsView<'a> {
    /// Where a word's list lies.
    #[inline]
    pub fn range(self, word: u32) -> Range<usize> {
        let at = word as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        start as usize..self.ends[at] as usize
    }

    #[inline]
    pub fn of(self, word: u32) -> &'a [u32] {
        &self.items[self.range(word)]
    }
}
