//! Refinement: candidates get sharper bounds, and those that can still matter are scored exactly, best bound first.

use super::bind::{BoundQuery, ComponentBounds};
use super::impacts::TermImpacts;
use super::own_terms::BoundedDoc;
use super::search::{QueryBuffers, Search};
use crate::index::field::{Component, FieldIndex};
use crate::index::format::docs::{BLOCK, Docs, PADDED};
use crate::index::{Column, Index};
use crate::measure::Prepared;
use crate::measure::search::Refine;
use crate::slack::F32_SUM_AS_F64 as SLACK;

/// The memory of so many candidates is touched before they are refined, so that cache misses overlap.
const PREFETCHED: usize = 16;

/// A row that may be a result.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub row: u32,
    /// Never below its score, or NaN if nothing is known; and the part of it that is due to all components but the first.
    pub bound: f64,
    others: f64,
}

impl Candidate {
    pub fn unbounded(row: u32) -> Self {
        Self { row, bound: f64::NAN, others: f64::INFINITY }
    }

    pub fn new(found: &BoundedDoc, docs: &Docs) -> Self {
        let bound = f64::from(found.bound) * SLACK;
        Self { row: docs.row_of(found.doc), bound, others: f64::from(found.others) }
    }

    /// Highest bounds first.
    pub fn sort(candidates: &mut [Self]) {
        candidates.sort_unstable_by(|x, y| y.bound.total_cmp(&x.bound).then(x.row.cmp(&y.row)));
    }
}

/// Refines the bounds of single rows for one query.
pub struct Refiner<'a> {
    index: &'a Index,
    /// For each field index and component, if it refines.
    components: Vec<Vec<Option<Box<dyn Refine + 'a>>>>,
}

impl<'a> Refiner<'a> {
    pub fn new(index: &'a Index, query: &BoundQuery<'a>) -> Self {
        let refine = |one: &ComponentBounds<'a>| {
            let Component { column, number, .. } = *one.component;
            let (_, searchable) = index.columns[column].scorer.searchable(number)?;
            searchable.refiner(query.texts[column].of(number))
        };
        let components = query.fields.iter().map(|field| field.iter().map(refine).collect());
        Self { index, components: components.collect() }
    }

    /// Whether any bound can be refined.
    pub fn refines(&self) -> bool {
        self.components.iter().flatten().any(Option::is_some)
    }

    /// Never below the score of a candidate, and nearly that where all components refine; or anything below `wanted`, if the
    /// score is.
    fn bound(
        &mut self,
        query: &BoundQuery,
        impacts: &[TermImpacts],
        &Candidate { row, others, .. }: &Candidate,
        wanted: f64,
    ) -> f64 {
        let mut sum = 0.0;
        let spread = self.index.spread(&query.asked, row);
        let fields = self.index.field_indexes.iter().zip(&query.fields).zip(&mut self.components);
        for (at, ((field, bounds), refiners)) in fields.enumerate() {
            let doc = field.docs.doc_of(row);
            let widening = f64::from(field.docs.widening(doc as usize / BLOCK));
            let terms = field.docs.terms_of(doc);
            for (c, (one, refiner)) in bounds.iter().zip(refiners).enumerate() {
                let refined = match refiner {
                    Some(refiner) => refiner.refine(terms),
                    None => {
                        let impact = |&term: &u32| impacts[at].impact(term, c);
                        one.constant + terms.iter().map(impact).sum::<f32>()
                    }
                };
                sum += widening * one.bound(f64::from(refined), field.docs.norm_of(c, doc));
                // The first component is refined first: with the bounds of the others that is enough for most.
                if at + c == 0 && (sum + others) * SLACK < wanted {
                    return (sum + others) * SLACK;
                }
            }
        }
        sum * spread * SLACK
    }

    /// Touches what refining some candidates will read; `room` is for their terms.
    fn prefetch(&self, some: &[Candidate], room: &mut Vec<u32>) {
        for (field, refiners) in self.index.field_indexes.iter().zip(&self.components) {
            let docs = &field.docs;
            docs.prefetch(some.iter().map(|one| docs.doc_of(one.row)));
            room.clear();
            for one in some {
                let terms = docs.terms_of(docs.doc_of(one.row));
                room.extend_from_slice(&terms[..terms.len().min(PADDED as usize)]);
            }
            refiners.iter().flatten().for_each(|refiner| refiner.prefetch(room));
        }
    }
}

