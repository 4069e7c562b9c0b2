//! Q-gram similarity: how many stretches of q characters two terms share.
//!
//! With A and B the q-grams of the two terms, as sets or as bags (occurrences count):
//!
//! - Jaccard = |A ∩ B| / |A ∪ B|
//! - Dice = 2·|A ∩ B| / (|A| + |B|)
//! - cosine = |A ∩ B| / √(|A|·|B|)
//! - overlap = |A ∩ B| / min(|A|, |B|)
//!
//! Padding puts marks before and behind a term so that its ends weigh as much as its middle; a
//! mark equals no character and a head mark no tail mark. A term too short for one q-gram, marks
//! included, is itself its only gram.
//!
//! For longer terms, and where words may change places. O(n log n), sorting the grams of both terms.
//! Source: Ukkonen, "Approximate string-matching with q-grams and maximal matches" (1992).

mod grams;

use super::coefficient::Coefficient;
use super::{Alignment, Piece, TermDefinition, TermSimilarity};
use crate::expr::{Kind, Param, Schema};
use crate::text::qgrams::{Cut, PADDING, Padding, Short};
use grams::Grams;
use std::cell::RefCell;

/// The similarity's name, settings and maker.
pub static DEFINITION: TermDefinition = TermDefinition {
    schema: &SCHEMA,
    source: "Ukkonen 1992",
    build: |settings, _| {
        Ok(Box::new(Qgrams {
            q: settings.integer("q") as usize,
            coefficient: Coefficient::named(settings.choice("coefficient")),
            padding: Padding::from_settings(settings),
            count: if settings.choice("count") == "set" { Count::Set } else { Count::Bag },
        }))
    },
};

static SCHEMA: Schema = Schema {
    name: "qgrams",
    aliases: &[],
    summary: "shared q-grams: jaccard, dice, cosine or overlap",
    params: &[
        Param { name: "q", kind: Kind::Integer(1, 20), default: "2", help: "characters in a gram" },
        Param {
            name: "coefficient",
            kind: Kind::Choice(&["jaccard", "dice", "cosine", "overlap"]),
            default: "jaccard",
            help: "what the number of shared grams is divided by",
        },
        Param { default: "none", help: "marks at the ends: none, 1, or q-1 at each", ..PADDING },
        Param {
            name: "count",
            kind: Kind::Choice(&["set", "bag"]),
            default: "set",
            help: "a gram counts once, or as often as it occurs",
        },
    ],
};

/// Similarity of the q-grams of two terms.
///
/// ```
/// use likewise::term::{TermSimilarity, qgrams::Qgrams};
///
/// let (a, b): (Vec<char>, Vec<char>) = ("night".chars().collect(), "nacht".chars().collect());
/// // Of ni, ig, gh, ht and na, ac, ch, ht they share one.
/// assert_eq!(Qgrams::default().similarity(&a, &b), 1.0 / 7.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Qgrams {
    /// Characters in a gram; taken as 1 if 0, and as 255 if more.
    pub q: usize,
    /// Marks at the ends of the terms.
    pub padding: Padding,
    /// How shared grams are set against all grams.
    pub coefficient: Coefficient,
    /// Whether a gram counts once or as often as it occurs.
    pub count: Count,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Count {
    /// Distinct grams.
    #[default]
    Set,
    /// Occurrences of grams.
    Bag,
}

impl Default for Qgrams {
    /// Bigrams without padding, Jaccard, as sets.
    fn default() -> Self {
        Self {
            q: 2,
            padding: Padding::default(),
            coefficient: Coefficient::Jaccard,
            count: Count::default(),
        }
    }
}

/// More characters than this in a gram are no similarity any more, and full padding would cost
/// memory without end.
const LONGEST: usize = 255;

impl Qgrams {
    fn gram_length(&self) -> usize {
        self.q.clamp(1, LONGEST)
    }

    /// The same as a way to cut terms.
    pub fn cut(&self) -> Cut {
        Cut { q: self.gram_length(), padding: self.padding, short: Short::Whole }
    }

    /// Marks at each end.
    fn marks(&self) -> usize {
        self.padding.width(self.gram_length())
    }

    fn score(&self, left: &Grams, right: &Grams) -> f64 {
        // An empty term has no grams, or none but marks.
        if left.characters() == 0 || right.characters() == 0 {
            return 0.0;
        }
        let counts = [left.shared(right), left.grams.len(), right.grams.len()];
        let [shared, left, right] = counts.map(|count| count as f64);
        self.coefficient.score(shared, left, right)
    }

