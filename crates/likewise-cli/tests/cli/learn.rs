//! Learning from labels: train, match, dedupe and evaluate by a model, label, features.

use super::*;
use std::fmt::Write;

/// Two tables of forty things each, the right one a little different, with labels for pairs: (i, i) match, (i, i+1) and (i, i+7) do not.
fn shops() -> World {
    let kinds = ["lamp", "chair", "table", "desk", "shelf"];
    let (mut a, mut b, mut train, mut test) =
        ("id,name,price\n".to_owned(), "id,name,price\n".to_owned(), String::new(), String::new());
    train += "ltable_id,rtable_id,label\n";
    test += "ltable_id,rtable_id,label\n";
    for at in 0..40 {
        let kind = kinds[at % 5];
        writeln!(a, "a{at},{kind} model X{}{at} walnut,{}.00", at * 37 % 90, 20 + at).unwrap();
        writeln!(b, "b{at},\"{kind}, x{}{at} (walnut)\",{}", at * 37 % 90, 20 + at).unwrap();
        let to = if at % 4 == 0 { &mut test } else { &mut train };
        for (other, label) in [(at, 1), ((at + 1) % 40, 0), ((at + 5) % 40, 0)] {
            writeln!(to, "a{at},b{other},{label}").unwrap();
        }
    }
    let copies = [("set/tableA.csv", &a), ("set/tableB.csv", &b), ("set/test.csv", &test)];
    let world = World::with("a.csv", &a).and("b.csv", &b).and("train.csv", &train);
    copies.into_iter().fold(world, |world, (name, text)| world.and(name, text))
}

const TRAIN: [&str; 9] =
    ["train", "--left", "a.csv", "--right", "b.csv", "--pairs", "train.csv", "-o", "m.lwm"];

#[test]
fn a_model_is_trained_evaluated_and_links() {
    let world = shops();
    let output = world.run(&TRAIN);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("90 labelled pairs, 30 of them matches"), "{said}");
    let output = world.run(&["eval", "match", "set", "--model", "m.lwm", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["f1"].as_f64().unwrap() > 0.9, "{found}");
    assert_eq!(
        found["true_positives"].as_u64().unwrap() + found["false_negatives"].as_u64().unwrap(),
        10
    );
    let output = world.run(&["match", "a.csv", "b.csv", "--model", "m.lwm", "--keep", "name"]);
    let links = String::from_utf8(output.stdout).unwrap();
    assert!(links.starts_with("left_id,right_id,score,left_name,right_name\n"), "{links}");
    let right = links.lines().filter(|l| {
        let cells: Vec<&str> = l.split(',').collect();
        cells[0].strip_prefix('a') == cells[1].strip_prefix('b') && cells[0] != "left_id"
    });
    assert!(right.count() >= 38, "{links}");
    // The same bytes for any number of threads.
    let again = |threads| {
        let threads = ["--threads", threads];
        world.run(&[&TRAIN[..], &threads].concat());
        std::fs::read(world.path("m.lwm")).unwrap()
    };
    assert_eq!(again("1"), again("3"));
}

#[test]
fn duplicates_are_found_by_a_model() {
    let (mut people, mut labels) =
        ("id,name\n".to_owned(), "ltable_id,rtable_id,label\n".to_owned());
    for at in 0..30 {
        writeln!(people, "p{at},Person Q{}Z{at} Smith", at * 13 % 50).unwrap();
        writeln!(people, "q{at},person q{}z{at}  smith jr", at * 13 % 50).unwrap();
        // In either order.
        writeln!(labels, "q{at},p{at},1\np{at},q{},0\np{at},p{},0", (at + 1) % 30, (at + 2) % 30)
            .unwrap();
    }
    let world = World::with("people.csv", people).and("labels.csv", labels);
    let trained =
        world.run(&["train", "--left", "people.csv", "--pairs", "labels.csv", "-o", "m.lwm"]);
    assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));
    let output =
        world.run(&["dedupe", "people.csv", "--model", "m.lwm", "--only-duplicates", "--json"]);
    let rows = String::from_utf8(output.stdout).unwrap();
    assert!(rows.lines().count() >= 56, "{rows}");
    let pairs = world.run(&["dedupe", "people.csv", "--model", "m.lwm", "--pairs"]);
    assert!(String::from_utf8_lossy(&pairs.stdout).contains("p0,q0,"));
}

