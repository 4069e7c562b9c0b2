//! Tables as a whole: what goes in comes out, and what is wrong is said.

use super::*;
use proptest::prelude::*;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

type Rows = Vec<Vec<String>>;

/// Reads all of a table; the name tells the format.
fn read_with(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<(Vec<String>, Rows)> {
    let mut reader = Reader::from_read(name, io::Cursor::new(bytes.to_vec()), options)?;
    rows_of(&mut reader)
}

fn rows_of(reader: &mut Reader) -> Result<(Vec<String>, Rows)> {
    let mut rows = Rows::new();
    let mut row = Row::default();
    while reader.next_row(&mut row)? {
        assert_eq!(row.number(), rows.len() as u64 + 1);
        rows.push(row.fields().map(str::to_owned).collect());
    }
    assert!(!reader.next_row(&mut row)?);
    Ok((reader.columns().to_vec(), rows))
}

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Result<(Vec<String>, Rows)> {
    read_with(name, bytes.as_ref(), &ReadOptions::default())
}

fn rows(name: &str, bytes: impl AsRef<[u8]>) -> Rows {
    read(name, bytes).unwrap().1
}

/// What reading says is wrong.
fn complaint(name: &str, bytes: impl AsRef<[u8]>) -> String {
    read(name, bytes).unwrap_err().to_string()
}

fn create(path: &Path, columns: &[&str], rows: &Rows) -> Result<()> {
    let mut writer = Writer::create(path, columns.iter().copied(), &WriteOptions::default())?;
    for row in rows {
        writer.write_row(row)?;
    }
    writer.finish()
}

/// A stream whose bytes can be looked at afterwards.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn written(name: &str, columns: &[Column], rows: &[&[Field<'_>]]) -> Result<Vec<u8>> {
    let shared = Shared::default();
    let columns = columns.iter().cloned();
    let mut writer = Writer::to_write(name, shared.clone(), columns, &WriteOptions::default())?;
    for row in rows {
        writer.write_row(row.iter().copied())?;
    }
    writer.finish()?;
    let bytes = shared.0.lock().unwrap().clone();
    Ok(bytes)
}

// Reading

#[test]
fn csv_fields_may_be_quoted() {
    let text = "id,name\r\n1,\"Bo, Jr.\"\r\n\r\n2,\"say \"\"hi\"\"\r\nthere\"\r\n3,5\" disk\n4,\"a\"b\n5,\"\"";
    assert_eq!(
        rows("t.csv", text),
        [["1", "Bo, Jr."], ["2", "say \"hi\"\r\nthere"], ["3", "5\" disk"], ["4", "ab"], ["5", ""]]
    );
}

