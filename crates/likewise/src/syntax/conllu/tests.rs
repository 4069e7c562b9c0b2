use super::*;

fn read(text: &str) -> Result<Vec<Sentence>, ConlluError> {
    Reader::new(text.as_bytes()).collect()
}

fn word(number: usize, head: &str) -> String {
    format!("{number}\tw{number}\t_\t_\t_\t_\t{head}\t_\t_\t_\n")
}

#[test]
fn every_treebank_comes_out_byte_for_byte() {
    let Some(data) = std::env::var_os("LIKEWISE_DATA") else {
        eprintln!("LIKEWISE_DATA is not set: no treebank was read");
        return;
    };
    let folder = std::path::Path::new(&data).join("treebank");
    let mut seen = 0;
    for name in [
        "en_ewt/train",
        "en_ewt/dev",
        "en_ewt/test",
        "zh_gsdsimp/dev",
        "zh_gsdsimp/test",
        "zh_pud/all",
        "zh_hk/all",
        "zh_cfl/all",
    ] {
        let bytes = std::fs::read(folder.join(format!("{name}.conllu"))).unwrap();
        let mut out = Vec::with_capacity(bytes.len());
        for sentence in Reader::new(&bytes[..]).trees() {
            let sentence = sentence.unwrap_or_else(|error| panic!("{name}: {error}"));
            seen += sentence.words.len();
            write_sentence(&mut out, &sentence).unwrap();
        }
        assert!(out == bytes, "{name} came out differently");
    }
    assert_eq!(seen, 204_577 + 25_147 + 25_094 + 12_663 + 12_012 + 21_415 + 9_874 + 7_256);
}

#[test]
fn tokens_and_empty_nodes_stand_where_they_stood() {
    let text = "# sent_id = 1\n# newpar\n0.1\tx\t_\t_\t_\t_\t_\t_\t2:dep\tCopyOf=2\n\
        1-2\tdon't\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No\n\
        1\tdo\tdo\tAUX\tVBP\t_\t3\taux\t_\t_\n2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_\n\
        2.1\ty\t_\t_\t_\t_\t_\t_\t_\t_\n2.2\tz\t_\t_\t_\t_\t_\t_\t_\t_\n\
        3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n";
    let sentences = read(text).unwrap();
    let mut out = Vec::new();
    write_sentence(&mut out, &sentences[0]).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), text);
    let tokens: Vec<_> = sentences[0].tokens().collect();
    assert_eq!(tokens[0], Token { form: "don't", words: 1..3, space_after: false });
    assert_eq!(tokens[1], Token { form: "go", words: 3..4, space_after: true });
    assert_eq!(sentences[0].comment("sent_id"), Some("1"));
    assert_eq!(sentences[0].comment("newpar"), Some(""));
    assert_eq!(sentences[0].comment("new"), None);
}

