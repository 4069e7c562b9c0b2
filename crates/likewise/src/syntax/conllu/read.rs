//! Reading CoNLL-U, sentence by sentence.

use super::{ConlluError, EmptyNode, Multiword, Sentence, Word};
use std::io::BufRead;

/// Longer lines are refused, so that a file without line breaks does not fill the memory.
const LONGEST_LINE: usize = 1 << 20;

/// Sentences of a CoNLL-U file, one after the other. After an error it ends.
///
/// Lines may end in `\r\n`, and the last blank line may be missing; everything else is as the format says. A word's head may be
/// `_`, as in files that were not parsed; [`trees`](Self::trees) refuses those too.
#[derive(Debug)]
pub struct Reader<R> {
    bytes: R,
    line: u64,
    trees: bool,
    ended: bool,
    buffer: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    /// Reads from here on.
    pub fn new(bytes: R) -> Self {
        Self { bytes, line: 0, trees: false, ended: false, buffer: Vec::new() }
    }

    /// The same, but sentences that are no trees are errors.
    #[must_use]
    pub fn trees(mut self) -> Self {
        self.trees = true;
        self
    }

    /// The line last read, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next sentence; none at the end.
    fn sentence(&mut self) -> Result<Option<Sentence>, ConlluError> {
        let mut building = Building::default();
        let mut begun_at = 0;
        while self.next_line()? {
            let line = self.line;
            let fail = |reason: String| ConlluError::Line { line, reason };
            let text = match str::from_utf8(&self.buffer) {
                Ok(text) => text,
                Err(error) => {
                    let at = error.valid_up_to() + 1;
                    return Err(fail(format!("byte {at} of the line is not UTF-8")));
                }
            };
            if text.is_empty() {
                if begun_at == 0 {
                    return Err(fail("a blank line where a sentence should begin".to_owned()));
                }
                return self.whole(building, begun_at).map(Some);
            }
            if begun_at == 0 {
                begun_at = line;
            }
            building.line(text).map_err(fail)?;
        }
        // The last blank line is missing.
        if begun_at == 0 { Ok(None) } else { self.whole(building, begun_at).map(Some) }
    }

    fn whole(&self, building: Building, begun_at: u64) -> Result<Sentence, ConlluError> {
        let line = self.line;
        let sentence = building.finish().map_err(|reason| ConlluError::Line { line, reason })?;
        if self.trees {
            let wrong = |error| ConlluError::Tree { line: begun_at, error };
            sentence.check_tree().map_err(wrong)?;
        }
        Ok(sentence)
    }

