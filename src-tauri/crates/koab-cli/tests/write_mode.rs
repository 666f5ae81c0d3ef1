//! Runs in write mode against imitations of the services: what is not recorded is asked for, what was answered is kept
//! beside the pack, failures are not, and no key reaches the disk or the output.
#![allow(clippy::unwrap_used, reason = "these are tests")]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use support::http::Local;
use support::{Koab, Ran, ran};

const KEYS: [&str; 3] = ["KAKAO_REST_API_KEY", "LS_APP_KEY", "LS_APP_SECRET"];
const TOOLS: [&str; 3] = ["AddressToCoord_kakao", "CryptoPrice_bithumb", "OrderBook_ls"];

/// A pack of three tasks without a single record.
fn pack(folder: &Path) {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tasks/tools");
    let catalog: Vec<Value> = TOOLS
        .iter()
        .map(|tool| {
            serde_json::from_str(&fs::read_to_string(tools.join(format!("{tool}.json"))).unwrap()).unwrap()
        })
        .collect();
    let task = |id: &str, tool: &str, args: Value| {
        json!({ "task_id": id, "instruction": "찾아 줘", "task_level": 1, "task_category": "Single",
            "golden_action": [{ "tool": tool, "args": args }], "resp_schema": { "type": "string" } })
    };
    let tasks = json!([
        task("L1-001", "AddressToCoord_kakao", json!({ "address": "부산" })),
        task("L1-002", "CryptoPrice_bithumb", json!({ "markets": "KRW-LTC" })),
        task("L1-003", "OrderBook_ls", json!({ "shcode": "005490" })),
    ]);
    fs::create_dir_all(folder.join("tasks")).unwrap();
    fs::write(folder.join("tasks/L1.json"), tasks.to_string()).unwrap();
    fs::write(folder.join("tool_catalog.json"), json!(catalog).to_string()).unwrap();
}

/// Kakao, Bithumb and LS at one address.
fn services() -> Local {
    Local::start(|request| {
        let path = request.line.split(' ').nth(1).unwrap_or_default();
        let body = match path.split('?').next().unwrap_or_default() {
            "/v2/local/search/address.json" => {
                json!({ "documents": [{ "address_name": "부산", "x": "129.1", "y": "35.1", "quoting": "canary-KAKAO_REST_API_KEY" }] })
            }
            "/v1/ticker" => json!({ "error": { "name": 404, "message": "Code not found" } }),
            "/oauth2/token" => json!({ "access_token": "canary-token", "expires_in": 86400 }),
            "/stock/market-data" => {
                json!({ "t1101OutBlock": { "price": 1, "quoting": "canary-token canary-LS_APP_KEY" }, "rsp_cd": "00000" })
            }
            _ => return (404, json!({ "message": "no such path" })),
        };
        (200, body)
    })
}

fn run(koab: &Koab, services: &Local, keys: &[&str], more: &[&str]) -> Ran {
    let words = [
        "run",
        "--model",
        "baseline/golden",
        "--cache-mode",
        "write",
        "--json",
        "--quiet",
    ];
    let mut command = koab.command(&[&words, more].concat());
    for key in KEYS {
        command.env_remove(key);
    }
    for service in ["KAKAO_LOCAL", "BITHUMB", "LS_SECURITIES"] {
        command.env(format!("KOAB_{service}_URL"), &services.address);
    }
    for key in keys {
        command.env(key, format!("canary-{key}"));
    }
    ran(command.output().unwrap())
}

fn cache(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    document["run"]["cache"].clone()
}

fn workspace() -> Koab {
    let koab = Koab::new();
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path());
    koab.ok(&["pack", "import", &folder.path().display().to_string(), "--use"]);
    koab
}

/// Every file under a folder that holds this text.
fn holding(folder: &Path, text: &[u8], found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holding(&path, text, found);
        } else if fs::read(&path)
            .unwrap()
            .windows(text.len())
            .any(|window| window == text)
        {
            found.push(path.display().to_string());
        }
    }
}

