//! From raw text to sentences, tokens and words: a network reads the characters of a paragraph and says of each what ends with
//! it.
//!
//! Only characters that are not whitespace are read; where whitespace stands is a feature. Whitespace always ends a token, and a
//! blank line always ends a sentence.

use super::features::{Key, UNKNOWN, Vocabulary};
use super::net::kernel::{largest, product};
use super::net::{Encoder, Matrix, Trace};
use std::ops::Range;

/// What ends with a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// Nothing: the word goes on.
    Nothing,
    /// A word, but not the token: `do` in `don't`.
    Word,
    /// A token.
    Token,
    /// A token and a sentence.
    Sentence,
}

pub(super) const ENDS: usize = 4;

/// Longer paragraphs are read in pieces of about this many characters.
const LONGEST: usize = 4096;

/// The network, and the features it knows.
#[derive(Debug, Clone, Default)]
pub(super) struct Segmenter {
    pub vocabulary: Vocabulary,
    pub net: SegmenterNet,
}

/// The network.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SegmenterNet {
    pub encoder: Encoder,
    pub ends: Matrix,
    pub ends_bias: Matrix,
}

impl SegmenterNet {
    pub fn new(features: usize, width: usize, layers: usize) -> Self {
        Self {
            encoder: Encoder::new(features, width, layers),
            ends: Matrix::zeros(width, ENDS),
            ends_bias: Matrix::zeros(1, ENDS),
        }
    }

    /// Every matrix but the embeddings, in one order.
    pub fn dense(&self) -> Vec<&Matrix> {
        let layers = self.encoder.layers.iter().flat_map(|layer| [&layer.weights, &layer.gates]);
        layers.chain([&self.ends, &self.ends_bias]).collect()
    }

    pub fn dense_mut(&mut self) -> Vec<&mut Matrix> {
        let layers =
            self.encoder.layers.iter_mut().flat_map(|layer| [&mut layer.weights, &mut layer.gates]);
        layers.chain([&mut self.ends, &mut self.ends_bias]).collect()
    }
}

/// A sentence of raw text: its tokens, each with its words, in bytes of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Segments {
    pub tokens: Vec<TokenSpan>,
}

/// A token of raw text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TokenSpan {
    pub span: Range<usize>,
    /// Where its words end; the last is the end of the token.
    pub word_ends: Vec<usize>,
}

impl TokenSpan {
    pub fn words(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(self.span.start).chain(self.word_ends.iter().copied());
        starts.zip(&self.word_ends).map(|(start, end)| start..*end)
    }
}

/// The paragraphs of a text: what lies between blank lines.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        // The start of the first line that is not blank.
        let begin = at + text[at..].find(|c: char| !c.is_whitespace())?;
        let mut end = begin;
        for line in text[begin..].split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
        at = end;
        Some(begin..begin + text[begin..end].trim_end().len())
    })
}

/// A character of a paragraph that is not whitespace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Char {
    /// Where it is in the text.
    pub start: usize,
    pub char: char,
    /// Whether whitespace follows.
    pub space_after: bool,
}

/// The characters of a paragraph that are not whitespace.
pub(super) fn characters(text: &str, paragraph: &Range<usize>) -> Vec<Char> {
    let mut found: Vec<Char> = Vec::new();
    for (at, char) in text[paragraph.clone()].char_indices() {
        if !char.is_whitespace() {
            found.push(Char { start: paragraph.start + at, char, space_after: false });
        } else if let Some(last) = found.last_mut() {
            last.space_after = true;
        }
    }
    found
}

