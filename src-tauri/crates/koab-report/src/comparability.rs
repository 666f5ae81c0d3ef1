//! Comparability of a number with another one: the published leaderboard's, or another run's.
//!
//! The rules have no side effects; other modules collect the [`Facts`]. A verdict is a [`Grade`]
//! with [`Caveat`]s. Each caveat names a difference, its weight and a remedy. An unknown fact is a
//! caveat, too, and leads to "limited" or worse: nothing is comparable because nobody looked. Every
//! threshold of the rules is a constant with a reason.
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
    RecordingsUsed, Scoring, SettingsFacts,
};
pub use judgement::{Aspect, Caveat, Grade, Judgement};
pub use loss::{HIT_RATE_COMPARABLE, HIT_RATE_LIMITED, LOST_COMPARABLE, LOST_LIMITED};
pub use published::{
    PUBLISHED_JUDGE, PUBLISHED_PROMPTS, PUBLISHED_RECORDS, PUBLISHED_TASKS, PUBLISHED_TASKS_A_LEVEL,
    PUBLISHED_TOOLS, published_tool,
};
use remedies::{
    COMPARE_COMMON, FILE_NAMES_NO_JUDGE, FILL_MISSES, JUDGE_ALIKE, MERGE_SHARDS, RUN_ALIKE, RUN_UNCHANGED,
    SAME_TIME, SCORE_WITH_PUBLISHED_JUDGE,
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

/// Facts about a run or report, and its comparability with the published leaderboard. The
/// comparability is computed again when it is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Comparability {
    /// Known facts about the run or report.
    pub facts: Facts,
    /// Comparability with the published leaderboard.
    pub leaderboard: Judgement,
}

/// Part of a [`Comparability`] that is read from a file. The stored verdict is not read, since an
/// earlier version may have written it.
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
    /// Computes the comparability with the published leaderboard from facts.
    pub fn from_facts(facts: Facts) -> Self {
        Self { leaderboard: with_leaderboard(&facts), facts }
    }
}
