//! `likewise dedupe`

use super::{World, number, says};
use serde_json::json;

const PEOPLE: &str = "key,name,city,person\n\
                      p1,Sergio Jimenez,Lima,a\n\
                      p2,Jon Smith,Berlin,b\n\
                      p3,Maria Lopez,Quito,\n\
                      p4,Sergio Jimenes,Lima,a\n\
                      p5,John Smith,Berlin,b\n\
                      p6,Jon Smith,Rome,c\n";

fn people() -> World {
    World::with("people.csv", PEOPLE)
}

const BASE: [&str; 6] = ["dedupe", "people.csv", "--on", "name", "--id", "key"];

#[test]
fn rows_that_are_alike_stand_in_one_cluster() {
    let printed = people().ok(&[&BASE[..], &["--min", "0.6"]].concat());
    assert_eq!(
        printed,
        "id,cluster,representative\n\
         p1,1,p1\np2,2,p2\np3,3,p3\np4,1,p1\np5,2,p2\np6,2,p2\n"
    );
}

#[test]
fn rows_without_an_id_go_by_their_numbers() {
    let found = people().json(&["dedupe", "people.csv", "--on", "name", "--min", "0.6", "--json"]);
    assert_eq!(found[3], json!({"id": 4, "cluster": 1, "representative": 1}));
}

#[test]
fn what_stands_alone_may_be_left_out() {
    let world = people();
    let with = |more: &[&str]| world.ok(&[&BASE[..], &["--min", "0.6"], more].concat());
    assert!(!with(&["--only-duplicates"]).contains("p3"));
    assert_eq!(with(&["--only-duplicates"]).lines().count(), 6);
    assert_eq!(
        with(&["--representatives", "--keep", "name,city"]),
        "id,cluster,representative,name,city\n\
         p1,1,p1,Sergio Jimenez,Lima\np2,2,p2,Jon Smith,Berlin\np3,3,p3,Maria Lopez,Quito\n"
    );
    assert_eq!(
        with(&["--representatives", "--only-duplicates"]),
        "id,cluster,representative\np1,1,p1\np2,2,p2\n"
    );
}

#[test]
fn pairs_come_once_and_equal_texts_are_pairs() {
    let world = people();
    let pairs = |more: &[&str]| -> Vec<(String, String)> {
        let found =
            world.json(&[&BASE[..], &["--pairs", "--json", "-m", "levenshtein"], more].concat());
        let id = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        found.iter().map(|f| (id(&f["left_id"]), id(&f["right_id"]))).collect()
    };
    let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    };
    assert_eq!(pairs(&["--min", "1"]), owned(&[("p2", "p6")]));
    assert_eq!(
        pairs(&["--min", "0.9"]),
        owned(&[("p1", "p4"), ("p2", "p5"), ("p2", "p6"), ("p5", "p6")])
    );
    assert_eq!(
        pairs(&["--min", "0.9", "-k", "1"]),
        owned(&[("p1", "p4"), ("p2", "p5"), ("p2", "p6")])
    );
    // Without a threshold every row has its nearest.
    let nearest = pairs(&["-k", "1"]);
    assert!(nearest.iter().any(|(a, b)| a == "p3" || b == "p3"), "{nearest:?}");
    world
        .usage_error(&[&BASE[..], &["--pairs", "--only-duplicates"]].concat(), &["cannot be used"]);
    let kept = world.ok(&[&BASE[..], &["--pairs", "--min", "1", "--keep", "city"]].concat());
    assert_eq!(kept.lines().next(), Some("left_id,right_id,score,left_city,right_city"));
    says(&kept, &["p2,p6,", ",Berlin,Rome\n"]);
}

#[test]
fn a_chain_is_one_cluster_only_by_components() {
    let world = World::with("words.txt", "abcdefgh\nabcdefxx\nabcdyyxx\nabzzyyxx\n");
    let clusters = |method: &[&str]| -> Vec<i64> {
        let base = ["dedupe", "words.txt", "-m", "levenshtein", "--min", "0.7", "--json"];
        let found = world.json(&[&base[..], method].concat());
        found.iter().map(|f| f["cluster"].as_i64().unwrap()).collect()
    };
    assert_eq!(clusters(&[]), [1, 1, 1, 1]);
    assert_eq!(clusters(&["--method", "components"]), [1, 1, 1, 1]);
    assert_eq!(clusters(&["--method", "average"]), [1, 1, 2, 2]);
    world.usage_error(
        &["dedupe", "words.txt", "--method", "avrage"],
        &["--method", "use `cohesive`, `components` or `average`"],
    );
}

