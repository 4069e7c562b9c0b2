//! Codes: model, part and phone numbers that both texts have, or that contradict each other.
//!
//! A code is a word, without its punctuation and in lower case, that has a digit and at least three characters, or four if it has
//! digits only: `KDL-46V4100/B` is `kdl46v4100b`.
//!
//! ```text
//! shared   = |A ∩ B| / min(|A|, |B|), distinct codes; 0 if a text has none
//! conflict = 1 if both texts have codes and none in common
//! nearest  = largest 1 − d/longer length over pairs of codes, d by Levenshtein
//! inside   = 1 if a code of four or more characters stands in the other text, whatever blanks and marks are between
//! ```

use super::{Analyzed, Definition, Feature};
use crate::expr::Schema;
use crate::strings::levenshtein;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "",
    analyzer: "analyzer",
    counts: |_| false,
    values: |_| &["shared", "conflict", "nearest", "inside"],
    build: |_, _| Ok(Box::new(Codes)),
};

static SCHEMA: Schema = Schema {
    name: "codes",
    aliases: &[],
    summary: "model, part and phone numbers that both texts have, or that contradict each other",
    params: &[],
};

/// More codes of a text are not looked at: a list of numbers is no name.
const MOST: usize = 24;

struct Codes;

/// The codes of a text.
struct Found {
    /// Distinct, in order.
    codes: Vec<String>,
    /// The letters and digits of the text.
    plain: String,
}

/// Letters and digits in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_code(word: &str) -> bool {
    let (mut digits, mut all) = (0, 0);
    for c in word.chars() {
        digits += usize::from(c.is_numeric());
        all += 1;
    }
    digits > 0 && all >= if digits == all { 4 } else { 3 }
}

impl Feature for Codes {
    type Prepared = Found;

    fn prepare(&self, text: &Analyzed<'_>) -> Found {
        let words = text.original().split_whitespace().map(plain).filter(|word| is_code(word));
        let mut codes: Vec<String> = words.take(MOST).collect();
        codes.sort_unstable();
        codes.dedup();
        Found { codes, plain: plain(text.original()) }
    }

    fn describe(&self, a: &Found, b: &Found, out: &mut [f64]) {
        out.fill(0.0);
        let inside = |from: &Found, to: &Found| {
            let stands = |code: &&String| code.len() >= 4 && to.plain.contains(&***code);
            from.codes.iter().any(|code| stands(&code))
        };
        out[3] = f64::from(inside(a, b) || inside(b, a));
        let fewer = a.codes.len().min(b.codes.len());
        if fewer == 0 {
            return;
        }
        let shared = a.codes.iter().filter(|code| b.codes.binary_search(code).is_ok()).count();
        out[0] = shared as f64 / fewer as f64;
        out[1] = f64::from(shared == 0);
        out[2] = if shared > 0 {
            1.0
        } else {
            let pairs = a.codes.iter().flat_map(|x| b.codes.iter().map(move |y| (x, y)));
            pairs.map(|(x, y)| levenshtein(x, y)).fold(0.0, f64::max)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(a: &str, b: &str) -> [f64; 4] {
        let mut out = [0.0; 4];
        let (a, b) = (Analyzed::new(a), Analyzed::new(b));
        Codes.describe(&Codes.prepare(&a), &Codes.prepare(&b), &mut out);
        out
    }

    #[test]
    fn a_code_is_the_same_however_it_is_punctuated() {
        assert_eq!(of("Sony KDL-46V4100/B TV", "sony kdl46v4100b"), [1.0, 0.0, 1.0, 1.0]);
        assert_eq!(of("LG LX 6650 DES", "lg LX6650DES"), [0.0, 1.0, 4.0 / 9.0, 1.0]);
    }

    #[test]
    fn other_codes_contradict() {
        let [shared, conflict, nearest, inside] = of("printer C309a", "printer C310a");
        assert_eq!((shared, conflict, inside), (0.0, 1.0, 0.0));
        assert!((nearest - 0.6).abs() < 1e-9);
        assert_eq!(of("no code", "5 by 3 in"), [0.0; 4]);
        assert_eq!(of("a1b2", "no code"), [0.0; 4]);
    }
}
