//! What the networks see of words and characters: features, each known by a hash and numbered by a vocabulary.

use rustc_hash::FxHashMap;

/// A feature: the 64-bit FNV-1a hash of its kind and its text. It is written into models, so it must never change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key(u64);

impl Key {
    pub fn new(kind: u8) -> Self {
        Self(0xcbf2_9ce4_8422_2325).byte(kind)
    }

    fn byte(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    pub fn char(self, char: char) -> Self {
        (char as u32).to_le_bytes()[..3].iter().fold(self, |key, byte| key.byte(*byte))
    }

    pub fn chars(self, chars: impl IntoIterator<Item = char>) -> Self {
        chars.into_iter().fold(self, Self::char)
    }

    /// FNV leaves the high bits of short texts alike; this mixes them.
    pub fn done(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}

/// The features that a network has embeddings for.
#[derive(Debug, Clone, Default)]
pub(super) struct Vocabulary {
    keys: Vec<u64>,
    number: FxHashMap<u64, u32>,
}

impl Vocabulary {
    /// Feature number `n` has the key `keys[n]`.
    pub fn new(keys: Vec<u64>) -> Self {
        let number = keys.iter().zip(0..).map(|(key, number)| (*key, number)).collect();
        Self { keys, number }
    }

    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    pub fn get(&self, key: u64) -> Option<u32> {
        self.number.get(&key).copied()
    }
}

/// Stands for a word that the vocabulary does not have.
pub(super) const UNKNOWN: u32 = 0;
/// Stands for the root, before the first word.
pub(super) const ROOT: u32 = 1;
/// The keys of the two.
pub(super) const RESERVED: [u64; 2] = [0, 1];

/// The keys of a word: first itself without case, then its parts.
pub(super) fn of_word(form: &str, keys: &mut Vec<u64>) {
    keys.clear();
    let digit = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let plain: Vec<char> = form.chars().flat_map(char::to_lowercase).map(digit).collect();
    keys.push(Key::new(b'w').chars(plain.iter().copied()).done());
    keys.push(Key::new(b'x').chars(shape(form)).done());
    for length in 1..=4.min(plain.len()) {
        let suffix = &plain[plain.len() - length..];
        keys.push(Key::new(b's').chars(suffix.iter().copied()).done());
        keys.push(Key::new(b'p').chars(plain[..length].iter().copied()).done());
    }
}

/// `Xx`, `d.d`: letters by case and digits, runs of more than two cut short, everything else as it is.
fn shape(form: &str) -> impl Iterator<Item = char> + '_ {
    let mut run = (' ', 0);
    form.chars().map(class).filter(move |class| {
        run = if run.0 == *class { (*class, run.1 + 1) } else { (*class, 1) };
        run.1 <= 2
    })
}

fn class(c: char) -> char {
    if c.is_uppercase() {
        'X'
    } else if c.is_ascii_digit() || c.is_numeric() {
        'd'
    } else if c.is_lowercase() {
        'x'
    } else if c.is_alphabetic() {
        'a'
    } else {
        c
    }
}
