//! How often the intervals hold what people would have said, by made-up items whose truth is known.
//!
//! A judge takes a third of the wrong answers for right ones, and people look at 150 of 1,000
//! items.

use super::{PpiMean, PpiRefusal, RandomQueue, estimate};
use crate::chance;
use koab_core::split_mix::SplitMix;

/// Items, and those that people look at.
const ITEMS: usize = 1000;
const LOOKED_AT: usize = 150;
/// The share that people find right, and how often the judge says so of right and of wrong ones.
const TRUTH: f64 = 0.7;
const JUDGE: [f64; 2] = [0.97, 0.33];

/// What many draws came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PpiSimulated {
    /// Draws whose corrected interval holds the truth.
    pub covered: usize,
    /// Those whose interval of people alone does.
    pub covered_by_people: usize,
    /// Those where the judge alone is within five points.
    pub judge_alone: usize,
    /// Mean widths of the two intervals.
    pub width: f64,
    /// Of people alone.
    pub width_of_people: f64,
}

/// Draws queues that people answer the beginning of.
///
/// # Errors
/// When a queue's answers say nothing, which so many do not.
pub fn simulate(draws: usize, seed: u64) -> Result<PpiSimulated, PpiRefusal> {
    let mut mix = SplitMix(seed);
    let mut whole = PpiSimulated::default();
    for _ in 0..draws {
        let mut draw = |chance: f64| f64::from(u8::from(chance::is_hit(&mut mix, chance)));
        let truth: Vec<f64> = (0..ITEMS).map(|_| draw(TRUTH)).collect();
        let judged: Vec<f64> = truth.iter().map(|said| draw(JUDGE[usize::from(*said < 0.5)])).collect();
        let queue = RandomQueue::new(ITEMS, mix.next_bits());
        let mut human = vec![None; ITEMS];
        for at in &queue.order()[..LOOKED_AT] {
            human[*at] = Some(truth[*at]);
        }
        let found = estimate(&queue.items(&judged, &human)?, 0.05)?;
        // Of items like these, and not only of these.
        let holds = |of: PpiMean| usize::from(of.low <= TRUTH && TRUTH <= of.high);
        whole.covered += holds(found.corrected);
        whole.covered_by_people += holds(found.human);
        whole.judge_alone += usize::from((found.judged - TRUTH).abs() < 0.05);
        whole.width += found.corrected.width() / draws as f64;
        whole.width_of_people += found.human.width() / draws as f64;
    }
    Ok(whole)
}
