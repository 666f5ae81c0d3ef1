//! Small packs and workspaces to test with.

use koab_core::args;
use koab_core::cache_key::{published_key, sha256_hex, signature};
use koab_core::tool::ToolSpec;
use koab_engine::ports::ResponseCache as _;
use koab_store::{Imported, Store};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of the reference material beside the checkout. Without it the test says so and passes.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn reference(name: &str) -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared").join(name);
    if shared.is_dir() {
        return Some(shared);
    }
    assert!(
        std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|v| v != "1"),
        "the reference {name} is required"
    );
    eprintln!("SKIP: ../shared/{name} is not beside the checkout");
    None
}

/// The published runs: beside the checkout, or as `cargo xtask setup parity` fetched them. Without either the test says so and
/// passes.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn published_runs() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let fetched = std::env::var_os("KOAB_PARITY").map_or_else(|| root.join("target/parity"), PathBuf::from);
    let places = [root.join("../shared/parity"), fetched.join("published-runs")];
    if let Some(folder) = places.into_iter().find(|folder| folder.is_dir()) {
        return Some(folder.join("logs/benchmark_results"));
    }
    assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none_or(|v| v != "1"), "the published runs are required");
    eprintln!(
        "SKIP: ../shared/parity is not beside the checkout; `cargo xtask setup parity` fetches the runs"
    );
    None
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, String)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, content) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, content).expect("written");
    }
    folder
}

pub(crate) fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: "찾기".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"query": {"type": "string"}, "size": {"type": "integer", "default": 10}, "unit": {"type": "string"}},
            "required": ["query"]
        }),
    }
}

pub(crate) fn task(id: &str, tool: &str) -> Value {
    json!({
        "task_id": id, "instruction": "찾아줘", "task_level": 1,
        "golden_action": [{"tool": tool, "args": {"query": "가"}}]
    })
}

/// A record of `tool` for raw arguments, filed under the key it has today.
pub(crate) fn record(tool: &ToolSpec, raw: Value, data: Value) -> (String, Value) {
    let args = args::normalize(tool, raw.as_object().expect("an object"));
    let key = published_key(&tool.name, &signature(tool), &args);
    let record = json!({
        "key": key, "tool": tool.name, "created_at": "2025-11-01T00:00:00.000001",
        "input_params": args.as_value(), "raw_args": raw, "data": data
    });
    (key, record)
}

/// The files of a small starter pack, its manifest last.
pub(crate) fn starter() -> Vec<(&'static str, String)> {
    let (search, other) = (tool("Search_x"), tool("Another_x"));
    let lines: Vec<String> = [json!({"query": "가"}), json!({"query": "나", "size": 5})]
        .into_iter()
        .map(|raw| record(&search, raw.clone(), json!({"asked": raw})).1.to_string())
        .collect();
    let mut files = vec![
        ("tasks/L1.json", json!([task("L1-001", "Search_x")]).to_string()),
        ("tasks/tools/Another_x.json", serde_json::to_string(&other).expect("JSON")),
        ("tasks/tools/Search_x.json", serde_json::to_string(&search).expect("JSON")),
        ("tasks/judge_prompts.yaml", "sr: {}\n".to_owned()),
        ("cache/Search_x.jsonl", lines.join("\n") + "\n"),
    ];
    let hashes: Value =
        files.iter().map(|(file, content)| ((*file).to_owned(), json!(sha256_hex(content)))).collect();
    let manifest = json!({
        "format": 1, "name": "starter", "version": "1.0.0", "title": "Starter", "licence": "CC0-1.0", "sample": true,
        "tool_order": ["Search_x"], "counts": {"tasks": {"L1": 1}, "tools": 2, "records": 2}, "sha256": hashes
    });
    files.push(("tasks/pack.json", manifest.to_string()));
    files
}

/// A database in a folder of its own.
pub(crate) struct Workspace {
    _folder: TempDir,
    pub(crate) store: Store,
}

pub(crate) fn workspace() -> Workspace {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("koab.sqlite")).expect("opened");
    Workspace { store, _folder: folder }
}

pub(crate) fn import(space: &Workspace, path: &Path) -> Imported {
    space.store.import(path).expect("imported")
}

/// The problems of an import, a line each.
pub(crate) fn problems(imported: &Imported) -> String {
    imported.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Why an import was refused, without the path.
pub(crate) fn refusal(files: &[(&str, String)]) -> String {
    let (space, source) = (workspace(), folder(files));
    let error = space.store.import(source.path()).expect_err("refused").to_string();
    assert!(space.store.packs().expect("read").is_empty(), "nothing is half imported");
    error.replace(&source.path().display().to_string(), "SOURCE")
}

pub(crate) fn answer(space: &Workspace, pack: &str, tool: &ToolSpec, raw: Value) -> Option<Value> {
    let args = args::normalize(tool, raw.as_object().expect("an object"));
    space.store.cache(pack).expect("opened").lookup(&tool.name, &args).expect("read")
}
