//! Each pair is in several partitions, and reported in one of them.

use super::sets::Element;

/// The path by which texts came into a partition.
pub struct CanonicalPath<'a> {
    /// The features of the path.
    pub path: &'a [u32],
    /// The common features of the partition and of each that it is a part of, and where those of each begin.
    pub common: &'a [u32],
    pub common_from: &'a [usize],
    /// Whether all further shared features are common in the last partition.
    pub closed: bool,
}

impl CanonicalPath<'_> {
    /// The common features of the partition with so long a path.
    fn common_at(&self, step: usize) -> &[u32] {
        let from = |step: usize| self.common_from.get(step).copied().unwrap_or(self.common.len());
        if step == 0 { &[] } else { &self.common[from(step - 1)..from(step)] }
    }

    /// Whether a pair came here by its first shared feature that is not common, at every step. Exactly one path is canonical, so
    /// each pair is reported once.
    pub fn is_canonical_for<const K: usize>(&self, x: &[Element<K>], y: &[Element<K>]) -> bool {
        let (mut at, mut other, mut step) = (0, 0, 0);
        loop {
            let (Some(own), Some(theirs)) = (x.get(at), y.get(other)) else {
                return step == self.path.len();
            };
            let (own, theirs) = (own.feature, theirs.feature);
            at += usize::from(own <= theirs);
            other += usize::from(theirs <= own);
            if own != theirs {
                continue;
            }
            if self.path.get(step) == Some(&own) {
                step += 1;
                if step == self.path.len() && !self.closed {
                    return true;
                }
                continue;
            }
            if !self.common_at(step).contains(&own) {
                return false;
            }
        }
    }
}
