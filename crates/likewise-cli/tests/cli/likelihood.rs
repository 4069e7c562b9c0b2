//! Query likelihood, translation and divergence, with what they learn from elsewhere.

use super::{World, says};

const TEXTS: &str = "id,text\na,the king spoke to the queen\nb,the monarch spoke\nc,rain fell in spain\nd,kings and queens\n";

fn texts() -> World {
    World::with("texts.csv", TEXTS)
}

/// Whether WordNet is there to be asked.
fn wordnet(world: &World) -> bool {
    let measure = "query-likelihood(synonyms=wordnet)";
    let there = world
        .run(&["score", "car", "auto", "-m", measure, "--collection", "none"])
        .status
        .success();
    if !there {
        eprintln!("WordNet is not installed: nothing was tested");
    }
    there
}

#[test]
fn a_table_of_translations_explains_one_word_by_another() {
    let world =
        texts().and("t.csv", "source,target,probability\nmonarch,king,0.5\nmonarch,monarch,0.5\n");
    let measure = "translation(table=\"t.csv\", mu=0.1)";
    let score = |measure: &str| {
        let arguments = [
            "score",
            "king spoke",
            "the monarch spoke",
            "-m",
            measure,
            "--explain",
            "--collection",
            "none",
        ];
        world.ok(&arguments)
    };
    says(&score(measure), &["king ~ monarch", "king 1.61e-1 by monarch; spoke 3.23e-1"]);
    says(&score("translation(mu=0.1)"), &["king 3.23e-7 by the background"]);
    // The identity changes nothing.
    let world = world.and("same.csv", "source,target,probability\nking,king,1\nspoke,spoke,1\n");
    let plain = |measure: &str| {
        let texts = ["score", "king spoke", "the monarch spoke", "--collection", "none", "-m"];
        let printed = world.ok(&[&texts[..], &[measure]].concat());
        printed.split_whitespace().next().map(str::to_owned)
    };
    assert_eq!(
        plain("translation(table=\"same.csv\", mu=1)"),
        plain("query-likelihood(mu=1, scale=probability)")
    );
}

#[test]
fn what_is_found_is_what_is_most_likely() {
    let world =
        texts().and("t.csv", "source,target,probability\nmonarch,ruler,0.5\nmonarch,monarch,0.5\n");
    for (measure, best) in [
        ("query-likelihood", "a"),
        ("kl", "a"),
        ("query-likelihood(scale=share)", "a"),
        ("translation(table=\"t.csv\")", "b"),
    ] {
        let query = if best == "b" { "ruler" } else { "the king spoke" };
        let find =
            ["search", "texts.csv", "--on", "text", "--id", "id", "-m", measure, query, "--json"];
        let printed = world.ok(&find);
        let first = printed.lines().next().unwrap();
        says(first, &[&format!("\"id\":\"{best}\"")]);
    }
    says(
        &world.ok(&["match", "texts.csv", "texts.csv", "--on", "text", "--id", "id", "-m", "kl"]),
        &["a,a,", "b,b,", "c,c,", "d,d,"],
    );
}

#[test]
fn a_corpus_says_how_likely_words_are() {
    let world = texts().and("big.txt", "the the the the king\nthe a an of rain\n");
    world.ok(&["corpus", "build", "big.txt", "-o", "big.lwc", "--quiet"]);
    let score = |a: &str| {
        let measure = "query-likelihood(mu=1, scale=probability, background=\"big.lwc\")";
        let printed = world.ok(&["score", a, "spoke", "-m", measure]);
        printed.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    // P is 5/10 and 1/10; a word never seen counts as seen once. Texts have one word and μ is 1.
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() < 5e-5, "{found} {expected}");
    near(score("the"), 0.5 / 2.0);
    near(score("king"), 0.1 / 2.0);
    near(score("zebra"), 0.1 / 2.0);
    near(score("spoke"), 1.1 / 2.0);
    // In an index, too.
    let measure = "query-likelihood(mu=1, background=\"big.lwc\")";
    world.ok(&[
        "index",
        "build",
        "texts.csv",
        "--on",
        "text",
        "-m",
        measure,
        "-o",
        "texts.lwi",
        "--quiet",
    ]);
    let from_table =
        world.ok(&["search", "texts.csv", "--on", "text", "-m", measure, "king of rain"]);
    assert_eq!(world.ok(&["search", "texts.lwi", "king of rain"]), from_table);
}

