//! Every measure against a slow reference that is its definition written down, as in sections 2 to
//! 5 of the soft cardinality paper. Nothing here shares code with the measures;
//! only analysis (a text's terms) and, for the measures that compare words in pairs, the term
//! similarities are the library's own. The latter are held to textbook definitions below, too.
//!
//! `PROPTEST_CASES=2000` looks deeper.

use likewise::collection::Collection;
use likewise::expr::{self, Schema};
use likewise::measure::Measure;
use likewise::term::{self, TermSimilarity};
use likewise::text::Analyzer;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::{BTreeMap, BTreeSet};

// ---------------------------------------------------------------- texts

/// Two texts, and the texts of the collection, which may or may not have the two among them.
#[derive(Debug, Clone)]
struct Case {
    a: String,
    b: String,
    collection: Vec<String>,
}

/// Words of few letters, so that words, and grams of different words, often coincide.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ab]{1,3}",
        3 => "[abé]{2,6}",
        2 => "[aжΩ]{1,4}",
        2 => "[a-d]{4,9}",
        1 => "(ab|ba|é){2,5}",
    ]
}

/// Anything, for once.
fn odd_text() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => "[abAÉ'’ .-]{0,20}",
        1 => "\\PC{0,12}",
        1 => "[北京東\u{5d0}-\u{5d4}\u{300}\u{301}👩‍🚀❤\u{fe0f} ]{0,8}",
    ]
}

fn case() -> impl Strategy<Value = Case> {
    let two = || proptest::collection::vec(any::<Index>(), 0..=6);
    let rest = proptest::collection::vec(two(), 0..6);
    let pool = proptest::collection::vec(word(), 1..6);
    let plain = (pool, two(), two(), rest).prop_map(|(pool, a, b, rest)| {
        let text = |words: Vec<Index>| {
            words.iter().map(|at| at.get(&pool).as_str()).collect::<Vec<_>>().join(" ")
        };
        (text(a), text(b), rest.into_iter().map(text).collect::<Vec<_>>())
    });
    let odd = (odd_text(), odd_text(), proptest::collection::vec(odd_text(), 0..4));
    let texts = prop_oneof![8 => plain, 1 => odd];
    // How many of the two texts the collection has seen, and whether it has seen any at all.
    (texts, 0u8..4, prop::bool::weighted(0.15)).prop_map(|((a, b, mut rest), seen, none)| {
        if none {
            rest.clear();
        } else {
            rest.extend((seen & 1 == 1).then(|| a.clone()));
            rest.extend((seen & 2 == 2).then(|| b.clone()));
        }
        Case { a, b, collection: rest }
    })
}

/// A text's terms.
fn words(text: &str) -> Vec<String> {
    Analyzer::default().analyze(text).terms().map(str::to_owned).collect()
}

fn score(expression: &str, case: &Case) -> f64 {
    let measure: Measure = expression.parse().unwrap_or_else(|e| panic!("{e}"));
    let collection = Collection::build(measure.analyzers(), &case.collection).unwrap();
    let scorer = measure.bind(&collection).unwrap();
    let (a, b) = (scorer.prepare(&case.a), scorer.prepare(&case.b));
    let score = scorer.score(&a, &b).unwrap();
    // What is promised of a score holds under every setting that is tried here.
    let bound = scorer.upper_bound(&a, &b).unwrap();
    assert!(bound >= score, "{measure} is {score}, above its bound {bound}");
    if measure.properties().symmetric {
        let turned = scorer.score(&b, &a).unwrap();
        assert!(near(turned, score), "{measure} is {score}, turned round {turned}");
    }
    if measure.properties().unit_interval {
        assert!((0.0..=1.0).contains(&score), "{measure} is {score}");
    }
    score
}

fn near(ours: f64, reference: f64) -> bool {
    (ours - reference).abs() <= 1e-9 * reference.abs().max(1.0)
}

macro_rules! agree {
    ($expression:expr, $case:expr, $reference:expr) => {{
        let (expression, reference): (&str, f64) = (&$expression, $reference);
        let ours = score(expression, $case);
        prop_assert!(near(ours, reference), "{expression} is {ours}, by definition {reference}");
    }};
}

