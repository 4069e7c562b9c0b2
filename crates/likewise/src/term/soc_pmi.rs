//! Distributional similarity: words are alike if the typical collocates of one are collocates of the other.
//!
//! Second-order co-occurrence PMI over the pairs of words of a corpus ([`crate::corpus`]), counted by `likewise corpus build --window 5`.
//! Words are those of the corpus's analyzer: stems, if it stems. A word is like itself by 1; one that the corpus lacks, or that is too
//! rare in it, is like no other.
//!
//! A comparison goes through two short lists; the words near one are mostly at hand in the corpus's file. `docs/corpus.md` tells more.

use super::bounds::{GROUP, SimilarityBounds, quantised};
use super::neighbours::{Asked, NeighbourFinder, Words};
use super::spelled::{LookedUp, compare};
use super::{Alignment, TermDefinition, TermError, TermSimilarity, whole};
use crate::corpus::{Chosen, Corpus, SocPmi as Compared, SocPmiConstants};
use crate::expr::{Kind, Param, Schema, Settings};
use crate::resource::Resources;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The similarity's name, settings and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Islam & Inkpen 2006",
    build: |settings, resources| Ok(Box::new(open(settings, resources)?)),
};

const fn number((least, most): (f64, f64)) -> Kind {
    Kind::Number(least, most)
}

static SCHEMA: Schema = Schema {
    name: "soc-pmi",
    aliases: &[],
    summary: "distributional similarity in a corpus, by second-order co-occurrence PMI",
    params: &[
        Param {
            name: "file",
            kind: Kind::Text,
            default: "",
            help: "counts of `likewise corpus build --window 5`",
        },
        Param {
            name: "gamma",
            kind: number(SocPmiConstants::GAMMA),
            default: "3",
            help: "how much more a neighbour counts that is more typical",
        },
        Param {
            name: "delta",
            kind: number(SocPmiConstants::DELTA),
            default: "6.5",
            help: "the larger, the fewer neighbours of a word count as typical",
        },
        Param {
            name: "lambda",
            kind: number(SocPmiConstants::LAMBDA),
            default: "20",
            help: "what counts as wholly alike: sums are divided by it, and no more than 1",
        },
    ],
};

/// Distributional similarity by a corpus, and the corpus's path.
pub struct SocPmi(Compared, String);

fn open(settings: &Settings, resources: &Resources) -> Result<SocPmi, TermError> {
    let wrong = |reason: String| TermError::new("soc-pmi", reason);
    let Some(file) = settings.text_if_set("file") else {
        return Err(wrong("name the file: soc-pmi(\"en.corpus\")".to_owned()));
    };
    let corpus =
        Corpus::from_resources(resources, file).map_err(|error| wrong(error.to_string()))?;
    let constants = SocPmiConstants {
        gamma: settings.number("gamma"),
        delta: settings.number("delta"),
        lambda: settings.number("lambda"),
    };
    let compared = Compared::new(corpus, constants);
    let compared = compared.map(|compared| SocPmi(compared, file.to_owned()));
    compared.map_err(|error| wrong(format!("{file}: {error}")))
}

/// What comparing many words needs: the text of one, the numbers of those that are known with their places, and how alike they are.
#[derive(Default)]
struct Scratch {
    text: String,
    rows: Known,
    columns: Known,
    similarities: Vec<f64>,
}

