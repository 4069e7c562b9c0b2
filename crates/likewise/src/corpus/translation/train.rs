//! Expectation maximisation for IBM Model 1.
//!
//! With n(e), n(f) for how often words stand in a pair's source and target, D(f) = Σ_e n(e) t(f | e) over the pair's
//! distinct source words, NULL among them once, a step is
//!
//! ```text
//! share(f)     = n(f) / D(f)                                       for each pair and target f
//! count(f | e) = t(f | e) Σ over pairs with e and f of n(e) share(f)
//! ```
//!
//! The first line goes through the pairs, the second through the sources: each belongs to one thread, nothing is added up
//! across threads, and counts need no memory beyond one row. Both know where t(f | e) stands in the row of e from a list
//! of positions that is made once.
//!
//! Nothing is ever divided by 0. D: some word got at least 1/(l+1) of f, so that its t(f | e) is at least that over the
//! counts of e. The counts of e: a row adds up to 1, so that one t(f | e) is at least 1 over its length, and D at most l+1.

use super::{Pairs, TranslationError, Translations};
use crate::collection::Strings;
use rayon::prelude::*;
use std::ops::Range;

/// How a table is trained.
///
/// ```
/// use likewise::corpus::translation::Options;
///
/// let options = Options { iterations: 5, ..Options::default() };
/// assert!(options.null);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// At most so many steps; at least 1.
    pub iterations: usize,
    /// Stop when a step raised the log-likelihood by less than this part of it; 0 takes all steps.
    pub tolerance: f64,
    /// Entries below this are left out of the table. The others stay as they are, so that rows add up to at most 1.
    pub floor: f64,
    /// Whether a target word may come from no source word (NULL).
    pub null: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 10, tolerance: 1e-6, floor: 1e-6, null: true }
    }
}

impl Options {
    /// Fails where [`train`] would: better before pairs are read than after.
    ///
    /// # Errors
    /// [`TranslationError::Options`] if a setting makes no sense.
    pub fn check(&self) -> Result<(), TranslationError> {
        let wrong = |reason: String| Err(TranslationError::Options(reason));
        if self.iterations == 0 {
            return wrong("at least one iteration is needed".to_owned());
        }
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return wrong(format!(
                "the tolerance must be a number from 0 on, not {}",
                self.tolerance
            ));
        }
        if !(0.0..=1.0).contains(&self.floor) {
            return wrong(format!("the floor must be from 0 to 1, not {}", self.floor));
        }
        Ok(())
    }
}

/// Trains a table on pairs of texts: t(f | e) of IBM Model 1 for every source word e and target word f that meet in a pair.
///
/// `on_step(k, L)` is called with the log-likelihood after k updates, for k = 0 (the uniform start), 1 and so on to the last:
/// each is of the parameters before update k + 1, and the last of those that are returned, before entries under the floor
/// are dropped. So there is one call more than there are updates.
///
/// ```text
/// L = Σ over pairs, Σ_j ln( 1/(l+1) Σ_i t(f_j | e_i) )
/// ```
///
/// with l source words, i from 0 (NULL) to l; without NULL it is 1/l and i from 1. An update is the last if it is number
/// [`iterations`](Options::iterations), or if it raised L by less than [`tolerance`](Options::tolerance) · |L before it|.
///
/// The row of NULL is not in the table. The same pairs give the same table, to the bit, for any number of threads.
///
/// # Errors
/// If a setting makes no sense, there are no pairs, or no entry reaches the floor.
pub fn train(
    pairs: &Pairs,
    options: &Options,
    on_step: impl FnMut(usize, f64),
) -> Result<Translations, TranslationError> {
    train_cut(pairs, options, Cuts::default(), on_step)
}

/// Where work is cut into pieces: by numbers of positions, never of threads.
#[derive(Clone, Copy)]
struct Cuts {
    /// Pairs or sources that one thread takes together.
    block: usize,
    /// A source with more than twice as many is added up in parts.
    part: usize,
    /// But at most so many: each takes the memory of a row.
    parts: usize,
}

impl Default for Cuts {
    fn default() -> Self {
        Self { block: 1 << 15, part: 1 << 18, parts: 32 }
    }
}

fn train_cut(
    pairs: &Pairs,
    options: &Options,
    cuts: Cuts,
    mut on_step: impl FnMut(usize, f64),
) -> Result<Translations, TranslationError> {
    options.check()?;
    if pairs.is_empty() {
        return Err(TranslationError::NoPairs { skipped: pairs.skipped() });
    }
    let (words, places) = pairs.words.clone().sorted();
    let mut model = Model::new(pairs, &words, &places, options.null, cuts);
    let mut before = f64::NEG_INFINITY;
    for step in 0.. {
        let likelihood = model.expect();
        on_step(step, likelihood);
        let little = step > 0 && likelihood - before < options.tolerance * before.abs();
        if step == options.iterations || little {
            break;
        }
        model.maximise();
        before = likelihood;
    }
    let entries = model.entries(options.floor);
    if entries.is_empty() {
        return Err(TranslationError::NothingKept { floor: options.floor });
    }
    Translations::new(&words, entries).ok_or(TranslationError::TooMany("distinct words"))
}

