//! Verdict on the comparability of numbers: its grade and the findings that lead to it.

use super::code::FindingCode;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// Comparability of numbers. Later variants are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// No known fact limits the comparison.
    Comparable,
    /// The numbers can be compared with caveats, or only in part.
    Limited,
    /// The numbers measure different things.
    NotComparable,
}

/// Topic of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Whether the tasks are the same.
    Tasks,
    /// Names, descriptions and schemas of the offered tools.
    Tools,
    /// Rules of the run.
    Protocol,
    /// Steps, time, sampling and all other settings of a run.
    Settings,
    /// Sources of answers to tool calls, and cache misses.
    Recordings,
    /// Levels and tasks that were run and scored.
    Coverage,
    /// Attempts that were not made or failed for technical reasons.
    Attempts,
    /// Rules of scoring.
    Scorer,
    /// Judges, their number of votes, and scores that are missing because of judges.
    Judges,
}

/// Finding that limits a comparison, or a note about the comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Caveat {
    /// Stable name of the finding.
    pub code: FindingCode,
    /// Topic of the finding.
    pub aspect: Aspect,
    /// Weight of the finding. A finding with the weight `comparable` is only a note.
    pub grade: Grade,
    /// Path of the fact in [`Facts`].
    pub place: String,
    /// Description of the finding, one sentence.
    pub reason: Sentence,
    /// Remedy, one sentence; empty for a note without a remedy.
    pub remedy: Sentence,
}

/// Comparability of numbers, with the findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Judgement {
    /// Worst grade of the findings.
    pub grade: Grade,
    /// Findings, the gravest first.
    pub findings: Vec<Caveat>,
}

impl Judgement {
    pub(super) fn new(mut findings: Vec<Caveat>) -> Self {
        // The sort is stable, so that findings of one grade keep the order of the rules.
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.grade));
        Self { grade: findings.first().map_or(Grade::Comparable, |finding| finding.grade), findings }
    }

    /// Findings that are not only notes.
    pub fn against(&self) -> impl Iterator<Item = &Caveat> {
        self.findings.iter().filter(|finding| finding.grade > Grade::Comparable)
    }
}