#[derive(Default)]
struct Known {
    numbers: Vec<u32>,
    places: Vec<usize>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Known {
    fn look_up(&mut self, compared: &Compared, terms: &[&[char]], text: &mut String) {
        self.numbers.clear();
        self.places.clear();
        for (place, term) in terms.iter().enumerate() {
            text.clear();
            text.extend(*term);
            if let Some(number) = compared.number(text).filter(|_| !term.is_empty()) {
                self.numbers.push(number);
                self.places.push(place);
            }
        }
    }
}

/// A vocabulary's words that the corpus knows.
struct Shared {
    /// The words, and their numbers in the corpus; first those without a sketch, so many as `rare` says.
    words: Vec<(u32, u32)>,
    rare: usize,
    /// For each word of the corpus its place among these, or the largest number there is.
    places: Vec<u32>,
    /// The bounds that the bytes of sketches stand for.
    of_bytes: [u8; 256],
    /// Which sketches those have that have one, in order.
    sketches: Vec<u32>,
    /// Those without one, made ready to be compared with, once that pays.
    chosen: OnceLock<Chosen>,
    kept: Mutex<Kept>,
}

/// For words of the corpus the bounds of all that the vocabulary shares, once they were asked for.
#[derive(Default)]
struct Kept {
    columns: FxHashMap<u32, Arc<[u8]>>,
    /// How many were computed from all pairs of words.
    computed: usize,
}

/// All words that are not listed may be as alike as this, and lists still tell words apart.
const FAR: f64 = 0.06;
/// So many bytes of bounds are kept.
const KEPT: usize = 64 << 20;
/// When so many columns were computed from all pairs, those of the vocabulary's words are picked out: that takes as long as computing some two hundred, and a
/// few queries to a small table should not pay for it.
const PAYS: usize = if cfg!(test) { 2 } else { 64 };
/// So many words are written to at a time: their bounds stay in the nearest memory.
const BLOCK: usize = 64;

impl SocPmi {
    fn number(&self, term: &[char]) -> Option<u32> {
        let text: String = term.iter().collect();
        self.0.number(&text)
    }

    fn shared(&self, words: &Words) -> Arc<Shared> {
        // SimilarityBounds depend on the constants, too: a mean may have this twice.
        let name = format!("soc-pmi {} {:?}", self.1, self.0.constants());
        words.kept(&name, || {
            let all = (0..words.len() as u32).map(|word| (word, self.0.number(words.text(word))));
            let known = all.filter_map(|(word, number)| Some((word, number?)));
            let has_sketch = |(_, number): &(u32, u32)| self.0.sketch_of(*number).is_some();
            let (sketched, mut known): (Vec<_>, Vec<_>) = known.partition(has_sketch);
            let rare = known.len();
            known.extend(&sketched);
            let sketches = sketched.iter().filter_map(|&(_, number)| self.0.sketch_of(number));
            let sketches = sketches.map(|sketch| sketch as u32).collect();
            let mut places = vec![u32::MAX; self.0.len()];
            (0..).zip(&known).for_each(|(place, &(_, number))| places[number as usize] = place);
            let of_bytes = self.0.bounds().map(quantised);
            Shared {
                words: known,
                places,
                of_bytes,
                rare,
                sketches,
                chosen: OnceLock::new(),
                kept: Mutex::default(),
            }
        })
    }

    /// The bounds of a word with all that the vocabulary shares, kept if there is room.
    fn column(&self, shared: &Shared, number: u32) -> Arc<[u8]> {
        let kept = || shared.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(column) = kept().columns.get(&number) {
            return Arc::clone(column);
        }
        let column: Arc<[u8]> = self.new_column(shared, number).into();
        let mut kept = kept();
        // Begun anew when full: what is asked for often is soon there again.
        if (kept.columns.len() + 1) * shared.words.len() > KEPT {
            kept.columns.clear();
        }
        kept.columns.insert(number, Arc::clone(&column));
        column
    }

