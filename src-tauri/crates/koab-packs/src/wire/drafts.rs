//! Packs that are edited in the window: drafts, their problems, and the versions saved from them.
//!
//! Tasks, tools, arguments and responses are passed as JSON *text*, because JavaScript turns the
//! `127.0` of a cache key into `127`.

use super::{CallAnswer, PackSummary};
use koab_core::finding::Problem;
use koab_core::level::Level;
use koab_store::OwnPackVersion;
use koab_store::draft::{DraftChanges, DraftHead};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Drafts of the workspace, and packs that were saved from drafts.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftList {
    /// Drafts, by name.
    pub drafts: Vec<DraftSummary>,
    /// Installed packs that were saved here, by name.
    pub own: Vec<OwnPack>,
}

/// Draft in the list of drafts.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftSummary {
    /// Name of the pack that the draft becomes.
    pub name: String,
    /// Title in one line.
    pub title: String,
    /// Label of the pack that the draft continues. `null` for a draft that began empty.
    pub base: Option<String>,
    /// Number of the next version.
    pub next_version: u32,
    /// Whether the draft differs from the pack that it continues.
    pub changed: bool,
    /// Number of tasks.
    pub tasks: u32,
    /// Number of tools.
    pub tools: u32,
    /// Time of the last change, UTC, ISO 8601.
    pub changed_at: String,
}

/// Pack that was saved from a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OwnPack {
    /// Name of the pack.
    pub name: String,
    /// Versions, newest first.
    pub versions: Vec<OwnPackVersion>,
}

/// Name and initial content of a draft to create.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftRequest {
    /// Name of the pack that the draft becomes.
    pub name: String,
    /// Initial content of the draft.
    pub from: DraftFrom,
}

/// Initial content of a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum DraftFrom {
    /// One task and one tool as an example.
    Example,
    /// Copy of an installed pack with its cached responses. If the pack was saved from a draft and
    /// the copy has the same name, the copy becomes the pack's next version.
    Copy {
        /// Name or label of the pack.
        pack: String,
    },
    /// Tools of an installed pack with their cached responses, without tasks.
    Tools {
        /// Name or label of the pack.
        pack: String,
        /// Names of the tools.
        tools: Vec<String>,
    },
}

/// Draft in the editor.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftOpened {
    /// Name of the pack that the draft becomes.
    pub name: String,
    /// Current revision. Every request for a change has to contain it.
    #[ts(type = "number")]
    pub revision: i64,
    /// Label of the pack that the draft continues.
    pub base: Option<String>,
    /// Number of the next version.
    pub next_version: u32,
    /// Whether the draft differs from the pack that it continues.
    pub changed: bool,
    /// Title, source and licence of the pack.
    pub head: DraftHead,
    /// Judge prompts as YAML text.
    pub judge_prompts: String,
    /// Tasks, in their order.
    pub tasks: Vec<DraftTaskRow>,
    /// Tools, in their order.
    pub tools: Vec<DraftToolRow>,
    /// Problems of the draft as a whole.
    pub problems: Vec<Problem>,
}

/// Task in the list of a draft's tasks.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftTaskRow {
    /// Key of the task in commands. It stays the same when the task's id changes.
    #[ts(type = "number")]
    pub key: i64,
    /// Level of the task.
    pub level: Level,
    /// Task id. Empty when the task has no id yet.
    pub id: String,
    /// Request of the user.
    pub instruction: String,
    /// Tools that the task expects.
    pub tools: Vec<String>,
    /// Number of problems that prevent the draft from being saved.
    pub errors: u32,
    /// Number of other problems.
    pub warnings: u32,
    /// Number of calls in the golden path, or in the conversation of a task without one. Calls with
    /// injected failures are not counted.
    pub calls: u32,
    /// Number of counted calls that a cached response answers.
    pub answered: u32,
}

