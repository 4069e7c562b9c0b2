//! Tasks give the same answers wherever the rows lie: in slices, in Arrow's buffers, in a table, in an index on disk.
#![cfg(feature = "table")]

use likewise::columns::{Columns, Missing};
use likewise::eval::metrics::Gain;
use likewise::link::Pair;
use likewise::table::{ReadOptions, Reader};
use likewise::task::{
    BuildIndex, Chosen, Compare, Context, Dedupe, Evaluate, Match, PairScorer, Score, Search,
    Searcher, TableRows, Target, TaskError, build_index, dedupe, dedupe_target, duplicate_pairs,
    evaluate_match, evaluate_pairs, from_json, match_tables, score, score_pairs, search,
};
use std::path::Path;

const NAMES: [&str; 6] =
    ["Acme Incorporated", "Apex Industries", "ACME Inc.", "Zenith Ltd", "", "Acme Incorporatd"];
const CITIES: [Option<&str>; 6] =
    [Some("Lima"), Some("Oslo"), Some("Lima"), None, Some("Oslo"), Some("Lima")];

fn people() -> Columns<'static> {
    Columns::new().with("name", &NAMES).unwrap().with("city", &CITIES).unwrap()
}

fn csv() -> String {
    let rows =
        NAMES.iter().zip(CITIES).map(|(name, city)| format!("{name},{}\n", city.unwrap_or("")));
    std::iter::once("name,city\n".to_owned()).chain(rows).collect()
}

fn reader() -> Reader {
    let bytes = std::io::Cursor::new(csv().into_bytes());
    Reader::from_read("people.csv", bytes, &ReadOptions::default()).unwrap()
}

/// The rows as a table and as an index on disk.
fn targets(compare: &Compare, folder: &Path) -> [Target<'static>; 2] {
    let context = Context::default();
    let rows = TableRows::of(reader(), "on", compare.on.as_deref(), None).unwrap();
    let (table, kept) = Target::of_table(rows, compare, None, &context).unwrap();
    assert!(kept.is_empty());
    let mut options = BuildIndex::new();
    options.compare = compare.clone();
    let path = folder.join("people.lw");
    assert_eq!(build_index(reader(), &path, &options, &context).unwrap().rows, 6);
    [table, Target::open(&path, &Compare::default(), &context).unwrap()]
}

#[test]
fn a_search_finds_the_same_wherever_the_rows_lie() {
    let folder = tempfile::tempdir().unwrap();
    let options = Search::new().on("name:0.7,city:0.3").k(4);
    let query = ["acme inc", "lima"];
    let found = search(&people(), &query, &options, &Context::default()).unwrap();
    assert_eq!(found.len(), 4);
    assert_eq!(found[0].row, 2);
    for target in targets(&options.compare, folder.path()) {
        let hits: Vec<_> = Searcher::new(&target, &options).search(&query).unwrap().collect();
        assert_eq!(hits, found);
        assert_eq!(target.id(2), "3");
    }
}

/// The hits of a query by columns with weights.
fn found_by(on: &str, query: &[&str], missing: Missing) -> Vec<(usize, f64)> {
    let mut options = Search::new().on(on);
    options.compare.missing = missing;
    let hits = search(&people(), query, &options, &Context::default()).unwrap();
    hits.iter().map(|hit| (hit.row, hit.score)).collect()
}

#[test]
fn only_proportions_of_weights_count_and_columns_come_in_any_order() {
    let query = ["acme inc", "lima"];
    let found = found_by("name:0.7,city:0.3", &query, Missing::Neutral);
    assert!(found.len() > 3);
    assert_eq!(found, found_by("name:7,city:3", &query, Missing::Neutral));
    let turned = found_by("city:3,name:7", &[query[1], query[0]], Missing::Neutral);
    assert_eq!(found.len(), turned.len());
    for ((row, score), (other, same)) in found.iter().zip(&turned) {
        assert!(row == other && (score - same).abs() < 1e-12);
    }
}