    /// From the list of the words most alike, with one number for all others, where that number is small; from the sketch of a word that
    /// has one; and otherwise from the sketches of those that have one, and computed for the rest.
    fn new_column(&self, shared: &Shared, number: u32) -> Vec<u8> {
        if let Some(list) = self.0.listed_above(number, FAR) {
            let mut column = vec![quantised(list.rest.min(1.0)); shared.words.len()];
            for (&other, &similarity) in list.words.iter().zip(list.similarities) {
                if let Some(level) = column.get_mut(shared.places[other as usize] as usize) {
                    *level = quantised((f64::from(similarity) * list.scale).min(1.0));
                }
            }
            return column;
        }
        if let Some(sketch) = self.0.sketch(number) {
            let level = |&(_, other): &(u32, u32)| shared.of_bytes[sketch[other as usize] as usize];
            return shared.words.iter().map(level).collect();
        }
        let mut column = vec![0; shared.words.len()];
        let Some(chosen) = self.chosen(shared) else {
            self.0.each_at_least(number, f64::MIN_POSITIVE, &mut |other, similarity| {
                if let Some(level) = column.get_mut(shared.places[other as usize] as usize) {
                    *level = quantised(similarity);
                }
            });
            return column;
        };
        let (rare, sketched) = column.split_at_mut(shared.rare);
        self.0.bounds_of(chosen, number, rare, |bound| {
            // Rounded up, or one more; without a branch.
            (bound * 255.0).min(254.0) as u8 + u8::from(bound > 0.0)
        });
        // Each byte lies in another place of memory: nothing here keeps the processor from fetching many at a time.
        let (sketches, own) = (self.0.sketches(), number as usize);
        for (level, &sketch) in sketched.iter_mut().zip(&shared.sketches) {
            let byte = sketches[sketch as usize * self.0.len() + own];
            *level = shared.of_bytes[usize::from(byte)];
        }
        column
    }

    /// The vocabulary's words without a sketch, if they have been picked out or that pays by now.
    fn chosen<'s>(&self, shared: &'s Shared) -> Option<&'s Chosen> {
        if let Some(chosen) = shared.chosen.get() {
            return Some(chosen);
        }
        {
            let mut kept = shared.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.computed += 1;
            if kept.computed <= PAYS {
                return None;
            }
        }
        // Not made under a lock: it is made in parallel, and whoever helps may want it too. If two make it, one is dropped.
        let numbers: Vec<u32> = shared.words[..shared.rare].iter().map(|word| word.1).collect();
        let chosen = self.0.chosen(&numbers);
        Some(shared.chosen.get_or_init(|| chosen))
    }
}

