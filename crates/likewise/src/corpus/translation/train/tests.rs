//! Training held to a plain IBM Model 1.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Texts = Vec<(Vec<String>, Vec<String>)>;
/// By target and source, where no source is NULL.
type Table<'a> = BTreeMap<(&'a str, Option<&'a str>), f64>;

/// The paper's formulas as they stand there.
fn slow(texts: &Texts, steps: usize, null: bool) -> (Table<'_>, Vec<f64>) {
    let sources = |source: &'_ [String]| -> Vec<Option<String>> {
        null.then_some(None).into_iter().chain(source.iter().cloned().map(Some)).collect()
    };
    let targets: BTreeSet<&str> =
        texts.iter().flat_map(|(_, target)| target.iter().map(String::as_str)).collect();
    let mut t: BTreeMap<(String, Option<String>), f64> = BTreeMap::new();
    for (source, target) in texts {
        for f in target {
            for e in sources(source) {
                t.insert((f.clone(), e), 1.0 / targets.len() as f64);
            }
        }
    }
    let likelihood = |t: &BTreeMap<(String, Option<String>), f64>| {
        let mut sum = 0.0;
        for (source, target) in texts {
            let source = sources(source);
            for f in target {
                let all: f64 = source.iter().map(|e| t[&(f.clone(), e.clone())]).sum();
                sum += (all / source.len() as f64).ln();
            }
        }
        sum
    };
    let mut likelihoods = vec![likelihood(&t)];
    for _ in 0..steps {
        let mut counts: BTreeMap<(String, Option<String>), f64> = BTreeMap::new();
        let mut totals: BTreeMap<Option<String>, f64> = BTreeMap::new();
        for (source, target) in texts {
            let source = sources(source);
            for f in target {
                let all: f64 = source.iter().map(|e| t[&(f.clone(), e.clone())]).sum();
                for e in &source {
                    let share = t[&(f.clone(), e.clone())] / all;
                    *counts.entry((f.clone(), e.clone())).or_default() += share;
                    *totals.entry(e.clone()).or_default() += share;
                }
            }
        }
        for (key, value) in &mut t {
            *value = counts[key] / totals[&key.1];
        }
        likelihoods.push(likelihood(&t));
    }
    let word = |word: &str| {
        let all = texts.iter().flat_map(|(source, target)| source.iter().chain(target));
        all.map(String::as_str).find(|w| *w == word).unwrap()
    };
    let t = t.iter().map(|((f, e), p)| ((word(f), e.as_deref().map(word)), *p)).collect();
    (t, likelihoods)
}

fn pairs(texts: &Texts) -> Pairs {
    let mut pairs = Pairs::default();
    for (source, target) in texts {
        let [source, target] = [source, target].map(|t| t.iter().map(String::as_str));
        pairs.push(source, target).unwrap();
    }
    pairs
}

fn split(texts: &[(&str, &str)]) -> Texts {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    texts.iter().map(|(source, target)| (words(source), words(target))).collect()
}

fn toy() -> Texts {
    split(&[("das haus", "the house"), ("das buch", "the book"), ("ein buch", "a book")])
}

fn texts() -> impl Strategy<Value = Texts> {
    let text = || proptest::collection::vec("[a-e]|b[a-e]", 1..8);
    proptest::collection::vec((text(), text()), 1..30)
}

/// Cuts so small that random pairs meet them all.
const SMALL: Cuts = Cuts { block: 7, part: 5, parts: 3 };

fn all(options: &Options, texts: &Texts, cuts: Cuts) -> (Translations, Vec<f64>) {
    let mut likelihoods = Vec::new();
    let table = train_cut(&pairs(texts), options, cuts, |step, likelihood| {
        assert_eq!(step, likelihoods.len());
        likelihoods.push(likelihood);
    });
    (table.unwrap(), likelihoods)
}

proptest! {
    #[test]
    fn training_is_what_the_formulas_say(texts in texts(), steps in 1usize..8, null: bool, small: bool) {
        let options = Options { iterations: steps, tolerance: 0.0, floor: 0.0, null };
        let cuts = if small { SMALL } else { Cuts::default() };
        let (table, likelihoods) = all(&options, &texts, cuts);
        let (expected, expected_likelihoods) = slow(&texts, steps, null);
        // At a maximum rounding may end it before.
        prop_assert!(likelihoods.len() <= steps + 1);
        for (found, expected) in likelihoods.iter().zip(&expected_likelihoods) {
            prop_assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()));
        }
        for pair in likelihoods.windows(2) {
            prop_assert!(pair[1] >= pair[0] - 1e-12 * pair[0].abs(), "{:?}", likelihoods);
        }
        if likelihoods.len() == steps + 1 {
            let mut entries = 0;
            for (&(f, e), &p) in &expected {
                let Some(e) = e else { continue };
                prop_assert!((table.probability(e, f) - p).abs() < 1e-9, "{} {}", e, f);
                entries += 1;
            }
            prop_assert_eq!(table.entries(), entries);
        }
        for source in table.words().iter() {
            let sum: f64 = table.of(source).map(|(_, p)| p).sum();
            prop_assert!(sum <= 1.0 + 1e-12);
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits(texts in texts(), null: bool) {
        let options = Options { floor: 0.0, null, ..Options::default() };
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (table, likelihoods) = pool.install(|| all(&options, &texts, SMALL));
            let mut bits: Vec<u64> = likelihoods.iter().map(|l| l.to_bits()).collect();
            for source in table.words().iter() {
                bits.extend(table.of(source).map(|(_, p)| p.to_bits()));
            }
            bits
        };
        prop_assert_eq!(run(1), run(4));
    }
}

