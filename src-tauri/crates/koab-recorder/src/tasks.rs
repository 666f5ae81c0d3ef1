//! Creates tasks of a draft from recorded sessions. The recorded calls become the golden path, and
//! the author writes the user's instruction.

use crate::capture::specs;
use crate::form::{CallForm, Recorded};
use crate::recorder::Recorder;
use koab_core::level::Level;
use koab_core::say;
use koab_core::tool::ToolSpec;
use koab_store::draft::{pretty, task_template};
use koab_store::{DraftEdit, DraftWritten, ItemKind};
use koab_workspace::WireError;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

impl Recorder {
    /// Adds a task for each recorded session to a draft that is a copy of the pack. Returns the
    /// number of tasks.
    ///
    /// Tasks get the instructions in the order of sessions. If there are fewer instructions than
    /// tasks, the other tasks get an empty instruction.
    ///
    /// # Errors
    /// When the pack is not a recording, or the draft cannot be changed.
    pub(crate) fn add_tasks(
        &self,
        pack: &str,
        draft: &str,
        instructions: &[String],
    ) -> Result<u32, WireError> {
        let recorded = self.recorded(pack)?;
        let store = self.workspace.store()?;
        let mut instructions = instructions.iter();
        let tasks = tasks(&recorded, &mut instructions).into_iter();
        let added: Vec<_> = tasks.map(|(level, text)| (ItemKind::Task, Some(level), text)).collect();
        let count = u32::try_from(added.len()).unwrap_or(u32::MAX);
        let revision = store.draft(draft)?.info.revision;
        match store.change_draft(draft, revision, &DraftEdit::AddMany(added))? {
            DraftWritten::Written { .. } => Ok(count),
            DraftWritten::Stale { .. } => {
                Err(WireError::bad_request(say!("the draft of {draft} was changed meanwhile; try again")))
            }
        }
    }
}

/// Successful calls, by session. Calls that a pack cannot contain are left out.
fn calls<'a>(
    recorded: &'a Recorded,
    tools: &HashMap<&str, &ToolSpec>,
) -> Vec<Vec<(&'a CallForm, Map<String, Value>)>> {
    let sessions = recorded.calls.chunk_by(|one, next| one.session == next.session);
    let of_session = |calls: &'a [CallForm]| {
        let successful =
            calls.iter().filter(|call| tools.contains_key(call.tool.as_str()) && !call.is_error());
        let with_arguments = successful.filter_map(|call| {
            let arguments = call.arguments.as_deref().unwrap_or("{}");
            Some((call, serde_json::from_str(arguments).ok()?))
        });
        with_arguments.collect()
    };
    sessions.map(of_session).collect()
}

fn tasks<'a>(
    recorded: &Recorded,
    instructions: &mut impl Iterator<Item = &'a String>,
) -> Vec<(Level, String)> {
    let tools = specs(&recorded.server);
    let tools: HashMap<&str, &ToolSpec> = tools.iter().map(|tool| (tool.name.as_str(), tool)).collect();
    let mut drafts = Vec::new();
    // A running count instead of a search for the next free number: a client may make one session
    // per call.
    let mut numbers: HashMap<String, u32> = HashMap::new();
    for calls in calls(recorded, &tools) {
        let Some((first, _)) = calls.first() else { continue };
        // A single call makes a task of L1, several consecutive calls one of L3.
        let level = if calls.len() == 1 { Level::L1 } else { Level::L3 };
        let number = numbers.entry(level.to_string()).or_insert(0_u32);
        *number += 1;
        let id = format!("{level}-{number:03}");
        let tool = tools.get(first.tool.as_str()).copied();
        let template = task_template(&level, &id, tool.map(std::slice::from_ref).unwrap_or_default());
        let Ok(Value::Object(mut task)) = serde_json::from_str(&template) else {
            continue;
        };
        let mut path = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for (place, (call, args)) in calls.iter().enumerate() {
            path.push(match level {
                Level::L1 => json!({ "tool": call.tool, "args": args }),
                _ => json!({ "step": place + 1, "tool": call.tool, "args": args }),
            });
            if !names.contains(&call.tool.as_str()) {
                names.push(&call.tool);
            }
        }
        let instruction = instructions.next().map_or("", String::as_str);
        task.insert("instruction".to_owned(), instruction.into());
        task.insert(
            "golden_fields".to_owned(),
            names.iter().map(|name| json!({ "tool": name, "fields": [] })).collect(),
        );
        if level == Level::L3 {
            task.insert("minimum_steps".to_owned(), path.len().into());
            task.insert("essential_tools".to_owned(), json!(names));
        }
        task.insert("golden_action".to_owned(), path.into());
        drafts.push((level, pretty(&Value::Object(task))));
    }
    drafts
}

#[cfg(test)]
mod tests;
