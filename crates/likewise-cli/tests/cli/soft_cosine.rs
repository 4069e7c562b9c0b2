//! Soft cosine, matrices of similar words, and vectors for other tools.

use super::{World, close, number, says};
use std::collections::BTreeMap;

const GAMES: &str =
    "id,text\na,play game\nb,player gamer\nc,chess board\nd,playing the game of chess\n";

fn games() -> World {
    World::with("games.csv", GAMES)
}

#[test]
fn the_papers_example_comes_out_of_every_formula() {
    for (formula, expected) in [
        ("exact", "0.4899"),
        ("pairs", "0.1967"),
        ("pairs-corrected", "0.4899"),
        ("basis", "0.4899"),
    ] {
        let measure =
            format!("soft-cosine(terms=edit(form=inverse), weights=tf, formula={formula})");
        let printed = World::new().ok(&["score", "play game", "player gamer", "-m", &measure]);
        assert!(printed.starts_with(expected), "{formula}: {printed}");
    }
}

#[test]
fn an_explanation_shows_which_words_met() {
    let measure = "soft-cosine(terms=edit(max=2), weights=tf)";
    let arguments = ["score", "play game", "player gamer", "-m", measure, "--explain"];
    says(&World::new().ok(&arguments), &["game ~ gamer", "play ~ player"]);
}

#[test]
fn a_matrix_is_built_shown_exported_and_used() {
    let world = games();
    let built =
        ["matrix", "build", "games.csv", "--on", "text", "--terms", "edit(max=2)", "-o", "s.lws"];
    says(&world.both(&built).1, &["9 words, 2 pairs that are alike"]);
    says(
        &world.ok(&["matrix", "show", "s.lws"]),
        &["edit(form=inverse, max=2", "words  pairs", "positive definite"],
    );
    assert_eq!(world.ok(&["matrix", "show", "s.lws", "game"]), "game\tgamer\t0.5000\n");
    world.ok(&["matrix", "export", "s.lws", "-o", "pairs.csv"]);
    let pairs = world.read("pairs.csv");
    assert_eq!(pairs.lines().count(), 3, "{pairs}");
    says(&pairs, &["feature1,feature2,similarity\n", "game,gamer,0.5\n", "play,player,0.333"]);
    // However the similarities come, the answer is the same.
    let search = |terms: &str| {
        let measure = format!("soft-cosine(terms={terms})");
        world.ok(&[
            "search",
            "games.csv",
            "--on",
            "text",
            "-m",
            &measure,
            "gamers play chess",
            "--json",
        ])
    };
    let of_table = search("table(\"s.lws\")");
    assert_eq!(of_table, search("table(\"pairs.csv\")"));
    assert!(!of_table.is_empty());
    world.failed(&["matrix", "show", "s.lws", "unheard"], &["no word `unheard`"]);
    world.failed(&["matrix", "show", "games.csv"], &["games.csv"]);
    world.usage_error(
        &["matrix", "build", "games.csv", "--terms", "edt", "-o", "x.lws"],
        &["did you mean `edit`?"],
    );
    world.usage_error(
        &["matrix", "build", "games.csv", "--on", "text", "--min", "2", "-o", "x.lws"],
        &["--min"],
    );
}

#[test]
fn an_index_keeps_the_similarities_and_answers_like_the_table() {
    let world = games().and("more.csv", "id,text\ne,plays games\n");
    let measure = "soft-cosine(terms=edit(max=2))";
    let on = ["--on", "text", "--id", "id", "-m", measure];
    world.ok(&[&["index", "build", "games.csv", "-o", "games.lw"], &on[..]].concat());
    let whole = GAMES.to_owned() + "e,plays games\n";
    let world = world.and("all.csv", whole);
    world.ok(&["index", "add", "games.lw", "more.csv"]);
    let from_index = world.ok(&["search", "games.lw", "gamr play", "--json"]);
    let from_table = world.ok(&[&["search", "all.csv", "gamr play", "--json"], &on[..]].concat());
    assert_eq!(from_index, from_table);
    assert!(from_index.lines().count() >= 4, "{from_index}");
    let pairs = world.ok(&[
        "dedupe", "all.csv", "--on", "text", "--id", "id", "-m", measure, "--min", "0.2", "--pairs",
    ]);
    assert!(pairs.lines().count() > 1, "{pairs}");
    let links = world.ok(&["match", "more.csv", "games.csv", "--on", "text", "-m", measure]);
    assert_eq!(links.lines().count(), 2, "{links}");
}

/// Vectors by id.
fn svmlight(text: &str) -> BTreeMap<String, BTreeMap<u64, f64>> {
    let vector = |line: &str| {
        let (values, id) = line.split_once(" # ").unwrap();
        let mut parts = values.split(' ');
        assert_eq!(parts.next(), Some("0"));
        let value = |part: &str| {
            let (at, value) = part.split_once(':').unwrap();
            (at.parse().unwrap(), value.parse().unwrap())
        };
        (id.to_owned(), parts.map(value).collect())
    };
    text.lines().map(vector).collect()
}

