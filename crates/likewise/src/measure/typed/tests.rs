use crate::collection::Collection;
use crate::columns::Columns;
use crate::index::{
    BuildOptions, Field, Index, IndexError, NamedField, Row, Schema, SearchOptions,
};
use crate::measure::{Measure, Scorer, Side};
use crate::task::{Context, Match, match_tables};
use crate::values::{Comparator, Date, Digits, Exact, Number, Set, date::Order};
use proptest::prelude::*;

fn bound(measure: &str, column: &[&str]) -> Scorer {
    let measure: Measure = measure.parse().unwrap();
    measure.bind(&Collection::build(measure.analyzers(), column).unwrap()).unwrap()
}

#[test]
fn a_column_shows_how_its_cells_are_read() {
    let score =
        |measure: &str, column: &[&str]| bound(measure, column).score_texts(column[0], column[1]);
    assert_eq!(score("number", &["1,234", "1234"]), 1.0);
    assert_eq!(score("number", &["1,234", "1234", "12,5"]), 0.0, "a decimal comma");
    assert_eq!(
        score("number", &["1,234", "1234", "12.5", "12.7", "12,5"]),
        1.0,
        "the majority counts"
    );
    // Each cell counts as often as it occurs.
    assert_eq!(score("number", &["1,234", "1234", "12.5", "12.7", "12,5", "12,5", "12,5"]), 0.0);
    assert_eq!(score("date", &["03/04/2024", "2024-04-03", "31/12/2024"]), 1.0);
    assert_eq!(score("date", &["03/04/2024", "2024-03-04", "12/31/2024"]), 1.0);
    assert_eq!(score("set", &["a, b; c", "c; a, b"]), 1.0);
    assert_eq!(score("set", &["a, b", "b, a, c", "d"]), 2.0 / 3.0);
    // What the settings say goes before.
    assert_eq!(score("number(decimal=point)", &["1,234", "1234", "12,5"]), 1.0);
    assert_eq!(score("date(order=mdy)", &["03/04/2024", "2024-03-04", "31/12/2024"]), 1.0);
    assert_eq!(score("set(separator=\"/\")", &["a/b; c", "b; c/a"]), 1.0);
}

#[test]
fn what_cannot_be_known_is_refused_or_missing() {
    let error = |measure: &str, column: &[&str]| {
        let measure: Measure = measure.parse().unwrap();
        let collection = Collection::build(measure.analyzers(), column).unwrap();
        measure.bind(&collection).err().unwrap().to_string()
    };
    assert_eq!(
        error("date", &["03/04/2024", "2024-03-04"]),
        "`03/04/2024` can be read with the day or the month first, and no cell of the column tells which (help: say \
         `date(order=dmy)` or `date(order=mdy)`)"
    );
    assert!(
        error("date", &["3/4/2024", "31/1/2024", "1/31/2024"])
            .contains("has both orders: `31/1/2024` and `1/31/2024`")
    );
    assert!(error("set(separator=\"\")", &["a"]).contains("`separator` is empty"));
    // A query may depend on what no cell shows.
    let dates = bound("date", &["2024-03-04"]);
    assert!(!dates.has_value("03/04/2024") && dates.score_texts("03/04/2024", "2024-03-04") == 0.0);
    let alone: Measure = "number".parse().unwrap();
    let error = alone.bind(&Collection::default()).err().unwrap().to_string();
    assert_eq!(error, "`number` needs to know all texts beforehand: give it a collection");
}

