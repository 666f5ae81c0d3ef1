//! Input of the rules: one attempt with its scores and verdicts.

use koab_core::judge::Verdict;
use koab_core::level::Level;
use koab_core::log::LoggedTask;
use koab_core::protocol::Protocol;
use koab_core::run_record::StopReason;
use koab_core::score::{GoldenEntry, GoldenKind, Matching, MetricId, Score, TaskContext, is_judged};

/// Attempt as the run and its report contain it.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// Task of the log with its level, and the rules of its scoring.
    pub cx: TaskContext<'a>,
    /// Scores of the attempt in the report's order. Without a report, only the scores that the log
    /// alone gives.
    pub scores: &'a [(MetricId, Score)],
    /// Verdicts of the judges; empty if no judge was called or the verdicts were not saved.
    pub verdicts: &'a [Verdict],
    /// Protocol of the run.
    pub protocol: Protocol,
    /// Reason for the end of the attempt, if a journal has it.
    pub stop: Option<StopReason>,
}

/// Metrics that judges decide.
pub(super) fn judged() -> impl Iterator<Item = MetricId> {
    MetricId::ALL.into_iter().filter(|metric| is_judged(*metric))
}

/// Metrics about the final answer that judges decide.
pub(super) fn of_answer() -> Vec<MetricId> {
    judged().filter(|metric| *metric != MetricId::ArgAcc).collect()
}

/// Golden calls that the model has to make in the tested turn.
///
/// In a conversation the tested turn asks for results of earlier turns. Golden calls that are not
/// among the dataset's own turns belong to turns that the conversation does not contain.
pub(super) fn wanted<'a>(
    level: &Level,
    matching: &'a Matching,
) -> impl Iterator<Item = &'a GoldenEntry> + use<'a> {
    let is_multi_turn = level.is_multi_turn();
    let entries = matching.golden.iter().filter(move |_| !is_multi_turn);
    entries.filter(|entry| entry.kind == GoldenKind::Call && !entry.seeded)
}

pub(super) fn injected(task: &LoggedTask) -> Option<&str> {
    let tool = task.get("error_injection").get("tool")?.as_str()?;
    (!tool.is_empty()).then_some(tool)
}
