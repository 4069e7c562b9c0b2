//! How much of one text's words another has: four ways to add up over the words that both have.
//!
//! With Q the first text and R the second, |·| their numbers of words, N texts, df of which have a word, and tf how often a
//! text has it:
//!
//! ```text
//! overlap             |Q∩R| / |Q|, distinct words
//! idf-overlap         |Q∩R| / |Q| · Σ ln(N/df)
//! tfidf-sum           Σ ln(tf_Q + 1)·ln(tf_R + 1)·ln((N + 1)/(df + ½))
//! relative-frequency  1/(1 + longer/shorter) · Σ ln(N/df) / (1 + |tf_Q − tf_R|), lengths with repeats
//! ```
//!
//! By default idf is ln((N + 1)/df), which is never 0: `idf=plain` gives the formulas to the letter.
//!
//! Plain baselines, and the first is one that is hard to beat where texts are short. None but `relative-frequency` and
//! `tfidf-sum` is symmetric; only `overlap` lies in [0, 1].
//!
//! Sources: Metzler, Bernstein, Croft, Moffat & Zobel, "Similarity measures for tracking information flow" (CIKM 2005);
//! Hoad & Zobel, "Methods for identifying versioned and plagiarized documents" (2003).

use super::bag::{self, Bag, Held, Weigh};
use super::idf::{IDF, Idf};
use super::search::{Impacts, Line, NormModel, QueryBounds, QueryText, Searchable, Shape};
use super::{Definition, Explanation, Preset, Properties, TextSimilarity};
use crate::collection::Vocabulary;
use crate::expr::Schema;
use crate::slack;
use crate::text::Text;
use std::sync::Arc;

/// The share of the first text's words that the second has.
pub static OVERLAP: Definition = Definition {
    schema: &OVERLAP_SCHEMA,
    source: "Metzler, Bernstein, Croft, Moffat & Zobel 2005",
    analyzer: "analyzer",
    presets: &[],
    properties: |_| properties(Way::Overlap),
    build: |_, to| Ok(Box::new(Overlap::new(Way::Overlap, Idf::Plain, to.vocabulary))),
};

/// That share times how rare the shared words are.
pub static IDF_OVERLAP: Definition = Definition {
    schema: &IDF_OVERLAP_SCHEMA,
    source: "Metzler, Bernstein, Croft, Moffat & Zobel 2005",
    analyzer: "analyzer",
    presets: &[Preset::paper("idf=plain", "idf as published, ln(N/df)")],
    properties: |_| properties(Way::Idf),
    build: |settings, to| {
        Ok(Box::new(Overlap::new(Way::Idf, Idf::from_settings(settings), to.vocabulary)))
    },
};

/// Shared words by how often both texts have them and how rare they are.
pub static TFIDF_SUM: Definition = Definition {
    schema: &TFIDF_SUM_SCHEMA,
    source: "Metzler, Bernstein, Croft, Moffat & Zobel 2005",
    analyzer: "analyzer",
    presets: &[],
    properties: |_| properties(Way::TfIdf),
    build: |_, to| Ok(Box::new(Overlap::new(Way::TfIdf, Idf::Plain, to.vocabulary))),
};

/// Shared words by how rare they are and how equally often both texts have them.
pub static RELATIVE_FREQUENCY: Definition = Definition {
    schema: &RELATIVE_FREQUENCY_SCHEMA,
    source: "Hoad & Zobel 2003",
    analyzer: "analyzer",
    presets: &[Preset::paper("idf=plain", "idf as published, ln(N/df)")],
    properties: |_| properties(Way::Relative),
    build: |settings, to| {
        Ok(Box::new(Overlap::new(Way::Relative, Idf::from_settings(settings), to.vocabulary)))
    },
};

static OVERLAP_SCHEMA: Schema = Schema {
    name: "overlap",
    aliases: &[],
    summary: "the share of the first text's words that the second has",
    params: &[],
};
static IDF_OVERLAP_SCHEMA: Schema = Schema {
    name: "idf-overlap",
    aliases: &[],
    summary: "overlap times the idf of the shared words",
    params: &[IDF],
};
static TFIDF_SUM_SCHEMA: Schema = Schema {
    name: "tfidf-sum",
    aliases: &[],
    summary: "sum over shared words of how often both texts have them and how rare they are",
    params: &[],
};
static RELATIVE_FREQUENCY_SCHEMA: Schema = Schema {
    name: "relative-frequency",
    aliases: &[],
    summary: "idf of shared words, less the more unequally often the texts have them",
    params: &[IDF],
};

/// What is added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Overlap,
    Idf,
    TfIdf,
    Relative,
}

fn properties(way: Way) -> Properties {
    Properties {
        unit_interval: way == Way::Overlap,
        reflexive: way == Way::Overlap,
        symmetric: matches!(way, Way::TfIdf | Way::Relative),
        adaptive: way != Way::Overlap,
        ..Properties::default()
    }
}

