//! Tasks of a pack as the window shows them, and how cached responses answer their calls.

use koab_core::finding::Problem;
use koab_core::level::Level;
use koab_core::sentence::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// The tasks of one pack, level by level in the dataset's order.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskList {
    /// Pack name.
    pub pack: String,
    /// Version of the pack.
    pub version: String,
    /// Its tasks.
    pub tasks: Vec<TaskRow>,
}

/// One task in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskRow {
    /// Task id, such as `L3-004`.
    pub id: String,
    /// Its level.
    pub level: Level,
    /// What kind of task the dataset says it is.
    pub category: Option<String>,
    /// What the user asks; the first user turn of a conversation.
    pub instruction: String,
    /// Every tool that the task names.
    pub tools: Vec<String>,
    /// Calls of the golden path, or of the conversation's turns where there is none, that can be
    /// looked up: an argument that is a placeholder waits for the call before.
    pub calls: u32,
    /// Those of them that a cached response answers, injected failures left out of both.
    pub answered: u32,
    /// What the user holds to be wrong with it.
    pub flag: Option<TaskFlagView>,
    /// Faults that the import found.
    pub problems: u32,
}

/// A user's remark that a task is faulty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskFlagView {
    /// In the user's words.
    pub note: String,
    /// When it was flagged first, UTC, ISO 8601.
    pub flagged_at: String,
}

/// One task with everything that a reader of it needs.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskDetail {
    /// Pack name.
    pub pack: String,
    /// Version of the pack.
    pub version: String,
    /// Task id.
    pub id: String,
    /// Its level.
    pub level: Level,
    /// What kind of task the dataset says it is.
    pub category: Option<String>,
    /// What the user asks; the first user turn of a conversation.
    pub instruction: String,
    /// The conversation; empty where there is none.
    pub turns: Vec<TaskTurn>,
    /// Number of the last turn that a model is given before it must answer.
    pub evaluated_turn: Option<i64>,
    /// The tools that the task names.
    pub tools: Vec<TaskTool>,
    /// The golden path.
    pub golden: Vec<TaskCall>,
    /// Calls that would do as well after a failure (L5).
    pub fallbacks: Vec<TaskCall>,
    /// Fewest steps that solve it, where stated (L3).
    pub minimum_steps: Option<i64>,
    /// Fewest calls that solve it, where stated (L6).
    pub minimum_calls: Option<i64>,
    /// The failure that is injected (L5).
    pub injection: Option<TaskInjection>,
    /// What the user holds to be wrong with it.
    pub flag: Option<TaskFlagView>,
    /// Faults that the import found in it.
    pub problems: Vec<Problem>,
    /// The dataset's object, unchanged.
    #[ts(type = "unknown")]
    pub raw: Value,
}

/// One turn of a conversation.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskTurn {
    /// Number as stated.
    pub number: i64,
    /// `user` or `assistant`.
    pub role: String,
    /// What is said.
    pub content: String,
    /// Tool calls of the turn.
    pub calls: Vec<TaskCall>,
}

/// A tool of a task.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskTool {
    /// Tool name.
    pub name: String,
    /// What it is to the task.
    pub part: ToolPart,
    /// Its definition; `null` when the pack's catalog does not have the tool, which is then never
    /// offered.
    pub spec: Option<ToolView>,
}

/// What a tool is to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ToolPart {
    /// Offered in every protocol.
    Offered,
    /// To choose from, offered by the corrected protocol only (L2).
    Distractor,
    /// For after the injected failure (L5).
    Fallback,
}

/// A tool's definition, as a model is shown it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ToolView {
    /// Tool name.
    pub name: String,
    /// Description.
    pub description: String,
    /// JSON Schema of the arguments.
    #[ts(type = "unknown")]
    pub parameters: Value,
}

/// A failure that a task asks to inject.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskInjection {
    /// The tool that fails.
    pub tool: String,
    /// Kind of failure, as the task names it.
    pub error_type: String,
    /// What the model is told.
    pub message: String,
}

/// A call that a task names, and what a run would answer it with.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TaskCall {
    /// Tool name.
    pub tool: String,
    /// Arguments as stated.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Step of a sequence; calls of one step are parallel.
    pub step: Option<i64>,
    /// What a run would answer.
    pub answer: CallAnswer,
}

/// How a run with cached responses only answers a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum CallAnswer {
    /// With a cached response.
    Hit {
        /// Its key in the published layout.
        key: String,
        /// Whether it was recorded under an earlier definition of the tool.
        stale: bool,
        /// When, UTC.
        recorded_at: String,
    },
    /// Nothing is recorded for these arguments.
    Miss {
        /// The key that a record of it would have.
        key: String,
        /// The recorded call of the same tool that is most like it.
        nearest: Option<NearestCall>,
    },
    /// The arguments break the tool's schema, or the tool does not exist: the cache is never asked.
    Refused {
        /// Why.
        why: Sentence,
    },
    /// The task's failure comes first; the cache is never asked.
    Injected {
        /// What the model is told.
        message: String,
    },
}

/// A recorded call that is like another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct NearestCall {
    /// Its arguments after defaults and coercion.
    #[ts(type = "unknown")]
    pub args: Value,
    /// Names of the arguments that differ or stand on one side only.
    pub differing: Vec<String>,
}

/// What a look-up in a pack's cached responses found.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CallLookup {
    /// The arguments after defaults and coercion; `null` when they were refused.
    #[ts(type = "unknown")]
    pub args: Value,
    /// What a run would answer.
    pub answer: CallAnswer,
    /// The cached response of a hit, else `null`.
    #[ts(type = "unknown")]
    pub result: Value,
}
