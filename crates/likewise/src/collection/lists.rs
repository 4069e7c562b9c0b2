//! Many lists of numbers, one after the other.

use crate::flat::Flat;
use std::ops::Range;

/// Many lists of numbers, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lists {
    ends: Flat<u64>,
    items: Flat<u32>,
}

impl Lists {
    /// From all items and where each list ends.
    pub fn new(ends: impl Into<Flat<u64>>, items: impl Into<Flat<u32>>) -> Self {
        Self { ends: ends.into(), items: items.into() }
    }

    /// The list with a number. Where the ends make no sense it is empty.
    #[inline]
    pub fn at(&self, list: usize) -> &[u32] {
        let ends: &[u64] = &self.ends;
        let start = if list == 0 { 0 } else { ends[list - 1] };
        self.items.get(start as usize..ends[list] as usize).unwrap_or_default()
    }

    /// The same, and where it begins among all items.
    pub fn placed(&self, list: usize) -> (&[u32], usize) {
        let own = self.at(list);
        (own, (self.ends[list] as usize).saturating_sub(own.len()))
    }

    /// The same, for loops: where arrays lie is found once.
    pub fn view(&self) -> ListsView<'_> {
        ListsView { ends: &self.ends, items: &self.items }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of items in all lists.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// Whether all items are below a number.
    pub fn all_below(&self, number: usize) -> bool {
        all_below(&self.items, number)
    }

    /// Whether the lists follow each other and leave nothing over.
    pub fn in_order(&self) -> bool {
        let ends: &[u64] = &self.ends;
        ends.windows(2).all(|pair| pair[0] <= pair[1])
            && ends.last().copied().unwrap_or(0) == self.items.len() as u64
    }

    /// All items, and where each list ends.
    pub fn parts(&self) -> (&Flat<u64>, &Flat<u32>) {
        (&self.ends, &self.items)
    }

    /// For each number below `numbers` the lists that hold it, in their order.
    pub fn turned(&self, numbers: usize) -> Self {
        let mut ends = vec![0u64; numbers];
        for &item in &self.items {
            ends[item as usize] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            // Where the list begins; filling it moves that to where it ends.
            start += std::mem::replace(end, start);
        }
        let mut items = vec![0; self.items.len()];
        for list in 0..self.len() {
            for &item in self.at(list) {
                let at = &mut ends[item as usize];
                items[*at as usize] = list as u32;
                *at += 1;
            }
        }
        Self::new(ends, items)
    }
}

/// Many lists of numbers, for loops.
#[derive(Clone, Copy)]
pub(crate) struct ListsView<'a> {
    ends: &'a [u64],
    items: &'a [u32],
}

impl<'a> ListsView<'a> {
    /// The items of all lists.
    pub fn items(self) -> &'a [u32] {
        self.items
    }

    /// Where the items of a list are. Where the ends make no sense there are none.
    #[inline]
    pub fn range(self, list: usize) -> Range<usize> {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        let own = start as usize..self.ends[list] as usize;
        if own.start <= own.end && own.end <= self.items.len() { own } else { 0..0 }
    }
}

/// Whether all numbers are below one.
pub(crate) fn all_below(numbers: &[u32], bound: usize) -> bool {
    use rayon::prelude::*;
    // A maximum is found many at a time; a comparison that may stop is not.
    let most = numbers.par_chunks(1 << 18).map(|some| some.iter().copied().fold(0, u32::max)).max();
    numbers.is_empty() || most.is_some_and(|most| (most as usize) < bound)
}
