//! Impacts in four bytes for each term and component: serves every measure.

use crate::index::format::docs::Docs;
use crate::index::query::bind::ComponentBounds;
use crate::measure::search::{ImpactList, ImpactRange, Impacts};
use rustc_hash::FxHashMap;
use std::ops::{ControlFlow, Range};

/// Impacts and scaled bounds of all terms, see [`super::TermImpacts`].
#[derive(Default)]
pub struct ExactImpacts {
    components: usize,
    /// For each term the impacts under each component, and zeros where a text has no term.
    impacts: Vec<f32>,
    /// For each term its scaled bound.
    scaled: Vec<f32>,
    /// The largest of each [`LANES`] of them: most terms are far below every threshold.
    largest: Vec<f32>,
    /// For each component the range that is being added up.
    ranges: Vec<ImpactRange>,
}

/// How many terms are added up at a time: their sums stay in the nearest cache.
const RANGE: u32 = 1 << 15;
/// How many terms are skipped together.
const LANES: usize = 32;

impl ExactImpacts {
    /// One component with these impacts.
    #[cfg(test)]
    pub fn of_impacts(impacts: Vec<f32>) -> Self {
        Self { components: 1, impacts, ..Self::default() }
    }

    /// Computes the impacts of the whole vocabulary.
    pub fn fill(&mut self, docs: &Docs, bounds: &[ComponentBounds]) {
        let all = docs.vocabulary_len() as u32;
        self.components = bounds.len();
        self.ranges.resize_with(bounds.len(), ImpactRange::default);
        self.impacts.resize((all as usize + 1) * bounds.len(), 0.0);
        self.impacts[all as usize * bounds.len()..].fill(0.0);
        self.scaled.resize(all as usize, 0.0);
        if bounds.is_empty() {
            return;
        }
        let slope_limits: Vec<[f32; 2]> = bounds.iter().map(ComponentBounds::slope_limit).collect();
        let (mut lists, mut computed) = (Vec::new(), Vec::new());
        for one in bounds {
            let (own, other) = match one.impacts() {
                Impacts::Lists(lists) => (lists, None),
                Impacts::Computed(compute) => (Vec::new(), Some(compute)),
            };
            lists.push(own);
            computed.push(other);
        }
        let mut together = take_together(&mut lists);
        let mut from = 0;
        while from < all {
            let to = all.min(from.saturating_add(RANGE));
            self.ranges.iter_mut().for_each(|impacts| impacts.begin(from..to));
            if let [first, second, ..] = &mut self.ranges[..] {
                together.iter_mut().for_each(|(x, y)| x.add_both(y, first, second));
            }
            for (c, impacts) in self.ranges.iter_mut().enumerate() {
                for list in &mut lists[c] {
                    list.add_to(impacts);
                }
                if let Some(compute) = &computed[c] {
                    compute(impacts);
                }
            }
            self.keep(docs, &slope_limits, from as usize..to as usize);
            from = to;
        }
        let larger = |most: f32, scaled: &f32| if *scaled > most { *scaled } else { most };
        self.largest.clear();
        self.largest.extend(self.scaled.chunks(LANES).map(|lanes| lanes.iter().fold(0.0, larger)));
    }

    /// Keeps the impacts of a range, and computes the scaled bounds of its terms.
    fn keep(&mut self, docs: &Docs, slope_limits: &[[f32; 2]], range: Range<usize>) {
        let components = self.components;
        let own = &mut self.impacts[range.start * components..range.end * components];
        let scaled = &mut self.scaled[range.clone()];
        let most = &docs.max_terms_with()[range.clone()];
        let densest = |c: usize| &docs.max_density_with(c)[range.clone()];
        // One and two are most measures, and faster in one pass.
        match &self.ranges[..] {
            [only] => {
                let impacts = only.as_slice();
                let [by_terms, by_density] = slope_limits[0];
                let densities = most.iter().zip(densest(0)).zip(impacts);
                for (scaled, ((most, densest), impact)) in scaled.iter_mut().zip(densities) {
                    *scaled = impact * (by_terms * most + by_density * densest);
                }
                own.copy_from_slice(impacts);
            }
            [first, second] => {
                let ([a, b], [c, d]) = (slope_limits[0], slope_limits[1]);
                let impacts = first.as_slice().iter().zip(second.as_slice());
                let densities = most.iter().zip(densest(0).iter().zip(densest(1))).zip(impacts);
                let out = scaled.iter_mut().zip(own.as_chunks_mut::<2>().0);
                for ((scaled, own), ((most, (x, y)), (first, second))) in out.zip(densities) {
                    *scaled = first * (a * most + b * x) + second * (c * most + d * y);
                    *own = [*first, *second];
                }
            }
            many => {
                scaled.fill(0.0);
                for (c, (impacts, &[by_terms, by_density])) in
                    many.iter().zip(slope_limits).enumerate()
                {
                    let densities = most.iter().zip(densest(c)).zip(impacts.as_slice());
                    for (scaled, ((most, densest), impact)) in scaled.iter_mut().zip(densities) {
                        *scaled += impact * (by_terms * most + by_density * densest);
                    }
                    let out = own.iter_mut().skip(c).step_by(components);
                    out.zip(impacts.as_slice()).for_each(|(out, impact)| *out = *impact);
                }
            }
        }
    }

