//! The parser as a whole.

use super::conllu::{Reader, Sentence, raw_text};
use super::{Parser, ParserError, TrainOptions, draw, score, train};
use proptest::prelude::*;
use std::sync::LazyLock;

/// A language in miniature: `the NOUN VERBs.` and `NOUNs don't VERB.`, a few hundred sentences.
fn treebank() -> Vec<Sentence> {
    let nouns = ["dog", "cat", "bird", "horse", "mouse", "child"];
    let verbs = ["bark", "sing", "run", "jump", "eat"];
    let mut text = String::new();
    for at in 0..240 {
        let (noun, verb) = (nouns[at % nouns.len()], verbs[at / 3 % verbs.len()]);
        if at % 7 == 0 {
            text.push_str("# newpar\n");
        }
        if at % 2 == 0 {
            text.push_str(&format!(
                "1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n2\t{noun}\t{noun}\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n\
                 3\t{verb}s\t{verb}\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No\n4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
            ));
        } else {
            text.push_str(&format!(
                "1\tMy\tmy\tPRON\tPRP$\t_\t2\tnmod:poss\t_\t_\n2\t{noun}s\t{noun}\tNOUN\tNNS\t_\t5\tnsubj\t_\t_\n\
                 3-4\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n3\tdo\tdo\tAUX\tVBP\t_\t5\taux\t_\t_\n\
                 4\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t_\t_\n5\t{verb}\t{verb}\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n\
                 6\t!\t!\tPUNCT\t.\t_\t5\tpunct\t_\t_\n\n"
            ));
        }
    }
    Reader::new(text.as_bytes()).trees().collect::<Result<_, _>>().unwrap()
}

fn small() -> TrainOptions {
    TrainOptions {
        epochs: 8,
        token_epochs: 20,
        width: 32,
        layers: 1,
        rate: 0.01,
        dropout: 0.1,
        ..TrainOptions::default()
    }
}

static PARSER: LazyLock<Parser> = LazyLock::new(|| {
    train(&treebank(), None, &small(), &crate::control::Control::default(), |_| {}).unwrap()
});

#[test]
fn a_language_in_miniature_is_learned_from_raw_text_on() {
    let gold = treebank();
    let raw = raw_text(&gold).unwrap();
    let scores = score(&gold, &PARSER.parse(&raw.text)).unwrap();
    for value in [scores.sentences, scores.words, scores.upos, scores.lemmas, scores.las] {
        assert!(value > 0.98, "{scores:?}");
    }
}

#[test]
fn words_and_tokens_know_their_place_in_the_text() {
    let text = "  The dog\nruns. My cats don't sing!\n\nThe bird eats.";
    let sentences = PARSER.parse(text);
    let mut covered = String::new();
    for sentence in &sentences {
        sentence.check_tree().unwrap();
        for word in &sentence.words {
            assert_eq!(&text[word.span.clone().unwrap()], word.form);
            covered.push_str(&word.form);
        }
        for token in &sentence.multiwords {
            assert_eq!(&text[token.span.clone().unwrap()], token.form);
        }
    }
    assert_eq!(covered, text.split_whitespace().collect::<String>());
    let tokens: Vec<&str> =
        sentences.iter().flat_map(|s| &s.multiwords).map(|token| token.form.as_str()).collect();
    assert_eq!(tokens, ["don't"]);
}

#[test]
fn a_model_reads_back_as_it_was_written_and_parses_the_same() {
    let bytes = PARSER.to_bytes();
    let back = Parser::from_bytes(&bytes).unwrap();
    assert_eq!(back.to_bytes(), bytes);
    let text = "The mouse jumps. My dogs don't eat!";
    assert_eq!(back.parse(text), PARSER.parse(text));
}

#[test]
fn the_same_seed_gives_the_same_model_and_another_seed_another() {
    let sentences = treebank();
    let with = |seed| {
        let options = TrainOptions { seed, epochs: 1, token_epochs: 1, ..small() };
        let control = crate::control::Control::default();
        train(&sentences[..40], None, &options, &control, |_| {}).unwrap().to_bytes()
    };
    let first = with(1);
    assert!(first == with(1));
    assert!(first != with(2));
}

