//! Tasks of a pack: list, details and flags.

use crate::Packs;
use crate::answers::{AnswerSource as _, Answers};
use crate::wire::{
    CallAnswer, CallLookup, TaskCall, TaskDetail, TaskFlagView, TaskInjection, TaskList, TaskRow, TaskTool,
    TaskTurn, ToolPart, ToolView,
};
use koab_core::catalog::ToolCatalog;
use koab_core::pack::Pack;
use koab_core::say;
use koab_core::task::{GoldenCall, Task};
use koab_core::tool::{ToolFault, ToolSpec};
use koab_store::TaskFlag;
use koab_workspace::WireError;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Maximum length of a note on a task, in characters.
const LONGEST_NOTE: usize = 2_000;

impl Packs {
    /// Tasks of a pack. Without a name, the tasks of the active pack.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn tasks_list(&self, pack: Option<&str>) -> Result<TaskList, WireError> {
        let label = labelled(pack);
        let (pack, answers) = self.answers(pack)?;
        let mut flags: HashMap<String, TaskFlagView> = self.flags(&pack.manifest.name)?;
        let mut problems: BTreeMap<String, u32> = BTreeMap::new();
        for problem in self.workspace.store()?.pack_problems(&pack.label())? {
            if let Some(task) = problem.task {
                *problems.entry(task).or_default() += 1;
            }
        }
        let mut rows = Vec::new();
        for task in pack.tasks.values().flatten() {
            let (mut calls, mut answered) = (0, 0);
            for call in task.path_calls().iter().filter(|call| !call.is_open()) {
                calls += 1;
                answered += u32::from(answers.is_answered(&call.tool, &call.args)?);
            }
            rows.push(TaskRow {
                id: task.id.clone(),
                level: task.level.clone(),
                category: task.category().map(str::to_owned),
                instruction: task.instruction().to_owned(),
                tools: named_tools(task).into_iter().map(|(name, _)| name).collect(),
                calls,
                answered,
                flag: flags.remove(&task.id),
                problems: problems.get(&task.id).copied().unwrap_or(0),
            });
        }
        Ok(TaskList {
            pack: label.unwrap_or(pack.manifest.name),
            version: pack.manifest.version,
            tasks: rows,
        })
    }

    /// One task in full, with the outcome of each of its calls in a run.
    ///
    /// # Errors
    /// When there is no such pack or task.
    pub fn task_show(&self, pack: Option<&str>, id: &str) -> Result<TaskDetail, WireError> {
        let label = labelled(pack);
        let (pack, answers) = self.answers(pack)?;
        let name = &pack.manifest.name;
        let task = pack.task(id).ok_or_else(|| no_task(&pack, id))?;
        let injection = task.error_injection().map(|(tool, error_type)| TaskInjection {
            tool: tool.to_owned(),
            error_type: error_type.to_owned(),
            message: ToolFault::injected(error_type).to_string(),
        });
        let call = |call: GoldenCall| -> Result<TaskCall, WireError> {
            let answer = match &injection {
                Some(fails) if fails.tool == call.tool => {
                    CallAnswer::Injected { message: fails.message.clone() }
                }
                _ => answers.answer(&call.tool, &call.args)?.0,
            };
            Ok(TaskCall { tool: call.tool, args: Value::Object(call.args), step: call.step, answer })
        };
        let turns = task.turns().into_iter().map(|turn| {
            let actions = turn.actions.into_iter().map(|action| GoldenCall {
                tool: action.tool,
                args: action.args,
                step: None,
            });
            Ok(TaskTurn {
                number: turn.number,
                role: turn.role,
                content: turn.content,
                calls: actions.map(&call).collect::<Result<_, WireError>>()?,
            })
        });
        let tools = named_tools(task).into_iter().map(|(name, part)| TaskTool {
            spec: answers.catalog().get(&name).map(view),
            name,
            part,
        });
        let problems = self.workspace.store()?.pack_problems(&pack.label())?.into_iter();
        Ok(TaskDetail {
            turns: turns.collect::<Result<_, WireError>>()?,
            tools: tools.collect(),
            golden: task.golden_calls().into_iter().map(&call).collect::<Result<_, _>>()?,
            fallbacks: task.fallback_calls().into_iter().map(&call).collect::<Result<_, _>>()?,
            id: task.id.clone(),
            level: task.level.clone(),
            category: task.category().map(str::to_owned),
            instruction: task.instruction().to_owned(),
            evaluated_turn: task.evaluated_turn(),
            minimum_steps: task.minimum_steps(),
            minimum_calls: task.minimum_calls(),
            flag: self.flags(name)?.remove(id),
            problems: problems.filter(|problem| problem.task.as_deref() == Some(id)).collect(),
            raw: Value::Object(task.raw.clone()),
            injection: injection.clone(),
            version: pack.manifest.version.clone(),
            pack: label.unwrap_or_else(|| name.clone()),
        })
    }

    /// Flags a task as faulty, or changes the note of its flag. Without a note, the flag is
    /// removed. Returns the current flag.
    ///
    /// Flags change no score and are never exported.
    ///
    /// # Errors
    /// When there is no such pack or task, or the note is empty or too long.
    pub fn task_flag(
        &self,
        pack: &str,
        id: &str,
        note: Option<&str>,
    ) -> Result<Option<TaskFlagView>, WireError> {
        let note = note.map(str::trim);
        if note.is_some_and(str::is_empty) {
            return Err(WireError::bad_request(say!("say in the note what is wrong with the task")));
        }
        if note.is_some_and(|note| note.chars().count() > LONGEST_NOTE) {
            return Err(WireError::bad_request(say!(
                "the note is too long; keep it under {LONGEST_NOTE} characters"
            )));
        }
        let loaded = self.workspace.load_pack(pack)?;
        // It must be possible to remove a flag from a task that a newer pack no longer has.
        if note.is_some() && loaded.task(id).is_none() {
            return Err(no_task(&loaded, id));
        }
        Ok(self.workspace.store()?.flag_task(&loaded.manifest.name, id, note)?.map(flag_view))
    }

    /// Flagged tasks of a pack, by their ids.
    ///
    /// `pack` is a name, or a label `name@version` as in runs and reports. Without `pack`, the
    /// active pack is used, as for transcripts. Flags are kept when their pack is removed.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn task_flags(&self, pack: Option<&str>) -> Result<HashMap<String, TaskFlagView>, WireError> {
        let name = match pack {
            Some(label) => Some(label.split('@').next().unwrap_or(label).to_owned()),
            None => self.workspace.store()?.active_pack()?,
        };
        name.map_or_else(|| Ok(HashMap::new()), |name| self.flags(&name))
    }

    /// Tool definitions of a pack, in the catalog's order.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn tools(&self, pack: Option<&str>) -> Result<Vec<ToolView>, WireError> {
        let pack = self.workspace.load_pack(&self.workspace.pack_name(pack)?)?;
        Ok(pack.tools.iter().map(view).collect())
    }

    /// Outcome of a call in a run with this pack. `arguments` is JSON text, as a model writes it.
    ///
    /// # Errors
    /// When there is no such pack. Faults of the call are part of the result.
    pub fn call_lookup(
        &self,
        pack: Option<&str>,
        tool: &str,
        arguments: &str,
    ) -> Result<CallLookup, WireError> {
        let (_, answers) = self.answers(pack)?;
        answers.lookup(tool, arguments)
    }

    fn answers(&self, pack: Option<&str>) -> Result<(Pack, Answers), WireError> {
        let name = self.workspace.pack_name(pack)?;
        let pack = self.workspace.load_pack(&name)?;
        let answers =
            Answers::new(ToolCatalog::new(pack.tools.clone()), self.workspace.store()?.cache(&name)?);
        Ok((pack, answers))
    }

    fn flags(&self, pack: &str) -> Result<HashMap<String, TaskFlagView>, WireError> {
        let flags = self.workspace.store()?.task_flags(pack)?.into_iter();
        Ok(flags.map(|flag| (flag.task.clone(), flag_view(flag))).collect())
    }
}

