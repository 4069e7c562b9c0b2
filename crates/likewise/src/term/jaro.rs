//! Jaro and Jaro–Winkler similarity: for names of people, above all short ones.
//!
//! Going through one term from the left, each character is matched with the first equal character
//! of the other that is not yet matched and at most max(|a|, |b|)/2 − 1 positions away (rounded
//! down, at least 0). With m matches, t of them out of order (half the places, rounded down, at
//! which the matched characters of the two terms, each in their own order, differ):
//!
//! - Jaro = (m/|a| + m/|b| + (m − t)/m) / 3, or 0 if m = 0;
//! - Jaro–Winkler = Jaro, and if that is above 0.7 then Jaro + p·w·(1 − Jaro), where p ≤ 4 is the
//!   length of the common prefix and w the prefix weight.
//!
//! Both are symmetric: matching from the left pairs, for each character by itself, the first
//! occurrences that are close enough, whichever term one goes through.
//!
//! Bit-parallel: a word says which positions of the shorter term are still free, so each character
//! of the longer one costs the words that its window spans. Sources: Jaro, "Advances in
//! record-linkage methodology" (J. ASA 1989); Winkler, "String comparator metrics and enhanced
//! decision rules in the Fellegi–Sunter model of record linkage" (1990).

use std::cell::RefCell;

use super::lanes::{self, Group, LaneKernel, Lanes, Word};
use super::pattern::{PatternMasks, common_prefix, low_bits, words_for};
use super::{Alignment, Piece, TermDefinition, TermSimilarity, trace};
use crate::expr::{Kind, Param, Schema};

/// The similarity's name and maker.
pub static JARO: TermDefinition =
    TermDefinition { schema: &JARO_SCHEMA, source: "Jaro 1989", build: |_, _| Ok(Box::new(Jaro)) };

static JARO_SCHEMA: Schema = Schema {
    name: "jaro",
    aliases: &[],
    summary: "shared characters near the same place, and how many changed order",
    params: &[],
};

/// The similarity's name, settings and maker.
pub static JARO_WINKLER: TermDefinition = TermDefinition {
    schema: &JARO_WINKLER_SCHEMA,
    source: "Winkler 1990",
    build: |settings, _| {
        Ok(Box::new(JaroWinkler {
            prefix_weight: settings.number("prefix"),
            raise_above: settings.number("above"),
        }))
    },
};

static JARO_WINKLER_SCHEMA: Schema = Schema {
    name: "jaro-winkler",
    aliases: &[],
    summary: "jaro, raised where the terms begin alike",
    params: &[
        Param {
            name: "prefix",
            kind: Kind::Number(0.0, 0.25),
            default: "0.1",
            help: "how much each of the first four characters in common makes up for",
        },
        Param {
            name: "above",
            kind: Kind::Number(0.0, 1.0),
            default: "0.7",
            help: "only similarities above this are raised; 0 raises all, as some programs do",
        },
    ],
};

/// Jaro similarity.
///
/// ```
/// use likewise::term::{TermSimilarity, jaro::Jaro};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("MARTHA".chars().collect(), "MARHTA".chars().collect());
/// assert!((Jaro.similarity(&a, &b) - 17.0 / 18.0).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Jaro;

/// Jaro–Winkler similarity: Jaro, raised where the terms begin alike.
///
/// ```
/// use likewise::term::{TermSimilarity, jaro::JaroWinkler};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("MARTHA".chars().collect(), "MARHTA".chars().collect());
/// let similarity = JaroWinkler::default().similarity(&a, &b);
/// assert!((similarity - 0.9611).abs() < 1e-4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JaroWinkler {
    /// How much each character of the common prefix (of the first four) makes up of what Jaro
    /// leaves open. Values outside 0 to 0.25 are taken as the nearest of these.
    pub prefix_weight: f64,
    /// Only similarities above this are raised. Winkler's program says 0.7; some others raise all.
    pub raise_above: f64,
}

impl Default for JaroWinkler {
    fn default() -> Self {
        Self { prefix_weight: 0.1, raise_above: 0.7 }
    }
}

/// Only this much of a common prefix counts.
const PREFIX: usize = 4;

/// How far apart two equal characters may stand and still match.
#[inline(always)]
fn reach(len_a: usize, len_b: usize) -> usize {
    (len_a.max(len_b) / 2).saturating_sub(1)
}

/// What two terms have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Common {
    /// Matched characters.
    matched: u32,
    /// Of these, in the order of both terms, how many are equal to their opposite.
    in_order: u32,
}

