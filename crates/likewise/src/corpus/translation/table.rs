//! Translation tables as files: one row for each source and target.
//!
//! The columns are `source`, `target` and `probability`, or the first three.

use super::{TranslationError, Translations};
use crate::collection::Interner;
use crate::resource::{Kind, Request, ResourceError, Resources};
use crate::table::{Column, Field, ReadOptions, Reader, Row, WriteOptions, Writer};
use std::path::Path;
use std::sync::Arc;

const COLUMNS: [&str; 3] = ["source", "target", "probability"];

/// By how much the probabilities of a source may add up to more than 1: they were rounded when they were written.
const SLACK: f64 = 1e-6;

struct Entry {
    source: u32,
    target: u32,
    line: u64,
    probability: f64,
}

impl Translations {
    /// Reads a table, of any format that tables come in: the columns `source`, `target` and `probability`, or else the
    /// first three. A CSV or TSV whose first line has a number in the third column has no header line; it must be a file
    /// then, not a pipe.
    ///
    /// An entry of probability 0 says what a missing one says, and is not kept.
    ///
    /// # Errors
    /// If it cannot be read; if a word is missing, a probability is no number or not from 0 to 1, or a pair stands twice;
    /// if the probabilities of a source add up to more than 1 + 1e-6; if there are no entries.
    pub fn open(path: &Path) -> Result<Self, TranslationError> {
        let reader = Reader::open(path, &ReadOptions::default())?;
        let named = reader.columns_named(&COLUMNS).is_ok();
        let third = reader.columns().get(2).is_some_and(|name| name.trim().parse::<f64>().is_ok());
        if !named && third {
            // The first line is an entry. From a pipe it cannot be read again.
            if !path.is_file() {
                return Err(TranslationError::Columns { file: reader.name().to_owned() });
            }
            let options = ReadOptions { header: false, ..ReadOptions::default() };
            return Self::from_reader(Reader::open(path, &options)?);
        }
        Self::from_reader(reader)
    }

    /// The table in a file that an expression names.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if it may not be opened or is not the one that is expected.
    pub fn from_resources(
        resources: &Resources,
        written: &str,
    ) -> Result<Arc<Self>, ResourceError> {
        resources.open(Request::file(resources, Kind::Translations, written), Self::open)
    }

