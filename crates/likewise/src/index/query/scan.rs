//! Candidates by a scan of all docs, for texts so long that postings would lead to most of them.
//!
//! The impact of each token is rounded up to two bytes; how docs lie as tokens: [`crate::index::format::tokens`]. The sums are
//! kept, so that a lower threshold costs one comparison for 32 docs.

use super::impacts::TermImpacts;
use crate::index::format::columns::{CODES, Vbmi};
use crate::index::format::docs::{BLOCK, Docs};
use crate::index::format::tokens::{GROUP, NONE, PAIRED, REST_GROUP, TOKENS, Tokens};
use crate::index::format::tokens::{pair, token_of_code};
use crate::slack::F32_FEW as ABOVE;
use std::sync::Arc;

/// A scan for one query; the memory is used again from query to query.
#[derive(Default)]
pub struct Scan {
    /// The impact of each term, and of each token, in units.
    units: Vec<u16>,
    table: Vec<u16>,
    /// The impact of each code, in units.
    codes: Vec<u8>,
    /// The impacts of each token for several queries, side by side.
    rows: Vec<u16>,
    /// The weight of each component in the sum.
    scales: Vec<f32>,
    unit: f32,
    /// For each block the score of a unit.
    factors: Vec<f32>,
    /// For each doc the sum over its tokens, in units; and the largest of each [`SIDE`] of them.
    sums: Sums,
    largest: Vec<u16>,
    /// Memory for sums.
    room: Vec<u16>,
    state: State,
    /// For each block the least sum that docs were found for so far.
    found: Vec<u32>,
}

/// For each doc the sums of the queries that were scanned for together, and which of them is this one's.
#[derive(Default)]
struct Sums {
    all: Arc<Vec<u16>>,
    queries: usize,
    own: usize,
}

/// How far the scan has come.
#[derive(Default, PartialEq)]
enum State {
    #[default]
    NotNeeded,
    /// The table is filled.
    Ready,
    /// The sums are there.
    Done,
}

/// The highest need in units. Sums saturate at about twice as many.
const UNITS: f32 = 30_000.0;
/// How many docs are skipped together if none has enough.
const SIDE: usize = 32;
/// How many of these are compared at a time.
const COMPARED: usize = 8;
/// The units of a term are clamped to this before rounding up.
const CUT_OFF: f32 = 65_534.0;
/// Adding this to a float puts its integer part into the lower bits.
const WHOLE: f32 = (1u32 << 23) as f32;
/// The units of a term with a code fit into a byte.
const MOST_OF_CODES: f32 = 254.0;

impl Scan {
    /// Forgets the query before.
    pub fn begin(&mut self) {
        self.state = State::NotNeeded;
        // The last holder of shared sums keeps the memory.
        if let Some(room) = Arc::into_inner(std::mem::take(&mut self.sums).all)
            && room.capacity() > 0
        {
            self.room = room;
        }
    }

    /// Whether the scan is about to run.
    pub fn is_ready(&self) -> bool {
        self.state == State::Ready
    }

    /// Whether the scan has run.
    pub fn done(&self) -> bool {
        self.state == State::Done
    }

    /// Fills the tables. `slopes` are those of the blocks, component by component. No doc
    /// will need more than `highest`.
    pub fn ready(&mut self, docs: &Docs, slopes: &[f32], terms: &TermImpacts, highest: f32) {
        let components = slopes.len() / docs.blocks().max(1);
        self.weigh(slopes, components);
        self.factors.clear();
        self.factors.extend(slopes.chunks_exact(components).map(|own| {
            let factors = own.iter().zip(&self.scales).map(|(slope, scale)| slope / scale);
            factors.fold(0.0, f32::max) * ABOVE
        }));
        self.fill(docs.tokens(), terms, highest);
        self.found.clear();
        self.found.resize(docs.blocks(), u32::MAX);
        self.state = State::Ready;
    }

    /// Calls `found` with every doc that can have what its block needs, but for those found before.
    pub fn find(&mut self, needs: &[f32], found: impl FnMut(u32)) {
        if self.sums.queries == TOGETHER {
            self.find_among::<TOGETHER>(needs, found);
        } else {
            self.find_among::<1>(needs, found);
        }
    }