// ---------------------------------------------------------------- weights of words

/// The texts of a collection as bags of words.
struct Counts {
    texts: Vec<Vec<String>>,
    idf: &'static str,
}

/// What a thing weighs that `with` of `all` have.
fn rarity(idf: &str, all: usize, with: usize) -> f64 {
    let (all, with) = (all as f64, with.max(1) as f64);
    match idf {
        "plain" => (all / with).ln(),
        "plus-one" => ((all + 1.0) / with).ln(),
        _ => (1.0 + all / with).ln(),
    }
}

impl Counts {
    fn new(case: &Case, idf: &'static str) -> Self {
        Self { texts: case.collection.iter().map(|t| words(t)).collect(), idf }
    }

    /// (2.1): ln(M/m), or ln((M + 1)/m), or ln(1 + M/m). A word never seen counts as seen in one text; without texts
    /// every word weighs 1.
    fn idf(&self, word: &str) -> f64 {
        if self.texts.is_empty() {
            return 1.0;
        }
        let with = self.texts.iter().filter(|text| text.iter().any(|w| w == word)).count();
        rarity(self.idf, self.texts.len(), with)
    }

    /// The weight of each distinct word of a text: (2.2), or a part of it.
    fn vector(&self, text: &[String], weights: &str) -> BTreeMap<String, f64> {
        let distinct: BTreeSet<&String> = text.iter().collect();
        let weight = |word: &str| {
            let tf = text.iter().filter(|w| *w == word).count() as f64;
            match weights {
                "boolean" => 1.0,
                "tf" => tf,
                "idf" => self.idf(word),
                "tfidf" => tf * self.idf(word),
                other => unreachable!("{other}"),
            }
        };
        distinct.into_iter().map(|word| (word.clone(), weight(word))).collect()
    }
}

const WORD_WEIGHTS: [&str; 4] = ["tfidf", "idf", "tf", "boolean"];
const IDF: [&str; 3] = ["plain", "plus-one", "smooth"];

// ---------------------------------------------------------------- coefficients

const COEFFICIENTS: [(&str, f64); 6] = [
    ("harmonic", -1.0),
    ("cosine", 0.0),
    ("dice", 1.0),
    ("quadratic", 2.0),
    ("overlap", f64::NEG_INFINITY),
    ("max", f64::INFINITY),
];

/// (5.1) to the letter where that can be computed, else from the same thing rewritten:
/// ½xᵖ + ½yᵖ = (xy)^(p/2) · cosh(p/2 · ln(x/y)).
fn generalised_mean(x: f64, y: f64, p: f64) -> f64 {
    if p == 0.0 {
        return (x * y).sqrt();
    }
    if p == f64::INFINITY {
        return x.max(y);
    }
    if p == f64::NEG_INFINITY {
        return x.min(y);
    }
    if (0.1..=10.0).contains(&p.abs()) {
        return (0.5 * x.powf(p) + 0.5 * y.powf(p)).powf(1.0 / p);
    }
    let z = (p / 2.0 * (x / y).ln()).abs();
    let ln_cosh = if z < 1.0 {
        (2.0 * (z / 2.0).sinh().powi(2)).ln_1p()
    } else {
        z + (-2.0 * z).exp().ln_1p() - 2f64.ln()
    };
    ((x.ln() + y.ln()) / 2.0 + ln_cosh / p).exp()
}

/// How to divide: the named coefficient or the exponent, as written in an expression and as data.
#[derive(Debug, Clone)]
enum Divide {
    Mean(String, f64),
    Union,
}

impl Divide {
    fn setting(&self) -> &str {
        match self {
            Self::Mean(setting, _) => setting,
            Self::Union => "coefficient=jaccard",
        }
    }

