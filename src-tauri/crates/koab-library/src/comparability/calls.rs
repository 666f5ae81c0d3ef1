//! Sources of the responses to a run's calls, read from the run's journal.

use koab_core::event::AnswerSource;
use koab_core::level::Level;
use koab_core::run_record::CacheUse;
use koab_report::comparability::{CallFacts, CallsBasis, LevelCalls, MissedCall};
use koab_store::journal_index::JournalIndex;
use koab_store::run_log::attempt_at;
use koab_workspace::WireError;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Sums over attempts for each level, and a list of misses. Repetitions of a task do not make the
/// list longer.
#[derive(Default)]
pub(super) struct CallSums {
    levels: BTreeMap<Level, LevelCalls>,
    misses: Vec<MissedCall>,
    /// Index of a miss in the list, by task, tool and the text of its arguments.
    places: HashMap<(String, String, String), usize>,
}

impl CallSums {
    /// Adds an attempt with the sources of its responses.
    pub(super) fn add(&mut self, level: &Level, answers: &CacheUse, misses: Vec<MissedCall>) {
        let sum = self.levels.entry(level.clone()).or_insert_with(|| LevelCalls::none(Some(level.clone())));
        sum.attempts += 1;
        sum.touched += u32::from(!misses.is_empty());
        sum.hit += answers.hit;
        sum.miss += answers.miss;
        sum.injected += answers.injected;
        sum.refused += answers.refused;
        sum.live += answers.live;
        sum.overlay += answers.overlay;
        for miss in misses {
            self.add_miss(miss);
        }
    }

    fn add_miss(&mut self, miss: MissedCall) {
        let call = (miss.task.clone(), miss.tool.clone(), miss.arguments.to_string());
        let place = *self.places.entry(call).or_insert(self.misses.len());
        match self.misses.get_mut(place) {
            Some(known) => {
                known.times += miss.times;
                known.repetition = known.repetition.min(miss.repetition);
            }
            None => self.misses.push(miss),
        }
    }

    /// Returns the facts about the calls, with misses ordered by level, task and repetition.
    pub(super) fn facts(mut self, basis: CallsBasis) -> CallFacts {
        self.misses.sort_by(|a, b| (&a.level, &a.task, a.repetition).cmp(&(&b.level, &b.task, b.repetition)));
        CallFacts { basis, against: None, levels: self.levels.into_values().collect(), misses: self.misses }
    }
}

/// Collects the facts from those attempts of a journal that count. Only attempts with a miss are
/// read completely.
pub(super) fn recorded(folder: &Path, journal: &JournalIndex) -> Result<CallFacts, WireError> {
    let mut sums = CallSums::default();
    for attempt in journal.attempts() {
        let mut misses = Vec::new();
        if !attempt.missed().is_empty() {
            let record = attempt_at(folder, attempt.place())?;
            let missed = record.calls.into_iter();
            misses.extend(missed.filter(|call| call.source == AnswerSource::Miss).map(|call| MissedCall {
                level: record.level.clone(),
                task: record.task.clone(),
                repetition: record.repetition,
                tool: call.tool,
                arguments: call.arguments,
                times: 1,
            }));
        }
        sums.add(&attempt.level, &attempt.answers(), misses);
    }
    Ok(sums.facts(CallsBasis::Recorded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_equal_call_of_a_task_is_one_miss_with_how_often() {
        let missed = |task: &str, repetition: u32, query: &str| MissedCall {
            level: Level::L1,
            task: task.to_owned(),
            repetition,
            tool: "Search".to_owned(),
            arguments: json!({ "query": query }),
            times: 1,
        };
        let mut sums = CallSums::default();
        let answers = CacheUse { miss: 1, ..CacheUse::default() };
        for (task, repetition, query) in [("A", 3, "x"), ("A", 1, "x"), ("A", 2, "y"), ("B", 1, "x")] {
            sums.add(&Level::L1, &answers, vec![missed(task, repetition, query)]);
        }
        let facts = sums.facts(CallsBasis::Recorded);
        let told = facts.misses.iter().map(|miss| {
            let query = miss.arguments["query"].as_str().unwrap();
            (miss.task.as_str(), miss.repetition, query, miss.times)
        });
        assert_eq!(told.collect::<Vec<_>>(), [("A", 1, "x", 2), ("A", 2, "y", 1), ("B", 1, "x", 1)]);
        // Figures of levels count calls and attempts, as before.
        assert_eq!((facts.whole().miss, facts.whole().touched), (4, 4));
    }
}
