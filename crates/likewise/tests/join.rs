//! A join gives what scoring all pairs gives: the same pairs, the same scores to the bit.

use likewise::Pair;
use likewise::columns::Missing;
use likewise::control::Stage;
use likewise::index::{Field, Index, SearchOptions};
use likewise::measure::Measure;
use proptest::prelude::*;

mod registry;

/// What is joined, and not left to a search for each row.
const MEASURES: &[&str] = &[
    likewise::measure::DEFAULT,
    "word-grams",
    "word-grams(q=2, idf=0, length=1)",
    "word-grams(head=0, padding=none)",
    "0.4*word-grams(compare=cosine) + 0.6*word-grams",
    "0.5*word-grams + 0.5*word-grams(qidf=2, head=5)",
    "0.5*word-grams(padding=single) + 0.5*word-grams(compare=cosine, padding=single, head=0)",
    "3*word-grams",
    "word-grams(compare=cosine)",
    "0.5*word-grams + 0.5*word-grams(q=2)",
    "0.2*word-grams(q=4, head=0) + 0.3*word-grams(idf=0) + 0.5*word-grams(compare=cosine, idf=2)",
];

/// By the definition. Scores of a pair are the same whichever text comes first.
fn slow(index: &Index, texts: &[String], min: f64) -> Vec<(u32, u32, u64)> {
    let scorer = index.scorer(0);
    let prepared = scorer.prepare_all(texts);
    let rows = scorer
        .map_rows(&prepared, &prepared, |row, scores| {
            let others = scores.iter().enumerate().take(row);
            let pairs = others.filter(|(_, score)| **score >= min);
            pairs
                .map(|(other, score)| (other as u32, row as u32, score.to_bits()))
                .collect::<Vec<_>>()
        })
        .unwrap();
    let mut pairs = rows.concat();
    pairs.sort_unstable();
    pairs
}

fn check(texts: &[String], expression: &str, min: f64) {
    let measure: Measure = expression.parse().unwrap();
    let index = Index::of_texts(&measure, texts.to_vec()).unwrap();
    let joined = index
        .pairs(min, &Stage::default())
        .unwrap()
        .unwrap_or_else(|| panic!("{expression} is joined"));
    let bits = |pair: &Pair| (pair.left, pair.right, pair.score.to_bits());
    let found: Vec<(u32, u32, u64)> = joined.iter().map(bits).collect();
    let expected = slow(&index, texts, min);
    let differ = expected.iter().find(|pair| found.binary_search(pair).is_err());
    let text = |row: u32| &texts[row as usize];
    let differ = differ.map(|&(x, y, score)| (text(x), text(y), f64::from_bits(score)));
    assert!(
        found == expected,
        "{expression}, {min}: {} of {}, {differ:?}",
        found.len(),
        expected.len()
    );
}

/// Names with slips of the pen, words that are had several times over, and words written as one.
fn names(seed: u64, many: usize) -> Vec<String> {
    let mut state = seed;
    let mut next = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let syllables =
        ["an", "ber", "ca", "do", "el", "fi", "gar", "hu", "in", "jo", "ka", "li", "mo", "stra"];
    let common = ["ltd", "and", "group", "the", "inc", "john"];
    let mut texts: Vec<String> = Vec::new();
    for at in 0..many {
        let text = if at > 10 && next(3) == 0 {
            let mut chars: Vec<char> = texts[next(at)].chars().collect();
            match next(5) {
                0 if chars.len() > 2 => {
                    let from = next(chars.len() - 1);
                    chars.swap(from, from + 1);
                }
                1 if chars.len() > 2 => {
                    chars.remove(next(chars.len()));
                }
                2 => chars.retain(|c| *c != ' '),
                3 => {
                    let again = chars.clone();
                    chars.push(' ');
                    chars.extend(again);
                }
                _ => chars.extend(" ltd".chars()),
            }
            chars.into_iter().collect()
        } else {
            let word = |next: &mut dyn FnMut(usize) -> usize| {
                if next(3) == 0 {
                    return common[next(6) * next(6) / 5].to_owned();
                }
                (0..1 + next(4)).map(|_| syllables[next(14)]).collect::<String>()
            };
            let words = if next(40) == 0 { 15 } else { next(5) };
            (0..words).map(|_| word(&mut next)).collect::<Vec<_>>().join(" ")
        };
        texts.push(text);
    }
    texts
}

