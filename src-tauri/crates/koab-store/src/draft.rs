//! Packs that are being written: the author's texts, with the same checks and comparison as for any
//! other pack.
//!
//! A draft may be incomplete, so its tasks and tools are texts that need not be valid JSON.
//! [`check`] finds the faults of each with the engine's own checks. [`changes`] lists what saving
//! would change. This module does no I/O; [`crate::drafts`] stores drafts.

mod changes;
mod check;
mod remedy;
mod template;

pub use changes::{ChangedItem, DraftChanges, ItemChanges, changes};
pub use check::{
    CheckedDraft, CheckedTask, CheckedTool, TakenIds, check, check_task, check_tools, is_callable,
};
pub use remedy::remedied;
pub use template::{
    EXAMPLE_ARGUMENTS, EXAMPLE_RESPONSE, example_task, example_tool, free_id, free_name, task_template,
    tool_template,
};

use koab_core::level::Level;
use koab_core::pack::Pack;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Title, source and licence of the pack that a draft becomes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default)]
pub struct DraftHead {
    /// Title in one line.
    pub title: String,
    /// Source of the data.
    pub source: String,
    /// Licence of the data, as an SPDX expression.
    pub licence: String,
}

/// Text of a task in a draft, with its level. The text need not be a valid task yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftTask {
    /// Level whose file will contain the task.
    pub level: Level,
    /// JSON text of the task, possibly incomplete.
    pub text: String,
}

/// A pack that is being written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Title, source and licence.
    pub head: DraftHead,
    /// Tasks, in their order within each level.
    pub tasks: Vec<DraftTask>,
    /// Tools as JSON texts, in the catalog's order.
    pub tools: Vec<String>,
    /// Judge prompts as YAML text.
    pub judge_prompts: String,
}

impl Draft {
    /// Makes a draft with the content of a pack.
    pub fn of_pack(pack: &Pack) -> Self {
        let tasks = pack.tasks.iter().flat_map(|(level, tasks)| {
            tasks.iter().map(|task| DraftTask {
                level: level.clone(),
                text: pretty(&Value::Object(task.raw.clone())),
            })
        });
        Self {
            head: DraftHead {
                title: pack.manifest.title.clone(),
                source: pack.manifest.source.clone(),
                licence: pack.manifest.licence.clone(),
            },
            tasks: tasks.collect(),
            tools: pack.tools.iter().map(tool_text).collect(),
            judge_prompts: pack.judge_prompts.clone(),
        }
    }

    /// Tasks of a level as its file would contain them. Texts that are not JSON are left out;
    /// [`check`] reports them.
    pub fn level(&self, level: &Level) -> Vec<Value> {
        let of_level = self.tasks.iter().filter(|task| task.level == *level);
        of_level.filter_map(|task| serde_json::from_str(&task.text).ok()).collect()
    }
}

/// JSON text of a tool definition for editing.
pub fn tool_text(tool: &koab_core::tool::ToolSpec) -> String {
    let mut fields = Map::new();
    fields.insert("name".to_owned(), tool.name.as_str().into());
    fields.insert("description".to_owned(), tool.description.as_str().into());
    fields.insert("parameters".to_owned(), tool.parameters.clone());
    pretty(&Value::Object(fields))
}

/// JSON text with an indent of two spaces. Numbers keep the form that cache keys are made of:
/// `127.0` is not `127`.
pub fn pretty(value: &Value) -> String {
    format!("{value:#}")
}
