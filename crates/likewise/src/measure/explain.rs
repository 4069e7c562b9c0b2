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

    /// Nothing meets.
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
        // Each piece is a meeting of its own, so each is its own term.
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

/// A stretch of each text that meets, and what it gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Meeting {
    /// Bytes of the left text; none where only the right takes part.
    pub left: Option<Range<usize>>,
    /// Bytes of the right text; none where only the left takes part.
    pub right: Option<Range<usize>>,
    /// What it adds to the numerator.
    pub contribution: f64,
}

impl Explanation {
    /// What meets, term by term, largest contribution first. Each stretch covers all that the two
    /// terms share; where whole strings are aligned, it is a piece of the alignment. For a weighted
    /// sum the contributions are weighted and add up to the score.
    pub fn meetings(&self) -> Vec<Meeting> {
        let mut totals = BTreeMap::new();
        self.add_meetings(1.0, &mut totals);
        let mut all: Vec<Meeting> =
            totals.into_values().filter(|m| m.contribution != 0.0).collect();
        all.sort_by(|x, y| y.contribution.total_cmp(&x.contribution));
        all
    }

    fn add_meetings(
        &self,
        factor: f64,
        totals: &mut BTreeMap<(Option<usize>, Option<usize>), Meeting>,
    ) {
        for part in &self.parts {
            let (left, right) = (terms_of(&part.left), terms_of(&part.right));
            let share = factor * part.contribution / (left.len() * right.len()) as f64;
            for &l in &left {
                for &r in &right {
                    let meeting = totals.entry((l, r)).or_insert(Meeting {
                        left: None,
                        right: None,
                        contribution: 0.0,
                    });
                    meeting.contribution += share;
                    cover(&mut meeting.left, &part.left, l);
                    cover(&mut meeting.right, &part.right, r);
                }
            }
        }
        for one in &self.sum {
            let denominator = one.explanation.denominator;
            if denominator != 0.0 {
                one.explanation.add_meetings(factor * one.weight / denominator, totals);
            }
        }
    }

    /// One of the texts cut into stretches, each with how much it gives (0 to 1, in tenths, the
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

    /// The strongest meetings in one line.
    pub fn summary(&self, left: &str, right: &str, most: usize) -> String {
        let meetings = self.meetings();
        let shown = meetings.iter().take(most).map(|m| {
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

/// Widens a stretch to take in a part's places within one term.
fn cover(range: &mut Option<Range<usize>>, places: &[Place], term: Option<usize>) {
    for place in places.iter().filter(|p| Some(p.term) == term) {
        *range = Some(match range.take() {
            None => place.start..place.end,
            Some(old) => old.start.min(place.start)..old.end.max(place.end),
        });
    }
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
