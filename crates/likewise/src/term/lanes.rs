//! Many rows at once: the batch engine behind [`TermSimilarity::matrix`].
//!
//! A bit-parallel kernel needs one machine word for a pattern; a vector register holds several.
//! So rows of like length are put side by side in *lanes* (32 of at most 16 characters, 16 of at
//! most 32, 8 of at most 64), and every column is streamed past all lanes of a group at once: one
//! step of the kernel advances every lane by one character. Both sides are translated to dense
//! codes first, so that the step's only look-up is an array access.
//!
//! The lanes are plain arrays that the compiler turns into vector code. On x86-64 the same code is
//! compiled a second time for AVX2 and that one is taken where the processor has it; whole-number
//! steps and IEEE arithmetic make the two agree to the bit.

use crate::csr::Csr;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::TermSimilarity;
use super::pattern::Alphabet;

/// An unsigned integer that serves as one lane.
pub(super) trait Word:
    Copy
    + Default
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// How many characters a lane holds.
    const BITS: usize;
    const ONE: Self;

    /// The `count` lowest bits (all of them from `BITS` on).
    fn low_bits(count: usize) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn ones(self) -> u32;
    /// The number itself.
    fn count(self) -> u32;
    fn bit(self, position: usize) -> bool;
    /// 1 if any bit is set, else 0.
    fn any(self) -> Self;

    /// One position up, a zero coming in.
    #[inline(always)]
    fn up(self) -> Self {
        self.plus(self)
    }

    /// The lowest bit that is set, alone.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::default().minus(self)
    }
}

macro_rules! word {
    ($($integer:ty)*) => {$(
        impl Word for $integer {
            const BITS: usize = <$integer>::BITS as usize;
            const ONE: Self = 1;

            #[inline(always)]
            fn low_bits(count: usize) -> Self {
                if count >= <Self as Word>::BITS { Self::MAX } else { (1 << count) - 1 }
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn ones(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self as u32
            }
            #[inline(always)]
            fn bit(self, position: usize) -> bool {
                self >> position & 1 == 1
            }
            #[inline(always)]
            fn any(self) -> Self {
                Self::from(self != 0)
            }
        }
    )*};
}

word!(u16 u32 u64);

/// One word for each lane; aligned, so that a load never straddles cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Lanes<W, const L: usize>(pub(super) [W; L]);

impl<W: Word, const L: usize> Lanes<W, L> {
    #[inline(always)]
    pub(super) fn splat(word: W) -> Self {
        Self([word; L])
    }
}

/// Rows side by side in lanes. Lanes without a row are empty patterns, and their scores unused.
pub(super) struct Group<W, const L: usize> {
    /// For each code, where its character stands in each row.
    masks: Vec<Lanes<W, L>>,
    /// The length of each row.
    pub(super) lengths: [u32; L],
}

impl<W: Word, const L: usize> Group<W, L> {
    fn new(codes: usize) -> Self {
        Self { masks: vec![Lanes::splat(W::default()); codes], lengths: [0; L] }
    }

    fn fill(&mut self, rows: &[&[char]], alphabet: &Alphabet) {
        self.lengths = [0; L];
        for (lane, row) in rows.iter().enumerate() {
            self.lengths[lane] = row.len() as u32;
            let mut bit = W::ONE;
            for &character in *row {
                let mask = &mut self.masks[alphabet.code(character) as usize].0[lane];
                *mask = *mask | bit;
                bit = bit.up();
            }
        }
    }

    /// Takes out what [`fill`](Self::fill) put in: cheaper than clearing a large table.
    fn empty(&mut self, rows: &[&[char]], alphabet: &Alphabet) {
        for &character in rows.iter().copied().flatten() {
            self.masks[alphabet.code(character) as usize] = Lanes::splat(W::default());
        }
    }

    /// Where the character with this code stands in each row.
    #[inline(always)]
    pub(super) fn positions(&self, code: u32) -> &Lanes<W, L> {
        &self.masks[code as usize]
    }
}

/// A similarity that can score all rows of a group against one column at once.
///
/// Implementations mark [`scores`](Self::scores) and what it calls `#[inline(always)]`: only what
/// is inlined is compiled for the wider vectors. And they loop over lane numbers, plainly and with
/// all arrays indexed alike, because that is what the compiler reliably makes vectors of.
pub(super) trait LaneKernel: TermSimilarity {
    /// What is kept from one column to the next, for one group.
    type Memory<W: Word, const L: usize>: Default;

    /// The score of each row with the column (never empty), given as codes.
    fn scores<W: Word, const L: usize>(
        &self,
        group: &Group<W, L>,
        column: &[u32],
        memory: &mut Self::Memory<W, L>,
    ) -> [f64; L];
}

/// All columns, as codes.
struct Columns {
    codes: Csr<Vec<u32>>,
    /// The order in which to visit the columns: stretches of [`STRETCH`], in each by length.
    order: Vec<usize>,
}

/// Kernels can keep what depends on the column's length alone, so columns of one length are
/// visited in a row. But only within stretches so short that the scores of a group, which are
/// written out of order, stay in the second-level cache.
const STRETCH: usize = 1024;

impl Columns {
    fn new(columns: &[&[char]], alphabet: &Alphabet) -> Self {
        let mut codes = Csr::default();
        for column in columns {
            codes.push(column.iter().map(|&character| alphabet.code(character)));
        }
        let mut order: Vec<usize> = (0..columns.len()).collect();
        for stretch in order.chunks_mut(STRETCH) {
            stretch.sort_by_key(|&column| columns[column].len());
        }
        Self { codes, order }
    }
}

/// Which compilation of the kernels to use. The field is private so that nothing but
/// [`best`](Self::best), which looks at the processor, can choose vectors it may not have.
#[derive(Clone, Copy)]
pub(super) struct Compiled {
    /// For AVX2 and POPCNT, both of which have been seen.
    #[cfg(target_arch = "x86_64")]
    avx2: bool,
}

impl Compiled {
    /// For every processor of the target.
    #[cfg(test)]
    pub(super) const PORTABLE: Self = Self {
        #[cfg(target_arch = "x86_64")]
        avx2: false,
    };

    /// For this processor.
    pub(super) fn best() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx2: is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
        }
    }
}