#[test]
fn vectors_have_the_soft_cosine_as_their_plain_cosine() {
    let world = games();
    for formula in ["pairs", "pairs-corrected", "basis"] {
        let measure = format!("soft-cosine(terms=edit(max=1), weights=tf, formula={formula})");
        let input = ["vectors", "games.csv", "--on", "text", "--id", "id", "-m", &measure];
        world.ok(&[&input[..], &["-o", "games.svm", "--names", "names.csv"]].concat());
        let vectors = svmlight(&world.read("games.svm"));
        let dot = |x: &BTreeMap<u64, f64>, y: &BTreeMap<u64, f64>| {
            x.iter().filter_map(|(at, v)| Some(v * y.get(at)?)).sum::<f64>()
        };
        let (a, b) = (&vectors["a"], &vectors["b"]);
        let plain = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
        let search = [
            "search",
            "games.csv",
            "--on",
            "text",
            "--id",
            "id",
            "-m",
            &measure,
            "play game",
            "--json",
        ];
        let hits = world.json(&search);
        let hit = hits.iter().find(|hit| hit["id"] == "b").unwrap();
        close(number(hit, "score"), plain);
        let coordinates: usize =
            vectors.values().flat_map(|v| v.keys()).max().map_or(0, |n| *n as usize);
        assert_eq!(world.read("names.csv").lines().count(), coordinates + 1);
        // The same as a table.
        world.ok(&[&input[..], &["-o", "games.parquet"]].concat());
        world.ok(&[&input[..], &["-o", "table.csv"]].concat());
        let values: usize = vectors.values().map(BTreeMap::len).sum();
        assert_eq!(world.read("table.csv").lines().count(), values + 1);
        assert!(world.path("games.parquet").metadata().unwrap().len() > 0);
    }
    says(&world.read("names.csv"), &["coordinate,name\n", "basis"]);
    let exact = ["vectors", "games.csv", "--on", "text", "-m", "soft-cosine", "-o", "x.svm"];
    world.usage_error(&exact, &["formula=pairs, pairs-corrected or basis"]);
    let other = ["vectors", "games.csv", "--on", "text", "-m", "sc", "-o", "x.svm"];
    world.usage_error(&other, &["soft-cosine alone"]);
    assert!(!world.path("x.svm").exists());
}

#[test]
fn a_table_of_similarities_that_makes_no_sense_is_an_error_that_names_the_entry() {
    for (rows, words) in [
        ("x,x,0.9", &["line 2", "\"x\" with itself is 0.9, and must be 1"][..]),
        ("x,y,0.5\ny,x,0.4", &["line 3", "is 0.4 here and 0.5 in line 2"]),
        ("x,y,1.5", &["line 2", "\"x\" and \"y\" is 1.5, beyond -1 to 1"]),
        ("x,y,NaN", &["line 2", "\"x\" and \"y\" is not a number"]),
        ("x,y,", &["line 2", "\"x\" and \"y\""]),
    ] {
        let world = World::with("s.csv", format!("feature1,feature2,similarity\n{rows}\n"));
        world.usage_error(
            &["score", "x", "y", "-m", "soft-cosine(terms=table(\"s.csv\"), weights=tf)"],
            words,
        );
    }
    let world = World::with("s.csv", "feature1,feature2,similarity\ncar,auto,0.9\n")
        .and("t.csv", "text\ncar\n");
    let strict = "soft-cosine(terms=table(\"s.csv\", unknown=error))";
    world.usage_error(&["search", "t.csv", "-m", strict, "car"], &["no word \"auto\""]);
    world.usage_error(
        &["score", "a", "b", "-m", "soft-tfidf(terms=table(\"no.csv\"))", "--collection", "none"],
        &["no.csv"],
    );
    world.usage_error(
        &["score", "a", "b", "-m", "soft-cosine(terms=vectors, weights=tf)"],
        &["name the file"],
    );
    world.usage_error(
        &["score", "a", "b", "-m", "soft-cosine(terms=table(s.csv))"],
        &["double quotes"],
    );
    let idle = "soft-cosine(weights=tf, shift=0.5)";
    world.usage_error(&["score", "a", "b", "-m", idle], &["`shift` goes with formula=basis"]);
    world.usage_error(&["score", "a", "b", "-m", "soft-cosine(terms=max(edit))"], &["two or more"]);
    world.usage_error(
        &["score", "a", "b", "-m", "soft-cosine(terms=mix(0*edit, equal))"],
        &["above 0"],
    );
}

#[test]
fn word_vectors_relate_words_in_every_measure_that_compares_words() {
    let world = World::with("v.txt", "car 1 0 0\nauto 0.9 0.1 0\ntree 0 0 1\nbush 0 0.2 0.9\n");
    let cache = world.path("cache");
    for measure in [
        "soft-cosine(terms=vectors(\"v.txt\", without=0), weights=tf)",
        "soft-tfidf(terms=vectors(\"v.txt\", without=0), weights=tf)",
        "monge-elkan(terms=vectors(\"v.txt\", without=0))",
        "sc-pairwise(terms=vectors(\"v.txt\", without=0), weights=boolean)",
    ] {
        let score = |a: &str, b: &str| {
            let mut command = world.command(&["score", a, b, "-m", measure, "--json"]);
            let output = command.env("LIKEWISE_CACHE", &cache).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let object: serde_json::Value =
                serde_json::from_str(&text).unwrap_or_else(|_| panic!("{measure}: {text}"));
            number(&object, "score")
        };
        assert!(
            score("car", "auto") > 0.5 && score("car", "auto") > score("car", "tree"),
            "{measure}"
        );
    }
    assert!(cache.read_dir().unwrap().count() > 0);
}
