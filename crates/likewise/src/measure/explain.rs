//! Why a score is what it is.

use crate::term::Alignment;
use crate::text::Text;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// The parts that two texts share and what each contributes. The contributions add up to the
/// numerator; numerator / denominator is the score.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Weighted {
    /// Its weight.
    pub weight: f64,
    /// Its canonical expression.
    pub measure: String,
    /// Its own explanation.
    #[serde(flatten)]
    pub explanation: Explanation,
}

/// Something the two texts share, where it stands in each, and what it contributes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Part {
    /// What is shared: a gram, a word, a stretch of text.
    pub what: String,
    /// What kind of match, where there are several.
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
    /// Where the term it belongs to begins: measures that cut texts differently still agree on that.
    pub term: usize,
}

impl Place {
    /// Some characters of a term.
    pub fn of_chars(text: &Text, term: usize, chars: Range<usize>) -> Self {
        let Range { start, end } = text.char_span(term, chars);
        Self { start, end, term: text.span(term).start }
    }

    /// A whole term.
    pub fn of_term(text: &Text, term: usize) -> Self {
        let Range { start, end } = text.span(term);
        Self { start, end, term: start }
    }
}

impl Explanation {
    /// The explanation of a quotient: `score` is 0 where the denominator is.
    pub fn of_quotient(mut parts: Vec<Part>, denominator: f64, reading: impl Into<String>) -> Self {
        // From 0.0: the empty sum is -0.0.
        let numerator = parts.iter().fold(0.0, |sum, p| sum + p.contribution);
        // Ties stay in the order of the text, in which the parts come.
        parts.sort_by(|x, y| y.contribution.total_cmp(&x.contribution));
        let score = if denominator == 0.0 { 0.0 } else { numerator / denominator };
        Self { score, numerator, denominator, reading: reading.into(), parts, sum: Vec::new() }
    }

    /// Nothing is shared.
    pub fn nothing(reading: impl Into<String>) -> Self {
        Self::of_quotient(Vec::new(), 0.0, reading)
    }

    /// The explanation of an alignment of two whole strings; `left` and `right` say where each of
    /// their characters stands in the original.
    pub fn of_alignment(
        alignment: &Alignment,
        left: &[Place],
        right: &[Place],
        label: impl Fn(&Range<usize>, &Range<usize>) -> String,
        reading: impl Into<String>,
    ) -> Self {
        // Each piece is a match of its own, so each is its own term.
        let stretch = |places: &[Place], chars: &Range<usize>| -> Vec<Place> {
            let (start, end) = (places.get(chars.start), chars.end.checked_sub(1));
            match (start, end.and_then(|end| places.get(end))) {
                (Some(first), Some(last)) if !chars.is_empty() => {
                    let start = first.start;
                    vec![Place { start, end: last.end.max(start), term: start }]
                }
                _ => Vec::new(),
            }
        };
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
}

/// One of the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Left,
    /// The second.
    Right,
}

/// A stretch of the left text matched with one of the right, and what the match contributes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Match {
    /// Bytes of the left text; none where only the right takes part.
    pub left: Option<Range<usize>>,
    /// Bytes of the right text; none where only the left takes part.
    pub right: Option<Range<usize>>,
    /// What it adds to the numerator.
    pub contribution: f64,
}

impl Explanation {
    /// The matches, term by term, largest contribution first. Each stretch covers all that the two
    /// terms share; where whole strings are aligned, it is a piece of the alignment. For a weighted
    /// sum the contributions are weighted and add up to the score.
    pub fn matches(&self) -> Vec<Match> {
        let mut totals = BTreeMap::new();
        self.add_matches(1.0, &mut totals);
        let mut all: Vec<Match> = totals.into_values().filter(|m| m.contribution != 0.0).collect();
        all.sort_by(|x, y| y.contribution.total_cmp(&x.contribution));
        all
    }