impl Common {
    /// The Jaro similarity of terms of these lengths. The batch takes the same steps in the same
    /// order, so that all scores agree to the bit; a pair without a match gives 0.
    #[inline(always)]
    fn score(self, len_a: u32, len_b: u32) -> f64 {
        // Through i32, whose conversion vectors have, where that of u32 they lack.
        let number = |count: u32| f64::from(count as i32);
        let swaps = (self.matched - self.in_order) / 2;
        let matched = number(self.matched);
        let sum = matched / number(len_a)
            + matched / number(len_b)
            + number(self.matched - swaps) / matched;
        if self.matched == 0 { 0.0 } else { sum / 3.0 }
    }
}

fn jaro(a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    common(a, b).score(a.len() as u32, b.len() as u32)
}

fn common(a: &[char], b: &[char]) -> Common {
    let (pattern, text) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    SCRATCH.with_borrow_mut(|Scratch { masks, flags, met }| {
        masks.prepare(pattern);
        if met.len() < text.len() {
            met.resize(text.len(), '\0');
        }
        if pattern.len() <= 64 {
            in_word(masks, pattern.len(), text, met)
        } else {
            in_words(masks, flags, pattern.len(), text, met)
        }
    })
}

struct Scratch {
    masks: PatternMasks,
    /// Which characters of the pattern are matched.
    flags: Vec<u64>,
    /// The matched characters of the text, in order, and room for as many as it has.
    met: Vec<char>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = const {
        RefCell::new(Scratch { masks: PatternMasks::new(), flags: Vec::new(), met: Vec::new() })
    };
}

/// Compares with a pattern of at most 64 characters.
fn in_word(masks: &PatternMasks, rows: usize, text: &[char], met: &mut [char]) -> Common {
    let reach = reach(rows, text.len());
    let mut flags = 0;
    let mut matched = 0;
    for (position, &character) in text.iter().enumerate().take(rows + reach) {
        let window = low_bits(position + reach + 1) & !low_bits(position.saturating_sub(reach));
        let free = masks.word(character) & window & !flags;
        // Whether a character matches is anyone's guess, so rather no branch: what did not match
        // is overwritten by the next.
        flags |= free.lowest();
        met[matched] = character;
        matched += usize::from(free != 0);
    }
    let mut in_order = 0;
    for &character in &met[..matched] {
        in_order += u32::from(masks.word(character) & flags.lowest() != 0);
        flags &= flags - 1;
    }
    Common { matched: matched as u32, in_order }
}

/// As [`in_word`], for longer patterns.
fn in_words(
    masks: &PatternMasks,
    flags: &mut Vec<u64>,
    rows: usize,
    text: &[char],
    met: &mut [char],
) -> Common {
    let reach = reach(rows, text.len());
    flags.clear();
    flags.resize(words_for(rows), 0);
    let mut matched = 0;
    for (position, &character) in text.iter().enumerate().take(rows + reach) {
        let equal = masks.words(character);
        let (from, to) = (position.saturating_sub(reach), (position + reach + 1).min(rows));
        for word in from / 64..words_for(to) {
            let start = 64 * word;
            let window = low_bits(to - start) & !low_bits(from.saturating_sub(start));
            let free = equal[word] & window & !flags[word];
            if free != 0 {
                flags[word] |= free.lowest();
                met[matched] = character;
                matched += 1;
                break;
            }
        }
    }
    let mut in_order = 0;
    let mut word = 0;
    for &character in &met[..matched] {
        while flags[word] == 0 {
            word += 1;
        }
        in_order += u32::from(masks.words(character)[word] & flags[word].lowest() != 0);
        flags[word] &= flags[word] - 1;
    }
    Common { matched: matched as u32, in_order }
}

impl JaroWinkler {
    /// The prefix weight that is used: in [0, 0.25], so that the similarity stays in [0, 1].
    #[inline(always)]
    fn weight(&self) -> f64 {
        if self.prefix_weight.is_nan() { 0.0 } else { self.prefix_weight.clamp(0.0, 0.25) }
    }

    #[inline(always)]
    fn boost(&self, similarity: f64, prefix: u32) -> f64 {
        let boosted = similarity + f64::from(prefix as i32) * self.weight() * (1.0 - similarity);
        if similarity > self.raise_above { boosted.min(1.0) } else { similarity }
    }
}

