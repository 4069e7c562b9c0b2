//! Lookups and damage, on a small dictionary and, where it is installed, on the real one.

use super::testing::{PETS, opened, written};
use super::*;
use std::fs;

fn words(senses: &[Sense<'_>]) -> Vec<Vec<String>> {
    senses.iter().map(|sense| sense.synset.words().map(str::to_owned).collect()).collect()
}

#[test]
fn senses_come_in_order_with_words_counts_and_what_is_above() {
    let wordnet = opened(PETS);
    let senses = wordnet.synsets("dogs", None);
    let expected: [&[&str]; 3] =
        [&["canine", "dog"], &["dog", "domestic dog", "Canis familiaris"], &["chase", "dog"]];
    assert_eq!(words(&senses), expected);
    let counts: Vec<(Pos, &str, u32)> =
        senses.iter().map(|sense| (sense.synset.pos(), sense.lemma, sense.count)).collect();
    assert_eq!(counts, [(Pos::Noun, "dog", 1), (Pos::Noun, "dog", 42), (Pos::Verb, "dog", 1)]);
    let above: Vec<&str> =
        senses[1].synset.hypernyms().map(|synset| synset.words().next().unwrap()).collect();
    assert_eq!(above, ["canine", "pet"]);
    assert_eq!(wordnet.synsets("dog", Some(Pos::Verb)).len(), 1);
    assert_eq!(wordnet.synsets("unheard-of", None), []);
    assert_eq!(wordnet.synsets("", None), []);
}

#[test]
fn instances_have_hypernyms_and_case_does_not_matter() {
    let wordnet = opened(PETS);
    for word in ["rome", "ROME", "eternal_city", "Eternal City"] {
        let senses = wordnet.synsets(word, None);
        let above: Vec<_> = senses[0].synset.hypernyms().flat_map(Synset::words).collect();
        assert_eq!(above, ["city", "metropolis"], "{word}");
    }
    let city = wordnet.synsets("city", None)[0].synset;
    assert!(city.hyponyms().eq([wordnet.synsets("rome", None)[0].synset]));
}

#[test]
fn base_forms_come_from_lists_and_else_from_rules() {
    let wordnet = opened(PETS);
    assert_eq!(wordnet.morphy("geese", Pos::Noun), ["goose"]);
    assert_eq!(wordnet.morphy("Ran", Pos::Verb), ["run"]);
    assert_eq!(wordnet.morphy("chasing", Pos::Verb), ["chase"]);
    assert_eq!(wordnet.morphy("cities", Pos::Noun), ["city"]);
    assert_eq!(wordnet.morphy("bigger", Pos::Adjective), [""; 0], "no rule takes away a letter");
    assert_eq!(wordnet.morphy("larger", Pos::Adjective), ["large"]);
    assert_eq!(wordnet.morphy("faster", Pos::Adverb), ["fast"]);
    assert_eq!(wordnet.morphy("dog", Pos::Noun), ["dog"]);
    assert_eq!(wordnet.morphy("dog", Pos::Adjective), [""; 0]);
    // The list says where it comes from, and the dictionary does not have that.
    assert_eq!(wordnet.morphy("oxen", Pos::Noun), [""; 0]);
}

#[test]
fn synonyms_are_the_other_words_sorted_and_without_markers() {
    let wordnet = opened(PETS);
    assert_eq!(
        wordnet.synonyms("dogs", Senses::All),
        ["Canis familiaris", "canine", "chase", "domestic dog"]
    );
    assert_eq!(wordnet.synonyms("dog", Senses::First(1)), ["canine", "chase"]);
    assert_eq!(wordnet.synonyms("dog", Senses::First(0)), [""; 0]);
    assert_eq!(wordnet.synonyms("large", Senses::All), ["big"]);
    assert_eq!(wordnet.synonyms("big", Senses::All), ["large"]);
    assert_eq!(wordnet.synonyms("galore", Senses::All), ["huge"]);
    assert_eq!(wordnet.synonyms("unheard-of", Senses::All), [""; 0]);
}

#[test]
fn counts_tell_nouns_from_verbs_by_either_file() {
    let source = written(PETS);
    let tell = |wordnet: &WordNet| {
        assert_eq!(wordnet.tagged("run"), [3, 50, 0, 0]);
        assert_eq!(wordnet.tagged("geese"), [1, 0, 0, 0]);
        assert_eq!(wordnet.tagged("huge"), [0, 0, 8, 0], "a satellite's key has its head");
        assert_eq!(wordnet.tagged("unheard-of"), [0; 4]);
        assert_eq!(wordnet.share("run", Pos::Noun), Some(3.0 / 53.0));
        assert_eq!(wordnet.share("poodle", Pos::Noun), Some(1.0), "never tagged, and only a noun");
        assert_eq!(wordnet.share("sprint", Pos::Noun), Some(0.0));
        assert_eq!(wordnet.share("unheard-of", Pos::Noun), None);
    };
    tell(&WordNet::open(source.path(), None).unwrap());
    fs::remove_file(source.path().join("cntlist.rev")).unwrap();
    tell(&WordNet::open(source.path(), None).unwrap());
    fs::remove_file(source.path().join("index.sense")).unwrap();
    let error = WordNet::open(source.path(), None).unwrap_err();
    assert!(matches!(error, WordNetError::NoCounts { .. }), "{error}");
}

#[test]
fn without_lists_of_irregular_forms_only_regular_ones_are_known() {
    let source = written(PETS);
    assert_eq!(WordNet::open(source.path(), None).unwrap().irregular_forms(), 4);
    for pos in Pos::ALL {
        fs::remove_file(source.path().join(pos.exception_file())).unwrap();
    }
    let wordnet = WordNet::open(source.path(), None).unwrap();
    assert_eq!(wordnet.irregular_forms(), 0);
    assert_eq!(wordnet.morphy("geese", Pos::Noun), [""; 0]);
    assert_eq!(wordnet.morphy("dogs", Pos::Noun), ["dog"]);
}

/// What is said after a file was changed.
fn after(file: &str, change: impl Fn(&str) -> String) -> WordNetError {
    let source = written(PETS);
    let path = source.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    let changed = change(&text);
    assert_ne!(changed, text);
    fs::write(&path, changed).unwrap();
    let error = WordNet::open(source.path(), None).unwrap_err();
    assert!(error.to_string().contains(file), "{error}");
    assert!(error.to_string().contains("install WordNet again"), "{error}");
    error
}

#[test]
fn a_file_that_was_cut_short_is_refused_wherever_it_was_cut() {
    for file in ["data.noun", "data.verb", "index.noun", "index.adj"] {
        let source = written(PETS);
        let path = source.path().join(file);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let error = WordNet::open(source.path(), None).unwrap_err();
            assert!(!matches!(error, WordNetError::Read { .. }), "{error}");
        }
        fs::remove_file(&path).unwrap();
        let error = WordNet::open(source.path(), None).unwrap_err();
        assert!(matches!(error, WordNetError::Read { .. }), "{error}");
    }
    let error = after("data.noun", |text| text[..text.len() - 10].to_owned());
    assert!(matches!(error, WordNetError::Unfinished { line: 16, .. }), "{error}");
}

