//! Tasks of a pack in the window, with the cached responses to their calls.

use koab_core::finding::Problem;
use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// Tasks of one pack, by level in the dataset's order.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskList {
    /// Name of the pack, or the label of an earlier version.
    pub pack: String,
    /// Version of the pack.
    pub version: String,
    /// Tasks of the pack.
    pub tasks: Vec<TaskRow>,
}

/// Task in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskRow {
    /// Task id, such as `L3-004`.
    pub id: String,
    /// Level of the task.
    pub level: Level,
    /// Category of the task, as the dataset names it.
    pub category: Option<String>,
    /// Request of the user. For a conversation, the first user turn.
    pub instruction: String,
    /// All tools that the task names.
    pub tools: Vec<String>,
    /// Number of calls that can be looked up, in the golden path or else in the conversation.
    ///
    /// An argument with a placeholder depends on an earlier call, so a call with one cannot be
    /// looked up. Calls with injected failures are not counted.
    pub calls: u32,
    /// Number of the calls in `calls` that a cached response answers.
    pub answered: u32,
    /// Flag of the user, if the task was flagged as faulty.
    pub flag: Option<TaskFlagView>,
    /// Number of problems that the import found.
    pub problems: u32,
}

/// Flag of the user: the task is faulty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskFlagView {
    /// Fault of the task, in the user's words.
    pub note: String,
    /// Time of the first flag, UTC, ISO 8601.
    pub flagged_at: String,
}

/// Everything about one task of a pack: its request, tools, golden path, flag and problems.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskDetail {
    /// Name of the pack, or the label of an earlier version.
    pub pack: String,
    /// Version of the pack.
    pub version: String,
    /// Task id.
    pub id: String,
    /// Level of the task.
    pub level: Level,
    /// Category of the task, as the dataset names it.
    pub category: Option<String>,
    /// Request of the user. For a conversation, the first user turn.
    pub instruction: String,
    /// Turns of the conversation. Empty for tasks without one.
    pub turns: Vec<TaskTurn>,
    /// Number of the last turn before the model must answer.
    pub evaluated_turn: Option<i64>,
    /// Tools that the task names.
    pub tools: Vec<TaskTool>,
    /// Calls of the golden path, which is the solution that the dataset gives for the task.
    pub golden: Vec<TaskCall>,
    /// Fallback calls: accepted instead of the call that fails (L5).
    pub fallbacks: Vec<TaskCall>,
    /// Minimum number of steps that solve the task, if stated (L3).
    pub minimum_steps: Option<i64>,
    /// Minimum number of calls that solve the task, if stated (L6).
    pub minimum_calls: Option<i64>,
    /// Injected failure (L5).
    pub injection: Option<TaskInjection>,
    /// Flag of the user, if the task was flagged as faulty.
    pub flag: Option<TaskFlagView>,
    /// Problems that the import found in the task.
    pub problems: Vec<Problem>,
    /// JSON object of the task in the dataset, unchanged.
    #[ts(type = "unknown")]
    pub raw: Value,
}

/// Message of a task's conversation (L6, L7) as the dataset gives it, with its tool calls.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskTurn {
    /// Number of the turn in the dataset.
    pub number: i64,
    /// Role of the speaker: `user` or `assistant`.
    pub role: String,
    /// Text of the turn.
    pub content: String,
    /// Tool calls of the turn.
    pub calls: Vec<TaskCall>,
}

/// Tool that a task names.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskTool {
    /// Tool name.
    pub name: String,
    /// Role of the tool in the task.
    pub part: ToolPart,
    /// Definition of the tool. `null` when the pack's catalog lacks the tool, which is then never
    /// offered.
    pub spec: Option<ToolView>,
}

/// Role of a tool in a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ToolPart {
    /// Offered in every protocol.
    Offered,
    /// Distractor, offered only by the corrected protocol (L2).
    Distractor,
    /// Fallback after the injected failure (L5).
    Fallback,
}

/// Definition of a tool, as a model sees it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ToolView {
    /// Tool name.
    pub name: String,
    /// Description of the tool.
    pub description: String,
    /// JSON Schema of the arguments.
    #[ts(type = "unknown")]
    pub parameters: Value,
}

/// Failure that a task injects.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskInjection {
    /// Tool that fails.
    pub tool: String,
    /// Kind of failure, as the task names it.
    pub error_type: String,
    /// Error message that the model receives.
    pub message: String,
}

/// Call that a task names, with its outcome in a run.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskCall {
    /// Tool name.
    pub tool: String,
    /// Arguments in the dataset.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Number of the call's step, for a task whose calls have an order. Calls of one step are
    /// parallel.
    pub step: Option<i64>,
    /// Outcome of the call in a run.
    pub answer: CallAnswer,
}

/// Outcome of a call in a run that uses only cached responses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum CallAnswer {
    /// A cached response answers the call.
    Hit {
        /// Key of the response in the published layout.
        key: String,
        /// Whether the response was recorded under an earlier definition of the tool.
        stale: bool,
        /// Time of recording, in UTC.
        recorded_at: String,
    },
    /// No response is recorded for these arguments.
    Miss {
        /// Key that a record of the call would have.
        key: String,
        /// Most similar recorded call of the same tool.
        nearest: Option<NearestCall>,
    },
    /// The arguments violate the tool's schema, or the tool does not exist. The cache is not used.
    Refused {
        /// Reason for the refusal.
        why: Sentence,
    },
    /// The task injects a failure instead. The cache is not used.
    Injected {
        /// Error message that the model receives.
        message: String,
    },
}

/// Recorded call that is similar to another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct NearestCall {
    /// Arguments after defaults and coercion.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Names of the arguments that differ or that only one of the calls has.
    pub differing: Vec<String>,
}

/// Result of a look-up in a pack's cached responses.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CallLookup {
    /// Arguments after defaults and coercion. `null` when they were refused.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Outcome of the call in a run.
    pub answer: CallAnswer,
    /// Cached response of a hit. Otherwise `null`.
    #[ts(type = "unknown")]
    pub result: Value,
}