    /// See [`super::TermImpacts::each_reaching`].
    pub fn each_reaching(&self, threshold: f32, mut each: impl FnMut(u32, f32) -> ControlFlow<()>) {
        for (at, _) in self.largest.iter().enumerate().filter(|(_, largest)| **largest >= threshold)
        {
            let lanes = &self.scaled[at * LANES..];
            for (lane, &scaled) in lanes.iter().take(LANES).enumerate() {
                if scaled >= threshold && each((at * LANES + lane) as u32, scaled).is_break() {
                    return;
                }
            }
        }
    }

    /// See [`super::TermImpacts::all_if_few`].
    pub fn all_if_few(&self, most: usize, terms: &mut Vec<u32>) -> bool {
        for (at, _) in self.largest.iter().enumerate().filter(|(_, largest)| **largest > 0.0) {
            let lanes = self.scaled[at * LANES..].iter().take(LANES).enumerate();
            let giving = lanes.filter(|(_, scaled)| **scaled > 0.0);
            terms.extend(giving.map(|(lane, _)| (at * LANES + lane) as u32));
            if terms.len() > most {
                return false;
            }
        }
        true
    }

    /// A threshold that the scaled bounds of about so many terms reach.
    pub fn threshold_of(&self, many: usize) -> f32 {
        let mut highest = self.largest.clone();
        let at = many.min(highest.len().saturating_sub(1));
        let order = |x: &f32, y: &f32| y.total_cmp(x);
        if highest.is_empty() { 0.0 } else { *highest.select_nth_unstable_by(at, order).1 }
    }

    /// See [`super::TermImpacts::rounded`].
    pub fn rounded(&self, scales: &[f32], round: impl Fn(f32) -> u16, out: &mut Vec<u16>) {
        // One and two components are most measures, and faster without a loop over them.
        match *scales {
            [a] => out.extend(self.impacts.iter().map(|x| round(x * a))),
            [a, b] => {
                let impacts = self.impacts.as_chunks().0.iter();
                out.extend(impacts.map(|[x, y]| round(x * a + y * b)));
            }
            _ => {
                let sum = |own: &[f32]| {
                    own.iter().zip(scales).map(|(impact, scale)| impact * scale).sum()
                };
                out.extend(self.impacts.chunks_exact(self.components).map(|own| round(sum(own))));
            }
        }
    }

    /// The impacts of a term under each component.
    #[inline]
    pub fn impacts(&self, term: u32) -> &[f32] {
        &self.impacts[term as usize * self.components..][..self.components]
    }
}

/// Takes out the lists of the same terms that the first two components have: they are added up in one pass.
fn take_together<'a>(lists: &mut [Vec<ImpactList<'a>>]) -> Vec<(ImpactList<'a>, ImpactList<'a>)> {
    let [first, second, ..] = lists else { return Vec::new() };
    let positions = second.iter().enumerate().map(|(at, list)| (list.identity(), at));
    let positions: FxHashMap<(usize, usize), usize> = positions.collect();
    let mut others: Vec<Option<ImpactList>> = second.drain(..).map(Some).collect();
    let mut together = Vec::new();
    let mut alone = Vec::new();
    for list in first.drain(..) {
        let other = positions.get(&list.identity()).and_then(|at| others[*at].take());
        match other {
            Some(other) => together.push((list, other)),
            None => alone.push(list),
        }
    }
    *first = alone;
    second.extend(others.into_iter().flatten());
    together
}
