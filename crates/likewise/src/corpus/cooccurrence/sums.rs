//! Second-order co-occurrence PMI: the distributional similarity of words.
//!
//! PMI(t, w) = log₂(pairs(t, w) · m / (cf(t) · cf(w))) says how much more often two words stand together than by chance. Of each
//! word w the β(w) = (ln cf(w))² · log₂(n) / δ neighbours with the highest PMI are *typical*. f(v, w) adds up PMI(x, w)^γ over
//! the typical neighbours x of v that stand by w more often than by chance, too, and
//!
//! ```text
//! similarity(v, w) = min(1, (f(v, w)/β(v) + f(w, v)/β(w)) / λ)
//! ```
//!
//! Every f is added up by the numbers of the neighbours, whichever way it is computed, so that all ways give the same bits, and
//! either word may come first.
//!
//! Source: Islam & Inkpen, "Second Order Co-occurrence PMI for Determining the Semantic Similarity of Words" (LREC 2006).

use super::lists::{Lists, ListsView};
use super::marks::Marks;
use crate::flat::Flat;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::sync::OnceLock;

/// Logarithms of counts below this are at hand: few pairs stand together more often.
const SMALL: usize = 1024;
/// So many places are found before what is there is looked at.
const AT_ONCE: usize = if cfg!(test) { 2 } else { 64 };
/// So many words are worked on at a time.
const STRETCH: usize = 1024;

/// The constants of second-order co-occurrence PMI.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SocPmiConstants {
    /// γ, 1 to 100: how much more a neighbour counts that is more typical.
    pub gamma: f64,
    /// δ, 0.01 to 1000: the larger, the fewer neighbours of a word count as typical.
    pub delta: f64,
    /// λ, 0.001 to 10¹²: what the sum is divided by; it stands for 1.
    pub lambda: f64,
}

impl Default for SocPmiConstants {
    /// γ = 3, δ = 6.5, λ = 20.
    fn default() -> Self {
        Self { gamma: 3.0, delta: 6.5, lambda: 20.0 }
    }
}

impl SocPmiConstants {
    /// The least and the most that each may be.
    pub(crate) const GAMMA: (f64, f64) = (1.0, 100.0);
    pub(crate) const DELTA: (f64, f64) = (0.01, 1000.0);
    pub(crate) const LAMBDA: (f64, f64) = (0.001, 1e12);

    /// One that is out of its limits, with its name and limits.
    pub(super) fn wrong(&self) -> Option<(&'static str, f64, (f64, f64))> {
        let all = [
            ("gamma", self.gamma, Self::GAMMA),
            ("delta", self.delta, Self::DELTA),
            ("lambda", self.lambda, Self::LAMBDA),
        ];
        all.into_iter().find(|(_, value, (least, most))| !(least..=most).contains(&value))
    }

    /// β of a word that occurs so often, in a corpus of so many different words.
    fn beta(&self, cf: u64, words: usize) -> f64 {
        (cf as f64).ln().powi(2) * (words as f64).log2() / self.delta
    }
}

/// How many neighbours of a word are typical.
fn whole(beta: f64) -> usize {
    (beta as usize).max(1)
}

/// What was counted.
#[derive(Clone, Default)]
pub(super) struct Counts {
    /// For each word its neighbours, in order.
    pub neighbours: Lists,
    /// How often each stands by it.
    pub together: Flat<u32>,
    /// How often each word occurs, of those that take part.
    pub cf: Flat<u64>,
    /// How many words the corpus has: all, and different ones.
    pub occurrences: u64,
    pub distinct: usize,
}

/// Whether two words stand together more often than by chance: whether their PMI is above 0, exactly.
pub(super) fn above_chance(together: u64, occurrences: u64, cf: u64, other: u64) -> bool {
    u128::from(together) * u128::from(occurrences) > u128::from(cf) * u128::from(other)
}

impl Counts {
    /// How many neighbours of each word are typical: β, whole, of those it has.
    pub fn typical_of(&self, word: usize, constants: &SocPmiConstants) -> usize {
        let most = whole(constants.beta(self.cf[word], self.distinct));
        most.min(self.neighbours.view().range(word as u32).len())
    }