#[test]
fn a_synset_that_is_not_where_it_says_is_refused() {
    let error = after("data.noun", |text| text.replacen("entity", "being", 1));
    assert!(matches!(error, WordNetError::Misplaced { line: 3, .. }), "{error}");
}

#[test]
fn what_is_no_number_is_refused() {
    let error = after("data.noun", |text| text.replacen(" 05 n 02 thing", " 05 n 0z thing", 1));
    assert!(matches!(error, WordNetError::Syntax { line: 2, .. }), "{error}");
    assert!(error.to_string().contains("line 2: expected the number of words"), "{error}");
    let error = after("data.noun", |text| text.replacen(" 001 @ ", " +01 @ ", 1));
    assert!(error.to_string().contains("line 3: expected the number of pointers"), "{error}");
    let error = after("data.verb", |text| text.replacen(" 01 + 02 00", " 01 + xx 00", 1));
    assert!(error.to_string().contains("line 2: expected the number of a verb frame"), "{error}");
    let error = after("index.noun", |text| text.replacen(" n 1 2 ", " n 1 x ", 1));
    assert!(
        error.to_string().contains("line 2: expected the number of pointer symbols"),
        "{error}"
    );
    let error = after("cntlist.rev", |text| text.replacen(" 1 9\n", " 1 many\n", 1));
    assert!(error.to_string().contains("expected a tag count, found `many`"), "{error}");
}