    /// |A∩B| = |A| + |B| − |A∪B| over the mean of |A| and |B|, or over |A∪B|.
    fn score(&self, a: f64, b: f64, union: f64) -> f64 {
        if a == 0.0 || b == 0.0 {
            return 0.0;
        }
        let shared = a + b - union;
        match self {
            Self::Mean(_, p) => shared / generalised_mean(a, b, *p),
            Self::Union => shared / union,
        }
    }
}

fn named_coefficient() -> impl Strategy<Value = Divide> {
    let mean = select(&COEFFICIENTS[..])
        .prop_map(|(name, p)| Divide::Mean(format!("coefficient={name}"), p));
    prop_oneof![6 => mean, 1 => Just(Divide::Union)]
}

fn coefficient() -> impl Strategy<Value = Divide> {
    let exponent = |p: f64| Divide::Mean(format!("p={p}"), p);
    let special = [
        0.0,
        -1.5,
        1e-7,
        -1e-7,
        1e-12,
        -1e-12,
        1e-30,
        -1e-30,
        0.01,
        -0.01,
        40.0,
        -40.0,
        1e4,
        -1e4,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    prop_oneof![
        5 => named_coefficient(),
        2 => (-12.0..12.0f64).prop_map(exponent),
        1 => select(special.to_vec()).prop_map(exponent),
    ]
}

// ---------------------------------------------------------------- sc

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Head,
    Letter(char),
    Tail,
}

type Gram = Vec<Symbol>;

/// All q-grams of a term, in order, repeats and all.
fn grams(term: &[char], q: usize, padding: &str, drop_short: bool) -> Vec<Gram> {
    let marks = match padding {
        _ if q == 1 => 0,
        "none" => 0,
        "single" => 1,
        "full" => q - 1,
        other => unreachable!("{other}"),
    };
    if term.is_empty() {
        return Vec::new();
    }
    let letters: Gram = term.iter().map(|&c| Symbol::Letter(c)).collect();
    let padded = [vec![Symbol::Head; marks], letters.clone(), vec![Symbol::Tail; marks]].concat();
    if padded.len() < q {
        return if drop_short { Vec::new() } else { vec![letters] };
    }
    (0..=padded.len() - q).map(|at| padded[at..at + q].to_vec()).collect()
}

fn gram_set(term: &str, q: usize, padding: &str, drop_short: bool) -> BTreeSet<Gram> {
    let term: Vec<char> = term.chars().collect();
    grams(&term, q, padding, drop_short).into_iter().collect()
}

#[derive(Debug, Clone)]
struct Spectra {
    first: usize,
    last: usize,
    padding: &'static str,
    drop_short: bool,
    idf: &'static str,
    divide: Divide,
}

impl Spectra {
    fn expression(&self, weights: &str) -> String {
        format!(
            "sc(q={}:{}, weights={weights}, idf={}, padding={}, short={}, {})",
            self.first,
            self.last,
            self.idf,
            self.padding,
            if self.drop_short { "drop" } else { "whole" },
            self.divide.setting(),
        )
    }

    /// (4.3): ln(N/n), or as idf is. A gram never seen counts as seen in one term; without terms all weigh 1.
    fn qidf(&self, counts: &Counts, gram: &Gram, q: usize) -> f64 {
        let terms: Vec<&String> = counts.texts.iter().flatten().collect();
        if terms.is_empty() {
            return 1.0;
        }
        let has = |term: &str| gram_set(term, q, self.padding, self.drop_short).contains(gram);
        let with = terms.iter().filter(|term| has(term)).count();
        rarity(counts.idf, terms.len(), with)
    }

    /// (4.4): the sum, over the distinct grams of a bag of weighted terms, of the mean of their
    /// weights over the terms that have them.
    fn cardinality(&self, bag: &[(String, f64)], q: usize, weights: &str, counts: &Counts) -> f64 {
        let switched_on = |part: &str| weights.split('.').any(|p| p == part);
        let cut: Vec<(BTreeSet<Gram>, f64)> = bag
            .iter()
            .map(|(term, weight)| (gram_set(term, q, self.padding, self.drop_short), *weight))
            .collect();
        let distinct: BTreeSet<&Gram> = cut.iter().flat_map(|(grams, _)| grams).collect();
        distinct
            .into_iter()
            .map(|gram| {
                let gram_weight =
                    if switched_on("qidf") { self.qidf(counts, gram, q) } else { 1.0 };
                let all: Vec<f64> = cut
                    .iter()
                    .filter(|(grams, _)| grams.contains(gram))
                    .map(|(grams, term_weight)| {
                        let length = if switched_on("c") { grams.len() as f64 } else { 1.0 };
                        term_weight * gram_weight / length
                    })
                    .collect();
                all.iter().sum::<f64>() / all.len() as f64
            })
            .sum()
    }

