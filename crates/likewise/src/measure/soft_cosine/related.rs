//! How alike the words of texts are: those of the vocabulary by a matrix, others by comparing them.

use crate::collection::{TermId, Vocabulary};
use crate::term::TermSimilarity;
use crate::term::matrix::{Matrix, Sparse};
use crate::term::neighbours::{Asked, Words, finder};
use std::sync::{Arc, OnceLock};

/// A matrix with more entries than this is not made: words are compared each time instead.
const MOST_ENTRIES: usize = 300_000_000;
/// From how many words that are compared with all others the number of entries is estimated.
const SAMPLE: usize = 64;

/// The similarities of words, those of a vocabulary and others.
pub struct Related {
    pub vocabulary: Arc<Vocabulary>,
    terms: Box<dyn TermSimilarity>,
    pub sparse: Sparse,
    matrix: OnceLock<Option<Matrix>>,
    words: OnceLock<Words>,
}

/// A word that the vocabulary lacks.
#[derive(Debug)]
pub struct OutOfVocabulary {
    pub text: Box<str>,
    pub chars: Box<[char]>,
    pub weight: f64,
    /// Its neighbours in the vocabulary, sorted. Only search asks for them.
    neighbours: OnceLock<Box<[(u32, f64)]>>,
}

impl OutOfVocabulary {
    pub fn new(text: &str, weight: f64) -> Self {
        Self {
            text: text.into(),
            chars: text.chars().collect(),
            weight,
            neighbours: OnceLock::new(),
        }
    }
}

impl Related {
    pub fn new(
        vocabulary: &Arc<Vocabulary>,
        terms: Box<dyn TermSimilarity>,
        sparse: Sparse,
    ) -> Self {
        Self {
            vocabulary: Arc::clone(vocabulary),
            terms,
            sparse,
            matrix: OnceLock::new(),
            words: OnceLock::new(),
        }
    }

    fn words(&self) -> &Words {
        self.words.get_or_init(|| Words::new(&self.vocabulary))
    }

    /// The matrix over the vocabulary, made now if it is not there; `None` if nearly all words are like nearly all others.
    pub fn matrix(&self) -> Option<&Matrix> {
        let make = || {
            let words = self.words();
            (self.sparse.most.is_some() || self.entries_about() <= MOST_ENTRIES)
                .then(|| Matrix::build(words, &*self.terms, self.sparse, &|_, _| {}))
        };
        self.matrix.get_or_init(|| aside(make)).as_ref()
    }

    /// The matrix if it is there, or has to be: with a limit of neighbours, two words alone cannot tell.
    pub fn matrix_at_hand(&self) -> Option<&Matrix> {
        match self.matrix.get() {
            Some(made) => made.as_ref(),
            None if self.sparse.most.is_some() => self.matrix(),
            None => None,
        }
    }

    /// Takes a matrix that was made before, if it is one of this vocabulary.
    pub fn recall(&self, matrix: Matrix) {
        if matrix.len() == self.vocabulary.len() {
            // If there is one already, it is the same.
            let _ = self.matrix.set(Some(matrix));
        }
    }

    fn entries_about(&self) -> usize {
        let words = self.words();
        let finder = finder(&*self.terms, words, self.sparse.min, Asked::Seldom);
        let step = words.len().div_ceil(SAMPLE).max(1);
        let (mut asked, mut found) = (0, 0);
        for word in (0..words.len()).step_by(step) {
            finder.each_neighbour(words.of(word as u32), &mut |_, _| found += 1);
            asked += 1;
        }
        found * words.len() / asked.max(1)
    }

    /// How alike two words are that are not the same.
    pub fn compare(&self, x: &[char], y: &[char]) -> f64 {
        self.terms.similarity_at_least(x, y, self.sparse.min).unwrap_or(0.0).max(0.0)
    }

    /// How alike a word that the vocabulary lacks and one that it has are.
    pub fn of_fresh(&self, oov: &OutOfVocabulary, word: u32, chars: &[char]) -> f64 {
        if self.sparse.most.is_none() {
            return self.compare(&oov.chars, chars);
        }
        let neighbours = self.neighbours(oov);
        let at = neighbours.binary_search_by_key(&word, |(word, _)| *word);
        at.map_or(0.0, |at| neighbours[at].1)
    }

    /// The words of the vocabulary that a word is like which it lacks, sorted.
    pub fn neighbours<'a>(&self, oov: &'a OutOfVocabulary) -> &'a [(u32, f64)] {
        if let Some(neighbours) = oov.neighbours.get() {
            return neighbours;
        }
        // Before it is asked for: a finder may be made by several threads, and a thread that helps may want this word.
        let finder = finder(&*self.terms, self.words(), self.sparse.min, Asked::Seldom);
        oov.neighbours.get_or_init(|| {
            let mut found = Vec::new();
            finder
                .each_neighbour(&oov.chars, &mut |word, similarity| found.push((word, similarity)));
            if let Some(most) = self.sparse.most {
                found.sort_unstable_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
                found.truncate(most);
            }
            found.sort_unstable_by_key(|(word, _)| *word);
            found.into()
        })
    }

    /// Adds the characters of a word of the vocabulary.
    pub fn spell(&self, word: u32, chars: &mut Vec<char>) {
        chars.extend(self.vocabulary.term(TermId(word)).chars());
    }
}

/// Computes something on threads of its own. Whoever waits for it may be one of many workers that all want it: were they
/// to share its work, one could come to wait for itself.
fn aside<T: Send>(compute: impl Fn() -> T + Send + Sync) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build();
    let Ok(pool) = pool else { return compute() };
    std::thread::scope(|scope| match scope.spawn(|| pool.install(&compute)).join() {
        Ok(made) => made,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
