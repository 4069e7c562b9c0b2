use super::*;
use crate::columns::Columns;
use crate::task::{Context, dedupe, duplicate_pairs, match_tables};
use proptest::prelude::*;

/// What the parts of a table would go through, on one machine.
struct Cluster {
    parts: Parts,
    sketch: Sketch,
    layout: Layout,
}

/// Texts by part; the parts of a table are every so manieth row.
fn cut(texts: &[String], parts: usize) -> Vec<Vec<(u64, &str)>> {
    let mut all = vec![Vec::new(); parts];
    for (row, text) in texts.iter().enumerate().rev() {
        all[row % parts].push((row as u64, text.as_str()));
    }
    all
}

fn texts_of<'a>(part: &[(u64, &'a str)]) -> Vec<&'a str> {
    part.iter().map(|&(_, text)| text).collect()
}

impl Cluster {
    /// Counts the last table, and lays out all; features of more than `heavy` rows are heavy.
    fn new(
        options: &PartOptions,
        tables: &[&[String]],
        parts: usize,
        heavy: u64,
    ) -> Result<Self, TaskError> {
        let counted = tables.last().copied().unwrap_or_default();
        type Counted = (u32, Option<String>, Option<u64>);
        let mut sum: FxHashMap<Counted, (u64, u64)> = FxHashMap::default();
        for part in cut(counted, parts) {
            let texts: Vec<String> = part.iter().map(|&(_, text)| text.to_owned()).collect();
            for count in count_part(options, &texts)? {
                let own = sum.entry((count.analyzer, count.term, count.length)).or_default();
                *own = (own.0 + count.texts, own.1 + count.occurrences);
            }
        }
        let count = |((analyzer, term, length), (texts, occurrences))| PartCount {
            analyzer,
            term,
            length,
            texts,
            occurrences,
        };
        let collection = counts_of_parts(options, sum.into_iter().map(count).collect())?;
        let parts_of = Parts::new(options, &collection, &Resources::default())?;
        let mut sketch = Sketch::default();
        for part in tables.iter().flat_map(|table| cut(table, parts)) {
            let own = parts_of.join().sketch(&texts_of(&part)).unwrap();
            let sent = Sketch::from_bytes(&own.to_bytes(), parts_of.join().measures()).unwrap();
            assert_eq!(own, sent);
            sketch.merge(&sent);
        }
        let mut listed: FxHashMap<u32, u64> = FxHashMap::default();
        for part in tables.iter().flat_map(|table| cut(table, parts)) {
            for (feature, rows) in parts_of.frequencies(&sketch, &texts_of(&part))? {
                *listed.entry(feature).or_default() += rows;
            }
        }
        let layout = Layout::new(parts as u64, listed.into_iter().collect(), heavy);
        Ok(Self { parts: parts_of, sketch, layout })
    }

    /// The pairs, and how many rows went to cells in all.
    fn pairs(&self, tables: &[&[String]], parts: usize) -> Vec<(u64, u64, f64)> {
        let mut by_cell: FxHashMap<u64, Vec<(PartRow, &str)>> = FxHashMap::default();
        for (side, table) in [Side::Left, Side::Right].into_iter().zip(tables) {
            for part in cut(table, parts) {
                let rows: Vec<u64> = part.iter().map(|&(row, _)| row).collect();
                let cells =
                    self.parts.cells(&self.sketch, &self.layout, &rows, &texts_of(&part)).unwrap();
                for ((row, text), cells) in part.into_iter().zip(cells) {
                    for cell in cells {
                        by_cell.entry(cell).or_default().push((PartRow { cell, side, row }, text));
                    }
                }
            }
        }
        let mut found = Vec::new();
        for rows in by_cell.into_values() {
            let texts: Vec<&str> = rows.iter().map(|&(_, text)| text).collect();
            let rows: Vec<PartRow> = rows.iter().map(|&(row, _)| row).collect();
            let pairs = self.parts.pairs(&self.layout, &rows, &texts).unwrap();
            found.extend(pairs.iter().map(|&(l, r, score)| (rows[l].row, rows[r].row, score)));
        }
        found.sort_by_key(|pair| (pair.0, pair.1));
        found
    }
}

fn plain(pairs: &[Pair]) -> Vec<(u64, u64, f64)> {
    pairs.iter().map(|pair| (u64::from(pair.left), u64::from(pair.right), pair.score)).collect()
}

