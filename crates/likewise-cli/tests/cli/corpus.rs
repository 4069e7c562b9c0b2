//! `likewise corpus`: counts and passages of background text.

use super::{World, says};

const TEXTS: &str = "The king spoke.\n\n   \nThe kings and the queen spoke. Rain fell in Spain.\n";

fn last_line(shown: &str) -> Vec<&str> {
    shown.lines().last().unwrap().split_whitespace().collect()
}

#[test]
fn a_corpus_shows_what_was_counted() {
    let world = World::with("en.txt", TEXTS);
    let (printed, said) = world.both(&["corpus", "build", "en.txt", "-o", "en.lwc"]);
    assert_eq!(printed, "");
    says(&said, &["2 texts, 13 words, 10 of them different"]);
    let shown = world.ok(&["corpus", "show", "en.lwc"]);
    says(&shown, &["analyzer(", "texts  words  distinct"]);
    assert_eq!(last_line(&shown), ["2", "13", "10"]);
    let shown = world.ok(&["corpus", "show", "en.lwc", "the", "zebra"]);
    let lines: Vec<Vec<&str>> =
        shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["the", "2", "3", "2.308e-1"]);
    assert_eq!(lines[2], ["zebra", "0", "0", "7.692e-2"]);
    world.ok(&["corpus", "build", "en.txt", "--analyzer", "analyzer(stem=porter)", "-o", "en.lwc"]);
    says(&world.ok(&["corpus", "show", "en.lwc"]), &["stem=porter"]);
    assert_eq!(last_line(&world.ok(&["corpus", "show", "en.lwc", "king"]))[2], "2");
}

#[test]
fn counts_are_the_same_to_the_byte_however_they_are_made() {
    let lines: Vec<String> = (0..3000).map(|n| format!("word{n} word{} common", n % 97)).collect();
    let world = World::with("all.txt", lines.join("\n"))
        .and("a.txt", lines[..1000].join("\n"))
        .and("b.txt", lines[1000..].join("\r\n"));
    world.ok(&["corpus", "build", "all.txt", "-o", "all.lwc"]);
    world.ok(&[
        "corpus",
        "build",
        "a.txt",
        "b.txt",
        "-o",
        "ab.lwc",
        "--threads",
        "1",
        "--max-memory",
        "16MB",
    ]);
    let piped = &["corpus", "build", "-", "-o", "piped.lwc", "--threads", "3"];
    assert_eq!(world.fed(&lines.join("\n"), piped), "");
    let whole = std::fs::read(world.path("all.lwc")).unwrap();
    assert_eq!(std::fs::read(world.path("ab.lwc")).unwrap(), whole);
    assert_eq!(std::fs::read(world.path("piped.lwc")).unwrap(), whole);
}

