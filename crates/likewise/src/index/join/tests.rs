//! Joins against scoring all pairs.

use super::*;
use crate::index::{Field, SearchOptions};
use crate::measure::Measure;
use proptest::prelude::*;

const MEASURES: &[&str] = &[
    "default",
    "word-grams(q=2:3)",
    "0.7*word-grams(q=2:3) + 0.3*word-grams(compare=cosine, qidf=1, head=1)",
    "sc",
    "sc(q=1:2, weights=idf)",
    "sc(q=2, weights=c.idf.qidf, coefficient=dice)",
    "sc(q=3, weights=none, coefficient=cosine)",
    "tfidf",
    "tfidf(weights=idf)",
    "soft-cosine(terms=edit(max=2), min=0.3)",
    "soft-cosine(terms=edit(max=2), min=0.5, formula=basis, shift=0.6)",
    "soft-cosine(terms=qgrams(q=2), min=0.4)",
    "0.5*sc + 0.5*tfidf",
    "0.4*sc(q=2) + 0.3*tfidf + 0.3*soft-cosine(terms=edit(max=1), min=0.2)",
];

fn text() -> impl Strategy<Value = String> {
    let words = ["acme", "acne", "acmes", "inc", "in", "zeta", "zetas", "beta", "bet", "a", "of"];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..6).prop_map(|w| w.join(" "))
}

fn fields(measures: &[&str]) -> Vec<Field> {
    let weight = 1.0 / measures.len() as f64;
    measures.iter().map(|m| Field::new(weight, m.parse::<Measure>().unwrap())).collect()
}

/// What a search for each row finds.
fn searched(index: &Index, texts: &[Vec<&str>], min: f64) -> Vec<Pair> {
    let options = SearchOptions::new().k(usize::MAX).min(min);
    let mut pairs = Vec::new();
    for (number, texts) in (0..).zip(texts) {
        let mut rows: Vec<Pair> = index
            .search(texts, options)
            .unwrap()
            .map(|hit| Pair::new(number, hit.row as u32, hit.score))
            .collect();
        rows.sort_by_key(|pair| pair.right);
        pairs.extend(rows);
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_join_finds_what_searches_find(
        rows in prop::collection::vec((text(), text()), 1..40),
        others in prop::collection::vec((text(), prop_oneof![text(), "[a-f]{1,4}( [a-f]{2,5})?"]), 1..20),
        measures in (prop::sample::select(MEASURES), prop::sample::select(MEASURES)),
        two in any::<bool>(),
        min in 0.2..1.0f64,
    ) {
        let columns = if two { 2 } else { 1 };
        let fields = fields(&[measures.0, measures.1][..columns]);
        let texts: Vec<Vec<String>> = vec![
            rows.iter().map(|row| row.0.clone()).collect(),
            rows.iter().map(|row| row.1.clone()).collect(),
        ];
        let index = Index::build(&fields, texts[..columns].to_vec()).unwrap();
        let own: Vec<Vec<&str>> =
            rows.iter().map(|(x, y)| [x.as_str(), y][..columns].to_vec()).collect();
        let others: Vec<Vec<&str>> =
            others.iter().map(|(x, y)| [y.as_str(), x][..columns].to_vec()).collect();
        let stage = Stage::default();
        if let Some(pairs) = index.pairs(min, &stage).unwrap() {
            let mut slow = searched(&index, &own, min);
            slow.retain(|pair| pair.left < pair.right);
            prop_assert_eq!(pairs, slow);
        } else {
            prop_assert!(two || min < 0.5, "not joined");
        }
        if let Some(pairs) = index.pairs_with(&others, None, min, &stage).unwrap() {
            prop_assert_eq!(pairs, searched(&index, &others, min));
        } else {
            prop_assert!(two || min < 0.5, "not joined");
        }
    }
}

/// Names of three terms, of which the first are common, with a slip of the pen in some.
fn names(many: usize) -> Vec<String> {
    let mut state = 7u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let firsts = ["keyboard", "keybord", "kettle", "blender", "watch"];
    let syllables = ["an", "ber", "ca", "do", "el", "fi", "gar", "hu", "stra", "mo"];
    let name = |_| {
        let second = format!("{}{}", syllables[next(10)], syllables[next(10)]);
        let third = format!("{}{}{}", syllables[next(10)], syllables[next(10)], next(30));
        format!("{} {second} {third}", firsts[next(5)])
    };
    (0..many).map(name).collect()
}

#[test]
fn dividing_partitions_changes_nothing() {
    for measure in ["default", "sc", "tfidf", "soft-cosine(terms=edit(max=2), min=0.3)"] {
        let names = names(2_000);
        let index = Index::of_texts(&measure.parse().unwrap(), names.clone()).unwrap();
        let others: Vec<Vec<&str>> = names[..500].iter().map(|name| vec![name.as_str()]).collect();
        for (min, rows) in [
            (0.4, Rows::Own(None)),
            (0.6, Rows::Own(None)),
            (0.75, Rows::Own(None)),
            (0.6, Rows::Others(&others, None)),
        ] {
            let pairs = |many: usize, dividing: f32| {
                pairs_by(&index, rows, min, CostModel { many, dividing }, &Stage::default())
                    .unwrap()
                    .unwrap()
            };
            let never = pairs(usize::MAX, 0.0);
            assert!(!never.is_empty(), "{measure} {min}");
            for (many, dividing) in [(0, 0.0), (40, 0.0), (0, 1.0), (100, 5.0)] {
                assert!(never == pairs(many, dividing), "{measure} {min}: {many}, {dividing}");
            }
        }
    }
}
