//! What search needs to know of a measure: what single words of a text can give to its score.
//!
//! For many measures a text's score is bounded by a sum over its words: with `gain(w)` an upper
//! bound on what one occurrence of the word w can give,
//!
//! ```text
//! score(query, text)  ≤  bound( constant + Σ over word occurrences w of gain(w),  size of the query,  size of the text )
//! ```
//!
//! where the bound grows with the sum and shrinks with the text's size. An index then needs three
//! things only: which words gain how much for this query (a walk over the vocabulary, which is small),
//! the words of each text, and the sizes of the texts. Which weights, coefficients or spellings are
//! behind the numbers is the measure's own affair.

use crate::collection::Lists;
use crate::collection::{TermId, Vocabulary};
use crate::flat::Flat;
use crate::term::bounds::SimilarityBounds;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// How a text's size follows from its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// It is at least the sum of its words' sizes.
    Sum,
    /// Its square is at least the sum of its words' sizes.
    Root,
    /// It must be asked of the prepared text.
    Asked,
}

/// How the bound of a single text can be made sharp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharp {
    /// It cannot.
    No,
    /// It is: what words give together is what each gives by itself.
    Already,
    /// By [meeting](ByWord::meet) the text with the query, which was laid out.
    ByMeeting,
}

/// An array that a measure computed of the vocabulary's words.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// Of four-byte numbers.
    F32(Flat<f32>),
    /// Of eight-byte numbers.
    F64(Flat<f64>),
    /// Of numbers of words.
    U32(Flat<u32>),
    /// Of places.
    U64(Flat<u64>),
}

/// The words of the texts that are searched, and what the texts hold of them.
pub struct Words<'a> {
    /// The words.
    pub vocabulary: &'a Vocabulary,
    /// How often a text has each word at the most.
    pub most: &'a [u32],
}

/// A measure whose scores are bounded by what single words give. See the module's text.
///
/// Everything here is a bound: sizes of texts never above the true ones, gains never below what a
/// word can give.
pub trait ByWord<P>: Sync {
    /// Whether the whole text is its only word.
    fn whole(&self) -> bool {
        false
    }

    /// How a text's size follows from its words.
    fn sizes(&self) -> Sizes;

    /// What an occurrence of a word adds to the size of its text, see [`Sizes`].
    fn word_size(&self, word: TermId) -> f64;

    /// The size of a text, where it must be asked.
    fn text_size(&self, text: &P) -> f64;

    /// What a text can have beyond its words' gains.
    fn constant(&self, query: &P) -> f64 {
        let _ = query;
        0.0
    }

