//! A measure as a feature: its score.

use super::{Analyzed, Feature};
use crate::measure::{Prepared, Scorer};

/// A measure, bound.
pub(super) struct Scored(pub Scorer);

impl Feature for Scored {
    type Prepared = Prepared;

    fn prepare(&self, text: &Analyzed<'_>) -> Prepared {
        self.0.prepare_analyzed(|analyzer| text.by(analyzer))
    }

    fn describe(&self, a: &Prepared, b: &Prepared, out: &mut [f64]) {
        out[0] = self.0.score_own(a, b);
    }
}
