//! Co-occurrence and SOC-PMI, held to their definitions.

use super::super::{BuildOptions, Corpus, CorpusError};
use super::*;
use crate::store::{File, FileWriter};
use crate::text::Analyzer;
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

fn build(path: &Path, texts: &[String], options: &BuildOptions) -> super::super::Summary {
    let texts = texts.iter().map(|text| Ok(text.clone()));
    Corpus::build::<String, CorpusError>(path, &Analyzer::default(), texts, options).unwrap()
}

fn options(window: u32, floor: u64) -> BuildOptions {
    BuildOptions::default().with_window(window).with_floor(floor)
}

fn by_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Everything straight from the definition: by loops over the texts, words by their spelling.
struct Reference {
    texts: Vec<Vec<String>>,
    window: usize,
    floor: u64,
    constants: SocPmiConstants,
}

impl Reference {
    fn cf(&self, word: &str) -> u64 {
        self.texts.iter().flatten().filter(|other| *other == word).count() as u64
    }

    fn all_words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.texts.iter().flatten().cloned().collect();
        words.sort();
        words.dedup();
        words
    }

    fn words(&self) -> Vec<String> {
        self.all_words().into_iter().filter(|word| self.cf(word) >= self.floor).collect()
    }

    /// f_b.
    fn together(&self, t: &str, w: &str) -> u64 {
        let mut pairs = 0;
        for text in &self.texts {
            for (i, a) in text.iter().enumerate() {
                for (j, b) in text.iter().enumerate() {
                    let near = i != j && i.abs_diff(j) <= self.window;
                    pairs += u64::from(near && a == t && b == w && t != w);
                }
            }
        }
        pairs
    }

    /// What the logarithm is taken of, as a fraction.
    fn ratio(&self, t: &str, w: &str) -> (u128, u128) {
        let m = self.texts.iter().flatten().count() as u128;
        let over = u128::from(self.cf(t)) * u128::from(self.cf(w));
        (u128::from(self.together(t, w)) * m, over)
    }

    /// f_pmi, if it is above 0.
    fn pmi(&self, t: &str, w: &str) -> Option<f64> {
        let (above, below) = self.ratio(t, w);
        (above > below).then(|| (above as f64 / below as f64).log2())
    }

    fn beta(&self, word: &str) -> f64 {
        let n = self.all_words().len() as f64;
        (self.cf(word) as f64).ln().powi(2) * n.log2() / self.constants.delta
    }

    fn typical(&self, word: &str) -> Vec<String> {
        let mut words: Vec<String> =
            self.words().into_iter().filter(|x| self.pmi(x, word).is_some()).collect();
        // A stable sort: of equal ones the smaller word stays first.
        words.sort_by(|x, y| {
            let ((a, b), (c, d)) = (self.ratio(x, word), self.ratio(y, word));
            Reverse(a * d).cmp(&Reverse(c * b))
        });
        words.truncate((self.beta(word) as usize).max(1));
        words
    }

    fn f(&self, v: &str, w: &str) -> f64 {
        let strengths = self.typical(v).into_iter().filter_map(|x| self.pmi(&x, w));
        strengths.map(|pmi| pmi.powf(self.constants.gamma)).sum()
    }

    fn similarity(&self, v: &str, w: &str) -> f64 {
        if v == w {
            return 1.0;
        }
        let one_way = |v, w| self.f(v, w) / self.beta(v).max(1.0);
        ((one_way(v, w) + one_way(w, v)) / self.constants.lambda).min(1.0)
    }
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    // A few frequent words and some rarer ones.
    let word = prop_oneof![3 => "[a-c]", 3 => "[d-k]", 1 => "[a-c][a-c]"];
    let text = proptest::collection::vec(word, 0..14).prop_map(|words| words.join(" "));
    proptest::collection::vec(text, 1..14)
        .prop_filter("no words", |texts| texts.iter().any(|text| !text.is_empty()))
}