#[test]
fn other_parts_of_speech_and_missing_glosses_are_refused() {
    let error = after("data.noun", |text| text.replacen(" 05 n ", " 05 v ", 1));
    assert!(error.to_string().contains("line 2: expected the part of speech"), "{error}");
    let error = after("data.noun", |text| text.replacen(" n 0000", " v 0000", 1));
    assert!(error.to_string().contains("line 3: expected a hypernym of the same"), "{error}");
    let error = after("data.adv", |text| text.replace('|', "-"));
    assert!(error.to_string().contains("line 2: expected a `|`"), "{error}");
}

#[test]
fn pointers_and_offsets_that_lead_nowhere_are_refused() {
    let spec = PETS.replace("n cat = cat:18 < carnivore", "n cat = cat:18 < nothing");
    let error = WordNet::open(written(&spec).path(), None).unwrap_err();
    assert!(matches!(error, WordNetError::NoSuchSynset { line: 11, .. }), "{error}");
    assert!(
        error.to_string().contains("data.noun line 11: this points to byte 99999999"),
        "{error}"
    );
    let error = after("index.verb", |text| text.replacen(" 0 0", " 0 9", 1));
    assert!(matches!(error, WordNetError::NoSuchSynset { line: 2, .. }), "{error}");
}

#[test]
fn words_that_the_index_lacks_are_refused() {
    let error = after("data.noun", |text| text.replacen(" poodle ", " doodle ", 1));
    assert!(
        matches!(&error, WordNetError::Unlisted { line: 10, word, .. } if word == "doodle"),
        "{error}"
    );
}

#[test]
fn a_circle_of_hypernyms_and_a_chain_without_end_are_refused() {
    let circle = "n a = a < b\nn b = b < c\nn c = c < a\n";
    let itself = "n a = a < a\n";
    let chain: String = (0..200).map(|n| format!("n k{n} = w{n} < k{}\n", n + 1)).collect();
    let chain = chain + "n k200 = w200\n";
    for spec in [circle, itself, &chain] {
        let error = WordNet::open(written(spec).path(), None).unwrap_err();
        assert!(matches!(error, WordNetError::Endless { .. }), "{error}");
    }
}

#[test]
fn an_installed_wordnet_is_read() {
    let cache = tempfile::tempdir().unwrap();
    let environment = |name: &str| std::env::var_os(name);
    let Ok(directory) = find::directory(None, &environment) else {
        eprintln!("WordNet is not installed: what it says is not tested here");
        return;
    };
    let made = WordNet::open(&directory, Some(cache.path())).unwrap();
    let mapped = WordNet::open(&directory, Some(cache.path())).unwrap();
    for wordnet in [made, mapped] {
        assert!(wordnet.len() > 100_000);
        assert!(wordnet.lemmas().len() > 140_000);
        assert_eq!(wordnet.morphy("churches", Pos::Noun), ["church"]);
        let synonyms = wordnet.synonyms("cars", Senses::First(1));
        assert_eq!(synonyms, ["auto", "automobile", "machine", "motorcar"]);
        assert_eq!(wordnet.path("car", "bicycle", Senses::All), Some(1.0 / 3.0));
        assert_eq!(wordnet.path("poodle", "zzzz", Senses::All), None);
        assert!(wordnet.share("table", Pos::Noun) > Some(0.9));
    }
}