/// Jaro of two terms all of whose common characters match in order.
fn jaro_of_common(a: usize, b: usize, common: usize) -> f64 {
    if common == 0 {
        return 0.0;
    }
    let common = common as u32;
    let best = Common { matched: common, in_order: common }.score(a as u32, b as u32);
    // The score grows with what matches, but for its last rounding.
    (best + f64::EPSILON).min(1.0)
}

/// Jaro of the shorter term found whole and in order in the longer.
fn jaro_upper_bound(a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let shorter = a.len().min(b.len()) as u32;
    Common { matched: shorter, in_order: shorter }.score(a.len() as u32, b.len() as u32)
}

impl TermSimilarity for Jaro {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        jaro(a, b)
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        super::similarity_if_in_reach(self, a, b, cutoff)
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        jaro_upper_bound(a, b)
    }

    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        jaro_of_common(a, b, common)
    }

    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        lanes::matrix(self, rows, columns, out);
    }

    /// Pieces `same` for runs of matched characters: each character gives its share of the three
    /// parts of the mean. Over 1.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        align(a, b)
    }
}

impl TermSimilarity for JaroWinkler {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        let prefix = common_prefix(&a[..a.len().min(PREFIX)], b);
        self.boost(jaro(a, b), prefix as u32)
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        super::similarity_if_in_reach(self, a, b, cutoff)
    }

    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        let best = self.boost(jaro_upper_bound(a, b), PREFIX as u32);
        // The boost grows with Jaro, but for its last rounding.
        if best == 0.0 { 0.0 } else { (best + f64::EPSILON).min(1.0) }
    }

    fn bound_by_characters(&self, a: usize, b: usize, common: usize) -> f64 {
        let jaro = jaro_of_common(a, b, common);
        let best = self.boost(jaro, PREFIX.min(common) as u32);
        if best == 0.0 { 0.0 } else { (best + f64::EPSILON).min(1.0) }
    }

    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        lanes::matrix(self, rows, columns, out);
    }

    /// As [`Jaro`] has it, and a piece `prefix` for what the common prefix adds.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        let mut alignment = align(a, b);
        let boosted = self.similarity(a, b);
        let gain = boosted - alignment.numerator;
        if gain > 0.0 {
            let prefix = common_prefix(&a[..a.len().min(PREFIX)], b);
            let piece =
                Piece { left: 0..prefix, right: 0..prefix, contribution: gain, kind: "prefix" };
            alignment.pieces.insert(0, piece);
        }
        alignment.numerator = boosted;
        alignment
    }
}

fn align(a: &[char], b: &[char]) -> Alignment {
    if a.is_empty() || b.is_empty() {
        return Alignment::default();
    }
    let numerator = jaro(a, b);
    if trace::too_long(a, b) {
        return trace::in_one_piece(a, b, numerator, 1.0);
    }
    let pairs = matched_pairs(a, b);
    let share = numerator / pairs.len() as f64;
    let mut pieces: Vec<Piece> = Vec::new();
    for (i, j) in pairs {
        match pieces.last_mut() {
            Some(run) if (run.left.end, run.right.end) == (i, j) => {
                (run.left.end, run.right.end) = (i + 1, j + 1);
                run.contribution += share;
            }
            _ => {
                let (left, right) = (i..i + 1, j..j + 1);
                pieces.push(Piece { left, right, contribution: share, kind: "same" });
            }
        }
    }
    Alignment { pieces, numerator, denominator: 1.0 }
}

/// The positions that are matched with each other, in the order of the left term.
fn matched_pairs(a: &[char], b: &[char]) -> Vec<(usize, usize)> {
    let reach = reach(a.len(), b.len());
    let mut taken = vec![false; b.len()];
    let mut pairs = Vec::new();
    for (i, character) in a.iter().enumerate() {
        let window = i.saturating_sub(reach)..(i + reach + 1).min(b.len());
        if let Some(j) = window.into_iter().find(|&j| !taken[j] && b[j] == *character) {
            taken[j] = true;
            pairs.push((i, j));
        }
    }
    pairs
}

/// What the lanes keep from column to column.
pub(super) struct LaneMemory<W, const L: usize> {
    /// Which positions of each row a position of the column may match, for columns as many
    /// characters long as there are windows.
    windows: Vec<Lanes<W, L>>,
    /// With which position of each row a position of the column is matched: its bit, or 0.
    partners: Vec<Lanes<W, L>>,
}

impl<W, const L: usize> Default for LaneMemory<W, L> {
    fn default() -> Self {
        Self { windows: Vec::new(), partners: Vec::new() }
    }
}

