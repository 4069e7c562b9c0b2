//! `set`: cells that hold several values, compared by the Jaccard coefficient.
//!
//! A cell is cut at its separators; values are trimmed, folded in case, and counted once. The similarity is
//! |shared values| / |values of either|.
//!
//! Separators are `;`, `|`, line breaks and the comma. As a comma is often a part of a value (`Smith, John;
//! Doe, Jane`), it separates only in columns where the others are rare; [`Evidence`] says which a column uses. `set(separator=";/")` states them instead: every character of the text is one.

use super::{Comparator, is_missing, text};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Separators that are hardly ever a part of a value.
const STRONG: [char; 3] = [';', '|', '\n'];

/// The Jaccard coefficient of the values of two cells.
///
/// ```
/// use likewise::values::{Comparator, Set};
///
/// let set = Set::default();
/// assert_eq!(set.score("Drama, Horror", "horror, drama"), Some(1.0));
/// assert_eq!(set.score("Drama, Horror", "Horror, War"), Some(1.0 / 3.0));
/// ```
#[derive(Debug, Clone)]
pub struct Set {
    separators: Box<[char]>,
}

impl Default for Set {
    /// Cuts at every usual separator.
    fn default() -> Self {
        Self::new([','].into_iter().chain(STRONG))
    }
}

impl Set {
    /// Cuts at each of these characters.
    pub fn new(separators: impl IntoIterator<Item = char>) -> Self {
        Self { separators: separators.into_iter().collect() }
    }

    /// The characters at which cells are cut.
    pub fn separators(&self) -> &[char] {
        &self.separators
    }

    /// The values of a cell in the order they stand, folded, repeats and all.
    pub(crate) fn values(&self, cell: &str) -> impl Iterator<Item = String> {
        cell.split(|c| self.separators.contains(&c))
            .filter(|value| !is_missing(value))
            .map(|value| text::fold(&text::squeeze(value)))
    }
}

impl Comparator for Set {
    /// The values, sorted, each once.
    type Prepared = Box<[String]>;

    const HOLDS: &'static str = "a value";
    const IS_JACCARD: bool = true;

    fn prepare(&self, cell: &str) -> Option<Box<[String]>> {
        if is_missing(cell) {
            return None;
        }
        let values: BTreeSet<String> = self.values(cell).collect();
        if values.is_empty() { None } else { Some(values.into_iter().collect()) }
    }

    fn compare(&self, a: &Box<[String]>, b: &Box<[String]>) -> f64 {
        let shared = shared(a, b);
        shared as f64 / (a.len() + b.len() - shared) as f64
    }

    fn reason(&self, a: &Box<[String]>, b: &Box<[String]>) -> String {
        let shared = shared(a, b);
        format!("{shared} shared of {} different values", a.len() + b.len() - shared)
    }

    fn parts(prepared: &Box<[String]>) -> &[String] {
        prepared
    }

    fn places(&self, cell: &str) -> BTreeMap<String, Range<usize>> {
        let (mut places, mut start) = (BTreeMap::new(), 0);
        for piece in cell.split(|c| self.separators.contains(&c)) {
            let value = piece.trim();
            let before = piece.len() - piece.trim_start().len();
            let first = start + piece[..before].chars().count();
            places
                .entry(text::fold(&text::squeeze(value)))
                .or_insert(first..first + value.chars().count());
            start += piece.chars().count() + 1;
        }
        places
    }
}

/// How many values are in both lists, which are sorted.
fn shared(a: &[String], b: &[String]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let order = a[i].cmp(&b[j]);
        shared += usize::from(order.is_eq());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    shared
}

/// What separates values in the cells of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Evidence {
    /// How many cells have each of the strong separators within.
    strong: [usize; STRONG.len()],
    /// How many have a comma within.
    comma: usize,
}

impl Evidence {
    /// Takes note of a cell that the column has so many times.
    pub fn add(&mut self, cell: &str, times: usize) {
        // A separator at an end separates nothing.
        let is_end = |c: char| c.is_whitespace() || c == ',' || STRONG.contains(&c);
        let inner = cell.trim_matches(is_end);
        for (cells, separator) in self.strong.iter_mut().zip(STRONG) {
            *cells += if inner.contains(separator) { times } else { 0 };
        }
        self.comma += if inner.contains(',') { times } else { 0 };
    }

    /// Takes in what another column shows, or another part of this one.
    pub fn merge(&mut self, other: &Self) {
        for (cells, more) in self.strong.iter_mut().zip(other.strong) {
            *cells += more;
        }
        self.comma += other.comma;
    }

    /// The comparator for the column: it cuts at the strong separators, or at commas where these are ten times as
    /// frequent: a rare `;` is an accident, or belongs to `&amp;`.
    pub fn set(&self) -> Set {
        let counts = |cells: usize| cells > 0 && cells * 10 >= self.comma;
        let strong = STRONG.iter().zip(self.strong).filter(|(_, cells)| counts(*cells));
        let set = Set::new(strong.map(|(c, _)| *c));
        if set.separators.is_empty() { Set::new([',']) } else { set }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cells_are_cut_trimmed_and_folded() {
        let values = |cell: &str| Set::default().prepare(cell).map(|values| values.join("/"));
        for (cell, expected) in [
            ("a; b | c", Some("a/b/c")),
            ("B,a,,b;", Some("a/b")),
            ("one\r\ntwo", Some("one/two")),
            ("Musical  &  Arts", Some("musical & arts")),
            ("single", Some("single")),
            (";;", None),
            ("n/a; -", None),
            ("", None),
        ] {
            assert_eq!(values(cell).as_deref(), expected, "{cell:?}");
        }
    }

    #[test]
    fn a_comma_separates_only_where_nothing_else_does() {
        let set = |cells: &[&str]| {
            let mut evidence = Evidence::default();
            cells.iter().for_each(|cell| evidence.add(cell, 1));
            evidence.set().separators().iter().collect::<String>()
        };
        assert_eq!(set(&["a, b", "c"]), ",");
        assert_eq!(set(&["Smith, John; Doe, Jane", "Roe, Richard"]), ";");
        assert_eq!(set(&["a; b | c"]), ";|");
        assert_eq!(set(&["a, b;", "; c, d"]), ",", "a separator at an end separates nothing");
        let mut genres = vec!["drama, war"; 20];
        genres.push("arts &amp; crafts, drama");
        assert_eq!(set(&genres), ",", "a rare one is an accident");
        assert_eq!(set(&[]), ",");
    }

    proptest! {
        #[test]
        fn scores_are_those_of_the_definition(a in "[a-dA-D ,;]{0,12}", b in "[a-dA-D ,;]{0,12}") {
            let values = |cell: &str| -> BTreeSet<String> {
                let parts = cell.split([',', ';']);
                let folded = parts.map(|p| {
                    p.split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ").to_lowercase()
                });
                folded.filter(|p| !p.is_empty()).collect()
            };
            let (x, y) = (values(&a), values(&b));
            let expected = (!x.is_empty() && !y.is_empty())
                .then(|| x.intersection(&y).count() as f64 / x.union(&y).count() as f64);
            prop_assert_eq!(Set::default().score(&a, &b), expected);
        }
    }
}
