//! `likewise match`

use super::{World, number, says};

const LEFT: &str = "key,name,city\n\
                    l1,Jon Smith,Berlin\n\
                    l2,Maria Lopez,Lima\n\
                    l3,qqqq,Oslo\n\
                    l4,Jon Smyth,Bonn\n";
const RIGHT: &str = "key,name,town\n\
                     r1,Lopez Maria,Lima\n\
                     r2,John Smith,Berlin\n\
                     r3,Jon Smith,Bern\n";

fn tables() -> World {
    World::with("a.csv", LEFT).and("b.csv", RIGHT)
}

fn pairs(csv: &str) -> Vec<(&str, &str)> {
    let cut = |line| {
        let mut fields = str::split(line, ',');
        (fields.next().unwrap(), fields.next().unwrap())
    };
    csv.lines().skip(1).map(cut).collect()
}

#[test]
fn each_row_finds_its_best_in_the_other_table() {
    let printed = tables().ok(&["match", "a.csv", "b.csv", "--on", "name", "--id", "key"]);
    assert!(printed.starts_with("left_id,right_id,score\n"), "{printed}");
    assert_eq!(pairs(&printed), [("l1", "r3"), ("l2", "r1"), ("l4", "r3")]);
}

#[test]
fn rows_without_an_id_go_by_their_numbers() {
    let printed = tables().ok(&["match", "a.csv", "b.csv", "--on", "name"]);
    assert_eq!(pairs(&printed), [("1", "3"), ("2", "1"), ("4", "3")]);
    let world = tables();
    let base = ["match", "a.csv", "b.csv", "--on", "name"];
    let printed = world.ok(&[&base[..], &["--left-id", "key"]].concat());
    assert_eq!(pairs(&printed)[0], ("l1", "3"));
    let printed = world.ok(&[&base[..], &["--right-id", "key"]].concat());
    assert_eq!(pairs(&printed)[0], ("1", "r3"));
    let printed = world.ok(&[&base[..], &["--id", "key", "--right-id", "town"]].concat());
    assert_eq!(pairs(&printed)[0], ("l1", "Bern"));
}

#[test]
fn k_and_min_say_how_many() {
    let world = tables();
    let base = ["match", "a.csv", "b.csv", "--on", "name", "--id", "key", "-m", "levenshtein"];
    let best = world.ok(&[&base[..], &["-k", "2", "--min", "0.5"]].concat());
    assert_eq!(pairs(&best), [("l1", "r3"), ("l1", "r2"), ("l4", "r3"), ("l4", "r2")]);
    let best = world.ok(&[&base[..], &["--min", "1"]].concat());
    assert_eq!(best, "left_id,right_id,score\nl1,r3,1\n");
}

#[test]
fn one_to_one_uses_each_row_once() {
    let world = tables();
    let base =
        ["match", "a.csv", "b.csv", "--on", "name", "--id", "key", "--min", "0", "--one-to-one"];
    let (printed, said) = world.both(&base);
    assert_eq!(pairs(&printed), [("l1", "r3"), ("l2", "r1"), ("l4", "r2")]);
    says(&said, &["one to one: 3 pairs", "solved exactly: ", "greedily: 0"]);
    // Whoever looks at the best row only may find it taken.
    let (printed, _) = world.both(&[&base[..], &["-k", "1"]].concat());
    assert_eq!(pairs(&printed), [("l1", "r3"), ("l2", "r1")]);
    let (_, said) = world.both(&[&base[..], &["--quiet"]].concat());
    assert_eq!(said, "");
}

#[test]
fn columns_may_be_called_differently() {
    let world = World::with("a.csv", "who,where\nJon Smith,Berlin\n")
        .and("b.csv", "title,place\nMaria,Lima\nJohn Smith,Berlin\n");
    let base = ["match", "a.csv", "b.csv", "--left-on", "who", "--right-on", "title"];
    assert_eq!(pairs(&world.ok(&base)), [("1", "2")]);
    let weighed =
        ["match", "a.csv", "b.csv", "--left-on", "who:1,where:2", "--right-on", "title,place"];
    let found = world.json(&[&weighed[..], &["-m", "jaro", "-m", "equal", "--json"]].concat());
    let score = number(&found[0], "score");
    assert!(score > 0.98 && score < 1.0, "{score}");
    world.usage_error(
        &["match", "a.csv", "b.csv", "--left-on", "who:1,where:2", "--right-on", "title"],
        &["one by one", "as many columns"],
    );
    world.usage_error(
        &["match", "a.csv", "b.csv", "--left-on", "who,where", "--right-on", "title:2,place:1"],
        &["give the weights in --left-on"],
    );
    world.usage_error(&["match", "a.csv", "b.csv", "--left-on", "who"], &["--right-on"]);
    world.usage_error(
        &["match", "a.csv", "b.csv", "--on", "who", "--left-on", "a", "--right-on", "b"],
        &["cannot be used with"],
    );
    world.usage_error(
        &["match", "a.csv", "b.csv"],
        &["which columns are compared? No two of them", "--left-on COLUMN --right-on COLUMN"],
    );
}

