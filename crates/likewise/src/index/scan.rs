//! All texts, one after the other: which can reach a level? For texts so long that lists would lead to nearly all of them.
//!
//! What each token gives is rounded up to a number of two bytes; see [`super::tokens`] for how texts lie. The sums are kept, so that a
//! lower level costs a look at one number for each text.

use super::columns::{CODES, ManyAtATime};
use super::expansion::Expansion;
use super::layer::{BLOCK, Layer};
use super::tokens::{GROUP, NONE, PAIRED, REST_GROUP, TOKENS, Tokens, pair, token_of_code};
use crate::slack::F32_FEW as ABOVE;
use std::sync::Arc;

/// Memory that is used again from query to query.
#[derive(Default)]
pub struct Scan {
    /// For each word what it gives, and for each token, in units.
    units: Vec<u16>,
    table: Vec<u16>,
    /// For each code what it gives, in units.
    codes: Vec<u8>,
    /// For each token what it gives to several queries, side by side.
    rows: Vec<u16>,
    /// What a sum of gains under each component counts.
    scales: Vec<f32>,
    unit: f32,
    /// For each block what a unit gives there.
    factors: Vec<f32>,
    /// For each place the sum over its tokens, in units; and for each [`SIDE`] of them the largest.
    sums: Sums,
    largest: Vec<u16>,
    /// Memory for sums.
    room: Vec<u16>,
    state: State,
    /// For each block the least sum that was asked for so far.
    found: Vec<u32>,
}

/// For each text a sum for each of some queries that were asked together, side by side, and which of them is this one's.
#[derive(Default)]
struct Sums {
    all: Arc<Vec<u16>>,
    queries: usize,
    own: usize,
}

/// How far it has come.
#[derive(Default, PartialEq)]
enum State {
    #[default]
    NotAsked,
    /// The table is filled.
    Ready,
    /// All texts have been gone through.
    Done,
}

/// The most that is needed in units. Sums are cut off at about twice as many.
const UNITS: f32 = 30_000.0;
/// How many texts are passed by together if none has enough.
const SIDE: usize = 32;
/// How many of these are told apart at a time.
const FEW: usize = 8;
/// Units of one word are cut off there, and rounded up.
const CUT_OFF: f32 = 65_534.0;
/// Of numbers from this on up to twice as much the lower bits are the whole number by which they are more.
const WHOLE: f32 = (1u32 << 23) as f32;
/// Units of a word that has a code are not more than this.
const MOST_OF_CODES: f32 = 254.0;

impl Scan {
    /// Forgets the query before.
    pub fn begin(&mut self) {
        self.state = State::NotAsked;
        // Who is the last to have the sums keeps the memory.
        if let Some(room) = Arc::into_inner(std::mem::take(&mut self.sums).all)
            && room.capacity() > 0
        {
            self.room = room;
        }
    }

    /// Whether the texts are about to be gone through.
    pub fn is_ready(&self) -> bool {
        self.state == State::Ready
    }

    /// Whether the texts have been gone through.
    pub fn done(&self) -> bool {
        self.state == State::Done
    }

    /// Makes ready to go through all texts. `slopes` are those of the blocks, component by component, `words` tells what words gain. No text
    /// will need more than `highest`.
    pub fn ready(&mut self, layer: &Layer, slopes: &[f32], words: &Expansion, highest: f32) {
        let components = slopes.len() / layer.blocks().max(1);
        self.weigh(slopes, components);
        self.factors.clear();
        self.factors.extend(slopes.chunks_exact(components).map(|own| {
            let factors = own.iter().zip(&self.scales).map(|(slope, scale)| slope / scale);
            factors.fold(0.0, f32::max) * ABOVE
        }));
        self.fill(layer.tokens(), words, highest);
        self.found.clear();
        self.found.resize(layer.blocks(), u32::MAX);
        self.state = State::Ready;
    }

    /// Calls `meet` with every place whose text can have what its block needs, but for those that were found before.
    pub fn find(&mut self, needs: &[f32], meet: impl FnMut(u32)) {
        if self.sums.queries == TOGETHER {
            self.find_among::<TOGETHER>(needs, meet);
        } else {
            self.find_among::<1>(needs, meet);
        }
    }

