//! What people said in a random queue, not always a score.

use super::{Ppi, PpiRefusal, RandomQueue, estimate};

/// What a person said of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PersonsAnswer {
    /// A score from 0 to 1.
    Score(f64),
    /// The person looked and cannot tell.
    Unsure,
}

/// The estimate of a queue as far as people got: judge's scores and what people said, an item each.
///
/// An item of which the person is unsure counts with the middle of the scale, and the intervals
/// reach from all of them as 0 to all of them as 1. To leave them out would be a choice by their
/// answers, and the sample no random one any more.
///
/// # Errors
/// As [`estimate`].
pub fn estimate_of(
    queue: &RandomQueue,
    judged: &[f64],
    said: &[Option<PersonsAnswer>],
    alpha: f64,
) -> Result<Ppi, PpiRefusal> {
    let at = |unsure: f64| {
        let score = |one: &Option<PersonsAnswer>| {
            one.map(|said| match said {
                PersonsAnswer::Score(score) => score,
                PersonsAnswer::Unsure => unsure,
            })
        };
        let human: Vec<Option<f64>> = said.iter().map(score).collect();
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
