//! Items in a random order, for people to judge as many of as they like.

use super::{PpiItem, PpiRefusal};
use crate::chance;
use koab_core::split_mix::SplitMix;

/// A queue in random order, the same for the same seed.
///
/// However far people get, what they judged is a random sample, as long as they leave nothing out.
/// What comes behind the first item that was left out does not count, since whoever leaves out
/// chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomQueue {
    order: Vec<usize>,
}

impl RandomQueue {
    /// Of so many items.
    pub fn new(items: usize, seed: u64) -> Self {
        Self { order: chance::order(&mut SplitMix(seed), items) }
    }

    /// One whose order was drawn before.
    pub fn of_order(order: Vec<usize>) -> Self {
        Self { order }
    }

    /// Places of the items, in the order of the queue.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The items with what people said of those that count: judge's scores and people's, an item
    /// each.
    ///
    /// # Errors
    /// When the lists are of another number of items than the queue.
    pub fn items(&self, judged: &[f64], human: &[Option<f64>]) -> Result<Vec<PpiItem>, PpiRefusal> {
        if judged.len() != self.order.len() || human.len() != self.order.len() {
            return Err(PpiRefusal::NotRandom);
        }
        let counted = self.order.iter().take_while(|at| human[**at].is_some()).count();
        let probability = counted as f64 / self.order.len() as f64;
        let item = |judged: &f64| PpiItem {
            judged: *judged,
            human: None,
            // None counts: too few, which the estimate says.
            probability: probability.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON),
        };
        let mut items: Vec<PpiItem> = judged.iter().map(item).collect();
        for at in &self.order[..counted] {
            items[*at].human = human[*at];
        }
        Ok(items)
    }
}