impl Way {
    fn weigh(self, idf: Idf) -> Weigh {
        match self {
            Self::Overlap => |_, _| 1.0,
            Self::TfIdf => |texts, df| ((texts + 1.0) / (df + 0.5)).ln(),
            Self::Idf | Self::Relative => match idf {
                Idf::Plain => |texts, df| Idf::Plain.weigh(texts, df),
                Idf::PlusOne => |texts, df| Idf::PlusOne.weigh(texts, df),
                Idf::Smooth => |texts, df| Idf::Smooth.weigh(texts, df),
            },
        }
    }

    /// What a word that both texts have adds to the sum.
    fn meet(self, x: Held, y: Held) -> f64 {
        match self {
            Self::Overlap => 1.0,
            Self::Idf => x.weight,
            Self::TfIdf => f64::from(x.count).ln_1p() * f64::from(y.count).ln_1p() * x.weight,
            Self::Relative => x.weight / (1.0 + f64::from(x.count.abs_diff(y.count))),
        }
    }

    /// What the sum is multiplied by.
    fn factor(self, a: &Bag, b: &Bag) -> f64 {
        let share = || {
            let shared = a.words.shared(&b.words, |_, _| 1.0);
            if shared == 0.0 { 0.0 } else { shared / a.words.len() as f64 }
        };
        match self {
            Self::Overlap if a.words.len() == 0 => 0.0,
            Self::Overlap => 1.0 / a.words.len() as f64,
            Self::Idf => share(),
            Self::TfIdf => 1.0,
            Self::Relative if a.terms == 0 || b.terms == 0 => 0.0,
            Self::Relative => {
                let (longer, shorter) = (a.terms.max(b.terms), a.terms.min(b.terms));
                1.0 / (1.0 + longer as f64 / shorter as f64)
            }
        }
    }
}

/// A sum over shared words, bound to a vocabulary.
pub struct Overlap {
    way: Way,
    weigh: Weigh,
    vocabulary: Arc<Vocabulary>,
}

impl Overlap {
    fn new(way: Way, idf: Idf, vocabulary: &Arc<Vocabulary>) -> Self {
        Self { way, weigh: way.weigh(idf), vocabulary: Arc::clone(vocabulary) }
    }
}

/// An occurrence of a word adds at most what the word does: repeats count less than the first, or not at all.
impl Searchable<Bag> for Overlap {
    fn norm(&self) -> NormModel<'_> {
        NormModel::Sum(Box::new(|_| 1.0))
    }

    /// Of a query, the number of its distinct words.
    fn text_norm(&self, text: &Bag) -> f64 {
        text.words.len() as f64
    }

    fn query<'a>(&'a self, query: &QueryText<'_, Bag>) -> Box<dyn QueryBounds + 'a> {
        let once = |held: Held| {
            let weight = held.weight.max(0.0);
            match self.way {
                Way::Overlap => 1.0,
                Way::Idf | Way::Relative => weight,
                // ln(1 + tf) is at most tf·ln 2.
                Way::TfIdf => weight * f64::from(held.count).ln_1p() * std::f64::consts::LN_2,
            }
        };
        let slope = match self.way {
            Way::Overlap => 1.0 / query.norm,
            Way::Idf | Way::TfIdf => 1.0,
            // Texts of the same length.
            Way::Relative => 0.5,
        };
        let words = query.text.words.known().iter();
        let impacts = words.map(|&(word, held)| (word, once(held))).collect();
        Box::new(OverlapBounds { way: self.way, impacts, slope })
    }

    fn prepare_terms(&self, terms: &[u32]) -> Option<Bag> {
        Some(Bag::of_words(terms, &self.vocabulary, self.weigh))
    }
}

struct OverlapBounds {
    way: Way,
    impacts: Vec<(u32, f64)>,
    slope: f64,
}

impl QueryBounds for OverlapBounds {
    fn impacts(&self) -> Impacts<'_> {
        Impacts::of_terms(self.impacts.iter().copied())
    }

    fn shape(&self) -> Shape {
        Shape::Linear(Line::new(self.slope, 0.0))
    }

    fn slope(&self, _: f64) -> f64 {
        self.slope
    }

    fn repeated(&self, _: u32, occurrences: u32, impact: f32) -> f32 {
        match self.way {
            Way::TfIdf => (occurrences as f32).ln_1p() / std::f32::consts::LN_2 * impact,
            _ => impact,
        }
    }
}

impl TextSimilarity for Overlap {
    type Prepared = Bag;

    fn prepare(&self, text: &Text) -> Bag {
        Bag::new(text, &self.vocabulary, self.weigh)
    }

