//! Cells that are no texts: the comparators of [`values`](crate::values) as measures.
//!
//! Unless told otherwise the analyzer leaves the text as it is, so that each distinct cell of a column is one term of the
//! vocabulary. How the column writes its values is learned from these when the measure is bound.

mod definitions;
mod learn;
mod search;

pub use definitions::{DATE, DIGITS, EXACT, NUMBER, SET};
pub use learn::Learner;

use super::search::Searchable;
use super::strings::places;
use super::{Explanation, Part, Place, TextSimilarity};
use crate::collection::Vocabulary;
use crate::text::Text;
use crate::values::Comparator;
use search::PartLists;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A comparator over whole texts. A text that it cannot read scores 0 with everything.
pub struct Typed<C> {
    comparator: C,
    vocabulary: Arc<Vocabulary>,
    /// The texts of the vocabulary by their parts, made when search asks.
    lists: OnceLock<PartLists>,
}

impl<C: Comparator> Typed<C> {
    /// Compares whole texts; those searched are the vocabulary's.
    fn new(comparator: C, vocabulary: &Arc<Vocabulary>) -> Self {
        Self { comparator, vocabulary: Arc::clone(vocabulary), lists: OnceLock::new() }
    }
}

impl<C: Comparator> TextSimilarity for Typed<C> {
    type Prepared = Option<C::Prepared>;

    fn prepare(&self, text: &Text) -> Self::Prepared {
        self.comparator.prepare(&text.joined())
    }

    fn score(&self, a: &Self::Prepared, b: &Self::Prepared) -> f64 {
        match (a, b) {
            (Some(a), Some(b)) => self.comparator.compare(a, b),
            _ => 0.0,
        }
    }

    fn upper_bound(&self, a: &Self::Prepared, b: &Self::Prepared) -> f64 {
        if a.is_some() && b.is_some() { 1.0 } else { 0.0 }
    }

    fn has_value(&self, text: &Text) -> Option<bool> {
        Some(self.prepare(text).is_some())
    }

    fn searchable(&self) -> Option<&dyn Searchable<Self::Prepared>> {
        if C::IS_JACCARD { Some(self) } else { None }
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (x, y) = match (self.prepare(a), self.prepare(b)) {
            (Some(x), Some(y)) => (x, y),
            (x, _) => {
                let side = if x.is_none() { "first" } else { "second" };
                return Explanation::nothing(format!("the {side} text is not {}", C::HOLDS));
            }
        };
        let score = self.comparator.compare(&x, &y);
        let (left, right) = (places(a), places(b));
        let part = |what, contribution, l: Range<usize>, r: Range<usize>| Part {
            what,
            kind: "",
            contribution,
            left: stretch(&left, l),
            right: stretch(&right, r),
        };
        let (a, b) = (a.joined(), b.joined());
        let mut others = self.comparator.places(&b);
        let shared: Vec<(String, Range<usize>, Range<usize>)> = self
            .comparator
            .places(&a)
            .into_iter()
            .filter_map(|(value, l)| others.remove(&value).map(|r| (value, l, r)))
            .filter(|(value, ..)| C::parts(&x).contains(value))
            .collect();
        let share = score / shared.len().max(1) as f64;
        let mut parts: Vec<Part> =
            shared.into_iter().map(|(value, l, r)| part(value, share, l, r)).collect();
        if parts.is_empty() && score > 0.0 {
            let what = if a == b { a } else { format!("{a} | {b}") };
            parts.push(part(what, score, 0..left.len(), 0..right.len()));
        }
        Explanation::of_quotient(parts, 1.0, self.comparator.reason(&x, &y))
    }
}

/// The stretch of the original that some characters cover.
fn stretch(places: &[Place], chars: Range<usize>) -> Vec<Place> {
    match places.get(chars).and_then(|own| own.first().zip(own.last())) {
        Some((first, last)) => {
            let start = first.start;
            vec![Place { start, end: last.end.max(start), term: start }]
        }
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
