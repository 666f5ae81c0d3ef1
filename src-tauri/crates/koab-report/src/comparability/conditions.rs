//! Conditions: the facts that decide the comparability of two reports, small enough to be stored
//! for every report of a library. A thousand reports have half a million pairs, which are judged at
//! once.
//!
//! Texts that are only compared with each other are stored as hashes, in the order of their rules
//! in the table.

use super::loss::grade_of_loss;
use super::{Facts, Grade, LevelTasks};
use koab_core::level::Level;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Conditions of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    pub(super) topics: Vec<TopicState>,
    /// Hash of each tool's name and of its text.
    pub(super) tools: Vec<(u64, u64)>,
    /// Number of tasks of each level and, where it is known, the hash of their ids.
    pub(super) levels: Vec<LevelState>,
    pub(super) calls: Calls,
    pub(super) unscored: u32,
    /// Hash of the judges' base URL, if the report has one.
    #[serde(default)]
    pub(super) judges_at: Option<u64>,
}

/// State of a topic of the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TopicState {
    /// Whether the topic's facts are known; null where the topic does not apply.
    pub(super) known: Option<bool>,
    /// Hash of the text that each rule compares; null where the rule compares no text or does not
    /// apply.
    pub(super) texts: Vec<Option<u64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Calls {
    pub(super) asked_outside: bool,
    pub(super) lost: f64,
    pub(super) misses: Grade,
}

/// Level, its number of tasks and, where it is known, the hash of their ids.
pub(super) type LevelState = (Level, u32, Option<u64>);

impl Conditions {
    /// Grade of the tools: two reports are not comparable if a tool of one name has different
    /// texts.
    pub(super) fn grade_of_tools(&self, other: &Self) -> Grade {
        let differs =
            |(name, text): &(u64, u64)| other.tools.iter().any(|(of, theirs)| of == name && theirs != text);
        let differ = self.tools != other.tools && self.tools.iter().any(differs);
        if differ { Grade::NotComparable } else { Grade::Comparable }
    }

    /// Grade of live calls: limited if both reports have answers of live APIs, since these come
    /// from different times.
    pub(super) fn grade_of_times(&self, other: &Self) -> Grade {
        limited_if(self.calls.asked_outside && other.calls.asked_outside)
    }

    /// Grade of cache misses: the difference of their shares, and limited if either report consists
    /// mostly of gaps.
    pub(super) fn grade_of_misses(&self, other: &Self) -> Grade {
        let apart = grade_of_loss(self.calls.lost, other.calls.lost);
        apart.max(limited_if(self.calls.misses.max(other.calls.misses) == Grade::NotComparable))
    }

    /// Grade of unscored tasks: limited if judges left scores open in either report.
    pub(super) fn grade_of_unscored(&self, other: &Self) -> Grade {
        limited_if(self.unscored.max(other.unscored) > 0)
    }

    /// Grade of the judges' base URLs: limited if both are known and differ. An unknown one may be
    /// any.
    pub(super) fn grade_of_judges_at(&self, other: &Self) -> Grade {
        let both = self.judges_at.zip(other.judges_at);
        limited_if(both.is_some_and(|(one, other)| one != other))
    }

    /// Grade of the tasks: not comparable if a level of both reports has different tasks.
    pub(super) fn grade_of_tasks(&self, other: &Self) -> Grade {
        let differ = levels_that_differ(&self.levels, &other.levels).next().is_some();
        if differ { Grade::NotComparable } else { Grade::Comparable }
    }
}

/// Stored states of the levels that have tasks.
pub(super) fn level_states(facts: &Facts) -> Vec<LevelState> {
    let levels = facts.tasks.value.iter().flatten().filter(|level| level.count > 0);
    levels.map(|level| (level.level, level.count, ids(level))).collect()
}

/// Levels that both sides have with different tasks.
pub(super) fn levels_that_differ<'a>(
    one: &'a [LevelState],
    other: &'a [LevelState],
) -> impl Iterator<Item = Level> + 'a {
    let differs = |(level, count, ids): &&LevelState| {
        let mut theirs = other.iter().filter(|(of, ..)| of == level);
        theirs.any(|(_, their_count, their_ids)| match (ids, their_ids) {
            (Some(ids), Some(theirs)) => ids != theirs,
            _ => count != their_count,
        })
    };
    one.iter().filter(differs).map(|(level, ..)| *level)
}

fn limited_if(is: bool) -> Grade {
    if is { Grade::Limited } else { Grade::Comparable }
}

fn ids(level: &LevelTasks) -> Option<u64> {
    let mut ids = level.ids.clone();
    ids.sort();
    (!ids.is_empty()).then(|| hash(&ids.join("\n")))
}

/// First 52 bits of SHA-256, which every JSON parser preserves.
pub(super) fn hash(text: &str) -> u64 {
    let sum = Sha256::digest(text.as_bytes());
    sum.iter().take(7).fold(0, |sum, byte| sum << 8 | u64::from(*byte)) >> 4
}

#[cfg(test)]
mod tests;
