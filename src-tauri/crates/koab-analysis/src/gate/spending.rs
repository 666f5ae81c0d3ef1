//! Boundaries of the looks: the evidence that each look requires. They keep the error rate of all
//! looks together at that of a single look.
//!
//! Lan and `DeMets`' spending function of the O'Brien-Fleming type (*Biometrika* 70, 1983)
//! determines the part of the level that may be spent up to the share `t` of the information: `2 −
//! 2Φ(z / √t)`, with `z` the upper `α/2` point. The boundaries follow from integrating the path of
//! the test statistic from look to look (Armitage, `McPherson`, Rowe 1969; Jennison, Turnbull 1999,
//! chapter 19). The times of the looks need not be known in advance.

use statrs::distribution::{ContinuousCDF, Normal};

/// Distance from the mean at which densities are cut off, in standard deviations.
const MAX_DEVIATION: f64 = 8.0;
/// Number of points of a density, for Simpson's rule. The number is odd.
const POINTS: usize = 129;
/// Steps of the binary search for a root.
const HALVINGS: usize = 50;
/// Maximum number of steps of the secant search for a drift.
const SECANTS: usize = 20;
/// Minimum growth of the information between two looks, as a share of the later look's information.
/// With less growth, the two looks count as one.
const MIN_GROWTH_SHARE: f64 = 0.02;

/// Part of a one-sided level that may be spent up to a share of the information.
pub fn spent(alpha: f64, share: f64) -> f64 {
    let normal = Normal::standard();
    if share >= 1.0 {
        return alpha;
    }
    if share <= 0.0 {
        return 0.0;
    }
    2.0 * normal.sf(normal.inverse_cdf(1.0 - alpha / 2.0) / share.sqrt())
}

/// Boundaries of the looks so far, and the rest of the level that may be spent.
#[derive(Clone, Debug)]
pub struct Boundaries {
    alpha: f64,
    spent: f64,
    front: Front,
}

impl Boundaries {
    /// Creates the state before the first look, for a one-sided level.
    pub fn new(alpha: f64) -> Self {
        Self { alpha, spent: 0.0, front: Front::start() }
    }

    /// Boundary of a look at `information`, on any growing scale. It spends all that the spending
    /// function allows at `share`. `None` if the look is too near to the previous one.
    pub fn next(&mut self, information: f64, share: f64) -> Option<f64> {
        if information - self.front.information < MIN_GROWTH_SHARE * information {
            return None;
        }
        let allowed = spent(self.alpha, share) - self.spent;
        let boundary = root(|at| self.front.tail(information, 0.0, at) - allowed);
        self.spent += self.front.tail(information, 0.0, boundary);
        self.front = self.front.advance(information, 0.0, boundary);
        Some(boundary)
    }
}

/// Chance that a boundary is crossed, where the statistic's mean is `drift · √share`. A look is a
/// pair of its share of the information and its boundary, as from [`even`].
pub fn power(looks: &[(f64, f64)], drift: f64) -> f64 {
    let mut front = Front::start();
    let mut crossed = 0.0;
    for (share, boundary) in looks {
        crossed += front.tail(*share, drift, *boundary);
        front = front.advance(*share, drift, *boundary);
    }
    crossed
}

/// For each of `looks` evenly spaced looks: its share of the information, and its boundary for the
/// z value.
pub fn even(alpha: f64, looks: usize) -> Vec<(f64, f64)> {
    let mut boundaries = Boundaries::new(alpha);
    let shares = (1..=looks).map(|look| look as f64 / looks as f64);
    shares.filter_map(|share| Some((share, boundaries.next(share, share)?))).collect()
}

/// Drift that gives evenly spaced looks the power `wanted`. Its square is the product of the
/// largest information and the squared difference.
pub fn drift(alpha: f64, wanted: f64, looks: usize) -> f64 {
    let looks = even(alpha, looks);
    let normal = Normal::standard();
    // Looks cost little power, so the drift of a single one is near, and a few secants find it.
    let (mut before, mut at) = (0.0, normal.inverse_cdf(1.0 - alpha) + normal.inverse_cdf(wanted));
    let mut lacked = wanted - power(&looks, before);
    for _ in 0..SECANTS {
        let lacks = wanted - power(&looks, at);
        if lacks.abs() < 1e-9 || lacks == lacked {
            break;
        }
        (before, lacked, at) = (at, lacks, at - lacks * (at - before) / (lacks - lacked));
    }
    at
}

/// Root of a decreasing function between -`MAX_DEVIATION` and `MAX_DEVIATION`.
fn root(falling: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-MAX_DEVIATION, MAX_DEVIATION);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if falling(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Density of the statistic at a look, over the paths that have crossed no earlier boundary, as
/// points with their masses.
#[derive(Clone, Debug)]
struct Front {
    information: f64,
    points: Vec<(f64, f64)>,
}

impl Front {
    fn start() -> Self {
        Self { information: 0.0, points: vec![(0.0, 1.0)] }
    }

    /// Mean and standard deviation of the next look's statistic, given a value at this look.
    /// `information` is that at the next look. The statistic's assumed mean at a look is `drift ·
    /// √information`.
    fn step(&self, information: f64, drift: f64) -> (impl Fn(f64) -> f64, f64) {
        let gained = information - self.information;
        let (before, after) = (self.information.sqrt(), information.sqrt());
        (move |value: f64| (value * before + drift * gained) / after, (gained / information).sqrt())
    }

    /// Chance that the next look's statistic is at least `boundary`.
    fn tail(&self, information: f64, drift: f64, boundary: f64) -> f64 {
        let normal = Normal::standard();
        let (mean, spread) = self.step(information, drift);
        let above = |(value, mass): &(f64, f64)| mass * normal.sf((boundary - mean(*value)) / spread);
        self.points.iter().map(above).sum()
    }

    /// Density at the next look, over the paths that do not cross its boundary.
    fn advance(&self, information: f64, drift: f64, boundary: f64) -> Self {
        let (mean, spread) = self.step(information, drift);
        let middle = drift * information.sqrt();
        let (low, high) = (middle - MAX_DEVIATION, boundary.min(middle + MAX_DEVIATION));
        let width = (high - low) / (POINTS - 1) as f64;
        let points = (0..POINTS).map(|at| {
            let value = low + width * at as f64;
            let factor = match at {
                0 => 1.0,
                _ if at == POINTS - 1 => 1.0,
                _ if at % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let density = |(from, mass): &(f64, f64)| {
                let z = (value - mean(*from)) / spread;
                mass * (-0.5 * z * z).exp()
            };
            let density: f64 = self.points.iter().map(density).sum();
            let scale = (std::f64::consts::TAU).sqrt() * spread;
            (value, density / scale * factor * width / 3.0)
        });
        Self { information, points: points.collect() }
    }
}
