//! Similarities that look words up: terms as texts, and the words near one.

use super::neighbours::{NeighbourFinder, Words};
use std::cell::RefCell;

thread_local! {
    static TEXTS: RefCell<(String, String)> = RefCell::default();
}

/// How alike two terms are that are looked up as texts: 0 if either is empty, 1 if they are the same, else what `of`
/// says. Allocates nothing once warm.
pub(super) fn compare(a: &[char], b: &[char], of: impl FnOnce(&str, &str) -> f64) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    if a == b {
        return 1.0;
    }
    TEXTS.with_borrow_mut(|(x, y)| {
        x.clear();
        x.extend(a);
        y.clear();
        y.extend(b);
        of(x, y)
    })
}

/// Finds neighbours by looking a term up.
pub(super) struct LookedUp<'a, F> {
    pub words: &'a Words,
    pub at_least: f64,
    /// Gives each word of the vocabulary that a term is like, once, and how much; what is not near enough, and the term itself, may
    /// be among them. It is told the term's own number, if the vocabulary has it.
    pub each_like: F,
}

impl<F> NeighbourFinder for LookedUp<'_, F>
where
    F: Fn(&str, Option<u32>, &mut dyn FnMut(u32, f64)) + Sync,
{
    fn each_neighbour(&self, term: &[char], each: &mut dyn FnMut(u32, f64)) {
        if term.is_empty() {
            return;
        }
        let text: String = term.iter().collect();
        let own = self.words.vocabulary().get(&text).map(|own| own.0);
        if let Some(own) = own.filter(|_| self.at_least <= 1.0) {
            each(own, 1.0);
        }
        (self.each_like)(&text, own, &mut |word, similarity| {
            if own != Some(word) && similarity > 0.0 && similarity >= self.at_least {
                each(word, similarity);
            }
        });
    }
}
