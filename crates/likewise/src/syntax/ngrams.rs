//! Syntactic n-grams: words that follow each other in a dependency tree, not in the text.
//!
//! A continuous n-gram goes down a path; a non-continuous one branches, over the first 16 dependents of a word where it has more: a list
//! of a thousand names has no billions of n-grams. The notation is Sidorov's: a head, then its dependents in
//! brackets, in the order of the text, parted by commas: `saw [ dog [ the ] , cat ]`. Blanks stand between elements, so that an edit
//! distance with `unit=elements` changes one at a time.
//!
//! Source: Sidorov, Velasquez, Stamatatos, Gelbukh & Chanona-Hernández, "Syntactic n-grams as machine learning features for natural
//! language processing" (2014).

use super::conllu::{Sentence, TreeError, Word};
use std::ops::{Range, RangeInclusive};

/// What an element of an n-gram is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Of {
    /// Words in lower case.
    #[default]
    Words,
    /// Base forms.
    Lemmas,
    /// Tags: the treebank's own, or universal ones where there are no others.
    Tags,
    /// Relations to the head.
    Relations,
    /// Relation and word in one: `nsubj:dog`.
    Mixed,
}

/// Which shapes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Shape {
    /// Paths only.
    Continuous,
    /// Only those that branch: non-continuous ones.
    Branching,
    /// Both.
    #[default]
    All,
}

/// A syntactic n-gram.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Ngram {
    /// In brackets, with blanks between elements.
    pub text: String,
    /// The numbers of its words, from 0, in the order of the text.
    pub words: Vec<usize>,
    /// Its elements, in the order in which they stand in `text`.
    pub elements: Vec<Element>,
}

/// What stands for a word in an n-gram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Element {
    /// Its first byte in [`Ngram::text`].
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// The word's number, from 0.
    pub word: usize,
}

/// A word branches over so many of its dependents.
const WIDEST: usize = 16;

impl Ngram {
    /// The bytes of its words in the raw text, where that is known.
    pub fn spans(&self, sentence: &Sentence) -> Vec<Range<usize>> {
        self.words.iter().filter_map(|&word| sentence.words[word].span.clone()).collect()
    }
}

/// The n-grams of a sentence, of the sizes wanted (1 to 5), in the order of their words. Punctuation takes no part.
///
/// ```
/// use likewise::syntax::conllu::Reader;
/// use likewise::syntax::ngrams::{Of, Shape, ngrams};
///
/// let text = "1\tOld\told\tADJ\tJJ\t_\t2\tamod\t_\t_\n2\tdogs\tdog\tNOUN\tNNS\t_\t3\tnsubj\t_\t_\n3\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n";
/// let sentence = Reader::new(text.as_bytes()).next().unwrap()?;
/// let found = ngrams(&sentence, 2..=3, Of::Words, Shape::All)?;
/// let texts: Vec<&str> = found.iter().map(|ngram| ngram.text.as_str()).collect();
/// assert_eq!(texts, ["dogs [ old ]", "bark [ dogs [ old ] ]", "bark [ dogs ]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the sentence is no tree.
pub fn ngrams(
    sentence: &Sentence,
    sizes: RangeInclusive<usize>,
    of: Of,
    shape: Shape,
) -> Result<Vec<Ngram>, TreeError> {
    ngrams_of(sentence, sizes, shape, |word| element(word, of))
}

/// The same with elements of another kind.
pub(crate) fn ngrams_of(
    sentence: &Sentence,
    sizes: RangeInclusive<usize>,
    shape: Shape,
    element: impl Fn(&Word) -> String,
) -> Result<Vec<Ngram>, TreeError> {
    sentence.check_tree()?;
    let words = &sentence.words;
    // A blank inside an element becomes a no-break space: blanks part elements.
    let labels: Vec<String> =
        words.iter().map(|word| element(word).replace(' ', "\u{a0}")).collect();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); words.len()];
    for (at, word) in words.iter().enumerate() {
        if let Some(head) = word.head.filter(|&head| head > 0 && word.deprel != "punct") {
            below[head - 1].push(at);
        }
    }
    let mut found = Vec::new();
    for size in sizes {
        for head in (0..words.len()).filter(|&at| words[at].deprel != "punct") {
            for mut tree in trees(&below, head, size) {
                tree.sort_unstable();
                let inside = |at: usize| {
                    below[at].iter().filter(|child| tree.binary_search(child).is_ok()).count()
                };
                let branches = tree.iter().any(|&at| inside(at) > 1);
                let wanted = match shape {
                    Shape::All => true,
                    Shape::Continuous => !branches,
                    Shape::Branching => branches,
                };
                if wanted {
                    let mut ngram = Ngram { words: tree, ..Ngram::default() };
                    ngram.write(&labels, &below, head);
                    found.push(ngram);
                }
            }
        }
    }
    found.sort_by(|x, y| x.words.cmp(&y.words));
    Ok(found)
}

/// The sets of so many words that hang together under a head, the head among them.
fn trees(below: &[Vec<usize>], head: usize, size: usize) -> Vec<Vec<usize>> {
    let children = &below[head];
    let mut found = match size {
        0 => return Vec::new(),
        1 => vec![Vec::new()],
        _ => children.iter().flat_map(|&child| trees(below, child, size - 1)).collect(),
    };
    found.extend(forests(below, &children[..children.len().min(WIDEST)], size - 1, 2));
    found.iter_mut().for_each(|words| words.push(head));
    found
}