    /// The same where texts have so many sums.
    fn find_among<const N: usize>(&mut self, needs: &[f32], mut meet: impl FnMut(u32)) {
        let sums = self.sums.all.as_chunks::<N>().0;
        let blocks = sums.chunks(BLOCK).zip(self.largest.chunks(BLOCK / SIDE));
        for (block, (sums, largest)) in blocks.enumerate() {
            // Rounded down, and nothing for what is not a number.
            let needed = (needs[block] / (self.factors[block] * self.unit)) as u16;
            let before = self.found[block];
            self.found[block] = before.min(u32::from(needed));
            for (side, (sums, largest)) in sums.chunks(SIDE).zip(largest).enumerate() {
                if *largest < needed {
                    continue;
                }
                let first = (block * BLOCK + side * SIDE) as u32;
                // Looked at many at a time, and then one by one.
                for (few, sums) in (0..).zip(sums.chunks(FEW)) {
                    let mut enough = [0; FEW];
                    for (enough, sums) in enough.iter_mut().zip(sums) {
                        let sum = sums[self.sums.own % N];
                        *enough = u8::from(sum >= needed && u32::from(sum) < before);
                    }
                    let mut left = u64::from_le_bytes(enough);
                    while left != 0 {
                        meet(first + few * FEW as u32 + left.trailing_zeros() / u8::BITS);
                        left &= left - 1;
                    }
                }
            }
        }
    }

    /// A level that some text of about so many groups of [`SIDE`] can reach, by a look at some of the groups; `None` if that would be
    /// nearly all of them. `level` says what a text of a block can reach with what its words give.
    pub fn level_of(&self, level: impl Fn(usize, f32) -> f32, many: usize) -> Option<f32> {
        const EACH: usize = 4;
        if many > self.largest.len() / 2 {
            return None;
        }
        let groups = self.largest.iter().enumerate().step_by(EACH);
        let mut levels: Vec<f32> = groups
            .map(|(group, &largest)| {
                let block = group * SIDE / BLOCK;
                level(block, f32::from(largest) * self.factors[block] * self.unit)
            })
            .collect();
        let at = (many / EACH).min(levels.len().saturating_sub(1));
        (!levels.is_empty()).then(|| *levels.select_nth_unstable_by(at, |x, y| y.total_cmp(x)).1)
    }

    /// One number is to stand for what a word gives under all components. Their slopes change from block to block, about
    /// together: components are added in the proportion that half of the blocks exceed.
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

