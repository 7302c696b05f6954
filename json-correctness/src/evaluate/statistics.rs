//! The statistics of a summary.

use std::collections::BTreeMap;

use super::Scores;

/// The 97.5% quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The 95% Wilson score interval of `successes` among `trials` (E. B. Wilson, 1927); `None` where
/// there are no trials.
///
/// With p = successes / n: (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n).
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) fn wilson(successes: u64, trials: u64) -> Option<(f64, f64)> {
    if trials == 0 {
        return None;
    }
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let z2 = Z * Z;
    let centre = p + z2 / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // At the ends the formula is exact, and its rounding is not.
    let low = if successes == 0 { 0.0 } else { ((centre - half) / scale).max(0.0) };
    let high = if successes == trials { 1.0 } else { ((centre + half) / scale).min(1.0) };
    Some((low, high))
}

/// How many different scores are told apart exactly.
const MAX_DISTINCT: usize = 100_000;
/// Of what the scores are multiples where there are more different ones.
const STEPS: f64 = 10_000.0;

/// Counts scores in bounded memory: each exactly, or where there are too many different ones, to the
/// nearest 10,000th. What comes out does not depend on the order.
#[derive(Default)]
pub(crate) struct Distribution {
    /// By the bits of the score, whose order is that of the scores, since none is negative.
    counts: BTreeMap<u64, u64>,
    rounded: bool,
    count: u64,
    sum: f64,
    histogram: [u64; 10],
}

impl Distribution {
    pub(crate) fn add(&mut self, score: f64) {
        self.count += 1;
        self.sum += score;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in [0, 10]")]
        let tenth = ((score * 10.0) as usize).min(9);
        self.histogram[tenth] += 1;
        *self.counts.entry(self.key(score)).or_default() += 1;
        if self.counts.len() > MAX_DISTINCT && !self.rounded {
            self.rounded = true;
            for (bits, count) in std::mem::take(&mut self.counts) {
                *self.counts.entry(self.key(f64::from_bits(bits))).or_default() += count;
            }
        }
    }

    fn key(&self, score: f64) -> u64 {
        // Adding zero turns -0 into 0.
        if self.rounded { (score * STEPS).round() / STEPS } else { score + 0.0 }.to_bits()
    }

    #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
    pub(crate) fn scores(&self) -> Option<Scores> {
        let first = |bits: Option<(&u64, &u64)>| bits.map(|(bits, _)| f64::from_bits(*bits));
        Some(Scores {
            count: self.count,
            mean: self.sum / self.count as f64,
            min: first(self.counts.first_key_value())?,
            p05: self.quantile(5),
            p25: self.quantile(25),
            p50: self.quantile(50),
            p75: self.quantile(75),
            p95: self.quantile(95),
            max: first(self.counts.last_key_value())?,
            histogram: self.histogram.to_vec(),
        })
    }

    /// The nearest rank: the smallest score that at least so many percent of all do not exceed.
    fn quantile(&self, percent: u64) -> f64 {
        let rank = (self.count * percent).div_ceil(100).max(1);
        let mut below = 0;
        for (bits, count) in &self.counts {
            below += count;
            if below >= rank {
                return f64::from_bits(*bits);
            }
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        // Figures of the closed form, worked out with 30 digits.
        let rows = [
            (0, 10, 0.0, 0.277_532_799_862_889_25),
            (5, 10, 0.236_593_090_512_563_98, 0.763_406_909_487_436),
            (10, 10, 0.722_467_200_137_110_7, 1.0),
            (392, 882, 0.411_962_268_407_639_6, 0.477_408_454_734_451_4),
        ];
        for (successes, trials, low, high) in rows {
            let interval = wilson(successes, trials).expect("trials");
            assert!((interval.0 - low).abs() < 1e-12 && (interval.1 - high).abs() < 1e-12, "{interval:?}");
        }
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn quantiles_are_nearest_ranks_and_stay_so_when_rounded() {
        let mut few = Distribution::default();
        for score in [0.5, 1.0, 0.0, 0.25] {
            few.add(score);
        }
        let scores = few.scores().expect("scores");
        assert_eq!((scores.min, scores.p05, scores.p25, scores.p50), (0.0, 0.0, 0.0, 0.25));
        assert_eq!((scores.p75, scores.p95, scores.max, scores.mean), (0.5, 1.0, 1.0, 0.4375));
        assert_eq!(scores.histogram, [1, 0, 1, 0, 0, 1, 0, 0, 0, 1]);

        let mut many = Distribution::default();
        for index in 0..200_001_u32 {
            many.add(f64::from(index) / 200_000.0);
        }
        let scores = many.scores().expect("scores");
        assert!(many.counts.len() <= 10_001);
        assert_eq!((scores.min, scores.p50, scores.max), (0.0, 0.5, 1.0));
        assert!(Distribution::default().scores().is_none());
    }
}