#[test]
fn without_a_threshold_one_is_proposed_and_explained() {
    let mut table = "name\n".to_owned();
    let words = ["kilo", "lima", "mike", "oscar", "papa", "quebec", "romeo", "sierra"];
    for i in 0..64 {
        table += &format!("{} {} {}\n", words[i % 8], words[i / 8], 1000 + 37 * i);
    }
    for i in 0..20 {
        table += &format!("{} {} {}\n", words[i % 8], words[i / 8], 1000 + 37 * i);
    }
    let world = World::with("names.csv", table);
    let (printed, said) = world.both(&["dedupe", "names.csv"]);
    says(&said, &["note: --min 0.", "proposed."]);
    assert_eq!(printed.lines().count(), 85);
    assert!(printed.contains("\n65,1,1\n"), "{printed}");
    let (_, said) = world.both(&["dedupe", "names.csv", "-m", "levenshtein"]);
    says(&said, &["proposed."]);
    let (_, said) = world.both(&["dedupe", "names.csv", "--quiet"]);
    assert_eq!(said, "");
    let (_, said) = world.both(&["dedupe", "names.csv", "--pairs"]);
    says(&said, &["proposed."]);
}

#[test]
fn labels_teach_the_threshold() {
    let world = people();
    let (printed, said) =
        world.both(&[&BASE[..], &["--labels", "person", "--keep", "city"]].concat());
    says(&said, &["learned from `person`", "F1"]);
    assert!(printed.starts_with("id,cluster,representative,city\np1,1,"), "labels are not kept");
    let (_, said) = world.both(&[&BASE[..], &["--labels", "person", "-k", "1"]].concat());
    says(&said, &["its 1 nearest"]);
    world.failed(
        &[&BASE[..], &["--labels", "key"]].concat(),
        &["cannot be learned from `key`", "give --min"],
    );
    world.usage_error(&[&BASE[..], &["--labels", "persn"]].concat(), &["did you mean `person`?"]);
    world.usage_error(
        &[&BASE[..], &["--labels", "person", "--min", "0.5"]].concat(),
        &["cannot be used with"],
    );
}

#[test]
fn columns_of_values_are_compared_by_what_they_mean() {
    let world = World::with(
        "p.csv",
        "name,born,phone\nAnna Schmidt,1980-03-04,+49 30 1234567\nAna Schmidt,04.03.1980,030/1234567\nBob Novak,1975-01-31,\n",
    );
    let base = ["dedupe", "p.csv", "--on", "name:0.5,born:0.3,phone:0.2", "-m", "default"];
    let found = world.json(
        &[&base[..], &["-m", "date", "-m", "digits", "--min", "0.6", "--pairs", "--json"]].concat(),
    );
    assert_eq!(found.len(), 1);
    assert!(number(&found[0], "score") > 0.85);
}

#[test]
fn columns_that_nobody_names_are_guessed() {
    let world = people();
    let base = ["dedupe", "people.csv", "--id", "key", "--labels", "person", "--pairs"];
    let (found, said) = world.both(&base);
    says(&said, &["no column was named", "--on name,city"]);
    assert_eq!(found, world.ok(&[&base[..], &["--on", "name,city"]].concat()));
    // By standard input too.
    let csv = "name,born\nAnna Schmidt,1980-03-04\nAna Schmidt,04.03.1980\nBob Novak,1975-01-31\n";
    let found = world.fed(csv, &["dedupe", "csv:-", "--on", "auto", "--min", "0.5", "--pairs"]);
    assert!(found.contains("\n1,2,"), "{found}");
    let (_, said) = world.and("p.csv", csv).both(&["dedupe", "p.csv", "--on", "auto"]);
    says(&said, &["--on name:1,born:1 -m 'default' -m 'date'"]);
}

