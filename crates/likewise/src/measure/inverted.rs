//! Columns of a matrix turned round: for each feature the texts that have it. A row then costs what
//! it shares with the columns, and not what they are long.

/// For each feature the columns that have it, in order, with what they hold of it.
pub(super) struct Inverted<T> {
    /// The postings of feature f are `ends[f-1]..ends[f]`.
    ends: Vec<usize>,
    postings: Vec<(u32, T)>,
}

impl<T: Copy + Default> Inverted<T> {
    /// Turns `columns` round; `features` gives a column's features, each once, all below `count`.
    pub fn new<'a, P: 'a, I: Iterator<Item = (u32, T)>>(
        count: usize,
        columns: &'a [P],
        features: impl Fn(&'a P) -> I,
    ) -> Self {
        let mut ends = vec![0; count + 1];
        for (feature, _) in columns.iter().flat_map(&features) {
            ends[feature as usize + 1] += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        // `ends[f]` is where the postings of f begin; filling them moves it to where they end.
        let mut postings = vec![(0, T::default()); ends[count]];
        for (number, column) in columns.iter().enumerate() {
            for (feature, held) in features(column) {
                let at = &mut ends[feature as usize];
                postings[*at] = (number as u32, held);
                *at += 1;
            }
        }
        Self { ends, postings }
    }

    /// The columns that have a feature.
    pub fn of(&self, feature: u32) -> &[(u32, T)] {
        let feature = feature as usize;
        let start = if feature == 0 { 0 } else { self.ends[feature - 1] };
        &self.postings[start..self.ends[feature]]
    }
}
