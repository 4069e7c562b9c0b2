//! Random numbers, words drawn by frequency, and frequent words left out.

/// SplitMix64: small, fast, and the same everywhere.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// The beginning of a sequence of its own for these numbers.
    pub fn of(seed: u64, parts: &[u64]) -> Self {
        let mut random = Self(seed);
        for part in parts {
            random.0 = random.next().wrapping_add(*part);
        }
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`; the share that is a hair too likely is n / 2³².
    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    /// At least 0 and below 1.
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }
}

/// Draws words by the ¾ power of their counts, in constant time (the alias method of Walker and Vose).
pub(super) struct Draw {
    /// For each word how likely it stays when it is hit, and what is drawn else.
    stays: Vec<(f32, u32)>,
}

impl Draw {
    pub fn new(counts: &[u64]) -> Self {
        let weights: Vec<f64> = counts.iter().map(|count| (*count as f64).powf(0.75)).collect();
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        let mut shares: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let mut stays: Vec<(f32, u32)> = (0..counts.len() as u32).map(|n| (1.0, n)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..shares.len()).partition(|n| shares[*n] < 1.0);
        while let (Some(low), Some(&high)) = (small.pop(), large.last()) {
            stays[low] = (shares[low] as f32, high as u32);
            shares[high] -= 1.0 - shares[low];
            if shares[high] < 1.0 {
                large.pop();
                small.push(high);
            }
        }
        Self { stays }
    }

    pub fn word(&self, random: &mut Random) -> u32 {
        let word = random.below(self.stays.len());
        let (stays, other) = self.stays[word];
        if random.unit() < stays { word as u32 } else { other }
    }
}

/// How likely each word is kept, as word2vec's program has it.
pub(super) fn kept(counts: &[u64], sample: f64) -> Vec<f32> {
    let all: f64 = counts.iter().map(|count| *count as f64).sum();
    let keep = |count: &u64| {
        let ratio = sample * all / *count as f64;
        if sample == 0.0 { 1.0 } else { (ratio.sqrt() + ratio).min(1.0) as f32 }
    };
    counts.iter().map(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_drawn_by_the_power_of_their_counts() {
        let counts = [1000, 300, 20, 5, 5, 1];
        let weights = counts.map(|count| (count as f64).powf(0.75));
        let (draw, mut random) = (Draw::new(&counts), Random::of(7, &[]));
        let mut seen = [0_u64; 6];
        let all = 1_000_000;
        for _ in 0..all {
            seen[draw.word(&mut random) as usize] += 1;
        }
        for (weight, seen) in weights.iter().zip(seen) {
            let wanted = weight / weights.iter().sum::<f64>();
            let error = (wanted * (1.0 - wanted) / all as f64).sqrt();
            assert!((seen as f64 / all as f64 - wanted).abs() < 5.0 * error);
        }
    }

    #[test]
    fn frequent_words_are_left_out_more_often() {
        let keep = kept(&[900, 99, 1], 0.01);
        assert!((f64::from(keep[0]) - ((0.01 / 0.9_f64).sqrt() + 0.01 / 0.9)).abs() < 1e-6);
        assert!(keep[0] < keep[1] && keep[2] == 1.0);
        assert_eq!(kept(&[900, 1], 0.0), [1.0, 1.0]);
    }
}