/// The label `NAME@VERSION`, if a request gives one, so that links and look-ups use this version.
/// `None` for a name without a version.
fn labelled(pack: Option<&str>) -> Option<String> {
    pack.filter(|pack| pack.contains('@')).map(str::to_owned)
}

/// All tools that a task names, each once, with its first role.
fn named_tools(task: &Task) -> Vec<(String, ToolPart)> {
    let mut tools: Vec<(String, ToolPart)> = Vec::new();
    if let Some(request) = task.request() {
        let names = request
            .tools
            .iter()
            .filter_map(|tool| tool["function"]["name"].as_str().or_else(|| tool["name"].as_str()));
        for name in names {
            if !tools.iter().any(|(there, _)| there == name) {
                tools.push((name.to_owned(), ToolPart::Offered));
            }
        }
        return tools;
    }
    for (names, part) in [
        (task.expected_tools(), ToolPart::Offered),
        (task.available_tools(), ToolPart::Distractor),
        (task.fallback_tools(), ToolPart::Fallback),
    ] {
        for name in names {
            if !tools.iter().any(|(there, _)| *there == name) {
                tools.push((name, part));
            }
        }
    }
    tools
}

fn view(spec: &ToolSpec) -> ToolView {
    ToolView {
        name: spec.name.clone(),
        description: spec.description.clone(),
        parameters: spec.parameters.clone(),
    }
}

fn flag_view(flag: TaskFlag) -> TaskFlagView {
    TaskFlagView { note: flag.note, flagged_at: flag.flagged_at }
}

fn no_task(pack: &Pack, id: &str) -> WireError {
    WireError::not_found(say!("pack {} has no task {id}", pack.manifest.name))
}

#[cfg(test)]
mod tests;