#[test]
fn weighted_columns_add_up() {
    let world = World::with("a.csv", "name,city\nann,Rome\n")
        .and("b.csv", "name,city\nanna,Rome\nann,Oslo\n");
    let base = ["match", "a.csv", "b.csv", "-m", "equal", "--json", "--on"];
    let found = world.json(&[&base[..], &["name:0.2,city:0.8"]].concat());
    assert_eq!((found[0]["right_id"].as_u64(), number(&found[0], "score")), (Some(1), 0.8));
    let found = world.json(&[&base[..], &["name:0.6,city:0.4"]].concat());
    assert_eq!((found[0]["right_id"].as_u64(), number(&found[0], "score")), (Some(2), 0.6));
    world.usage_error(&[&base[..], &["name:0,city:1"]].concat(), &["above 0"]);
}

#[test]
fn kept_columns_stand_behind_the_score() {
    let world = tables();
    let base = ["match", "a.csv", "b.csv", "--on", "name", "-m", "equal", "--keep"];
    let keep = |what| world.ok(&[&base[..], &[what]].concat());
    assert_eq!(
        keep("name"),
        "left_id,right_id,score,left_name,right_name\n1,3,1,Jon Smith,Jon Smith\n"
    );
    assert_eq!(
        keep("left.city,right.town,key"),
        "left_id,right_id,score,left_city,left_key,right_town,right_key\n1,3,1,Berlin,l1,Bern,r3\n"
    );
    assert_eq!(keep("town"), "left_id,right_id,score,right_town\n1,3,1,Bern\n");
    world.usage_error(&[&base[..], &["age"]].concat(), &["--keep age", "neither table", "town"]);
    world.usage_error(&[&base[..], &["right.city"]].concat(), &["b.csv has no column `city`"]);
    world.usage_error(&[&base[..], &["name,left.name"]].concat(), &["`left_name` would name two"]);
    world.usage_error(&[&base[..], &["left.id"]].concat(), &["a.csv has no column `id`"]);
}

#[test]
fn the_ending_of_the_output_is_its_format() {
    let world = tables();
    let base = ["match", "a.csv", "b.csv", "--on", "name", "-m", "equal"];
    let to = |name| {
        assert_eq!(world.ok(&[&base[..], &["-o", name]].concat()), "");
        world.read(name)
    };
    let line = "{\"left_id\":1,\"right_id\":3,\"score\":1}\n";
    assert_eq!(to("links.csv"), "left_id,right_id,score\n1,3,1\n");
    assert_eq!(to("links.tsv"), "left_id\tright_id\tscore\n1\t3\t1\n");
    assert_eq!(to("links.jsonl"), line);
    assert_eq!(world.ok(&[&base[..], &["--json"]].concat()), line);
    world.usage_error(&[&base[..], &["--json", "-o", "x.csv"]].concat(), &["cannot be used with"]);
    world.failed(&[&base[..], &["-o", "no/x.csv"]].concat(), &["there is no folder no"]);
}

#[test]
fn one_table_may_come_by_standard_input() {
    let world = tables();
    let left = world.fed(LEFT, &["match", "-", "b.csv", "--on", "name"]);
    let right = world.fed(RIGHT, &["match", "a.csv", "-", "--on", "name"]);
    assert_eq!(left, right);
    world.usage_error(&["match", "-", "-", "--on", "name"], &["only one of the two tables"]);
}

#[test]
fn a_table_matched_with_itself_finds_itself() {
    let (printed, said) = tables().both(&["match", "a.csv", "a.csv", "--on", "name"]);
    assert_eq!(pairs(&printed), [("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")]);
    says(&said, &["same file", "likewise dedupe"]);
}

#[test]
fn tables_without_rows_have_no_pairs() {
    let world =
        World::with("none.csv", "name\n").and("some.csv", "name\nann\n").and("empty.csv", "");
    for more in [&[][..], &["--one-to-one"]] {
        for (a, b) in [("none.csv", "some.csv"), ("some.csv", "none.csv"), ("none.csv", "none.csv")]
        {
            let printed = world.ok(&[&["match", a, b], more].concat());
            assert_eq!(printed, "left_id,right_id,score\n");
        }
    }
    world.failed(&["match", "empty.csv", "some.csv"], &["empty.csv is empty"]);
    world.failed(&["match", "some.csv", "empty.csv"], &["empty.csv is empty"]);
    world.failed(&["match", "some.csv", "gone.csv"], &["cannot read gone.csv"]);
}

