//! Term similarities as measures: the whole text is one term.
//!
//! The string compared is the analysed text, its terms joined by one blank. Unless told otherwise the
//! analyzer leaves the text as it is ([`Analyzer::raw`](crate::text::Analyzer::raw)), so that
//! `levenshtein` is what users of other tools know under that name.

use super::{Batch, Explanation, Place, TextSimilarity};
use crate::term::TermSimilarity;
use crate::text::Text;

/// A term similarity over whole texts.
pub struct WholeText {
    /// What compares them.
    pub similarity: Box<dyn TermSimilarity>,
}

impl TextSimilarity for WholeText {
    type Prepared = Box<[char]>;

    fn prepare(&self, text: &Text) -> Box<[char]> {
        text.joined().chars().collect()
    }

    fn score(&self, a: &Box<[char]>, b: &Box<[char]>) -> f64 {
        self.similarity.similarity(a, b)
    }

    fn score_at_least(&self, a: &Box<[char]>, b: &Box<[char]>, cutoff: f64) -> Option<f64> {
        self.similarity.similarity_at_least(a, b, cutoff)
    }

    fn upper_bound(&self, a: &Box<[char]>, b: &Box<[char]>) -> f64 {
        self.similarity.upper_bound(a, b)
    }

    fn batch<'a>(&'a self, columns: &'a [Box<[char]>]) -> Box<dyn Batch<Box<[char]>> + 'a> {
        let columns = columns.iter().map(|c| &**c).collect();
        Box::new(Columns { similarity: &*self.similarity, columns })
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.prepare(a), self.prepare(b));
        let alignment = self.similarity.align(&left, &right);
        let label = |l: &std::ops::Range<usize>, r: &std::ops::Range<usize>| {
            let (l, r): (String, String) =
                (left[l.clone()].iter().collect(), right[r.clone()].iter().collect());
            if l == r { l } else { format!("{l} | {r}") }
        };
        let reading =
            format!("pieces of the two strings of {} and {} characters", left.len(), right.len());
        Explanation::of_alignment(&alignment, &places(a), &places(b), label, reading)
    }
}

/// Where each character of the joined text stands in the original; a joining blank stands
/// between its neighbours.
fn places(text: &Text) -> Vec<Place> {
    let mut places = Vec::new();
    for (term, characters) in text.terms().enumerate() {
        if term > 0 {
            let (start, end) = (text.span(term - 1).end, text.span(term).start);
            places.push(Place { start: start.min(end), end, term: start.min(end) });
        }
        for at in 0..characters.chars().count() {
            places.push(Place::of_chars(text, term, at..at + 1));
        }
    }
    places
}

struct Columns<'a> {
    similarity: &'a dyn TermSimilarity,
    columns: Vec<&'a [char]>,
}

impl Batch<Box<[char]>> for Columns<'_> {
    fn score(&self, rows: &[Box<[char]>], out: &mut [f64]) {
        let rows: Vec<&[char]> = rows.iter().map(|r| &**r).collect();
        self.similarity.matrix(&rows, &self.columns, out);
    }
}
