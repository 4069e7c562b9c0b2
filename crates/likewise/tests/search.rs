//! Search gives what scoring every text gives: the same rows, the same scores to the bit, ties included.

use likewise::columns::Missing;
use likewise::index::{Field, Hit, Index, SearchOptions};
use likewise::measure::Measure;
use proptest::prelude::*;

mod registry;

/// Combinations of settings and sums that the registry's own choices do not make: [`registry`] adds every registered measure.
const MEASURES: &[&str] = &[
    likewise::measure::DEFAULT,
    "word-grams",
    "word-grams(compare=cosine, padding=none)",
    "word-grams(q=1:4, idf=0, qidf=0, length=0, head=1)",
    "word-grams(head=0, length=1)",
    "sc",
    "sc(q=1:3, weights=none)",
    "sc(q=2:3, weights=c.idf, padding=single, coefficient=dice)",
    "sc(q=2, weights=idf.qidf, idf=smooth)",
    "sc(q=1:2, weights=c.tfidf.qidf, coefficient=cosine)",
    "sc(q=3, weights=tfidf, coefficient=overlap)",
    "sc(q=2, coefficient=jaccard)",
    "sc(q=2, weights=none, coefficient=jaccard)",
    "sc(q=1:2, weights=c, coefficient=max)",
    "sc(q=2, p=-3.5, short=drop, padding=none)",
    "tfidf",
    "tfidf(weights=boolean)",
    "tfidf(weights=idf, idf=smooth)",
    "soft-tfidf",
    "soft-tfidf(terms=levenshtein, threshold=0.5, weights=boolean)",
    "soft-tfidf(partner=all, threshold=0.6, idf=smooth)",
    "qgrams",
    "qgrams(q=3, coefficient=cosine, padding=full)",
    "qgrams(q=2, coefficient=dice, count=bag)",
    "qgrams(q=2, coefficient=overlap, padding=single)",
    "levenshtein",
    "osa",
    "lcs",
    "jaro",
    "jaro-winkler",
    "jaro-winkler(prefix=0.2, above=0)",
    "equal",
    "exact",
    "exact(analyzer=analyzer)",
    "set",
    "set(separator=\" \")",
    "set(separator=\" \", analyzer=analyzer(case=keep, tokens=whole))",
    "0.5*set(separator=\" a\") + 0.5*exact(case=keep)",
    "0.5*digits(letters=keep) + 0.5*word-grams",
    "levenshtein(analyzer=analyzer)",
    "levenshtein(analyzer=analyzer(tokens=whole))",
    "monge-elkan(direction=both)",
    "sts",
    "sts(analyzer=analyzer)",
    "sts(nlcs, matching=optimal, analyzer=analyzer)",
    "sts(nmclcs1, nmclcsn)",
    "sts(0.3*string, 0.7*jaro-winkler, analyzer=analyzer)",
    "0.5*sts(string, analyzer=analyzer) + 0.5*word-grams",
    "0.7*sts + 0.3*kl(scale=share)",
    "string",
    "nlcs",
    "sc-pairwise",
    "soft-cosine",
    "soft-cosine(terms=edit, weights=tf)",
    "soft-cosine(terms=edit(form=linear), min=0.5, weights=boolean)",
    "soft-cosine(terms=jaro-winkler, min=0.7, most=3, weights=idf, idf=smooth)",
    "soft-cosine(terms=max(edit(max=1), qgrams), min=0.3, formula=pairs)",
    "soft-cosine(terms=edit(max=1), weights=tf, formula=basis, shift=3)",
    "soft-cosine(terms=mix(0.5*edit(max=2), 0.5*lcs), min=0.4, analyzer=analyzer(grams=1:2))",
    "0.5*soft-cosine(idf=smooth) + 0.5*word-grams",
    "overlap",
    "idf-overlap",
    "tfidf-sum",
    "relative-frequency",
    "bm25",
    "bm25(k1=2, b=0)",
    "0.5*bm25(b=1) + 0.5*overlap",
    "query-likelihood",
    "query-likelihood(mu=0)",
    "query-likelihood(mu=2500)",
    "translation(mu=1e-12)",
    "query-likelihood(mu=1, scale=share)",
    "query-likelihood(mu=0, scale=share)",
    "kl(mu-q=2, scale=share)",
    "0.5*query-likelihood(scale=share) + 0.5*word-grams",
    "kl",
    "kl(mu-q=0, mu-c=0)",
    "kl(smooth=candidate)",
    "0.5*query-likelihood(mu=3) + 0.5*kl",
    "0.7*sc + 0.3*kl",
    "0.5*query-likelihood + 0.5*jaro-winkler",
    "0.7*sc + 0.3*tfidf",
    "0.5*tfidf + 0.5*jaro-winkler",
    "0.4*word-grams + 0.3*qgrams + 0.3*soft-tfidf(idf=smooth)",
    "2*levenshtein + 3*sc(coefficient=jaccard)",
    "0.5*sc(coefficient=jaccard) + 0.5*tfidf(idf=smooth)",
    "0.25*word-grams + 0.25*sc + 0.25*tfidf(idf=smooth) + 0.25*sc(q=1)",
    "0.5*tfidf + 0.5*monge-elkan",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "([ab]{1,4}|[a-d]{1,6})( [abc]{1,3}){0,4}",
        2 => "[a-cé'’ .-]{0,20}",
        1 => "\\PC{0,12}",
        1 => "a{1,3}( a{1,3}){0,12}",
    ]
}