    /// What words can give to a text that has them, for one query: lists of words that gain alike. What
    /// a word gains is the sum over the lists that it is in.
    fn lists<'a>(&'a self, query: &P, words: &Words) -> Vec<List<'a>> {
        let _ = (query, words);
        Vec::new()
    }

    /// What each word of a stretch gains beyond that, where it must be computed word by word.
    fn gains(&self, query: &P, words: &Words, gains: &mut Gains) {
        let _ = (query, words, gains);
    }

    /// The prepared form of a text of just these words, in this order: the same, to the bit, as from the text
    /// itself. `None` if only the text will do.
    fn of_words(&self, words: &[u32]) -> Option<P> {
        let _ = words;
        None
    }

    /// The size of a text of just these words, off by less than a millionth; `None` if the text must be prepared for
    /// that. The table is any that is not laid out.
    fn size_of_words(&self, words: &[u32], table: &mut Table) -> Option<f64> {
        let _ = (words, table);
        None
    }

    /// How gains are sums over the features that words share with the query, if they are that and nothing else.
    fn features(&self) -> Option<Features> {
        None
    }

    /// For each of the features that a query holds, in their order, what words gain by it. For measures that tell their
    /// [features](Self::features).
    fn curves(&self, query: &P) -> Vec<(u32, Curve)> {
        let _ = query;
        Vec::new()
    }

    /// Lays a query out so that texts can be [met](Self::meet) with it, if that is of use.
    fn lay_out(&self, query: &P, table: &mut Table) -> Sharp {
        let _ = (query, table);
        Sharp::No
    }

    /// What takes the place of the sum of gains for a text of these words, off by less than a
    /// ten-thousandth: what the words give together, and not each by itself. For a query that was laid out.
    fn meet(&self, words: &[u32], table: &mut Table) -> f32 {
        let _ = (words, table);
        f32::INFINITY
    }

    /// Touches what [meeting](Self::meet) texts of these words will need: what lies anywhere in memory is then fetched side by side.
    fn fetch(&self, words: &[u32], table: &Table) {
        let _ = (words, table);
    }

    /// What was computed of the vocabulary's words for this, so that an index need not compute it again when it is
    /// opened: any arrays, which only this measure reads.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Takes what [`facts`](Self::facts) gave to the same measure over the same vocabulary. What does not fit is left, and
    /// computed when it is needed.
    fn recall(&self, _: Vec<Fact>) {}

    /// The most that so many occurrences of a word in one text can give to the sum, if one gives `gain`: each further one gives
    /// no more than the one before.
    fn total(&self, query: &P, word: u32, occurrences: u32, gain: f32) -> f32 {
        let _ = (query, word);
        occurrences as f32 * gain
    }

    /// How the score follows from the sum of gains, if it is a likelihood. What else is said here of slopes and bounds is then
    /// not asked for.
    fn likelihood(&self, query: &P) -> Option<Likelihood> {
        let _ = query;
        None
    }

    /// A score is at most this times the sum of gains, at least as long as that is at most
    /// [`linear_up_to`](Self::linear_up_to).
    fn slope(&self, query_size: f64, text_size: f64) -> f64 {
        let _ = (query_size, text_size);
        1.0
    }

    /// Numbers (α, β) so that n times the slope for a text of n words is at most α·n + β·n/size.
    fn steepness(&self, query_size: f64) -> (f64, f64) {
        let _ = query_size;
        (1.0, 0.0)
    }

    /// Up to which score [`slope`](Self::slope) bounds it.
    fn linear_up_to(&self) -> f64 {
        f64::INFINITY
    }

    /// Never below the score of a text whose sum of gains is at most `sum`.
    fn bound(&self, sum: f64, query_size: f64, text_size: f64) -> f64 {
        sum * self.slope(query_size, text_size)
    }
}

/// Words as features: what a word gains is at most the sum over its features of what meets there, of what the query holds and of the
/// word's scale times the feature's weight. All of a word together is the word's size, or its square root, see [`Sizes`].
#[derive(Debug, Clone)]
pub struct Features {
    /// The features of each word, and the words with each feature.
    pub(crate) of_words: Lists,
    pub(crate) with: Lists,
    /// What the weights of a word's features are multiplied by.
    pub scales: Flat<f32>,
    /// What each feature weighs.
    pub weights: Vec<f32>,
    /// What two weights give.
    pub meeting: Meeting,
}

/// What two weights of the same feature give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// Their harmonic mean. The sum is divided by the harmonic mean of the sizes.
    Harmonic,
    /// Their product. The sum is divided by the product of the sizes.
    Product,
}

/// What a word gains by one feature of a query, by the word's scale s: rise·s / (rest + bend·s), which grows with s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// How steeply it begins, times `rest`.
    pub rise: f32,
    /// Above 0.
    pub rest: f32,
    /// 0 for a line.
    pub bend: f32,
}

impl Curve {
    /// No gain.
    pub const NONE: Self = Self::line(0.0);

    /// A gain in proportion to the scale.
    pub const fn line(rise: f32) -> Self {
        Self { rise, rest: 1.0, bend: 0.0 }
    }

    /// The gain of a word of a scale.
    #[inline]
    pub fn at(self, scale: f32) -> f32 {
        self.rise * scale / (self.rest + self.bend * scale)
    }
}

/// A score that follows from a logarithm, which is a sum of gains, for one query:
///
/// ```text
/// log    ≤  base + Σ gains − weight·ln( size + μ )
/// score  =  exp( log ),  or where it lies between two ends
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likelihood {
    /// The logarithm that a text without any of the query's words has, but for its size.
    pub base: f64,
    /// How much the size counts.
    pub weight: f64,
    /// What is added to the size.
    pub mu: f64,
    /// The logarithms that score 0 and 1, if the score grows evenly between them.
    pub ends: Option<(f64, f64)>,
}

impl Likelihood {
    fn size(self, text_size: f64) -> f64 {
        self.weight * (text_size + self.mu).ln()
    }

    /// The score of a text whose sum of gains is this.
    pub fn bound(self, sum: f64, text_size: f64) -> f64 {
        let log = self.base + sum - self.size(text_size);
        match self.ends {
            None => log.min(0.0).exp(),
            Some((low, high)) if high > low => ((log - low) / (high - low)).clamp(0.0, 1.0),
            Some(_) => 0.0,
        }
    }

