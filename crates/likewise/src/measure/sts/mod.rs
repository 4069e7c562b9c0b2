//! Similar sentences: a word alignment by how alike words are.
//!
//! ```text
//! STS(P, Q) = Σ ρ · (|P| + |Q|) / (2·|P|·|Q|)
//! ```
//!
//! where ρ are the similarities of the aligned words: the two most alike first, then the two most alike of those that are left, until
//! one text has no more (`matching=greedy`); or so that their sum is the largest there can be (`matching=optimal`). Repeated words are
//! words of their own. Of several pairs as alike the first in the texts is taken, which makes the score the same whichever text comes
//! first.
//!
//! How alike two words are is up to `terms`: by letters ([`string`](crate::term::string), the default), by their distributional similarity in a corpus
//! (`soc-pmi`), or a weighted mean of any similarities.
//!
//! Source: Islam & Inkpen 2008, as used by Gu, Yang, Nakano & Kitsuregawa, "Towards efficient similar sentences extraction" (2012). A
//! pair costs |P|·|Q| term similarities.

mod alignment;
mod memo;
mod search;
#[cfg(test)]
mod tests;

use super::search::Searchable;
use super::{
    Batch, BindContext, BindError, Definition, Explanation, Part, Place, Properties, TextSimilarity,
};
use crate::collection::Vocabulary;
use crate::csr::Csr;
use crate::expr::{Kind, Param, Schema, Settings};
use crate::term::{self, TermSimilarity, bounds::SimilarityBounds, neighbours};
use crate::text::Text;
use alignment::{Aligner, Method};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The measure's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "Islam & Inkpen 2008; Gu, Yang, Nakano & Kitsuregawa 2012",
    analyzer: "analyzer(stop=en, stem=porter)",
    properties: |_| Properties { ..Properties::default() },
    build: |settings, to| Ok(Box::new(Sts::new(settings, to)?)),
};

static SCHEMA: Schema = Schema {
    name: "sts",
    aliases: &[],
    summary: "word alignment by how alike words are: sts(string), sts(0.5*string, 0.5*soc-pmi(\"en.corpus\"))",
    params: &[
        Param {
            name: "terms",
            kind: Kind::Several { least: 1, schemas: term::schemas, weighted: true },
            default: "",
            help: "how alike two words are: term similarities, with weights; `string` if nothing is said",
        },
        Param {
            name: "string",
            kind: Kind::Number(0.0, 1e6),
            default: "",
            help: "in place of `terms`, how much letters count; as much as `soc-pmi` without it",
        },
        Param {
            name: "soc-pmi",
            kind: Kind::Number(0.0, 1e6),
            default: "",
            help: "in place of `terms`, how much distributional similarity in the corpus counts",
        },
        Param {
            name: "corpus",
            kind: Kind::Text,
            default: "",
            help: "the corpus for `soc-pmi`: a file of `likewise corpus build --window 5`",
        },
        Param {
            name: "lambda",
            kind: Kind::Number(0.001, 1e12),
            default: "",
            help: "with `corpus`, what soc-pmi's sums are divided by: 300 here, as did best on rated sentences; published is 20",
        },
        Param {
            name: "matching",
            kind: Kind::Choice(&["greedy", "optimal"]),
            default: "greedy",
            help: "align the most alike words first, or so that all pairs together are most alike",
        },
    ],
};

/// The measure, bound to a vocabulary.
pub struct Sts {
    vocabulary: Arc<Vocabulary>,
    terms: Box<dyn TermSimilarity>,
    method: Method,
    /// The vocabulary laid out for finding neighbours, once search asks.
    laid_out: OnceLock<neighbours::Words>,
}

/// The words of a text, in its order.
pub struct Sentence {
    words: Csr<Vec<char>, Vec<u32>>,
    /// The words' numbers in the vocabulary, if the text was made of them.
    numbers: Vec<u32>,
    /// How alike the words of the vocabulary are to these. Asked for only by search.
    bounds: OnceLock<Arc<SimilarityBounds>>,
    /// How alike a word of these is to one of the vocabulary, by its place and the other's number, as far as search has asked: its
    /// candidates have many words in common.
    compared: Mutex<FxHashMap<(u32, u32), f64>>,
}

/// So many similarities are remembered.
const COMPARED: usize = 1 << 14;

impl Sentence {
    fn new<'t>(words: impl Iterator<Item = &'t str>) -> Self {
        let mut all = Csr::default();
        words.for_each(|word| all.push(word.chars()));
        Self {
            words: all,
            numbers: Vec::new(),
            bounds: OnceLock::new(),
            compared: Mutex::default(),
        }
    }

    fn len(&self) -> usize {
        self.words.len()
    }

    fn word(&self, at: usize) -> &[char] {
        self.words.at(at)
    }

    /// How alike a word is to one of the vocabulary: computed, if it was not before.
    fn remembered(&self, at: usize, other: u32, similarity: impl FnOnce() -> f64) -> f64 {
        let compared = || self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (at as u32, other);
        if let Some(&known) = compared().get(&key) {
            return known;
        }
        let similarity = similarity();
        let mut compared = compared();
        if compared.len() >= COMPARED {
            compared.clear();
        }
        compared.insert(key, similarity);
        similarity
    }

    fn words(&self) -> impl Iterator<Item = &[char]> {
        self.words.iter()
    }
}

