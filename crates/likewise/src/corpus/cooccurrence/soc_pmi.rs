//! Distributional similarity of words; [`super::sums`] has the formula.

use super::chosen::Chosen;
use super::sums::{Scratch, SocPmiConstants, Sums};
use super::{Cooccurrences, sketch};
use crate::collection::Strings;
use crate::corpus::{Corpus, CorpusError};
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Works with what this thread keeps for it. Taken out meanwhile: what is called may compare words itself.
fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = SCRATCH.take();
    let done = work(&mut scratch);
    SCRATCH.set(scratch);
    done
}

/// Words most like one, best first.
pub(crate) struct Listed<'a> {
    /// Their numbers.
    pub words: &'a [u32],
    /// How alike they are, if multiplied by `scale`: never too little, and not cut at 1.
    pub similarities: &'a [f32],
    /// See `similarities`.
    pub scale: f64,
    /// How alike any other word is at most.
    pub rest: f64,
}

/// Second-order co-occurrence PMI: words are alike if the typical collocates of one are collocates of the other. In
/// [0, 1], the same to the bit whichever word comes first, and whichever method is asked.
///
/// [`Cooccurrences`] says what the numbers of words are; how alike they are is computed as told in `docs/corpus.md`.
pub struct SocPmi {
    corpus: Arc<Corpus>,
    /// The words that take part, to be looked up fast.
    words: Strings,
    sums: Sums,
    constants: SocPmiConstants,
}

