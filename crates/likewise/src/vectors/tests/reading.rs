use super::{WordVectors, all, binary, message, read};
use proptest::prelude::*;
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    // In two, one after the other, as `cat a.gz b.gz` makes them.
    let (a, b) = bytes.split_at(bytes.len() / 2);
    let pack = |bytes: &[u8]| {
        let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        to.write_all(bytes).unwrap();
        to.finish().unwrap()
    };
    [pack(a), pack(b)].concat()
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -2f32..2f32,
        1 => prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO,
    ]
}

#[test]
fn a_number_that_begins_like_the_end_of_a_line_is_no_text() {
    // Its first byte is that of a line's end, and the word before it is a number.
    let first = f32::from_le_bytes(*b"\ns\xba?");
    let bytes = binary(&[("0", &[first, 0.0])], 2, false);
    assert!(bytes.starts_with(b"1 2\n0 \n"));
    assert_eq!(read(&bytes).unwrap().unit(0), [1.0, 0.0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn all_forms_of_the_same_vectors_read_the_same(
        dimension in 2usize..9,
        words in prop::collection::vec("[a-zé0-9.,-]{1,6}", 1..40),
        seed in prop::collection::vec(number(), 40 * 9),
    ) {
        // A first word that is a number and one number after it would be a header; there are at least two.
        let rows: Vec<(&str, &[f32])> = words.iter().map(String::as_str)
            .zip(seed.chunks_exact(dimension)).collect();
        let line = |(word, values): &(&str, &[f32]), gap: &str, end: &str| {
            let numbers = values.iter().map(|v| format!("{gap}{v:e}")).collect::<String>();
            format!("{word}{numbers}{end}")
        };
        let headless: String = rows.iter().map(|row| line(row, " ", "\n")).collect();
        let header = format!("{} {dimension}\n", rows.len());
        let tabbed: String = rows.iter().map(|row| line(row, "\t", " \r\n")).collect();
        let expected = all(&read(&headless).unwrap());
        let cut = headless.trim_end();
        for (name, bytes) in [
            ("text", format!("{header}{headless}").into_bytes()),
            ("tabs and line ends of Windows", format!("{header}{tabbed}\r\n").into_bytes()),
            ("without the last line end", cut.to_owned().into_bytes()),
            ("byte order mark", format!("\u{feff}{headless}").into_bytes()),
            ("binary", binary(&rows, dimension, false)),
            ("binary with line ends", binary(&rows, dimension, true)),
        ] {
            prop_assert_eq!(&all(&read(&bytes).unwrap()), &expected, "{}", name);
            prop_assert_eq!(&all(&read(gzip(&bytes)).unwrap()), &expected, "{} in gzip", name);
            let packed = zstd::encode_all(&bytes[..], 1).unwrap();
            prop_assert_eq!(&all(&read(packed).unwrap()), &expected, "{} in Zstandard", name);
        }
        // And they are what was written.
        let vectors = read(&headless).unwrap();
        for (at, (word, values)) in rows.iter().enumerate() {
            let row = vectors.get(word).unwrap();
            if words[..at].iter().any(|before| before == word) {
                continue;
            }
            let norm = values.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt();
            prop_assert!((vectors.norm(row) - norm).abs() <= 1e-12 * norm);
            for (&unit, &value) in vectors.unit(row).iter().zip(*values) {
                let exact = if norm == 0.0 { 0.0 } else { f64::from(value) / norm };
                prop_assert!((f64::from(unit) - exact).abs() <= 6e-8 * exact.abs() + 1e-44);
            }
        }
    }
}

#[test]
fn words_with_blanks_keep_them_and_rows_keep_their_words() {
    let vectors =
        read("the 1 2\n. . . 3 4\nat name@domain.com 5 6\n\u{a0} 7 8\nto infinity 1 1\n").unwrap();
    let words: Vec<&str> = vectors.words().iter().collect();
    assert_eq!(words, [". . .", "at name@domain.com", "the", "to infinity", "\u{a0}"]);
    assert_eq!(vectors.norm(vectors.get(". . .").unwrap()), 5.0);
    assert_eq!(vectors.unit(vectors.get(". . .").unwrap()), [0.6, 0.8]);
    assert_eq!(vectors.get("The"), None);
    // A first line whose word has blanks has as many numbers as stand at its end.
    assert_eq!(read("a b 1 2\nc 3 4\n").unwrap().dimension(), 2);
}

#[test]
fn the_first_of_repeated_words_stays_and_words_no_text_can_hold_go() {
    let vectors = read(b"5 2\na 1 0\na 0 1\n 1 1\n\xff\xfe 1 1\nb 0 0\n").unwrap();
    assert_eq!((vectors.len(), vectors.repeated(), vectors.left_out()), (2, 1, 2));
    let (a, b) = (vectors.get("a").unwrap(), vectors.get("b").unwrap());
    assert_eq!(vectors.unit(a), [1.0, 0.0]);
    assert_eq!((vectors.norm(b), vectors.cosine(a, b), vectors.cosine(b, a)), (0.0, 0.0, 0.0));
    assert_eq!((vectors.cosine(a, a), vectors.cosine(b, b)), (1.0, 0.0), "rows with themselves");
    let rows: [(&str, &[f32]); 3] = [("", &[1.0]), ("x", &[2.0]), ("x", &[-1.0])];
    let vectors = read(binary(&rows, 1, true)).unwrap();
    assert_eq!((vectors.len(), vectors.repeated(), vectors.left_out()), (1, 1, 1));
    assert_eq!(vectors.unit(0), [1.0]);
}

#[test]
fn a_header_alone_is_a_file_without_words() {
    let vectors = read("0 3\n").unwrap();
    assert_eq!((vectors.len(), vectors.dimension(), vectors.is_empty()), (0, 3, true));
    assert_eq!(vectors.get("a"), None);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (file, expected) in [
        ("", "v is empty: expected word vectors"),
        ("\n", "v line 1: expected `count dimension` or a word and its numbers, found ``"),
        (
            "hello world\n",
            "v line 1: expected `count dimension` or a word and its numbers, found `hello world`",
        ),
        ("3 0\na\n", "v line 1: vectors of 0 numbers; between 1 and 65536 can be read"),
        ("3 99999999999\na 1\n", "v line 1: vectors of 99999999999 numbers"),
        ("2 2\na 1 2\nb 1\n", "v line 3: 1 numbers, but the vectors of this file have 2"),
        ("2 2\na 1 2\nb 1 2 3\n", "v line 3: 3 numbers, but the vectors of this file have 2"),
        ("a 1 2\nb 1\n", "v line 2: 1 numbers, but the vectors of this file have 2"),
        ("a 1 2\n\nb\n", "v line 3: 0 numbers, but the vectors of this file have 2"),
        ("a 1 2\nb 1 2 3\n", "v line 2: 3 numbers, but the vectors of this file have 2"),
        ("a 1 2\nb x 2\n", "v line 2: number 1 of the vector is `x`, which is no number"),
        ("1 2\nb 2 1,5\n", "v line 2: number 2 of the vector is `1,5`, which is no number"),
        ("a 1 2\nb nan 2\n", "v line 2: number 1 of the vector is infinite or not a number"),
        ("a 1 2\nb 1 -inf\n", "v line 2: number 2 of the vector is infinite or not a number"),
        ("a 1 2\nb 1 1e39\n", "v line 2: number 2 of the vector is infinite or not a number"),
        ("3 2\na 1 2\nb 1 2\n", "v ends at line 4 after 2 whole rows, but its header promises 3"),
        ("1 2\na 1 2\nb 1 2\n", "v line 3: more rows than the 1 that the header promises"),
        ("18446744073709551615 2\na 1 2\n", "v ends at line 3 after 1 whole rows"),
    ] {
        let message = message(file);
        assert!(message.starts_with(expected), "{file:?}: {message}");
    }
}

#[test]
fn what_is_wrong_with_a_binary_file_is_said_with_its_byte() {
    let rows: [(&str, &[f32]); 2] = [("cat", &[1.0, 2.0]), ("dog", &[3.0, 4.0])];
    // `2 2\n`, then 12 bytes a row.
    let whole = binary(&rows, 2, false);
    assert!(read(&whole).is_ok());
    let cut = message(&whole[..24]);
    assert!(
        cut.starts_with("v ends at byte 24 after 1 whole rows, but its header promises 2"),
        "{cut}"
    );
    let cut = message(&whole[..18]);
    assert!(cut.starts_with("v ends at byte 18 after 1 whole rows"), "{cut}");
    let more = message([&whole[..], b"x"].concat());
    assert!(more.starts_with("v byte 29: more rows than the 2 that the header promises"), "{more}");
    let rows: [(&str, &[f32]); 1] = [("cat", &[1.0, f32::NAN])];
    let nan = message(binary(&rows, 2, false));
    assert!(
        nan.starts_with("v byte 13: number 2 of the vector is infinite or not a number"),
        "{nan}"
    );
    let long = message([b"1 1\n\0".to_vec(), vec![b'x'; 100_000]].concat());
    assert!(long.starts_with("v byte 5: no blank ends the word that begins here"), "{long}");
}

#[test]
fn the_first_error_is_told_however_many_cores_look() {
    let mut text = String::new();
    for row in 0..40_000 {
        text += &format!("w{row} {}\n", if row % 9_000 == 8_999 { "1 2 x" } else { "1 2 3" });
    }
    let message = message(&text);
    assert!(message.starts_with("v line 9000: number 3"), "{message}");
}

#[test]
fn files_longer_than_a_stretch_are_read_whole() {
    let row = |n: u32| format!("word{n} {}\n", "0.12345678 ".repeat(400));
    let text: String = (0..4_000).map(row).collect();
    assert!(text.len() > 2 * (8 << 20), "more than two stretches");
    let vectors = read(text).unwrap();
    assert_eq!((vectors.len(), vectors.dimension()), (4_000, 400));
    assert!(vectors.units.iter().all(|&unit| unit == 0.05));
}

#[test]
fn a_path_that_is_no_file_is_an_error() {
    let folder = super::Folder::new();
    let error = WordVectors::read(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("it is a folder, not a file"), "{error}");
    let error = WordVectors::read(folder.path().join("no")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read "), "{error}");
    // A packed file that is cut off.
    let packed = zstd::encode_all(&b"a 1 2\n"[..], 1).unwrap();
    let error = message(&packed[..packed.len() - 2]);
    assert!(error.starts_with("cannot read v: "), "{error}");
}
