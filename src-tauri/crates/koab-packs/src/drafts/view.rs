//! Views of a draft for its editor: lists, single tasks and tools, and the outcomes of their calls
//! in a run.

use super::answers::DraftAnswers;
use super::{DraftWithProblems, draft_problems, error_and_warning_counts};
use crate::Packs;
use crate::answers::AnswerSource as _;
use crate::wire::{CallLookup, DraftItemView, DraftOpened, DraftTaskRow, DraftToolRow, ToolImpact};
use koab_core::level::Level;
use koab_core::say;
use koab_core::tool::ToolSpec;
use koab_store::StoredDraft;
use koab_store::draft::{self, CheckedTask, CheckedTool, DraftTask, TakenIds};
use koab_workspace::WireError;
use serde_json::Value;
use std::collections::BTreeMap;

impl Packs {
    /// A draft with the lists of its tasks and tools and all problems.
    ///
    /// # Errors
    /// When the draft does not exist.
    pub fn draft_open(&self, name: &str) -> Result<DraftOpened, WireError> {
        let draft = DraftWithProblems::at(self.workspace.store()?.draft(name)?);
        let answers = self.draft_answers(&draft.stored, draft.checked.specs())?;
        let DraftWithProblems { stored, checked } = &draft;
        let mut tasks = Vec::new();
        for (item, checked) in stored.tasks.iter().zip(&checked.tasks) {
            tasks.push(task_row(item.id, item.level.clone().unwrap_or(Level::L1), checked, &answers)?);
        }
        let used = used(&checked.tasks);
        let recorded = self.recorded_by_tool(stored)?;
        let own = stored.own_records();
        let tools = stored.tools.iter().zip(&checked.tools).map(|(item, checked)| {
            let row = tool_row(item.id, &item.content, checked);
            DraftToolRow {
                used_by: used.get(&row.name).copied().unwrap_or(0),
                records: recorded.get(&row.name).copied().unwrap_or(0),
                own_records: own.iter().filter(|(_, record)| record.tool == row.name).count() as u32,
                ..row
            }
        });
        Ok(DraftOpened {
            tools: tools.collect(),
            tasks,
            problems: draft_problems(&checked.whole),
            changed: !self.draft_changes(stored)?.is_empty(),
            next_version: self.workspace.store()?.next_version(name)?,
            revision: stored.info.revision,
            base: stored.info.base.clone(),
            head: stored.info.head.clone(),
            judge_prompts: stored.judge_prompts.clone(),
            name: stored.info.name.clone(),
        })
    }

    /// A task or tool of a draft in full, with its problems.
    ///
    /// # Errors
    /// When the draft, task or tool does not exist.
    pub fn draft_item(&self, name: &str, key: i64) -> Result<DraftItemView, WireError> {
        let stored = self.workspace.store()?.draft(name)?;
        self.item_of(&stored, key)?.ok_or_else(|| {
            WireError::not_found(say!("the draft of {name} has no such task, tool or response any more"))
        })
    }

    /// Outcome of a call in a run of the saved draft. `arguments` is JSON text, as a model writes
    /// it.
    ///
    /// # Errors
    /// When the draft does not exist. Faults of the call are part of the result.
    pub fn draft_try(&self, name: &str, tool: &str, arguments: &str) -> Result<CallLookup, WireError> {
        let stored = self.workspace.store()?.draft(name)?;
        let answers = self.draft_answers(&stored, specs(&stored))?;
        answers.lookup(tool, arguments)
    }

    pub(super) fn item_of(&self, stored: &StoredDraft, key: i64) -> Result<Option<DraftItemView>, WireError> {
        let answers = self.draft_answers(stored, specs(stored))?;
        if let Some(at) = stored.tasks.iter().position(|item| item.id == key) {
            return task_view(stored, at, &answers).map(Some);
        }
        let Some(at) = stored.tools.iter().position(|item| item.id == key) else {
            return Ok(None);
        };
        let checked = draft::check_tools(&stored.content().tools);
        let name = checked[at].spec.as_ref().map(|spec| spec.name.clone());
        Ok(Some(DraftItemView {
            key,
            level: None,
            text: stored.tools[at].content.clone(),
            problems: draft_problems(&checked[at].problems),
            calls: Vec::new(),
            impact: match name {
                Some(name) => impact(&answers, &name)?,
                None => None,
            },
        }))
    }

