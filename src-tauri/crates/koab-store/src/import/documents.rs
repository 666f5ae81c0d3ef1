//! The texts of a pack as the database keeps them, and the way back to a [`Pack`].
//!
//! Tasks and prompts are kept letter for letter, so that they can be compared with the manifest's
//! hashes; the tools are kept as one list, since their sources differ from layout to layout.

use crate::table::document::DocumentRow;
use koab_core::cache_key::sha256_hex;
use koab_core::finding::{Fault, Problem};
use koab_core::level::Level;
use koab_core::pack::{Pack, PackManifest, parse_tool};
use koab_core::say;
use koab_core::task;
use koab_core::tool::ToolSpec;
use serde_json::Value;

pub(crate) const TOOLS: &str = "tasks/tools.json";
pub(crate) const PROMPTS: &str = "tasks/judge_prompts.yaml";
/// What a server said of itself when its answers were recorded, and its answers letter for letter
/// (`docs/design/mcp.md`).
pub(crate) const RECORDING: [&str; 2] = ["tasks/mcp/server.json", "tasks/mcp/calls.jsonl"];

/// Where a level's tasks are kept.
pub(crate) fn level_path(level: Level) -> String {
    format!("tasks/{level}.json")
}

/// A text under its path.
pub(crate) fn row(path: impl Into<String>, content: String) -> DocumentRow {
    DocumentRow { path: path.into(), sha256: sha256_hex(&content), content }
}

/// The pack that the texts make, and everything that is wrong with them.
pub(crate) fn read(manifest: PackManifest, rows: &[DocumentRow]) -> (Pack, Vec<Problem>) {
    let mut pack = Pack { manifest, ..Pack::default() };
    let mut problems = Vec::new();
    let text = |path: &str| rows.iter().find(|row| row.path == path).map(|row| row.content.as_str());
    if let Some(content) = text(TOOLS) {
        match serde_json::from_str::<Value>(content) {
            Ok(entries) => pack.tools = tools(&entries, TOOLS, &mut problems),
            Err(error) => problems.push(no_json(TOOLS, &error)),
        }
    }
    for level in Level::ALL {
        let path = level_path(level);
        let Some(content) = text(&path) else { continue };
        let (tasks, found) = match serde_json::from_str(content) {
            Ok(content) => task::parse_level(level, &content),
            Err(error) => (Vec::new(), vec![no_json(&path, &error)]),
        };
        problems.extend(found.into_iter().map(|problem| problem.in_file(&path)));
        if !pack.tools.is_empty() {
            let checked = tasks.iter().flat_map(|task| task::check_tools(task, &pack.tools));
            problems.extend(checked.map(|problem| problem.in_file(&path)));
        }
        if !tasks.is_empty() {
            pack.tasks.insert(level, tasks);
        }
    }
    pack.judge_prompts = text(PROMPTS).unwrap_or_default().to_owned();
    (pack, problems)
}

/// The definitions in a list (or a single one), each name once.
pub(crate) fn tools(entries: &Value, file: &str, problems: &mut Vec<Problem>) -> Vec<ToolSpec> {
    let entries = match entries {
        Value::Array(entries) => entries.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut tools: Vec<ToolSpec> = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let problem = match parse_tool(entry) {
            Ok(tool) if tools.iter().any(|known| known.name == tool.name) => {
                Fault::Taken.rejected(say!("the name `{}` is already taken", tool.name))
            }
            Ok(tool) => {
                tools.push(tool);
                continue;
            }
            Err(problem) => problem,
        };
        let named = entry.get("name").and_then(Value::as_str).map(str::to_owned);
        let place = named.unwrap_or_else(|| format!("tool {}", i + 1));
        problems.push(problem.in_task(place).in_file(file));
    }
    tools
}

/// A text that is not JSON; the parser says where.
pub(crate) fn no_json(file: &str, error: &serde_json::Error) -> Problem {
    Fault::NotJson.rejected(say!("is not JSON: {error}")).in_file(file)
}
