//! Match and dedupe by weights that are learned without labels: as good as joined texts or better where labels are known, the
//! same for any number of threads, and nothing ignored.
#![cfg(all(feature = "table", feature = "learn"))]

use likewise::columns::{Columns, position};
use likewise::link::{Method, Pair};
use likewise::table::Wanted;
use likewise::task::{
    Chosen, Context, Dedupe, Match, PartOptions, Report, TableColumns, WeightsFrom, dedupe,
    dedupe_by_weights, dedupe_target, duplicate_pairs, from_json, match_by_weights, match_tables,
    read_table,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

type Rows = BTreeSet<(u32, u32)>;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn read(path: &Path) -> TableColumns {
    read_table(path, &Wanted::default(), &Context::default()).unwrap()
}

fn texts<'a>(columns: &'a Columns, name: &str) -> Vec<&'a str> {
    let place = position(columns.names(), name).unwrap();
    (0..columns.rows()).map(|row| columns.text(place, row)).collect()
}

fn rows(pairs: &[Pair]) -> Rows {
    pairs.iter().map(|pair| (pair.left, pair.right)).collect()
}

fn f1(found: &Rows, wanted: &Rows) -> f64 {
    2.0 * found.intersection(wanted).count() as f64 / (found.len() + wanted.len()) as f64
}

/// The pairs of rows of two tables whose ids some rows of a third one name.
fn named(left: &[&str], right: &[&str], ids: impl Iterator<Item = (String, String)>) -> Rows {
    let place = |of: &[&str], id: &str| of.iter().position(|known| *known == id).unwrap() as u32;
    ids.map(|(l, r)| (place(left, &l), place(right, &r))).collect()
}

const CUSTOMERS: &str = "name,street,city,email";

/// Pairs of rows with one label.
fn persons(columns: &Columns) -> Rows {
    let person = texts(columns, "person");
    let all = (0..person.len()).flat_map(|l| (l + 1..person.len()).map(move |r| (l, r)));
    all.filter(|&(l, r)| person[l] == person[r]).map(|(l, r)| (l as u32, r as u32)).collect()
}

#[test]
fn clusters_of_customers_are_those_of_the_pairs() {
    let table = read(&examples().join("messy-customers.csv"));
    let columns = table.columns().unwrap();
    let (wanted, context) = (persons(&columns), Context::default());
    let options = Dedupe::new().on(CUSTOMERS).weights(WeightsFrom::Learn);
    let found = duplicate_pairs(&columns, &options, &context).unwrap();
    // Households and namesakes are among the customers, which is where weights without labels do worst.
    let reached = f1(&rows(&found.pairs), &wanted);
    assert!(reached >= 0.7, "{reached:.3}: {:?}", found.report);
    let doubt = |note: &String| note.contains("members of a household");
    assert!(found.report.notes.iter().any(doubt), "{:?}", found.report);
    let clusters = dedupe(&columns, &options, &context).unwrap();
    let of = &clusters.clusters.cluster_of;
    assert!(found.pairs.iter().all(|p| of[p.left as usize] == of[p.right as usize]));
    assert_eq!(clusters.report, found.report);
}

#[test]
fn learned_weights_match_products_as_well_as_joined_texts() {
    let [left, right, matches] = ["left", "right", "matches"]
        .map(|name| read(&examples().join(format!("products/{name}.csv"))));
    let (left, right) = (left.columns().unwrap(), right.columns().unwrap());
    let matches = matches.columns().unwrap();
    let (l, r) = (texts(&matches, "left_id"), texts(&matches, "right_id"));
    let ids = l.iter().zip(&r).map(|(l, r)| ((*l).to_owned(), (*r).to_owned()));
    let wanted = named(&texts(&left, "id"), &texts(&right, "id"), ids);
    let of = |options: &Match| {
        let found = match_tables(&left, &right, options, &Context::default()).unwrap();
        f1(&rows(&found.pairs), &wanted)
    };
    let joined = Match::new().on("title,price").id("id").one_to_one(true);
    let learned = joined.clone().weights(WeightsFrom::Learn);
    let (by_joined, by_learned) = (of(&joined), of(&learned));
    assert!(by_learned >= by_joined, "learned {by_learned:.3}, joined {by_joined:.3}");
}

