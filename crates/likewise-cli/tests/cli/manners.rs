//! What a new user meets in the first hour: messages, hints, quiet, completions, manual pages, examples.

use super::{World, says};
use std::path::PathBuf;

fn example(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(name).to_str().unwrap().to_owned()
}

const PEOPLE: &str = "id,name,city\n1,Jon Smith,Berlin\n2,\"Jon Smith, Jr\",Bonn\n3,Jon Smith,Berlin\n4,Ana Ruiz,Lima\n";

#[test]
fn a_lowest_score_out_of_range_is_a_usage_error_that_says_the_range() {
    let world = World::with("p.csv", PEOPLE);
    let hint = ["--min 80", "between 0 and 1", "did you mean 0.8?"];
    world.usage_error(&["search", "p.csv", "--on", "name", "jon", "--min", "80"], &hint);
    world.usage_error(&["match", "p.csv", "p.csv", "--on", "name", "--min", "80"], &hint);
    world.usage_error(&["dedupe", "p.csv", "--on", "name", "--min", "80"], &hint);
    world.usage_error(&["dedupe", "p.csv", "--on", "name", "--min", "-0.5"], &["between 0 and 1"]);
    world.usage_error(&["dedupe", "p.csv", "--on", "name:2,city:1", "--min", "80"], &hint);
    world.ok(&["search", "p.csv", "--on", "name", "jon", "--min", "80", "-m", "bm25"]);
}

#[test]
fn two_tables_are_not_two_texts() {
    let world = World::with("a.csv", PEOPLE).and("b.csv", PEOPLE);
    world.usage_error(
        &["score", "a.csv", "b.csv"],
        &["two tables", "--on LEFT,RIGHT", "likewise match"],
    );
    let (_, said) = world.both(&["score", "a.csv", "other"]);
    says(&said, &["`a.csv` is compared as a text"]);
    world.ok(&["score", "x.csv", "y.csv"]);
}

#[test]
fn an_answer_stands_beside_its_question() {
    let faq = example("faq.csv");
    let base = ["search", &faq, "--on", "question", "--id", "id", "-k", "1", "--keep"];
    let asked = "how do i reset my pasword";
    let printed = World::new().ok(&[&base[..], &["answer", asked]].concat());
    assert!(
        printed.starts_with("0.9379\treset\tHow do I reset my password?\tChoose "),
        "{printed}"
    );
    let found = World::new().json(&[&base[..], &["*", asked, "--json"]].concat());
    assert!(found[0]["answer"].as_str().unwrap().starts_with("Choose"));
    assert_eq!(found[0]["question"], found[0]["text"]);
}

#[test]
fn results_of_a_search_go_to_a_table() {
    let world = World::with("p.csv", PEOPLE).and("q.txt", "ana\njon\n");
    let base = ["search", "p.csv", "--on", "name", "--id", "id", "-k", "1", "-m", "levenshtein"];
    world.ok(&[&base[..], &["Ana Ruiz", "--keep", "*", "-o", "found.csv"]].concat());
    let table = "rank,id,score,text,name,city\n1,4,1,Ana Ruiz,Ana Ruiz,Lima\n";
    assert_eq!(world.read("found.csv"), table);
    world.ok(&[&base[..], &["--queries", "q.txt", "-o", "all.tsv"]].concat());
    assert_eq!(world.read("all.tsv").lines().next(), Some("query\trank\tid\tscore\ttext"));
    assert_eq!(world.read("all.tsv").lines().count(), 3);
}

#[test]
fn unique_writes_the_table_without_its_duplicates() {
    let world = World::with("p.csv", PEOPLE);
    world.ok(&["dedupe", "p.csv", "--on", "name", "--min", "1", "--unique", "-o", "clean.csv"]);
    let clean = "id,name,city\n1,Jon Smith,Berlin\n2,\"Jon Smith, Jr\",Bonn\n4,Ana Ruiz,Lima\n";
    assert_eq!(world.read("clean.csv"), clean);
}

#[test]
fn a_star_keeps_every_column() {
    let world = World::with("p.csv", PEOPLE);
    let base = ["dedupe", "p.csv", "--on", "name", "--min", "1", "--id", "id", "--keep", "*"];
    assert!(world.ok(&base).starts_with("id,cluster,representative,name,city\n"));
    let base = ["match", "p.csv", "p.csv", "--on", "name", "--min", "1", "--id", "id", "--keep"];
    let header = |keep| world.ok(&[&base[..], &[keep]].concat()).lines().next().unwrap().to_owned();
    assert_eq!(header("*"), "left_id,right_id,score,left_name,left_city,right_name,right_city");
    assert_eq!(header("right.*"), "left_id,right_id,score,right_name,right_city");
}