#[test]
fn matches_alone_will_do_where_they_are_all_there_are() {
    let world = shops();
    let matches: String = (0..40).map(|at| format!("a{at},b{at}\n")).collect();
    let world = world.and("matches.csv", format!("ltable_id,rtable_id\n{matches}"));
    let arguments =
        ["train", "--left", "a.csv", "--right", "b.csv", "--pairs", "matches.csv", "-o", "m.lwm"];
    let refused = world.run(&arguments);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("label"), "{refused:?}");
    let output = world.run(&[&arguments[..], &["--candidates", "5"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("count as no match"));
}

fn complaint(world: &World, arguments: &[&str]) -> String {
    let output = world.run(arguments);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn labels_that_teach_nothing_are_refused_with_a_reason() {
    let header = "ltable_id,rtable_id,label\n";
    let with = |rows: String| shops().and("train.csv", format!("{header}{rows}"));
    let rows = |n: usize, label: &dyn Fn(usize) -> String| -> String {
        (0..n).map(|at| format!("a{at},b{at},{}\n", label(at))).collect()
    };
    let one_class = with(rows(20, &|_| "1".into()));
    assert!(complaint(&one_class, &TRAIN).contains("all 20 pairs are matches"));
    let none = with(rows(20, &|_| "0".into()));
    assert!(complaint(&none, &TRAIN).contains("none of the 20 pairs is a match"));
    let few = with(rows(9, &|at| (at % 2).to_string()));
    assert!(complaint(&few, &TRAIN).contains("9 labelled pairs are too few"));
    let rare = with(rows(20, &|at| (at / 18).to_string()));
    assert!(complaint(&rare, &TRAIN).contains("at least 3 of each kind"));
    let against = with(rows(20, &|at| (at % 2).to_string()) + "a3,b3,0\n");
    let said = complaint(&against, &TRAIN);
    assert!(said.contains("labels contradict each other") && said.contains("a3 and b3"), "{said}");
    let unknown = with(rows(20, &|at| (at % 2).to_string()) + "a3,b99,0\n");
    let said = complaint(&unknown, &TRAIN);
    assert!(
        said.contains("`b99`")
            && said.contains("the id of no row of the right table")
            && said.contains("row 21"),
        "{said}"
    );
    let words = with(rows(20, &|_| "yes".into()));
    assert!(complaint(&words, &TRAIN).contains("`yes` in column `label` is no number"));
    // Again with the same label is no contradiction.
    let again = with(rows(20, &|at| (at % 2).to_string()) + "a3,b3,1\n");
    let output = again.run(&TRAIN);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 pairs stand there more than once"));
}

#[test]
fn grades_count_from_the_one_that_is_said() {
    let world = shops();
    let graded = world.read("train.csv").replace(",1\n", ",2\n").replace(",0\n", ",1\n");
    let world = world.and("train.csv", graded);
    assert!(complaint(&world, &TRAIN).contains("all 90 pairs are matches"));
    assert!(world.run(&[&TRAIN[..], &["--positive", "2"]].concat()).status.success());
}

#[test]
fn a_model_file_that_is_none_is_refused() {
    let world = shops();
    world.run(&TRAIN);
    let whole = std::fs::read(world.path("m.lwm")).unwrap();
    let world = world.and("cut.lwm", &whole[..whole.len() / 2]).and("text.lwm", "id,name\n");
    let ask = |model: &str| complaint(&world, &["match", "a.csv", "b.csv", "--model", model]);
    assert!(ask("cut.lwm").contains("damaged or cut short"), "{}", ask("cut.lwm"));
    assert!(ask("text.lwm").contains("not a model"), "{}", ask("text.lwm"));
    assert!(ask("none.lwm").contains("none.lwm"));
    let world = world.and("other.csv", "id,title\n1,x\n");
    let said = complaint(&world, &["match", "other.csv", "b.csv", "--model", "m.lwm"]);
    assert!(said.contains("there is no column `name`"), "{said}");
}

#[test]
fn pairs_of_texts_are_learned_and_features_written() {
    let mut pairs = "q,c,grade\n".to_owned();
    for at in 0..30 {
        writeln!(pairs, "how to reset thing{at},reset the thing{at} so,2").unwrap();
        writeln!(pairs, "how to reset thing{at},delete account number{},0", at + 1).unwrap();
    }
    let world = World::with("pairs.csv", pairs);
    let train = ["train", "pairs.csv", "--query", "q", "--candidate", "c", "--label", "grade"];
    for learner in ["forest(trees=20)", "svm(kernel=linear)"] {
        let more = ["--learner", learner, "-o", "m.lwm", "--json"];
        let output = world.run(&[&train[..], &more].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["held_out"]["true_positives"], 30, "{learner}: {found}");
    }
    let found = world.json(&[
        "eval",
        "pairs",
        "pairs.csv",
        "--gold",
        "grade",
        "--model",
        "m.lwm",
        "--json",
    ]);
    assert_eq!(number(&found[0], "f1"), 1.0);
    world.ok(&[&train[..], &["-o", "m.lwm", "--report", "r.html"]].concat());
    let page = world.read("r.html");
    says(&page, &["Calibration", "Importance of features", "Learning curve", "held out: F1"]);
    let more = ["--target", "rating", "-o", "r.lwm"];
    assert!(world.run(&[&train[..], &more].concat()).status.success());
    let output = world.run(&[
        "features",
        "pairs.csv",
        "--on",
        "q,c",
        "--features",
        "overlap, length",
        "--keep",
        "grade",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("grade,overlap,length.left,length.right,length.ratio\n2,0.5,4,4,1\n"),
        "{text}"
    );
    let output = world.run(&["features", "pairs.csv", "--on", "q,c", "-o", "f.parquet"]);
    assert!(output.status.success() && world.path("f.parquet").is_file());
    let said = complaint(&world, &["features", "pairs.csv", "--on", "q,c", "--features", "tfidff"]);
    assert!(said.contains("did you mean `tfidf`?"), "{said}");
}

#[test]
fn labels_are_asked_for_saved_and_gone_on_from() {
    let world = shops();
    let label = ["label", "--left", "a.csv", "--right", "b.csv", "-o", "l.csv"];
    let output = world.command(&label).write_stdin("y\nn\nb\ny\nu\ns\nx\nn\nq\n").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("score 0.") && said.contains("3 labels in l.csv"), "{said}");
    assert_eq!(world.read("l.csv").lines().count(), 4, "{}", world.read("l.csv"));
    let output = world.command(&label).write_stdin("q\n").output().unwrap();
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("goes on from 3 labels"),
        "{output:?}"
    );
    assert_eq!(world.read("l.csv").lines().count(), 4);
}

#[test]
fn known_labels_answer_and_the_same_seed_asks_the_same() {
    let world = shops();
    let ask = |to: &str| {
        let arguments = [
            "label",
            "--left",
            "a.csv",
            "--right",
            "b.csv",
            "--answers",
            "train.csv",
            "-n",
            "40",
            "-o",
            to,
        ];
        let output = world.run(&arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        world.read(to)
    };
    let labels = ask("one.csv");
    assert_eq!(labels.lines().count(), 41);
    assert!(labels.contains(",1\n") && labels.contains(",0\n"));
    assert_eq!(labels, ask("two.csv"));
    let train =
        ["train", "--left", "a.csv", "--right", "b.csv", "--pairs", "one.csv", "-o", "m.lwm"];
    assert!(world.run(&train).status.success());
}

const TOPICS: [&str; 12] = [
    "apples", "boats", "cars", "dogs", "eggs", "fish", "goats", "horses", "islands", "jams",
    "kites", "lamps",
];

/// Pairs of questions and answers, a pool of answers, and a folder of queries with grades.
fn answers() -> World {
    let mut pairs = "query,candidate,label\n".to_owned();
    let mut pool = "id,text,year\n".to_owned();
    let (mut corpus, mut queries) = (String::new(), String::new());
    let mut judgements = "query-id\tcorpus-id\tscore\n".to_owned();
    for (at, topic) in TOPICS.iter().enumerate() {
        let other = TOPICS[(at + 1) % TOPICS.len()];
        let question = format!("what is there to know about {topic}");
        writeln!(pairs, "{question},{topic} are told of here,1").unwrap();
        writeln!(pairs, "{question},what is there to say about {other},0").unwrap();
        writeln!(pool, "p{at},{topic} are told of here,{}", 2000 + at).unwrap();
        writeln!(pool, "q{at},what is there to say about {topic} and {other},1999").unwrap();
        for (id, text) in [("p", "are told of here"), ("q", "what is there to say about")] {
            let text = format!("{text} {topic}");
            writeln!(corpus, r#"{{"_id":"{id}{at}","title":"","text":"{text}"}}"#).unwrap();
        }
        writeln!(queries, r#"{{"_id":"{at}","text":"{question}"}}"#).unwrap();
        writeln!(judgements, "{at}\tp{at}\t2\n{at}\tq{at}\t1").unwrap();
    }
    let world = World::with("pairs.csv", &pairs).and("pool.csv", &pool);
    let world = world.and("set/corpus.jsonl", &corpus).and("set/queries.jsonl", &queries);
    let world = world.and("set/qrels/test.tsv", &judgements);
    let features = "rarest, length, char-2, word-1";
    let trained = world.run(&["train", "pairs.csv", "--features", features, "-o", "m.lwm"]);
    assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));
    world
}

fn objects(world: &World, arguments: &[&str]) -> Vec<Value> {
    let output = world.run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn texts_are_ranked_by_a_model_with_reasons() {
    let world = answers();
    let query = "what is there to know about goats";
    let rank = |more: &[&str]| {
        let start = ["rank", "pool.csv", "--on", "text", "--id", "id", "--model", "m.lwm"];
        [&start, more].concat().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let ask = |more: &[&str]| {
        let all = rank(more);
        objects(&world, &all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let found = ask(&[query, "--json", "--explain", "-k", "3", "--keep", "year"]);
    assert_eq!(
        (found.len(), &found[0]["id"], &found[0]["year"]),
        (3, &"p6".into(), &"2006".into())
    );
    assert!(found[0]["explanation"].as_array().unwrap().len() >= 7, "{}", found[0]);
    let scores: Vec<f64> = found.iter().map(|f| f["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b) && scores[0] > scores[2], "{scores:?}");
    // Retrieval alone would have the other one first.
    let retrieved = objects(
        &world,
        &["search", "pool.csv", "--on", "text", "--id", "id", "-m", "bm25", query, "--json"],
    );
    assert_ne!(retrieved[0]["id"], "p6");
    // Many queries give the same, whatever the number of threads.
    let world = world.and("asked.txt", format!("{query}\nwhat is there to know about eggs\n"));
    let all = |threads: &str| {
        let arguments =
            rank(&["--queries", "asked.txt", "-k", "3", "-o", "ranked.csv", "--threads"]);
        let arguments = arguments.iter().map(String::as_str).chain([threads]).collect::<Vec<_>>();
        assert!(world.run(&arguments).status.success());
        world.read("ranked.csv")
    };
    let written = all("1");
    assert!(written.starts_with("query,rank,id,score,retrieved,text\n1,1,p6,"), "{written}");
    assert!(written.contains("\n2,1,p4,"), "{written}");
    assert_eq!(written, all("3"));
    // An index has its own measure.
    world.run(&["index", "build", "pool.csv", "--on", "text", "--id", "id", "-o", "pool.lw"]);
    let found = objects(&world, &["rank", "pool.lw", "--model", "m.lwm", query, "--json"]);
    assert_eq!(found[0]["id"], "p6");
    // A model of records does not rank texts.
    let shops = shops();
    shops.run(&TRAIN);
    let said = complaint(&shops, &["rank", "b.csv", "--on", "name", "--model", "m.lwm", "lamp"]);
    assert!(said.contains("records of several columns"), "{said}");
}

#[test]
fn rankings_are_evaluated_beside_a_baseline() {
    let world = answers();
    let eval = ["eval", "rank", "set", "-m", "tfidf", "--model", "m.lwm", "--json"];
    let found = objects(&world, &eval);
    let [tfidf, retrieval, model] = &found[..] else { panic!("{found:?}") };
    assert!(tfidf["measure"].as_str().unwrap().starts_with("tfidf"), "{tfidf}");
    assert!(retrieval["measure"].as_str().unwrap().starts_with("bm25"), "{retrieval}");
    assert_eq!(model["measure"], "m.lwm");
    for key in ["hit@1", "hit@5", "p@5", "ndcg@1", "ndcg@10", "p+", "nerr@10", "map", "mrr"] {
        assert!((0.0..=1.0).contains(&model[key].as_f64().unwrap()), "{key}: {model}");
        assert!(tfidf[format!("{key}_gain")].is_null() && model[format!("{key}_gain")].is_f64());
    }
    assert_eq!(
        (&model["hit@1"], &model["recall@100"], &model["queries"]),
        (&1.0.into(), &1.0.into(), &12.into())
    );
    // The model has the grade 2 first where TF-IDF has the 1: linear gains halve, exponential ones are a third.
    let gain =
        |how: &str| objects(&world, &[&eval[..], &["--gains", how]].concat())[0]["ndcg@1"].as_f64();
    assert_eq!((gain("linear"), gain("exponential")), (Some(0.5), Some(1.0 / 3.0)));
    assert!(complaint(&world, &[&eval[..], &["--gains", "cubic"]].concat()).contains("linear"));
    // With one candidate the reply that retrieval misses is a miss.
    let few = objects(&world, &[&eval[..], &["--candidates", "1"]].concat());
    assert!(few[2]["recall@100"].as_f64().unwrap() <= 0.5, "{}", few[2]);
}

#[test]
fn dependency_trees_come_from_a_file_beside_the_texts() {
    let row =
        |at, form, head, relation| format!("{at}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n");
    let tree = |subject| {
        let rows =
            [row(1, subject, 2, "nsubj"), row(2, "eat", 0, "root"), row(3, "fish", 2, "obj")];
        format!("# text = {subject} eat fish\n{}\n", rows.concat())
    };
    let world =
        World::with("pairs.csv", "a,b\ncats eat fish,dogs eat fish\ncats eat fish,cows graze\n")
            .and("trees.conllu", tree("cats") + &tree("dogs"))
            .and("none.conllu", "no trees\n");
    let ask = ["features", "pairs.csv", "--on", "a,b", "--features", "dependency", "--parses"];
    let none = world.run(&[&ask[..], &["trees.conllu", "--parser", "none"]].concat());
    let found = String::from_utf8(none.stdout).unwrap();
    let name = |value| format!(r#""dependency(parser=""none"").{value}""#);
    let head = format!("{},{}", name("similarity"), name("present"));
    assert_eq!(found, format!("{head}\n0.5,1\n0,0\n"));
    let said = complaint(&world, &[&ask[..], &["none.conllu"]].concat());
    assert!(said.contains("none.conllu") && said.contains("# text"), "{said}");
}

#[test]
fn options_of_records_and_of_texts_are_not_mixed() {
    let world = answers().and("r.csv", "id,name\n1,a\n2,b\n").and("m.csv", "l,r\n1,1\n2,2\n");
    for option in ["--on", "--left-id", "--right-id", "--pairs-left", "--candidates-by"] {
        let train = ["train", "pairs.csv", "-o", "x.lwm", option, "tfidf"];
        let extra: &[&str] = if option == "--candidates-by" { &["--candidates", "3"] } else { &[] };
        let said = complaint(&world, &[&train[..], extra].concat());
        assert!(said.contains("goes with tables of records"), "{said}");
    }
    let train = ["train", "--left", "r.csv", "--right", "r.csv", "--pairs", "m.csv", "-o", "x.lwm"];
    let ids = ["--pairs-left", "l", "--pairs-right", "r", "--candidates", "2"];
    let train = [&train[..], &ids].concat();
    for option in ["--query", "--candidate"] {
        let said = complaint(&world, &[&train[..], &[option, "name"]].concat());
        assert!(said.contains(option) && said.contains("pairs of texts"), "{said}");
    }
    // A column of labels that is named must be there.
    let said = complaint(&world, &[&train[..], &["--label", "grade"]].concat());
    assert!(said.contains("there is no column `grade`"), "{said}");
}

#[test]
fn vectors_or_a_parser_that_no_feature_takes_are_refused() {
    let world = answers();
    for option in [["--vectors", "v.txt"], ["--parser", "none"]] {
        let train = ["train", "pairs.csv", "--features", "tfidf", "-o", "x.lwm"];
        let said = complaint(&world, &[&train[..], &option].concat());
        assert!(said.contains(option[0]) && said.contains("tfidf"), "{said}");
        let features = ["features", "pairs.csv", "--on", "query,candidate", "--features", "tfidf"];
        assert!(complaint(&world, &[&features[..], &option].concat()).contains(option[0]));
    }
}

#[test]
fn english_texts_without_trees_are_parsed() {
    let world = World::with(
        "pairs.csv",
        "a,b\nThe cat chased a mouse.,The dog chased a mouse.\nIt rains.,It rains.\n",
    );
    let ask = ["features", "pairs.csv", "--on", "a,b", "--features", "dependency"];
    let found = String::from_utf8(world.run(&ask).stdout).unwrap();
    assert_eq!(found, "dependency.similarity,dependency.present\n0.5,1\n0.5,1\n");
    let said = complaint(&world, &[&ask[..], &["--parser", "no.lwp"]].concat());
    assert!(said.contains("no.lwp"), "{said}");
}

#[test]
fn a_model_refuses_word_vectors_of_another_content() {
    let world = answers().and("v.txt", "2 2\napples 1 0\nboats 0 1\n");
    let train = ["train", "pairs.csv", "--features", "lab0", "--vectors", "v.txt", "-o", "v.lwm"];
    let output = world.run(&train);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ask = ["rank", "pool.csv", "--on", "text", "--model", "v.lwm", "about apples"];
    assert!(world.run(&ask).status.success());
    let world = world.and("v.txt", "2 2\napples 1 0\nboats 1 0\n");
    let said = complaint(&world, &ask);
    assert!(said.contains("v.lwm") && said.contains("v.txt"), "{said}");
    std::fs::remove_file(world.path("v.txt")).unwrap();
    assert!(complaint(&world, &ask).contains("v.txt"));
}
