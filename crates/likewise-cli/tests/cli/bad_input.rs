//! What goes wrong ends in a message that helps, never in a panic.

use super::{World, number, says};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn an_unknown_measure_is_pointed_at_and_the_nearest_suggested() {
    let stderr = World::new().fails(2, &["score", "a", "b", "-m", "0.5*sc + 0.5*levenstein"]);
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines[0], "error: unknown measure `levenstein`");
    assert_eq!(lines[1], "  0.5*sc + 0.5*levenstein");
    assert_eq!(lines[2], "               ^^^^^^^^^^ did you mean `levenshtein`?");
}

#[test]
fn expressions_that_make_no_sense_are_pointed_at() {
    let world = World::new();
    for (measure, words) in [
        ("sc(pading=full)", &["`sc` has no setting `pading`", "did you mean `padding`?"][..]),
        ("sc(padding=fuil)", &["did you mean `full`?"]),
        ("sc(q=0)", &["`q` must be whole numbers from 1 to 20", "\n       ^"]),
        ("sc(q=9:3)", &["empty range", "did you mean 3:9?"]),
        ("sc(q=99999999999999999999)", &["`q`"]),
        ("sc(p=nan)", &["`p` must be a number"]),
        ("jaro-winkler(prefix=1)", &["from 0 to 0.25"]),
        ("0*sc", &["the weight of `sc` must be above 0"]),
        ("-1*sc", &["the weight of `sc` must be above 0"]),
        ("1e999*sc", &["`sc`"]),
        ("sc +", &["expected", "the end"]),
        ("sc(", &["expected", "the end"]),
        ("sc)", &["expected"]),
        ("", &["expected a name"]),
        ("日本", &["日本"]),
        ("sc(q=1, q=2)", &["given twice"]),
        ("sc(analyzer=3)", &["analyzer(case=keep)"]),
    ] {
        world.usage_error(&["score", "a", "b", "-m", measure], words);
    }
    world.usage_error(
        &["score", "a", "b", "--analyzer", "analyzer(stem=potter)"],
        &["did you mean `porter`?"],
    );
    world.usage_error(&["score", "a", "b", "--analyzer", "foo"], &["unknown analyzer `foo`"]);
}

#[test]
fn a_nested_expression_ten_thousand_deep_is_refused() {
    let deep = "sc(".repeat(10_000);
    World::new().fails(2, &["score", "a", "b", "-m", &deep]);
    let deep = "soft-tfidf(terms=".repeat(5_000);
    World::new().fails(2, &["score", "a", "b", "-m", &deep]);
}

#[test]
fn an_empty_file_is_named() {
    let world = World::with("empty.csv", "").and("empty.jsonl", "").and("empty.parquet", "");
    world.failed(&["score", "empty.csv"], &["empty.csv is empty", "header"]);
    world.failed(&["score", "empty.jsonl", "--on", "a,b"], &["empty.jsonl is empty"]);
    world.failed(&["score", "empty.parquet", "--on", "a,b"], &["empty.parquet"]);
    world.failed(&["search", "empty.csv", "x"], &["empty.csv is empty"]);
    world.failed(&["eval", "pairs", "empty.csv"], &["empty.csv is empty"]);
}

#[test]
fn a_header_without_rows_is_an_empty_table() {
    let world = World::with("pairs.csv", "left,right\n");
    assert_eq!(world.ok(&["score", "pairs.csv"]), "left,right,score\n");
    assert_eq!(world.ok(&["search", "pairs.csv", "--on", "left", "x"]), "");
}

#[test]
fn a_missing_column_is_answered_with_the_nearest() {
    let world = World::with("pairs.csv", "left,right\na,b\n").and("semi.csv", "left;right\na;b\n");
    world.usage_error(
        &["score", "pairs.csv", "--on", "lfet,right"],
        &["pairs.csv has no column `lfet`", "did you mean `left`?"],
    );
    world.usage_error(&["score", "pairs.csv", "--on", "left"], &["--on LEFT,RIGHT"]);
    says(&world.ok(&["score", "semi.csv", "--on", "left,right"]), &["left"]);
    let three = World::with("three.csv", "a,b,c\n1,2,3\n");
    three.usage_error(
        &["score", "three.csv"],
        &["three.csv: which two columns? It has a, b, c", "--on LEFT,RIGHT"],
    );
}

