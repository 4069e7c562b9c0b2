//! Compressed sparse rows (CSR): many short lists in two arrays, all items one after the other and
//! where each list ends.
//!
//! There is one type for all of them, over any storage: `Vec` for what is made here, [`Flat`] for
//! what may as well lie in a mapped file. A list is a slice; no list has an allocation of its own.

use crate::flat::Flat;
use std::ops::{Deref, Range};

/// Lists in compressed sparse rows; `ends[i]` is where list i ends among `items`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Csr<Items, Ends = Vec<usize>> {
    ends: Ends,
    items: Items,
}

/// Lists of numbers, owned or mapped.
pub(crate) type FlatCsr = Csr<Flat<u32>, Flat<u64>>;

/// A number that says where a list ends.
pub(crate) trait Offset: Copy + Ord {
    /// As an index.
    fn index(self) -> usize;
    /// From an index that fits.
    fn from_index(index: usize) -> Self;
}

macro_rules! offsets {
    ($($number:ty),*) => {$(
        impl Offset for $number {
            #[inline]
            fn index(self) -> usize {
                self as usize
            }
            #[inline]
            fn from_index(index: usize) -> Self {
                index as $number
            }
        }
    )*};
}
offsets!(u32, u64, usize);

/// Where list `at` lies. Ends of a file may make no sense; then the range is empty.
#[inline]
fn range<O: Offset>(ends: &[O], at: usize, items: usize) -> Range<usize> {
    let start = if at == 0 { 0 } else { ends[at - 1].index() };
    let end = ends[at].index();
    if start <= end && end <= items { start..end } else { 0..0 }
}

impl<Items, Ends> Csr<Items, Ends> {
    /// From all items and where each list ends.
    pub fn new(ends: impl Into<Ends>, items: impl Into<Items>) -> Self {
        Self { ends: ends.into(), items: items.into() }
    }

    /// Where each list ends, and all items.
    pub fn parts(&self) -> (&Ends, &Items) {
        (&self.ends, &self.items)
    }
}

impl<T, O: Offset, Items: Deref<Target = [T]>, Ends: Deref<Target = [O]>> Csr<Items, Ends> {
    /// The list with a number. It is empty where the ends make no sense.
    ///
    /// # Panics
    /// If there is no such list.
    #[inline]
    pub fn at(&self, list: usize) -> &[T] {
        let items: &[T] = &self.items;
        &items[range(&self.ends, list, items.len())]
    }

    /// The same, and where it begins among all items.
    pub fn placed(&self, list: usize) -> (&[T], usize) {
        let own = self.at(list);
        (own, self.ends[list].index().saturating_sub(own.len()))
    }

    /// The same as slices, for hot loops: finding a slice of [`Flat`] costs a few comparisons.
    pub fn view(&self) -> CsrView<'_, T, O> {
        CsrView { ends: &self.ends, items: &self.items }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of items in all lists.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// All lists, in order.
    pub fn iter<'a>(&'a self) -> impl ExactSizeIterator<Item = &'a [T]>
    where
        T: 'a,
    {
        (0..self.len()).map(|list| self.at(list))
    }

    /// Whether the lists follow each other and leave nothing over.
    pub fn in_order(&self) -> bool {
        self.ends.is_sorted() && self.ends.last().map_or(0, |end| end.index()) == self.items.len()
    }
}

impl<T: Copy, O: Offset> Csr<Vec<T>, Vec<O>> {
    /// Sorts entries into lists by counting: `entries` gives the list and the item of each, twice
    /// the same. Within a list items keep their order.
    pub fn grouped<I: Iterator<Item = (usize, T)>>(lists: usize, entries: impl Fn() -> I) -> Self {
        let mut counts = vec![0; lists];
        let mut filler = None;
        for (list, item) in entries() {
            counts[list] += 1;
            filler = filler.or(Some(item));
        }
        let mut total = 0;
        // Where each list begins; filling it moves that to where it ends.
        let starts = counts.into_iter().map(|count| {
            total += count;
            total - count
        });
        let mut ends: Vec<O> = starts.map(O::from_index).collect();
        let mut items = filler.map_or(Vec::new(), |filler| vec![filler; total]);
        for (list, item) in entries() {
            let at = ends[list].index();
            items[at] = item;
            ends[list] = O::from_index(at + 1);
        }
        Self { ends, items }
    }
}

impl<T, O: Offset> Csr<Vec<T>, Vec<O>> {
    /// Adds a list.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.ends.push(O::from_index(self.items.len()));
    }
}

impl FlatCsr {
    /// Whether all items are below a number.
    pub fn all_below(&self, number: usize) -> bool {
        all_below(&self.items, number)
    }

    /// The transpose: for each number below `numbers` the lists that hold it, in their order.
    pub fn transposed(&self, numbers: usize) -> Self {
        let view = self.view();
        let entries = || {
            (0..self.len()).flat_map(move |list| {
                view.items[view.range(list)].iter().map(move |&item| (item as usize, list as u32))
            })
        };
        let Csr { ends, items } = Csr::<Vec<u32>, Vec<u64>>::grouped(numbers, entries);
        Self::new(ends, items)
    }
}

/// Lists as slices, for hot loops.
#[derive(Debug)]
pub(crate) struct CsrView<'a, T = u32, O = u64> {
    ends: &'a [O],
    items: &'a [T],
}

impl<T, O> Clone for CsrView<'_, T, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, O> Copy for CsrView<'_, T, O> {}

impl<'a, T, O: Offset> CsrView<'a, T, O> {
    /// The items of all lists.
    pub fn items(self) -> &'a [T] {
        self.items
    }

    /// Where the items of a list are. The range is empty where the ends make no sense.
    #[inline]
    pub fn range(self, list: usize) -> Range<usize> {
        range(self.ends, list, self.items.len())
    }
}

/// Whether all numbers are below one.
pub(crate) fn all_below(numbers: &[u32], bound: usize) -> bool {
    use rayon::prelude::*;
    // A maximum is found many at a time; a comparison that may stop is not.
    let most = numbers.par_chunks(1 << 18).map(|some| some.iter().copied().fold(0, u32::max)).max();
    numbers.is_empty() || most.is_some_and(|most| (most as usize) < bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_transpose_holds_each_entry_the_other_way_round(
            lists in proptest::collection::vec(proptest::collection::vec(0u32..9, 0..6), 0..8),
        ) {
            let mut rows: Csr<Vec<u32>, Vec<u64>> = Csr::default();
            lists.iter().for_each(|list| rows.push(list.iter().copied()));
            let (ends, items) = rows.parts();
            let rows = FlatCsr::new(ends.clone(), items.clone());
            prop_assert!(rows.in_order() && rows.all_below(9));
            prop_assert!(rows.iter().eq(lists.iter().map(Vec::as_slice)));
            let columns = rows.transposed(9);
            prop_assert_eq!(columns.len(), 9);
            for number in 0..9 {
                let expected: Vec<u32> = (0..lists.len() as u32)
                    .flat_map(|list| {
                        lists[list as usize].iter().filter(|&&item| item == number).map(move |_| list)
                    })
                    .collect();
                prop_assert_eq!(columns.at(number as usize), expected);
            }
        }
    }

    #[test]
    fn ends_that_make_no_sense_give_empty_lists() {
        let lists = FlatCsr::new(vec![3, 1, 9], vec![7, 8, 9]);
        assert_eq!((lists.at(0), lists.at(1), lists.at(2)), (&[7, 8, 9][..], &[][..], &[][..]));
        assert!(!lists.in_order());
    }
}
