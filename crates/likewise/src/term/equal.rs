//! Equality: the same characters or not.
//!
//! 1 if a = b, else 0. For keys and codes, and as the plainest partner a measure over words can
//! have. O(n).

use super::{Alignment, Piece, TermDefinition, TermSimilarity};
use crate::expr::Schema;

/// The similarity's name and maker.
pub static DEFINITION: TermDefinition =
    TermDefinition { schema: &SCHEMA, source: "", build: |_, _| Ok(Box::new(Equal)) };

static SCHEMA: Schema =
    Schema { name: "equal", aliases: &[], summary: "1 for equal terms, else 0", params: &[] };

/// 1 if two terms are the same, else 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Equal;

impl TermSimilarity for Equal {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        if !a.is_empty() && a == b { 1.0 } else { 0.0 }
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        if !a.is_empty() && a.len() == b.len() { 1.0 } else { 0.0 }
    }

    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        if common > 0 && a == common && b == common { 1.0 } else { 0.0 }
    }

    /// One piece `same` over both terms (+1), over 1; no piece if they differ.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        if a.is_empty() || b.is_empty() {
            return Alignment::default();
        }
        let numerator = self.similarity(a, b);
        let whole = Piece { left: 0..a.len(), right: 0..b.len(), contribution: 1.0, kind: "same" };
        let pieces = if numerator == 1.0 { vec![whole] } else { Vec::new() };
        Alignment { pieces, numerator, denominator: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{hold_laws, pairs};
    use super::*;

    proptest! {
        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), cutoff in 0.0..1.0) {
            hold_laws(&Equal, &a, &b, cutoff)?;
            prop_assert_eq!(Equal.similarity(&a, &b) == 1.0, a == b && !a.is_empty());
        }
    }
}
