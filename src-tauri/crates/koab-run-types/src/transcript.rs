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
    /// The model answered, right or wrong.
    Answered,
    /// The attempt ended without an answer.
    Unanswered,
    /// The attempt ended for a technical reason, for example an unreachable server or a timeout.
    Failed,
    /// The log's entry cannot be read as a task, so it is in no score.
    Unreadable,
}

/// A task of a run in a list. With several repetitions, the figures are those of the first one that
/// ended.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunTask {
    /// Task id.
    pub id: String,
    /// Level of the task.
    pub level: Level,
    /// The user's instruction; null where neither the log nor the pack contains it.
    pub instruction: Option<String>,
    /// Status of the task.
    pub status: TaskStatus,
    /// The published `success`: the attempt ended with an answer. Null before the end, and where
    /// the log does not contain it.
    pub success: Option<bool>,
    /// Reason for the attempt's end; null where the log does not contain it.
    pub stop: Option<StopReason>,
    /// Error of the attempt, or the reason why an entry is unreadable; null without one.
    pub error: Option<Sentence>,
    /// Number of tool calls.
    pub calls: Option<u32>,
    /// Number of model turns.
    pub steps: Option<u32>,
    /// Milliseconds from start to end.
    pub took_ms: Option<f64>,
    /// Prompt plus completion tokens; null when none were reported.
    pub total_tokens: Option<u64>,
    /// Number of repetitions that ended.
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
    /// Pack `name@version`; null when the run does not record it.
    pub pack: Option<String>,
    /// Protocol; null when the run does not record it.
    pub protocol: Option<Protocol>,
    /// `task_category` of the dataset.
    pub category: Option<String>,
    /// The user's instruction; for a conversation, its first turn.
    pub instruction: String,
    /// The whole task as its pack defines it; null when no installed pack has it.
    #[ts(type = "unknown")]
    pub dataset: Option<Exact>,
    /// Instruction of the installed pack's task with the same id, where it differs from the run's.
    /// `dataset` is then null.
    pub other_instruction: Option<String>,
    /// The failure that the task injects (L5).
    pub injection: Option<Injection>,
    /// The golden path, then the fallbacks.
    pub golden: Vec<GoldenCall>,
    /// Repetitions, the first one first.
    pub repetitions: Vec<Repetition>,
    /// The requested repetition; null before its end.
    pub attempt: Option<TranscriptAttempt>,
    /// Whether this process is making the run and the attempt has not ended, so that its
    /// conversation still grows.
    pub under_way: bool,
    /// Whether the scores below belong to this attempt. The published log keeps only the first
    /// repetition, and nothing of a single-turn attempt that failed.
    pub attempt_is_scored: bool,
    /// Every metric of the level, in the report's order; empty before the attempt can be scored.
    pub metrics: Vec<MetricScores>,
    /// Verdicts of the judges, in the order of asking.
    pub verdicts: Vec<JudgeVerdict>,
    /// Questions to the judges, as far as the pack's prompts are available.
    pub questions: Vec<JudgeQuestionText>,
    /// The reports whose verdicts the scores use.
    pub reports: Vec<ReportUsed>,
    /// Reason why no attempt at the task can be forked; left out where one can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub no_fork: Option<Sentence>,
}

/// A task's entries in the run's files.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RawTranscript {
    /// The task's entry in the level log; null without one.
    #[ts(type = "unknown")]
    pub log: Option<Exact>,
    /// The attempt's record in the journal; null without one, as in published runs.
    #[ts(type = "unknown")]
    pub attempt: Option<Exact>,
}

/// A tool failure that a task injects.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Injection {
    /// The tool that fails.
    pub tool: String,
    /// Kind of failure, in the dataset's terms.
    pub error_type: Option<String>,
}

/// An entry of the golden path, or a fallback.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GoldenCall {
    /// Kind of the entry.
    pub kind: GoldenKind,
    /// Tool name; null where the entry calls no tool.
    pub tool: Option<String>,
    /// Arguments of the golden call, by name.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// Step of the path, where the task numbers them.
    pub step: Option<i64>,
    /// Whether the dataset's own turns made this call before the tested one.
    pub seeded: bool,
    /// Index of the attempt's call that matches the entry; null without one.
    pub call: Option<usize>,
}

/// One repetition in the selector of repetitions.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Repetition {
    /// 1-based number of the repetition.
    pub repetition: u32,
    /// Status of the repetition.
    pub status: TaskStatus,
    /// Whether the conversation was kept; the published log has only the first repetition's.
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
    /// The published `success`; null where the log does not contain it.
    pub success: Option<bool>,
    /// Reason for the attempt's end; null in published logs.
    pub stop: Option<StopReason>,
    /// Error of the attempt; null without one.
    pub error: Option<Sentence>,
    /// Milliseconds from start to end; null where the log does not contain them.
    pub took_ms: Option<f64>,
    /// Number of model turns.
    pub steps: u32,
    /// Prompt tokens of all turns; null when none were reported.
    pub prompt_tokens: Option<u64>,
    /// Completion tokens of all turns; null when none were reported.
    pub completion_tokens: Option<u64>,
    /// Milliseconds to the first token, mean of the turns that streamed; null when none did.
    pub ttft_ms: Option<f64>,
    /// The final answer; null without one.
    pub final_response: Option<String>,
    /// Whether the final answer is the dataset's own and not the model's (L6, L7).
    pub answer_is_seeded: bool,
    /// The conversation in order.
    pub turns: Vec<TranscriptTurn>,
    /// Tool calls in order; turns refer to them by index.
    pub calls: Vec<TranscriptCall>,
    /// Whether each turn's times and tokens are known. Published logs have only sums.
    pub has_timing: bool,
    /// Conduct of the agent apart from its steps and calls. Left out where this program drove the
    /// model, and before the attempt's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agent: Option<AgentConduct>,
}

