//! What each word of the vocabulary can give to a text that has it, for one query: the first of search's
//! two levels.

mod cells;
mod narrow;
mod wide;

use super::component::Asked;
use super::layer::Layer;
use crate::measure::by_word::Words;
pub use cells::Cells;
use narrow::Narrow;
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;
use wide::Wide;

/// What each word gains, and the most that it can give times the number of words of a text.
#[derive(Default)]
pub struct Expansion {
    components: usize,
    /// Which of the two it is.
    is_narrow: bool,
    narrow: Narrow,
    wide: Wide,
}

impl Expansion {
    /// Goes over the vocabulary; `cells` are those of its words, if the measures have them.
    pub fn fill(
        &mut self,
        layer: &Layer,
        cells: Option<&Arc<Cells>>,
        asked: &[Asked],
        query: &[&dyn Any],
        words: &Words,
    ) {
        self.components = asked.len();
        self.is_narrow = cells.is_some_and(|cells| self.narrow.fill(cells, asked, query));
        if !self.is_narrow {
            self.wide.fill(layer, asked, query, words);
        }
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Calls `each` with every word that can give an n-th of `level` to a text of n words, and n times what it can give, until it says
    /// that this is enough.
    pub fn each_that_can(&self, level: f32, each: impl FnMut(u32, f32) -> ControlFlow<()>) {
        if self.is_narrow {
            self.narrow.each_that_can(level, each);
        } else {
            self.wide.each_that_can(level, each);
        }
    }

    /// All words that can give anything, if they are at most so many. Words that share features with the query are always more.
    pub fn few(&self, most: usize, words: &mut Vec<u32>) -> bool {
        !self.is_narrow && self.wide.few(most, words)
    }

    /// The words that can give most, about so many, best first.
    pub fn most_promising(&self, many: usize) -> Vec<u32> {
        let mut level =
            if self.is_narrow { self.narrow.level_of(many) } else { self.wide.level_of(many) };
        let mut words = Vec::new();
        while words.len() < many && level > 1e-3 {
            words.clear();
            self.each_that_can(level, |word, potential| {
                words.push((potential, word));
                ControlFlow::Continue(())
            });
            level *= 0.8;
        }
        words.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        words.into_iter().take(many).map(|(_, word)| word).collect()
    }

    /// What each word gains under each component, one word after the other; `room` is any memory.
    pub fn all_gains<'a>(&'a self, room: &'a mut Vec<f32>) -> &'a [f32] {
        if !self.is_narrow {
            return self.wide.all_gains();
        }
        self.narrow.write_gains(self.components, room);
        room
    }

    /// What a word gains under each of so many components, which are all.
    #[inline(always)]
    pub fn gains<const N: usize>(&self, word: u32) -> [f32; N] {
        if self.is_narrow {
            let gains = self.narrow.gains(word);
            return std::array::from_fn(|c| gains[c & 1]);
        }
        let gains = self.wide.gains(word);
        std::array::from_fn(|c| gains[c])
    }

    /// What a word gains under a component.
    #[inline]
    pub fn gain(&self, word: u32, component: usize) -> f32 {
        if self.is_narrow {
            self.narrow.gains(word)[component & 1]
        } else {
            self.wide.gains(word)[component]
        }
    }
}
