//! Queue of items in random order. People may stop after any number of items.

use super::{PpiItem, PpiRefusal};
use crate::chance;
use koab_core::split_mix::SplitMix;

/// Queue in random order, the same for the same seed.
///
/// The items that people judged are a random sample, even if they stop early, provided that they
/// skip no item. Items behind the first skipped item are not used, since skipping is a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomQueue {
    order: Vec<usize>,
}

impl RandomQueue {
    /// Draws a random order for this many items.
    pub fn new(items: usize, seed: u64) -> Self {
        Self { order: chance::order(&mut SplitMix(seed), items) }
    }

    /// Creates a queue with an order that was drawn earlier.
    pub fn of_order(order: Vec<usize>) -> Self {
        Self { order }
    }

    /// Indices of the items, in the order of the queue.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Items with the people's answers that can be used. The judge's scores and people's scores
    /// have one entry per item.
    ///
    /// # Errors
    /// When the length of a list differs from that of the queue.
    pub fn items(&self, judged: &[f64], human: &[Option<f64>]) -> Result<Vec<PpiItem>, PpiRefusal> {
        if judged.len() != self.order.len() || human.len() != self.order.len() {
            return Err(PpiRefusal::NotRandom);
        }
        let prefix = self.order.iter().take_while(|at| human[**at].is_some()).count();
        let probability = prefix as f64 / self.order.len() as f64;
        let item = |judged: &f64| PpiItem {
            judged: *judged,
            human: None,
            // If no answer counts, the estimate reports too few answers.
            probability: probability.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON),
        };
        let mut items: Vec<PpiItem> = judged.iter().map(item).collect();
        for at in &self.order[..prefix] {
            items[*at].human = human[*at];
        }
        Ok(items)
    }
}
