//! Types for verdicts, human overrides, the default panel, and the estimates of a scoring. They are
//! sent to the UI.

use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use koab_store::overrides::VerdictPlace;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Answer of a person in the place of a judge's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct OverrideAnswer {
    /// Answer to a yes-or-no question (SR and `EffScore`); null for other questions.
    pub success: Option<bool>,
    /// Grade from 1 to 5; null for a yes-or-no question.
    pub score: Option<u8>,
    /// Name of the person who overrides the verdict.
    pub by: String,
    /// Reason for the override, in the person's words.
    pub why: String,
}

/// Request to override a verdict.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverrideRequest {
    /// Verdict to override.
    #[serde(flatten)]
    pub place: VerdictPlace,
    /// Answer of the person.
    #[serde(flatten)]
    pub answer: OverrideAnswer,
}

/// Request to remove an override.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverrideRemoval {
    /// Verdict that is overridden.
    #[serde(flatten)]
    pub place: VerdictPlace,
    /// Name of the person who removes the override.
    pub by: String,
}

/// A human override that is in effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OverrideRow {
    /// Overridden verdict.
    #[serde(flatten)]
    pub place: VerdictPlace,
    /// Answer of the person.
    #[serde(flatten)]
    pub answer: OverrideAnswer,
    /// Time of the override, UTC, ISO 8601.
    pub at: String,
    /// Whether the question is the same as at the time of the override; null if this was not
    /// checked. An override of another question changes no score.
    pub applies: Option<bool>,
}

/// A stored vote of a judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StoredVerdict {
    /// Judge model id.
    pub judge: String,
    /// 1-based number of the vote among the judge's votes.
    pub vote: u32,
    /// Identifier of the server and the prompt files that were used for the vote. Verdicts with
    /// different identifiers were requested in different ways.
    pub asked_with: String,
    /// Answer to a yes-or-no question; null for other questions.
    pub success: Option<bool>,
    /// Grade from 1 to 5; null for a yes-or-no question.
    pub score: Option<u8>,
    /// Confidence of the judge from 0 to 1, if the prompt asks for it.
    pub confidence: Option<f64>,
    /// Reason that the judge gave.
    pub reason: Option<String>,
    /// Reason why there is no answer; null if the judge answered. The next scoring repeats the
    /// call.
    pub failure: Option<Sentence>,
    /// Time of the answer, UTC, ISO 8601.
    pub at: String,
}

/// A question to the judges with its stored verdicts and overrides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QuestionVerdicts {
    /// Metric of the question.
    pub metric: MetricId,
    /// The scorers that use exactly this question.
    pub scorers: Vec<Protocol>,
    /// Hash of the question. Verdicts and overrides are stored under this hash.
    pub hash: String,
    /// System message.
    pub system: String,
    /// User message.
    pub prompt: String,
    /// Whether the answer is yes or no. Otherwise the answer is a grade from 1 to 5.
    pub yes_no: bool,
    /// Whether only the first judge answers, with several votes.
    pub first_judge_only: bool,
    /// Verdicts by judge and vote; empty before the first judge call.
    pub verdicts: Vec<StoredVerdict>,
    /// Human overrides in effect.
    pub overrides: Vec<OverrideRow>,
}

/// All verdicts and human overrides of a task of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskVerdicts {
    /// Run id.
    pub run: String,
    /// Task id.
    pub task: String,
    /// Questions in the order of the report. A metric occurs twice if the two scorers ask different
    /// questions.
    pub questions: Vec<QuestionVerdicts>,
    /// Judged metrics that the log alone decides for this task. No judge is called for them.
    pub decided_by_log: Vec<MetricId>,
    /// Overrides of verdicts on this task that have no effect, because the question has changed.
    pub outdated: Vec<OverrideRow>,
}

/// A judge of the default panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DefaultJudge {
    /// Judge model id, `provider/model`.
    pub id: String,
    /// Name of the key that the judge needs.
    pub key: String,
    /// Whether the key is present.
    pub present: bool,
}

/// Expected calls, tokens and cost of one judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeEstimate {
    /// Judge model id, `provider/model`.
    pub judge: String,
    /// Number of stored answers. They cost nothing.
    pub known: u32,
    /// Expected number of calls.
    pub calls: f64,
    /// Expected number of prompt tokens.
    pub prompt_tokens: f64,
    /// Expected number of completion tokens.
    pub completion_tokens: f64,
    /// Cost in USD; null if the price of the judge is not known.
    pub usd: Option<f64>,
}

/// Estimate of a scoring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EvaluatePlan {
    /// Run id.
    pub run: String,
    /// Levels that have a log.
    pub levels: Vec<Level>,
    /// Number of attempts per task that judges are asked about. It is 1 if judges are asked only
    /// about the first attempt.
    pub attempts: u32,
    /// Estimates, one per judge; empty if no judge would be called.
    pub judges: Vec<JudgeEstimate>,
    /// Cost of all judges in USD; null if the price of a judge to be called is not known.
    pub usd: Option<f64>,
    /// Sentence on the source of the token figures.
    pub from: Sentence,
    /// Reasons why no judge would be called, and other remarks, one sentence each.
    pub notes: Vec<Sentence>,
}
