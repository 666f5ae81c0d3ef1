//! Snapshots and drift through the command line: made, read by a run, shared, and compared with a run's results.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::http::Local;
use crate::support::{Koab, published_runs, ran, read_json, shared};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const TOOL: &str = "AddressToCoord_kakao";

/// A pack of two tasks of which one is recorded.
fn pack(folder: &Path, recorded: &str) {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tasks/tools");
    let spec: Value =
        serde_json::from_str(&fs::read_to_string(tools.join(format!("{TOOL}.json"))).unwrap()).unwrap();
    let task = |id: &str, address: &str| {
        json!({ "task_id": id, "instruction": "찾아 줘", "task_level": 1, "task_category": "Single",
            "golden_action": [{ "tool": TOOL, "args": { "address": address } }], "resp_schema": { "type": "string" } })
    };
    let record = json!({ "key": "0".repeat(64), "tool": TOOL, "created_at": "2025-11-01T00:00:00.000001",
        "input_params": { "address": "서울" }, "raw_args": { "address": "서울" },
        "data": { "latitude": recorded, "longitude": 127.0 } });
    fs::create_dir_all(folder.join("tasks")).unwrap();
    fs::create_dir_all(folder.join("cache")).unwrap();
    let tasks = json!([task("L1-001", "서울"), task("L1-002", "부산")]);
    fs::write(folder.join("tasks/L1.json"), tasks.to_string()).unwrap();
    fs::write(folder.join("tool_catalog.json"), json!([spec]).to_string()).unwrap();
    fs::write(folder.join(format!("cache/{TOOL}.jsonl")), format!("{record}\n")).unwrap();
}

fn import(koab: &Koab, recorded: &str) {
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path(), recorded);
    koab.ok(&["pack", "import", &folder.path().display().to_string(), "--use"]);
}

