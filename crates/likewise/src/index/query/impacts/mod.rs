//! Term bounds: for each vocabulary term the most that it adds to a text's score, for one query.
//!
//! Two numbers are kept for a term. Its *impact* under each component bounds what one occurrence adds to the sum. Its *scaled
//! bound* is the maximum, over the texts of n terms that have it, of n times what it adds to the score: a term is
//! essential at threshold θ if that is at least a fixed share of θ, see [`super::postings`].

mod exact;
mod quantised;

use super::bind::ComponentBounds;
use crate::index::format::bins::Bins;
use crate::index::format::docs::Docs;
use exact::ExactImpacts;
use quantised::QuantisedImpacts;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The impacts and scaled bounds of a vocabulary's terms for one query.
#[derive(Default)]
pub struct TermImpacts {
    components: usize,
    /// Which of the two is filled.
    is_quantised: bool,
    quantised: QuantisedImpacts,
    exact: ExactImpacts,
}

/// Texts are long if they have so many terms on average.
const LONG: usize = 12;

impl TermImpacts {
    /// One component with these impacts.
    #[cfg(test)]
    pub fn of_impacts(impacts: Vec<f32>) -> Self {
        Self { components: 1, exact: ExactImpacts::of_impacts(impacts), ..Self::default() }
    }