    /// A text's terms, one for each occurrence, with their weights.
    fn bag(text: &[String], weights: &str, counts: &Counts) -> Vec<(String, f64)> {
        let by_word = match weights.split('.').find(|part| ["idf", "tfidf"].contains(part)) {
            Some(part) => counts.vector(text, part),
            None => counts.vector(text, "boolean"),
        };
        text.iter().map(|word| (word.clone(), by_word[word])).collect()
    }

    fn score(&self, case: &Case, weights: &str) -> f64 {
        let counts = Counts::new(case, self.idf);
        let a = Self::bag(&words(&case.a), weights, &counts);
        let b = Self::bag(&words(&case.b), weights, &counts);
        let together = [a.clone(), b.clone()].concat();
        // (4.5).
        let size = |bag: &[(String, f64)]| -> f64 {
            (self.first..=self.last).map(|q| self.cardinality(bag, q, weights, &counts)).sum()
        };
        self.divide.score(size(&a), size(&b), size(&together))
    }
}

fn spectra() -> impl Strategy<Value = Spectra> {
    let sizes = (1usize..=6, 1usize..=6);
    let padding = select(vec!["none", "single", "full"]);
    (sizes, padding, any::<bool>(), select(IDF.to_vec()), coefficient()).prop_map(
        |((x, y), padding, drop_short, idf, divide)| Spectra {
            first: x.min(y),
            last: x.max(y),
            padding,
            drop_short,
            idf,
            divide,
        },
    )
}

const SC_WEIGHTS: [&str; 12] = [
    "none",
    "c",
    "idf",
    "qidf",
    "c.idf",
    "c.qidf",
    "idf.qidf",
    "c.idf.qidf",
    "tfidf",
    "c.tfidf",
    "tfidf.qidf",
    "c.tfidf.qidf",
];

// ---------------------------------------------------------------- words in pairs

/// A term similarity of the library by its expression.
fn similarity(expression: &str) -> Box<dyn TermSimilarity> {
    let sum = expr::parse(expression).unwrap();
    let call = &sum.terms[0].1;
    let schema = Schema::find(&term::schemas(), call, "term similarity", expression).unwrap();
    term::build(&schema.resolve(call, expression).unwrap()).unwrap()
}

fn alike(similarity: &dyn TermSimilarity, a: &str, b: &str) -> f64 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    similarity.similarity(&a, &b)
}

fn terms() -> impl Strategy<Value = &'static str> {
    select(vec![
        "qgrams(q=2, coefficient=jaccard, padding=none)",
        "qgrams(q=2, coefficient=dice, padding=full, count=bag)",
        "levenshtein",
        "osa",
        "jaro-winkler",
        "lcs",
        "equal",
    ])
}

/// (3.3) over distinct words with weights.
fn pairwise_cardinality(set: &BTreeMap<String, f64>, alpha: &dyn TermSimilarity, p: f64) -> f64 {
    let softened =
        |word: &str| -> f64 { set.keys().map(|other| alike(alpha, word, other).powf(p)).sum() };
    set.iter().map(|(word, weight)| weight / softened(word)).sum()
}

/// A word of both texts weighs, in the union, as in the text where it weighs more: what a union of
/// bags does, and what makes |A∪A| = |A|.
fn union_of(a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let mut union = a.clone();
    for (word, &weight) in b {
        let at = union.entry(word.clone()).or_insert(weight);
        *at = at.max(weight);
    }
    union
}