/// [`TermSimilarity::matrix`] with rows in lanes.
pub(super) fn matrix<K: LaneKernel>(
    kernel: &K,
    rows: &[&[char]],
    columns: &[&[char]],
    out: &mut [f64],
) {
    matrix_compiled(Compiled::best(), kernel, rows, columns, out);
}

/// [`matrix`] with a given compilation of the kernels.
pub(super) fn matrix_compiled<K: LaneKernel>(
    compiled: Compiled,
    kernel: &K,
    rows: &[&[char]],
    columns: &[&[char]],
    out: &mut [f64],
) {
    assert_eq!(out.len(), rows.len() * columns.len(), "one score for each row and column");
    if columns.is_empty() {
        return;
    }
    let mut in_lanes = Vec::with_capacity(rows.len());
    let mut alphabet = Alphabet::new();
    for (index, row) in rows.iter().enumerate() {
        if row.len() <= 64 {
            in_lanes.push(index);
            for &character in *row {
                alphabet.insert(character);
            }
        } else {
            let out = &mut out[index * columns.len()..][..columns.len()];
            for (column, out) in columns.iter().zip(out) {
                *out = kernel.similarity(row, column);
            }
        }
    }
    in_lanes.sort_by_key(|&index| rows[index].len());

    let mut batch =
        Batch { compiled, kernel, rows, columns: Columns::new(columns, &alphabet), alphabet, out };
    let rest = batch.groups::<u16, 32>(&in_lanes);
    let rest = batch.groups::<u32, 16>(rest);
    let rest = batch.groups::<u64, 8>(rest);
    debug_assert!(rest.is_empty());
}

/// One call of [`matrix`].
struct Batch<'a, K> {
    compiled: Compiled,
    kernel: &'a K,
    rows: &'a [&'a [char]],
    alphabet: Alphabet,
    columns: Columns,
    out: &'a mut [f64],
}

impl<K: LaneKernel> Batch<'_, K> {
    /// Scores as many of the rows, sorted by length, as suit lanes of this width; returns the
    /// others. The last few rows that would fill a group only together with longer ones are left
    /// to the wider lanes.
    fn groups<'i, W: Word, const L: usize>(&mut self, mut indices: &'i [usize]) -> &'i [usize] {
        let rows = self.rows;
        let suits = |indices: &[usize]| {
            indices.iter().take(L).next_back().is_some_and(|&last| rows[last].len() <= W::BITS)
        };
        if !suits(indices) {
            return indices;
        }
        let mut group = Group::<W, L>::new(self.alphabet.codes());
        while suits(indices) {
            let (these, others) = indices.split_at(L.min(indices.len()));
            let rows: Vec<&[char]> = these.iter().map(|&index| rows[index]).collect();
            group.fill(&rows, &self.alphabet);
            self.score(&group, these);
            group.empty(&rows, &self.alphabet);
            indices = others;
        }
        indices
    }

    fn score<W: Word, const L: usize>(&mut self, group: &Group<W, L>, indices: &[usize]) {
        #[cfg(target_arch = "x86_64")]
        if self.compiled.avx2 {
            // SAFETY: `score_avx2` is ordinary safe code whose one requirement is a processor with
            // AVX2 and POPCNT, and `avx2` is true only after seeing both.
            #[allow(unsafe_code)]
            unsafe {
                self.score_avx2(group, indices);
            }
            return;
        }
        self.score_inlined(group, indices);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn score_avx2<W: Word, const L: usize>(&mut self, group: &Group<W, L>, indices: &[usize]) {
        self.score_inlined(group, indices);
    }

    #[inline(always)]
    fn score_inlined<W: Word, const L: usize>(&mut self, group: &Group<W, L>, indices: &[usize]) {
        let width = self.columns.order.len();
        let mut memory = K::Memory::default();
        for &column in &self.columns.order {
            let codes = self.columns.codes.at(column);
            let scores = if codes.is_empty() {
                [0.0; L]
            } else {
                self.kernel.scores(group, codes, &mut memory)
            };
            for (&index, score) in indices.iter().zip(scores) {
                self.out[index * width + column] = score;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::levenshtein::Levenshtein;
    use super::super::testing::{hold_matrix, terms_of_telling_lengths};
    use super::*;

    #[test]
    fn columns_beyond_one_stretch_keep_their_places() {
        let terms = terms_of_telling_lengths();
        let columns: Vec<_> = terms.iter().rev().cycle().take(2 * STRETCH + 7).cloned().collect();
        hold_matrix(&Levenshtein, &terms[..20], &columns).unwrap();
    }

    #[test]
    fn no_rows_and_no_columns_make_an_empty_matrix() {
        let terms: [&[char]; 2] = [&['a'], &[]];
        Levenshtein.matrix(&terms, &[], &mut []);
        Levenshtein.matrix(&[], &terms, &mut []);
        Levenshtein.matrix(&[], &[], &mut []);
    }

    #[test]
    #[should_panic(expected = "one score for each row and column")]
    fn a_matrix_of_the_wrong_size_is_refused() {
        Levenshtein.matrix(&[&['a']], &[&['a']], &mut []);
    }
}
