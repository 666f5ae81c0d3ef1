//! Runs in write mode against imitations of the services: what is not recorded is asked for, what was answered is kept
//! beside the pack, failures are not, and no key reaches the disk or the output.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::http::Local;
use crate::support::imitated::{self, KEYS, asking, holding, services};
use crate::support::{Koab, Ran};
use serde_json::{Value, json};

fn run(koab: &Koab, services: &Local, keys: &[&str], more: &[&str]) -> Ran {
    let words = ["run", "--model", "baseline/golden", "--cache-mode", "write", "--json", "--quiet"];
    asking(koab, &services.address, keys, &[&words, more].concat())
}

fn cache(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    document["run"]["cache"].clone()
}

/// A pack of three tasks without a single record.
fn workspace() -> Koab {
    let task = |id: &str, tool: &str, args: Value| imitated::task(id, 1, &[(tool, args)]);
    let tasks = json!([
        task("L1-001", "AddressToCoord_kakao", json!({ "address": "부산" })),
        task("L1-002", "CryptoPrice_bithumb", json!({ "markets": "KRW-LTC" })),
        task("L1-003", "OrderBook_ls", json!({ "shcode": "005490" })),
    ]);
    imitated::workspace(&[("L1", tasks)], &[])
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

    // Reading cached responses only sees the pack and nothing else.
    let read = koab.json(&["run", "--model", "baseline/golden"]);
    assert_eq!(read["run"]["cache"]["miss"], 3);
    assert_eq!(services.requests().len(), 6);

    let kept = koab.json(&["cache", "overlay"]);
    let kept: Vec<&Value> = kept["entries"].as_array().unwrap().iter().collect();
    assert_eq!(
        kept.iter().map(|entry| &entry["tool"]).collect::<Vec<_>>(),
        ["AddressToCoord_kakao", "OrderBook_ls"]
    );
    assert!(kept[0]["origin"].as_str().unwrap().starts_with("run baseline_golden/"), "{kept:?}");

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
        for said in ["KAKAO_REST_API_KEY", "LS_APP_SECRET", "Kakao Local", "LS Securities", "--without-keys"]
        {
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
