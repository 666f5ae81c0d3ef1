//! What judges take.

use crate::support;
use crate::support::http::Local;
use crate::support::signal;
use crate::support::wait::until;
use crate::sweep::{chat, prepared, swept};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Questions that judges are asked at once.
const AT_ONCE: usize = 8;
/// Tokens of a judge's answer.
const ANSWER: u64 = 3000;

/// A judge of the tests.
#[derive(Default)]
struct Judge {
    /// Questions so far.
    asked: AtomicUsize,
    /// Whether it may answer the questions that it holds.
    is_released: AtomicBool,
}

/// A model, and a judge that counts its questions. After `free_answers` it holds eight of them until it is released.
fn server(free_answers: usize) -> (Local, Arc<Judge>) {
    let judge = Arc::new(Judge::default());
    let shared = Arc::clone(&judge);
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            let models = json!([{ "id": "warm" }, { "id": "cold" }, { "id": "judge" }]);
            return (200, json!({ "object": "list", "data": models }));
        }
        if request.body["model"] != "judge" {
            return (200, chat("모르겠습니다."));
        }
        let place = shared.asked.fetch_add(1, Ordering::SeqCst);
        if (free_answers..free_answers + AT_ONCE).contains(&place) {
            until("the judge is released", Duration::from_secs(120), || {
                shared.is_released.load(Ordering::SeqCst)
            });
        }
        let mut said = chat(&json!({ "reason": "r", "success": false }).to_string());
        said["usage"] =
            json!({ "prompt_tokens": ANSWER - 100, "completion_tokens": 100, "total_tokens": ANSWER });
        (200, said)
    });
    (server, judge)
}

/// One attempt a task in L1 of one pack, at one temperature.
fn short(sound: &str) -> String {
    sound
        .replace("[\"L1\", \"L2\", \"L3\"]", "[\"L1\"]")
        .replace("[\"starter\", \"second\"]", "[\"second\"]")
        .replace("repetitions = 2", "repetitions = 1")
        .replace("[0.0, 0.7, 1.0]", "[0.7]")
}

/// Tokens that judges took, as they are kept.
fn noted(home: &Path) -> u64 {
    let Ok(folder) = fs::read_dir(home.join("sweeps")) else {
        return 0;
    };
    let paths = folder.flatten().map(|file| file.path());
    let kept = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    kept.filter_map(|path| support::read_json(&path)["usage"]["total_tokens"].as_u64()).sum()
}

#[test]
fn what_judges_took_before_the_budget_stopped_them_is_counted() {
    let (server, _) = server(usize::MAX - AT_ONCE);
    let (koab, file) = prepared(&format!("{}/v1", server.address));
    let sound = fs::read_to_string(&file).expect("the file");
    let capped = short(&sound).replace("name = ", "max_total_tokens = 30000\nname = ");
    fs::write(&file, capped).expect("written");
    let (code, table) = swept(&koab, file.to_str().expect("UTF-8"));
    assert!(code != 0 && table["done"] == 0, "{table}");
    assert!(noted(koab.path()) >= ANSWER, "{table}");
}

#[cfg(unix)]
#[test]
fn what_judges_took_before_the_sweep_was_cancelled_is_counted_and_their_answers_are_kept() {
    const FIRST: usize = 2;
    let (server, judge) = server(FIRST);
    let asked = &judge.asked;
    let (koab, file) = prepared(&format!("{}/v1", server.address));
    let sound = fs::read_to_string(&file).expect("the file");
    fs::write(&file, short(&sound)).expect("written");
    let prices = json!({ "as_of": "2026-01-01", "models": {
        "openai_compat/*": { "input": 1.0, "output": 1.0 },
    } });
    fs::write(koab.path().join("prices.json"), prices.to_string()).expect("written");
    let word = file.to_str().expect("UTF-8");
    let mut child = koab
        .command(&["sweep", word, "--quiet", "--json"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("koab starts");
    // At most eight questions are in flight, so the first two are answered when ten were asked.
    until("the first questions are answered", Duration::from_secs(100), || {
        let count = asked.load(Ordering::SeqCst);
        if count >= FIRST + AT_ONCE { Ok(()) } else { Err(count) }
    });
    signal(&child, "-INT");
    judge.is_released.store(true, Ordering::SeqCst);
    assert_eq!(child.wait().expect("ended").code(), Some(130));
    let took = noted(koab.path());
    assert!(took >= FIRST as u64 * ANSWER, "{took}");

    // It stands in the plan, and the next start asks about the rest alone and adds to it.
    let plan = koab.json(&["sweep", word, "--dry-run"]);
    let of_judges = took as f64 / 1e6;
    assert!(plan["spent"].as_f64() >= Some(of_judges), "{plan} {took}");
    let before = asked.load(Ordering::SeqCst);
    let (code, table) = swept(&koab, word);
    assert_eq!((code, &table["done"]), (0, &json!(2)), "{table}");
    let more = (asked.load(Ordering::SeqCst) - before) as u64 * ANSWER;
    assert_eq!(noted(koab.path()), took + more);
}
