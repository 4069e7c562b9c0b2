//! Each pair is found in several groups, and told in one of them.

use super::texts::Place;

/// The way by which texts came into a group.
pub struct Way<'a> {
    /// The features that the group has in common.
    pub path: &'a [u32],
    /// What the group, and each that it is a part of, took for granted; and where what a group did begins.
    pub granted: &'a [u32],
    pub granted_from: &'a [usize],
    /// Whether what they have in common beyond that is granted in the last group.
    pub closed: bool,
}

impl Way<'_> {
    /// What the group took for granted that had so many features in common.
    fn granted_at(&self, step: usize) -> &[u32] {
        let from = |step: usize| self.granted_from.get(step).copied().unwrap_or(self.granted.len());
        if step == 0 { &[] } else { &self.granted[from(step - 1)..from(step)] }
    }

    /// Whether a pair came here by the first feature that both have and that was not granted, at every step. There are other ways, too,
    /// but only one that is this.
    pub fn leads_to<const K: usize>(&self, x: &[Place<K>], y: &[Place<K>]) -> bool {
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
            if !self.granted_at(step).contains(&own) {
                return false;
            }
        }
    }
}