#[test]
fn a_ragged_row_is_told_by_its_line() {
    let world = World::with("a.csv", "left,right\na,b\nc\n").and("b.tsv", "left\tright\na\tb\tc\n");
    let said = world.run(&["score", "a.csv", "-m", "equal", "-o", "out.csv"]);
    assert_eq!(said.status.code(), Some(1));
    says(&String::from_utf8_lossy(&said.stderr), &["a.csv line 3: expected 2 fields, found 1"]);
    assert!(!world.path("out.csv").exists(), "no half table stands there");
    world.failed(
        &["search", "b.tsv", "--on", "left", "x"],
        &["b.tsv line 2: expected 2 fields, found 3"],
    );
}

#[test]
fn broken_tables_are_told_by_file_and_line() {
    let world = World::with("quote.csv", "left,right\na,\"b\nc,d\n")
        .and("a.jsonl", "{\"left\":\"a\",\"right\":\"b\"}\n{\"left\":\n")
        .and("twice.csv", "left,left\na,b\n")
        .and("a.parquet", "this is not parquet")
        .and("a.csv.gz", "this is not gzip");
    world.failed(&["score", "quote.csv"], &["quote.csv line 2", "never closed"]);
    world.failed(&["score", "a.jsonl"], &["a.jsonl line 2"]);
    world.failed(&["score", "twice.csv"], &["several columns named `left`"]);
    world.failed(&["score", "a.parquet", "--on", "l,r"], &["a.parquet"]);
    world.failed(&["score", "a.csv.gz", "--on", "l,r"], &["a.csv.gz"]);
}

#[test]
fn bytes_that_are_not_utf8_are_told_by_line_and_byte() {
    let world = World::with("latin.csv", b"left,right\na,b\nca\xf1a,cana\n");
    for arguments in [&["score", "latin.csv"][..], &["search", "latin.csv", "--on", "left", "cana"]]
    {
        world.failed(
            arguments,
            &[
                "latin.csv line 3, byte 3 of the line (byte 18 of the file)",
                "0xf1 is not UTF-8",
                "--lossy",
            ],
        );
    }
    let printed = world.ok(&["score", "latin.csv", "--lossy", "-m", "levenshtein"]);
    says(&printed, &["ca\u{fffd}a,cana,0.75"]);
}

#[test]
fn a_text_of_ten_megabytes_is_scored() {
    let long = "ab c".repeat(2_500_000);
    let world = World::with("long.csv", format!("left,right\n{long},abc\n{long},{long}\n"));
    for measure in ["levenshtein", "sc", "tfidf"] {
        world.ok(&["score", "long.csv", "-m", measure, "-o", "out.csv"]);
        let scored = world.read("out.csv");
        let scores: Vec<f64> = scored
            .lines()
            .skip(1)
            .map(|l| l.rsplit(',').next().unwrap().parse().unwrap())
            .collect();
        assert!(scores[0] < 0.9, "{measure}");
        assert!((scores[1] - 1.0).abs() < 1e-9 || measure == "tfidf", "{measure}");
    }
}

#[test]
fn text_of_every_kind_scores_and_is_explained() {
    let texts = [
        "a\0b",
        "\u{301}",
        "e\u{301}\u{301}\u{301}",
        "שלום עולם",
        "مرحبا",
        "👩\u{200d}👩\u{200d}👧 family",
        "🇨🇴🇨🇴",
        "北京大学",
        "\u{feff}bom",
        "tab\there",
        "line\nbreak",
        "ß",
        "İ",
        "ﬁ",
        "\u{1b}[31mred",
        "\u{202e}reversed",
        "\u{fffd}",
    ];
    let mut table = "left,right\n".to_owned();
    for left in texts {
        for right in texts {
            table += &format!("\"{left}\",\"{right}\"\n");
        }
    }
    let world = World::with("odd.csv", table);
    for measure in [
        "sc",
        "word-grams",
        "levenshtein",
        "jaro-winkler",
        "soft-tfidf",
        "monge-elkan(direction=both)",
        "qgrams",
        "sc-pairwise",
    ] {
        let lines = world.json(&["score", "odd.csv", "-m", measure, "--json"]);
        assert_eq!(lines.len(), texts.len() * texts.len());
        for line in &lines {
            assert!((0.0..=1.0 + 1e-9).contains(&number(line, "score")), "{line}");
        }
    }
    for text in texts.iter().filter(|t| !t.contains('\0')) {
        let shown = world.ok(&["score", text, text, "--explain", "-m", "levenshtein"]);
        assert!(shown.starts_with("1.0000"), "{text:?}");
        assert!(!shown.contains('\u{1b}'), "no text moves the cursor");
        world.ok(&["search", "odd.csv", "--on", "left", text, "--explain"]);
    }
}