thread_local! {
    static ALIGNER: RefCell<Aligner> = RefCell::default();
}

/// The score of texts of so many words whose pairs give this together.
fn score_of(sum: f64, a: usize, b: usize) -> f64 {
    if a == 0 || b == 0 {
        return 0.0;
    }
    // Rounding must not lift equal texts off 1.
    (sum * (a + b) as f64 / (2 * a * b) as f64).min(1.0)
}

/// What soc-pmi's sums are divided by, if nothing is said. With the published 20 a tenth of all words are wholly alike in a corpus of ten
/// million words, and letters alone do better.
const LAMBDA: f64 = 300.0;

/// The term similarities that are asked for, in either way.
fn terms_of(settings: &Settings) -> Result<Vec<(f64, Settings)>, BindError> {
    let needs = |reason: &str| Err(BindError::Needs { reason: format!("`sts`: {reason}") });
    let terms = settings.several("terms");
    let weights = ["string", "soc-pmi"].map(|name| settings.number_if_set(name));
    let (corpus, lambda) = (settings.text_if_set("corpus"), settings.number_if_set("lambda"));
    if !terms.is_empty() {
        if weights.iter().any(Option::is_some) || corpus.is_some() || lambda.is_some() {
            return needs(
                "say either term similarities, or `string`, `soc-pmi`, `corpus` and `lambda`, not both",
            );
        }
        return Ok(terms.to_vec());
    }
    if lambda.is_some() && corpus.is_none() {
        return needs("`lambda` is for `corpus`, which is not given");
    }
    let [string, distributional] = match (weights, corpus) {
        ([_, Some(distributional)], None) if distributional > 0.0 => {
            return needs(
                "name the corpus that `soc-pmi` looks at: corpus=\"en.corpus\", a file of `likewise corpus build --window 5`",
            );
        }
        ([string, distributional], None) => [string.unwrap_or(1.0), distributional.unwrap_or(0.0)],
        ([string, distributional], Some(_)) => {
            [string.unwrap_or(0.5), distributional.unwrap_or(0.5)]
        }
    };
    let mut terms = vec![(string, term::parse("string").expect("a term similarity"))];
    if let Some(corpus) = corpus {
        terms.push((distributional, of_corpus(corpus, lambda.unwrap_or(LAMBDA))?));
    }
    terms.retain(|(weight, _)| *weight > 0.0);
    if terms.is_empty() { needs("one of the weights must be above 0") } else { Ok(terms) }
}

#[cfg(feature = "table")]
fn of_corpus(path: &str, lambda: f64) -> Result<Settings, BindError> {
    use crate::expr::Setting;
    let soc_pmi = term::parse("soc-pmi").expect("a term similarity");
    let soc_pmi = soc_pmi.with("lambda", Setting::Number(lambda));
    Ok(soc_pmi.with("file", Setting::Text(path.to_owned())))
}

#[cfg(not(feature = "table"))]
fn of_corpus(_: &str, _: f64) -> Result<Settings, BindError> {
    let reason = "`sts`: this build cannot read corpora; it lacks the feature `corpus`".to_owned();
    Err(BindError::Needs { reason })
}

/// A corpus knows words as its analyzer gives them: others would be looked up in vain, and no one would notice.
#[cfg(feature = "table")]
fn check_corpora(terms: &[(f64, Settings)], to: BindContext) -> Result<(), BindError> {
    for (_, settings) in terms.iter().filter(|(_, settings)| settings.schema.name == "soc-pmi") {
        let Some(path) = settings.text_if_set("file") else { continue };
        // Whatever is wrong with the file is said where it is opened.
        let Ok(corpus) = crate::corpus::Corpus::from_resources(to.resources, path) else {
            continue;
        };
        if corpus.analyzer() != to.analyzer {
            let (own, texts) = (corpus.analyzer(), to.analyzer);
            let reason = format!(
                "`sts`: {path} knows words as {own:#} gives them, and the texts go through {texts:#}; \
                 build it again with option `analyzer` '{texts:#}', or write sts(…, analyzer={own:#})"
            );
            return Err(BindError::Needs { reason });
        }
    }
    Ok(())
}

#[cfg(not(feature = "table"))]
fn check_corpora(_: &[(f64, Settings)], _: BindContext) -> Result<(), BindError> {
    Ok(())
}

