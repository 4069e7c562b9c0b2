//! The hot loops: a matrix product, and functions of many numbers at once.
//!
//! Each is plain code that is compiled twice on x86-64, for every processor and for those with AVX2. The order of the sums is
//! written out in the code and a multiplication is never fused with an addition, so both give the same bits.

use super::Matrix;

/// Compiles a function for AVX2 as well, and calls that where the processor has it.
macro_rules! compiled_for_avx2 {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$doc])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name($($arg: $type),*) {
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn plain($($arg: $type),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                #[allow(clippy::too_many_arguments)]
                fn with_avx2($($arg: $type),*) {
                    plain($($arg),*);
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: `with_avx2` is safe code whose one requirement is a processor with AVX2, which was just seen.
                    #[allow(unsafe_code)]
                    return unsafe { with_avx2($($arg),*) };
                }
            }
            plain($($arg),*);
        }
    };
}
pub(in crate::syntax) use compiled_for_avx2;

/// Columns of a tile: two registers of AVX2.
const WIDE: usize = 16;
/// Rows of a tile: with two registers for each row, and three for what is multiplied, all 16 are used.
const TALL: usize = 6;

/// The product of TALL rows with WIDE columns, both packed so that what is multiplied lies together.
#[inline(always)]
fn tile(a: &[[f32; TALL]], b: &[[f32; WIDE]]) -> [[f32; WIDE]; TALL] {
    let mut sums = [[0f32; WIDE]; TALL];
    for (a, b) in a.iter().zip(b) {
        for r in 0..TALL {
            for c in 0..WIDE {
                sums[r][c] += a[r] * b[c];
            }
        }
    }
    sums
}

compiled_for_avx2! {
    /// `c += a · b`, with `a` of `m` × `k`, `b` of `k` × `n` and `c` of `m` × `n` numbers.
    fn multiply_add(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize) {
        // Rows and columns that are missing in the last tile are zeros.
        let mut packed = vec![[0f32; TALL]; m.div_ceil(TALL) * k];
        for (row, a) in a.chunks_exact(k.max(1)).enumerate() {
            let panel = &mut packed[row / TALL * k..][..k];
            for (to, from) in panel.iter_mut().zip(a) {
                to[row % TALL] = *from;
            }
        }
        let mut columns = vec![[0f32; WIDE]; k];
        for col in (0..n).step_by(WIDE) {
            let wide = WIDE.min(n - col);
            for (to, from) in columns.iter_mut().zip(b.chunks_exact(n)) {
                to[..wide].copy_from_slice(&from[col..col + wide]);
            }
            for row in (0..m).step_by(TALL) {
                let sums = tile(&packed[row / TALL * k..][..k], &columns);
                for (sums, row) in sums.iter().zip(row..m) {
                    for (c, sum) in c[row * n + col..][..wide].iter_mut().zip(sums) {
                        *c += sum;
                    }
                }
            }
        }
    }
}

/// `c += a · b`.
pub(in crate::syntax) fn product(a: &Matrix, b: &Matrix, c: &mut Matrix) {
    assert_eq!((a.cols, a.rows, b.cols), (b.rows, c.rows, c.cols), "sizes of a product");
    if b.cols > 0 {
        multiply_add(&a.data, &b.data, &mut c.data, a.rows, a.cols, b.cols);
    }
}

/// eˣ to about seven digits, for x between -87 and 88; what lies outside is taken as the end.
#[inline(always)]
pub(in crate::syntax) fn exp(x: f32) -> f32 {
    // The number 1.5·2²³: adding it leaves the nearest whole number in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let whole = rounded - ROUND;
    // ln 2 in two parts, so that the difference is exact.
    let rest = (x - whole * 0.693_359_4) - whole * -2.121_944_4e-4;
    let mut sum = 1.987_569_1e-4;
    for coefficient in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        sum = sum * rest + coefficient;
    }
    let power = sum * rest * rest + rest + 1.0;
    f32::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << 23))
}

/// 1 / (1 + e⁻ˣ).
#[inline(always)]
pub(in crate::syntax) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent.
#[inline(always)]
pub(in crate::syntax) fn tanh(x: f32) -> f32 {
    2.0 * sigmoid(2.0 * x) - 1.0
}

/// Turns scores into probabilities and gives the natural logarithm of what they summed to, in place.
pub(in crate::syntax) fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = exp(*score - most);
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

/// The place of the largest number, the first of several.
pub(in crate::syntax) fn largest(scores: &[f32]) -> usize {
    let mut best = 0;
    for (at, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = at;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn functions_agree_with_the_standard_library() {
        for step in -2000..2000 {
            let x = step as f32 * 0.04;
            let close =
                |ours: f32, theirs: f32| (ours - theirs).abs() <= 1e-6 * (1.0 + theirs.abs());
            assert!((exp(x) / x.exp() - 1.0).abs() < 3e-7, "{x}: {} {}", exp(x), x.exp());
            assert!(close(sigmoid(x), 1.0 / (1.0 + (-x).exp())), "{x}");
            assert!(close(tanh(x), x.tanh()), "{x}");
        }
        assert!(exp(-1e30).is_finite() && exp(1e30).is_finite());
    }

    proptest! {
        #[test]
        fn a_product_is_the_sum_of_products(m in 0usize..15, k in 0usize..9, n in 0usize..40, seed: u32) {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 20) as f32 / 1024.0 - 2.0
            };
            let mut fill = |rows, cols| {
                let mut matrix = Matrix::zeros(rows, cols);
                matrix.data.iter_mut().for_each(|value| *value = next());
                matrix
            };
            let (a, b, before) = (fill(m, k), fill(k, n), fill(m, n));
            let mut c = before.clone();
            product(&a, &b, &mut c);
            for row in 0..m {
                for col in 0..n {
                    // In the same order, so to the same bits.
                    let mut sum = 0f32;
                    for at in 0..k {
                        sum += a.row(row)[at] * b.row(at)[col];
                    }
                    prop_assert_eq!(c.row(row)[col].to_bits(), (before.row(row)[col] + sum).to_bits());
                }
            }
        }
    }
}
