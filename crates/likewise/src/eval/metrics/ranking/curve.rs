//! The recall-precision curve, thinned for drawing.

use super::{Ranking, share};

/// Precision and recall at one cut.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CurvePoint {
    /// Share of the relevant pairs above the cut.
    pub recall: f64,
    /// Share of relevant pairs among those above the cut.
    pub precision: f64,
}

impl Ranking {
    /// Precision against recall at the end of every group of ties, best score first, with at
    /// most `max_points` points (but never fewer than four, if there are that many cuts).
    ///
    /// Thinning keeps the look: recall is divided into columns, and each keeps its first,
    /// last, lowest and highest point, which draw the same pixels as all of them as long as
    /// the columns are no wider than a pixel.
    ///
    /// ```
    /// use likewise::eval::metrics::Ranking;
    /// let curve = Ranking::from_scores(&[0.9, 0.5], &[true, false], 1).curve(400);
    /// assert_eq!((curve[0].recall, curve[0].precision), (1.0, 1.0));
    /// assert_eq!((curve[1].recall, curve[1].precision), (1.0, 0.5));
    /// ```
    pub fn curve(&self, max_points: usize) -> Vec<CurvePoint> {
        let points = self.boundaries.iter().map(|b| CurvePoint {
            recall: share(b.relevant, self.total_relevant),
            precision: share(b.relevant, b.pairs),
        });
        if self.boundaries.len() <= max_points.max(4) {
            return points.collect();
        }
        let columns = (max_points / 4).max(1);
        let mut thinned = Vec::with_capacity(columns * 4);
        let mut open: Option<Column> = None;
        for (place, point) in points.enumerate() {
            let number = ((point.recall * columns as f64) as usize).min(columns - 1);
            match &mut open {
                Some(column) if column.number == number => column.add(place, point),
                _ => {
                    if let Some(column) = open.take() {
                        column.flush(&mut thinned);
                    }
                    open = Some(Column::new(number, place, point));
                }
            }
        }
        if let Some(column) = open {
            column.flush(&mut thinned);
        }
        thinned
    }
}

type Placed = (usize, CurvePoint);

/// The points of one column that must stay.
struct Column {
    number: usize,
    first: Placed,
    last: Placed,
    lowest: Placed,
    highest: Placed,
}

impl Column {
    fn new(number: usize, place: usize, point: CurvePoint) -> Self {
        let only = (place, point);
        Column { number, first: only, last: only, lowest: only, highest: only }
    }

    fn add(&mut self, place: usize, point: CurvePoint) {
        self.last = (place, point);
        if point.precision < self.lowest.1.precision {
            self.lowest = self.last;
        }
        if point.precision > self.highest.1.precision {
            self.highest = self.last;
        }
    }

    fn flush(self, into: &mut Vec<CurvePoint>) {
        let mut kept = [self.first, self.last, self.lowest, self.highest];
        kept.sort_unstable_by_key(|&(place, _)| place);
        let mut before = None;
        for (place, point) in kept {
            if before != Some(place) {
                into.push(point);
            }
            before = Some(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noisy(pairs: u32) -> Ranking {
        let scores: Vec<f64> = (0..pairs).map(|i| -f64::from(i)).collect();
        let relevant: Vec<bool> = (0..pairs).map(|i| (i * i) % 7 < 1 + 3000 / (i + 1000)).collect();
        Ranking::from_scores(&scores, &relevant, 0)
    }

    #[test]
    fn thinning_keeps_the_ends_the_extremes_and_the_limit() {
        let ranking = noisy(20_000);
        let (full, thin) = (ranking.curve(usize::MAX), ranking.curve(400));
        assert_eq!(full.len(), 20_000);
        assert!(thin.len() <= 400 && thin.len() > 100);
        assert_eq!((thin.first(), thin.last()), (full.first(), full.last()));
        let lowest = |c: &[CurvePoint]| c.iter().map(|p| p.precision).fold(1.0, f64::min);
        assert_eq!(lowest(&thin), lowest(&full));
    }

    #[test]
    fn recall_never_falls_along_the_curve() {
        assert!(noisy(5000).curve(100).is_sorted_by(|a, b| a.recall <= b.recall));
    }
}