/// One turn of the conversation.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TranscriptTurn {
    /// Speaker of the turn.
    pub speaker: Speaker,
    /// Whether the dataset put the turn into the conversation.
    pub seeded: bool,
    /// Text of the turn; empty when the model only called tools.
    pub text: String,
    /// Answer of a seeded tool call.
    #[ts(type = "unknown")]
    pub content: Option<Exact>,
    /// 1-based step of the attempt; null for turns that are not the model's own.
    pub step: Option<u32>,
    /// Times and tokens of the step; null where they were not recorded.
    pub timing: Option<StepTiming>,
    /// Indices of the turn's calls among the attempt's calls.
    pub calls: Vec<usize>,
}

/// Times and tokens of one model turn.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StepTiming {
    /// 1, or 2 in the phase with fallback tools.
    pub phase: u8,
    /// Milliseconds to the first token; null when the server did not stream.
    pub ttft_ms: Option<f64>,
    /// Milliseconds until the answer was complete.
    pub latency_ms: f64,
    /// Prompt tokens; null when the server reported none.
    pub prompt_tokens: Option<u64>,
    /// Completion tokens; null when the server reported none.
    pub completion_tokens: Option<u64>,
    /// Finish reason; an unknown one in the server's words.
    pub finish: Option<String>,
    /// Parts of the conversation that the prompt omitted, because the context was full; null when
    /// it was complete.
    pub left_out: Option<LeftOut>,
    /// Raw output of a model inside this application, where thoughts or calls were extracted from
    /// it.
    pub written: Option<String>,
}

/// One tool call, compared with the golden path.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TranscriptCall {
    /// 1-based step; null where the log does not contain it.
    pub step: Option<u32>,
    /// Tool name as the model wrote it.
    pub tool: String,
    /// Arguments as the model gave them.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// The argument text, where it is not valid JSON.
    pub unreadable: Option<String>,
    /// Whether the call has a result; null where the log does not contain it.
    pub success: Option<bool>,
    /// The error that the model received in place of a result.
    pub error: Option<Sentence>,
    /// The party that the error is attributed to; null where the log does not contain it.
    pub owner: Option<FaultOwner>,
    /// Source of the response; null where the log does not contain it.
    pub source: Option<AnswerSource>,
    /// The result that the model received.
    #[ts(type = "unknown")]
    pub result: Option<Exact>,
    /// Relation of the call to the golden path.
    pub place: CallPlace,
    /// Index of the golden entry that the call is compared with.
    pub golden: Option<usize>,
    /// The call's arguments, each compared with the golden entry's.
    pub beside: Vec<ArgumentBeside>,
}

/// An argument compared with the golden one.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ArgumentBeside {
    /// Argument name.
    pub name: String,
    /// Golden value. Null also where the golden entry lacks the argument; `state` has the
    /// distinction.
    #[ts(type = "unknown")]
    pub golden: Exact,
    /// The model's value. Null also where the call lacks the argument; `state` has the distinction.
    #[ts(type = "unknown")]
    pub given: Exact,
    /// Result of the comparison.
    pub state: ArgumentState,
}

/// A metric under both scorers.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricScores {
    /// The metric.
    pub metric: MetricId,
    /// Whether judges may decide the metric.
    pub judged: bool,
    /// Score under the leaderboard scorer, as published.
    pub leaderboard: MetricScore,
    /// Score under the corrected scorer, without the published faults.
    pub corrected: MetricScore,
}

/// A score with its reason and evidence.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricScore {
    /// The score; null when it is unknown or the metric does not apply to this task.
    pub value: Option<f64>,
    /// Reason for a missing score, or the error that counts as 0.
    pub reason: Option<Sentence>,
    /// The score with human overrides; null without any.
    pub overridden: Option<Overridden>,
    /// Whether the metric applies to this task.
    pub applies: bool,
    /// Whether a judge decides here; else the log alone does.
    pub asks_judge: bool,
    /// Details of the metric's computation, in the form of the published reports.
    #[ts(type = "unknown")]
    pub details: Option<Exact>,
    /// The calls that the metric considered.
    pub calls: Vec<CallEvidence>,
}

/// A score with human overrides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Overridden {
    /// The score; null when it is still unknown.
    pub value: Option<f64>,
    /// Reason for a missing score, or the error that counts as 0.
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
    /// Answer to a yes-or-no question; else null.
    pub success: Option<bool>,
    /// Grade from 1 to 5; null for a yes-or-no question.
    pub grade: Option<i64>,
    /// The judge's reason; null where the report does not contain it.
    pub reason: Option<String>,
    /// Reason for a missing answer; null when the judge answered.
    pub failure: Option<Sentence>,
    /// Whether the grade was computed back from the score, since reports do not contain it
    /// (`ArgAcc`).
    pub worked_back: bool,
    /// Id of the report that recorded the verdict.
    pub report: String,
}

/// A question to the judges.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeQuestionText {
    /// The metric.
    pub metric: MetricId,
    /// Scorer that asks this form of the question.
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
    /// Scorer of the report.
    pub scorer: Protocol,
}
