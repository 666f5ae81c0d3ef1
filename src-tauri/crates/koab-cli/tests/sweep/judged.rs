//! What judges take.

use crate::support;
use crate::support::http::Local;
use crate::sweep::{chat, prepared, swept};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Questions that judges are asked at once.
const AT_ONCE: usize = 8;
/// Tokens of a judge's answer.
const ANSWER: u64 = 3000;

/// A model, and a judge that counts its answers and takes its time at some after so many.
fn server(slow_after: usize) -> (Local, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            let models = json!([{ "id": "warm" }, { "id": "cold" }, { "id": "judge" }]);
            return (200, json!({ "object": "list", "data": models }));
        }
        if request.body["model"] != "judge" {
            return (200, chat("모르겠습니다."));
        }
        let place = count.fetch_add(1, Ordering::SeqCst);
        if place >= slow_after && place < slow_after + AT_ONCE {
            std::thread::sleep(Duration::from_secs(2));
        }
        let mut said = chat(&json!({ "reason": "r", "success": false }).to_string());
        said["usage"] =
            json!({ "prompt_tokens": ANSWER - 100, "completion_tokens": 100, "total_tokens": ANSWER });
        (200, said)
    });
    (server, asked)
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
    kept.filter_map(|path| support::read_json(&path)[1].as_u64())
        .sum()
}

#[test]
fn what_judges_took_before_the_budget_stopped_them_is_counted() {
    let (server, _) = server(1_000_000);
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
    const FIRST: usize = 6;
    let (server, asked) = server(FIRST);
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
    let enough = || asked.load(Ordering::SeqCst) > FIRST;
    for _ in 0..10_000 {
        if enough() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(enough(), "judges are asked");
    // The first answers may be on their way still; the slow one takes longer than they do.
    std::thread::sleep(Duration::from_millis(800));
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("a signal").success());
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