/// A text, or nothing.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![3 => text(), 1 => " {0,2}"]
}

/// Every row scored, best first, ties by row.
fn by_scoring_all(index: &Index, query: &[String]) -> Vec<(usize, f64)> {
    let score = |row: usize| {
        let of = |column: usize| {
            let scorer = index.scorer(column);
            let text = scorer.prepare(index.text(column, row));
            index.weight(column) * scorer.score(&scorer.prepare(&query[column]), &text).unwrap()
        };
        let columns = query.len();
        if columns == 1 {
            return of(0);
        }
        // Where a cell is empty that is neutral, the other columns count more.
        let blank = |text: &str| text.chars().all(char::is_whitespace);
        let counts = |&column: &usize| {
            index.missing(column) == Missing::Disagree
                || !blank(&query[column]) && !blank(index.text(column, row))
        };
        let sum = (0..columns).filter(counts).fold(0.0, |sum, column| sum + of(column));
        let weights = |columns: &mut dyn Iterator<Item = usize>| {
            columns.fold(0.0, |sum, column| sum + index.weight(column))
        };
        if (0..columns).all(|column| counts(&column)) {
            return sum;
        }
        let counted = weights(&mut (0..columns).filter(counts));
        if counted > 0.0 { sum * (weights(&mut (0..columns)) / counted) } else { 0.0 }
    };
    let mut all: Vec<(usize, f64)> =
        (0..index.len()).map(|row| (row, score(row))).filter(|(_, score)| *score > 0.0).collect();
    all.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
    all
}

