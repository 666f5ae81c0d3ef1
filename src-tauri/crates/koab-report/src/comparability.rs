//! Whether a number can be compared with another one: the published leaderboard's, or another
//! run's.
//!
//! Pure rules over [`Facts`], which others gather. A verdict is a [`Grade`] with [`Caveat`]s: each
//! names what departs, how much that weighs, and what to do about it. What nobody knows is a
//! finding too and makes at most "limited": nothing is comparable because nobody looked. Where the
//! rules weigh by a number, the number is a constant with its reason.
//!
//! ```
//! use koab_report::comparability::{Facts, Grade, between, with_leaderboard};
//!
//! let nothing_known = Facts::unknown("provider/model", &"it was never said".into());
//! assert_eq!(with_leaderboard(&nothing_known).grade, Grade::Limited);
//! assert_eq!(between(&nothing_known, &nothing_known).grade, Grade::Limited);
//! ```

mod code;
mod conditions;
mod differences;
#[cfg(any(test, feature = "examples"))]
pub mod examples;
mod facts;
mod judgement;
mod loss;
mod published;
mod remedies;
mod rules;
mod text;

pub use code::FindingCode;
pub use conditions::Conditions;
pub use facts::{
    CallFacts, CallsBasis, Fact, Facts, LevelCalls, LevelTasks, MissedCall, PackName, RecordingsFrom,
    RecordingsUsed, RunSettings, Scoring,
};
pub use judgement::{Aspect, Caveat, Grade, Judgement};
pub use loss::{HIT_RATE_COMPARABLE, HIT_RATE_LIMITED, LOST_COMPARABLE, LOST_LIMITED};
pub use published::{
    PUBLISHED_JUDGE, PUBLISHED_PROMPTS, PUBLISHED_RECORDS, PUBLISHED_TASKS, PUBLISHED_TASKS_A_LEVEL,
    PUBLISHED_TOOLS, published_tool,
};
use remedies::{
    COMPARE_COMMON, FILE_NAMES_NO_JUDGE, FILL_MISSES, JUDGE_ALIKE, MERGE_SHARDS, RUN_ALIKE, SAME_TIME,
    SCORE_WITH_PUBLISHED_JUDGE,
};
pub use remedies::{
    EARLIER_VERSION, MADE_ELSEWHERE, NOT_MERGED, RESUME, RUN_ALL_TASKS, RUN_HERE, SCORE_AGAIN, USE_PUBLISHED,
    percent,
};
pub use rules::{
    between, judges_differ, left_out, levels_left_out, run_levels, scores_left_open, with_leaderboard,
};
pub(crate) use text::{conditions, level_calls};
pub use text::{to_csv, to_markdown};

pub use koab_core::run_record::AttemptCounts;
use serde::{Deserialize, Serialize};

/// What is known of a run or report, and how it stands to the published leaderboard, which is
/// judged anew when it is read.
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
        Self::from_facts(known.facts)
    }
}

impl Comparability {
    /// Judges what is known.
    pub fn from_facts(facts: Facts) -> Self {
        Self { leaderboard: with_leaderboard(&facts), facts }
    }
}
