//! How well a parser does, as the CoNLL 2018 shared task defined it: F1 of what agrees, over words that are aligned by the
//! characters they cover.
//!
//! Both sides must have the same characters, whitespace aside. A word agrees with one that covers the same characters; where
//! either side has a token of several words, the words of the whole stretch are aligned by their longest common subsequence of
//! forms, without case. Relations are compared without their subtypes (`nmod:poss` is `nmod`).

use super::ParserError;
use super::conllu::Sentence;
use std::ops::Range;

/// F1 scores from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Scores {
    /// Tokens with the same characters.
    pub tokens: f64,
    /// Sentences with the same characters.
    pub sentences: f64,
    /// Words that are aligned.
    pub words: f64,
    /// Aligned words with the same universal tag.
    pub upos: f64,
    /// Aligned words with the same tag of the treebank.
    pub xpos: f64,
    /// Aligned words with the same lemma; a gold `_` agrees with everything.
    pub lemmas: f64,
    /// Aligned words whose heads are aligned, or both roots: unlabelled attachment.
    pub uas: f64,
    /// The same, with the same relation: labelled attachment.
    pub las: f64,
}

/// A treebank as characters and what covers them.
struct Covered<'a> {
    characters: Vec<char>,
    sentences: Vec<Range<usize>>,
    tokens: Vec<Range<usize>>,
    words: Vec<Placed<'a>>,
}

struct Placed<'a> {
    span: Range<usize>,
    word: &'a super::conllu::Word,
    /// Whether it is one of several words of a token.
    shares: bool,
    /// Its head as a place among all words; none for a root.
    head: Option<usize>,
}

impl<'a> Covered<'a> {
    fn new(sentences: &'a [Sentence], side: &str) -> Result<Self, ParserError> {
        let (characters, words) = (Vec::new(), Vec::new());
        let mut all = Self { characters, sentences: Vec::new(), tokens: Vec::new(), words };
        for (number, sentence) in sentences.iter().enumerate() {
            sentence.check_tree().map_err(|error| {
                let number = number + 1;
                ParserError::Treebank(format!(
                    "sentence {number} of the {side} is no tree: {error}"
                ))
            })?;
            let (begun, first) = (all.characters.len(), all.words.len());
            for token in sentence.tokens() {
                let start = all.characters.len();
                all.characters.extend(token.form.chars().filter(|c| !c.is_whitespace()));
                let span = start..all.characters.len();
                for number in token.words.clone() {
                    let word = &sentence.words[number - 1];
                    let head = word.head.filter(|head| *head > 0).map(|head| first + head - 1);
                    let shares = token.words.len() > 1;
                    all.words.push(Placed { span: span.clone(), word, shares, head });
                }
                all.tokens.push(span);
            }
            all.sentences.push(begun..all.characters.len());
        }
        Ok(all)
    }
}

/// Scores a parser's sentences against gold ones.
///
/// # Errors
/// If the two have different characters, or a sentence is no tree.
pub fn score(gold: &[Sentence], system: &[Sentence]) -> Result<Scores, ParserError> {
    let gold = Covered::new(gold, "gold standard")?;
    let system = Covered::new(system, "parser's output")?;
    if gold.characters != system.characters {
        let same = gold.characters.iter().zip(&system.characters).take_while(|(a, b)| a == b);
        let at = same.count();
        let there =
            |characters: &[char]| -> String { characters.iter().skip(at).take(20).collect() };
        return Err(ParserError::Treebank(format!(
            "the texts differ after {at} characters: the gold standard goes on with `{}`, the parser's output with `{}`",
            there(&gold.characters),
            there(&system.characters)
        )));
    }
    let pairs = align(&gold.words, &system.words);
    let mut gold_of = vec![None; system.words.len()];
    for (g, s) in &pairs {
        gold_of[*s] = Some(*g);
    }
    let agreeing = |agree: &dyn Fn(&Placed<'_>, &Placed<'_>) -> bool| {
        let count = pairs.iter().filter(|(g, s)| agree(&gold.words[*g], &system.words[*s])).count();
        f1(count, gold.words.len(), system.words.len())
    };
    // Heads agree if the system's head is aligned with the gold head.
    let head = |g: &Placed<'_>, s: &Placed<'_>| match (g.head, s.head) {
        (None, None) => true,
        (Some(g), Some(s)) => gold_of[s] == Some(g),
        _ => false,
    };
    let relation = |p: &Placed<'_>| p.word.deprel.split(':').next().map(str::to_owned);
    Ok(Scores {
        tokens: spans_f1(&gold.tokens, &system.tokens),
        sentences: spans_f1(&gold.sentences, &system.sentences),
        words: agreeing(&|_, _| true),
        upos: agreeing(&|g, s| g.word.upos == s.word.upos),
        xpos: agreeing(&|g, s| g.word.xpos == s.word.xpos),
        lemmas: agreeing(&|g, s| g.word.lemma == "_" || g.word.lemma == s.word.lemma),
        uas: agreeing(&head),
        las: agreeing(&|g, s| head(g, s) && relation(g) == relation(s)),
    })
}