impl<W: Word, const L: usize> LaneMemory<W, L> {
    #[inline(always)]
    fn prepare(&mut self, lengths: &[u32; L], column: usize) {
        if self.windows.len() == column {
            return;
        }
        let reaches = lengths.map(|row| reach(row as usize, column));
        // The window is what lies below its upper and not below its lower end.
        let mut below_upper = reaches.map(W::low_bits);
        let mut below_lower = [W::default(); L];
        self.windows.clear();
        for position in 0..column {
            let mut window = Lanes::splat(W::default());
            for lane in 0..L {
                below_upper[lane] = below_upper[lane].up() | W::ONE;
                if position > reaches[lane] {
                    below_lower[lane] = below_lower[lane].up() | W::ONE;
                }
                window.0[lane] = below_upper[lane] & !below_lower[lane];
            }
            self.windows.push(window);
        }
        self.partners.resize(column, Lanes::splat(W::default()));
    }
}

/// The Jaro similarities of all lanes with one column, in two passes: match; then, the rows'
/// matched positions being known, take them from the lowest up and see which are in order.
#[allow(clippy::needless_range_loop, reason = "lanes side by side, see `LaneKernel`")]
#[inline(always)]
fn lane_scores<W: Word, const L: usize>(
    group: &Group<W, L>,
    column: &[u32],
    memory: &mut LaneMemory<W, L>,
) -> [f64; L] {
    memory.prepare(&group.lengths, column.len());
    let mut flags = [W::default(); L];
    let matching = column.iter().zip(&memory.windows).zip(&mut memory.partners);
    for ((&code, window), partner) in matching {
        // Written to memory only when all lanes are done: else the compiler must fear that the
        // partners overlap what it still has to read, and does one lane at a time.
        let mut met = [W::default(); L];
        let equal = group.positions(code);
        for lane in 0..L {
            met[lane] = (equal.0[lane] & window.0[lane] & !flags[lane]).lowest();
            flags[lane] = flags[lane] | met[lane];
        }
        *partner = Lanes(met);
    }

    let mut left = flags;
    let mut in_order = [W::default(); L];
    for (&code, partner) in column.iter().zip(&memory.partners) {
        let equal = group.positions(code);
        for lane in 0..L {
            // All ones if the column's character is matched, else zero.
            let matched = W::default().minus(partner.0[lane].any());
            let opposite = left[lane].lowest() & matched;
            left[lane] = left[lane] ^ opposite;
            in_order[lane] = in_order[lane].plus((equal.0[lane] & opposite).any());
        }
    }

    let mut scores = [0.0; L];
    for lane in 0..L {
        let common = Common { matched: flags[lane].ones(), in_order: in_order[lane].count() };
        scores[lane] = common.score(group.lengths[lane], column.len() as u32);
    }
    scores
}

/// How many of the first characters each row shares with the column, at most [`PREFIX`].
#[allow(clippy::needless_range_loop, reason = "lanes side by side, see `LaneKernel`")]
#[inline(always)]
fn lane_prefixes<W: Word, const L: usize>(group: &Group<W, L>, column: &[u32]) -> [u32; L] {
    let mut alike = [W::default(); L];
    let mut bit = W::ONE;
    for &code in column.iter().take(PREFIX) {
        let equal = group.positions(code);
        for lane in 0..L {
            alike[lane] = alike[lane] | (equal.0[lane] & bit);
        }
        bit = bit.up();
    }
    // The ones below the first zero.
    alike.map(|alike| (alike & !alike.plus(W::ONE)).ones())
}

impl LaneKernel for Jaro {
    type Memory<W: Word, const L: usize> = LaneMemory<W, L>;

    #[inline(always)]
    fn scores<W: Word, const L: usize>(
        &self,
        group: &Group<W, L>,
        column: &[u32],
        memory: &mut LaneMemory<W, L>,
    ) -> [f64; L] {
        lane_scores(group, column, memory)
    }
}

impl LaneKernel for JaroWinkler {
    type Memory<W: Word, const L: usize> = LaneMemory<W, L>;

