//! Translation tables, trained on pairs of texts.

use super::{World, says};

const TOY: &str = "de,en,kind\ndas Haus,The house,seen\ndas Buch,the book,seen\nein Buch,a book,seen\n\
                   \"…\",nothing,seen\nrot,red,unseen\n";
const PAIRS: &str =
    "label,sentence1,sentence2\n1,a car,an auto\n1,the car,the auto\n0,a bus,the cat\n";

fn toy() -> World {
    World::with("toy.csv", TOY).and("pairs.csv", PAIRS)
}

fn rows(world: &World, name: &str) -> Vec<(String, String, f64)> {
    let table = world.read(name);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("source,target,probability"));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[0].to_owned(), fields[1].to_owned(), fields[2].parse().unwrap())
    };
    lines.map(row).collect()
}

#[test]
fn a_table_is_trained_and_written_the_most_probable_first() {
    let world = toy();
    let arguments = ["corpus", "translate", "toy.csv", "--on", "de,en", "-o", "t.csv"];
    let (printed, said) = world.both(&[&arguments[..], &["--iterations", "20"]].concat());
    assert_eq!(printed, "");
    says(&said, &["step 0: log-likelihood -", "step 20: log-likelihood -"]);
    says(&said, &["4 pairs, 1 skipped", "10 words", "5 sources with"]);
    let rows = rows(&world, "t.csv");
    for (source, target) in [("buch", "book"), ("das", "the"), ("ein", "a"), ("haus", "house")] {
        assert_eq!(rows.iter().find(|row| row.0 == source).unwrap().1, target);
    }
    for pair in rows.windows(2) {
        assert!(pair[0].0 < pair[1].0 || (pair[0].0 == pair[1].0 && pair[0].2 >= pair[1].2));
    }
    assert!(rows.iter().any(|row| row.0 == "rot"));
}

#[test]
fn rows_are_chosen_by_a_column() {
    let world = toy();
    let arguments =
        ["corpus", "translate", "toy.csv", "--on", "de,en", "--where", "kind=seen", "-o", "t.csv"];
    says(&world.both(&arguments).1, &["3 pairs, 1 skipped"]);
    assert!(rows(&world, "t.csv").iter().all(|row| row.0 != "rot"));
}

#[test]
fn columns_have_usual_names_and_directions_can_be_both() {
    let world = toy();
    let one_way = ["corpus", "translate", "pairs.csv", "-o", "t.csv", "--where", "label=1"];
    says(&world.both(&one_way).1, &["2 pairs, 0 skipped"]);
    let sources = |rows: &[(String, String, f64)]| {
        let mut sources: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
        sources.dedup();
        sources
    };
    assert_eq!(sources(&rows(&world, "t.csv")), ["a", "car", "the"]);
    says(&world.both(&[&one_way[..], &["--both"]].concat()).1, &["2 pairs both ways"]);
    assert_eq!(sources(&rows(&world, "t.csv")), ["a", "an", "auto", "car", "the"]);
}

#[test]
fn threads_change_nothing_and_quiet_says_nothing() {
    let world = toy();
    let train = |threads: &str, output: &str| {
        let arguments = [
            "corpus",
            "translate",
            "pairs.csv",
            "--both",
            "-q",
            "--threads",
            threads,
            "-o",
            output,
        ];
        assert_eq!(world.both(&arguments), (String::new(), String::new()));
        world.read(output)
    };
    assert_eq!(train("1", "one.csv"), train("4", "four.csv"));
}

#[test]
fn settings_reach_the_training() {
    let world = toy();
    let train = |more: &[&str]| {
        let arguments = ["corpus", "translate", "toy.csv", "--on", "de,en", "-o", "t.csv"];
        let said = world.both(&[&arguments[..], more].concat()).1;
        (said, rows(&world, "t.csv"))
    };
    let (said, _) = train(&["--tolerance", "0.9"]);
    assert!(said.contains("step 1:") && !said.contains("step 2:"), "{said}");
    let (_, usual) = train(&[]);
    let (_, floored) = train(&["--floor", "0.5"]);
    assert!(floored.len() < usual.len() && floored.iter().all(|row| row.2 >= 0.5));
    assert!(train(&["--no-null"]).1 != usual);
    let (_, stopped) = train(&["--analyzer", "analyzer(case=keep)"]);
    assert!(stopped.iter().any(|row| row.0 == "Buch"));
}

#[test]
fn a_table_goes_to_standard_output_and_pairs_come_from_standard_input() {
    let arguments = ["corpus", "translate", "-", "--on", "de,en", "-o", "-", "-q"];
    let printed = toy().fed(TOY, &arguments);
    assert!(printed.starts_with("source,target,probability\nbuch,book,0."), "{printed}");
}

#[test]
fn usage_errors_are_told_before_anything_is_written() {
    let world = toy();
    let base = ["corpus", "translate", "toy.csv", "-o", "t.csv"];
    let with = |more: &[&'static str]| [&base[..], more].concat();
    world.usage_error(&with(&[]), &["which columns are the two texts? It has de, en, kind"]);
    world.usage_error(&with(&["--on", "de"]), &["--on SOURCE,TARGET"]);
    world.usage_error(&with(&["--on", "de,fr"]), &["no column `fr`"]);
    let with = |more: &[&'static str]| [&base[..], &["--on", "de,en"], more].concat();
    world.usage_error(&with(&["--where", "kind"]), &["--where label=1"]);
    world.usage_error(&with(&["--where", "kin=seen"]), &["did you mean `kind`?"]);
    world.usage_error(&with(&["--iterations", "0"]), &["--iterations"]);
    world.usage_error(&with(&["--tolerance", "-1"]), &["the tolerance must be a number from 0 on"]);
    world
        .usage_error(&with(&["--tolerance", "nan"]), &["the tolerance must be a number from 0 on"]);
    world.usage_error(&with(&["--floor", "2"]), &["the floor must be from 0 to 1"]);
    world.usage_error(&with(&["--analyzer", "analyzer(stem=potter)"]), &["did you mean `porter`?"]);
    world.usage_error(&["corpus", "translate", "toy.csv"], &["--output"]);
    let lines = ["corpus", "translate", "toy.csv", "--on", "de,en", "-o", "t.txt"];
    world.usage_error(&lines, &["t.txt"]);
    assert!(!world.path("t.csv").exists());
}

#[test]
fn what_cannot_be_trained_on_is_told() {
    let world = toy()
        .and("none.csv", "left,right\n")
        .and("blank.csv", "left,right\n…,a\nb,\n")
        .and("empty.csv", "")
        .and("ragged.csv", "left,right\na,b\nc\n");
    let failed = |pairs: &str, words: &[&str]| {
        world.failed(&["corpus", "translate", pairs, "-o", "t.csv"], words);
    };
    failed("none.csv", &["there are no pairs to train on"]);
    failed("blank.csv", &["each of the 2 pairs has a side without words"]);
    failed("empty.csv", &["empty.csv is empty"]);
    failed("ragged.csv", &["ragged.csv line 3"]);
    failed("missing.csv", &["missing.csv"]);
    let none = ["corpus", "translate", "pairs.csv", "--where", "label=7", "-o", "t.csv"];
    world.failed(&none, &["there are no pairs to train on"]);
    let nowhere = ["corpus", "translate", "pairs.csv", "-o", "none/t.csv"];
    world.failed(&nowhere, &["there is no folder none"]);
    let floor = ["corpus", "translate", "pairs.csv", "--floor", "1", "-q", "-o", "t.csv"];
    world.failed(&floor, &["choose a lower floor"]);
    assert!(!world.path("t.csv").exists());
}
