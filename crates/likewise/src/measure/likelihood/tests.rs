//! The formulas by the letter, and the measures held to them.

use crate::collection::Collection;
use crate::measure::{Measure, Scorer};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn count(words: &[&str], word: &str) -> f64 {
    words.iter().filter(|other| **other == word).count() as f64
}

/// P(w|Coll).
fn likely(texts: &[String], word: &str) -> f64 {
    if texts.is_empty() {
        return 1e-5;
    }
    let all: Vec<&str> = texts.iter().flat_map(|text| words(text)).collect();
    let seen = count(&all, word).max(1.0);
    seen / (all.len() as f64).max(seen)
}

/// The mean of ln p over the words of the query, for any choice of what stands for what.
fn slow_likelihood(
    (q, r): (&str, &str),
    mu: f64,
    stands: &dyn Fn(&str, &str) -> f64,
    background: &dyn Fn(&str) -> f64,
) -> f64 {
    let (q, r) = (words(q), words(r));
    let p = |word: &str| {
        let found: f64 = r.iter().map(|other| stands(word, other)).sum();
        (found + mu * background(word)) / (r.len() as f64 + mu)
    };
    q.iter().map(|word| p(word).ln()).sum::<f64>() / q.len() as f64
}

fn slow_kl(
    texts: &[String],
    (q, c): (&str, &str),
    (mu_q, mu_c): (f64, f64),
    candidate: bool,
) -> f64 {
    let (q, c) = (words(q), words(c));
    let background = |word: &str| {
        if candidate { count(&c, word) / c.len() as f64 } else { likely(texts, word) }
    };
    let model = |text: &[&str], mu: f64, word: &str| {
        (count(text, word) + mu * background(word)) / (text.len() as f64 + mu)
    };
    let all: BTreeSet<&str> = q.iter().chain(&c).copied().collect();
    let each = all.iter().map(|word| match model(&q, mu_q, word) {
        0.0 => 0.0,
        weight => weight * model(&c, mu_c, word).ln(),
    });
    each.sum()
}

fn bind(measure: &str, texts: &[String]) -> Scorer {
    let measure: Measure = measure.parse().unwrap();
    measure.bind(&Collection::build(measure.analyzers(), texts).unwrap()).unwrap()
}

fn score(scorer: &Scorer, a: &str, b: &str) -> f64 {
    scorer.score_texts(a, b)
}

/// A score in all its scales is that of a slow logarithm. `slow` gives that of two texts.
fn agree(
    name: &str,
    settings: &str,
    texts: &[String],
    (a, b): (&str, &str),
    slow: &dyn Fn(&str, &str) -> f64,
    background: &dyn Fn(&str) -> f64,
) {
    let log = slow(a, b);
    let plain = score(&bind(&format!("{name}({settings}, scale=probability)"), texts), a, b);
    let in_logs = score(&bind(&format!("{name}({settings}, scale=log)"), texts), a, b);
    let log = if words(a).is_empty() || words(b).is_empty() { f64::NEG_INFINITY } else { log };
    if name != "kl" {
        let share = score(&bind(&format!("{name}({settings}, scale=share)"), texts), a, b);
        let own = words(a);
        let low = own.iter().map(|word| background(word).ln()).sum::<f64>() / own.len() as f64;
        let high = slow(a, a);
        // Where the background is as good as the text itself, what is as good too has all of it.
        let expected = match high - low {
            none if none.abs() <= 1e-11 => f64::from(u8::from(log >= low - 1e-11)),
            some if some > 0.0 => ((log - low) / some).clamp(0.0, 1.0),
            _ => 0.0,
        };
        assert!(
            (share - expected).abs() < 1e-9,
            "{name}({settings}) {a:?} {b:?} {share} {expected}"
        );
    }
    if log.exp() < 1e-30 {
        assert_eq!(plain, 0.0, "{name}({settings}) {a:?} {b:?} {log}");
        assert!((in_logs - 1e-30f64.ln()).abs() < 1e-9, "{name}({settings}) {in_logs}");
    } else {
        assert!((plain.ln() - log).abs() < 1e-9, "{name}({settings}) {a:?} {b:?} {plain} {log}");
        assert!((in_logs - log).abs() < 1e-9, "{name}({settings}) {a:?} {b:?} {in_logs} {log}");
    }
}

