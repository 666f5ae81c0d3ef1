//! Identity of a pack: hashes of its tasks and of its tools' texts, byte for byte.

use crate::cache_key::sha256_hex;
use crate::level::Level;
use crate::python::{Dumps, dumps};
use crate::task::Task;
use crate::tool::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// Writes JSON with its keys in their original order, since a model reads the schema in that order.
const AS_WRITTEN: Dumps = Dumps { ascii: false, sorted: false, indent: None };

/// Hashes of a pack's content that a run stores, so that a later change of the pack is noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackIdentity {
    /// Hash of the tasks, [`tasks_sha256`].
    pub tasks_sha256: String,
    /// Hash of the cached responses, as the store computes it; empty if it is unknown.
    pub records_sha256: String,
    /// [`tool_sha256`] of every tool that the run's tasks may offer, by the tool's name.
    pub tools: BTreeMap<String, String>,
}

/// SHA-256 of all tasks.
///
/// The hashed text has, for each level, its name and one line per task as Python's `json.dumps`
/// writes it, with keys in their original order.
pub fn tasks_sha256(tasks: &BTreeMap<Level, Vec<Task>>) -> String {
    let mut hash = Sha256::new();
    for (level, tasks) in tasks {
        hash.update(format!("{level}\n"));
        for task in tasks {
            hash.update(dumps(&Value::Object(task.raw.clone()), AS_WRITTEN));
            hash.update("\n");
        }
    }
    hex::encode(hash.finalize())
}

/// SHA-256 of a tool as a model sees it.
///
/// The hashed text has name, description and schema as Python's `json.dumps` writes them, with keys
/// in their original order.
pub fn tool_sha256(tool: &ToolSpec) -> String {
    let definition =
        json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters});
    sha256_hex(&dumps(&definition, AS_WRITTEN))
}

/// One hash of all offered tools, from their names and hashes, sorted by name.
pub fn of_tools(tools: &BTreeMap<String, String>) -> String {
    let lines: String = tools.iter().map(|(name, sha256)| format!("{name} {sha256}\n")).collect();
    sha256_hex(&lines)
}
