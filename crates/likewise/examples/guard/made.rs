//! Texts made up by rule: the same on every machine and on every run, so that nothing has to be fetched.

/// Numbers that look random (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// A rank below `end`; low ones are frequent, as words are in language.
    fn rank(&mut self, end: usize) -> usize {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        ((end as f64).powf(share) - 1.0) as usize
    }
}

const ONSETS: [&str; 16] =
    ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "ch"];
const VOWELS: [&str; 7] = ["a", "e", "i", "o", "u", "ai", "ou"];
const CODAS: [&str; 8] = ["", "", "", "n", "r", "s", "l", "ck"];

fn word(numbers: &mut Numbers) -> String {
    let syllables = 1 + numbers.below(3);
    let syllable =
        |_| [numbers.one_of(&ONSETS), numbers.one_of(&VOWELS), numbers.one_of(&CODAS)].concat();
    (0..syllables).map(syllable).collect()
}

/// One letter dropped, doubled, or swapped with the next, of each word in `rare` or so.
fn misspelt(text: &str, rare: usize, numbers: &mut Numbers) -> String {
    let words = text.split(' ').map(|word| {
        let mut letters: Vec<char> = word.chars().collect();
        if letters.len() > 2 && numbers.below(rare) == 0 {
            let at = numbers.below(letters.len() - 1);
            match numbers.below(3) {
                0 => {
                    letters.remove(at);
                }
                1 => letters.insert(at, letters[at]),
                _ => letters.swap(at, at + 1),
            }
        }
        letters.into_iter().collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Rows, and queries made of some of them by misspelling.
pub struct Texts {
    pub rows: Vec<String>,
    pub queries: Vec<String>,
}

impl Texts {
    /// Texts of `least..most` words, of which three in ten are misspelt copies of others.
    fn of(
        rows: usize,
        vocabulary: usize,
        least: usize,
        most: usize,
        numbers: &mut Numbers,
    ) -> Self {
        let words: Vec<String> = (0..vocabulary).map(|_| word(numbers)).collect();
        let mut made: Vec<String> = Vec::with_capacity(rows);
        while made.len() < rows {
            let text = if !made.is_empty() && numbers.below(10) < 3 {
                let from = numbers.below(made.len());
                misspelt(&made[from], 3, numbers)
            } else {
                let many = least + numbers.below(most - least);
                let words: Vec<&str> =
                    (0..many).map(|_| words[numbers.rank(vocabulary)].as_str()).collect();
                words.join(" ")
            };
            made.push(text);
        }
        let query = |_| misspelt(&made[numbers.below(rows)], 2, numbers);
        let queries = (0..64).map(query).collect();
        Self { rows: made, queries }
    }

    /// Names of two or three words.
    pub fn names(rows: usize) -> Self {
        Self::of(rows, rows, 2, 4, &mut Numbers(1))
    }

    /// Sentences of 12 to 28 words.
    pub fn sentences(rows: usize) -> Self {
        Self::of(rows, 4 * rows, 12, 29, &mut Numbers(2))
    }
}
