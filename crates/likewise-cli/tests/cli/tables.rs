//! Tables as users have them: formats nobody named, files that must not be lost, odd columns, and what has no end.

use super::{World, says};
use serde_json::Value;
use std::io::Write;
use std::process::Output;

const FAQ: &str =
    "id,question\n1,how do I reset my password\n2,where is my parcel\n3,can I pay by card\n";

fn faq() -> World {
    World::with("faq.csv", FAQ)
}

/// What a command says that reads `input`, and how it ends.
fn piped(world: &World, input: impl AsRef<[u8]>, arguments: &[&str]) -> Output {
    world.command(arguments).write_stdin(input.as_ref().to_vec()).output().unwrap()
}

#[track_caller]
fn refused(world: &World, input: impl AsRef<[u8]>, arguments: &[&str], words: &[&str]) {
    let output = piped(world, input, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{arguments:?} succeeded");
    assert!(!stderr.contains("panicked"), "{stderr}");
    says(&stderr, words);
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

#[test]
fn no_query_that_is_piped_in_is_taken_for_a_header() {
    let world = faq();
    let base = ["search", "faq.csv", "--on", "question", "-k", "1", "--json", "--queries", "-"];
    let answers = |input: &str| world.fed(input, &base).lines().count();
    assert_eq!(answers("reset pasword\nparsel\n"), 2, "every line is a query");
    assert_eq!(answers("reset pasword, please\nparsel, where\n"), 2, "commas make no header");
    assert_eq!(answers("question\nreset pasword\n"), 1, "a header that has the column is one");
    assert_eq!(answers("{\"question\":\"parsel\"}\n{\"question\":\"pay\"}\n"), 2);
    let base = ["search", "faq.csv", "--on", "question", "-k", "1", "--json", "--queries", "csv:-"];
    assert_eq!(world.fed("question\nparsel\n", &base).lines().count(), 1);
}

#[test]
fn no_row_that_is_piped_in_is_taken_for_a_header() {
    let world = World::new();
    let rows = world.fed("Ana Lima\nAna Lima\nBo\n", &["dedupe", "-", "--min", "0.9"]);
    assert_eq!(rows.lines().count(), 4, "a header of ours and three rows: {rows}");
    let base = ["dedupe", "-", "--on", "name", "--min", "0.9"];
    assert_eq!(world.fed("name;city\nAna;Lima\nBo;Oslo\n", &base).lines().count(), 3);
    assert_eq!(world.fed("name\tcity\nAna\tLima\n", &base).lines().count(), 2);
    refused(
        &world,
        "Ana,Lima\nBo,Oslo\n",
        &base,
        &["its first line is `Ana,Lima`", "--format csv"],
    );
    refused(&world, "", &base, &["standard input is empty"]);
}

#[test]
fn what_is_packed_is_unpacked_on_standard_input_and_what_cannot_be_is_named() {
    let world = faq();
    let base = ["search", "-", "--on", "question", "parsel", "-k", "1"];
    let output = piped(&world, gzipped(FAQ), &base);
    says(&String::from_utf8_lossy(&output.stdout), &["where is my parcel"]);
    refused(&world, b"BZh91AY&SYxxxxxxxx", &base, &["bzip2", "gzip and Zstandard"]);
    refused(&world, b"\xfd7zXZ\0xxxxxxxxxxx", &base, &["xz"]);
}

#[test]
fn an_ending_that_tells_no_format_is_named_with_the_way_out() {
    let world = World::with("faq.dat", FAQ).and("faq", FAQ).and("notes.txt", "parcel\n");
    let on = |file| ["search", file, "--on", "question", "parsel", "-k", "1"];
    world.usage_error(&on("faq.dat"), &["faq.dat", ".dat", "--format csv", "csv:faq.dat"]);
    says(&world.ok(&on("csv:faq.dat")), &["where is my parcel"]);
    says(&world.ok(&on("faq")), &["where is my parcel"]);
    says(&world.ok(&[&on("faq.dat")[..], &["--format", "csv"]].concat()), &["where is my parcel"]);
    world.usage_error(&on("notes.txt"), &["no column `question`", "plain lines", "csv:notes.txt"]);
    let ignored = ["search", "notes.txt", "parcel", "--format", "csv"];
    world.usage_error(&ignored, &["--format", "notes.txt"]);
}

#[test]
fn an_output_never_destroys_an_input() {
    let world = faq();
    std::fs::hard_link(world.path("faq.csv"), world.path("link.csv")).unwrap();
    for arguments in [
        &["collection", "build", "faq.csv", "--on", "question", "-o", "faq.csv"][..],
        &["corpus", "build", "faq.csv", "-o", "./faq.csv"],
        &["matrix", "build", "faq.csv", "--on", "question", "-o", "link.csv"],
        &["dedupe", "faq.csv", "--on", "question", "--min", "1", "-o", "faq.csv"],
        &["match", "faq.csv", "link.csv", "--on", "question", "-o", "link.csv"],
        &["score", "csv:faq.csv", "--on", "id,question", "-o", "faq.csv"],
        &["vectors", "faq.csv", "--on", "question", "-o", "v.csv", "--names", "faq.csv"],
        &["eval", "pairs", "faq.csv", "--report", "faq.csv"],
    ] {
        world.usage_error(arguments, &["cannot write", "it is an input"]);
    }
    assert_eq!(world.read("faq.csv"), FAQ);
}

#[test]
fn a_file_of_ours_replaces_only_a_file_of_ours() {
    let world = faq().and("precious.txt", "do not lose me\n");
    for arguments in [
        &["collection", "build", "faq.csv", "--on", "question", "-o", "precious.txt"][..],
        &["corpus", "build", "faq.csv", "-o", "precious.txt"],
        &["matrix", "build", "faq.csv", "--on", "question", "-o", "precious.txt"],
    ] {
        world.usage_error(arguments, &["cannot write precious.txt", "did not write"]);
    }
    assert_eq!(world.read("precious.txt"), "do not lose me\n");
    let build = ["collection", "build", "faq.csv", "--on", "question", "-o", "faq.lwc"];
    world.ok(&build);
    world.ok(&build);
}

#[test]
fn a_file_of_the_wrong_kind_is_told_by_its_content() {
    let world = faq();
    world.ok(&["collection", "build", "faq.csv", "--on", "question", "-o", "a"]);
    world.ok(&["corpus", "build", "faq.csv", "-o", "b"]);
    world.failed(&["collection", "show", "b"], &["it is a corpus, not a collection"]);
    world.failed(&["corpus", "show", "a"], &["it is a collection"]);
    world.failed(&["matrix", "show", "b"], &["it is a corpus, not a matrix"]);
    world.failed(&["search", "a", "x"], &["a is a collection, which has no rows"]);
}

#[test]
fn a_failed_first_build_of_an_index_leaves_nothing_behind() {
    let world = World::with("bad.csv", "id,name\n1,Ana\n2\n");
    world.failed(&["index", "build", "bad.csv", "--on", "name", "-o", "bad.lw"], &["line 3"]);
    assert!(!world.path("bad.lw").exists());
    assert_eq!(std::fs::read_dir(world.path("")).unwrap().count(), 1);
}

#[test]
fn a_column_that_only_later_objects_have_is_found() {
    let lines = "{\"id\":1}\n{\"id\":2,\"name\":\"Ana Lima\"}\n{\"id\":3,\"name\":\"Ana Lyma\"}\n";
    let world = World::with("people.jsonl", lines);
    let found = world.ok(&["search", "people.jsonl", "--on", "name", "--id", "id", "Ana Lima"]);
    says(&found, &["\t2\tAna Lima"]);
    let many: String = (0..2000).map(|i| format!("{{\"id\":{i}}}\n")).collect();
    let world = World::with("late.jsonl", format!("{many}{{\"id\":2000,\"name\":\"Ana\"}}\n"));
    says(&world.ok(&["search", "late.jsonl", "--on", "name", "--id", "id", "Ana"]), &["\t2000\t"]);
    world.usage_error(
        &["search", "late.jsonl", "--on", "nmae", "Ana"],
        &["late.jsonl has no column `nmae`"],
    );
}

#[test]
fn numbers_and_nulls_stay_what_they_are() {
    let lines = "{\"id\":7,\"name\":\"Ana Lima\",\"age\":41,\"rate\":1.50,\"vip\":true,\"note\":null}\n\
                 {\"id\":8,\"name\":\"Ana Lima\",\"age\":null,\"rate\":2,\"vip\":false,\"note\":\"x\"}\n";
    let world = World::with("people.jsonl", lines).and("people.csv", "id,name\n7,Ana\n");
    let keep = ["--min", "0.9", "--id", "id", "--keep", "age,rate,vip,note"];
    let base = [&["dedupe", "people.jsonl", "--on", "name"][..], &keep].concat();
    let first = &world.json(&[&base[..], &["--json"]].concat())[0];
    let expected = "{\"id\":7,\"cluster\":1,\"representative\":7,\"age\":41,\"rate\":1.50,\"vip\":true,\"note\":null}";
    assert_eq!(*first, serde_json::from_str::<Value>(expected).unwrap());
    world.ok(&[&base[..], &["-o", "out.parquet"]].concat());
    let back = world.json(&[
        "dedupe",
        "out.parquet",
        "--on",
        "note",
        "--id",
        "id",
        "--min",
        "0.9",
        "--keep",
        "age,rate,vip,note",
        "--json",
    ]);
    assert_eq!(
        (&back[0]["id"], &back[0]["age"], &back[0]["note"]),
        (&7.into(), &41.into(), &Value::Null)
    );
    assert_eq!((&back[1]["age"], &back[0]["vip"]), (&Value::Null, &true.into()));
    let hit =
        &world.json(&["search", "people.jsonl", "--on", "name", "--id", "id", "Ana", "--json"])[0];
    assert_eq!(hit["id"], 7);
    let hit =
        &world.json(&["search", "people.csv", "--on", "name", "--id", "id", "Ana", "--json"])[0];
    assert_eq!(hit["id"], "7", "CSV has no types");
    let hit = &world.json(&["search", "people.csv", "--on", "name", "Ana", "--json"])[0];
    assert_eq!(hit["id"], 1, "a row's number is a number");
}

#[test]
fn quoted_fields_of_tsv_are_read_and_other_quotes_stay() {
    let tsv = "name\tnote\n\"Ana \"\"A\"\" Lima\"\t\"Yes,\" he said\n5\" disk\t\"a\tb\"\n";
    let world = World::with("t.tsv", tsv);
    let keep = ["dedupe", "t.tsv", "--on", "name", "--min", "1", "--keep", "name,note", "--json"];
    let rows = world.json(&keep);
    assert_eq!(
        (&rows[0]["name"], &rows[0]["note"]),
        (&"Ana \"A\" Lima".into(), &"\"Yes,\" he said".into())
    );
    assert_eq!((&rows[1]["name"], &rows[1]["note"]), (&"5\" disk".into(), &"a\tb".into()));
}

#[test]
fn fields_may_stand_between_other_characters_than_commas() {
    let world = World::with("semi.csv", "name;city\nAna;Lima\nBo;Oslo\n")
        .and("bar.csv", "name|city\nAna|Lima\n")
        .and("odd.csv", "name:city\nAna:Lima\n")
        .and("one.csv", "first; second\nonly text\n");
    let on = |file| ["search", file, "--on", "name", "Ana"];
    for file in ["semi.csv", "bar.csv"] {
        says(&world.ok(&on(file)), &["Ana"]);
    }
    world.usage_error(&on("odd.csv"), &["no column `name`"]);
    says(&world.ok(&[&on("odd.csv")[..], &["--delimiter", ":"]].concat()), &["Ana"]);
    world.usage_error(&[&on("odd.csv")[..], &["--delimiter", "::"]].concat(), &["--delimiter"]);
    assert_eq!(world.ok(&["search", "one.csv", "text"]).lines().count(), 1, "it has one column");
}

#[test]
fn columns_are_named_between_quotes_or_by_number() {
    let world =
        World::with("p.csv", "\"Last, First\",city\n\"Lima, Ana\",Oslo\n\"Berg, Bo\",Lima\n");
    let found = |on: &str, query: &[&str]| {
        let base = ["search", "p.csv", "-k", "1", "--on", on];
        world.ok(&[&base[..], query].concat())
    };
    says(&found("\"Last, First\"", &["Lima Ana"]), &["Lima, Ana"]);
    says(&found("\"Last, First\":0.7,city:0.3", &["Berg Bo", "Lima"]), &["Berg, Bo"]);
    says(&found("#2", &["Oslo"]), &["\t1\tOslo"]);
    world.usage_error(&["search", "p.csv", "--on", "#3", "x"], &["no column `#3`"]);
}

#[test]
fn an_id_names_one_row() {
    let world = World::with("p.csv", "id,name\n1,Ana\n2,Bo\n1,Cy\n");
    for arguments in [
        &["search", "p.csv", "--on", "name", "--id", "id", "x"][..],
        &["dedupe", "p.csv", "--on", "name", "--id", "id", "--min", "1"],
        &["index", "build", "p.csv", "--on", "name", "--id", "id", "-o", "p.lw"],
        &["match", "p.csv", "p.csv", "--on", "name", "--id", "id"],
    ] {
        world.failed(arguments, &["p.csv line 4: the id `1` is that of line 2 too"]);
    }
}

#[test]
fn a_row_added_under_an_id_that_is_there_is_refused_replaces_or_is_left_out() {
    let world =
        World::with("a.csv", "id,name\n1,Ana\n2,Bo\n").and("b.csv", "id,name\n2,Beth\n3,Cy\n");
    let build =
        || world.ok(&["index", "build", "a.csv", "--on", "name", "--id", "id", "-o", "a.lw"]);
    let names = || world.ok(&["dedupe", "a.lw", "--min", "1"]);
    build();
    world.failed(&["index", "add", "a.lw", "b.csv"], &["id `2` already", "--on-duplicate replace"]);
    assert_eq!(names().lines().count(), 3, "it is as it was");
    world.ok(&["index", "add", "a.lw", "b.csv", "--on-duplicate", "replace"]);
    assert_eq!(names().lines().count(), 4);
    says(&world.ok(&["search", "a.lw", "Beth", "-k", "1"]), &["1.0000\t2\tBeth"]);
    assert!(!world.ok(&["search", "a.lw", "Bo"]).contains("\tBo\n"));
    build();
    world.ok(&["index", "add", "a.lw", "b.csv", "--on-duplicate", "keep"]);
    assert_eq!(names().lines().count(), 4);
    says(&world.ok(&["search", "a.lw", "Bo", "-k", "1"]), &["1.0000\t2\tBo"]);
}

#[test]
fn rows_that_go_by_numbers_get_new_ones_after_rows_were_removed() {
    let world = World::with("a.csv", "name\nAna\nBo\nCy\n").and("b.csv", "name\nDee\n");
    world.ok(&["index", "build", "a.csv", "--on", "name", "-o", "a.lw"]);
    world.ok(&["index", "remove", "a.lw", "1"]);
    world.ok(&["index", "add", "a.lw", "b.csv"]);
    says(&world.ok(&["search", "a.lw", "Dee", "-k", "1"]), &["1.0000\t4\tDee"]);
}

#[test]
fn an_index_works_where_a_table_does() {
    let world = faq();
    world.ok(&["index", "build", "faq.csv", "--on", "question", "--id", "id", "-o", "faq.lw"]);
    let table = world.ok(&["match", "faq.csv", "faq.csv", "--on", "question", "--id", "id"]);
    let index = world.ok(&["match", "faq.lw", "faq.csv", "--on", "question", "--id", "id"]);
    assert_eq!(index, table);
    world.ok(&["collection", "build", "faq.csv", "--on", "question", "-o", "table.lwc"]);
    world.ok(&["collection", "build", "faq.lw", "--on", "question", "-o", "index.lwc"]);
    let bytes = |name| std::fs::read(world.path(name)).unwrap();
    assert_eq!(bytes("table.lwc"), bytes("index.lwc"));
    says(&world.ok(&["words", "pasword", "--of", "faq.lw", "--on", "question"]), &["password"]);
    let queries = ["search", "faq.csv", "--on", "question", "-k", "1", "--queries", "faq.lw"];
    assert_eq!(world.ok(&queries).lines().count(), 3);
}

#[test]
fn what_has_no_end_is_not_read_for_ever() {
    let world = World::with("long.csv", format!("name\n{}\n", "x".repeat(5000)));
    for arguments in [
        &["search", "long.csv", "x"][..],
        &["dedupe", "long.csv", "--min", "1"],
        &["collection", "build", "long.csv", "-o", "c.lwc"],
        &["corpus", "build", "long.csv", "-o", "c.corpus"],
    ] {
        let limited = [arguments, &["--max-field", "1kB"]].concat();
        world.failed(&limited, &["long.csv line 2", "more than 1000 bytes", "--max-field"]);
    }
    if std::path::Path::new("/dev/zero").exists() {
        world.failed(&["search", "/dev/zero", "x"], &["/dev/zero"]);
        world.failed(&["search", "parquet:/dev/zero", "x"], &["does not begin as a Parquet file"]);
        world.failed(&["score", "csv:/dev/zero", "--on", "a,b"], &["/dev/zero"]);
        world.failed(&["corpus", "build", "/dev/zero", "-o", "z.corpus"], &["/dev/zero line 1"]);
    }
}

#[test]
fn a_small_file_that_unpacks_to_a_huge_field_is_refused() {
    let huge = format!("name\n{}\n", "a".repeat(80 << 20));
    let world = World::with("bomb.csv.gz", gzipped(&huge));
    world.failed(&["search", "bomb.csv.gz", "x"], &["bomb.csv.gz line 2", "--max-field"]);
}

#[test]
fn text_in_utf_16_is_recognised() {
    let utf16 = |mark: bool| -> Vec<u8> {
        let mark = if mark { "\u{feff}" } else { "" };
        format!("{mark}name\nAna\n").encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let world = World::with("mark.csv", utf16(true)).and("none.csv", utf16(false));
    for file in ["mark.csv", "none.csv"] {
        world.failed(&["search", file, "x"], &[file, "UTF-16", "UTF-8"]);
    }
    refused(&World::new(), utf16(true), &["search", "-", "--on", "name", "x"], &["UTF-16"]);
}
