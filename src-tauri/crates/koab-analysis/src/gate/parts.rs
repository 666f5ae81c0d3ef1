//! Pairs of all strata, with their observed spread and with the spread that they would have under
//! another difference.
//!
//! Only few pairs differ, and a candidate that happens to lose few of them also seems to spread
//! less. A plain standard error therefore passes too often. As in Tango's test of paired shares
//! (*Statistics in Medicine* 17, 1998), the spread is computed from the outcomes nearest to the
//! observed ones that have the difference to exclude: pairs are weighted by `exp(λ · difference)`
//! (exponential tilting; Efron 1981). The result is never less than the plain spread.

use super::strata::GateStratum;

/// Number of fictitious pairs with the spread of earlier reports that are added to a stratum, so
/// that few pairs without a difference do not count as certainty.
const EXPECTED_PAIRS: f64 = 2.0;
/// Largest absolute value of `λ`, the strength of the weighting.
const MAX_TILT: f64 = 20.0;
/// Steps of the binary search for the weighting.
const HALVINGS: usize = 40;

/// Pairs of one stratum.
#[derive(Clone, Debug)]
pub(super) struct Part {
    weight: f64,
    count: f64,
    mean: f64,
    /// Distinct differences, each with its number of pairs, including the [`EXPECTED_PAIRS`].
    points: Vec<(f64, f64)>,
    /// Variance of the stratum's mean that comes from the judge.
    judge: f64,
}

impl Part {
    /// Collects the differences of a stratum's pairs; `None` if there are no differences.
    pub(super) fn new(stratum: &GateStratum, mut differences: Vec<f64>, judge: f64) -> Option<Self> {
        let count = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / count;
        differences.sort_by(f64::total_cmp);
        // The expected pairs are at both ends and at the mean, so that their spread is the expected
        // one.
        let end = EXPECTED_PAIRS * stratum.spread.powi(2) / 2.0;
        let mut points = vec![(mean - 1.0, end), (mean, EXPECTED_PAIRS - 2.0 * end), (mean + 1.0, end)];
        for difference in differences {
            match points.last_mut() {
                Some((value, mass)) if *value == difference => *mass += 1.0,
                _ => points.push((difference, 1.0)),
            }
        }
        (count > 0.0).then_some(Self { weight: stratum.weight, count, mean, points, judge })
    }

    /// Mean and variance of the stratum's pairs under a weighting.
    fn moments(&self, tilt: f64) -> (f64, f64) {
        let weighted = |(value, mass): &(f64, f64)| (*value, mass * (tilt * (value - self.mean)).exp());
        let points: Vec<(f64, f64)> = self.points.iter().map(weighted).collect();
        let whole: f64 = points.iter().map(|(_, mass)| mass).sum();
        let mean = points.iter().map(|(value, mass)| value * mass).sum::<f64>() / whole;
        let square = |(value, mass): &(f64, f64)| mass * (value - mean).powi(2);
        (mean, points.iter().map(square).sum::<f64>() / whole)
    }

    /// Contribution of the stratum to the variance of the combined difference.
    fn variance(&self, tilt: f64) -> f64 {
        let all = self.count + EXPECTED_PAIRS;
        let (_, variance) = self.moments(tilt);
        self.weight.powi(2) * (variance * all / (all - 1.0) / self.count + self.judge)
    }

    /// Weight of one of the stratum's pairs in the combined difference.
    fn share(&self) -> f64 {
        self.weight / self.count
    }
}

/// Pairs of all strata.
#[derive(Clone, Debug)]
pub(super) struct Parts(pub(super) Vec<Part>);

impl Parts {
    /// Mean difference over the pack's tasks.
    pub(super) fn difference(&self) -> f64 {
        self.0.iter().map(|part| part.weight * part.mean).sum()
    }

    /// Variance of the difference, from the observed spread.
    pub(super) fn variance(&self) -> f64 {
        self.0.iter().map(|part| part.variance(0.0)).sum()
    }

    /// Variance of the difference if its true value were `difference`.
    pub(super) fn variance_at(&self, difference: f64) -> f64 {
        let most = self.0.iter().map(Part::share).fold(f64::MIN_POSITIVE, f64::max);
        let tilt = |part: &Part, strength: f64| strength * part.share() / most;
        let mean = |strength: f64| -> f64 {
            let of_part = |part: &Part| part.weight * part.moments(tilt(part, strength)).0;
            self.0.iter().map(of_part).sum()
        };
        let (mut low, mut high) = (-MAX_TILT, MAX_TILT);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if mean(middle) < difference {
                low = middle;
            } else {
                high = middle;
            }
        }
        let strength = f64::midpoint(low, high);
        self.0.iter().map(|part| part.variance(tilt(part, strength))).sum()
    }
}
