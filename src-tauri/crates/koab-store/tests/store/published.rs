//! The published benchmark, imported whole: what is found, how fast, and what a model then sees.
//!
//! Needs the published data beside the checkout; without it every test says so and passes.

#![expect(clippy::print_stderr, reason = "figures and skips are for whoever reads the test's output")]

use crate::support::reference;
use koab_core::finding::{Fault, Problem};
use koab_core::level::Level;
use koab_core::{args, cache_key};
use koab_engine::ports::ResponseCache as _;
use koab_store::{Imported, Store};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn published() -> Option<PathBuf> {
    reference("ko-agentbench")
}

struct Workspace {
    _folder: tempfile::TempDir,
    store: Store,
    imported: Imported,
}

fn import(path: &Path) -> Workspace {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("koab.sqlite")).expect("opened");
    let start = Instant::now();
    let imported = store.import(path).expect("imported");
    eprintln!("the import took {:?}", start.elapsed());
    Workspace { _folder: folder, store, imported }
}

/// Every record of the published layout with its tool and its file's name.
fn records(root: &Path) -> Vec<(String, String, Value)> {
    let children =
        |path: PathBuf| fs::read_dir(path).expect("listed").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut records = Vec::new();
    for tool in children(root.join("cache")) {
        for file in children(tool.clone()).flat_map(children) {
            let record = serde_json::from_slice(&fs::read(&file).expect("read")).expect("JSON");
            records.push((name(&tool), name(&file), record));
        }
    }
    records
}

/// One import for all of this, since it is thousands of files; each part says what it holds.
#[test]
fn the_published_benchmark_is_imported_whole() {
    let Some(root) = published() else { return };
    let space = import(&root);
    everything_is_counted(&space);
    known_faults_are_found(&space.imported.problems);
    tasks_come_back_as_they_were_published(&space, &root);
    current_records_are_found_by_their_arguments(&space, &root);
    stale_records_without_a_twin_are_found_by_their_arguments(&space, &root);
    golden_calls_are_answered_as_far_as_known(&space);
    assert_eq!(space.store.verify_pack("ko-agentbench").expect("verified"), []);
    attempts_keep_their_snapshot(&space, &root);
}

