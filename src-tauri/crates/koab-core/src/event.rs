//! Events of a run. The recorder, the window, the command line and the aggregator read the same
//! enum.
//!
//! Events own their data, since they are sent to the user interface. They never contain tool
//! results or message texts, which may be large; the journal and the log have these.

mod so_far;

pub use so_far::{TaskProblem, TaskSoFar};

use crate::level::Level;
use crate::price::Price;
use crate::protocol::Protocol;
use crate::run_record::{ChangeRecord, StopReason};
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// An event of a run, such as an ended step or attempt, with its time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RunEvent {
    /// Wall clock, milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Milliseconds since the run began.
    pub elapsed_ms: u64,
    /// The run's id.
    pub run: String,
    /// Kind of the event with its data.
    pub kind: RunEventKind,
}

/// The tasks of one level that a run will attempt, in the dataset's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct LevelPlan {
    /// The level.
    pub level: Level,
    /// Task ids in dataset order.
    pub tasks: Vec<String>,
}

/// Source of the answer to a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// A cached response.
    Hit,
    /// There was no cached response, and the model received a tool error.
    Miss,
    /// A failure that the task injects (L5).
    Injected,
    /// The call was faulty (arguments, unknown tool) and never reached the cache.
    Refused,
    /// There was no cached response, and the live API was called. It may have returned an error.
    Live,
    /// There was no cached response in the pack, but a saved response of an earlier live call in
    /// the user's overlay.
    Overlay,
}

/// Kind of a model call's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CallFault {
    /// No server answers at the address.
    Unreachable,
    /// The key is refused.
    Unauthorized,
    /// The server knows no such model.
    UnknownModel,
    /// Too many requests (429).
    RateLimited,
    /// The server is overloaded (529, or a 5xx that asks for a wait).
    Overloaded,
    /// Another HTTP error.
    Http,
    /// The answer was interrupted or cannot be parsed.
    BadAnswer,
    /// The model inside the application failed.
    Embedded,
    /// The server is on another computer, and koab is set to offline.
    Offline,
    /// The task's time limit passed before the answer was complete.
    TimedOut,
}

impl CallFault {
    /// Name of the fault in files and outputs, such as `rate_limited`.
    pub fn as_str(self) -> &'static str {
        match self {
            CallFault::Unreachable => "unreachable",
            CallFault::Unauthorized => "unauthorized",
            CallFault::UnknownModel => "unknown_model",
            CallFault::RateLimited => "rate_limited",
            CallFault::Overloaded => "overloaded",
            CallFault::Http => "http",
            CallFault::BadAnswer => "bad_answer",
            CallFault::Embedded => "embedded",
            CallFault::Offline => "offline",
            CallFault::TimedOut => "timed_out",
        }
    }
}

