//! `likewise collection`, and what other commands make of one

use super::{World, close, number, says};

const TEXTS: &str = "text\nred car\nred house\nred zebra\nblue car\n";

fn tfidf(world: &World, left: &str, right: &str, collection: &str) -> f64 {
    let arguments = ["score", left, right, "-m", "tfidf", "--collection", collection, "--json"];
    number(&world.json(&arguments)[0], "score")
}

#[test]
fn a_collection_makes_rare_words_weigh_more() {
    let world = World::with("texts.csv", TEXTS);
    let (rare, common) = (("red zebra", "blue zebra"), ("red zebra", "red house"));
    assert!(
        tfidf(&world, rare.0, rare.1, "texts.csv") > tfidf(&world, common.0, common.1, "texts.csv")
    );
    close(tfidf(&world, rare.0, rare.1, "none"), 0.5);
    close(tfidf(&world, common.0, common.1, "none"), 0.5);
}

#[test]
fn a_collection_file_counts_as_the_table_it_was_built_from() {
    let world = World::with("texts.csv", TEXTS);
    assert_eq!(
        world.ok(&["collection", "build", "texts.csv", "-m", "tfidf", "-o", "texts.lwc"]),
        ""
    );
    let from_table = tfidf(&world, "red zebra", "blue zebra", "texts.csv");
    assert_eq!(tfidf(&world, "red zebra", "blue zebra", "texts.lwc"), from_table);
    // By hand: idf of red ln 5/3, of zebra and blue ln 5.
    let (red, zebra) = ((5.0_f64 / 3.0).ln(), 5.0_f64.ln());
    close(
        from_table,
        zebra * zebra / ((red * red + zebra * zebra).sqrt() * (2.0 * zebra * zebra).sqrt()),
    );
}

#[test]
fn a_table_of_pairs_may_be_weighed_by_another_table() {
    let world =
        World::with("texts.csv", TEXTS).and("pairs.csv", "left,right\nred zebra,blue zebra\n");
    world.ok(&["collection", "build", "texts.csv", "-m", "tfidf", "-o", "texts.lwc"]);
    let score = |more: &[&str]| {
        let arguments = [&["score", "pairs.csv", "-m", "tfidf", "--json"], more].concat();
        number(&world.json(&arguments)[0], "score")
    };
    close(
        score(&["--collection", "texts.lwc"]),
        tfidf(&world, "red zebra", "blue zebra", "texts.csv"),
    );
    close(score(&["--collection", "none"]), 0.5);
    // Zebra is in both texts of this table, red and blue in one.
    let (zebra, red) = ((3.0_f64 / 2.0).ln(), 3.0_f64.ln());
    close(score(&[]), zebra * zebra / (zebra * zebra + red * red));
}

#[test]
fn a_text_file_is_counted_whatever_columns_are_compared() {
    let world =
        World::with("texts.txt", TEXTS).and("pairs.csv", "n,left,right\n1,red zebra,blue zebra\n");
    let pairs = ["score", "pairs.csv", "--on", "left,right", "-m", "tfidf", "--collection"];
    world.ok(&[&pairs[..], &["texts.txt"]].concat());
    world.ok(&["search", "pairs.csv", "--on", "left", "zebra", "--collection", "texts.txt"]);
    let world = world.and("other.csv", "a,b\nx,y\n");
    world.usage_error(&[&pairs[..], &["other.csv"]].concat(), &["other.csv has no column `left`"]);
}

#[test]
fn a_collection_shows_what_was_counted() {
    let world = World::with("a.txt", "one two\ntwo\n").and("b.csv", "n,name\n1,two three\n");
    world.ok(&["collection", "build", "a.txt", "-o", "a.lwc"]);
    world.ok(&["collection", "build", "b.csv", "--on", "name", "-o", "b.lwc"]);
    let shown = world.ok(&["collection", "show", "a.lwc"]);
    says(&shown, &["analyzer(", "texts  words  distinct"]);
    let counts: Vec<&str> = shown.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(counts, ["2", "3", "2"]);
    says(&shown, &["texts have 1.5 words on average"]);
    says(&world.ok(&["collection", "show", "b.lwc"]), &["\n  1"]);
}

#[test]
fn several_files_are_counted_together_and_standard_input_too() {
    let world = World::with("a.txt", "one\n").and("b.txt", "one\nthree\n");
    world.ok(&["collection", "build", "a.txt", "b.txt", "-o", "ab.lwc"]);
    let mut piped =
        world.command(&["collection", "build", "-", "--format", "lines", "-o", "piped.lwc"]);
    piped.write_stdin("one\none\nthree\n").assert().success();
    assert_eq!(
        std::fs::read(world.path("ab.lwc")).unwrap(),
        std::fs::read(world.path("piped.lwc")).unwrap()
    );
}

#[test]
fn a_collection_counted_otherwise_is_refused_with_the_way_out() {
    let world = World::with("texts.csv", TEXTS);
    world.ok(&[
        "collection",
        "build",
        "texts.csv",
        "-m",
        "tfidf(analyzer=analyzer(stem=porter))",
        "-o",
        "stems.lwc",
    ]);
    world.usage_error(
        &["score", "a", "b", "-m", "tfidf", "--collection", "stems.lwc"],
        &["no counts for `tfidf", "build it again for this measure"],
    );
    world.ok(&[
        "score",
        "a",
        "b",
        "-m",
        "tfidf",
        "--analyzer",
        "analyzer(stem=porter)",
        "--collection",
        "stems.lwc",
    ]);
}

#[test]
fn a_damaged_collection_is_refused() {
    let world = World::with("texts.csv", TEXTS);
    world.ok(&["collection", "build", "texts.csv", "-m", "tfidf", "-o", "whole.lwc"]);
    let bytes = std::fs::read(world.path("whole.lwc")).unwrap();
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    let world = world.and("cut.lwc", &bytes[..bytes.len() - 7]).and("flipped.lwc", flipped);
    for name in ["cut.lwc", "flipped.lwc"] {
        let words = [name, "damaged", "build it again"];
        world.failed(&["collection", "show", name], &words);
        world.failed(&["score", "a", "b", "-m", "tfidf", "--collection", name], &words);
    }
}

#[test]
fn what_is_no_collection_is_not_shown_as_one() {
    let world = World::with("texts.csv", TEXTS);
    world.failed(
        &["collection", "show", "texts.csv"],
        &["not a collection file", "likewise collection build"],
    );
    world.failed(&["collection", "show", "none.lwc"], &["none.lwc: No such file"]);
    world.failed(&["collection", "build", "texts.csv", "-o", "no/such/x.lwc"], &["no/such/x.lwc"]);
    world
        .failed(&["collection", "build", "none.csv", "-o", "x.lwc"], &["none.csv", "No such file"]);
    world.failed(&["score", "a", "b", "--collection", "none.csv"], &["none.csv", "No such file"]);
}
