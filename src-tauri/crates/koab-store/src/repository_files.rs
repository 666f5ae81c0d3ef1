//! Recognises the content of a data repository: a pack, published tasks, or files of tasks.
//!
//! The names of the files are enough for this, so only the needed files are downloaded afterwards.

mod json;
mod parquet;

use crate::error::{Error, Result};
use crate::import::{is_of_pack, is_pack_layout};
use koab_core::finding::{Fault, Problem};
use koab_core::level::Level;
use koab_core::published::PublishedTask;
use koab_core::say;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Content of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepositoryKind {
    /// A pack in one of the layouts that [`crate::import`] reads.
    Pack,
    /// Published tasks of a benchmark: `data/L1-00000-of-00001.parquet` …, with only instructions
    /// and names of tools.
    Published,
    /// Complete tasks in JSON or JSONL files.
    Tasks,
}

/// Content of a repository, with the files that are needed from it. `None` when koab can use none
/// of them.
///
/// A pack is preferred: its publisher may have other files next to it.
pub fn kind_of_repository<'a>(paths: &[&'a str]) -> Option<(RepositoryKind, Vec<&'a str>)> {
    if is_pack_layout(paths) {
        let needed = paths.iter().copied().filter(|path| is_of_pack(path));
        return Some((RepositoryKind::Pack, needed.collect()));
    }
    let with = |endings: &[&str]| -> Vec<&'a str> {
        let fits = |path: &&'a str| {
            let ending = path.rsplit_once('.').map(|(_, ending)| ending);
            ending.is_some_and(|ending| endings.contains(&ending)) && level_of(path).is_some()
        };
        let mut files: Vec<&'a str> = paths.iter().copied().filter(fits).collect();
        // The names number the parts of a level.
        files.sort_unstable();
        files
    };
    let (parquet, json) = (with(&["parquet"]), with(&["json", "jsonl"]));
    match (parquet.is_empty(), json.is_empty()) {
        (false, _) => Some((RepositoryKind::Published, parquet)),
        (true, false) => Some((RepositoryKind::Tasks, json)),
        (true, true) => None,
    }
}

/// Level at the beginning of a file's name, such as `L3.jsonl` and `L3-00000-of-00001.parquet`.
fn level_of(path: &str) -> Option<Level> {
    let name = path.rsplit('/').next()?;
    let level: Level = name.get(..2)?.parse().ok()?;
    let next = name.get(2..)?.chars().next()?;
    (name.starts_with('L') && !next.is_ascii_alphanumeric()).then_some(level)
}

/// Tasks from the files of a repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TasksRead {
    /// All tasks, with the fields of published tasks.
    pub tasks: Vec<PublishedTask>,
    /// Complete tasks by level, if every task has what a run needs: an id, and calls or a
    /// conversation.
    pub whole: Option<BTreeMap<Level, Vec<Value>>>,
    /// Problems of the files. Sound tasks are kept.
    pub problems: Vec<Problem>,
}

/// Reads files of tasks below a folder.
///
/// # Errors
/// When a file cannot be read, or no file contains a task.
pub fn read(folder: &Path, shown: &str, files: &[&str]) -> Result<TasksRead> {
    let mut read = TasksRead::default();
    let mut levels: BTreeMap<Level, Vec<Value>> = BTreeMap::new();
    for file in files {
        let Some(level) = level_of(file) else { continue };
        let path = folder.join(file);
        let rows = if file.ends_with(".parquet") {
            parquet::rows(&path, file, &mut read.problems)?
        } else {
            json::rows(&path, file, &mut read.problems)?
        };
        for (number, row) in rows.into_iter().enumerate() {
            match published(&level, &row) {
                Ok(task) => {
                    if task.tools.is_empty() {
                        let problem = Fault::Missing.warning(say!("is empty")).at("tools");
                        let place = format!("task {}", number + 1);
                        read.problems.push(problem.in_task(place).in_file(*file));
                    }
                    read.tasks.push(task);
                    levels.entry(level.clone()).or_default().push(Value::Object(row));
                }
                Err(problem) => {
                    let place = format!("task {}", number + 1);
                    read.problems.push(problem.in_task(place).in_file(*file));
                }
            }
        }
    }
    if read.tasks.is_empty() {
        return Err(Error::BadFile(match read.problems.first() {
            Some(problem) => say!("{shown} holds no task ({problem})"),
            None => say!("{shown} holds no task"),
        }));
    }
    let is_whole = |row: &Value| {
        row["task_id"].is_string()
            && (row["golden_action"].is_array() || row["conversation_tracking"].is_object())
    };
    read.whole = levels.values().flatten().all(is_whole).then_some(levels);
    Ok(read)
}

/// Converts a row to a task. The tools are in the column `tools`; a complete task has them in its
/// own fields.
fn published(level: &Level, row: &Map<String, Value>) -> std::result::Result<PublishedTask, Problem> {
    let missing = |field: &str| Fault::Missing.rejected(say!("is missing")).at(field);
    let instruction = match row.get("instruction") {
        Some(Value::String(text)) if !text.trim().is_empty() => text.clone(),
        Some(Value::String(_)) => {
            return Err(Fault::Missing.rejected(say!("is empty")).at("instruction"));
        }
        Some(_) => return Err(Fault::Form.rejected(say!("must be a text")).at("instruction")),
        None => return Err(missing("instruction")),
    };
    let array = |field: &str| row.get(field).and_then(Value::as_array);
    let tools = match array("tools").or_else(|| array("available_tools")) {
        Some(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => {
            let task = koab_core::task::Task { id: String::new(), level: level.clone(), raw: row.clone() };
            let tools = task.expected_tools();
            if tools.is_empty() {
                return Err(missing("tools"));
            }
            tools
        }
    };
    Ok(PublishedTask { level: level.clone(), instruction, tools })
}
