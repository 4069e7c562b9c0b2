//! Pairs and what each column says of them.

use super::Error;

/// Pairs to be told apart: the rows of each, and one similarity per column. They should be what a search or a
/// similarity join proposes: rich in matches, but mostly others. See [`super::Weights::fit`].
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    columns: Vec<String>,
    rows: Vec<(u32, u32)>,
    // One number per pair and column, NaN where a cell is empty: half the memory of an option.
    similarities: Vec<f32>,
    // The same shape, or empty while no pair has any.
    rarities: Vec<f32>,
}

/// What the columns say of one pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<'a> {
    pub similarities: &'a [f32],
    // Empty where nothing is known.
    pub rarities: &'a [f32],
}

impl Candidates {
    /// No pairs yet, over columns of these names.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Adds a pair. A similarity is from 0 to 1, 1 for equal cells; none where a cell is empty, which says nothing
    /// for or against. NaN counts as none, numbers out of range as the nearest in range.
    ///
    /// # Errors
    /// If there is not one similarity per column.
    pub fn push(&mut self, left: u32, right: u32, columns: &[Option<f64>]) -> Result<(), Error> {
        self.push_with_rarity(left, right, columns, &[])
    }

    /// The same where it is known how common the cell is: for each column the share of its filled cells, above 0
    /// and up to 1, that hold the value. It counts only where both cells are equal. No rarities at all are fine.
    ///
    /// # Errors
    /// If there is not one similarity per column, or some columns have a rarity and others were left out.
    pub fn push_with_rarity(
        &mut self,
        left: u32,
        right: u32,
        columns: &[Option<f64>],
        rarities: &[Option<f64>],
    ) -> Result<(), Error> {
        check(self.columns.len(), columns, rarities)?;
        let known = self.similarities.len();
        self.rows.push((left, right));
        self.similarities.extend(columns.iter().map(|&s| similarity(s)));
        if !rarities.is_empty() {
            // Pairs before it may have had none.
            self.rarities.resize(known, f32::NAN);
            self.rarities.extend(rarities.iter().map(|&r| rarity(r)));
        }
        if !self.rarities.is_empty() {
            self.rarities.resize(self.similarities.len(), f32::NAN);
        }
        Ok(())
    }

    /// The columns' names.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows of each pair, left and right.
    pub fn rows(&self) -> &[(u32, u32)] {
        &self.rows
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What each column says of a pair.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn similarities(&self, pair: usize) -> Vec<Option<f64>> {
        let own = self.seen(pair).similarities.iter();
        own.map(|&s| (!s.is_nan()).then_some(f64::from(s))).collect()
    }

    pub(super) fn seen(&self, pair: usize) -> Seen<'_> {
        let cells = pair * self.columns.len()..(pair + 1) * self.columns.len();
        let rarities = self.rarities.get(cells.clone()).unwrap_or(&[]);
        Seen { similarities: &self.similarities[cells], rarities }
    }

    /// What one column says of each pair.
    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = f32> {
        self.similarities.iter().skip(column).step_by(self.columns.len()).copied()
    }
}

/// Whether there is one number for each column.
pub(super) fn check(
    columns: usize,
    similarities: &[Option<f64>],
    rarities: &[Option<f64>],
) -> Result<(), Error> {
    if similarities.len() != columns {
        return Err(Error::columns("similarities", similarities.len(), columns));
    }
    if !rarities.is_empty() && rarities.len() != columns {
        return Err(Error::columns("rarities", rarities.len(), columns));
    }
    Ok(())
}

/// As it is stored.
pub(super) fn similarity(given: Option<f64>) -> f32 {
    given.map_or(f32::NAN, |s| s.clamp(0.0, 1.0) as f32)
}

/// As it is stored. What cannot be a share says nothing.
pub(super) fn rarity(given: Option<f64>) -> f32 {
    given.filter(|&r| r > 0.0 && r <= 1.0).map_or(f32::NAN, |r| r.max(1e-30) as f32)
}