fn everything_is_counted(space: &Workspace) {
    let pack = &space.imported.pack;
    let tasks: Vec<u32> = pack.manifest.counts.tasks.values().copied().collect();
    assert_eq!((tasks.as_slice(), pack.manifest.counts.tools), (&[11, 15, 10, 10, 20, 15, 10][..], 33));
    insta::assert_debug_snapshot!(pack.records, @r"
    RecordCounts {
        seen: 4582,
        kept: 4582,
        current: 3715,
        stale: 828,
        orphan: 39,
        answering: 4322,
        answering_stale: 607,
        unreadable: 0,
        duplicate: 0,
        misnamed: 0,
    }
    ");
    assert!(pack.active && pack.manifest.name == "ko-agentbench", "the first pack is used");
    let of_cache: Vec<String> =
        space.imported.problems.iter().filter(|p| p.task.is_none()).map(ToString::to_string).collect();
    insta::assert_snapshot!(of_cache.join("\n"), @r"
    cache/FestivalSearch_kto: 2 records of a tool that the catalog does not have, so no call finds them
    cache/StockSearch_ls: 3 records of a tool that the catalog does not have, so no call finds them
    cache/_directions: 34 records of a tool that the catalog does not have, so no call finds them
    cache: 828 records made under earlier tool definitions, 607 of which answer calls that no current record answers
    ");
}

/// `docs/spec/tools.md` §12.2: 16 actions in 14 tasks break their schema; 4 more hold a placeholder that is valid as text.
fn known_faults_are_found(problems: &[Problem]) {
    assert!(problems.iter().all(|problem| !problem.is_error()), "nothing is left out");
    let mut actions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for problem in problems {
        let (Some(task), Some(field)) = (&problem.task, &problem.field) else {
            continue;
        };
        let (action, argument) = field.split_once(".args").unwrap_or((field, ""));
        let kind = if problem.code == Fault::Placeholder { "placeholder" } else { "schema" };
        let argument = argument.trim_start_matches('.');
        actions.entry(format!("{task} {action}")).or_default().push(format!("{argument}: {kind}"));
    }
    let lines: Vec<String> =
        actions.iter().map(|(action, found)| format!("{action} {}", found.join(", "))).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    L1-008 golden_action[0] search_target: schema, outofStockFilter: schema
    L1-011 golden_action[0] page: schema
    L2-001 golden_action[0] exchgubun: schema
    L3-001 golden_action[1] centerLat: schema, centerLon: schema
    L3-002 golden_action[1] markets: placeholder
    L3-003 golden_action[1] query: placeholder
    L3-004 golden_action[1] x: placeholder, y: placeholder
    L3-004 golden_action[2] startX: placeholder, startY: placeholder, endX: placeholder, endY: placeholder
    L3-005 golden_action[2] startX: placeholder, startY: placeholder, endX: placeholder, endY: placeholder
    L3-006 golden_action[1] query: placeholder
    L3-007 golden_action[0] keyword: schema, size: schema, : schema
    L3-007 golden_action[2] query: placeholder
    L3-008 golden_action[1] x: placeholder, y: placeholder
    L3-009 golden_action[2] startX: placeholder, startY: placeholder, endX: placeholder, endY: placeholder
    L3-010 golden_action[1] query: placeholder
    L5-007 golden_action[0] search_target: schema
    L5-009 golden_action[0] search_target: schema
    L5-013 fallback_options[0] unit: schema
    L5-013 golden_action[0] unit: schema
    L5-016 task_level : schema
    L5-017 golden_action[0] page: schema
    ");
}

fn tasks_come_back_as_they_were_published(space: &Workspace, root: &Path) {
    let (pack, _) = space.store.pack("ko-agentbench").expect("read");
    for level in Level::ALL {
        let path = root.join(format!("tasks/{level}.json"));
        let published: Vec<Value> = serde_json::from_slice(&fs::read(path).expect("read")).expect("JSON");
        let tasks: Vec<Value> =
            pack.tasks[&level].iter().map(|task| Value::Object(task.raw.clone())).collect();
        assert_eq!(tasks, published, "{level}");
    }
    assert_eq!(pack.judge_prompts, fs::read_to_string(root.join("judge_prompts.yaml")).expect("read"));
    let unusual = pack.task("L5-016").expect("there");
    assert_eq!((&unusual.level, unusual.task_level()), (&Level::L5, None));
    let turns: Vec<Option<i64>> = pack.tasks[&Level::L7].iter().map(|task| task.evaluated_turn()).collect();
    assert_eq!(turns, [5, 5, 6, 4, 5, 4, 5, 4, 4, 4].map(Some));
}

/// All 3,715 records under current keys, each found by what the model had written, with the answer it would see.
fn current_records_are_found_by_their_arguments(space: &Workspace, root: &Path) {
    let (pack, _) = space.store.pack("ko-agentbench").expect("read");
    let cache = space.store.cache("ko-agentbench").expect("opened");
    let signatures: BTreeMap<&str, String> =
        pack.tools.iter().map(|tool| (tool.name.as_str(), cache_key::signature(tool))).collect();
    let (mut current, mut times) = (0, Vec::new());
    for (tool, key, record) in records(root) {
        let Some(spec) = pack.tool(&tool) else { continue };
        let args = args::normalize(spec, record["raw_args"].as_object().expect("an object"));
        let start = Instant::now();
        let found = cache.lookup(&tool, &args).expect("read");
        times.push(start.elapsed());
        if cache_key::published_key(&tool, &signatures[tool.as_str()], &args) == key {
            current += 1;
            let mut shown = record["data"].clone();
            koab_core::sanitize::sanitize(&tool, &mut shown);
            assert_eq!(found, Some(shown), "{tool} {key}");
        }
    }
    assert_eq!(current, 3715);
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    eprintln!("{} look-ups: p50 {:?}, p99 {:?}, max {:?}", times.len(), at(0.5), at(0.99), at(1.0));
}

/// Of the 828 records under earlier keys 616 have no twin under a current key; each is found by what the model had written.
fn stale_records_without_a_twin_are_found_by_their_arguments(space: &Workspace, root: &Path) {
    let (pack, _) = space.store.pack("ko-agentbench").expect("read");
    let cache = space.store.cache("ko-agentbench").expect("opened");
    let (mut current, mut stale) = (BTreeSet::new(), Vec::new());
    for (tool, key, record) in records(root) {
        let Some(spec) = pack.tool(&tool) else { continue };
        let args = args::normalize(spec, &as_today(spec, &record["raw_args"]));
        let call = (tool, args.canonical());
        if cache_key::published_key(&call.0, &cache_key::signature(spec), &args) == key {
            current.insert(call);
        } else {
            stale.push((call, args));
        }
    }
    assert_eq!(stale.len(), 828);
    stale.retain(|(call, _)| !current.contains(call));
    assert_eq!(stale.len(), 616);
    for ((tool, text), args) in &stale {
        assert!(cache.lookup(tool, args).expect("read").is_some(), "{tool} {text}");
    }
}

/// Arguments as a model writes them today: what was a number under an earlier schema and is a text now, as text.
fn as_today(spec: &koab_core::tool::ToolSpec, raw: &Value) -> serde_json::Map<String, Value> {
    let mut args = raw.as_object().expect("an object").clone();
    for (name, schema) in spec.properties() {
        if schema["type"] == "string"
            && let Some(value) = args.get_mut(name)
            && let Value::Number(number) = value
        {
            *value = Value::String(koab_core::python::number_repr(number));
        }
    }
    args
}

/// `docs/spec/tools.md` §12.3 counts 60 of 177 calls without an answer under the current keys. Two of them and one that
/// has an answer are refused before any look-up (§12.2). Argument look-up also reaches records of earlier keys.
fn golden_calls_are_answered_as_far_as_known(space: &Workspace) {
    let (pack, _) = space.store.pack("ko-agentbench").expect("read");
    let cache = space.store.cache("ko-agentbench").expect("opened");
    let (mut calls, mut refused, mut missing, mut by_stale) = (0, 0, 0, Vec::new());
    for task in pack.tasks.values().flatten() {
        let golden =
            task.golden_calls().into_iter().chain(task.fallback_calls()).map(|call| (call.tool, call.args));
        let turns =
            task.turns().into_iter().flat_map(|turn| turn.actions).map(|action| (action.tool, action.args));
        for (tool, raw) in golden.chain(turns) {
            calls += 1;
            let spec = pack.tool(&tool).expect("every named tool exists");
            if args::check(spec, &raw).is_err() {
                refused += 1;
                continue;
            }
            match cache.find(&tool, &args::normalize(spec, &raw)).expect("read") {
                None => missing += 1,
                Some(found) if found.standing == "stale" => by_stale.push(task.id.as_str()),
                Some(_) => {}
            }
        }
    }
    assert_eq!((calls, refused, missing + by_stale.len()), (177, 3, 58));
    insta::assert_snapshot!(by_stale.join(" "), @r"L3-006 L5-006 L5-010 L5-011 L5-017 L5-018 L6-001 L6-002 L7-002");
}

/// 16 attempts read at once, while the pack is imported again and then removed.
fn attempts_keep_their_snapshot(space: &Workspace, root: &Path) {
    let cache = space.store.cache("ko-agentbench").expect("opened");
    let (pack, _) = space.store.pack("ko-agentbench").expect("read");
    let spec = pack.tool("AddressToCoord_kakao").expect("there");
    let args =
        args::normalize(spec, json!({"address": "부산광역시 해운대구"}).as_object().expect("an object"));
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert!(cache.lookup("AddressToCoord_kakao", &args).expect("read").is_some());
                }
            });
        }
        // A pack of the same name without records, which is quick to import.
        let small = tempfile::tempdir().expect("a folder");
        fs::create_dir(small.path().join("tasks")).expect("made");
        fs::copy(root.join("tasks/L1.json"), small.path().join("tasks/L1.json")).expect("copied");
        let again = space.store.import(small.path()).expect("imported while others read").pack;
        assert!(again.generation > cache.generation(), "the import is another generation");
        space.store.remove_pack("ko-agentbench").expect("removed");
        assert!(cache.lookup("AddressToCoord_kakao", &args).expect("read").is_some(), "the snapshot stays");
    });
    assert_eq!(space.store.active_pack().expect("read"), None);
    assert!(space.store.cache("ko-agentbench").is_err(), "later runs do not find it");
}
