//! The contract every measure keeps, on random Unicode texts: finite scores, [0, 1] and symmetry
//! where stated, cutoffs that agree, bounds that are bounds, bulk scoring equal to the bit, and
//! explanations that add up.

use likewise::collection::Collection;
use likewise::expr::Kind;
use likewise::measure::{Measure, ScoreError, Scorer, Side};
use likewise::text::qgrams::Cut;
use proptest::prelude::*;

/// Every measure in several settings, and sums of them.
fn measures() -> Vec<Measure> {
    let mut all: Vec<String> =
        Measure::all().map(|measure| measure.schema.name.to_owned()).collect();
    // These need something from outside, or others to put together; they have tests of their own.
    all.retain(|name| {
        !["max", "mix", "soc-pmi", "table", "vectors", "wordnet"].contains(&name.as_str())
    });
    for weights in [
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
    ] {
        all.push(format!("sc(q=1:3, weights={weights})"));
    }
    for rest in [
        "coefficient=jaccard",
        "coefficient=overlap",
        "coefficient=max",
        "coefficient=dice",
        "coefficient=cosine",
        "coefficient=quadratic",
        "p=-1.5",
        "p=10",
        "p=-inf",
        "p=0",
        "padding=none, short=drop",
        "padding=full",
        "idf=smooth, weights=c.idf",
    ] {
        all.push(format!("sc(q=2, {rest})"));
    }
    for rest in [
        "tfidf(weights=boolean)",
        "tfidf(weights=idf, idf=smooth)",
        "soft-tfidf(partner=all, threshold=0.5)",
        "soft-tfidf(terms=levenshtein, threshold=0.6)",
        "monge-elkan(terms=osa, direction=both)",
        "sts(matching=optimal)",
        "sts(2*nlcs, edit, analyzer=analyzer)",
        "soft-cosine(terms=edit, weights=boolean)",
        "soft-cosine(terms=jaro, min=0.5, most=2, idf=smooth)",
        "soft-cosine(terms=max(edit(max=1), qgrams), weights=tf)",
        "monge-elkan(terms=mix(0.5*edit(form=root), 0.5*equal), direction=both)",
        "max(edit(form=square), jaro-winkler)",
        "edit(form=root, unit=elements)",
        "sc-pairwise(p=1, coefficient=dice, weights=idf)",
        "sc-pairwise(weights=tf)",
        "word-grams(compare=cosine, padding=none)",
        "word-grams(idf=0, qidf=0, length=0, head=1)",
        "sc-pairwise(terms=lcs, coefficient=jaccard)",
        "qgrams(q=2, coefficient=cosine, padding=full, count=bag)",
        "jaro-winkler(prefix=0.2)",
        "levenshtein(analyzer=analyzer)",
        "0.7*sc + 0.3*tfidf",
        "2*jaro",
        "0.5*equal + 0.25*lcs + 0.25*osa",
        "sc(analyzer=analyzer(tokens=characters))",
        "sc(analyzer=analyzer(tokens=whole, stem=porter))",
    ] {
        all.push(rest.to_owned());
    }
    all.push(likewise::measure::DEFAULT.to_owned());
    all.iter().map(|m| m.parse().unwrap_or_else(|e| panic!("{e}"))).collect()
}

/// Those, and every measure with each word that one of its settings takes, and with each preset.
fn measures_and_choices() -> Vec<Measure> {
    let mut all = measures();
    for info in Measure::all() {
        let name = info.schema.name;
        let choices = info.schema.params.iter().flat_map(|param| match param.kind {
            Kind::Choice(words) => words.iter().map(|w| format!("{}={w}", param.name)).collect(),
            _ => Vec::new(),
        });
        let presets = info.presets.iter().map(|preset| format!("preset={}", preset.name));
        for setting in choices.chain(presets) {
            all.push(format!("{name}({setting})").parse().unwrap_or_else(|e| panic!("{e}")));
        }
    }
    all
}