/// Kinds of events, each with its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunEventKind {
    /// The plan exists and the run begins.
    RunStarted {
        /// Model id as given, `provider/model`.
        model: String,
        /// Pack name and version, `name@version`.
        pack: String,
        /// Protocol of the run.
        protocol: Protocol,
        /// Tasks to attempt, by level.
        levels: Vec<LevelPlan>,
        /// Number of attempts at each task.
        repetitions: u32,
        /// Maximum number of attempts at the same time.
        concurrency: u32,
        /// Number of planned attempts (tasks × repetitions), including those that ended in an
        /// earlier start.
        attempts: u32,
        /// Price of the model's tokens; null if it is unknown or the model costs nothing.
        price: Option<Price>,
        /// Cap on the cost of the run, in USD.
        max_cost: Option<f64>,
        /// Cap on the tokens of the run.
        max_total_tokens: Option<u64>,
        /// Warnings before the run begins, one sentence each: faults of the journal that a resumed
        /// run continues, or an agent that runs without a sandbox.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
        problems: Vec<Sentence>,
        /// Whether an earlier start made some of the attempts. Times are those of this start alone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
        resumed: bool,
    },
    /// An attempt at a task begins.
    AttemptStarted {
        /// Task id.
        task: String,
        /// Level of the task.
        level: Level,
        /// 1-based number of the repetition.
        repetition: u32,
    },
    /// A model call is sent. A retry is another event of this kind.
    StepStarted {
        /// Task id.
        task: String,
        /// 1-based number of the repetition.
        repetition: u32,
        /// 1-based step (model turn) of the attempt.
        step: u32,
    },
    /// A model call ended with an answer.
    StepFinished {
        /// Task id.
        task: String,
        /// 1-based number of the repetition.
        repetition: u32,
        /// 1-based step (model turn) of the attempt.
        step: u32,
        /// Number of tool calls that the model requested in this step.
        calls: u32,
        /// Prompt tokens; null when the server reported none.
        prompt_tokens: Option<u64>,
        /// Completion tokens; null when the server reported none.
        completion_tokens: Option<u64>,
        /// Milliseconds to the first token; null when the server did not stream.
        ttft_ms: Option<f64>,
        /// Milliseconds until the answer was complete.
        latency_ms: f64,
        /// Finish reason of the answer (`stop`, `tool_calls`, `length`, `content_filter`, or the
        /// server's own word); null when the server reported none.
        finish: Option<String>,
    },
    /// A model call ended without an answer. A wait and a retry follow, or the end of the attempt.
    CallFailed {
        /// Task id.
        task: String,
        /// 1-based number of the repetition.
        repetition: u32,
        /// 1-based step of the model call.
        step: u32,
        /// Kind of the failure.
        fault: CallFault,
        /// Description of the failure, one sentence.
        message: Sentence,
        /// Duration of the call in milliseconds.
        took_ms: f64,
    },
    /// A tool call was answered.
    ToolAnswered {
        /// Task id.
        task: String,
        /// 1-based number of the repetition.
        repetition: u32,
        /// 1-based step of the attempt.
        step: u32,
        /// Tool name as the model wrote it.
        tool: String,
        /// Id of the call in its conversation; null if the events were rebuilt from the run's
        /// records, which do not contain it.
        call_id: Option<String>,
        /// Whether the call counts as successful.
        ok: bool,
        /// Source of the answer.
        source: AnswerSource,
        /// Milliseconds until the call was answered; null if the events were rebuilt from the run's
        /// records.
        took_ms: Option<f64>,
    },
    /// A model call has to wait: before a retry, for the limits of its server or for the budget.
    Waiting {
        /// Task id.
        task: String,
        /// 1-based number of the repetition.
        repetition: u32,
        /// Reason for the wait, one sentence.
        reason: Sentence,
        /// Length of the wait in milliseconds; 0 when it depends on other calls.
        wait_ms: u64,
        /// End of the wait, milliseconds since the Unix epoch; null when it depends on other calls.
        until_ms: Option<u64>,
    },
    /// An attempt is over.
    AttemptFinished {
        /// Task id.
        task: String,
        /// Level of the task.
        level: Level,
        /// 1-based number of the repetition.
        repetition: u32,
        /// Whether the attempt ended with an answer, right or wrong: `success` of the published
        /// log.
        success: bool,
        /// Reason for the end of the attempt.
        stop: StopReason,
        /// Whether the last answer was cut off at the output limit, even if the protocol accepts it
        /// as an answer.
        cut_off: bool,
        /// Number of model turns.
        steps: u32,
        /// Number of tool calls.
        calls: u32,
        /// Prompt plus completion tokens.
        total_tokens: u64,
        /// Duration of the attempt in milliseconds.
        took_ms: u64,
        /// Description of the failure, if there was one.
        error: Option<Sentence>,
    },
    /// Attempts at a task that ended earlier: in a previous start of the run, or before the reader
    /// connected.
    AttemptsEnded {
        /// Totals of the attempts at the task that ended earlier.
        so_far: TaskSoFar,
    },
    /// The run is paused: no attempt and no model call begins. Calls in flight are completed.
    RunPaused {
        /// Failure of the server that the run waits for; null if the user paused the run.
        reason: Option<Sentence>,
    },
    /// The run continues after a pause.
    RunResumed {},
    /// The run was changed, in this start or in an earlier one.
    RunChanged {
        /// The change, with its own time.
        record: ChangeRecord,
        /// Number of planned attempts after the change.
        planned: u32,
    },
    /// The run is over. No further event follows.
    RunFinished {
        /// Outcome of the run.
        outcome: RunOutcome,
        /// Number of ended attempts, including those of an earlier start.
        done: u32,
        /// Number of attempts that ended for technical reasons (model failed, timed out).
        failed: u32,
        /// The run's folder; null if the run saves no logs.
        folder: Option<String>,
        /// Reason for an early stop, one sentence.
        reason: Option<Sentence>,
        /// Tokens and cost of the run; absent if this program sent no request to a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        spent: Option<Spent>,
    },
}

/// Tokens and cost of a run over all its starts, including attempts that were interrupted and
/// repeated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Spent {
    /// Prompt tokens, as the server reported them.
    pub prompt_tokens: u64,
    /// Completion tokens, as the server reported them.
    pub completion_tokens: u64,
    /// Cost of the reported tokens in USD; null if it is unknown.
    pub usd: Option<f64>,
    /// Number of calls without reported tokens. If it is above 0, tokens and cost are lower bounds.
    pub unreported: u32,
}

/// Reason why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// Every planned attempt ended.
    Completed,
    /// The user cancelled the run. Ended attempts stay in its journal.
    Cancelled,
    /// The next call might have exceeded a cap. Ended attempts stay in the journal, and the run can
    /// be resumed with a higher cap.
    BudgetSpent,
    /// The run itself could not continue (a full disk, a cache that cannot be read).
    Failed,
}

impl RunOutcome {
    /// Name of the outcome in files and outputs, such as `budget_spent`.
    pub fn as_str(self) -> &'static str {
        match self {
            RunOutcome::Completed => "completed",
            RunOutcome::Cancelled => "cancelled",
            RunOutcome::BudgetSpent => "budget_spent",
            RunOutcome::Failed => "failed",
        }
    }
}