#[test]
fn a_row_knows_the_line_it_starts_on() {
    let text = "a\r\n\"1\r\n2\"\r\n\r\n3\r\n";
    let mut reader = Reader::from_read("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap();
    let mut row = Row::default();
    let mut lines = Vec::new();
    while reader.next_row(&mut row).unwrap() {
        lines.push(row.line());
    }
    assert_eq!(lines, [2, 5]);
}

#[test]
fn a_field_of_tsv_is_quoted_only_if_its_quotes_close() {
    assert_eq!(rows("t.tsv", "a\tb\n\"x\ty\"\n\n1\t\n"), [["\"x", "y\""], ["1", ""]]);
    assert_eq!(
        rows("t.tsv", "a\tb\n\"x \"\"y\"\"\"\t\"\"\n\"a\" b\t\"\n"),
        [["x \"y\"", ""], ["\"a\" b", "\""]]
    );
    assert_eq!(rows("t.tsv", "a\tb\n\"x\ty\"\tz\n"), [["x\ty", "z"]]);
    assert_eq!(rows("t.tsv", "a\n\nx\n"), [[""], ["x"]]);
}

#[test]
fn plain_lines_are_rows_of_one_column() {
    let (columns, rows) = read("t.txt", "one\r\n\nthree, \"and\" \0more").unwrap();
    assert_eq!(columns, ["text"]);
    assert_eq!(rows, [["one"], [""], ["three, \"and\" \0more"]]);
    assert!(read("t.txt", "").unwrap().1.is_empty());
}

#[test]
fn json_values_become_text() {
    let text = r#"{"id": 1, "name": "Ana\n\u00e9", "more": [1.50, {"a b": " \" "}]}

{"name": null, "other": 1, "id": 1e400}
{"more": true, "name": "x", "name": "y"}"#;
    let (columns, rows) = read("t.jsonl", text).unwrap();
    assert_eq!(columns, ["id", "name", "more", "other"]);
    assert_eq!(
        rows,
        [
            ["1", "Ana\né", r#"[1.50,{"a b":" \" "}]"#, ""],
            ["1e400", "", "", "1"],
            ["", "y", "true", ""]
        ]
    );
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(read("t.csv", "\u{feff}a,b\n1,2\n").unwrap().0, ["a", "b"]);
    assert_eq!(rows("t.jsonl", "\u{feff}{\"a\":1}"), [["1"]]);
    assert_eq!(rows("t.txt", "\u{feff}a"), [["a"]]);
}

#[test]
fn without_a_header_columns_go_by_number() {
    let options = ReadOptions { header: false, ..ReadOptions::default() };
    let (columns, rows) = read_with("t.tsv", b"x\ty\nz\tw\n", &options).unwrap();
    assert_eq!(columns, ["1", "2"]);
    assert_eq!(rows, [["x", "y"], ["z", "w"]]);
    assert_eq!(read_with("t.csv", b"", &options).unwrap(), (Vec::new(), Rows::new()));
}

#[test]
fn a_header_alone_is_a_table_without_rows() {
    for text in ["a,b", "a,b\n", "a,b\r\n\r\n"] {
        assert_eq!(read("t.csv", text).unwrap(), (vec!["a".into(), "b".into()], Rows::new()));
    }
}

#[test]
fn a_field_of_ten_megabytes_is_fine() {
    let field = "x\"\n".repeat(3_500_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv.zst");
    create(&path, &["a", "b"], &vec![vec![field.clone(), String::new()]]).unwrap();
    let mut reader = Reader::open(&path, &ReadOptions::default()).unwrap();
    assert!(rows_of(&mut reader).unwrap().1 == [[field, String::new()]]);
}

#[test]
fn bytes_that_are_not_utf8_can_be_read_as_replacement_characters() {
    let options = ReadOptions { lossy: true, ..ReadOptions::default() };
    assert_eq!(read_with("t.csv", b"a\nx\xffy\n", &options).unwrap().1, [["x\u{fffd}y"]]);
}

// Complaints

#[test]
fn an_empty_file_is_said_to_be_empty() {
    assert_eq!(complaint("names.csv", ""), "names.csv is empty: expected a header line");
    assert_eq!(complaint("names.tsv", "\u{feff}"), "names.tsv is empty: expected a header line");
    assert_eq!(
        complaint("names.jsonl", "\n"),
        "names.jsonl is empty: expected a JSON object on the first line"
    );
}

#[test]
fn a_ragged_row_is_named() {
    assert_eq!(
        complaint("names.csv", "a,b\r\n1,2\r\n1\r\n"),
        "names.csv line 3: expected 2 fields, found 1"
    );
    assert_eq!(complaint("names.tsv", "a\n1\t2\n"), "names.tsv line 2: expected 1 field, found 2");
}

#[test]
fn a_quote_left_open_is_named() {
    assert_eq!(
        complaint("names.csv", "a,b\n1,\"2\n3,4\n"),
        "names.csv line 2: a quote opens a field here and is never closed; \
         write a quote inside a quoted field twice (\"\")"
    );
}

#[test]
fn columns_of_one_name_are_named() {
    assert_eq!(
        complaint("names.csv", "id,name,id,x,name,id\n"),
        "names.csv has several columns named `id`, `name`: give each its own name"
    );
}

#[test]
fn a_byte_that_is_not_utf8_is_placed() {
    assert_eq!(
        complaint("names.csv", b"id,name\n1,Jos\xe9\n"),
        "names.csv line 2, byte 6 of the line (byte 14 of the file): 0xe9 is not UTF-8; \
         save the file as UTF-8, or use option `lossy` to read such bytes as U+FFFD"
    );
    assert_eq!(
        complaint("names.csv", b"\xff\xfea\0"),
        "names.csv looks like UTF-16: save it as UTF-8"
    );
}

#[test]
fn what_is_no_json_object_is_named() {
    assert_eq!(
        complaint("names.jsonl", "{\"a\":1}\n{\"a\":}\n"),
        "names.jsonl line 2, column 6: expected value; expected one JSON object a line"
    );
    assert_eq!(
        complaint("names.json", "[\n"),
        "names.json line 1, column 0: invalid type: sequence, expected a JSON object; \
         expected one JSON object a line"
    );
    assert!(complaint("names.jsonl", "{\"a\":1} x").contains("trailing characters"));
    assert!(complaint("names.jsonl", r#"{"a":"\ud800"}"#).starts_with("names.jsonl line 1, "));
}

#[test]
fn a_missing_column_comes_with_help() {
    let ask = |text: &'static str, name| {
        let reader = Reader::from_read("names.csv", text.as_bytes(), &ReadOptions::default());
        reader.unwrap().columns_named(&[name]).unwrap_err().to_string()
    };
    assert_eq!(
        ask("id,name,city\n", "nmae"),
        "names.csv has no column `nmae`: did you mean `name`? It has `id`, `name`, `city`"
    );
    assert_eq!(
        ask("id,name\n", "question"),
        "names.csv has no column `question`. It has `id`, `name`"
    );
    assert_eq!(
        ask("id;name\n1;2;3\n", "name"),
        "names.csv has no column `name`. It has only `id;name`; \
         its fields seem to stand between semicolons: say option `delimiter` ';'"
    );
    assert_eq!(
        ask("id\tname\n1\n", "name"),
        "names.csv has no column `name`. It has only `id\\tname`; \
         its fields seem to stand between tabs: say option `delimiter` tab"
    );
    let many = (0..25).map(|i| format!("c{i:02}x")).collect::<Vec<_>>().join(",") + "\n";
    let reader = Reader::from_read("t.csv", io::Cursor::new(many), &ReadOptions::default());
    let error = reader.unwrap().columns_named(&["zzzzz"]).unwrap_err().to_string();
    assert!(error.ends_with("`c19x`, … (5 more)"), "{error}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Reader::open("no/such.csv", &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.starts_with("cannot read no/such.csv: "), "{error}");
    let error = Reader::open(".", &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "cannot read .: it is a folder, not a file");
    let error = Writer::create("no/such.csv", ["a"], &WriteOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "cannot write no/such.csv: there is no folder no");
}

#[test]
fn a_damaged_gzip_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv.gz");
    let rows: Rows = (0..10_000).map(|i| vec![(i * 7919).to_string()]).collect();
    create(&path, &["a"], &rows).unwrap();
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let error = Reader::open(&path, &ReadOptions::default()).and_then(|mut r| rows_of(&mut r));
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("cannot read ") && error.contains("t.csv.gz: "), "{error}");
}

#[test]
fn after_an_error_there_are_no_more_rows() {
    let mut reader =
        Reader::from_read("t.csv", &b"a\n1,2\n3\n"[..], &ReadOptions::default()).unwrap();
    let mut row = Row::default();
    assert!(reader.next_row(&mut row).is_err());
    assert!(!reader.next_row(&mut row).unwrap());
}

#[test]
fn what_cannot_be_written_is_said() {
    let columns = [Column::text("name"), Column::number("score"), Column::integer("n")];
    let say = |name: &str, columns: &[Column], row: &[Field<'_>]| {
        written(name, columns, &[row]).unwrap_err().to_string()
    };
    assert_eq!(
        say("out.csv", &columns, &["x".into()]),
        "out.csv row 1: expected 3 fields to write, got 1"
    );
    assert_eq!(
        say("out.csv", &columns, &["x".into(), "high".into(), "1".into()]),
        "out.csv row 1: column `score` takes numbers, got `high`"
    );
    assert_eq!(
        say("out.csv", &columns, &["x".into(), 1.0.into(), 1.5.into()]),
        "out.csv row 1: column `n` takes whole numbers, got `1.5`"
    );
    assert_eq!(
        say("out.txt", &columns, &[]),
        "cannot write out.txt as plain lines, which hold one column: there are 3 \
         (`name`, `score`, `n`); end the name in .csv, .tsv, .jsonl or .parquet"
    );
    assert_eq!(say("out.csv", &[], &[]), "cannot write out.csv: a table needs at least one column");
    assert_eq!(
        say("out.csv", &["a".into(), "a".into()], &[]),
        "out.csv has several columns named `a`: give each its own name"
    );
    let error = Writer::create("x.parquet.gz", ["a"], &WriteOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot write x.parquet.gz: Parquet is compressed already, end the name in .parquet"
    );
}

#[cfg(not(feature = "arrow"))]
#[test]
fn a_build_without_parquet_says_so() {
    let message = "t.parquet is a Parquet file, which this build of likewise cannot handle: \
                   build it with the cargo feature `arrow`, or use .csv, .tsv or .jsonl";
    assert_eq!(complaint("t.parquet", "PAR1"), message);
    assert_eq!(written("t.parquet", &["a".into()], &[]).unwrap_err().to_string(), message);
}

#[test]
fn a_broken_pipe_can_be_told() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let endings: &[&str] = if cfg!(feature = "arrow") { &["csv", "parquet"] } else { &["csv"] };
    for ending in endings {
        let name = format!("t.{ending}");
        let mut writer = Writer::to_write(&name, Closed, ["a"], &WriteOptions::default()).unwrap();
        writer.write_row(["x"]).unwrap();
        let error = writer.finish().unwrap_err();
        assert!(error.is_broken_pipe(), "{ending}: {error:?}");
    }
    assert!(!read("t.csv", "").unwrap_err().is_broken_pipe());
}

// Writing

#[test]
fn numbers_are_numbers_where_the_format_knows_them() {
    let columns = [Column::text("t"), Column::number("x"), Column::integer("n")];
    let table: [&[Field<'_>]; 4] = [
        &[Field::Number(0.1), Field::Number(0.1 + 0.2), Field::Integer(-3)],
        &["".into(), "".into(), "".into()],
        &[Field::Integer(7), Field::Integer(2), Field::Number(1e3)],
        &["\u{1}\"\\".into(), Field::Number(f64::NAN), "42".into()],
    ];
    assert_eq!(
        String::from_utf8(written("t.jsonl", &columns, &table).unwrap()).unwrap(),
        "{\"t\":\"0.1\",\"x\":0.30000000000000004,\"n\":-3}\n\
         {\"t\":\"\",\"x\":null,\"n\":null}\n\
         {\"t\":\"7\",\"x\":2,\"n\":1000}\n\
         {\"t\":\"\\u0001\\\"\\\\\",\"x\":null,\"n\":42}\n"
    );
    assert_eq!(
        String::from_utf8(written("t.tsv", &columns, &table).unwrap()).unwrap(),
        "t\tx\tn\n0.1\t0.30000000000000004\t-3\n\t\t\n7\t2\t1000\n\u{1}\"\\\tNaN\t42\n"
    );
}

#[test]
fn what_tsv_and_lines_cannot_hold_becomes_a_blank() {
    let field: &[Field<'_>] = &["a\tb\r\nc".into()];
    assert_eq!(written("t.tsv", &["x".into()], &[field]).unwrap(), b"x\na b  c\n");
    assert_eq!(written("t.txt", &["x".into()], &[field]).unwrap(), b"a\tb  c\n");
}

#[test]
fn a_row_that_does_not_fit_leaves_no_trace() {
    let shared = Shared::default();
    let mut writer =
        Writer::to_write("t.csv", shared.clone(), ["a", "b"], &WriteOptions::default()).unwrap();
    writer.write_row(["1"]).unwrap_err();
    writer.write_row(["1", "2", "3"]).unwrap_err();
    writer.write_row(["1", "2"]).unwrap();
    assert_eq!(writer.rows(), 1);
    writer.finish().unwrap();
    assert_eq!(*shared.0.lock().unwrap(), b"a,b\n1,2\n");
}

#[test]
fn a_writer_dropped_unfinished_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv.gz");
    std::fs::write(&path, "before").unwrap();
    let mut writer = Writer::create(&path, ["a"], &WriteOptions::default()).unwrap();
    writer.write_row(["1"]).unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    drop(writer);
    assert_eq!(std::fs::read(&path).unwrap(), b"before");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_permissions_and_a_link_its_target() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("t.csv"), folder.path().join("link.csv"));
    std::fs::write(&path, "before").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    create(&link, &["a"], &vec![vec!["1".to_owned()]]).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"a\n1\n");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    create(Path::new("/dev/null"), &["text"], &vec![vec!["1".to_owned()]]).unwrap();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

// Properties

fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        proptest::collection::vec(
            prop_oneof![
                Just('"'),
                Just(','),
                Just('\n'),
                Just('\r'),
                Just('\t'),
                Just('\u{feff}'),
                Just('\\'),
                Just('\0'),
                Just(' '),
                any::<char>()
            ],
            0..8
        )
        .prop_map(|chars| chars.into_iter().collect()),
    ]
}