/// Tool in the list of a draft's tools.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftToolRow {
    /// Key of the tool in commands. It stays the same when the tool's name changes.
    #[ts(type = "number")]
    pub key: i64,
    /// Tool name. Empty when the tool has no name yet.
    pub name: String,
    /// Description shown to the model.
    pub description: String,
    /// JSON Schema of the parameters as text, for forms of calls. Empty when the definition cannot
    /// be read.
    pub parameters: String,
    /// Number of problems that prevent the draft from being saved.
    pub errors: u32,
    /// Number of other problems.
    pub warnings: u32,
    /// Number of tasks that name the tool.
    pub used_by: u32,
    /// Number of cached responses in the pack that the draft continues.
    pub records: u32,
    /// Number of cached responses that were written by hand since the last version.
    pub own_records: u32,
}

/// Task or tool of a draft in full.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftItemView {
    /// Key of the task or tool in commands.
    #[ts(type = "number")]
    pub key: i64,
    /// Level of a task; `null` for a tool.
    pub level: Option<Level>,
    /// Text of the task or tool, as its author wrote it.
    pub text: String,
    /// Problems of the task or tool.
    pub problems: Vec<Problem>,
    /// Calls that a task states, with their outcomes in a run.
    pub calls: Vec<DraftCall>,
    /// Effects of a tool's changed definition on its cached responses. `null` when the definition
    /// has not changed.
    pub impact: Option<ToolImpact>,
}

/// Call that a task of a draft states.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftCall {
    /// Position in the task, such as `golden_action[0]`.
    pub place: String,
    /// Tool name.
    pub tool: String,
    /// Arguments as JSON text.
    pub arguments: String,
    /// Arguments with a placeholder for the answer of an earlier step. A call with a placeholder is
    /// never found in the cache.
    pub placeholders: Vec<String>,
    /// Outcome of the call in a run.
    pub answer: CallAnswer,
}

/// Effects of a tool's changed definition on its cached responses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ToolImpact {
    /// Tool name.
    pub tool: String,
    /// Number of cached responses.
    pub records: u32,
    /// Number of responses that become stale, because their key is that of the earlier definition.
    pub stale: u32,
    /// Number of responses that a call still finds by its arguments.
    pub found: u32,
}

/// One edit of a draft, which is stored at once as a new revision.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum DraftChange {
    /// Replaces title, source and licence.
    Head {
        /// New title, source and licence.
        head: DraftHead,
    },
    /// Takes the judge prompts of an installed pack.
    TakePrompts {
        /// Name or label of the pack.
        pack: String,
    },
    /// Adds a new task after another one, or at the end.
    AddTask {
        /// Level of the new task.
        level: Level,
        /// Key of the task after which it is inserted.
        #[ts(type = "number | null")]
        after: Option<i64>,
    },
    /// Replaces the text of a task.
    PutTask {
        /// Key of the task.
        #[ts(type = "number")]
        key: i64,
        /// Level of the task.
        level: Level,
        /// JSON text of the task, possibly incomplete.
        text: String,
    },
    /// Adds a new tool after another one, or at the end.
    AddTool {
        /// Key of the tool after which it is inserted.
        #[ts(type = "number | null")]
        after: Option<i64>,
    },
    /// Copies tools of an installed pack, with their cached responses.
    BringTools {
        /// Name or label of the pack.
        pack: String,
        /// Names of the tools. Tools that the draft already has are skipped.
        tools: Vec<String>,
    },
    /// Replaces the text of a tool.
    PutTool {
        /// Key of the tool.
        #[ts(type = "number")]
        key: i64,
        /// JSON text of the definition, possibly incomplete.
        text: String,
    },
    /// Sets the cached response to a call, replacing an existing one.
    PutRecord {
        /// Tool name.
        tool: String,
        /// Arguments as a model would write them.
        arguments: String,
        /// Answer of the tool as JSON text.
        response: String,
    },
    /// Removes the cached response to a call.
    RemoveRecord {
        /// Tool name.
        tool: String,
        /// Arguments of the call.
        arguments: String,
    },
    /// Copies a task or tool under a new id or name, and inserts the copy after it.
    Duplicate {
        /// Key of the task or tool.
        #[ts(type = "number")]
        key: i64,
    },
    /// Removes a task or tool. It can be restored until the draft is saved.
    Remove {
        /// Key of the task or tool.
        #[ts(type = "number")]
        key: i64,
    },
    /// Restores a removed task or tool to its place.
    Restore {
        /// Key of the task or tool.
        #[ts(type = "number")]
        key: i64,
    },
    /// Moves a task or tool after another one, or to the beginning.
    Move {
        /// Key of the task or tool.
        #[ts(type = "number")]
        key: i64,
        /// Key of the task or tool after which it is moved.
        #[ts(type = "number | null")]
        after: Option<i64>,
    },
}

