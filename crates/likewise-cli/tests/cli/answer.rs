//! `likewise answer`, `likewise eval answer` and `likewise graph`.

use super::*;

const STORY: &str =
    "Tammy has a dog. Mary likes dolls. On Sunday Max bought three red apples at the market.";

fn question(question: &str, choices: &[&str], answer: usize) -> String {
    let line = serde_json::json!({
        "id": question, "document": STORY, "question": question, "choices": choices, "answer": answer, "evidence": "one",
    });
    format!("{line}\n")
}

fn questions() -> String {
    question("Who has a dog?", &["Max", "Tammy"], 1)
        + &question(
            "What did Max buy at the market?",
            &["a blue car", "green pears", "red apples"],
            2,
        )
        + &question("Who likes dolls?", &["Mary", "Tammy", "Max", "nobody"], 0)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn questions_are_answered_with_evidence() {
    let world = World::with("q.jsonl", questions());
    let shown = text(&world.run(&["answer", "q.jsonl"]).stdout);
    assert!(shown.contains("▸") && shown.contains("Tammy has a dog."), "{shown}");
    let output = world.run(&["answer", "q.jsonl", "--json"]);
    let lines: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|l| l["answer"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 0]);
    assert_eq!(lines[0]["hypothesis"], "Tammy has a dog");
    assert_eq!(lines[0]["evidence"]["sentence"], "Tammy has a dog.");
    let (start, end) = (
        lines[1]["evidence"]["start"].as_u64().unwrap(),
        lines[1]["evidence"]["end"].as_u64().unwrap(),
    );
    assert!(STORY[start as usize..end as usize].starts_with("On Sunday"));
    let measured = world.run(&["answer", "q.jsonl", "--json", "-m", "sc", "--against", "sentence"]);
    assert!(text(&measured.stdout).lines().next().unwrap().contains("\"answer\":1"));
}

#[test]
fn figures_have_accuracy_and_c_at_1_and_a_margin_leaves_questions_open() {
    let world = World::with("q.jsonl", questions());
    let output = world.run(&["eval", "answer", "q.jsonl", "--json"]);
    let figures: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
    assert_eq!((&figures["accuracy"], &figures["c@1"]), (&1.0.into(), &1.0.into()));
    assert_eq!(figures["accuracy_one"], 1.0);
    let chance = figures["chance"].as_f64().unwrap();
    assert!((chance - (0.5 + 1.0 / 3.0 + 0.25) / 3.0).abs() < 1e-12);
    let output = world.run(&["eval", "answer", "q.jsonl", "--json", "--unsure", "99"]);
    let figures: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
    assert_eq!((&figures["open"], &figures["c@1"]), (&3.into(), &0.0.into()));
}

