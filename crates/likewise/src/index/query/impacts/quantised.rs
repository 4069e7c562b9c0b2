//! Impacts quantised to two bytes, for one or two measures over the same feature space.
//!
//! Computing impacts is mostly waiting for memory. So one word of memory is kept for a term, and one is read for each feature
//! that it shares with the query. The list of terms with a feature carries each term's [bin](crate::index::format::bins);
//! a table for each feature says what it adds to the terms of a bin, in units, rounded up. What is added up is not the
//! impact but the scaled bound; within a bin one is the other times a constant. So essential terms are found by
//! comparing integers.

use crate::index::format::bins::{About, BINS, Bins, SCALES};
use crate::index::query::bind::ComponentBounds;
use crate::measure::search::ImpactCurve;
use crate::slack::F32_FEW as ABOVE;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Quantised impacts; the memory is used again from query to query.
#[derive(Default)]
pub struct QuantisedImpacts {
    bins: Option<Arc<Bins>>,
    /// For each term two scaled bounds in units, two bytes each; zeros pad to whole groups of groups.
    sums: Vec<u32>,
    unit: f32,
    /// Whether a term has its own share of its bin's bound, see [`About`].
    shared: bool,
    /// For each density class the impact of a unit; a single pair if all count as the densest.
    impacts: Vec<[f32; 2]>,
    /// The largest of each [`LANES`] terms, in units, and of as many of these: most terms are far below every threshold.
    largest: Vec<u32>,
    highest: Vec<u32>,
    /// For each feature of the query the impact by scale class, and the scaled bound by bin in units.
    by_scale: Vec<[[f32; SCALES]; 2]>,
    table: Vec<u32>,
}

/// The largest two-byte number.
const MOST: f32 = 65_535.0;
/// How many terms are added up at a time: their sums stay in near cache.
const RANGE: usize = 1 << 14;
/// How many terms are skipped together.
const LANES: usize = 8;
/// A query of so many features, among long texts, will lead to most of them.
const MANY: usize = 64;

impl QuantisedImpacts {
    /// Adds up the scaled bounds; `false` if the numbers do not fit into two bytes. With long texts and a long query all
    /// density classes count as the densest: essential terms would lead to most texts anyway, and tables of one class stay in
    /// the nearest cache.
    pub fn fill(&mut self, bins: &Arc<Bins>, bounds: &[ComponentBounds], long: bool) -> bool {
        let features = side_by_side(bounds.iter().map(ComponentBounds::feature_impacts).collect());
        let slope_limit = |c: usize| bounds.get(c).map_or([0.0; 2], ComponentBounds::slope_limit);
        let [(x, first), (y, second)] = [0, 1].map(|c| bins.densities(c, slope_limit(c)));
        let as_one = long && features.len() >= MANY;
        let densities = [x, y].map(|own| if as_one { vec![most(&own)] } else { own.to_vec() });
        self.shared = first && second;
        if !self.fill_table(bins, &features, &densities) {
            return false;
        }
        let impact = |density: f32| if density > 0.0 { self.unit / density * ABOVE } else { 0.0 };
        self.impacts.clear();
        self.impacts
            .extend(densities[0].iter().zip(&densities[1]).map(|(x, y)| [impact(*x), impact(*y)]));
        self.sums.resize((bins.terms() + 1).next_multiple_of(LANES * LANES), 0);
        self.largest.clear();
        let mut left: Vec<Left> =
            features.iter().map(|(feature, _)| bins.listed(*feature)).collect();
        for (at, sums) in self.sums.chunks_mut(RANGE).enumerate() {
            sums.fill(0);
            let first = (at * RANGE) as u32;
            if as_one {
                add_all::<SCALES>(sums, first, &mut left, &self.table);
            } else {
                add_all::<BINS>(sums, first, &mut left, &self.table);
            }
            self.largest.extend(sums.as_chunks::<LANES>().0.iter().map(largest));
        }
        let most = |some: &[u32; LANES]| some.iter().fold(0, |most, own| most.max(*own));
        self.highest.clear();
        self.highest.extend(self.largest.as_chunks().0.iter().map(most));
        self.bins = Some(Arc::clone(bins));
        true
    }

