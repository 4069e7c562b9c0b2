//! Figures on the evaluation data, which stay outside the repository. Where `LIKEWISE_DATA` does not
//! name their folder, each test says so and passes.
#![cfg(feature = "table")]

use likewise::collection::Collection;
use likewise::control::Stage;
use likewise::eval::data::{Gold, MatchSet, PairSet, RetrievalSet};
use likewise::eval::metrics::{Interpolation, Ranking, Ties};
use likewise::eval::{Outcome, matching, pairs, retrieval};
use likewise::measure::{Measure, Scorer};
use likewise::table::ReadOptions;
use std::path::PathBuf;

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("LIKEWISE_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: LIKEWISE_DATA is not set");
    }
    folder
}

fn bind<'a>(measure: &str, texts: impl Iterator<Item = &'a str>) -> Scorer {
    let measure: Measure = measure.parse().unwrap();
    let collection = Collection::build(measure.analyzers(), texts.collect::<Vec<_>>()).unwrap();
    measure.bind(&collection).unwrap()
}

fn open(folder: &std::path::Path, set: &str) -> MatchSet {
    MatchSet::open(&folder.join("er").join(set), &["text"], &ReadOptions::default()).unwrap()
}

fn evaluate(folder: &std::path::Path, set: &str, measure: &str) -> Outcome {
    let set = open(folder, set);
    let scorer = bind(measure, set.texts());
    let scored = matching::score_all(&set, &scorer, &Stage::default()).unwrap();
    matching::evaluate(&set, &scorer, &scored)
}

const ANALYZER: &str = "analyzer=analyzer(punctuation=keep, apostrophe=letter)";

/// Published cells in which ties play no part, to the fourth decimal.
#[test]
fn published_figures_of_soft_cardinality_come_out() {
    let Some(folder) = data() else { return };
    for (set, weights, published) in [
        ("birds-kunkel", "none", 0.8113),
        ("ucd-people", "c.qidf", 0.9980),
        ("ucd-people", "c.idf", 1.0),
    ] {
        let measure = format!("sc(q=4, weights={weights}, padding=none, {ANALYZER})");
        let iap = evaluate(&folder, set, &measure).get("iap").unwrap();
        assert!((iap - published).abs() < 5e-5, "{set} {weights}: {iap}");
    }
    for (padding, range, published) in
        [("full", "1:6", 0.9056), ("single", "3:7", 0.9074), ("none", "1:6", 0.9074)]
    {
        let set = open(&folder, "restaurant");
        let analyzer = "analyzer=analyzer(apostrophe=letter)";
        let measure =
            format!("sc(q={range}, weights=c, padding={padding}, short=drop, {analyzer})");
        let scored =
            matching::score_all(&set, &bind(&measure, set.texts()), &Stage::default()).unwrap();
        let how = Interpolation { ties: Ties::Together, strict_recall: true };
        let iap = scored.ranking().iap(how);
        assert!((iap - published).abs() < 5e-5, "restaurant {padding}: {iap}");
    }
    let cisi = RetrievalSet::open(&folder.join("ir/cisi"), &ReadOptions::default()).unwrap();
    let scorer = bind(&format!("sc(q=4, weights=idf, padding=none, {ANALYZER})"), cisi.texts());
    let scored = retrieval::score_all(&cisi, &scorer, &Stage::default()).unwrap();
    let iap = scored.single_ranking(&cisi).iap(Interpolation::default());
    assert!((iap - 0.0873).abs() < 5e-5, "cisi idf: {iap}");
}

/// One setting for all sets: what the default measure is held to.
#[test]
fn the_default_measure_is_good_on_names_and_on_long_texts() {
    let Some(folder) = data() else { return };
    let sets = [
        "birds-scott1",
        "birds-scott2",
        "birds-kunkel",
        "birds-nybird",
        "business",
        "demos",
        "parks",
        "restaurant",
        "ucd-people",
        "census",
    ];
    let outcomes: Vec<Outcome> =
        sets.iter().map(|set| evaluate(&folder, set, likewise::measure::DEFAULT)).collect();
    let mean = |key| outcomes.iter().filter_map(|o| o.get(key)).sum::<f64>() / sets.len() as f64;
    assert!(mean("iap") >= 0.90, "mean IAP {}", mean("iap"));
    assert!(mean("best_f1") >= 0.91, "mean F1 {}", mean("best_f1"));
    let products = evaluate(&folder, "abt-buy", likewise::measure::DEFAULT);
    assert!(products.get("best_f1").unwrap() >= 0.64);
}

/// Computed by a program that shares no code with this one, over the same formulas.
#[test]
fn the_default_measures_parts_agree_with_an_independent_program() {
    let Some(folder) = data() else { return };
    let set = open(&folder, "restaurant");
    let harmonic = bind("word-grams", set.texts());
    let cosine = bind("word-grams(compare=cosine, qidf=1, head=1)", set.texts());
    let two_sizes = bind("word-grams(q=2:3)", set.texts());
    for (left, right, expected) in [
        (1, 1, [0.151260164817, 0.080994478190, 0.212012266063]),
        (2, 2, [0.910129179514, 0.930978308015, 0.917492447531]),
        (3, 3, [0.826662674628, 0.811933760820, 0.838900152529]),
        (2, 3, [0.189598148210, 0.094591219206, 0.228760010895]),
        (50, 60, [0.170956512456, 0.051643364484, 0.205553126650]),
    ] {
        for (scorer, expected) in [&harmonic, &cosine, &two_sizes].into_iter().zip(expected) {
            let (a, b) = (&set.left[left - 1].text, &set.right[right - 1].text);
            let score: f64 = scorer.score_texts(a, b);
            assert!((score - expected).abs() < 1e-11, "{left} {right}: {score} {expected}");
        }
    }
}

#[test]
fn soft_tfidf_reaches_its_published_accuracy_on_paraphrases() {
    let Some(folder) = data() else { return };
    let open = |name: &str| {
        PairSet::open(&folder.join("pairs/msrp").join(name), None, None, &ReadOptions::default())
    };
    let (mut all, test) = (open("train.tsv").unwrap(), open("test.tsv").unwrap());
    all.pairs.extend(test.pairs);
    let (Gold::Labels(labels), Gold::Labels(more)) = (&mut all.gold, test.gold) else { panic!() };
    labels.extend(more);
    let labels = labels.clone();
    let measure = "soft-tfidf(terms=jaro-winkler(above=0), threshold=0.7, \
                   analyzer=analyzer(stem=porter, apostrophe=letter))";
    let scores = pairs::score_all(&all, &bind(measure, all.texts()), &Stage::default()).unwrap();
    let best = Ranking::from_scores(&scores, &labels, 0).best_f1(Ties::Together);
    assert!((best.accuracy - 0.716).abs() < 0.0015, "{}", best.accuracy);
}