#[test]
fn synonyms_are_found() {
    let world = texts();
    if !wordnet(&world) {
        return;
    }
    let measure = "query-likelihood(synonyms=wordnet)";
    let explained = world.ok(&[
        "score",
        "car",
        "the automobile",
        "-m",
        measure,
        "--explain",
        "--collection",
        "none",
    ]);
    says(&explained, &["car ~ automobile", "by automobile"]);
    let measure = "translation(synonyms=wordnet(senses=1), self=0.6)";
    says(
        &world.ok(&["score", "auto", "car", "-m", measure, "--explain", "--collection", "none"]),
        &["auto ~ car", "by car"],
    );
}

#[test]
fn texts_are_expanded_by_passages() {
    let corpus = "The sea has waves and sand.\nThe shore is where the sea ends.\nThe bank lends money to people.\n";
    let world = texts().and("big.txt", corpus);
    if !wordnet(&world) {
        return;
    }
    world.ok(&["corpus", "passages", "big.txt", "-o", "big.passages", "--quiet"]);
    let score = |measure: &str, b: &str| {
        let printed = world.ok(&["score", "the sea", b, "-m", measure, "--collection", "none"]);
        printed.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    let (near, far) = ("the shore", "the bank");
    let plain = "kl(mu-q=0, scale=share)";
    assert_eq!(score(plain, near), score(plain, far));
    let expanded = "kl(mu-q=0, scale=share, expand=\"big.passages\", own=1)";
    assert!(score(expanded, near) > score(expanded, far));
    let explained =
        world.ok(&["score", "the sea", near, "-m", expanded, "--explain", "--collection", "none"]);
    says(&explained, &["models of "]);
    // Words made otherwise would never meet.
    let other = "kl(expand=\"big.passages\", analyzer=analyzer(stem=porter))";
    let says = ["big.passages: its words were made by analyzer", "--analyzer"];
    world.usage_error(&["score", "a", "b", "-m", other, "--collection", "none"], &says);
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let world = texts()
        .and("much.csv", "source,target,probability\nking,king,0.8\nking,queen,0.5\n")
        .and("empty.txt", "\n \n");
    for (measure, expected) in [
        ("query-likelihood(background=\"none.lwc\")", "none.lwc"),
        ("query-likelihood(background=\"texts.csv\")", "texts.csv"),
        ("translation(table=\"none.csv\")", "none.csv"),
        ("translation(table=\"much.csv\")", "the probabilities of \"king\" add up to 1.3"),
        ("kl(expand=\"none\")", "none"),
        ("query-likelihood(synonyms=wordnet(directory=\"nowhere\"))", "nowhere"),
    ] {
        world.usage_error(
            &["score", "king", "queen", "-m", measure, "--collection", "none"],
            &[expected],
        );
    }
    for measure in ["query-likelihood(mu=-1)", "kl(mu-q=-0.1)", "translation(self=2)"] {
        world.usage_error(&["score", "king", "queen", "-m", measure], &["must be a number"]);
    }
    let measure = "query-likelihood(synonyms=wordnet)";
    let score =
        ["score", "car", "auto", "-m", measure, "--collection", "none", "--wordnet", "empty"];
    world.usage_error(&score, &["empty"]);
    let log = "query-likelihood(scale=log)";
    let search = ["search", "texts.csv", "--on", "text", "-m", log, "king"];
    world.usage_error(&search, &["gives logarithms", "without `scale=log`"]);
    world.failed(&["corpus", "build", "empty.txt", "-o", "empty.lwc"], &["the corpus is empty"]);
}