    /// Calls `with` with the sorted grams of both terms.
    fn with_grams<R>(&self, a: &[char], b: &[char], with: impl FnOnce(&Grams, &Grams) -> R) -> R {
        SCRATCH.with_borrow_mut(|(left, right)| {
            left.prepare(self, a);
            right.prepare(self, b);
            with(left, right)
        })
    }
}

/// How many columns of a batch are kept taken apart at a time.
const STRETCH: usize = 1024;

thread_local! {
    static SCRATCH: RefCell<(Grams, Grams)> = const { RefCell::new((Grams::new(), Grams::new())) };
}

impl TermSimilarity for Qgrams {
    fn similarity(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        self.with_grams(a, b, |left, right| self.score(left, right))
    }

    fn similarity_at_least(&self, a: &[char], b: &[char], cutoff: f64) -> Option<f64> {
        super::similarity_if_in_reach(self, a, b, cutoff)
    }

    fn as_qgrams(&self) -> Option<&Qgrams> {
        Some(self)
    }

    /// As if the grams of the shorter term were all found in the longer. A set may be as small as
    /// one gram whatever the length, so for sets this says nothing.
    fn upper_bound(&self, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        if self.count == Count::Set {
            return 1.0;
        }
        let grams = |term: &[char]| {
            (term.len() + 2 * self.marks()).saturating_sub(self.gram_length() - 1).max(1)
        };
        let (left, right) = (grams(a), grams(b));
        let (left, right) = (left as f64, right as f64);
        self.coefficient.score(left.min(right), left, right)
    }

    /// Takes each column apart once, and each row once for every 1024 columns.
    fn matrix(&self, rows: &[&[char]], columns: &[&[char]], out: &mut [f64]) {
        assert_eq!(out.len(), rows.len() * columns.len(), "one score for each row and column");
        let mut left = Grams::new();
        let mut prepared: Vec<Grams> = Vec::new();
        for (nth, stretch) in columns.chunks(STRETCH).enumerate() {
            prepared.resize_with(stretch.len(), Grams::new);
            for (right, column) in prepared.iter_mut().zip(stretch) {
                right.prepare(self, column);
            }
            for (row, out) in rows.iter().zip(out.chunks_exact_mut(columns.len())) {
                left.prepare(self, row);
                for (right, out) in prepared.iter().zip(&mut out[nth * STRETCH..]) {
                    *out = self.score(&left, right);
                }
            }
        }
    }

