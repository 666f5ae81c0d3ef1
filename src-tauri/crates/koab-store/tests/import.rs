//! Imports of every layout, whole and broken, made by hand and small.

use koab_core::args;
use koab_core::cache_key::{published_key, sha256_hex, signature};
use koab_core::tool::ToolSpec;
use koab_engine::ports::ResponseCache as _;
use koab_store::{Error, Imported, Store};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, String)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, content) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, content).expect("written");
    }
    folder
}

fn tool(name: &str) -> ToolSpec {
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

fn task(id: &str, tool: &str) -> Value {
    json!({
        "task_id": id, "instruction": "찾아줘", "task_level": 1,
        "golden_action": [{"tool": tool, "args": {"query": "가"}}]
    })
}

/// A record of `tool` for raw arguments, filed under the key it has today.
fn record(tool: &ToolSpec, raw: Value, data: Value) -> (String, Value) {
    let args = args::normalize(tool, raw.as_object().expect("an object"));
    let key = published_key(&tool.name, &signature(tool), &args);
    let record = json!({
        "key": key, "tool": tool.name, "created_at": "2025-11-01T00:00:00.000001",
        "input_params": args.as_value(), "raw_args": raw, "data": data
    });
    (key, record)
}

/// The files of a small starter pack, its manifest last.
fn starter() -> Vec<(&'static str, String)> {
    let (search, other) = (tool("Search_x"), tool("Another_x"));
    let lines: Vec<String> = [json!({"query": "가"}), json!({"query": "나", "size": 5})]
        .into_iter()
        .map(|raw| record(&search, raw.clone(), json!({"asked": raw})).1.to_string())
        .collect();
    let mut files = vec![
        ("tasks/L1.json", json!([task("L1-001", "Search_x")]).to_string()),
        (
            "tasks/tools/Another_x.json",
            serde_json::to_string(&other).expect("JSON"),
        ),
        (
            "tasks/tools/Search_x.json",
            serde_json::to_string(&search).expect("JSON"),
        ),
        ("tasks/judge_prompts.yaml", "sr: {}\n".to_owned()),
        ("cache/Search_x.jsonl", lines.join("\n") + "\n"),
    ];
    let hashes: Value = files
        .iter()
        .map(|(file, content)| ((*file).to_owned(), json!(sha256_hex(content))))
        .collect();
    let manifest = json!({
        "format": 1, "name": "starter", "version": "1.0.0", "title": "Starter", "licence": "CC0-1.0", "sample": true,
        "tool_order": ["Search_x"], "counts": {"tasks": {"L1": 1}, "tools": 2, "records": 2}, "sha256": hashes
    });
    files.push(("tasks/pack.json", manifest.to_string()));
    files
}

struct Workspace {
    _folder: TempDir,
    store: Store,
}

fn workspace() -> Workspace {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("koab.sqlite")).expect("opened");
    Workspace {
        store,
        _folder: folder,
    }
}

fn import(space: &Workspace, path: &Path) -> Imported {
    space.store.import(path).expect("imported")
}