/// Measures that read numbers, dates, codes and sets.
const TYPED: &[&str] = &[
    "exact(case=keep)",
    "number",
    "number(tolerance=100)",
    "number(relative=0.5, decimal=comma)",
    "date",
    "date(order=mdy, tolerance=30)",
    "digits",
    "digits(letters=keep)",
    "set",
    "set(separator=\"/ \")",
    "number(analyzer=analyzer)",
];

/// Cells of tables.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-(]?[$€]?[0-9]{1,3}[., ]?[0-9]{0,3}[.,]?[0-9]{0,2}[)%]?( ?(kg|g|min|h|€|USD))?",
        "[0-3]?[0-9][-/.][0-3]?[0-9][-/.](19|20)[0-9]{2}",
        "(19|20)[0-9]{2}(-[01][0-9](-[0-3][0-9])?)?",
        "(\\+|00)?[0-9]{1,3}[-/ ()]{0,2}[0-9]{3,8}",
        "[A-Ca-c]{0,2}( ?[;,|] ?[A-Ca-c]{0,2}){0,4}",
        "n/a|\\PC{0,8}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "([ab]{1,4}|[a-d]{1,6})( [ab]{1,3}){0,4}",
        2 => "[a-cé'’ .-]{0,20}",
        1 => "\\PC{0,15}",
        1 => "[北京東\u{5d0}-\u{5d4}\u{300}\u{301}👩‍🚀❤\u{fe0f} ]{0,8}",
    ]
}