// ---------------------------------------------------------------- vectors

fn length(vector: &BTreeMap<String, f64>) -> f64 {
    vector.values().map(|w| w * w).sum::<f64>().sqrt()
}

/// A vector over its length; a vector of zeros stays one.
fn unit(vector: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let length = length(vector);
    let over = |w: f64| if length == 0.0 { 0.0 } else { w / length };
    vector.iter().map(|(word, &w)| (word.clone(), over(w))).collect()
}

/// (2.3).
fn cosine(a: &BTreeMap<String, f64>, b: &BTreeMap<String, f64>) -> f64 {
    let (a, b) = (unit(a), unit(b));
    a.iter().map(|(word, w)| w * b.get(word).unwrap_or(&0.0)).sum()
}

/// (2.4) to the letter.
fn soft_cosine_of_all(
    a: &BTreeMap<String, f64>,
    b: &BTreeMap<String, f64>,
    alpha: &dyn TermSimilarity,
    threshold: f64,
) -> f64 {
    let (a, b) = (unit(a), unit(b));
    let mut sum = 0.0;
    for (word_a, x) in &a {
        for (word_b, y) in &b {
            let s = alike(alpha, word_a, word_b);
            if s > threshold {
                sum += x * y * s;
            }
        }
    }
    sum
}

/// Each word of the right text with the most similar word of the left one; of several equally
/// similar, with the heaviest.
fn soft_cosine_of_best(
    a: &BTreeMap<String, f64>,
    b: &BTreeMap<String, f64>,
    alpha: &dyn TermSimilarity,
    threshold: f64,
) -> f64 {
    let (a, b) = (unit(a), unit(b));
    let mut sum = 0.0;
    for (word_b, y) in &b {
        let partners: Vec<(f64, f64)> =
            a.iter().map(|(word_a, &x)| (alike(alpha, word_a, word_b), x)).collect();
        let best = partners.iter().map(|&(s, _)| s).fold(0.0, f64::max);
        if best > threshold {
            let as_good = partners.iter().filter(|&&(s, _)| s == best);
            sum += y * best * as_good.map(|&(_, x)| x).fold(0.0, f64::max);
        }
    }
    sum
}

/// The mean, over the words of `a` with their repeats, of the similarity of the best partner.
fn monge_elkan(a: &[String], b: &[String], alpha: &dyn TermSimilarity) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let best = |word: &str| b.iter().map(|other| alike(alpha, word, other)).fold(0.0, f64::max);
    a.iter().map(|word| best(word)).sum::<f64>() / a.len() as f64
}

// ---------------------------------------------------------------- strings

/// The full table of the optimal string alignment distance, or Levenshtein's without exchanges.
fn edits(a: &[char], b: &[char], exchanges: bool) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i == 0 || j == 0 {
                table[i][j] = i + j;
                continue;
            }
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = table[i - 1][j - 1] + change;
            least = least.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            if exchanges && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(table[i - 2][j - 2] + 1);
            }
            table[i][j] = least;
        }
    }
    table[a.len()][b.len()]
}

fn common_subsequence(a: &[char], b: &[char]) -> usize {
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            table[i][j] = if a[i - 1] == b[j - 1] {
                table[i - 1][j - 1] + 1
            } else {
                table[i - 1][j].max(table[i][j - 1])
            };
        }
    }
    table[a.len()][b.len()]
}

fn jaro(a: &[char], b: &[char]) -> f64 {
    let window = (a.len().max(b.len()) / 2).saturating_sub(1);
    let mut taken = vec![false; b.len()];
    let mut from_a = Vec::new();
    for (i, &c) in a.iter().enumerate() {
        let partner = (0..b.len()).find(|&j| !taken[j] && b[j] == c && i.abs_diff(j) <= window);
        if let Some(j) = partner {
            taken[j] = true;
            from_a.push(c);
        }
    }
    let from_b: Vec<char> = (0..b.len()).filter(|&j| taken[j]).map(|j| b[j]).collect();
    if from_a.is_empty() {
        return 0.0;
    }
    let out_of_order = from_a.iter().zip(&from_b).filter(|(x, y)| x != y).count() / 2;
    let m = from_a.len() as f64;
    (m / a.len() as f64 + m / b.len() as f64 + (m - out_of_order as f64) / m) / 3.0
}

