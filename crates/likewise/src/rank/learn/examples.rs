//! Examples: numbers, a target, and the group that must not be cut when examples are held out.

/// Labelled examples as a learner sees them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Examples {
    width: usize,
    values: Vec<f64>,
    targets: Vec<f64>,
    groups: Vec<u32>,
}

impl Examples {
    /// No examples yet, of so many numbers each.
    pub fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// Adds one. Examples of one group (the candidates of one query) are held out together.
    ///
    /// # Panics
    /// If it has not as many numbers as the others.
    pub fn push(&mut self, values: &[f64], target: f64, group: u32) {
        assert_eq!(values.len(), self.width, "examples have equally many numbers");
        self.values.extend_from_slice(values);
        self.targets.push(target);
        self.groups.push(group);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// How many numbers each has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The numbers of one.
    ///
    /// # Panics
    /// If there is no such example.
    pub fn row(&self, at: usize) -> &[f64] {
        &self.values[at * self.width..(at + 1) * self.width]
    }

    /// What each should get: 0 or 1, or a rating.
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// The group of each.
    pub fn groups(&self) -> &[u32] {
        &self.groups
    }

    /// Some of them.
    #[must_use]
    pub fn some(&self, which: &[usize]) -> Self {
        let mut some = Self::new(self.width);
        for &at in which {
            some.push(self.row(at), self.targets[at], self.groups[at]);
        }
        some
    }

    /// How many have a target above ½.
    pub fn positives(&self) -> usize {
        self.targets.iter().filter(|&&t| t > 0.5).count()
    }
}
