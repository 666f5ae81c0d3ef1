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

/// JSON with keys in written order. The order counts, since a model reads a schema as it is
/// written.
const AS_WRITTEN: Dumps = Dumps { ascii: false, sorted: false, indent: None };

/// Hashes of its pack that a run stores, so that a later change of the pack is noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackIdentity {
    /// Hash of the tasks, [`tasks_sha256`].
    pub tasks_sha256: String,
    /// Hash of the cached responses from the store; empty if it is unknown.
    pub records_sha256: String,
    /// Name → [`tool_sha256`] of every tool that the run's tasks may offer.
    pub tools: BTreeMap<String, String>,
}

/// SHA-256 of all tasks: for each level its name and a line for each task, Python's `json.dumps` in
/// the order written.
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

/// SHA-256 of a tool as a model sees it: name, description and schema, Python's `json.dumps` in the
/// order written.
pub fn tool_sha256(tool: &ToolSpec) -> String {
    let definition =
        json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters});
    sha256_hex(&dumps(&definition, AS_WRITTEN))
}

/// One hash of all offered tools: their names and hashes, by name.
pub fn of_tools(tools: &BTreeMap<String, String>) -> String {
    let lines: String = tools.iter().map(|(name, sha256)| format!("{name} {sha256}\n")).collect();
    sha256_hex(&lines)
}
