//! What of the facts decides how far two can be compared, small enough to be kept of every report
//! of a library: of a thousand reports half a million pairs are judged at once.
//!
//! Texts that are only compared with each other are kept as hashes, by the places of their rules in
//! the table.

use super::loss::grade_of_loss;
use super::{Facts, Grade, LevelTasks};
use koab_core::level::Level;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The conditions of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    pub(super) topics: Vec<TopicState>,
    /// Each tool's name and text.
    pub(super) tools: Vec<(u64, u64)>,
    /// Each level's number of tasks and, where they are known, their names.
    pub(super) levels: Vec<LevelState>,
    pub(super) calls: Calls,
    pub(super) unscored: u32,
    /// Address of the judges, where one was written down.
    #[serde(default)]
    pub(super) judges_at: Option<u64>,
}

/// What is known of a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TopicState {
    /// Whether it is known; null where it does not matter.
    pub(super) known: Option<bool>,
    /// What each rule compares; null where that is not text or does not matter.
    pub(super) texts: Vec<Option<u64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Calls {
    pub(super) asked_outside: bool,
    pub(super) lost: f64,
    pub(super) misses: Grade,
}

/// A level, its number of tasks and, where they are known, their names.
pub(super) type LevelState = (Level, u32, Option<u64>);

impl Conditions {
    /// Tools that both have under one name and with other texts make other numbers.
    pub(super) fn grade_of_tools(&self, other: &Self) -> Grade {
        let differs =
            |(name, text): &(u64, u64)| other.tools.iter().any(|(of, theirs)| of == name && theirs != text);
        let differ = self.tools != other.tools && self.tools.iter().any(differs);
        if differ { Grade::NotComparable } else { Grade::Comparable }
    }

    /// Answers of live APIs, each at its own time.
    pub(super) fn grade_of_times(&self, other: &Self) -> Grade {
        limited_if(self.calls.asked_outside && other.calls.asked_outside)
    }

    /// Calls that found no answer: how far apart, and whether what is compared is mostly gaps.
    pub(super) fn grade_of_misses(&self, other: &Self) -> Grade {
        let apart = grade_of_loss(self.calls.lost, other.calls.lost);
        apart.max(limited_if(self.calls.misses.max(other.calls.misses) == Grade::NotComparable))
    }

    /// Scores that judges left open.
    pub(super) fn grade_of_unscored(&self, other: &Self) -> Grade {
        limited_if(self.unscored.max(other.unscored) > 0)
    }

    /// Judges of the same names at different addresses; one that was not written down may be any.
    pub(super) fn grade_of_judges_at(&self, other: &Self) -> Grade {
        let both = self.judges_at.zip(other.judges_at);
        limited_if(both.is_some_and(|(one, other)| one != other))
    }

    /// Tasks of the levels that both have.
    pub(super) fn grade_of_tasks(&self, other: &Self) -> Grade {
        let differ = levels_that_differ(&self.levels, &other.levels).next().is_some();
        if differ { Grade::NotComparable } else { Grade::Comparable }
    }
}

/// What is kept of the levels.
pub(super) fn level_states(facts: &Facts) -> Vec<LevelState> {
    let levels = facts.tasks.value.iter().flatten().filter(|level| level.count > 0);
    levels.map(|level| (level.level, level.count, ids(level))).collect()
}

/// The levels of which the two have other tasks.
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

/// The first 52 bits of SHA-256, which every reader of JSON keeps whole.
pub(super) fn hash(text: &str) -> u64 {
    let sum = Sha256::digest(text.as_bytes());
    sum.iter().take(7).fold(0, |sum, byte| sum << 8 | u64::from(*byte)) >> 4
}

#[cfg(test)]
mod tests;
