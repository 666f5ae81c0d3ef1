//! A pack: tasks, the tools that solve them, and the prompts for the judges.
//!
//! Cached responses also belong to a pack. There are thousands of them, so they are read through
//! the store's `ResponseCache`. `koab-store` reads folders and archives.

use crate::finding::{Fault, Problem};
use crate::level::Level;
use crate::say;
use crate::score::{MetricId, is_judged};
use crate::task::Task;
use crate::tool::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Newest version of `pack.json` that this program reads.
pub const PACK_FORMAT: u32 = 1;

/// Content of `pack.json`: the metadata of a pack.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackManifest {
    /// Version of the file's format, [`PACK_FORMAT`].
    pub format: u32,
    /// Name, unique in a workspace, usable as a folder name.
    pub name: String,
    /// Version of the data. It is independent of the program's version, since a changed task
    /// changes every number.
    pub version: String,
    /// Title for people, one line.
    pub title: String,
    /// Origin of the data.
    pub source: String,
    /// Licence of the data, as an SPDX expression.
    pub licence: String,
    /// Whether the data is invented, so that results are only a demonstration and not a benchmark
    /// result.
    pub sample: bool,
    /// Names of the tools in the catalog's order. Other tools follow, sorted by file name.
    pub tool_order: Vec<String>,
    /// Numbers of tasks, tools and cached responses.
    pub counts: PackCounts,
    /// SHA-256 of each file (lower-case hex), by its path inside the pack with `/`.
    pub sha256: BTreeMap<String, String>,
}

/// Numbers of a pack's tasks, tools and cached responses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackCounts {
    /// Number of tasks per level; levels without tasks may be left out.
    pub tasks: BTreeMap<Level, u32>,
    /// Number of tool definitions.
    pub tools: u32,
    /// Number of cached responses.
    pub records: u32,
}

/// Kind of a pack, which determines the procedure of an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackKind {
    /// The model works with tools until it answers.
    #[default]
    Agent,
    /// One request and one reply; no tool is executed.
    Request {
        /// Sampling temperature that the benchmark prescribes.
        temperature: f64,
        /// Whether the benchmark has questions for judges about replies.
        #[serde(default)]
        judged: bool,
    },
}

impl PackKind {
    /// Default temperature and output token limit of a run. Benchmarks of single requests have no
    /// output limit.
    pub fn sampling(self) -> (f64, Option<u32>) {
        match self {
            Self::Agent => (0.7, Some(1024)),
            Self::Request { temperature, .. } => (temperature, None),
        }
    }

    /// Whether judges decide a metric for at least some tasks. Checks before a run use it to
    /// require judges.
    pub fn is_judged(self, metric: MetricId) -> bool {
        match self {
            Self::Agent => is_judged(metric),
            Self::Request { judged, .. } => judged && metric == MetricId::Sr,
        }
    }

    /// Whether packs of this kind have requests of another benchmark instead of tasks.
    pub fn is_request(self) -> bool {
        matches!(self, Self::Request { .. })
    }
}

/// A pack without its cached responses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pack {
    /// Content of `pack.json`.
    pub manifest: PackManifest,
    /// Kind of the pack.
    #[serde(default)]
    pub kind: PackKind,
    /// Tasks of each level in dataset order; levels without tasks are absent.
    pub tasks: BTreeMap<Level, Vec<Task>>,
    /// Tool definitions in the catalog's order.
    pub tools: Vec<ToolSpec>,
    /// The judge prompts, YAML text as published; empty when the pack has none.
    pub judge_prompts: String,
}

impl Pack {
    /// Whether judges decide a metric; see [`PackKind::is_judged`].
    pub fn is_judged(&self, metric: MetricId) -> bool {
        self.kind.is_judged(metric)
    }

    /// Name and version as `name@version`, as run logs contain it.
    pub fn label(&self) -> String {
        format!("{}@{}", self.manifest.name, self.manifest.version)
    }

