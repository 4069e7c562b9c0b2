//! Matching against looking rows up one by one.

use super::*;
use crate::columns::Columns;
use crate::task::{Compare, Matched, match_tables};
use proptest::prelude::*;

fn matched(left: &[&str], right: &[&str], options: &Match) -> Matched {
    match_tables(&Columns::of(left), &Columns::of(right), options, &Context::default()).unwrap()
}

fn once(min: f64) -> Match {
    Match::new().one_to_one(true).min(min)
}

#[test]
fn one_to_one_links_all_equal_rows_however_many() {
    for (many, min) in [(12, 0.0), (12, 0.5), (40, 0.0), (40, 0.5)] {
        let names = vec!["Acme Incorporated"; many];
        let found = matched(&names, &names, &once(min));
        assert_eq!(found.pairs.len(), many);
    }
    // More candidates than are kept.
    let names = vec!["Acme Incorporated"; 300];
    let found = matched(&names, &names, &once(0.5));
    assert_eq!(found.pairs.len(), 300);
    assert!(found.report.notes[1].contains("can be higher, by"), "{:?}", found.report.notes);
}

#[test]
fn with_a_threshold_one_to_one_chooses_among_all_pairs_above_it() {
    // Thirty rows are most like the same thirty; the one that is left out scores lower with all of them.
    let right: Vec<String> = (0..30).map(|n| format!("acme incorporated {n}")).collect();
    let left: Vec<String> = (0..30).map(|n| format!("acme incorporated {}", n + 100)).collect();
    let of = |texts: &[String]| texts.iter().map(ToOwned::to_owned).collect::<Vec<_>>();
    let (left, right) = (of(&left), of(&right));
    let left: Vec<&str> = left.iter().map(String::as_str).collect();
    let right: Vec<&str> = right.iter().map(String::as_str).collect();
    let found = matched(&left, &right, &once(0.1));
    assert_eq!(found.pairs.len(), 30);
    assert_eq!(found.report.notes[1], "candidates: all pairs that score at least 0.1");
}

#[test]
fn candidates_that_were_left_out_are_told_with_what_they_could_add() {
    let names = ["acme inc", "acme ltd", "acme inc", "acme corp"];
    let found = matched(&names, &names, &once(0.0).k(1));
    let note = &found.report.notes[1];
    assert!(note.starts_with("candidates: the 1 best of each row"), "{note}");
    assert!(note.contains("for 4 of 4 rows"), "{note}");
    let total = |found: &Matched| found.pairs.iter().map(|pair| pair.score).sum::<f64>();
    let all = matched(&names, &names, &once(0.0));
    assert_eq!(all.report.notes[1], "candidates: all pairs that score more than 0");
    let most: f64 = note.rsplit_once("by ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    assert!(total(&all) > total(&found) && total(&all) <= total(&found) + most);
}

fn names(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|i| format!("{} {}", i * 7919, i * 104_729)).collect()
}

fn matched_names(options: &Match) -> Matched {
    let (left, right) = (names(0, 40), names(20, 60));
    match_tables(&Columns::of(&left), &Columns::of(&right), options, &Context::default()).unwrap()
}

#[test]
fn without_a_lowest_score_one_is_proposed_with_its_reason() {
    let found = matched_names(&Match::new());
    let threshold = found.report.threshold.unwrap();
    assert_eq!(threshold.chosen, Chosen::Proposed);
    assert!(threshold.reading.starts_with("proposed. "), "{}", threshold.reading);
    assert!(found.pairs.iter().all(|pair| pair.score >= threshold.min));
    let same = matched_names(&Match::new().min(threshold.min));
    assert_eq!(found.pairs, same.pairs);
    assert_eq!(same.report.threshold.unwrap().chosen, Chosen::Given);
}

#[test]
fn a_lowest_score_of_0_leaves_out_nothing_and_the_nearest_need_none() {
    let all = matched_names(&Match::new().min(0.0));
    assert!(all.pairs.len() > matched_names(&Match::new()).pairs.len());
    let nearest = matched_names(&Match::new().k(1));
    assert_eq!(nearest.pairs, all.pairs);
    assert_eq!(nearest.report.threshold.unwrap().chosen, Chosen::Unneeded);
}

#[test]
fn a_lowest_score_that_no_pair_can_reach_is_refused() {
    let texts = Columns::of(&["a"]);
    let with = |min| match_tables(&texts, &texts, &Match::new().min(min), &Context::default());
    assert!(with(80.0).unwrap_err().to_string().contains("did you mean 0.8?"));
    assert!(with(-0.5).unwrap_err().to_string().contains("between 0 and 1"));
}

fn words() -> impl Strategy<Value = String> {
    let words = ["acme", "acne", "inc", "ltd", "zeta", "zetas", "beta", "a"];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..4).prop_map(|w| w.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rows_that_are_joined_find_what_searches_find(
        right in prop::collection::vec((words(), words()), 1..40),
        left in prop::collection::vec((words(), words()), 0..50),
        measure in prop::sample::select(vec!["default", "sc", "tfidf", "levenshtein"]),
        two in any::<bool>(),
        one_to_one in any::<bool>(),
        k in prop::option::of(1..4usize),
        min in 0.5..1.0f64,
    ) {
        let column = |rows: &[(String, String)], two: bool| -> Vec<String> {
            rows.iter().map(|(x, y)| if two { y.clone() } else { x.clone() }).collect()
        };
        let columns = [column(&right, false), column(&right, true)];
        let mut table = Columns::new().with("a", &columns[0]).unwrap();
        let mut compare = Compare { measure: vec![measure.parse().unwrap()], ..Compare::default() };
        if two {
            table = table.with("b", &columns[1]).unwrap();
            compare.on = Some("a:0.6,b:0.4".to_owned());
            compare.measure.push("default".parse().unwrap());
        }
        let context = Context::default();
        let target = Target::of_columns(&table, &compare, &context).unwrap();
        let mut options = Match::new().one_to_one(one_to_one).min(min);
        options.k = k;
        let left: Vec<Vec<&str>> =
            left.iter().map(|(x, y)| [x.as_str(), y][..if two { 2 } else { 1 }].to_vec()).collect();
        let found = |joins: bool| {
            let mut matcher = Matcher::new(&target, &options, &context).unwrap();
            assert!(matcher.waiting.is_some());
            if !joins {
                matcher.waiting = None;
            }
            let mut pairs = Vec::new();
            for batch in left.chunks(7) {
                pairs.extend(matcher.push(batch).unwrap());
            }
            let (rest, report) = matcher.finish().unwrap();
            pairs.extend(rest);
            (pairs, report.notes)
        };
        prop_assert_eq!(found(true), found(false));
    }
}
