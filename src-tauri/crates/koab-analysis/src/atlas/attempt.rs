//! Input of the rules: one attempt with its scores and verdicts.

use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::log::LoggedTask;
use koab_core::protocol::Protocol;
use koab_core::run_record::StopReason;
use koab_core::score::{GoldenEntry, GoldenKind, Matching, MetricId, Score, TaskContext, is_judged};

/// Attempt, as the run and its report contain it.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// Logged task, its level, and the rules that it was scored by.
    pub cx: TaskContext<'a>,
    /// Scores of the attempt, in the report's order; without a report, only those of the log.
    pub scores: &'a [(MetricId, Score)],
    /// Verdicts of the judges; empty where no judge was asked or the verdicts were not saved.
    pub verdicts: &'a [Verdict],
    /// Protocol of the run.
    pub protocol: Protocol,
    /// Reason why the attempt ended, if a journal has it.
    pub stop: Option<StopReason>,
}

/// Metrics that judges decide.
pub(super) fn judged() -> impl Iterator<Item = MetricId> {
    MetricId::ALL.into_iter().filter(|metric| is_judged(*metric))
}

/// Metrics about the answer that judges decide.
pub(super) fn of_answer() -> Vec<MetricId> {
    judged().filter(|metric| *metric != MetricId::ArgAcc).collect()
}

/// Golden calls of the tested turn.
///
/// In a conversation that turn asks for what was found before; calls of the path that were not
/// seeded belong to turns that the conversation does not have.
pub(super) fn wanted(level: Level, matching: &Matching) -> impl Iterator<Item = &GoldenEntry> {
    let entries = matching.golden.iter().filter(move |_| !level.is_multi_turn());
    entries.filter(|entry| entry.kind == GoldenKind::Call && !entry.seeded)
}

pub(super) fn injected(task: &LoggedTask) -> Option<&str> {
    let tool = task.get("error_injection").get("tool")?.as_str()?;
    (!tool.is_empty()).then_some(tool)
}