    /// Chooses the unit and fills the table.
    fn fill_table(
        &mut self,
        bins: &Bins,
        features: &[(u32, [ImpactCurve; 2])],
        densities: &[Vec<f32>; 2],
    ) -> bool {
        self.by_scale.clear();
        let (mut all, mut largest) = ([[0.0f32; SCALES]; 2], [[0.0f32; SCALES]; 2]);
        for (_, curves) in features {
            let impacts = curves.map(|curve| bins.scales().map(|scale| curve.at(scale)));
            for c in 0..2 {
                for ((all, largest), impact) in
                    all[c].iter_mut().zip(&mut largest[c]).zip(impacts[c])
                {
                    *all += impact;
                    *largest = if impact > *largest { impact } else { *largest };
                }
            }
            self.by_scale.push(impacts);
        }
        // The highest impact of one term, which has only so many features.
        let impact = [0, 1].map(|c| {
            let of = |class: usize| {
                all[c][class].min(largest[c][class] * bins.most_features()[class] * ABOVE)
            };
            most(&std::array::from_fn::<f32, SCALES, _>(of))
        });
        let density = densities.each_ref().map(|own| most(own));
        // Each feature is rounded up twice, by less than a unit.
        let units = MOST - 2.0 * features.len() as f32;
        self.unit = (impact[0] * density[0]).max(impact[1] * density[1]) * ABOVE / units;
        self.table.clear();
        if !(self.unit.is_finite() && self.unit > 0.0 && units > MOST / 2.0) {
            return features.is_empty();
        }
        // Densities as shares of the largest, and impacts in units of the densest texts: integers are enough.
        let share =
            |(x, y): (&f32, &f32)| [up(x / density[0] * 65_534.0), up(y / density[1] * 65_534.0)];
        let shares: Vec<[u16; 2]> = densities[0].iter().zip(&densities[1]).map(share).collect();
        let per_unit = density.map(|density| density * ABOVE / self.unit);
        self.table.resize(features.len() * SCALES * shares.len(), 0);
        let rows = self.table.chunks_exact_mut(SCALES * shares.len());
        for (rows, impacts) in rows.zip(&self.by_scale) {
            for (scale, row) in rows.chunks_exact_mut(shares.len()).enumerate() {
                let units = [0, 1].map(|c| up(impacts[c][scale] * per_unit[c]));
                let more = units.map(|units| u16::from(units > 0));
                for (share, out) in shares.iter().zip(row) {
                    let of = |c: usize| high(units[c], share[c]) + more[c];
                    *out = u32::from(of(0)) | u32::from(of(1)) << 16;
                }
            }
        }
        true
    }

    /// Whether all texts count as the densest.
    pub fn is_rough(&self) -> bool {
        self.impacts.len() == 1
    }

    /// See [`super::TermImpacts::each_reaching`].
    pub fn each_reaching(&self, threshold: f32, mut each: impl FnMut(u32, f32) -> ControlFlow<()>) {
        let Some(bins) = &self.bins else { return };
        let units = ((threshold / (self.unit * ABOVE)) as u32).max(1);
        let all = if self.shared { 0 } else { u8::MAX };
        let (groups, sums) =
            (self.largest.as_chunks::<LANES>().0, self.sums.as_chunks::<LANES>().0);
        let many = self.highest.iter().zip(groups).enumerate();
        for (first, (_, groups)) in many.filter(|(_, (highest, _))| **highest >= units) {
            for group in set(groups.map(|largest| largest >= units)) {
                let at = first * LANES + group;
                for lane in set(sums[at].map(|sums| together(sums) >= units)) {
                    let (term, own) = (at * LANES + lane, sums[at][lane]);
                    let [x, y] = bins.about()[term].shares.map(|share| u32::from(share | all));
                    let scaled = (own & 0xffff) * x + (own >> 16) * y;
                    if scaled < units * 255 {
                        continue;
                    }
                    let scaled = scaled as f32 / 255.0 * self.unit * ABOVE;
                    if each(term as u32, scaled).is_break() {
                        return;
                    }
                }
            }
        }
    }

    /// A threshold that the scaled bounds of about so many terms reach.
    pub fn threshold_of(&self, many: usize) -> f32 {
        let mut highest = self.highest.clone();
        let at = many.min(highest.len().saturating_sub(1));
        let order = |x: &u32, y: &u32| y.cmp(x);
        let threshold =
            if highest.is_empty() { 0 } else { *highest.select_nth_unstable_by(at, order).1 };
        threshold as f32 * self.unit
    }

    /// The impacts of a term under both components.
    #[inline(always)]
    pub fn impacts(&self, term: u32) -> [f32; 2] {
        let Some(bins) = &self.bins else { return [0.0; 2] };
        self.impacts_of(self.sums[term as usize], bins.about()[term as usize])
    }

    /// The impacts for scaled bounds in units.
    #[inline(always)]
    fn impacts_of(&self, sums: u32, about: About) -> [f32; 2] {
        let class = if self.is_rough() { 0 } else { usize::from(about.class) };
        let [first, second] = self.impacts[class];
        [(sums & 0xffff) as f32 * first, (sums >> 16) as f32 * second]
    }