impl Search<'_> {
    /// Refines the bounds of all candidates.
    pub(super) fn refine_all(&mut self, buffers: &mut QueryBuffers) {
        let QueryBuffers { impacts, candidates, terms, .. } = buffers;
        for some in candidates.chunks_mut(PREFETCHED) {
            // The others keep the bounds they have.
            if self.late() {
                break;
            }
            self.refiner.prefetch(some, terms);
            for one in some {
                one.bound = self.refiner.bound(&self.query, impacts, one, 0.0);
            }
        }
    }

    /// Makes candidates of generated rows, each once; those of several field indexes are bounded by the terms of all.
    pub(super) fn take_found(&mut self, buffers: &mut QueryBuffers) {
        let QueryBuffers { found, seen, impacts, candidates, touched, .. } = buffers;
        for &candidate in &*found {
            let row = candidate.row;
            // Results come with their copies.
            if self.index.copies.as_ref().is_some_and(|copies| copies.has(row)) {
                continue;
            }
            let (at, bit) = (row as usize / 64, 1 << (row % 64));
            if seen[at] & bit != 0 {
                continue;
            }
            seen[at] |= bit;
            touched.push(row);
            if self.index.field_indexes.len() == 1 && !candidate.bound.is_nan() {
                candidates.push(candidate);
                continue;
            }
            let fields =
                self.index.field_indexes.iter().zip(self.query.fields.iter().zip(&*impacts));
            let of = |(field, (bounds, impacts)): (&FieldIndex, (&Vec<ComponentBounds>, _))| {
                bound(&field.docs, bounds, impacts, field.docs.doc_of(row))
            };
            let bound = fields.map(of).sum::<f64>() * self.index.spread(&self.query.asked, row);
            candidates.push(Candidate { bound: bound * SLACK, ..Candidate::unbounded(row) });
        }
        found.clear();
    }

    /// Scores the candidates, best bound first, as long as they can matter and there is time.
    pub(super) fn score_candidates(&mut self, buffers: &mut QueryBuffers) {
        let QueryBuffers { candidates, impacts, terms, .. } = buffers;
        let refines = self.refiner.refines();
        Candidate::sort(candidates);
        for (at, candidate) in candidates.iter().enumerate() {
            let wanted = self.wanted();
            if candidate.bound < wanted {
                // `wanted` never falls: neither this nor what follows matters any more.
                break;
            }
            // One row is scored in any case: there is something to show then.
            if self.late() && (at > 0 || self.stats.scored > 0) {
                self.cut = true;
                break;
            }
            if refines && at % PREFETCHED == 0 {
                let some = &candidates[at..candidates.len().min(at + PREFETCHED)];
                self.refiner.prefetch(some, terms);
            }
            if refines && self.refiner.bound(&self.query, impacts, candidate, wanted) < wanted {
                continue;
            }
            self.score(candidate.row, wanted);
        }
        candidates.clear();
        self.results.sort();
    }

    /// Scores a row exactly, by the code that scores pairs.
    pub(super) fn score(&mut self, row: u32, at_least: f64) {
        self.stats.scored += 1;
        let of = |column: usize| {
            let Column { scorer, texts, .. } = &self.index.columns[column];
            let plain = || scorer.score_plain(&self.query.plain[column], &texts[row as usize]);
            let prepared = || {
                let cell = self.index.prepared_cell(column, row);
                scorer.score_own(&self.query.texts[column], &cell)
            };
            plain().unwrap_or_else(prepared)
        };
        let score = self.index.score_of(&self.query.asked, row, of);
        if score > 0.0 && score >= at_least {
            self.results.push(score, row);
            // Without ties, as many as are asked for are enough: those with the lowest numbers.
            let copies = self.index.copies.as_ref().map_or(&[][..], |copies| copies.of_row(row));
            let most = if self.options.ties { copies.len() } else { self.options.k };
            self.results.push_copies(score, &copies[..most.min(copies.len())]);
        }
    }
}

impl Index {
    /// The text of a row in a column, prepared to be compared: from its terms, without analysing it again, unless only the text will
    /// do.
    pub(in crate::index) fn prepared_cell(&self, column: usize, row: u32) -> Prepared {
        let Column { scorer, texts, .. } = &self.columns[column];
        let is = |c: &Component, number: usize| (c.column, c.number) == (column, number);
        let docs_of = |number: usize| {
            let holds = |field: &&FieldIndex| field.components.iter().any(|c| is(c, number));
            self.field_indexes.iter().find(holds).map(|field| &field.docs)
        };
        let terms =
            |number: usize| docs_of(number).map_or(&[][..], |docs| docs.terms_of(docs.doc_of(row)));
        let known = (0..scorer.components()).all(|number| docs_of(number).is_some());
        known
            .then(|| scorer.prepare_terms(terms))
            .flatten()
            .unwrap_or_else(|| scorer.prepare(&texts[row as usize]))
    }
}

/// Never below the part of a doc's score that the components of a field index make.
fn bound(docs: &Docs, bounds: &[ComponentBounds], impacts: &TermImpacts, doc: u32) -> f64 {
    let terms = docs.padded_terms_of(doc);
    let widening = f64::from(docs.widening(doc as usize / BLOCK));
    let bound = |c: usize, sum: f32| {
        let one = &bounds[c];
        widening * one.bound(f64::from(one.constant + sum), docs.norm_of(c, doc))
    };
    if bounds.len() == 2 {
        // Most sums; both impacts are read at once.
        let sums = impacts.of_text::<2>(terms);
        return bound(0, sums[0]) + bound(1, sums[1]);
    }
    let of = |c: usize| bound(c, terms.iter().map(|&term| impacts.impact(term, c)).sum());
    (0..bounds.len()).map(of).sum()
}
