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
    assert_eq!(found[0], json!({"rank": 1, "id": 1, "score": 1.0, "text": "kitten"}));
    assert_eq!(
        found[1],
        json!({"rank": 2, "id": 2, "score": 0.571_428_571_428_571_4, "text": "sitting"})
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
    let ids: Vec<_> = found.iter().map(|f| f["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [4, 1, 3, 5]);
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
    world.usage_error(
        &["search", "faq.csv", "x"],
        &["faq.csv: which column?", "key, question", "--on COLUMN"],
    );
    world.usage_error(
        &["search", "faq.csv", "x", "--on", "qestion"],
        &["no column `qestion`", "did you mean `question`?"],
    );
    world.usage_error(
        &["search", "faq.csv", "x", "--on", "question", "--id", "kei"],
        &["did you mean `key`?"],
    );
    world.usage_error(
        &["search", "faq.csv", "--on", "question", "x", "-m", "sc", "-m", "tfidf"],
        &["one measure is wanted here", "0.5*sc + 0.5*tfidf"],
    );
    world.usage_error(&["search", "faq.csv", "x", "--min", "nan"], &["--min", "not a number"]);
}

/// The README's first command.
#[test]
fn the_example_in_the_readme_finds_its_question() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/faq.csv");
    let query = "how do i reset my pasword";
    let lines = World::new().ok(&["search", example, "--on", "question", "--id", "id", query]);
    assert!(lines.starts_with("0.9379\treset\tHow do I reset my password?\n"), "{lines}");
}

const PEOPLE: &str = "key,name,city\n\
                      a,Jon Smith,Berlin\n\
                      b,John Smith,Munich\n\
                      c,Maria Lopez,Lima\n\
                      d,Jon Smit,Lima\n";

#[test]
fn each_column_with_a_weight_is_scored_by_itself() {
    let world = World::with("people.csv", PEOPLE);
    let ids = |on, query: &[&str]| -> Vec<String> {
        let arguments = [&["search", "people.csv", "--id", "key", "--on", on, "--json"], query];
        let found = world.json(&arguments.concat());
        found.iter().map(|f| f["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("name:0.9,city:0.1", &["Jon Smith", "Lima"])[..2], ["a", "d"]);
    assert_eq!(ids("name:0.1,city:0.9", &["Jon Smith", "Lima"])[..2], ["d", "c"]);
    let found = world.json(&[
        "search",
        "people.csv",
        "--on",
        "name:0.5,city:2",
        "-m",
        "jaro-winkler",
        "-m",
        "equal",
        "John Smith",
        "Munich",
        "--json",
        "-k",
        "1",
    ]);
    assert_eq!(found[0], json!({"rank": 1, "id": 2, "score": 1.0, "text": "John Smith Munich"}));
}

#[test]
fn a_weighted_sum_of_columns_is_the_sum_of_their_scores() {
    let world = World::with("people.csv", PEOPLE);
    let score = |on, query: &[&str]| {
        let base = ["search", "people.csv", "--on", on, "--json", "-k", "9"];
        let found = world.json(&[&base, query].concat());
        found.iter().find(|f| f["id"] == "2").map_or(0.0, |f| number(f, "score"))
    };
    let name = score("name", &["Jon Smith"]);
    let city = score("city", &["Munch"]);
    super::close(score("name:0.7,city:0.3", &["Jon Smith", "Munch"]), 0.7 * name + 0.3 * city);
}

#[test]
fn weighted_columns_are_explained_one_by_one() {
    let world = World::with("people.csv", PEOPLE);
    let base = ["search", "people.csv", "--on", "name:0.7,city:0.3", "jon", "lima", "--explain"];
    says(&world.ok(&base), &["0.7 × name", "0.3 × city"]);
    let found = world.json(&[&base[..], &["--json"]].concat());
    assert_eq!(keys(&found[0]["explanation"]), ["name", "city"]);
}

#[test]
fn weights_that_make_no_sense_are_refused() {
    let world = World::with("people.csv", PEOPLE);
    let usage_error = |on, query: &[&str], words: &[&str]| {
        world.usage_error(&[&["search", "people.csv", "--on", on], query].concat(), words);
    };
    usage_error("name:x", &["a"], &["--on name:x", "no column", "`x` is no weight", "name:0.7"]);
    usage_error("name:0", &["a"], &["a weight is a number above 0"]);
    usage_error("name:-1", &["a"], &["a weight is a number above 0"]);
    usage_error("name:1,city", &["a", "b"], &["give every column a weight", "or none"]);
    usage_error("name:1,city:1", &["a"], &["2 columns have weights", "'some name' 'some city'"]);
    usage_error("name:1,city:1", &["a", "b", "c"], &["2 columns have weights"]);
    usage_error("name,city", &["a", "b"], &["one query is wanted", "2 texts"]);
    usage_error("nmae:1", &["a"], &["did you mean `name`?"]);
    usage_error(
        "name:1,city:1",
        &["a", "b", "-m", "sc", "-m", "lcs", "-m", "jaro"],
        &["3 measures for 2 columns"],
    );
}

#[test]
fn a_column_may_have_a_colon_in_its_name() {
    let world = World::with("books.csv", "dc:title,year\nMoby Dick,1851\nEmma,1815\n");
    let found = world.json(&["search", "books.csv", "--on", "dc:title", "moby", "--json"]);
    assert_eq!(found[0]["text"], "Moby Dick");
    let weighed = ["search", "books.csv", "--on", "dc:title:2", "-m", "equal", "Emma", "--json"];
    assert_eq!(number(&world.json(&weighed)[0], "score"), 1.0);
}

#[test]
fn ties_with_the_last_result_are_results_too() {
    let world = World::with("words.txt", "abx\nzzz\naby\nabc\nabz\n");
    for more in [&[][..], &["--collection", "none"]] {
        let count = |ties: &[&str]| {
            let base = ["search", "words.txt", "abc", "-m", "levenshtein", "-k", "2"];
            world.ok(&[&base, ties, more].concat()).lines().count()
        };
        assert_eq!(count(&[]), 2);
        assert_eq!(count(&["--ties"]), 4);
    }
}

#[test]
fn what_a_deadline_leaves_open_is_marked() {
    let table: String =
        (0..3000).map(|i| format!("street {} house {}\n", i % 71, i % 113)).collect();
    let world = World::with("streets.txt", table).and("asked.txt", "stret 17 hous 5\nhouse 9\n");
    let base = ["search", "streets.txt", "stret 17 hous 5", "-k", "20", "--json"];
    let (printed, said) = world.both(&[&base[..], &["--within", "0ms"]].concat());
    assert!(!printed.contains("\"rank\":1,") || printed.contains("\"proven\":false"), "{printed}");
    says(&said, &["note: the time was up", "not proven"]);
    let many = ["search", "streets.txt", "--queries", "asked.txt", "--within", "0ms"];
    says(&world.both(&many).1, &["the time was up for 2 of 2 queries"]);
    let (printed, said) = world.both(&[&base[..], &["--within", "600s"]].concat());
    assert!(!printed.contains("proven"));
    assert_eq!(said, "");
    assert_eq!(printed, world.ok(&base));
    for time in ["5", "ms", "-1s", "soon"] {
        world.usage_error(
            &["search", "streets.txt", "x", &format!("--within={time}")],
            &["--within", "50ms or 2s"],
        );
    }
}

#[test]
fn stats_say_how_much_work_it_was() {
    let world = World::with("faq.csv", FAQ).and("asked.txt", "pasword\nparsel\n");
    let base = ["search", "faq.csv", "--on", "question", "--stats"];
    let (_, said) = world.both(&[&base[..], &["pasword"]].concat());
    says(
        &said,
        &["stats: plan ", " 4 texts:", "touched", "bounded", "scored", "skipped by proof", " ms"],
    );
    let (printed, said) = world.both(&[&base[..], &["pasword", "--json", "--quiet"]].concat());
    assert!(!printed.contains("stats"));
    let stats: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(
        keys(&stats["stats"]),
        ["plan", "texts", "touched", "bounded", "scored", "skipped", "first_ms", "last_ms"]
    );
    assert_eq!(stats["stats"]["texts"], 4);
    let (_, said) = world.both(&[&base[..], &["--queries", "asked.txt"]].concat());
    says(&said, &["4 texts × 2 queries", "on average"]);
    let (_, said) = world.both(&[&base[..], &["xyz", "-m", "equal"]].concat());
    says(&said, &["no results"]);
}

#[test]
fn many_queries_are_answered_in_their_order() {
    let world = World::with("faq.csv", FAQ)
        .and("asked.txt", "pasword\n\nparsel\n")
        .and("asked.csv", "number,question\nq1,my adress\nq2,cheque\n");
    let base = ["search", "faq.csv", "--on", "question", "--id", "key", "-k", "1", "--queries"];
    let printed = world.ok(&[&base[..], &["asked.txt"]].concat());
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("1\t0.") && lines[0].contains("\tb\tHow do I reset"));
    assert!(lines[1].contains("\tc\tWhere is my parcel?"));

    let found = world.json(&[&base[..], &["asked.csv", "--query-id", "number", "--json"]].concat());
    assert_eq!(keys(&found[0]), ["query", "rank", "id", "score", "text"]);
    assert_eq!((&found[0]["query"], &found[0]["id"]), (&json!("q1"), &json!("a")));
    assert_eq!((&found[1]["query"], &found[1]["id"]), (&json!("q2"), &json!("d")));

    let by = world.ok(&[&base[..], &["asked.csv", "--query-on", "number"]].concat());
    assert!(by.lines().count() <= 2);
    let fed = world.fed("question\npasword\n", &[&base[..], &["-"]].concat());
    assert_eq!(fed.lines().next(), Some(lines[0]));
}

#[test]
fn queries_have_the_weighted_columns_too() {
    let world = World::with("people.csv", PEOPLE)
        .and("asked.csv", "city,name\nLima,maria\nMunich,smith\n")
        .and("other.csv", "town,who\nLima,maria\n");
    let base = ["search", "people.csv", "--on", "name:0.5,city:0.5", "-k", "1", "--json"];
    let found = world.json(&[&base[..], &["--queries", "asked.csv"]].concat());
    assert_eq!((&found[0]["id"], &found[1]["id"]), (&json!(3), &json!(2)));
    let other = [&base[..], &["--queries", "other.csv"]].concat();
    world.usage_error(&other, &["other.csv has no column `name`"]);
    let found = world.json(&[&other[..], &["--query-on", "who,town"]].concat());
    assert_eq!(found[0]["id"], 3);
    world.usage_error(&[&other[..], &["--query-on", "who"]].concat(), &["name as many columns"]);
}

#[test]
fn many_queries_do_not_depend_on_threads() {
    let rows = |from: usize, to: usize| -> String {
        (from..to).map(|i| format!("street {} house {}\n", i % 71, i % 113)).collect()
    };
    let world = World::with("streets.txt", rows(0, 2000)).and("asked.txt", rows(500, 1100));
    for more in [&["-k", "3"][..], &["--json", "--explain", "-k", "1"]] {
        let base = ["search", "streets.txt", "--queries", "asked.txt"];
        let with = |threads| world.ok(&[&base[..], &["--threads", threads], more].concat());
        assert!(with("1") == with("2"));
    }
}

#[test]
fn a_collection_from_elsewhere_goes_with_all_of_it() {
    let world = World::with("people.csv", PEOPLE).and("asked.txt", "smith\nlima\n");
    let found = world.json(&[
        "search",
        "people.csv",
        "--on",
        "name:0.5,city:0.5",
        "smith",
        "lima",
        "--json",
        "--collection",
        "none",
        "--stats",
        "-m",
        "tfidf",
    ]);
    assert_eq!(found[0]["rank"], 1);
    let printed = world.ok(&[
        "search",
        "people.csv",
        "--on",
        "name",
        "--queries",
        "asked.txt",
        "--collection",
        "people.csv",
    ]);
    says(&printed, &["Smith"]);
    let within = ["--on", "name", "--within", "10s", "--collection", "none", "--json"];
    let found = world.json(&[&["search", "people.csv", "Jon Smiht"], &within[..]].concat());
    assert_eq!(found[0]["proven"], serde_json::Value::Null, "{}", found[0]);
}

#[test]
fn queries_that_are_not_there_are_asked_for() {
    let world = World::with("faq.csv", FAQ).and("asked.csv", "a,b\n1,2\n");
    world.usage_error(
        &["search", "faq.csv", "--on", "question"],
        &["what to look for?", "--queries"],
    );
    world.usage_error(
        &["search", "faq.csv", "--on", "question", "x", "--queries", "asked.csv"],
        &["cannot be used with"],
    );
    world.usage_error(
        &["search", "faq.csv", "--on", "question", "--queries", "asked.csv"],
        &["asked.csv has no column `question`"],
    );
    world.usage_error(
        &["search", "asked.csv", "--on", "a", "--queries", "faq.csv", "--query-id", "id"],
        &["faq.csv has no column"],
    );
    world.usage_error(&["search", "-", "--queries", "-"], &["only one of the two tables"]);
    world.usage_error(&["search", "faq.csv", "x", "--query-on", "a"], &["--queries"]);
    world.usage_error(&["search", "faq.csv", "x", "-k", "0"], &["--top", "from 1 on"]);
    world.failed(&["search", "faq.csv", "--on", "question", "--queries", "no.txt"], &["no.txt"]);
}

/// With counts from elsewhere every row is scored; if they are the same, so are the results.
#[test]
fn an_index_finds_what_scoring_every_row_finds() {
    let rows: String = (0..700).map(|i| format!("street {} house {}\n", i % 71, i % 113)).collect();
    let world = World::with("streets.txt", rows).and("people.csv", PEOPLE);
    for measure in ["sc(q=2:3, weights=c.idf)", "tfidf", "0.5*soft-tfidf + 0.5*levenshtein"] {
        for more in [&["-k", "25"][..], &["-k", "7", "--ties"], &["-k", "700", "--min", "0.4"]] {
            let base = ["search", "streets.txt", "stret 17 house 5", "-m", measure, "--json"];
            let indexed = world.ok(&[&base, more].concat());
            let every = [&base, more, &["--collection", "streets.txt"]].concat();
            assert_eq!(indexed, world.ok(&every));
            assert!(!indexed.is_empty());
        }
    }
    let joined = ["search", "people.csv", "--on", "name,city", "jon lima"];
    let every = [&joined[..], &["--collection", "people.csv"]].concat();
    assert_eq!(world.ok(&joined), world.ok(&every));
}
