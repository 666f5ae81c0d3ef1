//! Converts the verdicts on a task in the reports of its run, for display.

use crate::wire::JudgeVerdict;
use koab_core::judge::{Answer, Opinion, Verdict};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_report::{Report, task_verdicts_of};

/// Returns the verdicts on a task that a report contains.
pub(super) fn of_report(report: &Report, level: &Level, task: &str) -> Vec<Verdict> {
    let level = report.level(level).into_iter();
    let task = level.flat_map(|level| &level.tasks).find(|one| one.id == task);
    task.map_or_else(Vec::new, |task| task_verdicts_of(report, task))
}

/// Converts verdicts to the form for the UI. Each vote gets its number.
pub(super) fn shown(verdicts: &[Verdict], report: &str, scorer: Protocol) -> Vec<JudgeVerdict> {
    let of_metric = |at: usize| verdicts[..at].iter().filter(move |one| one.metric == verdicts[at].metric);
    let numbered = verdicts.iter().enumerate();
    let rows = numbered.map(|(at, verdict)| {
        let opinion = match &verdict.answer {
            Answer::Answered(opinion) => opinion.clone(),
            Answer::Failed { .. } => Opinion::default(),
        };
        JudgeVerdict {
            metric: verdict.metric,
            scorer,
            judge: verdict.judge.clone(),
            vote: of_metric(at).count() as u32 + 1,
            success: opinion.success,
            grade: opinion.score,
            reason: opinion.reason,
            failure: verdict.failure().map(ToOwned::to_owned),
            worked_back: verdict.metric == MetricId::ArgAcc,
            report: report.to_owned(),
        }
    });
    rows.collect()
}

/// Whether two reports contain the same answer to the same question.
pub(super) fn is_repeated(one: &JudgeVerdict, other: &JudgeVerdict) -> bool {
    let report = one.report.clone();
    *one == JudgeVerdict { report, ..other.clone() }
}

/// Returns the number of votes that the first judge gave on SR; `None` if there are no votes.
pub(super) fn votes(shown: &[JudgeVerdict]) -> Option<usize> {
    let votes = shown.iter().filter(|verdict| verdict.metric == MetricId::Sr).count();
    (votes > 0).then_some(votes)
}
