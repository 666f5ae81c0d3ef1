//! Transcripts, as sent to the UI.

use super::{AgentConduct, Exact};
use koab_core::event::AnswerSource;
use koab_core::fork::Speaker;
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::{LeftOut, StopReason};
use koab_core::score::{ArgumentState, CallEvidence, CallPlace, GoldenKind, MetricId};
use koab_core::sentence::Sentence;
use koab_core::tool::FaultOwner;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Status of a task of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TaskStatus {
    /// The task is planned, and no attempt has ended.
    Waiting,
    /// The model gave an answer, right or wrong.
    Answered,
    /// The attempt ended without an answer of the model.
    Unanswered,
    /// The attempt ended for a technical reason, for example an unreachable server or a timeout.
    Failed,
    /// The entry in the log cannot be read as a task, so it is not scored.
    Unreadable,
}

/// A task of a run in a list. If the task has several repetitions, the figures are those of the
/// first that ended.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunTask {
    /// Task id.
    pub id: String,
    /// Level of the task.
    pub level: Level,
    /// Instruction of the user; null if neither the log nor the pack contains it.
    pub instruction: Option<String>,
    /// Status of the task.
    pub status: TaskStatus,
    /// Published `success`: whether the attempt ended with an answer. Null before the end, and if
    /// the log does not contain it.
    pub success: Option<bool>,
    /// Reason why the attempt ended; null if the log does not contain it.
    pub stop: Option<StopReason>,
    /// Error of the attempt, or the reason why an entry is unreadable; null if there is no error.
    pub error: Option<Sentence>,
    /// Number of tool calls.
    pub calls: Option<u32>,
    /// Number of model turns.
    pub steps: Option<u32>,
    /// Milliseconds from start to end.
    pub took_ms: Option<f64>,
    /// Number of prompt and completion tokens; null if the server reported none.
    pub total_tokens: Option<u64>,
    /// Number of repetitions that have ended.
    pub repetitions: u32,
}

/// One task of a run with its conversation, scores and verdicts.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Transcript {
    /// Run id.
    pub run: String,
    /// Task id.
    pub task: String,
    /// Level of the task.
    pub level: Level,
    /// Model id.
    pub model: String,
    /// Pack, `name@version`; null if the run does not contain it.
    pub pack: Option<String>,
    /// Protocol; null if the run does not contain it.
    pub protocol: Option<Protocol>,
    /// The field `task_category` of the dataset.
    pub category: Option<String>,
    /// Instruction of the user. For a conversation, the first turn.
    pub instruction: String,
    /// The complete task as its pack defines it; null if no installed pack has the task.
    #[ts(type = "unknown")]
    pub dataset: Option<Exact>,
    /// Instruction of the installed pack's task with the same id, if it differs from the run's
    /// instruction. `dataset` is then null.
    pub other_instruction: Option<String>,
    /// The failure that the task injects (L5).
    pub injection: Option<Injection>,
    /// The golden path, followed by the fallbacks.
    pub golden: Vec<GoldenCall>,
    /// All repetitions of the task, the first repetition first.
    pub repetitions: Vec<Repetition>,
    /// The requested repetition; null before its first step.
    pub attempt: Option<TranscriptAttempt>,
    /// Whether the conversation may still grow: this process is making the run, and the attempt has
    /// not ended.
    pub under_way: bool,
    /// Whether the scores in this struct belong to the requested attempt. The published log
    /// contains only the first repetition, and nothing of a single-turn attempt that failed.
    pub attempt_is_scored: bool,
    /// Scores of every metric of the level, in the order of the report. Empty before the attempt
    /// can be scored.
    pub metrics: Vec<MetricScores>,
    /// Verdicts of the judges, in the order of asking.
    pub verdicts: Vec<JudgeVerdict>,
    /// Questions to the judges, if the prompts of the pack are available.
    pub questions: Vec<JudgeQuestionText>,
    /// The reports whose verdicts the scores use.
    pub reports: Vec<ReportUsed>,
    /// Reason why no attempt at the task can be forked; left out if forks are possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub no_fork: Option<Sentence>,
}

/// A task's entries in the run's files.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RawTranscript {
    /// The task's entry in the level log; null if there is no entry.
    #[ts(type = "unknown")]
    pub log: Option<Exact>,
    /// The attempt's record in the journal; null if there is no record, as in published runs.
    #[ts(type = "unknown")]
    pub attempt: Option<Exact>,
}