fn jaro_winkler(a: &[char], b: &[char], weight: f64) -> f64 {
    let jaro = jaro(a, b);
    if jaro <= 0.7 {
        return jaro;
    }
    let prefix = a.iter().zip(b).take(4).take_while(|(x, y)| x == y).count();
    jaro + prefix as f64 * weight * (1.0 - jaro)
}

/// Shared grams of two whole strings over a size, the grams as sets or as bags.
fn shared_grams(
    a: &[char],
    b: &[char],
    (q, padding, bag): (usize, &str, bool),
    coefficient: &str,
) -> f64 {
    let count = |term: &[char]| {
        let mut counts: BTreeMap<Gram, usize> = BTreeMap::new();
        for gram in grams(term, q, padding, false) {
            let n = counts.entry(gram).or_default();
            *n = if bag { *n + 1 } else { 1 };
        }
        counts
    };
    let (x, y) = (count(a), count(b));
    let all: BTreeSet<&Gram> = x.keys().chain(y.keys()).collect();
    let times =
        |counts: &BTreeMap<Gram, usize>, gram: &Gram| counts.get(gram).copied().unwrap_or(0);
    let shared: usize = all.iter().map(|gram| times(&x, gram).min(times(&y, gram))).sum();
    let union: usize = all.iter().map(|gram| times(&x, gram).max(times(&y, gram))).sum();
    let (x, y) = (x.values().sum::<usize>() as f64, y.values().sum::<usize>() as f64);
    let shared = shared as f64;
    match coefficient {
        "jaccard" => shared / union as f64,
        "dice" => 2.0 * shared / (x + y),
        "cosine" => shared / (x * y).sqrt(),
        "overlap" => shared / x.min(y),
        other => unreachable!("{other}"),
    }
}

/// All string measures over two strings: their expressions and values by definition.
fn of_strings(a: &str, b: &str) -> Vec<(String, f64)> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let longer = a.len().max(b.len()) as f64;
    let mut all = vec![
        ("levenshtein".to_owned(), 1.0 - edits(&a, &b, false) as f64 / longer),
        ("osa".to_owned(), 1.0 - edits(&a, &b, true) as f64 / longer),
        ("lcs".to_owned(), common_subsequence(&a, &b) as f64 / longer),
        ("jaro".to_owned(), jaro(&a, &b)),
        ("jaro-winkler".to_owned(), jaro_winkler(&a, &b, 0.1)),
        ("jaro-winkler(prefix=0.25)".to_owned(), jaro_winkler(&a, &b, 0.25)),
        ("equal".to_owned(), f64::from(u8::from(a == b))),
    ];
    for q in 1..=4 {
        for padding in ["none", "single", "full"] {
            for coefficient in ["jaccard", "dice", "cosine", "overlap"] {
                for count in ["set", "bag"] {
                    let how = (q, padding, count == "bag");
                    all.push((
                        format!(
                            "qgrams(q={q}, coefficient={coefficient}, padding={padding}, count={count})"
                        ),
                        shared_grams(&a, &b, how, coefficient),
                    ));
                }
            }
        }
    }
    if a.is_empty() || b.is_empty() {
        all.iter_mut().for_each(|(_, score)| *score = 0.0);
    }
    all
}

// ---------------------------------------------------------------- the tests

