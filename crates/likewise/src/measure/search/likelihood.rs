//! Scores that are the likelihood of a language model.

/// A score whose logarithm is a sum of impacts, for one query:
///
/// ```text
/// log    ≤  base + Σ impacts − weight·ln( norm + μ )
/// score  =  exp( log ),  or its position between two ends
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likelihood {
    /// The logarithm for a text without any of the query's terms, before its norm counts.
    pub base: f64,
    /// The weight of the norm.
    pub weight: f64,
    /// What is added to the norm: the μ of Dirichlet smoothing.
    pub mu: f64,
    /// The logarithms that score 0 and 1, if the score is linear between them.
    pub ends: Option<(f64, f64)>,
}

/// Logarithms that differ by less than this are the same.
pub const ALIKE: f64 = 1e-11;

/// Whether the background alone is as good as the query itself: then a text scores 1 if it is as good too, else 0.
pub fn is_background((low, high): (f64, f64)) -> bool {
    (high - low).abs() <= ALIKE
}

impl Likelihood {
    fn norm_term(self, norm: f64) -> f64 {
        self.weight * (norm + self.mu).ln()
    }

    /// The score of a text whose impacts add up to `sum`.
    pub fn bound(self, sum: f64, norm: f64) -> f64 {
        let log = self.base + sum - self.norm_term(norm);
        match self.ends {
            None => log.min(0.0).exp(),
            Some(ends) if is_background(ends) => 1.0,
            Some((low, high)) if high > low => ((log - low) / (high - low)).clamp(0.0, 1.0),
            Some(_) => 0.0,
        }
    }

    /// The least sum of impacts with which a text reaches a score above 0.
    pub fn needed(self, score: f64, norm: f64) -> f64 {
        let log = match self.ends {
            None => score.ln(),
            // With room for rounding.
            Some(ends) if is_background(ends) => ends.0 - 1000.0 * ALIKE,
            Some((low, high)) if high > low => low + score * (high - low),
            // Nothing does.
            Some(_) => f64::INFINITY,
        };
        log + self.norm_term(norm) - self.base
    }

    /// A line above the curve, for scores that are added to others: its value without impacts and its slope. It ends at a
    /// score of 1.
    pub fn line(self, norm: f64) -> (f64, f64) {
        let without = self.bound(0.0, norm);
        let all = match self.ends {
            None => self.norm_term(norm) - self.base,
            Some((low, high)) => high - low,
        };
        let rise = if self.ends.is_none() { 1.0 - without } else { 1.0 };
        (without, if all > 0.0 { rise / all } else { 0.0 })
    }

    /// No line is steeper, whatever the norm of a text that has terms.
    pub fn steepest(self) -> f64 {
        let (without, slope) = self.line(1.0);
        if self.ends.is_none() { slope / (1.0 - without).max(1e-12) } else { slope }
    }
}