    /// What each token gives; of words that share one, the most.
    fn fill(&mut self, tokens: &Tokens, words: &Expansion, highest: f32) {
        let least = self.factors.iter().copied().fold(f32::INFINITY, f32::min);
        // What the most frequent words give are to be bytes.
        let of_word = |&word: &u32| {
            let scales = self.scales.iter().enumerate();
            scales.map(|(c, scale)| words.gain(word, c) * scale).sum::<f32>()
        };
        let most = tokens.with_codes().iter().map(of_word).fold(0.0, f32::max);
        self.unit = (highest / least / UNITS).max(most / MOST_OF_CODES).max(1e-30);
        let per_unit = ABOVE / self.unit;
        // Rounded up: by a half more than what it is to the nearest whole number, which is what a number of this size ends in. Casts
        // would be one by one; a loop of sums by itself is done for many words at a time.
        let round = |gain: f32| ((gain * per_unit).min(CUT_OFF) + 0.5 + WHOLE).to_bits() as u16;
        self.units.clear();
        words.rounded(&self.scales, round, &mut self.units);
        self.table.clear();
        self.table.resize(TOKENS, 0);
        let table: &mut [u16; TOKENS] =
            (&mut self.table[..]).try_into().expect("a number for each token");
        for (&units, &token) in self.units.iter().zip(tokens.of_words()) {
            let held = &mut table[usize::from(token)];
            *held = units.max(*held);
        }
        table[usize::from(NONE)] = 0;
        self.codes.clear();
        self.codes.push(0);
        self.codes.extend(
            table[..token_of_code(CODES)].iter().map(|own| u8::try_from(*own).unwrap_or(u8::MAX)),
        );
        // The pairs of a word with all that are more frequent, and with itself, lie one after the other.
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

/// For how many queries texts are gone through at a time.
pub const TOGETHER: usize = 8;

/// Goes through all texts, for some queries that are ready. For several at a time it takes less than for each by itself: what a token
/// gives to each of them lies side by side.
pub fn run(layer: &Layer, scans: &mut [&mut Scan]) {
    for some in scans.chunks_mut(TOGETHER) {
        match some {
            [alone] => alone.run(layer.tokens(), layer.len(), ManyAtATime::here()),
            _ => run_together(layer.tokens(), layer.len(), some),
        }
    }
}

impl Scan {
    /// Goes through so many texts. The most frequent words are looked up many at a time, where there is a processor that can.
    fn run(&mut self, tokens: &Tokens, texts: usize, processor: Option<ManyAtATime>) {
        let mut all = std::mem::take(&mut self.room);
        all.resize(texts, 0);
        let table: &[[u16; 1]; TOKENS] =
            self.table.as_chunks().0.try_into().expect("a number for each token");
        let sums = all.as_chunks_mut().0;
        if let (Some(processor), Some(codes)) = (processor, self.codes.first_chunk::<CODES>()) {
            processor.add_up(&tokens.columns, codes, sums.as_flattened_mut());
            let groups = sums.chunks_mut(REST_GROUP).zip(tokens.rest.groups());
            groups.for_each(|(sums, group)| add(table, group, sums));
        } else {
            sums.fill([0]);
            let groups = sums.chunks_mut(GROUP).zip(tokens.all.groups());
            groups.for_each(|(sums, group)| add(table, group, sums));
        }
        // Not on the way: numbers that have just been written one by one are slow to read several at a time.
        self.largest.clear();
        let most = |sums: &[u16]| sums.iter().copied().fold(0, u16::max);
        self.largest.extend(all.chunks(SIDE).map(most));
        self.sums = Sums { all: Arc::new(all), queries: 1, own: 0 };
        self.state = State::Done;
    }
}

/// Goes through so many texts for some queries.
fn run_together(tokens: &Tokens, texts: usize, scans: &mut [&mut Scan]) {
    let mut rows = std::mem::take(&mut scans[0].rows);
    rows.resize(TOGETHER * TOKENS, 0);
    let table = rows.as_chunks_mut::<TOGETHER>().0;
    for (of, scan) in scans.iter_mut().enumerate() {
        table.iter_mut().zip(&scan.table).for_each(|(row, units)| row[of] = *units);
        scan.largest.clear();
    }
    let table: &[[u16; TOGETHER]; TOKENS] = (&*table).try_into().expect("a row for each token");
    // The largest room there is; the others are let go.
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

/// Adds what the tokens of some texts give to each query.
#[inline]
fn add<const N: usize>(
    table: &[[u16; N]; TOKENS],
    (room, texts): (usize, &[u16]),
    sums: &mut [[u16; N]],
) {
    // Texts with room for few tokens are many: for each number of these there is a loop of its own, without a loop in it.
    macro_rules! each {
        ($($few:literal)*) => {
            match room {
                0 => {}
                $($few => {
                    let texts = texts.as_chunks::<$few>().0;
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
        // Without a look at each whether it is too much.
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

    /// Texts of up to 60 words, few of which are frequent; so many that blocks and groups are full and not full.
    fn texts() -> Vec<String> {
        let mut state = 1u64;
        let mut next = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut text = |_: usize| {
            let words = (0..next(60)).map(|_| {
                let below = [20, 300, 900, 2_000, 60_000][next(5) as usize];
                format!("w{}", next(below))
            });
            words.collect::<Vec<_>>().join(" ")
        };
        (0..3_001).map(&mut text).collect()
    }

    #[test]
    fn all_ways_through_the_texts_give_the_sums_of_their_words() {
        let measure = "word-grams".parse::<Measure>().unwrap();
        let index = Index::of_texts(&measure, texts()).unwrap();
        let layer = &index.layers[0].layer;
        let (words, tokens) = (layer.none() as usize, layer.tokens());
        let slopes = vec![1.0; layer.blocks()];
        // What one query gives is no more than what bytes can say, another's is, and a third gives nothing.
        let gains = [0.01f32, 3.0, 0.0].map(|most| {
            let of = |word: usize| {
                let own = (word * 7_919 % 1_000) as f32 / 1_000.0;
                if word.is_multiple_of(3) { own * most } else { 0.0 }
            };
            (0..words).map(of).collect::<Vec<f32>>()
        });
        let ready = |gains: &[f32]| {
            let mut scan = Scan::default();
            scan.ready(layer, &slopes, &Expansion::of_gains(gains.to_vec()), 2.0);
            scan
        };
        let mut together = gains.each_ref().map(|gains| ready(gains));
        run(layer, &mut together.each_mut());
        for (own, gains) in gains.iter().enumerate() {
            let mut alone = ready(gains);
            alone.run(tokens, layer.len(), None);
            let sums = &alone.sums.all;
            let unit = alone.unit * alone.factors[0];
            for (place, &sum) in (0..).zip(&**sums) {
                let said = f32::from(sum) * unit;
                let own = layer.own_words(place).iter().map(|&word| gains[word as usize]);
                let true_sum: f32 = own.sum();
                assert!(said >= true_sum * 0.999_9, "{said} is below {true_sum}");
            }
            let among = together[own].sums.all.iter().skip(own).step_by(TOGETHER);
            assert!(among.eq(sums.iter()));
            assert_eq!(together[own].largest, alone.largest);
            if let Some(processor) = ManyAtATime::here() {
                let mut by_columns = ready(gains);
                by_columns.run(tokens, layer.len(), Some(processor));
                assert_eq!(by_columns.sums.all, alone.sums.all);
            } else {
                eprintln!("not tested: this processor has no AVX-512 VBMI");
            }
        }
    }
}
