//! Verdicts that change with whose are taken: questions of yes or no on which a judge alone says
//! otherwise than all together.

use super::{Item, Subject, items};
use koab_core::judge::majority;
use koab_core::level::Level;
use serde::{Deserialize, Serialize};

/// A question whose verdict depends on the judges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabFlip {
    /// Place of the run.
    pub run: usize,
    /// Level of the task.
    pub level: Level,
    /// The task.
    pub task: String,
    /// The metric that asks.
    pub metric: String,
    /// What the judges together say: their majority, a tie being a no.
    pub together: bool,
    /// Whether it was a tie.
    pub tie: bool,
    /// What each of them says alone.
    pub judges: Vec<LabVerdict>,
}

/// What one judge says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LabVerdict {
    /// Judge model id.
    pub judge: String,
    /// The majority of its votes; null where it has not answered.
    pub yes: Option<bool>,
}

/// A judge who has answered less than half of the questions: with it few questions are left that
/// all have answered.
pub fn is_few(answered: usize, questions: usize) -> bool {
    answered * 2 < questions
}

/// The questions of yes or no on which these judges are not of one mind, by run and in the log's
/// order.
pub fn flips(subjects: &[Subject<'_>], judges: &[String]) -> Vec<LabFlip> {
    items(subjects).filter_map(|(run, item)| flip(run, item, judges)).collect()
}

fn flip(run: usize, item: &Item, judges: &[String]) -> Option<LabFlip> {
    if !item.is_yes_no() {
        return None;
    }
    let said: Vec<LabVerdict> = judges
        .iter()
        .map(|judge| LabVerdict { judge: judge.clone(), yes: item.answer(judge).map(|answer| answer > 0) })
        .collect();
    let answers: Vec<bool> = said.iter().filter_map(|one| one.yes).collect();
    let yes = answers.iter().filter(|yes| **yes).count();
    (yes > 0 && yes < answers.len()).then(|| LabFlip {
        run,
        level: item.level,
        task: item.task.clone(),
        metric: item.metric.name().to_owned(),
        together: majority(yes, answers.len()),
        tie: yes * 2 == answers.len(),
        judges: said,
    })
}
