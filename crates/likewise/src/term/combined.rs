//! Several term similarities as one: the largest of them, or their weighted mean.
//!
//! - `max(edit(max=1), wordnet)`: terms are as alike as the similarity that sees most in them says
//! - `mix(0.7*vectors("glove.txt"), 0.3*jaro-winkler)`: the mean, by weights that need not add up to 1
//!
//! A term near another under a mean is at least as near under one of its parts: so near terms are found by the parts' own
//! ways.

use super::bounds::{SimilarityBounds, bounds};
use super::neighbours::{Asked, NeighbourFinder, Words, finder};
use super::{Alignment, TermDefinition, TermError, TermSimilarity, whole};
use crate::collection::Vocabulary;
use crate::expr::{Kind, Param, Schema, Settings};
use crate::resource::Resources;
use crate::slack;
use std::cell::RefCell;

/// The largest of several.
pub static MAX: TermDefinition = TermDefinition {
    schema: &MAX_SCHEMA,
    source: "",
    build: |settings, resources| build(settings, resources, Way::Max),
};

/// The weighted mean of several.
pub static MIX: TermDefinition = TermDefinition {
    schema: &MIX_SCHEMA,
    source: "",
    build: |settings, resources| build(settings, resources, Way::Mean),
};

static MAX_SCHEMA: Schema = Schema {
    name: "max",
    aliases: &[],
    summary: "the largest of several term similarities: max(edit(max=1), jaro-winkler)",
    params: &[Param {
        name: "terms",
        kind: Kind::Several { least: 2, schemas: super::schemas, weighted: false },
        default: "",
        help: "term similarities, two or more",
    }],
};

static MIX_SCHEMA: Schema = Schema {
    name: "mix",
    aliases: &[],
    summary: "the weighted mean of several term similarities: mix(0.7*edit, 0.3*jaro-winkler)",
    params: &[Param {
        name: "terms",
        kind: Kind::Several { least: 2, schemas: super::schemas, weighted: true },
        default: "",
        help: "term similarities with weights, two or more",
    }],
};

/// How several similarities become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Max,
    Mean,
}

struct Combined {
    way: Way,
    /// With weights that add up to 1.
    parts: Vec<(f64, Box<dyn TermSimilarity>)>,
}

fn build(
    settings: &Settings,
    resources: &Resources,
    way: Way,
) -> Result<Box<dyn TermSimilarity>, TermError> {
    let several = settings.several("terms");
    if several.is_empty() {
        let name = settings.schema.name;
        let example = format!("name two or more term similarities: {name}(edit, jaro-winkler)");
        return Err(TermError::new(name, example));
    }
    combine(several, resources, way)
}

/// The weighted mean of one or several similarities; of one it is that.
///
/// # Errors
/// If one of them cannot be made.
pub fn mean(
    several: &[(f64, Settings)],
    resources: &Resources,
) -> Result<Box<dyn TermSimilarity>, TermError> {
    match several {
        [(_, only)] => super::build_with(only, resources),
        _ => combine(several, resources, Way::Mean),
    }
}

fn combine(
    several: &[(f64, Settings)],
    resources: &Resources,
    way: Way,
) -> Result<Box<dyn TermSimilarity>, TermError> {
    let total: f64 = several.iter().map(|(weight, _)| weight).sum();
    let part = |(weight, settings): &(f64, Settings)| {
        Ok((weight / total, super::build_with(settings, resources)?))
    };
    Ok(Box::new(Combined { way, parts: several.iter().map(part).collect::<Result<_, _>>()? }))
}

impl Combined {
    /// From what a function makes of each part.
    fn of(&self, one: impl Fn(&dyn TermSimilarity) -> f64) -> f64 {
        let each = self.parts.iter().map(|(weight, part)| (*weight, one(&**part)));
        match self.way {
            Way::Max => each.fold(0.0, |most, (_, s)| most.max(s)),
            // Rounding must not lift equal terms off 1.
            Way::Mean => each.fold(0.0, |sum, (weight, s)| sum + weight * s).min(1.0),
        }
    }
}