/// Distinct words of one side, pair by pair.
#[derive(Default)]
struct Texts {
    /// Where each pair's begin, and where the last one's end.
    starts: Vec<usize>,
    words: Vec<u32>,
    /// How often each stands in its text.
    times: Vec<u32>,
}

impl Texts {
    fn of<'a>(texts: impl Iterator<Item = &'a [u32]>, places: &[u32]) -> Self {
        let mut all = Self { starts: vec![0], ..Self::default() };
        let mut sorted: Vec<u32> = Vec::new();
        for text in texts {
            sorted.clear();
            sorted.extend(text.iter().map(|&word| places[word as usize]));
            sorted.sort_unstable();
            for same in sorted.chunk_by(|x, y| x == y) {
                all.words.push(same[0]);
                all.times.push(same.len() as u32);
            }
            all.starts.push(all.words.len());
        }
        all
    }

    fn range(&self, pair: usize) -> Range<usize> {
        self.starts[pair]..self.starts[pair + 1]
    }

    fn count(&self, pair: usize) -> usize {
        self.range(pair).len()
    }
}

/// All that a step needs. Words have the numbers of their sorted list, as sources and as targets.
struct Model {
    cuts: Cuts,
    sources: Texts,
    targets: Texts,
    /// For each distinct source word of each pair, where the positions of the pair's targets begin.
    first_position: Vec<usize>,
    /// For each pair, what D is divided by: its source words, repeats and NULL included.
    lengths: Vec<f64>,
    /// For each distinct target word of each pair n(f) / D(f).
    shares: Vec<f64>,
    /// Blocks of pairs.
    pair_blocks: Vec<Range<usize>>,

    /// By source, where it stands in `seen_in` and `times`.
    seen: Vec<usize>,
    /// The pairs that have the source, in their order, and how often.
    seen_in: Vec<u32>,
    times: Vec<u32>,
    /// By source, where its positions begin: those of all targets of the first pair, of the second …
    place: Vec<usize>,
    /// Where the target stands in the source's row.
    positions: Vec<u32>,
    /// By source, where its row begins.
    rows: Vec<usize>,
    /// The targets that meet the source, sorted.
    row_targets: Vec<u32>,
    /// t(target | source).
    t: Vec<f64>,
    /// t(target | NULL), by target; empty without NULL.
    null: Vec<f64>,
    /// Blocks of sources.
    source_blocks: Vec<Range<usize>>,
}

impl Model {
    fn new(pairs: &Pairs, words: &Strings, places: &[u32], null: bool, cuts: Cuts) -> Self {
        let sources = Texts::of((0..pairs.len()).map(|pair| pairs.at(pair).0), places);
        let targets = Texts::of((0..pairs.len()).map(|pair| pairs.at(pair).1), places);
        let extra = usize::from(null);
        let lengths =
            (0..pairs.len()).map(|pair| (pairs.at(pair).0.len() + extra) as f64).collect();

        // The pairs that have each source, by counting first and placing then.
        let mut seen = vec![0; words.len() + 1];
        let mut place = vec![0; words.len() + 1];
        for pair in 0..pairs.len() {
            for &source in &sources.words[sources.range(pair)] {
                seen[source as usize + 1] += 1;
                place[source as usize + 1] += targets.count(pair);
            }
        }
        for source in 0..words.len() {
            seen[source + 1] += seen[source];
            place[source + 1] += place[source];
        }
        let (mut next_seen, mut next_place) = (seen.clone(), place.clone());
        let mut seen_in = vec![0; sources.words.len()];
        let mut times = vec![0; sources.words.len()];
        let mut first_position = vec![0; sources.words.len()];
        for pair in 0..pairs.len() {
            for at in sources.range(pair) {
                let source = sources.words[at] as usize;
                seen_in[next_seen[source]] = pair as u32;
                times[next_seen[source]] = sources.times[at];
                first_position[at] = next_place[source];
                next_seen[source] += 1;
                next_place[source] += targets.count(pair);
            }
        }

        let pair_work = |pair: usize| (sources.count(pair) + 1) * targets.count(pair);
        let pair_blocks = blocks(pairs.len(), cuts.block, pair_work);
        let source_blocks =
            blocks(words.len(), cuts.block, |source| place[source + 1] - place[source]);

        let mut positions = vec![0; place[words.len()]];
        let cut = source_blocks.iter().map(|block| place[block.end] - place[block.start]);
        let work: Vec<_> = source_blocks.iter().cloned().zip(cut_up(&mut positions, cut)).collect();
        let filled: Vec<(Vec<u32>, Vec<usize>)> = work
            .into_par_iter()
            .map_init(
                || vec![u32::MAX; words.len()],
                |position, (block, out)| {
                    let pairs_of = |source: usize| &seen_in[seen[source]..seen[source + 1]];
                    fill(&targets, block, pairs_of, position, out)
                },
            )
            .collect();
        let mut row_targets = Vec::with_capacity(filled.iter().map(|(list, _)| list.len()).sum());
        let mut rows = vec![0];
        for (list, lengths) in filled {
            row_targets.extend_from_slice(&list);
            rows.extend(lengths.iter().scan(rows[rows.len() - 1], |end, length| {
                *end += length;
                Some(*end)
            }));
        }

        let mut is_target = vec![false; words.len()];
        targets.words.iter().for_each(|&target| is_target[target as usize] = true);
        let uniform = 1.0 / is_target.iter().filter(|is| **is).count() as f64;
        Self {
            t: vec![uniform; row_targets.len()],
            null: if null { vec![uniform; words.len()] } else { Vec::new() },
            shares: vec![0.0; targets.words.len()],
            cuts,
            sources,
            targets,
            first_position,
            lengths,
            pair_blocks,
            seen,
            seen_in,
            times,
            place,
            positions,
            rows,
            row_targets,
            source_blocks,
        }
    }

