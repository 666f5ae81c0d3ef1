//! Conditions: the facts that decide whether two reports are comparable, in a compact form that is
//! stored for each report.
//!
//! A library of a thousand reports has half a million pairs, which are all judged together. Texts
//! that are only compared with each other are stored as hashes, in the order of their rules.

use super::loss::grade_of_loss;
use super::{Facts, Grade, LevelTasks};
use koab_core::level::Level;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Conditions of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    pub(super) topics: Vec<TopicState>,
    /// Hashes of each tool's name and of its text.
    pub(super) tools: Vec<(u64, u64)>,
    /// Number of tasks of each level and, where it is known, the hash of their ids.
    pub(super) levels: Vec<LevelState>,
    pub(super) calls: Calls,
    pub(super) unscored: u32,
    /// Hash of the judges' base URL, if the report has one.
    #[serde(default)]
    pub(super) judges_at: Option<u64>,
}

/// Stored state of a topic: a group of facts that are known together or not at all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TopicState {
    /// Whether the topic's facts are known; null where the topic does not apply.
    pub(super) known: Option<bool>,
    /// Hash of the text that each rule compares; null where a rule compares no text or does not
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
    /// Grade of the tools: two reports are not comparable if a tool has the same name and different
    /// texts.
    pub(super) fn grade_of_tools(&self, other: &Self) -> Grade {
        let differs =
            |(name, text): &(u64, u64)| other.tools.iter().any(|(of, theirs)| of == name && theirs != text);
        let differ = self.tools != other.tools && self.tools.iter().any(differs);
        if differ { Grade::NotComparable } else { Grade::Comparable }
    }

    /// Grade of live calls: limited if both reports have answers of live APIs, since the calls were
    /// made at different times.
    pub(super) fn grade_of_times(&self, other: &Self) -> Grade {
        limited_if(self.calls.asked_outside && other.calls.asked_outside)
    }

    /// Grade of cache misses, from the difference of the two shares. It is limited if cache misses
    /// dominate in either report.
    pub(super) fn grade_of_misses(&self, other: &Self) -> Grade {
        let apart = grade_of_loss(self.calls.lost, other.calls.lost);
        apart.max(limited_if(self.calls.misses.max(other.calls.misses) == Grade::NotComparable))
    }

    /// Grade of unscored tasks: limited if scores are missing in either report because of judges.
    pub(super) fn grade_of_unscored(&self, other: &Self) -> Grade {
        limited_if(self.unscored.max(other.unscored) > 0)
    }

    /// Grade of the judges' base URLs: limited if both are known and differ. An unknown URL does
    /// not limit the comparison.
    pub(super) fn grade_of_judges_at(&self, other: &Self) -> Grade {
        let both = self.judges_at.zip(other.judges_at);
        limited_if(both.is_some_and(|(one, other)| one != other))
    }

    /// Grade of the tasks: not comparable if the tasks of a level that both reports have differ.
    pub(super) fn grade_of_tasks(&self, other: &Self) -> Grade {
        let differ = levels_that_differ(&self.levels, &other.levels).next().is_some();
        if differ { Grade::NotComparable } else { Grade::Comparable }
    }
}

/// Stored states of the levels that have tasks.
pub(super) fn level_states(facts: &Facts) -> Vec<LevelState> {
    let levels = facts.tasks.value.iter().flatten().filter(|level| level.count > 0);
    levels.map(|level| (level.level.clone(), level.count, ids(level))).collect()
}

/// Levels that both sides have, but with different tasks.
pub(super) fn levels_that_differ<'a>(
    one: &'a [LevelState],
    other: &'a [LevelState],
) -> impl Iterator<Item = &'a Level> + 'a {
    let differs = |(level, count, ids): &&LevelState| {
        let mut theirs = other.iter().filter(|(of, ..)| of == level);
        theirs.any(|(_, their_count, their_ids)| match (ids, their_ids) {
            (Some(ids), Some(theirs)) => ids != theirs,
            _ => count != their_count,
        })
    };
    one.iter().filter(differs).map(|(level, ..)| level)
}

fn limited_if(is: bool) -> Grade {
    if is { Grade::Limited } else { Grade::Comparable }
}

fn ids(level: &LevelTasks) -> Option<u64> {
    let mut ids = level.ids.clone();
    ids.sort();
    (!ids.is_empty()).then(|| hash(&ids.join("\n")))
}

/// First 52 bits of SHA-256. Every JSON parser preserves a number of this size.
pub(super) fn hash(text: &str) -> u64 {
    let sum = Sha256::digest(text.as_bytes());
    sum.iter().take(7).fold(0, |sum, byte| sum << 8 | u64::from(*byte)) >> 4
}

#[cfg(test)]
mod tests;
