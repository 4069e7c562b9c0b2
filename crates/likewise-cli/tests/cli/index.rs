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
    assert_eq!(world.ok(&["index", "add", "faq.lw", "more.csv"]), "1 rows added, 4 in all\n");
    assert_eq!(world.ok(&["index", "remove", "faq.lw", "8"]), "1 rows removed\n");
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
    world.misused(&["search", "faq.lw", "x", "-m", "sc"], &["leave out"]);
}

#[test]
fn what_is_no_index_is_left_alone() {
    let world = World::with("faq.csv", FAQ).and("mine/diary.txt", "dear diary");
    world.failed(&["index", "build", "faq.csv", "--on", "question", "-o", "mine"], &["index"]);
    assert_eq!(world.read("mine/diary.txt"), "dear diary");
    world.failed(&["index", "verify", "nowhere"], &["index"]);
    world.misused(
        &["index", "build", "faq.csv", "--on", "question", "-o", "f.lw", "--max-memory", "lots"],
        &["300MB"],
    );
}
