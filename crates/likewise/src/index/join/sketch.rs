//! What is known of all texts of a join together, where nobody has them all: how long they are.
//!
//! How far a text's prefix goes depends on the norms of those that it may be a pair with. A sketch holds the most and the least of all
//! texts, by classes of norms a hundredth apart. Sketches of parts are added up to that of the whole, in any order.

use super::bound::{BANDS, PartnerBounds};
use super::sets::{BELOW, WeightedSet};
use super::{JoinBound, JoinTextError};
use std::collections::BTreeMap;

/// Norms whose bits agree but for so many of the last ones are one class.
const CLASS: u32 = 16;
const MAGIC: &[u8; 4] = b"lws1";

/// The most and the least of all texts, by classes of norms.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sketch {
    /// The largest number of features of a text.
    pub most: u32,
    classes: BTreeMap<u32, Class>,
}

#[derive(Debug, Clone, PartialEq)]
struct Class {
    texts: u64,
    /// For each measure the longest suffix, the smallest norm and the largest.
    bounds: Vec<[f32; 3]>,
}

impl Class {
    fn add(&mut self, other: &Self) {
        self.texts += other.texts;
        for (own, other) in self.bounds.iter_mut().zip(&other.bounds) {
            *own = [own[0].max(other[0]), own[1].min(other[1]), own[2].max(other[2])];
        }
    }
}

impl Sketch {
    /// One more text.
    pub fn add<const K: usize>(&mut self, text: &WeightedSet<K>, measures: &JoinBound<K>) {
        let counts = (0..K).find(|&k| measures.has_norms(k));
        let class = counts.map_or(0, |k| text.norms[k].to_bits() >> CLASS);
        let suffix = measures.suffix(text.all());
        let bounds = (0..K).map(|k| [suffix[k], text.norms[k], text.norms[k]]).collect();
        self.most = self.most.max(text.elements.len() as u32);
        self.add_class(class, Class { texts: 1, bounds });
    }

    fn add_class(&mut self, class: u32, bounds: Class) {
        match self.classes.get_mut(&class) {
            Some(own) => own.add(&bounds),
            None => {
                self.classes.insert(class, bounds);
            }
        }
    }

    /// The texts of another sketch.
    pub fn merge(&mut self, other: &Self) {
        self.most = self.most.max(other.most);
        other.classes.iter().for_each(|(class, bounds)| self.add_class(*class, bounds.clone()));
    }

    /// Number of texts.
    pub fn texts(&self) -> u64 {
        self.classes.values().map(|class| class.texts).sum()
    }

    /// Whom a text may be a pair with, by bands of norms.
    pub fn partners<const K: usize>(&self) -> PartnerBounds<K> {
        let (mut partners, mut before, all) = (PartnerBounds::none(), 0, self.texts());
        for class in self.classes.values() {
            let below = |percent: &&usize| before * 100 >= all * **percent as u64;
            let band = BELOW.iter().filter(below).count().min(BANDS - 1);
            let bound = |at: usize| std::array::from_fn(|k| class.bounds[k][at]);
            partners.add_many(band, bound(0), bound(1), bound(2));
            before += class.texts;
        }
        partners
    }

    /// As bytes, to be sent.
    pub fn to_bytes(&self) -> Vec<u8> {
        let measures = self.classes.values().next().map_or(0, |class| class.bounds.len());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.most.to_le_bytes());
        bytes.extend((measures as u32).to_le_bytes());
        for (class, Class { texts, bounds }) in &self.classes {
            bytes.extend(class.to_le_bytes());
            bytes.extend(texts.to_le_bytes());
            bytes.extend(bounds.iter().flatten().flat_map(|bound| bound.to_le_bytes()));
        }
        bytes
    }

    /// A sketch of so many measures that was sent.
    ///
    /// # Errors
    /// If the bytes are not those of such a sketch.
    pub fn from_bytes(bytes: &[u8], measures: usize) -> Result<Self, JoinTextError> {
        let mut bytes = bytes;
        let mut take = |many: usize| {
            let (taken, rest) = bytes.split_at_checked(many)?;
            bytes = rest;
            Some(taken)
        };
        let word = |taken: &[u8]| Some(u32::from_le_bytes(taken.try_into().ok()?));
        let mut read = || -> Option<Self> {
            (take(4)? == MAGIC).then_some(())?;
            let (most, found) = (word(take(4)?)?, word(take(4)?)? as usize);
            let mut sketch = Self { most, classes: BTreeMap::new() };
            while let Some(class) = take(4) {
                (found == measures).then_some(())?;
                let class = word(class)?;
                let texts = u64::from_le_bytes(take(8)?.try_into().ok()?);
                let mut bounds = Vec::with_capacity(measures);
                for _ in 0..measures {
                    let mut three = [0.0; 3];
                    for bound in &mut three {
                        *bound = f32::from_bits(word(take(4)?)?);
                    }
                    bounds.push(three);
                }
                sketch.classes.insert(class, Class { texts, bounds });
            }
            Some(sketch)
        };
        let sketch = read().ok_or(JoinTextError::NoSketch)?;
        let texts =
            sketch.classes.values().try_fold(0u64, |sum, class| sum.checked_add(class.texts));
        texts.and_then(|texts| texts.checked_mul(100)).ok_or(JoinTextError::NoSketch)?;
        Ok(sketch)
    }
}