    /// The same for N sums a doc.
    fn find_among<const N: usize>(&mut self, needs: &[f32], mut found: impl FnMut(u32)) {
        let sums = self.sums.all.as_chunks::<N>().0;
        let blocks = sums.chunks(BLOCK).zip(self.largest.chunks(BLOCK / SIDE));
        for (block, (sums, largest)) in blocks.enumerate() {
            // Rounded down; 0 for NaN.
            let needed = (needs[block] / (self.factors[block] * self.unit)) as u16;
            let before = self.found[block];
            self.found[block] = before.min(u32::from(needed));
            for (side, (sums, largest)) in sums.chunks(SIDE).zip(largest).enumerate() {
                if *largest < needed {
                    continue;
                }
                let first = (block * BLOCK + side * SIDE) as u32;
                // Compared many at a time, then one by one.
                for (max_score, sums) in (0..).zip(sums.chunks(COMPARED)) {
                    let mut enough = [0; COMPARED];
                    for (enough, sums) in enough.iter_mut().zip(sums) {
                        let sum = sums[self.sums.own % N];
                        *enough = u8::from(sum >= needed && u32::from(sum) < before);
                    }
                    let mut left = u64::from_le_bytes(enough);
                    while left != 0 {
                        found(
                            first + max_score * COMPARED as u32 + left.trailing_zeros() / u8::BITS,
                        );
                        left &= left - 1;
                    }
                }
            }
        }
    }

    /// A threshold that some doc of about `many` groups of [`SIDE`] can reach, from a sample of the groups; `None` if these are
    /// most groups. `score` bounds the score of a doc of a block by its sum.
    pub fn threshold_of(&self, score: impl Fn(usize, f32) -> f32, many: usize) -> Option<f32> {
        const EACH: usize = 4;
        if many > self.largest.len() / 2 {
            return None;
        }
        let groups = self.largest.iter().enumerate().step_by(EACH);
        let mut scores: Vec<f32> = groups
            .map(|(group, &largest)| {
                let block = group * SIDE / BLOCK;
                score(block, f32::from(largest) * self.factors[block] * self.unit)
            })
            .collect();
        let at = (many / EACH).min(scores.len().saturating_sub(1));
        (!scores.is_empty()).then(|| *scores.select_nth_unstable_by(at, |x, y| y.total_cmp(x)).1)
    }

    /// One number stands for a term's impacts under all components. Their slopes change from block to block, nearly in
    /// proportion: components are weighted as in the median block.
    fn weigh(&mut self, slopes: &[f32], components: usize) {
        self.scales.clear();
        for c in 0..components {
            let mut by_first: Vec<f32> =
                slopes.chunks_exact(components).map(|s| s[c] / s[0].max(1e-30)).collect();
            let at = by_first.len() / 2;
            let (_, middle, _) = by_first.select_nth_unstable_by(at, f32::total_cmp);
            self.scales.push(middle.clamp(1e-30, 1e30));
        }
    }

    /// The impact of each token: of terms that share one, the largest.
    fn fill(&mut self, tokens: &Tokens, terms: &TermImpacts, highest: f32) {
        let least = self.factors.iter().copied().fold(f32::INFINITY, f32::min);
        // The impacts of terms with codes are to be bytes.
        let of_word = |&term: &u32| {
            let scales = self.scales.iter().enumerate();
            scales.map(|(c, scale)| terms.impact(term, c) * scale).sum::<f32>()
        };
        let most = tokens.with_codes().iter().map(of_word).fold(0.0, f32::max);
        self.unit = (highest / least / UNITS).max(most / MOST_OF_CODES).max(1e-30);
        let per_unit = ABOVE / self.unit;
        // Rounded up: half a unit is added, and the sum is rounded to the nearest integer by adding a large power of two. A cast
        // would not be vectorised.
        let round = |impact: f32| ((impact * per_unit).min(CUT_OFF) + 0.5 + WHOLE).to_bits() as u16;
        self.units.clear();
        terms.rounded(&self.scales, round, &mut self.units);
        self.table.clear();
        self.table.resize(TOKENS, 0);
        let table: &mut [u16; TOKENS] =
            (&mut self.table[..]).try_into().expect("a number for each token");
        for (&units, &token) in self.units.iter().zip(tokens.of_terms()) {
            let held = &mut table[usize::from(token)];
            *held = units.max(*held);
        }
        table[usize::from(NONE)] = 0;
        self.codes.clear();
        self.codes.push(0);
        self.codes.extend(
            table[..token_of_code(CODES)].iter().map(|own| u8::try_from(*own).unwrap_or(u8::MAX)),
        );
        // The pairs of a term with itself and all more frequent ones are consecutive.
        let (single, pairs) = table.split_at_mut(usize::from(pair(0, 0)));
        let mut pairs = &mut pairs[..];
        for more in 0..PAIRED {
            let (these, others) = pairs.split_at_mut(more + 1);
            for (both, less) in these.iter_mut().zip(&*single) {
                *both = less.saturating_add(single[more]);
            }
            pairs = others;
        }
    }
}

