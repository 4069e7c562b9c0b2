//! Numbers: which numbers both texts have, whether they contradict each other, and how near the first ones are.
//!
//! ```text
//! shared   = |A ∩ B| / min(|A|, |B|), distinct numbers by value ($1,299.00 is 1299); 0 if a text has none
//! conflict = 1 if both texts have numbers and none in common
//! ratio    = smaller / larger of the texts' first numbers (1 if both are 0); 0 if a text has none
//! ```

use super::{Analyzed, Definition, Feature};
use crate::expr::Schema;

/// The feature's name, settings and maker.
pub static DEFINITION: Definition = Definition {
    schema: &SCHEMA,
    source: "",
    analyzer: "analyzer",
    counts: |_| false,
    values: |_| &["shared", "conflict", "ratio"],
    build: |_, _| Ok(Box::new(Numbers)),
};

static SCHEMA: Schema = Schema {
    name: "numbers",
    aliases: &[],
    summary: "numbers that both texts have, or that contradict each other",
    params: &[],
};

struct Numbers;

/// The numbers of a text.
struct Found {
    first: Option<f64>,
    /// Distinct, in order.
    all: Vec<f64>,
}

/// Every number of a text, in order. Digits with a point or comma between: one point or comma that has not just three digits
/// behind it is a decimal mark, the others group digits.
fn numbers(text: &str) -> Vec<f64> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if !digit(at) {
            at += 1;
            continue;
        }
        let start = at;
        while digit(at) || (matches!(bytes.get(at), Some(b'.' | b',')) && digit(at + 1)) {
            at += 1;
        }
        found.extend(value(&text[start..at]));
    }
    found
}

fn value(written: &str) -> Option<f64> {
    let decimal = written.rfind(['.', ',']).filter(|&mark| {
        let groups = written.len() - mark - 1 == 3;
        !groups || (written.as_bytes()[mark] == b'.' && written.find('.') == Some(mark) && mark > 3)
    });
    let (whole, fraction) = decimal.map_or((written, ""), |mark| written.split_at(mark));
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    format!("{}.{}", digits(whole), digits(fraction) + "0")
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite())
}

impl Feature for Numbers {
    type Prepared = Found;

    fn prepare(&self, text: &Analyzed<'_>) -> Found {
        let mut all = numbers(text.original());
        let first = all.first().copied();
        all.sort_unstable_by(f64::total_cmp);
        all.dedup();
        Found { first, all }
    }

    fn describe(&self, a: &Found, b: &Found, out: &mut [f64]) {
        out.fill(0.0);
        let (Some(x), Some(y)) = (a.first, b.first) else { return };
        let has = |n: &&f64| b.all.binary_search_by(|other| other.total_cmp(n)).is_ok();
        let shared = a.all.iter().filter(has).count();
        out[0] = shared as f64 / a.all.len().min(b.all.len()) as f64;
        out[1] = f64::from(shared == 0);
        out[2] = if x == y { 1.0 } else { x.min(y) / x.max(y) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(numbers("$1,299.00 or 1299"), [1299.0, 1299.0]);
        assert_eq!(numbers("1.299,50 EUR, 5.20 %"), [1299.5, 5.2]);
        assert_eq!(numbers("33-1/3 and 45 rpm"), [33.0, 1.0, 3.0, 45.0]);
        assert_eq!(numbers("1.5. 2,000,000"), [1.5, 2_000_000.0]);
        assert_eq!(numbers("none, .5x"), [5.0]);
        assert!(numbers(&"9".repeat(400)).is_empty());
    }

    #[test]
    fn numbers_agree_or_contradict() {
        let of = |a: &str, b: &str| {
            let mut out = [0.0; 3];
            let (a, b) = (Analyzed::new(a), Analyzed::new(b));
            Numbers.describe(&Numbers.prepare(&a), &Numbers.prepare(&b), &mut out);
            out
        };
        assert_eq!(of("$399.00", "399"), [1.0, 0.0, 1.0]);
        assert_eq!(of("200 watts", "100 watts"), [0.0, 1.0, 0.5]);
        assert_eq!(of("a", "100"), [0.0; 3]);
        assert_eq!(of("0", "0"), [1.0, 0.0, 1.0]);
        assert_eq!(of("4 of 8", "8"), [1.0, 0.0, 0.5]);
    }
}