impl Sts {
    /// The measure with checked settings.
    ///
    /// # Errors
    /// If settings do not go together or a term similarity cannot be made.
    pub fn new(settings: &Settings, to: BindContext) -> Result<Self, BindError> {
        let terms = terms_of(settings)?;
        check_corpora(&terms, to)?;
        let terms = term::combined::mean(&terms, to.resources)?;
        terms.check(to.vocabulary)?;
        let optimal = settings.choice("matching") == "optimal";
        Ok(Self {
            vocabulary: Arc::clone(to.vocabulary),
            terms,
            method: if optimal { Method::Optimal } else { Method::Greedy },
            laid_out: OnceLock::new(),
        })
    }

    /// Aligns the words; `similarity` says how alike two are, by their places. Where `bound` is given, it is asked first.
    fn align(
        &self,
        a: &Sentence,
        b: &Sentence,
        aligner: &mut Aligner,
        bound: Option<&dyn Fn(usize, usize) -> f64>,
        similarity: impl Fn(usize, usize) -> f64,
    ) -> f64 {
        // There may be several optimal ways, with sums that are rounded otherwise: the one that is found must not depend on which text
        // comes first.
        let turned = self.method == Method::Optimal
            && (a.len(), a.words.parts()) > (b.len(), b.words.parts());
        let (rows, columns) = if turned { (b.len(), a.len()) } else { (a.len(), b.len()) };
        let places = |row, column| if turned { (column, row) } else { (row, column) };
        let exact = |row, column| {
            let (i, j) = places(row, column);
            similarity(i, j)
        };
        aligner.matrix.clear();
        aligner.bounds.clear();
        for row in 0..rows {
            for column in 0..columns {
                let (i, j) = places(row, column);
                aligner.matrix.push(bound.map_or_else(|| similarity(i, j), |bound| bound(i, j)));
            }
        }
        if bound.is_some() {
            aligner.bounds.resize(rows * columns, true);
        }
        let sum = aligner.align(rows, columns, self.method, exact);
        if turned {
            aligner.pairs.iter_mut().for_each(|pair| *pair = (pair.1, pair.0, pair.2));
        }
        score_of(sum, a.len(), b.len())
    }
}

impl TextSimilarity for Sts {
    type Prepared = Sentence;

    fn prepare(&self, text: &Text) -> Sentence {
        Sentence::new(text.terms())
    }

    fn score(&self, a: &Sentence, b: &Sentence) -> f64 {
        let similarity = |i, j| self.terms.similarity(a.word(i), b.word(j));
        ALIGNER.with_borrow_mut(|aligner| match a.bounds.get() {
            // What search knows of the words already spares most comparisons.
            Some(bounds) if b.numbers.len() == b.len() => {
                let bound = |i: usize, j: usize| f64::from(bounds.get(b.numbers[j], i)) / 255.0;
                let remembered = |i, j| a.remembered(i, b.numbers[j], || similarity(i, j));
                self.align(a, b, aligner, Some(&bound), remembered)
            }
            _ => self.align(a, b, aligner, None, similarity),
        })
    }

    fn upper_bound(&self, a: &Sentence, b: &Sentence) -> f64 {
        score_of(a.len().min(b.len()) as f64, a.len(), b.len())
    }

    fn searchable(&self) -> Option<&dyn Searchable<Sentence>> {
        Some(self)
    }

    fn batch<'a>(&'a self, columns: &'a [Sentence]) -> Box<dyn Batch<Sentence> + 'a> {
        Box::new(memo::Memo::new(self, columns))
    }

    fn explain(&self, a: &Text, b: &Text) -> Explanation {
        let (left, right) = (self.prepare(a), self.prepare(b));
        if left.len() == 0 || right.len() == 0 {
            return Explanation::nothing("a text without words meets nothing");
        }
        let mut aligner = Aligner::default();
        let of = |i, j| self.terms.similarity(left.word(i), right.word(j));
        self.align(&left, &right, &mut aligner, None, of);
        let part = |&(i, j, similarity): &(u32, u32, f64)| {
            let (i, j) = (i as usize, j as usize);
            let (l, r) = (a.term(i), b.term(j));
            Part {
                what: if l == r { l.to_owned() } else { format!("{l} ~ {r} ({similarity:.3})") },
                kind: if l == r { "same" } else { "near" },
                contribution: similarity,
                left: vec![Place::of_term(a, i)],
                right: vec![Place::of_term(b, j)],
            }
        };
        // They come in the order they were taken, and that is of similarity: it stays.
        let parts = aligner.pairs.iter().map(part).collect();
        let mean = (2 * left.len() * right.len()) as f64 / (left.len() + right.len()) as f64;
        let reading = format!(
            "similarities of the aligned words, in the order taken, over the harmonic mean of {} and {} words",
            left.len(),
            right.len()
        );
        Explanation::of_quotient(parts, mean, reading)
    }
}