#[test]
fn the_classic_toy_finds_its_alignment() {
    for null in [true, false] {
        let options = Options { iterations: 2000, tolerance: 0.0, null, ..Options::default() };
        let (table, _) = all(&options, &toy(), Cuts::default());
        for (source, target) in [("das", "the"), ("haus", "house"), ("buch", "book"), ("ein", "a")]
        {
            let best = table.of(source).max_by(|x, y| x.1.total_cmp(&y.1)).unwrap();
            assert_eq!(best.0, target, "{source}, null {null}");
            assert!(null || best.1 > 0.99, "{source}: {best:?}");
        }
    }
}

#[test]
fn the_first_steps_of_the_toy_are_those_of_the_textbook() {
    // Koehn, Statistical Machine Translation, figure 4.4; without NULL.
    let step = |iterations| {
        let options = Options { iterations, tolerance: 0.0, null: false, ..Options::default() };
        all(&options, &toy(), Cuts::default()).0
    };
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 5e-5, "{found}");
    let [one, two, three] = [1, 2, 3].map(step);
    for (table, the, house) in [(&one, 0.5, 0.25), (&two, 0.6364, 0.1818), (&three, 0.7479, 0.1313)]
    {
        close(table.probability("das", "the"), the);
        close(table.probability("das", "house"), house);
    }
    close(two.probability("haus", "the"), 0.4286);
    close(three.probability("haus", "house"), 0.6534);
}

#[test]
fn a_repeated_word_counts_as_often_as_it_stands_there() {
    let texts = split(&[("a a b", "x y x"), ("b", "y")]);
    let options = Options { iterations: 1, tolerance: 0.0, floor: 0.0, null: false };
    let (table, _) = all(&options, &texts, Cuts::default());
    // Uniform: a has two thirds of each word of the first pair, b one third and all of the second.
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    close(table.probability("a", "x"), 2.0 / 3.0);
    close(table.probability("b", "x"), 1.0 / 3.0);
}

#[test]
fn training_stops_when_little_is_gained_or_after_so_many_steps() {
    let steps = |iterations, tolerance| {
        let options = Options { iterations, tolerance, ..Options::default() };
        all(&options, &toy(), Cuts::default()).1.len() - 1
    };
    assert_eq!((steps(3, 0.0), steps(1, 0.5)), (3, 1));
    let some = steps(10_000, 1e-3);
    assert!((2..100).contains(&some), "{some}");
    assert_eq!(steps(10_000, 1e9), 1);
}

#[test]
fn entries_under_the_floor_are_dropped_and_the_others_stay() {
    let trained = |floor| all(&Options { floor, ..Options::default() }, &toy(), Cuts::default()).0;
    let (whole, cut) = (trained(0.0), trained(0.3));
    assert!(cut.entries() < whole.entries());
    for source in whole.words().iter() {
        for (target, p) in whole.of(source) {
            assert_eq!(cut.probability(source, target), if p < 0.3 { 0.0 } else { p });
        }
    }
}

#[test]
fn what_cannot_be_trained_is_said() {
    let said = |pairs: &Pairs, options: Options| {
        train(pairs, &options, |_, _| ()).unwrap_err().to_string()
    };
    let mut none = Pairs::default();
    assert_eq!(said(&none, Options::default()), "there are no pairs to train on");
    none.push(["a"], []).unwrap();
    assert!(said(&none, Options::default()).contains("each of the 1 pairs has a side without"));
    let some = pairs(&toy());
    let usual = Options::default;
    assert!(said(&some, Options { iterations: 0, ..usual() }).contains("at least one iteration"));
    for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(said(&some, Options { tolerance, ..usual() }).contains("tolerance must be"));
    }
    for floor in [-0.1, 1.1, f64::NAN] {
        assert!(said(&some, Options { floor, ..usual() }).contains("floor must be from 0 to 1"));
    }
    assert!(said(&some, Options { floor: 1.0, ..usual() }).contains("choose a lower floor"));
}
