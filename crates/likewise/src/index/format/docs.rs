//! The docs of a field index as search walks them: the terms of each doc, and the postings of each term.
//!
//! A doc is the text of a row. Docs lie in length buckets by their number of terms, and in a bucket by
//! [norm](crate::measure::search), smallest first; a doc id is the position in that order. 256 consecutive docs are a block:
//! their norms are about the same, so that one bound does for all of them.

use super::arrays::Source;
use super::tokens::Tokens;
use crate::collection::{Lists, ListsView, Vocabulary, all_below};
use crate::flat::Flat;
use crate::slack::F32_EACH;
use crate::store::StoreError;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// How many docs share one bound.
pub const BLOCK: usize = 256;

/// In longer postings lists it is known where each bucket begins.
pub const LONG: usize = 64;

/// In blocks with no longer doc, all docs have the same room for their terms. From the first block with a longer one on, terms
/// are not padded: a single long text would take its room 256 times.
pub const PADDED: u32 = 1_024;

/// Docs with more terms are scanned by their first so many only: sums of so many two-byte numbers fit into four bytes.
pub const SCANNED: u32 = u16::MAX as u32;

/// Texts are long if they have so many terms on average.
pub const LONG_TEXTS: usize = 12;

/// The docs of a field index.
pub struct Docs {
    /// Block by block the terms of each doc, in their order. In a block all docs have the room of the longest, padded by
    /// [`Docs::none`]: so the address of a doc is computed, not looked up.
    terms: Flat<u32>,
    block_starts: Vec<u64>,
    /// The terms of the docs from the first block with a [long](PADDED) one on, not padded; and the first of these docs.
    long: Lists,
    first_long: u32,
    /// The largest number of terms of a doc of each block.
    max_terms: Flat<u32>,
    /// The blocks of each bucket. A block at the border belongs to the longer docs.
    buckets: Vec<Range<usize>>,
    /// For each term the largest number of terms of a doc with it.
    max_terms_with: Flat<f32>,
    /// For each term the docs that have it, once for each occurrence.
    postings: Lists,
    /// By the start of a long postings list, where each bucket begins in it; made when first asked for.
    bucket_starts: OnceLock<FxHashMap<usize, Box<[u32]>>>,
    /// The row of each doc, and the doc of each row.
    row_of: Flat<u32>,
    doc_of: Flat<u32>,
    /// For each term the largest number of occurrences in one doc.
    max_tf: Flat<u32>,
    /// Docs as tokens, for a scan.
    tokens: Tokens,
    /// For each doc and component a lower bound on the norm.
    norms: Vec<f32>,
    /// For each component.
    bounds: Vec<NormBounds>,
}

/// The norms of one component, summed up.
struct NormBounds {
    /// For each block the least norm.
    least_norm: Flat<f32>,
    /// For each term the largest number of terms by norm of a doc with it.
    max_density_with: Flat<f32>,
}

impl Docs {
    /// What [`write`](Self::write) wrote, for so many rows and components.
    pub fn open(
        source: &Source,
        name: &str,
        rows: usize,
        vocabulary: &Vocabulary,
        components: usize,
    ) -> Result<Self, StoreError> {
        let own = |part: &str| format!("{name}.{part}");
        let lists = |part: &str| {
            let ends = source.get::<u64>(&own(&format!("{part}.ends")))?;
            Ok::<_, StoreError>(Lists::new(ends, source.get::<u32>(&own(part))?))
        };
        let bounds = (0..components).map(|at| {
            let get = |part: &str| source.get::<f32>(&own(&format!("b{at}.{part}")));
            Ok::<_, StoreError>(NormBounds {
                least_norm: get("least_norms")?,
                max_density_with: get("max_density_with")?,
            })
        });
        let norms = (0..components).map(|at| source.get::<f32>(&own(&format!("b{at}.norms"))));
        let norms: Vec<Flat<f32>> = norms.collect::<Result<_, _>>()?;
        let max_terms: Flat<u32> = source.get(&own("max_terms"))?;
        let buckets = buckets(&max_terms);
        let damaged = || source.damaged(format!("its field index `{name}` is inconsistent"));
        let all = |norms: &Flat<f32>| norms.len() == rows;
        if max_terms.len() != rows.div_ceil(BLOCK) || !norms.iter().all(all) {
            return Err(damaged());
        }
        let tokens = Tokens::open(source, name, rows, vocabulary)?;
        let terms_len = vocabulary.len();
        let padded = padded_blocks(&max_terms);
        let first_long = (padded * BLOCK).min(rows);
        let mut start = 0;
        let block_starts = max_terms[..padded].iter().map(|&room| {
            let own = start;
            start += u64::from(room) * BLOCK as u64;
            own
        });
        let docs = Self {
            block_starts: block_starts.collect(),
            terms: source.get(&own("terms"))?,
            long: lists("long_terms")?,
            first_long: first_long as u32,
            max_terms,
            buckets,
            max_terms_with: source.get(&own("max_terms_with"))?,
            postings: lists("postings")?,
            bucket_starts: OnceLock::new(),
            row_of: source.get(&own("row_of"))?,
            doc_of: source.get(&own("doc_of"))?,
            max_tf: source.get(&own("max_tf"))?,
            tokens: tokens.ok_or_else(damaged)?,
            norms: side_by_side(&norms),
            bounds: bounds.collect::<Result<_, _>>()?,
        };
        let blocks = rows.div_ceil(BLOCK);
        let bounds_fit = |bounds: &NormBounds| {
            bounds.least_norm.len() == blocks && bounds.max_density_with.len() == terms_len
        };
        // The last block need not be full.
        let docs_of = |block: usize| (first_long - block * BLOCK).min(BLOCK) as u64;
        let rooms = docs.max_terms[..padded].iter().enumerate();
        let room: u64 = rooms.map(|(block, &room)| u64::from(room) * docs_of(block)).sum();
        // Every index into another array is checked: that takes less time than the checksum did.
        let fits = docs.terms.len() as u64 == room
            && all_below(&docs.terms, terms_len + 1)
            && docs.long.len() == rows - first_long
            && docs.long.all_below(terms_len)
            && docs.max_terms_with.len() == terms_len
            && docs.postings.len() == terms_len
            && docs.postings.all_below(rows)
            && docs.row_of.len() == rows
            && all_below(&docs.row_of, rows)
            && docs.doc_of.len() == rows
            && all_below(&docs.doc_of, rows)
            && docs.max_tf.len() == terms_len
            && docs.bounds.iter().all(bounds_fit);
        if fits { Ok(docs) } else { Err(damaged()) }
    }