proptest! {
    /// What the references call a text's terms is what stands between its blanks.
    #[test]
    fn plain_words_are_terms(text in proptest::collection::vec(word(), 0..6)) {
        let folded: Vec<String> = text.iter().map(|w| w.to_lowercase()).collect();
        prop_assert_eq!(words(&text.join(" ")), folded);
    }

    #[test]
    fn soft_cardinality_spectra(case in case(), spectra in spectra()) {
        for weights in SC_WEIGHTS {
            agree!(spectra.expression(weights), &case, spectra.score(&case, weights));
        }
    }

    #[test]
    fn soft_cardinality_by_pairs(
        case in case(),
        terms in terms(),
        p in prop_oneof![select(vec![0.0, 0.5, 1.0, 2.0, f64::INFINITY]), 0.0..8.0f64],
        divide in named_coefficient(),
        idf in 0usize..3,
    ) {
        let alpha = similarity(terms);
        let counts = Counts::new(&case, IDF[idf]);
        for weights in WORD_WEIGHTS {
            let a = counts.vector(&words(&case.a), weights);
            let b = counts.vector(&words(&case.b), weights);
            let union = union_of(&a, &b);
            let [a, b, union] =
                [a, b, union].map(|set| pairwise_cardinality(&set, &*alpha, p));
            let expression = format!(
                "sc-pairwise(p={p}, terms={terms}, weights={weights}, idf={}, {})",
                IDF[idf],
                divide.setting(),
            );
            agree!(expression, &case, divide.score(a, b, union));
        }
    }

    #[test]
    fn cosine_of_weighted_words(case in case()) {
        for weights in WORD_WEIGHTS {
            for idf in IDF {
                let counts = Counts::new(&case, idf);
                let a = counts.vector(&words(&case.a), weights);
                let b = counts.vector(&words(&case.b), weights);
                let expression = format!("tfidf(weights={weights}, idf={idf})");
                agree!(expression, &case, cosine(&a, &b));
            }
        }
    }

    #[test]
    fn soft_cosine_of_weighted_words(
        case in case(),
        terms in terms(),
        // 0.5 and 0.75 are often met exactly, which is not above.
        threshold in prop_oneof![
            select(vec![0.0, 0.25, 0.5, 0.75, 0.9, 1.0]),
            0.0..1.0f64,
        ],
        idf in 0usize..3,
    ) {
        let alpha = similarity(terms);
        let counts = Counts::new(&case, IDF[idf]);
        for weights in WORD_WEIGHTS {
            let a = counts.vector(&words(&case.a), weights);
            let b = counts.vector(&words(&case.b), weights);
            let expression = |partner| format!(
                "soft-tfidf(terms={terms}, threshold={threshold}, partner={partner}, \
                 weights={weights}, idf={})",
                IDF[idf],
            );
            let all = soft_cosine_of_all(&a, &b, &*alpha, threshold);
            agree!(expression("all"), &case, all);
            let best = soft_cosine_of_best(&a, &b, &*alpha, threshold);
            agree!(expression("best"), &case, best);
        }
    }

    #[test]
    fn best_partners_on_average(case in case(), terms in terms()) {
        let alpha = similarity(terms);
        let (a, b) = (words(&case.a), words(&case.b));
        let left = monge_elkan(&a, &b, &*alpha);
        let both = (left + monge_elkan(&b, &a, &*alpha)) / 2.0;
        agree!(format!("monge-elkan(terms={terms})"), &case, left);
        agree!(format!("monge-elkan(terms={terms}, direction=both)"), &case, both);
    }

    #[test]
    fn whole_strings(
        case in case(),
        blanks in (" {0,2}", " {0,2}"),
        long in prop::bool::weighted(0.1),
    ) {
        let repeated = |text: &str| if long { text.repeat(7) } else { text.to_owned() };
        let raw = Case {
            a: format!("{}{}", blanks.0, repeated(&case.a)),
            b: format!("{}{}", repeated(&case.b), blanks.1),
            ..case
        };
        for (expression, reference) in of_strings(&raw.a, &raw.b) {
            agree!(expression, &raw, reference);
        }
        // The same over analysed texts: the terms with one blank between them.
        let (a, b) = (words(&raw.a).join(" "), words(&raw.b).join(" "));
        for (expression, reference) in of_strings(&a, &b) {
            let mut analysed = expression.replace(')', ", analyzer=analyzer)");
            if analysed == expression {
                analysed.push_str("(analyzer=analyzer)");
            }
            agree!(analysed, &raw, reference);
        }
    }

    #[test]
    fn weighted_sums(case in case(), spectra in spectra(), by in prop::array::uniform3(0.01..3.0f64)) {
        let counts = Counts::new(&case, "plus-one");
        let vector = |text: &str| counts.vector(&words(text), "tfidf");
        let strings = of_strings(&case.a, &case.b);
        let levenshtein = strings.iter().find(|(name, _)| name == "levenshtein").unwrap().1;
        let sc = spectra.score(&case, "c.idf");
        let cosine = cosine(&vector(&case.a), &vector(&case.b));
        let [x, y, z] = by;
        let expression =
            format!("{x}*{} + {y}*tfidf + {z}*levenshtein", spectra.expression("c.idf"));
        agree!(expression, &case, x * sc + y * cosine + z * levenshtein);
    }
}