/// Everything that holds for all pairs of some texts.
fn hold(
    measure: &Measure,
    scorer: &Scorer,
    texts: &[String],
    cutoff: f64,
) -> Result<(), TestCaseError> {
    let reread: Measure = measure.to_string().parse().unwrap();
    prop_assert_eq!(&reread, measure, "prints back");
    let properties = measure.properties();
    let set = scorer.prepare_all(texts);
    let matrix = scorer.map_rows(&set, &set, |_, row| row.to_vec()).unwrap();
    for (i, a) in texts.iter().enumerate() {
        for (j, b) in texts.iter().enumerate() {
            let (x, y) = (scorer.prepare(a), scorer.prepare(b));
            let score = scorer.score(&x, &y).unwrap();
            let context = format!("{measure}: {a:?} {b:?} scores {score}");
            prop_assert!(score.is_finite(), "{}", context);
            prop_assert!(score >= 0.0 || properties.logarithmic, "{}", context);
            prop_assert_eq!(matrix[i][j].to_bits(), score.to_bits(), "{}", context);
            prop_assert_eq!(scorer.score_of(&set, i, &set, j).unwrap().to_bits(), score.to_bits());
            if properties.unit_interval {
                prop_assert!(score <= 1.0, "{}", context);
            }
            let empty = measure.analyzers().iter().any(|z| z.analyze(a).is_empty());
            if properties.reflexive && i == j && !empty && scorer.has_value(a) {
                prop_assert!(score > 1.0 - 1e-9, "{}", context);
            }
            if properties.symmetric {
                let turned = scorer.score(&y, &x).unwrap();
                prop_assert!((turned - score).abs() <= 1e-12 * score.max(1.0), "{}", context);
            }
            let bound = scorer.upper_bound(&x, &y).unwrap();
            prop_assert!(bound >= score, "{} above its bound {}", context, bound);
            for cutoff in [cutoff, score, 0.0] {
                let expected = (score >= cutoff).then_some(score);
                prop_assert_eq!(
                    scorer.score_at_least(&x, &y, cutoff).unwrap(),
                    expected,
                    "{}",
                    context
                );
            }
            let why = scorer.explain(a, b);
            for (text, side) in [(a, Side::Left), (b, Side::Right)] {
                let cut = why.highlights(text, side);
                let whole: String = cut.iter().map(|(range, _)| &text[range.clone()]).collect();
                prop_assert_eq!(&whole, text);
            }
            prop_assert_eq!(why.score.to_bits(), score.to_bits(), "{}", context);
            let quotient = why.numerator / why.denominator;
            prop_assert!(why.denominator == 0.0 || (quotient - score).abs() < 1e-9, "{}", context);
            for one in why.sum.iter().map(|w| &w.explanation).chain([&why]) {
                if one.sum.is_empty() {
                    let total: f64 = one.parts.iter().map(|p| p.contribution).sum();
                    prop_assert!((total - one.numerator).abs() < 1e-9, "{}", context);
                    let met: f64 = one.matches().iter().map(|m| m.contribution).sum();
                    prop_assert!((total - met).abs() < 1e-9, "{}", context);
                }
                for part in &one.parts {
                    for (places, original) in [(&part.left, a), (&part.right, b)] {
                        for place in places {
                            prop_assert!(
                                original.get(place.start..place.end).is_some(),
                                "{} {:?}",
                                context,
                                place
                            );
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn every_measure_keeps_the_contract(
        texts in proptest::collection::vec(text(), 2..7),
        // How many of the texts the collection has seen: none, some or all.
        seen in 0usize..7,
        cutoff in 0.0..1.2f64,
    ) {
        for measure in measures() {
            let counted = &texts[..seen.min(texts.len())];
            let collection = Collection::build(measure.analyzers(), counted).unwrap();
            hold(&measure, &measure.bind(&collection).unwrap(), &texts, cutoff)?;
        }
    }

    #[test]
    fn measures_of_values_keep_the_contract(
        cells in proptest::collection::vec(cell(), 2..7),
        seen in 0usize..7,
        cutoff in 0.0..1.2f64,
    ) {
        for measure in TYPED {
            let measure: Measure = measure.parse().unwrap();
            let counted = &cells[..seen.min(cells.len())];
            let collection = Collection::build(measure.analyzers(), counted).unwrap();
            match measure.bind(&collection) {
                Ok(scorer) => {
                    hold(&measure, &scorer, &cells, cutoff)?;
                    for (a, b) in cells.iter().flat_map(|a| cells.iter().map(move |b| (a, b))) {
                        let score = scorer.score_texts(a, b);
                        let valued = scorer.has_value(a) && scorer.has_value(b);
                        prop_assert!(valued || score == 0.0, "{}: {:?} {:?} {}", measure, a, b, score);
                    }
                }
                // The cells do not tell the order of day and month.
                Err(error) => prop_assert!(error.to_string().contains("date(order=dmy)"), "{}", error),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Few texts, and every word in many of them: where idf is smallest.
    #[test]
    fn equal_texts_with_a_term_score_the_maximum_of_every_measure_and_choice(
        texts in proptest::collection::vec(text(), 1..4),
        repeated in 1usize..4,
    ) {
        let counted: Vec<&String> = texts.iter().cycle().take(texts.len() * repeated).collect();
        for measure in measures_and_choices() {
            let collection = Collection::build(measure.analyzers(), &counted).unwrap();
            // Some formulas of soft cosine do not suit all similarities, and some choices need a file.
            let Ok(scorer) = measure.bind(&collection) else { continue };
            for text in &texts {
                let empty = measure.analyzers().iter().any(|z| z.analyze(text).is_empty());
                let score = scorer.score_texts(text, text);
                let context = format!("{measure}: {text:?} scores {score} with itself");
                prop_assert!(score <= 1.0 || !measure.properties().unit_interval, "{}", context);
                if measure.properties().reflexive && !empty && scorer.has_value(text) {
                    prop_assert!(score > 1.0 - 1e-9, "{}", context);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_parts_of_an_explanation_add_up_to_the_score_by_every_measure_and_choice(
        texts in proptest::collection::vec(text(), 2..4),
        seen in 0usize..4,
    ) {
        let more = ["kl(mu-q=2, scale=log)", "kl(mu-q=3, mu-c=0, scale=log)", "kl(smooth=candidate, scale=log)"];
        let more = more.iter().map(|measure| measure.parse().unwrap());
        for measure in measures_and_choices().into_iter().chain(more) {
            let counted = &texts[..seen.min(texts.len())];
            let collection = Collection::build(measure.analyzers(), counted).unwrap();
            let Ok(scorer) = measure.bind(&collection) else { continue };
            for (a, b) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
                let (why, score) = (scorer.explain(a, b), scorer.score_texts(a, b));
                let context = format!("{measure}: {a:?} {b:?} scores {score}, {why:?}");
                prop_assert_eq!(why.score.to_bits(), score.to_bits(), "{}", context);
                for one in why.sum.iter().map(|w| &w.explanation).chain([&why]) {
                    let quotient = one.numerator / one.denominator;
                    prop_assert!(one.denominator == 0.0 || (quotient - one.score).abs() < 1e-9, "{}", context);
                    let total: f64 = one.parts.iter().map(|p| p.contribution).sum();
                    prop_assert!(!one.sum.is_empty() || (total - one.numerator).abs() < 1e-9, "{}", context);
                }
            }
        }
    }
}

/// What promises [0, 1] promises 1 for equal texts, except in settings that say otherwise.
#[test]
fn measures_in_the_unit_interval_are_reflexive_except_likelihoods_plain_idf_and_dropped_short_terms()
 {
    for measure in measures_and_choices() {
        let properties = measure.properties();
        let long = measure.to_string();
        // Nothing is certain to be drawn, a text from itself neither.
        let says_otherwise = ["scale=", "idf=plain", "short=drop"].iter().any(|s| long.contains(s));
        if properties.unit_interval && !says_otherwise {
            assert!(properties.reflexive, "{measure}");
        }
    }
}

#[test]
fn equal_rows_of_a_tiny_table_are_found_by_every_adaptive_measure() {
    let adaptive = Measure::all().filter(|measure| measure.properties.adaptive);
    for name in adaptive.map(|measure| measure.schema.name) {
        let measure: Measure = name.parse().unwrap();
        let collection = Collection::build(measure.analyzers(), ["foo bar", "foo bar"]).unwrap();
        let score = measure.bind(&collection).unwrap().score_texts("foo bar", "foo bar");
        assert!(score > 0.0, "{name} scores {score}");
    }
}

#[test]
fn a_preset_is_the_settings_it_names_and_what_else_is_given_goes_before_them() {
    for info in Measure::all() {
        for preset in info.presets {
            let name = info.schema.name;
            let by_name: Measure = format!("{name}(preset={})", preset.name).parse().unwrap();
            let spelled: Measure = format!("{name}({})", preset.settings).parse().unwrap();
            assert_eq!(by_name, spelled);
            // The canonical form has every setting, the short one may have the preset; both read back.
            assert!(!by_name.to_string().contains("preset"), "{by_name}");
            assert_eq!(by_name.to_string().parse::<Measure>().unwrap(), by_name);
            assert_eq!(format!("{by_name:#}").parse::<Measure>().unwrap(), by_name, "{by_name:#}");
            let defaults: Measure = name.parse().unwrap();
            assert_ne!(by_name, defaults, "a preset that changes nothing");
        }
    }
    let changed: Measure = "soft-cosine(preset=paper, weights=tfidf)".parse().unwrap();
    assert_eq!(changed, "soft-cosine(terms=edit(form=inverse))".parse().unwrap());
    let error = |text: &str| text.parse::<Measure>().unwrap_err().to_string();
    assert!(error("tfidf(preset=papre)").contains("did you mean `paper`?"));
    assert!(error("jaro(preset=paper)").contains("has no presets"));
    assert!(error("tfidf(preset=paper, preset=paper)").contains("given twice"));
}

#[test]
fn texts_that_another_scorer_prepared_are_refused() {
    let measure = Measure::default();
    let [one, other] = ["a b", "a c"].map(|text| {
        let collection = Collection::build(measure.analyzers(), [text]).unwrap();
        measure.bind(&collection).unwrap()
    });
    let (own, foreign) = (one.prepare("a"), other.prepare("a"));
    let refused = ScoreError::PreparedElsewhere;
    assert!(one.score(&own, &own).is_ok());
    assert_eq!(one.score(&own, &foreign), Err(refused));
    assert_eq!(one.score(&foreign, &own), Err(refused));
    assert_eq!(one.score_at_least(&own, &foreign, 0.5), Err(refused));
    assert_eq!(one.upper_bound(&own, &foreign), Err(refused));
    let (own, foreign) = (one.prepare_all(&["a"]), other.prepare_all(&["a"]));
    assert_eq!(one.map_rows(&own, &foreign, |_, _| ()), Err(refused));
    assert_eq!(one.score_of(&own, 0, &foreign, 0), Err(refused));
    assert_eq!(one.score_of(&own, 0, &own, 1), Err(ScoreError::NoSuchText { text: 1, len: 1 }));
}

#[test]
fn an_empty_text_scores_0_with_everything() {
    for measure in measures() {
        let collection = Collection::words(measure.analyzers(), [""; 0]).unwrap();
        let scorer = measure.bind(&collection).unwrap();
        for (a, b) in [("", ""), ("", "word"), ("word", "")] {
            let score = scorer.score_texts(a, b);
            assert_eq!(score, 0.0, "{measure}: {a:?} {b:?}");
            let prepared = scorer.score(&scorer.prepare(a), &scorer.prepare(b)).unwrap();
            assert_eq!(prepared, 0.0, "{measure}: {a:?} {b:?}");
            assert_eq!(scorer.explain(a, b).score, 0.0, "{measure}: {a:?} {b:?}");
        }
    }
}

#[test]
fn odd_texts_have_defined_scores() {
    let long = "lorem ipsum dolor ".repeat(600_000); // 10 MB
    let odd = [" ", "\n a ", "\0", "a\0b", "\u{301}", "\u{202e}שלום", "👩‍🚀🎉", "\u{feff}", "ﷺ", "…"];
    for measure in
        ["sc", "tfidf(weights=tf)", likewise::measure::DEFAULT, "levenshtein", "jaro-winkler"]
    {
        let measure: Measure = measure.parse().unwrap();
        let scorer = measure.bind(&Collection::default()).unwrap();
        for a in odd {
            for b in odd.iter().chain(&["dolor"]) {
                let score = scorer.score_texts(a, b);
                assert!(score.is_finite(), "{measure} {a:?} {b:?}");
                let prepared = scorer.score(&scorer.prepare(a), &scorer.prepare(b)).unwrap();
                assert!(score.to_bits() == prepared.to_bits(), "{measure} {a:?} {b:?}");
            }
        }
        let score = scorer.score_texts(&long, "dolor");
        assert!(score.is_finite() && score > 0.0, "{measure}");
    }
}

/// A gram may stand in every word of both texts; what meets must not grow with the square of that.
#[test]
fn explaining_long_texts_stays_within_bounds() {
    let words = |seed: usize| -> String {
        let word = |i: usize| format!("{}ation{} ", ["st", "n", "r"][i % 3], (i * seed) % 97);
        (0..3000).map(word).collect()
    };
    let (a, b) = (words(31), words(57));
    for measure in ["sc", likewise::measure::DEFAULT, "tfidf(weights=tf)"] {
        let measure: Measure = measure.parse().unwrap();
        let scorer = measure.bind(&Collection::default()).unwrap();
        let why = scorer.explain(&a, &b);
        let matches = why.matches();
        let total: f64 = matches.iter().map(|m| m.contribution).sum();
        // The numerator of a sum is the score; rounding grows with the size of what is summed.
        assert!((total - why.numerator).abs() < 1e-9 * why.numerator.max(1.0), "{measure}");
        assert!(matches.len() < 100_000, "{measure}: {} matches", matches.len());
    }
}

#[test]
fn q_grams_are_counted_as_in_the_paper() {
    use likewise::text::qgrams::{Padding, Short};

    let count = |term: &str, q, padding, short| {
        let mut grams = 0;
        let term: Vec<char> = term.chars().collect();
        Cut { q, padding, short }.each(&term, &mut Vec::new(), |_, _| grams += 1);
        grams
    };
    assert_eq!(count("sunday", 3, Padding::None, Short::Whole), 4);
    assert_eq!(count("sunday", 3, Padding::Single, Short::Whole), 6);
    assert_eq!(count("sunday", 3, Padding::Full, Short::Whole), 8);
    assert_eq!(count("sun", 4, Padding::None, Short::Whole), 1);
}