#[test]
fn a_text_has_a_value_if_a_measure_of_the_sum_can_read_it() {
    for (measure, with, without) in [
        ("number(decimal=point)", &["5", "$1,299.00"][..], &["", " ", "n/a", "five"][..]),
        ("date(order=dmy)", &["1978", "3/4/1978"], &["", "30.2.1978", "someday"]),
        ("digits", &["7", "ext. 5"], &["", "abc", "?"]),
        ("digits(letters=keep)", &["abc"], &["", "-", "()"]),
        ("exact", &["a", "0"], &["", "n/a"]),
        ("set(separator=\",\")", &["a", "a,"], &["", ",", "n/a, -"]),
        ("0.5*number(decimal=point) + 0.5*date(order=dmy)", &["17", "3 May 1978"], &["n/a"]),
        ("0.5*number(decimal=point) + 0.5*jaro", &["17", "n/a"], &[""]),
    ] {
        let measure: Measure = measure.parse().unwrap();
        let scorer = measure.bind(&Collection::default()).unwrap();
        for text in with {
            assert!(scorer.has_value(text), "{measure}: {text:?}");
        }
        for text in without {
            assert!(!scorer.has_value(text), "{measure}: {text:?}");
            assert_eq!(scorer.score_texts(text, text), 0.0, "{measure}: {text:?}");
        }
    }
    // Most measures read every text that is not blank.
    let jaro = bound("jaro", &[]);
    assert!(["a", "n/a", "…"].into_iter().all(|text| jaro.has_value(text)));
    assert!(["", " \t", "\u{a0}"].into_iter().all(|text| !jaro.has_value(text)));
}

#[test]
fn an_explanation_says_how_the_values_differ() {
    let reading = |measure: &str, a: &str, b: &str| bound(measure, &[a, b]).explain(a, b).reading;
    for (measure, a, b, expected) in [
        ("exact", "Rome", "ROME", "equal"),
        ("exact", "Rome", "Oslo", "not equal"),
        ("number", "$1,300.00", "1235 USD", "1300 usd and 1235 usd: 65 apart, 5.0 % of the larger"),
        ("number", "7.2", "7.1", "7.2 and 7.1: 0.1 apart, 1.4 % of the larger"),
        ("number", "500 g", "0.5 kg", "500 g and 0.5 kg: equal"),
        ("number", "5 g", "5 cm", "5 g and 5 cm: units of different things"),
        ("number", "5 €", "$5", "5 eur and 5 usd: different currencies"),
        ("number", "5", "five", "the second text is not a number"),
        ("date", "2024-01-31", "31 Jan 2024", "2024-01-31 and 2024-01-31: equal"),
        ("date", "2024-01-31", "Jan 2024", "2024-01-31 and 2024-01: the same month"),
        (
            "date",
            "1978-05-03",
            "1978-05-08",
            "1978-05-03 and 1978-05-08: one digit differs; 5 days apart",
        ),
        (
            "date",
            "1978-05-03",
            "1978-03-05",
            "1978-05-03 and 1978-03-05: day and month are swapped; 59 days apart",
        ),
        (
            "date",
            "1978-05-21",
            "1978-05-12",
            "1978-05-21 and 1978-05-12: two digits are swapped; 9 days apart",
        ),
        ("date", "1978-05-21", "1978-06-12", "1978-05-21 and 1978-06-12: 22 days apart"),
        ("digits", "030/1234567", "(030) 123 45 67", "the same 9 digits"),
        ("digits", "+49 30 1234567", "030/1234567", "the same but for 2 more digits in one"),
        ("digits", "310-475-9807", "310-475-9808", "1 of 10 digits wrong, missing or swapped"),
        (
            "digits",
            "310-475-9807",
            "818-762-1221",
            "more than 3 of 10 digits wrong, missing or swapped",
        ),
        ("set", "a; b", "b; c", "1 shared of 3 different values"),
    ] {
        assert_eq!(reading(measure, a, b), expected);
    }
    // Of sets the shared values light up, of others the whole cell.
    let (a, b) = ("Drama;  Horror", "horror; war");
    let why = bound("set", &[a, b]).explain(a, b);
    let bright = |text: &str, side| -> Vec<String> {
        let all = why.highlights(text, side).into_iter();
        all.filter(|(_, strength)| *strength > 0.0)
            .map(|(range, _)| text[range].to_owned())
            .collect()
    };
    assert_eq!(
        (bright(a, Side::Left), bright(b, Side::Right)),
        (vec!["Horror".into()], vec!["horror".into()])
    );
    assert_eq!(why.summary(a, b, 3), "Horror ~ horror +0.333");
    let why = bound("number", &["7 kg", "7"]).explain("7 kg", "7");
    assert_eq!(why.summary("7 kg", "7", 3), "7 kg ~ 7 +1.000");
}

