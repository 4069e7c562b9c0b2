//! `likewise score`

use super::{World, close, keys, number, says};
use serde_json::Value;

const PAIRS: &str = "left,right\nkitten,sitting\nMARTHA,MARHTA\n";
const SCORED: &str =
    "left,right,score\nkitten,sitting,0.5714285714285714\nMARTHA,MARHTA,0.6666666666666666\n";

#[test]
fn two_texts_have_a_score_and_a_measure() {
    let printed = World::new().ok(&["score", "kitten", "sitting", "-m", "levenshtein"]);
    assert_eq!(printed, "0.5714\tlevenshtein\n");
}

#[test]
fn measures_print_without_their_defaults() {
    let printed =
        World::new().ok(&["score", "a", "b", "-m", "0.5*sc(q=2:3) + 0.5*sc(q=4, padding=full)"]);
    assert_eq!(printed, "0.0000\t0.5*sc + 0.5*sc(q=4, padding=full)\n");
}

#[test]
fn several_measures_print_a_line_each_in_the_order_given() {
    let arguments = ["score", "MARTHA", "MARHTA", "-m", "jaro-winkler", "-m", "levenshtein"];
    let printed = World::new().ok(&arguments);
    assert_eq!(printed, "0.9611\tjaro-winkler\n0.6667\tlevenshtein\n");
}

#[test]
fn the_default_measure_needs_no_collection_but_says_what_one_would_do() {
    let world = World::new();
    let output = world.run(&["score", "Sergio Jimenez", "S. Gimenez"]);
    assert!(output.status.success());
    says(
        &String::from_utf8_lossy(&output.stderr),
        &["note: no --collection", "rare words weigh more"],
    );
    assert!(world.run(&["score", "Sergio Jimenez", "S. Gimenez", "--quiet"]).stderr.is_empty());
}

#[test]
fn texts_may_look_like_flags_after_two_dashes() {
    let printed = World::new().ok(&["score", "-m", "levenshtein", "--", "-ab", "-ac"]);
    assert_eq!(printed, "0.6667\tlevenshtein\n");
}

#[test]
fn empty_texts_score_nothing() {
    let measures =
        ["sc", "levenshtein", "jaro-winkler", "tfidf", "monge-elkan", "0.5*sc + 0.5*equal"];
    for measure in measures {
        for (left, right) in [("", ""), ("", "a"), ("a", "")] {
            let arguments = ["score", left, right, "-m", measure, "--collection", "none", "--json"];
            let line = &World::new().json(&arguments)[0];
            assert_eq!(line["score"].to_string(), "0.0", "{measure}");
        }
    }
}

#[test]
fn json_has_the_measure_the_score_and_the_explanation() {
    let known = [
        ("levenshtein", "kitten", "sitting", 0.571_428_571_428_571_4),
        ("jaro-winkler", "MARTHA", "MARHTA", 0.961_111_111_111_111_1),
    ];
    for (measure, left, right, score) in known {
        let lines = World::new().json(&["score", left, right, "-m", measure, "--json"]);
        assert_eq!(lines.len(), 1);
        assert_eq!(keys(&lines[0]), ["measure", "score", "explanation"]);
        assert_eq!(lines[0]["score"], score);
        close(number(&lines[0]["explanation"], "score"), score);
    }
}

#[test]
fn json_names_measures_with_all_their_settings() {
    let lines = World::new().json(&["score", "a", "b", "-m", "jaro-winkler", "--json"]);
    assert_eq!(lines[0]["measure"], "jaro-winkler(prefix=0.1, above=0.7)");
}

#[test]
fn json_of_a_table_numbers_the_rows_from_1() {
    let world = World::with("pairs.csv", PAIRS);
    let lines = world.json(&["score", "pairs.csv", "-m", "levenshtein", "-m", "equal", "--json"]);
    assert_eq!(lines.len(), 4);
    assert_eq!(keys(&lines[0]), ["measure", "score", "row", "explanation"]);
    let rows: Vec<_> = lines
        .iter()
        .map(|l| (l["row"].as_u64().unwrap(), l["measure"].as_str().unwrap()))
        .collect();
    assert_eq!(rows, [(1, "levenshtein"), (1, "equal"), (2, "levenshtein"), (2, "equal")]);
}

fn adds_up(explanation: &Value) {
    let (numerator, denominator) =
        (number(explanation, "numerator"), number(explanation, "denominator"));
    let score = number(explanation, "score");
    assert!(numerator.is_sign_positive() && score.is_sign_positive(), "{explanation}");
    if let Some(parts) = explanation["parts"].as_array() {
        close(parts.iter().map(|p| number(p, "contribution")).sum(), numerator);
    }
    close(if denominator == 0.0 { 0.0 } else { numerator / denominator }, score);
    if let Some(sum) = explanation["sum"].as_array() {
        close(sum.iter().map(|one| number(one, "weight") * number(one, "score")).sum(), score);
        sum.iter().for_each(adds_up);
    }
}