fn table() -> impl Strategy<Value = (Vec<String>, Rows)> {
    (1..5usize).prop_flat_map(|width| {
        (
            // An empty name is read as a number, and names must differ.
            proptest::collection::hash_set(field().prop_map(|name| name + "."), width)
                .prop_map(|names| names.into_iter().collect()),
            proptest::collection::vec(proptest::collection::vec(field(), width), 0..6),
        )
    })
}

/// What is left of a field in a format that cannot hold line breaks and tabs.
fn blanked(field: &str) -> String {
    field.replace(['\t', '\n', '\r'], " ")
}

fn distinct(mut names: Vec<String>) -> bool {
    names.sort();
    names.windows(2).all(|pair| pair[0] != pair[1])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 192 }))]

    #[test]
    fn what_is_written_is_read((columns, rows) in table()) {
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let folder = tempfile::tempdir().unwrap();
        let mut endings = vec!["csv", "csv.gz", "csv.zst", "jsonl", "ndjson.zst", "tsv", "tab.gz"];
        if cfg!(feature = "arrow") {
            endings.push("parquet");
        }
        for ending in endings {
            let path = folder.path().join("t").with_extension(ending);
            let text_only = ending.starts_with('t');
            let expected = if text_only {
                let names: Vec<String> = columns.iter().map(|name| blanked(name)).collect();
                if !distinct(names.clone()) {
                    continue;
                }
                (names, rows.iter().map(|row| row.iter().map(|f| blanked(f)).collect()).collect())
            } else {
                (columns.clone(), rows.clone())
            };
            if ending.contains("json") && rows.is_empty() {
                continue; // nothing would name the columns
            }
            create(&path, &names, &rows).unwrap();
            let mut reader = Reader::open(&path, &ReadOptions::default()).unwrap();
            prop_assert_eq!(rows_of(&mut reader).unwrap(), expected, "{}", ending);
        }
        let lines: Rows = rows.iter().map(|row| vec![row[0].clone()]).collect();
        let path = folder.path().join("t.txt.gz");
        create(&path, &["text"], &lines).unwrap();
        let mut reader = Reader::open(&path, &ReadOptions::default()).unwrap();
        let expected: Rows =
            lines.iter().map(|row| vec![row[0].replace(['\n', '\r'], " ")]).collect();
        prop_assert_eq!(rows_of(&mut reader).unwrap().1, expected);
    }

    #[test]
    fn csv_is_what_another_reader_takes_it_for(text in "[ab,\"\n]{0,40}") {
        let mut other = ::csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let expected: Rows =
            other.records().map(|r| r.unwrap().iter().map(str::to_owned).collect()).collect();
        let mut input = input::Text::new("t".into(), input::buffered(io::Cursor::new(text)), false, u64::MAX);
        let (mut raw, mut row, mut found) = (String::new(), Row::default(), Rows::new());
        loop {
            match csv::read(&mut input, &mut raw, &mut row, b',') {
                Ok(true) => found.push(row.fields().map(str::to_owned).collect()),
                Ok(false) => {
                    prop_assert_eq!(found, expected);
                    break;
                }
                // The other takes an open quote for closed at the end.
                Err(error) => {
                    let open = matches!(error, Error::OpenQuote { .. });
                    prop_assert!(open);
                    prop_assert_eq!(&found[..], &expected[..found.len()]);
                    break;
                }
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..200),
            proptest::collection::vec(
                proptest::sample::select(&b"\"\"\"{}[]:,,,\n\n\r\tab1\\u\0\xff\xc3"[..]), 0..60),
            r#"(\{("a"|"b"):("x"|1|null|\[\{\}\])(,"a":"\\\\?")?\}\n?){0,5}"#.prop_map(String::into_bytes),
        ],
        lossy: bool,
        header: bool,
    ) {
        for name in ["t.csv", "t.tsv", "t.jsonl", "t.txt", "t.parquet"] {
            let _ = read_with(name, &bytes, &ReadOptions { lossy, header, ..ReadOptions::default() });
        }
    }
}

#[cfg(feature = "arrow")]
#[path = "parquet/tests.rs"]
mod parquet_tests;
