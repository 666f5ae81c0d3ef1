//! A small pack that is made by hand: of its three tasks the calls of two are not recorded, and are the same call.

use super::desk::Desk;
use koab_core::args;
use koab_core::cache_key::{published_key, signature};
use koab_core::level::Level;
use koab_core::tool::ToolSpec;
use serde_json::{Value, json};
use std::fs;

use koab_library::RunRequest;

/// What is recorded at first.
pub(crate) const RECORDED: &[(&str, &str)] = &[("가", "하나"), ("서울 맛집", "둘")];
/// What two tasks ask and nobody recorded.
pub(crate) const MISSED: &str = "서울 카페";

impl Desk {
    /// A desk with the small pack.
    pub(crate) fn with_pack() -> Self {
        let desk = Self::new();
        desk.import_pack("1.0.0", RECORDED);
        desk
    }

    /// Imports the small pack with these queries and their answers.
    pub(crate) fn import_pack(&self, version: &str, records: &[(&str, &str)]) {
        let folder = tempfile::tempdir().unwrap();
        for below in ["tasks/tools", "cache"] {
            fs::create_dir_all(folder.path().join(below)).unwrap();
        }
        let records: Vec<String> = records.iter().map(|(query, found)| record(query, found)).collect();
        let tasks: Value = [("L1-001", "가"), ("L1-002", MISSED), ("L1-003", MISSED)]
            .map(|(id, query)| task(id, query))
            .into();
        let manifest = json!({"format": 1, "name": "small", "version": version, "title": "작은 팩", "source": "made up",
            "licence": "CC0-1.0"});
        for (path, text) in [
            ("tasks/pack.json", manifest.to_string()),
            ("tasks/L1.json", tasks.to_string()),
            ("tasks/tools/Search_x.json", serde_json::to_string(&tool()).unwrap()),
            ("tasks/judge_prompts.yaml", "sr: {}\n".to_owned()),
            ("cache/Search_x.jsonl", records.concat()),
        ] {
            fs::write(folder.path().join(path), text).unwrap();
        }
        self.runs.packs.import(folder.path()).unwrap();
    }
}

/// A request for a run of the small pack that makes the calls of its golden paths.
pub(crate) fn of_small() -> RunRequest {
    RunRequest {
        pack: Some("small".to_owned()),
        levels: vec![Level::L1],
        ..RunRequest::published("small", "baseline/golden")
    }
}

fn tool() -> ToolSpec {
    ToolSpec {
        name: "Search_x".to_owned(),
        description: "찾기".to_owned(),
        parameters: json!({"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}),
    }
}

fn task(id: &str, query: &str) -> Value {
    json!({
        "task_id": id, "instruction": format!("{query}를 찾아줘"), "task_level": 1, "task_category": "찾기",
        "golden_action": [{"tool": "Search_x", "args": {"query": query}}], "available_tools": ["Search_x"],
        "resp_schema": {"type": "string"}
    })
}

fn record(query: &str, found: &str) -> String {
    let (tool, raw) = (tool(), json!({"query": query}));
    let args = args::normalize(&tool, raw.as_object().unwrap());
    let key = published_key(&tool.name, &signature(&tool), &args);
    let record = json!({"key": key, "tool": tool.name, "created_at": "2025-11-01T00:00:00.000001",
        "input_params": args.as_value(), "raw_args": raw, "data": {"found": found}});
    format!("{record}\n")
}