#[test]
fn contributions_add_up_to_the_numerator_and_the_quotient_is_the_score() {
    let measures = [
        "sc",
        "sc(q=1:4, weights=c.idf, padding=full)",
        "sc-pairwise",
        "tfidf",
        "soft-tfidf",
        "monge-elkan",
        "monge-elkan(direction=both)",
        "levenshtein",
        "osa",
        "jaro",
        "jaro-winkler",
        "lcs",
        "qgrams",
        "equal",
        "word-grams",
        "0.7*sc + 0.3*jaro-winkler",
    ];
    let texts = [
        ("Sergio Jimenez", "S. Gimenez"),
        ("red red car", "car red"),
        ("a", "z"),
        ("", "a"),
        ("same", "same"),
    ];
    for measure in measures {
        for (left, right) in texts {
            let arguments = ["score", left, right, "-m", measure, "--collection", "none", "--json"];
            let line = &World::new().json(&arguments)[0];
            close(number(&line["explanation"], "score"), number(line, "score"));
            adds_up(&line["explanation"]);
        }
    }
}

#[test]
fn an_explanation_shows_the_pieces_and_the_numbers() {
    let world = World::new();
    let shown = world.ok(&["score", "kitten", "sitting", "-m", "levenshtein", "--explain"]);
    says(
        &shown,
        &["0.5714\tlevenshtein", "itt", "3.0000", "\n    n ", "1.0000", "4.0000 / 7.0000 = 0.5714"],
    );
    assert!(!shown.contains('\u{1b}'), "no colours where there is no terminal");

    let shown = world.ok(&["score", "MARTHA", "MARHTA", "-m", "jaro-winkler", "--explain"]);
    says(&shown, &["\n    MAR ", "0.4889", "0.1574", "0.9611 / 1.0000 = 0.9611"]);
}

#[test]
fn an_explanation_shows_blanks_that_meet() {
    let arguments = ["score", "a b", "c d", "-m", "levenshtein", "--explain"];
    says(&World::new().ok(&arguments), &["\n    ␣     1.0000"]);
}

#[test]
fn an_explanation_goes_word_by_word_where_words_are_compared() {
    let arguments = ["score", "red car", "car rod", "-m", "monge-elkan", "--explain"];
    says(&World::new().ok(&arguments), &["\n    car ", "\n    red ~ rod ", "0.5000"]);
}

#[test]
fn an_explanation_of_nothing_says_so() {
    let arguments = ["score", "a", "b", "-m", "tfidf", "--collection", "none", "--explain"];
    let shown = World::new().ok(&arguments);
    says(&shown, &["nothing meets", " 0.0000 / 1.0000 = 0.0000"]);
    assert!(!shown.contains("-0.0000"));
}

#[test]
fn an_explanation_of_a_sum_shows_what_each_measure_gives() {
    let arguments = ["score", "abc", "abd", "-m", "0.25*levenshtein + 0.75*equal", "--explain"];
    says(
        &World::new().ok(&arguments),
        &[
            "ab ",
            "0.25 × 0.6667  levenshtein",
            "0.75 × 0.0000  equal",
            "0.1667 / 1.0000 = 0.1667: weighted sum",
        ],
    );
}

#[test]
fn a_table_goes_to_standard_output_with_a_score_column() {
    let world = World::with("pairs.csv", PAIRS);
    assert_eq!(world.ok(&["score", "pairs.csv", "-m", "levenshtein"]), SCORED);
}

#[test]
fn the_ending_of_the_output_gives_its_format() {
    let world = World::with("pairs.csv", PAIRS);
    for name in ["out.csv", "out.tsv", "out.jsonl", "out.parquet", "out.csv.gz"] {
        let printed = world.ok(&["score", "pairs.csv", "-m", "levenshtein", "-o", name]);
        assert_eq!(printed, "");
        let back = world.ok(&["score", name, "--on", "left,right", "-m", "equal", "-o", "-"]);
        let expected = "left,right,score,equal\nkitten,sitting,0.5714285714285714,0\n\
                        MARTHA,MARHTA,0.6666666666666666,0\n";
        assert_eq!(back, expected, "{name}");
    }
    assert_eq!(world.read("out.csv"), SCORED);
    let first = r#"{"left":"kitten","right":"sitting","score":0.5714285714285714}"#;
    assert_eq!(world.read("out.jsonl").lines().next(), Some(first));
}