    /// The tool of this name.
    pub fn tool(&self, name: &str) -> Option<&ToolSpec> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The task with this id.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.values().flatten().find(|task| task.id == id)
    }

    /// Number of tasks of each level; levels without tasks are absent.
    pub fn task_counts(&self) -> BTreeMap<Level, u32> {
        self.tasks.iter().map(|(level, tasks)| (level.clone(), tasks.len() as u32)).collect()
    }
}

/// Whether a pack may have this name.
///
/// A name has at most 64 letters, digits, dots, dashes and underscores; the first character is a
/// letter or a digit.
pub fn is_pack_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.len() <= 64 && name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(fits)
}

/// Reads a tool definition: a plain object, or the object inside OpenAI's function form.
///
/// # Errors
/// The fault of the definition. The caller then leaves the tool out.
pub fn parse_tool(content: &Value) -> Result<ToolSpec, Problem> {
    let content = match (content.get("type").and_then(Value::as_str), content.get("function")) {
        (Some("function"), Some(function)) => function,
        _ => content,
    };
    let Value::Object(fields) = content else {
        return Err(Fault::Form.rejected(say!("must be an object")));
    };
    let text = |field: &str| match fields.get(field).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Ok(text.to_owned()),
        _ => Err(Fault::Form.rejected(say!("must be a text that is not empty")).at(field)),
    };
    let (name, description) = (text("name")?, text("description")?);
    let parameters = match fields.get("parameters") {
        Some(parameters @ Value::Object(schema)) => {
            check_schema(parameters, schema)?;
            parameters.clone()
        }
        _ => {
            return Err(Fault::Form.rejected(say!("must be a JSON Schema object")).at("parameters"));
        }
    };
    Ok(ToolSpec { name, description, parameters })
}

fn check_schema(parameters: &Value, schema: &Map<String, Value>) -> Result<(), Problem> {
    if schema.get("properties").is_some_and(|properties| !properties.is_object()) {
        return Err(Fault::Form.rejected(say!("must be an object")).at("parameters.properties"));
    }
    match jsonschema::validator_for(parameters) {
        Ok(_) => Ok(()),
        Err(error) => Err(Fault::Form.rejected(say!("is not a valid JSON Schema: {error}")).at("parameters")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(content: Value) -> String {
        match parse_tool(&content) {
            Ok(tool) => format!("{}: {} {}", tool.name, tool.description, tool.parameters),
            Err(problem) => problem.to_string(),
        }
    }

    #[test]
    fn both_forms_of_a_tool_definition_are_read() {
        let plain = json!({"name": "A", "description": "가", "parameters": {"type": "object"}});
        let wrapped = json!({"type": "function", "function": plain});
        assert_eq!(check(plain), r#"A: 가 {"type":"object"}"#);
        assert_eq!(check(wrapped), r#"A: 가 {"type":"object"}"#);
    }

    #[test]
    fn broken_definitions_are_refused_with_the_place() {
        for (content, why) in [
            (json!([]), "must be an object (left out)"),
            (json!({"name": ""}), "name: must be a text that is not empty (left out)"),
            (json!({"name": "A"}), "description: must be a text that is not empty (left out)"),
            (json!({"name": "A", "description": "a"}), "parameters: must be a JSON Schema object (left out)"),
            (
                json!({"name": "A", "description": "a", "parameters": {"properties": []}}),
                "parameters.properties: must be an object (left out)",
            ),
        ] {
            assert_eq!(check(content), why);
        }
        let bad_type = json!({"name": "A", "description": "a", "parameters": {"type": "strnig"}});
        assert!(
            check(bad_type).starts_with("parameters: is not a valid JSON Schema: "),
            "an unknown type is found"
        );
    }

    #[test]
    fn a_manifest_with_few_fields_is_read() {
        let manifest: PackManifest =
            serde_json::from_value(json!({"format": 1, "name": "p", "counts": {"tasks": {"L1": 2}}}))
                .expect("read");
        assert_eq!(
            (manifest.name.as_str(), manifest.counts.tasks[&Level::L1], manifest.sample),
            ("p", 2, false)
        );
    }
}