#[test]
fn wrong_words_are_told() {
    let world = tables();
    let usage_error = |more: &[&str], words: &[&str]| {
        world.usage_error(&[&["match", "a.csv", "b.csv"], more].concat(), words);
    };
    usage_error(&["--on", "nmae"], &["a.csv has no column `nmae`", "did you mean `name`?"]);
    usage_error(&["--on", "city"], &["b.csv has no column `city`"]);
    usage_error(&["--on", "name", "--id", "kei"], &["did you mean `key`?"]);
    usage_error(&["--on", "name", "--right-id", "city"], &["b.csv has no column `city`"]);
    usage_error(&["--on", "name", "-k", "0"], &["--top", "from 1 on"]);
    usage_error(&["--on", "name", "-k", "x"], &["--top"]);
    usage_error(&["--on", "name", "--min", "nan"], &["--min", "not a number"]);
    usage_error(&["--on", "name", "-m", "sc", "-m", "lcs"], &["one measure is wanted here"]);
    world.usage_error(&["match", "a.csv"], &["RIGHT"]);
}

#[test]
fn links_do_not_depend_on_threads() {
    let rows = |from: usize, to: usize| -> String {
        (from..to).map(|i| format!("street {} house {}\n", i % 71, i % 113)).collect()
    };
    let world = World::with("a.txt", rows(0, 2500)).and("b.txt", rows(2000, 4000));
    for more in [&["-k", "2"][..], &["--one-to-one", "-k", "3"], &["--json"]] {
        let with = |threads| {
            world.ok(&[&["match", "a.txt", "b.txt", "--threads", threads], more].concat())
        };
        assert!(with("1") == with("2"));
    }
}

#[test]
fn a_row_without_its_id_is_told_by_its_line() {
    let world = World::with("a.csv", "id,name\n1,ann\n,bob\n").and("b.csv", "id,name\n1,ann\n");
    let words = ["a.csv line 3: `id` is empty", "without an id rows go by their numbers"];
    world.failed(&["match", "b.csv", "a.csv", "--on", "name", "--id", "id"], &words);
    world.failed(
        &["match", "a.csv", "b.csv", "--on", "name", "--id", "id", "-o", "links.csv"],
        &words,
    );
    assert!(!world.path("links.csv").exists(), "no half table stands there");
    world.failed(&["dedupe", "a.csv", "--on", "name", "--id", "id"], &words);
    world.ok(&["match", "a.csv", "b.csv", "--on", "name", "--right-id", "id"]);
    world.ok(&["search", "a.csv", "--on", "name", "--id", "id", "bob"]);
}

#[test]
fn weights_are_learned_between_two_tables() {
    let rows = |side: usize| {
        let row = |n: usize| {
            let name = format!("Person {} {}", n * 7919, n * 104_729);
            format!("{n},{},Town {}\n", &name[..name.len() - side], n % 7)
        };
        (0..150).map(row).collect::<String>()
    };
    let world = World::with("a.csv", format!("id,name,town\n{}", rows(0)));
    let world = world.and("b.csv", format!("key,title,place\n{}", rows(1)));
    let base = ["match", "a.csv", "b.csv", "--left-on", "name,town", "--right-on", "title,place"];
    let ids = ["--left-id", "id", "--right-id", "key", "--keep", "left.name,right.title"];
    let learn = [&base[..], &ids, &["--weights", "learn", "--report", "page.html"]].concat();
    let (printed, said) = world.both(&learn);
    says(&said, &["by weights learned from 1500 candidates"]);
    assert!(printed.starts_with("left_id,right_id,score,left_name,right_title\n"), "{printed}");
    let right = printed.lines().skip(1).filter(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        cells[0] == cells[1] && cells[2].parse::<f64>().unwrap() >= 0.5
    });
    let right = right.count();
    assert!(right > 140 && right == printed.lines().count() - 1, "{right}");
    assert!(world.read("page.html").contains("Why pairs have their probability"));
    let once = world.ok(&[&learn[..], &["--one-to-one"]].concat());
    assert_eq!(once, printed);
    let learn = ["match", "a.csv", "a.csv", "--on", "name:2,town:1", "--weights", "learn"];
    world.usage_error(&learn, &["name columns without any in --on"]);
}

#[test]
fn columns_that_nobody_names_are_guessed() {
    let world = tables();
    let base = ["match", "a.csv", "b.csv", "--id", "key", "--min", "0.3"];
    let joined = world.ok(&base);
    assert_eq!(joined, world.ok(&[&base[..], &["--on", "name"]].concat()));
    let (_, said) = world.both(&[&base[..], &["--on", "auto"]].concat());
    says(&said, &["note: columns are guessed", "--on name -m 'default'"]);
}

#[test]
fn candidates_by_another_measure_are_approximate_and_said_to_be() {
    let world = tables();
    let base = ["match", "a.csv", "b.csv", "--id", "key", "--on", "name", "-m", "monge-elkan"];
    let all = world.ok(&[&base[..], &["--min", "0.5", "-k", "9"]].concat());
    let with = [&base[..], &["--min", "0.5", "-k", "9", "--candidates-by", "default"]].concat();
    let (found, said) = world.both(&with);
    assert!(found.lines().count() > 2 && found.lines().all(|line| all.contains(line)), "{found}");
    says(&said, &["note: approximate: of each row only its 100 best"]);
    world.usage_error(
        &[&base[..], &["--candidates-by", "monge-elkan"]].concat(),
        &["--candidates-by monge-elkan", "no bounds either"],
    );
}