    /// Shares every target word out; returns the log-likelihood.
    fn expect(&mut self) -> f64 {
        let mut shares = std::mem::take(&mut self.shares);
        let starts = &self.targets.starts;
        let cut = self.pair_blocks.iter().map(|block| starts[block.end] - starts[block.start]);
        let work: Vec<_> = self.pair_blocks.iter().cloned().zip(cut_up(&mut shares, cut)).collect();
        let parts: Vec<f64> = work
            .into_par_iter()
            .map(|(block, mut shares)| {
                let mut likelihood = 0.0;
                for pair in block {
                    let (own, rest) = shares.split_at_mut(self.targets.count(pair));
                    shares = rest;
                    likelihood += self.share(pair, own);
                }
                likelihood
            })
            .collect();
        self.shares = shares;
        parts.iter().sum()
    }

    /// The shares of one pair, and its log-likelihood.
    fn share(&self, pair: usize, shares: &mut [f64]) -> f64 {
        let targets = self.targets.range(pair);
        if self.null.is_empty() {
            shares.fill(0.0);
        } else {
            for (share, &target) in shares.iter_mut().zip(&self.targets.words[targets.clone()]) {
                *share = self.null[target as usize];
            }
        }
        for at in self.sources.range(pair) {
            let source = self.sources.words[at] as usize;
            let row = &self.t[self.rows[source]..self.rows[source + 1]];
            let times = f64::from(self.sources.times[at]);
            let positions = &self.positions[self.first_position[at]..][..shares.len()];
            for (share, &position) in shares.iter_mut().zip(positions) {
                *share += times * row[position as usize];
            }
        }
        let mut likelihood = 0.0;
        for (share, &times) in shares.iter_mut().zip(&self.targets.times[targets]) {
            let times = f64::from(times);
            likelihood += times * (*share / self.lengths[pair]).ln();
            *share = times / *share;
        }
        likelihood
    }

    /// Makes counts of the shares, and probabilities of the counts.
    fn maximise(&mut self) {
        let mut t = std::mem::take(&mut self.t);
        let rows = &self.rows;
        let cut = self.source_blocks.iter().map(|block| rows[block.end] - rows[block.start]);
        let work: Vec<_> = self.source_blocks.iter().cloned().zip(cut_up(&mut t, cut)).collect();
        work.into_par_iter().for_each(|(block, mut t)| {
            let mut sums = Vec::new();
            for source in block {
                let (row, rest) = t.split_at_mut(rows[source + 1] - rows[source]);
                t = rest;
                self.add_up(source, row.len(), &mut sums);
                update(row, &sums);
            }
        });
        self.t = t;

        if !self.null.is_empty() {
            // NULL is in every pair once, and its row is all words.
            let words = self.null.len();
            let part = self.part(self.shares.len());
            let sums = self.shares.par_chunks(part).zip(self.targets.words.par_chunks(part));
            let sums: Vec<Vec<f64>> = sums
                .map(|(shares, targets)| {
                    let mut sums = vec![0.0; words];
                    for (share, &target) in shares.iter().zip(targets) {
                        sums[target as usize] += share;
                    }
                    sums
                })
                .collect();
            update(&mut self.null, &merged(sums));
        }
    }

