//! Terms as texts, for similarities that look words up.

use super::near::{Near, Words};
use std::cell::RefCell;

thread_local! {
    static TEXTS: RefCell<(String, String)> = RefCell::default();
}

/// Calls `with` with both terms as texts, without allocating once warm.
pub(super) fn with_texts<R>(a: &[char], b: &[char], with: impl FnOnce(&str, &str) -> R) -> R {
    TEXTS.with_borrow_mut(|(x, y)| {
        x.clear();
        x.extend(a);
        y.clear();
        y.extend(b);
        with(x, y)
    })
}

/// Finds near words by looking a term up.
pub(super) struct LookedUp<'a, F> {
    pub words: &'a Words,
    pub at_least: f64,
    /// Calls what it is given with each word that the term is like, and how much; the term itself may be among them, and a
    /// word may come twice.
    pub each_like: F,
}

impl<F: Fn(&str, &mut dyn FnMut(&str, f64)) + Sync> Near for LookedUp<'_, F> {
    fn near(&self, term: &[char], each: &mut dyn FnMut(u32, f64)) {
        if term.is_empty() {
            return;
        }
        let text: String = term.iter().collect();
        let mut found: Vec<(u32, f64)> = Vec::new();
        if let Some(own) = self.words.vocabulary().get(&text) {
            found.push((own.0, 1.0));
        }
        (self.each_like)(&text, &mut |other, similarity| {
            let word = self.words.vocabulary().get(other);
            if let Some(word) = word.filter(|_| other != text && similarity > 0.0) {
                found.push((word.0, similarity));
            }
        });
        found.sort_unstable_by(|x, y| x.0.cmp(&y.0).then(y.1.total_cmp(&x.1)));
        found.dedup_by_key(|(word, _)| *word);
        for (word, similarity) in found {
            if similarity >= self.at_least {
                each(word, similarity);
            }
        }
    }
}