/// For how many queries a scan runs at a time.
pub const TOGETHER: usize = 8;

/// Scans all docs for some queries that are ready. Several at a time take less than each by itself: the impacts of a token
/// lie side by side.
pub fn run(docs: &Docs, scans: &mut [&mut Scan]) {
    for some in scans.chunks_mut(TOGETHER) {
        match some {
            [alone] => alone.run(docs.tokens(), docs.len(), Vbmi::detect()),
            _ => run_together(docs.tokens(), docs.len(), some),
        }
    }
}

impl Scan {
    /// Scans so many docs. Frequent terms are looked up 64 at a time, where index and processor have what it takes.
    fn run(&mut self, tokens: &Tokens, texts: usize, processor: Option<Vbmi>) {
        let mut all = std::mem::take(&mut self.room);
        all.resize(texts, 0);
        let table: &[[u16; 1]; TOKENS] =
            self.table.as_chunks().0.try_into().expect("a number for each token");
        let sums = all.as_chunks_mut().0;
        let codes = self.codes.first_chunk::<CODES>();
        if let (Some(processor), Some(frequent), Some(codes)) = (processor, &tokens.frequent, codes)
        {
            processor.add_up(&frequent.columns, codes, sums.as_flattened_mut());
            let groups = sums.chunks_mut(REST_GROUP).zip(frequent.rest.groups());
            groups.for_each(|(sums, group)| add(table, group, sums));
        } else {
            sums.fill([0]);
            let groups = sums.chunks_mut(GROUP).zip(tokens.all.groups());
            groups.for_each(|(sums, group)| add(table, group, sums));
        }
        // In a pass of its own: numbers just written one by one are slow to read several at a time.
        self.largest.clear();
        let most = |sums: &[u16]| sums.iter().copied().fold(0, u16::max);
        self.largest.extend(all.chunks(SIDE).map(most));
        self.sums = Sums { all: Arc::new(all), queries: 1, own: 0 };
        self.state = State::Done;
    }
}

/// Scans so many docs for some queries.
fn run_together(tokens: &Tokens, texts: usize, scans: &mut [&mut Scan]) {
    let mut rows = std::mem::take(&mut scans[0].rows);
    rows.resize(TOGETHER * TOKENS, 0);
    let table = rows.as_chunks_mut::<TOGETHER>().0;
    for (of, scan) in scans.iter_mut().enumerate() {
        table.iter_mut().zip(&scan.table).for_each(|(row, units)| row[of] = *units);
        scan.largest.clear();
    }
    let table: &[[u16; TOGETHER]; TOKENS] = (&*table).try_into().expect("a row for each token");
    // The largest memory there is; the others are dropped.
    let rooms = scans.iter_mut().map(|scan| std::mem::take(&mut scan.room));
    let mut all = rooms.max_by_key(Vec::capacity).unwrap_or_default();
    all.resize(TOGETHER * texts, 0);
    let mut groups = tokens.all.groups();
    for sums in all.as_chunks_mut().0.chunks_mut(SIDE) {
        sums.fill([0; TOGETHER]);
        for (sums, group) in sums.chunks_mut(GROUP).zip(&mut groups) {
            add(table, group, sums);
        }
        let mut largest = [0; TOGETHER];
        for own in &*sums {
            largest.iter_mut().zip(own).for_each(|(most, sum)| *most = *sum.max(most));
        }
        scans.iter_mut().zip(largest).for_each(|(scan, largest)| scan.largest.push(largest));
    }
    let all = Arc::new(all);
    for (own, scan) in scans.iter_mut().enumerate() {
        scan.sums = Sums { all: Arc::clone(&all), queries: TOGETHER, own };
        scan.state = State::Done;
    }
    scans[0].rows = rows;
}