/// Each pair with the component that it belongs to, by its first row, or its first left row.
fn components(pairs: &[(u64, u64, f64)], two_tables: bool) -> Vec<PartPair> {
    let right = |row: u64| if two_tables { row + (1 << 32) } else { row };
    let mut of: FxHashMap<u64, u64> = FxHashMap::default();
    for _ in 0..=pairs.len() {
        for &(l, r, _) in pairs {
            let (l, r) = (l, right(r));
            let least = *of.get(&l).unwrap_or(&l).min(of.get(&r).unwrap_or(&r));
            of.insert(l, least);
            of.insert(r, least);
        }
    }
    let pair = |&(left, right, score): &(u64, u64, f64)| PartPair {
        component: of[&left],
        left,
        right,
        score,
    };
    pairs.iter().map(pair).collect()
}

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "acme", "acne", "inc", "ltd", "zeta", "beta", "bet", "john", "jon", "smith",
    ]);
    prop::collection::vec(word, 0..5).prop_map(|words| words.join(" "))
}

fn measure() -> impl Strategy<Value = Measure> {
    let names = [
        "word-grams(q=3, compare=cosine)",
        "word-grams",
        "0.5*word-grams + 0.3*word-grams(compare=cosine) + 0.2*word-grams(q=2)",
    ];
    prop_oneof![
        Just(Measure::default()),
        prop::sample::select(names.to_vec()).prop_map(|name| name.parse().unwrap())
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn duplicates_found_in_parts_are_those_of_one_machine(
        texts in prop::collection::vec(text(), 0..40),
        measure in measure(),
        min in prop::sample::select(vec![0.2, 0.35, 0.5, 0.8, 1.0]),
        parts in 1usize..6,
        heavy in prop::sample::select(vec![1, 2, 3, 1000]),
        method in prop::sample::select(Method::ALL.to_vec()),
    ) {
        let options = Dedupe::new().measure(measure).min(min).method(method);
        let find = |options: &PartOptions| -> Vec<(u64, u64, f64)> {
            let cluster = Cluster::new(options, &[&texts], parts, heavy).unwrap();
            cluster.pairs(&[&texts], parts)
        };
        let columns = Columns::of(&texts);
        let expected = duplicate_pairs(&columns, &options, &Context::default()).unwrap();
        prop_assert_eq!(find(&PartOptions::of_dedupe(&options).unwrap()), plain(&expected.pairs));
        if method == Method::AverageLink && min < 0.4 {
            return Ok(());
        }
        let found = find(&PartOptions::of_dedupe(&options).unwrap().for_clusters(method));
        let members = clusters_of_parts(&components(&found, false), min, method).unwrap();
        let expected = dedupe(&columns, &options, &Context::default()).unwrap();
        let mut alone: Vec<PartMember> = (0..texts.len() as u64)
            .map(|row| PartMember { row, first: row, representative: row })
            .collect();
        members.iter().for_each(|member| alone[member.row as usize] = *member);
        let firsts: Vec<u64> = expected.clusters.members().iter().map(|rows| u64::from(rows[0])).collect();
        for (member, row) in alone.iter().zip(expected.members()) {
            prop_assert_eq!(member.first, firsts[row.cluster]);
            prop_assert_eq!(member.representative, row.representative as u64);
        }
    }

    #[test]
    fn matches_found_in_parts_are_those_of_one_machine(
        left in prop::collection::vec(text(), 0..25),
        right in prop::collection::vec(text(), 0..25),
        strange in prop::collection::vec("[a-z]{1,6}( acme)?", 0..5),
        measure in measure(),
        min in prop::sample::select(vec![0.2, 0.4, 0.7]),
        parts in 1usize..6,
        heavy in prop::sample::select(vec![1, 2, 1000]),
    ) {
        let left: Vec<String> = left.into_iter().chain(strange).collect();
        let options = Match::new().measure(measure).min(min);
        let part_options = PartOptions::of_match(&options).unwrap();
        let tables: [&[String]; 2] = [&left, &right];
        let cluster = Cluster::new(&part_options, &tables, parts, heavy).unwrap();
        let found = cluster.pairs(&tables, parts);
        let (l, r) = (Columns::of(&left), Columns::of(&right));
        let all = options.clone().k(right.len().max(1));
        let expected = match_tables(&l, &r, &all, &Context::default()).unwrap();
        let mut expected = plain(&expected.pairs);
        expected.sort_by_key(|pair| (pair.0, pair.1));
        prop_assert_eq!(&found, &expected);
        let once = options.one_to_one(true);
        let expected = match_tables(&l, &r, &once, &Context::default()).unwrap();
        let mut chosen = assign_parts(&components(&found, true)).unwrap();
        chosen.sort_unstable();
        let chosen: Vec<(u64, u64, f64)> = chosen.into_iter().map(|at| found[at]).collect();
        prop_assert_eq!(chosen, plain(&expected.pairs));
    }
}

#[test]
fn what_cannot_be_had_in_parts_is_refused_with_the_reason() {
    let refused = |options: Dedupe| PartOptions::of_dedupe(&options).unwrap_err().to_string();
    assert!(refused(Dedupe::new()).starts_with("option `min` is needed"));
    assert!(refused(Dedupe::new().min(0.5).k(3)).starts_with("leave out option `k`"));
    assert!(refused(Dedupe::new().min(0.5).collection("none")).contains("`collection`"));
    assert!(refused(Dedupe::new().min(80.0)).contains("did you mean 0.8?"));
    let bound = |options: Dedupe| {
        let options = PartOptions::of_dedupe(&options).unwrap();
        let collection = counts_of_parts(&options, Vec::new()).unwrap();
        Parts::new(&options, &collection, &Resources::default()).map(|_| ())
    };
    let text = bound(Dedupe::new().min(0.1)).unwrap_err().to_string();
    assert!(text.contains("above 0.1 cannot be joined in parts: below 0.2"), "{text}");
    let text = bound(Dedupe::new().min(0.5).measure("levenshtein".parse().unwrap()))
        .unwrap_err()
        .to_string();
    assert!(text.contains("no sum over features that two texts share"), "{text}");
    bound(Dedupe::new().min(0.5)).unwrap();
    let options = PartOptions::of_dedupe(&Dedupe::new().min(0.5).on("text:0.5,other:0.5")).unwrap();
    let error =
        options.on(&["text", "other"].map(str::to_owned), Side::Left).unwrap_err().to_string();
    assert!(error.contains("columns with weights cannot be compared in parts yet"), "{error}");
    let options = PartOptions::of_match(&Match::new().min(0.5).on("nme")).unwrap();
    let error = options.on(&["name".to_owned()], Side::Right).unwrap_err().to_string();
    assert!(error.contains("`nme`") && error.contains("`name`"), "{error}");
}

#[test]
fn heavy_features_have_a_cell_for_any_two_blocks() {
    let layout = Layout::new(3, vec![(7, 2000), (3, 5), (9, 1001), (5, 1000)], 1000);
    assert_eq!(layout.heavy.len(), 2);
    assert_eq!(layout.len(), 3 + 4 * 5 / 2 + 3 * 4 / 2);
    let mut seen = Vec::new();
    for number in 3..layout.len() {
        let Some(Cell::Blocks { feature, blocks, of: (low, high) }) = layout.cell(number) else {
            panic!()
        };
        assert!(low <= high && high < blocks);
        let mut cells = Vec::new();
        layout.add_cells(feature, low, &mut cells);
        assert!(cells.contains(&number));
        cells.clear();
        layout.add_cells(feature, high, &mut cells);
        assert!(cells.contains(&number));
        seen.push((feature, low, high));
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len() as u64, layout.len() - 3);
    assert_eq!(layout.cell(layout.len()), None);
}

#[test]
fn damaged_sketches_are_refused() {
    let options = PartOptions::of_dedupe(&Dedupe::new().min(0.5)).unwrap();
    let texts: Vec<String> = ["acme inc", "acme"].map(str::to_owned).to_vec();
    let counts = count_part(&options, &texts).unwrap();
    let collection = counts_of_parts(&options, counts).unwrap();
    let parts = Parts::new(&options, &collection, &Resources::default()).unwrap();
    let sketch = parts.join().sketch(&["acme inc", "", "acme"]).unwrap();
    assert_eq!(sketch.texts(), 2);
    let bytes = sketch.to_bytes();
    for end in 0..bytes.len() {
        let _ = Sketch::from_bytes(&bytes[..end], parts.join().measures());
    }
    assert!(Sketch::from_bytes(&bytes, 5).is_err());
    assert!(Sketch::from_bytes(b"nothing", 2).is_err());
    assert_eq!(Sketch::from_bytes(&bytes, parts.join().measures()), Ok(sketch));
}
