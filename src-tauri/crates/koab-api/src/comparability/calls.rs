//! How a run's calls were answered, as its journal has it.

use koab_core::comparability::{CallFacts, CallsBasis, LevelCalls, MissedCall};
use koab_core::event::AnswerSource;
use koab_core::level::Level;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One attempt's calls.
#[derive(Default)]
pub(super) struct AttemptCalls {
    pub(super) sources: Vec<AnswerSource>,
    pub(super) misses: Vec<MissedCall>,
}

/// Attempts by level, task and repetition.
pub(super) type ByAttempt = BTreeMap<(Level, String, u32), AttemptCalls>;

/// From a journal's lines. An attempt that was made again after a technical failure counts once, as its last.
pub(super) fn recorded(journal: &[Value]) -> CallFacts {
    let mut attempts = ByAttempt::new();
    for line in journal {
        let record = &line["record"];
        let (Some("attempt"), Some(task), Ok(level)) = (
            line["type"].as_str(),
            record["task"].as_str(),
            Level::deserialize(&record["level"]),
        ) else {
            continue;
        };
        let repetition = record["repetition"].as_u64().unwrap_or(1) as u32;
        let mut calls = AttemptCalls::default();
        for call in record["calls"].as_array().into_iter().flatten() {
            let Ok(source) = AnswerSource::deserialize(&call["source"]) else {
                continue;
            };
            calls.sources.push(source);
            if source == AnswerSource::Miss {
                calls.misses.push(MissedCall {
                    level,
                    task: task.to_owned(),
                    repetition,
                    tool: call["tool"].as_str().unwrap_or_default().to_owned(),
                    arguments: call["arguments"].clone(),
                });
            }
        }
        attempts.insert((level, task.to_owned(), repetition), calls);
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
