//! How a run's calls were answered, as its journal has it.

use koab_core::comparability::{CallFacts, CallsBasis, LevelCalls, MissedCall};
use koab_core::event::AnswerSource;
use koab_core::level::Level;
use koab_core::record::AttemptRecord;
use std::collections::BTreeMap;

/// One attempt's calls.
#[derive(Default)]
pub(super) struct AttemptCalls {
    pub(super) sources: Vec<AnswerSource>,
    pub(super) misses: Vec<MissedCall>,
}

/// Attempts by level, task and repetition.
pub(super) type ByAttempt = BTreeMap<(Level, String, u32), AttemptCalls>;

/// From the attempts of a journal that count.
pub(super) fn recorded<'a>(records: impl Iterator<Item = &'a AttemptRecord>) -> CallFacts {
    let mut attempts = ByAttempt::new();
    for record in records {
        let misses = record
            .calls
            .iter()
            .filter(|call| call.source == AnswerSource::Miss);
        let calls = AttemptCalls {
            sources: record.calls.iter().map(|call| call.source).collect(),
            misses: misses
                .map(|call| MissedCall {
                    level: record.level,
                    task: record.task.clone(),
                    repetition: record.repetition,
                    tool: call.tool.clone(),
                    arguments: call.arguments.clone(),
                })
                .collect(),
        };
        attempts.insert((record.level, record.task.clone(), record.repetition), calls);
    }
    summed(attempts, CallsBasis::Recorded)
}

/// Attempts as figures a level and a list of misses.
pub(super) fn summed(attempts: ByAttempt, basis: CallsBasis) -> CallFacts {
    let mut levels: BTreeMap<Level, LevelCalls> = BTreeMap::new();
    let mut misses = Vec::new();
    for ((level, ..), calls) in attempts {
        let sum = levels
            .entry(level)
            .or_insert_with(|| LevelCalls::none(Some(level)));
        sum.attempts += 1;
        sum.touched += u32::from(!calls.misses.is_empty());
        for source in calls.sources {
            let count = match source {
                AnswerSource::Hit => &mut sum.hit,
                AnswerSource::Miss => &mut sum.miss,
                AnswerSource::Injected => &mut sum.injected,
                AnswerSource::Refused => &mut sum.refused,
                AnswerSource::Live => &mut sum.live,
                AnswerSource::Overlay => &mut sum.overlay,
            };
            *count += 1;
        }
        misses.extend(calls.misses);
    }
    CallFacts {
        basis,
        against: None,
        levels: levels.into_values().collect(),
        misses,
    }
}
