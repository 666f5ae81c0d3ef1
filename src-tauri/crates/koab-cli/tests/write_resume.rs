//! A run in write mode that was killed goes on in write mode: what the services answered is not asked for again, and the
//! finished log is that of an undisturbed run.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::http::Local;
use crate::support::imitated::{self, KEYS, answer, asking, command};
use crate::support::logs::same_logs;
use crate::support::{Koab, read_json};
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

const WRITE: [&str; 8] =
    ["run", "--model", "baseline/golden", "--cache-mode", "write", "--concurrency", "1", "--quiet"];

/// Two tasks of one call and one of two calls, one after the other.
fn workspace() -> Koab {
    let address = |address: &str| ("AddressToCoord_kakao", json!({ "address": address }));
    let one = json!([
        imitated::task("L1-001", 1, &[address("부산")]),
        imitated::task("L1-002", 1, &[address("대구")]),
    ]);
    let book = ("OrderBook_ls", json!({ "shcode": "005490" }));
    let chain = json!([imitated::task("L3-001", 3, &[address("서울"), book])]);
    imitated::workspace(&[("L1", one), ("L3", chain)], &[])
}

/// The services, of which LS says that it was asked and then keeps silent until it is let go.
fn held() -> (Local, Receiver<()>, Sender<()>) {
    let (asked, was_asked) = channel();
    let (let_go, go) = channel::<()>();
    let (asked, go) = (Mutex::new(asked), Mutex::new(Some(go)));
    let local = Local::start(move |request| {
        if request.line.contains("/stock/market-data") {
            let _ = asked.lock().unwrap().send(());
            // Only the first to come is held.
            let held = go.lock().unwrap().take();
            if let Some(held) = held {
                let _ = held.recv();
            }
        }
        answer(request)
    });
    (local, was_asked, let_go)
}

fn paths(local: &Local) -> Vec<String> {
    let requests = local.requests();
    let path = |line: &str| line.split(' ').nth(1).unwrap_or_default().to_owned();
    requests.iter().map(|request| path(&request.line)).collect()
}

#[test]
fn a_killed_run_in_write_mode_asks_no_service_twice_for_what_it_answered() {
    let calm = workspace();
    let services = imitated::services();
    let undisturbed = asking(&calm, &services.address, &KEYS, &WRITE);
    assert_eq!(undisturbed.code, 0, "{}", undisturbed.stderr);

    let koab = workspace();
    let (services, was_asked, let_go) = held();
    let mut child = command(&koab, &services.address, &KEYS, &WRITE)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The last task's first call is answered, its second one is out.
    was_asked.recv_timeout(Duration::from_secs(60)).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    drop(let_go);
    let before = paths(&services);

    let resumed = asking(
        &koab,
        &services.address,
        &KEYS,
        &["run", "--resume", "last", "--concurrency", "1", "--json", "--quiet"],
    );
    assert_eq!(resumed.code, 0, "{}\n{}", resumed.stdout, resumed.stderr);
    let end: Value = serde_json::from_str(&resumed.stdout).unwrap();
    let cache = &end["run"]["cache"];
    assert_eq!(
        (&cache["live"], &cache["overlay"], &cache["miss"]),
        (&json!(4), &json!(0), &json!(0)),
        "three of an earlier start and one now: {cache}"
    );
    let after = &paths(&services)[before.len()..];
    assert_eq!(after, ["/oauth2/token", "/stock/market-data"], "before: {before:?}");
    let kept = koab.json(&["cache", "overlay"]);
    assert_eq!(kept["entries"].as_array().unwrap().len(), 4);

    let folder = |koab: &Koab| {
        let runs = koab.json(&["runs", "list"]);
        std::path::PathBuf::from(runs[0]["folder"].as_str().unwrap())
    };
    same_logs(&folder(&calm), &folder(&koab));
    let spec = read_json(&folder(&koab).join("run.json"))["spec"].clone();
    assert_eq!((&spec["cache_mode"], &spec["overlay"]), (&json!("write"), &json!(true)));
}

#[test]
fn a_run_that_left_services_out_goes_on_without_them() {
    let koab = workspace();
    let (services, was_asked, let_go) = held();
    let words = [&WRITE[..], &["--without-keys"]].concat();
    let ls = ["LS_APP_KEY", "LS_APP_SECRET"];
    let mut child = command(&koab, &services.address, &ls, &words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    was_asked.recv_timeout(Duration::from_secs(60)).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    drop(let_go);
    // Nobody has to say again what the run was made without.
    let resumed = asking(&koab, &services.address, &ls, &["run", "--resume", "last", "--json", "--quiet"]);
    assert_eq!(resumed.code, 0, "{}\n{}", resumed.stdout, resumed.stderr);
    let end: Value = serde_json::from_str(&resumed.stdout).unwrap();
    let cache = &end["run"]["cache"];
    assert_eq!((&cache["live"], &cache["miss"]), (&json!(1), &json!(3)), "{cache}");
}
