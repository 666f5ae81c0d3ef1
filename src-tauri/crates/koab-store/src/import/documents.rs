//! Documents of a pack as the database stores them, and their conversion to a [`Pack`].
//!
//! Tasks and prompts are stored letter for letter, so that they can be compared with the manifest's
//! hashes. The tools are stored as one list, since their files differ between layouts.

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
/// Files of a recorded MCP server: the server's description of itself, and its answers letter for
/// letter (`docs/design/mcp.md`).
pub(crate) const RECORDING: [&str; 2] = ["tasks/mcp/server.json", "tasks/mcp/calls.jsonl"];

/// Path of the document with a level's tasks.
pub(crate) fn level_path(level: &Level) -> String {
    format!("tasks/{level}.json")
}

/// Row of a document with this path and content.
pub(crate) fn row(path: impl Into<String>, content: String) -> DocumentRow {
    DocumentRow { path: path.into(), sha256: sha256_hex(&content), content }
}

/// Makes a pack of the documents. Also returns all problems in them.
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
        let path = level_path(&level);
        let Some(content) = text(&path) else { continue };
        let (tasks, task_problems) = match serde_json::from_str(content) {
            Ok(content) => task::parse_level(&level, &content),
            Err(error) => (Vec::new(), vec![no_json(&path, &error)]),
        };
        problems.extend(task_problems.into_iter().map(|problem| problem.in_file(&path)));
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

/// Tool definitions in a list, or a single one. A name that occurs again is a problem.
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
        let name = entry.get("name").and_then(Value::as_str).map(str::to_owned);
        let place = name.unwrap_or_else(|| format!("tool {}", i + 1));
        problems.push(problem.in_task(place).in_file(file));
    }
    tools
}

/// Problem of a text that is not JSON. The parser's message names the position.
pub(crate) fn no_json(file: &str, error: &serde_json::Error) -> Problem {
    Fault::NotJson.rejected(say!("is not JSON: {error}")).in_file(file)
}
