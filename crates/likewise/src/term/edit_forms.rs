//! Edit distance as a similarity, in four forms.
//!
//! With d the Levenshtein distance and m the longer length:
//!
//! - `inverse`: 1/(1 + d)
//! - `linear`: 1 − d/m
//! - `root`: √(1 − d/m)
//! - `square`: (1 − d/m)²
//!
//! `max` makes the similarity 0 beyond so many edits. Under `unit=elements` a term is a sequence of elements parted by
//! blanks, and an edit changes a whole element: for n-grams of words.
//!
//! Source: Sidorov, Gelbukh, Gómez-Adorno & Pinto, "Soft similarity and soft cosine measure" (2014),
//! equations 27 to 30.

use super::deletions::{self, Deletions};
use super::edit::{self, WITHOUT_SWAPS};
use super::levenshtein::Levenshtein;
use super::neighbours::{Asked, NeighbourFinder, Words};
use super::{Alignment, Piece, TermDefinition, TermSimilarity, whole};
use crate::expr::{Kind, Param, Schema, Setting};
use std::cell::RefCell;
use std::ops::Range;

/// The similarity's name, settings and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Sidorov, Gelbukh, Gómez-Adorno & Pinto 2014, equations 27 to 30",
    build: |settings, _| {
        Ok(Box::new(Edit {
            form: match settings.choice("form") {
                "inverse" => Form::Inverse,
                "linear" => Form::Linear,
                "root" => Form::Root,
                _ => Form::Square,
            },
            most: match settings.get("max") {
                Setting::Integer(most) => *most as usize,
                _ => usize::MAX,
            },
            elements: settings.choice("unit") == "elements",
        }))
    },
};

static SCHEMA: Schema = Schema {
    name: "edit",
    aliases: &[],
    summary: "edit distance d as a similarity: 1/(1+d), or from 1 - d/longer length",
    params: &[
        Param {
            name: "form",
            kind: Kind::Choice(&["inverse", "linear", "root", "square"]),
            default: "inverse",
            help: "1/(1+d), 1-d/m, its root, or its square",
        },
        Param {
            name: "max",
            kind: Kind::Integer(0, 1_000_000),
            default: "",
            help: "0 beyond so many edits",
        },
        Param {
            name: "unit",
            kind: Kind::Choice(&["chars", "elements"]),
            default: "chars",
            help: "an edit changes a character, or one of the words that make up the term",
        },
    ],
};

/// How a distance becomes a similarity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// 1/(1 + d)
    Inverse,
    /// 1 − d/m
    Linear,
    /// √(1 − d/m)
    Root,
    /// (1 − d/m)²
    Square,
}

impl Form {
    /// The similarity of a distance, with `longer` the length of the longer term.
    pub fn of(self, distance: usize, longer: usize) -> f64 {
        if longer == 0 {
            return 0.0;
        }
        let linear = edit::score(distance.min(longer), longer);
        match self {
            Self::Inverse => 1.0 / (1.0 + distance as f64),
            Self::Linear => linear,
            Self::Root => linear.sqrt(),
            Self::Square => linear * linear,
        }
    }
}

/// Edit distance as a similarity.
///
/// ```
/// use likewise::term::{TermSimilarity, edit_forms::{Edit, Form}};
///
/// let edit = Edit { form: Form::Inverse, most: 2, elements: false };
/// let [play, player, game] = ["play", "player", "game"].map(|w| w.chars().collect::<Vec<_>>());
/// assert_eq!(edit.similarity(&play, &player), 1.0 / 3.0);
/// assert_eq!(edit.similarity(&play, &game), 0.0); // 3 edits
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
    /// How the distance becomes a similarity.
    pub form: Form,
    /// Beyond so many edits it is 0.
    pub most: usize,
    /// Whether an edit changes a whole element.
    pub elements: bool,
}

/// The elements of two terms, and a row of the table of distances.
type Scratch = (Vec<Range<usize>>, Vec<Range<usize>>, Vec<usize>);

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Edit {
    fn of(&self, distance: usize, longer: usize) -> f64 {
        if distance > self.most { 0.0 } else { self.form.of(distance, longer) }
    }

    /// The largest distance that reaches the cutoff for terms of which the longer has so many symbols. All forms fall as
    /// the distance grows.
    fn limit(&self, longer: usize, cutoff: f64) -> Option<usize> {
        let most = longer.min(self.most);
        let reaches = |distance: usize| self.of(distance, longer) >= cutoff;
        if cutoff <= 0.0 {
            return Some(most);
        }
        if !reaches(0) {
            return None;
        }
        let (mut low, mut high) = (0, most);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if reaches(middle) { low = middle } else { high = middle - 1 }
        }
        Some(low)
    }

    /// The distance and the longer length, in elements.
    fn by_elements(a: &[char], b: &[char]) -> (usize, usize) {
        SCRATCH.with_borrow_mut(|(left, right, row)| {
            elements(a, left);
            elements(b, right);
            row.clear();
            row.extend(0..=right.len());
            for (i, x) in left.iter().enumerate() {
                let mut diagonal = std::mem::replace(&mut row[0], i + 1);
                for (j, y) in right.iter().enumerate() {
                    let change = diagonal + usize::from(a[x.clone()] != b[y.clone()]);
                    diagonal = row[j + 1];
                    row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
                }
            }
            (row[right.len()], left.len().max(right.len()))
        })
    }
}

