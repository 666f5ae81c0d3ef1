//! Prediction-powered inference: estimates people's mean score over all items from a few items that
//! people judged and from the judge's scores of all items.
//!
//! Source: Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, *Science* 382, 2023. The judge's mean
//! over the items without a person's score is corrected by the mean difference between people and
//! judge over the items that have both. The weight λ of the judge is computed from the answers
//! (Angelopoulos, Duchi, Zrnic 2023, *PPI++*), so that a judge without information does no harm.
//!
//! The method is valid for items whose chance of being judged by people is known and does not
//! depend on the answers: a queue in random order ([`RandomQueue`]), never a queue with disputed
//! questions first. Items with different chances are weighted by the inverse of their chance.

mod person;
mod queue;
pub mod simulation;
#[cfg(test)]
mod tests;

pub use person::{PersonsAnswer, estimate_of};
pub use queue::RandomQueue;

use koab_core::Say;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// Minimum number of people's answers. With fewer, the normal approximation of the intervals is not
/// valid.
pub const LEAST: usize = 30;

/// Item that the judge has scored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PpiItem {
    /// Score that the judge gave.
    pub judged: f64,
    /// Score that a person gave; null if no person judged the item.
    pub human: Option<f64>,
    /// Chance that the item is given to a person.
    pub probability: f64,
}

/// Mean with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PpiMean {
    /// Estimated mean.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl PpiMean {
    fn new(mean: f64, error: f64, alpha: f64) -> Self {
        let reach = Normal::standard().inverse_cdf(1.0 - alpha / 2.0) * error;
        Self { mean, low: mean - reach, high: mean + reach }
    }

    /// Extends the interval so that it also contains the other interval.
    fn covering(self, other: Self) -> Self {
        Self { mean: self.mean, low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Width of the interval.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// Estimate of people's mean score over all items.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ppi {
    /// Mean of the judge's scores over all items.
    pub judged: f64,
    /// Estimate from people's answers together with the judge's scores.
    pub corrected: PpiMean,
    /// Estimate from people's answers alone.
    pub human: PpiMean,
    /// Weight of the judge, from 0 to 1.
    pub lambda: f64,
    /// Number of people's answers.
    pub answers: usize,
    /// Number of all items.
    pub items: usize,
}

/// Reason why no estimate is possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum PpiRefusal {
    /// The items were not chosen with known chances.
    #[error(
        "the items that people judged were not drawn with known chances (as in a queue with disputed questions first), so nothing can be estimated for the other items; take a random queue"
    )]
    NotRandom,
    /// People gave too few answers.
    #[error("{answers} answers of people are too few for an interval; at least {LEAST} are needed")]
    Few {
        /// Number of answers.
        answers: usize,
    },
    /// All answers are the same.
    #[error(
        "all of the people's answers are the same, so nothing shows how much they vary; it takes more answers"
    )]
    Same,
    /// People judged all items, so nothing is left to estimate.
    #[error("people judged all of the items, so their mean is known and needs no estimate")]
    All,
}

/// Estimates people's mean score over all items, with two-sided intervals of level `alpha`.
///
/// # Errors
/// When the items were not drawn at random, or people gave too few answers, only equal answers, or
/// answers to all items.
pub fn estimate(items: &[PpiItem], alpha: f64) -> Result<Ppi, PpiRefusal> {
    if items.iter().any(|item| !(item.probability > 0.0 && item.probability < 1.0)) {
        return Err(PpiRefusal::NotRandom);
    }
    let sample: Vec<(f64, f64, f64)> =
        items.iter().filter_map(|item| Some((item.human?, item.judged, 1.0 / item.probability))).collect();
    let rest: Vec<(f64, f64)> = items
        .iter()
        .filter(|item| item.human.is_none())
        .map(|item| (item.judged, 1.0 / (1.0 - item.probability)))
        .collect();
    if sample.len() < LEAST {
        return Err(PpiRefusal::Few { answers: sample.len() });
    }
    if rest.is_empty() {
        return Err(PpiRefusal::All);
    }
    // Without spread the normal interval would have no width, which overstates the certainty.
    if sample.iter().all(|one| one.0 == sample[0].0) {
        return Err(PpiRefusal::Same);
    }
    let sample_scale = scale(sample.iter().map(|one| one.2));
    let rest_scale = scale(rest.iter().map(|one| one.1));
    let human: Vec<f64> = sample.iter().map(|one| one.0 * one.2 * sample_scale).collect();
    let answers = sample.len() as f64;
    let at = |lambda: f64| {
        let residuals = sample.iter().map(|one| (one.0 - lambda * one.1) * one.2 * sample_scale);
        let predictions = rest.iter().map(|one| lambda * one.0 * one.1 * rest_scale);
        (residuals.collect::<Vec<f64>>(), predictions.collect::<Vec<f64>>())
    };
    let lambda = {
        let (residuals, predictions) = at(1.0);
        let middle = mean(&residuals) + mean(&predictions);
        let people: Vec<f64> = sample.iter().map(|one| (one.0 - middle) * one.2 * sample_scale).collect();
        let judge: Vec<f64> = sample.iter().map(|one| (one.1 - middle) * one.2 * sample_scale).collect();
        let others = rest.iter().map(|one| (one.0 - middle) * one.1 * rest_scale);
        let all: Vec<f64> = judge.iter().copied().chain(others).collect();
        let spread = variance(&all) * all.len() as f64 / (all.len() - 1) as f64;
        let lambda = covariance(&people, &judge) / ((1.0 + answers / rest.len() as f64) * spread);
        // A judge that gives every item the same score has no spread except rounding. It gets no
        // weight.
        if spread > 1e-12 { lambda.clamp(0.0, 1.0) } else { 0.0 }
    };
    let (residuals, predictions) = at(lambda);
    let error = (variance(&residuals) / answers + variance(&predictions) / rest.len() as f64).sqrt();
    Ok(Ppi {
        judged: items.iter().map(|item| item.judged).sum::<f64>() / items.len() as f64,
        corrected: PpiMean::new(mean(&residuals) + mean(&predictions), error, alpha),
        human: PpiMean::new(mean(&human), (variance(&human) / answers).sqrt(), alpha),
        lambda,
        answers: sample.len(),
        items: items.len(),
    })
}

/// Factor that makes the mean of these weights 1.
fn scale(weights: impl ExactSizeIterator<Item = f64>) -> f64 {
    weights.len() as f64 / weights.sum::<f64>()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    covariance(values, values)
}

fn covariance(one: &[f64], other: &[f64]) -> f64 {
    let middles = [mean(one), mean(other)];
    let products = one.iter().zip(other).map(|(a, b)| (a - middles[0]) * (b - middles[1]));
    products.sum::<f64>() / one.len() as f64
}
