//! `exact`: 1 if the cells are equal, else 0.
//!
//! White space at the ends does not count, and a run of it counts as one blank. `case=fold`, the default,
//! ignores case (`STRASSE` equals `Straße`); `case=keep` does not.

use super::{Comparator, is_missing, text};

/// Equality of cells.
///
/// ```
/// use likewise::values::{Comparator, Exact};
///
/// assert_eq!(Exact::default().score(" New  York", "new york"), Some(1.0));
/// assert_eq!(Exact { fold: false }.score("New York", "new york"), Some(0.0));
/// assert_eq!(Exact::default().score("New York", ""), None);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Exact {
    /// Whether case is ignored.
    pub fold: bool,
}

impl Default for Exact {
    fn default() -> Self {
        Self { fold: true }
    }
}

impl Comparator for Exact {
    type Prepared = String;

    const HOLDS: &'static str = "a value";
    const IS_JACCARD: bool = true;

    fn prepare(&self, cell: &str) -> Option<String> {
        if is_missing(cell) {
            return None;
        }
        let cell = text::squeeze(cell);
        Some(if self.fold { text::fold(&cell) } else { cell })
    }

    fn compare(&self, a: &String, b: &String) -> f64 {
        f64::from(u8::from(a == b))
    }

    fn reason(&self, a: &String, b: &String) -> String {
        if a == b { "equal" } else { "not equal" }.to_owned()
    }

    /// The whole cell.
    fn parts(prepared: &String) -> &[String] {
        std::slice::from_ref(prepared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_and_case_make_no_difference() {
        let (fold, keep) = (Exact::default(), Exact { fold: false });
        for (a, b, folded, kept) in [
            ("a", "a", Some(1.0), Some(1.0)),
            ("a", "A", Some(1.0), Some(0.0)),
            ("ß", "SS", Some(1.0), Some(0.0)),
            ("a  b ", "a\u{a0}b", Some(1.0), Some(1.0)),
            ("a b", "ab", Some(0.0), Some(0.0)),
            ("a", "á", Some(0.0), Some(0.0)),
            ("a", " ", None, None),
            ("n/a", "n/a", None, None),
        ] {
            assert_eq!(fold.score(a, b), folded, "{a:?} {b:?}");
            assert_eq!(keep.score(a, b), kept, "{a:?} {b:?}");
        }
    }
}