    /// Reads a line without its ending into the buffer; `false` at the end of the file.
    fn next_line(&mut self) -> Result<bool, ConlluError> {
        self.buffer.clear();
        loop {
            let line = self.line + 1;
            let available =
                self.bytes.fill_buf().map_err(|source| ConlluError::Io { line, source })?;
            if available.is_empty() {
                if self.buffer.is_empty() {
                    return Ok(false);
                }
                break;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(available.len());
            self.buffer.extend_from_slice(&available[..taken]);
            let length = taken + usize::from(end.is_some());
            self.bytes.consume(length);
            if self.buffer.len() > LONGEST_LINE {
                let reason = format!("longer than {LONGEST_LINE} bytes: this is no CoNLL-U");
                return Err(ConlluError::Line { line, reason });
            }
            if end.is_some() {
                break;
            }
        }
        self.line += 1;
        if self.buffer.last() == Some(&b'\r') {
            self.buffer.pop();
        }
        Ok(true)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Sentence, ConlluError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.sentence().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// A sentence whose lines are being read.
#[derive(Default)]
struct Building {
    sentence: Sentence,
    /// The largest head so far, and the word that has it.
    largest_head: (usize, usize),
}

/// What the first column says.
enum Id {
    Word(usize),
    Multiword(usize, usize),
    Empty(usize, usize),
}

impl Building {
    fn line(&mut self, text: &str) -> Result<(), String> {
        let sentence = &mut self.sentence;
        if text.starts_with('#') {
            if !sentence.words.is_empty()
                || !sentence.multiwords.is_empty()
                || !sentence.empty_nodes.is_empty()
            {
                return Err("a comment between words; comments stand before them".to_owned());
            }
            sentence.comments.push(text.to_owned());
            return Ok(());
        }
        let columns: Vec<&str> = text.split('\t').collect();
        let Ok(columns) = <[&str; 10]>::try_from(columns.as_slice()) else {
            return Err(format!("{} columns; CoNLL-U has 10, with tabs between", columns.len()));
        };
        if let Some(at) = columns.iter().position(|column| column.is_empty()) {
            return Err(format!("column {} is empty; `_` stands for nothing", at + 1));
        }
        match id(columns[0])? {
            Id::Word(number) => self.word(number, columns),
            Id::Multiword(first, last) => self.multiword(first, last, columns),
            Id::Empty(after, number) => self.empty_node(after, number, columns),
        }
    }

    fn word(&mut self, number: usize, columns: [&str; 10]) -> Result<(), String> {
        let due = self.sentence.words.len() + 1;
        if number != due {
            return Err(format!("word {number} where word {due} is due"));
        }
        let head = match columns[6] {
            "_" => None,
            head => {
                Some(whole(head).ok_or_else(|| format!("the head `{head}` is no whole number"))?)
            }
        };
        if head == Some(number) {
            return Err(format!("word {number} is its own head"));
        }
        if let Some(head) = head.filter(|head| *head > self.largest_head.0) {
            self.largest_head = (head, number);
        }
        let [_, form, lemma, upos, xpos, feats, _, deprel, deps, misc] = columns.map(str::to_owned);
        let span = None;
        let word = Word { form, lemma, upos, xpos, feats, head, deprel, deps, misc, span };
        self.sentence.words.push(word);
        Ok(())
    }

    fn multiword(&mut self, first: usize, last: usize, columns: [&str; 10]) -> Result<(), String> {
        let due = self.sentence.words.len() + 1;
        let earlier = self.sentence.multiwords.last().map_or(0, |token| token.last);
        if first <= earlier {
            return Err(format!("token {first}-{last} overlaps one that ends with word {earlier}"));
        }
        if first != due {
            return Err(format!("token {first}-{last} where word {due} is due"));
        }
        let [_, form, lemma, upos, xpos, feats, head, deprel, deps, misc] = columns;
        if [lemma, upos, xpos, head, deprel, deps].iter().any(|column| *column != "_") {
            return Err(
                "a token of several words has a form, features and MISC only; its words have \
                        the rest"
                    .to_owned(),
            );
        }
        let [form, feats, misc] = [form, feats, misc].map(str::to_owned);
        self.sentence.multiwords.push(Multiword { first, last, form, feats, misc, span: None });
        Ok(())
    }

    fn empty_node(
        &mut self,
        after: usize,
        number: usize,
        columns: [&str; 10],
    ) -> Result<(), String> {
        let there = self.sentence.words.len();
        let earlier = self.sentence.empty_nodes.last().filter(|node| node.after == there);
        let due = earlier.map_or(1, |node| node.number + 1);
        if (after, number) != (there, due) {
            return Err(format!("empty node {after}.{number} where {there}.{due} may stand"));
        }
        if self.sentence.multiwords.last().is_some_and(|token| token.first > there) {
            return Err(format!("empty node {after}.{number} between a token and its first word"));
        }
        if columns[6] != "_" || columns[7] != "_" {
            return Err("an empty node has no head and no relation, only DEPS".to_owned());
        }
        let [_, form, lemma, upos, xpos, feats, _, _, deps, misc] = columns.map(str::to_owned);
        let columns = [form, lemma, upos, xpos, feats];
        self.sentence.empty_nodes.push(EmptyNode { after, number, columns, deps, misc });
        Ok(())
    }

    fn finish(self) -> Result<Sentence, String> {
        let words = self.sentence.words.len();
        if words == 0 {
            return Err("a sentence without words".to_owned());
        }
        if let Some(token) = self.sentence.multiwords.last().filter(|token| token.last > words) {
            return Err(format!(
                "token {}-{} in a sentence of {words} words",
                token.first, token.last
            ));
        }
        let (head, word) = self.largest_head;
        if head > words {
            return Err(format!(
                "word {word} has the head {head}, and the sentence has {words} words"
            ));
        }
        Ok(self.sentence)
    }
}

fn id(text: &str) -> Result<Id, String> {
    let wrong =
        || format!("`{text}` is no id: 3 (a word), 3-4 (a token of two) or 3.1 (an empty node)");
    if let Some((first, last)) = text.split_once('-') {
        let (first, last) = whole(first).zip(whole(last)).ok_or_else(wrong)?;
        return if 0 < first && first < last {
            Ok(Id::Multiword(first, last))
        } else {
            Err(format!("token {text} does not go from a word to a later one"))
        };
    }
    if let Some((after, number)) = text.split_once('.') {
        let (after, number) = whole(after).zip(whole(number)).ok_or_else(wrong)?;
        return if number > 0 { Ok(Id::Empty(after, number)) } else { Err(wrong()) };
    }
    whole(text).filter(|number| *number > 0).map(Id::Word).ok_or_else(wrong)
}

/// A whole number as the format writes it: digits, without a sign or leading zeros.
fn whole(text: &str) -> Option<usize> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = text.len() == 1 || !text.starts_with('0');
    (digits && plain).then(|| text.parse().ok()).flatten()
}
