//! Verdicts that depend on the choice of judges: yes-or-no questions that judges answer
//! differently.

use super::{Item, Subject, items};
use koab_core::judge::majority;
use koab_core::level::Level;
use koab_core::score::MetricId;
use serde::{Deserialize, Serialize};

/// Question whose verdict depends on the judges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabFlip {
    /// Index of the run.
    pub run: usize,
    /// Level of the task.
    pub level: Level,
    /// Id of the task.
    pub task: String,
    /// Metric that asks the question.
    pub metric: MetricId,
    /// Whether the majority of the judges says yes; a tie is a no.
    pub together: bool,
    /// Whether the vote is a tie.
    pub tie: bool,
    /// Verdict of each judge alone.
    pub judges: Vec<LabVerdict>,
}

/// Verdict of one judge on a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabVerdict {
    /// Judge model id.
    pub judge: String,
    /// Whether the majority of the judge's votes is yes; null if the judge has not answered.
    pub yes: Option<bool>,
}

/// Whether a judge has answered less than half of the questions. With such a judge, few questions
/// have answers of all judges.
pub fn is_few(answered: usize, questions: usize) -> bool {
    answered * 2 < questions
}

/// Yes-or-no questions that these judges answer differently, by run and in the log's order.
pub fn flips(subjects: &[Subject<'_>], judges: &[String]) -> Vec<LabFlip> {
    items(subjects).filter_map(|(run, item)| flip(run, item, judges)).collect()
}

fn flip(run: usize, item: &Item, judges: &[String]) -> Option<LabFlip> {
    if !item.is_yes_no() {
        return None;
    }
    let verdicts: Vec<LabVerdict> = judges
        .iter()
        .map(|judge| LabVerdict { judge: judge.clone(), yes: item.answer(judge).map(|answer| answer > 0) })
        .collect();
    let answers: Vec<bool> = verdicts.iter().filter_map(|one| one.yes).collect();
    let yes = answers.iter().filter(|yes| **yes).count();
    (yes > 0 && yes < answers.len()).then(|| LabFlip {
        run,
        level: item.level.clone(),
        task: item.task.clone(),
        metric: item.metric,
        together: majority(yes, answers.len()),
        tie: yes * 2 == answers.len(),
        judges: verdicts,
    })
}