/// A workspace whose overlay has the second task's answer.
fn workspace() -> Koab {
    let koab = Koab::new();
    import(&koab, "37.5");
    let services = Local::start(|_| {
        let found = json!({ "documents": [{ "address_name": "부산", "x": "129.1", "y": "35.1" }] });
        (200, found)
    });
    let mut command =
        koab.command(&["run", "--model", "baseline/golden", "--cache-mode", "write", "--quiet"]);
    command.env("KOAB_KAKAO_LOCAL_URL", &services.address);
    command.env("KAKAO_REST_API_KEY", "canary");
    let ran = ran(command.output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    koab
}

/// The manifest of the newest run.
fn newest(koab: &Koab) -> (String, Value) {
    let runs = koab.json(&["runs", "list"]);
    let run = &runs[0];
    let manifest = read_json(&Path::new(run["folder"].as_str().unwrap()).join("run.json"));
    (run["id"].as_str().unwrap().to_owned(), manifest)
}

fn golden(koab: &Koab, more: &[&str]) -> Value {
    koab.ok(&[&["run", "--model", "baseline/golden", "--quiet"], more].concat());
    newest(koab).1["cache"].clone()
}

#[test]
fn a_run_reads_a_snapshot_and_says_which() {
    let koab = workspace();
    let written = newest(&koab).1["cache"].clone();
    assert_eq!((&written["mode"], &written["snapshot"]), (&json!("write"), &Value::Null));
    let made = koab.json(&["cache", "snapshot", "create", "첫째", "--note", "두 도시"]);
    assert_eq!((&made["recorded"], &made["added"]), (&json!(1), &json!(1)));

    let own = golden(&koab, &[]);
    assert_eq!((&own["mode"], &own["hit"], &own["miss"]), (&json!("read"), &json!(1), &json!(1)));
    assert_eq!(own["snapshot"], Value::Null);
    assert_eq!(own["pack"]["name"], "ko-agentbench");
    assert_eq!(own["pack"]["hash"].as_str().unwrap().len(), 64);

    // What is kept is forgotten; the snapshot has it still, and the run that reads it comes out as it would have.
    koab.ok(&["cache", "overlay", "--clear"]);
    let read = golden(&koab, &["--cache-snapshot", "첫째"]);
    assert_eq!((&read["hit"], &read["miss"]), (&json!(2), &json!(0)));
    assert_eq!(read["snapshot"], json!({ "name": "첫째", "hash": made["hash"] }));
    assert_eq!(read["pack"], own["pack"]);

    for (words, why) in [
        (vec!["--cache-snapshot", "now"], "keeps changing"),
        (vec!["--cache-snapshot", "없음"], "there is no snapshot `없음`: there are 첫째"),
        (vec!["--cache-snapshot", "첫째", "--cache-mode", "write"], "a snapshot is only read"),
    ] {
        let refused = koab.run(&[vec!["run", "--model", "baseline/golden"], words].concat());
        assert_ne!(refused.code, 0);
        assert!(refused.stderr.contains(why), "{}", refused.stderr);
    }
}

/// Takes the last attempt of the newest run back, as if it had been broken off.
fn break_off(koab: &Koab) -> String {
    let (id, mut manifest) = newest(koab);
    let folder = koab.path().join("logs/benchmark_results/by_model").join(&id);
    let journal = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let is_last = |line: &&str| line.contains(r#""type":"attempt""#) && line.contains("L1-002");
    let kept: Vec<&str> = journal.lines().filter(|line| !is_last(line)).collect();
    fs::write(folder.join("journal.jsonl"), kept.join("\n") + "\n").unwrap();
    manifest["status"] = "cancelled".into();
    fs::write(folder.join("run.json"), manifest.to_string()).unwrap();
    id
}

#[test]
fn a_run_goes_on_with_the_snapshot_that_it_began_with_or_not_at_all() {
    let koab = workspace();
    let made = koab.json(&["cache", "snapshot", "create", "s"]);
    golden(&koab, &["--cache-snapshot", "s"]);
    koab.ok(&["cache", "overlay", "--clear"]);
    let id = break_off(&koab);
    koab.ok(&["run", "--resume", &id, "--quiet"]);
    let cache = newest(&koab).1["cache"].clone();
    assert_eq!((&cache["hit"], &cache["miss"]), (&json!(2), &json!(0)), "the kept answer is the snapshot's");
    assert_eq!(cache["snapshot"], json!({ "name": "s", "hash": made["hash"] }));

    // Another snapshot of that name holds something else.
    koab.ok(&["cache", "snapshot", "delete", "s", "--yes"]);
    koab.json(&["cache", "snapshot", "create", "s"]);
    let id = break_off(&koab);
    let refused = koab.run(&["run", "--resume", &id, "--quiet"]);
    let hash = made["hash"].as_str().unwrap();
    assert!(
        refused.code == 1 && refused.stderr.contains(&format!("the snapshot `s` with the hash {hash}")),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_snapshot_is_shared_as_a_pack_and_exported_and_both_hold_the_same() {
    let koab = workspace();
    let made = koab.json(&["cache", "snapshot", "create", "s1"]);
    let file = koab.path().join("s1.tar.gz").display().to_string();
    let written = koab.json(&["cache", "snapshot", "pack", "s1", "-o", &file]);
    assert_eq!(written["records"], 2);
    let label = written["pack"].as_str().unwrap().to_owned();
    let hash = made["hash"].as_str().unwrap();
    assert!(label.starts_with("ko-agentbench-s1@") && label.ends_with(&hash[..12]), "{label}");

    let other = Koab::new();
    other.ok(&["pack", "import", &file, "--use"]);
    let shown = other.json(&["pack", "show"]);
    assert_eq!(shown["summary"]["name"], "ko-agentbench-s1");
    let source = shown["source"].as_str().unwrap();
    assert!(source.starts_with("the snapshot s1 of ko-agentbench@") && source.contains(hash), "{source}");
    let again = other.json(&["cache", "snapshot", "create", "again"]);
    assert_eq!((&again["hash"], &again["added"]), (&made["hash"], &json!(0)));
    let found = other.json(&["cache", "lookup", TOOL, r#"{"address": "부산"}"#]);
    assert!(found["result"].is_object(), "{found}");

    let folder = koab.path().join("cache-out");
    koab.ok(&["cache", "snapshot", "export", "s1", &folder.display().to_string()]);
    let records: Vec<_> = fs::read_dir(folder.join(TOOL)).unwrap().collect();
    assert_eq!(records.len(), 2);
    let refused = koab.run(&["cache", "snapshot", "export", "s1", &folder.display().to_string()]);
    assert!(refused.code == 1 && refused.stderr.contains("not empty"), "{}", refused.stderr);
}

#[test]
fn snapshots_are_listed_compared_and_deleted_only_when_somebody_says_so() {
    let koab = workspace();
    koab.json(&["cache", "snapshot", "create", "before"]);
    import(&koab, "37.6");
    let diff = koab.ok(&["cache", "snapshot", "diff", "before", "now"]).stdout;
    assert!(diff.contains(r#"~ AddressToCoord_kakao {"address": "서울"}"#), "{diff}");
    assert!(diff.contains(r#"latitude: "37.5" → "37.6""#), "{diff}");
    let json = koab.json(&["cache", "snapshot", "diff", "before", "pack"]);
    assert_eq!(json["tools"][0]["removed"], 1, "the kept answer is not the pack's");
    let list = koab.ok(&["cache", "snapshot", "list"]).stdout;
    assert!(list.contains("before") && list.contains("*: not as it is installed now"), "{list}");
    let shown = koab.json(&["cache", "snapshot", "show", "before", "--verify"]);
    assert_eq!(shown["verified"], shown["snapshot"]["hash"]);
    let asked = koab.run(&["cache", "snapshot", "delete", "before"]);
    assert!(asked.code == 2 && asked.stderr.contains("--yes"), "{}", asked.stderr);
    koab.ok(&["cache", "snapshot", "delete", "before", "--yes"]);
    assert_eq!(koab.json(&["cache", "snapshot", "list"]), json!([]));
}

#[test]
fn drift_tells_every_call_apart() {
    let koab = workspace();
    let write = newest(&koab).0;
    koab.json(&["cache", "snapshot", "create", "kept"]);
    golden(&koab, &[]);
    let read = newest(&koab).0;
    import(&koab, "37.6");
    let against = |run: &str, state: &str| koab.json(&["cache", "drift", run, "--against", state]);

    let kept = against(&write, "kept");
    assert_eq!((&kept["totals"]["same"], &kept["against"]["state"]), (&json!(2), &json!("kept")));
    let pack = against(&write, "pack");
    assert_eq!((&pack["totals"]["differs"], &pack["totals"]["missing"]), (&json!(1), &json!(1)));
    let place = &pack["tasks"][0]["calls"][0]["places"]["shown"][0];
    assert_eq!(place, &json!({ "path": "latitude", "then": "\"37.5\"", "now": "\"37.6\"" }));
    // The run that read the pack missed the second task's call, which is kept now.
    let now = against(&read, "now");
    assert_eq!((&now["totals"]["differs"], &now["totals"]["found"]), (&json!(1), &json!(1)));
    assert_eq!(against(&read, "pack")["totals"]["still_missing"], 1);
    let found = &now["tasks"][1]["calls"][0];
    assert!(found["origin"].as_str().unwrap().starts_with("run "), "{found}");

    let text = koab.ok(&["cache", "drift", &write, "--task", "L1-001"]).stdout;
    assert!(text.contains(r#"latitude: "37.5" → "37.6""#) && !text.contains("L1-002"), "{text}");
    let unknown = koab.run(&["cache", "drift", &write, "--task", "L1-999"]);
    assert!(unknown.stderr.contains("has no task L1-999"), "{}", unknown.stderr);
}

/// Of the published runs that are here, every successful call hits the shipped cache, and three of five get the result that
/// the model saw. Over all 15 published runs it is 1,369 and 820 (`docs/spec/tools.md` §12.4); 8 of them are here.
#[test]
fn the_drift_of_the_published_runs_is_what_was_measured() {
    let Some(shared) = shared("the drift of the published runs") else {
        return;
    };
    let koab = Koab::new();
    koab.use_published(&shared);
    let (mut runs, mut totals) = (0, std::collections::BTreeMap::<String, u64>::new());
    for (_, folder, _) in published_runs(&shared) {
        runs += 1;
        let drift = koab.json(&["cache", "drift", &folder.display().to_string()]);
        for (kind, count) in drift["totals"].as_object().unwrap() {
            *totals.entry(kind.clone()).or_default() += count.as_u64().unwrap();
        }
    }
    let of = |kind: &str| totals[kind];
    assert_eq!(runs, 8);
    assert_eq!(of("same") + of("differs"), 784, "all successful calls are answered: {totals:?}");
    assert_eq!((of("missing"), of("not_kept"), of("found"), of("still_missing")), (0, 0, 0, 0));
    assert_eq!(of("same"), 469, "{totals:?}");
    assert_eq!(of("calls"), 1236);
    assert_eq!(of("same") + of("differs") + of("error_then") + of("injected"), 1236);
}
