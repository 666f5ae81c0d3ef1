//! What a run missed: shown beside what is recorded, filled from imitations of the services, and the affected tasks made
//! again in a run that says whose completion it is.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::http::Local;
use crate::support::imitated::{self, KEYS, answer, asking, command, holding, services};
use crate::support::{Koab, Ran, ran, read_json, shared, signal};
use serde_json::{Value, json};
use std::fs;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

const ROUTE: &str = "Directions_naver";
const ADDRESS: &str = "AddressToCoord_kakao";

/// Five tasks, of which one is recorded; one asks for a record in other words, two for the same thing.
fn workspace() -> Koab {
    let address = |address: &str| (ADDRESS, json!({ "address": address }));
    let way = json!({ "start": "127.0,37.5", "goal": "129.1,35.1", "waypoints": "128.0,36.0" });
    let one = json!([
        imitated::task("L1-001", 1, &[(ROUTE, way)]),
        imitated::task("L1-002", 1, &[("CryptoPrice_bithumb", json!({ "markets": "KRW-LTC" }))]),
        imitated::task("L1-003", 1, &[("OrderBook_ls", json!({ "shcode": "005490" }))]),
        imitated::task("L1-004", 1, &[address("서울특별시")]),
    ]);
    let chain = json!([
        imitated::task("L3-001", 3, &[address("부산"), address("서울특별시")]),
        imitated::task("L3-002", 3, &[address("부산"), address("대구광역시")]),
    ]);
    let records = [
        (ADDRESS, json!({ "address": "서울특별시" })),
        (ADDRESS, json!({ "address": "부산광역시" })),
        (ROUTE, json!({ "start": "127.0,37.5", "goal": "129.1,35.2", "option": "trafast" })),
    ];
    imitated::workspace(&[("L1", one), ("L3", chain)], &records)
}

/// The id of a run that read cached responses only.
fn missing_run(koab: &Koab, more: &[&str]) -> String {
    let words = ["run", "--model", "baseline/golden"];
    koab.json(&[&words, more].concat());
    koab.json(&["runs", "list"])[0]["id"].as_str().unwrap().to_owned()
}

fn fill(koab: &Koab, services: &Local, keys: &[&str], more: &[&str]) -> Ran {
    let words = [&["cache", "fill"], more, &["--json", "--quiet"]].concat();
    asking(koab, &services.address, keys, &words)
}

fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}\n{}", ran.stdout, ran.stderr))
}

/// The published tasks of which a call that can be looked up is not recorded, worked out from the files of tasks and
/// recordings by the specification alone. Recordings under earlier tool texts count where their arguments, written as today's
/// texts want them, are the call's. Ten calls of L3 wait for an answer, one of L3 is refused, and all of L5 fail by injection.
#[test]
fn a_plan_names_the_published_tasks_that_miss_a_recording() {
    let Some(shared) = shared("a_plan_names_the_published_tasks_that_miss_a_recording") else {
        return;
    };
    let koab = Koab::new();
    koab.use_published(&shared);
    let plan = koab.json(&["run", "--model", "baseline/golden", "--dry-run"]);
    let level = |level: &Value| {
        let count = |name: &str| level[name].as_u64().unwrap();
        let missing = level["golden_missing"].as_array().unwrap().iter();
        let missing: Vec<String> = missing.map(|id| id.as_str().unwrap().to_owned()).collect();
        (count("golden_calls"), count("golden_open"), missing)
    };
    let planned: Vec<_> = plan["levels"].as_array().unwrap().iter().map(level).collect();
    let named = |level: u32, ids: &[u32]| {
        let id = |id| format!("L{level}-{id:03}");
        ids.iter().map(id).collect::<Vec<_>>()
    };
    assert_eq!(
        planned,
        [
            (11, 0, named(1, &[1, 8, 10])),
            (15, 0, named(2, &[8])),
            (13, 10, named(3, &[1, 3, 7, 10])),
            (24, 0, named(4, &[2, 5, 6, 7, 8, 9])),
            (0, 0, named(5, &[1, 3, 8, 9, 10, 17])),
            (17, 0, named(6, &[])),
            (23, 0, named(7, &[])),
        ]
    );
}