#[test]
fn match_proposes_a_threshold_and_says_why() {
    let (left, right) = (example("products/left.csv"), example("products/right.csv"));
    let base = ["match", &left, &right, "--on", "title", "--id", "id"];
    let (some, said) = World::new().both(&base);
    says(&said, &["note: --min ", "proposed. "]);
    let (all, said) = World::new().both(&[&base[..], &["--min", "0"]].concat());
    assert_eq!(said, "");
    assert!(all.lines().count() > some.lines().count());
}

#[test]
fn columns_with_weights_can_be_evaluated() {
    let world = World::with("d/left.csv", "id,name,city\n1,ann,Rome\n2,bob,Oslo\n")
        .and("d/right.csv", "id,name,city\n1,anna,Rome\n2,bob,Oslo\n")
        .and("d/matches.csv", "left_id,right_id\n1,1\n2,2\n");
    let base = ["eval", "match", "d", "--on", "name:0.7,city:0.3", "--json"];
    let found = world.json(&[&base[..], &["-m", "jaro", "-m", "equal"]].concat());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["measure"].as_str(), Some("name:0.7 jaro + city:0.3 equal"));
    world.usage_error(
        &[&base[..], &["-m", "jaro", "-m", "sc", "-m", "lcs"]].concat(),
        &["3 measures"],
    );
}

#[test]
fn what_an_index_holds_is_told_as_json_too() {
    let world = World::with("p.csv", PEOPLE);
    world.ok(&["index", "build", "p.csv", "--on", "name:0.7,city:0.3", "--id", "id", "-o", "p.lw"]);
    let found = world.json(&["index", "show", "p.lw", "--json"]);
    assert_eq!((found[0]["rows"].as_u64(), found[0]["id"].as_str()), (Some(4), Some("id")));
    assert_eq!(found[0]["columns"][1]["name"].as_str(), Some("city"));
}

#[test]
fn quiet_leaves_nothing_but_results_and_errors() {
    let world = World::with("p.csv", PEOPLE);
    let silent = |arguments: &[&str]| world.both(&[arguments, &["-q"]].concat());
    let built = silent(&["index", "build", "p.csv", "--on", "name", "-o", "p.lw"]);
    assert_eq!(built, (String::new(), String::new()));
    assert_eq!(silent(&["index", "verify", "p.lw"]), (String::new(), String::new()));
    assert_eq!(silent(&["dedupe", "p.csv", "--on", "name"]).1, "");
    assert_eq!(silent(&["match", "p.csv", "p.csv", "--on", "name"]).1, "");
    world.usage_error(&["search", "p.csv", "x", "-q"], &["which column?"]);
}

#[test]
fn shells_complete_commands_and_measures() {
    for shell in ["bash", "zsh", "fish"] {
        let script = World::new().ok(&["completions", shell]);
        says(&script, &["dedupe", "one-to-one", "jaro-winkler"]);
    }
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let world = World::new();
    world.ok(&["man", "pages"]);
    says(&world.read("pages/likewise-dedupe.1"), &["unique"]);
    says(&world.ok(&["help", "measures"]), &["Sums", "Analyzers", "Which one", "Rare words"]);
}

#[test]
fn colours_are_as_asked_for() {
    let world = World::new();
    let base = ["score", "kitten", "sitting", "-m", "levenshtein", "--explain", "--color"];
    assert!(world.ok(&[&base[..], &["always"]].concat()).contains('\u{1b}'));
    assert!(!world.ok(&[&base[..], &["never"]].concat()).contains('\u{1b}'));
    assert!(!world.ok(&[&base[..], &["auto"]].concat()).contains('\u{1b}'));
}

#[test]
fn names_from_elsewhere_are_answered_with_the_nearest_measure() {
    let world = World::new();
    world.usage_error(&["score", "a", "b", "-m", "token_set_ratio"], &["sc(coefficient=overlap)"]);
    world.usage_error(&["score", "a", "b", "-m", "WRatio"], &["leave out -m"]);
    world.usage_error(&["measures", "TfidfVectorizer"], &["`tfidf`"]);
}

#[test]
fn the_examples_are_as_their_page_says() {
    let customers = std::fs::read_to_string(example("messy-customers.csv")).unwrap();
    assert_eq!(customers.lines().count(), 301);
    let base =
        ["dedupe", &example("messy-customers.csv"), "--on", "name,street,city,email", "--id", "id"];
    let (_, said) = World::new().both(&[&base[..], &["--labels", "person", "--unique"]].concat());
    says(&said, &["learned from `person`", "left out"]);
    let found =
        World::new().json(&["eval", "match", &example("products"), "--on", "title", "--json"]);
    assert!(super::number(&found[0], "best_f1") > 0.5);
}
