//! `likewise words` and the measure `sts`.

use super::{World, says};

const FAQ: &str =
    "question\nHow do I reset my password?\nWhere is the passage?\nCan I pass the word on?\n";
const STEMS: &str = "analyzer(stop=en, stem=porter)";

#[test]
fn the_words_most_like_one_come_best_first() {
    let world = World::with("faq.csv", FAQ);
    let shown = world.ok(&[
        "words", "pasword", "--by", "string", "--of", "faq.csv", "--on", "question", "-k", "3",
    ]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "word,rank,alike,similarity");
    assert!(lines[1].starts_with("pasword,1,password,0."));
    assert_eq!(lines.len(), 4);
    let json =
        world.ok(&["words", "pasword", "--of", "faq.csv", "--on", "question", "-k", "1", "--json"]);
    says(&json, &["\"alike\":\"password\"", "\"rank\":1"]);
    let (_, said) =
        world.both(&["words", "pasword", "--of", "faq.csv", "--on", "question", "--stats"]);
    says(&said, &["words compared"]);
    // Nothing is like it: said, and no failure.
    let (shown, said) = world.both(&["words", "zzz", "--of", "faq.csv", "--on", "question"]);
    assert_eq!(shown.lines().count(), 1);
    says(&said, &["no word is like `zzz`"]);
}

#[test]
fn words_are_cut_as_those_they_are_looked_for_among() {
    let world = World::with("faq.csv", FAQ);
    let of = |words: &[&str]| {
        let base = ["words", "--of", "faq.csv", "--on", "question", "--analyzer", STEMS];
        world.ok(&[&base[..], words].concat())
    };
    says(&of(&["Passages"]), &["passag,1,"]);
    let (_, said) =
        world.both(&["words", "the", "--of", "faq.csv", "--on", "question", "--analyzer", STEMS]);
    says(&said, &["nothing is left of `the`"]);
}

#[test]
fn what_is_missing_is_said() {
    let world = World::with("faq.csv", FAQ);
    world.usage_error(&["words", "king"], &["--of"]);
    world.usage_error(&["words", "king", "--by", "strng", "--of", "faq.csv"], &["string"]);
    world.usage_error(&["words", "king", "--min", "2", "--of", "faq.csv"], &["from 0 to 1"]);
    world.failed(&["words", "king", "--of", "none.csv"], &["none.csv"]);
    world.usage_error(&["score", "a", "b", "-m", "sts(soc-pmi=1)"], &["corpus="]);
    world.usage_error(&["score", "a", "b", "-m", "sts(string, soc-pmi=1)"], &["not both"]);
}

/// Words that occur together: `car` and `auto` with the road, `cat` with milk.
fn with_corpus() -> World {
    let mut lines = Vec::new();
    for at in 0..30 {
        lines.push(format!("the car drove along the road to town {at}"));
        lines.push(format!("an auto drove along a road to town {at}"));
        lines.push(format!("the cat drank warm milk at home {at}"));
    }
    let world = World::with("en.txt", lines.join("\n"));
    world.ok(&["corpus", "build", "en.txt", "-o", "en.lwc", "--window", "5", "--analyzer", STEMS]);
    world
}

#[test]
fn collocates_make_words_alike_that_share_no_letters() {
    let world = with_corpus();
    let shown = world.ok(&["words", "car", "--by", "soc-pmi", "--of", "en.lwc", "-k", "2"]);
    says(&shown, &["auto"]);
    assert!(!shown.contains("milk"));
    // The corpus that soc-pmi looks at has the words; alone it tells them apart.
    let told = |by: &str| world.ok(&["words", "car", "--by", by, "-k", "2"]);
    assert_eq!(told("soc-pmi(\"en.lwc\", lambda=1000)"), shown);
    assert_ne!(told("soc-pmi(\"en.lwc\")"), shown);
    let score = |measure: &str| -> f64 {
        let shown = world.ok(&["score", "the car drove", "an auto drove", "-m", measure]);
        shown.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(score("sts(corpus=\"en.lwc\")") > score("sts"));
    let both = "0.5*sts(string) + 0.5*sts(soc-pmi(\"en.lwc\"))";
    assert!(score(both) > score("sts"));
    let found = world.ok(&[
        "search",
        "en.txt",
        "auto on the road",
        "-m",
        "sts(corpus=\"en.lwc\")",
        "-k",
        "1",
    ]);
    says(&found, &["auto drove"]);
}

#[test]
fn a_corpus_of_other_words_is_refused() {
    let world = with_corpus();
    world.ok(&["corpus", "build", "en.txt", "-o", "surface.lwc", "--window", "5"]);
    world.usage_error(
        &["score", "a car", "an auto", "-m", "sts(corpus=\"surface.lwc\")"],
        &["surface.lwc", "--analyzer", "stem=porter"],
    );
    // As the message says, the measure can follow the corpus.
    world.ok(&["score", "car", "auto", "-m", "sts(corpus=\"surface.lwc\", analyzer=analyzer)"]);
    world.ok(&["corpus", "build", "en.txt", "-o", "counts.lwc", "--analyzer", STEMS]);
    world.usage_error(&["score", "a", "b", "-m", "sts(corpus=\"counts.lwc\")"], &["--window"]);
}