/// Every registered measure is either joined exactly, or left to searches.
#[test]
fn every_registered_measure_is_joined_exactly_or_not_at_all() {
    let texts = names(3, 200);
    let mut joined = 0;
    registry::Resources::new().each_measure(|measure, expression| {
        let index = Index::of_texts(measure, texts.clone()).unwrap();
        if index.pairs(0.5, &Stage::default()).unwrap().is_some() {
            joined += 1;
            check(&texts, expression, 0.5);
        }
    });
    assert!(joined > 0);
}

#[test]
fn many_names_give_the_same_pairs() {
    for seed in 1..3 {
        let texts = names(seed, 1_500);
        for expression in MEASURES {
            for min in [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0] {
                let weight = if expression.starts_with('3') { 3.0 } else { 1.0 };
                check(&texts, expression, weight * min);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn few_names_give_the_same_pairs(
        texts in proptest::collection::vec("([a-c]{1,4} ?){0,5}", 0..30),
        min in 0.2..1.0,
    ) {
        for expression in MEASURES.iter().filter(|expression| !expression.starts_with('3')) {
            check(&texts, expression, min);
        }
    }
}

/// A word of random letters, with nearly as many grams of four as it has letters.
fn long_word(letters: usize) -> String {
    let mut state = 3u64;
    let letter = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'a' + (state >> 40) as u8 % 26)
    };
    (0..letters).map(letter).collect()
}

#[test]
fn texts_of_many_grams_are_joined_and_those_of_too_many_are_not() {
    let measure = "0.5*word-grams(q=4) + 0.5*word-grams(q=4, compare=cosine)";
    let word = long_word(20_000);
    let mut texts = names(4, 30);
    texts.extend([
        word.clone(),
        format!("{word} ltd"),
        word[..15_000].to_owned(),
        word[5_000..].to_owned(),
    ]);
    for min in [0.4, 0.7, 0.99] {
        check(&texts, measure, min);
    }
    let index = Index::of_texts(&measure.parse().unwrap(), vec![long_word(40_000), word]).unwrap();
    assert!(index.pairs(0.5, &Stage::default()).unwrap().is_none());
}

#[test]
fn others_are_left_to_searches() {
    let texts = names(5, 20);
    for (expression, min) in [
        ("word-grams", 0.1),
        ("word-grams", f64::NAN),
        ("0.4*word-grams + 0.3*word-grams(q=1) + 0.2*word-grams(q=2) + 0.1*word-grams(q=4)", 0.5),
        ("0.5*word-grams + 0.5*levenshtein", 0.5),
        ("bm25", 0.5),
    ] {
        let index = Index::of_texts(&expression.parse().unwrap(), texts.clone()).unwrap();
        assert!(index.pairs(min, &Stage::default()).unwrap().is_none(), "{expression}");
    }
}

#[test]
fn threads_change_nothing() {
    let texts = names(9, 3_000);
    let index = Index::of_texts(&Measure::default(), texts).unwrap();
    let pairs = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| index.pairs(0.6, &Stage::default()).unwrap())
    };
    let one = pairs(1);
    assert!(one.as_ref().is_some_and(|pairs| pairs.len() > 100));
    assert_eq!(one, pairs(3));
}

