//! A verdict on whether numbers can be compared: its grade, and the findings that it is made of.

use super::code::FindingCode;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// How far numbers can be compared. Later is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Nothing known speaks against it.
    Comparable,
    /// With the reasons in mind, or in parts only.
    Limited,
    /// The numbers mean different things.
    NotComparable,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The tasks.
    Tasks,
    /// Names, descriptions and schemas of the offered tools.
    Tools,
    /// Rules of the run.
    Protocol,
    /// Steps, time, sampling and whatever else a run is started with.
    Settings,
    /// Where tool calls were answered from, and which found no answer.
    Recordings,
    /// Levels and tasks that were run and scored.
    Coverage,
    /// Attempts that were not made or failed for technical reasons.
    Attempts,
    /// Rules of scoring.
    Scorer,
    /// Who judged, how often, and what they left open.
    Judges,
}

/// One thing that stands in the way, or is to be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Caveat {
    /// What it is, by a name that stays.
    pub code: FindingCode,
    /// What it is about.
    pub aspect: Aspect,
    /// How much it weighs; `comparable` is a note that weighs nothing.
    pub grade: Grade,
    /// Where in [`Facts`] it stands.
    pub place: String,
    /// What it is, one sentence.
    pub reason: Sentence,
    /// What to do about it, one sentence; empty for a note that asks for nothing.
    pub remedy: Sentence,
}

/// How far numbers can be compared, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Judgement {
    /// The worst grade of the findings.
    pub grade: Grade,
    /// The gravest first.
    pub findings: Vec<Caveat>,
}

impl Judgement {
    pub(super) fn new(mut findings: Vec<Caveat>) -> Self {
        // Stable, so that findings of one grade keep the order of the rules.
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.grade));
        Self { grade: findings.first().map_or(Grade::Comparable, |finding| finding.grade), findings }
    }

    /// The findings that weigh something.
    pub fn against(&self) -> impl Iterator<Item = &Caveat> {
        self.findings.iter().filter(|finding| finding.grade > Grade::Comparable)
    }
}