    /// Whether the arrays fit each other: lists end in order, and doc ids and rows are inverse.
    pub fn consistent(&self) -> bool {
        let answer = |row: usize| self.row_of[self.doc_of[row] as usize] as usize == row;
        let padded = self.terms.iter().filter(|term| **term != self.none()).count();
        let all = padded + self.long.items() == self.postings.items();
        let in_order = self.postings.in_order() && self.long.in_order();
        in_order && all && (0..self.len()).all(answer)
    }

    /// The number of occurrences of a term.
    pub fn occurrences(&self, term: u32) -> usize {
        self.postings.at(term as usize).len()
    }

    /// Number of docs.
    pub fn len(&self) -> usize {
        self.row_of.len()
    }

    /// The mean number of terms of a doc.
    pub fn mean_terms(&self) -> usize {
        self.postings.items() / self.len().max(1)
    }

    /// The number that pads the terms of a doc.
    pub fn none(&self) -> u32 {
        self.max_tf.len() as u32
    }

    /// Number of terms of the vocabulary.
    pub fn vocabulary_len(&self) -> usize {
        self.max_tf.len()
    }

    /// For each term the largest number of occurrences in one doc.
    pub fn max_tf(&self) -> &[u32] {
        &self.max_tf
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.len().div_ceil(BLOCK)
    }

    /// The largest number of terms of a doc of each block.
    pub fn max_terms(&self) -> &[u32] {
        &self.max_terms
    }

    /// Whether a block has a doc of which not all terms are scanned.
    pub fn is_cut(&self, block: usize) -> bool {
        self.max_terms[block] > SCANNED
    }

    /// By how much sums over the terms of a block's docs are to be widened, beside the slack for all: 1 but for
    /// [long](PADDED) docs.
    #[inline]
    pub fn widening(&self, block: usize) -> f32 {
        let terms = self.max_terms[block];
        if terms <= PADDED { 1.0 } else { 1.0 + terms as f32 * F32_EACH }
    }

    /// The blocks of each bucket.
    pub fn buckets(&self) -> &[Range<usize>] {
        &self.buckets
    }