#[test]
fn columns_are_joined_or_weighed() {
    let world = people();
    let base = ["dedupe", "people.csv", "--id", "key", "-m", "equal", "--pairs", "--json"];
    let count = |on, min| world.json(&[&base[..], &["--on", on, "--min", min]].concat()).len();
    assert_eq!(count("name,city", "1"), 0);
    assert_eq!(count("city", "1"), 2);
    assert_eq!(count("name:1,city:3", "0.75"), 2);
    assert_eq!(count("name:1,city:3", "0.25"), 3);
    let each = ["dedupe", "people.csv", "--on", "name:1,city:1", "-m", "jaro", "-m", "equal"];
    let found = world.json(&[&each[..], &["--min", "0.75", "--pairs", "--json"]].concat());
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|f| number(f, "score") >= 0.75));
    world.usage_error(&["dedupe", "people.csv", "--on", "name:x"], &["is no weight"]);
    world.usage_error(&["dedupe", "people.csv", "--on", "name:1,city"], &["every column a weight"]);
    world.usage_error(
        &["dedupe", "people.csv", "--on", "name", "-m", "sc", "-m", "lcs"],
        &["one measure is wanted here"],
    );
}

#[test]
fn the_result_goes_to_a_file_by_its_ending() {
    let world = people();
    let base = [&BASE[..], &["--min", "0.6", "-o"]].concat();
    world.ok(&[&base[..], &["clusters.tsv"]].concat());
    assert!(world.read("clusters.tsv").starts_with("id\tcluster\trepresentative\np1\t1\tp1\n"));
    world.ok(&[&base[..], &["clusters.parquet"]].concat());
    assert!(world.path("clusters.parquet").exists());
    world.usage_error(&[&base[..], &["clusters.txt"]].concat(), &["plain lines"]);
    world.usage_error(&[&base[..], &["a.csv", "--json"]].concat(), &["cannot be used with"]);
    world.usage_error(
        &[&BASE[..], &["--min", "1", "--keep", "name,name"]].concat(),
        &["`name` would name two columns"],
    );
}

#[test]
fn a_table_may_come_by_standard_input() {
    let world = people();
    let fed = world.fed(PEOPLE, &["dedupe", "-", "--on", "name", "--id", "key", "--min", "0.6"]);
    assert_eq!(fed, world.ok(&[&BASE[..], &["--min", "0.6"]].concat()));
}

#[test]
fn tables_without_rows_have_no_clusters() {
    let world =
        World::with("none.csv", "name,who\n").and("empty.csv", "").and("one.csv", "name\nann\n");
    assert_eq!(world.ok(&["dedupe", "none.csv", "--on", "name"]), "id,cluster,representative\n");
    assert_eq!(
        world.ok(&["dedupe", "none.csv", "--on", "name", "--pairs", "-k", "2"]),
        "left_id,right_id,score\n"
    );
    world.failed(&["dedupe", "none.csv", "--on", "name", "--labels", "who"], &["give --min"]);
    world.failed(&["dedupe", "empty.csv"], &["empty.csv is empty"]);
    world.failed(&["dedupe", "gone.csv"], &["cannot read gone.csv"]);
    assert_eq!(world.ok(&["dedupe", "one.csv"]), "id,cluster,representative\n1,1,1\n");
}

#[test]
fn wrong_words_are_told() {
    let world = people();
    let usage_error = |more: &[&str], words: &[&str]| {
        world.usage_error(&[&["dedupe", "people.csv"], more].concat(), words);
    };
    let ids = World::with("ids.csv", "id,key\n1,7\n2,8\n");
    ids.usage_error(&["dedupe", "ids.csv"], &["which columns are compared?", "--on COLUMN"]);
    usage_error(&["--on", "nmae"], &["did you mean `name`?"]);
    usage_error(&["--on", "name", "--id", "kei"], &["did you mean `key`?"]);
    usage_error(&["--on", "name", "--keep", "town"], &["people.csv has no column `town`"]);
    usage_error(&["--on", "name", "--min", "much"], &["--min", "not a number"]);
    usage_error(&["--on", "name", "-k", "0"], &["--top", "from 1 on"]);
}

