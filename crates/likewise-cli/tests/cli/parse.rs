//! `likewise parse`, `parse train` and `parse eval`.

use super::*;

/// A language in miniature, large enough to be learned in seconds.
fn treebank() -> String {
    let nouns = ["dog", "cat", "bird", "horse", "mouse", "child"];
    let verbs = ["bark", "sing", "run", "jump", "eat"];
    let sentence = |at: usize| {
        let (noun, verb) = (nouns[at % nouns.len()], verbs[at / 3 % verbs.len()]);
        format!(
            "# text = The {noun} {verb}s.\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\t{noun}\t{noun}\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n\
             3\t{verb}s\t{verb}\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No\n4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
        )
    };
    (0..60).map(sentence).collect()
}

const TINY: [&str; 10] =
    ["--epochs", "20", "--token-epochs", "12", "--width", "32", "--layers", "1", "--rate", "0.01"];

fn train<'a>(treebank: &'a str, output: &'a str) -> Vec<&'a str> {
    [&["parse", "train", treebank, "-o", output][..], &TINY].concat()
}

#[test]
fn raw_english_is_parsed_without_any_file() {
    let world = World::new();
    let expected = "# newpar\n# text = The old dog doesn't bark.\n\
                    1\tThe\tthe\tDET\tDT\t_\t3\tdet\t_\t_\n\
                    2\told\told\tADJ\tJJ\t_\t3\tamod\t_\t_\n\
                    3\tdog\tdog\tNOUN\tNN\t_\t6\tnsubj\t_\t_\n\
                    4-5\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_\n\
                    4\tdoes\tdo\tAUX\tVBZ\t_\t6\taux\t_\t_\n\
                    5\tn't\tnot\tPART\tRB\t_\t6\tadvmod\t_\t_\n\
                    6\tbark\tbark\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n\
                    7\t.\t.\tPUNCT\t.\t_\t6\tpunct\t_\t_\n\n";
    let text = "The old dog doesn't bark.";
    assert_eq!(world.ok(&["parse", text]), expected);
    assert_eq!(world.fed(text, &["parse"]), expected);
    let world = world.and("t.txt", text);
    world.ok(&["parse", "-f", "t.txt", "-o", "t.conllu"]);
    assert_eq!(world.read("t.conllu"), expected);
}

#[test]
fn json_has_the_bytes_of_every_word() {
    let world = World::new();
    let text = "The café closes at noon. It doesn't matter!";
    let sentences = world.json(&["parse", "--json", text]);
    assert_eq!(sentences.len(), 2);
    assert_eq!(sentences[0]["text"], "The café closes at noon.");
    for sentence in &sentences {
        let words = sentence["words"].as_array().unwrap();
        for part in words.iter().chain(sentence["multiword_tokens"].as_array().unwrap()) {
            let [start, end] = [0, 1].map(|at| part["bytes"][at].as_u64().unwrap() as usize);
            assert_eq!(part["form"], text[start..end]);
        }
        let roots = words.iter().filter(|word| word["head"] == 0 && word["deprel"] == "root");
        assert_eq!(roots.count(), 1);
    }
    assert_eq!(sentences[1]["multiword_tokens"][0]["form"], "doesn't");
}

#[test]
fn a_tree_is_drawn_from_its_root() {
    let world = World::new();
    assert_eq!(
        world.ok(&["parse", "--tree", "The old dog chased a cat."]),
        "chased VERB (root)\n├─ dog NOUN (nsubj)\n│  ├─ The DET (det)\n│  └─ old ADJ (amod)\n\
         ├─ cat NOUN (obj)\n│  └─ a DET (det)\n└─ . PUNCT (punct)\n\n"
    );
}

#[test]
fn a_model_is_trained_and_parses_and_is_the_same_again() {
    let world = World::with("train.conllu", treebank());
    // With one epoch: progress is told, and --dev does not change what is learned.
    let once = |output| {
        [&["parse", "train", "train.conllu", "-o", output, "--epochs", "1"][..], &TINY[2..]]
            .concat()
    };
    let (_, said) = world.both(&[&once("dev.lwp")[..], &["--dev", "train.conllu"]].concat());
    says(&said, &["tokens 12/12", "trees 1/1", "LAS", "dev.lwp:"]);
    world.ok(&once("again.lwp"));
    let [one, again] =
        ["dev.lwp", "again.lwp"].map(|name| std::fs::read(world.path(name)).unwrap());
    assert!(one == again);
    world.ok(&train("train.conllu", "m.lwp"));
    let first = std::fs::read(world.path("m.lwp")).unwrap();
    let parsed = world.ok(&["parse", "--model", "m.lwp", "The horse sings. The cat eats."]);
    says(
        &parsed,
        &["2\thorse\thorse\tNOUN\tNN\t_\t3\tnsubj", "3\teats\teat\tVERB\tVBZ\t_\t0\troot"],
    );
    let figures = &world.json(&["parse", "eval", "train.conllu", "--model", "m.lwp", "--json"])[0];
    for key in ["uas", "las", "upos", "xpos", "lemmas", "words", "sentences"] {
        assert!(number(figures, key) > 99.0, "{key}: {figures}");
    }
    assert!(number(figures, "words_per_second") > 0.0 && figures["gold_tokens"] == false);
    assert!(!world.path("m.lwp.partial").exists());

    // A model that is not as it was written.
    let world = world.and("short.lwp", &first[..first.len() / 2]).and("empty.lwp", "");
    let mut altered = first.clone();
    altered[first.len() / 3] ^= 1;
    let world = world.and("altered.lwp", altered).and("other.lwp", "a table of figures\n");
    for model in ["short.lwp", "empty.lwp", "altered.lwp", "other.lwp", "missing.lwp"] {
        world.failed(&["parse", "--model", model, "A dog."], &[model]);
        world.failed(&["graph", "A dog.", "--parser", model], &[model]);
    }
}