/// A tool failure that a task injects.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Injection {
    /// The tool that fails.
    pub tool: String,
    /// Kind of failure, in the words of the dataset.
    pub error_type: Option<String>,
}

/// An entry of the golden path, which has the calls that the dataset's authors expect, or a
/// fallback for a tool whose failure the task injects.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GoldenCall {
    /// Kind of the entry.
    pub kind: GoldenKind,
    /// Tool name; null if the entry does not call a tool.
    pub tool: Option<String>,
    /// Arguments of the golden call, by name.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// Number of the step in the golden path, if the task numbers its steps.
    pub step: Option<i64>,
    /// Whether the call belongs to a seeded turn, before the turn that is tested.
    pub seeded: bool,
    /// Index of the call of the attempt that matches this entry; null if no call matches.
    pub call: Option<usize>,
}

/// A repetition in the list where the user selects one.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Repetition {
    /// 1-based number of the repetition.
    pub repetition: u32,
    /// Status of the repetition.
    pub status: TaskStatus,
    /// Whether the run's files contain the conversation. The published log has only that of the
    /// first repetition.
    pub kept: bool,
}

/// One attempt at the task.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TranscriptAttempt {
    /// 1-based repetition.
    pub repetition: u32,
    /// Status of the attempt.
    pub status: TaskStatus,
    /// Published `success`; null if the log does not contain it.
    pub success: Option<bool>,
    /// Reason why the attempt ended; null in published logs.
    pub stop: Option<StopReason>,
    /// Error of the attempt; null if there is no error.
    pub error: Option<Sentence>,
    /// Milliseconds from start to end; null if the log does not contain them.
    pub took_ms: Option<f64>,
    /// Number of model turns.
    pub steps: u32,
    /// Number of prompt tokens of all turns; null if the server reported none.
    pub prompt_tokens: Option<u64>,
    /// Number of completion tokens of all turns; null if the server reported none.
    pub completion_tokens: Option<u64>,
    /// Mean milliseconds to the first token, over the turns that were streamed; null if no turn
    /// was.
    pub ttft_ms: Option<f64>,
    /// The final answer; null if the attempt gave no answer.
    pub final_response: Option<String>,
    /// Whether the final answer is one of the dataset's seeded turns and not the model's answer
    /// (L6, L7).
    pub answer_is_seeded: bool,
    /// All turns of the conversation in order.
    pub turns: Vec<TranscriptTurn>,
    /// All tool calls in order. Turns refer to calls by their index.
    pub calls: Vec<TranscriptCall>,
    /// Whether each turn's times and tokens are known. Published logs have only sums.
    pub has_timing: bool,
    /// Conduct of the agent apart from its steps and calls. Left out if this program drove the
    /// model, and before the attempt has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agent: Option<AgentConduct>,
}

/// One turn of the conversation.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TranscriptTurn {
    /// Speaker of the turn: the system, the user, the model or a tool.
    pub speaker: Speaker,
    /// Whether the dataset put the turn into the conversation.
    pub seeded: bool,
    /// Text of the turn; empty if the model only called tools.
    pub text: String,
    /// Answer to a seeded tool call, as the dataset contains it.
    #[ts(type = "unknown")]
    pub content: Option<Exact>,
    /// 1-based step of the attempt; null for turns that the model did not make.
    pub step: Option<u32>,
    /// Times and tokens of the step; null if they were not recorded.
    pub timing: Option<StepTiming>,
    /// Indices of the turn's calls among the attempt's calls.
    pub calls: Vec<usize>,
}

/// Times and tokens of one model turn.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StepTiming {
    /// Phase of the attempt: 2 if the model has fallback tools, otherwise 1.
    pub phase: u8,
    /// Milliseconds to the first token; null if the server did not stream.
    pub ttft_ms: Option<f64>,
    /// Milliseconds until the answer was complete.
    pub latency_ms: f64,
    /// Number of prompt tokens; null if the server reported none.
    pub prompt_tokens: Option<u64>,
    /// Number of completion tokens; null if the server reported none.
    pub completion_tokens: Option<u64>,
    /// Finish reason. An unknown reason is in the words of the server.
    pub finish: Option<String>,
    /// Parts of the conversation that were left out of the prompt, because the context was full;
    /// null if the prompt was complete.
    pub left_out: Option<LeftOut>,
    /// Raw output of a model inside this application, if thoughts or calls were extracted from the
    /// output.
    pub written: Option<String>,
}

