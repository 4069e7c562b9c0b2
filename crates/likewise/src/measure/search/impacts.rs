//! For each vocabulary term the most that one occurrence adds to the sum.

use std::borrow::Cow;
use std::ops::Range;

/// The impacts of the vocabulary's terms for one query.
pub enum Impacts<'a> {
    /// Terms by lists; a term's impact is the sum over its lists. Terms on no list have none.
    Lists(Vec<ImpactList<'a>>),
    /// Computed for one range of the vocabulary after the other.
    Computed(Box<dyn Fn(&mut ImpactRange) + 'a>),
}

impl Impacts<'_> {
    /// Of a few terms, each with its own impact.
    pub fn of_terms(terms: impl IntoIterator<Item = (u32, f64)>) -> Self {
        let list = |(term, impact): (u32, f64)| ImpactList::uniform(vec![term], impact as f32);
        Self::Lists(terms.into_iter().map(list).collect())
    }
}

/// The vocabulary's terms in classes by a positive number, all classes about as wide in proportion. The largest number of a
/// class stands for all of it, so an impact is computed once for a class.
#[derive(Debug, Default)]
pub struct Classes {
    of_term: Vec<u8>,
    /// The largest number of each class.
    largest: Vec<f32>,
}

/// How many classes there are at the most.
const CLASSES: usize = 128;

impl Classes {
    /// The classes of terms with these numbers, 0 or larger.
    pub fn new(numbers: &[f32]) -> Self {
        let positive = || numbers.iter().copied().filter(|n| *n > 0.0);
        let (least, largest) = positive()
            .fold((f32::INFINITY, 0.0f32), |(least, largest), n| (least.min(n), largest.max(n)));
        if largest == 0.0 {
            return Self { of_term: vec![0; numbers.len()], largest: vec![0.0] };
        }
        // The bits of a positive number grow about as its logarithm does, and with it.
        let (first, last) = (least.to_bits(), largest.to_bits());
        let width = ((last - first) / (CLASSES - 2) as u32).max(1);
        let class = |n: f32| {
            if n > 0.0 { 1 + ((n.to_bits() - first) / width).min(CLASSES as u32 - 2) } else { 0 }
        };
        let of_term: Vec<u8> = numbers.iter().map(|&n| class(n) as u8).collect();
        let mut largest = vec![0.0f32; CLASSES];
        for (&class, &n) in of_term.iter().zip(numbers) {
            let held = &mut largest[class as usize];
            *held = held.max(n);
        }
        Self { of_term, largest }
    }
}

/// A list of terms whose impact depends on their class alone.
pub struct ImpactList<'a> {
    terms: Cow<'a, [u32]>,
    classes: &'a [u8],
    impacts: Box<[f32; 256]>,
    /// How many of the terms lie before the present range.
    done: usize,
}

impl<'a> ImpactList<'a> {
    /// These terms, which are sorted, each with the `impact` of the largest number of its class.
    pub fn by_class(terms: &'a [u32], classes: &'a Classes, impact: impl Fn(f32) -> f32) -> Self {
        let mut impacts = Box::new([0.0; 256]);
        for (out, &largest) in impacts.iter_mut().zip(&classes.largest) {
            *out = impact(largest);
        }
        Self { terms: terms.into(), classes: &classes.of_term, impacts, done: 0 }
    }

    /// These terms, which are sorted, all with the same impact.
    pub fn uniform(terms: impl Into<Cow<'a, [u32]>>, impact: f32) -> Self {
        Self { terms: terms.into(), classes: &[], impacts: Box::new([impact; 256]), done: 0 }
    }

    /// Identifies the borrowed terms: two lists of the same array have the same.
    pub(crate) fn identity(&self) -> (usize, usize) {
        (self.terms.as_ptr() as usize, self.terms.len())
    }

    /// The positions of a range's terms in the list. Ranges come in order.
    fn within(&mut self, range: &Range<u32>) -> Range<usize> {
        let first = self.done;
        self.done += self.terms[first..].partition_point(|&term| term < range.end);
        first..self.done
    }

    /// The class of each term of a range; `None` if all have the same impact.
    fn classes(&self, range: &Range<u32>) -> Option<&'a [u8]> {
        let of = range.start as usize..range.end as usize;
        (!self.classes.is_empty()).then(|| &self.classes[of])
    }

    /// Adds the impacts of a range's terms. Ranges come in order.
    pub fn add_to(&mut self, impacts: &mut ImpactRange) {
        let range = impacts.terms();
        let own = self.within(&range);
        let Some(classes) = self.classes(&range) else {
            for &term in &self.terms[own] {
                impacts.add(term, self.impacts[0]);
            }
            return;
        };
        for &term in &self.terms[own] {
            let at = (term - range.start) as usize;
            if let (Some(held), Some(class)) = (impacts.impacts.get_mut(at), classes.get(at)) {
                *held += self.impacts[*class as usize];
            }
        }
    }

    /// The same for two measures whose lists hold the same terms, in one pass.
    pub fn add_both(
        &mut self,
        other: &mut Self,
        first: &mut ImpactRange,
        second: &mut ImpactRange,
    ) {
        let range = first.terms();
        let Some((x, y)) = self.classes(&range).zip(other.classes(&range)) else {
            self.add_to(first);
            other.add_to(second);
            return;
        };
        let own = self.within(&range);
        other.done = self.done;
        for &term in &self.terms[own] {
            let at = (term - range.start) as usize;
            let held = (first.impacts.get_mut(at), second.impacts.get_mut(at));
            if let ((Some(first), Some(second)), Some(x), Some(y)) = (held, x.get(at), y.get(at)) {
                *first += self.impacts[*x as usize];
                *second += other.impacts[*y as usize];
            }
        }
    }
}

/// The impacts of a range of the vocabulary's terms, for one query. Going range by range keeps the sums in the processor's
/// nearest cache.
#[derive(Debug, Default)]
pub struct ImpactRange {
    first: u32,
    impacts: Vec<f32>,
}

impl ImpactRange {
    /// Begins a range, without any impact.
    pub(crate) fn begin(&mut self, range: Range<u32>) {
        self.first = range.start;
        self.impacts.clear();
        self.impacts.resize(range.len(), 0.0);
    }

    /// The terms of the range.
    pub fn terms(&self) -> Range<u32> {
        self.first..self.first + self.impacts.len() as u32
    }

    /// Adds to the impact of a term of the range.
    ///
    /// # Panics
    /// If the term lies outside.
    #[inline]
    pub fn add(&mut self, term: u32, impact: f32) {
        self.impacts[(term - self.first) as usize] += impact;
    }

    /// Adds the impacts of those of some terms, sorted by number, that lie in the range.
    pub fn add_sorted(&mut self, impacts: &[(u32, f32)]) {
        let range = self.terms();
        let from = impacts.partition_point(|(term, _)| *term < range.start);
        for &(term, impact) in impacts[from..].iter().take_while(|(term, _)| *term < range.end) {
            self.add(term, impact);
        }
    }

    /// Raises the impacts of the range's terms, one after the other, where these are larger.
    pub fn raise(&mut self, impacts: impl Iterator<Item = f32>) {
        self.impacts.iter_mut().zip(impacts).for_each(|(held, impact)| *held = held.max(impact));
    }

    /// The impact of each term of the range.
    pub(crate) fn as_slice(&self) -> &[f32] {
        &self.impacts
    }
}
