//! Whether a number can be compared with another one: the published leaderboard's, or another run's.
//!
//! Pure rules over [`Facts`], which others gather. A verdict is a [`Grade`] with [`Finding`]s: each names what departs, how
//! much that weighs, and what to do about it. What nobody knows is a finding too and makes at most "limited": nothing is
//! comparable because nobody looked. Where the rules weigh by a number, the number is a constant with its reason.
//!
//! ```
//! use koab_core::comparability::{Facts, Grade, between, with_leaderboard};
//!
//! let nothing_known = Facts::unknown("provider/model", &"it was never said".into());
//! assert_eq!(with_leaderboard(&nothing_known).grade, Grade::Limited);
//! assert_eq!(between(&nothing_known, &nothing_known).grade, Grade::Limited);
//! ```

mod code;
mod conditions;
#[cfg(any(test, feature = "examples"))]
pub mod examples;
mod facts;
mod identity;
mod published;
mod rules;
mod sentences;
mod text;

pub use code::FindingCode;
pub use conditions::Conditions;
pub use facts::{
    CallFacts, CallsBasis, Fact, Facts, LevelCalls, LevelTasks, MissedCall, PackName, RecordingsFrom,
    RecordingsUsed, RunSettings, Scoring,
};
pub use identity::{PackIdentity, of_tools, tasks_sha256, tool_sha256};
pub use published::{
    PUBLISHED_JUDGE, PUBLISHED_PROMPTS, PUBLISHED_RECORDS, PUBLISHED_TASKS, PUBLISHED_TASKS_A_LEVEL,
    PUBLISHED_TOOLS, published_tool,
};
pub use rules::{
    HIT_RATE_COMPARABLE, HIT_RATE_LIMITED, LOST_COMPARABLE, LOST_LIMITED, between, judges_differ, left_out,
    levels_left_out, run_levels, scores_left_open, with_leaderboard,
};
use sentences::{
    COMPARE_COMMON, FILE_NAMES_NO_JUDGE, FILL_MISSES, JUDGE_ALIKE, RUN_ALIKE, SAME_TIME,
    SCORE_WITH_PUBLISHED_JUDGE,
};
pub use sentences::{
    EARLIER_VERSION, MADE_ELSEWHERE, RESUME, RUN_ALL_TASKS, RUN_HERE, SCORE_AGAIN, USE_PUBLISHED,
};
pub(crate) use text::{conditions, level_calls};
pub use text::{to_csv, to_markdown};

pub use crate::record::AttemptCounts;
use crate::sentence::Sentence;
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
pub struct Finding {
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
    pub findings: Vec<Finding>,
}

impl Judgement {
    fn of(mut findings: Vec<Finding>) -> Self {
        // Stable, so that findings of one grade keep the order of the rules.
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.grade));
        Self {
            grade: findings
                .first()
                .map_or(Grade::Comparable, |finding| finding.grade),
            findings,
        }
    }

    /// The findings that weigh something.
    pub fn against(&self) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(|finding| finding.grade > Grade::Comparable)
    }
}

/// What is known of a run or report, and how it stands to the published leaderboard, which is judged anew when it is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Comparability {
    /// What is known.
    pub facts: Facts,
    /// Against the published leaderboard.
    pub leaderboard: Judgement,
}

/// What of a [`Comparability`] is read: a verdict of an earlier version does not count.
#[derive(Deserialize)]
struct Stored {
    facts: Facts,
}

impl From<Stored> for Comparability {
    fn from(known: Stored) -> Self {
        Self::of(known.facts)
    }
}

impl Comparability {
    /// Judges what is known.
    pub fn of(facts: Facts) -> Self {
        Self {
            leaderboard: with_leaderboard(&facts),
            facts,
        }
    }
}

/// A share in per cent, as sentences and files have it.
pub fn percent(share: f64) -> String {
    crate::shown::percent(share, 1)
}