    /// The least sum of gains with which a text reaches a score, which is above 0.
    pub fn needed(self, score: f64, text_size: f64) -> f64 {
        let log = match self.ends {
            None => score.ln(),
            Some((low, high)) if high > low => low + score * (high - low),
            // Nothing does.
            Some(_) => f64::INFINITY,
        };
        log + self.size(text_size) - self.base
    }

    /// A line above the curve, for scores that are added to others: what a text without gains has, and what each gain counts. It
    /// goes from there to a score of 1.
    pub fn line(self, text_size: f64) -> (f64, f64) {
        let without = self.bound(0.0, text_size);
        let all = match self.ends {
            None => self.size(text_size) - self.base,
            Some((low, high)) => high - low,
        };
        let rise = if self.ends.is_none() { 1.0 - without } else { 1.0 };
        (without, if all > 0.0 { rise / all } else { 0.0 })
    }

    /// No line is steeper, whatever the size of a text that has words.
    pub fn steepest(self) -> f64 {
        let (without, slope) = self.line(1.0);
        if self.ends.is_none() { slope / (1.0 - without).max(1e-12) } else { slope }
    }
}

/// A query's features laid out, and room for those of a text beside them.
///
/// Texts that are met with the same query have many words in common, and most features of a word are not the query's. So what
/// a word shares with the query is found out once, and then is a short list of places among the query's features.
#[derive(Debug, Default)]
pub struct Table {
    /// For each feature its place among the query's, from 1 on, or 0.
    places: Vec<u32>,
    laid: Vec<u32>,
    /// At each place what the feature weighs, what the query has of it, and what the text has.
    weights: Vec<f32>,
    query: Vec<f32>,
    text: Vec<f32>,
    /// For each word the number of its list, from 1 on, or 0 if it has not been seen since; and the words that have been.
    lists: Vec<u32>,
    seen: Vec<u32>,
    /// Where each list ends, and all lists: places, and what the word has there.
    ends: Vec<usize>,
    shared: Vec<(u32, f32)>,
    squares: Squares,
    /// How alike all words are to those of the query, where that is what counts.
    pub bounds: Option<Arc<SimilarityBounds>>,
}

/// Room for what a text has of each feature.
#[derive(Debug, Default)]
struct Squares {
    held: Vec<f32>,
    features: Vec<u32>,
}

impl Table {
    /// Lays out the features of a query, whose numbers are below `features`, with what each weighs and what the query has of it,
    /// for texts of words whose numbers are below `words`.
    pub fn lay_out(
        &mut self,
        features: usize,
        words: usize,
        query: impl Iterator<Item = (u32, f32, f32)>,
    ) {
        for feature in self.laid.drain(..) {
            self.places[feature as usize] = 0;
        }
        for word in self.seen.drain(..) {
            self.lists[word as usize] = 0;
        }
        self.places.resize(features, 0);
        self.lists.resize(words, 0);
        self.ends.clear();
        self.shared.clear();
        self.weights.clear();
        self.query.clear();
        for (feature, weight, held) in query.filter(|(_, _, held)| *held > 0.0) {
            self.weights.push(weight);
            self.query.push(held);
            self.laid.push(feature);
            self.places[feature as usize] = self.query.len() as u32;
        }
        // Whole lanes; where neither has anything nothing is shared.
        let room = self.query.len().next_multiple_of(LANES);
        self.query.resize(room, 0.0);
        self.text.clear();
        self.text.resize(room, 0.0);
    }

    /// Whether a word has been seen since the query was laid out.
    #[inline]
    pub fn knows(&self, word: u32) -> bool {
        self.lists[word as usize] > 0
    }

    /// Adds a word to the text. `features` are its own, each with what multiplies the weight; asked for if the table does not
    /// [know](Self::knows) the word.
    #[inline]
    pub fn add<I: Iterator<Item = (u32, f32)>>(&mut self, word: u32, features: impl FnOnce() -> I) {
        if !self.knows(word) {
            for (feature, scale) in features() {
                if let Some(place) = self.places[feature as usize].checked_sub(1) {
                    self.shared.push((place, scale * self.weights[place as usize]));
                }
            }
            self.ends.push(self.shared.len());
            self.seen.push(word);
            self.lists[word as usize] = self.ends.len() as u32;
        }
        let list = self.lists[word as usize] as usize;
        let start = if list == 1 { 0 } else { self.ends[list - 2] };
        for &(place, held) in &self.shared[start..self.ends[list - 1]] {
            self.text[place as usize] += held;
        }
    }

