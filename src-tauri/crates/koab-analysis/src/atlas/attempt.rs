//! What the rules look at: one attempt with its scores and verdicts.

use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::log::LoggedTask;
use koab_core::protocol::Protocol;
use koab_core::run_record::StopReason;
use koab_core::score::{GoldenEntry, GoldenKind, Matching, MetricId, Score, TaskContext, is_judged};

/// One attempt, as the run and its report have it.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// The task as logged, its level, and the rules that it was scored by.
    pub cx: TaskContext<'a>,
    /// Its scores, in the report's order; those of the log alone where there is no report.
    pub scores: &'a [(MetricId, Score)],
    /// What judges said about it; none where nobody was asked or it was not kept.
    pub verdicts: &'a [Verdict],
    /// Under which rules the run was made.
    pub protocol: Protocol,
    /// Why it ended, where a journal says so.
    pub stop: Option<StopReason>,
}

/// The metrics that judges decide.
pub(super) fn judged() -> impl Iterator<Item = MetricId> {
    MetricId::ALL.into_iter().filter(|metric| is_judged(*metric))
}

/// Those of them that are about the answer.
pub(super) fn of_answer() -> Vec<MetricId> {
    judged().filter(|metric| *metric != MetricId::ArgAcc).collect()
}

/// The golden calls of the tested turn. In a conversation that turn asks for what was found before;
/// calls of the path that were not seeded belong to turns that the conversation does not have.
pub(super) fn wanted(level: Level, matching: &Matching) -> impl Iterator<Item = &GoldenEntry> {
    let entries = matching.golden.iter().filter(move |_| !level.is_multi_turn());
    entries.filter(|entry| entry.kind == GoldenKind::Call && !entry.seeded)
}

pub(super) fn injected(task: &LoggedTask) -> Option<&str> {
    let tool = task.get("error_injection").get("tool")?.as_str()?;
    (!tool.is_empty()).then_some(tool)
}