proptest! {
    #[test]
    fn scores_are_those_of_the_definitions(
        texts in proptest::collection::vec("([a-c]{1,2} ){0,8}", 0..8),
        a in "([a-d]{1,2} ){0,6}", b in "([a-d]{1,2} ){0,6}",
        mus in (0.0..3.0, 0.0..2.0),
        whole in 0u32..4,
    ) {
        // None at all, and many, too.
        let (mu, mu_q) = match whole { 0 => (0.0, 0.0), 1 => (1000.0, 50.0), _ => mus };
        let same = |x: &str, y: &str| f64::from(u8::from(x == y));
        let background = |word: &str| likely(&texts, word);
        let slow = |a: &str, b: &str| slow_likelihood((a, b), mu, &same, &background);
        let agree = |name: &str, settings: &str, slow: &dyn Fn(&str, &str) -> f64| {
            agree(name, settings, &texts, (&a, &b), slow, &background);
        };
        agree("query-likelihood", &format!("mu={mu}"), &slow);
        agree("translation", &format!("mu={mu}"), &slow);
        // Nothing expanded and the first text as it is: the same ranking, and the same numbers.
        agree("kl", &format!("mu-q=0, mu-c={mu}"), &slow);
        let slow = |a: &str, b: &str| slow_kl(&texts, (a, b), (mu_q, mu), false);
        agree("kl", &format!("mu-q={mu_q}, mu-c={mu}"), &slow);
        let slow = |a: &str, b: &str| slow_kl(&texts, (a, b), (mu_q, mu), true);
        agree("kl", &format!("mu-q={mu_q}, mu-c={mu}, smooth=candidate"), &slow);
    }
}

/// By hand: cf is a 2, b 1, c 2 of 5. p(a) = (1 + 2/5)/3, p(c) = (0 + 2/5)/3.
#[test]
fn a_worked_example() {
    let texts = ["a b", "a c c"].map(str::to_owned);
    let expected = ((1.4f64 / 3.0) * (0.4 / 3.0)).sqrt();
    for measure in ["query-likelihood(mu=1", "translation(mu=1", "kl(mu-q=0, mu-c=1"] {
        let measure = format!("{measure}, scale=probability)");
        let got = score(&bind(&measure, &texts), "a c", "a b");
        assert!((got - expected).abs() < 1e-12, "{measure} {got} {expected}");
    }
}

/// Chosen on MSRP train, RTE-3 dev and stss65, by benches/likelihood_defaults.py.
#[test]
fn by_default_mu_and_scale_are_those_the_development_sets_chose() {
    let same = |name: &str, long: &str| {
        assert_eq!(name.parse::<Measure>().unwrap(), long.parse::<Measure>().unwrap());
    };
    same("query-likelihood", "query-likelihood(mu=100, scale=share)");
    same("kl", "kl(mu-q=0, mu-c=100, scale=share)");
    same("query-likelihood(preset=paper)", "query-likelihood(mu=0.2, scale=probability)");
    same("kl(preset=paper)", "kl(mu-q=0.4, mu-c=0.6, scale=probability)");
}

#[test]
fn an_explanation_says_which_word_was_explained_by_which() {
    let texts = ["a b", "a c c"].map(str::to_owned);
    for scale in ["probability", "log"] {
        let scorer = bind(&format!("query-likelihood(mu=1, scale={scale})"), &texts);
        let why = scorer.explain("a c", "a b");
        let what: Vec<&str> = why.parts.iter().map(|part| &*part.what).collect();
        assert_eq!(what, ["a, p 4.667e-1", "c, p 1.333e-1"]);
        assert_eq!(why.parts[1].kind, "background");
        assert!(why.parts[1].right.is_empty());
        assert!((why.numerator / why.denominator - why.score).abs() < 1e-12);
        assert!(
            why.reading.contains("2 words of the first text (in all -2.7770)"),
            "{}",
            why.reading
        );
    }
}