    /// Adds up what `meet` makes of each feature of the query, and takes the text away.
    #[inline]
    pub fn meet(&mut self, meet: impl Fn(f32, f32) -> f32) -> f32 {
        let mut sums = [0.0; LANES];
        let (query, text) = (self.query.as_chunks::<LANES>().0, self.text.as_chunks_mut().0);
        for (query, text) in query.iter().zip(text) {
            for ((sum, x), y) in sums.iter_mut().zip(query).zip(&*text) {
                *sum += meet(*x, *y);
            }
            *text = [0.0; LANES];
        }
        sums.iter().sum()
    }

    /// Adds up the squares of what a text has of each feature, whose numbers are below `features`.
    pub fn square(&mut self, features: usize, text: impl Iterator<Item = (u32, f32)>) -> f64 {
        let Squares { held: all, features: met } = &mut self.squares;
        all.resize(features.max(all.len()), 0.0);
        for (feature, held) in text {
            let at = feature as usize;
            if all[at] == 0.0 {
                met.push(feature);
            }
            all[at] += held;
        }
        let mut sum = 0.0;
        for feature in met.drain(..) {
            let held = f64::from(std::mem::take(&mut all[feature as usize]));
            sum += held * held;
        }
        sum
    }
}

/// How many features are met side by side.
const LANES: usize = 8;

/// Words of a vocabulary in classes by a positive number, the classes about as wide in proportion.
#[derive(Debug, Default)]
pub struct Classes {
    of_word: Vec<u8>,
    /// The largest number of each class.
    most: Vec<f32>,
}

/// How many classes there are at the most.
const CLASSES: usize = 128;

impl Classes {
    /// Sorts the words with these numbers, 0 or larger, into classes.
    pub fn new(numbers: &[f32]) -> Self {
        let positive = || numbers.iter().copied().filter(|n| *n > 0.0);
        let (least, most) = positive()
            .fold((f32::INFINITY, 0.0f32), |(least, most), n| (least.min(n), most.max(n)));
        if most == 0.0 {
            return Self { of_word: vec![0; numbers.len()], most: vec![0.0] };
        }
        // The bits of a positive number grow about as its logarithm does, and with it.
        let (first, last) = (least.to_bits(), most.to_bits());
        let width = ((last - first) / (CLASSES - 2) as u32).max(1);
        let class = |n: f32| {
            if n > 0.0 { 1 + ((n.to_bits() - first) / width).min(CLASSES as u32 - 2) } else { 0 }
        };
        let of_word: Vec<u8> = numbers.iter().map(|&n| class(n) as u8).collect();
        let mut most = vec![0.0f32; CLASSES];
        for (&class, &n) in of_word.iter().zip(numbers) {
            let held = &mut most[class as usize];
            *held = held.max(n);
        }
        Self { of_word, most }
    }
}

/// Words that gain alike: each what its class does.
pub struct List<'a> {
    words: Cow<'a, [u32]>,
    classes: &'a [u8],
    gains: Box<[f32; 256]>,
    /// How many of the words lie before the present stretch.
    done: usize,
}

impl<'a> List<'a> {
    /// These words, which are sorted, each with what `gain` makes of the largest number of its class.
    pub fn new(words: &'a [u32], classes: &'a Classes, gain: impl Fn(f32) -> f32) -> Self {
        let mut gains = Box::new([0.0; 256]);
        for (out, &most) in gains.iter_mut().zip(&classes.most) {
            *out = gain(most);
        }
        Self { words: words.into(), classes: &classes.of_word, gains, done: 0 }
    }

    /// These words, which are sorted, all with the same gain.
    pub fn alike(words: impl Into<Cow<'a, [u32]>>, gain: f32) -> Self {
        Self { words: words.into(), classes: &[], gains: Box::new([gain; 256]), done: 0 }
    }

    /// Where the words lie: two lists of the same words, borrowed from the same place, have the same.
    pub fn same_words(&self) -> (usize, usize) {
        (self.words.as_ptr() as usize, self.words.len())
    }

    /// The words of a stretch, as places among the list's. Stretches come one after the other.
    fn within(&mut self, stretch: &Range<u32>) -> Range<usize> {
        let first = self.done;
        self.done += self.words[first..].partition_point(|&word| word < stretch.end);
        first..self.done
    }

