//! What a run says while it goes: the one event enum that recorder, window, command line and
//! aggregator read.
//!
//! Events own their data because they cross to the UI. They never carry tool results or message
//! texts; those are in the journal and the log, where they may be large.

mod so_far;

pub use so_far::{TaskProblem, TaskSoFar};

use crate::level::Level;
use crate::price::Price;
use crate::protocol::Protocol;
use crate::run_record::StopReason;
use crate::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// One thing that happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RunEvent {
    /// Wall clock, milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Milliseconds since the run began.
    pub elapsed_ms: u64,
    /// The run's id.
    pub run: String,
    /// What happened.
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

/// Where the answer to a tool call came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// A cached response.
    Hit,
    /// No cached response: the model was shown a tool error.
    Miss,
    /// A failure the task asks to inject (L5).
    Injected,
    /// The call was faulty (arguments, unknown tool) and never reached the cache.
    Refused,
    /// No cached response, so the live API was asked, whatever it said.
    Live,
    /// No cached response in the pack, but an answer that the live API gave earlier and the user's
    /// overlay kept.
    Overlay,
}

/// How a model call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CallFault {
    /// Nobody answers at the address.
    Unreachable,
    /// The key is refused.
    Unauthorized,
    /// The server knows no such model.
    UnknownModel,
    /// Too many requests (429).
    RateLimited,
    /// The server has too much to do (529, or a 5xx that says when to come back).
    Overloaded,
    /// Another HTTP error.
    Http,
    /// The answer broke off or cannot be understood.
    BadAnswer,
    /// The model inside the application failed.
    Embedded,
    /// The server is on another computer, and the user keeps koab offline.
    Offline,
    /// The task's time was up before the answer was.
    TimedOut,
}