    /// Computes the impacts of the whole vocabulary, quantised by bins if there are any.
    pub fn fill(&mut self, docs: &Docs, bins: Option<&Arc<Bins>>, bounds: &[ComponentBounds]) {
        self.components = bounds.len();
        self.is_quantised =
            bins.is_some_and(|bins| self.quantised.fill(bins, bounds, docs.mean_terms() >= LONG));
        if !self.is_quantised {
            self.exact.fill(docs, bounds);
        }
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Whether scaled bounds are only rough, because postings would lead to most texts anyway.
    pub fn is_rough(&self) -> bool {
        self.is_quantised && self.quantised.is_rough()
    }

    /// Calls `each` with every term whose scaled bound reaches the threshold, and with that bound, until it breaks.
    pub fn each_reaching(&self, threshold: f32, each: impl FnMut(u32, f32) -> ControlFlow<()>) {
        if self.is_quantised {
            self.quantised.each_reaching(threshold, each);
        } else {
            self.exact.each_reaching(threshold, each);
        }
    }

    /// Appends all terms with an impact, if they are at most so many; says whether they are. Quantised impacts always count as
    /// many.
    pub fn all_if_few(&self, most: usize, terms: &mut Vec<u32>) -> bool {
        !self.is_quantised && self.exact.all_if_few(most, terms)
    }

    /// About so many terms with the highest scaled bounds, highest first.
    pub fn most_promising(&self, many: usize) -> Vec<u32> {
        let mut threshold = if self.is_quantised {
            self.quantised.threshold_of(many)
        } else {
            self.exact.threshold_of(many)
        };
        let mut terms = Vec::new();
        while terms.len() < many && threshold > 1e-3 {
            terms.clear();
            self.each_reaching(threshold, |term, scaled| {
                terms.push((scaled, term));
                ControlFlow::Continue(())
            });
            threshold *= 0.8;
        }
        terms.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        terms.into_iter().take(many).map(|(_, term)| term).collect()
    }

    /// For each term the weighted sum of its impacts, rounded to a whole number.
    pub fn rounded(&self, scales: &[f32], round: impl Fn(f32) -> u16, out: &mut Vec<u16>) {
        if self.is_quantised {
            let scale = |c: usize| scales.get(c).copied().unwrap_or(0.0);
            self.quantised.rounded([scale(0), scale(1)], round, out);
        } else {
            self.exact.rounded(scales, round, out);
        }
    }

    /// The impacts of a term under all N components.
    #[inline(always)]
    pub fn impacts<const N: usize>(&self, term: u32) -> [f32; N] {
        if self.is_quantised {
            let impacts = self.quantised.impacts(term);
            return std::array::from_fn(|c| impacts[c & 1]);
        }
        let impacts = self.exact.impacts(term);
        std::array::from_fn(|c| impacts[c])
    }

    /// The sums of a text's impacts under all N components.
    #[inline(always)]
    pub fn of_text<const N: usize>(&self, terms: &[u32]) -> [f32; N] {
        if self.is_quantised {
            let impacts = self.quantised.of_text(terms);
            return std::array::from_fn(|c| impacts[c & 1]);
        }
        let mut sums = [0.0; N];
        for &term in terms {
            sums.iter_mut().zip(self.exact.impacts(term)).for_each(|(sum, impact)| *sum += impact);
        }
        sums
    }

    /// The impact of a term under a component.
    #[inline]
    pub fn impact(&self, term: u32, component: usize) -> f32 {
        if self.is_quantised {
            self.quantised.impacts(term)[component & 1]
        } else {
            self.exact.impacts(term)[component]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use crate::index::query::bind::BoundQuery;
    use crate::measure::Measure;

    /// Names of one to four terms, some of which are frequent.
    fn names() -> Vec<String> {
        let syllables = ["ka", "ro", "lin", "sch", "mei", "er", "berg", "son", "an", "ti", "vo"];
        let term = |seed: usize| {
            (0..1 + seed % 4).map(|n| syllables[(seed / 3 + seed * n + n * n) % 11]).collect()
        };
        let name = |row: usize| {
            let terms: Vec<String> =
                (0..1 + row % 4).map(|n| term((row * (n + 1)) % 997)).collect();
            terms.join(" ")
        };
        (0..3_000).map(name).collect()
    }

    #[test]
    fn quantised_impacts_are_never_below_exact_ones_and_little_above() {
        for measure in
            ["word-grams", "0.7*word-grams + 0.3*word-grams(compare=cosine, qidf=1, head=1)"]
        {
            let index = Index::of_texts(&measure.parse::<Measure>().unwrap(), names()).unwrap();
            let (field, scorer) = (&index.field_indexes[0], &index.columns[0].scorer);
            let bins = field.bins.as_ref().expect("these measures have bins");
            let long = "karo schmeier linberg tison robergson sonvoka ersch meiti anlin bergka vorosch tilin \
                        erberg schson kaan voti meisch rolin sonti";
            for query in
                ["karo schmeier", "an", "linberg tison vo", "kakaka robergson ti mei sch", long]
            {
                let bound = BoundQuery::new(&index, &[query]);
                let bounds = &bound.fields[0];
                let mut quantised = QuantisedImpacts::default();
                assert!(quantised.fill(bins, bounds, query == long));
                assert_eq!(quantised.is_rough(), query == long);

                // By definition: over all features, with each term's own scale.
                let docs = &field.docs;
                let mut scaled = vec![0.0f32; bins.terms()];
                for (c, one) in bounds.iter().enumerate() {
                    let (_, searchable) = scorer.searchable(one.component.number).unwrap();
                    let features = searchable.feature_space().unwrap();
                    let mut impacts = vec![0.0f32; bins.terms()];
                    for (feature, curve) in one.feature_impacts() {
                        for &term in features.terms_with.at(feature as usize) {
                            impacts[term as usize] += curve.at(features.scales[term as usize]);
                        }
                    }
                    let mut units = Vec::new();
                    let scales = [0, 1].map(|own| f32::from(u8::from(own == c)));
                    quantised.rounded(scales, |impact| (impact * 10.0).ceil() as u16, &mut units);
                    assert_eq!(units.len(), bins.terms() + 1);
                    let [by_terms, by_density] = one.slope_limit();
                    for (term, &impact) in impacts.iter().enumerate() {
                        let said = quantised.impacts(term as u32)[c];
                        assert!(said >= impact * 0.999_99, "{said} is below {impact}");
                        assert!(said <= impact * 1.1, "{said} is far above {impact}");
                        assert!((f32::from(units[term]) - said * 10.0).abs() < 1.1, "{said}");
                        let thrice = quantised.of_text(&[term as u32; 3])[c];
                        assert!((thrice - 3.0 * said).abs() <= said * 1e-4);
                        let (most, dense) =
                            (docs.max_terms_with()[term], docs.max_density_with(c)[term]);
                        scaled[term] += impact * (by_terms * most + by_density * dense);
                    }
                }
                for threshold in [1e-6, 0.05, 0.2, 0.4, 0.8, 1.2] {
                    let mut able = vec![false; bins.terms()];
                    quantised.each_reaching(threshold, |term, _| {
                        able[term as usize] = true;
                        ControlFlow::Continue(())
                    });
                    for (able, scaled) in able.iter().zip(&scaled) {
                        assert!(*able || *scaled < threshold * 1.000_01, "{scaled} at {threshold}");
                        let sharp = !*able || *scaled > threshold * 0.8;
                        assert!(sharp || query == long, "{scaled} at {threshold}");
                    }
                }
            }
        }
    }
}
