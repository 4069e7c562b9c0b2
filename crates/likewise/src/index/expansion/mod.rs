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

/// Texts are long if they have so many words on average.
const LONG: usize = 12;

impl Expansion {
    /// One component, under which words gain this.
    #[cfg(test)]
    pub fn of_gains(gains: Vec<f32>) -> Self {
        Self { components: 1, wide: Wide::of_gains(gains), ..Self::default() }
    }

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
        self.is_narrow = cells
            .is_some_and(|cells| self.narrow.fill(cells, asked, query, layer.mean_words() >= LONG));
        if !self.is_narrow {
            self.wide.fill(layer, asked, query, words);
        }
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Whether it is only known roughly which words are near, because lists would lead to most texts anyway.
    pub fn is_rough(&self) -> bool {
        self.is_narrow && self.narrow.is_rough()
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

    /// All words that can give anything, if they are at most so many; not asked of measures over features, by which many do.
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

    /// What each word gains under all components together, each counted as many times as its scale says, as whole numbers.
    pub fn rounded(&self, scales: &[f32], round: impl Fn(f32) -> u16, out: &mut Vec<u16>) {
        if self.is_narrow {
            let scale = |c: usize| scales.get(c).copied().unwrap_or(0.0);
            self.narrow.rounded([scale(0), scale(1)], round, out);
        } else {
            self.wide.rounded(scales, round, out);
        }
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

    /// What the words of a text gain together under each of so many components, which are all.
    #[inline(always)]
    pub fn of_text<const N: usize>(&self, words: &[u32]) -> [f32; N] {
        if self.is_narrow {
            let gains = self.narrow.of_text(words);
            return std::array::from_fn(|c| gains[c & 1]);
        }
        let mut sums = [0.0; N];
        for &word in words {
            sums.iter_mut().zip(self.wide.gains(word)).for_each(|(sum, gain)| *sum += gain);
        }
        sums
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use crate::measure::Measure;

    /// Names of one to four words, some of which are frequent.
    fn names() -> Vec<String> {
        let syllables = ["ka", "ro", "lin", "sch", "mei", "er", "berg", "son", "an", "ti", "vo"];
        let word = |seed: usize| {
            (0..1 + seed % 4).map(|n| syllables[(seed / 3 + seed * n + n * n) % 11]).collect()
        };
        let name = |row: usize| {
            let words: Vec<String> =
                (0..1 + row % 4).map(|n| word((row * (n + 1)) % 997)).collect();
            words.join(" ")
        };
        (0..3_000).map(name).collect()
    }

    #[test]
    fn cells_say_no_less_than_words_gain_and_little_more() {
        for measure in
            ["word-grams", "0.7*word-grams + 0.3*word-grams(compare=cosine, qidf=1, head=1)"]
        {
            let index = Index::of_texts(&measure.parse::<Measure>().unwrap(), names()).unwrap();
            let (cutting, scorer) = (&index.layers[0], &index.columns[0].scorer);
            let cells = cutting.cells.as_ref().expect("these measures have cells");
            let long = "karo schmeier linberg tison robergson sonvoka ersch meiti anlin bergka vorosch tilin \
                        erberg schson kaan voti meisch rolin sonti";
            for query in
                ["karo schmeier", "an", "linberg tison vo", "kakaka robergson ti mei sch", long]
            {
                let prepared = scorer.prepare(query);
                let of = |c: &crate::index::Component| prepared.of(c.number);
                let ask = |c| Asked::new(c, scorer, of(c), false).unwrap();
                let asked: Vec<Asked> = cutting.components.iter().map(ask).collect();
                let queries: Vec<&dyn Any> = cutting.components.iter().map(of).collect();
                let mut narrow = Narrow::default();
                assert!(narrow.fill(cells, &asked, &queries, query == long));
                assert_eq!(narrow.is_rough(), query == long);

                // By the definition: over all features, and with each word's own numbers.
                let layer = &cutting.layer;
                let mut potentials = vec![0.0f32; cells.words()];
                for (c, (one, query)) in asked.iter().zip(&queries).enumerate() {
                    let features =
                        scorer.by_word(one.component.number).unwrap().1.features().unwrap();
                    let mut gains = vec![0.0f32; cells.words()];
                    for (feature, curve) in one.curves(*query) {
                        for &word in features.with.at(feature as usize) {
                            gains[word as usize] += curve.at(features.scales[word as usize]);
                        }
                    }
                    let mut units = Vec::new();
                    let scales = [0, 1].map(|own| f32::from(u8::from(own == c)));
                    narrow.rounded(scales, |gain| (gain * 10.0).ceil() as u16, &mut units);
                    assert_eq!(units.len(), cells.words() + 1);
                    let [by_words, by_size] = one.steepness();
                    for (word, &gain) in gains.iter().enumerate() {
                        let said = narrow.gains(word as u32)[c];
                        assert!(said >= gain * 0.999_99, "{said} is below {gain}");
                        assert!(said <= gain * 1.1, "{said} is far above {gain}");
                        assert!((f32::from(units[word]) - said * 10.0).abs() < 1.1, "{said}");
                        let thrice = narrow.of_text(&[word as u32; 3])[c];
                        assert!((thrice - 3.0 * said).abs() <= said * 1e-4);
                        let (most, dense) =
                            (layer.most_words_with()[word], layer.densest_with(c)[word]);
                        potentials[word] += gain * (by_words * most + by_size * dense);
                    }
                }
                for level in [1e-6, 0.05, 0.2, 0.4, 0.8, 1.2] {
                    let mut able = vec![false; cells.words()];
                    narrow.each_that_can(level, |word, _| {
                        able[word as usize] = true;
                        ControlFlow::Continue(())
                    });
                    for (able, potential) in able.iter().zip(&potentials) {
                        assert!(*able || *potential < level * 1.000_01, "{potential} at {level}");
                        let sharp = !*able || *potential > level * 0.8;
                        assert!(sharp || query == long, "{potential} at {level}");
                    }
                }
            }
        }
    }
}