    /// The typical neighbours of all words, found in parallel.
    pub fn typical(&self, constants: &SocPmiConstants) -> Lists {
        let (neighbours, together) = (self.neighbours.view(), &self.together[..]);
        let cf = &self.cf[..];
        let stretches = (0..cf.len()).into_par_iter().step_by(STRETCH).map(|from| {
            let (mut sizes, mut items, mut places) = (Vec::new(), Vec::new(), Vec::new());
            for word in from..cf.len().min(from + STRETCH) {
                let range = neighbours.range(word as u32);
                let most = self.typical_of(word, constants);
                sizes.push(most as u64);
                if most == range.len() {
                    items.extend_from_slice(&neighbours.items[range]);
                    continue;
                }
                // By PMI, the highest first: by the share of the neighbour's occurrences that is near the word. Exactly.
                let typical_first = |&a: &usize, &b: &usize| {
                    let (x, y) = (neighbours.items[a], neighbours.items[b]);
                    let a = u128::from(together[a]) * u128::from(cf[y as usize]);
                    let b = u128::from(together[b]) * u128::from(cf[x as usize]);
                    b.cmp(&a).then(x.cmp(&y))
                };
                places.clear();
                places.extend(range);
                places.select_nth_unstable_by(most - 1, typical_first);
                places.truncate(most);
                places.sort_unstable();
                items.extend(places.iter().map(|&place| neighbours.items[place]));
            }
            (sizes, items)
        });
        let stretches: Vec<(Vec<u64>, Vec<u32>)> = stretches.collect();
        let (mut ends, mut items) = (Vec::with_capacity(cf.len()), Vec::new());
        let mut end = 0;
        for (sizes, some) in stretches {
            ends.extend(sizes.iter().map(|size| {
                end += size;
                end
            }));
            items.extend(some);
        }
        Lists { ends: ends.into(), items: items.into() }
    }
}

/// All that similarities are computed from.
pub(super) struct Sums {
    counts: Counts,
    typical: Lists,
    /// For each word those that it is typical for.
    typical_for: Lists,
    /// What the sum over a word's typical neighbours is divided by.
    divisors: Vec<f64>,
    /// log₂ of how often each word occurs, of small counts, and of the number of all words.
    logs: Vec<f64>,
    small: Vec<f64>,
    log_all: f64,
    gamma: f64,
    lambda: f64,
    /// The neighbours of words that have many, once they were looked at.
    marks: Vec<OnceLock<Marks>>,
}

impl Sums {
    pub fn new(counts: Counts, typical: Lists, constants: &SocPmiConstants) -> Self {
        let typical_for = typical.turned();
        let divisor = |&cf: &u64| constants.beta(cf, counts.distinct).max(1.0);
        Self {
            typical_for,
            divisors: counts.cf.iter().map(divisor).collect(),
            logs: counts.cf.iter().map(|&cf| (cf as f64).log2()).collect(),
            small: (0..SMALL).map(|count| (count as f64).log2()).collect(),
            log_all: (counts.occurrences as f64).log2(),
            gamma: constants.gamma,
            lambda: constants.lambda,
            marks: counts.cf.iter().map(|_| OnceLock::new()).collect(),
            counts,
            typical,
        }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.divisors.len()
    }

    /// How often each occurs.
    pub fn cf(&self) -> &[u64] {
        &self.counts.cf
    }

    pub fn view(&self) -> View<'_> {
        View {
            neighbours: self.counts.neighbours.view(),
            together: &self.counts.together,
            typical: self.typical.view(),
            typical_for: self.typical_for.view(),
            sums: self,
        }
    }
}

/// The same, for loops.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    neighbours: ListsView<'a>,
    together: &'a [u32],
    typical: ListsView<'a>,
    typical_for: ListsView<'a>,
    sums: &'a Sums,
}

/// What going over many words needs, kept from one time to the next. Between times all sums are 0.
#[derive(Default)]
pub(super) struct Scratch {
    /// f from a word to each, and from each to it.
    there: Vec<f64>,
    back: Vec<f64>,
    /// Which are not 0.
    met: Vec<u32>,
}

/// How the sums from many words to one are found: all give the same bits, and which is least work depends on how many they
/// are.
#[derive(Clone, Copy)]
enum Back {
    /// For all words at once, neighbour by neighbour.
    Summed,
    /// From how strongly each neighbour belongs to the one, laid out. To search takes several times as long.
    LaidOut,
    Searched,
}

