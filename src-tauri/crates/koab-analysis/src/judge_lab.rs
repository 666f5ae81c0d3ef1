//! The judge lab: what several judges make of the same runs, from verdicts that are there. Asks
//! nobody.
//!
//! Who has answered what is [`coverage`], how far judges agree and how sure that is [`agreement`],
//! what each of them does to scores and ranks [`effect`], which questions a person should look at
//! [`queue`], and what came of it [`against_people`]. Where verdicts come from and what is asked is
//! not known here; the definitions are in `docs/design/judges.md`.

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

/// A run that is looked at.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Run id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Its logs.
    pub logs: &'a [LevelLog],
    /// The dataset's tasks.
    pub dataset: &'a Dataset,
    /// How it is scored; whose verdicts count is put in by whoever scores.
    pub options: EvaluationOptions,
    /// Its questions with everything that was said on them.
    pub items: Vec<Item>,
}

/// A question of a run with everything that was said on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Level of the task.
    pub level: Level,
    /// The task.
    pub task: String,
    /// The metric that asks.
    pub metric: MetricId,
    /// [`JudgeQuestion::hash`].
    pub hash: String,
    /// Answers that it takes of one judge: three votes on SR, one on all others.
    pub votes: usize,
    /// What each judge said, its votes in order, failures among them.
    pub verdicts: BTreeMap<String, Vec<Verdict>>,
    /// What people said instead, the oldest first.
    pub people: Vec<PersonsWord>,
}

/// A person's word on a question.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonsWord {
    /// Whose answer it stands for; null for all judges.
    pub judge: Option<String>,
    /// Who said it.
    pub by: String,
    /// What.
    pub opinion: Opinion,
}

/// What a judge has done about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It answered as often as is asked.
    Answered,
    /// An answer failed or cannot be used.
    Failed,
    /// It was not asked, or not often enough.
    Missing,
}

impl Item {
    /// A question on which nobody has said anything yet.
    pub fn new(question: &JudgeQuestion) -> Self {
        Self {
            level: question.level,
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

    /// Whether yes or no is asked, else a grade.
    pub fn is_yes_no(&self) -> bool {
        is_yes_no(self.metric)
    }

    /// What a judge has done about it.
    pub fn standing(&self, judge: &str) -> Standing {
        let said = self.counting(judge);
        if said.iter().any(|verdict| verdict.failure().is_some()) {
            Standing::Failed
        } else if said.len() == self.votes {
            Standing::Answered
        } else {
            Standing::Missing
        }
    }

    /// A judge's answer: the majority of its votes as 1 or 0, or its grade. Null unless it has
    /// answered.
    pub fn answer(&self, judge: &str) -> Option<i64> {
        let votes = self.votes_of(judge)?;
        Some(if self.is_yes_no() {
            let yes = votes.iter().filter(|vote| **vote > 0).count();
            i64::from(majority(yes, votes.len()))
        } else {
            *votes.first()?
        })
    }

    /// What a report has of a judge alone: 1 or 0 by the majority of its votes, or the grade as
    /// `(grade − 1) / 4`.
    pub fn score(&self, judge: &str) -> Option<f64> {
        self.answer(judge).map(|answer| score(self.metric, answer))
    }

    /// A judge's answer on 0 to 1: the share of its votes that are yes, or the grade as `(grade − 1)
    /// / 4`.
    fn share(&self, judge: &str) -> Option<f64> {
        let votes = self.votes_of(judge)?;
        Some(if self.is_yes_no() {
            votes.iter().sum::<i64>() as f64 / votes.len() as f64
        } else {
            (*votes.first()? - 1) as f64 / 4.0
        })
    }

    /// The verdicts of a judge that count, in order.
    fn counting(&self, judge: &str) -> &[Verdict] {
        let said = self.verdicts.get(judge).map_or(&[][..], Vec::as_slice);
        &said[..said.len().min(self.votes)]
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

/// Everybody who said anything about any question, by name.
pub fn judges(subjects: &[Subject<'_>]) -> Vec<String> {
    let names: BTreeSet<&String> = items(subjects).flat_map(|(_, item)| item.verdicts.keys()).collect();
    names.into_iter().cloned().collect()
}

/// All questions with the place of their run.
fn items<'a>(subjects: &'a [Subject<'_>]) -> impl Iterator<Item = (usize, &'a Item)> {
    let numbered = subjects.iter().enumerate();
    numbered.flat_map(|(place, subject)| subject.items.iter().map(move |item| (place, item)))
}

/// An answer as it is scored, from 0 to 1: yes or no is 1 or 0, a grade `(grade − 1) / 4`.
pub fn score(metric: MetricId, answer: i64) -> f64 {
    if is_yes_no(metric) { answer as f64 } else { (answer - 1).clamp(0, 4) as f64 / 4.0 }
}

/// Whether a metric's judges say yes or no, else a grade.
fn is_yes_no(metric: MetricId) -> bool {
    AnswerSchema::for_metric(metric).is_some_and(|schema| schema.has("success"))
}

/// The metrics that ask judges, in report order.
fn judged_metrics() -> impl Iterator<Item = MetricId> {
    MetricId::ALL.into_iter().filter(|metric| AnswerSchema::for_metric(*metric).is_some())
}
