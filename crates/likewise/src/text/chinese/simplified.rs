//! Traditional to Simplified characters by OpenCC's dictionaries: 4,113 characters, and 277 phrases in which a character
//! turns into another one than usual (乾坤 stays, 乾 becomes 干).
//!
//! As OpenCC does it: at each character the longest phrase that begins there, else the character. Every entry has as many
//! characters as what it stands for, which a test checks: so each keeps its place.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

const CHARACTERS: &str = include_str!("traditional-characters.txt");
const PHRASES: &str = include_str!("traditional-phrases.txt");

/// Phrases, and what they become.
type Phrases = Vec<(Vec<char>, Vec<char>)>;

struct Dictionary {
    characters: FxHashMap<char, char>,
    /// By their first character, longest first.
    phrases: FxHashMap<char, Phrases>,
}

static DICTIONARY: LazyLock<Dictionary> = LazyLock::new(|| {
    let characters = entries(CHARACTERS).filter_map(|(from, to)| {
        let (from, to) = (from.chars().next()?, to.chars().next()?);
        (from != to).then_some((from, to))
    });
    let mut phrases: FxHashMap<char, Phrases> = FxHashMap::default();
    for (from, to) in entries(PHRASES) {
        let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
        phrases.entry(from[0]).or_default().push((from, to));
    }
    #[expect(clippy::iter_over_hash_type, reason = "each list is sorted by itself")]
    for list in phrases.values_mut() {
        list.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
    }
    Dictionary { characters: characters.collect(), phrases }
});

/// The entries of a file: what is written, and the first of what it may become.
fn entries(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (from, to) = line.split_once('\t')?;
        Some((from, to.split(' ').next()?))
    })
}

/// Makes characters simplified, each in its place.
pub(in crate::text) fn simplify(text: &mut [char]) {
    let Dictionary { characters, phrases } = &*DICTIONARY;
    let mut at = 0;
    while at < text.len() {
        let list = phrases.get(&text[at]).map_or(&[][..], Vec::as_slice);
        if let Some((from, to)) = list.iter().find(|(from, _)| text[at..].starts_with(from)) {
            text[at..at + from.len()].copy_from_slice(to);
            at += from.len();
        } else {
            if let Some(simple) = characters.get(&text[at]) {
                text[at] = *simple;
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplified(text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        simplify(&mut chars);
        chars.into_iter().collect()
    }

    #[test]
    fn every_entry_keeps_the_number_of_characters() {
        assert_eq!(entries(CHARACTERS).count(), 4113);
        assert_eq!(entries(PHRASES).count(), 277);
        for (from, to) in entries(CHARACTERS) {
            assert_eq!((from.chars().count(), to.chars().count()), (1, 1), "{from}");
        }
        for (from, to) in entries(PHRASES) {
            assert_eq!(from.chars().count(), to.chars().count(), "{from}");
            assert_eq!(simplified(from), to);
        }
    }

    #[test]
    fn traditional_becomes_simplified_and_phrases_go_before_characters() {
        // As OpenCC's own program has it (t2s).
        assert_eq!(
            simplified("開放中文轉換是完全由 Rust 實現的。"),
            "开放中文转换是完全由 Rust 实现的。"
        );
        assert_eq!(simplified("乾坤乾淨"), "乾坤干净");
        assert_eq!(simplified("瞭望臺上瞭解頭髮與發現"), "瞭望台上了解头发与发现");
        assert_eq!(simplified("简体不变 abc"), "简体不变 abc");
    }
}
