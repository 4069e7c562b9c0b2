//! Bounds for search by word alignment.
//!
//! A word of a text is aligned at most once, with at most its similarity to the most similar word of the query: that is its
//! impact. A word of the query is aligned at most once, with at most its similarity to the best word of the text. As many
//! pairs are aligned as the shorter text has words, so the sum over its words bounds the sum of the alignment, greedy or
//! optimal, and nearly always equals it.

use super::{Sentence, Sts};
use crate::collection::TermId;
use crate::measure::search::{
    Impacts, Line, NormModel, QueryBounds, QueryText, Refine, Searchable, Shape,
};
use crate::term::bounds::{GROUP, SimilarityBounds, bounds};
use crate::term::neighbours;
use std::sync::Arc;

impl Sts {
    fn bounds<'q>(&self, query: &'q Sentence) -> &'q Arc<SimilarityBounds> {
        query.bounds.get_or_init(|| {
            let words = self.laid_out.get_or_init(|| neighbours::Words::new(&self.vocabulary));
            let terms: Vec<&[char]> = query.words().collect();
            Arc::new(bounds(&*self.terms, words, &terms))
        })
    }
}

impl Searchable<Sentence> for Sts {
    fn norm(&self) -> NormModel<'_> {
        NormModel::Sum(Box::new(|_| 1.0))
    }

    fn text_norm(&self, text: &Sentence) -> f64 {
        text.len() as f64
    }

    fn query<'a>(&'a self, query: &QueryText<'_, Sentence>) -> Box<dyn QueryBounds + 'a> {
        Box::new(AlignmentBounds {
            similarities: Arc::clone(self.bounds(query.text)),
            norm: query.norm,
        })
    }

    fn refiner<'a>(&'a self, query: &Sentence) -> Option<Box<dyn Refine + 'a>> {
        Some(Box::new(BestPartners(Arc::clone(self.bounds(query)))))
    }

    fn prepare_terms(&self, terms: &[u32]) -> Option<Sentence> {
        let words = terms.iter().map(|&term| self.vocabulary.term(TermId(term)));
        Some(Sentence { numbers: terms.to_vec(), ..Sentence::new(words) })
    }
}

struct AlignmentBounds {
    similarities: Arc<SimilarityBounds>,
    norm: f64,
}

impl QueryBounds for AlignmentBounds {
    fn impacts(&self) -> Impacts<'_> {
        Impacts::Computed(Box::new(|impacts| {
            let range = impacts.terms();
            for rows in self.similarities.groups() {
                let rows = &rows[range.start as usize..range.end as usize];
                impacts.raise(rows.iter().map(|row| f32::from(highest(row)) * LEVEL));
            }
        }))
    }

    fn shape(&self) -> Shape {
        Shape::Linear(Line::new(0.5 / self.norm, 0.5))
    }

    fn slope(&self, norm: f64) -> f64 {
        0.5 / self.norm + 0.5 / norm
    }

    fn bound(&self, sum: f64, norm: f64) -> f64 {
        sum.min(self.norm).min(norm) * self.slope(norm)
    }
}

/// The sum over the words of the shorter text of each one's best partner.
struct BestPartners(Arc<SimilarityBounds>);

impl Refine for BestPartners {
    fn refine(&mut self, terms: &[u32]) -> f32 {
        let bounds = &self.0;
        // All words of the shorter text are aligned; of two as long, those of the one that can have less.
        let mut sum = u32::MAX;
        if terms.len() <= bounds.terms() {
            let best = |&term: &u32| {
                let rows = bounds.groups().map(|rows| highest(&rows[term as usize]));
                rows.fold(0, u8::max)
            };
            sum = terms.iter().map(|term| u32::from(best(term))).sum();
        }
        if terms.len() >= bounds.terms() {
            let of_query = bounds.groups().map(|rows| {
                let mut best = [0; GROUP];
                for &term in terms {
                    for (best, level) in best.iter_mut().zip(&rows[term as usize]) {
                        *best = (*best).max(*level);
                    }
                }
                best.iter().map(|level| u32::from(*level)).sum::<u32>()
            });
            sum = sum.min(of_query.sum());
        }
        sum as f32 / 255.0
    }
}

/// What a level is, rounded up.
const LEVEL: f32 = 1.000_001 / 255.0;

#[inline]
fn highest(row: &[u8; GROUP]) -> u8 {
    row.iter().fold(0, |most, level| most.max(*level))
}