fn constants() -> impl Strategy<Value = SocPmiConstants> {
    let gamma = prop_oneof![Just(3.0), Just(1.0), Just(2.5)];
    let delta = prop_oneof![2 => Just(6.5), 1 => Just(0.9), 1 => Just(40.0)];
    let lambda = prop_oneof![Just(20.0), Just(400.0), Just(1.0)];
    let usual = SocPmiConstants::default();
    prop_oneof![
        2 => Just(usual),
        // The lists of similar words serve any λ.
        1 => (0.1..100.0).prop_map(move |lambda| SocPmiConstants { lambda, ..usual }),
        2 => (gamma, delta, lambda)
            .prop_map(|(gamma, delta, lambda)| SocPmiConstants { gamma, delta, lambda }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_way_of_comparing_words_is_the_definition(
        texts in texts(), window in 1..6_u32, floor in 0..4_u64, constants in constants(),
        cutoff in 0.0..1.2_f64)
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.lwc");
        let summary = build(&path, &texts, &options(window, floor));
        let analyzer = Analyzer::default();
        let cut = texts.iter().map(|text| analyzer.analyze(text).terms().map(str::to_owned).collect());
        let by_hand = Reference { texts: cut.collect(), window: window as usize, floor, constants };
        let corpus = Arc::new(Corpus::open(&path).unwrap());
        let cooccurrences = corpus.cooccurrences().unwrap();
        let words = by_hand.words();
        prop_assert_eq!((cooccurrences.window(), cooccurrences.floor()), (window, floor));
        prop_assert_eq!(cooccurrences.len(), words.len());
        prop_assert_eq!((summary.frequent, summary.pairs), (words.len() as u64, cooccurrences.pairs()));
        let soc_pmi = SocPmi::new(Arc::clone(&corpus), constants).unwrap();
        let numbers: Vec<u32> = words.iter().map(|word| soc_pmi.number(word).unwrap()).collect();
        prop_assert_eq!(&numbers, &(0..words.len() as u32).collect::<Vec<_>>());
        prop_assert_eq!(soc_pmi.number("never seen"), None);
        let (mut pairs, mut all) = (0, Vec::new());
        let mut matrix = vec![f64::NAN; numbers.len() * numbers.len()];
        soc_pmi.matrix(&numbers, &numbers, &mut matrix);
        let every_third: Vec<u32> = numbers.iter().copied().skip(1).step_by(3).collect();
        let chosen = [&numbers, &every_third].map(|some| (some, soc_pmi.chosen(some)));
        for (a, v) in (0_u32..).zip(&words) {
            soc_pmi.of_all(a, &mut all);
            for (some, chosen) in &chosen {
                let mut bounds = vec![f32::NAN; some.len()];
                soc_pmi.bounds_of(chosen, a, &mut bounds, |bound| bound);
                for (&b, &bound) in some.iter().zip(&bounds).filter(|(b, _)| **b != a) {
                    let (bound, exact) = (f64::from(bound), all[b as usize]);
                    prop_assert!(bound >= exact, "{bound} {exact}");
                    prop_assert!(exact == 1.0 || bound <= exact * 1.001 + 1e-30, "{bound} {exact}");
                }
            }
            prop_assert_eq!(all.len(), words.len());
            for (b, w) in (0_u32..).zip(&words) {
                let above_chance = by_hand.pmi(v, w).is_some();
                pairs += u64::from(above_chance);
                let together = if above_chance { by_hand.together(v, w) } else { 0 };
                prop_assert_eq!(u64::from(cooccurrences.together(a, b)), together);
                let similarity = soc_pmi.similarity(a, b);
                let expected = by_hand.similarity(v, w);
                prop_assert!((similarity - expected).abs() <= 1e-9, "{} {}: {} {}", v, w, similarity, expected);
                prop_assert_eq!(similarity.to_bits(), soc_pmi.similarity(b, a).to_bits());
                prop_assert_eq!(similarity.to_bits(), all[b as usize].to_bits());
                prop_assert_eq!(similarity.to_bits(), matrix[a as usize * words.len() + b as usize].to_bits());
            }
            for at_least in [cutoff, 0.0, -1.0, 1.0, all[all.len() / 2]] {
                let mut found = Vec::new();
                soc_pmi.each_at_least(a, at_least, &mut |b, s| found.push((b, s)));
                found.sort_by_key(|(b, _)| *b);
                let others = (0_u32..).zip(all.iter().copied()).filter(|(b, _)| *b != a);
                let expected: Vec<(u32, f64)> = others.filter(|(_, s)| *s > 0.0 && *s >= at_least).collect();
                prop_assert_eq!(found, expected);
            }
            let listed = soc_pmi.most_alike(a);
            prop_assert_eq!(listed.is_some(), constants == SocPmiConstants::default());
            if let Some((listed, similarities, rest)) = listed {
                // As if nothing were above 1: with a large λ nothing is, and it only divides.
                let scale = 1048576.0;
                let large = SocPmiConstants { lambda: constants.lambda * scale, ..constants };
                SocPmi::new(Arc::clone(&corpus), large).unwrap().of_all(a, &mut all);
                let others = (0_u32..).zip(all.iter().map(|s| s * scale));
                let mut best: Vec<(u32, f64)> = others.filter(|(b, s)| *b != a && *s > 0.0).collect();
                best.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
                let up = |s: f64| if f64::from(s as f32) < s { (s as f32).next_up() } else { s as f32 };
                prop_assert_eq!(rest, best.get(alike::MOST).map_or(0.0, |(_, s)| up(*s)));
                best.truncate(alike::MOST);
                prop_assert_eq!(listed, &best.iter().map(|(b, _)| *b).collect::<Vec<_>>()[..]);
                prop_assert_eq!(similarities, &best.iter().map(|(_, s)| up(*s)).collect::<Vec<_>>()[..]);
            }
        }
        prop_assert_eq!(cooccurrences.pairs() * 2, pairs);
    }

    /// Few rows and many columns, many rows and few columns, some of them the same: other ways are taken, to the same bits.
    #[test]
    fn matrices_of_any_shape_hold_the_bits_of_single_pairs(
        texts in texts(),
        rows in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        columns in proptest::collection::vec(any::<prop::sample::Index>(), 0..90))
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.lwc");
        build(&path, &texts, &options(3, 1));
        let soc_pmi = SocPmi::new(Arc::new(Corpus::open(&path).unwrap()), SocPmiConstants::default()).unwrap();
        let at = |some: &[prop::sample::Index]| some.iter().map(|i| i.index(soc_pmi.len()) as u32).collect::<Vec<_>>();
        let (rows, columns) = (at(&rows), at(&columns));
        for (rows, columns) in [(&rows, &columns), (&columns, &rows)] {
            let mut out = vec![f64::NAN; rows.len() * columns.len()];
            soc_pmi.matrix(rows, columns, &mut out);
            let mut out = out.into_iter();
            for &row in rows {
                for &column in columns {
                    prop_assert_eq!(out.next().unwrap().to_bits(), soc_pmi.similarity(row, column).to_bits());
                }
            }
        }
    }

    #[test]
    fn the_file_is_the_same_to_the_byte_for_any_memory_and_threads(
        texts in texts(), window in 1..8_u32, floor in 1..4_u64)
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.lwc");
        let mut bytes: Option<Vec<u8>> = None;
        for (memory, threads) in [(1, 1), (1, 3), (700, 2), (1 << 30, 1), (1 << 30, 4)] {
            let options = options(window, floor).with_max_memory(memory);
            by_threads(threads, || build(&path, &texts, &options));
            let written = std::fs::read(&path).unwrap();
            prop_assert_eq!(bytes.get_or_insert_with(|| written.clone()), &written);
        }
        prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        // The counts of words are the same as without pairs.
        let plain = folder.path().join("plain.lwc");
        build(&plain, &texts, &BuildOptions::default());
        let (with, without) = (Corpus::open(&path).unwrap(), Corpus::open(&plain).unwrap());
        prop_assert!(without.cooccurrences().is_none());
        prop_assert!(with.iter().eq(without.iter()));
    }
}

