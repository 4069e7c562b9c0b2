//! `likewise eval`

use super::{World, close, number, says};
use serde_json::Value;

/// One record against three that score 1, 0.75 and 0.5; the first and the last match.
fn matching() -> World {
    World::with("data/left.csv", "id,text\nl,abcd\n")
        .and("data/right.csv", "id,text\nx,abcd\ny,abcz\nz,abyz\n")
        .and("data/matches.csv", "left_id,right_id\nl,x\nl,z\n")
}

fn retrieval() -> World {
    World::with("data/corpus.jsonl", "{\"_id\":\"d1\",\"title\":\"\",\"text\":\"abcd\"}\n{\"_id\":\"d2\",\"title\":\"\",\"text\":\"abcz\"}\n{\"_id\":\"d3\",\"title\":\"\",\"text\":\"abyz\"}\n")
        .and("data/queries.jsonl", "{\"_id\":\"q1\",\"text\":\"abcd\"}\n{\"_id\":\"q2\",\"text\":\"abyy\"}\n{\"_id\":\"q3\",\"text\":\"nobody judged me\"}\n")
        .and("data/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td3\t1\nq2\td3\t1\nq2\td1\t0\n")
}

fn one(world: &World, arguments: &[&str]) -> Value {
    let mut lines = world.json(&[arguments, &["-m", "levenshtein", "--json"]].concat());
    assert_eq!(lines.len(), 1);
    lines.remove(0)
}

#[test]
fn matching_is_judged_over_one_ranking_of_all_pairs() {
    let found = one(&matching(), &["eval", "match", "data"]);
    assert_eq!(found["measure"], "levenshtein");
    // Precision 1 up to recall 0.5 (six of the eleven levels), then 2/3.
    close(number(&found, "iap"), (6.0 + 5.0 * 2.0 / 3.0) / 11.0);
    close(number(&found, "best_f1"), 0.8);
    close(number(&found, "precision"), 2.0 / 3.0);
    close(number(&found, "recall"), 1.0);
    close(number(&found, "accuracy"), 2.0 / 3.0);
    close(number(&found, "threshold"), 0.5);
    assert_eq!((&found["pairs"], &found["matches"]), (&3.into(), &2.into()));
}

#[test]
fn ties_have_a_worst_and_a_best_order() {
    let world = World::with("data/left.csv", "id,text\nl,abcd\n")
        .and("data/right.csv", "id,text\nx,abcz\ny,abcy\n")
        .and("data/matches.csv", "left_id,right_id\nl,x\n");
    let found = one(&world, &["eval", "match", "data"]);
    close(number(&found, "iap_worst"), 0.5);
    close(number(&found, "iap_best"), 1.0);
    close(number(&found, "iap"), 0.5);
    close(number(&found, "best_f1"), 2.0 / 3.0);
    close(number(&found, "best_f1_worst"), 2.0 / 3.0);
    close(number(&found, "best_f1_best"), 1.0);
    says(
        &world.ok(&["eval", "match", "data", "-m", "levenshtein"]),
        &["iap", "0.5000 (worst 0.5000, best 1.0000)"],
    );
}

#[test]
fn records_with_clusters_are_matched_among_themselves() {
    let world = World::with("data/records.csv", "id,cluster,text\n1,A,aaaa\n2,A,aaab\n3,B,cccc\n");
    let found = one(&world, &["eval", "match", "data"]);
    close(number(&found, "iap"), 1.0);
    assert_eq!((&found["pairs"], &found["matches"]), (&3.into(), &1.into()));
}

#[test]
fn the_columns_to_compare_can_be_chosen() {
    let world = World::with(
        "data/records.tsv",
        "id\tcluster\tname\tcity\n1\tA\tann\trome\n2\tA\tann\trom\n",
    );
    world.ok(&["eval", "match", "data", "--on", "name,city"]);
    world.usage_error(&["eval", "match", "data"], &["no column `text`", "`name`"]);
    world.usage_error(&["eval", "match", "data", "--on", "nmae"], &["did you mean `name`?"]);
}