proptest! {
    /// The measure is the comparator, with 0 where that has no score.
    #[test]
    fn scores_are_those_of_the_comparators(
        a in "[0-3]{1,2}[-/.][0-3]{1,2}[-/.](19|20)[0-9]{2}|[0-9]{1,4}[.,]?[0-9]{0,3}( kg| g)?|[a-cA-C ,;]{0,8}",
        b in "[0-3]{1,2}[-/.][0-3]{1,2}[-/.](19|20)[0-9]{2}|[0-9]{1,4}[.,]?[0-9]{0,3}( kg| g)?|[a-cA-C ,;]{0,8}",
    ) {
        let order = Some(Order::Mdy);
        for (measure, expected) in [
            ("exact", Exact::default().score(&a, &b)),
            ("number(decimal=point)", Number::default().score(&a, &b)),
            ("date(order=mdy)", Date { order, ..Date::default() }.score(&a, &b)),
            ("date(order=mdy, tolerance=30)", Date { order, tolerance: Some(30.0) }.score(&a, &b)),
            ("digits", Digits::default().score(&a, &b)),
            ("digits(letters=keep)", Digits { letters: true }.score(&a, &b)),
            ("set(separator=\",;\")", Set::new([',', ';']).score(&a, &b)),
        ] {
            let measure: Measure = measure.parse().unwrap();
            let scorer = measure.bind(&Collection::default()).unwrap();
            prop_assert_eq!(scorer.score_texts(&a, &b), expected.unwrap_or(0.0), "{} {:?} {:?}", measure, a, b);
            prop_assert_eq!(expected.is_some(), scorer.has_value(&a) && scorer.has_value(&b));
        }
    }
}

#[test]
fn the_cells_of_both_tables_that_are_matched_tell_how_they_are_read() {
    let left = ["13/04/2024", "03/04/2024"];
    let right = ["2024-04-03", "2024-04-13"];
    let options = Match::new().measure("date".parse().unwrap()).min(0.95);
    let found =
        match_tables(&Columns::of(&left), &Columns::of(&right), &options, &Context::default());
    let found = found.unwrap();
    let pairs: Vec<_> =
        found.pairs.iter().map(|pair| (pair.left, pair.right, pair.score)).collect();
    assert_eq!(pairs, [(0, 1, 1.0), (1, 0, 1.0)]);
    let contrary = ["03/04/2024", "04/13/2024"];
    let refused =
        match_tables(&Columns::of(&left), &Columns::of(&contrary), &options, &Context::default());
    let error = refused.err().unwrap().to_string();
    assert!(error.contains("has both orders: `13/04/2024` and `04/13/2024`"), "{error}");
}

#[test]
fn rows_that_contradict_an_index_are_refused_and_it_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("born.idx");
    let field = Field::from("date".parse::<Measure>().unwrap());
    let schema = Schema { columns: vec![NamedField { name: "born".to_owned(), field }], id: None };
    let rows = |cells: &[&str]| -> Vec<Result<Row, IndexError>> {
        let row = |cell: &&str| Ok(Row { id: (*cell).to_owned(), texts: vec![(*cell).to_owned()] });
        cells.iter().map(row).collect()
    };
    let (first, contrary) = (rows(&["31/01/2024", "03/04/2024"]), rows(&["01/31/2024"]));
    Index::create(&path, &schema, first.into_iter(), &BuildOptions::default()).unwrap();
    let refused = Index::add(&path, contrary.into_iter(), &BuildOptions::default());
    assert!(refused.err().unwrap().to_string().contains("has both orders"));
    let index = Index::open(&path).unwrap();
    let found: Vec<_> = index
        .search(&["3 April 2024"], SearchOptions::new().min(0.95))
        .unwrap()
        .map(|hit| (hit.row, hit.score))
        .collect();
    // By the day first it is the 3rd of April, in the index as in the query.
    assert_eq!((index.len(), found), (2, vec![(1, 1.0)]));
}