#[test]
fn a_model_is_trained_used_and_refused_when_damaged() {
    let world = World::with("q.jsonl", questions());
    world.run(&["answer", "train", "q.jsonl", "-o", "m.lwa", "-m", "sc"]);
    let output = world.run(&["eval", "answer", "q.jsonl", "--model", "m.lwa", "--json"]);
    assert!(text(&output.stdout).contains("\"measure\":\"m.lwa\""));
    let mut bytes = std::fs::read(world.path("m.lwa")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(world.path("m.lwa"), &bytes).unwrap();
    let output = world.command(&["answer", "q.jsonl", "--model", "m.lwa"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("checksum"), "{}", text(&output.stderr));
}

#[test]
fn wrong_questions_and_options_are_told() {
    let bad = question("Who?", &[], 0);
    let world = World::with("q.jsonl", questions())
        .and("bad.jsonl", bad)
        .and("none.jsonl", "{\"document\":\"d\",\"question\":\"q\",\"choices\":[\"a\"]}\n");
    for (arguments, code, part) in [
        (&["answer", "bad.jsonl"][..], 1, "it has no choices"),
        (&["answer", "missing.jsonl"], 1, "missing.jsonl"),
        (&["answer", "q.jsonl", "--against", "document"], 2, "--against goes with -m"),
        (&["answer", "q.jsonl", "--unsure=-1"], 2, "--unsure must be 0 or more"),
        (&["answer", "q.jsonl", "-m", "sc", "--model", "m"], 2, "not both"),
        (&["eval", "answer", "none.jsonl"], 1, "no question has an `answer`"),
        (&["answer", "train", "none.jsonl", "-o", "m.lwa"], 1, "nothing to learn from"),
    ] {
        let output = world.command(arguments).output().unwrap();
        let said = text(&output.stderr);
        assert!(said.contains(part), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    }
    assert!(!world.path("m.lwa").exists());
}

#[test]
fn a_graph_is_drawn_and_its_paths_are_listed() {
    let tree = "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";
    let world =
        World::with("t.conllu", tree).and("two.conllu", tree.replace("2\tnsubj", "0\troot"));
    let listed = text(&world.run(&["graph", "t.conllu"]).stdout);
    assert_eq!(listed, "1\tROOT-0 root bark_VBP\n1\tROOT-0 root bark_VBP nsubj dogs_NNS\n");
    world.run(&["graph", "t.conllu", "-o", "g.svg"]);
    assert!(world.read("g.svg").contains("dogs_NNS"));
    world.run(&["graph", "t.conllu", "-o", "g.dot"]);
    assert!(world.read("g.dot").contains("n0 -> n2"), "{}", world.read("g.dot"));
    for (arguments, code, part) in [
        (&["graph", "two.conllu"][..], 1, "words 1 and 2 both have the head 0"),
        (&["graph", "t.conllu", "--setting", "cicnlp-9"], 2, "cicnlp-1 to cicnlp-8"),
        (&["graph", "t.conllu", "-o", "g.png"], 2, ".svg or .dot"),
        (&["graph", "t.conllu", "--senses", "1"], 2, "--senses goes with --expand"),
    ] {
        let output = world.command(arguments).output().unwrap();
        let said = text(&output.stderr);
        assert!(said.contains(part), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    }
}

#[test]
fn questions_are_answered_by_the_paths_of_graphs() {
    let world = World::with(
        "q.jsonl",
        question("Who has a dog?", &["Max", "Tammy"], 1)
            + &question("Who likes dolls?", &["Tammy", "Mary", "Max"], 1),
    );
    for setting in ["cicnlp-5", "cicnlp-8"] {
        let lines = world.json(&["answer", "q.jsonl", "--json", "--graph", setting]);
        let answers: Vec<u64> = lines.iter().map(|l| l["answer"].as_u64().unwrap()).collect();
        assert_eq!(answers, [1, 1], "{setting}");
        assert!(
            lines
                .iter()
                .flat_map(|l| l["scores"].as_array().unwrap())
                .all(|s| s.as_f64().unwrap() > 0.0)
        );
    }
    // Several measures of paths in one evaluation, each named with its setting.
    let figures = world.json(&[
        "eval",
        "answer",
        "q.jsonl",
        "--json",
        "--graph",
        "cicnlp-6",
        "--paths",
        "all",
        "-m",
        "tfidf(weights=tf)",
        "-m",
        "soft-cosine(terms=edit(unit=elements), formula=pairs, weights=tf)",
    ]);
    assert_eq!(figures.len(), 2);
    assert!(
        figures[0]["measure"].as_str().unwrap().starts_with("cicnlp-6: tfidf("),
        "{}",
        figures[0]
    );
    for figure in &figures {
        assert_eq!(number(figure, "accuracy"), 1.0, "{figure}");
    }
    world.usage_error(&["answer", "q.jsonl", "--graph", "cicnlp-0"], &["cicnlp-1 to cicnlp-8"]);
    world.usage_error(&["answer", "q.jsonl", "--paths", "all"], &["--graph"]);
    world.usage_error(
        &["answer", "q.jsonl", "--graph", "cicnlp-1", "--against", "sentence"],
        &["--against"],
    );
    world
        .usage_error(&["answer", "q.jsonl", "--graph", "cicnlp-1", "--senses", "1"], &["--expand"]);
    world.usage_error(
        &["answer", "q.jsonl", "--graph", "cicnlp-1", "--analyzer", "analyzer"],
        &["--analyzer"],
    );
}

#[test]
fn empty_documents_and_single_choices_have_defined_answers() {
    let line = |document: &str, choices: &[&str]| {
        let line =
            serde_json::json!({"document": document, "question": "Who ran?", "choices": choices});
        format!("{line}\n")
    };
    let world = World::with(
        "q.jsonl",
        line("", &["Tom", "Ann"]) + &line(" \n", &["Tom", "Ann"]) + &line("Tom ran.", &["Ann"]),
    )
    .and("none.jsonl", line("Tom ran.", &["Tom"]) + &line("Tom ran.", &[]));
    for way in
        [&[][..], &["-m", "sc"], &["--graph", "cicnlp-3"], &["--graph", "cicnlp-7", "-m", "tfidf"]]
    {
        let lines = world.json(&[&["answer", "q.jsonl", "--json"][..], way].concat());
        // Nothing to go by: the first choice, without evidence and without any margin.
        for line in &lines[..2] {
            assert_eq!((&line["answer"], number(line, "margin")), (&0.into(), 0.0), "{way:?}");
            assert_eq!(line["evidence"], Value::Null, "{way:?}");
        }
        // One choice is the answer however unsure.
        assert_eq!(
            (&lines[2]["answer"], &lines[2]["margin"]),
            (&0.into(), &Value::Null),
            "{way:?}"
        );
        let unsure =
            world.json(&[&["answer", "q.jsonl", "--json", "--unsure", "0.1"][..], way].concat());
        assert_eq!((&unsure[0]["answer"], &unsure[2]["answer"]), (&Value::Null, &0.into()));
        world.failed(
            &[&["answer", "none.jsonl"][..], way].concat(),
            &["line 2", "it has no choices"],
        );
    }
}
