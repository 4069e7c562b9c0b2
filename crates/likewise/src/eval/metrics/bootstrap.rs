//! How far would a number move if other data of the same kind had been drawn?

/// A range that a value lies in with some confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How many resamples the ends rest on: those for which the statistic has a value.
    pub resamples: usize,
}

/// Percentile bootstrap: draw as many items as there are, with replacement, many times over,
/// and see how the statistic spreads (Efron, 1979).
///
/// The same seed always gives the same interval, on every machine.
///
/// ```
/// use likewise::eval::metrics::{Bootstrap, pearson};
/// let human = [1.0, 2.0, 3.0, 4.0, 5.0, 2.0];
/// let measured = [0.2, 0.3, 0.7, 0.8, 0.9, 0.5];
/// let interval = Bootstrap { seed: 7, ..Bootstrap::default() }
///     .correlation(&human, &measured, pearson)
///     .unwrap();
/// assert!(interval.low < pearson(&human, &measured).unwrap());
/// assert!(interval.high <= 1.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bootstrap {
    /// How many times to draw.
    pub resamples: usize,
    /// Share of resamples inside the interval, between 0 and 1.
    pub confidence: f64,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// A thousand draws, 95 % confidence, seed 1.
    fn default() -> Self {
        Bootstrap { resamples: 1000, confidence: 0.95, seed: 1 }
    }
}

impl Bootstrap {
    /// The interval of any statistic over `items` things. The statistic gets the indexes
    /// drawn, each below `items`, and may have no value for some draws.
    ///
    /// `None` if there is nothing to draw from or no draw has a value.
    ///
    /// ```
    /// use likewise::eval::metrics::Bootstrap;
    /// let right = [true, true, false, true, true, false, true, true];
    /// let accuracy = |drawn: &[usize]| {
    ///     let hits = drawn.iter().filter(|&&i| right[i]).count();
    ///     Some(hits as f64 / drawn.len() as f64)
    /// };
    /// let interval = Bootstrap::default().interval(right.len(), accuracy).unwrap();
    /// assert!(interval.low < 0.75 && 0.75 < interval.high);
    /// ```
    pub fn interval(
        &self,
        items: usize,
        mut statistic: impl FnMut(&[usize]) -> Option<f64>,
    ) -> Option<Interval> {
        if items == 0 {
            return None;
        }
        let mut random = SplitMix64(self.seed);
        let mut drawn = vec![0; items];
        let mut values = Vec::new();
        for _ in 0..self.resamples {
            drawn.fill_with(|| random.below(items));
            values.extend(statistic(&drawn).filter(|value| value.is_finite()));
        }
        values.sort_unstable_by(f64::total_cmp);
        let outside = (1.0 - self.confidence.clamp(0.0, 1.0)) / 2.0;
        Some(Interval {
            low: quantile(&values, outside)?,
            high: quantile(&values, 1.0 - outside)?,
            resamples: values.len(),
        })
    }

    /// The interval of a correlation, drawing pairs.
    ///
    /// `None` where the correlation itself has none; see the example above.
    pub fn correlation(
        &self,
        xs: &[f64],
        ys: &[f64],
        statistic: impl Fn(&[f64], &[f64]) -> Option<f64>,
    ) -> Option<Interval> {
        statistic(xs, ys)?;
        let (mut some_xs, mut some_ys) = (Vec::new(), Vec::new());
        self.interval(xs.len().min(ys.len()), |drawn| {
            some_xs.clear();
            some_ys.clear();
            some_xs.extend(drawn.iter().map(|&i| xs[i]));
            some_ys.extend(drawn.iter().map(|&i| ys[i]));
            statistic(&some_xs, &some_ys)
        })
    }
}

/// The value below which a share of sorted values lies, with straight lines between them.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let below = sorted.get(place.floor() as usize)?;
    let above = sorted.get(place.ceil() as usize)?;
    Some(below + (above - below) * place.fract())
}

/// Steele, Lea and Flood's SplitMix64 (2014): tiny, fast, and good enough to draw indexes.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, by taking the high half of a product. Its bias is below
    /// `limit / 2^64`, far less than a bootstrap can show.
    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_numbers() {
        // From the reference implementation with seed 1234567.
        let mut random = SplitMix64(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn the_interval_of_a_mean_is_about_two_standard_errors_each_way() {
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 20)).collect();
        let mean = |drawn: &[usize]| {
            Some(drawn.iter().map(|&i| values[i]).sum::<f64>() / drawn.len() as f64)
        };
        let interval = Bootstrap::default().interval(values.len(), mean).unwrap();
        // Standard deviation 5.766, standard error 0.2883.
        assert!((interval.low - (9.5 - 1.96 * 0.2883)).abs() < 0.06);
        assert!((interval.high - (9.5 + 1.96 * 0.2883)).abs() < 0.06);
    }

    #[test]
    fn the_seed_decides_everything() {
        let statistic = |drawn: &[usize]| drawn.first().map(|&i| i as f64);
        let with = |seed| Bootstrap { seed, ..Bootstrap::default() }.interval(50, statistic);
        assert_eq!(with(3), with(3));
        assert_eq!(Bootstrap::default().interval(0, statistic), None);
        assert_eq!(Bootstrap { resamples: 0, ..Bootstrap::default() }.interval(5, statistic), None);
    }

    #[test]
    fn odd_confidences_are_taken_as_the_nearest_possible() {
        let statistic = |drawn: &[usize]| drawn.first().map(|&i| i as f64);
        for confidence in [-1.0, 0.0, 1.0, 9.0] {
            let bootstrap = Bootstrap { confidence, ..Bootstrap::default() };
            assert!(bootstrap.interval(9, statistic).is_some());
        }
        let unclear = Bootstrap { confidence: f64::NAN, ..Bootstrap::default() };
        assert!(unclear.interval(9, statistic).is_none_or(|i| i.resamples == 1000));
    }
}
