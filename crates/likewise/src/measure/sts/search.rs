//! How search bounds the score: by what single words can be paired off for.
//!
//! A word of a text is paired off once, for at most what it is like the word of the query that it is most like: that is its gain. And
//! a word of the query is paired off once, for at most what it is like the best word of the text. As many are paired off as the shorter
//! text has words, so the sum over these bounds the sum of the pairs, greedy or optimal, and is nearly always it.

use super::{Sentence, Sts};
use crate::collection::TermId;
use crate::measure::by_word::{ByWord, Gains, Sharp, Sizes, Table, Words};
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

impl ByWord<Sentence> for Sts {
    fn sizes(&self) -> Sizes {
        Sizes::Sum
    }

    fn word_size(&self, _: TermId) -> f64 {
        1.0
    }

    fn text_size(&self, text: &Sentence) -> f64 {
        text.len() as f64
    }

    fn gains(&self, query: &Sentence, _: &Words, gains: &mut Gains) {
        let stretch = gains.stretch();
        for rows in self.bounds(query).groups() {
            let rows = &rows[stretch.start as usize..stretch.end as usize];
            gains.raise(rows.iter().map(|row| f32::from(highest(row)) * LEVEL));
        }
    }

    fn of_words(&self, words: &[u32]) -> Option<Sentence> {
        let terms = words.iter().map(|&word| self.vocabulary.term(TermId(word)));
        Some(Sentence { numbers: words.to_vec(), ..Sentence::new(terms) })
    }

    fn size_of_words(&self, words: &[u32], _: &mut Table) -> Option<f64> {
        Some(words.len() as f64)
    }

    fn lay_out(&self, query: &Sentence, table: &mut Table) -> Sharp {
        table.bounds = Some(Arc::clone(self.bounds(query)));
        Sharp::ByMeeting
    }

    fn meet(&self, words: &[u32], table: &mut Table) -> f32 {
        let Some(bounds) = &table.bounds else { return f32::INFINITY };
        // All words of the shorter text are paired off; of two as long, those of the one that can have less.
        let mut sum = u32::MAX;
        if words.len() <= bounds.terms() {
            let best = |&word: &u32| {
                let rows = bounds.groups().map(|rows| highest(&rows[word as usize]));
                rows.fold(0, u8::max)
            };
            sum = words.iter().map(|word| u32::from(best(word))).sum();
        }
        if words.len() >= bounds.terms() {
            let of_query = bounds.groups().map(|rows| {
                let mut best = [0; GROUP];
                for &word in words {
                    for (best, level) in best.iter_mut().zip(&rows[word as usize]) {
                        *best = (*best).max(*level);
                    }
                }
                best.iter().map(|level| u32::from(*level)).sum::<u32>()
            });
            sum = sum.min(of_query.sum());
        }
        sum as f32 / 255.0
    }

    fn slope(&self, query_size: f64, text_size: f64) -> f64 {
        0.5 / query_size + 0.5 / text_size
    }

    fn steepness(&self, query_size: f64) -> (f64, f64) {
        (0.5 / query_size, 0.5)
    }

    fn bound(&self, sum: f64, query_size: f64, text_size: f64) -> f64 {
        sum.min(query_size).min(text_size) * self.slope(query_size, text_size)
    }
}

/// What a level is, rounded up.
const LEVEL: f32 = 1.000_001 / 255.0;

#[inline]
fn highest(row: &[u8; GROUP]) -> u8 {
    row.iter().fold(0, |most, level| most.max(*level))
}