    /// The class of each word of a stretch; `None` if all gain the same.
    fn classes(&self, stretch: &Range<u32>) -> Option<&'a [u8]> {
        let of = stretch.start as usize..stretch.end as usize;
        (!self.classes.is_empty()).then(|| &self.classes[of])
    }

    /// Adds what the words of a stretch gain. Stretches come one after the other.
    pub fn add_to(&mut self, gains: &mut Gains) {
        let stretch = gains.stretch();
        let own = self.within(&stretch);
        let Some(classes) = self.classes(&stretch) else {
            for &word in &self.words[own] {
                gains.add(word, self.gains[0]);
            }
            return;
        };
        for &word in &self.words[own] {
            let at = (word - stretch.start) as usize;
            if let (Some(held), Some(class)) = (gains.by_word.get_mut(at), classes.get(at)) {
                *held += self.gains[*class as usize];
            }
        }
    }

    /// The same for two lists of the same words and what they gain under two measures, in one go.
    pub fn add_both(&mut self, other: &mut Self, first: &mut Gains, second: &mut Gains) {
        let stretch = first.stretch();
        let Some((x, y)) = self.classes(&stretch).zip(other.classes(&stretch)) else {
            self.add_to(first);
            other.add_to(second);
            return;
        };
        let own = self.within(&stretch);
        other.done = self.done;
        for &word in &self.words[own] {
            let at = (word - stretch.start) as usize;
            let held = (first.by_word.get_mut(at), second.by_word.get_mut(at));
            if let ((Some(first), Some(second)), Some(x), Some(y)) = (held, x.get(at), y.get(at)) {
                *first += self.gains[*x as usize];
                *second += other.gains[*y as usize];
            }
        }
    }
}

/// What each word of a stretch of the vocabulary can give to a text that has it, for one query.
///
/// The vocabulary is gone through stretch by stretch, so that what is added up stays in the
/// processor's nearest memory.
#[derive(Debug, Default)]
pub struct Gains {
    first: u32,
    by_word: Vec<f32>,
}

impl Gains {
    /// Begins a stretch.
    pub fn begin(&mut self, stretch: Range<u32>) {
        self.first = stretch.start;
        self.by_word.clear();
        self.by_word.resize(stretch.len(), 0.0);
    }

    /// The stretch.
    pub fn stretch(&self) -> Range<u32> {
        self.first..self.first + self.by_word.len() as u32
    }

    /// Adds to what a word of the stretch gains.
    ///
    /// # Panics
    /// If the word lies outside.
    #[inline]
    pub fn add(&mut self, word: u32, gain: f32) {
        self.by_word[(word - self.first) as usize] += gain;
    }

    /// Raises what the words of the stretch gain, one after the other, where these are larger.
    pub fn raise(&mut self, gains: impl Iterator<Item = f32>) {
        self.by_word.iter_mut().zip(gains).for_each(|(held, gain)| *held = held.max(gain));
    }

    /// What each word of the stretch gains.
    pub fn by_word(&self) -> &[f32] {
        &self.by_word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features of a word: each with what multiplies its weight.
    fn features(word: u32) -> impl Iterator<Item = (u32, f32)> {
        (0..1 + word % 4).map(move |n| ((word * 7 + n * 3) % 20, 0.5 + word as f32))
    }

    #[test]
    fn texts_meet_each_query_as_if_it_were_the_first() {
        let weight = |feature: u32| 1.0 + feature as f32 / 10.0;
        let queries: [&[(u32, f32)]; 3] =
            [&[(0, 1.0), (7, 2.0), (10, 0.5), (13, 0.0)], &[], &[(1, 3.0), (7, 0.1)]];
        let texts: [&[u32]; 4] = [&[1, 2, 1, 9], &[], &[3, 2, 8], &[9, 9, 9]];
        let mut table = Table::default();
        for query in queries {
            table.lay_out(20, 10, query.iter().map(|&(f, held)| (f, weight(f), held)));
            for text in texts.iter().chain(&texts) {
                text.iter().for_each(|&word| table.add(word, || features(word)));
                let met = table.meet(|x, y| x * y);
                let all = || text.iter().flat_map(|&word| features(word));
                let has = |f: u32| {
                    let own = all().filter(|(own, _)| *own == f);
                    own.map(|(_, scale)| scale * weight(f)).sum::<f32>()
                };
                let expected: f32 = query.iter().map(|&(f, held)| held * has(f)).sum();
                assert!((met - expected).abs() < 1e-4, "{query:?} {text:?}: {met} {expected}");
            }
        }
    }
}