/// One tool call, compared with the golden path.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TranscriptCall {
    /// 1-based step; null if the log does not contain the step.
    pub step: Option<u32>,
    /// Tool name as the model wrote it.
    pub tool: String,
    /// Arguments as the model gave them.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// Text of the arguments, if it is not valid JSON.
    pub unreadable: Option<String>,
    /// Whether the call has a result; null if the log does not contain this.
    pub success: Option<bool>,
    /// The error that the model received in place of a result.
    pub error: Option<Sentence>,
    /// The party that the error is attributed to; null if the log does not contain it.
    pub owner: Option<FaultOwner>,
    /// Source of the response; null if the log does not contain it.
    pub source: Option<AnswerSource>,
    /// The result that the model received.
    #[ts(type = "unknown")]
    pub result: Option<Exact>,
    /// Relation of the call to the golden path.
    pub place: CallPlace,
    /// Index of the golden entry that the call is compared with.
    pub golden: Option<usize>,
    /// Arguments of the call, each compared with the argument of the golden entry.
    pub beside: Vec<ArgumentBeside>,
}

/// An argument of a call, compared with the argument of the golden path.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ArgumentBeside {
    /// Argument name.
    pub name: String,
    /// Value in the golden entry. Also null if the golden entry lacks the argument; `state` shows
    /// which.
    #[ts(type = "unknown")]
    pub golden: Exact,
    /// Value that the model gave. Also null if the call lacks the argument; `state` shows which.
    #[ts(type = "unknown")]
    pub given: Exact,
    /// Result of the comparison.
    pub state: ArgumentState,
}

/// Scores of a metric under both scorers.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricScores {
    /// The metric.
    pub metric: MetricId,
    /// Whether the metric is one that judges may decide.
    pub judged: bool,
    /// Score under the leaderboard scorer, as published.
    pub leaderboard: MetricScore,
    /// Score under the corrected scorer, which fixes the faults of the published scorer.
    pub corrected: MetricScore,
}

/// A score with its reason and evidence.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricScore {
    /// The score; null if it is unknown or if the metric does not apply to the task.
    pub value: Option<f64>,
    /// Reason why the score is missing, or the error that counts as 0.
    pub reason: Option<Sentence>,
    /// The score with human overrides; null if there are no overrides.
    pub overridden: Option<Overridden>,
    /// Whether the metric applies to this task.
    pub applies: bool,
    /// Whether a judge decides this score. Otherwise the log alone decides it.
    pub asks_judge: bool,
    /// Details of the metric's computation, in the form of the published reports.
    #[ts(type = "unknown")]
    pub details: Option<Exact>,
    /// Indices of the calls that the metric considered.
    pub calls: Vec<CallEvidence>,
}

/// A score with human overrides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Overridden {
    /// The score; null if it is unknown even with the overrides.
    pub value: Option<f64>,
    /// Reason why the score is missing, or the error that counts as 0.
    pub reason: Option<Sentence>,
}

/// A judge's verdict, as a report recorded it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeVerdict {
    /// Metric of the question.
    pub metric: MetricId,
    /// Scorer of the question.
    pub scorer: Protocol,
    /// Judge model id.
    pub judge: String,
    /// 1-based number of the vote among the judge's votes.
    pub vote: u32,
    /// Answer to a yes-or-no question; null for other questions.
    pub success: Option<bool>,
    /// Grade from 1 to 5; null for a yes-or-no question.
    pub grade: Option<i64>,
    /// Reason that the judge gave; null if the report does not contain it.
    pub reason: Option<String>,
    /// Reason why there is no answer; null if the judge answered.
    pub failure: Option<Sentence>,
    /// Whether the grade was computed from the score, because reports do not contain the grade
    /// (`ArgAcc`).
    pub worked_back: bool,
    /// Id of the report that contains the verdict.
    pub report: String,
}

/// Prompt text that judges receive about this attempt for one metric.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeQuestionText {
    /// Metric of the question.
    pub metric: MetricId,
    /// Scorer that uses this form of the question.
    pub scorer: Protocol,
    /// Prompt text.
    pub prompt: String,
}

/// A report whose verdicts the scores use.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportUsed {
    /// Report id.
    pub id: String,
    /// Protocol whose rules scored the report.
    pub scorer: Protocol,
}