/// The keys of the features of every character.
pub(super) fn keys(characters: &[Char], mut each: impl FnMut(usize, &[u64])) {
    // With one blank for each run of whitespace, so that windows see it.
    let mut line: Vec<char> = vec![' '; 3];
    let mut place: Vec<usize> = Vec::with_capacity(characters.len());
    for c in characters {
        place.push(line.len());
        line.push(c.char);
        if c.space_after {
            line.push(' ');
        }
    }
    line.extend([' '; 4]);
    let classes: Vec<char> = line.iter().map(|c| class(*c)).collect();
    let lower: Vec<char> = line.iter().map(|c| c.to_lowercase().next().unwrap_or(*c)).collect();
    // The stretches between blanks: first and last character.
    let mut chunks: Vec<Range<usize>> = Vec::new();
    let mut begun = 0;
    for (at, c) in characters.iter().enumerate() {
        if c.space_after || at + 1 == characters.len() {
            chunks.push(begun..at + 1);
            begun = at + 1;
        }
    }
    let text_of = |chunk: &Range<usize>| &lower[place[chunk.start]..place[chunk.end - 1] + 1];
    let shape_of = |chunk: &Range<usize>| {
        classes[place[chunk.start]..place[chunk.end - 1] + 1].iter().copied().take(4)
    };
    let mut keys = Vec::new();
    for (number, chunk) in chunks.iter().enumerate() {
        let chunk_text = text_of(chunk);
        for at in chunk.clone() {
            let p = place[at];
            let c = |offset: usize| line[p + offset - 2];
            keys.clear();
            keys.push(Key::new(b'c').char(c(2)).done());
            keys.push(Key::new(b'n').char(c(3)).done());
            keys.push(Key::new(b'd').char(c(2)).char(c(3)).done());
            keys.push(Key::new(b'e').char(c(1)).char(c(2)).done());
            keys.push(Key::new(b't').char(c(1)).char(c(2)).char(c(3)).done());
            keys.push(Key::new(b'u').char(c(2)).char(c(3)).char(c(4)).done());
            keys.push(Key::new(b'v').char(c(3)).char(c(4)).char(c(5)).done());
            keys.push(Key::new(b'k').chars(classes[p - 3..p + 4].iter().copied()).done());
            let left = chunk.end - at;
            if left <= 5 {
                let key = Key::new(b'C').char(char::from(b'0' + left as u8));
                keys.push(key.chars(chunk_text.iter().copied()).done());
            }
            if left == 1 {
                let next = chunks.get(number + 1);
                let next_text = next.map_or(&[][..], text_of);
                let before = number.checked_sub(1).map_or(&[][..], |n| text_of(&chunks[n]));
                let last = lower[p];
                keys.push(Key::new(b'N').chars(next_text.iter().copied()).done());
                keys.push(Key::new(b'B').chars(before.iter().copied()).done());
                let shape = next.into_iter().flat_map(&shape_of);
                keys.push(Key::new(b'S').char(last).chars(shape.clone()).done());
                let own = shape_of(chunk);
                keys.push(Key::new(b'O').chars(own).char('\t').chars(shape).done());
                keys.push(Key::new(b'P').char(last).chars(next_text.iter().copied()).done());
            }
            each(at, &keys);
        }
    }
}

fn class(c: char) -> char {
    match c {
        ' ' | '.' | '!' | '?' | ',' | '\'' | '’' | '-' | ':' | '"' | ')' | '(' => c,
        _ if c.is_uppercase() => 'X',
        _ if c.is_lowercase() => 'x',
        _ if c.is_numeric() => 'd',
        _ if c.is_alphabetic() => 'a',
        _ => '#',
    }
}

/// Memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    trace: Trace,
    scores: Matrix,
    features: Vec<u32>,
    lists: Vec<Range<usize>>,
}