/// Real restaurants, if LIKEWISE_DATA says where they are.
#[test]
fn restaurants_are_matched_without_labels() {
    let Some(data) = std::env::var_os("LIKEWISE_DATA") else {
        eprintln!("LIKEWISE_DATA is not set: no restaurants");
        return;
    };
    let folder = Path::new(&data).join("er-labelled/fodors-zagat");
    let [left, right] = ["tableA", "tableB"].map(|name| read(&folder.join(format!("{name}.csv"))));
    let (left, right) = (left.columns().unwrap(), right.columns().unwrap());
    let mut labelled = Vec::new();
    for part in ["train", "valid", "test"] {
        let table = read(&folder.join(format!("{part}.csv")));
        let columns = table.columns().unwrap();
        let [l, r, label] = ["ltable_id", "rtable_id", "label"].map(|name| texts(&columns, name));
        let rows = (0..columns.rows()).filter(|&row| label[row] == "1");
        labelled.extend(rows.map(|row| (l[row].to_owned(), r[row].to_owned())));
    }
    let wanted = named(&texts(&left, "id"), &texts(&right, "id"), labelled.into_iter());
    let options = Match::new().on("name,addr,city,phone,type").id("id");
    let options = options.weights(WeightsFrom::Learn);
    let found = match_tables(&left, &right, &options, &Context::default()).unwrap();
    let reached = f1(&rows(&found.pairs), &wanted);
    assert!(reached >= 0.9, "{reached:.3}: {:?}", found.report);
}

fn in_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let table = read(&examples().join("messy-customers.csv"));
    let columns = table.columns().unwrap();
    let dedupe =
        Dedupe::new().on(CUSTOMERS).method(Method::AverageLink).weights(WeightsFrom::Learn);
    // Not the same in both directions: the better one counts.
    let matching = Match::new()
        .on("name,street,city")
        .measure("monge-elkan".parse().unwrap())
        .k(2)
        .min(0.2)
        .weights(WeightsFrom::Learn);
    let run = || {
        let context = Context::default();
        let (clusters, pairs, learned) = dedupe_by_weights(&columns, &dedupe, &context).unwrap();
        let (matched, other) = match_by_weights(&columns, &columns, &matching, &context).unwrap();
        let weights =
            [learned.weights(), other.weights()].map(|w| serde_json::to_string(w).unwrap());
        (clusters, pairs, matched, weights)
    };
    assert_eq!(in_threads(1, run), in_threads(3, run));
}

fn reading(report: &Report) -> &str {
    &report.threshold.as_ref().unwrap().reading
}

