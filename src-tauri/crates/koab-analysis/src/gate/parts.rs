//! The pairs of all strata together, as they are and as they would be were the difference another
//! one.
//!
//! Few pairs differ, and a candidate that happens to lose few of them seems to spread less as well,
//! so that a plain standard error passes too often. As in Tango's test of paired shares
//! (*Statistics in Medicine* 17, 1998) the spread is therefore that of the nearest outcomes with
//! the difference that is to be ruled out: pairs weighted by `exp(λ · difference)` (exponential
//! tilting; Efron 1981), and never less than the plain one.

use super::strata::GateStratum;

/// As how many pairs the spread that earlier reports expect counts, so that few pairs that happen
/// to agree are not taken for certainty.
const EXPECTED_PAIRS: f64 = 2.0;
/// The strongest weighting, as an exponent.
const STRONGEST: f64 = 20.0;
/// Steps of the search for the weighting.
const HALVINGS: usize = 40;

/// A stratum's.
#[derive(Clone, Debug)]
pub(super) struct Part {
    weight: f64,
    count: f64,
    mean: f64,
    /// Distinct differences and how many pairs have them, expected ones among them.
    points: Vec<(f64, f64)>,
    /// Variance of its mean that the judge adds.
    judge: f64,
}

impl Part {
    /// None without any difference.
    pub(super) fn new(stratum: &GateStratum, mut differences: Vec<f64>, judge: f64) -> Option<Self> {
        let count = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / count;
        differences.sort_by(f64::total_cmp);
        // What is expected lies at both ends, and so that the spread is the expected one.
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

    /// Mean and variance of its pairs, weighted.
    fn moments(&self, tilt: f64) -> (f64, f64) {
        let weighted = |(value, mass): &(f64, f64)| (*value, mass * (tilt * (value - self.mean)).exp());
        let points: Vec<(f64, f64)> = self.points.iter().map(weighted).collect();
        let whole: f64 = points.iter().map(|(_, mass)| mass).sum();
        let mean = points.iter().map(|(value, mass)| value * mass).sum::<f64>() / whole;
        let square = |(value, mass): &(f64, f64)| mass * (value - mean).powi(2);
        (mean, points.iter().map(square).sum::<f64>() / whole)
    }

    /// What it adds to the variance of the whole.
    fn variance(&self, tilt: f64) -> f64 {
        let all = self.count + EXPECTED_PAIRS;
        let (_, variance) = self.moments(tilt);
        self.weight.powi(2) * (variance * all / (all - 1.0) / self.count + self.judge)
    }

    /// How much a pair of it counts in the whole.
    fn share(&self) -> f64 {
        self.weight / self.count
    }
}

/// All strata.
#[derive(Clone, Debug)]
pub(super) struct Parts(pub(super) Vec<Part>);

impl Parts {
    /// The mean over the pack's tasks.
    pub(super) fn difference(&self) -> f64 {
        self.0.iter().map(|part| part.weight * part.mean).sum()
    }

    /// Its variance as the pairs spread.
    pub(super) fn variance(&self) -> f64 {
        self.0.iter().map(|part| part.variance(0.0)).sum()
    }

    /// Its variance, were the difference this one.
    pub(super) fn variance_at(&self, difference: f64) -> f64 {
        let most = self.0.iter().map(Part::share).fold(f64::MIN_POSITIVE, f64::max);
        let tilt = |part: &Part, strength: f64| strength * part.share() / most;
        let mean = |strength: f64| -> f64 {
            let of_part = |part: &Part| part.weight * part.moments(tilt(part, strength)).0;
            self.0.iter().map(of_part).sum()
        };
        let (mut low, mut high) = (-STRONGEST, STRONGEST);
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
