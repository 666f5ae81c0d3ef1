//! Packs of a workspace, and what all tests of this crate need.

pub(crate) mod shelf;

use super::*;
use serde_json::json;
use shelf::{Shelf, refused};

#[tokio::test]
async fn an_import_in_view_is_a_job_that_counts_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let packs = Packs::at(folder.path());
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let imported = packs.import_in_view(checkout, &Cancel::new()).await.expect("imported");
    let nowhere = packs.import_in_view("no/such/path".into(), &Cancel::new()).await;
    let error = nowhere.expect_err("nothing is there");
    let told = packs.workspace.jobs();
    let [done, refused] = &told[..] else { panic!("two jobs: {told:?}") };
    assert_eq!(done.kind, JobKind::PackImport);
    assert!(done.finished && done.error.is_none());
    assert_eq!(done.total, imported.pack.tools.map(u64::from), "a file a tool");
    assert_eq!(done.done, done.total.unwrap_or_default());
    assert_eq!(refused.about, ["path"]);
    assert_eq!(refused.error.as_ref().map(|e| &e.message), Some(&error.message));
}

#[test]
fn an_import_says_what_it_brought_and_the_first_pack_of_one_s_own_is_used_when_it_is_chosen() {
    let shelf = Shelf::new();
    let imported = shelf.import("small");
    let problems: Vec<String> =
        (imported.problems.iter()).map(|problem| problem.sentence.to_string()).collect();
    assert_eq!(problems, ["states no hashes, so nothing can be checked"]);
    let pack = &imported.pack;
    assert_eq!((pack.name.as_str(), pack.version.as_str(), pack.sample), ("small", "1.0.0", false));
    assert_eq!((pack.tools, pack.records, pack.kind.as_deref()), (Some(2), Some(3), None));
    let levels: Vec<(&str, u32)> = pack.levels.iter().map(|row| (row.level.as_str(), row.tasks)).collect();
    assert_eq!(levels, [("L1", 2)]);
    let packs = &shelf.packs;
    assert_eq!(packs.show(None).expect("there").summary.name, "starter");
    packs.activate("small").expect("chosen");
    let shown = packs.show(None).expect("there");
    assert_eq!((shown.summary.name.as_str(), shown.source.as_str()), ("small", "made up"));
    assert_eq!((shown.records.kept, shown.records.answering), (3, 3));
    assert!(packs.verify(None).expect("read").is_empty());
    refused(packs.activate("none"), "none");
    refused(packs.show(Some("none")), "none");
    refused(packs.scoring("small").map(drop), "small");
    assert!(!packs.is_published("small") && !packs.is_published("none"));
}

#[test]
fn a_pack_that_was_imported_again_is_read_again() {
    let shelf = Shelf::new();
    shelf.import("small");
    let first = shelf.packs.recent("small").expect("read");
    assert!(Arc::ptr_eq(&first, &shelf.packs.recent("small").expect("read")));
    let mut files = shelf::small_pack("small");
    files.retain(|(path, _)| path != "tasks/L1.json");
    files.push(("tasks/L1.json".to_owned(), json!([shelf::task("L1-009", "Search_x", "가")]).to_string()));
    shelf.import_files(&files);
    let again = shelf.packs.recent("small").expect("read");
    assert!(again.task("L1-009").is_some() && again.task("L1-001").is_none());
    refused(shelf.packs.recent("none").map(drop), "none");
}

#[test]
fn what_is_no_pack_is_refused_and_leaves_no_pack() {
    let shelf = Shelf::new();
    let empty = tempfile::tempdir().expect("a folder");
    assert!(shelf.packs.import(empty.path()).is_err());
    let file = empty.path().join("pack.zip");
    std::fs::write(&file, b"PK\x03\x04 broken").expect("written");
    assert!(shelf.packs.import(&file).is_err());
    std::fs::write(&file, b"").expect("written");
    assert!(shelf.packs.import(&file).is_err());
    assert_eq!(shelf.packs.list().expect("listed").len(), 1, "the starter pack alone");
}

