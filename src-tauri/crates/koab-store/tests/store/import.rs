//! Imports of every layout, whole and broken, made by hand and small.

use crate::support::{answer, folder, import, problems, record, refusal, starter, task, tool, workspace};
use koab_engine::ports::Cancel;
use koab_store::Error;
use koab_store::import::Watch;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::Path;

#[test]
fn a_starter_pack_is_imported_as_it_stands() {
    let (space, source) = (workspace(), folder(&starter()));
    let imported = import(&space, source.path());
    assert_eq!(problems(&imported), "");
    let (pack, found) = space.store.pack("starter").expect("read");
    assert_eq!((pack.label().as_str(), found), ("starter@1.0.0", vec![]));
    let names: Vec<&str> = pack.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["Search_x", "Another_x"], "the manifest's order comes first");
    assert!(pack.manifest.sample && imported.pack.active);
    assert_eq!(pack.judge_prompts, "sr: {}\n");
    let search = tool("Search_x");
    let asked = json!({"asked": {"query": "가"}});
    assert_eq!(answer(&space, "starter", &search, json!({"query": "가"})), Some(asked.clone()));
    assert_eq!(answer(&space, "starter", &search, json!({"size": 10, "query": "가", "x": 1})), Some(asked));
    assert_eq!(answer(&space, "starter", &search, json!({"query": "가", "size": 9})), None);
    assert_eq!(space.store.verify_pack("starter").expect("verified"), []);
}

#[test]
fn the_folder_of_a_packs_tasks_stands_for_the_pack() {
    let (space, source) = (workspace(), folder(&starter()));
    let imported = import(&space, &source.path().join("tasks"));
    assert_eq!(problems(&imported), "");
    let (pack, _) = space.store.pack("starter").expect("read");
    assert_eq!(pack.tools.len(), 2);
}

#[test]
fn importing_again_replaces_the_pack_and_raises_the_generation() {
    let (space, source) = (workspace(), folder(&starter()));
    let first = import(&space, source.path()).pack;
    let second = import(&space, source.path()).pack;
    assert_eq!((second.generation, first.records), (first.generation + 1, second.records.clone()));
    assert_eq!(space.store.packs().expect("read").len(), 1);
}

#[test]
fn an_import_that_is_stopped_halfway_leaves_the_workspace_as_it_was() {
    let (space, source) = (workspace(), folder(&starter()));
    let before = import(&space, source.path()).pack;
    let (cancel, heard) = (Cancel::new(), RefCell::new(Vec::new()));
    let progress = |done: u64, total: u64| {
        heard.borrow_mut().push((done, total));
        cancel.cancel();
    };
    let watch = Watch { cancel: &cancel, progress: &progress };
    let stopped = space.store.import_watched(source.path(), watch);
    assert!(matches!(stopped, Err(Error::Cancelled)), "{stopped:?}");
    assert_eq!(heard.into_inner(), [(1, 1)], "one of one file was begun, none after it");
    assert_eq!(space.store.pack_info("starter").expect("there"), before);
}

#[test]
fn an_archive_tells_how_far_it_is_from_its_first_entry_to_its_last_record() {
    let (space, files) = (workspace(), starter());
    let beside = tempfile::tempdir().expect("a folder");
    let archive = beside.path().join("pack.tar");
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in &files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, content.as_bytes()).expect("appended");
    }
    fs::write(&archive, builder.into_inner().expect("finished")).expect("written");
    let heard = RefCell::new(Vec::new());
    let progress = |done: u64, total: u64| heard.borrow_mut().push((done, total));
    let watch = Watch { cancel: &Cancel::new(), progress: &progress };
    space.store.import_watched(&archive, watch).expect("imported");
    let heard = heard.into_inner();
    assert!(heard.len() > files.len(), "{heard:?}");
    assert!(heard.is_sorted() && heard.iter().all(|(_, total)| *total == 100), "{heard:?}");
    assert_eq!(heard.last(), Some(&(100, 100)));
    assert!(heard.iter().any(|(done, _)| (1..=50).contains(done)), "{heard:?}");
}

