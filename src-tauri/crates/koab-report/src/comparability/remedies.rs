//! Sentences that several rules or several crates say: why something is not known, and what to do.

use koab_core::text;

/// Why logs without `run.json` tell so little.
pub const MADE_ELSEWHERE: &str = text!("the logs were made elsewhere and do not say it");
/// Why a run of an earlier version tells less.
pub const EARLIER_VERSION: &str = text!("the run was made by a version that did not write it down");
/// Why a run on a cluster tells less before its shards are merged.
pub const NOT_MERGED: &str = text!("the run's shards are not merged yet");
/// Why a report does not name its judges.
pub(super) const FILE_NAMES_NO_JUDGE: &str = text!("the report's file does not name them");

/// Use the published pack.
pub const USE_PUBLISHED: &str =
    text!("import the published repository with `koab pack import` and run with that pack");
/// Make the run where it is written down.
pub const RUN_HERE: &str = text!("run the model here: runs of this version write all of it down");
/// Finish a run.
pub const RESUME: &str = text!("finish the run with `koab run --resume`, then score it again");
/// Merge a run's shards.
pub(super) const MERGE_SHARDS: &str =
    text!("merge its shards; on a cluster that happens by itself once all of them are done");
/// Run what was left out.
pub const RUN_ALL_TASKS: &str = text!("run and score all tasks of these levels");
/// Ask the judges again.
pub const SCORE_AGAIN: &str = text!("score again: only the missing answers are asked for");
/// Ask the leaderboard's judge.
pub(super) const SCORE_WITH_PUBLISHED_JUDGE: &str = text!(
    "score with `--judge-models azure/gpt-4.1-mini`, which needs no new run, or compare only metrics that ask no judge"
);
/// Compare what was answered at one time.
pub(super) const SAME_TIME: &str =
    text!("compare with runs on the same snapshot, or made in write mode at the same time");
/// Record what is missing.
pub(super) const FILL_MISSES: &str = text!(
    "record what is missing with your own service keys (`koab cache fill RUN`) and run again, or compare with runs that had the same recordings"
);
/// Run both alike.
pub(super) const RUN_ALIKE: &str = text!("run one of them again as the other was run");
/// Judge both alike.
pub(super) const JUDGE_ALIKE: &str = text!("score both with the same judges; no model is run again for that");
/// Leave out what only one has.
pub(super) const COMPARE_COMMON: &str = text!("compare only what both have");

/// A share in per cent, as sentences and files have it.
pub fn percent(share: f64) -> String {
    koab_core::shown::percent(share, 1)
}