fn small() -> Vec<String> {
    ["a b c d", "a c d e b", "b a e", "d e a a b", "c b"].map(str::to_owned).to_vec()
}

#[test]
fn counts_without_pairs_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    build(&path, &small(), &BuildOptions::default());
    // The file is what it was before there were pairs.
    let file = File::open(&path).unwrap();
    let names: Vec<&str> = file.sections().map(|(name, _)| name).collect();
    assert_eq!(names, ["corpus counts", "analyzer", "words", "word ends", "df", "cf"]);
    let corpus = Arc::new(Corpus::open(&path).unwrap());
    let error = SocPmi::new(corpus, SocPmiConstants::default()).unwrap_err().to_string();
    assert!(error.contains("likewise corpus build --window 5"), "{error}");
    build(&path, &small(), &options(2, 1));
    let corpus = Arc::new(Corpus::open(&path).unwrap());
    for (gamma, delta, lambda) in [(0.5, 6.5, 20.0), (3.0, 0.0, 20.0), (3.0, 6.5, f64::NAN)] {
        let constants = SocPmiConstants { gamma, delta, lambda };
        let error = SocPmi::new(Arc::clone(&corpus), constants).unwrap_err().to_string();
        assert!(error.contains("cannot be"), "{error}");
    }
}

#[test]
fn words_that_are_all_too_rare_have_no_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    build(&path, &small(), &options(2, 100));
    let corpus = Arc::new(Corpus::open(&path).unwrap());
    assert!(corpus.cooccurrences().unwrap().is_empty());
    let soc_pmi = SocPmi::new(corpus, SocPmiConstants::default()).unwrap();
    assert!(soc_pmi.is_empty() && soc_pmi.number("a").is_none());
    soc_pmi.matrix(&[], &[], &mut []);
}