/// The problems of an import, a line each.
fn problems(imported: &Imported) -> String {
    imported
        .problems
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Why an import was refused, without the path.
fn refusal(files: &[(&str, String)]) -> String {
    let (space, source) = (workspace(), folder(files));
    let error = space
        .store
        .import(source.path())
        .expect_err("refused")
        .to_string();
    assert!(
        space.store.packs().expect("read").is_empty(),
        "nothing is half imported"
    );
    error.replace(&source.path().display().to_string(), "SOURCE")
}

fn answer(space: &Workspace, pack: &str, tool: &ToolSpec, raw: Value) -> Option<Value> {
    let args = args::normalize(tool, raw.as_object().expect("an object"));
    space
        .store
        .cache(pack)
        .expect("opened")
        .lookup(&tool.name, &args)
        .expect("read")
}

#[test]
fn a_starter_pack_is_imported_as_it_stands() {
    let (space, source) = (workspace(), folder(&starter()));
    let imported = import(&space, source.path());
    assert_eq!(problems(&imported), "");
    let (pack, found) = space.store.pack("starter").expect("read");
    assert_eq!((pack.label().as_str(), found), ("starter@1.0.0", vec![]));
    let names: Vec<&str> = pack.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(
        names,
        ["Search_x", "Another_x"],
        "the manifest's order comes first"
    );
    assert!(pack.manifest.sample && imported.pack.active);
    assert_eq!(pack.judge_prompts, "sr: {}\n");
    let search = tool("Search_x");
    let asked = json!({"asked": {"query": "가"}});
    assert_eq!(
        answer(&space, "starter", &search, json!({"query": "가"})),
        Some(asked.clone())
    );
    assert_eq!(
        answer(
            &space,
            "starter",
            &search,
            json!({"size": 10, "query": "가", "x": 1})
        ),
        Some(asked)
    );
    assert_eq!(
        answer(&space, "starter", &search, json!({"query": "가", "size": 9})),
        None
    );
    assert_eq!(space.store.verify_pack("starter").expect("verified"), []);
}

#[test]
fn importing_again_replaces_the_pack_and_raises_the_generation() {
    let (space, source) = (workspace(), folder(&starter()));
    let first = import(&space, source.path()).pack;
    let second = import(&space, source.path()).pack;
    assert_eq!(
        (second.generation, first.records),
        (first.generation + 1, second.records.clone())
    );
    assert_eq!(space.store.packs().expect("read").len(), 1);
}

#[test]
fn changed_files_are_named() {
    let mut files = starter();
    files[3].1.push_str("# changed\n");
    files.remove(1);
    files.push(("tasks/L2.json", "[]".to_owned()));
    let (space, source) = (workspace(), folder(&files));
    insta::assert_snapshot!(problems(&import(&space, source.path())), @"");
}

#[test]
fn a_half_broken_pack_keeps_what_is_sound() {
    let search = tool("Search_x");
    let (key, sound) = record(&search, json!({"query": "가"}), json!(1));
    let lines = [
        sound.to_string(),
        "{\"cut\": ".to_owned(),
        "[]".to_owned(),
        json!({"tool": "Search_x", "data": 1}).to_string(),
        json!({"tool": "Search_x", "input_params": {"query": "나"}}).to_string(),
        sound.to_string(),
        json!({"key": "0".repeat(64), "tool": "Other", "input_params": {"query": "다"}, "data": null})
            .to_string(),
    ];
    let files = [
        (
            "tasks/pack.json",
            json!({"format": 1, "name": "broken", "version": "0"}).to_string(),
        ),
        (
            "tasks/L1.json",
            json!([task("L1-001", "Search_x"), {"task_id": 3}, task("L1-002", "Nowhere")]).to_string(),
        ),
        ("tasks/L2.json", "[{\"task_id\": ".to_owned()),
        ("tasks/L3.json", "{}".to_owned()),
        (
            "tasks/tools/a.json",
            serde_json::to_string(&search).expect("JSON"),
        ),
        (
            "tasks/tools/b.json",
            serde_json::to_string(&search).expect("JSON"),
        ),
        ("tasks/tools/c.json", "{\"name\": \"C\"}".to_owned()),
        ("cache/Search_x.jsonl", lines.join("\r\n")),
        (
            "cache/Gone_x.jsonl",
            json!({"key": key, "input_params": {}, "data": []}).to_string(),
        ),
        ("cache/notes.txt", "no record".to_owned()),
    ];
    let (space, source) = (workspace(), folder(&files));
    let imported = import(&space, source.path());
    insta::assert_snapshot!(problems(&imported), @"");
    insta::assert_debug_snapshot!(imported.pack.records, @"");
    assert_eq!(
        answer(&space, "broken", &search, json!({"query": "가"})),
        Some(json!(1))
    );
    let (pack, _) = space.store.pack("broken").expect("read");
    let ids: Vec<&str> = pack
        .tasks
        .values()
        .flatten()
        .map(|task| task.id.as_str())
        .collect();
    assert_eq!(ids, ["L1-001", "L1-002"]);
}

#[test]
fn what_cannot_be_a_pack_is_refused_with_one_sentence() {
    let pack = |manifest: Value| {
        vec![
            ("tasks/pack.json", manifest.to_string()),
            ("tasks/L1.json", json!([task("A", "x")]).to_string()),
        ]
    };
    let refusals = [
        refusal(&[("readme.txt", String::new())]),
        refusal(&pack(json!([]))),
        refusal(&pack(json!({"format": 9, "name": "x"}))),
        refusal(&pack(json!({"format": 1, "name": "../x"}))),
        refusal(&[("tasks/L1.json", "[]".to_owned())]),
    ];
    insta::assert_snapshot!(refusals.join("\n"), @"");
    let space = workspace();
    let missing = space
        .store
        .import(Path::new("no/such/path"))
        .expect_err("missing");
    assert!(matches!(missing, Error::NotFound(_)), "{missing}");
    let unknown = space.store.pack("none").expect_err("unknown").to_string();
    assert_eq!(
        unknown,
        "there is no pack `none`: none is installed; install one with `koab pack import`"
    );
}

/// A checkout with records in the new and the old place, two for the same arguments, and one of an older schema.
#[test]
fn a_checkout_is_read_with_its_legacy_cache() {
    let search = tool("Search_x");
    let file = |tool: Option<&str>, (key, mut record): (String, Value), name: Option<&str>, at: &str| {
        let name = name.unwrap_or(&key).to_owned();
        record["created_at"] = json!(at);
        record["key"] = json!(name);
        let folder = tool.map(|tool| format!("{tool}/")).unwrap_or_default();
        (
            format!("bench/cache/{folder}{}/{name}.json", &name[..2]),
            record.to_string(),
        )
    };
    let of = |raw: Value, data: &str| record(&search, raw, json!(data));
    let (older, newer) = ("a".repeat(64), "b".repeat(64));
    let mut numbers = of(json!({"query": "number"}), "unit was a number");
    numbers.1["input_params"]["unit"] = json!(3);
    let records = [
        file(
            Some("Search_x"),
            of(json!({"query": "now"}), "current"),
            None,
            "2025-01-01",
        ),
        file(
            Some("Search_x"),
            of(json!({"query": "now"}), "stale but newer"),
            Some(&newer),
            "2025-12-01",
        ),
        file(
            Some("Search_x"),
            of(json!({"query": "old"}), "older"),
            Some(&"c".repeat(64)),
            "2025-01-01",
        ),
        file(
            Some("Search_x"),
            of(json!({"query": "old"}), "newer"),
            Some(&"d".repeat(64)),
            "2025-02-01",
        ),
        file(Some("Search_x"), numbers, Some(&older), "2025-01-01"),
        file(
            None,
            of(json!({"query": "legacy"}), "from the old place"),
            None,
            "2025-01-01",
        ),
        file(
            None,
            of(json!({"query": "now"}), "hidden by the new place"),
            None,
            "2025-12-31",
        ),
    ];
    let module = r#"
from .x import X
TOOL_CATALOG = {
    "Search_x": (X, "search", "찾" "기", {  # the same words in two parts
        "type": "object",
        "properties": {"query": {"type": "string"}, "size": {"type": "integer", "default": 10}, "unit": {"type": "string"}},
        "required": ["query"],
    }),
    "Broken_x": (X, "broken", make(), {}),
}
"#;
    let mut files = vec![
        (
            "bench/tasks/L1.json",
            json!([task("L1-001", "Search_x")]).to_string(),
        ),
        ("bench/tools/tool_catalog.py", module.to_owned()),
        ("bench/runner/prompts.yaml", "sr: {}\n".to_owned()),
    ];
    files.extend(
        records
            .iter()
            .map(|(path, content)| (path.as_str(), content.clone())),
    );
    let (space, source) = (workspace(), folder(&files));
    let imported = import(&space, source.path());
    insta::assert_snapshot!(problems(&imported), @"");
    insta::assert_debug_snapshot!(imported.pack.records, @"");
    let ask = |raw: Value| answer(&space, "ko-agentbench", &search, raw).unwrap_or_default();
    assert_eq!(
        ask(json!({"query": "now"})),
        json!("current"),
        "the current key wins over a newer record"
    );
    assert_eq!(
        ask(json!({"query": "old"})),
        json!("newer"),
        "of stale ones the newest wins"
    );
    assert_eq!(
        ask(json!({"query": "number", "unit": "3"})),
        json!("unit was a number")
    );
    assert_eq!(ask(json!({"query": "legacy"})), json!("from the old place"));
}

#[test]
fn an_archive_is_imported_like_its_folder() {
    let mut builder = tar::Builder::new(Vec::new());
    for (file, content) in starter() {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder
            .append_data(&mut header, format!("starter-1.0/{file}"), content.as_bytes())
            .expect("appended");
    }
    let archive = folder(&[]);
    let path = archive.path().join("starter.tar");
    fs::write(&path, builder.into_inner().expect("finished")).expect("written");
    let (space, source, other) = (workspace(), folder(&starter()), workspace());
    let (from_archive, from_folder) = (import(&space, &path), import(&other, source.path()));
    assert_eq!(
        (problems(&from_archive).as_str(), &from_archive.pack.records),
        ("", &from_folder.pack.records)
    );
    assert_eq!(
        space.store.pack("starter").expect("read").0,
        other.store.pack("starter").expect("read").0
    );
}

#[test]
fn packs_are_listed_used_and_removed() {
    let space = workspace();
    for name in ["b", "a"] {
        let files = [
            (
                "tasks/pack.json",
                json!({"format": 1, "name": name, "version": "1"}).to_string(),
            ),
            ("tasks/L1.json", json!([task("L1-001", "x")]).to_string()),
        ];
        import(&space, folder(&files).path());
    }
    let list = || -> Vec<(String, bool)> {
        let packs = space.store.packs().expect("read").into_iter();
        packs.map(|pack| (pack.manifest.name, pack.active)).collect()
    };
    let named = |name: &str, active| (name.to_owned(), active);
    assert_eq!(
        list(),
        [named("a", false), named("b", true)],
        "the first one imported is active"
    );
    space.store.use_pack("a").expect("used");
    assert_eq!(list(), [named("a", true), named("b", false)]);
    space.store.remove_pack("a").expect("removed");
    assert_eq!(list(), [named("b", true)], "another takes its place");
    let error = space.store.use_pack("a").expect_err("removed").to_string();
    assert_eq!(
        error,
        "there is no pack `a`: there are b; install one with `koab pack import`"
    );
}

#[test]
fn what_was_changed_in_the_database_is_found() {
    let space = workspace();
    import(&space, folder(&starter()).path());
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    database
        .execute("UPDATE record SET data = '7' WHERE args LIKE '%나%'", [])
        .expect("changed");
    database
        .execute(
            "UPDATE document SET content = '[]' WHERE path = 'tasks/L1.json'",
            [],
        )
        .expect("changed");
    let found = space.store.verify_pack("starter").expect("verified");
    let mut lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    lines[1].replace_range("cache/Search_x/".len().."cache/Search_x/".len() + 64, "KEY");
    assert_eq!(
        lines,
        [
            "tasks/L1.json: is not what was imported",
            "cache/Search_x/KEY: is not what was imported"
        ]
    );
    database.execute("DELETE FROM record", []).expect("deleted");
    let found = space.store.verify_pack("starter").expect("verified");
    assert_eq!(
        found.last().map(ToString::to_string).as_deref(),
        Some("cache: 2 records were imported, 0 are there")
    );
}

#[test]
fn the_tables_are_as_they_were_published() {
    let space = workspace();
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    let sql = "SELECT name || ': ' || (SELECT group_concat(name, ' ') FROM pragma_table_info(s.name))
               FROM sqlite_schema AS s WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    let mut statement = database.prepare(sql).expect("prepared");
    let rows = statement
        .query_map([], |row| row.get::<_, String>(0))
        .expect("queried");
    let tables = rows.collect::<Result<Vec<_>, _>>().expect("read").join("\n");
    insta::assert_snapshot!(tables, @"");
}