#[test]
fn an_empty_cell_is_neutral_unless_it_is_to_disagree() {
    let of = |row: usize, query: &[&str; 2], missing: Missing| {
        let found = found_by("name:0.7,city:0.3", query, missing);
        found.iter().find(|hit| hit.0 == row).map(|hit| hit.1)
    };
    // Row 3 has no city, row 4 no name.
    let city = ["", "Oslo"];
    let name = ["Zenith Ltd", "Oslo"];
    assert_eq!(of(3, &name, Missing::Neutral), Some(1.0));
    assert!((of(3, &name, Missing::Disagree).unwrap() - 0.7).abs() < 1e-12);
    assert_eq!(of(4, &name, Missing::Neutral), Some(1.0));
    assert_eq!(of(1, &city, Missing::Neutral), Some(1.0));
    assert!((of(1, &city, Missing::Disagree).unwrap() - 0.3).abs() < 1e-12);
    // Nothing to compare.
    assert_eq!(of(3, &city, Missing::Neutral), None);
    let mut joined = Search::new().on("name,city");
    joined.compare.missing = Missing::Disagree;
    let error = search(&people(), &["x"], &joined, &Context::default()).unwrap_err();
    assert!(error.to_string().contains("columns that have weights"), "{error}");
}

#[test]
fn what_the_columns_count_adds_up_to_the_score() {
    let options = Search::new().on("name:0.7,city:0.3");
    let target = Target::of_columns(&people(), &options.compare, &Context::default()).unwrap();
    for query in [["acme inc", "lima"], ["zenith", "oslo"], ["", "oslo"], ["apex", " "]] {
        for hit in Searcher::new(&target, &options).search(&query).unwrap() {
            let texts = target.texts(hit.row);
            let weights = target.weights_for(&query, &texts);
            let parts =
                (0..2).map(|c| weights[c] * target.scorer(c).score_texts(query[c], texts[c]));
            assert!((parts.sum::<f64>() - hit.score).abs() < 1e-12);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn duplicates_are_the_same_wherever_the_rows_lie() {
    let folder = tempfile::tempdir().unwrap();
    let (options, context) = (Dedupe::new().on("name,city").min(0.6), Context::default());
    let found = dedupe(&people(), &options, &context).unwrap();
    assert_eq!(found.clusters.cluster_of[0], found.clusters.cluster_of[5]);
    assert_eq!(found.report.threshold.as_ref().unwrap().chosen, Chosen::Given);
    for target in targets(&options.compare, folder.path()) {
        assert_eq!(dedupe_target(&target, &[], &options, &context).unwrap(), found);
    }
    let members: Vec<usize> = {
        let only = options.clone().only_duplicates(true);
        dedupe(&people(), &only, &context).unwrap().members().map(|member| member.row).collect()
    };
    assert!(members.contains(&0) && !members.contains(&3), "{members:?}");
}

#[test]
fn a_threshold_is_learned_from_labels() {
    let labels = ["a", "b", "a", "c", "", "a"];
    let columns = people().with("person", &labels).unwrap();
    let options = Dedupe::new().on("name").labels("person");
    let found = dedupe(&columns, &options, &Context::default()).unwrap();
    let threshold = found.report.threshold.unwrap();
    assert_eq!(threshold.chosen, Chosen::Learned);
    assert!(threshold.reading.contains("`person`"), "{}", threshold.reading);
    // The nearest rows are an answer by themselves: no threshold is needed.
    let nearest = duplicate_pairs(&people(), &Dedupe::new().on("name").k(1), &Context::default());
    assert_eq!(nearest.unwrap().report.threshold.unwrap().chosen, Chosen::Unneeded);
}

#[test]
fn tables_are_matched_by_columns_of_other_names() {
    let ours = ["acme inc", "zenith"];
    let ours = Columns::new().with("title", &ours).unwrap();
    let options = Match::new().left_on("title").right_on("name");
    let found = match_tables(&ours, &people(), &options, &Context::default()).unwrap();
    let rows: Vec<(u32, u32)> = found.pairs.iter().map(|pair| (pair.left, pair.right)).collect();
    assert_eq!(rows, [(0, 2), (1, 3)]);
    let once =
        match_tables(&ours, &people(), &options.one_to_one(true), &Context::default()).unwrap();
    assert_eq!(once.pairs, found.pairs);
    assert!(once.report.notes[0].starts_with("one to one: 2 pairs"), "{:?}", once.report.notes);
}

#[test]
fn counts_from_elsewhere_change_the_weights_and_are_the_same_from_a_table_or_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    std::fs::write(&path, csv()).unwrap();
    let compare = { Search::new().on("name").compare };
    let _ = targets(&compare, folder.path());
    let hits = |collection: &Path| {
        let options = Search::new().on("name").collection(collection.to_str().unwrap());
        let few = ["Acme Industries", "Apex Incorporated"];
        let few = Columns::new().with("name", &few).unwrap();
        search(&few, &["acme incorporated"], &options, &Context::default()).unwrap()
    };
    let counted = hits(&path);
    assert_eq!(counted, hits(&folder.path().join("people.lw")));
    let own = ["Acme Industries", "Apex Incorporated"];
    let own = Columns::new().with("name", &own).unwrap();
    let own = search(&own, &["acme incorporated"], &Search::new(), &Context::default()).unwrap();
    assert_ne!(counted[0].score, own[0].score);
}

#[test]
fn pairs_are_scored_alone_or_in_columns() {
    let options = Score::new().on("name,city").measure("jaro-winkler".parse().unwrap());
    let all = score_pairs(&people(), &options, &Context::default()).unwrap();
    assert_eq!((all.len(), all[3][0], all[4][0]), (6, 0.0, 0.0));
    let alone = score(NAMES[0], "Lima", &options, &Context::default()).unwrap();
    assert_eq!(all[0], alone);
    let adaptive = Score::new().measure("tfidf".parse().unwrap());
    let pair = PairScorer::for_texts("a", "a", &adaptive, &Context::default()).unwrap();
    assert_eq!(pair.scorers()[0].score_texts("a", "a"), 1.0);
    assert!(pair.notes()[0].contains("option `collection`"), "{:?}", pair.notes());
}

#[test]
fn no_option_is_ignored() {
    let context = Context::default();
    let error = score("a", "b", &Score::new().id("key"), &context).unwrap_err();
    assert!(error.is_usage() && error.to_string().contains("leave out option `id`"), "{error}");
    for options in [
        Match::new().on("name").left_on("name").right_on("name"),
        Match::new().left_on("name"),
        Match::new().on("name").right_on("city"),
    ] {
        let error = match_tables(&people(), &people(), &options, &context).unwrap_err();
        assert!(error.to_string().contains("columns of both tables"), "{error}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let context = Context::default();
    let wrong = |on: &str| search(&people(), &["x"], &Search::new().on(on), &context).unwrap_err();
    assert!(wrong("nmae").to_string().contains("did you mean `name`?"));
    assert!(wrong("name:1,city:1").to_string().contains("2 columns have weights"));
    assert!(matches!(wrong("name:x"), TaskError::Options(_)));
    let none = search(&people(), &["x"], &Search::new(), &context).unwrap_err();
    assert!(none.to_string().contains("which column? It has name, city"), "{none}");
}

#[test]
fn gains_are_refused_where_nothing_has_a_grade() {
    let (options, context) = (Evaluate::new().gains(Gain::Exponential), Context::default());
    let nowhere = Path::new("nowhere");
    let of_match = evaluate_match(nowhere, &options, &context).unwrap_err();
    let of_pairs = evaluate_pairs(nowhere, None, None, &options, &context).unwrap_err();
    for error in [of_match, of_pairs] {
        assert!(error.to_string().contains("leave out option `gains`"), "{error}");
    }
    let read: Evaluate = from_json(r#"{"gains": "exponential"}"#).unwrap();
    assert_eq!(read, options);
}

#[cfg(feature = "arrow")]
#[test]
fn arrow_batches_are_columns_like_others() {
    use arrow_array::{RecordBatch, StringArray, StringViewArray};
    use std::sync::Arc;
    let names = StringArray::from(NAMES.to_vec());
    let cities = StringViewArray::from(CITIES.to_vec());
    let batch = RecordBatch::try_from_iter([
        ("name", Arc::new(names) as arrow_array::ArrayRef),
        ("city", Arc::new(cities) as arrow_array::ArrayRef),
    ])
    .unwrap();
    // In two batches, as they come from a query.
    let batches = [batch.slice(0, 2), batch.slice(2, 4)];
    let columns = Columns::from_arrow(&batches).unwrap();
    let (options, context) = (Dedupe::new().on("name:0.7,city:0.3").min(0.5), Context::default());
    let found = duplicate_pairs(&columns, &options, &context).unwrap();
    assert_eq!(found, duplicate_pairs(&people(), &options, &context).unwrap());
    assert!(found.pairs.iter().any(|&Pair { left, right, .. }| (left, right) == (0, 5)));
}