    fn add_matches(
        &self,
        factor: f64,
        totals: &mut BTreeMap<(Option<usize>, Option<usize>), Match>,
    ) {
        for part in &self.parts {
            let (left, right) = (by_term(&part.left), by_term(&part.right));
            // What stands in several terms is shared out along the two lists, first with first:
            // all with all would grow with the square of a long text.
            let pairs = left.len().max(right.len());
            let share = factor * part.contribution / pairs as f64;
            for (l, r) in left.iter().cycle().zip(right.iter().cycle()).take(pairs) {
                let matched = totals.entry((l.0, r.0)).or_insert(Match {
                    left: None,
                    right: None,
                    contribution: 0.0,
                });
                matched.contribution += share;
                widen(&mut matched.left, &l.1);
                widen(&mut matched.right, &r.1);
            }
        }
        for one in &self.sum {
            let denominator = one.explanation.denominator;
            if denominator != 0.0 {
                one.explanation.add_matches(factor * one.weight / denominator, totals);
            }
        }
    }

    /// One of the texts cut into stretches, each with how much it contributes (0 to 1, in tenths, the
    /// strongest character being 1). The stretches make up the whole text.
    pub fn highlights(&self, original: &str, side: Side) -> Vec<(Range<usize>, f64)> {
        let mut strengths = vec![0.0; original.len()];
        self.add_strengths(1.0, side, &mut strengths);
        let most = strengths.iter().copied().fold(0.0, f64::max);
        let level = |at: usize| {
            if most > 0.0 { (strengths[at] / most * 10.0).ceil() / 10.0 } else { 0.0 }
        };
        let mut cut: Vec<(Range<usize>, f64)> = Vec::new();
        for (start, c) in original.char_indices() {
            let strength = level(start);
            match cut.last_mut() {
                Some((range, same)) if *same == strength => range.end = start + c.len_utf8(),
                _ => cut.push((start..start + c.len_utf8(), strength)),
            }
        }
        cut
    }

    fn add_strengths(&self, factor: f64, side: Side, strengths: &mut [f64]) {
        for part in self.parts.iter().filter(|p| p.contribution > 0.0) {
            let places = if side == Side::Left { &part.left } else { &part.right };
            let bytes: usize = places.iter().map(|p| p.end - p.start).sum();
            for place in places {
                for strength in &mut strengths[place.start..place.end] {
                    *strength += factor * part.contribution / bytes as f64;
                }
            }
        }
        for one in &self.sum {
            let denominator = one.explanation.denominator;
            if denominator != 0.0 {
                one.explanation.add_strengths(factor * one.weight / denominator, side, strengths);
            }
        }
    }

    /// The strongest matches in one line.
    pub fn summary(&self, left: &str, right: &str, most: usize) -> String {
        let matches = self.matches();
        let shown = matches.iter().take(most).map(|m| {
            let side = |text: &str, range: &Option<Range<usize>>| {
                range.clone().map_or(String::new(), |r| text[r].to_owned())
            };
            let (l, r) = (side(left, &m.left), side(right, &m.right));
            let what = match (l.is_empty(), r.is_empty()) {
                (true, _) => r,
                (_, true) => l,
                _ if l == r => l,
                _ => format!("{l} ~ {r}"),
            };
            format!("{what} {:+.3}", m.contribution)
        });
        shown.collect::<Vec<_>>().join(", ")
    }
}

/// The term of some places and the stretch that they cover.
type TermStretch = (Option<usize>, Option<Range<usize>>);

/// Places gathered term by term, in the order of the terms; one without term if there are none.
fn by_term(places: &[Place]) -> Vec<TermStretch> {
    let mut sorted: Vec<&Place> = places.iter().collect();
    sorted.sort_by_key(|place| place.term);
    let mut terms: Vec<TermStretch> = sorted
        .chunk_by(|x, y| x.term == y.term)
        .map(|same| {
            let start = same.iter().map(|p| p.start).min().unwrap_or(0);
            let end = same.iter().map(|p| p.end).max().unwrap_or(start);
            (Some(same[0].term), Some(start..end))
        })
        .collect();
    if terms.is_empty() {
        terms.push((None, None));
    }
    terms
}

/// Widens a stretch to take in another.
fn widen(stretch: &mut Option<Range<usize>>, other: &Option<Range<usize>>) {
    if let Some(other) = other {
        *stretch = Some(match stretch.take() {
            None => other.clone(),
            Some(old) => old.start.min(other.start)..old.end.max(other.end),
        });
    }
}
