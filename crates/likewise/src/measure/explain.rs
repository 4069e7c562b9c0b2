//! Why a score is what it is.

use crate::term::Alignment;
use crate::text::Text;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// The parts of two texts that meet and what each gives. The contributions add up to the
/// numerator; numerator / denominator is the score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The score.
    pub score: f64,
    /// What the contributions add up to.
    pub numerator: f64,
    /// What it is divided by.
    pub denominator: f64,
    /// What the two numbers are, in words.
    pub reading: String,
    /// The parts, largest contribution first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// For a weighted sum: each measure with its weight and explanation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sum: Vec<Weighted>,
}

/// One measure of a weighted sum.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weighted {
    /// Its weight.
    pub weight: f64,
    /// Its canonical expression.
    pub measure: String,
    /// Its own explanation.
    #[serde(flatten)]
    pub explanation: Explanation,
}

/// Something the two texts share, where it stands in each, and what it gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// What meets: a gram, a word, a stretch of text.
    pub what: String,
    /// What kind of meeting, where there are several.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub kind: &'static str,
    /// What it adds to the numerator.
    pub contribution: f64,
    /// Where it stands in the left text.
    pub left: Vec<Place>,
    /// Where it stands in the right text.
    pub right: Vec<Place>,
}

/// A stretch of an original text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The term it belongs to, from 0.
    pub term: usize,
}

impl Place {
    /// Some characters of a term.
    pub fn of_chars(text: &Text, term: usize, chars: Range<usize>) -> Self {
        let Range { start, end } = text.char_span(term, chars);
        Self { start, end, term }
    }

    /// A whole term.
    pub fn of_term(text: &Text, term: usize) -> Self {
        let Range { start, end } = text.span(term);
        Self { start, end, term }
    }
}

impl Explanation {
    /// The explanation of a quotient: `score` is 0 where the denominator is.
    pub fn of_quotient(mut parts: Vec<Part>, denominator: f64, reading: impl Into<String>) -> Self {
        let numerator = parts.iter().map(|p| p.contribution).sum();
        // Ties stay in the order of the text, in which the parts come.
        parts.sort_by(|x, y| y.contribution.total_cmp(&x.contribution));
        let score = if denominator == 0.0 { 0.0 } else { numerator / denominator };
        Self { score, numerator, denominator, reading: reading.into(), parts, sum: Vec::new() }
    }

    /// Nothing meets.
    pub fn nothing(reading: impl Into<String>) -> Self {
        Self::of_quotient(Vec::new(), 0.0, reading)
    }

    /// The explanation of an alignment of two whole strings.
    pub fn of_alignment(
        alignment: &Alignment,
        left: &[Place],
        right: &[Place],
        label: impl Fn(&Range<usize>, &Range<usize>) -> String,
        reading: impl Into<String>,
    ) -> Self {
        let parts = alignment
            .pieces
            .iter()
            .map(|piece| Part {
                what: label(&piece.left, &piece.right),
                kind: piece.kind,
                contribution: piece.contribution,
                left: stretch(left, &piece.left),
                right: stretch(right, &piece.right),
            })
            .collect();
        Self::of_quotient(parts, alignment.denominator, reading)
    }

    /// The contributions of [`parts`](Self::parts), added up by the pair of terms in which they
    /// meet (`None` where a part has no place on a side). A part that stands in several terms is
    /// shared out among their pairs evenly.
    pub fn by_terms(&self) -> Vec<((Option<usize>, Option<usize>), f64)> {
        let mut totals = BTreeMap::new();
        for part in &self.parts {
            let (left, right) = (terms_of(&part.left), terms_of(&part.right));
            let share = part.contribution / (left.len() * right.len()) as f64;
            for &l in &left {
                for &r in &right {
                    *totals.entry((l, r)).or_insert(0.0) += share;
                }
            }
        }
        let mut totals: Vec<_> = totals.into_iter().collect();
        totals.sort_by(|x, y| y.1.total_cmp(&x.1));
        totals
    }
}

/// The characters of a joined text, as stretches of the original, one for each term touched.
fn stretch(places: &[Place], chars: &Range<usize>) -> Vec<Place> {
    let mut all: Vec<Place> = Vec::new();
    for place in &places[chars.clone()] {
        match all.last_mut() {
            Some(last) if last.term == place.term => last.end = last.end.max(place.end),
            _ => all.push(place.clone()),
        }
    }
    all
}

fn terms_of(places: &[Place]) -> Vec<Option<usize>> {
    let mut terms: Vec<_> = places.iter().map(|p| Some(p.term)).collect();
    terms.sort_unstable();
    terms.dedup();
    if terms.is_empty() {
        terms.push(None);
    }
    terms
}
