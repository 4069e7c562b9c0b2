//! Products of images, many at once: R rows with the 16 columns of a group.
//!
//! On x86-64 with AVX2 one instruction (`vpmaddubsw`) multiplies 32 numbers without a sign by 32 with one and adds the products
//! in pairs, to 16 bits. It limits what a pair of products may be, hence the ranges: a column's numbers are 1 to 127 with their
//! offset of 64, a row's are -127 to 127, and 2·127·127 = 32258 fits. What the offset adds, 64 times the sum of the row's
//! numbers, is subtracted in advance (`start`). The sums are taken modulo 2¹⁶, which is no loss (see `image`).
//!
//! Elsewhere plain code computes the same products in 32 bits. Whole numbers have no rounding: both give the same.

use super::cosine::Processor;
use super::image::{GROUP, OFFSET};

/// For each row the columns, as bits, whose product with it is at least the row's limit.
#[inline]
pub(super) fn reaching<const R: usize>(
    processor: Processor,
    rows: &[[i32; R]],
    starts: &[i32; R],
    limits: &[i32; R],
    columns: &[[u8; 32]],
) -> [u32; R] {
    #[cfg(target_arch = "x86_64")]
    if processor.has_avx2() {
        // SAFETY: `reaching_avx2` is safe code whose one requirement is a processor with AVX2, and
        // `has_avx2` is true only after seeing it.
        #[allow(unsafe_code)]
        return unsafe { reaching_avx2(rows, starts, limits, columns) };
    }
    let _ = (processor, starts);
    reaching_plain(rows, limits, columns)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn reaching_avx2<const R: usize>(
    rows: &[[i32; R]],
    starts: &[i32; R],
    limits: &[i32; R],
    columns: &[[u8; 32]],
) -> [u32; R] {
    use std::arch::x86_64::*;

    let mut sums = [[_mm256_setzero_si256(); 2]; R];
    for (sums, &start) in sums.iter_mut().zip(starts) {
        *sums = [_mm256_set1_epi32(start); 2];
    }
    for (words, [left, right]) in rows.iter().zip(columns.as_chunks::<2>().0) {
        let columns: [__m256i; 2] = [bytemuck::cast(*left), bytemuck::cast(*right)];
        for row in 0..R {
            let four = _mm256_set1_epi32(words[row]);
            for half in 0..2 {
                let products = _mm256_maddubs_epi16(columns[half], four);
                sums[row][half] = _mm256_add_epi16(sums[row][half], products);
            }
        }
    }
    let ones = _mm256_set1_epi16(1);
    let mut masks = [0; R];
    for row in 0..R {
        // There is no "at least", only "more than".
        let below = _mm256_set1_epi32(limits[row].saturating_sub(1));
        let reach = |sums: __m256i| {
            let products = _mm256_madd_epi16(sums, ones);
            let reach = _mm256_cmpgt_epi32(products, below);
            _mm256_movemask_ps(_mm256_castsi256_ps(reach)) as u32
        };
        masks[row] = reach(sums[row][0]) | reach(sums[row][1]) << 8;
    }
    masks
}

fn reaching_plain<const R: usize>(
    rows: &[[i32; R]],
    limits: &[i32; R],
    columns: &[[u8; 32]],
) -> [u32; R] {
    let mut products = [[0i32; GROUP]; R];
    for (words, halves) in rows.iter().zip(columns.as_chunks::<2>().0) {
        for (word, products) in words.iter().zip(&mut products) {
            let row = word.to_le_bytes().map(|byte| i32::from(byte as i8));
            let columns = halves.iter().flat_map(|half| half.as_chunks::<4>().0);
            for (column, product) in columns.zip(products) {
                for place in 0..4 {
                    *product += (i32::from(column[place]) - OFFSET) * row[place];
                }
            }
        }
    }
    let mut masks = [0; R];
    for (mask, (products, limit)) in masks.iter_mut().zip(products.iter().zip(limits)) {
        for (column, product) in products.iter().enumerate() {
            *mask |= u32::from(product >= limit) << column;
        }
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Not only for images as they are made: for all numbers that are allowed and whose products fit.
        #[test]
        fn both_compilations_find_the_products_of_plain_sums(
            steps in 1usize..40, seed: u64, limit in -33000i32..33000) {
            let mut state = seed | 1;
            let mut next = move |most: i32| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as i32 % (2 * most + 1) - most
            };
            // |q|² ≤ 181² however many places there are.
            let most = ((181 * 181 / (4 * steps as i32)) as f64).sqrt() as i32;
            let rows: Vec<[[i8; 4]; 2]> =
                (0..steps).map(|_| [(); 2].map(|()| [(); 4].map(|()| next(most.min(127)) as i8))).collect();
            let columns: Vec<[[i8; 4]; 16]> =
                (0..steps).map(|_| [(); 16].map(|()| [(); 4].map(|()| next(most.min(63)) as i8))).collect();
            let words: Vec<[i32; 2]> = rows.iter()
                .map(|row| row.map(|four| i32::from_le_bytes(four.map(|n| n as u8)))).collect();
            let mut bytes = vec![[0u8; 32]; 2 * steps];
            for (step, columns) in columns.iter().enumerate() {
                for (column, four) in columns.iter().enumerate() {
                    for (k, &n) in four.iter().enumerate() {
                        bytes[2 * step + column / 8][column % 8 * 4 + k] = (i32::from(n) + OFFSET) as u8;
                    }
                }
            }
            let mut starts = [0; 2];
            let mut expected = [0u32; 2];
            for row in 0..2 {
                let sum = |places: std::ops::Range<usize>| -> i32 {
                    rows.iter().flat_map(|r| r[row][places.clone()].iter()).map(|&n| i32::from(n)).sum()
                };
                let low = |sum: i32| (-OFFSET * sum) & 0xffff;
                starts[row] = low(sum(0..2)) | (low(sum(2..4)) << 16);
                let product = |column: usize| -> i32 {
                    let places = (0..steps).flat_map(|s| (0..4).map(move |k| (s, k)));
                    places.map(|(s, k)| i32::from(rows[s][row][k]) * i32::from(columns[s][column][k])).sum()
                };
                expected[row] =
                    (0..GROUP).map(|column| u32::from(product(column) >= limit) << column).sum();
            }
            for processor in [Processor::best(), Processor::PORTABLE] {
                prop_assert_eq!(reaching(processor, &words, &starts, &[limit; 2], &bytes), expected);
            }
        }
    }
}
