//! A small dictionary in WordNet's format, written from a few lines.

use super::{Pos, WordNet};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Each line a synset: part of speech (`s` for a satellite), key, `=`, words with their tag counts, `<`, the keys of
/// its hypernyms (`~` before one of which it is an instance; for a satellite its head). `!` begins an irregular form.
///
/// `dog` has a short way and a long way up, so that what is near and what is deep differ.
pub(super) const PETS: &str = "
n thing = thing:5 entity
n animal = animal:9 beast:1 < thing
n pet = pet:2 < animal
n vertebrate = vertebrate < animal
n mammal = mammal < vertebrate
n carnivore = carnivore < mammal
n canine = canine dog:1 < carnivore
n dog = dog:42 domestic_dog Canis_familiaris < canine pet
n poodle = poodle < dog
n cat = cat:18 < carnivore
n goose = goose:1 < vertebrate
n place = place:30 < thing
n city = city:11 metropolis < place
n rome = Rome Eternal_City < ~city
n run = run:3 < thing
v move = move:60 travel:20
v run = run:50 < move
v sprint = sprint run < run
v chase = chase dog:1 < run
v think = think:80
v guess = guess:4 suppose < think
a large = large:70 big(p):100
s huge = huge:8 galore(ip) < large
r fast = fast:7 quickly:9
!n geese goose
!v ran run
!n oxen ox
!r faster fast
";

struct Entry<'a> {
    pos: Pos,
    letter: char,
    key: &'a str,
    words: Vec<(&'a str, u32)>,
    above: Vec<&'a str>,
}

fn entry(line: &str) -> Entry<'_> {
    let (head, above) = line.split_once(" <").unwrap_or((line, ""));
    let (name, words) = head.split_once(" = ").unwrap();
    let (letter, key) = name.split_once(' ').unwrap();
    let letter = letter.chars().next().unwrap();
    let words = words.split(' ').map(|word| match word.split_once(':') {
        Some((word, count)) => (word, count.parse().unwrap()),
        None => (word, 0),
    });
    let pos = Pos::from_letter(letter).unwrap();
    Entry { pos, letter, key, words: words.collect(), above: above.split_whitespace().collect() }
}

/// Writes the dictionary into a directory of its own.
pub(super) fn written(spec: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(spec, folder.path());
    folder
}

pub(super) fn opened(spec: &str) -> WordNet {
    WordNet::open(written(spec).path(), None).unwrap()
}

pub(super) fn write(spec: &str, folder: &Path) {
    let lines = || spec.lines().filter(|line| !line.is_empty());
    let entries: Vec<Entry<'_>> =
        lines().filter(|line| !line.starts_with('!')).map(entry).collect();
    // Once to learn the offsets, which all have eight digits, and once with them.
    let nowhere = vec![0; entries.len()];
    let offsets = files(&entries, &nowhere).1;
    let (data, _) = files(&entries, &offsets);
    for pos in Pos::ALL {
        fs::write(folder.join(pos.data_file()), &data[pos as usize]).unwrap();
        fs::write(folder.join(pos.index_file()), index(&entries, &offsets, pos)).unwrap();
        let start = format!("!{} ", pos.letter());
        let forms = lines().filter_map(|line| line.strip_prefix(&start));
        let forms: String = forms.map(|line| format!("{line}\n")).collect();
        fs::write(folder.join(pos.exception_file()), forms).unwrap();
    }
    let (by_key, by_offset) = counts(&entries, &offsets);
    fs::write(folder.join("cntlist.rev"), by_key).unwrap();
    fs::write(folder.join("index.sense"), by_offset).unwrap();
}

const LICENCE: &str = "  1 A licence, as all files of WordNet begin with one.  \n";

fn lemma(word: &str) -> String {
    word.split('(').next().unwrap_or_default().to_lowercase()
}

fn files(entries: &[Entry<'_>], offsets: &[usize]) -> ([String; 4], Vec<usize>) {
    let mut data = [LICENCE; 4].map(str::to_owned);
    let mut found = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let data = &mut data[entry.pos as usize];
        found.push(data.len());
        write!(data, "{:08} 05 {} {:02x}", offsets[number], entry.letter, entry.words.len())
            .unwrap();
        for (word, _) in &entry.words {
            write!(data, " {word} {:x}", lex_id(entries, number, word)).unwrap();
        }
        write!(data, " {:03}", entry.above.len()).unwrap();
        for above in &entry.above {
            let symbol = if entry.letter == 's' { "&" } else { "@" };
            let (symbol, key) = above.strip_prefix('~').map_or((symbol, *above), |key| ("@i", key));
            let same = |other: &Entry<'_>| other.pos == entry.pos && other.key == key;
            // A key that is nowhere is an offset that is nowhere.
            let offset = entries.iter().position(same).map_or(99_999_999, |at| offsets[at]);
            write!(data, " {symbol} {offset:08} {} 0000", entry.pos.letter()).unwrap();
        }
        let frames = if entry.pos == Pos::Verb { " 01 + 02 00" } else { "" };
        writeln!(data, "{frames} | a gloss, \"with | an example\"  ").unwrap();
    }
    (data, found)
}

/// How many synsets of the part of speech have the word before this one.
fn lex_id(entries: &[Entry<'_>], number: usize, word: &str) -> usize {
    let has = |entry: &&Entry<'_>| {
        entry.pos == entries[number].pos
            && entry.words.iter().any(|(other, _)| lemma(other) == lemma(word))
    };
    entries[..number].iter().filter(has).count()
}

fn index(entries: &[Entry<'_>], offsets: &[usize], pos: Pos) -> String {
    let mut senses: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (entry, &offset) in entries.iter().zip(offsets).filter(|(entry, _)| entry.pos == pos) {
        for (word, _) in &entry.words {
            senses.entry(lemma(word)).or_default().push(offset);
        }
    }
    let mut index = LICENCE.to_owned();
    for (lemma, offsets) in senses {
        let n = offsets.len();
        let offsets: Vec<String> = offsets.iter().map(|offset| format!("{offset:08}")).collect();
        writeln!(index, "{lemma} {} {n} 2 @ ~ {n} 0 {}  ", pos.letter(), offsets.join(" "))
            .unwrap();
    }
    index
}

fn counts(entries: &[Entry<'_>], offsets: &[usize]) -> (String, String) {
    let (mut by_key, mut by_offset) = (Vec::new(), Vec::new());
    for (number, entry) in entries.iter().enumerate() {
        let mut head = ":".to_owned();
        if entry.letter == 's' {
            let of = entries
                .iter()
                .position(|other| other.pos == entry.pos && other.key == entry.above[0]);
            let word = entries[of.unwrap()].words[0].0;
            head = format!("{}:{:02}", lemma(word), lex_id(entries, of.unwrap(), word));
        }
        for (word, count) in &entry.words {
            let kind = if entry.letter == 's' { 5 } else { entry.pos as usize + 1 };
            let key =
                format!("{}%{kind}:05:{:02}:{head}", lemma(word), lex_id(entries, number, word));
            by_offset.push(format!("{key} {:08} 1 {count}\n", offsets[number]));
            if *count > 0 {
                by_key.push(format!("{key} 1 {count}\n"));
            }
        }
    }
    by_key.sort();
    by_offset.sort();
    (by_key.concat(), by_offset.concat())
}
