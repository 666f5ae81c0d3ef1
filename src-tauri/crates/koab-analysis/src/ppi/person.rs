//! Answers of people to a random queue, including items that the person is unsure about.

use super::{Ppi, PpiRefusal, RandomQueue, estimate};

/// Answer of a person to one item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PersonsAnswer {
    /// A score from 0 to 1.
    Score(f64),
    /// The person read the item and cannot decide.
    Unsure,
}

/// Estimates people's mean score from a queue that people may have judged only in part. The judge's
/// scores and people's answers have one entry per item.
///
/// An item about which the person is unsure counts with the middle of the scale. The intervals
/// extend from the estimate with all such items at 0 to the estimate with all of them at 1. If they
/// were left out, the sample would no longer be random.
///
/// # Errors
/// Errors of [`estimate`].
pub fn estimate_of(
    queue: &RandomQueue,
    judged: &[f64],
    answers: &[Option<PersonsAnswer>],
    alpha: f64,
) -> Result<Ppi, PpiRefusal> {
    let at = |unsure: f64| {
        let score = |one: &Option<PersonsAnswer>| {
            one.map(|answer| match answer {
                PersonsAnswer::Score(score) => score,
                PersonsAnswer::Unsure => unsure,
            })
        };
        let human: Vec<Option<f64>> = answers.iter().map(score).collect();
        estimate(&queue.items(judged, &human)?, alpha)
    };
    let middle = at(0.5)?;
    let (low, high) = (at(0.0)?, at(1.0)?);
    Ok(Ppi {
        corrected: middle.corrected.covering(low.corrected).covering(high.corrected),
        human: middle.human.covering(low.human).covering(high.human),
        ..middle
    })
}