impl TermSimilarity for SocPmi {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        compare(a, b, |x, y| match (self.0.number(x), self.0.number(y)) {
            (Some(x), Some(y)) => self.0.similarity(x, y),
            _ => 0.0,
        })
    }

    /// Words with nothing in common may be alike.
    fn bound_by_characters(&self, _: usize, _: usize, _: usize) -> f64 {
        1.0
    }

    fn own_finder<'a>(
        &'a self,
        words: &'a Words,
        at_least: f64,
        _: Asked,
    ) -> Option<Box<dyn NeighbourFinder + 'a>> {
        let each_like = move |term: &str, _: Option<u32>, each: &mut dyn FnMut(u32, f64)| {
            let Some(number) = self.0.number(term) else { return };
            self.0.each_at_least(number, at_least, &mut |other, similarity| {
                if let Some(word) = words.vocabulary().get(self.0.word(other)) {
                    each(word.0, similarity);
                }
            });
        };
        Some(Box::new(LookedUp { words, at_least, each_like }))
    }

    fn own_bounds(&self, words: &Words, terms: &[&[char]], bounds: &mut SimilarityBounds) -> bool {
        let shared = self.shared(words);
        let mut columns: Vec<(usize, Arc<[u8]>)> = Vec::with_capacity(GROUP);
        for (terms, rows) in terms.chunks(GROUP).zip(bounds.groups_mut()) {
            columns.clear();
            let known = terms.iter().map(|term| self.number(term)).enumerate();
            let known = known.filter_map(|(lane, number)| Some((lane, number?)));
            columns.extend(known.map(|(lane, number)| (lane, self.column(&shared, number))));
            for (block, words) in shared.words.chunks(BLOCK).enumerate() {
                for (lane, column) in &columns {
                    for (&(word, _), &level) in words.iter().zip(&column[block * BLOCK..]) {
                        rows[word as usize][*lane] = level;
                    }
                }
            }
        }
        for (at, term) in terms.iter().enumerate() {
            let text: String = term.iter().collect();
            if let Some(own) = words.vocabulary().get(&text) {
                bounds.set(own.0, at, u8::MAX);
            }
        }
        true
    }

    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        assert_eq!(out.len(), rows.len() * columns.len());
        if columns.is_empty() {
            return;
        }
        // Words that the corpus lacks are like themselves only.
        for (row, out) in rows.iter().zip(out.chunks_exact_mut(columns.len())) {
            for (column, out) in columns.iter().zip(out) {
                *out = if row == column && !row.is_empty() { 1.0 } else { 0.0 };
            }
        }
        SCRATCH.with_borrow_mut(|scratch| {
            let Scratch { text, rows: known_rows, columns: known_columns, similarities } = scratch;
            known_rows.look_up(&self.0, rows, text);
            known_columns.look_up(&self.0, columns, text);
            let width = known_columns.numbers.len();
            if width == 0 {
                return;
            }
            similarities.clear();
            similarities.resize(known_rows.numbers.len() * width, 0.0);
            self.0.matrix(&known_rows.numbers, &known_columns.numbers, similarities);
            for (row, similarities) in known_rows.places.iter().zip(similarities.chunks(width)) {
                for (column, similarity) in known_columns.places.iter().zip(similarities) {
                    out[row * columns.len() + column] = *similarity;
                }
            }
        });
    }

    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        whole(a, b, self.similarity(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{chars, hold_bounds, hold_laws, hold_neighbours};
    use super::*;
    use crate::corpus::{BuildOptions, Corpus, CorpusError};
    use crate::text::Analyzer;
    use proptest::prelude::*;

    fn made(
        texts: &[String],
        window: u32,
        settings: &str,
    ) -> Result<Box<dyn TermSimilarity>, TermError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.lwc");
        let options = BuildOptions::default().with_window(window).with_floor(2);
        let texts = texts.iter().map(Ok::<_, CorpusError>);
        Corpus::build(&path, &Analyzer::default(), texts, &options).unwrap();
        let expression = format!("soc-pmi({:?}{settings})", path.to_str().unwrap());
        super::super::build(&super::super::parse(&expression).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn laws_hold_and_near_words_and_matrices_are_those_of_all_pairs(
            texts in proptest::collection::vec("([a-f] ){3,12}", 4..20),
            a in "[a-h]{0,2}", b in "[a-h]", cutoff in 0.0..1.0,
        ) {
            for settings in ["", ", lambda=300", ", gamma=2, delta=1.5, lambda=50"] {
                let term = made(&texts, 3, settings).unwrap();
                hold_laws(&*term, &chars(&a), &chars(&b), cutoff)?;
                let words: Vec<String> = "abcdefgh".chars().map(String::from).chain([a.clone(), String::new()]).collect();
                for (x, y) in words.iter().zip(words.iter().skip(1)) {
                    hold_laws(&*term, &chars(x), &chars(y), cutoff)?;
                }
                hold_neighbours(&*term, &words[..8], cutoff)?;
                hold_neighbours(&*term, &words[3..8], 0.0)?;
                hold_bounds(&*term, &words[..8], &words[2..])?;
                hold_bounds(&*term, &words[3..8], &words)?;
                let terms: Vec<Vec<char>> = words.iter().map(|word| chars(word)).collect();
                let terms: Vec<&[char]> = terms.iter().map(Vec::as_slice).collect();
                for (rows, columns) in [(&terms[..], &terms[2..]), (&terms[..2], &terms[..]), (&terms[6..], &terms[7..]), (&terms[..], &terms[..0])] {
                    let mut out = vec![f64::NAN; rows.len() * columns.len()];
                    term.matrix(rows, columns, &mut out);
                    let mut out = out.into_iter();
                    for row in rows {
                        for column in columns {
                            let single = term.similarity(row, column);
                            prop_assert_eq!(out.next().unwrap().to_bits(), single.to_bits());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_file_that_will_not_do_is_an_error_that_helps() {
        let of = |expression: &str| {
            super::super::build(&super::super::parse(expression).unwrap())
                .err()
                .unwrap()
                .to_string()
        };
        assert!(of("soc-pmi").contains("name the file"));
        assert!(of("soc-pmi(\"/no/such/en.corpus\")").contains("/no/such/en.corpus"));
        let error = made(&["a b".to_owned()], 0, "").err().unwrap().to_string();
        assert!(error.contains("likewise corpus build --window 5"), "{error}");
        assert!(super::super::parse("soc-pmi(\"x\", gamma=0.5)").is_err());
    }
}