#[test]
fn a_model_cut_short_or_altered_is_refused() {
    let bytes = PARSER.to_bytes();
    for length in (0..bytes.len()).step_by(bytes.len() / 150 + 1) {
        assert!(matches!(Parser::from_bytes(&bytes[..length]), Err(ParserError::Model(_))));
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 150 + 1) {
        let mut altered = bytes.clone();
        altered[at] ^= 4;
        assert!(matches!(Parser::from_bytes(&altered), Err(ParserError::Model(_))), "{at}");
    }
    // With the checksum made to fit: another version, and sizes that cannot be.
    let sealed = |mut bytes: Vec<u8>| {
        bytes.truncate(bytes.len() - 4);
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        Parser::from_bytes(&bytes)
    };
    let mut newer = bytes.clone();
    newer[16] = 9;
    assert!(matches!(sealed(newer), Err(ParserError::Version { found: 9, .. })));
    let text = String::from_utf8_lossy(&bytes[..4000]).into_owned();
    let at = text.find("\"width\":32").unwrap() + 8;
    for number in [b"99", b"00", b"31"] {
        let mut wrong = bytes.clone();
        wrong[at..at + 2].copy_from_slice(number);
        assert!(matches!(sealed(wrong), Err(ParserError::Model(_))));
    }
}

#[test]
fn nothing_gives_nothing_and_a_very_long_sentence_one_tree() {
    for text in ["", " ", "\n\n \t\n"] {
        assert!(PARSER.parse(text).is_empty());
    }
    let word = |form: &str| super::conllu::Word { form: form.to_owned(), ..Default::default() };
    let words = (0..5000).map(|at| word(["the", "dog", "runs"][at % 3])).collect();
    let mut sentences = vec![Sentence { words, ..Sentence::default() }];
    PARSER.analyse(&mut sentences);
    sentences[0].check_tree().unwrap();
    assert_eq!(draw(&sentences[0]).lines().count(), 5000);
    let long = "dog ".repeat(5000);
    let words: usize = PARSER.parse(&long).iter().map(|s| s.words.len()).sum();
    assert_eq!(words, 5000);
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let control = crate::control::Control::default();
    let none = train(&[], None, &small(), &control, |_| {});
    assert!(matches!(none, Err(ParserError::Treebank(_))));
    let mut broken = treebank();
    broken[2].words[0].head = Some(0);
    let error = train(&broken, None, &small(), &control, |_| {}).unwrap_err().to_string();
    assert!(error.contains("sentence 3") && error.contains("both have the head 0"), "{error}");
    for options in [
        TrainOptions { width: 40, ..small() },
        TrainOptions { epochs: 0, ..small() },
        TrainOptions { rate: f32::NAN, ..small() },
        TrainOptions { dropout: 1.0, ..small() },
        TrainOptions { layers: 0, ..small() },
    ] {
        let refused = train(&treebank(), None, &options, &control, |_| {});
        assert!(matches!(refused, Err(ParserError::Options(_))));
    }
}

#[test]
fn a_tree_is_drawn_from_its_root() {
    let sentences = treebank();
    assert_eq!(
        draw(&sentences[0]),
        "barks VERB (root)\n├─ dog NOUN (nsubj)\n│  └─ The DET (det)\n└─ . PUNCT (punct)\n"
    );
}

#[test]
fn scores_are_1_for_gold_and_texts_must_be_the_same() {
    let gold = treebank();
    let scores = score(&gold, &gold).unwrap();
    assert_eq!((scores.las, scores.words, scores.sentences), (1.0, 1.0, 1.0));
    let error = score(&gold, &gold[1..]).unwrap_err().to_string();
    assert!(error.contains("differ after 0 characters"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever the text is: trees, and every character that is not whitespace once, in order.
    #[test]
    fn any_text_gives_trees_over_all_of_it(text in "[a-c .!'\n\u{a0}好😀\u{301}]{0,80}|\\PC{0,40}") {
        let sentences = PARSER.parse(&text);
        let mut covered = String::new();
        let mut out = Vec::new();
        for sentence in &sentences {
            prop_assert!(sentence.check_tree().is_ok());
            covered.extend(sentence.words.iter().map(|word| word.form.as_str()));
            super::conllu::write_sentence(&mut out, sentence).unwrap();
        }
        let expected: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        prop_assert_eq!(covered, expected);
        let mut back = Reader::new(&out[..]).trees().collect::<Result<Vec<_>, _>>().unwrap();
        for (back, sentence) in back.iter_mut().zip(&sentences) {
            for (back, word) in back.words.iter_mut().zip(&sentence.words) {
                back.span.clone_from(&word.span);
            }
            for (back, token) in back.multiwords.iter_mut().zip(&sentence.multiwords) {
                back.span.clone_from(&token.span);
            }
        }
        prop_assert_eq!(back, sentences);
    }
}
