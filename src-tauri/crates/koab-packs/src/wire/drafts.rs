//! Packs that are written in the window: drafts, what is wrong with them, and the versions that are
//! saved from them.
//!
//! Tasks, tools, arguments and responses cross as JSON *text*: a number in a page is `127` where a
//! cache key says `127.0`.

use super::{CallAnswer, PackSummary};
use koab_core::finding::Problem;
use koab_core::level::Level;
use koab_store::OwnPackVersion;
use koab_store::draft::{DraftChanges, DraftHead};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Own packs and drafts of the workspace.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftList {
    /// Drafts, by name.
    pub drafts: Vec<DraftSummary>,
    /// Packs that were saved here and are installed, by name.
    pub own: Vec<OwnPack>,
}

/// A draft in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftSummary {
    /// Name of the pack that it becomes.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Label of the pack that it goes on from; `null` for one that began empty.
    pub base: Option<String>,
    /// Number of the version that saving makes.
    pub next_version: u32,
    /// Whether it says something else than the pack that it goes on from.
    pub changed: bool,
    /// Its tasks.
    pub tasks: u32,
    /// Its tools.
    pub tools: u32,
    /// When it was changed last, UTC, ISO 8601.
    pub changed_at: String,
}

/// A pack that was saved here.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct OwnPack {
    /// Pack name.
    pub name: String,
    /// Its versions, the newest first.
    pub versions: Vec<OwnPackVersion>,
}

/// A draft to be begun.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftRequest {
    /// Name of the pack that it becomes.
    pub name: String,
    /// What it begins with.
    pub from: DraftFrom,
}

/// What a draft begins with.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum DraftFrom {
    /// One task and one tool to see how it goes.
    Example,
    /// All of an installed pack, its cached responses too. An own pack under its own name: its next
    /// version.
    Copy {
        /// Name or label of the pack.
        pack: String,
    },
    /// Tools of an installed pack with their cached responses, and no task.
    Tools {
        /// Name or label of the pack.
        pack: String,
        /// Names of the tools.
        tools: Vec<String>,
    },
}

/// A draft as the editor shows it.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftOpened {
    /// Name of the pack that it becomes.
    pub name: String,
    /// Revision that a change has to name.
    #[ts(type = "number")]
    pub revision: i64,
    /// Label of the pack that it goes on from.
    pub base: Option<String>,
    /// Number of the version that saving makes.
    pub next_version: u32,
    /// Whether it says something else than the pack that it goes on from.
    pub changed: bool,
    /// What it says about itself.
    pub head: DraftHead,
    /// Judge prompts, YAML text.
    pub judge_prompts: String,
    /// Its tasks, in their order.
    pub tasks: Vec<DraftTaskRow>,
    /// Its tools, in their order.
    pub tools: Vec<DraftToolRow>,
    /// What is wrong with the whole.
    pub problems: Vec<Problem>,
}

/// A task of a draft in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftTaskRow {
    /// Names it in every command, whatever its id becomes.
    #[ts(type = "number")]
    pub key: i64,
    /// Its level.
    pub level: Level,
    /// Task id; empty while there is none.
    pub id: String,
    /// What the user asks.
    pub instruction: String,
    /// The tools that it names.
    pub tools: Vec<String>,
    /// What keeps the draft from being saved.
    pub errors: u32,
    /// What is wrong and can stay so.
    pub warnings: u32,
    /// Calls of the golden path, or of the conversation where there is none; injected failures left
    /// out.
    pub calls: u32,
    /// Those of them that a cached response answers.
    pub answered: u32,
}

/// A tool of a draft in the list.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftToolRow {
    /// Names it in every command, whatever it is called.
    #[ts(type = "number")]
    pub key: i64,
    /// Tool name; empty while there is none.
    pub name: String,
    /// Description shown to the model.
    pub description: String,
    /// Its definition as JSON text, for forms of calls; empty while it cannot be read.
    pub parameters: String,
    /// What keeps the draft from being saved.
    pub errors: u32,
    /// What is wrong and can stay so.
    pub warnings: u32,
    /// Tasks that name it.
    pub used_by: u32,
    /// Cached responses of the pack that the draft goes on from.
    pub records: u32,
    /// Cached responses that were written by hand since.
    pub own_records: u32,
}

/// A task or tool of a draft in full.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftItemView {
    /// Names it in every command.
    #[ts(type = "number")]
    pub key: i64,
    /// Level of a task; `null` for a tool.
    pub level: Option<Level>,
    /// As it was written.
    pub text: String,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// The calls that a task states, and what a run would answer them.
    pub calls: Vec<DraftCall>,
    /// The outcome of the cached responses of a tool that was reworded; `null` where nothing did.
    pub impact: Option<ToolImpact>,
}

/// A call that a task of a draft states.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftCall {
    /// Where it stands, such as `golden_action[0]`.
    pub place: String,
    /// Tool name.
    pub tool: String,
    /// Arguments as JSON text.
    pub arguments: String,
    /// Arguments that hold a placeholder for what a step before answers; such a call is never
    /// found.
    pub placeholders: Vec<String>,
    /// What a run would answer.
    pub answer: CallAnswer,
}

/// What a changed definition does to the cached responses of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ToolImpact {
    /// Tool name.
    pub tool: String,
    /// Its cached responses.
    pub records: u32,
    /// Those that are stale then: their key is that of the earlier definition.
    pub stale: u32,
    /// Those that a call still finds by its arguments.
    pub found: u32,
}