#[test]
fn clusters_do_not_depend_on_threads() {
    let rows: String =
        (0..1500).map(|i| format!("street {} house {}\n", i % 71, i % 13 * 7)).collect();
    let world = World::with("streets.txt", rows);
    for more in [
        &["--min", "0.95"][..],
        &["-k", "2", "--pairs"],
        &["--min", "0.9", "--method", "average", "-k", "4"],
    ] {
        let with =
            |threads| world.ok(&[&["dedupe", "streets.txt", "--threads", threads], more].concat());
        assert!(with("1") == with("2"));
    }
}

#[test]
fn a_limit_on_memory_puts_rows_on_disk_and_changes_no_answer() {
    let world = people();
    let with =
        |more: &[&str]| world.ok(&[&BASE[..], &["--min", "0.6", "--keep", "*"], more].concat());
    assert_eq!(with(&["--max-memory", "64MB"]), with(&[]));
    assert_eq!(with(&["--max-memory", "64MB", "--pairs"]), with(&["--pairs"]));
    let typed = ["dedupe", "people.csv", "--on", "name", "--min", "0.6", "--json"];
    let limited = [&typed[..], &["--max-memory", "1GB"]].concat();
    assert_eq!(world.ok(&limited), world.ok(&typed));
    let refused = |limit: &[&str], why: &str| {
        world.usage_error(&[&BASE[..], &["--min", "0.6", "--max-memory"], limit].concat(), &[why]);
    };
    refused(&["1"], "64MB is the least");
    refused(&["64MB", "--collection", "people.csv"], "leave out --max-memory or --collection");
    world.ok(&["index", "build", "people.csv", "--on", "name", "-o", "people.lw"]);
    world.usage_error(
        &["dedupe", "people.lw", "--max-memory", "64MB"],
        &["an index is built already: leave out --max-memory"],
    );
}

/// Enough people to learn from: every second one is there twice, once with a slip.
fn many_people() -> String {
    let rows = (0..150).flat_map(|n| {
        let (name, town) = (format!("Person {} {}", n * 7919, n * 104_729), n % 7);
        let row = |key: String, name: &str| format!("{key},{name},Town {town},{}\n", n * 31 % 97);
        let twin = (n % 2 == 0).then(|| row(format!("t{n}"), &name[..name.len() - 1]));
        [Some(row(format!("p{n}"), &name)), twin].into_iter().flatten().collect::<Vec<_>>()
    });
    std::iter::once("key,name,town,street\n".to_owned()).chain(rows).collect()
}

#[test]
fn weights_are_learned_and_a_page_says_which() {
    let world = World::with("people.csv", many_people());
    let base = ["dedupe", "people.csv", "--on", "name,town,street", "--id", "key"];
    let learn = [&base[..], &["--weights", "learn"]].concat();
    let (printed, said) = world.both(&[&learn[..], &["--pairs", "--report", "page.html"]].concat());
    says(&said, &["probability 0.5, by weights learned from", "bits that a column adds"]);
    assert!(printed.contains("\np0,t0,0.9"), "{printed}");
    assert!(world.read("page.html").contains("What each column counts"));
    let clusters = world.ok(&[&learn[..], &["--keep", "town"]].concat());
    assert!(clusters.starts_with("id,cluster,representative,town\np0,1,"), "{clusters}");
    let unique = world.ok(&[&learn[..], &["--unique"]].concat());
    assert!(unique.starts_with("key,name,town,street\n"), "{unique}");
    assert!(unique.lines().count() < 1 + 225 - 60, "{unique}");

    world.usage_error(&[&base[..], &["--weights", "guess"]].concat(), &["can be learned (learn)"]);
    world.usage_error(&[&base[..], &["--report", "page.html"]].concat(), &["--weights"]);
    world.usage_error(&[&learn[..], &["--labels", "key"]].concat(), &["--labels"]);
    world.usage_error(&[&learn[..], &["--min", "80"]].concat(), &["did you mean 0.8?"]);
    world.usage_error(&[&learn[..], &["--report", "people.csv"]].concat(), &["it is an input"]);
    world.ok(&["index", "build", "people.csv", "--on", "name", "-o", "people.lwi"]);
    let index = ["dedupe", "people.lwi", "--weights", "learn"];
    world.usage_error(&index, &["give tables, not an index"]);
}
