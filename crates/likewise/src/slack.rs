//! Rounding slack: by how much a computed bound is widened so that it is one to the last bit.
//!
//! A bound B is never below a score S in real numbers. Both are computed in floating point, so the
//! computed bound b may fall below the computed score s, and an exact search would lose a result. Every
//! bound is therefore multiplied by a constant of this module, 1 + ε.
//!
//! Why that suffices: scores and bounds are made of sums, products, quotients and roots of numbers that
//! are not negative, so nothing cancels. With u the unit roundoff (2⁻⁵³ ≈ 1.1·10⁻¹⁶ for `f64`, 2⁻²⁴ ≈
//! 6.0·10⁻⁸ for `f32`), n such operations change a result by a factor between 1 − γ and 1 + γ, where
//! γ = n·u / (1 − n·u) (Higham, *Accuracy and Stability of Numerical Algorithms*, chapter 3). With n
//! operations on the way to s and m on the way to b,
//!
//! ```text
//! s ≤ S·(1 + γₙ) ≤ B·(1 + γₙ) ≤ b·(1 + γₙ)/(1 − γₘ) ≤ b·(1 + ε)    if  ε ≥ (n + m)·u, nearly
//! ```
//!
//! So ε/u is the number of operations that a constant covers in the worst case. Rounding errors are
//! not all of one sign, and their sum grows like √n, so that the worst case is far off.
//!
//! | constant | ε | operations covered |
//! |---|---|---|
//! | [`F64_SUM`] | 10⁻⁹ | 9,000,000 |
//! | [`F64_FEW`] | 10⁻¹² | 9,000 |
//! | [`F32_SUM`] | 10⁻⁴ | 1,600 |
//! | [`F32_FEW`] | 10⁻⁵ | 160 |
//! | [`F64_TO_F32`] | 10⁻⁶ | 16, such as the conversion of an `f64` to the nearest `f32` |

/// For sums in `f64` over the terms or features of texts.
pub(crate) const F64_SUM: f64 = 1.0 + 1e-9;

/// For a few operations in `f64`.
pub(crate) const F64_FEW: f64 = 1.0 + 1e-12;

/// What is left of a threshold in `f64` that sums must reach.
pub(crate) const F64_SUM_BELOW: f64 = 1.0 - 1e-9;

/// The ε of [`F32_SUM`].
pub(crate) const F32_RELATIVE: f32 = 1e-4;

/// For sums in `f32`.
pub(crate) const F32_SUM: f32 = 1.0 + F32_RELATIVE;

/// The same for sums that were converted to `f64`.
pub(crate) const F32_SUM_AS_F64: f64 = 1.0 + 1e-4;

/// For sums in `f32` of very many terms: the ε for each of them, beside [`F32_RELATIVE`].
pub(crate) const F32_EACH: f32 = 1e-6;

/// For a few operations in `f32`.
pub(crate) const F32_FEW: f32 = 1.0 + 1e-5;

/// The same for numbers that must not be too large.
pub(crate) const F32_FEW_BELOW: f32 = 1.0 - 1e-5;

/// For an `f64` that is converted to `f32` and must not become smaller.
pub(crate) const F64_TO_F32: f64 = 1.0 + 1e-6;
