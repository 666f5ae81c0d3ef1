//! What crosses to the UI about verdicts: the stored ones, what people said instead, the default
//! panel, and what asking would take.

use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A person's word against a judge's.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverrideRequest {
    /// Run id.
    pub run: String,
    /// Task id.
    pub task: String,
    /// Metric as published, such as `SR`.
    pub metric: String,
    /// Whose answer it stands for; null for all judges.
    pub judge: Option<String>,
    /// Yes or no, for SR and `EffScore`.
    pub success: Option<bool>,
    /// Grade from 1 to 5, for the others.
    pub score: Option<u8>,
    /// Who says so.
    pub by: String,
    /// Why.
    pub why: String,
}

/// Which override to take back.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverrideRemoval {
    /// Run id.
    pub run: String,
    /// Task id.
    pub task: String,
    /// Metric.
    pub metric: String,
    /// As in the request that made it.
    pub judge: Option<String>,
    /// Who takes it back.
    pub by: String,
}

/// An override that holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverrideRow {
    /// Run where it was said.
    pub run: String,
    /// Task.
    pub task: String,
    /// Metric.
    pub metric: String,
    /// Whose answer it stands for; null for all judges.
    pub judge: Option<String>,
    /// Yes or no.
    pub success: Option<bool>,
    /// Grade from 1 to 5.
    pub score: Option<u8>,
    /// Who said so.
    pub by: String,
    /// Why.
    pub why: String,
    /// When, UTC, ISO 8601.
    pub at: String,
    /// Whether the question is still the one it answers; null when that was not looked up. One that
    /// does not apply any more changes no score.
    pub applies: Option<bool>,
}

/// What one judge said once, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StoredVerdict {
    /// Judge model id.
    pub judge: String,
    /// The how-manieth vote of this judge, from 1.
    pub vote: u32,
    /// Tells servers and prompt files apart: verdicts of one judge with different marks were not
    /// asked in the same way.
    pub asked_with: String,
    /// Yes or no.
    pub success: Option<bool>,
    /// Grade from 1 to 5.
    pub score: Option<u8>,
    /// The judge's confidence, 0 to 1, where it is asked for.
    pub confidence: Option<f64>,
    /// The judge's reason.
    pub reason: Option<String>,
    /// Why there is no answer; null when there is one. It is asked for again at the next scoring.
    pub failure: Option<Sentence>,
    /// When it came, UTC, ISO 8601.
    pub at: String,
}

/// A question to the judges and everything that is stored about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QuestionVerdicts {
    /// The metric that asks.
    pub metric: String,
    /// The scorers that ask exactly this.
    pub scorers: Vec<Protocol>,
    /// Hash of the question; verdicts and overrides belong to it.
    pub hash: String,
    /// System message.
    pub system: String,
    /// User message.
    pub prompt: String,
    /// Whether yes or no is asked, else a grade from 1 to 5.
    pub yes_no: bool,
    /// Whether only the first judge answers, with several votes.
    pub first_judge_only: bool,
    /// What the judges said, by judge and vote; empty when nobody was asked.
    pub verdicts: Vec<StoredVerdict>,
    /// What people said instead and holds.
    pub overrides: Vec<OverrideRow>,
}

/// Everything that judges and people said about a task of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskVerdicts {
    /// Run id.
    pub run: String,
    /// Task id.
    pub task: String,
    /// Questions in report order. A metric stands here twice when the two scorers ask differently.
    pub questions: Vec<QuestionVerdicts>,
    /// Judged metrics that the log alone decides here, so that nobody is asked.
    pub decided_by_log: Vec<String>,
    /// Overrides on this task that do not apply any more, because the question has changed since.
    pub outdated: Vec<OverrideRow>,
}

/// A judge of the default panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DefaultJudge {
    /// `provider/model`.
    pub id: String,
    /// Name of the key that it needs.
    pub key: String,
    /// Whether that key is there.
    pub present: bool,
}

/// What asking one judge is expected to take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeEstimate {
    /// `provider/model`.
    pub judge: String,
    /// Answers that are stored already and cost nothing.
    pub known: u32,
    /// Calls to make.
    pub calls: f64,
    /// Prompt tokens.
    pub prompt_tokens: f64,
    /// Completion tokens.
    pub completion_tokens: f64,
    /// USD; null when the judge's price is not known.
    pub usd: Option<f64>,
}

/// What a scoring would ask.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EvaluatePlan {
    /// Run id.
    pub run: String,
    /// Levels with a log.
    pub levels: Vec<Level>,
    /// Attempts a task that judges are asked about: all that the run made, unless only the first
    /// are wanted.
    pub attempts: u32,
    /// A judge each; empty when nobody would be asked.
    pub judges: Vec<JudgeEstimate>,
    /// USD of all judges; null when the price of one that would be asked is not known.
    pub usd: Option<f64>,
    /// Where the token figures come from.
    pub from: Sentence,
    /// Why nobody would be asked, or what else is to be known.
    pub notes: Vec<Sentence>,
}
