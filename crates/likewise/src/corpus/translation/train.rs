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
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    type Texts = Vec<(Vec<String>, Vec<String>)>;
    /// By target and source, where no source is NULL.
    type Table<'a> = BTreeMap<(&'a str, Option<&'a str>), f64>;

    /// The paper's formulas as they stand there.
    fn slow(texts: &Texts, steps: usize, null: bool) -> (Table<'_>, Vec<f64>) {
        let sources = |source: &'_ [String]| -> Vec<Option<String>> {
            null.then_some(None).into_iter().chain(source.iter().cloned().map(Some)).collect()
        };
        let targets: BTreeSet<&str> =
            texts.iter().flat_map(|(_, target)| target.iter().map(String::as_str)).collect();
        let mut t: BTreeMap<(String, Option<String>), f64> = BTreeMap::new();
        for (source, target) in texts {
            for f in target {
                for e in sources(source) {
                    t.insert((f.clone(), e), 1.0 / targets.len() as f64);
                }
            }
        }
        let likelihood = |t: &BTreeMap<(String, Option<String>), f64>| {
            let mut sum = 0.0;
            for (source, target) in texts {
                let source = sources(source);
                for f in target {
                    let all: f64 = source.iter().map(|e| t[&(f.clone(), e.clone())]).sum();
                    sum += (all / source.len() as f64).ln();
                }
            }
            sum
        };
        let mut likelihoods = vec![likelihood(&t)];
        for _ in 0..steps {
            let mut counts: BTreeMap<(String, Option<String>), f64> = BTreeMap::new();
            let mut totals: BTreeMap<Option<String>, f64> = BTreeMap::new();
            for (source, target) in texts {
                let source = sources(source);
                for f in target {
                    let all: f64 = source.iter().map(|e| t[&(f.clone(), e.clone())]).sum();
                    for e in &source {
                        let share = t[&(f.clone(), e.clone())] / all;
                        *counts.entry((f.clone(), e.clone())).or_default() += share;
                        *totals.entry(e.clone()).or_default() += share;
                    }
                }
            }
            for (key, value) in &mut t {
                *value = counts[key] / totals[&key.1];
            }
            likelihoods.push(likelihood(&t));
        }
        let word = |word: &str| {
            let all = texts.iter().flat_map(|(source, target)| source.iter().chain(target));
            all.map(String::as_str).find(|w| *w == word).unwrap()
        };
        let t = t.iter().map(|((f, e), p)| ((word(f), e.as_deref().map(word)), *p)).collect();
        (t, likelihoods)
    }

    fn pairs(texts: &Texts) -> Pairs {
        let mut pairs = Pairs::default();
        for (source, target) in texts {
            let [source, target] = [source, target].map(|t| t.iter().map(String::as_str));
            pairs.push(source, target).unwrap();
        }
        pairs
    }

    fn split(texts: &[(&str, &str)]) -> Texts {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        texts.iter().map(|(source, target)| (words(source), words(target))).collect()
    }

    fn toy() -> Texts {
        split(&[("das haus", "the house"), ("das buch", "the book"), ("ein buch", "a book")])
    }

    fn texts() -> impl Strategy<Value = Texts> {
        let text = || proptest::collection::vec("[a-e]|b[a-e]", 1..8);
        proptest::collection::vec((text(), text()), 1..30)
    }

    /// Cuts so small that random pairs meet them all.
    const SMALL: Cuts = Cuts { block: 7, part: 5, parts: 3 };

    fn all(options: &Options, texts: &Texts, cuts: Cuts) -> (Translations, Vec<f64>) {
        let mut likelihoods = Vec::new();
        let table = train_cut(&pairs(texts), options, cuts, |step, likelihood| {
            assert_eq!(step, likelihoods.len());
            likelihoods.push(likelihood);
        });
        (table.unwrap(), likelihoods)
    }

    proptest! {
        #[test]
        fn training_is_what_the_formulas_say(texts in texts(), steps in 1usize..8, null: bool, small: bool) {
            let options = Options { iterations: steps, tolerance: 0.0, floor: 0.0, null };
            let cuts = if small { SMALL } else { Cuts::default() };
            let (table, likelihoods) = all(&options, &texts, cuts);
            let (expected, expected_likelihoods) = slow(&texts, steps, null);
            // At a maximum rounding may end it before.
            prop_assert!(likelihoods.len() <= steps + 1);
            for (found, expected) in likelihoods.iter().zip(&expected_likelihoods) {
                prop_assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()));
            }
            for pair in likelihoods.windows(2) {
                prop_assert!(pair[1] >= pair[0] - 1e-12 * pair[0].abs(), "{:?}", likelihoods);
            }
            if likelihoods.len() == steps + 1 {
                let mut entries = 0;
                for (&(f, e), &p) in &expected {
                    let Some(e) = e else { continue };
                    prop_assert!((table.probability(e, f) - p).abs() < 1e-9, "{} {}", e, f);
                    entries += 1;
                }
                prop_assert_eq!(table.entries(), entries);
            }
            for source in table.words().iter() {
                let sum: f64 = table.of(source).map(|(_, p)| p).sum();
                prop_assert!(sum <= 1.0 + 1e-12);
            }
        }

        #[test]
        fn any_number_of_threads_gives_the_same_bits(texts in texts(), null: bool) {
            let options = Options { floor: 0.0, null, ..Options::default() };
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (table, likelihoods) = pool.install(|| all(&options, &texts, SMALL));
                let mut bits: Vec<u64> = likelihoods.iter().map(|l| l.to_bits()).collect();
                for source in table.words().iter() {
                    bits.extend(table.of(source).map(|(_, p)| p.to_bits()));
                }
                bits
            };
            prop_assert_eq!(run(1), run(4));
        }
    }

    #[test]
    fn the_classic_toy_finds_its_alignment() {
        for null in [true, false] {
            let options = Options { iterations: 2000, tolerance: 0.0, null, ..Options::default() };
            let (table, _) = all(&options, &toy(), Cuts::default());
            for (source, target) in
                [("das", "the"), ("haus", "house"), ("buch", "book"), ("ein", "a")]
            {
                let best = table.of(source).max_by(|x, y| x.1.total_cmp(&y.1)).unwrap();
                assert_eq!(best.0, target, "{source}, null {null}");
                assert!(null || best.1 > 0.99, "{source}: {best:?}");
            }
        }
    }

    #[test]
    fn the_first_steps_of_the_toy_are_those_of_the_textbook() {
        // Koehn, Statistical Machine Translation, figure 4.4; without NULL.
        let step = |iterations| {
            let options = Options { iterations, tolerance: 0.0, null: false, ..Options::default() };
            all(&options, &toy(), Cuts::default()).0
        };
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 5e-5, "{found}");
        let [one, two, three] = [1, 2, 3].map(step);
        for (table, the, house) in
            [(&one, 0.5, 0.25), (&two, 0.6364, 0.1818), (&three, 0.7479, 0.1313)]
        {
            close(table.probability("das", "the"), the);
            close(table.probability("das", "house"), house);
        }
        close(two.probability("haus", "the"), 0.4286);
        close(three.probability("haus", "house"), 0.6534);
    }

    #[test]
    fn a_repeated_word_counts_as_often_as_it_stands_there() {
        let texts = split(&[("a a b", "x y x"), ("b", "y")]);
        let options = Options { iterations: 1, tolerance: 0.0, floor: 0.0, null: false };
        let (table, _) = all(&options, &texts, Cuts::default());
        // Uniform: a has two thirds of each word of the first pair, b one third and all of the second.
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        close(table.probability("a", "x"), 2.0 / 3.0);
        close(table.probability("b", "x"), 1.0 / 3.0);
    }

    #[test]
    fn training_stops_when_little_is_gained_or_after_so_many_steps() {
        let steps = |iterations, tolerance| {
            let options = Options { iterations, tolerance, ..Options::default() };
            all(&options, &toy(), Cuts::default()).1.len() - 1
        };
        assert_eq!((steps(3, 0.0), steps(1, 0.5)), (3, 1));
        let some = steps(10_000, 1e-3);
        assert!((2..100).contains(&some), "{some}");
        assert_eq!(steps(10_000, 1e9), 1);
    }

    #[test]
    fn entries_under_the_floor_are_dropped_and_the_others_stay() {
        let trained =
            |floor| all(&Options { floor, ..Options::default() }, &toy(), Cuts::default()).0;
        let (whole, cut) = (trained(0.0), trained(0.3));
        assert!(cut.entries() < whole.entries());
        for source in whole.words().iter() {
            for (target, p) in whole.of(source) {
                assert_eq!(cut.probability(source, target), if p < 0.3 { 0.0 } else { p });
            }
        }
    }

    #[test]
    fn what_cannot_be_trained_is_said() {
        let said = |pairs: &Pairs, options: Options| {
            train(pairs, &options, |_, _| ()).unwrap_err().to_string()
        };
        let mut none = Pairs::default();
        assert_eq!(said(&none, Options::default()), "there are no pairs to train on");
        none.push(["a"], []).unwrap();
        assert!(said(&none, Options::default()).contains("each of the 1 pairs has a side without"));
        let some = pairs(&toy());
        let usual = Options::default;
        assert!(
            said(&some, Options { iterations: 0, ..usual() }).contains("at least one iteration")
        );
        for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(said(&some, Options { tolerance, ..usual() }).contains("tolerance must be"));
        }
        for floor in [-0.1, 1.1, f64::NAN] {
            assert!(
                said(&some, Options { floor, ..usual() }).contains("floor must be from 0 to 1")
            );
        }
        assert!(said(&some, Options { floor: 1.0, ..usual() }).contains("choose a lower floor"));
    }
}
