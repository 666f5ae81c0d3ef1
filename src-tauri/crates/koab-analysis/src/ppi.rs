//! What people would have said over all items, from the few that people judged and the judge's word
//! on all.
//!
//! Prediction-powered inference (Angelopoulos, Bates, Fannjiang, Jordan, Zrnic, *Science* 382,
//! 2023): the judge's mean over the items that no one looked at, put right by how far people and
//! the judge lie apart where both spoke. How much the judge counts is chosen by the answers (λ of
//! Angelopoulos, Duchi, Zrnic 2023, *PPI++*), so that a judge who says nothing costs nothing. It
//! holds for items whose chance to be looked at is known and has nothing to do with the answers: a
//! queue in random order ([`RandomQueue`]), never one of disputed questions first. Items with
//! unequal chances are weighted by their inverse.

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

/// Fewest answers of people: below, the intervals' normal distribution is no good.
pub const LEAST: usize = 30;

/// An item that the judge has scored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PpiItem {
    /// The judge's score.
    pub judged: f64,
    /// What people said; null where they were not asked.
    pub human: Option<f64>,
    /// The chance that people were asked.
    pub probability: f64,
}

/// A mean with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PpiMean {
    /// The estimate.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl PpiMean {
    fn new(mean: f64, error: f64, alpha: f64) -> Self {
        let reach = Normal::standard().inverse_cdf(1.0 - alpha / 2.0) * error;
        Self { mean, low: mean - reach, high: mean + reach }
    }

    /// Reaches as far as another does, too.
    fn covering(self, other: Self) -> Self {
        Self { mean: self.mean, low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// From end to end.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// What people would have said, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ppi {
    /// The judge's mean over all items.
    pub judged: f64,
    /// By people's answers and the judge's.
    pub corrected: PpiMean,
    /// By people's answers alone.
    pub human: PpiMean,
    /// How much the judge counts, from 0 to 1.
    pub lambda: f64,
    /// Answers of people.
    pub answers: usize,
    /// All items.
    pub items: usize,
}

/// Why nothing can be said of what people would have said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Say)]
pub enum PpiRefusal {
    /// The queue was not random.
    #[error(
        "the items that people judged were not drawn with known chances (a queue of disputed questions first is not), so nothing follows for the others; take a random queue"
    )]
    NotRandom,
    /// Too few answers.
    #[error("{answers} answers of people are too few for an interval; it takes at least {LEAST}")]
    Few {
        /// Answers.
        answers: usize,
    },
    /// The answers have no spread.
    #[error(
        "all of the people's answers are the same, so nothing shows how much they vary; it takes more answers"
    )]
    Same,
    /// Nothing is left to say.
    #[error("people judged all of the items, so their mean is known and needs no estimate")]
    All,
}

/// What people would have said over all items, at a two-sided level.
///
/// # Errors
/// When the items were not drawn at random, or people gave too few answers or all.
pub fn estimate(items: &[PpiItem], alpha: f64) -> Result<Ppi, PpiRefusal> {
    if items.iter().any(|item| !(item.probability > 0.0 && item.probability < 1.0)) {
        return Err(PpiRefusal::NotRandom);
    }
    let asked: Vec<(f64, f64, f64)> =
        items.iter().filter_map(|item| Some((item.human?, item.judged, 1.0 / item.probability))).collect();
    let left = items.iter().filter(|item| item.human.is_none());
    let left: Vec<(f64, f64)> = left.map(|item| (item.judged, 1.0 / (1.0 - item.probability))).collect();
    if asked.len() < LEAST {
        return Err(PpiRefusal::Few { answers: asked.len() });
    }
    if left.is_empty() {
        return Err(PpiRefusal::All);
    }
    // The normal interval would have no width, which is no knowledge.
    if asked.iter().all(|one| one.0 == asked[0].0) {
        return Err(PpiRefusal::Same);
    }
    let by_asked = scale(asked.iter().map(|one| one.2));
    let by_left = scale(left.iter().map(|one| one.1));
    let human: Vec<f64> = asked.iter().map(|one| one.0 * one.2 * by_asked).collect();
    let answers = asked.len() as f64;
    let at = |lambda: f64| {
        let known = asked.iter().map(|one| (one.0 - lambda * one.1) * one.2 * by_asked);
        let guessed = left.iter().map(|one| lambda * one.0 * one.1 * by_left);
        (known.collect::<Vec<f64>>(), guessed.collect::<Vec<f64>>())
    };
    let lambda = {
        let (known, guessed) = at(1.0);
        let middle = mean(&known) + mean(&guessed);
        let people: Vec<f64> = asked.iter().map(|one| (one.0 - middle) * one.2 * by_asked).collect();
        let judge: Vec<f64> = asked.iter().map(|one| (one.1 - middle) * one.2 * by_asked).collect();
        let others = left.iter().map(|one| (one.0 - middle) * one.1 * by_left);
        let all: Vec<f64> = judge.iter().copied().chain(others).collect();
        let spread = variance(&all) * all.len() as f64 / (all.len() - 1) as f64;
        let lambda = covariance(&people, &judge) / ((1.0 + answers / left.len() as f64) * spread);
        // A judge who says the same of everything has no spread but that of rounding, and says
        // nothing.
        if spread > 1e-12 { lambda.clamp(0.0, 1.0) } else { 0.0 }
    };
    let (known, guessed) = at(lambda);
    let error = (variance(&known) / answers + variance(&guessed) / left.len() as f64).sqrt();
    Ok(Ppi {
        judged: items.iter().map(|item| item.judged).sum::<f64>() / items.len() as f64,
        corrected: PpiMean::new(mean(&known) + mean(&guessed), error, alpha),
        human: PpiMean::new(mean(&human), (variance(&human) / answers).sqrt(), alpha),
        lambda,
        answers: asked.len(),
        items: items.len(),
    })
}

/// By what weights are multiplied, so that their mean is 1.
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
