//! Simulated coverage of the intervals, with items whose truth is known.
//!
//! The judge accepts a third of the wrong answers, and people judge 150 of 1,000 items.

use super::{PpiMean, PpiRefusal, RandomQueue, estimate};
use crate::chance;
use koab_core::split_mix::SplitMix;

/// Number of items.
const ITEMS: usize = 1000;
/// Number of items that people judge.
const LOOKED_AT: usize = 150;
/// Share of answers that people accept.
const TRUTH: f64 = 0.7;
/// Chance that the judge accepts an answer: one that people accept, and one that people do not
/// accept.
const JUDGE: [f64; 2] = [0.97, 0.33];

/// Results over all simulated draws.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PpiSimulated {
    /// Number of draws whose corrected interval contains the truth.
    pub covered: usize,
    /// Number of draws whose interval from people alone contains the truth.
    pub covered_by_people: usize,
    /// Number of draws where the judge's mean is within five points of the truth.
    pub judge_alone: usize,
    /// Mean width of the corrected interval.
    pub width: f64,
    /// Mean width of the interval from people alone.
    pub width_of_people: f64,
}

/// Simulates queues whose first items are judged by people.
///
/// # Errors
/// When an estimate is refused, which is unlikely with this many answers.
pub fn simulate(draws: usize, seed: u64) -> Result<PpiSimulated, PpiRefusal> {
    let mut mix = SplitMix(seed);
    let mut whole = PpiSimulated::default();
    for _ in 0..draws {
        let mut draw = |chance: f64| f64::from(u8::from(chance::is_hit(&mut mix, chance)));
        let truth: Vec<f64> = (0..ITEMS).map(|_| draw(TRUTH)).collect();
        let judge_scores: Vec<f64> =
            truth.iter().map(|accepted| draw(JUDGE[usize::from(*accepted < 0.5)])).collect();
        let queue = RandomQueue::new(ITEMS, mix.next_bits());
        let mut human = vec![None; ITEMS];
        for at in &queue.order()[..LOOKED_AT] {
            human[*at] = Some(truth[*at]);
        }
        let result = estimate(&queue.items(&judge_scores, &human)?, 0.05)?;
        // The truth is the share in the population, not in the drawn items.
        let holds = |of: PpiMean| usize::from(of.low <= TRUTH && TRUTH <= of.high);
        whole.covered += holds(result.corrected);
        whole.covered_by_people += holds(result.human);
        whole.judge_alone += usize::from((result.judged - TRUTH).abs() < 0.05);
        whole.width += result.corrected.width() / draws as f64;
        whole.width_of_people += result.human.width() / draws as f64;
    }
    Ok(whole)
}