fn f1(both: usize, gold: usize, system: usize) -> f64 {
    if gold + system == 0 { 0.0 } else { 2.0 * both as f64 / (gold + system) as f64 }
}

fn spans_f1(gold: &[Range<usize>], system: &[Range<usize>]) -> f64 {
    let (mut g, mut s, mut both) = (0, 0, 0);
    while g < gold.len() && s < system.len() {
        let (a, b) = (&gold[g], &system[s]);
        both += usize::from(a == b);
        // Whichever ends first cannot agree with anything later.
        g += usize::from(a.end <= b.end);
        s += usize::from(b.end <= a.end);
    }
    f1(both, gold.len(), system.len())
}

/// Pairs of words, gold and system, that are aligned.
fn align(gold: &[Placed<'_>], system: &[Placed<'_>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut g, mut s) = (0, 0);
    while g < gold.len() && s < system.len() {
        let (a, b) = (&gold[g], &system[s]);
        if a.shares || b.shares {
            let stretch = stretch(gold, system, g, s);
            common(gold, system, &stretch, &mut pairs);
            (g, s) = (stretch.0.end, stretch.1.end);
        } else if a.span == b.span {
            pairs.push((g, s));
            (g, s) = (g + 1, s + 1);
        } else if a.span.start <= b.span.start {
            g += 1;
        } else {
            s += 1;
        }
    }
    pairs
}

/// The words of both sides that a token of several words reaches: it grows while a token of several words of either side
/// reaches beyond its end.
fn stretch(
    gold: &[Placed<'_>],
    system: &[Placed<'_>],
    mut g: usize,
    mut s: usize,
) -> (Range<usize>, Range<usize>) {
    let mut end;
    if gold[g].shares {
        end = gold[g].span.end;
        s += usize::from(!system[s].shares && system[s].span.start < gold[g].span.start);
    } else {
        end = system[s].span.end;
        g += usize::from(!gold[g].shares && gold[g].span.start < system[s].span.start);
    }
    let (gold_start, system_start) = (g, s);
    let inside = |word: Option<&Placed<'_>>, end: usize| match word {
        None => false,
        // A single word must lie inside; a token of several need only begin there.
        Some(word) if word.shares => word.span.start < end,
        Some(word) => word.span.end <= end,
    };
    while inside(gold.get(g), end) || inside(system.get(s), end) {
        let takes_gold = match (gold.get(g), system.get(s)) {
            (Some(a), Some(b)) => a.span.start <= b.span.start,
            (gold, _) => gold.is_some(),
        };
        let word = if takes_gold { &gold[g] } else { &system[s] };
        if word.shares {
            end = end.max(word.span.end);
        }
        if takes_gold {
            g += 1;
        } else {
            s += 1;
        }
    }
    (gold_start..g, system_start..s)
}

/// The longest common subsequence of forms, without case.
fn common(
    gold: &[Placed<'_>],
    system: &[Placed<'_>],
    (g, s): &(Range<usize>, Range<usize>),
    pairs: &mut Vec<(usize, usize)>,
) {
    let forms = |words: &[Placed<'_>]| -> Vec<String> {
        words.iter().map(|word| word.word.form.to_lowercase()).collect()
    };
    let (a, b) = (forms(&gold[g.clone()]), forms(&system[s.clone()]));
    // length[i][j]: of what follows i and j.
    let mut length = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            length[i][j] = if a[i] == b[j] {
                length[i + 1][j + 1] + 1
            } else {
                length[i + 1][j].max(length[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((g.start + i, s.start + j));
            (i, j) = (i + 1, j + 1);
        } else if length[i][j] == length[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
}
