//! A text on its way into features: analysed once by each analyzer, however many features ask.

use crate::text::{Analyzer, Text};
use std::cell::RefCell;
use std::rc::Rc;

/// A text and its analyses so far.
pub(crate) struct Analyzed<'t> {
    original: &'t str,
    by: RefCell<Vec<(Analyzer, Rc<Text>)>>,
}

impl<'t> Analyzed<'t> {
    /// A text that nobody analysed yet.
    pub fn new(original: &'t str) -> Self {
        Self { original, by: RefCell::default() }
    }

    /// The text as it was given.
    pub fn original(&self) -> &'t str {
        self.original
    }

    /// Its terms under an analyzer.
    pub fn by(&self, analyzer: &Analyzer) -> Rc<Text> {
        let mut by = self.by.borrow_mut();
        if let Some((_, text)) = by.iter().find(|(known, _)| known == analyzer) {
            return Rc::clone(text);
        }
        let text = Rc::new(analyzer.analyze(self.original));
        by.push((analyzer.clone(), Rc::clone(&text)));
        text
    }
}