#[test]
fn tables_are_read_in_every_format_and_keep_their_other_columns() {
    let expected = "n,left,right,score\n7,kitten,sitting,0.5714285714285714\n";
    let world = World::with("a.csv", "n,left,right\n7,kitten,sitting\n")
        .and("a.tsv", "n\tleft\tright\n7\tkitten\tsitting\n")
        .and("a.jsonl", "{\"n\":7,\"left\":\"kitten\",\"right\":\"sitting\"}\n")
        .and("a.data", "n,left,right\n7,kitten,sitting\n");
    for name in ["a.csv", "a.tsv", "a.jsonl"] {
        assert_eq!(world.ok(&["score", name, "--on", "left,right", "-m", "levenshtein"]), expected);
    }
    let arguments =
        ["score", "a.data", "--format", "csv", "--on", "left,right", "-m", "levenshtein"];
    assert_eq!(world.ok(&arguments), expected);
}

#[test]
fn a_table_without_a_header_has_numbered_columns() {
    let world = World::with("pairs.csv", "kitten,sitting\n");
    let printed =
        world.ok(&["score", "pairs.csv", "--no-header", "--on", "1,2", "-m", "levenshtein"]);
    assert_eq!(printed, "1,2,score\nkitten,sitting,0.5714285714285714\n");
}

#[test]
fn several_measures_make_columns_under_their_own_names() {
    let world = World::with("pairs.csv", PAIRS);
    let printed = world.ok(&["score", "pairs.csv", "-m", "levenshtein", "-m", "equal"]);
    assert!(
        printed.starts_with("left,right,levenshtein,equal\nkitten,sitting,0.5714285714285714,0\n")
    );
}

#[test]
fn a_table_may_come_by_standard_input() {
    let world = World::with("pairs.csv", "left,right\nred car,red bus\nred cab,blue cab\n");
    for measure in ["levenshtein", "tfidf", "sc(weights=c.idf)"] {
        let from_file = world.ok(&["score", "pairs.csv", "-m", measure]);
        let piped = world
            .command(&["score", "-", "--on", "left,right", "-m", measure])
            .write_stdin(world.read("pairs.csv"))
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(piped.stdout).unwrap(), from_file, "{measure}");
    }
    let tsv = world
        .command(&["score", "-", "--format", "tsv", "-m", "tfidf"])
        .write_stdin("a\tb\nx y\tx z\n")
        .output()
        .unwrap();
    assert!(tsv.status.success());
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let mut table = "left,right\n".to_owned();
    for i in 0..6000 {
        table +=
            &format!("name {} of street {},nam {} street {}\n", i % 97, i % 13, i % 89, i % 17);
    }
    let world = World::with("pairs.csv", table);
    for measures in
        [&["-m", "tfidf", "-m", "sc(weights=c.idf)"][..], &["-m", "jaro-winkler", "--json"], &[]]
    {
        let with = |threads: &str| {
            let mut arguments = vec!["score", "pairs.csv", "--threads", threads];
            arguments.extend(measures);
            world.ok(&arguments)
        };
        assert!(with("1") == with("2"), "{measures:?}");
    }
}

#[test]
fn an_adaptive_measure_asks_for_a_collection() {
    World::new().usage_error(
        &["score", "a", "b", "-m", "tfidf"],
        &["`tfidf", "weighs words by how rare they are", "--collection FILE", "--collection none"],
    );
}

#[test]
fn what_cannot_be_explained_line_by_line_says_what_can() {
    World::with("pairs.csv", PAIRS).usage_error(
        &["score", "pairs.csv", "--explain"],
        &["--explain goes with two texts", "--json"],
    );
}

#[test]
fn a_measure_given_twice_is_one_too_many() {
    World::with("pairs.csv", PAIRS).usage_error(
        &["score", "pairs.csv", "-m", "sc", "-m", "sc"],
        &["`sc` would name two columns"],
    );
}

#[test]
fn an_analyzer_takes_effect() {
    let score = |analyzer: &str| {
        let arguments = [
            "score",
            "The running dogs",
            "run dog",
            "-m",
            "tfidf",
            "--collection",
            "none",
            "--analyzer",
            analyzer,
            "--json",
        ];
        number(&World::new().json(&arguments)[0], "score")
    };
    close(score("analyzer"), 0.0);
    close(score("analyzer(stem=porter)"), 2.0 / 6.0_f64.sqrt());
    close(score("analyzer(stem=porter, stop=en)"), 1.0);
}

#[test]
fn an_analyzer_of_the_measure_itself_comes_first() {
    // Also where what it says is what it would do anyway.
    for measure in ["equal(analyzer=analyzer(case=fold))", "sc(analyzer=analyzer)"] {
        let arguments = ["score", "A", "a", "-m", measure, "--analyzer", "analyzer(case=keep)"];
        assert!(World::new().ok(&arguments).starts_with("1.0000"), "{measure}");
    }
}