#[test]
fn retrieval_is_judged_query_by_query() {
    let found = one(&retrieval(), &["eval", "retrieve", "data"]);
    // q1 finds its two at ranks 1 and 3, q2 its only one at rank 1; nobody judged q3.
    close(number(&found, "map"), f64::midpoint(f64::midpoint(1.0, 2.0 / 3.0), 1.0));
    close(number(&found, "mrr"), 1.0);
    close(number(&found, "p@1"), 1.0);
    let ideal = 1.0 + 1.0 / 3.0_f64.log2();
    close(number(&found, "ndcg@10"), f64::midpoint(1.5 / ideal, 1.0));
    assert_eq!((&found["queries"], &found["documents"]), (&2.into(), &3.into()));
    for key in ["map_worst", "map_best", "mrr_worst", "mrr_best", "ndcg@10_worst", "ndcg@10_best"] {
        number(&found, key);
    }
}

#[test]
fn pairs_with_ratings_are_judged_by_correlation() {
    let world = World::with(
        "rated.csv",
        "left,right,score\nabcd,abcd,3\nabcd,abcz,2\nabcd,abyz,1\nabcd,wxyz,0\n",
    );
    let found = one(&world, &["eval", "pairs", "rated.csv"]);
    close(number(&found, "pearson"), 1.625 / (5.0 * 0.546_875_f64).sqrt());
    close(number(&found, "spearman"), 1.0);
    assert!(number(&found, "pearson_low") <= number(&found, "pearson_high"));
}

#[test]
fn pairs_with_labels_are_judged_by_decisions() {
    let world = World::with(
        "pairs.tsv",
        "sentence1\tsentence2\tlabel\nabcd\tabcd\t1\nabcd\tabcz\t0\nabcd\tabyz\t1\nabcd\twxyz\t0\n",
    );
    let found = one(&world, &["eval", "pairs", "pairs.tsv"]);
    close(number(&found, "accuracy"), 0.75);
    close(number(&found, "best_f1"), 0.8);
    close(number(&found, "precision"), 2.0 / 3.0);
    close(number(&found, "recall"), 1.0);
    close(number(&found, "iap"), (6.0 + 5.0 * 2.0 / 3.0) / 11.0);
    assert_eq!((&found["pairs"], &found["positive"]), (&4.into(), &2.into()));
    let trained = one(&world, &["eval", "pairs", "pairs.tsv", "--train", "pairs.tsv"]);
    close(number(&trained, "held_out_f1"), 0.8);
}

#[test]
fn ratings_have_no_threshold_to_train() {
    let world = World::with("rated.csv", "left,right,score\na,b,2\n")
        .and("labelled.csv", "left,right,label\na,b,1\n");
    for (file, train) in [("rated.csv", "labelled.csv"), ("labelled.csv", "rated.csv")] {
        world
            .usage_error(&["eval", "pairs", file, "--train", train], &["--train goes with labels"]);
    }
}

#[test]
fn columns_of_other_names_can_be_told() {
    let world = World::with("p.csv", "one,two,human\nab,ab,5\nab,ac,3\nab,xy,1\n");
    let found = one(&world, &["eval", "pairs", "p.csv", "--on", "one,two", "--gold", "human"]);
    close(number(&found, "pearson"), 1.0);
    world.usage_error(
        &["eval", "pairs", "p.csv"],
        &["which columns are the two texts?", "one, two, human", "--on"],
    );
    world.usage_error(
        &["eval", "pairs", "p.csv", "--on", "one,two"],
        &["no column `label` or `score`", "--gold COLUMN"],
    );
    world.usage_error(&["eval", "pairs", "p.csv", "--on", "one"], &["--on LEFT,RIGHT"]);
    world.usage_error(
        &["eval", "pairs", "p.csv", "--on", "one,tow", "--gold", "human"],
        &["did you mean `two`?"],
    );
}

