//! WordNet's files as they are, read and held against each other: every pointer has its target, every word of a
//! synset its place in the index. The format is that of wndb(5WN); glosses are passed over.

use super::lines::{Fields, Line, Source};
use super::{Pos, WordNetError};
use crate::collection::Interner;
use std::path::{Path, PathBuf};

/// Everything that is kept of the data and index files. Synsets and words are numbered as they come.
#[derive(Default)]
pub(super) struct Parsed {
    pub directory: PathBuf,
    /// Those of nouns first, then of verbs, adjectives, adverbs; within each in the order of their offsets.
    pub synsets: Vec<RawSynset>,
    /// Where each part of speech ends among them.
    pub ends: [usize; 4],
    pub words: Vec<RawWord>,
    pub pointers: Vec<Pointer>,
    /// Words as they are spelled, with blanks.
    pub spelled: Interner,
    /// The same in lower case.
    pub lemmas: Interner,
    /// For each lemma and part of speech, where its list of senses begins and ends.
    pub lists: Vec<[(u32, u32); 4]>,
    pub senses: Vec<u32>,
}

pub(super) struct RawSynset {
    pub pos: Pos,
    pub satellite: bool,
    pub offset: u32,
    pub line: usize,
    pub lexicographer_file: u32,
    /// Where its words and pointers end; they begin where those of the one before end.
    words_end: usize,
    pointers_end: usize,
}

pub(super) struct RawWord {
    pub spelled: u32,
    pub lemma: u32,
    /// Tells apart the senses of a word in one lexicographer file.
    pub lex_id: u32,
}

pub(super) struct Pointer {
    pub kind: Kind,
    pos: Pos,
    offset: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Of a class or of an instance.
    Hypernym,
    /// From a satellite adjective to its head.
    Similar,
    Other,
}

impl Parsed {
    pub(super) fn read(directory: &Path) -> Result<Self, WordNetError> {
        let mut new = Self { directory: directory.to_owned(), ..Self::default() };
        for pos in Pos::ALL {
            for line in new.open(pos.data_file())?.lines() {
                new.add_synset(pos, &line?)?;
            }
            new.ends[pos.number()] = new.synsets.len();
        }
        for pos in Pos::ALL {
            for line in new.open(pos.index_file())?.lines() {
                new.add_senses(pos, line?.fields()?)?;
            }
        }
        new.check()?;
        Ok(new)
    }

    pub(super) fn open(&self, file: &str) -> Result<Source, WordNetError> {
        Source::read(self.directory.join(file))
    }

    /// `offset lex_file ss_type w_cnt (word lex_id)… p_cnt (symbol offset pos source/target)… [frames] | gloss`
    fn add_synset(&mut self, pos: Pos, line: &Line<'_>) -> Result<(), WordNetError> {
        let mut fields = line.before_gloss()?;
        let offset = fields.decimal("the offset of a synset")?;
        if offset as usize != line.start {
            let (path, says) = (fields.path.to_owned(), offset);
            let is = line.start;
            return Err(WordNetError::Misplaced { path, line: line.number, says, is });
        }
        let lexicographer_file = fields.decimal("the number of a lexicographer file")?;
        let kind = part_of_speech(&mut fields, pos)?;
        let words = fields.hexadecimal("the number of words, hexadecimal")?;
        if words == 0 {
            return Err(fields.wrong("at least one word", "00"));
        }
        for _ in 0..words {
            let word = without_marker(fields.text("a word")?);
            let lex_id = fields.hexadecimal("a lex_id, hexadecimal")?;
            let (spelled, lemma) = self.intern(word)?;
            self.words.push(RawWord { spelled, lemma, lex_id });
        }
        for _ in 0..fields.decimal("the number of pointers")? {
            self.pointers.push(Pointer::read(&mut fields, pos)?);
        }
        if pos == Pos::Verb
            && let Some(frames) = fields.next()
        {
            let count = frames.parse::<u32>();
            for _ in 0..count.map_err(|_| fields.wrong("the number of verb frames", frames))? {
                fields.text("a `+` before a verb frame")?;
                fields.decimal("the number of a verb frame")?;
                fields.hexadecimal("the number of a word, hexadecimal")?;
            }
        }
        self.synsets.push(RawSynset {
            pos,
            satellite: kind == "s",
            offset,
            line: line.number,
            lexicographer_file,
            words_end: self.words.len(),
            pointers_end: self.pointers.len(),
        });
        Ok(())
    }

    /// `lemma pos synset_cnt p_cnt symbol… sense_cnt tagsense_cnt offset…`
    fn add_senses(&mut self, pos: Pos, mut fields: Fields<'_>) -> Result<(), WordNetError> {
        let (_, lemma) = self.intern(fields.text("a word")?)?;
        part_of_speech(&mut fields, pos)?;
        let synsets = fields.decimal("the number of synsets")?;
        for _ in 0..fields.decimal("the number of pointer symbols")? {
            fields.text("a pointer symbol")?;
        }
        fields.decimal("the number of senses")?;
        fields.decimal("the number of tagged senses")?;
        let start = self.senses.len() as u32;
        for _ in 0..synsets {
            let offset = fields.decimal("the offset of a synset")?;
            let synset = self.find(pos, offset);
            self.senses.push(synset.ok_or_else(|| WordNetError::NoSuchSynset {
                path: fields.path.to_owned(),
                line: fields.line,
                file: pos.data_file(),
                offset,
            })?);
        }
        self.lists[lemma as usize][pos.number()] = (start, self.senses.len() as u32);
        Ok(())
    }