impl CallFault {
    /// The fault's name as it is written everywhere, such as `rate_limited`.
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

/// The kinds of [`RunEvent`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunEventKind {
    /// The plan is made and the run begins.
    RunStarted {
        /// Model id as given, `provider/model`.
        model: String,
        /// Pack name and version, `name@version`.
        pack: String,
        /// Protocol the run is made under.
        protocol: Protocol,
        /// What will be attempted.
        levels: Vec<LevelPlan>,
        /// How often each task is attempted.
        repetitions: u32,
        /// Attempts in flight at most.
        concurrency: u32,
        /// Attempts in all (tasks × repetitions), those kept from an earlier start included.
        attempts: u32,
        /// What the model's tokens cost; null when that is not known, or it costs nothing.
        price: Option<Price>,
        /// USD that the run may cost.
        max_cost: Option<f64>,
        /// Tokens that the run may take.
        max_total_tokens: Option<u64>,
        /// What is to be known before it begins, a sentence each: what is wrong with the journal
        /// that it goes on from, and that nothing contains its agent.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
        problems: Vec<Sentence>,
        /// Whether an earlier start made a part of it: times are of this start alone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
        resumed: bool,
    },
    /// An attempt at a task begins.
    AttemptStarted {
        /// Task id.
        task: String,
        /// Its level.
        level: Level,
        /// 1-based repetition.
        repetition: u32,
    },
    /// A model call goes out. One that fails and is made again goes out again.
    StepStarted {
        /// Task id.
        task: String,
        /// 1-based repetition.
        repetition: u32,
        /// 1-based step (model turn) of the attempt.
        step: u32,
    },
    /// A model call ended with an answer.
    StepFinished {
        /// Task id.
        task: String,
        /// 1-based repetition.
        repetition: u32,
        /// 1-based step (model turn) of the attempt.
        step: u32,
        /// Tool calls the model made in this step.
        calls: u32,
        /// Prompt tokens; null when the server reported none.
        prompt_tokens: Option<u64>,
        /// Completion tokens; null when the server reported none.
        completion_tokens: Option<u64>,
        /// Milliseconds to the first token; null when the server did not stream.
        ttft_ms: Option<f64>,
        /// Milliseconds until the answer was complete.
        latency_ms: f64,
        /// How the answer ended (`stop`, `tool_calls`, `length`, `content_filter`, or the server's
        /// own word); null when the server did not say.
        finish: Option<String>,
    },
    /// A model call ended without an answer. A wait and another call follow, or the attempt's end.
    CallFailed {
        /// Task id.
        task: String,
        /// 1-based repetition.
        repetition: u32,
        /// 1-based step that it was to be.
        step: u32,
        /// What kind of failure.
        fault: CallFault,
        /// What happened, in one sentence.
        message: Sentence,
        /// Milliseconds that it took.
        took_ms: f64,
    },
    /// A tool call was answered.
    ToolAnswered {
        /// Task id.
        task: String,
        /// 1-based repetition.
        repetition: u32,
        /// 1-based step of the attempt.
        step: u32,
        /// Tool name as the model wrote it.
        tool: String,
        /// Id of the call in its conversation; null where a run is drawn again from its records,
        /// which do not hold it.
        call_id: Option<String>,
        /// Whether the call counts as successful.
        ok: bool,
        /// Where the answer came from.
        source: AnswerSource,
        /// Milliseconds that answering took; null likewise.
        took_ms: Option<f64>,
    },
    /// A model call has to wait: it failed and will be made again, or its server or the budget lets
    /// no more through.
    Waiting {
        /// Task id.
        task: String,
        /// 1-based repetition.
        repetition: u32,
        /// Why, in one sentence.
        reason: Sentence,
        /// How long, milliseconds; 0 when that depends on other calls.
        wait_ms: u64,
        /// Until when, milliseconds since the Unix epoch; null when that depends on other calls.
        until_ms: Option<u64>,
    },
    /// An attempt is over.
    AttemptFinished {
        /// Task id.
        task: String,
        /// Its level.
        level: Level,
        /// 1-based repetition.
        repetition: u32,
        /// The published log's `success`: the attempt ended with an answer, right or wrong.
        success: bool,
        /// Why it ended.
        stop: StopReason,
        /// Whether its last answer was cut off at the output limit, whatever the protocol makes of
        /// it.
        cut_off: bool,
        /// Model turns taken.
        steps: u32,
        /// Tool calls made.
        calls: u32,
        /// Prompt plus completion tokens.
        total_tokens: u64,
        /// How long the attempt took, milliseconds.
        took_ms: u64,
        /// What went wrong, when something did.
        error: Option<Sentence>,
    },
    /// Attempts at a task ended before: in an earlier start of the run, or before somebody began to
    /// watch.
    AttemptsEnded {
        /// What they came to.
        so_far: TaskSoFar,
    },
    /// The run is held: no attempt and no model call begins. Calls that are out come to their end.
    RunPaused {
        /// Why no server answers, when the run waits for that; null when the user holds it.
        reason: Option<Sentence>,
    },
    /// The run goes on after a pause.
    RunResumed {},
    /// The run is over; nothing follows.
    RunFinished {
        /// How it ended.
        outcome: RunOutcome,
        /// Attempts that ended, those kept from an earlier start included.
        done: u32,
        /// Attempts that ended for technical reasons (model failed, timed out).
        failed: u32,
        /// The run's folder; null when logs were not to be saved.
        folder: Option<String>,
        /// One sentence on why the run stopped early, when it did.
        reason: Option<Sentence>,
        /// What it has spent; left out where nothing was asked of a model through this program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        spent: Option<Spent>,
    },
}

/// What a run has spent over all its starts, attempts that were cut off and repeated included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Spent {
    /// Prompt tokens, as the server reported them.
    pub prompt_tokens: u64,
    /// Completion tokens, likewise.
    pub completion_tokens: u64,
    /// USD for those tokens; null when that cannot be said.
    pub usd: Option<f64>,
    /// Calls whose tokens nobody reported: with them, tokens and USD are lower bounds.
    pub unreported: u32,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// Every planned attempt ended.
    Completed,
    /// The user cancelled; what was done is kept.
    Cancelled,
    /// The next call might have passed a cap; what was done is kept, and a higher cap lets the run
    /// go on.
    BudgetSpent,
    /// The run itself could not go on (a full disk, a cache that cannot be read).
    Failed,
}

impl RunOutcome {
    /// The outcome's name as it is written everywhere, such as `budget_spent`.
    pub fn as_str(self) -> &'static str {
        match self {
            RunOutcome::Completed => "completed",
            RunOutcome::Cancelled => "cancelled",
            RunOutcome::BudgetSpent => "budget_spent",
            RunOutcome::Failed => "failed",
        }
    }
}
