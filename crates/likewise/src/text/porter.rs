//! Porter's stemmer: "An algorithm for suffix stripping" (Program, 1980), with the three small
//! revisions its author made in the version he distributes (`-bli` for `-abli`, `-logi`, and words of
//! two letters left alone), which is the one that yields his published vocabulary.

use std::borrow::Cow;

/// The stem of a lower-case English word. A word with other than ASCII letters is left as it is.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() <= 2 || !word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut stemmer = Stemmer { word: word.as_bytes().to_vec() };
    stemmer.plurals_and_participles();
    stemmer.final_y();
    stemmer.double_suffixes();
    stemmer.full_and_ness();
    stemmer.ant_and_ence();
    stemmer.final_e_and_ll();
    match String::from_utf8(stemmer.word) {
        Ok(stem) if stem != word => Cow::Owned(stem),
        _ => Cow::Borrowed(word),
    }
}

struct Stemmer {
    word: Vec<u8>,
}

impl Stemmer {
    fn is_consonant(&self, at: usize) -> bool {
        match self.word[at] {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => at == 0 || !self.is_consonant(at - 1),
            _ => true,
        }
    }

    /// How often a vowel sequence is followed by a consonant sequence in the first `end` letters.
    fn measure(&self, end: usize) -> usize {
        (1..end).filter(|&i| self.is_consonant(i) && !self.is_consonant(i - 1)).count()
    }

    fn has_vowel(&self, end: usize) -> bool {
        (0..end).any(|i| !self.is_consonant(i))
    }

    fn ends_double_consonant(&self) -> bool {
        let n = self.word.len();
        n >= 2 && self.word[n - 1] == self.word[n - 2] && self.is_consonant(n - 1)
    }

    /// Consonant, vowel, consonant other than w, x, y at the end of the first `end` letters: hop.
    fn ends_short_syllable(&self, end: usize) -> bool {
        end >= 3
            && self.is_consonant(end - 3)
            && !self.is_consonant(end - 2)
            && self.is_consonant(end - 1)
            && !matches!(self.word[end - 1], b'w' | b'x' | b'y')
    }

    /// Length of what stands before `suffix`, if the word ends with it.
    fn before(&self, suffix: &str) -> Option<usize> {
        self.word.ends_with(suffix.as_bytes()).then(|| self.word.len() - suffix.len())
    }

    fn replace(&mut self, stem: usize, ending: &str) {
        self.word.truncate(stem);
        self.word.extend_from_slice(ending.as_bytes());
    }

    /// The first rule whose suffix fits decides; it acts if the stem's measure exceeds 0.
    fn first_rule(&mut self, rules: &[(&str, &str)]) {
        for (suffix, ending) in rules {
            if let Some(stem) = self.before(suffix) {
                if self.measure(stem) > 0 {
                    self.replace(stem, ending);
                }
                return;
            }
        }
    }

    fn plurals_and_participles(&mut self) {
        if let Some(stem) = self.before("sses").or(self.before("ies")) {
            let kept = if self.word.ends_with(b"sses") { "ss" } else { "i" };
            self.replace(stem, kept);
        } else if self.before("ss").is_none()
            && let Some(stem) = self.before("s")
        {
            self.word.truncate(stem);
        }
        if let Some(stem) = self.before("eed") {
            if self.measure(stem) > 0 {
                self.word.pop();
            }
            return;
        }
        let Some(stem) = self.before("ed").or(self.before("ing")) else { return };
        if !self.has_vowel(stem) {
            return;
        }
        self.word.truncate(stem);
        if ["at", "bl", "iz"].iter().any(|end| self.word.ends_with(end.as_bytes())) {
            self.word.push(b'e');
        } else if self.ends_double_consonant()
            && !matches!(self.word.last(), Some(b'l' | b's' | b'z'))
        {
            self.word.pop();
        } else if self.measure(self.word.len()) == 1 && self.ends_short_syllable(self.word.len()) {
            self.word.push(b'e');
        }
    }

    fn final_y(&mut self) {
        if let Some(stem) = self.before("y")
            && self.has_vowel(stem)
        {
            self.replace(stem, "i");
        }
    }

    fn double_suffixes(&mut self) {
        self.first_rule(&[
            ("ational", "ate"),
            ("tional", "tion"),
            ("enci", "ence"),
            ("anci", "ance"),
            ("izer", "ize"),
            ("bli", "ble"),
            ("alli", "al"),
            ("entli", "ent"),
            ("eli", "e"),
            ("ousli", "ous"),
            ("ization", "ize"),
            ("ation", "ate"),
            ("ator", "ate"),
            ("alism", "al"),
            ("iveness", "ive"),
            ("fulness", "ful"),
            ("ousness", "ous"),
            ("aliti", "al"),
            ("iviti", "ive"),
            ("biliti", "ble"),
            ("logi", "log"),
        ]);
    }

    fn full_and_ness(&mut self) {
        self.first_rule(&[
            ("icate", "ic"),
            ("ative", ""),
            ("alize", "al"),
            ("iciti", "ic"),
            ("ical", "ic"),
            ("ful", ""),
            ("ness", ""),
        ]);
    }

    fn ant_and_ence(&mut self) {
        const SUFFIXES: [&str; 19] = [
            "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion",
            "ou", "ism", "ate", "iti", "ous", "ive", "ize",
        ];
        for suffix in SUFFIXES {
            if let Some(stem) = self.before(suffix) {
                let fits =
                    suffix != "ion" || (stem > 0 && matches!(self.word[stem - 1], b's' | b't'));
                if fits && self.measure(stem) > 1 {
                    self.word.truncate(stem);
                }
                return;
            }
        }
    }

    fn final_e_and_ll(&mut self) {
        if let Some(stem) = self.before("e") {
            let measure = self.measure(stem);
            if measure > 1 || (measure == 1 && !self.ends_short_syllable(stem)) {
                self.word.truncate(stem);
            }
        }
        if self.word.ends_with(b"ll") && self.measure(self.word.len()) > 1 {
            self.word.pop();
        }
    }
}