/// Texts in which cars and trucks have the same collocates, and poems others.
fn texts_about_cars_and_poems() -> String {
    let lines = (0..12).map(|n| match n % 4 {
        0 => "a car has a motor and wheels",
        1 => "the truck has a motor and wheels",
        2 => "the poem rhymes in verse",
        _ => "one old verse rhymes with a poem",
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn words_that_stand_together_are_counted_and_shown() {
    let world = World::with("en.txt", texts_about_cars_and_poems());
    let build = ["corpus", "build", "en.txt", "-o", "en.lwc"];
    let (printed, said) = world.both(&[&build[..], &["--window", "3", "--floor", "3"]].concat());
    assert_eq!(printed, "");
    says(&said, &["12 texts", "pairs of 15 words"]);
    let shown = world.ok(&["corpus", "show", "en.lwc"]);
    says(&shown, &["texts  words  distinct", "window  floor  words in pairs  pairs"]);
    assert_eq!(last_line(&shown)[..3], ["3", "3", "15"]);
    assert_eq!(last_line(&world.ok(&["corpus", "show", "en.lwc", "car"]))[..3], ["car", "3", "3"]);
    // Fewer take part if more is asked of them.
    world.ok(&[&build[..], &["--window", "3"]].concat());
    let few = world.ok(&["corpus", "show", "en.lwc"]);
    assert_eq!(last_line(&few)[..3], ["3", "5", "9"]);
    // Without a window there are no pairs.
    world.ok(&build);
    assert_eq!(world.ok(&["corpus", "show", "en.lwc"]).lines().count(), 3);
    world.usage_error(&[&build[..], &["--floor", "3"]].concat(), &["--window"]);
    world.usage_error(&[&build[..], &["--window", "0"]].concat(), &["--window"]);
    world
        .usage_error(&[&build[..], &["--window", "3", "--floor", "0"]].concat(), &["whole number"]);
}

#[test]
fn pairs_are_the_same_to_the_byte_however_they_are_counted() {
    let lines: Vec<String> =
        (0..3000).map(|n| format!("w{} w{} x{} common", n % 31, n % 97, n * n % 53)).collect();
    let world = World::with("all.txt", lines.join("\n"));
    let window = ["--window", "4", "--floor", "2"];
    world.ok(&[&["corpus", "build", "all.txt", "-o", "all.lwc"][..], &window].concat());
    let piped =
        ["corpus", "build", "-", "-o", "piped.lwc", "--threads", "3", "--max-memory", "16MB"];
    assert_eq!(world.fed(&lines.join("\n"), &[&piped[..], &window].concat()), "");
    let whole = std::fs::read(world.path("all.lwc")).unwrap();
    assert_eq!(std::fs::read(world.path("piped.lwc")).unwrap(), whole);
}

#[test]
fn words_with_the_same_collocates_are_alike() {
    let world = World::with("en.txt", texts_about_cars_and_poems());
    let build = ["corpus", "build", "en.txt", "-o", "en.lwc"];
    world.ok(&[&build[..], &["--window", "3", "--floor", "1"]].concat());
    let measure = "monge-elkan(terms=soc-pmi(\"en.lwc\"))";
    let score = |a: &str, b: &str| -> f64 {
        let printed = world.ok(&["score", a, b, "-m", measure]);
        printed.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(score("car", "truck") > score("car", "poem"));
    assert_eq!((score("car", "car"), score("zebra", "zebra")), (1.0, 1.0));
    assert_eq!(score("car", "zebra"), 0.0);
    world.ok(&build);
    let pairs = "likewise corpus build --window 5";
    world.usage_error(&["score", "car", "truck", "-m", measure], &["soc-pmi", "en.lwc", pairs]);
}

#[test]
fn a_corpus_without_words_or_of_bad_bytes_is_refused() {
    let world =
        World::with("blank.txt", " \n\n").and("marks.txt", "--\n").and("bad.txt", b"ok\n\xff\n");
    for (command, output) in [("build", "x.lwc"), ("passages", "x.passages")] {
        let run = |file: &str, words: &[&str]| {
            world.failed(&["corpus", command, file, "-o", output], words);
            assert!(!world.path(output).exists());
        };
        run("blank.txt", &["the corpus is empty"]);
        run("marks.txt", &["the corpus is empty"]);
        run("none.txt", &["none.txt", "No such file"]);
        run("bad.txt", &["bad.txt line 2", "--lossy"]);
        world.usage_error(
            &["corpus", command, "bad.txt", "-o", "x", "--analyzer", "analyse"],
            &["analyzer"],
        );
        world.failed(&["corpus", command, "marks.txt", "-o", "no/such/x"], &["no/such/x"]);
        world.ok(&["corpus", command, "bad.txt", "--lossy", "-o", output]);
    }
    world.usage_error(
        &["corpus", "build", "bad.txt", "-o", "x", "--max-memory", "lots"],
        &["300MB"],
    );
    world.usage_error(
        &["corpus", "passages", "bad.txt", "-o", "x", "--words", "0"],
        &["whole number"],
    );
}

#[test]
fn what_is_not_counts_or_passages_is_not_shown_as_such() {
    let world = World::with("en.txt", TEXTS).and("mine/diary.txt", "dear diary");
    let makes = "`likewise corpus build` makes them";
    world.failed(&["corpus", "show", "en.txt"], &["not the counts of a corpus", makes]);
    world.failed(&["corpus", "show", "none.lwc"], &["none.lwc: No such file"]);
    world.ok(&["collection", "build", "en.txt", "-o", "c.lwc"]);
    world.failed(&["corpus", "show", "c.lwc"], &["it is a collection"]);
    world.ok(&["matrix", "build", "en.txt", "-o", "m.lws"]);
    world.failed(&["corpus", "show", "m.lws"], &["it is a matrix", makes]);
    world.failed(&["corpus", "show", "mine"], &["not passages", "likewise corpus passages"]);
    world.failed(&["corpus", "find", "mine", "x"], &["not passages", "likewise corpus passages"]);
    world.failed(&["corpus", "find", "none", "x"], &["none: No such file"]);
    world.failed(&["corpus", "passages", "en.txt", "-o", "mine"], &["left as it is", "diary.txt"]);
    assert_eq!(world.read("mine/diary.txt"), "dear diary");
    world.ok(&["corpus", "build", "en.txt", "-o", "en.lwc"]);
    world.failed(&["corpus", "find", "en.lwc", "x"], &["it is a file"]);
    let mut bytes = std::fs::read(world.path("en.lwc")).unwrap();
    bytes[100] ^= 1;
    let world = world.and("broken.lwc", bytes);
    world.failed(&["corpus", "show", "broken.lwc"], &["damaged", "build the counts again"]);
}

#[test]
fn passages_are_found_by_their_words() {
    let world = World::with("en.txt", TEXTS);
    let (_, said) =
        world.both(&["corpus", "passages", "en.txt", "-o", "en.passages", "--words", "7"]);
    says(&said, &["2 texts, 3 passages, 13 words"]);
    let found = world.ok(&["corpus", "find", "en.passages", "Spain's", "SPAIN", "king"]);
    let lines: Vec<Vec<&str>> = found.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((lines[0][0], lines[0][2]), ("1", "The king spoke."));
    assert_eq!((lines[1][0], lines[1][2]), ("3", "Rain fell in Spain."));
    // By hand: 3 passages of 13 words, one of 3 words has it once.
    let expected =
        (1.0 + 2.5 / 1.5_f64).ln() * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * 3.0 / (13.0 / 3.0)));
    assert_eq!(lines[0][1], format!("{expected:.4}"));
    assert_eq!(world.ok(&["corpus", "find", "en.passages", "the", "-k", "1"]).lines().count(), 1);
    let (none, said) = world.both(&["corpus", "find", "en.passages", "zebra"]);
    assert_eq!(none, "");
    says(&said, &["no passage"]);
    let shown = world.ok(&["corpus", "show", "en.passages"]);
    says(&shown, &["analyzer(", "passages  words  at most"]);
    assert_eq!(last_line(&shown), ["3", "13", "7"]);
    world.usage_error(&["corpus", "show", "en.passages", "king"], &["likewise corpus find"]);
    // Built again, whole texts: the new ones take the old ones' place.
    world.ok(&["corpus", "passages", "en.txt", "en.txt", "-o", "en.passages"]);
    assert_eq!(last_line(&world.ok(&["corpus", "show", "en.passages"])), ["4", "26", "60"]);
}
