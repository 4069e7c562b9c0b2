//! From values to places on an axis, and round numbers to label it with.

use super::super::text;

/// A range of values, never empty.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Larger values are drawn at the edge, so that differences stay finite.
const LARGEST: f64 = 1e100;

impl Scale {
    /// From 0 to 1, for shares.
    pub(super) const SHARE: Scale = Scale { low: 0.0, high: 1.0 };

    /// Just wide enough for all finite values, with round ends.
    pub(in super::super) fn around(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value.max(-LARGEST));
            high = high.max(value.min(LARGEST));
        }
        if low > high {
            return Self::SHARE;
        }
        if high - low <= 1e-12 * high.abs().max(low.abs()).max(1e-6) {
            // A single value stands in the middle.
            let room = if low == 0.0 { 0.5 } else { low.abs() / 10.0 };
            (low, high) = (low - room, high + room);
        }
        let step = step(high - low, 6);
        Scale { low: (low / step).floor() * step, high: (high / step).ceil() * step }
    }

    /// Where a value lies: 0 at the low end, 1 at the high end.
    pub(in super::super) fn place(self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// About `count` round values with their labels.
    pub(super) fn ticks(self, count: usize) -> Vec<(f64, String)> {
        let step = step(self.high - self.low, count);
        let decimals = (-(step * 1.000_001).log10().floor()).max(0.0) as usize;
        // A step of 0.25 takes one decimal more than its size tells.
        let decimals = decimals + usize::from(is_quarter(step));
        let first = (self.low / step - 1e-6).ceil();
        (0..=2 * count)
            .map(|i| (first + i as f64) * step)
            .take_while(|&value| value <= self.high + step * 1e-6)
            .map(|value| (value, label(value, decimals)))
            .collect()
    }
}

/// 1, 2, 2.5 or 5 times a power of ten, so that about `count` of them span the range.
fn step(span: f64, count: usize) -> f64 {
    let rough = span / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 2.5, 5.0, 10.0];
    let fitting = round.into_iter().find(|r| r * power >= rough * 0.999).unwrap_or(10.0);
    fitting * power
}

fn is_quarter(step: f64) -> bool {
    let digits = step / 10f64.powf(step.log10().floor());
    (digits - 2.5).abs() < 1e-6
}

fn label(value: f64, decimals: usize) -> String {
    if value != 0.0 && (value.abs() >= 1e6 || decimals > 6) {
        format!("{value:.2e}")
    } else {
        text::number(value, decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(low: f64, high: f64, count: usize) -> Vec<String> {
        Scale { low, high }.ticks(count).into_iter().map(|t| t.1).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 1.0, 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(1.0, 10.0, 9), ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
        assert_eq!(labels(0.0, 0.5, 2), ["0.00", "0.25", "0.50"]);
    }

    proptest! {
        #[test]
        fn any_values_get_a_usable_scale(values in prop::collection::vec(any::<f64>(), 0..5)) {
            let scale = Scale::around(values.iter().copied());
            prop_assert!(scale.low < scale.high);
            let ticks = scale.ticks(5).len();
            prop_assert!((1..=11).contains(&ticks), "{:?}: {} ticks", scale, ticks);
            for value in values.into_iter().filter(|v| v.is_finite()) {
                prop_assert!((0.0..=1.0).contains(&scale.place(value)));
            }
        }
    }

    #[test]
    fn without_values_a_scale_runs_from_zero_to_one() {
        let scale = Scale::around([f64::NAN, f64::INFINITY].into_iter());
        assert_eq!((scale.low, scale.high), (0.0, 1.0));
    }
}
