//! `likewise index`, and searching one.

use crate::World;

const FAQ: &str = "id,question\n7,How do I reset my password?\n8,Where is my order?\n9,Can I change my address?\n";

#[test]
fn an_index_answers_like_its_table() {
    let world = World::with("faq.csv", FAQ);
    world.ok(&["index", "build", "faq.csv", "--on", "question", "--id", "id", "-o", "faq.lw"]);
    let query = "reset my pasword";
    let by_table = world.ok(&["search", "faq.csv", "--on", "question", "--id", "id", query]);
    let by_index = world.ok(&["search", "faq.lw", query]);
    assert_eq!(by_table, by_index);
    assert!(by_index.starts_with("0."));
    assert!(world.ok(&["index", "show", "faq.lw"]).contains("question"));
    assert!(world.ok(&["index", "verify", "faq.lw"]).starts_with("whole: 3 rows"));
}

#[test]
fn an_index_grows_and_shrinks_and_answers_as_if_built_afresh() {
    let more = "id,question\n10,My password is lost\n";
    let world = World::with("faq.csv", FAQ).and("more.csv", more).and("left.csv", "id,question\n7,How do I reset my password?\n9,Can I change my address?\n10,My password is lost\n");
    world.ok(&["index", "build", "faq.csv", "--on", "question", "--id", "id", "-o", "faq.lw"]);
    assert_eq!(world.ok(&["index", "add", "faq.lw", "more.csv"]), "1 row added, 4 in all\n");
    assert_eq!(world.ok(&["index", "remove", "faq.lw", "8"]), "1 row removed\n");
    world.ok(&["index", "build", "left.csv", "--on", "question", "--id", "id", "-o", "left.lw"]);
    for _ in 0..2 {
        for query in ["lost password", "where is my adress"] {
            let grown = world.ok(&["search", "faq.lw", query, "--json"]);
            assert_eq!(grown, world.ok(&["search", "left.lw", query, "--json"]));
        }
        world.ok(&["index", "compact", "faq.lw"]);
    }
}

#[test]
fn what_an_index_knows_is_not_said_again() {
    let world = World::with("faq.csv", FAQ);
    world.ok(&["index", "build", "faq.csv", "--on", "question", "-o", "faq.lw"]);
    world.usage_error(&["search", "faq.lw", "x", "-m", "sc"], &["leave out"]);
}

#[test]
fn what_is_no_index_is_left_alone() {
    let world = World::with("faq.csv", FAQ).and("mine/diary.txt", "dear diary");
    world.failed(&["index", "build", "faq.csv", "--on", "question", "-o", "mine"], &["index"]);
    assert_eq!(world.read("mine/diary.txt"), "dear diary");
    world.failed(&["index", "verify", "nowhere"], &["index"]);
    world.usage_error(
        &["index", "build", "faq.csv", "--on", "question", "-o", "f.lw", "--max-memory", "lots"],
        &["300MB"],
    );
}

#[test]
fn an_index_is_matched_and_deduplicated_like_the_table_it_was_built_from() {
    let people =
        "id,name,city\n7,Acme Incorporated,Lima\n8,Apex Industries,Oslo\n9,Acme Incorporatd,Lima\n";
    let world = World::with("people.csv", people)
        .and("ours.csv", "key,name\na,acme incorporated\nb,apex\n");
    world.ok(&["index", "build", "people.csv", "--on", "name", "--id", "id", "-o", "people.lw"]);

    let matched = [
        "match",
        "ours.csv",
        "people.csv",
        "--on",
        "name",
        "--left-id",
        "key",
        "--right-id",
        "id",
        "--keep",
        "left.name",
    ];
    let by_index = ["match", "ours.csv", "people.lw", "--left-id", "key", "--keep", "name"];
    let table = world.ok(&matched);
    assert!(table.contains("a,7,"), "{table}");
    assert_eq!(world.ok(&by_index), table);
    world.usage_error(
        &["match", "ours.csv", "people.lw", "--keep", "right.city"],
        &["an index keeps ids"],
    );
    world
        .usage_error(&["match", "ours.csv", "people.lw", "-m", "sc"], &["when it was built", "-m"]);

    let table = world.ok(&["dedupe", "people.csv", "--on", "name", "--id", "id", "--min", "0.6"]);
    assert!(table.contains("9,1,"), "{table}");
    assert_eq!(world.ok(&["dedupe", "people.lw", "--min", "0.6"]), table);
    world.usage_error(&["dedupe", "people.lw", "--keep", "city"], &["an index keeps ids"]);
}

#[test]
fn an_index_serves_as_a_collection() {
    let world = World::with("people.csv", "name\nAcme Incorporated\nApex Incorporated\n");
    world.ok(&["index", "build", "people.csv", "--on", "name", "-m", "tfidf", "-o", "people.lw"]);
    let score = |collection| {
        world.ok(&["score", "acme incorporated", "acme", "-m", "tfidf", "--collection", collection])
    };
    assert_eq!(score("people.lw"), score("people.csv"));
    assert_ne!(score("people.lw"), score("none"));
}

#[test]
fn an_index_refuses_a_resource_whose_content_changed() {
    let world = World::with("faq.csv", "question\nbuy a car\nsell a house\n")
        .and("pairs.csv", "feature1,feature2,similarity\ncar,auto,0.9\n");
    let measure = "soft-cosine(terms=table(\"pairs.csv\"))";
    world.ok(&["index", "build", "faq.csv", "--on", "question", "-m", measure, "-o", "faq.lw"]);
    let found = world.ok(&["search", "faq.lw", "auto"]);
    assert!(found.contains("buy a car"), "{found}");

    let world = world.and("pairs.csv", "feature1,feature2,similarity\nhouse,auto,0.9\n");
    for command in [
        &["search", "faq.lw", "auto"][..],
        &["index", "verify", "faq.lw"],
        &["index", "add", "faq.lw", "faq.csv"],
    ] {
        world.failed(command, &["pairs.csv", "build the index again"]);
    }
}