impl SocPmi {
    /// Words compared by a corpus. With another δ than the usual one their typical neighbours are found first, in parallel.
    ///
    /// # Errors
    /// If the corpus was built without pairs of words, or a constant is out of its limits.
    pub fn new(corpus: Arc<Corpus>, constants: SocPmiConstants) -> Result<Self, CorpusError> {
        let cooccurrences = corpus.cooccurrences().ok_or(CorpusError::NoPairs)?;
        if let Some((name, value, (least, most))) = constants.wrong() {
            return Err(CorpusError::Constant { name, value, least, most });
        }
        let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(cooccurrences.len()));
        for &word in &cooccurrences.words {
            bytes.extend_from_slice(corpus.word(word).as_bytes());
            ends.push(bytes.len() as u64);
        }
        let words = Strings::from_sorted(bytes.into(), ends.into());
        let words = words.expect("texts, one after the other").hashed();
        let counts = cooccurrences.counts.clone();
        let typical = if constants.delta == SocPmiConstants::default().delta {
            cooccurrences.typical.clone()
        } else {
            counts.typical(&constants)
        };
        let sums = Sums::new(counts, typical, &constants);
        Ok(Self { words, sums, constants, corpus })
    }

    /// The pairs of words.
    pub fn cooccurrences(&self) -> &Cooccurrences {
        self.corpus.cooccurrences().expect("or it would not have been made")
    }

    /// The constants.
    pub fn constants(&self) -> SocPmiConstants {
        self.constants
    }

    /// How many words take part.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The number of a word, as the corpus's analyzer gives it; `None` for one that is too rare or was never seen.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.words.get(word)
    }

    /// The word with a number.
    ///
    /// # Panics
    /// If there is no such number.
    pub fn word(&self, number: u32) -> &str {
        self.words.at(number)
    }

    /// How alike two words are.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn similarity(&self, a: u32, b: u32) -> f64 {
        if a == b { 1.0 } else { self.sums.view().similarity(a, b) }
    }

    /// How alike a word is to all, by their numbers; the bits of [`similarity`](Self::similarity).
    ///
    /// # Panics
    /// If there is no such word.
    pub fn of_all(&self, word: u32, all: &mut Vec<f64>) {
        all.clear();
        all.resize(self.len(), 0.0);
        all[word as usize] = 1.0;
        with_scratch(|scratch| {
            self.sums.view().each_alike(word, scratch, |other, s| all[other as usize] = s.min(1.0));
        });
    }

    /// Every row against every column, row by row: `out[r * columns.len() + c]`. The bits of
    /// [`similarity`](Self::similarity), for less: what one word's side of a comparison needs is laid out once for all words of the
    /// other side. Allocates nothing once warm.
    ///
    /// # Panics
    /// If there is no such word, or `out` does not hold exactly `rows.len() * columns.len()` numbers.
    pub fn matrix(&self, rows: &[u32], columns: &[u32], out: &mut [f64]) {
        assert_eq!(out.len(), rows.len() * columns.len());
        with_scratch(|scratch| {
            let (view, width) = (self.sums.view(), columns.len());
            if rows.len() <= width {
                view.matrix(rows, columns, scratch, |row, column, s| out[row * width + column] = s);
            } else {
                view.matrix(columns, rows, scratch, |column, row, s| out[row * width + column] = s);
            }
        });
    }

    /// The words most like one, best first; how alike they are; and how alike any other word is at most. `None` if the constants are
    /// not the usual ones: the lists were made when the corpus was built.
    ///
    /// Numbers are rounded up, and not cut at 1 as [`similarity`](Self::similarity) is: many words reach that, and this tells which of
    /// them are most alike.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn most_alike(&self, word: u32) -> Option<(&[u32], &[f32], f32)> {
        (self.constants == SocPmiConstants::default()).then(|| self.listed(word))
    }

    /// The list of the words most like one with these constants, if it was made with others that differ in λ only, and if no word that
    /// is not on it is more alike than `far`.
    pub(crate) fn listed_above(&self, word: u32, far: f64) -> Option<Listed<'_>> {
        let usual = SocPmiConstants::default();
        if (SocPmiConstants { lambda: usual.lambda, ..self.constants }) != usual {
            return None;
        }
        // λ only divides: a list made with another one does, but for a last bit.
        let scale = usual.lambda / self.constants.lambda * (1.0 + 1e-9);
        let (words, similarities, rest) = self.listed(word);
        let rest = f64::from(rest) * scale;
        (rest <= far).then_some(Listed { words, similarities, scale, rest })
    }

    /// For a frequent word, a byte for each word that tells roughly how alike they are: [`bounds`](Self::bounds) has what bytes stand for.
    /// `None` if the word has none, or the constants differ from the usual ones in more than λ.
    pub(crate) fn sketch(&self, word: u32) -> Option<&[u8]> {
        let at = self.sketch_of(word)?;
        Some(&self.sketches()[at * self.len()..(at + 1) * self.len()])
    }

    /// Which of all sketches is that of a word.
    pub(crate) fn sketch_of(&self, word: u32) -> Option<usize> {
        let usual = SocPmiConstants::default();
        let same = SocPmiConstants { lambda: usual.lambda, ..self.constants } == usual;
        self.cooccurrences().sketched.binary_search(&word).ok().filter(|_| same)
    }

    /// All sketches, one after the other, each with a byte for each word.
    pub(crate) fn sketches(&self) -> &[u8] {
        &self.cooccurrences().sketches
    }

    /// What each byte of a sketch stands for: a number that is never below the similarity.
    pub(crate) fn bounds(&self) -> [f64; 256] {
        let scale = SocPmiConstants::default().lambda / self.constants.lambda * (1.0 + 1e-9);
        std::array::from_fn(|byte| (sketch::bound(byte as u8) * scale).min(1.0))
    }

    /// Words that others are to be compared with, by their numbers.
    pub(crate) fn chosen(&self, words: &[u32]) -> Chosen {
        Chosen::new(&self.sums, words)
    }

    /// For each chosen word, in order, what a function makes of how alike it is to a word, or of a little more, not cut at 1. What it is for
    /// the word itself means nothing.
    pub(crate) fn bounds_of<T>(
        &self,
        chosen: &Chosen,
        word: u32,
        out: &mut [T],
        make: impl Fn(f32) -> T,
    ) {
        chosen.bounds(&self.sums.view(), word, out, make);
    }

    /// The same, as it was made with the usual constants.
    fn listed(&self, word: u32) -> (&[u32], &[f32], f32) {
        let cooccurrences = self.cooccurrences();
        let range = cooccurrences.alike.view().range(word);
        let words = &cooccurrences.alike.items[range.clone()];
        (words, &cooccurrences.similarities[range], cooccurrences.rest[word as usize])
    }

    /// Calls `each` with every other word that is like one, and at least so much, once, in no particular order. From the list of those
    /// most alike if it reaches so far; otherwise all are computed.
    ///
    /// # Panics
    /// If there is no such word.
    pub fn each_at_least(&self, word: u32, at_least: f64, each: &mut dyn FnMut(u32, f64)) {
        let view = self.sums.view();
        if let Some(list) = self.listed_above(word, at_least.next_down()) {
            let listed = list.words.iter().zip(list.similarities);
            let near = |s: f32| f64::from(s) * list.scale >= at_least;
            for (&other, _) in listed.take_while(|(_, s)| near(**s)) {
                let similarity = view.similarity(word, other);
                if similarity >= at_least {
                    each(other, similarity);
                }
            }
            return;
        }
        with_scratch(|scratch| {
            view.each_alike(word, scratch, |other, similarity| {
                let similarity = similarity.min(1.0);
                if similarity >= at_least {
                    each(other, similarity);
                }
            });
        });
    }
}

impl std::fmt::Debug for SocPmi {
    /// Without the words and pairs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SocPmi")
            .field("cooccurrences", self.cooccurrences())
            .field("constants", &self.constants)
            .finish_non_exhaustive()
    }
}
