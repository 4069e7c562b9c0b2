//! The q-grams of one term as a sorted array, which two terms merge.

use super::{Count, Qgrams};
use std::cmp::Ordering;
use std::ops::Range;

/// The grams of one term, sorted.
pub(super) struct Grams {
    /// The characters as numbers from 1 on, marks included.
    symbols: Vec<u32>,
    /// How many of the symbols at each end are marks.
    marks: usize,
    /// How many symbols make a gram: q, or all of a term that is shorter.
    length: usize,
    pub grams: Vec<Gram>,
}

/// One gram: its first symbols packed into a number, which settles nearly all comparisons, and
/// where it starts.
#[derive(Clone, Copy)]
pub(super) struct Gram {
    head: u128,
    start: usize,
}

/// A Unicode scalar value and the two marks need 21 bits, so that six fit into 128.
const SYMBOL_BITS: usize = 21;
const PACKED: usize = 6;
const HEAD_MARK: u32 = char::MAX as u32 + 2;
const TAIL_MARK: u32 = HEAD_MARK + 1;

impl Grams {
    pub const fn new() -> Self {
        Self { symbols: Vec::new(), marks: 0, length: 0, grams: Vec::new() }
    }

    pub fn prepare(&mut self, qgrams: &Qgrams, term: &[char]) {
        let (q, marks) = (qgrams.gram_length(), qgrams.marks());
        let is_short = term.len() + 2 * marks < q;
        self.marks = if is_short { 0 } else { marks };
        // At least 1, so that an empty term has no gram rather than one of nothing.
        self.length = if is_short { term.len().max(1) } else { q };
        self.symbols.clear();
        self.symbols.extend(std::iter::repeat_n(HEAD_MARK, self.marks));
        self.symbols.extend(term.iter().map(|&character| character as u32 + 1));
        self.symbols.extend(std::iter::repeat_n(TAIL_MARK, self.marks));

        let Self { symbols, length, grams, .. } = self;
        grams.clear();
        grams.extend(symbols.windows(*length).enumerate().map(|(start, gram)| {
            let packed = gram.iter().take(PACKED);
            let head = packed.fold(0, |head, &symbol| head << SYMBOL_BITS | u128::from(symbol));
            Gram { head, start }
        }));
        let rest = |gram: &Gram| rest(symbols, *length, *gram);
        // By place last, so that a set keeps the first occurrence.
        grams.sort_unstable_by(|x, y| {
            x.head.cmp(&y.head).then_with(|| rest(x).cmp(rest(y))).then(x.start.cmp(&y.start))
        });
        if qgrams.count == Count::Set {
            grams.dedup_by(|x, y| x.head == y.head && rest(x) == rest(y));
        }
    }

    /// How many symbols are no marks.
    pub fn characters(&self) -> usize {
        self.symbols.len() - 2 * self.marks
    }

    /// Calls `each` with each pair of equal grams, each gram used once.
    pub fn meet(&self, other: &Self, mut each: impl FnMut(Gram, Gram)) {
        let (mut left, mut right) = (self.grams.iter(), other.grams.iter());
        let (mut x, mut y) = (left.next(), right.next());
        while let (Some(&gram), Some(&opposite)) = (x, y) {
            let order = gram.head.cmp(&opposite.head);
            match order.then_with(|| {
                let left = rest(&self.symbols, self.length, gram);
                left.cmp(rest(&other.symbols, other.length, opposite))
            }) {
                Ordering::Less => x = left.next(),
                Ordering::Greater => y = right.next(),
                Ordering::Equal => {
                    each(gram, opposite);
                    (x, y) = (left.next(), right.next());
                }
            }
        }
    }

    pub fn shared(&self, other: &Self) -> usize {
        let mut shared = 0;
        self.meet(other, |_, _| shared += 1);
        shared
    }

    /// Which characters of the term a gram covers, marks left aside.
    pub fn span(&self, gram: Gram) -> Range<usize> {
        let inside =
            |symbol: usize| symbol.clamp(self.marks, self.symbols.len() - self.marks) - self.marks;
        inside(gram.start)..inside(gram.start + self.length)
    }
}

/// The symbols of a gram that its packed head has no room for.
fn rest(symbols: &[u32], length: usize, gram: Gram) -> &[u32] {
    &symbols[gram.start + PACKED.min(length)..gram.start + length]
}