/// Adds the impacts of some docs' tokens to each query's sums.
#[inline]
fn add<const N: usize>(
    table: &[[u16; N]; TOKENS],
    (room, texts): (usize, &[u16]),
    sums: &mut [[u16; N]],
) {
    // Docs with few tokens are many: each small number has an unrolled loop of its own.
    macro_rules! each {
        ($($max_score:literal)*) => {
            match room {
                0 => {}
                $($max_score => {
                    let texts = texts.as_chunks::<$max_score>().0;
                    sums.iter_mut().zip(texts).for_each(|(sums, text)| add_text(table, text, sums));
                })*
                _ => {
                    let texts = texts.chunks_exact(room);
                    sums.iter_mut().zip(texts).for_each(|(sums, text)| add_text(table, text, sums));
                }
            }
        };
    }
    each!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
}

#[inline(always)]
fn add_text<const N: usize>(table: &[[u16; N]; TOKENS], text: &[u16], sums: &mut [u16; N]) {
    if N == 1 {
        // Saturated once, not at each token.
        let sum: u32 = text.iter().map(|&token| u32::from(table[usize::from(token)][0])).sum();
        sums[0] = (u32::from(sums[0]) + sum).min(u32::from(u16::MAX)) as u16;
        return;
    }
    let mut own = *sums;
    for &token in text {
        let row = &table[usize::from(token)];
        own.iter_mut().zip(row).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }
    *sums = own;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use crate::measure::Measure;

    /// Texts of up to 60 terms, few of which are frequent; so many that blocks and groups are full and not full.
    fn texts() -> Vec<String> {
        let mut state = 1u64;
        let mut next = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut text = |_: usize| {
            let terms = (0..next(60)).map(|_| {
                let below = [20, 300, 900, 2_000, 60_000][next(5) as usize];
                format!("w{}", next(below))
            });
            terms.collect::<Vec<_>>().join(" ")
        };
        (0..3_001).map(&mut text).collect()
    }

    #[test]
    fn all_scans_give_the_sums_of_the_terms_impacts() {
        let measure = "word-grams".parse::<Measure>().unwrap();
        let index = Index::of_texts(&measure, texts()).unwrap();
        let docs = &index.field_indexes[0].docs;
        let (terms, tokens) = (docs.none() as usize, docs.tokens());
        let slopes = vec![1.0; docs.blocks()];
        // The impacts of one query fit into bytes, those of another do not, and a third has none.
        let impacts = [0.01f32, 3.0, 0.0].map(|most| {
            let of = |term: usize| {
                let own = (term * 7_919 % 1_000) as f32 / 1_000.0;
                if term.is_multiple_of(3) { own * most } else { 0.0 }
            };
            (0..terms).map(of).collect::<Vec<f32>>()
        });
        let ready = |impacts: &[f32]| {
            let mut scan = Scan::default();
            scan.ready(docs, &slopes, &TermImpacts::of_impacts(impacts.to_vec()), 2.0);
            scan
        };
        let mut together = impacts.each_ref().map(|impacts| ready(impacts));
        run(docs, &mut together.each_mut());
        for (own, impacts) in impacts.iter().enumerate() {
            let mut alone = ready(impacts);
            alone.run(tokens, docs.len(), None);
            let sums = &alone.sums.all;
            let unit = alone.unit * alone.factors[0];
            for (doc, &sum) in (0..).zip(&**sums) {
                let said = f32::from(sum) * unit;
                let own = docs.terms_of(doc).iter().map(|&term| impacts[term as usize]);
                let true_sum: f32 = own.sum();
                assert!(said >= true_sum * 0.999_9, "{said} is below {true_sum}");
            }
            let among = together[own].sums.all.iter().skip(own).step_by(TOGETHER);
            assert!(among.eq(sums.iter()));
            assert_eq!(together[own].largest, alone.largest);
            assert!(tokens.frequent.is_some(), "texts are long enough");
            if let Some(processor) = Vbmi::detect() {
                let mut by_columns = ready(impacts);
                by_columns.run(tokens, docs.len(), Some(processor));
                assert_eq!(by_columns.sums.all, alone.sums.all);
            } else {
                eprintln!("skipped: this processor has no AVX-512 VBMI");
            }
        }
    }
}
