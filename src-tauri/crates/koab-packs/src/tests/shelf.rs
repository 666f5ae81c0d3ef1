//! A workspace with small packs that are made by hand.

use crate::{PackImported, Packs};
use koab_core::args;
use koab_core::cache_key::{published_key, signature};
use koab_core::tool::ToolSpec;
pub(crate) use koab_stand_ins::refused;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A path in a pack, and its text.
pub(crate) type File = (String, String);

/// A workspace, its starter pack included.
pub(crate) struct Shelf {
    pub(crate) packs: Packs,
    pub(crate) folder: TempDir,
}

impl Shelf {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let packs = Packs::at(folder.path());
        Self { packs, folder }
    }

    /// Imports the small pack under this name.
    pub(crate) fn import(&self, name: &str) -> PackImported {
        self.import_files(&small_pack(name))
    }

    pub(crate) fn import_files(&self, files: &[File]) -> PackImported {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), files);
        self.packs.import(folder.path()).expect("imported")
    }
}

pub(crate) fn write(folder: &Path, files: &[File]) {
    for (file, text) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    }
}

pub(crate) fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: "찾기".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"query": {"type": "string"}, "size": {"type": "integer", "default": 10}},
            "required": ["query"]
        }),
    }
}

pub(crate) fn task(id: &str, tool: &str, query: &str) -> Value {
    json!({
        "task_id": id, "instruction": format!("{query}를 찾아줘"), "task_level": 1, "task_category": "찾기",
        "golden_action": [{"tool": tool, "args": {"query": query}}], "resp_schema": {"type": "string"}
    })
}

/// A record of a tool under the key that it has today.
pub(crate) fn record(tool: &ToolSpec, query: &str) -> String {
    let raw = json!({"query": query});
    let args = args::normalize(tool, raw.as_object().expect("an object"));
    let key = published_key(&tool.name, &signature(tool), &args);
    let record = json!({
        "key": key, "tool": tool.name, "created_at": "2025-11-01T00:00:00.000001",
        "input_params": args.as_value(), "raw_args": raw, "data": {"found": query}
    });
    format!("{record}\n")
}

/// Two tasks, two tools, and three records of the first: the second task's call is not among them.
pub(crate) fn small_pack(name: &str) -> Vec<File> {
    let mut files = without_records(name);
    let records: Vec<String> =
        ["가", "나", "서울 맛집"].iter().map(|query| record(&tool("Search_x"), query)).collect();
    files.push(("cache/Search_x.jsonl".to_owned(), records.concat()));
    files
}

pub(crate) fn without_records(name: &str) -> Vec<File> {
    let tasks = json!([task("L1-001", "Search_x", "가"), task("L1-002", "Search_x", "서울 카페")]);
    let manifest = json!({
        "format": 1, "name": name, "version": "1.0.0", "title": "작은 팩", "source": "made up", "licence": "CC0-1.0",
    });
    let of_tool = |name: &str| serde_json::to_string(&tool(name)).expect("JSON");
    let files = [
        ("tasks/pack.json", manifest.to_string()),
        ("tasks/L1.json", tasks.to_string()),
        ("tasks/tools/Search_x.json", of_tool("Search_x")),
        ("tasks/tools/Another_x.json", of_tool("Another_x")),
        ("tasks/judge_prompts.yaml", "sr:\n  system: s\n  template: t\n".to_owned()),
    ];
    files.map(|(path, text)| (path.to_owned(), text)).into()
}