    /// The same from a table that is open.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_reader(mut reader: Reader) -> Result<Self, TranslationError> {
        let file = reader.name().to_owned();
        let columns = reader.columns_named(&COLUMNS).unwrap_or_else(|_| vec![0, 1, 2]);
        if reader.columns().len() < 3 {
            return Err(TranslationError::Columns { file });
        }
        reader.select(&columns);
        let wrong = |line: u64, reason: String| {
            Err(TranslationError::Entry { file: file.clone(), line, reason })
        };
        let mut words = Interner::default();
        let mut entries: Vec<Entry> = Vec::new();
        // By source, what it adds up to; and the first that adds up to too much.
        let mut sums: Vec<f64> = Vec::new();
        let mut over: Option<(u32, u64)> = None;
        let mut row = Row::default();
        while reader.next_row(&mut row)? {
            let (x, y, value) = (&row[columns[0]], &row[columns[1]], &row[columns[2]]);
            let line = row.line();
            if x.is_empty() || y.is_empty() {
                return wrong(line, format!("a word is missing in ({x:?}, {y:?})"));
            }
            let what = || format!("the probability of {y:?} for {x:?} is");
            let probability = match value.trim().parse::<f64>() {
                Ok(number) if number.is_nan() => {
                    return wrong(line, format!("{} not a number", what()));
                }
                Ok(number) if number < 0.0 => {
                    return wrong(line, format!("{} {number}, below 0", what()));
                }
                Ok(number) if number > 1.0 => {
                    return wrong(line, format!("{} {number}, above 1", what()));
                }
                Ok(number) => number,
                Err(_) => {
                    return wrong(line, format!("{} {value:?}, which is no number", what()));
                }
            };
            let mut number = |word: &str| {
                let number = words.intern(word.as_bytes());
                number.ok_or(TranslationError::TooMany("distinct words"))
            };
            let (source, target) = (number(x)?, number(y)?);
            sums.resize(words.len(), 0.0);
            let sum = &mut sums[source as usize];
            *sum += probability;
            if *sum > 1.0 + SLACK && over.is_none() {
                over = Some((source, line));
            }
            entries.push(Entry { source, target, line, probability });
        }
        let (words, places) = words.sorted();
        entries.sort_unstable_by_key(|entry| {
            (places[entry.source as usize], places[entry.target as usize], entry.line)
        });
        let same =
            |pair: &&[Entry]| (pair[0].source, pair[0].target) == (pair[1].source, pair[1].target);
        let twice = entries.windows(2).filter(same).min_by_key(|pair| pair[1].line);
        let word = |number: u32| words.at(places[number as usize]);
        if let Some([first, second, ..]) = twice {
            let (x, y) = (word(first.source), word(first.target));
            let reason = format!("{x:?} and {y:?} stand here and in line {}", first.line);
            return wrong(second.line, reason);
        }
        if let Some((source, line)) = over {
            let (x, sum) = (word(source), sums[source as usize]);
            return wrong(line, format!("the probabilities of {x:?} add up to {sum}, above 1"));
        }
        entries.retain(|entry| entry.probability > 0.0);
        if entries.is_empty() {
            return Err(TranslationError::NoEntries { file });
        }
        let entries = entries.iter().map(|entry| {
            let (source, target) = (entry.source as usize, entry.target as usize);
            (places[source], places[target], entry.probability)
        });
        Self::new(&words, entries.collect()).ok_or(TranslationError::TooMany("distinct words"))
    }

    /// Writes the table: a row for each entry, by source, then the most probable first, then by target. The ending gives
    /// the format. The file is there whole or not at all, and reads back to the same bits.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TranslationError> {
        let columns =
            [Column::text(COLUMNS[0]), Column::text(COLUMNS[1]), Column::number(COLUMNS[2])];
        let mut writer = Writer::create(path, columns, &WriteOptions::default())?;
        let mut best: Vec<(f64, u32)> = Vec::new();
        for source in 0..self.words.len() as u32 {
            let (targets, probabilities) = self.forward.row(source);
            best.clear();
            best.extend(probabilities.iter().copied().zip(targets.iter().copied()));
            best.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
            for &(probability, target) in &best {
                let (x, y) = (self.words.at(source), self.words.at(target));
                writer.write_row([Field::Text(x), Field::Text(y), Field::Number(probability)])?;
            }
        }
        Ok(writer.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn read(name: &str, content: &str) -> Result<Translations, TranslationError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        Translations::open(&path)
    }

    fn all(table: &Translations) -> Vec<(String, String, u64)> {
        let row = |source| {
            let targets = table.of(source);
            targets.map(move |(q, p)| (source.to_owned(), q.to_owned(), p.to_bits()))
        };
        table.words().iter().flat_map(row).collect()
    }

    fn endings() -> Vec<&'static str> {
        let mut endings = vec!["csv", "tsv", "jsonl", "csv.gz", "jsonl.zst"];
        endings.extend(cfg!(feature = "arrow").then_some("parquet"));
        endings
    }

    proptest! {
        #[test]
        fn a_table_is_what_was_written_to_the_bit(
            pairs in proptest::collection::btree_map(("[a-dé ,\"]{1,3}", "[a-dé]{1,3}"), 0.0f64..1.0, 1..40),
            ending in proptest::sample::select(endings()),
        ) {
            let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
            for ((source, _), p) in &pairs {
                *sums.entry(source).or_default() += p;
            }
            let given: BTreeMap<(&str, &str), f64> = pairs.iter()
                .map(|((r, q), p)| ((r.as_str(), q.as_str()), p / sums[r.as_str()].max(1.0)))
                .filter(|(_, p)| *p > 0.0)
                .collect();
            prop_assume!(!given.is_empty());
            let mut csv = "source,target,probability\n".to_owned();
            for ((r, q), p) in &given {
                csv += &format!("\"{}\",{q},{p:e}\n", r.replace('"', "\"\""));
            }
            let table = read("table.csv", &csv).unwrap();
            prop_assert_eq!(table.entries(), given.len());
            let sources: std::collections::BTreeSet<&str> = given.keys().map(|k| k.0).collect();
            prop_assert_eq!(table.len(), sources.len());
            for word in table.words().iter() {
                let of: Vec<_> = given.iter().filter(|(k, _)| k.0 == word).map(|(k, p)| (k.1, *p)).collect();
                prop_assert_eq!(table.of(word).collect::<Vec<_>>(), of);
                let into: Vec<_> = given.iter().filter(|(k, _)| k.1 == word).map(|(k, p)| (k.0, *p)).collect();
                prop_assert_eq!(table.into_word(word).collect::<Vec<_>>(), into);
                prop_assert_eq!(table.has(word), sources.contains(word));
                for other in table.words().iter() {
                    let expected = given.get(&(word, other)).copied().unwrap_or(0.0);
                    prop_assert_eq!(table.probability(word, other), expected);
                }
            }
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(format!("again.{ending}"));
            table.save(&path).unwrap();
            prop_assert_eq!(all(&Translations::open(&path).unwrap()), all(&table));
        }
    }

    #[test]
    fn words_that_the_table_lacks_stand_for_nothing() {
        let table = read("t.csv", "source,target,probability\na,b,0.5\n").unwrap();
        assert_eq!((table.of("z").len(), table.into_word("z").len()), (0, 0));
        assert_eq!(table.probability("a", "z") + table.probability("z", "b"), 0.0);
        assert!(table.has("a") && !table.has("b") && !table.has("z") && !table.is_empty());
    }

    #[test]
    fn rows_are_written_by_source_then_the_most_probable_first() {
        let table =
            read("t.csv", "source,target,probability\nb,x,0.1\na,y,0.2\na,x,0.2\na,z,0.6\n")
                .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.tsv");
        table.save(&path).unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "source\ttarget\tprobability\na\tz\t0.6\na\tx\t0.2\na\ty\t0.2\nb\tx\t0.1\n"
        );
        assert!(table.save(&folder.path().join("none/out.tsv")).is_err());
        assert!(table.save(&folder.path().join("lines.txt")).is_err(), "three columns, one a line");
    }

    #[test]
    fn columns_are_found_by_name_or_by_place() {
        for table in [
            "probability,note,target,source\n0.5,x,auto,car\n",
            "r,q,p\ncar,auto,0.5\n",
            "car,auto,0.5\nbus,bus,1\n",
        ] {
            assert_eq!(read("t.csv", table).unwrap().probability("car", "auto"), 0.5, "{table}");
        }
        assert_eq!(read("t.csv", "car,auto,0.5\nbus,bus,1\n").unwrap().entries(), 2);
        let lines = "{\"source\":\"car\",\"target\":\"auto\",\"probability\":0.5}\n";
        assert_eq!(read("t.jsonl", lines).unwrap().probability("car", "auto"), 0.5);
    }

    #[test]
    fn an_entry_that_makes_no_sense_is_named() {
        for (rows, complaint) in [
            (
                "a,b,much",
                "line 2: the probability of \"b\" for \"a\" is \"much\", which is no number",
            ),
            ("a,b,", "line 2: the probability of \"b\" for \"a\" is \"\", which is no number"),
            ("a,b,0.5\na,c,NaN", "line 3: the probability of \"c\" for \"a\" is not a number"),
            ("a,b,-0.5", "line 2: the probability of \"b\" for \"a\" is -0.5, below 0"),
            ("a,b,1.5", "line 2: the probability of \"b\" for \"a\" is 1.5, above 1"),
            ("a,b,inf", "line 2: the probability of \"b\" for \"a\" is inf, above 1"),
            ("a,,0.5", "line 2: a word is missing in (\"a\", \"\")"),
            ("a,b,0.5\nb,a,1\na,b,0.5", "line 4: \"a\" and \"b\" stand here and in line 2"),
            ("a,b,0\na,b,0", "line 3: \"a\" and \"b\" stand here and in line 2"),
            (
                "a,b,0.5\nc,b,1\na,c,0.75\na,d,0.25",
                "line 4: the probabilities of \"a\" add up to 1.5, above 1",
            ),
        ] {
            let csv = format!("source,target,probability\n{rows}\n");
            let said = read("t.csv", &csv).unwrap_err().to_string();
            assert!(said.ends_with(&format!("t.csv, {complaint}")), "{said}");
        }
    }

    #[test]
    fn a_table_that_is_none_is_refused() {
        let said = |name: &str, content: &str| read(name, content).unwrap_err().to_string();
        assert!(said("t.csv", "source,target\na,b\n").contains("three columns"));
        assert!(said("t.txt", "a b 0.5\n").contains("three columns"));
        assert!(said("t.csv", "source,target,probability\n").contains("t.csv has no entries"));
        assert!(said("t.csv", "source,target,probability\na,b,0\n").contains("has no entries"));
        assert!(said("t.csv", "").contains("t.csv is empty"));
        assert!(said("t.csv", "source,target,probability\na,b\n").contains("line 2"));
        let missing = Translations::open(Path::new("/no/such/table.csv")).unwrap_err();
        assert!(missing.to_string().contains("/no/such/table.csv"));
    }

    #[test]
    fn rounding_may_take_a_row_a_little_above_1() {
        assert!(read("t.csv", "source,target,probability\na,b,0.5\na,c,0.5000009\n").is_ok());
        assert!(read("t.csv", "source,target,probability\na,b,0.5\na,c,0.500002\n").is_err());
    }

    #[test]
    fn a_shared_table_is_read_once_and_again_when_the_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let write = |p: &str| {
            std::fs::write(&path, format!("source,target,probability\na,b,{p}\n")).unwrap();
        };
        let resources = Resources::default().with_base(folder.path());
        let open = |written| Translations::from_resources(&resources, written);
        assert!(open("t.csv").is_err());
        write("0.5");
        let first = open("t.csv").unwrap();
        assert!(Arc::ptr_eq(&first, &open("t.csv").unwrap()));
        assert!(Arc::ptr_eq(&first, &open("./t.csv").unwrap()));
        write("0.25");
        let second = open("t.csv").unwrap();
        assert_eq!((first.probability("a", "b"), second.probability("a", "b")), (0.5, 0.25));
        write("many");
        assert!(open("t.csv").is_err());
    }
}
