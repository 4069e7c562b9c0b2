//! What every bit-parallel kernel needs first: for each character, at which positions of the
//! pattern it stands, as bits.
//!
//! A [`CharMap`] finds something small for a character; an [`Alphabet`] gives the characters it has
//! seen dense codes with one, so that a table of bit masks is a plain array; [`PatternMasks`] are
//! the masks of one pattern of any length, 64 positions to a word; [`AsciiMasks`] those of a short
//! one in ASCII. All are made to be cleared and filled again without allocating.

use std::cell::RefCell;

/// From characters to small values; the default value stands for «not there».
///
/// One table of slots serves all of Unicode: the first 128 slots are ASCII, found by index; the
/// others are an open-addressed hash table.
struct CharMap<V> {
    slots: Vec<Slot<V>>,
    /// The slots in use, so that clearing costs what was inserted and not what is allocated.
    used: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
struct Slot<V> {
    character: char,
    value: V,
}

const ASCII: usize = 128;
const FIRST_HASHED_SLOTS: usize = 64;

impl<V: Copy + Default + PartialEq> CharMap<V> {
    const fn new() -> Self {
        Self { slots: Vec::new(), used: Vec::new() }
    }

    fn clear(&mut self) {
        for slot in self.used.drain(..) {
            self.slots[slot] = Slot::default();
        }
    }

    #[inline]
    fn get(&self, character: char) -> V {
        let scalar = character as usize;
        if scalar < ASCII || self.slots.is_empty() {
            return self.slots.get(scalar).map_or(V::default(), |slot| slot.value);
        }
        self.slots[self.slot(character)].value
    }

    /// The place of a character's value. Who asks must leave something there.
    #[inline]
    fn place(&mut self, character: char) -> &mut V {
        // At most half full, so that probing is short and always meets a free slot.
        if self.slots.len() < ASCII + 2 * (self.used.len() + 1) {
            self.grow();
        }
        let slot = self.slot(character);
        if self.slots[slot].value == V::default() {
            self.slots[slot].character = character;
            self.used.push(slot);
        }
        &mut self.slots[slot].value
    }

    /// Where a character is, or the free slot where it would go.
    #[inline]
    fn slot(&self, character: char) -> usize {
        let scalar = character as usize;
        if scalar < ASCII {
            return scalar;
        }
        let mask = self.slots.len() - ASCII - 1;
        // Neighbouring characters of one script fall into neighbouring slots: already a good hash.
        let mut probe = scalar & mask;
        loop {
            let slot = self.slots[ASCII + probe];
            if slot.value == V::default() || slot.character == character {
                return ASCII + probe;
            }
            probe = (probe + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let hashed = match self.slots.len() {
            0 => FIRST_HASHED_SLOTS,
            len => 2 * (len - ASCII),
        };
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); ASCII + hashed]);
        for nth in 0..self.used.len() {
            let moved = old[self.used[nth]];
            let slot = self.slot(moved.character);
            self.slots[slot] = moved;
            self.used[nth] = slot;
        }
    }
}

/// Dense codes for characters: 1, 2, 3, … in order of first appearance; 0 stands for every
/// character never seen.
pub(super) struct Alphabet(CharMap<u32>);

impl Alphabet {
    pub(super) const fn new() -> Self {
        Self(CharMap::new())
    }

    /// How many codes there are, the 0 for strangers included.
    pub(super) fn codes(&self) -> usize {
        self.0.used.len() + 1
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The code of a character, 0 if it was never inserted.
    #[inline]
    pub(super) fn code(&self, character: char) -> u32 {
        self.0.get(character)
    }

    /// The code of a character, a new one if need be.
    #[inline]
    pub(super) fn insert(&mut self, character: char) -> u32 {
        let next = self.codes() as u32;
        let code = self.0.place(character);
        if *code == 0 {
            *code = next;
        }
        *code
    }
}

/// How many 64-bit words hold a bit for each of `len` positions.
pub(super) const fn words_for(len: usize) -> usize {
    len.div_ceil(64)
}

/// The `count` lowest bits (all of them from 64 on).
#[inline]
pub(super) const fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// A thread keeps the masks of its last pattern, but not if one giant made them larger than this
/// (8 MB).
const KEPT_WORDS: usize = 1 << 20;

/// For each character the positions at which it stands in the pattern: position i is bit i mod 64
/// of word i / 64. Takes a bit for each position and distinct character.
///
/// Patterns of at most 64 characters, by far the most, are asked by [`word`](Self::word), longer
/// ones by [`words`](Self::words).
pub(super) struct PatternMasks {
    /// The masks of a short pattern, found in one step.
    short: CharMap<u64>,
    /// The codes of a long pattern's characters.
    alphabet: Alphabet,
    words: usize,
    /// `words` words for each code; those of code 0 stay zero.
    masks: Vec<u64>,
}

impl PatternMasks {
    pub(super) const fn new() -> Self {
        Self { short: CharMap::new(), alphabet: Alphabet::new(), words: 0, masks: Vec::new() }
    }

    /// Forgets the old pattern and takes in a new one.
    pub(super) fn prepare(&mut self, pattern: &[char]) {
        if pattern.len() <= 64 {
            self.prepare_short(pattern);
        } else {
            self.prepare_long(pattern);
        }
    }