    fn recorded_by_tool(&self, stored: &StoredDraft) -> Result<BTreeMap<String, u32>, WireError> {
        let Some(base) = self.base_name(&stored.info)? else {
            return Ok(BTreeMap::new());
        };
        let tools = self.workspace.store()?.cache_stats(&base)?.into_iter();
        Ok(tools.map(|tool| (tool.tool, tool.records)).collect())
    }
}

/// Valid tools of a draft.
pub(super) fn specs(stored: &StoredDraft) -> Vec<ToolSpec> {
    let checked = draft::check_tools(&stored.content().tools);
    checked.into_iter().filter_map(|tool| tool.spec).collect()
}

/// Effects of a tool's changed definition on its cached responses. `None` when it has none, or its
/// definition has not changed.
pub(super) fn impact(answers: &DraftAnswers, tool: &str) -> Result<Option<ToolImpact>, WireError> {
    let Some(records) = answers.reworded(tool)? else {
        return Ok(None);
    };
    let count = |fits: &dyn Fn(&koab_store::redefined::RedefinedRecord) -> bool| {
        records.iter().filter(|record| fits(record)).count() as u32
    };
    Ok((!records.is_empty()).then(|| ToolImpact {
        tool: tool.to_owned(),
        records: records.len() as u32,
        stale: count(&|record| !record.current),
        found: count(&|record| record.reached),
    }))
}

fn task_view(stored: &StoredDraft, at: usize, answers: &DraftAnswers) -> Result<DraftItemView, WireError> {
    // Checked against all other tasks, so that the task being edited reports a duplicate id.
    let mut taken = TakenIds::new();
    for (i, other) in stored.tasks.iter().enumerate() {
        let id = serde_json::from_str::<Value>(&other.content).ok();
        let id = id.as_ref().and_then(|raw| raw.get("task_id")?.as_str());
        if let (true, Some(id)) = (i != at, id) {
            taken.insert(id.to_owned(), other.level.clone().unwrap_or(Level::L1));
        }
    }
    let item = &stored.tasks[at];
    let draft_task = DraftTask { level: item.level.clone().unwrap_or(Level::L1), text: item.content.clone() };
    let checked = draft::check_task(&draft_task, &mut taken, &specs(stored));
    Ok(DraftItemView {
        key: item.id,
        level: Some(draft_task.level),
        text: draft_task.text,
        problems: draft_problems(&checked.problems),
        calls: match &checked.task {
            Some(task) => answers.calls(task)?,
            None => Vec::new(),
        },
        impact: None,
    })
}

fn task_row(
    key: i64,
    level: Level,
    checked: &CheckedTask,
    answers: &DraftAnswers,
) -> Result<DraftTaskRow, WireError> {
    let (errors, warnings) = error_and_warning_counts(&checked.problems);
    let mut row = DraftTaskRow {
        key,
        level,
        id: String::new(),
        instruction: String::new(),
        tools: Vec::new(),
        errors,
        warnings,
        calls: 0,
        answered: 0,
    };
    if let Some(task) = &checked.task {
        row.id.clone_from(&task.id);
        row.instruction = task.instruction().to_owned();
        row.tools = task.expected_tools();
        for call in task.path_calls().iter().filter(|call| !call.is_open()) {
            row.calls += 1;
            row.answered += u32::from(answers.is_answered(&call.tool, &call.args)?);
        }
    }
    Ok(row)
}

fn tool_row(key: i64, text: &str, checked: &CheckedTool) -> DraftToolRow {
    let (errors, warnings) = error_and_warning_counts(&checked.problems);
    let value: Option<Value> = serde_json::from_str(text).ok();
    let field_text = |field: &str| {
        let text = value.as_ref().and_then(|value| value.get(field)?.as_str());
        text.unwrap_or_default().to_owned()
    };
    let parameters = checked.spec.as_ref().map(|spec| spec.parameters.to_string());
    DraftToolRow {
        key,
        name: field_text("name"),
        description: field_text("description"),
        parameters: parameters.unwrap_or_default(),
        errors,
        warnings,
        used_by: 0,
        records: 0,
        own_records: 0,
    }
}

/// Number of tasks that name a tool, by tool.
fn used(tasks: &[CheckedTask]) -> BTreeMap<String, u32> {
    let mut used = BTreeMap::new();
    for task in tasks.iter().filter_map(|checked| checked.task.as_ref()) {
        let mut names = task.expected_tools();
        for more in [task.available_tools(), task.fallback_tools()].concat() {
            if !names.contains(&more) {
                names.push(more);
            }
        }
        for name in names {
            *used.entry(name).or_default() += 1;
        }
    }
    used
}
