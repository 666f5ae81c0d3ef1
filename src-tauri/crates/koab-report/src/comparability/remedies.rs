//! Sentences that several rules or crates use: reasons why a fact is unknown, and remedies.

use koab_core::text;

/// Reason why few facts are known about logs without `run.json`.
pub const MADE_ELSEWHERE: &str = text!("the logs were made elsewhere and lack this information");
/// Reason why fewer facts are known about a run of an earlier version.
pub const EARLIER_VERSION: &str = text!("the run was made by a version that did not record this information");
/// Reason why fewer facts are known about a run on a cluster before its shards are merged.
pub const NOT_MERGED: &str = text!("the run's shards are not merged yet");
/// Reason why the judges of a report are unknown.
pub(super) const FILE_NAMES_NO_JUDGE: &str = text!("the report's file names no judges");

/// Remedy: use the published pack.
pub const USE_PUBLISHED: &str =
    text!("import the published repository with `koab pack import` and run with that pack");
/// Remedy: repeat the run with this version, which records all facts.
pub const RUN_HERE: &str = text!("run the model here: runs of this version record this information");
/// Remedy: repeat the run without changes.
pub(super) const RUN_UNCHANGED: &str =
    text!("run it again with the same limits and the same server from beginning to end");
/// Remedy: finish the run.
pub const RESUME: &str = text!("finish the run with `koab run --resume`, then score it again");
/// Remedy: merge the run's shards.
pub(super) const MERGE_SHARDS: &str =
    text!("merge the run's shards; a cluster merges them by itself when all are done");
/// Remedy: run the tasks that were left out.
pub const RUN_ALL_TASKS: &str = text!("run and score all tasks of these levels");
/// Remedy: score again, so that judges are asked for the missing answers.
pub const SCORE_AGAIN: &str = text!("score again: only the missing answers are asked for");
/// Remedy: score with the leaderboard's judge.
pub(super) const SCORE_WITH_PUBLISHED_JUDGE: &str = text!(
    "score with `--judge-models azure/gpt-4.1-mini`, which needs no new run, or compare only metrics that need no judge"
);
/// Remedy: compare runs whose answers are from the same time.
pub(super) const SAME_TIME: &str =
    text!("compare with runs on the same snapshot, or made in write mode at the same time");
/// Remedy: record the missing responses.
pub(super) const FILL_MISSES: &str = text!(
    "record the missing responses with your own service keys (`koab cache fill RUN`) and run again, or compare with runs that used the same cache"
);
/// Remedy: run both with the same settings.
pub(super) const RUN_ALIKE: &str = text!("run one of the two again under the same conditions as the other");
/// Remedy: score both with the same judges.
pub(super) const JUDGE_ALIKE: &str = text!("score both with the same judges; no model is run again for that");
/// Remedy: compare only the levels and tasks that both sides have.
pub(super) const COMPARE_COMMON: &str = text!("compare only the levels and tasks that both have");

/// Share as a percentage, in the format of sentences and files.
pub fn percent(share: f64) -> String {
    koab_core::shown::percent(share, 1)
}