/// Every pair of rows, scored by a search that leaves out nothing.
fn slow_columns(index: &Index, rows: &[Vec<String>], min: f64) -> Vec<(u32, u32, u64)> {
    let options = SearchOptions::new().k(usize::MAX);
    let mut pairs = Vec::new();
    for (row, texts) in rows.iter().enumerate() {
        let hits = index.search(texts, options).unwrap();
        let later = hits.filter(|hit| hit.row > row && hit.score >= min);
        pairs.extend(later.map(|hit| (row as u32, hit.row as u32, hit.score.to_bits())));
    }
    pairs.sort_unstable();
    pairs
}

fn check_columns(fields: &[Field], rows: &[Vec<String>], min: f64, joined: bool) {
    let column = |at: usize| rows.iter().map(|row| row[at].clone()).collect();
    let columns = (0..fields.len()).map(column).collect();
    let index = Index::build(fields, columns).unwrap();
    let found = index.pairs(min, &Stage::default()).unwrap();
    assert_eq!(found.is_some(), joined, "{fields:?} {min}");
    let found: Vec<(u32, u32, u64)> =
        found.iter().flatten().map(|p| (p.left, p.right, p.score.to_bits())).collect();
    if joined {
        assert_eq!(found, slow_columns(&index, rows, min), "{fields:?} {min}");
    }
}

/// A name, a kind of which there are few, and a place that is often empty.
fn rows_of_columns(many: usize) -> Vec<Vec<String>> {
    let names = names(5, many);
    let row = |(at, name): (usize, String)| {
        let kind = ["shop", "bank", "farm", ""][at * 7919 % 4].to_owned();
        let place =
            if at % 3 == 0 { String::new() } else { format!("place {}", at * 31 % (many / 3)) };
        let name = if at % 40 == 0 { " ".to_owned() } else { name };
        vec![name, kind, place]
    };
    names.into_iter().enumerate().map(row).collect()
}

#[test]
fn columns_with_weights_are_joined_by_those_that_tell_rows_apart() {
    let rows = rows_of_columns(500);
    let field = |weight: f64, measure: &str| Field::new(weight, measure.parse().unwrap());
    let default = likewise::measure::DEFAULT;
    for missing in [Missing::Neutral, Missing::Disagree] {
        let of = |fields: [Field; 3]| fields.map(|one| one.missing(missing));
        check_columns(
            &of([field(0.6, default), field(0.1, default), field(0.3, default)]),
            &rows,
            0.7,
            true,
        );
        check_columns(
            &of([field(6.0, default), field(1.0, "jaro-winkler"), field(3.0, "word-grams")]),
            &rows,
            8.0,
            true,
        );
        // A measure without bounds counts as if it could score 1; where it counts too much there is nothing to join by.
        let columns = [field(0.8, default), field(0.1, "digits"), field(0.1, default)];
        check_columns(&of(columns), &rows, 0.7, true);
        let columns = [field(0.2, default), field(0.8, "digits"), field(0.1, "digits")];
        check_columns(&of(columns), &rows, 0.7, false);
        // Too much hangs on what does not tell rows apart.
        check_columns(
            &of([field(0.2, default), field(0.7, default), field(0.1, default)]),
            &rows,
            0.7,
            false,
        );
    }
}

/// Real names, if LIKEWISE_DATA says where they are.
#[test]
fn real_names_give_the_same_pairs() {
    let Some(data) = std::env::var_os("LIKEWISE_DATA") else {
        eprintln!("LIKEWISE_DATA is not set: no real names");
        return;
    };
    let path = std::path::Path::new(&data).join("bench/names_10000.tsv.gz");
    let mut lines = String::new();
    std::io::Read::read_to_string(
        &mut flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()),
        &mut lines,
    )
    .unwrap();
    let texts: Vec<String> = lines
        .lines()
        .take(4_000)
        .filter_map(|l| l.rsplit('\t').next())
        .map(str::to_owned)
        .collect();
    check(&texts, likewise::measure::DEFAULT, 0.5);
}