#[test]
fn misses_stand_beside_the_recorded_call_most_like_them() {
    let koab = workspace();
    let run = missing_run(&koab, &["--repetitions", "2"]);
    let misses = koab.json(&["cache", "misses", &run]);
    assert_eq!((&misses["calls"], &misses["distinct"], &misses["open"]), (&json!(16), &json!(5), &json!(5)));
    let tools: Vec<Value> = misses["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["tool"], row["calls"], row["misses"], row["distinct"]]))
        .collect();
    assert_eq!(
        json!(tools),
        json!([
            [ADDRESS, 10, 6, 2],
            ["CryptoPrice_bithumb", 2, 2, 1],
            [ROUTE, 2, 2, 1],
            ["OrderBook_ls", 2, 2, 1],
        ])
    );
    assert_eq!(
        misses["levels"],
        json!([
            { "level": "L1", "tasks": 4, "affected": 3, "calls": 8, "misses": 6 },
            { "level": "L3", "tasks": 2, "affected": 2, "calls": 8, "misses": 6 },
        ])
    );
    let all = misses["misses"].as_array().unwrap();
    let places: Vec<Value> =
        all.iter().skip(6).map(|m| json!([m["task"], m["repetition"], m["step"], m["call"]])).collect();
    assert_eq!(
        json!(places),
        json!([
            ["L3-001", 1, 1, 0],
            ["L3-001", 2, 1, 0],
            ["L3-002", 1, 1, 0],
            ["L3-002", 1, 2, 1],
            ["L3-002", 2, 1, 0],
            ["L3-002", 2, 2, 1],
        ])
    );
    // Asked for otherwise, without what the record has, with what it has not.
    assert_eq!(
        all[0]["nearest"]["differences"],
        json!([
            { "name": "goal", "kind": "value", "asked": "129.1,35.1", "recorded": "129.1,35.2" },
            { "name": "option", "kind": "missing", "asked": null, "recorded": "trafast" },
            { "name": "waypoints", "kind": "extra", "asked": "128.0,36.0", "recorded": null },
        ])
    );
    let nobody = all.iter().find(|m| m["tool"] == "OrderBook_ls").unwrap();
    assert_eq!(nobody["nearest"], Value::Null);
    let text = koab.ok(&["cache", "misses", &run]).stdout;
    for said in [
        "12 of 16 tool calls had no cached response (5 different ones, 5 still open)",
        "L1 L1-001 step 1  Directions_naver",
        "goal: asked \"129.1,35.1\", recorded \"129.1,35.2\"",
        "option: not asked, recorded \"trafast\"",
        "waypoints: asked \"128.0,36.0\", not recorded",
        "the pack has no cached response of this tool",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let whole = missing_run(&koab, &["--tasks", "L1-004"]);
    let none = koab.ok(&["cache", "misses", &whole]).stdout;
    assert_eq!(none.trim(), "no call was missed (1 tool calls)");
}

#[test]
fn a_fill_asks_once_for_each_call_and_only_where_the_keys_are() {
    let (koab, services) = (workspace(), services());
    let run = missing_run(&koab, &["--repetitions", "2"]);
    let without_ls = ["Directions_Client_ID", "Directions_Client_Secret", "KAKAO_REST_API_KEY"];

    let plan = document(&fill(&koab, &services, &without_ls, &[&run, "--dry-run"]))["plan"].clone();
    let rows: Vec<Value> = plan["services"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["service"]["title"], row["calls"], row["service"]["ready"]]))
        .collect();
    assert_eq!(
        json!(rows),
        json!([
            ["Bithumb", 1, true],
            ["Kakao Local", 2, true],
            ["LS Securities", 1, false],
            ["NAVER Maps", 1, true],
        ])
    );
    assert_eq!((&plan["calls"], &plan["ready"]), (&json!(5), &json!(4)));

    let refused = asking(&koab, &services.address, &without_ls, &["cache", "fill", &run]);
    assert_eq!(refused.code, 1);
    for said in ["LS_APP_KEY, LS_APP_SECRET (for LS Securities)", "--without-keys"] {
        assert!(refused.stderr.contains(said), "{said}: {}", refused.stderr);
    }
    assert!(
        refused.stderr.contains("missing: LS_APP_KEY, LS_APP_SECRET"),
        "the plan comes first: {}",
        refused.stderr
    );
    assert_eq!(services.requests().len(), 0, "nobody was asked so far");

    let first = fill(&koab, &services, &without_ls, &[&run, "--without-keys"]);
    assert_eq!(first.code, 3, "{}\n{}", first.stdout, first.stderr);
    let end = document(&first)["fill"].clone();
    let counts = ["calls", "recorded", "failed", "without_keys", "stopped"].map(|name| &end[name]);
    assert_eq!(json!(counts), json!([5, 3, 1, 1, 0]));
    assert_eq!(services.requests().len(), 4, "each call once");
    let tools = end["tools"].as_array().unwrap();
    let of = |tool: &str| tools.iter().find(|row| row["tool"] == tool).unwrap();
    assert_eq!(of(ADDRESS)["recorded"], 2);
    assert_eq!(of("CryptoPrice_bithumb")["errors"][0]["calls"], 1);
    let said = of("CryptoPrice_bithumb")["errors"][0]["message"].as_str().unwrap();
    assert!(said.contains("Code not found"), "{said}");
    assert_eq!(of("OrderBook_ls")["missing_keys"], json!(["LS_APP_KEY", "LS_APP_SECRET"]));
    assert_eq!(end["tasks"], json!(["L1-001", "L3-001", "L3-002"]));

    // The second time only what is left: the failure and the service whose key is there now.
    let second = fill(&koab, &services, &KEYS, &[&run]);
    assert_eq!(second.code, 3);
    let paths: Vec<String> = services.requests()[4..]
        .iter()
        .map(|request| request.line.split([' ', '?']).nth(1).unwrap().to_owned())
        .collect();
    let mut sorted = paths.clone();
    sorted.sort();
    assert_eq!(sorted, ["/oauth2/token", "/stock/market-data", "/v1/ticker"], "{paths:?}");
    let one = fill(&koab, &services, &KEYS, &[&run, "--tasks", "L3-001"]);
    assert_eq!((one.code, &document(&one)["plan"]["answered"]), (0, &json!(1)));
    assert_eq!(services.requests().len(), 7);
    let unknown = fill(&koab, &services, &KEYS, &[&run, "--tasks", "L1-004"]);
    assert!(unknown.code == 1 && unknown.stderr.contains("missed no call of the task L1-004"));

    let kept = koab.json(&["cache", "overlay"]);
    let kept = kept["entries"].as_array().unwrap();
    assert_eq!(kept.len(), 4);
    assert!(kept.iter().all(|entry| entry["origin"] == format!("fill {run}")), "{kept:?}");
    let misses = koab.json(&["cache", "misses", &run]);
    assert_eq!((&misses["distinct"], &misses["open"]), (&json!(5), &json!(1)));
    let standing = &misses["misses"][0]["standing"];
    assert_eq!((&standing["kind"], &standing["origin"]), (&json!("kept"), &json!(format!("fill {run}"))));

    let mut written = Vec::new();
    holding(koab.path(), b"canary-", &mut written);
    assert_eq!(written, Vec::<String>::new());
    for ran in [&first, &second] {
        assert!(!ran.stdout.contains("canary-") && !ran.stderr.contains("canary-"));
    }
}