#[test]
fn people_read_a_table_of_all_measures_and_the_meaning_of_figures() {
    let world = matching();
    let both = world.ok(&["eval", "match", "data", "-m", "levenshtein", "-m", "sc(q=2:3)"]);
    let starts: Vec<&str> =
        both.lines().map(|l| l.split_whitespace().next().unwrap_or("")).collect();
    assert_eq!(starts, ["measure", "levenshtein", "sc"]);
    let one = world.ok(&["eval", "match", "data", "-m", "levenshtein"]);
    says(
        &one,
        &[
            "best_f1              0.8000  F1 at the best threshold",
            "pairs                3  pairs scored",
        ],
    );
}

#[test]
fn a_report_needs_nothing_from_elsewhere() {
    for (world, arguments) in [
        (matching(), ["eval", "match", "data"]),
        (retrieval(), ["eval", "retrieve", "data"]),
        (
            World::with("data", "").and("p.csv", "left,right,score\na,a,1\na,b,0\nab,b,0.5\n"),
            ["eval", "pairs", "p.csv"],
        ),
    ] {
        world.ok(&[&arguments[..], &["-m", "levenshtein", "-m", "sc", "--report", "report.html"]]
            .concat());
        let page = world.read("report.html");
        let outside = page.replace("http://www.w3.org/2000/svg", "");
        says(&page, &["<html", "<svg", "levenshtein"]);
        for link in ["http://", "https://", "<script src", "<link", "@import"] {
            assert!(!outside.contains(link), "{arguments:?}: {link}");
        }
    }
}

#[test]
fn texts_in_a_report_are_no_markup() {
    let world =
        World::with("p.csv", "left,right,score\n<script>x</script>,<b>&,1\na,b,0\nab,b,0.5\n");
    world.ok(&["eval", "pairs", "p.csv", "-m", "levenshtein", "--report", "report.html"]);
    let page = world.read("report.html");
    assert!(!page.contains("<script>x") && !page.contains("<b>&,"));
}

#[test]
fn a_sweep_runs_every_smaller_range_of_q() {
    let world = matching();
    let lines = world.json(&[
        "eval",
        "match",
        "data",
        "--sweep",
        "sc(q=1:3)",
        "--json",
        "--report",
        "sweep.html",
    ]);
    let measures: Vec<&str> = lines.iter().map(|l| l["measure"].as_str().unwrap()).collect();
    assert_eq!(measures.len(), 6);
    for (measure, q) in measures.iter().zip(["q=1,", "q=1:2,", "q=1:3,", "q=2,", "q=2:3,", "q=3,"])
    {
        says(measure, &[q]);
    }
    says(&world.read("sweep.html"), &["[1:3]"]);
    world.usage_error(
        &["eval", "match", "data", "--sweep", "levenshtein"],
        &["no range of q", "sc(q=1:10)"],
    );
    world.usage_error(
        &["eval", "match", "data", "--sweep", "sc", "-m", "sc"],
        &["--sweep", "cannot be used with"],
    );
}

#[test]
fn figures_do_not_depend_on_threads() {
    let records: String = (0..300)
        .map(|i| format!("{i},{},street {} house {}\n", i / 2, i / 2 % 31, i % 7))
        .collect();
    let world = World::with("data/records.csv", format!("id,cluster,text\n{records}"));
    let with = |threads| world.ok(&["eval", "match", "data", "--json", "--threads", threads]);
    assert_eq!(with("1"), with("2"));
}

#[test]
fn folders_that_lack_a_file_say_which() {
    let world = World::with("empty/x", "").and("file.csv", "id\n");
    world.failed(
        &["eval", "match", "empty"],
        &["empty: has no left.csv", "records with a column `cluster`"],
    );
    world.failed(&["eval", "retrieve", "empty"], &["empty: has no corpus.csv", "qrels/test.tsv"]);
    world.failed(&["eval", "match", "nowhere"], &["nowhere: there is no such folder"]);
    world.failed(&["eval", "match", "file.csv"], &["file.csv: is a file, not a folder"]);
    world.failed(&["eval", "pairs", "empty"], &["it is a folder, not a file"]);
    world.failed(&["eval", "pairs", "nothing.csv"], &["cannot read nothing.csv: No such file"]);
}

