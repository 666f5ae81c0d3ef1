//! Queue of items in random order; people judge as many of them as they like.

use super::{PpiItem, PpiRefusal};
use crate::chance;
use koab_core::split_mix::SplitMix;

/// Queue in random order, the same for the same seed.
///
/// The items that people judged are a random sample wherever they stop, provided that they skip
/// none. Items behind the first skipped one do not count, since skipping is a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomQueue {
    order: Vec<usize>,
}

impl RandomQueue {
    /// Draws the order of this many items.
    pub fn new(items: usize, seed: u64) -> Self {
        Self { order: chance::order(&mut SplitMix(seed), items) }
    }

    /// Queue whose order was drawn earlier.
    pub fn of_order(order: Vec<usize>) -> Self {
        Self { order }
    }

    /// Indices of the items, in the order of the queue.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Items with the people's answers that count. The lists of the judge's scores and of people's
    /// scores have one entry per item.
    ///
    /// # Errors
    /// When a list has another length than the queue.
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