#[test]
fn only_the_affected_tasks_are_made_again_in_a_run_that_says_so() {
    let (koab, services) = (workspace(), services());
    let run = missing_run(&koab, &["--repetitions", "2", "--max-steps", "7", "--temperature", "0.2"]);
    let early = koab.run(&["run", "--misses-of", &run]);
    assert!(
        early.code == 2 && early.stderr.contains(&format!("`koab cache fill {run}`")),
        "{}",
        early.stderr
    );
    let keys = ["KAKAO_REST_API_KEY"];
    let end = fill(&koab, &services, &keys, &[&run, "--without-keys"]);
    assert_eq!(document(&end)["fill"]["tasks"], json!(["L3-001", "L3-002"]));
    let asked = services.requests().len();

    let plan = koab.json(&["run", "--misses-of", &run, "--dry-run"]);
    assert_eq!((&plan["attempts"], &plan["model"]), (&json!(4), &json!("baseline/golden")));
    let made = asking(&koab, &services.address, &KEYS, &["run", "--misses-of", &run, "--json", "--quiet"]);
    let made = document(&made)["run"].clone();
    assert_eq!(
        made["cache"],
        json!({ "hit": 2, "miss": 0, "injected": 0, "refused": 0, "live": 0, "overlay": 6 })
    );
    assert_eq!(services.requests().len(), asked, "no service is asked");
    let manifest = read_json(&std::path::Path::new(made["folder"].as_str().unwrap()).join("run.json"));
    let spec = &manifest["spec"];
    let facts = ["completes", "cache_mode", "overlay", "repetitions", "max_steps", "temperature"];
    assert_eq!(json!(facts.map(|name| &spec[name])), json!([run, "read", true, 2, 7, 0.2]));
    assert_eq!(manifest["levels"], json!([{ "level": "L3", "tasks": ["L3-001", "L3-002"] }]));
    let runs = koab.json(&["runs", "list"]);
    assert_eq!((&runs[0]["completes"], &runs[0]["overlay"]), (&json!(run), &json!(true)));
    assert_eq!(runs[1]["completes"], Value::Null, "the old run stays as it was");
    let old = koab.json(&["cache", "misses", &run]);
    assert_eq!(old["misses"].as_array().unwrap().len(), 12);

    // Reading what is kept can be asked for without any earlier run; plain reading never sees it.
    let with = koab.json(&["run", "--model", "baseline/golden", "--tasks", "L3-001", "--with-overlay"]);
    assert_eq!((&with["run"]["cache"]["overlay"], &with["run"]["cache"]["hit"]), (&json!(1), &json!(1)));
    let plain = koab.json(&["run", "--model", "baseline/golden", "--tasks", "L3-001"]);
    assert_eq!(plain["run"]["cache"]["miss"], 1);
    let folder = std::path::PathBuf::from(plain["run"]["folder"].as_str().unwrap());
    let spec = read_json(&folder.join("run.json"))["spec"].clone();
    assert!(spec.get("overlay").is_none() && spec.get("cache_mode").is_none(), "{spec}");
}

