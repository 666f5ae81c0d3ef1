//! Judge lab: comparison of several judges on the same runs, from existing verdicts. It makes no
//! API calls.
//!
//! [`coverage`] shows which judges have answered which questions. [`agreement`] shows how far the
//! judges agree and how certain this is. [`effect`] shows how each judge changes scores and ranks.
//! [`queue`] lists the questions that a person should answer first, and [`against_people`] shows
//! how far the judges agree with this person. The definitions are in `docs/design/judges.md`.

mod agreement;
mod blind;
mod coverage;
mod effect;
mod flips;
mod queue;
mod reason;
mod resample;
mod review;
mod tau;
#[cfg(test)]
mod tests;

pub use agreement::{LabAgreement, PairAgreement, agreement};
pub use blind::{Blinder, InputKind, ShownInput, shown_inputs};
pub use coverage::{JudgeCoverage, MetricCoverage, complete, coverage};
pub use effect::{
    JudgesEffect, LabMeasure, LabPanel, LabPanelKind, LabPanelValues, RankAgreement, effect, effect_of,
};
pub use flips::{LabFlip, LabVerdict, flips, is_few};
pub use queue::{Pick, queue};
pub use reason::LabReason;
pub use resample::{DRAWS, LabEstimate};
pub use review::{JudgeAgainstPeople, Reviewed, ScaleAgainstPeople, against_people};
pub use tau::kendall;

use koab_core::judge::{Answer, AnswerSchema, JudgeQuestion, Opinion, Verdict, Votes, majority};
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::score::MetricId;
use koab_report::{Dataset, EvaluationOptions};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Run that the lab compares judges on.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Run id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Level logs of the run.
    pub logs: &'a [LevelLog],
    /// The dataset's tasks.
    pub dataset: &'a Dataset,
    /// Options of the run's scoring. The judges are filled in for each scoring.
    pub options: EvaluationOptions,
    /// Questions of the run with all their verdicts.
    pub items: Vec<Item>,
}

/// Question of a run with all its verdicts.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Level of the task.
    pub level: Level,
    /// Id of the task.
    pub task: String,
    /// Metric that asks the question.
    pub metric: MetricId,
    /// [`JudgeQuestion::hash`].
    pub hash: String,
    /// Number of answers that a judge must give: three votes on SR, one answer on all other
    /// metrics.
    pub votes: usize,
    /// Verdicts of each judge: the votes in order, including failures.
    pub verdicts: BTreeMap<String, Vec<Verdict>>,
    /// Human overrides, the oldest first.
    pub people: Vec<PersonsWord>,
}

/// Human override of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonsWord {
    /// Judge whose answer the override replaces; null for all judges.
    pub judge: Option<String>,
    /// Name of the person.
    pub by: String,
    /// Answer of the person.
    pub opinion: Opinion,
}

/// State of a judge's answers to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The judge gave the required number of answers.
    Answered,
    /// An answer failed or cannot be used.
    Failed,
    /// The judge gave no answer, or fewer answers than required.
    Missing,
}

impl Item {
    /// Creates a question without verdicts.
    pub fn new(question: &JudgeQuestion) -> Self {
        Self {
            level: question.level.clone(),
            task: question.task_id.clone(),
            metric: question.metric,
            hash: question.hash(),
            votes: match question.votes {
                Votes::FirstJudge(votes) => votes.max(1),
                Votes::EachJudge => 1,
            },
            verdicts: BTreeMap::new(),
            people: Vec::new(),
        }
    }

    /// Whether the question is a yes-or-no question; otherwise it asks for a grade.
    pub fn is_yes_no(&self) -> bool {
        is_yes_no(self.metric)
    }

    /// State of a judge's answers to the question.
    pub fn standing(&self, judge: &str) -> Standing {
        let verdicts = self.counting(judge);
        if verdicts.iter().any(|verdict| verdict.failure().is_some()) {
            Standing::Failed
        } else if verdicts.len() == self.votes {
            Standing::Answered
        } else {
            Standing::Missing
        }
    }

    /// Answer of a judge: the majority of its votes as 1 or 0, or its grade. `None` if the judge
    /// has not given the required number of answers.
    pub fn answer(&self, judge: &str) -> Option<i64> {
        let votes = self.votes_of(judge)?;
        Some(if self.is_yes_no() {
            let yes = votes.iter().filter(|vote| **vote > 0).count();
            i64::from(majority(yes, votes.len()))
        } else {
            *votes.first()?
        })
    }

    /// Score of the task with this judge alone: 1 or 0 by the majority of its votes, or
    /// `(grade − 1) / 4`.
    pub fn score(&self, judge: &str) -> Option<f64> {
        self.answer(judge).map(|answer| score(self.metric, answer))
    }

    /// Answer of a judge on a scale from 0 to 1: the share of yes among its votes, or `(grade − 1)
    /// / 4`.
    fn share(&self, judge: &str) -> Option<f64> {
        let votes = self.votes_of(judge)?;
        Some(if self.is_yes_no() {
            votes.iter().sum::<i64>() as f64 / votes.len() as f64
        } else {
            (*votes.first()? - 1) as f64 / 4.0
        })
    }

    /// First verdicts of a judge, in order and not more than the required number
    /// ([`Item::votes`]). Further verdicts do not count.
    fn counting(&self, judge: &str) -> &[Verdict] {
        let verdicts = self.verdicts.get(judge).map_or(&[][..], Vec::as_slice);
        &verdicts[..verdicts.len().min(self.votes)]
    }

    fn votes_of(&self, judge: &str) -> Option<Vec<i64>> {
        if self.standing(judge) != Standing::Answered {
            return None;
        }
        let number = |verdict: &Verdict| match &verdict.answer {
            Answer::Answered(opinion) => opinion.success.map(i64::from).or(opinion.score),
            Answer::Failed { .. } => None,
        };
        self.counting(judge).iter().map(number).collect()
    }
}

/// Names of all judges with a verdict on any question.
pub fn judges(subjects: &[Subject<'_>]) -> Vec<String> {
    let names: BTreeSet<&String> = items(subjects).flat_map(|(_, item)| item.verdicts.keys()).collect();
    names.into_iter().cloned().collect()
}

/// All questions, each with the index of its run.
fn items<'a>(subjects: &'a [Subject<'_>]) -> impl Iterator<Item = (usize, &'a Item)> {
    let numbered = subjects.iter().enumerate();
    numbered.flat_map(|(place, subject)| subject.items.iter().map(move |item| (place, item)))
}

/// Score of an answer, from 0 to 1: 1 for yes, 0 for no, `(grade − 1) / 4` for a grade.
pub fn score(metric: MetricId, answer: i64) -> f64 {
    if is_yes_no(metric) { answer as f64 } else { (answer - 1).clamp(0, 4) as f64 / 4.0 }
}

/// Whether judges answer a metric's questions with yes or no; otherwise they give a grade.
fn is_yes_no(metric: MetricId) -> bool {
    AnswerSchema::for_metric(metric).is_some_and(|schema| schema.has("success"))
}

/// Metrics that have questions for judges, in report order.
fn judged_metrics() -> impl Iterator<Item = MetricId> {
    MetricId::ALL.into_iter().filter(|metric| AnswerSchema::for_metric(*metric).is_some())
}
