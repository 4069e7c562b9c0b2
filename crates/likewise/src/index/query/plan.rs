//! The strategies by which candidates are generated.

use std::fmt;

/// How the candidates of a search were generated. Ordered by how many texts a strategy touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Plan {
    /// MaxScore over the postings of the few terms that have an impact, one length bucket after the other.
    MaxScore,
    /// The postings of essential terms, those that a text cannot reach the threshold without.
    Postings,
    /// The quantised impacts of all texts are added up, because postings would lead to most of them.
    Scan,
    /// Every row is scored: some measure has no bounds.
    EveryRow,
}

impl Plan {
    /// Its name, as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxScore => "max-score",
            Self::Postings => "postings",
            Self::Scan => "scan",
            Self::EveryRow => "every-row",
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
