//! Soft cosine held to its definition, dense and slow.

use super::*;
use crate::collection::Collection;
use crate::measure::{Measure, Scorer};
use crate::text::Analyzer;
use proptest::prelude::*;

/// Texts of few words that are often alike.
fn texts() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("([a-c]{1,4} ){0,7}", 2..12)
}

fn soft_cosine(settings: &str, texts: &[String]) -> Result<SoftCosine, BindError> {
    let expression = format!("soft-cosine({settings})");
    let sum = crate::expr::parse(&expression).unwrap();
    let settings = SCHEMA.resolve(&sum.terms[0].1, &expression).unwrap();
    let collection = Collection::build([Analyzer::default()], texts).unwrap();
    let analyzer = &Analyzer::default();
    let vocabulary = collection.vocabulary(analyzer).unwrap();
    let resources = &crate::resource::Resources::default();
    SoftCosine::new(&settings, BindContext { vocabulary, analyzer, resources })
}

fn bind(measure: &str, texts: &[String]) -> Scorer {
    let measure: Measure = measure.parse().unwrap();
    measure.bind(&Collection::build(measure.analyzers(), texts).unwrap()).unwrap()
}

fn score(scorer: &Scorer, a: &str, b: &str) -> f64 {
    scorer.score_texts(a, b)
}

/// The words of some texts, sorted, with all their similarities, and a text's counts.
struct Dense {
    words: Vec<String>,
    s: Vec<Vec<f64>>,
}

impl Dense {
    fn new<'a>(texts: impl IntoIterator<Item = &'a str>, min: f64) -> Self {
        let mut words: Vec<String> =
            texts.into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect();
        words.sort();
        words.dedup();
        let of = |x: &String, y: &String| {
            let chars = |w: &String| w.chars().collect::<Vec<_>>();
            let s = 1.0 / (1 + term::levenshtein::distance(&chars(x), &chars(y))) as f64;
            if s >= min { s } else { 0.0 }
        };
        let s = words.iter().map(|x| words.iter().map(|y| of(x, y)).collect()).collect();
        Self { words, s }
    }

    fn vector(&self, text: &str) -> Vec<f64> {
        let count = |w: &String| text.split_whitespace().filter(|t| t == w).count() as f64;
        self.words.iter().map(count).collect()
    }

    /// (14), by the letter.
    fn exact(&self, a: &str, b: &str) -> f64 {
        let (a, b) = (self.vector(a), self.vector(b));
        let product = |x: &[f64], y: &[f64]| {
            let mut sum = 0.0;
            for (row, x) in self.s.iter().zip(x) {
                for (s, y) in row.iter().zip(y) {
                    sum += s * x * y;
                }
            }
            sum
        };
        quotient(product(&a, &b), product(&a, &a), product(&b, &b))
    }

    /// (15) and (16), by the letter.
    fn pairs(&self, a: &str, b: &str) -> f64 {
        let transform = |x: &[f64]| -> Vec<f64> {
            let n = x.len();
            let at = |i: usize, j: usize| self.s[i][j].sqrt() * (x[i] + x[j]) / 2.0;
            (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect()
        };
        let (a, b) = (transform(&self.vector(a)), transform(&self.vector(b)));
        plain(&a, &b)
    }
}

fn quotient(product: f64, a: f64, b: f64) -> f64 {
    if product == 0.0 { 0.0 } else { (product / (a.sqrt() * b.sqrt())).min(1.0) }
}

fn plain(a: &[f64], b: &[f64]) -> f64 {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    quotient(dot(a, b), dot(a, a), dot(b, b))
}