    /// The sums of a text's impacts.
    #[inline(always)]
    pub fn of_text(&self, terms: &[u32]) -> [f32; 2] {
        /// The sum of so many two-byte numbers fits into four bytes.
        const SUMMED: usize = 1 << 16;
        if let [[first, second]] = self.impacts[..] {
            let mut sums = [0.0; 2];
            for some in terms.chunks(SUMMED) {
                let (mut x, mut y) = (0, 0);
                for &term in some {
                    let own = self.sums[term as usize];
                    x += own & 0xffff;
                    y += own >> 16;
                }
                sums = [sums[0] + x as f32 * first, sums[1] + y as f32 * second];
            }
            return sums;
        }
        terms.iter().fold([0.0; 2], |sum, &term| {
            let impacts = self.impacts(term);
            [sum[0] + impacts[0], sum[1] + impacts[1]]
        })
    }

    /// See [`super::TermImpacts::rounded`].
    pub fn rounded(&self, scales: [f32; 2], round: impl Fn(f32) -> u16, out: &mut Vec<u16>) {
        let Some(bins) = &self.bins else { return };
        let terms = &self.sums[..=bins.terms()];
        if let [[first, second]] = self.impacts[..] {
            // Without a table look-up the loop is vectorised.
            let (x, y) = (first * scales[0], second * scales[1]);
            let sum = |own: &u32| (own & 0xffff) as f32 * x + (own >> 16) as f32 * y;
            out.extend(terms.iter().map(|own| round(sum(own))));
        } else {
            let impacts =
                terms.iter().zip(bins.about()).map(|(own, about)| self.impacts_of(*own, *about));
            out.extend(impacts.map(|[x, y]| round(x * scales[0] + y * scales[1])));
        }
    }
}

/// The lanes that are set, found without a branch for each.
#[inline]
fn set(lanes: [bool; LANES]) -> impl Iterator<Item = usize> {
    let mut left = u64::from_le_bytes(lanes.map(u8::from));
    std::iter::from_fn(move || {
        let lane = (left.trailing_zeros() / u8::BITS) as usize;
        left &= left.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

/// The sum of both scaled bounds of a term, in units.
#[inline]
fn together(sums: u32) -> u32 {
    (sums & 0xffff) + (sums >> 16)
}

/// The largest of some terms.
fn largest(sums: &[u32; LANES]) -> u32 {
    sums.iter().fold(0, |most, &sums| most.max(together(sums)))
}

/// Terms with a feature that are left to be gone over, and their bins.
type Left<'a> = (&'a [u32], &'a [u16]);

/// Adds the features' tables, of N numbers each, to the terms of a range.
fn add_all<const N: usize>(sums: &mut [u32], first: u32, left: &mut [Left], tables: &[u32]) {
    for (left, table) in left.iter_mut().zip(tables.as_chunks::<N>().0) {
        let done = add(sums, first, *left, table);
        *left = (&left.0[done..], &left.1[done..]);
    }
}

/// Adds a feature's table, by bin or by scale class, to its terms in a range; says how many they are.
#[inline(never)] // A loop by itself has the registers to itself.
fn add<const N: usize>(
    sums: &mut [u32],
    first: u32,
    (terms, bins): Left,
    table: &[u32; N],
) -> usize {
    for (at, (&term, &bin)) in terms.iter().zip(bins).enumerate() {
        // In a damaged index lists may be out of order: sums are wrong then, and nothing else is.
        let Some(sum) = sums.get_mut(term.wrapping_sub(first) as usize) else { return at };
        *sum = sum.wrapping_add(table[usize::from(bin) / (BINS / N) % N]);
    }
    terms.len()
}

/// The largest of some numbers.
fn most(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |most, own| if *own > most { *own } else { most })
}

/// The next whole number, and 0 only for nothing.
fn up(number: f32) -> u16 {
    (number as u16).saturating_add(u16::from(number > 0.0))
}

/// The higher bytes of a product.
#[inline]
fn high(x: u16, y: u16) -> u16 {
    ((u32::from(x) * u32::from(y)) >> 16) as u16
}

/// The features of a query, each with its impact curves under one measure or two.
fn side_by_side(mut curves: Vec<Vec<(u32, ImpactCurve)>>) -> Vec<(u32, [ImpactCurve; 2])> {
    let second = if curves.len() > 1 { curves.remove(1) } else { Vec::new() };
    let mut second = second.into_iter().peekable();
    let mut both = Vec::new();
    for (feature, curve) in curves.into_iter().flatten() {
        while let Some((other, own)) = second.next_if(|(other, _)| *other < feature) {
            both.push((other, [ImpactCurve::NONE, own]));
        }
        let other = second.next_if(|(other, _)| *other == feature);
        both.push((feature, [curve, other.map_or(ImpactCurve::NONE, |(_, curve)| curve)]));
    }
    both.extend(second.map(|(feature, curve)| (feature, [ImpactCurve::NONE, curve])));
    both
}
