//! A left row's candidates for an assignment.

use crate::link::Pair;

/// What is known of a row's candidates.
pub struct Listed {
    pub pairs: Vec<Pair>,
    /// The most that a candidate scores which is not listed, if there may be one.
    pub next: Option<f64>,
}

impl Listed {
    /// The best k candidates of a left row, or all if they are fewer, of which there is room for some.
    pub fn new(found: &[Pair], k: usize, room: usize, left: u32) -> Self {
        let own = |pair: &Pair| Pair { left, ..*pair };
        let Some(last) = found.get(room).map(|pair| pair.score) else {
            let next = if found.len() < k { None } else { found.last().map(|pair| pair.score) };
            return Self { pairs: found.iter().map(own).collect(), next };
        };
        // Of those that score the same each row takes others, by its number: equal rows find partners then.
        let (best, rest) = found.split_at(found.partition_point(|pair| pair.score > last));
        let tied = &rest[..rest.partition_point(|pair| pair.score >= last)];
        let (before, from) = tied.split_at(left as usize % tied.len());
        let pairs = best.iter().chain(from).chain(before).take(room).map(own);
        Self { pairs: pairs.collect(), next: Some(last) }
    }
}
