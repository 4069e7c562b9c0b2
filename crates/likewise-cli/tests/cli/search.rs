//! `likewise search`

use super::{World, keys, number, says};
use serde_json::json;

const FAQ: &str = "key,question\n\
                   a,How do I change my address?\n\
                   b,How do I reset my password?\n\
                   c,Where is my parcel?\n\
                   d,\"Can I pay by card, or by cheque?\"\n";

#[test]
fn a_typo_finds_the_right_row() {
    let world = World::with("faq.csv", FAQ);
    let printed = world.ok(&["search", "faq.csv", "--on", "question", "reset my pasword"]);
    let first = printed.lines().next().unwrap();
    says(first, &["\t2\tHow do I reset my password?"]);
}

#[test]
fn rows_go_by_their_id_where_one_is_named() {
    let world = World::with("faq.csv", FAQ);
    let printed =
        world.ok(&["search", "faq.csv", "--on", "question", "--id", "key", "parsel", "-k", "1"]);
    says(&printed, &["\tc\tWhere is my parcel?"]);
    assert_eq!(printed.lines().count(), 1);
}

#[test]
fn several_columns_are_searched_as_one_text() {
    let world = World::with("people.csv", "first,last,city\nAna,Ruiz,Lima\nAna,Paz,Quito\n");
    let found =
        world.json(&["search", "people.csv", "--on", "first,last", "ana paz", "-k", "1", "--json"]);
    assert_eq!(found[0]["text"], "Ana Paz");
}

#[test]
fn json_has_rank_id_score_and_text() {
    let world = World::with("words.txt", "kitten\nsitting\nxyz\n");
    let found = world.json(&["search", "words.txt", "kitten", "-m", "levenshtein", "--json"]);
    assert_eq!(found.len(), 2, "what scores 0 is no result");
    assert_eq!(found[0], json!({"rank": 1, "id": "1", "score": 1.0, "text": "kitten"}));
    assert_eq!(
        found[1],
        json!({"rank": 2, "id": "2", "score": 0.571_428_571_428_571_4, "text": "sitting"})
    );
    let explained =
        world.json(&["search", "words.txt", "kitten", "-m", "levenshtein", "--json", "--explain"]);
    assert_eq!(keys(&explained[0]), ["rank", "id", "score", "text", "explanation"]);
}

#[test]
fn k_and_min_leave_out_the_rest() {
    let world = World::with("words.txt", "abcd\nabcx\nabxx\naxxx\n");
    let count = |more: &[&str]| {
        world
            .ok(&[&["search", "words.txt", "abcd", "-m", "levenshtein"], more].concat())
            .lines()
            .count()
    };
    assert_eq!(count(&[]), 4);
    assert_eq!(count(&["-k", "3"]), 3);
    assert_eq!(count(&["--min", "0.5"]), 3);
    assert_eq!(count(&["--min", "0.51"]), 2);
    assert_eq!(count(&["--min", "0.5", "-k", "1"]), 1);
}

#[test]
fn equal_scores_come_in_the_order_of_the_rows() {
    let world = World::with("words.txt", "abx\nzzz\naby\nabc\nabz\n");
    let found = world.json(&["search", "words.txt", "abc", "-m", "levenshtein", "--json"]);
    let ids: Vec<_> = found.iter().map(|f| f["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["4", "1", "3", "5"]);
}

#[test]
fn results_do_not_depend_on_threads() {
    let table: String =
        (0..5000).map(|i| format!("street {} house {}\n", i % 71, i % 113)).collect();
    let world = World::with("streets.txt", table);
    let with = |threads| {
        world.ok(&["search", "streets.txt", "stret 17 hous 5", "-k", "500", "--threads", threads])
    };
    assert!(with("1") == with("2"));
}

#[test]
fn an_explanation_stands_below_each_result() {
    let world = World::with("words.txt", "kitten\n");
    let printed = world.ok(&["search", "words.txt", "kiten", "-m", "levenshtein", "--explain"]);
    says(&printed, &["0.8333\t1\tkitten", "5.0000 / 6.0000 = 0.8333"]);
}

#[test]
fn rare_words_are_counted_in_the_table_or_in_another() {
    let world = World::with("names.txt", "acme inc\nzeta ltd\nbeta inc\ngama inc\n")
        .and("others.txt", "zeta\nzeta\nacme ltd\ninc\n");
    let best = |more: &[&str]| {
        let arguments =
            [&["search", "names.txt", "zeta inc", "-m", "tfidf", "--json"], more].concat();
        world.json(&arguments)[0]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(best(&[]), "zeta ltd");
    assert_eq!(best(&["--collection", "none"]), "acme inc");
    assert_ne!(
        number(
            &world.json(&[
                "search",
                "names.txt",
                "zeta inc",
                "-m",
                "tfidf",
                "--json",
                "--collection",
                "others.txt"
            ])[0],
            "score"
        ),
        number(
            &world.json(&["search", "names.txt", "zeta inc", "-m", "tfidf", "--json"])[0],
            "score"
        ),
    );
}

#[test]
fn a_table_may_come_by_standard_input() {
    let world = World::new();
    let mut command = world.command(&["search", "-", "--on", "question", "parsel", "-k", "1"]);
    let output = command.write_stdin(FAQ).output().unwrap();
    says(&String::from_utf8(output.stdout).unwrap(), &["\t3\tWhere is my parcel?"]);
}

#[test]
fn nothing_alike_is_no_line_and_no_failure() {
    let world = World::with("words.txt", "abc\n");
    assert_eq!(world.ok(&["search", "words.txt", "xyz", "-m", "levenshtein"]), "");
    assert_eq!(world.ok(&["search", "words.txt", "", "-m", "levenshtein"]), "");
}

#[test]
fn questions_that_cannot_be_answered_say_what_to_say() {
    let world = World::with("faq.csv", FAQ);
    world.misused(
        &["search", "faq.csv", "x"],
        &["faq.csv: which column?", "key, question", "--on COLUMN"],
    );
    world.misused(
        &["search", "faq.csv", "x", "--on", "qestion"],
        &["no column `qestion`", "did you mean `question`?"],
    );
    world.misused(
        &["search", "faq.csv", "x", "--on", "question", "--id", "kei"],
        &["did you mean `key`?"],
    );
    world.misused(
        &["search", "faq.csv", "x", "-m", "sc", "-m", "tfidf"],
        &["search takes one measure", "0.5*sc + 0.5*tfidf"],
    );
    world.misused(&["search", "faq.csv", "x", "--min", "nan"], &["--min", "not a number"]);
}

/// The README's first command.
#[test]
fn the_example_in_the_readme_finds_its_question() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/faq.csv");
    let query = "how do i reset my pasword";
    let lines = World::new().ok(&["search", example, "--on", "question", "--id", "id", query]);
    assert!(lines.starts_with("0.9469\treset\tHow do I reset my password?\n"), "{lines}");
}