#[test]
fn a_fill_that_is_stopped_keeps_what_came_and_goes_on_later() {
    let koab = workspace();
    let run = missing_run(&koab, &[]);
    // All but Kakao hang until the end of the test.
    let (answered, was_answered) = channel();
    let answered = Mutex::new(answered);
    let over = std::sync::Arc::new((Mutex::new(false), Condvar::new()));
    let waiting = std::sync::Arc::clone(&over);
    let local = Local::start(move |request| {
        let kakao = request.line.contains("/v2/local/");
        let _ = answered.lock().unwrap().send(kakao);
        if !kakao {
            let held = waiting.1.wait_while(waiting.0.lock().unwrap(), |over| !*over);
            drop(held.unwrap());
        }
        answer(request)
    });
    let child = command(&koab, &local.address, &KEYS, &["cache", "fill", &run, "--json", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut kakao = 0;
    while kakao < 2 {
        kakao += usize::from(was_answered.recv_timeout(Duration::from_secs(60)).unwrap());
    }
    // Both have answered when the second is kept.
    while koab.json(&["cache", "overlay"])["entries"].as_array().unwrap().len() < 2 {}
    signal(&child, "-INT");
    let stopped = ran(child.wait_with_output().unwrap());
    assert_eq!(stopped.code, 130, "{}\n{}", stopped.stdout, stopped.stderr);
    let end = document(&stopped)["fill"].clone();
    assert_eq!((&end["recorded"], &end["stopped"]), (&json!(2), &json!(3)), "{end}");
    *over.0.lock().unwrap() = true;
    over.1.notify_all();
    let again = fill(&koab, &local, &KEYS, &[&run]);
    assert_eq!((again.code, &document(&again)["fill"]["calls"]), (3, &json!(3)));
}

#[test]
fn logs_from_elsewhere_are_filled_but_their_settings_are_not_known() {
    let (koab, services) = (workspace(), services());
    let folder = tempfile::tempdir().unwrap();
    let key = "0123456789abcdef".repeat(4);
    let call = |tool: &str, args: Value, error: Value| json!({ "step": 1, "tool_name": tool, "arguments": args, "success": error.is_null(), "error": error });
    let log = json!({
        "metadata": { "model": "azure/m", "level": "L1", "total_tasks": 1, "timestamp": "2025-12-19T12:00:00.000001" },
        "results": [{ "task_id": "L1-002", "instruction": "찾아 줘 (L1-002)", "success": true, "tool_calls": [
            call(ADDRESS, json!({ "address": "부산" }), json!(format!("cache miss: {ADDRESS} {key}"))),
            call(ADDRESS, json!({ "address": 7 }), json!(format!("cache miss: {ADDRESS} {key}"))),
            call("CryptoPrice_bithumb", json!({ "markets": "KRW-LTC" }), json!("403 Client Error")),
            call("OrderBook_ls", json!({ "shcode": "005490" }), Value::Null),
        ], "final_response": "끝", "conversation_log": { "messages": [] } }]
    });
    let place = folder.path().join("logs/benchmark_results/by_model/azure_m/20251219_120000");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("L1.json"), log.to_string()).unwrap();
    koab.ok(&["report", "import", &folder.path().display().to_string()]);
    let run = "azure_m/20251219_120000";
    let misses = koab.json(&["cache", "misses", run]);
    assert_eq!(
        (&misses["from_logs"], &misses["calls"], &misses["distinct"], &misses["open"]),
        (&json!(true), &json!(4), &json!(2), &json!(1)),
        "{misses:#}"
    );
    assert_eq!(misses["misses"][1]["standing"]["kind"], "refused");
    assert_eq!(misses["misses"][0]["nearest"]["args"], json!({ "address": "부산광역시" }));
    let end = fill(&koab, &services, &KEYS, &[run]);
    assert_eq!((end.code, &document(&end)["fill"]["recorded"]), (0, &json!(1)));
    let refused = koab.run(&["run", "--misses-of", run]);
    assert!(
        refused.code == 2 && refused.stderr.contains("`koab run --with-overlay --tasks L1-002`"),
        "{}",
        refused.stderr
    );
}
