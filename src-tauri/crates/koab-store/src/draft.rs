//! A pack that is being written: texts as their author left them, checked and compared by the same
//! rules as any other pack.
//!
//! A draft may be half done, so its tasks and tools are texts that need not even be JSON. [`check`]
//! says what is wrong with each, with the engine's own checks; [`changes`] says what saving would
//! change. Pure; keeping drafts is [`crate::drafts`].

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

/// What a draft says about the pack that it becomes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default)]
pub struct DraftHead {
    /// One line for people.
    pub title: String,
    /// Where the data comes from.
    pub source: String,
    /// Licence of the data, as an SPDX expression.
    pub licence: String,
}

/// A task of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftTask {
    /// The level whose file it will stand in.
    pub level: Level,
    /// Its object as JSON text, as far as it has been written.
    pub text: String,
}

/// A pack that is being written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// What it says about itself.
    pub head: DraftHead,
    /// Its tasks, in their order within each level.
    pub tasks: Vec<DraftTask>,
    /// Its tools as JSON texts, in the catalog's order.
    pub tools: Vec<String>,
    /// The judge prompts, YAML text.
    pub judge_prompts: String,
}

impl Draft {
    /// A draft that says what a pack says.
    pub fn of_pack(pack: &Pack) -> Self {
        let tasks = pack.tasks.iter().flat_map(|(level, tasks)| {
            tasks
                .iter()
                .map(|task| DraftTask { level: *level, text: pretty(&Value::Object(task.raw.clone())) })
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

    /// The tasks of a level as its file holds them; texts that are not JSON are left out, [`check`]
    /// names them.
    pub fn level(&self, level: Level) -> Vec<Value> {
        let of_level = self.tasks.iter().filter(|task| task.level == level);
        of_level.filter_map(|task| serde_json::from_str(&task.text).ok()).collect()
    }
}

/// A tool definition as the text that is edited.
pub fn tool_text(tool: &koab_core::tool::ToolSpec) -> String {
    let mut fields = Map::new();
    fields.insert("name".to_owned(), tool.name.as_str().into());
    fields.insert("description".to_owned(), tool.description.as_str().into());
    fields.insert("parameters".to_owned(), tool.parameters.clone());
    pretty(&Value::Object(fields))
}

/// JSON text with two spaces a level. Numbers keep the form that cache keys are made of: `127.0` is
/// not `127`.
pub fn pretty(value: &Value) -> String {
    format!("{value:#}")
}