    /// For each target in the row of a source: n(source) · share(target), over all pairs that have both.
    fn add_up(&self, source: usize, row: usize, sums: &mut Vec<f64>) {
        let seen = self.seen[source]..self.seen[source + 1];
        let (begin, end) = (self.place[source], self.place[source + 1]);
        let work = end - begin;
        if work <= 2 * self.cuts.part {
            sums.clear();
            sums.resize(row, 0.0);
            self.add_part(seen, begin, sums);
            return;
        }
        // As many pairs in each part, of about `part` positions.
        let pairs = seen.len().div_ceil(work.div_ceil(self.part(work)));
        let mut parts = Vec::new();
        let mut place = begin;
        for first in seen.clone().step_by(pairs) {
            let part = first..(first + pairs).min(seen.end);
            parts.push((part.clone(), place));
            place += part.map(|at| self.targets.count(self.seen_in[at] as usize)).sum::<usize>();
        }
        let parts: Vec<Vec<f64>> = parts
            .into_par_iter()
            .map(|(part, place)| {
                let mut sums = vec![0.0; row];
                self.add_part(part, place, &mut sums);
                sums
            })
            .collect();
        *sums = merged(parts);
    }

    /// The same over some of the pairs, whose positions begin at `place`.
    fn add_part(&self, seen: Range<usize>, mut place: usize, sums: &mut [f64]) {
        for at in seen {
            let shares = &self.shares[self.targets.range(self.seen_in[at] as usize)];
            let times = f64::from(self.times[at]);
            let positions = &self.positions[place..][..shares.len()];
            for (&share, &position) in shares.iter().zip(positions) {
                sums[position as usize] += times * share;
            }
            place += shares.len();
        }
    }

    /// How long the parts are of something so long.
    fn part(&self, whole: usize) -> usize {
        self.cuts.part.max(whole.div_ceil(self.cuts.parts))
    }

    /// What is not below the floor, by source and target.
    fn entries(&self, floor: f64) -> Vec<(u32, u32, f64)> {
        let mut entries = Vec::new();
        for source in 0..self.rows.len() - 1 {
            let row = self.rows[source]..self.rows[source + 1];
            for (&target, &t) in self.row_targets[row.clone()].iter().zip(&self.t[row]) {
                if t >= floor && t > 0.0 {
                    entries.push((source as u32, target, t));
                }
            }
        }
        entries
    }
}

/// The rows of a block of sources: targets and lengths, and the positions in them. `position` is free at begin and end.
fn fill<'a>(
    targets: &Texts,
    block: Range<usize>,
    pairs_of: impl Fn(usize) -> &'a [u32],
    position: &mut [u32],
    out: &mut [u32],
) -> (Vec<u32>, Vec<usize>) {
    let (mut list, mut lengths) = (Vec::new(), Vec::with_capacity(block.len()));
    let mut out = out.iter_mut();
    for source in block {
        let begin = list.len();
        let met = || {
            let pairs = pairs_of(source).iter();
            pairs.flat_map(|&pair| &targets.words[targets.range(pair as usize)])
        };
        for &target in met() {
            if position[target as usize] == u32::MAX {
                position[target as usize] = 0;
                list.push(target);
            }
        }
        let row = &mut list[begin..];
        row.sort_unstable();
        for (at, &target) in row.iter().enumerate() {
            position[target as usize] = at as u32;
        }
        for (&target, out) in met().zip(&mut out) {
            *out = position[target as usize];
        }
        row.iter().for_each(|&target| position[target as usize] = u32::MAX);
        lengths.push(row.len());
    }
    (list, lengths)
}

/// Turns t(f | e) into count(f | e), and that into the new t(f | e).
fn update(row: &mut [f64], sums: &[f64]) {
    let total: f64 = row.iter().zip(sums).map(|(t, sum)| t * sum).sum();
    for (t, sum) in row.iter_mut().zip(sums) {
        *t = *t * sum / total;
    }
}

/// Sums of parts, in the order of the parts.
fn merged(parts: Vec<Vec<f64>>) -> Vec<f64> {
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    for part in parts {
        all.iter_mut().zip(part).for_each(|(sum, more)| *sum += more);
    }
    all
}

/// `0..n` in stretches of about so much work.
fn blocks(n: usize, size: usize, work: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let (mut begin, mut gathered) = (0, 0);
    for at in 0..n {
        gathered += work(at);
        if gathered >= size || at + 1 == n {
            all.push(begin..at + 1);
            (begin, gathered) = (at + 1, 0);
        }
    }
    all
}

/// A slice cut into pieces of these lengths.
fn cut_up<T>(
    mut slice: &mut [T],
    lengths: impl Iterator<Item = usize>,
) -> impl Iterator<Item = &mut [T]> {
    lengths.map(move |length| {
        let (piece, rest) = std::mem::take(&mut slice).split_at_mut(length);
        slice = rest;
        piece
    })
}

#[cfg(test)]
mod tests;
