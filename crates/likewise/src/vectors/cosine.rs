//! The one sum of products that every cosine is.
//!
//! The code is plain Rust. On x86-64 it is compiled a second time for AVX2, and that one is taken where the processor
//! has it. The two agree to the bit: a product of two `f32` has at most 48 digits and is exact in `f64`, every lane
//! adds in the same order, and Rust neither reorders nor fuses. (Fused would be the same, too, since the product is exact.)

const LANES: usize = 8;

/// Which compilation to use. The field is private so that nothing but [`best`](Self::best), which looks at the
/// processor, can choose vectors it may not have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Processor {
    #[cfg(target_arch = "x86_64")]
    avx2: bool,
}

impl Processor {
    /// For every processor of the target.
    #[cfg(test)]
    pub(super) const PORTABLE: Self = Self {
        #[cfg(target_arch = "x86_64")]
        avx2: false,
    };

    /// This processor.
    pub(super) fn best() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx2: is_x86_feature_detected!("avx2"),
        }
    }

    /// Whether AVX2 has been seen.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn has_avx2(self) -> bool {
        self.avx2
    }

    /// The sum of the products, as [`WordVectors::cosine`](super::WordVectors::cosine) says.
    #[inline]
    pub(super) fn dot(self, x: &[f32], y: &[f32]) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `dot_avx2` is ordinary safe code whose one requirement is a processor with AVX2, and
            // `avx2` is true only after seeing it.
            #[allow(unsafe_code)]
            return unsafe { dot_avx2(x, y) };
        }
        dot_inlined(x, y)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn dot_avx2(x: &[f32], y: &[f32]) -> f64 {
    dot_inlined(x, y)
}

#[inline(always)]
fn dot_inlined(x: &[f32], y: &[f32]) -> f64 {
    let (x, x_rest) = x.as_chunks::<LANES>();
    let (y, y_rest) = y.as_chunks::<LANES>();
    let mut sums = [0f64; LANES];
    for (x, y) in x.iter().zip(y) {
        for lane in 0..LANES {
            sums[lane] += f64::from(x[lane]) * f64::from(y[lane]);
        }
    }
    for (lane, (&x, &y)) in x_rest.iter().zip(y_rest).enumerate() {
        sums[lane] += f64::from(x) * f64::from(y);
    }
    ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
}