/// A change to a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum DraftChange {
    /// What it says about itself.
    Head {
        /// All of it.
        head: DraftHead,
    },
    /// The judge prompts of an installed pack.
    TakePrompts {
        /// Name or label of the pack.
        pack: String,
    },
    /// A new task behind another one, else at the end.
    AddTask {
        /// Its level.
        level: Level,
        /// The task before it.
        #[ts(type = "number | null")]
        after: Option<i64>,
    },
    /// What a task says.
    PutTask {
        /// Which.
        #[ts(type = "number")]
        key: i64,
        /// Its level.
        level: Level,
        /// Its object, as far as it has been written.
        text: String,
    },
    /// A new tool behind another one, else at the end.
    AddTool {
        /// The tool before it.
        #[ts(type = "number | null")]
        after: Option<i64>,
    },
    /// Tools of an installed pack, with their cached responses.
    BringTools {
        /// Name or label of the pack.
        pack: String,
        /// Their names; those that the draft has already are left out.
        tools: Vec<String>,
    },
    /// What a tool says.
    PutTool {
        /// Which.
        #[ts(type = "number")]
        key: i64,
        /// Its definition, as far as it has been written.
        text: String,
    },
    /// A cached response, in place of any to the same call.
    PutRecord {
        /// Tool name.
        tool: String,
        /// Arguments as a model would write them.
        arguments: String,
        /// What is answered, JSON.
        response: String,
    },
    /// Takes the cached response to a call away.
    RemoveRecord {
        /// Tool name.
        tool: String,
        /// Arguments of the call.
        arguments: String,
    },
    /// A copy of a task or tool behind it, with an id or name of its own.
    Duplicate {
        /// Which.
        #[ts(type = "number")]
        key: i64,
    },
    /// Takes a task or tool away; it can come back until the draft is saved.
    Remove {
        /// Which.
        #[ts(type = "number")]
        key: i64,
    },
    /// Brings a task or tool back to its place.
    Restore {
        /// Which.
        #[ts(type = "number")]
        key: i64,
    },
    /// Puts a task or tool behind another one, else at the beginning.
    Move {
        /// Which.
        #[ts(type = "number")]
        key: i64,
        /// The one before it.
        #[ts(type = "number | null")]
        after: Option<i64>,
    },
}

/// The outcome of a change.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum DraftChanged {
    /// It was made.
    Kept {
        /// The draft's revision from now on.
        #[ts(type = "number")]
        revision: i64,
        /// The task or tool that was added or changed, checked.
        item: Option<Box<DraftItemView>>,
    },
    /// Something is wrong with it; nothing was done.
    Refused {
        /// What, at the fields `arguments` and `response`.
        problems: Vec<Problem>,
    },
    /// The draft was changed elsewhere since it was seen; nothing was done.
    Stale {
        /// Its revision.
        #[ts(type = "number")]
        revision: i64,
    },
}

/// Cached responses of a tool of a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftRecords {
    /// All that fit the search.
    pub count: u32,
    /// The first of them; those written by hand come first.
    pub rows: Vec<DraftRecordRow>,
}

/// A cached response of a tool of a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftRecordRow {
    /// Arguments after defaults and coercion, as JSON text.
    pub arguments: String,
    /// Whether it was written by hand since the last version.
    pub own: bool,
    /// Whether its key is that of an earlier definition of the tool.
    pub stale: bool,
    /// When it was recorded, UTC.
    pub recorded_at: String,
}

/// A task, tool or the whole of a draft with something wrong.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftFinding {
    /// The task or tool; `null` for the whole.
    #[ts(type = "number | null")]
    pub key: Option<i64>,
    /// Task id or tool name; empty for the whole, and while there is none.
    pub name: String,
    /// Whether it is a tool.
    pub tool: bool,
    /// What is wrong.
    pub problem: Problem,
}

/// What saving a draft would do.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DraftReview {
    /// The revision that was looked at.
    #[ts(type = "number")]
    pub revision: i64,
    /// Number of the version that saving makes.
    pub next_version: u32,
    /// Label of the pack that the changes are told against; `null` where everything is new.
    pub base: Option<String>,
    /// What differs.
    pub changes: DraftChanges,
    /// Everything that is wrong; what keeps it from being saved comes first.
    pub findings: Vec<DraftFinding>,
    /// Whether it can be saved.
    pub sound: bool,
    /// Tools whose cached responses go stale.
    pub impacts: Vec<ToolImpact>,
    /// Calls of all golden paths.
    pub calls: u32,
    /// Those of them that a cached response answers.
    pub answered: u32,
}

/// The outcome of the wish to save a draft.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export)]
pub enum DraftSaved {
    /// It is a version now.
    Saved {
        /// The pack as it is installed.
        pack: PackSummary,
        /// SHA-256 of everything in it.
        sha256: String,
    },
    /// Something is wrong with it; nothing was saved.
    Refused {
        /// What.
        findings: Vec<DraftFinding>,
    },
    /// It says what the installed version says; nothing was saved.
    Same {
        /// That version.
        version: String,
    },
    /// It was changed elsewhere since it was seen; nothing was saved.
    Stale {
        /// Its revision.
        #[ts(type = "number")]
        revision: i64,
    },
}

/// An archive of a pack.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackFile {
    /// Name to propose.
    pub name: String,
    /// `name@version` of the pack.
    pub label: String,
    /// The ZIP file in base64.
    pub base64: String,
}

/// What a look at a pack found.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PackLint {
    /// `name@version` of the pack.
    pub label: String,
    /// Everything that is wrong with its data, each with what to do about it.
    pub problems: Vec<Problem>,
    /// Calls of all golden paths; injected failures left out.
    pub calls: u32,
    /// Those of them that a cached response answers.
    pub answered: u32,
    /// Those that none answers: task id and place.
    pub missing: Vec<String>,
}