#[test]
fn a_match_of_an_unknown_record_is_an_error_with_its_line() {
    let world = matching().and("data/matches.csv", "left_id,right_id\nl,x\nl,nobody\n");
    world.failed(
        &["eval", "match", "data"],
        &["matches.csv: line 3", "the right table has no id `nobody`"],
    );
}

#[test]
fn an_id_stands_once() {
    let twice =
        |world: World, task: &str, words: &[&str]| world.failed(&["eval", task, "data"], words);
    twice(
        matching().and("data/right.csv", "id,text\nx,a\nx,b\n"),
        "match",
        &["right.csv: line 3", "`x` stands twice"],
    );
    let clusters = World::with("data/records.csv", "id,cluster,text\n1,A,a\n1,A,b\n");
    twice(clusters, "match", &["records.csv: line 3", "`1` stands twice"]);
    let corpus = "{\"_id\":\"d1\",\"text\":\"a\"}\n{\"_id\":\"d1\",\"text\":\"b\"}\n";
    twice(
        retrieval().and("data/corpus.jsonl", corpus),
        "retrieve",
        &["corpus.jsonl: line 2", "`d1` stands twice"],
    );
}

#[test]
fn judgements_must_be_numbers() {
    let world =
        retrieval().and("data/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\thigh\n");
    world.failed(&["eval", "retrieve", "data"], &["test.tsv: line 2", "`high` is not a grade"]);
    let none = retrieval().and("data/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t0\n");
    none.failed(&["eval", "retrieve", "data"], &["test.tsv: no document is relevant"]);
    for value in ["yes", "nan", "inf", ""] {
        let world = World::with("p.csv", format!("left,right,label\na,b,1\na,b,{value}\n"));
        world.failed(
            &["eval", "pairs", "p.csv"],
            &["p.csv: line 3", "in column `label` is not a number"],
        );
    }
}

#[test]
fn data_without_a_text_is_no_data() {
    let world =
        World::with("p.csv", "left,right,score\n").and("data/records.csv", "id,cluster,text\n");
    world.failed(&["eval", "pairs", "p.csv"], &["p.csv: there is nothing to evaluate"]);
    world.failed(&["eval", "match", "data"], &["data: there is nothing to evaluate"]);
}

#[test]
fn a_title_that_only_later_documents_have_is_read() {
    let world = World::with(
        "data/corpus.jsonl",
        "{\"_id\":\"1\",\"text\":\"ab\"}\n{\"_id\":\"2\",\"title\":\"zeta\",\"text\":\"cd\"}\n",
    )
    .and("data/queries.jsonl", "{\"_id\":\"q\",\"text\":\"zeta\"}\n")
    .and("data/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\t2\t1\n");
    let lines = world.json(&["eval", "retrieve", "data", "--json"]);
    assert_eq!(lines[0]["p@1"], 1.0);
}

#[test]
fn a_gold_standard_that_says_nothing_is_refused() {
    let world = World::with("pairs.csv", "left,right,label\na,b,1\na,c,5\n");
    world.failed(&["eval", "pairs", "pairs.csv"], &["pair 2", "a label is 0 or 1, not 5"]);
    let world = matching().and("data/matches.csv", "left_id,right_id\n");
    world.failed(&["eval", "match", "data"], &["matches.csv", "no two records match"]);
}

#[test]
fn a_report_that_cannot_be_written_is_a_failure() {
    let world = matching();
    let output = world.run(&["eval", "match", "data", "--report", "no/such/report.html"]);
    assert_eq!(output.status.code(), Some(1));
    says(&String::from_utf8_lossy(&output.stderr), &["cannot write the report", "no/such"]);
}