/// The sets of so many words in trees under at least so many of these heads.
fn forests(below: &[Vec<usize>], heads: &[usize], size: usize, least: usize) -> Vec<Vec<usize>> {
    if size == 0 && least == 0 {
        return vec![Vec::new()];
    }
    if size < least {
        return Vec::new();
    }
    let Some((&first, rest)) = heads.split_first() else { return Vec::new() };
    let mut found = forests(below, rest, size, least);
    for own in 1..=size {
        let with = trees(below, first, own);
        if with.is_empty() {
            break;
        }
        for others in forests(below, rest, size - own, least.saturating_sub(1)) {
            found.extend(with.iter().map(|tree| [&tree[..], &others[..]].concat()));
        }
    }
    found
}

impl Ngram {
    fn write(&mut self, labels: &[String], below: &[Vec<usize>], at: usize) {
        let start = self.text.len();
        self.text.push_str(&labels[at]);
        self.elements.push(Element { start, end: self.text.len(), word: at });
        let mut inside = false;
        for &child in &below[at] {
            if self.words.binary_search(&child).is_ok() {
                self.text.push_str(if inside { " , " } else { " [ " });
                inside = true;
                self.write(labels, below, child);
            }
        }
        if inside {
            self.text.push_str(" ]");
        }
    }
}

fn element(word: &Word, of: Of) -> String {
    let own = plain(word, of);
    match of {
        Of::Words => own.to_lowercase(),
        Of::Lemmas if word.lemma == "_" => own.to_lowercase(),
        Of::Mixed => format!("{}:{}", word.deprel, own.to_lowercase()),
        _ => own.to_owned(),
    }
}

/// What stands for a word, as it is: its form where there is nothing else.
pub(crate) fn plain(word: &Word, of: Of) -> &str {
    match of {
        Of::Lemmas if word.lemma != "_" => &word.lemma,
        Of::Tags if word.xpos == "_" => &word.upos,
        Of::Tags => &word.xpos,
        Of::Relations => &word.deprel,
        _ => &word.form,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sentence(heads: &[usize]) -> Sentence {
        let word = |(at, &head): (usize, &usize)| Word {
            form: format!("W{at}"),
            lemma: format!("l{at}"),
            xpos: format!("T{at}"),
            head: Some(head),
            deprel: format!("r{at}"),
            span: Some(at * 3..at * 3 + 2),
            ..Word::default()
        };
        Sentence { words: heads.iter().enumerate().map(word).collect(), ..Sentence::default() }
    }

    fn texts(sentence: &Sentence, n: usize, of: Of, shape: Shape) -> Vec<String> {
        ngrams(sentence, n..=n, of, shape).unwrap().into_iter().map(|ngram| ngram.text).collect()
    }

    #[test]
    fn paths_and_branches_are_told_apart() {
        // w1 is the root, over w0 and w2, and w2 is over w3.
        let tree = sentence(&[2, 0, 2, 3]);
        assert_eq!(texts(&tree, 3, Of::Words, Shape::Continuous), ["w1 [ w2 [ w3 ] ]"]);
        assert_eq!(texts(&tree, 3, Of::Words, Shape::Branching), ["w1 [ w0 , w2 ]"]);
        assert_eq!(texts(&tree, 4, Of::Tags, Shape::All), ["T1 [ T0 , T2 [ T3 ] ]"]);
        assert_eq!(
            texts(&tree, 2, Of::Relations, Shape::All),
            ["r1 [ r0 ]", "r1 [ r2 ]", "r2 [ r3 ]"]
        );
        assert_eq!(texts(&tree, 2, Of::Mixed, Shape::All)[0], "r1:w1 [ r0:w0 ]");
        assert_eq!(texts(&tree, 1, Of::Lemmas, Shape::All), ["l0", "l1", "l2", "l3"]);
        assert!(texts(&tree, 5, Of::Words, Shape::All).is_empty());
        let last = ngrams(&tree, 2..=2, Of::Words, Shape::All).unwrap().pop().unwrap();
        assert_eq!(last.spans(&tree), [6..8, 9..11]);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        assert!(ngrams(&sentence(&[0, 0]), 2..=2, Of::Words, Shape::All).is_err());
        assert!(ngrams(&Sentence::default(), 2..=2, Of::Words, Shape::All).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn ngrams_are_all_sets_of_words_that_hang_together(seeds in prop::collection::vec(0..100_usize, 1..9), size in 1..6_usize) {
            let heads: Vec<usize> = seeds.iter().enumerate().map(|(at, s)| if at == 0 { 0 } else { s % at + 1 }).collect();
            let tree = sentence(&heads);
            let mut expected = Vec::new();
            for set in 1_u32..1 << heads.len() {
                let words: Vec<usize> = (0..heads.len()).filter(|at| set >> at & 1 == 1).collect();
                // A set hangs together if all its words but one have their head in it.
                let tops = words.iter().filter(|&&at| heads[at] == 0 || !words.contains(&(heads[at] - 1))).count();
                if words.len() == size && tops == 1 {
                    expected.push(words);
                }
            }
            expected.sort();
            let found = |shape| ngrams(&tree, size..=size, Of::Words, shape).unwrap();
            let all: Vec<Vec<usize>> = found(Shape::All).into_iter().map(|n| n.words).collect();
            prop_assert_eq!(all, expected);
            prop_assert_eq!(found(Shape::Continuous).len() + found(Shape::Branching).len(), found(Shape::All).len());
        }
    }
}