#[test]
fn eval_scores_the_built_in_model_and_writes_what_it_parsed() {
    let world = World::with("t.conllu", treebank());
    let shown = world.ok(&["parse", "eval", "t.conllu", "-o", "out.conllu"]);
    says(&shown, &["uas", "las", "words a second"]);
    assert_eq!(world.read("out.conllu").lines().filter(|line| line.starts_with("1\t")).count(), 60);
    let gold = &world.json(&["parse", "eval", "t.conllu", "--gold-tokens", "--json"])[0];
    assert_eq!((number(gold, "words"), number(gold, "sentences")), (100.0, 100.0));
    assert!(number(gold, "uas") > 80.0);
}

/// A word a line: its head and relation, and what else is wrong with it.
fn tree(heads: &[&str]) -> String {
    let line = |(at, head): (usize, &&str)| {
        format!(
            "{}\tw\tw\tX\tX\t_\t{head}\t{}\t_\t_\n",
            at + 1,
            if *head == "0" { "root" } else { "dep" }
        )
    };
    heads.iter().enumerate().map(line).chain(["\n".to_owned()]).collect()
}

#[test]
fn what_is_no_tree_is_told_with_its_line() {
    let good = tree(&["0", "1"]);
    for (heads, words) in [
        (&["0", "3", "2"][..], &["from word 2 leads back to it"][..]),
        (&["0", "0"], &["words 1 and 2 both have the head 0"]),
        (&["0", "_"], &["word 2"]),
        (&["2", "1"], &["no word has the head 0"]),
        (&["0", "7"], &["7"]),
        (&["0", "x"], &["x"]),
    ] {
        let world = World::with("bad.conllu", good.clone() + &tree(heads));
        for command in [
            &["parse", "eval", "bad.conllu"][..],
            &train("bad.conllu", "m.lwp"),
            &["graph", "bad.conllu"],
        ] {
            let said = world.fails(1, command);
            says(&said, words);
            says(&said, &["bad.conllu", "line "]);
        }
        assert!(!world.path("m.lwp").exists());
    }
}

#[test]
fn five_thousand_words_are_one_tree() {
    let mut lines = String::new();
    for at in 0..5000 {
        let (form, head) = (["the", "dog", "runs"][at % 3], if at == 0 { 0 } else { at });
        let relation = if at == 0 { "root" } else { "dep" };
        lines += &format!("{}\t{form}\t{form}\tX\tX\t_\t{head}\t{relation}\t_\t_\n", at + 1);
    }
    let world = World::with("long.conllu", lines + "\n");
    world.ok(&["parse", "eval", "long.conllu", "--gold-tokens", "-o", "out.conllu"]);
    // What was written is a tree again, and every word is in it.
    assert!(world.ok(&["graph", "out.conllu"]).contains("ROOT-0"));
    assert_eq!(world.read("out.conllu").lines().filter(|line| line.contains('\t')).count(), 5000);
}

#[test]
fn nothing_gives_nothing() {
    let world = World::with("empty.conllu", "").and("blank.txt", "\n \n");
    for arguments in [&["parse", ""][..], &["parse", "-f", "blank.txt"], &["parse", "", "--json"]] {
        assert_eq!(world.ok(arguments), "");
    }
    world.failed(&["parse", "eval", "empty.conllu"], &["empty.conllu", "no sentences"]);
    world.failed(&train("empty.conllu", "m.lwp"), &["empty.conllu", "no sentences"]);
    assert_eq!(world.ok(&["graph", ""]), "");
}

#[test]
fn wrong_flags_and_files_are_told() {
    let world = World::with("t.conllu", treebank()).and("latin.txt", b"caf\xe9");
    world.usage_error(&["parse", "a", "--json", "--tree"], &["--json", "--tree"]);
    world.usage_error(&["parse", "a", "-f", "latin.txt"], &["--file"]);
    world.usage_error(
        &["parse", "train", "t.conllu", "-o", "m.lwp", "--width", "40"],
        &["--width", "16"],
    );
    world.usage_error(
        &["parse", "train", "t.conllu", "-o", "m.lwp", "--dropout", "1"],
        &["--dropout"],
    );
    world.usage_error(&["graph", "A dog.", "--setting", "cicnlp-9"], &["cicnlp-1 to cicnlp-8"]);
    world.usage_error(&["graph", "t.conllu", "--parser", "m.lwp"], &["--parser"]);
    world.failed(&["parse", "-f", "latin.txt"], &["latin.txt", "byte 4 is not UTF-8"]);
    world.failed(&["parse", "-f", "missing.txt"], &["missing.txt"]);
    world.failed(&["parse", "eval", "missing.conllu"], &["missing.conllu"]);
}

#[test]
fn a_graph_is_made_of_raw_text() {
    let world = World::with("story.txt", "The dog barks.");
    let listed = world.ok(&["graph", "story.txt"]);
    assert_eq!(listed, world.ok(&["graph", "The dog barks."]));
    assert_eq!(
        listed,
        "1\tROOT-0 root barks_VBZ\n1\tROOT-0 root barks_VBZ nsubj dog_NN\n1\tROOT-0 root barks_VBZ nsubj dog_NN det the_DT\n"
    );
}
