//! What a transcript looks like to the UI.

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

/// How a task of a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum TaskStatus {
    /// Planned, and no attempt has ended.
    Waiting,
    /// The model answered, right or wrong.
    Answered,
    /// It ended without an answer.
    Unanswered,
    /// It ended for a technical reason: no server, no time.
    Failed,
    /// The log holds something that cannot be read as a task, so it is in no score.
    Unreadable,
}

/// A task of a run, as a list shows it. With several repetitions the figures are those of the first
/// one that ended.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RunTask {
    /// Task id.
    pub id: String,
    /// Its level.
    pub level: Level,
    /// What the user asked; null while neither the log nor the pack is at hand.
    pub instruction: Option<String>,
    /// How it stands.
    pub status: TaskStatus,
    /// The published `success`: it ended with an answer. Null before it ended, and where the log
    /// does not say.
    pub success: Option<bool>,
    /// Why it ended; null where the log does not say.
    pub stop: Option<StopReason>,
    /// What went wrong, when something did; of an unreadable one why it is.
    pub error: Option<Sentence>,
    /// Tool calls.
    pub calls: Option<u32>,
    /// Model turns.
    pub steps: Option<u32>,
    /// Milliseconds from start to end.
    pub took_ms: Option<f64>,
    /// Prompt plus completion tokens; null when none were reported.
    pub total_tokens: Option<u64>,
    /// Repetitions that ended.
    pub repetitions: u32,
}

/// One task of a run with everything that is known about it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Transcript {
    /// Run id.
    pub run: String,
    /// Task id.
    pub task: String,
    /// Its level.
    pub level: Level,
    /// Model id.
    pub model: String,
    /// Pack `name@version`; null when the run does not say.
    pub pack: Option<String>,
    /// Protocol; null when the run does not say.
    pub protocol: Option<Protocol>,
    /// `task_category` of the dataset.
    pub category: Option<String>,
    /// What the user asked; of a conversation the first turn.
    pub instruction: String,
    /// The whole task as its pack states it; null when no pack here has it.
    #[ts(type = "unknown")]
    pub dataset: Option<Exact>,
    /// What the pack at hand asks under the same id where that is another instruction; `dataset` is
    /// null then.
    pub other_instruction: Option<String>,
    /// The failure that the task injects (L5).
    pub injection: Option<Injection>,
    /// The golden path, then the fallbacks.
    pub golden: Vec<GoldenCall>,
    /// Repetitions, the first one first.
    pub repetitions: Vec<Repetition>,
    /// The repetition that was asked for; null while it has not ended.
    pub attempt: Option<TranscriptAttempt>,
    /// Whether this process is making the run and the attempt is still to end; what there is of it
    /// grows.
    pub under_way: bool,
    /// Whether the scores below are of this very attempt. The published log keeps the first
    /// repetition only, and nothing of a single-turn attempt that failed.
    pub attempt_is_scored: bool,
    /// Every metric of the level, in the report's order; empty while there is nothing to score.
    pub metrics: Vec<MetricScores>,
    /// What the judges said, in the order of asking.
    pub verdicts: Vec<JudgeVerdict>,
    /// What the judges are asked, as far as the pack's prompts are at hand.
    pub questions: Vec<JudgeQuestionText>,
    /// The reports whose verdicts stand behind the scores.
    pub reports: Vec<ReportUsed>,
    /// Why no attempt at the task can be forked; left out where one can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub no_fork: Option<Sentence>,
}

/// A task as the run's files have it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RawTranscript {
    /// The task's entry in the level log; null while there is none.
    #[ts(type = "unknown")]
    pub log: Option<Exact>,
    /// The attempt's record in the journal; null where there is none, as in published runs.
    #[ts(type = "unknown")]
    pub attempt: Option<Exact>,
}

/// An injected failure.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Injection {
    /// The tool that fails.
    pub tool: String,
    /// How, in the dataset's word.
    pub error_type: Option<String>,
}

/// An entry of the golden path, or a fallback.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GoldenCall {
    /// What it stands for.
    pub kind: GoldenKind,
    /// Tool; null where the entry calls none.
    pub tool: Option<String>,
    /// Arguments.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// Step of the path, where the task numbers them.
    pub step: Option<i64>,
    /// Whether the dataset's own turns made this call before the tested one.
    pub seeded: bool,
    /// The attempt's call that stands for it, by its place; null when it is missing.
    pub call: Option<usize>,
}

/// One repetition in the switch between them.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Repetition {
    /// 1-based.
    pub repetition: u32,
    /// How it stands.
    pub status: TaskStatus,
    /// Whether its conversation was kept; the published log has that of the first only.
    pub kept: bool,
}

/// One attempt at the task.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TranscriptAttempt {
    /// 1-based repetition.
    pub repetition: u32,
    /// How it ended.
    pub status: TaskStatus,
    /// The published `success`; null where the log does not say.
    pub success: Option<bool>,
    /// Why it ended; null in published logs.
    pub stop: Option<StopReason>,
    /// What went wrong, when something did.
    pub error: Option<Sentence>,
    /// Milliseconds from start to end; null where the log does not say.
    pub took_ms: Option<f64>,
    /// Model turns.
    pub steps: u32,
    /// Prompt tokens of all turns; null when none were reported.
    pub prompt_tokens: Option<u64>,
    /// Completion tokens, likewise.
    pub completion_tokens: Option<u64>,
    /// Milliseconds to the first token, mean of the turns that streamed; null when none did.
    pub ttft_ms: Option<f64>,
    /// The answer; null when there is none.
    pub final_response: Option<String>,
    /// Whether that answer is the dataset's own and not the model's (L6, L7).
    pub answer_is_seeded: bool,
    /// The conversation in order.
    pub turns: Vec<TranscriptTurn>,
    /// Tool calls in order; turns name theirs by their place here.
    pub calls: Vec<TranscriptCall>,
    /// Whether each turn's times and tokens are known. Published logs have only sums.
    pub has_timing: bool,
    /// What the agent did beside its steps and calls; left out where this program drove the model,
    /// and before it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agent: Option<AgentConduct>,
}

