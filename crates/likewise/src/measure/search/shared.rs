//! The features that a query shares with texts, added up term by term: what [`Refine`](super::Refine) stands on for measures over
//! features.

/// A query's features, and an accumulator for those of one text.
///
/// Candidates of one query have many terms in common, and most features of a term are not the query's. So the shared features
/// of a term are found once for a query, and are a short list afterwards. The table is reset sparsely, so that it can be
/// used for the next query.
#[derive(Debug, Default)]
pub struct SharedFeatures {
    /// For each feature its slot among the query's, from 1 on, or 0.
    slots: Vec<u32>,
    /// The query's features.
    features: Vec<u32>,
    /// For each slot the feature's weight, its weight in the query, and its weight in the text.
    weights: Vec<f32>,
    query: Vec<f32>,
    text: Vec<f32>,
    /// For each term the number of its list of shared features, from 1 on, or 0 if it has not been seen; and the terms seen.
    list_of: Vec<u32>,
    seen: Vec<u32>,
    /// Where each list ends, and all lists: slots with the term's weight.
    ends: Vec<usize>,
    shared: Vec<(u32, f32)>,
}

/// How many features are added up at a time.
const LANES: usize = 8;

impl SharedFeatures {
    /// Sets the query: features with their weight and their weight in the query. Features are below `features`, terms below
    /// `terms`.
    pub fn set_query(
        &mut self,
        features: usize,
        terms: usize,
        query: impl Iterator<Item = (u32, f32, f32)>,
    ) {
        for feature in self.features.drain(..) {
            self.slots[feature as usize] = 0;
        }
        for term in self.seen.drain(..) {
            self.list_of[term as usize] = 0;
        }
        self.slots.resize(features, 0);
        self.list_of.resize(terms, 0);
        self.ends.clear();
        self.shared.clear();
        self.weights.clear();
        self.query.clear();
        for (feature, weight, held) in query.filter(|(_, _, held)| *held > 0.0) {
            self.weights.push(weight);
            self.query.push(held);
            self.features.push(feature);
            self.slots[feature as usize] = self.query.len() as u32;
        }
        // Whole lanes: zeros on both sides add nothing.
        let room = self.query.len().next_multiple_of(LANES);
        self.query.resize(room, 0.0);
        self.text.clear();
        self.text.resize(room, 0.0);
    }

    /// Whether a term has been seen since the query was set.
    #[inline]
    pub fn knows(&self, term: u32) -> bool {
        self.list_of[term as usize] > 0
    }

    /// Adds a term to the text. `features` are the term's own, each with its scale; they are asked for only if the term is not
    /// [known](Self::knows).
    #[inline]
    pub fn add<I: Iterator<Item = (u32, f32)>>(&mut self, term: u32, features: impl FnOnce() -> I) {
        if !self.knows(term) {
            for (feature, scale) in features() {
                if let Some(slot) = self.slots[feature as usize].checked_sub(1) {
                    self.shared.push((slot, scale * self.weights[slot as usize]));
                }
            }
            self.ends.push(self.shared.len());
            self.seen.push(term);
            self.list_of[term as usize] = self.ends.len() as u32;
        }
        let list = self.list_of[term as usize] as usize;
        let start = if list == 1 { 0 } else { self.ends[list - 2] };
        for &(slot, held) in &self.shared[start..self.ends[list - 1]] {
            self.text[slot as usize] += held;
        }
    }

    /// Sums `combine` of both weights over the query's features, and clears the text.
    #[inline]
    pub fn take_sum(&mut self, combine: impl Fn(f32, f32) -> f32) -> f32 {
        let mut sums = [0.0; LANES];
        let (query, text) = (self.query.as_chunks::<LANES>().0, self.text.as_chunks_mut().0);
        for (query, text) in query.iter().zip(text) {
            for ((sum, x), y) in sums.iter_mut().zip(query).zip(&*text) {
                *sum += combine(*x, *y);
            }
            *text = [0.0; LANES];
        }
        sums.iter().sum()
    }
}

/// An accumulator for the squared norm of a text over features.
#[derive(Debug, Default)]
pub struct SquareSums {
    weights: Vec<f32>,
    touched: Vec<u32>,
}

impl SquareSums {
    /// The sum of squares of a text's weights, given term by term. Features are below `features`.
    pub fn square(&mut self, features: usize, text: impl Iterator<Item = (u32, f32)>) -> f64 {
        let Self { weights, touched } = self;
        weights.resize(features.max(weights.len()), 0.0);
        for (feature, weight) in text {
            let at = feature as usize;
            if weights[at] == 0.0 {
                touched.push(feature);
            }
            weights[at] += weight;
        }
        let mut sum = 0.0;
        for feature in touched.drain(..) {
            let weight = f64::from(std::mem::take(&mut weights[feature as usize]));
            sum += weight * weight;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features of a term, each with its scale.
    fn features(term: u32) -> impl Iterator<Item = (u32, f32)> {
        (0..1 + term % 4).map(move |n| ((term * 7 + n * 3) % 20, 0.5 + term as f32))
    }

    #[test]
    fn a_table_used_again_gives_what_a_new_one_gives() {
        let weight = |feature: u32| 1.0 + feature as f32 / 10.0;
        let queries: [&[(u32, f32)]; 3] =
            [&[(0, 1.0), (7, 2.0), (10, 0.5), (13, 0.0)], &[], &[(1, 3.0), (7, 0.1)]];
        let texts: [&[u32]; 4] = [&[1, 2, 1, 9], &[], &[3, 2, 8], &[9, 9, 9]];
        let mut table = SharedFeatures::default();
        for query in queries {
            table.set_query(20, 10, query.iter().map(|&(f, held)| (f, weight(f), held)));
            for text in texts.iter().chain(&texts) {
                text.iter().for_each(|&term| table.add(term, || features(term)));
                let sum = table.take_sum(|x, y| x * y);
                let all = || text.iter().flat_map(|&term| features(term));
                let has = |f: u32| {
                    let own = all().filter(|(own, _)| *own == f);
                    own.map(|(_, scale)| scale * weight(f)).sum::<f32>()
                };
                let expected: f32 = query.iter().map(|&(f, held)| held * has(f)).sum();
                assert!((sum - expected).abs() < 1e-4, "{query:?} {text:?}: {sum} {expected}");
            }
        }
    }
}