    fn prepare_short(&mut self, pattern: &[char]) {
        self.short.clear();
        for (position, &character) in pattern.iter().enumerate() {
            *self.short.place(character) |= 1 << position;
        }
    }

    fn prepare_long(&mut self, pattern: &[char]) {
        if self.masks.capacity() > KEPT_WORDS {
            self.masks = Vec::new();
        }
        self.alphabet.clear();
        self.words = words_for(pattern.len());
        self.masks.clear();
        self.masks.resize(self.words, 0);
        for (position, &character) in pattern.iter().enumerate() {
            let start = self.alphabet.insert(character) as usize * self.words;
            if start == self.masks.len() {
                self.masks.resize(start + self.words, 0);
            }
            self.masks[start + position / 64] |= 1 << (position % 64);
        }
    }

    /// The positions of a character in a pattern of at most 64.
    #[inline]
    pub(super) fn word(&self, character: char) -> u64 {
        self.short.get(character)
    }

    /// The positions of a character in a longer pattern.
    #[inline]
    pub(super) fn words(&self, character: char) -> &[u64] {
        let start = self.alphabet.code(character) as usize * self.words;
        &self.masks[start..start + self.words]
    }
}

/// Where the characters of a pattern of at most 64 stand.
pub(super) trait ShortMasks {
    /// How a character is written.
    type Symbol: Copy + Eq;

    /// The positions of a character.
    fn word(&self, symbol: Self::Symbol) -> u64;
}

impl ShortMasks for PatternMasks {
    type Symbol = char;

    #[inline]
    fn word(&self, symbol: char) -> u64 {
        Self::word(self, symbol)
    }
}

/// The masks of a pattern of at most 64 ASCII characters, given as bytes.
pub(super) struct AsciiMasks([u64; ASCII]);

impl ShortMasks for AsciiMasks {
    type Symbol = u8;

    #[inline(always)]
    fn word(&self, symbol: u8) -> u64 {
        self.0[usize::from(symbol) % ASCII]
    }
}

impl AsciiMasks {
    /// What `of` makes of the masks of a pattern.
    #[inline(always)]
    pub(super) fn with<R>(pattern: &[u8], of: impl FnOnce(&Self) -> R) -> R {
        thread_local! {
            static MASKS: RefCell<AsciiMasks> = const { RefCell::new(AsciiMasks([0; ASCII])) };
        }
        MASKS.with_borrow_mut(|masks| {
            let mut bit = 1;
            for &symbol in pattern {
                masks.0[usize::from(symbol) % ASCII] |= bit;
                bit <<= 1;
            }
            let made = of(masks);
            // Cheaper than clearing all of them.
            for &symbol in pattern {
                masks.0[usize::from(symbol) % ASCII] = 0;
            }
            made
        })
    }
}

/// The two terms without the characters they share at both ends.
pub(super) fn strip_common_ends<'t, S: Eq>(mut a: &'t [S], mut b: &'t [S]) -> (&'t [S], &'t [S]) {
    let head = common_prefix(a, b);
    (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    (&a[..a.len() - tail], &b[..b.len() - tail])
}

/// How many characters two terms share at the start.
pub(super) fn common_prefix<S: Eq>(a: &[S], b: &[S]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dense_and_survive_growth_and_clearing() {
        let mut alphabet = Alphabet::new();
        assert_eq!(alphabet.code('a'), 0);
        for round in 0..3 {
            let characters: Vec<char> = ('a'..='z').chain('\u{4e00}'..'\u{5000}').collect();
            for (nth, &c) in characters.iter().enumerate() {
                assert_eq!(alphabet.insert(c), nth as u32 + 1, "round {round}");
            }
            for (nth, &c) in characters.iter().enumerate() {
                assert_eq!(alphabet.insert(c), nth as u32 + 1);
                assert_eq!(alphabet.code(c), nth as u32 + 1);
            }
            assert_eq!(alphabet.code('é'), 0);
            assert_eq!(alphabet.codes(), characters.len() + 1);
            alphabet.clear();
            assert_eq!(alphabet.code('a'), 0);
            assert_eq!(alphabet.code('\u{4e00}'), 0);
        }
    }

    #[test]
    fn masks_say_where_each_character_stands() {
        let mut masks = PatternMasks::new();
        let long: Vec<char> = "ab".repeat(50).chars().collect();
        masks.prepare(&long);
        assert_eq!(masks.words('a'), [0x5555_5555_5555_5555, 0x5_5555_5555]);
        assert_eq!(masks.words('x'), [0, 0]);
        masks.prepare(&['x', 'é', 'x']);
        assert_eq!((masks.word('x'), masks.word('é'), masks.word('a')), (0b101, 0b010, 0));
    }

    #[test]
    fn masks_of_ascii_are_gone_after_use() {
        for pattern in ["aba", "", &"x".repeat(64)] {
            AsciiMasks::with(pattern.as_bytes(), |masks| {
                for symbol in 0..128 {
                    let stands = |(at, own): (usize, u8)| u64::from(own == symbol) << at;
                    let expected = pattern.bytes().enumerate().map(stands).sum::<u64>();
                    assert_eq!(masks.word(symbol), expected);
                }
            });
        }
    }

    #[test]
    fn common_ends_never_overlap() {
        let a = ['a', 'a', 'a'];
        assert_eq!(strip_common_ends(&a, &a[..2]), (&a[..1], &a[..0]));
    }
}