#[test]
fn what_the_format_does_not_allow_is_refused_with_its_line() {
    let w = word;
    for (text, line, part) in [
        ("1\tx\n\n".to_owned(), 1, "2 columns"),
        (w(1, "0").replace("w1", "") + "\n", 1, "column 2 is empty"),
        (w(1, "0") + &w(3, "1") + "\n", 2, "word 3 where word 2 is due"),
        (w(1, "x") + "\n", 1, "head `x` is no whole number"),
        (w(1, "-1") + "\n", 1, "head `-1`"),
        (w(1, "1") + "\n", 1, "its own head"),
        (w(1, "5") + "\n", 2, "the head 5, and the sentence has 1 words"),
        (w(1, "0") + "# late\n\n", 2, "comment between words"),
        ("# only a comment\n\n".to_owned(), 2, "without words"),
        ("\n".to_owned(), 1, "blank line where a sentence should begin"),
        (w(1, "0") + "\n\n" + &w(1, "0"), 3, "blank line where a sentence should begin"),
        (
            "2-1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n".to_owned(),
            1,
            "does not go from a word to a later one",
        ),
        ("1-2\tx\ty\t_\t_\t_\t_\t_\t_\t_\n\n".to_owned(), 1, "its words have the rest"),
        (
            "1-3\tx\t_\t_\t_\t_\t_\t_\t_\t_\n".to_owned() + &w(1, "0") + "\n",
            3,
            "1-3 in a sentence of 1 words",
        ),
        (w(1, "0") + "2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n", 2, "empty node 2.1 where 1.1 may stand"),
        (w(1, "0") + "1.1\tx\t_\t_\t_\t_\t0\t_\t_\t_\n\n", 2, "only DEPS"),
        ("01\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n".to_owned(), 1, "is no id"),
        ("99999999999999999999999\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n".to_owned(), 1, "is no id"),
    ] {
        match read(&text) {
            Err(ConlluError::Line { line: found, reason }) => {
                assert_eq!(found, line, "{text:?}: {reason}");
                assert!(reason.contains(part), "{text:?}: {reason}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
    let error = Reader::new(&b"1\t\xff\n"[..]).next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "line 1: byte 3 of the line is not UTF-8");
}

#[test]
fn cycles_two_roots_and_missing_heads_are_no_trees() {
    let of = |heads: &[&str]| {
        let lines = heads.iter().enumerate().map(|(at, head)| word(at + 1, head));
        lines.collect::<String>() + "\n"
    };
    for (heads, expected) in [
        (&["0", "0"][..], TreeError::TwoRoots { words: [1, 2] }),
        (&["2", "1"], TreeError::NoRoot),
        (&["0", "3", "2"], TreeError::Cycle { word: 2 }),
        (&["0", "_"], TreeError::NoHead { word: 2 }),
    ] {
        let text = of(heads);
        assert_eq!(read(&text).unwrap()[0].check_tree(), Err(expected.clone()), "{heads:?}");
        match Reader::new(text.as_bytes()).trees().next() {
            Some(Err(ConlluError::Tree { line: 1, error })) => assert_eq!(error, expected),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(read(&of(&["3", "3", "0", "2"])).unwrap()[0].check_tree(), Ok(()));
}

#[test]
fn a_carriage_return_and_a_missing_last_line_are_forgiven() {
    let text = word(1, "0").replace('\n', "\r\n") + "\r\n" + word(1, "0").trim_end();
    let sentences = read(&text).unwrap();
    assert_eq!(sentences.len(), 2);
    assert_eq!(sentences[0].words[0].misc, "_");
    assert!(read("").unwrap().is_empty());
}

#[test]
fn what_cannot_be_read_back_is_not_written() {
    for form in ["", "a\tb", "a\nb"] {
        let words = vec![Word { form: form.to_owned(), ..Word::default() }];
        let sentence = Sentence { words, ..Sentence::default() };
        assert!(write_sentence(&mut Vec::new(), &sentence).is_err(), "{form:?}");
    }
}

#[test]
fn raw_text_has_a_blank_line_between_paragraphs_and_knows_its_tokens() {
    let text = "# newdoc id = a\n# text = Go.\n1\tGo\t_\t_\t_\t_\t0\t_\t_\tSpaceAfter=No\n2\t.\t_\t_\t_\t_\t1\t_\t_\t_\n\n\
        # text = Don't\n1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tDo\t_\t_\t_\t_\t0\t_\t_\t_\n2\tn't\t_\t_\t_\t_\t1\t_\t_\t_\n\n\
        # newpar\n1\tYes\t_\t_\t_\t_\t0\t_\t_\t_\n\n";
    let raw = raw_text(&read(text).unwrap()).unwrap();
    assert_eq!(raw.text, "Go. Don't\n\nYes");
    let places: Vec<Vec<(usize, usize)>> =
        raw.tokens.iter().map(|s| s.iter().map(|t| (t.start, t.end)).collect()).collect();
    assert_eq!(places, [vec![(0, 2), (2, 3)], vec![(4, 9)], vec![(11, 14)]]);
    let wrong = text.replace("text = Go.", "text = Gone.");
    let error = raw_text(&read(&wrong).unwrap()).unwrap_err().to_string();
    assert!(error.contains("sentence 1") && error.contains("`Go.`"), "{error}");
}
