//! Tasks of recorded sessions, as a draft holds them: what was called is the golden path, and what a user says is its author's.

use crate::form::{CallForm, Recorded};
use crate::recorder::Recorder;
use crate::tape::specs;
use koab_core::level::Level;
use koab_core::say;
use koab_core::tool::ToolSpec;
use koab_store::draft::{free_id, pretty, task_template};
use koab_store::{DraftEdit, DraftWritten, ItemKind};
use koab_workspace::WireError;
use serde_json::{Map, Value, json};

impl Recorder {
    /// Adds a task for each recorded session to a draft that copies the pack; instructions in the order of the sessions, and empty where
    /// there are none any more. How many there are.
    ///
    /// # Errors
    /// When the pack is no recording, or the draft cannot be changed.
    pub(crate) fn add_tasks(
        &self,
        pack: &str,
        draft: &str,
        instructions: &[String],
    ) -> Result<u32, WireError> {
        let recorded = self.recorded(pack)?;
        let store = self.workspace.store()?;
        let mut revision = store.draft(draft)?.info.revision;
        let mut taken: Vec<String> = Vec::new();
        let mut instructions = instructions.iter();
        for (level, text) in tasks(&recorded, &mut taken, &mut instructions) {
            let edit = DraftEdit::Add {
                kind: ItemKind::Task,
                level: Some(level),
                content: text,
                after: None,
            };
            match store.change_draft(draft, revision, &edit)? {
                DraftWritten::Written { revision: now, .. } => revision = now,
                DraftWritten::Stale { .. } => {
                    return Err(WireError::bad_request(say!(
                        "the draft of {draft} was changed meanwhile; try again"
                    )));
                }
            }
        }
        Ok(u32::try_from(taken.len()).unwrap_or(u32::MAX))
    }
}

/// A session's calls that came to something, as far as a pack can have them.
fn calls<'a>(
    recorded: &'a Recorded,
    session: u32,
    tools: &[ToolSpec],
) -> Vec<(&'a CallForm, Map<String, Value>)> {
    let of_session = recorded.calls.iter().filter(|call| call.session == session);
    let named = of_session.filter(|call| tools.iter().any(|tool| tool.name == call.tool) && !call.is_error());
    named
        .filter_map(|call| {
            let arguments = call.arguments.as_deref().unwrap_or("{}");
            Some((call, serde_json::from_str(arguments).ok()?))
        })
        .collect()
}

fn tasks<'a>(
    recorded: &Recorded,
    taken: &mut Vec<String>,
    instructions: &mut impl Iterator<Item = &'a String>,
) -> Vec<(Level, String)> {
    let tools = specs(&recorded.server);
    let mut sessions: Vec<u32> = recorded.calls.iter().map(|call| call.session).collect();
    sessions.dedup();
    let mut made = Vec::new();
    for session in sessions {
        let calls = calls(recorded, session, &tools);
        let Some((first, _)) = calls.first() else { continue };
        // One call is that of L1; several, one after the other, are those of L3.
        let level = if calls.len() == 1 { Level::L1 } else { Level::L3 };
        let id = free_id(level, taken.iter().map(String::as_str));
        let tool = tools.iter().find(|tool| tool.name == first.tool);
        let template = task_template(level, &id, tool.map(std::slice::from_ref).unwrap_or_default());
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
            names
                .iter()
                .map(|name| json!({ "tool": name, "fields": [] }))
                .collect(),
        );
        if level == Level::L3 {
            task.insert("minimum_steps".to_owned(), path.len().into());
            task.insert("essential_tools".to_owned(), json!(names));
        }
        task.insert("golden_action".to_owned(), path.into());
        taken.push(id);
        made.push((level, pretty(&Value::Object(task))));
    }
    made
}