/// Outcome of a change.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum DraftChanged {
    /// The change was made.
    Kept {
        /// New revision of the draft.
        #[ts(type = "number")]
        revision: i64,
        /// Task or tool that was added or changed, with its problems.
        item: Option<Box<DraftItemView>>,
    },
    /// The change has faults. Nothing was done.
    Refused {
        /// Problems of the fields `arguments` and `response`.
        problems: Vec<Problem>,
    },
    /// The draft was changed elsewhere after the revision that the caller saw. Nothing was done.
    Stale {
        /// Current revision of the draft.
        #[ts(type = "number")]
        revision: i64,
    },
}

/// Cached responses of a tool in a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftRecords {
    /// Number of responses that match the search.
    pub count: u32,
    /// First matching responses. Those written by hand come first.
    pub rows: Vec<DraftRecordRow>,
}

/// Cached response of a tool in a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftRecordRow {
    /// Arguments after defaults and coercion, as JSON text.
    pub arguments: String,
    /// Whether the response was written by hand since the last version.
    pub own: bool,
    /// Whether the response's key is that of an earlier definition of the tool.
    pub stale: bool,
    /// Time of recording, in UTC.
    pub recorded_at: String,
}

/// Problem of a task or tool, or of the draft as a whole.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftFinding {
    /// Key of the task or tool. `null` for the draft as a whole.
    #[ts(type = "number | null")]
    pub key: Option<i64>,
    /// Task id or tool name. Empty for the draft as a whole, or when the item has no id or name
    /// yet.
    pub name: String,
    /// Whether the item is a tool.
    pub tool: bool,
    /// Description of the problem.
    pub problem: Problem,
}

/// Effects of saving a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftReview {
    /// Revision that was reviewed.
    #[ts(type = "number")]
    pub revision: i64,
    /// Number of the next version.
    pub next_version: u32,
    /// Label of the pack that the draft is compared with. `null` when everything is new.
    pub base: Option<String>,
    /// Differences from that pack.
    pub changes: DraftChanges,
    /// All problems. Those that prevent saving come first.
    pub findings: Vec<DraftFinding>,
    /// Whether the draft can be saved.
    pub sound: bool,
    /// Tools whose cached responses become stale.
    pub impacts: Vec<ToolImpact>,
    /// Number of calls in all golden paths.
    pub calls: u32,
    /// Number of golden-path calls that a cached response answers.
    pub answered: u32,
}

/// Outcome of saving a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum DraftSaved {
    /// The draft was saved as a version.
    Saved {
        /// Installed pack.
        pack: PackSummary,
        /// SHA-256 of the whole content.
        sha256: String,
    },
    /// The draft has faults. Nothing was saved.
    Refused {
        /// Problems of the draft.
        findings: Vec<DraftFinding>,
    },
    /// The draft equals the installed version. Nothing was saved.
    Same {
        /// Version that is already installed.
        version: String,
    },
    /// The draft was changed elsewhere after the revision that the caller saw. Nothing was saved.
    Stale {
        /// Current revision of the draft.
        #[ts(type = "number")]
        revision: i64,
    },
}

/// Archive of a pack for download.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackFile {
    /// Suggested file name.
    pub name: String,
    /// `name@version` of the pack.
    pub label: String,
    /// ZIP file in base64.
    pub base64: String,
}

/// Result of checking a pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackLint {
    /// `name@version` of the pack.
    pub label: String,
    /// All problems of the pack's data, each with advice.
    pub problems: Vec<Problem>,
    /// Number of calls in all golden paths. Calls with injected failures are not counted.
    pub calls: u32,
    /// Number of counted calls that a cached response answers.
    pub answered: u32,
    /// Calls without a cached response: task id, position and tool.
    pub missing: Vec<String>,
}