impl View<'_> {
    /// PMI^γ of two words that stand together so often; the same whichever comes first.
    #[inline]
    pub fn strength(&self, x: u32, y: u32, together: u32) -> f64 {
        let sums = self.sums;
        let small = sums.small.get(together as usize).copied();
        let together = small.unwrap_or_else(|| f64::from(together).log2());
        // Above 0 if it were exact.
        let pmi = together + sums.log_all - (sums.logs[x as usize] + sums.logs[y as usize]);
        let pmi = pmi.max(0.0);
        if sums.gamma == 3.0 { pmi * pmi * pmi } else { pmi.powf(sums.gamma) }
    }

    /// The similarity, but for what is above 1.
    #[inline]
    fn uncut(&self, a: u32, b: u32, a_to_b: f64, b_to_a: f64) -> f64 {
        let sums = self.sums;
        let sum = a_to_b / sums.divisors[a as usize] + b_to_a / sums.divisors[b as usize];
        sum / sums.lambda
    }

    /// How alike two different words are.
    pub fn similarity(&self, a: u32, b: u32) -> f64 {
        self.uncut(a, b, self.sum(a, b), self.sum(b, a)).min(1.0)
    }

    /// f(from, to): over the typical neighbours of one word how strongly each belongs to the other.
    fn sum(&self, from: u32, to: u32) -> f64 {
        let (typical, range) = (self.typical.of(from), self.neighbours.range(to));
        let (near, together) = (&self.neighbours.items[range.clone()], &self.together[range]);
        let mut sum = 0.0;
        let mut met = [(0, 0); AT_ONCE];
        if Marks::worth(self.sums.len(), near.len()) {
            let marks =
                self.sums.marks[to as usize].get_or_init(|| Marks::new(self.sums.len(), near));
            // Which are there first, and no jump depends on it: then the counts, which lie far apart, are fetched side by side.
            for some in typical.chunks(AT_ONCE) {
                let mut count = 0;
                for &x in some {
                    met[count].0 = x;
                    count += usize::from(marks.has(x));
                }
                for &(x, _) in &met[..count] {
                    sum += self.strength(x, to, together[marks.place(x)]);
                }
            }
            return sum;
        }
        // Both are in order. Where one is much longer it is searched from the start each time: then no search waits for the one before.
        if typical.len() * 4 <= near.len() {
            for some in typical.chunks(AT_ONCE) {
                let mut count = 0;
                for &x in some {
                    let at = near.partition_point(|&y| y < x);
                    met[count] = (x, at as u32);
                    count += usize::from(near.get(at) == Some(&x));
                }
                for &(x, at) in &met[..count] {
                    sum += self.strength(x, to, together[at as usize]);
                }
            }
        } else if typical.len() <= near.len() {
            let mut at = 0;
            for &x in typical {
                at = skip_to(near, at, x);
                match near.get(at) {
                    Some(&y) if y == x => sum += self.strength(x, to, together[at]),
                    Some(_) => {}
                    None => break,
                }
            }
        } else {
            let mut at = 0;
            for (&x, &together) in near.iter().zip(together) {
                at = skip_to(typical, at, x);
                match typical.get(at) {
                    Some(&y) if y == x => sum += self.strength(x, to, together),
                    Some(_) => {}
                    None => break,
                }
            }
        }
        sum
    }

    /// The typical neighbours of a word, in order.
    pub fn typical(&self, word: u32) -> &[u32] {
        self.typical.of(word)
    }

    /// The words that one is typical for, in order.
    pub fn typical_for(&self, word: u32) -> &[u32] {
        self.typical_for.of(word)
    }

    /// What the sum over a word's typical neighbours is divided by, λ included.
    pub fn divisor(&self, word: u32) -> f64 {
        self.sums.divisors[word as usize] * self.sums.lambda
    }

    /// The neighbours of a word, in order, and how often each stands by it.
    #[inline]
    pub fn neighbours(&self, word: u32) -> (&[u32], &[u32]) {
        let range = self.neighbours.range(word);
        (&self.neighbours.items[range.clone()], &self.together[range])
    }

    /// Every other word that is like one at all and how much, not cut at 1, in no particular order. Sums grow by the numbers of
    /// neighbours here, too.
    pub fn each_alike(&self, word: u32, scratch: &mut Scratch, mut each: impl FnMut(u32, f64)) {
        let Scratch { there, back, met } = scratch;
        there.resize(self.sums.len().max(there.len()), 0.0);
        back.resize(self.sums.len().max(back.len()), 0.0);
        for &x in self.typical.of(word) {
            let range = self.neighbours.range(x);
            let near = &self.neighbours.items[range.clone()];
            for (&other, &together) in near.iter().zip(&self.together[range]) {
                let strength = self.strength(x, other, together);
                let sum = &mut there[other as usize];
                if *sum == 0.0 && strength > 0.0 {
                    met.push(other);
                }
                *sum += strength;
            }
        }
        let range = self.neighbours.range(word);
        let near = &self.neighbours.items[range.clone()];
        for (&x, &together) in near.iter().zip(&self.together[range]) {
            let strength = self.strength(x, word, together);
            if strength == 0.0 {
                continue;
            }
            for &other in self.typical_for.of(x) {
                let sum = &mut back[other as usize];
                if *sum == 0.0 && there[other as usize] == 0.0 {
                    met.push(other);
                }
                *sum += strength;
            }
        }
        for other in met.drain(..) {
            let there = std::mem::take(&mut there[other as usize]);
            let back = std::mem::take(&mut back[other as usize]);
            let similarity = self.uncut(word, other, there, back);
            if other != word && similarity > 0.0 {
                each(other, similarity);
            }
        }
    }

    /// Every row against every column: `put` is told their places and how alike they are. What is laid out for a row serves all
    /// columns: there should be more of them.
    pub fn matrix(
        &self,
        rows: &[u32],
        columns: &[u32],
        scratch: &mut Scratch,
        mut put: impl FnMut(usize, usize, f64),
    ) {
        let Scratch { there, back, .. } = scratch;
        there.resize(self.sums.len().max(there.len()), 0.0);
        back.resize(self.sums.len().max(back.len()), 0.0);
        let typical: usize = columns.iter().map(|&column| self.typical.range(column).len()).sum();
        for (at, &row) in rows.iter().enumerate() {
            let range = self.neighbours.range(row);
            let (near, together) = (&self.neighbours.items[range.clone()], &self.together[range]);
            let turned: usize = near.iter().map(|&x| self.typical_for.range(x).len()).sum();
            let way = if turned + self.sums.len() / 8 < typical {
                Back::Summed
            } else if near.len() < 2 * typical {
                Back::LaidOut
            } else {
                Back::Searched
            };
            for (&x, &together) in near.iter().zip(together) {
                match way {
                    Back::Summed => {
                        let strength = self.strength(x, row, together);
                        let others = self.typical_for.of(x).iter();
                        others.for_each(|&other| back[other as usize] += strength);
                    }
                    Back::LaidOut => back[x as usize] = self.strength(x, row, together),
                    Back::Searched => break,
                }
            }
            let own = self.typical.of(row);
            let work: usize = own.iter().map(|&x| self.neighbours.range(x).len()).sum();
            let lay_there = work + self.sums.len() / 8 < 4 * own.len() * columns.len();
            if lay_there {
                for &x in own {
                    let range = self.neighbours.range(x);
                    let near = &self.neighbours.items[range.clone()];
                    for (&other, &together) in near.iter().zip(&self.together[range]) {
                        there[other as usize] += self.strength(x, other, together);
                    }
                }
            }
            for (place, &column) in columns.iter().enumerate() {
                if row == column {
                    put(at, place, 1.0);
                    continue;
                }
                let to = if lay_there { there[column as usize] } else { self.sum(row, column) };
                let from = match way {
                    Back::Summed => back[column as usize],
                    Back::LaidOut => {
                        self.typical.of(column).iter().fold(0.0, |sum, &x| sum + back[x as usize])
                    }
                    Back::Searched => self.sum(column, row),
                };
                put(at, place, self.uncut(row, column, to, from).min(1.0));
            }
            match way {
                Back::Summed => back.fill(0.0),
                Back::LaidOut => near.iter().for_each(|&x| back[x as usize] = 0.0),
                Back::Searched => {}
            }
            if lay_there {
                there.fill(0.0);
            }
        }
    }
}

/// The first place from `at` on that is not below `wanted`, in steps that grow.
#[inline]
fn skip_to(sorted: &[u32], mut at: usize, wanted: u32) -> usize {
    let mut step = 1;
    while at + step <= sorted.len() && sorted[at + step - 1] < wanted {
        at += step;
        step *= 2;
    }
    let end = sorted.len().min(at + step);
    at + sorted[at..end].partition_point(|&x| x.cmp(&wanted) == Ordering::Less)
}