    /// Pieces `same`, +1 for each shared gram (in a bag, for each shared occurrence), over the
    /// coefficient's denominator: the union for Jaccard, the arithmetic mean for Dice, the
    /// geometric mean for cosine, the minimum for overlap.
    fn align(&self, a: &[char], b: &[char]) -> Alignment {
        if a.is_empty() || b.is_empty() {
            return Alignment::default();
        }
        self.with_grams(a, b, |left, right| {
            let mut pieces = Vec::new();
            left.meet(right, |gram, opposite| {
                pieces.push(Piece {
                    left: left.span(gram),
                    right: right.span(opposite),
                    contribution: 1.0,
                    kind: "same",
                });
            });
            pieces.sort_by_key(|piece| (piece.left.start, piece.left.end, piece.right.start));
            let numerator = pieces.len() as f64;
            let (left, right) = (left.grams.len() as f64, right.grams.len() as f64);
            let denominator = self.coefficient.denominator(numerator, left, right);
            Alignment { pieces, numerator, denominator }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::testing::{chars, hold_laws, pairs, terms};
    use super::*;

    const PADDINGS: [Padding; 3] = [Padding::None, Padding::Single, Padding::Full];
    const COEFFICIENTS: [Coefficient; 4] =
        [Coefficient::Jaccard, Coefficient::DICE, Coefficient::COSINE, Coefficient::OVERLAP];

    /// The definition: grams counted in a map.
    fn count_grams(qgrams: &Qgrams, term: &[char]) -> BTreeMap<Vec<u32>, usize> {
        let marks = match qgrams.padding {
            _ if qgrams.q == 1 => 0,
            Padding::None => 0,
            Padding::Single => 1,
            Padding::Full => qgrams.q - 1,
        };
        let mut symbols = vec![u32::MAX; marks];
        symbols.extend(term.iter().map(|&c| c as u32));
        symbols.extend(vec![u32::MAX - 1; marks]);
        let mut counts = BTreeMap::new();
        if symbols.len() < qgrams.q {
            counts.insert(symbols, 1);
            return counts;
        }
        for gram in symbols.windows(qgrams.q) {
            *counts.entry(gram.to_vec()).or_insert(0) += 1;
        }
        if qgrams.count == Count::Set {
            counts.values_mut().for_each(|count| *count = 1);
        }
        counts
    }

    fn slow(qgrams: &Qgrams, a: &[char], b: &[char]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        let (left, right) = (count_grams(qgrams, a), count_grams(qgrams, b));
        let shared = left.iter().map(|(g, n)| right.get(g).map_or(0, |m| *m.min(n))).sum::<usize>();
        let (l, r) = (left.values().sum::<usize>() as f64, right.values().sum::<usize>() as f64);
        let shared = shared as f64;
        match qgrams.coefficient {
            Coefficient::Jaccard => shared / (l + r - shared),
            Coefficient::DICE => 2.0 * shared / (l + r),
            Coefficient::COSINE => shared / (l * r).sqrt(),
            _ => shared / l.min(r),
        }
    }

    fn any_qgrams() -> impl Strategy<Value = Qgrams> {
        let padding = prop::sample::select(&PADDINGS[..]);
        let coefficient = prop::sample::select(&COEFFICIENTS[..]);
        let count = prop::sample::select(&[Count::Set, Count::Bag][..]);
        (1..10usize, padding, coefficient, count)
            .prop_map(|(q, padding, coefficient, count)| Qgrams { q, padding, coefficient, count })
    }

    proptest! {
        #[test]
        fn counting_grams_by_definition_gives_the_same((a, b) in pairs(), qgrams in any_qgrams()) {
            prop_assert!((qgrams.similarity(&a, &b) - slow(&qgrams, &a, &b)).abs() < 1e-15);
        }

        #[test]
        fn a_batch_gives_the_bits_of_single_pairs(
            rows in prop::collection::vec(terms(), 0..8),
            columns in prop::collection::vec(terms(), 0..8),
            repeated in prop_oneof![Just(1), Just(200)],
            qgrams in any_qgrams(),
        ) {
            let rows: Vec<&[char]> = rows.iter().map(Vec::as_slice).collect();
            let columns: Vec<&[char]> = columns.iter().map(Vec::as_slice).collect();
            let columns = columns.repeat(repeated);
            let mut out = vec![f64::NAN; rows.len() * columns.len()];
            qgrams.matrix(&rows, &columns, &mut out);
            let pairs = rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column)));
            for ((row, column), batch) in pairs.zip(out) {
                prop_assert_eq!(qgrams.similarity(row, column).to_bits(), batch.to_bits());
            }
        }

        #[test]
        fn the_laws_of_similarity_hold((a, b) in pairs(), qgrams in any_qgrams(), cutoff in 0.0..1.0) {
            hold_laws(&qgrams, &a, &b, cutoff)?;
        }
    }

    #[test]
    fn a_term_shorter_than_q_is_its_own_gram() {
        let qgrams = Qgrams { q: 4, ..Qgrams::default() };
        assert_eq!(qgrams.similarity(&chars("abc"), &chars("abc")), 1.0);
        assert_eq!(qgrams.similarity(&chars("abc"), &chars("abd")), 0.0);
        assert_eq!(qgrams.similarity(&chars("abc"), &chars("abcd")), 0.0);
    }

    #[test]
    fn a_term_of_nul_characters_is_not_taken_for_padding() {
        for padding in PADDINGS {
            let qgrams = Qgrams { q: 3, padding, ..Qgrams::default() };
            assert!(qgrams.similarity(&['\0'], &['\0', '\0']) < 1.0);
            assert_eq!(
                qgrams.similarity(&['\0', 'a'], &['a']),
                slow(&qgrams, &['\0', 'a'], &['a'])
            );
        }
    }

    #[test]
    fn head_and_tail_marks_never_meet() {
        let qgrams = Qgrams { padding: Padding::Single, ..Qgrams::default() };
        // #a ab b$ and #b ba a$
        assert_eq!(qgrams.similarity(&chars("ab"), &chars("ba")), 0.0);
    }

    #[test]
    fn a_gram_that_sticks_out_is_explained_by_what_it_covers() {
        let qgrams = Qgrams { q: 3, padding: Padding::Full, ..Qgrams::default() };
        let alignment = qgrams.align(&chars("ab"), &chars("ac"));
        // ##a and #ac / #ab ...: only ##a is shared.
        assert_eq!(alignment.pieces.len(), 1);
        assert_eq!((&alignment.pieces[0].left, &alignment.pieces[0].right), (&(0..1), &(0..1)));
        assert_eq!((alignment.numerator, alignment.denominator), (1.0, 7.0));
    }

    #[test]
    fn any_q_is_taken_without_complaint() {
        for q in [0, 1, 255, 256, usize::MAX] {
            for padding in PADDINGS {
                let qgrams = Qgrams { q, padding, ..Qgrams::default() };
                assert_eq!(qgrams.similarity(&chars("abc"), &chars("abc")), 1.0);
            }
        }
    }
}