#[test]
fn a_report_says_what_was_learned() {
    let table = read(&examples().join("messy-customers.csv"));
    let columns = table.columns().unwrap();
    let options = Dedupe::new().on("name,city").weights(WeightsFrom::Learn);
    let options =
        options.measure("jaro-winkler".parse().unwrap()).measure("equal".parse().unwrap());
    let (found, pairs, learned) =
        dedupe_by_weights(&columns, &options, &Context::default()).unwrap();
    let report = &found.report;
    assert_eq!(report.measure.len(), 3, "{:?}", report.measure);
    assert!(
        report.measure[0].starts_with("jaro-winkler") && report.measure[1].starts_with("equal")
    );
    assert_eq!(report.threshold.as_ref().unwrap().chosen, Chosen::Learned);
    let wanted =
        format!("probability 0.5, by weights learned from {} candidates", learned.pairs().count());
    assert!(reading(report).starts_with(&wanted), "{}", reading(report));
    let bits =
        report.notes.iter().find(|note| note.starts_with("bits that a column adds")).unwrap();
    assert!(["name ", "city ", "all "].iter().all(|name| bits.contains(name)), "{bits}");
    assert!(learned.weights().warnings().iter().all(|warning| report.notes.contains(warning)));
    assert!(!report.notes.iter().any(|note| note.contains("compared as one text")));

    // The terms of a pair add up to the bits of its score.
    for pair in &pairs {
        let why = learned.explain(pair.left, pair.right).unwrap();
        let columns: f64 = why.alone.columns.iter().map(|c| c.bits + c.rarity).sum();
        let bits = why.alone.prior + columns + why.rivals;
        assert_eq!(why.score, pair.score);
        assert!((likewise::link::weights::probability_of(bits) - pair.score).abs() < 1e-9);
    }
    assert!(learned.explain(0, 0).is_none(), "a row is no candidate of itself");

    // What the option `min` says is the probability.
    let strict = options.min(0.99);
    let (found, fewer, _) = dedupe_by_weights(&columns, &strict, &Context::default()).unwrap();
    assert!(!fewer.is_empty() && fewer.iter().all(|pair| pair.score >= 0.99));
    assert!(fewer.len() < pairs.len());
    assert_eq!(found.report.threshold.unwrap().chosen, Chosen::Given);
}

#[test]
fn the_page_shows_weights_the_threshold_and_pairs_with_their_reasons() {
    let folder = examples().join("products");
    let [left, right] = ["left", "right"].map(|name| read(&folder.join(format!("{name}.csv"))));
    let (left, right) = (left.columns().unwrap(), right.columns().unwrap());
    let options = Match::new().on("title,price").id("id").weights(WeightsFrom::Learn);
    let (_, learned) = match_by_weights(&left, &right, &options, &Context::default()).unwrap();
    let page = learned.page(&left, &right).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("prefers-color-scheme: dark"));
    assert!(!page.contains("http") && !page.contains("<script"), "a page loads nothing");
    for said in [
        "What each column counts",
        "Where the candidates lie",
        "What a threshold costs",
        ": highest</h3>",
        ": just at or above the threshold</h3>",
        ": just below the threshold</h3>",
        ": columns disagree</h3>",
        ">title</h3>",
        ">price</h3>",
        ">all</h3>",
        "before anything is seen",
    ] {
        assert!(page.contains(said), "{said}");
    }
    // The best pair stands there with its texts and ids.
    let best = learned.pairs().max_by(|x, y| x.score.total_cmp(&y.score).then(y.left.cmp(&x.left)));
    let best = best.unwrap();
    let (ids, titles) = ([texts(&left, "id"), texts(&right, "id")], texts(&left, "title"));
    let named = format!("{} and {}", ids[0][best.left as usize], ids[1][best.right as usize]);
    assert!(page.contains(&named) && page.contains(titles[best.left as usize]), "{named}");
    // Every level of every column has its bar, and so has every step of a pair.
    let levels: usize = learned.weights().columns().iter().map(|c| c.levels.len()).sum();
    let steps = page.matches("</h3>").count() - 3;
    assert_eq!(page.matches("class=\"drawn\"").count(), levels + steps * 6);

    let wrong = Columns::new().with("id", &["a"]).unwrap().with("title", &["b"]).unwrap();
    assert!(learned.page(&wrong, &right).unwrap_err().to_string().contains("price"));
    let short = wrong.with("price", &["1"]).unwrap();
    assert!(learned.page(&short, &right).unwrap_err().to_string().contains("longer tables"));
}