/// Where a word's weight depends on its text, its weight in the union is the larger one, so the union
/// does not depend on which text comes first.
#[test]
fn the_union_by_pairs_does_not_depend_on_the_order() {
    let measure = "sc-pairwise(weights=tf, terms=equal, coefficient=dice)";
    for (a, b) in [("a", "a a"), ("a a", "a")] {
        let case = Case { a: a.to_owned(), b: b.to_owned(), collection: Vec::new() };
        // 1 + 2 − 2 shared of 1.5 on average.
        assert!(near(score(measure, &case), 2.0 / 3.0), "{a} {b}");
    }
}

/// With an exponent near 0 the mean is near the geometric one, however near.
#[test]
fn the_mean_with_a_small_exponent_is_geometric() {
    let case = Case { a: "ab".to_owned(), b: "ab cd ef".to_owned(), collection: Vec::new() };
    let cosine = score("sc(coefficient=cosine)", &case);
    for p in ["1e-13", "-1e-13", "1e-17", "-1e-17", "1e-100", "-1e-100"] {
        assert!(near(score(&format!("sc(p={p})"), &case), cosine), "p={p}");
    }
}

/// The references themselves, on what the paper works out.
#[test]
fn the_references_give_the_worked_examples() {
    let sizes = |q, padding| gram_set("sunday", q, padding, false).len();
    assert_eq!([sizes(3, "none"), sizes(3, "single"), sizes(3, "full")], [4, 6, 8]);
    assert_eq!(gram_set("sun", 4, "none", false).len(), 1);
    assert_eq!(gram_set("sun", 4, "none", true).len(), 0);

    let bigrams = Spectra {
        first: 2,
        last: 2,
        padding: "single",
        drop_short: false,
        idf: "plain",
        divide: Divide::Union,
    };
    let nothing = Counts { texts: Vec::new(), idf: "plain" };
    let name = Spectra::bag(&words("Gonzalo Gonzalez"), "c", &nothing);
    let size = bigrams.cardinality(&name, 2, "c", &nothing);
    assert!((size - 1.291_666_666_666_667).abs() < 1e-12);

    for p in [-7.0, -1.0, -0.2, 0.5, 1.0, 3.0] {
        let literal = generalised_mean(2.0, 5.0, p);
        let close = generalised_mean(2.0, 5.0, p + 1e-12);
        assert!((literal - close).abs() < 1e-9);
    }
    assert!((generalised_mean(2.0, 8.0, 1e-9) - 4.0).abs() < 1e-7);
    assert!((generalised_mean(2.0, 8.0, 1e6) - 8.0).abs() < 1e-4);
    assert!((generalised_mean(2.0, 8.0, -1e6) - 2.0).abs() < 1e-4);

    let chars = |s: &str| s.chars().collect::<Vec<_>>();
    assert_eq!(edits(&chars("kitten"), &chars("sitting"), false), 3);
    assert_eq!(edits(&chars("ca"), &chars("abc"), true), 3);
    assert!((jaro(&chars("MARTHA"), &chars("MARHTA")) - 17.0 / 18.0).abs() < 1e-12);
    assert!((jaro_winkler(&chars("DIXON"), &chars("DICKSONX"), 0.1) - 0.813_333_333).abs() < 1e-8);
}