#[test]
fn a_text_without_a_known_word_has_a_score() {
    let texts = ["a b", "a c c"].map(str::to_owned);
    for measure in ["query-likelihood", "translation", "kl"] {
        let scorer = bind(&format!("{measure}(scale=probability)"), &texts);
        let (apart, alike) = (score(&scorer, "x y", "z"), score(&scorer, "x y", "x y"));
        assert!(apart > 0.0 && alike > apart && alike <= 1.0, "{measure} {apart} {alike}");
        assert_eq!(score(&scorer, "", "a"), 0.0);
        assert_eq!(score(&scorer, "a", ""), 0.0);
    }
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for (measure, expected) in [
        ("query-likelihood(mu=-1)", "`mu` must be a number from 0 to 1000000000"),
        ("translation(self=1.5)", "`self` must be a number from 0 to 1"),
        ("kl(smooth=both)", "`smooth` cannot be `both`"),
    ] {
        let error = measure.parse::<Measure>().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// A table from a file, beside what its entries say by the letter; the identity changes nothing.
#[cfg(feature = "table")]
#[test]
fn a_table_says_which_words_stand_for_which() {
    let folder = tempfile::tempdir().unwrap();
    let texts = ["a b c", "a c c d", "b b e"].map(str::to_owned);
    let entries =
        [("a", "b", 0.5), ("a", "a", 0.25), ("b", "c", 1.0), ("c", "a", 0.1), ("e", "x", 0.3)];
    let same = [("a", "a", 1.0), ("b", "b", 1.0), ("d", "d", 1.0)];
    let own = |word: &str| likely(&texts, word);
    for (name, entries) in [("some", &entries[..]), ("same", &same[..])] {
        let path = folder.path().join(format!("{name}.csv"));
        let line = |(source, target, p): &(&str, &str, f64)| format!("{source},{target},{p}\n");
        let lines: String = entries.iter().map(line).collect();
        std::fs::write(&path, format!("source,target,probability\n{lines}")).unwrap();
        for stays in [0.0, 0.4] {
            let stands = |q: &str, r: &str| {
                let of = |e: &&(&str, &str, f64)| (e.0, e.1) == (r, q);
                let p = entries.iter().find(of).map_or(0.0, |(.., p)| *p);
                let left = if entries.iter().any(|e| e.0 == r) { stays } else { 1.0 };
                (1.0 - stays) * p + if q == r { left } else { 0.0 }
            };
            for (a, b) in [("a b", "c d a"), ("c x a a", "b e e"), ("d", "a b c"), ("z c", "z")] {
                let slow = |a: &str, b: &str| slow_likelihood((a, b), 0.7, &stands, &own);
                let settings = format!("mu=0.7, self={stays}, table={path:?}");
                agree("translation", &settings, &texts, (a, b), &slow, &own);
                if name == "same" {
                    agree("query-likelihood", "mu=0.7", &texts, (a, b), &slow, &own);
                }
            }
        }
    }
}

mod with_wordnet {
    use super::*;
    use crate::lexicon::wordnet::{Pos, Senses, WordNet};
    use crate::text::Analyzer;
    use std::sync::LazyLock;

    const TEXTS: [&str; 6] = [
        "an automobile is a car",
        "the auto stopped",
        "cars are machines",
        "he rode a bike to the shore",
        "a coast is a seashore",
        "running fast",
    ];

    /// The synonyms of a word as they are under an analyzer that does not stem.
    fn synonyms(word: &str, senses: Senses) -> Option<BTreeSet<String>> {
        static WORDNET: LazyLock<Option<WordNet>> = LazyLock::new(|| WordNet::find(None).ok());
        let wordnet = WORDNET.as_ref()?;
        if ["a", "an", "are", "he", "is", "the", "to"].contains(&word) {
            return Some(BTreeSet::new());
        }
        let main: Vec<Pos> = wordnet.main_pos(word).into_iter().collect();
        let parts = if senses == Senses::All { &Pos::ALL[..] } else { &main };
        let bases = parts.iter().flat_map(|&pos| wordnet.morphy(word, pos));
        let all = bases.chain(wordnet.synonyms_as(word, parts, senses)).map(|word| {
            let text = Analyzer::default().analyze(word);
            text.terms().map(str::to_owned).collect::<Vec<_>>()
        });
        let single = all.filter(|words| words.len() == 1).flatten();
        Some(single.filter(|other| other != word).collect())
    }

    #[test]
    fn synonyms_stand_for_each_other() {
        let texts = TEXTS.map(str::to_owned);
        if synonyms("car", Senses::All).is_none() {
            eprintln!("WordNet is not installed: nothing was tested");
            return;
        }
        for (senses, setting) in [(Senses::All, "(senses=0)"), (Senses::First(1), "")] {
            let of = |word: &str| synonyms(word, senses).unwrap();
            for a in TEXTS {
                for b in TEXTS {
                    let stands =
                        |q: &str, r: &str| f64::from(u8::from(q == r || of(q).contains(r)));
                    let background = |word: &str| {
                        // Seen once if none of them was ever: all together, not each.
                        let all: Vec<&str> = texts.iter().flat_map(|text| words(text)).collect();
                        let set = of(word);
                        let seen = set.iter().map(|w| count(&all, w)).sum::<f64>();
                        (seen + count(&all, word)).max(1.0) / all.len() as f64
                    };
                    let slow =
                        |a: &str, b: &str| slow_likelihood((a, b), 0.2, &stands, &background);
                    let settings = format!("mu=0.2, synonyms=wordnet{setting}");
                    agree("query-likelihood", &settings, &texts, (a, b), &slow, &background);
                    // As a table of translations.
                    let stands = |q: &str, r: &str| {
                        let (of_q, of_r) = (of(q), of(r));
                        if q == r {
                            return if of_r.is_empty() { 1.0 } else { 0.7 };
                        }
                        let both = of_q.contains(r) && of_r.contains(q);
                        if both { 0.3 / of_r.len() as f64 } else { 0.0 }
                    };
                    let own = |word: &str| likely(&texts, word);
                    let slow = |a: &str, b: &str| slow_likelihood((a, b), 0.2, &stands, &own);
                    let settings = format!("self=0.7, {settings}");
                    agree("translation", &settings, &texts, (a, b), &slow, &own);
                }
            }
        }
    }

    fn wordnet_measure(settings: &str) -> Option<Scorer> {
        let measure: Measure = format!("query-likelihood({settings})").parse().unwrap();
        let collection = Collection::build(measure.analyzers(), TEXTS).unwrap();
        let scorer = measure.bind(&collection).ok();
        if scorer.is_none() {
            eprintln!("WordNet is not installed: nothing was tested");
        }
        scorer
    }

    /// «An {car, automobile, auto, motorcar, machine} is a {…}», as the paper expands «An automobile is a car».
    #[test]
    fn by_default_a_content_word_has_the_synonyms_of_its_first_sense_as_in_the_paper() {
        let Some(_) = synonyms("car", Senses::All) else { return };
        let settings = "synonyms=wordnet, scale=probability, mu=0";
        let Some(scorer) = wordnet_measure(settings) else { return };
        let stands = |word: &str, other: &str| scorer.score_texts(word, other) > 0.0;
        for word in ["car", "automobile"] {
            for other in ["car", "automobile", "auto", "motorcar", "machine"] {
                assert!(stands(word, other), "{word} {other}");
            }
            // Other senses of car.
            assert!(!stands(word, "gondola") && !stands(word, "railcar"), "{word}");
        }
        let all = wordnet_measure("synonyms=wordnet(senses=0), scale=probability, mu=0").unwrap();
        assert!(all.score_texts("car", "gondola") > 0.0, "all senses are a setting");
    }

    #[test]
    fn function_words_have_no_synonyms_under_any_setting() {
        for senses in [0, 1] {
            let settings = format!("synonyms=wordnet(senses={senses}), scale=probability, mu=0");
            let Some(scorer) = wordnet_measure(&settings) else { return };
            for (word, other) in [("a", "ampere"), ("a", "adenine"), ("is", "be"), ("is", "exist")]
            {
                assert_eq!(scorer.score_texts(word, other), 0.0, "{word} {other}");
            }
        }
    }

    /// None of them is in the texts: the set counts as seen once, and not each of its five.
    #[test]
    fn a_set_of_unseen_synonyms_is_as_unlikely_as_one_unseen_word() {
        let settings = "synonyms=wordnet, scale=probability, mu=1";
        let Some(scorer) = wordnet_measure(settings) else { return };
        let of = |word: &str| synonyms(word, Senses::First(1)).unwrap();
        let unseen = |word: &str| !TEXTS.iter().any(|text| words(text).contains(&word));
        assert!(of("drunkard").len() > 2 && of("drunkard").iter().all(|word| unseen(word)));
        assert_eq!(
            scorer.score_texts("drunkard", "running fast"),
            scorer.score_texts("xyzzy", "running fast")
        );
    }

    #[test]
    fn stems_have_the_synonyms_of_their_words() {
        let texts = TEXTS.map(str::to_owned);
        let measure = "query-likelihood(synonyms=wordnet, analyzer=analyzer(stem=porter))";
        let measure: Measure = measure.parse().unwrap();
        let collection = Collection::build(measure.analyzers(), &texts).unwrap();
        let Ok(scorer) = measure.bind(&collection) else {
            eprintln!("WordNet is not installed: nothing was tested");
            return;
        };
        // The stem of automobile is automobil, which is no word.
        let why = scorer.explain("automobiles", "two cars");
        assert!(why.parts[0].what.starts_with("automobil ~ car, p"), "{:?}", why.parts);
    }
}
