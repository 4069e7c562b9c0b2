//! The measure held to its definition, and to numbers from outside.

use super::alignment::{Aligner, Method};
use super::score_of;
use crate::collection::Collection;
use crate::measure::Measure;
use crate::term::{self, TermSimilarity};
use proptest::prelude::*;

fn scorer(expression: &str) -> crate::measure::Scorer {
    expression.parse::<Measure>().unwrap().bind(&Collection::default()).unwrap()
}

fn score(expression: &str, a: &str, b: &str) -> f64 {
    let scorer = scorer(expression);
    scorer.score_texts(a, b)
}

/// The paper's example: four words each, aligned for .7321, .6302, .4872 and .4321.
#[test]
fn the_worked_example_comes_out() {
    let matrix = vec![
        0.3012, 0.4872, 0.2211, 0.1003, //
        0.7321, 0.5104, 0.4410, 0.3977, //
        0.2250, 0.3391, 0.3105, 0.4321, //
        0.6655, 0.1876, 0.6302, 0.4018,
    ];
    let mut aligner = Aligner::default();
    aligner.matrix = matrix;
    let sum = aligner.align(4, 4, Method::Greedy, |_, _| unreachable!("all are exact"));
    let taken: Vec<f64> = aligner.pairs.iter().map(|pair| pair.2).collect();
    assert_eq!(taken, [0.7321, 0.6302, 0.4872, 0.4321]);
    assert!((score_of(sum, 4, 4) - 0.5704).abs() < 5e-5);
}

/// The definition, word by word: the largest entry of the matrix, its row and column removed, and again.
fn slow(terms: &dyn TermSimilarity, a: &[&str], b: &[&str]) -> f64 {
    let chars = |word: &str| word.chars().collect::<Vec<char>>();
    let mut left: Vec<Vec<char>> = a.iter().map(|word| chars(word)).collect();
    let mut right: Vec<Vec<char>> = b.iter().map(|word| chars(word)).collect();
    let mut sum = 0.0;
    while !left.is_empty() && !right.is_empty() {
        let all = (0..left.len()).flat_map(|i| (0..right.len()).map(move |j| (i, j)));
        let mut most = (f64::NEG_INFINITY, 0, 0);
        for (i, j) in all {
            let similarity = terms.similarity(&left[i], &right[j]);
            if similarity > most.0 {
                most = (similarity, i, j);
            }
        }
        let (similarity, i, j) = most;
        sum += similarity;
        left.remove(i);
        right.remove(j);
    }
    let (m, n) = (a.len() as f64, b.len() as f64);
    if a.is_empty() || b.is_empty() { 0.0 } else { sum * (m + n) / (2.0 * m * n) }
}

const TERMS: [&str; 4] =
    ["string", "string(nmclcsn=0)", "mix(0.3*nlcs, 0.7*jaro-winkler)", "max(nmclcs1, edit)"];

proptest! {
    #[test]
    fn the_definition_gives_the_same(a in "([a-c]{1,4} ){0,6}", b in "([a-c]{1,4} ){0,6}") {
        let (left, right): (Vec<&str>, Vec<&str>) =
            (a.split_whitespace().collect(), b.split_whitespace().collect());
        for terms in TERMS {
            let similarity = term::build(&term::parse(terms).unwrap()).unwrap();
            let expected = slow(&*similarity, &left, &right);
            let found = score(&format!("sts({terms}, analyzer=analyzer)"), &a, &b);
            prop_assert!((found - expected).abs() < 1e-9, "{}: {} {}", terms, found, expected);
        }
    }

    #[test]
    fn bulk_gives_the_bits_of_single_pairs(
        rows in proptest::collection::vec("([a-c]{1,4} ){0,5}", 1..5),
        columns in proptest::collection::vec("([a-c]{1,4} ){0,5}", 0..8),
    ) {
        for matching in ["greedy", "optimal"] {
            let scorer = scorer(&format!("sts(matching={matching}, analyzer=analyzer)"));
            let (left, right) = (scorer.prepare_all(&rows), scorer.prepare_all(&columns));
            let all = scorer.map_rows(&left, &right, |_, scores| scores.to_vec()).unwrap();
            for (row, scores) in rows.iter().zip(all) {
                for (column, score) in columns.iter().zip(scores) {
                    let (x, y) = (scorer.prepare(row), scorer.prepare(column));
                    prop_assert_eq!(scorer.score_own(&x, &y).to_bits(), score.to_bits());
                    prop_assert_eq!(scorer.score_own(&y, &x).to_bits(), score.to_bits());
                }
            }
        }
    }
}

#[test]
fn pairs_are_explained_in_the_order_taken() {
    let scorer = scorer("sts");
    let explanation = scorer.explain("Cheap hosting in Japan", "Hosts from Japan are cheapest");
    let parts: Vec<&str> = explanation.parts.iter().map(|part| part.what.as_str()).collect();
    assert_eq!(parts[..2], ["host", "japan"]);
    assert!(parts[2].starts_with("cheap ~ cheapest ("));
    assert!((explanation.numerator / explanation.denominator - explanation.score).abs() < 1e-12);
}

#[test]
fn greed_may_cost_what_the_optimal_way_keeps() {
    let of = |way: &str| {
        score(&format!("sts(nlcs, matching={way}, analyzer=analyzer)"), "abcd ab", "abc xbcd")
    };
    // abcd with abc first, 9/12, which leaves ab with xbcd, 1/8; or abcd with xbcd, 9/16, and ab with abc, 4/6.
    assert!((of("greedy") - (0.75 + 0.125) / 2.0).abs() < 1e-12);
    assert!((of("optimal") - (9.0 / 16.0 + 4.0 / 6.0) / 2.0).abs() < 1e-12);
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let of = |expression: &str| {
        let measure: Measure = expression.parse().unwrap();
        measure.bind(&Collection::default()).err().unwrap().to_string()
    };
    assert!(of("sts(string, string=0.5)").contains("not both"));
    assert!(of("sts(soc-pmi=0.5)").contains("name the corpus"));
    assert!(of("sts(string=0)").contains("above 0"));
}

#[test]
fn both_ways_to_say_it_are_the_same() {
    let (a, b) = ("cheap hosting in japan", "the cheapest host");
    assert_eq!(score("sts", a, b), score("sts(string=1)", a, b));
    assert_eq!(score("sts", a, b), score("sts(string)", a, b));
    assert_eq!(score("sts(3*string, 1*nlcs)", a, b), score("sts(mix(3*string, nlcs))", a, b));
}
