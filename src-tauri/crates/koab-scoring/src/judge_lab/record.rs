//! The stored form of a queue of questions for a blind review by a person: the data that the
//! reviewer may see, the hidden data, and the random draw of the questions.

use super::gather::LabInput;
use koab_analysis::judge_lab::{Blinder, Pick, ShownInput, shown_inputs};
use koab_core::judge::AnswerSchema;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_library::{BlindAnswer, QueueDraw, QueueSummary};
use koab_store::queues::StoredQueue;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The stored form of a queue.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct QueueRecord {
    pub(super) by: String,
    pub(super) seed: u64,
    pub(super) scorer: Protocol,
    pub(super) runs: Vec<String>,
    pub(super) questions: Vec<QueueQuestion>,
    /// The random draw; null for a queue of the most disputed questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) draw: Option<Draw>,
}

/// The stored form of a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct QueueQuestion {
    pub(super) run: String,
    pub(super) model: String,
    pub(super) task: String,
    pub(super) metric: MetricId,
    pub(super) hash: String,
    pub(super) weight: f64,
    pub(super) disagreement: f64,
    pub(super) effect: f64,
    pub(super) swaps: f64,
    /// Answers of the judges: for yes or no 1 or 0, otherwise a grade.
    pub(super) judges: BTreeMap<String, i64>,
    pub(super) inputs: Vec<ShownInput>,
}

/// A random draw of questions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Draw {
    pub(super) metric: MetricId,
    /// Probability of each question of the runs to be in the queue.
    pub(super) probability: f64,
    /// Number of questions that the queue was drawn from. Questions with the same text count once.
    pub(super) questions: u32,
    /// All questions of each run, drawn or not.
    pub(super) population: Vec<Member>,
}

/// A question of a run, drawn or not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Member {
    pub(super) run: String,
    pub(super) model: String,
    /// 1-based position in the random order. The first positions are the questions of the queue.
    pub(super) place: u32,
    /// Scores of the judges at the time of the draw, from 0 to 1.
    pub(super) judges: BTreeMap<String, f64>,
}

impl QueueQuestion {
    pub(super) fn new(of: &LabInput, at: usize, blinder: &Blinder, pick: Option<&Pick>) -> Self {
        let item = &of.items[at];
        let judges = item.verdicts.keys();
        Self {
            run: of.run.entry.id.clone(),
            model: of.model.clone(),
            task: item.task.clone(),
            metric: item.metric,
            hash: item.hash.clone(),
            weight: pick.map_or(0.0, |pick| pick.weight),
            disagreement: pick.map_or(0.0, |pick| pick.disagreement),
            effect: pick.map_or(0.0, |pick| pick.effect),
            swaps: pick.map_or(0.0, |pick| pick.swaps),
            judges: judges.filter_map(|judge| Some((judge.clone(), item.answer(judge)?))).collect(),
            inputs: shown_inputs(item, &of.asked[at].1, &of.run.logs, blinder),
        }
    }

    pub(super) fn is_yes_no(&self) -> bool {
        AnswerSchema::for_metric(self.metric).is_some_and(|schema| schema.has("success"))
    }
}

/// A queue with its answers, by question number.
pub(super) struct OpenQueue {
    pub(super) stored: StoredQueue,
    pub(super) kept: QueueRecord,
    pub(super) answers: BTreeMap<u32, BlindAnswer>,
}

impl OpenQueue {
    pub(super) fn summary(&self) -> QueueSummary {
        QueueSummary {
            id: self.stored.id.clone(),
            by: self.kept.by.clone(),
            runs: self.kept.runs.clone(),
            questions: self.kept.questions.len() as u32,
            answered: self.answers.len() as u32,
            made_at: self.stored.made_at.clone(),
            revealed_at: self.stored.revealed_at.clone(),
            applied_at: self.stored.applied_at.clone(),
            seed: self.kept.seed,
            draw: self.kept.draw.as_ref().map(|draw| QueueDraw {
                metric: draw.metric,
                probability: draw.probability,
                of: draw.questions,
            }),
        }
    }

    pub(super) fn numbered(&self) -> impl Iterator<Item = (u32, &QueueQuestion)> {
        (1..).zip(&self.kept.questions)
    }
}