/// The sections of a file, each as its bytes.
type Sections = BTreeMap<String, Vec<u8>>;

fn sections(path: &Path) -> Sections {
    let file = File::open(path).unwrap();
    let names: Vec<String> = file.sections().map(|(name, _)| name.to_owned()).collect();
    names
        .into_iter()
        .map(|name| (name.clone(), file.section::<u8>(&name).unwrap().to_vec()))
        .collect()
}

/// Whole files with fitting checksums, but with other sections than were written.
#[test]
fn counts_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    build(&path, &small(), &options(2, 1));
    let good = sections(&path);
    let open = |sections: &Sections| {
        FileWriter::replace(&path, |file| {
            sections.iter().try_for_each(|(name, bytes)| file.write::<u8>(name, bytes))
        })
        .unwrap();
        Corpus::open(&path).map(|_| ()).map_err(|error| error.to_string())
    };
    open(&good).unwrap();
    let cooccurrences: Vec<&String> =
        good.keys().filter(|name| name.starts_with("company")).collect();
    assert_eq!(cooccurrences.len(), 13);
    let refused = |sections: &Sections, about: &str| {
        let error = open(sections).expect_err(about);
        assert!(error.contains("build"), "{about}: {error}");
    };
    for name in cooccurrences {
        let changed = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut sections = good.clone();
            change(sections.get_mut(name).unwrap());
            sections
        };
        if name != FACTS {
            let mut without = good.clone();
            without.remove(name);
            refused(&without, name);
        }
        for cut in 1..=16.min(good[name].len()) {
            refused(&changed(&|bytes| bytes.truncate(bytes.len() - cut)), name);
        }
        refused(&changed(&|bytes| bytes.extend([0; 8])), name);
        for at in 0..good[name].len() {
            // Every byte far off: numbers out of range, out of order, impossible. What stays possible must open and be harmless.
            for value in [0, 1, 2, 0x7f, 0xff] {
                let sections = changed(&|bytes| bytes[at] = value);
                if open(&sections).is_ok() {
                    harmless(&path);
                }
            }
        }
    }
    // Where each number must be exactly what it is.
    for name in [WORDS, ENDS, NEIGHBOURS, COUNTS, TYPICAL_ENDS, SKETCHED] {
        for at in 0..good[name].len() {
            let mut sections = good.clone();
            sections.get_mut(name).unwrap()[at] ^= 1;
            refused(&sections, name);
        }
    }
    let mut facts = good.clone();
    facts.get_mut(FACTS).unwrap()[0] = 9;
    assert!(open(&facts).unwrap_err().contains("format version 9"));
}

/// Nothing that can be asked of an open file panics.
fn harmless(path: &Path) {
    let corpus = Arc::new(Corpus::open(path).unwrap());
    for delta in [6.5, 1.0] {
        let constants = SocPmiConstants { delta, ..SocPmiConstants::default() };
        let Ok(soc_pmi) = SocPmi::new(Arc::clone(&corpus), constants) else { continue };
        let all: Vec<u32> = (0..soc_pmi.len() as u32).collect();
        soc_pmi.matrix(&all, &all, &mut vec![0.0; all.len() * all.len()]);
        for &word in &all {
            soc_pmi.of_all(word, &mut Vec::new());
            soc_pmi.each_at_least(word, 0.5, &mut |_, _| {});
        }
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.lwc");
    build(&path, &small(), &options(2, 1));
    let whole = std::fs::read(&path).unwrap();
    let broken = folder.path().join("broken.lwc");
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        for bytes in [&bytes[..], &whole[..at]] {
            std::fs::write(&broken, bytes).unwrap();
            assert!(Corpus::open(&broken).is_err());
        }
    }
}