/// The stretches between blanks.
fn elements(term: &[char], into: &mut Vec<Range<usize>>) {
    into.clear();
    let mut start = 0;
    for (at, c) in term.iter().chain([&' ']).enumerate() {
        if *c == ' ' {
            if at > start {
                into.push(start..at);
            }
            start = at + 1;
        }
    }
}

impl TermSimilarity for Edit {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        self.similarity_at_least(a, b, 0.0).unwrap_or(0.0)
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        let reached = |similarity: f64| (similarity >= cutoff).then_some(similarity);
        if a.is_empty() || b.is_empty() {
            return reached(0.0);
        }
        if a == b {
            return reached(1.0);
        }
        if self.elements {
            let (distance, longer) = Self::by_elements(a, b);
            return reached(self.of(distance, longer));
        }
        let longer = a.len().max(b.len());
        let limit = self.limit(longer, cutoff)?;
        match edit::distance_within::<WITHOUT_SWAPS>(a, b, limit) {
            Some(distance) => reached(self.of(distance, longer)),
            None => reached(0.0),
        }
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            0.0
        } else if self.elements {
            1.0
        } else {
            self.of(a.len().abs_diff(b.len()), a.len().max(b.len()))
        }
    }

    /// An edit adds at most one character to what is common. Two elements may have nothing in common and others be
    /// the same.
    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        if self.elements { 1.0 } else { self.of(a.max(b) - common, a.max(b)) }
    }

    fn own_finder<'a>(
        &'a self,
        words: &'a Words,
        at_least: f64,
        asked: Asked,
    ) -> Option<Box<dyn NeighbourFinder + 'a>> {
        if self.elements || asked == Asked::Seldom {
            return None;
        }
        // The longest terms allow the most edits. Those asked for may be longer than any word by as much.
        let most = self.limit(words.longest() + deletions::MOST, at_least)?;
        let compare = move |a: &[char], b: &[char]| {
            self.similarity_at_least(a, b, at_least).filter(|s| *s > 0.0)
        };
        (most <= deletions::MOST && Deletions::fits(words, most)).then(|| {
            Box::new(Deletions::new(words, most, Box::new(compare))) as Box<dyn NeighbourFinder>
        })
    }

    /// The pieces of [`Levenshtein`], scaled to what the form makes of the distance; under `unit=elements` one piece.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        if a.is_empty() || b.is_empty() {
            return Alignment::default();
        }
        let similarity = self.similarity(a, b);
        if similarity == 0.0 {
            return Alignment { denominator: 1.0, ..Alignment::default() };
        }
        let plain = Levenshtein.align(a, b);
        if self.elements || plain.numerator == 0.0 {
            return whole(a, b, similarity);
        }
        let scale = similarity / plain.numerator;
        let scaled = |piece: Piece| Piece { contribution: piece.contribution * scale, ..piece };
        let pieces = plain.pieces.into_iter().map(scaled).collect();
        Alignment { pieces, numerator: similarity, denominator: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::levenshtein::distance;
    use super::super::testing::{chars, hold_laws, hold_neighbours, pairs};
    use super::*;

    fn all() -> impl Iterator<Item = Edit> {
        let forms = [Form::Inverse, Form::Linear, Form::Root, Form::Square];
        let of = |form| [0, 1, 2, 3, usize::MAX].map(|most| Edit { form, most, elements: false });
        forms.into_iter().flat_map(of)
    }

    proptest! {
        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), cutoff in 0.0..1.0) {
            for edit in all() {
                hold_laws(&edit, &a, &b, cutoff)?;
            }
            hold_laws(&Edit { form: Form::Inverse, most: 2, elements: true }, &a, &b, cutoff)?;
        }

        #[test]
        fn the_forms_are_those_of_the_definition((a, b) in pairs()) {
            let (d, m) = (distance(&a, &b), a.len().max(b.len()));
            for edit in all() {
                let linear = 1.0 - d as f64 / m as f64;
                let expected = match edit.form {
                    _ if a.is_empty() || b.is_empty() || d > edit.most => 0.0,
                    Form::Inverse => 1.0 / (1 + d) as f64,
                    Form::Linear => linear,
                    Form::Root => linear.sqrt(),
                    Form::Square => linear.powi(2),
                };
                prop_assert!((edit.similarity(&a, &b) - expected).abs() < 1e-12);
            }
        }

    }

    proptest! {
        // Each case is twenty similarities over a vocabulary.
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

        #[test]
        fn near_words_are_those_of_all_pairs(
            words in proptest::collection::vec("[ab]{1,5}|[a-d]{1,40}|[a-zé]{2,9}", 1..60),
            at_least in 0.0..1.0,
        ) {
            for edit in all() {
                hold_neighbours(&edit, &words, at_least)?;
                hold_neighbours(&edit, &words, 0.0)?;
            }
        }
    }

    #[test]
    fn elements_are_changed_whole() {
        let edit = Edit { form: Form::Inverse, most: usize::MAX, elements: true };
        let of = |a: &str, b: &str| edit.similarity(&chars(a), &chars(b));
        assert_eq!(of("new york city", "new orleans city"), 0.5);
        assert_eq!(of("new york", "york new"), 1.0 / 3.0);
        assert_eq!(of("new york", "new  york"), 1.0);
    }
}