proptest! {
    #[test]
    fn the_exact_formula_is_the_definition(
        texts in texts(), a in "([a-d]{1,4} ){0,7}", b in "([a-d]{1,4} ){0,7}", min in 0.0..0.6,
    ) {
        let dense = Dense::new([a.as_str(), b.as_str()], min);
        let expected = dense.exact(&a, &b);
        let measure = format!("soft-cosine(terms=edit, min={min}, weights=tf)");
        // Whether words are known or not, and whether their matrix was made or not, makes no difference.
        let unbound = bind(&measure, &[]);
        let bound = bind(&measure, &texts);
        let ready = bind(&measure, &texts);
        ready.prepare_all(&texts);
        let scores = [&unbound, &bound, &ready].map(|scorer| score(scorer, &a, &b));
        prop_assert!((scores[0] - expected).abs() < 1e-9, "{} {expected}", scores[0]);
        for one in scores {
            prop_assert!((one - scores[0]).abs() < 1e-12);
        }
        prop_assert_eq!(score(&bound, &a, &b).to_bits(), score(&ready, &a, &b).to_bits());
        prop_assert_eq!(score(&ready, &b, &a).to_bits(), score(&ready, &a, &b).to_bits());
        let explained = ready.explain(&a, &b);
        if explained.score < 1.0 {
            prop_assert!((explained.numerator / explained.denominator.max(1e-300) - explained.score).abs() < 1e-9);
        }
    }

    #[test]
    fn pairs_are_those_of_the_definition(texts in texts(), min in 0.0..0.6) {
        let dense = Dense::new(texts.iter().map(String::as_str), min);
        let measure = format!("soft-cosine(terms=edit, min={min}, weights=tf, formula=pairs)");
        let scorer = bind(&measure, &texts);
        for a in &texts {
            let expected = dense.pairs(a, &texts[0]);
            prop_assert!((score(&scorer, a, &texts[0]) - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn what_equals_the_exact_formula_does(texts in texts(), min in 0.0..0.9) {
        let settings = format!("terms=edit, min={min}, weights=tf");
        let exact = bind(&format!("soft-cosine({settings})"), &texts);
        for formula in ["pairs-corrected", "basis"] {
            // Not all similarities allow it.
            let Ok(other) = soft_cosine(&format!("{settings}, formula={formula}"), &texts) else { continue };
            let analyzer = Analyzer::default();
            let prepared: Vec<SoftText> =
                texts.iter().map(|t| other.prepare(&analyzer.analyze(t))).collect();
            for (a, x) in texts.iter().zip(&prepared) {
                for (b, y) in texts.iter().zip(&prepared) {
                    let (one, other) = (score(&exact, a, b), other.score(x, y));
                    prop_assert!((one - other).abs() < 1e-9, "{formula} {one} {other}");
                }
            }
        }
    }

    #[test]
    fn transformed_vectors_have_the_score_as_their_plain_cosine(
        texts in texts(), min in 0.2..0.9, shift in 0.0..0.5,
    ) {
        for formula in ["pairs", "pairs-corrected", "basis"] {
            let shift = if formula == "basis" { shift } else { 0.0 };
            let settings = format!("terms=edit, min={min}, weights=tf, formula={formula}, shift={shift}");
            let Ok(measure) = soft_cosine(&settings, &texts) else { continue };
            let analyzed: Vec<Text> = texts.iter().map(|t| Analyzer::default().analyze(t)).collect();
            let vector = |text: &Text| measure.transformed(text).unwrap();
            let width = analyzed.iter().flat_map(&vector).map(|(at, _)| at).max().unwrap_or(0) as usize;
            let dense = |text: &Text| {
                let mut x = vec![0.0; width + 1];
                vector(text).into_iter().for_each(|(at, value)| x[at as usize] = value);
                x
            };
            for b in &analyzed {
                let expected = plain(&dense(&analyzed[0]), &dense(b));
                let score = measure.score(&measure.prepare(&analyzed[0]), &measure.prepare(b));
                prop_assert!((score - expected).abs() < 1e-9, "{formula} {score} {expected}");
            }
        }
    }

    #[test]
    fn without_related_words_all_are_the_plain_cosine(texts in texts()) {
        let plain = bind("tfidf(weights=tf)", &texts);
        for formula in ["exact", "pairs", "pairs-corrected", "basis"] {
            let soft = bind(&format!("soft-cosine(terms=equal, weights=tf, formula={formula})"), &texts);
            for b in &texts {
                let (x, y) = (score(&plain, &texts[0], b), score(&soft, &texts[0], b));
                prop_assert!((x - y).abs() < 1e-12, "{formula} {x} {y}");
            }
        }
    }

    #[test]
    fn a_limit_of_neighbours_holds_for_every_pair(texts in texts(), most in 1..4usize) {
        let settings = format!("terms=edit, weights=tf, most={most}");
        let measure = soft_cosine(&settings, &texts).unwrap();
        let matrix = measure.related.matrix().unwrap();
        let scorer = bind(&format!("soft-cosine({settings})"), &texts);
        let words = Dense::new(texts.iter().map(String::as_str), 0.0).words;
        for (i, x) in words.iter().enumerate() {
            prop_assert!(matrix.row(i as u32).0.len() <= most);
            for (j, y) in words.iter().enumerate() {
                let expected = matrix.get(i as u32, j as u32);
                prop_assert!((score(&scorer, x, y) - expected).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn the_papers_example_comes_out() {
    let texts = ["play game", "player gamer"].map(str::to_owned);
    for (formula, expected) in [
        ("exact", 0.489_897_948_556_635_6),
        ("pairs", 0.196_748),
        ("pairs-corrected", 0.489_897_948_556_635_6),
        ("basis", 0.489_897_948_556_635_6),
    ] {
        let measure =
            format!("soft-cosine(terms=edit(form=inverse), weights=tf, formula={formula})");
        let scorer = bind(&measure, &texts);
        let score = score(&scorer, &texts[0], &texts[1]);
        let within = if formula == "pairs" { 1e-6 } else { 1e-9 };
        assert!((score - expected).abs() < within, "{formula}: {score}");
    }
}

#[test]
fn an_explanation_names_the_words_that_met() {
    let texts = ["play game", "player gamer"].map(str::to_owned);
    let scorer = bind("soft-cosine(terms=edit(form=inverse, max=2), weights=tf)", &texts);
    let why = scorer.explain(&texts[0], &texts[1]);
    let parts: Vec<&str> = why.parts.iter().map(|part| part.what.as_str()).collect();
    assert_eq!(parts, ["game ~ gamer (0.500)", "play ~ player (0.333)"]);
}

#[test]
fn a_formula_that_does_not_apply_says_why() {
    let texts = ["play plays played player".to_owned()];
    let refused = |settings: &str| soft_cosine(settings, &texts).err().unwrap().to_string();
    let corrected = refused("terms=edit(form=root), formula=pairs-corrected");
    assert!(corrected.contains("\"play\" is like others by 2.5"), "{corrected}");
    // A hub that three strangers are near.
    let star = ["abcd bbcd accd abdd".to_owned()];
    let error = soft_cosine("terms=edit(form=root, max=1), formula=basis", &star).err().unwrap();
    let error = error.to_string();
    assert!(error.contains("not positive definite (pivot -"), "{error}");
    let shift = error.split("shift=").nth(1).unwrap().split('`').next().unwrap();
    let settings = format!("terms=edit(form=root, max=1), formula=basis, shift={shift}");
    let shifted = soft_cosine(&settings, &star).unwrap();
    let report = shifted.report();
    assert!(report.largest_change > 0.0 && report.basis.unwrap().1 > 0.0, "{report:?}");
    let unknown: Measure = "soft-cosine(formula=pairs, weights=tf)".parse().unwrap();
    let error = unknown.bind(&Collection::default()).err().unwrap().to_string();
    assert!(error.contains("needs to know all texts beforehand"), "{error}");
}

#[cfg(feature = "table")]
proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Similarities of which no row adds up to 1 or more are positive definite.
    #[test]
    fn all_exact_formulas_agree_on_random_positive_definite_similarities(
        similarities in proptest::collection::vec(0.0..1.0f64, 15),
        texts in proptest::collection::vec("([a-f] ){1,8}", 2..8),
    ) {
        let letters = ["a", "b", "c", "d", "e", "f"];
        let mut csv = "feature1,feature2,similarity\n".to_owned();
        let pairs = (0..6).flat_map(|i| (0..i).map(move |j| (i, j)));
        for ((i, j), s) in pairs.zip(&similarities) {
            csv += &format!("{},{},{}\n", letters[i], letters[j], s / 5.0);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.csv");
        std::fs::write(&path, csv).unwrap();
        let settings = format!("terms=table({:?}), weights=tf", path.to_str().unwrap());
        let analyzed: Vec<Text> = texts.iter().map(|t| Analyzer::default().analyze(t)).collect();
        let scores = |formula: &str| {
            let measure = soft_cosine(&format!("{settings}, formula={formula}"), &texts).unwrap();
            let prepared: Vec<SoftText> = analyzed.iter().map(|t| measure.prepare(t)).collect();
            prepared.iter().map(|t| measure.score(&prepared[0], t)).collect::<Vec<f64>>()
        };
        let exact = scores("exact");
        for formula in ["pairs-corrected", "basis"] {
            for (one, other) in exact.iter().zip(scores(formula)) {
                prop_assert!((one - other).abs() < 1e-9, "{formula} {one} {other}");
            }
        }
    }
}
