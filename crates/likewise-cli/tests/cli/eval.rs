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

/// One query whose documents come with the grades 1, 2 and 0.
fn graded() -> World {
    retrieval()
        .and("data/queries.jsonl", "{\"_id\":\"q1\",\"text\":\"abcd\"}\n")
        .and("data/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t2\n")
}

#[test]
fn retrieval_counts_hits_and_precision_among_the_first() {
    let found = one(&retrieval(), &["eval", "retrieve", "data"]);
    for key in ["hit@1", "hit@5", "hit@10"] {
        close(number(&found, key), 1.0);
    }
    // Two of q1's five places, one of q2's.
    close(number(&found, "p@5"), f64::midpoint(0.4, 0.2));
    close(number(&found, "ndcg@1"), 1.0);
    let late = graded().and("data/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t1\n");
    let found = one(&late, &["eval", "retrieve", "data"]);
    assert_eq!((number(&found, "hit@1"), number(&found, "hit@5")), (0.0, 1.0));
}

#[test]
fn gains_of_retrieval_are_linear_unless_said_otherwise_for_every_graded_figure() {
    let discount = 3.0_f64.log2();
    let world = graded();
    for (arguments, name, gains, nerr, p_plus) in [
        (&[][..], "linear", (1.0, 2.0), 10.0 / 13.0, f64::midpoint(2.0 / 3.0, 1.0)),
        (
            &["--gains", "exponential"][..],
            "exponential",
            (1.0, 3.0),
            0.53125 / 0.78125,
            f64::midpoint(0.5, 1.0),
        ),
    ] {
        let found = one(&world, &[&["eval", "retrieve", "data"], arguments].concat());
        assert_eq!(found["gains"], name);
        let (low, high) = gains;
        close(number(&found, "ndcg@1"), low / high);
        close(number(&found, "ndcg@10"), (low + high / discount) / (high + low / discount));
        close(number(&found, "nerr@10"), nerr);
        close(number(&found, "p+"), p_plus);
    }
    let wrong = ["eval", "retrieve", "data", "--gains", "cubic"];
    world.usage_error(&wrong, &["linear (the grade) or exponential (2^grade − 1)"]);
    world.usage_error(&["eval", "match", "data", "--gains", "linear"], &["--gains"]);
}

#[test]
fn gains_are_said_in_the_meaning_of_figures_and_on_the_page() {
    let world = graded();
    for (arguments, formula, fact) in [
        (&[][..], "(gain: the grade)", "linear (the grade)"),
        (&["--gains", "exponential"][..], "(gain: 2^grade − 1)", "exponential (2^grade − 1)"),
    ] {
        let eval = ["eval", "retrieve", "data", "-m", "levenshtein", "--report", "r.html"];
        let said = world.ok(&[&eval[..], arguments].concat());
        for key in ["ndcg@1 ", "ndcg@10 ", "nerr@10 ", "p+ "] {
            let line = said.lines().rfind(|line| line.starts_with(key)).unwrap();
            assert!(line.ends_with(formula), "{line}");
        }
        says(&world.read("r.html"), &[fact, formula]);
    }
}

#[test]
fn ranking_all_documents_by_a_measure_gives_the_figures_of_retrieval() {
    let world = graded();
    for gains in ["linear", "exponential"] {
        let retrieve = one(&world, &["eval", "retrieve", "data", "--gains", gains]);
        let rank =
            ["eval", "rank", "data", "--retrieve", "levenshtein", "--gains", gains, "--json"];
        let rank = world.json(&[&rank[..], &["-m", "levenshtein"]].concat()).remove(0);
        let figures: Vec<&String> = rank
            .as_object()
            .unwrap()
            .keys()
            .filter(|key| !["measure", "gains", "queries"].contains(&key.as_str()))
            .collect();
        assert_eq!(figures.len(), 14, "{figures:?}");
        for key in figures {
            close(number(&rank, key), number(&retrieve, key));
        }
        assert_eq!(rank["gains"], retrieve["gains"]);
    }
}

#[test]
fn a_retrieval_page_heads_its_errors_query_and_document_and_others_left_and_right() {
    let late = graded().and("data/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t1\n");
    late.ok(&["eval", "retrieve", "data", "-m", "levenshtein", "--report", "r.html"]);
    let page = late.read("r.html");
    says(&page, &[">Query</th>", ">Document</th>"]);
    assert!(!page.contains(">Left<") && !page.contains(">Right<"));
    let world = matching();
    world.ok(&["eval", "match", "data", "-m", "levenshtein", "--report", "r.html"]);
    says(&world.read("r.html"), &[">Left</th>", ">Right</th>"]);
}

#[test]
fn several_measures_each_show_their_own_threshold() {
    let world = matching()
        .and("pairs.csv", "left,right,label\nabcd,abcd,1\nabcd,abcz,0\nabcd,abyz,1\nabcd,wxyz,0\n");
    let measures = ["-m", "levenshtein", "-m", "0.5*levenshtein", "--report", "r.html"];
    for data in [&["eval", "match", "data"][..], &["eval", "pairs", "pairs.csv"]] {
        let table = world.ok(&[data, &measures].concat());
        let rows: Vec<Vec<&str>> =
            table.lines().map(|line| line.split_whitespace().collect()).collect();
        let at = rows[0].iter().position(|head| *head == "threshold").unwrap();
        assert_eq!([rows[1][at], rows[2][at]], ["0.5000", "0.2500"], "{table}");
        let page = world.read("r.html");
        // Plain: no threshold is better than another.
        says(&page, &["threshold", "<span>0.5000</span>", "<span>0.2500</span>"]);
    }
}

#[test]
fn the_threshold_chosen_on_other_pairs_is_shown() {
    let world = World::with("train.csv", "left,right,label\nabcd,abcz,1\nabcd,abyz,0\n")
        .and("test.csv", "left,right,label\nabcd,abcd,1\nabcd,abcz,0\n");
    let found = one(&world, &["eval", "pairs", "test.csv", "--train", "train.csv"]);
    close(number(&found, "held_out_threshold"), 0.75);
    close(number(&found, "threshold"), 1.0);
    assert!(one(&world, &["eval", "pairs", "test.csv"])["held_out_threshold"].is_null());
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
fn the_page_of_a_sweep_shows_curve_and_errors_of_its_best_range() {
    // Single characters are the same everywhere: pairs of them tell the match apart.
    let world = World::with("data/left.csv", "id,text\nl,abcdef\n")
        .and("data/right.csv", "id,text\nx,fedcba\ny,abcdeg\n")
        .and("data/matches.csv", "left_id,right_id\nl,y\n");
    let sweep = ["eval", "match", "data", "--sweep", "sc(q=1:2)", "--json", "--report", "s.html"];
    let found = world.json(&sweep);
    assert!(number(&found[0], "iap") < number(&found[2], "iap"), "{found:?}");
    let page = world.read("s.html");
    let best = found.iter().max_by(|a, b| number(a, "iap").total_cmp(&number(b, "iap"))).unwrap();
    assert_ne!(best["measure"], found[0]["measure"]);
    says(&page, &["those of the best range, sc(q="]);
    assert!(!page.contains("best range, sc(q=1)."), "{page}");
    assert_eq!(page.matches("class=\"line c0 d0\"").count(), 2, "one curve and its swatch");
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