impl TermSimilarity for Combined {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        if !a.is_empty() && a == b { 1.0 } else { self.of(|part| part.similarity(a, b)) }
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            0.0
        } else if a == b {
            1.0
        } else {
            // Sums of bounds are rounded as sums of similarities are, but need not be in the same direction.
            (self.of(|part| part.upper_bound(a, b)) * slack::F64_FEW).min(1.0)
        }
    }

    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        let bound = self.of(|part| part.bound_by_characters(a, b, common));
        (bound * slack::F64_FEW).min(1.0)
    }

    fn check(&self, vocabulary: &Vocabulary) -> Result<(), TermError> {
        self.parts.iter().try_for_each(|(_, part)| part.check(vocabulary))
    }

    fn own_finder<'a>(
        &'a self,
        words: &'a Words,
        at_least: f64,
        asked: Asked,
    ) -> Option<Box<dyn NeighbourFinder + 'a>> {
        // If every part were below the whole, so would their mean be; rounding is allowed for.
        let level = if self.way == Way::Max { at_least } else { at_least * slack::F64_SUM_BELOW };
        let parts = self.parts.iter().map(|(_, part)| finder(&**part, words, level, asked));
        Some(Box::new(Union { whole: self, parts: parts.collect(), words, at_least }))
    }

    fn own_bounds(&self, words: &Words, terms: &[&[char]], out: &mut SimilarityBounds) -> bool {
        for (weight, part) in &self.parts {
            let own = bounds(&**part, words, terms);
            match self.way {
                Way::Max => out.raise_to(&own),
                Way::Mean => out.add_part(*weight, &own),
            }
        }
        true
    }

    /// Part by part, each in its own way.
    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        assert_eq!(out.len(), rows.len() * columns.len());
        if columns.is_empty() {
            return;
        }
        let mut parts = PARTS.take();
        parts.resize(parts.len().max(out.len()), 0.0);
        let own = &mut parts[..out.len()];
        out.fill(0.0);
        for (weight, part) in &self.parts {
            part.matrix(rows, columns, own);
            for (out, own) in out.iter_mut().zip(&*own) {
                // In the order of `of`, for the same bits.
                *out = match self.way {
                    Way::Max => out.max(*own),
                    Way::Mean => *out + weight * own,
                };
            }
        }
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(columns.len())) {
            for (column, out) in columns.iter().zip(out) {
                *out = if row == column && !row.is_empty() { 1.0 } else { out.min(1.0) };
            }
        }
        PARTS.set(parts);
    }

    /// What the parts see, each scaled to what it gives; of `max` the one that sees most.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        if a.is_empty() || b.is_empty() {
            return Alignment::default();
        }
        let similarity = self.similarity(a, b);
        if self.way == Way::Max
            && let Some((_, most)) =
                self.parts.iter().find(|(_, p)| p.similarity(a, b) == similarity)
        {
            return most.align(a, b);
        }
        whole(a, b, similarity)
    }
}

struct Union<'a> {
    whole: &'a Combined,
    parts: Vec<Box<dyn NeighbourFinder + 'a>>,
    words: &'a Words,
    at_least: f64,
}

thread_local! {
    /// Words that some part found.
    static FOUND: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    /// What one part makes of a matrix.
    static PARTS: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

impl NeighbourFinder for Union<'_> {
    fn each_neighbour(&self, term: &[char], each: &mut dyn FnMut(u32, f64)) {
        // Taken out, as parts may be unions themselves.
        let mut found = FOUND.take();
        found.clear();
        for part in &self.parts {
            part.each_neighbour(term, &mut |word, _| found.push(word));
        }
        found.sort_unstable();
        found.dedup();
        for &word in &found {
            let similarity = self.whole.similarity(term, self.words.of(word));
            if similarity > 0.0 && similarity >= self.at_least {
                each(word, similarity);
            }
        }
        FOUND.set(found);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{chars, hold_bounds, hold_laws, hold_neighbours, pairs};
    use super::*;

    fn term(expression: &str) -> Box<dyn TermSimilarity> {
        super::super::build(&super::super::parse(expression).unwrap()).unwrap()
    }

    const SOME: [&str; 4] = [
        "max(edit(max=1), jaro-winkler)",
        "mix(0.7*edit(form=linear), 0.3*qgrams)",
        "mix(levenshtein, lcs, equal)",
        "max(mix(2*edit(max=2), osa), equal)",
    ];

    proptest! {
        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), cutoff in 0.0..1.0) {
            for expression in SOME {
                hold_laws(&*term(expression), &a, &b, cutoff)?;
            }
        }

        #[test]
        fn a_batch_gives_the_bits_of_single_pairs(
            rows in proptest::collection::vec("[ab]{0,5}|[a-z]{2,9}", 0..9),
            columns in proptest::collection::vec("[ab]{0,5}|[a-z]{2,9}", 0..9),
        ) {
            let (rows, columns): (Vec<_>, Vec<_>) =
                (rows.iter().map(|r| chars(r)).collect(), columns.iter().map(|c| chars(c)).collect());
            let rows: Vec<&[char]> = rows.iter().map(Vec::as_slice).collect();
            let columns: Vec<&[char]> = columns.iter().map(Vec::as_slice).collect();
            for expression in SOME {
                let term = term(expression);
                let mut out = vec![f64::NAN; rows.len() * columns.len()];
                term.matrix(&rows, &columns, &mut out);
                let mut out = out.into_iter();
                for row in &rows {
                    for column in &columns {
                        let single = term.similarity(row, column);
                        prop_assert_eq!(out.next().unwrap().to_bits(), single.to_bits());
                    }
                }
            }
        }

        #[test]
        fn bounds_are_never_below(
            words in proptest::collection::vec("[ab]{1,5}|[a-z]{2,9}", 1..40),
            terms in proptest::collection::vec("[ab]{1,5}|[a-z]{2,9}", 1..20),
        ) {
            for expression in SOME.into_iter().chain(["mix(string, 3*nlcs)", "max(string, edit)"]) {
                hold_bounds(&*term(expression), &words, &terms)?;
            }
        }

        #[test]
        fn near_words_are_those_of_all_pairs(
            words in proptest::collection::vec("[ab]{1,5}|[a-z]{2,9}", 1..40),
            at_least in 0.0..1.0,
        ) {
            for expression in SOME {
                hold_neighbours(&*term(expression), &words, at_least)?;
            }
        }
    }

    #[test]
    fn weights_need_not_add_up_to_one() {
        let (a, b) = (chars("play"), chars("player"));
        let mix = term("mix(3*edit(form=inverse), 1*levenshtein)").similarity(&a, &b);
        assert!((mix - (0.75 / 3.0 + 0.25 * 4.0 / 6.0)).abs() < 1e-12);
    }
}
