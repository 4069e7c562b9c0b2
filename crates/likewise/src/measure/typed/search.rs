//! Bounds for measures that are Jaccard coefficients of parts: of a set's values, or of the whole cell.
//!
//! A term of the vocabulary is a whole text. Its impact is the number of parts that it shares with the query, so only the
//! postings of texts with a common part are walked; for `exact` these are the equal ones.

use super::Typed;
use crate::collection::{TermId, Vocabulary};
use crate::measure::search::{
    ImpactList, Impacts, Line, NormModel, QueryBounds, QueryText, Searchable, Shape,
};
use crate::values::Comparator;
use rayon::prelude::*;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The texts of a vocabulary by their parts.
pub struct PartLists {
    /// The hash of each part of each text, with the text, sorted. Where two parts have one hash, the bound is looser.
    texts: Box<[(u64, u32)]>,
    /// How many parts each text has.
    counts: Box<[u32]>,
}

fn hash(part: &str) -> u64 {
    let mut hasher = FxHasher::default();
    part.hash(&mut hasher);
    hasher.finish()
}

impl PartLists {
    fn new<C: Comparator>(comparator: &C, vocabulary: &Vocabulary) -> Self {
        let hashes = |id: u32| -> Vec<u64> {
            let prepared = comparator.prepare(vocabulary.term(TermId(id)));
            prepared.iter().flat_map(|p| C::parts(p)).map(|part| hash(part)).collect()
        };
        let of_text: Vec<Vec<u64>> =
            (0..vocabulary.len() as u32).into_par_iter().map(hashes).collect();
        let counts = of_text.iter().map(|parts| parts.len() as u32).collect();
        let mut texts: Vec<(u64, u32)> = (0..)
            .zip(&of_text)
            .flat_map(|(id, parts)| parts.iter().map(move |part| (*part, id)))
            .collect();
        texts.par_sort_unstable();
        texts.dedup();
        Self { texts: texts.into(), counts }
    }

    /// The texts that have a part.
    fn with(&self, part: &str) -> Vec<u32> {
        let hash = hash(part);
        let first = self.texts.partition_point(|(other, _)| *other < hash);
        self.texts[first..]
            .iter()
            .take_while(|(other, _)| *other == hash)
            .map(|(_, id)| *id)
            .collect()
    }
}

impl<C: Comparator> Typed<C> {
    fn lists(&self) -> &PartLists {
        self.lists.get_or_init(|| PartLists::new(&self.comparator, &self.vocabulary))
    }
}

impl<C: Comparator> Searchable<Option<C::Prepared>> for Typed<C> {
    fn norm(&self) -> NormModel<'_> {
        NormModel::Sum(Box::new(|text| f64::from(self.lists().counts[text.index()])))
    }

    fn text_norm(&self, text: &Option<C::Prepared>) -> f64 {
        text.iter().flat_map(|prepared| C::parts(prepared)).count() as f64
    }

    fn query<'a>(
        &'a self,
        query: &QueryText<'_, Option<C::Prepared>>,
    ) -> Box<dyn QueryBounds + 'a> {
        let parts = query.text.iter().flat_map(|prepared| C::parts(prepared));
        let lists = parts.map(|part| self.lists().with(part)).collect();
        Box::new(JaccardBounds { lists, norm: query.norm })
    }

    fn whole_text(&self) -> bool {
        true
    }
}

/// |shared parts| / |parts of either|.
struct JaccardBounds {
    /// For each part of the query the texts that have it.
    lists: Vec<Vec<u32>>,
    norm: f64,
}

impl QueryBounds for JaccardBounds {
    fn impacts(&self) -> Impacts<'_> {
        Impacts::Lists(self.lists.iter().map(|texts| ImpactList::uniform(&**texts, 1.0)).collect())
    }

    // Dice's coefficient is not below Jaccard's, and in a line with the shared parts: 2·shared / (both numbers of parts).
    fn shape(&self) -> Shape {
        Shape::Linear(Line::new(self.slope(0.0), 0.0))
    }

    fn slope(&self, norm: f64) -> f64 {
        2.0 / (self.norm + norm)
    }

    fn bound(&self, sum: f64, norm: f64) -> f64 {
        let shared = sum.min(self.norm).min(norm);
        shared / (self.norm + norm - shared)
    }
}