    /// The numbers of a word as it is spelled, and in lower case.
    fn intern(&mut self, word: &str) -> Result<(u32, u32), WordNetError> {
        let spelled = word.replace('_', " ");
        let lower = spelled.to_lowercase();
        let too_large = || WordNetError::TooLarge { path: self.directory.clone() };
        let lemma = self.lemmas.intern(lower.as_bytes()).ok_or_else(too_large)?;
        if self.lists.len() < self.lemmas.len() {
            self.lists.push([(0, 0); 4]);
        }
        let spelled = self.spelled.intern(spelled.as_bytes()).ok_or_else(too_large)?;
        Ok((spelled, lemma))
    }

    /// The synset that begins at a byte of its file.
    pub(super) fn find(&self, pos: Pos, offset: u32) -> Option<u32> {
        let start = if pos == Pos::Noun { 0 } else { self.ends[pos.number() - 1] };
        let among = &self.synsets[start..self.ends[pos.number()]];
        // In order, because each is where it says.
        let at = among.binary_search_by_key(&offset, |synset| synset.offset).ok()?;
        Some((start + at) as u32)
    }

    pub(super) fn words_of(&self, synset: usize) -> &[RawWord] {
        let start = if synset == 0 { 0 } else { self.synsets[synset - 1].words_end };
        &self.words[start..self.synsets[synset].words_end]
    }

    /// The synsets to which one points, by pointers of a kind. All of them are there.
    pub(super) fn targets(&self, synset: usize, kind: Kind) -> impl Iterator<Item = u32> {
        let pointers = self.pointers_of(synset).iter().filter(move |pointer| pointer.kind == kind);
        pointers.filter_map(|pointer| self.find(pointer.pos, pointer.offset))
    }

    fn pointers_of(&self, synset: usize) -> &[Pointer] {
        let start = if synset == 0 { 0 } else { self.synsets[synset - 1].pointers_end };
        &self.pointers[start..self.synsets[synset].pointers_end]
    }

    /// The senses of a lemma, most frequent first.
    pub(super) fn senses_of(&self, lemma: u32, pos: Pos) -> &[u32] {
        let (start, end) = self.lists[lemma as usize][pos.number()];
        &self.senses[start as usize..end as usize]
    }

    /// Where a synset stands, for errors.
    pub(super) fn place(&self, synset: usize) -> (PathBuf, usize) {
        let synset = &self.synsets[synset];
        (self.directory.join(synset.pos.data_file()), synset.line)
    }

    fn check(&self) -> Result<(), WordNetError> {
        if u32::try_from(self.senses.len().max(self.words.len()).max(self.pointers.len())).is_err()
        {
            return Err(WordNetError::TooLarge { path: self.directory.clone() });
        }
        for (number, synset) in self.synsets.iter().enumerate() {
            let missing = |pointer: &&Pointer| self.find(pointer.pos, pointer.offset).is_none();
            if let Some(pointer) = self.pointers_of(number).iter().find(missing) {
                let (path, line) = self.place(number);
                let (file, offset) = (pointer.pos.data_file(), pointer.offset);
                return Err(WordNetError::NoSuchSynset { path, line, file, offset });
            }
            for word in self.words_of(number) {
                if !self.senses_of(word.lemma, synset.pos).contains(&(number as u32)) {
                    let (path, line) = self.place(number);
                    let word = self.spelled.at(word.spelled as usize);
                    let word = String::from_utf8_lossy(word).into_owned();
                    let file = synset.pos.index_file();
                    return Err(WordNetError::Unlisted { path, line, word, file });
                }
            }
        }
        Ok(())
    }
}

impl Pointer {
    fn read(fields: &mut Fields<'_>, from: Pos) -> Result<Self, WordNetError> {
        let symbol = fields.text("a pointer symbol")?;
        let offset = fields.decimal("the offset of a synset")?;
        let letter = fields.text("a part of speech")?;
        let mut letters = letter.chars();
        let pos = letters.next().and_then(Pos::from_letter).filter(|_| letters.next().is_none());
        let pos = pos.ok_or_else(|| fields.wrong("a part of speech", letter))?;
        // 0000: from synset to synset. All else is from word to word.
        let between = fields.hexadecimal("source and target, hexadecimal")?;
        let kind = match symbol {
            "@" | "@i" if between == 0 && pos != from => {
                return Err(fields.wrong("a hypernym of the same part of speech", letter));
            }
            "@" | "@i" if between == 0 => Kind::Hypernym,
            "&" if between == 0 => Kind::Similar,
            _ => Kind::Other,
        };
        Ok(Self { kind, pos, offset })
    }
}

/// Reads the letter of a part of speech, which must be that of the file.
fn part_of_speech<'a>(fields: &mut Fields<'a>, pos: Pos) -> Result<&'a str, WordNetError> {
    let letter = fields.text("a part of speech")?;
    let mut letters = letter.chars();
    if letters.next().and_then(Pos::from_letter) != Some(pos) || letters.next().is_some() {
        return Err(fields.wrong("the part of speech of this file", letter));
    }
    Ok(letter)
}

/// A word without what says where an adjective may stand: `galore(ip)` is `galore`.
fn without_marker(word: &str) -> &str {
    match word.find('(') {
        Some(bracket) if word.ends_with(')') && bracket > 0 => &word[..bracket],
        _ => word,
    }
}
