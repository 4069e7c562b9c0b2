//! `likewise measures`

use super::{World, keys, says};

#[test]
fn every_measure_is_listed_with_a_line_and_its_settings() {
    let printed = World::new().ok(&["measures"]);
    for name in [
        "sc ",
        "sc-pairwise",
        "tfidf",
        "soft-tfidf",
        "monge-elkan",
        "levenshtein",
        "osa",
        "jaro-winkler",
        "lcs",
        "qgrams",
        "equal",
    ] {
        assert!(printed.lines().any(|l| l.starts_with(name)), "{name}");
    }
    says(&printed, &["jaro-winkler(prefix=0.1, above=0.7)", "Default: ", "likewise measures NAME"]);
}

#[test]
fn one_measure_is_explained_setting_by_setting() {
    let world = World::new();
    says(
        &world.ok(&["measures", "sc"]),
        &["soft cardinality", "q=N or N:M, 1 to 20 (default 2:3)", "padding=none|single|full"],
    );
    says(&world.ok(&["measures", "cosine"]), &["tfidf: ", "also called cosine"]);
    says(&world.ok(&["measures", "analyzer"]), &["stem=none|porter|snowball"]);
    says(&world.ok(&["measures", "equal"]), &["no settings"]);
}

#[test]
fn every_listed_measure_scores() {
    let world = World::new();
    for measure in world.json(&["measures", "--json"]) {
        let plain = ["name", "aliases", "summary", "source", "settings"];
        assert_eq!(keys(&measure)[..plain.len()], plain);
        let name = measure["name"].as_str().unwrap();
        // The others need a file, something that is installed, or others to put together.
        if !["analyzer", "max", "mix", "soc-pmi", "table", "vectors", "wordnet"].contains(&name) {
            let printed = world.ok(&[
                "score",
                "same words",
                "same words",
                "-m",
                name,
                "--collection",
                "none",
            ]);
            // These have no upper end, or it is not what a text scores with itself.
            let others = ["idf-overlap", "tfidf-sum", "relative-frequency", "bm25"];
            let likely = ["query-likelihood", "translation", "kl"];
            // These texts hold none of what these compare.
            if ["number", "date", "digits"].contains(&name) {
                assert_eq!(printed, format!("0.0000\t{name}\n"));
                continue;
            }
            if others.contains(&name) || likely.contains(&name) {
                let (score, rest) = printed.split_once('\t').unwrap();
                assert!(score.parse::<f64>().unwrap() > 0.0, "{printed}");
                assert_eq!(rest, format!("{name}\n"));
            } else {
                assert_eq!(printed, format!("1.0000\t{name}\n"));
            }
        }
    }
}

#[test]
fn a_measures_page_tells_what_one_decides_by() {
    let world = World::new();
    says(
        &world.ok(&["measures", "query-likelihood"]),
        &[
            "range        0 to 1",
            "symmetric    no",
            "adaptive",
            "equal texts  may score less",
            "search       pruned by upper bounds",
            "analyzer     analyzer(",
            "mu=number from 0 to 1000000000 (default 100)",
            "preset=paper: mu=0.2, scale=probability",
            "$ likewise score \"",
        ],
    );
    says(
        &world.ok(&["measures", "bm25"]),
        &["range        0 and up, no upper limit", "symmetric    no"],
    );
    says(
        &world.ok(&["measures", "jaro-winkler"]),
        &["symmetric    yes", "collection   not needed", "equal texts  score the maximum"],
    );
    // The example is what the command gives.
    for measure in world.json(&["measures", "--json"]) {
        let (name, example) = (measure["name"].as_str().unwrap(), &measure["example"]);
        if name == "analyzer" || example.is_null() {
            continue;
        }
        assert!(["bounds", "every-text"].contains(&measure["search"].as_str().unwrap()), "{name}");
        let texts = [&example["left"], &example["right"]].map(|text| text.as_str().unwrap());
        let score = ["score", texts[0], texts[1], "-m", name, "--collection", "none"];
        let expected = format!("{:.4}\t{name}\n", example["score"].as_f64().unwrap());
        assert_eq!(world.ok(&score), expected);
    }
}

#[test]
fn an_unknown_measure_is_answered_with_the_nearest() {
    let world = World::new();
    world.usage_error(
        &["measures", "levenstein"],
        &["unknown measure `levenstein`", "did you mean `levenshtein`?"],
    );
    world.usage_error(&["measures", "xxxxxxxxxxxx"], &["`likewise measures` lists them"]);
}

#[test]
fn help_and_version_succeed() {
    let world = World::new();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help", "score"],
        &["score", "--help"],
        &["search", "--help"],
        &["eval", "--help"],
        &["eval", "match", "--help"],
        &["eval", "retrieve", "--help"],
        &["eval", "pairs", "--help"],
        &["collection", "--help"],
        &["collection", "build", "--help"],
        &["collection", "show", "--help"],
        &["measures", "--help"],
    ] {
        assert!(!world.ok(arguments).is_empty(), "{arguments:?}");
    }
}