/// One turn of the conversation.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TranscriptTurn {
    /// Who speaks.
    pub speaker: Speaker,
    /// Whether the dataset gave the turn and the model only read it.
    pub seeded: bool,
    /// What is said; empty when the model only called tools.
    pub text: String,
    /// What a seeded tool answered.
    #[ts(type = "unknown")]
    pub content: Option<Exact>,
    /// 1-based step of the attempt; null for turns that are not the model's own.
    pub step: Option<u32>,
    /// Times and tokens of the step; null where they were not recorded.
    pub timing: Option<StepTiming>,
    /// The calls that the turn makes.
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
    /// Completion tokens, likewise.
    pub completion_tokens: Option<u64>,
    /// How the answer ended, in the server's words where it has none of ours.
    pub finish: Option<String>,
    /// What the prompt did not show the model, because its context was full; null when it saw
    /// everything.
    pub left_out: Option<LeftOut>,
    /// What a model of this application wrote, where thoughts or calls were taken out of it.
    pub written: Option<String>,
}

/// One tool call beside the golden path.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TranscriptCall {
    /// 1-based step; null where the log does not say.
    pub step: Option<u32>,
    /// Tool as the model wrote it.
    pub tool: String,
    /// Arguments as the model gave them.
    #[ts(type = "unknown")]
    pub arguments: Exact,
    /// The argument text, where it could not be read.
    pub unreadable: Option<String>,
    /// Whether it has a result; null where the log does not say.
    pub success: Option<bool>,
    /// What the model was told, when it has none.
    pub error: Option<Sentence>,
    /// Who the error is attributed to; null where the log does not say.
    pub owner: Option<FaultOwner>,
    /// Where the answer came from; null where the log does not say.
    pub source: Option<AnswerSource>,
    /// What the model was shown.
    #[ts(type = "unknown")]
    pub result: Option<Exact>,
    /// What it is to the golden path.
    pub place: CallPlace,
    /// The golden entry it is compared with.
    pub golden: Option<usize>,
    /// Its arguments beside that entry's.
    pub beside: Vec<ArgumentBeside>,
}

/// An argument beside the golden one.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ArgumentBeside {
    /// Name.
    pub name: String,
    /// Golden value; null as well when there is none, which `state` tells.
    #[ts(type = "unknown")]
    pub golden: Exact,
    /// The model's value, likewise.
    #[ts(type = "unknown")]
    pub given: Exact,
    /// How they compare.
    pub state: ArgumentState,
}

/// A metric under both scorers.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricScores {
    /// The metric.
    pub metric: MetricId,
    /// Whether judges may decide it.
    pub judged: bool,
    /// As published.
    pub leaderboard: MetricScore,
    /// With the published faults fixed.
    pub corrected: MetricScore,
}

/// A score and why it is what it is.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MetricScore {
    /// The score; null when it cannot be told or the metric is not about this task.
    pub value: Option<f64>,
    /// Why there is no score, or the error that counts as 0.
    pub reason: Option<Sentence>,
    /// The score with people's word in the place of judges'; null where nobody overrode a verdict.
    pub overridden: Option<Overridden>,
    /// Whether the metric is about this task at all.
    pub applies: bool,
    /// Whether a judge decides here; else the log alone does.
    pub asks_judge: bool,
    /// The metric's own figures, as reports lay them out.
    #[ts(type = "unknown")]
    pub details: Option<Exact>,
    /// The calls it looked at.
    pub calls: Vec<CallEvidence>,
}

/// A score with people's word in the place of judges'.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Overridden {
    /// The score; null when it still cannot be told.
    pub value: Option<f64>,
    /// Why there is none, or the error that counts as 0.
    pub reason: Option<Sentence>,
}

/// What a judge said, as a report recorded it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeVerdict {
    /// The metric asked about.
    pub metric: MetricId,
    /// The scorer whose question it was.
    pub scorer: Protocol,
    /// Judge model.
    pub judge: String,
    /// 1-based vote of the same judge.
    pub vote: u32,
    /// Yes or no, where that was asked.
    pub success: Option<bool>,
    /// Grade from 1 to 5, where that was asked.
    pub grade: Option<i64>,
    /// The judge's reason; null where the report does not keep it.
    pub reason: Option<String>,
    /// Why there is no answer, when there is none.
    pub failure: Option<Sentence>,
    /// Whether the grade was worked back from the score, since reports do not keep it (`ArgAcc`).
    pub worked_back: bool,
    /// The report that recorded it.
    pub report: String,
}

/// A question to the judges.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct JudgeQuestionText {
    /// The metric.
    pub metric: MetricId,
    /// The scorer that asks it so.
    pub scorer: Protocol,
    /// The prompt.
    pub prompt: String,
}

/// A report behind the scores.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReportUsed {
    /// Its id.
    pub id: String,
    /// Its scorer.
    pub scorer: Protocol,
}