#[test]
fn removing_tells_before_what_goes_along_and_what_stays() {
    let shelf = Shelf::new();
    shelf.import("small");
    let packs = &shelf.packs;
    packs.task_flag("small", "L1-001", Some("faulty")).expect("flagged");
    packs.snapshot_create(Some("small"), "kept", "").expect("made");
    let told = packs.removal("small", 7).expect("told");
    let counts = (told.tasks, told.records, told.runs, told.flags, told.versions, told.snapshots);
    assert_eq!(counts, (2, 3, 7, 1, 0, 1));
    assert_eq!((told.active.as_deref(), told.starter), (Some("starter"), false));
    assert_eq!(packs.removal("starter", 0).expect("told").active.as_deref(), Some("small"));
    packs.remove("small").expect("removed");
    refused(packs.removal("small", 0), "small");
    shelf.import("small");
    assert_eq!(packs.view("small").expect("there").flags, 1, "flags wait for their pack");
    assert_eq!(packs.snapshots_all().expect("listed").len(), 1);
}

#[test]
fn cached_responses_are_counted_found_and_missed() {
    let shelf = Shelf::new();
    shelf.import("small");
    let packs = &shelf.packs;
    packs.activate("small").expect("chosen");
    let stats = packs.cache_stats().expect("counted");
    let tools: Vec<_> = stats
        .tools
        .iter()
        .map(|tool| (tool.tool.as_str(), tool.records, tool.current, tool.reachable))
        .collect();
    assert_eq!((stats.pack.as_str(), &tools[..]), ("small@1.0.0", &[("Search_x", 3, 3, 3)][..]));
    let hit = packs.cache_lookup("Search_x", r#"{"query": "가", "size": 10}"#).expect("asked");
    assert_eq!((hit.result, hit.fault.is_none()), (Some(json!({"found": "가"})), true));
    assert_eq!(hit.args, json!({"query": "가", "size": 10}), "the default is written out");
    let miss = packs.cache_lookup("Search_x", r#"{"query": "없음"}"#).expect("asked");
    assert!(miss.result.is_none() && miss.fault.is_some() && miss.key != hit.key);
    let same = packs.cache_lookup("Search_x", r#"{"query": "가"}"#).expect("asked");
    assert_eq!(same.key, hit.key);
    for (tool, arguments, sentence) in [
        ("None_x", "{}", "pack small has no tool None_x; see `koab cache stats`"),
        ("Search_x", "[]", "the arguments must be a JSON object, not an array"),
        ("Search_x", "{}", "query"),
        ("Search_x", "{", ""),
    ] {
        refused(packs.cache_lookup(tool, arguments).map(drop), sentence);
    }
    let times = packs.cache_time(None, 100).expect("timed");
    assert_eq!(times.calls, 3, "each recorded call once");
    assert!(times.p50_us <= times.p99_us && times.p99_us <= times.max_us);
    shelf.import_files(&shelf::without_records("bare"));
    refused(packs.cache_time(Some("bare"), 10).map(drop), "pack bare has no cached responses");
}

#[test]
fn a_file_that_differs_from_its_manifest_is_named_and_the_rest_is_imported() {
    let shelf = Shelf::new();
    let mut files = shelf::small_pack("small");
    let hash = koab_core::cache_key::sha256_hex("something else");
    for (path, text) in &mut files {
        if path == "tasks/pack.json" {
            let mut manifest: Value = serde_json::from_str(text).expect("JSON");
            manifest["sha256"] = json!({"tasks/L1.json": hash});
            *text = manifest.to_string();
        }
    }
    let imported = shelf.import_files(&files);
    let problems: Vec<String> = imported.problems.iter().map(ToString::to_string).collect();
    assert!(problems.iter().any(|problem| problem.contains("L1.json")), "{problems:?}");
    assert_eq!(imported.pack.levels.len(), 1);
    assert_eq!(shelf.packs.view("small").expect("there").problems.len(), problems.len());
}
