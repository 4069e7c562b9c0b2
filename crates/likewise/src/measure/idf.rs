//! Inverse document frequency, as measures weigh terms by it.

use crate::expr::{Kind, Param, Settings};

/// The setting `idf` of every measure that weighs terms.
pub(super) const IDF: Param = Param {
    name: "idf",
    kind: Kind::Choice(&["plain", "plus-one", "smooth"]),
    default: "plus-one",
    help: "plus-one is ln((M + 1)/m), never 0; plain is ln(M/m) as published, 0 for what every text has; smooth is ln(1 + M/m)",
};

/// What a term weighs that m of M texts have, or a gram that m of M term occurrences have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Idf {
    /// ln(M/m): the formula of the publications. A term that all texts have weighs nothing.
    Plain,
    /// ln((M + 1)/m): nearly the same in a large collection, and never 0.
    PlusOne,
    /// ln(1 + M/m).
    Smooth,
}

impl Idf {
    pub fn from_settings(settings: &Settings) -> Self {
        match settings.choice("idf") {
            "plain" => Self::Plain,
            "smooth" => Self::Smooth,
            _ => Self::PlusOne,
        }
    }

    /// Whether nothing weighs 0.
    pub fn never_zero(self) -> bool {
        self != Self::Plain
    }

    /// The weight of what `with` of `all` have.
    pub fn weigh(self, all: f64, with: f64) -> f64 {
        match self {
            Self::Plain => (all / with).ln(),
            Self::PlusOne => ((all + 1.0) / with).ln(),
            Self::Smooth => (all / with).ln_1p(),
        }
    }
}