#[test]
fn what_is_not_there_is_named_once() {
    let world = World::with("folder/x", "");
    for arguments in [
        &["score", "none.csv", "--on", "a,b"][..],
        &["search", "none.csv", "x"],
        &["eval", "pairs", "none.csv"],
    ] {
        let stderr = world.fails(1, arguments);
        assert_eq!(stderr, "error: cannot read none.csv: No such file or directory (os error 2)\n");
    }
    for arguments in [&["score", "folder"][..], &["search", "folder", "x"]] {
        assert_eq!(
            world.fails(1, arguments),
            "error: cannot read folder: it is a folder, not a file\n"
        );
    }
    world.usage_error(
        &["score", "only one text"],
        &["`only one text` is no file", "likewise score TEXT TEXT"],
    );
}

#[test]
fn output_that_cannot_be_written_is_told() {
    let world = World::with("pairs.csv", "left,right\na,b\n").and("folder.csv/x", "");
    let write = |to| ["score", "pairs.csv", "-m", "equal", "-o", to];
    assert_eq!(
        world.fails(1, &write("no/such/out.csv")),
        "error: cannot write no/such/out.csv: there is no folder no/such\n"
    );
    world.failed(&write("folder.csv"), &["cannot write folder.csv"]);
    world.usage_error(&write("out.txt"), &["plain lines", ".csv, .tsv, .jsonl or .parquet"]);
    world.usage_error(&["score", "a", "b", "-o", "out.csv"], &["-o goes with a table"]);
    world.usage_error(&["score", "a", "b", "--on", "x,y"], &["--on names columns of a table"]);
    world.usage_error(&["score", "pairs.csv", "--json", "-o", "out.csv"], &["cannot be used with"]);
    assert_eq!(world.read("pairs.csv"), "left,right\na,b\n");
}

#[test]
fn there_is_no_work_without_threads() {
    World::new()
        .usage_error(&["score", "a", "b", "--threads", "0"], &["--threads", "0 is not in 1.."]);
    World::new().usage_error(&["score", "a", "b", "--threads", "many"], &["--threads"]);
}

#[test]
fn a_reader_that_has_read_enough_is_no_failure() {
    let rows: String = (0..60_000).map(|i| format!("some text {i},another text {i}\n")).collect();
    let long: String = (0..1000).map(|i| format!("{i},{}\n", "note ".repeat(40))).collect();
    let world = World::with("pairs.csv", format!("left,right\n{rows}"))
        .and("few.txt", "some text\nanother\n")
        .and("long.csv", format!("name,note\n{long}"));
    for arguments in [
        &["score", "pairs.csv", "-m", "levenshtein"][..],
        &["score", "pairs.csv", "-m", "levenshtein", "--json"],
        &["search", "pairs.csv", "--on", "left", "text", "-k", "60000", "-m", "levenshtein"],
        &["search", "few.txt", "--queries", "pairs.csv", "--query-on", "left", "--json"],
        &["match", "pairs.csv", "few.txt", "--left-on", "left", "--right-on", "text"],
        &["dedupe", "long.csv", "--on", "name", "-m", "equal", "--min", "1", "--keep", "note"],
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("likewise"))
            .args(arguments)
            .current_dir(world.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
        assert!(!first.is_empty());
    }
}