    #[inline(always)]
    fn scores<W: Word, const L: usize>(
        &self,
        group: &Group<W, L>,
        column: &[u32],
        memory: &mut LaneMemory<W, L>,
    ) -> [f64; L] {
        let mut scores = lane_scores(group, column, memory);
        let prefixes = lane_prefixes(group, column);
        for lane in 0..L {
            scores[lane] = self.boost(scores[lane], prefixes[lane]);
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::{
        chars, hold_laws, hold_matrix, pairs, terms, terms_of_telling_lengths,
    };
    use super::*;

    /// The definition, character by character.
    fn slow_jaro(a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        let reach = (a.len().max(b.len()) / 2).max(1) - 1;
        let (mut in_a, mut in_b) = (vec![false; a.len()], vec![false; b.len()]);
        for i in 0..a.len() {
            for j in 0..b.len() {
                if i.abs_diff(j) <= reach && a[i] == b[j] && !in_a[i] && !in_b[j] {
                    (in_a[i], in_b[j]) = (true, true);
                }
            }
        }
        let matched = |term: &[char], flags: &[bool]| -> Vec<char> {
            term.iter().zip(flags).filter(|(_, flag)| **flag).map(|(c, _)| *c).collect()
        };
        let (left, right) = (matched(a, &in_a), matched(b, &in_b));
        if left.is_empty() {
            return 0.0;
        }
        let out_of_order = left.iter().zip(&right).filter(|(x, y)| x != y).count() / 2;
        let m = left.len() as f64;
        (m / a.len() as f64 + m / b.len() as f64 + (m - out_of_order as f64) / m) / 3.0
    }

    fn slow_winkler(a: &[char], b: &[char], weight: f64) -> f64 {
        let jaro = slow_jaro(a, b);
        let prefix = (0..4).take_while(|&i| i < a.len() && a.get(i) == b.get(i)).count();
        if jaro > 0.7 { jaro + prefix as f64 * weight * (1.0 - jaro) } else { jaro }
    }

    proptest! {
        #[test]
        fn matching_by_definition_gives_the_same((a, b) in pairs(), weight in 0.0..0.25) {
            prop_assert!((Jaro.similarity(&a, &b) - slow_jaro(&a, &b)).abs() < 1e-15);
            let winkler = JaroWinkler { prefix_weight: weight, ..JaroWinkler::default() };
            prop_assert!((winkler.similarity(&a, &b) - slow_winkler(&a, &b, weight)).abs() < 1e-15);
        }

        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), cutoff in 0.0..1.0, weight in -0.1..0.4) {
            hold_laws(&Jaro, &a, &b, cutoff)?;
            hold_laws(&JaroWinkler { prefix_weight: weight, ..JaroWinkler::default() }, &a, &b, cutoff)?;
        }

        #[test]
        fn a_batch_gives_the_bits_of_single_pairs(
            rows in prop::collection::vec(terms(), 0..40),
            columns in prop::collection::vec(terms(), 0..20),
        ) {
            hold_matrix(&Jaro, &rows, &columns)?;
            hold_matrix(&JaroWinkler::default(), &rows, &columns)?;
        }
    }

    #[test]
    fn a_batch_of_all_telling_lengths_gives_the_bits_of_single_pairs() {
        let terms = terms_of_telling_lengths();
        hold_matrix(&Jaro, &terms, &terms).unwrap();
        hold_matrix(&JaroWinkler::default(), &terms, &terms).unwrap();
    }

    #[test]
    fn the_pairs_of_the_literature_come_out() {
        for (a, b, jaro, winkler) in [
            ("MARTHA", "MARHTA", 0.9444, 0.9611),
            ("DIXON", "DICKSONX", 0.7667, 0.8133),
            ("DWAYNE", "DUANE", 0.8222, 0.8400),
            ("JELLYFISH", "SMELLYFISH", 0.8963, 0.8963),
            ("CRATE", "TRACE", 0.7333, 0.7333),
            ("ABC", "XYZ", 0.0, 0.0),
        ] {
            let (a, b) = (chars(a), chars(b));
            assert!((Jaro.similarity(&a, &b) - jaro).abs() < 5e-5);
            assert!((JaroWinkler::default().similarity(&a, &b) - winkler).abs() < 5e-5);
        }
    }

    #[test]
    fn a_senseless_prefix_weight_still_gives_a_similarity() {
        let (a, b) = (chars("MARTHA"), chars("MARHTA"));
        for weight in [f64::NAN, f64::NEG_INFINITY, -1.0, 5.0, f64::INFINITY] {
            let score =
                JaroWinkler { prefix_weight: weight, ..JaroWinkler::default() }.similarity(&a, &b);
            assert!((0.0..=1.0).contains(&score), "{weight} gives {score}");
        }
    }

    #[test]
    fn terms_too_long_to_take_apart_are_explained_in_one_piece() {
        let (a, b) = (vec!['a'; 7000], vec!['b'; 7001]);
        assert_eq!(Jaro.align(&a, &b).pieces[0].kind, "long");
    }
}