impl Segmenter {
    /// The sentences of a paragraph.
    pub fn segment(
        &self,
        text: &str,
        paragraph: &Range<usize>,
        scratch: &mut Scratch,
    ) -> Vec<Segments> {
        let characters = characters(text, paragraph);
        let mut found = Vec::new();
        let mut sentence = Segments::default();
        // Where the token that is open began, and the words in it.
        let mut begun: Option<usize> = None;
        let mut word_ends: Vec<usize> = Vec::new();
        for piece in pieces(&characters) {
            let piece = &characters[piece];
            self.ends(piece, scratch);
            for (at, c) in piece.iter().enumerate() {
                let mut scores = [0.0; ENDS];
                for (score, value) in scores.iter_mut().zip(scratch.scores.row(at)) {
                    *score = *value;
                }
                if c.space_after || at + 1 == piece.len() {
                    // A token ends here whatever the network says.
                    scores[..2].fill(f32::NEG_INFINITY);
                }
                let start = *begun.get_or_insert(c.start);
                let end = c.start + c.char.len_utf8();
                let ends = largest(&scores);
                if ends >= End::Word as usize {
                    word_ends.push(end);
                }
                if ends >= End::Token as usize {
                    let word_ends = std::mem::take(&mut word_ends);
                    sentence.tokens.push(TokenSpan { span: start..end, word_ends });
                    begun = None;
                }
                if ends == End::Sentence as usize {
                    found.push(std::mem::take(&mut sentence));
                }
            }
        }
        if !sentence.tokens.is_empty() {
            found.push(sentence);
        }
        found
    }

    /// Scores what ends with each character.
    fn ends(&self, characters: &[Char], scratch: &mut Scratch) {
        let Scratch { trace, scores, features, lists } = scratch;
        features.clear();
        lists.clear();
        keys(characters, |_, keys| {
            let start = features.len();
            features.extend(keys.iter().filter_map(|key| self.vocabulary.get(*key)));
            if features.len() == start {
                features.push(UNKNOWN);
            }
            lists.push(start..features.len());
        });
        let slices = lists.iter().map(|list| &features[list.clone()]);
        let whole = 0..characters.len();
        self.net.encoder.forward(slices, std::slice::from_ref(&whole), trace, |_, _| {});
        let encoded = trace.output();
        scores.reset(encoded.rows, ENDS);
        for row in 0..encoded.rows {
            scores.row_mut(row).copy_from_slice(&self.net.ends_bias.data);
        }
        product(encoded, &self.net.ends, scores);
    }
}

/// A paragraph in pieces that end at whitespace where they can.
pub(super) fn pieces(characters: &[Char]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let rest = &characters[start..];
        at += match rest.len() {
            0 => return None,
            n if n <= LONGEST => n,
            _ => {
                let last = rest[..LONGEST].iter().rposition(|c| c.space_after);
                last.map_or(LONGEST, |last| last + 1)
            }
        };
        Some(start..at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_lie_between_blank_lines() {
        let text = "\n one\ntwo \n \t\n\nthree\n\n";
        let found: Vec<&str> = paragraphs(text).map(|p| &text[p]).collect();
        assert_eq!(found, ["one\ntwo", "three"]);
        assert_eq!(paragraphs(" \n ").count(), 0);
        assert_eq!(paragraphs("").count(), 0);
    }

    #[test]
    fn pieces_cover_every_character_once() {
        for text in
            ["a".repeat(3 * LONGEST + 5), "ab ".repeat(LONGEST), "x".to_owned(), String::new()]
        {
            let characters = characters(&text, &(0..text.len()));
            let mut at = 0;
            for piece in pieces(&characters) {
                assert_eq!(piece.start, at);
                assert!(piece.len() <= LONGEST && !piece.is_empty());
                at = piece.end;
            }
            assert_eq!(at, characters.len());
        }
    }

    #[test]
    fn a_segmenter_that_knows_nothing_still_gives_all_of_the_text() {
        let net = SegmenterNet::new(1, 16, 1);
        let segmenter = Segmenter { vocabulary: Vocabulary::new(vec![0]), net };
        let text = "Some words, über\u{a0}and 好。";
        let found = segmenter.segment(text, &(0..text.len()), &mut Scratch::default());
        let tokens: Vec<&str> =
            found.iter().flat_map(|s| &s.tokens).map(|t| &text[t.span.clone()]).collect();
        assert_eq!(tokens, text.split_whitespace().collect::<Vec<_>>());
    }
}