    fn score(&self, a: &Bag, b: &Bag) -> f64 {
        let sum = a.words.shared(&b.words, |x, y| self.way.meet(x, y));
        if sum == 0.0 { 0.0 } else { sum * self.way.factor(a, b) }
    }

    fn upper_bound(&self, a: &Bag, b: &Bag) -> f64 {
        // No word gives more than the heaviest of the first text would with all of the second.
        let most =
            |bag: &Bag| bag.words.values().map(|held| f64::from(held.count)).fold(0.0, f64::max);
        let heaviest = a.words.values().map(|held| held.weight.abs()).fold(0.0, f64::max);
        let shared = a.words.len().min(b.words.len()) as f64;
        let bound = match self.way {
            Way::Overlap => shared / (a.words.len().max(1)) as f64,
            Way::Idf => shared / (a.words.len().max(1)) as f64 * shared * heaviest,
            Way::TfIdf => shared * heaviest * most(a).ln_1p() * most(b).ln_1p(),
            Way::Relative => shared * heaviest * 0.5,
        };
        bound * slack::F64_SUM
    }

    fn searchable(&self) -> Option<&dyn Searchable<Bag>> {
        Some(self)
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (x, y) = (self.prepare(a), self.prepare(b));
        let factor = self.way.factor(&x, &y);
        let reading = match self.way {
            Way::Overlap => {
                format!("words of the first text that the second has / its {}", x.words.len())
            }
            Way::Idf => format!(
                "idf of the shared words × {factor:.4}, the share of the first text's words"
            ),
            Way::TfIdf => "ln(tf + 1) of both texts × rareness, over the shared words".to_owned(),
            Way::Relative => format!(
                "idf of the shared words, less where counts differ × {factor:.4} for {} and {} words",
                x.terms, y.terms
            ),
        };
        let denominator = if factor > 0.0 { 1.0 / factor } else { 0.0 };
        let weigh = self.weigh;
        bag::explain(
            (a, b),
            &self.vocabulary,
            weigh,
            |x, y| self.way.meet(x, y),
            denominator,
            reading,
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::collection::Collection;
    use crate::measure::Measure;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The formulas, by the letter.
    fn slow(name: &str, q: &str, r: &str, texts: &[String]) -> f64 {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (qs, rs) = (words(q), words(r));
        let set = |words: &[String]| words.iter().cloned().collect::<BTreeSet<_>>();
        let (q_set, r_set) = (set(&qs), set(&rs));
        let shared: Vec<&String> = q_set.intersection(&r_set).collect();
        if shared.is_empty() {
            return 0.0;
        }
        let n = texts.len() as f64;
        let many = if name.ends_with("(preset=paper)") { n } else { n + 1.0 };
        let df = |w: &String| texts.iter().filter(|t| words(t).contains(w)).count().max(1) as f64;
        let tf = |words: &[String], w: &String| words.iter().filter(|x| *x == w).count() as f64;
        let idf = |w: &String| if texts.is_empty() { 1.0 } else { (many / df(w)).ln() };
        let share = shared.len() as f64 / q_set.len() as f64;
        let sum = |of: &dyn Fn(&String) -> f64| shared.iter().map(|w| of(w)).sum::<f64>();
        match name {
            "overlap" => share,
            "idf-overlap" | "idf-overlap(preset=paper)" => share * sum(&idf),
            "tfidf-sum" => sum(&|w| {
                let rare = if texts.is_empty() { 1.0 } else { ((n + 1.0) / (df(w) + 0.5)).ln() };
                (tf(&qs, w) + 1.0).ln() * (tf(&rs, w) + 1.0).ln() * rare
            }),
            _ => {
                let (longer, shorter) = (qs.len().max(rs.len()), qs.len().min(rs.len()));
                let factor = 1.0 / (1.0 + longer as f64 / shorter as f64);
                factor * sum(&|w| idf(w) / (1.0 + (tf(&qs, w) - tf(&rs, w)).abs()))
            }
        }
    }

    proptest! {
        #[test]
        fn scores_are_those_of_the_definitions(
            texts in proptest::collection::vec("([a-c]{1,2} ){0,8}", 0..8),
            a in "([a-d]{1,2} ){0,6}", b in "([a-d]{1,2} ){0,6}",
        ) {
            let named = ["overlap", "idf-overlap", "tfidf-sum", "relative-frequency"];
            let published = ["idf-overlap(preset=paper)", "relative-frequency(preset=paper)"];
            for name in named.into_iter().chain(published) {
                let measure: Measure = name.parse().unwrap();
                let collection = Collection::build(measure.analyzers(), &texts).unwrap();
                let scorer = measure.bind(&collection).unwrap();
                let score = scorer.score_texts(&a, &b);
                let expected = slow(name, &a, &b, &texts);
                prop_assert!((score - expected).abs() < 1e-9, "{name} {score} {expected}");
            }
        }
    }
}