fn check(index: &Index, query: &[String], what: &str) {
    let all = by_scoring_all(index, query);
    for (k, min) in [(1, 0.0), (3, 0.0), (10, 0.0), (usize::MAX, 0.0), (5, 0.4), (usize::MAX, 0.55)]
    {
        for ties in [false, true] {
            let mut expected: Vec<(usize, f64)> =
                all.iter().copied().filter(|(_, score)| *score >= min).collect();
            let kth = expected.get(k.saturating_sub(1)).map(|(_, score)| *score);
            match kth {
                Some(kth) if ties => expected.retain(|(_, score)| *score >= kth),
                _ => expected.truncate(k),
            }
            let options = SearchOptions::new().k(k).min(min).ties(ties);
            let found: Vec<Hit> = index.search(query, options).unwrap().collect();
            assert!(found.iter().all(|hit| hit.proven));
            let found: Vec<(usize, u64)> =
                found.iter().map(|hit| (hit.row, hit.score.to_bits())).collect();
            let expected: Vec<(usize, u64)> =
                expected.iter().map(|(row, score)| (*row, score.to_bits())).collect();
            assert_eq!(found, expected, "{what}: {query:?} k {k} min {min} ties {ties}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn search_gives_what_scoring_every_text_gives(
        texts in proptest::collection::vec(text(), 0..40),
        queries in proptest::collection::vec(text(), 2),
    ) {
        for expression in MEASURES {
            let measure: Measure = expression.parse().unwrap();
            let index = Index::of_texts(&measure, texts.clone()).unwrap();
            for query in queries.iter().chain(texts.first()) {
                check(&index, std::slice::from_ref(query), expression);
            }
        }
    }

    #[test]
    fn every_registered_measure_is_searched_exactly(
        texts in proptest::collection::vec(text(), 1..30),
        query in text(),
    ) {
        registry::Resources::new().each_measure(|measure, expression| {
            let index = Index::of_texts(measure, texts.clone()).unwrap();
            check(&index, std::slice::from_ref(&query), expression);
            check(&index, &texts[..1], expression);
        });
    }

    #[test]
    fn several_columns_are_summed(
        rows in proptest::collection::vec((cell(), cell()), 0..40),
        query in (cell(), cell()),
    ) {
        let field = |weight: f64, measure: &str| Field::new(weight, measure.parse().unwrap());
        let (names, cities): (Vec<String>, Vec<String>) = rows.into_iter().unzip();
        for fields in [
            [field(0.7, "word-grams"), field(0.3, "word-grams")],
            [field(0.5, likewise::measure::DEFAULT), field(2.0, "jaro-winkler")],
            [field(0.9, "tfidf"), field(0.1, "monge-elkan")],
            [field(0.6, "word-grams").missing(Missing::Disagree), field(0.4, "levenshtein")],
            [field(0.6, "word-grams"), field(0.4, "2*tfidf + 3*jaro-winkler")],
            [field(0.6, "tfidf"), field(0.4, "jaro")].map(|one| one.missing(Missing::Disagree)),
        ] {
            let index = Index::build(&fields, vec![names.clone(), cities.clone()]).unwrap();
            check(&index, &[query.0.clone(), query.1.clone()], &format!("{fields:?}"));
        }
    }
}

/// Texts enough for many blocks, in many length buckets, with common and with rare words.
fn many_texts(seed: u64) -> Vec<String> {
    let mut state = seed;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let syllables =
        ["an", "ber", "ca", "do", "el", "fi", "gar", "hu", "in", "jo", "ka", "li", "mo"];
    let common = ["ltd", "and", "group", "the", "co"];
    (0..1_200)
        .map(|_| {
            let words = 1 + next(4) * next(4) + if next(50) == 0 { 20 } else { 0 };
            let word = |next: &mut dyn FnMut(u64) -> u64| {
                if next(3) == 0 {
                    return common[next(5) as usize].to_owned();
                }
                (0..1 + next(3)).map(|_| syllables[next(13) as usize]).collect()
            };
            (0..words).map(|_| word(&mut next)).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// The same for every registered measure over many blocks and length buckets.
#[test]
fn every_registered_measure_is_searched_exactly_over_many_blocks() {
    let texts = many_texts(2);
    registry::Resources::new().each_measure(|measure, expression| {
        let index = Index::of_texts(measure, texts.clone()).unwrap();
        for query in [&*texts[11], "berka ltd"] {
            let mut search = index.search(&[query], SearchOptions::new()).unwrap();
            let found: Vec<(usize, u64)> =
                search.by_ref().map(|hit| (hit.row, hit.score.to_bits())).collect();
            let all = by_scoring_all(&index, &[query.to_owned()]);
            let all = all.iter().take(10).map(|(row, score)| (*row, score.to_bits()));
            assert_eq!(found, all.collect::<Vec<_>>(), "{expression}: {query}");
            let stats = search.stats();
            assert!(stats.plan.is_some(), "{expression}: {stats:?}");
        }
    });
}

#[test]
fn wrong_numbers_of_texts_are_errors() {
    use likewise::index::IndexError;
    let fields = [Field::from(Measure::default()), Field::from(Measure::default())];
    let texts = |n: usize| vec!["a text".to_owned(); n];
    let uneven = Index::build(&fields, vec![texts(2), texts(3)]).err();
    assert!(matches!(uneven, Some(IndexError::Uneven { column: 1, found: 3, rows: 2 })));
    let columns = Index::build(&fields, vec![texts(2)]).err();
    assert!(matches!(columns, Some(IndexError::Columns { found: 1, expected: 2 })));
    let index = Index::build(&fields, vec![texts(2), texts(2)]).unwrap();
    let query = index.search(&["one"], SearchOptions::new()).err();
    assert!(matches!(query, Some(IndexError::Query { found: 1, columns: 2 })));
    let batch = index.search_batch(&[["one"]], SearchOptions::new(), |_, _| ()).err();
    assert!(matches!(batch, Some(IndexError::Query { .. })));
}

#[test]
fn plans_are_named() {
    use likewise::index::Plan;
    let plan = |measure: &str, texts: Vec<String>, query: &str| {
        let index = Index::of_texts(&measure.parse().unwrap(), texts).unwrap();
        let mut search = index.search(&[query], SearchOptions::new()).unwrap();
        assert!(search.by_ref().count() > 0);
        search.stats().plan.unwrap()
    };
    assert_eq!(plan("bm25", many_texts(1), "berka ltd"), Plan::MaxScore);
    assert_eq!(plan("monge-elkan", many_texts(1), "berka ltd"), Plan::EveryRow);
    let known = many_texts(1)[3].to_uppercase();
    assert_eq!(plan("exact", many_texts(1), &known), Plan::MaxScore);
    assert_eq!(plan("set(separator=\" \")", many_texts(1), &known), Plan::MaxScore);
    let long = long_texts_of(150);
    let query = long[7].clone();
    assert_eq!(plan("word-grams", long, &query), Plan::Scan);
    assert_eq!(format!("{:>12}|{}", Plan::EveryRow, Plan::MaxScore), "   every-row|max-score");
}

#[test]
fn many_blocks_and_buckets_give_the_same_too() {
    for seed in 0..2 {
        let texts = many_texts(seed);
        for expression in MEASURES {
            let measure: Measure = expression.parse().unwrap();
            let index = Index::of_texts(&measure, texts.clone()).unwrap();
            for query in
                [&*texts[7], "berka ltd", "the group and co garhu jolimo ber", "ann", "xyz"]
            {
                check(&index, &[query.to_owned()], expression);
            }
        }
    }
}

/// Texts so long, of words so common, that all postings would lead to most of them. Some have no word, and more words occur than have
/// numbers of their own among the paired ones.
fn long_texts() -> Vec<String> {
    long_texts_of(20)
}

/// The same with words whose ranks are products of two numbers below this.
fn long_texts_of(ranks: u64) -> Vec<String> {
    let mut state = 7u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
        (state >> 33) % below
    };
    let syllables = ["ta", "ren", "mo", "lis", "ku", "er", "on", "ing", "al", "the"];
    (0..700)
        .map(|text| {
            let words = if text % 90 == 0 { 0 } else { 12 + next(25) };
            let word = |next: &mut dyn FnMut(u64) -> u64| {
                // Few words often, many seldom.
                let rank = next(ranks) * next(ranks);
                let last = syllables[(rank / 10 % 10) as usize];
                format!("{}{}{last}", syllables[(rank % 10) as usize], rank / 100)
            };
            (0..words).map(|_| word(&mut next)).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

#[test]
fn long_texts_give_the_same_too() {
    let texts = long_texts();
    for expression in
        [likewise::measure::DEFAULT, "tfidf(idf=smooth)", "sc", "0.5*sc + 0.5*tfidf", "sts"]
    {
        let measure: Measure = expression.parse().unwrap();
        let index = Index::of_texts(&measure, texts.clone()).unwrap();
        for query in [&*texts[5], &texts[410], "ta0ta the0ren ren1mo er2al on0ku", "zzz", ""] {
            check(&index, &[query.to_owned()], expression);
        }
    }
}

/// Texts of some hundred to some thousand words, one of more than a scan takes.
fn very_long_texts() -> Vec<String> {
    let words: Vec<String> = long_texts_of(60).join(" ").split(' ').map(str::to_owned).collect();
    let text = |at: usize, many: usize| {
        (0..many)
            .map(|n| words[(at * 131 + n * (1 + at % 7)) % words.len()].as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut texts: Vec<String> = (0..290).map(|at| text(at, 3 + at)).collect();
    texts.extend((0..40).map(|at| text(at, 1_010 + at)));
    texts.extend((0..10).map(|at| text(at, 3_000 * (1 + at % 3))));
    texts.push(text(5, 70_000));
    texts
}

#[test]
fn texts_of_more_than_a_thousand_words_are_bounded_and_give_the_same() {
    let texts = very_long_texts();
    for expression in [
        likewise::measure::DEFAULT,
        "word-grams(compare=cosine)",
        "tfidf(idf=smooth)",
        "bm25",
        "query-likelihood(scale=share)",
        "0.5*sc + 0.5*tfidf",
    ] {
        let measure: Measure = expression.parse().unwrap();
        let index = Index::of_texts(&measure, texts.clone()).unwrap();
        for query in [&*texts[8], &texts[150], &texts[300], "ta0ta the0ren ren1mo er2al"] {
            check(&index, &[query.to_owned()], expression);
        }
        let mut search = index.search(&[&texts[300]], SearchOptions::new().k(1)).unwrap();
        assert_eq!(search.by_ref().count(), 1);
        let scored = search.stats().scored;
        // How many are skipped depends on how far the measure tells these texts apart, which share most of their words.
        let rows = texts.len() as u64;
        let most = if expression == likewise::measure::DEFAULT { rows / 4 } else { rows };
        assert!(scored < most, "{expression}: {scored} of {rows} rows were scored");
    }
}

#[test]
fn a_deadline_holds_while_candidates_are_bounded_and_scored() {
    use std::time::Duration;
    let texts = very_long_texts();
    let index =
        Index::of_texts(&likewise::measure::DEFAULT.parse().unwrap(), texts.clone()).unwrap();
    let options = SearchOptions::new().k(200).within(Duration::from_nanos(1));
    let mut search = index.search(&[&texts[300]], options).unwrap();
    let hits: Vec<Hit> = search.by_ref().collect();
    let stats = search.stats();
    assert!(stats.cut_short && stats.scored <= 2, "{stats:?}");
    assert!(!hits.is_empty() && hits.iter().all(|hit| !hit.proven), "{hits:?}");
}

/// More terms have an impact than MaxScore takes: all texts are scanned.
#[test]
fn long_texts_of_many_words_give_the_same_too() {
    let texts = long_texts_of(150);
    for expression in [
        likewise::measure::DEFAULT,
        "word-grams",
        "word-grams(q=2:3, idf=0)",
        "0.4*word-grams + 0.3*word-grams(compare=cosine) + 0.3*sc",
    ] {
        let measure: Measure = expression.parse().unwrap();
        let index = Index::of_texts(&measure, texts.clone()).unwrap();
        for text in texts.iter().filter(|text| !text.is_empty()).step_by(60) {
            let query = text.split(' ').skip(3).collect::<Vec<_>>().join(" ") + " the0al zzz";
            check(&index, std::slice::from_ref(&query), expression);
            let mut search = index.search(&[&query], SearchOptions::new()).unwrap();
            assert_eq!(search.by_ref().count(), 10);
            let stats = search.stats();
            // No postings were read, and there were several rounds.
            assert!(stats.touched == 0 && stats.bounded > 0, "{query}: {stats:?}");
            assert!(stats.rounds > 1, "{query}: {stats:?}");
        }
    }
}

/// A first round by postings, and then a scan, for thresholds that are not the highest any more.
#[test]
fn postings_first_and_then_a_scan_give_the_same_too() {
    let texts = many_texts(5);
    for expression in ["levenshtein", "jaro-winkler", "qgrams(q=2)", likewise::measure::DEFAULT] {
        let index = Index::of_texts(&expression.parse().unwrap(), texts.clone()).unwrap();
        for text in texts.iter().step_by(150) {
            let reversed: String = text.chars().rev().skip(2).chain("qua".chars()).collect();
            for query in [reversed, text[..text.len() / 2].to_owned(), format!("{text} {text} xyz")]
            {
                let query = [query];
                let all = by_scoring_all(&index, &query);
                for k in [10, 70, 200, 700] {
                    let found = index.search(&query, SearchOptions::new().k(k)).unwrap();
                    let found: Vec<(usize, f64)> = found.map(|hit| (hit.row, hit.score)).collect();
                    assert_eq!(found, all[..k.min(all.len())], "{expression}: {query:?}, {k}");
                }
            }
        }
    }
}

/// Queries that take a scan, some together and the rest of them, and others in between that do not.
#[test]
fn many_queries_together_give_what_each_gives() {
    let texts = long_texts_of(150);
    let words = |text: &String| text.split(' ').skip(3).collect::<Vec<_>>().join(" ");
    for expression in [likewise::measure::DEFAULT, "word-grams(q=2:3, idf=0)", "sc", "tfidf"] {
        let index = Index::of_texts(&expression.parse().unwrap(), texts.clone()).unwrap();
        let options = SearchOptions::new().k(5).min(0.1).ties(true);
        for many in [1, 2, 4, 5, 8, 9, 21] {
            let mut queries: Vec<[String; 1]> =
                texts.iter().skip(many).step_by(31).take(many).map(|text| [words(text)]).collect();
            queries.extend([["".into()], ["zzz".into()], ["ren1mo".into()]]);
            let found = index.search_batch(&queries, options, |number, search| {
                (number, search.collect::<Vec<_>>())
            });
            let found = found.unwrap();
            let alone = queries.iter().map(|query| index.search(query, options).unwrap().collect());
            let alone: Vec<(usize, Vec<Hit>)> = alone.enumerate().collect();
            assert_eq!(found, alone, "{expression}: {many} queries");
        }
    }
}

#[test]
fn a_text_with_more_words_than_are_kept_is_found_too() {
    let mut texts = many_texts(3);
    texts.push(texts[..400].join(" "));
    assert!(texts[1_200].split(' ').count() > 1_100);
    for expression in [likewise::measure::DEFAULT, "sc", "tfidf(idf=smooth)", "sts"] {
        let measure: Measure = expression.parse().unwrap();
        let index = Index::of_texts(&measure, texts.clone()).unwrap();
        for query in [&*texts[1_200], "the group and co garhu jolimo ber"] {
            check(&index, &[query.to_owned()], expression);
        }
    }
}

/// Real names and misspelt queries: set `LIKEWISE_DATA`, and `LIKEWISE_QUERIES` for more than 10.
#[test]
fn real_names_give_the_same_too() {
    let Some(data) = std::env::var_os("LIKEWISE_DATA") else {
        eprintln!("LIKEWISE_DATA is not set: real names are not searched");
        return;
    };
    let read = |name: &str| {
        let file =
            std::fs::File::open(std::path::Path::new(&data).join("bench").join(name)).unwrap();
        std::io::read_to_string(flate2::read::GzDecoder::new(file)).unwrap()
    };
    let last = |line: &str| line.rsplit('\t').next().unwrap_or_default().to_owned();
    let texts: Vec<String> = read("names_100000.tsv.gz").lines().map(last).collect();
    let count = std::env::var("LIKEWISE_QUERIES").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let queries: Vec<String> =
        read("names_100000_q.tsv.gz").lines().take(count).map(last).collect();
    let measures = [
        likewise::measure::DEFAULT,
        "sc(q=2:3, weights=c.idf, coefficient=dice)",
        "tfidf",
        "soft-tfidf",
        "qgrams(q=3)",
        "jaro-winkler",
        "levenshtein",
        "0.5*word-grams + 0.5*jaro-winkler",
    ];
    for expression in measures {
        let measure: Measure = expression.parse().unwrap();
        let index = Index::of_texts(&measure, texts.clone()).unwrap();
        let scorer = index.scorer(0);
        let (rows, columns) = (scorer.prepare_all(&queries), scorer.prepare_all(&texts));
        let expected = scorer
            .map_rows(&rows, &columns, |_, scores| {
                let mut best: Vec<(usize, f64)> =
                    scores.iter().copied().enumerate().filter(|(_, score)| *score > 0.0).collect();
                best.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
                let kth = best.get(9).map_or(0.0, |(_, score)| *score);
                best.retain(|(_, score)| *score >= kth);
                best
            })
            .unwrap();
        for (query, expected) in queries.iter().zip(expected) {
            let options = SearchOptions::new().ties(true);
            let found = index.search(&[query], options).unwrap();
            let found: Vec<(usize, u64)> =
                found.map(|hit| (hit.row, hit.score.to_bits())).collect();
            let expected: Vec<(usize, u64)> =
                expected.iter().map(|(row, score)| (*row, score.to_bits())).collect();
            assert_eq!(found, expected, "{expression}: {query}");
        }
        eprintln!(
            "{expression}: {} queries over {} names, the same to the bit",
            queries.len(),
            texts.len()
        );
    }
}

/// Words compared by distributional similarity: by lists of the most alike, by sketches of frequent words, and by computing all.
#[cfg(feature = "table")]
#[test]
fn distributional_similarity_gives_the_same_too() {
    use likewise::corpus::{BuildOptions, Corpus, CorpusError};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    let texts = long_texts();
    let background = many_texts(5).into_iter().chain(texts.iter().cloned());
    let options = BuildOptions::default().with_window(3).with_floor(2);
    let analyzer = "analyzer(stop=en, stem=porter)".parse().unwrap();
    let background = background.map(Ok::<_, CorpusError>);
    Corpus::build(&path, &analyzer, background, &options).unwrap();
    for expression in [
        "sts(corpus=FILE)",
        "sts(string=0.2, soc-pmi=0.8, corpus=FILE, lambda=20, matching=optimal)",
        "sts(soc-pmi(FILE, lambda=100000))",
        "sts(soc-pmi(FILE, gamma=2, delta=3))",
        "sts(soc-pmi(FILE, lambda=300), soc-pmi(FILE))",
        "0.5*sts(string) + 0.5*sts(soc-pmi(FILE, lambda=300))",
    ] {
        let file = format!("{:?}", path.to_str().unwrap());
        let measure: Measure = expression.replace("FILE", &file).parse().unwrap();
        let index = Index::of_texts(&measure, texts.clone()).unwrap();
        for query in ["ta0ta the0ren ren1mo er2al on0ku unknown", "berka ltd", ""] {
            check(&index, &[query.to_owned()], expression);
        }
        // With another γ no word has a sketch: of so many what is computed for them changes its way.
        let many = if expression.contains("gamma") { 8 } else { 1 };
        for query in texts.iter().skip(5).step_by(70).take(many) {
            check(&index, std::slice::from_ref(query), expression);
        }
    }
}
