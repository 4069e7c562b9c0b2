//! Resemblance coefficients: from the sizes of two sets and of their intersection to a score.
//!
//! Jaccard divides by the size of the union, all others by a generalised mean of the two sizes. Sets of
//! q-grams (`qgrams`), soft cardinalities (`sc`, `sc-pairwise`) and sums of weights (`word-grams`) all
//! use this one.

use crate::expr::{Kind, Param, Settings};

/// What the size of the intersection is divided by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coefficient {
    /// The generalised mean of the two sizes with exponent p:
    /// −∞ is the smaller (overlap), −1 harmonic, 0 geometric (cosine), 1 arithmetic (Dice),
    /// 2 quadratic, ∞ the larger.
    Mean(f64),
    /// The size of the union.
    Jaccard,
}

/// The settings `coefficient` and `p`, for every measure that has them.
pub const COEFFICIENT: Param = Param {
    name: "coefficient",
    kind: Kind::Choice(&["harmonic", "cosine", "dice", "quadratic", "overlap", "max", "jaccard"]),
    default: "harmonic",
    help: "what the shared size is divided by: a mean of the two sizes, or the union (jaccard)",
};

/// See [`COEFFICIENT`].
pub const EXPONENT: Param = Param {
    name: "p",
    kind: Kind::Number(f64::NEG_INFINITY, f64::INFINITY),
    default: "",
    help: "any other generalised mean by its exponent; takes the place of the named coefficient",
};

impl Coefficient {
    /// Divides by the harmonic mean of the sizes.
    pub const HARMONIC: Self = Self::Mean(-1.0);
    /// Divides by the geometric mean of the sizes.
    pub const COSINE: Self = Self::Mean(0.0);
    /// Divides by the arithmetic mean of the sizes.
    pub const DICE: Self = Self::Mean(1.0);
    /// Divides by the smaller size.
    pub const OVERLAP: Self = Self::Mean(f64::NEG_INFINITY);

    /// From the settings of a measure that has [`COEFFICIENT`] and [`EXPONENT`].
    pub fn from_settings(settings: &Settings) -> Self {
        if let Some(p) = settings.number_if_set("p") {
            return Self::Mean(p);
        }
        Self::named(settings.choice("coefficient"))
    }

    /// One of the names of [`COEFFICIENT`].
    pub fn named(name: &str) -> Self {
        match name {
            "harmonic" => Self::HARMONIC,
            "cosine" => Self::COSINE,
            "dice" => Self::DICE,
            "quadratic" => Self::Mean(2.0),
            "overlap" => Self::OVERLAP,
            "max" => Self::Mean(f64::INFINITY),
            _ => Self::Jaccard,
        }
    }

    /// What `shared` is divided by; 0 if either size is.
    pub fn denominator(self, shared: f64, a: f64, b: f64) -> f64 {
        if a <= 0.0 || b <= 0.0 {
            return 0.0;
        }
        match self {
            Self::Mean(p) => mean(p, a, b),
            Self::Jaccard => a + b - shared,
        }
    }

    /// The score: 0 if either size is 0.
    pub fn score(self, shared: f64, a: f64, b: f64) -> f64 {
        if shared == 0.0 {
            return 0.0; // most pairs, in bulk
        }
        let denominator = self.denominator(shared, a, b);
        if denominator == 0.0 { 0.0 } else { shared / denominator }
    }
}

/// The generalised mean. Swapping the numbers changes no bit.
pub(crate) fn mean(p: f64, a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == high || p == f64::NEG_INFINITY {
        low
    } else if p == f64::INFINITY {
        high
    } else if p == 0.0 {
        (low * high).sqrt()
    } else if p == 1.0 {
        0.5 * (low + high)
    } else if p == -1.0 {
        2.0 * low * high / (low + high)
    } else {
        // Relative to the number that dominates, no power overflows: the other's only vanishes.
        let (main, ratio) = if p > 0.0 { (high, low / high) } else { (low, high / low) };
        if p.abs() < 0.1 {
            // The same from the distances to 1, which the sum below would round away.
            main * (((p * ratio.ln()).exp_m1() * 0.5).ln_1p() / p).exp()
        } else {
            main * ((1.0 + ratio.powf(p)) * 0.5).powf(1.0 / p)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn limits_are_limits() {
        assert_eq!(mean(f64::NEG_INFINITY, 2.0, 3.0), 2.0);
        assert_eq!(mean(f64::INFINITY, 2.0, 3.0), 3.0);
        for p in [1e-9, -1e-9, 1e-13, -1e-13, 1e-17, -1e-17, 1e-100, -1e-100] {
            assert!((mean(p, 2.0, 3.0) - 6f64.sqrt()).abs() < 1e-8);
        }
        assert!((mean(-1e300, 2.0, 3.0) - 2.0).abs() < 1e-9);
        assert!((mean(1e300, 2.0, 3.0) - 3.0).abs() < 1e-9);
        assert_eq!(mean(2.0, 3.0, 4.0), 12.5f64.sqrt());
        assert_eq!(Coefficient::Jaccard.score(1.0, 2.0, 2.0), 1.0 / 3.0);
        assert_eq!(Coefficient::Mean(1.0).score(1.0, 0.0, 2.0), 0.0);
    }

    proptest! {
        #[test]
        fn a_mean_lies_between_and_grows_with_p(
            a in 1e-3..1e3f64, b in 1e-3..1e3f64, p in -20.0..20.0f64, step in 0.0..5.0f64
        ) {
            let here = mean(p, a, b);
            prop_assert!(here >= a.min(b) * (1.0 - 1e-12) && here <= a.max(b) * (1.0 + 1e-12));
            prop_assert!(mean(p + step, a, b) >= here * (1.0 - 1e-9));
            prop_assert_eq!(mean(p, b, a).to_bits(), here.to_bits());
            if p.abs() > 1e-3 {
                let defined = (0.5 * a.powf(p) + 0.5 * b.powf(p)).powf(1.0 / p);
                prop_assert!((here / defined - 1.0).abs() < 1e-9);
            }
        }
    }
}
