//! Rarest: how rare the rarest term is that both texts have, and the rarest that only one of them has.
//!
//! ```text
//! w(t) = ln(1 + N/df) / ln(1 + N), in (0, 1]; a term never seen counts as seen in one text
//! shared = largest w of the terms of both;   left, right = largest w of the terms of that text alone;   0 if there are none
//! ```
//!
//! A shared rare word (a model number, a surname) says more than ten common ones, and an unshared rare word speaks against a
//! match. A mean over all words says neither.

use super::{Analyzed, Definition, Feature};
use crate::collection::Vocabulary;
use crate::expr::Schema;
use crate::text::Analyzer;
use std::cmp::Ordering;
use std::sync::Arc;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "",
    analyzer: "analyzer",
    counts: |_| true,
    values: |_| &["shared", "left", "right"],
    build: |_, to| {
        let largest = to.vocabulary.smooth_idf("").max(f64::MIN_POSITIVE);
        let (analyzer, vocabulary) = (to.analyzer.clone(), Arc::clone(to.vocabulary));
        Ok(Box::new(Rarest { analyzer, vocabulary, largest }))
    },
};

static SCHEMA: Schema = Schema {
    name: "rarest",
    aliases: &[],
    summary: "how rare the rarest shared term is, and the rarest that only one text has",
    params: &[],
};

struct Rarest {
    analyzer: Analyzer,
    vocabulary: Arc<Vocabulary>,
    /// The weight of a term that one text has.
    largest: f64,
}

impl Feature for Rarest {
    /// The distinct terms in order, each with its weight.
    type Prepared = Vec<(Box<str>, f64)>;

    fn prepare(&self, text: &Analyzed<'_>) -> Self::Prepared {
        let text = text.by(&self.analyzer);
        let mut terms: Vec<&str> = text.terms().collect();
        terms.sort_unstable();
        terms.dedup();
        let weigh = |term: &str| (term.into(), self.vocabulary.smooth_idf(term) / self.largest);
        terms.into_iter().map(weigh).collect()
    }

    fn describe(&self, a: &Self::Prepared, b: &Self::Prepared, out: &mut [f64]) {
        out.fill(0.0);
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            let order = match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) => x.0.cmp(&y.0),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let (at, weight) = match order {
                Ordering::Equal => (0, a[i].1),
                Ordering::Less => (1, a[i].1),
                Ordering::Greater => (2, b[j].1),
            };
            out[at] = weight.max(out[at]);
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
        }
    }
}