#[test]
fn each_row_has_as_many_matches_as_wanted() {
    let table = read(&examples().join("messy-customers.csv"));
    let columns = table.columns().unwrap();
    let options = Match::new().on("name,street,city").min(0.0).weights(WeightsFrom::Learn);
    let most =
        |options: &Match| {
            let found = match_tables(&columns, &columns, options, &Context::default()).unwrap();
            assert!(found.pairs.windows(2).all(
                |w| w[0].left < w[1].left || w[0].left == w[1].left && w[0].score >= w[1].score
            ));
            found.pairs.chunk_by(|x, y| x.left == y.left).map(<[Pair]>::len).max()
        };
    assert_eq!(most(&options), Some(1));
    assert_eq!(most(&options.clone().k(3)), Some(3));
    let once = options.one_to_one(true);
    let found = match_tables(&columns, &columns, &once, &Context::default()).unwrap();
    let rights: BTreeSet<u32> = found.pairs.iter().map(|pair| pair.right).collect();
    assert_eq!(rights.len(), found.pairs.len());
    assert!(found.report.notes.iter().any(|note| note.starts_with("one to one: ")));
}

#[test]
fn what_does_not_go_with_learned_weights_is_refused() {
    let columns = Columns::new().with("name", &["a", "b"]).unwrap();
    let columns = columns.with("city", &["c", "d"]).unwrap();
    let context = Context::default();
    let wrong = |json: &str| -> String {
        let mut fields = serde_json::from_str::<serde_json::Value>(json).unwrap();
        fields["weights"] = "learn".into();
        let options: Dedupe = from_json(&fields.to_string()).unwrap();
        dedupe(&columns, &options, &context).unwrap_err().to_string()
    };
    for (json, said) in [
        (r#"{"on": "name"}"#, "name at least two columns"),
        (r#"{"on": "name:2,city:1"}"#, "columns without any"),
        (r#"{"on": "name,city", "labels": "name"}"#, "leave out option `labels`"),
        (r#"{"on": "name,city", "missing": "disagree"}"#, "leave out option `missing`"),
        (r#"{"on": "name,city", "max_memory": 100000000}"#, "leave out option `max_memory`"),
        (r#"{"on": "name,city", "min": 80}"#, "did you mean 0.8?"),
        (r#"{"on": "name,city", "k": 0}"#, "ask for at least 1 row"),
        (
            r#"{"on": "name,city", "measure": ["equal", "equal", "equal"]}"#,
            "3 measures for 2 columns",
        ),
        (r#"{"on": "name,city", "measure": "bm25"}"#, "outside 0 to 1"),
        (r#"{"on": "name,town"}"#, "town"),
    ] {
        let error = wrong(json);
        assert!(error.contains(said), "{json}: {error}");
    }
    let error = from_json::<Match>(r#"{"weights": "guess"}"#).unwrap_err().to_string();
    assert!(error.contains("learn"), "{error}");
    let learned = Match::new().left_on("name,city").right_on("name").weights(WeightsFrom::Learn);
    let error = match_tables(&columns, &columns, &learned, &context).unwrap_err().to_string();
    assert!(
        error.contains("there are 2 in option `left_on` and 1 in option `right_on`"),
        "{error}"
    );

    for refused in [
        PartOptions::of_match(&Match::new().on("name,city").weights(WeightsFrom::Learn)),
        PartOptions::of_dedupe(&Dedupe::new().on("name,city").weights(WeightsFrom::Learn)),
    ] {
        assert!(refused.unwrap_err().to_string().contains("learned on one machine"));
    }

    // Rows that are ready to be searched have their scores already.
    let plain = Dedupe::new().on("name,city");
    let (target, labels) = plain.target(&columns, &context).unwrap();
    let learned = plain.weights(WeightsFrom::Learn);
    let error = dedupe_target(&target, &labels, &learned, &context).unwrap_err().to_string();
    assert!(error.contains("give tables, not an index"), "{error}");
}

#[test]
fn tables_without_pairs_give_none_and_say_so() {
    let empty = Columns::new().with("name", &[""; 0]).unwrap().with("city", &[""; 0]).unwrap();
    let options = Dedupe::new().on("name,city").weights(WeightsFrom::Learn);
    let (found, pairs, _) = dedupe_by_weights(&empty, &options, &Context::default()).unwrap();
    assert!(pairs.is_empty() && found.clusters.cluster_of.is_empty());
    assert!(found.report.notes.iter().any(|note| note.contains("nothing was learned")));
}
