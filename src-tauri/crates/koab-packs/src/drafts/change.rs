//! Changes of drafts, one at a time. Each returns the changed item with its problems.

use super::records::RecordChange;
use super::view::specs;
use crate::Packs;
use crate::wire::{DraftChange, DraftChanged};
use koab_core::level::{Level, UnknownLevel};
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_store::draft::{free_id, free_name, pretty, task_template, tool_template, tool_text};
use koab_store::{DraftEdit, DraftWritten, ItemKind, StoredDraft};
use koab_workspace::WireError;
use serde_json::Value;

impl Packs {
    /// Changes a draft, if its revision is still `seen`. Otherwise nothing is changed, and the
    /// result says so.
    ///
    /// # Errors
    /// When the draft, task, tool or pack does not exist.
    pub fn draft_change(
        &self,
        name: &str,
        seen: i64,
        change: DraftChange,
    ) -> Result<DraftChanged, WireError> {
        let store = self.workspace.store()?;
        let stored = store.draft(name)?;
        if stored.info.revision != seen {
            return Ok(DraftChanged::Stale { revision: stored.info.revision });
        }
        let edit = match self.edit_of(&stored, change)? {
            RecordChange::Edit(edit) => edit,
            RecordChange::Refused(problems) => return Ok(DraftChanged::Refused { problems }),
        };
        match store.change_draft(name, seen, &edit)? {
            DraftWritten::Stale { revision } => Ok(DraftChanged::Stale { revision }),
            DraftWritten::Written { revision, item } => {
                let view = match item {
                    Some(key) => self.item_of(&store.draft(name)?, key)?,
                    None => None,
                };
                Ok(DraftChanged::Kept { revision, item: view.map(Box::new) })
            }
        }
    }

    fn edit_of(&self, stored: &StoredDraft, change: DraftChange) -> Result<RecordChange, WireError> {
        let add = |kind, level, content, after| DraftEdit::Add { kind, level, content, after };
        Ok(RecordChange::Edit(match change {
            DraftChange::Head { head } => DraftEdit::Head(head),
            DraftChange::TakePrompts { pack } => {
                DraftEdit::Prompts(self.workspace.load_task_pack(&pack)?.judge_prompts)
            }
            DraftChange::AddTask { level, after } => {
                check_level(&level)?;
                let ids = ids(stored);
                let id = free_id(&level, ids.iter().map(String::as_str));
                let text = task_template(&level, &id, &specs(stored));
                add(ItemKind::Task, Some(level), text, after)
            }
            DraftChange::PutTask { key, level, text } => {
                check_level(&level)?;
                DraftEdit::Put { item: key, level: Some(level), content: text }
            }
            DraftChange::AddTool { after } => {
                let names = names(stored);
                let name = free_name("New_tool", names.iter().map(String::as_str));
                add(ItemKind::Tool, None, tool_template(&name), after)
            }
            DraftChange::PutTool { key, text } => DraftEdit::Put { item: key, level: None, content: text },
            DraftChange::Duplicate { key } => duplicate(stored, key)?,
            DraftChange::Remove { key } => DraftEdit::Remove(key),
            DraftChange::Restore { key } => DraftEdit::Restore(key),
            DraftChange::Move { key, after } => DraftEdit::Move { item: key, after },
            DraftChange::BringTools { pack, tools } => self.bring_tools(stored, &pack, &tools)?,
            DraftChange::PutRecord { tool, arguments, response } => {
                return self.record_written(stored, &tool, &arguments, Some(&response));
            }
            DraftChange::RemoveRecord { tool, arguments } => {
                return self.record_written(stored, &tool, &arguments, None);
            }
        }))
    }

    /// Adds tools of an installed pack. Their cached responses are added as if they had been
    /// written by hand.
    fn bring_tools(
        &self,
        stored: &StoredDraft,
        pack: &str,
        wanted: &[String],
    ) -> Result<DraftEdit, WireError> {
        let loaded = self.workspace.load_task_pack(pack)?;
        let there = names(stored);
        let mut items = Vec::new();
        for tool in &loaded.tools {
            if !wanted.contains(&tool.name) || there.contains(&tool.name) {
                continue;
            }
            items.push((ItemKind::Tool, None, tool_text(tool)));
            for record in self.workspace.store()?.draft_records(pack, &tool.name)? {
                let content = serde_json::to_string(&record).map_err(WireError::internal)?;
                items.push((ItemKind::Record, None, content));
            }
        }
        if items.is_empty() {
            return Err(WireError::bad_request(say!(
                "choose at least one tool that the draft does not have"
            )));
        }
        Ok(DraftEdit::AddMany(items))
    }
}

/// Refuses a group of another benchmark, because a draft has only tasks of Ko-AgentBench.
fn check_level(level: &Level) -> Result<(), WireError> {
    match level.place() {
        Some(_) => Ok(()),
        None => Err(WireError::bad_request(UnknownLevel(level.to_string()).to_sentence())),
    }
}

fn field_of(content: &str, field: &str) -> Option<String> {
    let value: Value = serde_json::from_str(content).ok()?;
    Some(value.get(field)?.as_str()?.to_owned())
}

fn ids(stored: &StoredDraft) -> Vec<String> {
    let items = stored.tasks.iter();
    items.filter_map(|item| field_of(&item.content, "task_id")).collect()
}

fn names(stored: &StoredDraft) -> Vec<String> {
    let items = stored.tools.iter();
    items.filter_map(|item| field_of(&item.content, "name")).collect()
}

fn duplicate(stored: &StoredDraft, key: i64) -> Result<DraftEdit, WireError> {
    let item = stored.tasks.iter().chain(&stored.tools).find(|item| item.id == key);
    let item =
        item.ok_or_else(|| WireError::not_found(say!("the draft does not have this task or tool any more")))?;
    let level = item.level.clone().unwrap_or(Level::L1);
    let (field, name) = if item.kind == ItemKind::Task {
        ("task_id", free_id(&level, ids(stored).iter().map(String::as_str)))
    } else {
        let base_name = field_of(&item.content, "name").unwrap_or_else(|| "New_tool".to_owned());
        ("name", free_name(&base_name, names(stored).iter().map(String::as_str)))
    };
    // Text that is not a JSON object is copied unchanged; its author sees the problem.
    let content = match serde_json::from_str::<Value>(&item.content) {
        Ok(Value::Object(mut fields)) => {
            fields.insert(field.to_owned(), name.into());
            pretty(&Value::Object(fields))
        }
        _ => item.content.clone(),
    };
    Ok(DraftEdit::Add { kind: item.kind, level: item.level.clone(), content, after: Some(key) })
}

#[cfg(test)]
mod tests;