    /// The terms of all docs, borrowed once for many docs.
    pub fn all_terms(&self) -> DocTerms<'_> {
        DocTerms {
            terms: &self.terms,
            starts: &self.block_starts,
            room: &self.max_terms,
            long: self.long.view(),
            first_long: self.first_long,
        }
    }

    /// The terms of a doc, padded by [`none`](Self::none).
    pub fn padded_terms_of(&self, doc: u32) -> &[u32] {
        self.all_terms().at(doc)
    }

    /// The terms of a doc.
    pub fn terms_of(&self, doc: u32) -> &[u32] {
        let terms = self.padded_terms_of(doc);
        if doc >= self.first_long {
            return terms;
        }
        let none = self.none();
        &terms[..terms.iter().position(|term| *term == none).unwrap_or(terms.len())]
    }

    /// Docs lie anywhere in memory: touching some of them first lets cache misses overlap.
    pub fn prefetch(&self, docs: impl Iterator<Item = u32>) {
        /// How many terms lie in a cache line. The rest of a long doc is read in order.
        const LINE: usize = 16;
        let terms = self.all_terms();
        let touch = |sum: u32, doc: u32| {
            let lines = terms.at(doc).iter().step_by(LINE).take(PADDED as usize / LINE);
            lines.fold(sum, |sum, term| sum.wrapping_add(*term))
        };
        std::hint::black_box(docs.fold(0, touch));
    }

    /// The postings of a term: docs in their order, once for each occurrence.
    pub fn postings_of(&self, term: u32) -> &[u32] {
        self.postings.at(term as usize)
    }

    /// The postings of all terms, borrowed once for many terms.
    pub fn all_postings(&self) -> ListsView<'_> {
        self.postings.view()
    }

    /// By the start of a list of more than [`LONG`] postings, where each bucket begins in it.
    pub fn bucket_starts(&self) -> &FxHashMap<usize, Box<[u32]>> {
        self.bucket_starts.get_or_init(|| {
            let postings = self.postings.view();
            let starts = |list: usize| {
                let own = postings.range(list);
                let before = |bucket: &Range<usize>| {
                    postings.items()[own.clone()]
                        .partition_point(|&doc| (doc as usize) < bucket.start * BLOCK)
                };
                let starts = || self.buckets.iter().map(|bucket| before(bucket) as u32).collect();
                (own.len() > LONG).then(|| (own.start, starts()))
            };
            (0..self.postings.len()).into_par_iter().filter_map(starts).collect()
        })
    }

    /// Docs as tokens, for a scan.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// The row of a doc.
    pub fn row_of(&self, doc: u32) -> u32 {
        self.row_of[doc as usize]
    }

    /// The doc of a row.
    pub fn doc_of(&self, row: u32) -> u32 {
        self.doc_of[row as usize]
    }

    /// A lower bound on the norm of a doc under a component.
    #[inline]
    pub fn norm_of(&self, component: usize, doc: u32) -> f32 {
        self.norms[doc as usize * self.bounds.len() + component]
    }

    /// The least norm in each block, under a component.
    pub fn least_norms(&self, component: usize) -> &[f32] {
        &self.bounds[component].least_norm
    }

    /// For each term the largest number of terms of a doc with it.
    pub fn max_terms_with(&self) -> &[f32] {
        &self.max_terms_with
    }

    /// For each term the largest number of terms by norm of a doc with it, under a component.
    pub fn max_density_with(&self, component: usize) -> &[f32] {
        &self.bounds[component].max_density_with
    }
}

/// Several arrays interleaved: what belongs to a doc is read together.
fn side_by_side(arrays: &[Flat<f32>]) -> Vec<f32> {
    let arrays: Vec<&[f32]> = arrays.iter().map(|array| &**array).collect();
    let length = arrays.first().map_or(0, |first| first.len());
    let mut all = vec![0.0; length * arrays.len()];
    for (at, array) in arrays.iter().enumerate() {
        let own = all.iter_mut().skip(at).step_by(arrays.len());
        own.zip(*array).for_each(|(out, number)| *out = *number);
    }
    all
}

/// The terms of all docs.
#[derive(Clone, Copy)]
pub struct DocTerms<'a> {
    terms: &'a [u32],
    starts: &'a [u64],
    room: &'a [u32],
    long: ListsView<'a>,
    first_long: u32,
}

impl<'a> DocTerms<'a> {
    /// The terms of a doc, padded by [`Docs::none`].
    #[inline]
    pub fn at(self, doc: u32) -> &'a [u32] {
        if let Some(long) = doc.checked_sub(self.first_long) {
            return &self.long.items()[self.long.range(long as usize)];
        }
        let block = doc as usize / BLOCK;
        let room = self.room[block] as usize;
        let start = self.starts[block] as usize + doc as usize % BLOCK * room;
        &self.terms[start..start + room]
    }
}

/// How many blocks there are before the first one with a [long](PADDED) doc, from the longest doc of each.
pub fn padded_blocks(max_terms: &[u32]) -> usize {
    max_terms.iter().position(|&terms| terms > PADDED).unwrap_or(max_terms.len())
}

/// The bucket of docs with so many terms: one for each small number, then wider ones.
pub fn bucket(terms: usize) -> usize {
    if terms <= 8 { terms } else { 8 + ((terms as f64 / 8.0).ln() / 0.2).ceil() as usize }
}

/// The blocks of each bucket, from the longest doc of each block.
fn buckets(max_terms: &[u32]) -> Vec<Range<usize>> {
    let mut buckets: Vec<Range<usize>> = Vec::new();
    let mut on = None;
    for (block, &terms) in max_terms.iter().enumerate() {
        if on != Some(bucket(terms as usize)) {
            on = Some(bucket(terms as usize));
            buckets.push(block..block);
        }
        if let Some(last) = buckets.last_mut() {
            last.end = block + 1;
        }
    }
    buckets
}