#[test]
fn what_is_not_recorded_is_asked_for_and_kept_and_no_key_is_written() {
    let (koab, services) = (workspace(), services());
    let first = run(&koab, &services, &KEYS, &[]);
    let counts = |hit: u32, live: u32, overlay: u32| json!({ "hit": hit, "miss": 0, "injected": 0, "refused": 0, "live": live, "overlay": overlay });
    assert_eq!(cache(&first), counts(0, 3, 0));
    assert_eq!(services.requests().len(), 4, "and one login");

    // What failed is asked for again; what was answered is there without its key too, once nobody insists on keys.
    let second = run(&koab, &services, &KEYS, &[]);
    assert_eq!(cache(&second), counts(0, 1, 2));
    assert_eq!(services.requests().len(), 5);
    let third = run(&koab, &services, &[], &["--without-keys"]);
    assert_eq!(cache(&third), counts(0, 1, 2));

    // Reading recorded responses only sees the pack and nothing else.
    let read = koab.json(&["run", "--model", "baseline/golden"]);
    assert_eq!(read["run"]["cache"]["miss"], 3);
    assert_eq!(services.requests().len(), 6);

    let kept = koab.json(&["cache", "overlay"]);
    let kept: Vec<&Value> = kept["entries"].as_array().unwrap().iter().collect();
    assert_eq!(
        kept.iter().map(|entry| &entry["tool"]).collect::<Vec<_>>(),
        ["AddressToCoord_kakao", "OrderBook_ls"]
    );
    assert!(
        kept[0]["origin"]
            .as_str()
            .unwrap()
            .starts_with("run baseline_golden/"),
        "{kept:?}"
    );

    let mut written = Vec::new();
    holding(koab.path(), b"canary-", &mut written);
    assert_eq!(written, Vec::<String>::new());
    for ran in [&first, &second, &third] {
        assert!(!ran.stdout.contains("canary-") && !ran.stderr.contains("canary-"));
    }
    let mut blanked = Vec::new();
    holding(koab.path(), "••••".as_bytes(), &mut blanked);
    assert!(!blanked.is_empty(), "the imitation did quote its key");

    assert_eq!(koab.json(&["cache", "overlay", "--clear"])["forgotten"], 2);
    assert_eq!(cache(&run(&koab, &services, &KEYS, &[])), counts(0, 3, 0));
}

#[test]
fn missing_keys_are_named_before_anything_is_asked() {
    let (koab, services) = (workspace(), services());
    for more in [&[][..], &["--dry-run"]] {
        let refused = run(&koab, &services, &["LS_APP_KEY"], more);
        assert_eq!(refused.code, 1);
        for said in [
            "KAKAO_REST_API_KEY",
            "LS_APP_SECRET",
            "Kakao Local",
            "LS Securities",
            "--without-keys",
        ] {
            assert!(refused.stderr.contains(said), "{said}: {}", refused.stderr);
        }
        assert!(!refused.stderr.contains("Bithumb"), "{}", refused.stderr);
    }
    // Only what the chosen tasks may call counts.
    let bithumb = run(&koab, &services, &[], &["--tasks", "L1-002"]);
    assert_eq!(cache(&bithumb)["live"], 1);
    let runs = koab.json(&["runs", "list"]);
    let runs = runs.get("runs").unwrap_or(&runs).as_array().unwrap().len();
    assert_eq!(runs, 1, "a refused run leaves nothing");
    let partly = run(&koab, &services, &["KAKAO_REST_API_KEY"], &["--without-keys"]);
    let partly = cache(&partly);
    assert_eq!((&partly["live"], &partly["miss"]), (&json!(2), &json!(1)));
}

#[test]
fn a_run_in_write_mode_goes_on_in_write_mode() {
    let (koab, services) = (workspace(), services());
    cache(&run(&koab, &services, &KEYS, &["--tasks", "L1-001"]));
    let mut folders = Vec::new();
    holding(koab.path(), b"\"cache_mode\": \"write\"", &mut folders);
    assert!(
        folders.iter().any(|file| file.ends_with("run.json")),
        "{folders:?}"
    );
}