#[test]
fn changed_files_are_named() {
    let mut files = starter();
    files[3].1.push_str("# changed\n");
    files.remove(1);
    files.push(("tasks/L2.json", "[]".to_owned()));
    let (space, source) = (workspace(), folder(&files));
    insta::assert_snapshot!(problems(&import(&space, source.path())), @r"
    tasks/judge_prompts.yaml: is not the file whose hash the manifest states; it was changed after the pack was made
    tasks/tools/Another_x.json: is in the manifest, but not in the pack (left out)
    tasks/L2.json: is not in the manifest
    tasks/pack.json: counts: states 2 tools, 1 can be used
    ");
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
        ("tasks/pack.json", json!({"format": 1, "name": "broken", "version": "0"}).to_string()),
        (
            "tasks/L1.json",
            json!([task("L1-001", "Search_x"), {"task_id": 3}, task("L1-002", "Nowhere")]).to_string(),
        ),
        ("tasks/L2.json", "[{\"task_id\": ".to_owned()),
        ("tasks/L3.json", "{}".to_owned()),
        ("tasks/tools/a.json", serde_json::to_string(&search).expect("JSON")),
        ("tasks/tools/b.json", serde_json::to_string(&search).expect("JSON")),
        ("tasks/tools/c.json", "{\"name\": \"C\"}".to_owned()),
        ("cache/Search_x.jsonl", lines.join("\r\n")),
        ("cache/Gone_x.jsonl", json!({"key": key, "input_params": {}, "data": []}).to_string()),
        ("cache/notes.txt", "no record".to_owned()),
    ];
    let (space, source) = (workspace(), folder(&files));
    let imported = import(&space, source.path());
    insta::assert_snapshot!(problems(&imported), @r"
    tasks/tools/b.json: the name `Search_x` is already taken (left out)
    tasks/tools/c.json: C: description: must be a text that is not empty (left out)
    tasks/judge_prompts.yaml: is missing, so metrics that need a judge stay unscored
    tasks/pack.json: states no hashes, so nothing can be checked
    tasks/L1.json: task 2: task_id: must be a text that is not empty (left out)
    tasks/L1.json: L1-002: golden_action[0].tool: there is no tool named `Nowhere`
    tasks/L2.json: is not JSON: EOF while parsing a value at line 1 column 13 (left out)
    tasks/L3.json: must be an array of tasks (left out)
    cache/Search_x.jsonl line 2: is not JSON: EOF while parsing a value at line 1 column 9 (left out)
    cache/Search_x.jsonl line 3: is not an object (left out)
    cache/Search_x.jsonl line 4: has no arguments (left out)
    cache/Search_x.jsonl line 5: has no data (left out)
    cache: 1 record with the same key as another record, which was kept, the first is cache/Search_x.jsonl line 6 (left out)
    cache: 1 record filed under another key or tool than stated inside, the first is cache/Search_x.jsonl line 7
    cache/Gone_x: 1 record of a tool that the catalog does not have, so no call finds them
    cache: 1 record made under earlier tool definitions, 1 of which answer calls that no current record answers
    ");
    insta::assert_debug_snapshot!(imported.pack.records, @r"
    RecordCounts {
        seen: 8,
        kept: 3,
        current: 1,
        stale: 1,
        orphan: 1,
        answering: 2,
        answering_stale: 1,
        unreadable: 4,
        duplicate: 1,
        misnamed: 1,
    }
    ");
    assert_eq!(answer(&space, "broken", &search, json!({"query": "가"})), Some(json!(1)));
    let (pack, _) = space.store.pack("broken").expect("read");
    let ids: Vec<&str> = pack.tasks.values().flatten().map(|task| task.id.as_str()).collect();
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
    insta::assert_snapshot!(refusals.join("\n"), @r"
    SOURCE holds no pack; it must be a folder or an archive with tasks/pack.json, tasks/L1.json, bench/tasks/L1.json, or the files of one of the benchmarks functionchat, bfcl, bfcl_multi_turn
    SOURCE: tasks/pack.json is not a JSON object; nothing was imported
    SOURCE: tasks/pack.json has format 9 and this version reads up to 1; update Ko-AgentBench Desktop; nothing was imported
    SOURCE: tasks/pack.json needs a name of at most 64 letters, digits, dots, dashes and underscores; nothing was imported
    SOURCE holds no task that can be run; nothing was imported
    ");
    let space = workspace();
    let missing = space.store.import(Path::new("no/such/path")).expect_err("missing");
    assert!(matches!(missing, Error::NotFound(_)), "{missing}");
    let unknown = space.store.pack("none").expect_err("unknown").to_string();
    assert_eq!(unknown, "there is no pack `none`: none is installed; install one with `koab pack import`");
}

/// A checkout with records in the new and the old place, two for the same arguments, and one of an older schema.
/// The published tool looks at the old place only where the new one has nothing, whichever file is read sooner.
#[test]
fn of_two_records_under_one_key_the_one_in_the_new_place_is_kept_however_long_it_takes_to_read() {
    let search = tool("Search_x");
    let (key, mut new) = record(&search, json!({"query": "now"}), json!("new"));
    let mut old = new.clone();
    old["data"] = json!("old");
    new["filler"] = json!("x".repeat(8 << 20));
    let cache = |place: &str| format!("cache/{place}{}/{key}.json", &key[..2]);
    let (new_place, old_place) = (cache("Search_x/"), cache(""));
    let mut files = starter();
    files.retain(|(path, _)| !path.ends_with(".jsonl"));
    files.push((&new_place, new.to_string()));
    files.push((&old_place, old.to_string()));
    let (space, source) = (workspace(), folder(&files));
    let imported = import(&space, source.path());
    assert!(problems(&imported).contains(&format!("the first is {old_place}")), "{}", problems(&imported));
    let kept = answer(&space, "starter", &search, json!({"query": "now"}));
    assert_eq!(kept, Some(json!("new")));
}

#[test]
fn a_recorded_answer_is_read_as_python_reads_it() {
    let search = tool("Search_x");
    let (key, asked) = record(&search, json!({"query": "now"}), json!("ANSWER"));
    let answer_text = r#"{"id": 123456789012345678901234567890, "rate": NaN, "half": "\ud83d"}"#;
    let text = asked.to_string().replace("\"ANSWER\"", answer_text);
    let place = format!("cache/Search_x/{}/{key}.json", &key[..2]);
    let mut files = starter();
    files.retain(|(path, _)| !path.ends_with(".jsonl"));
    files.push((&place, text));
    let (space, source) = (workspace(), folder(&files));
    import(&space, source.path());
    assert_eq!(
        answer(&space, "starter", &search, json!({"query": "now"})),
        Some(json!({"id": "123456789012345678901234567890", "rate": null, "half": "\u{fffd}"}))
    );
}

#[test]
fn a_checkout_is_read_with_its_legacy_cache() {
    let search = tool("Search_x");
    let file = |tool: Option<&str>, (key, mut record): (String, Value), name: Option<&str>, at: &str| {
        let name = name.unwrap_or(&key).to_owned();
        record["created_at"] = json!(at);
        record["key"] = json!(name);
        let folder = tool.map(|tool| format!("{tool}/")).unwrap_or_default();
        (format!("bench/cache/{folder}{}/{name}.json", &name[..2]), record.to_string())
    };
    let of = |raw: Value, data: &str| record(&search, raw, json!(data));
    let (older, newer) = ("a".repeat(64), "b".repeat(64));
    let mut numbers = of(json!({"query": "number"}), "unit was a number");
    numbers.1["input_params"]["unit"] = json!(3);
    let records = [
        file(Some("Search_x"), of(json!({"query": "now"}), "current"), None, "2025-01-01"),
        file(Some("Search_x"), of(json!({"query": "now"}), "stale but newer"), Some(&newer), "2025-12-01"),
        file(Some("Search_x"), of(json!({"query": "old"}), "older"), Some(&"c".repeat(64)), "2025-01-01"),
        file(Some("Search_x"), of(json!({"query": "old"}), "newer"), Some(&"d".repeat(64)), "2025-02-01"),
        file(Some("Search_x"), numbers, Some(&older), "2025-01-01"),
        file(None, of(json!({"query": "legacy"}), "from the old place"), None, "2025-01-01"),
        file(None, of(json!({"query": "now"}), "hidden by the new place"), None, "2025-12-31"),
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
        ("bench/tasks/L1.json", json!([task("L1-001", "Search_x")]).to_string()),
        ("bench/tools/tool_catalog.py", module.to_owned()),
        ("bench/runner/prompts.yaml", "sr: {}\n".to_owned()),
    ];
    files.extend(records.iter().map(|(path, content)| (path.as_str(), content.clone())));
    let (space, source) = (workspace(), folder(&files));
    let imported = import(&space, source.path());
    insta::assert_snapshot!(problems(&imported), @r"
    bench/tools/tool_catalog.py: line 9: tool Broken_x: `make()` is not a plain value, and the file is not run (left out)
    cache: 1 record with the same key as another record, which was kept, the first is bench/cache/86/86e33f5f841fd4266a4a679d101fb451c2139e7b0e9880a087a02cff6d56fffb.json (left out)
    cache: 4 records made under earlier tool definitions, 2 of which answer calls that no current record answers
    ");
    insta::assert_debug_snapshot!(imported.pack.records, @r"
    RecordCounts {
        seen: 7,
        kept: 6,
        current: 2,
        stale: 4,
        orphan: 0,
        answering: 4,
        answering_stale: 2,
        unreadable: 0,
        duplicate: 1,
        misnamed: 0,
    }
    ");
    let ask = |raw: Value| answer(&space, "ko-agentbench", &search, raw).unwrap_or_default();
    assert_eq!(ask(json!({"query": "now"})), json!("current"), "the current key wins over a newer record");
    assert_eq!(ask(json!({"query": "old"})), json!("newer"), "of stale ones the newest wins");
    assert_eq!(ask(json!({"query": "number", "unit": "3"})), json!("unit was a number"));
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
    assert_eq!(space.store.pack("starter").expect("read").0, other.store.pack("starter").expect("read").0);
}

/// What a folder that somebody else filled may hold beside files: a pipe, a device, links out of it, a file without end.
#[cfg(unix)]
#[test]
fn only_regular_files_of_the_folder_itself_are_read() {
    use std::os::unix::fs::symlink;

    /// Puts something else in a file's place.
    type Replace<'a> = &'a dyn Fn(&Path);

    let aside = folder(&[("secret.json", "[]".to_owned()), ("Tool/ab/a.json", "{}".to_owned())]);
    let pipe = |path: &Path| {
        fs::remove_file(path).ok();
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo starts").success());
    };
    let link = |target: &Path, path: &Path| {
        fs::remove_file(path).ok();
        symlink(target, path).expect("linked");
    };
    let (no_file, leads_out) =
        ("is not a regular file", "is a link that leads out of the folder; it is not followed");
    let endless = Path::new("/dev/zero");
    let secret = aside.path().join("secret.json");
    for file in [
        "tasks/L2.json",
        "tasks/tools/Another_x.json",
        "tasks/judge_prompts.yaml",
        "cache/Search_x.jsonl",
        "cache/Another_x/ab/a.json",
    ] {
        let kinds: [(&str, Replace<'_>); 4] = [
            (no_file, &pipe),
            (leads_out, &|path| link(endless, path)),
            (leads_out, &|path| link(&secret, path)),
            ("is larger than 64 MiB", &|path| {
                let sparse = fs::File::create(path).expect("made");
                sparse.set_len((64 << 20) + 1).expect("grown");
            }),
        ];
        for (why, make) in kinds {
            let (space, source) = (workspace(), folder(&starter()));
            let path = source.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            make(&path);
            let imported = import(&space, source.path());
            // A file of lines may be of any length, a line of it may not.
            let has_long_line = file.ends_with(".jsonl") && why.contains("MiB");
            let problems = problems(&imported);
            let place = match has_long_line {
                true => format!("{file} line 1"),
                false => file.to_owned(),
            };
            assert!(problems.contains(&format!("{place}: {why} (left out)")), "{file}: {problems}");
        }
    }
    // A link within the folder, and the cache as a link out of it.
    let (space, source) = (workspace(), folder(&starter()));
    let moved = source.path().join("L1.moved");
    fs::rename(source.path().join("tasks/L1.json"), &moved).expect("moved");
    link(&moved, &source.path().join("tasks/L1.json"));
    fs::rename(source.path().join("cache"), source.path().join("old")).expect("moved");
    link(aside.path(), &source.path().join("cache"));
    assert_eq!(
        problems(&import(&space, source.path())).lines().next(),
        Some(format!("cache: {leads_out} (left out)").as_str())
    );
    // The pack's own description, and what is named in place of a folder.
    let (space, source) = (workspace(), folder(&starter()));
    link(&secret, &source.path().join("tasks/pack.json"));
    let refused = |path: &Path| space.store.import(path).expect_err("a refusal").to_string();
    let said = refused(source.path());
    assert!(said.ends_with(&format!("tasks/pack.json {leads_out}; nothing was imported")), "{said}");
    let named = source.path().join("named");
    pipe(&named);
    for (named, shown) in [(named.as_path(), "named"), (endless, "zero")] {
        let said = refused(named);
        assert!(
            said.ends_with(&format!("{shown} is neither a file nor a folder; nothing was imported")),
            "{said}"
        );
    }
}

/// A snapshot in the cache that Hugging Face's tools share is made of links into the folder `blobs` beside it.
#[cfg(unix)]
#[test]
fn a_snapshot_of_the_shared_cache_is_read_through_its_links() {
    let cache = tempfile::tempdir().expect("a folder");
    let (blobs, snapshot) = (cache.path().join("blobs"), cache.path().join("snapshots/abc"));
    fs::create_dir_all(&blobs).expect("made");
    for (number, (file, content)) in starter().iter().enumerate() {
        fs::write(blobs.join(number.to_string()), content).expect("written");
        let path = snapshot.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::os::unix::fs::symlink(blobs.join(number.to_string()), path).expect("linked");
    }
    let space = workspace();
    let imported = import(&space, &snapshot);
    assert_eq!(problems(&imported), "");
    let (plain, source) = (workspace(), folder(&starter()));
    assert_eq!(imported.pack.records, import(&plain, source.path()).pack.records);
}
