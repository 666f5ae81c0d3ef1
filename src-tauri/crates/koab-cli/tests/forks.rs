//! Forks from the command line: an unchanged one repeats the attempt, a changed one goes another way, and none is ever taken
//! for a run.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::Koab;
use crate::support::logs::essence_of_branch;
use serde_json::{Value, json};
use std::fs;

/// A workspace with a run of the golden baseline, and the run's id.
fn workspace() -> (Koab, String) {
    let koab = Koab::new();
    koab.json(&["run", "--model", "baseline/golden", "--tasks", "L3-001,L5-001,L6-001"]);
    let id = koab.json(&["runs", "list"])[0]["id"].as_str().unwrap().to_owned();
    (koab, id)
}

#[test]
fn an_unchanged_fork_of_a_deterministic_model_is_the_attempt_again() {
    let (koab, run) = workspace();
    for task in ["L3-001", "L5-001", "L6-001"] {
        let steps = {
            let fork = koab.json(&["runs", "fork", &run, task, "--step", "1"]);
            assert_eq!(essence_of_branch(&fork["forked"]), essence_of_branch(&fork["original"]), "{task}");
            fork["original"]["attempt"]["steps"].as_u64().unwrap()
        };
        let last = steps.to_string();
        let fork = koab.json(&["runs", "fork", "last", task, "--step", &last]);
        assert_eq!(
            essence_of_branch(&fork["forked"]),
            essence_of_branch(&fork["original"]),
            "{task} at {last}"
        );
        assert_eq!(fork["kept_steps"], steps - 1);
        assert_eq!(fork["fork"]["changes"], json!([]));
    }
    let listed = koab.json(&["runs", "forks", &run]);
    assert_eq!(listed.as_array().unwrap().len(), 6);
    assert_eq!(koab.json(&["runs", "forks", &run, "--task", "L3-001"]).as_array().unwrap().len(), 2);
}

#[test]
fn a_changed_result_is_what_the_rest_is_made_from() {
    let (koab, run) = workspace();
    let words = [
        "runs",
        "fork",
        &run,
        "L3-001",
        "--step",
        "1",
        "--result",
        r#"{"marked": "여기"}"#,
        "--name",
        "표시",
    ];
    let fork = koab.json(&words);
    let change = &fork["fork"]["changes"][0];
    assert_eq!((&change["after"], &change["step"]), (&json!({"marked": "여기"}), &json!(1)));
    assert_eq!(fork["forked"]["attempt"]["calls"][0]["result"], json!({"marked": "여기"}));
    assert_ne!(
        fork["original"]["attempt"]["calls"][0]["result"],
        fork["forked"]["attempt"]["calls"][0]["result"]
    );
    assert_eq!(fork["fork"]["name"], "표시");
    let id = fork["fork"]["id"].as_str().unwrap();
    // A fork of the fork knows both.
    let again = koab.json(&[
        "runs",
        "fork",
        &format!("fork:{id}"),
        "L3-001",
        "--step",
        "2",
        "--model",
        "baseline/silent",
    ]);
    assert_eq!((&again["fork"]["of"]["fork"], &again["fork"]["of"]["run"]), (&json!(id), &json!(run)));
    assert_eq!(again["forked"]["attempt"]["calls"][0]["result"], json!({"marked": "여기"}));
    assert_eq!(again["fork"]["settings"][0]["after"], "baseline/silent");
    let shown = koab.run(&["--lang", "en", "runs", "fork-show", id]);
    assert!(shown.stdout.contains("enters no report") && shown.stdout.contains("marked"), "{}", shown.stdout);
    let failed = koab.json(&["runs", "fork", &run, "L3-001", "--step", "1", "--error", "timeout"]);
    assert_eq!(failed["forked"]["attempt"]["calls"][0]["error"], "Request timeout");
}

#[test]
fn a_fork_is_no_run_to_anybody() {
    let (koab, run) = workspace();
    let fork = koab.json(&["runs", "fork", &run, "L3-001", "--step", "1"]);
    let id = fork["fork"]["id"].as_str().unwrap().to_owned();
    let folder = koab.path().join("forks").join(&id);
    let named = folder.to_str().unwrap();
    let file = folder.join("fork.json");
    assert!(file.is_file());
    let fork_id = format!("fork:{id}");
    for words in [
        vec!["evaluate", "--run", named],
        vec!["evaluate", "--run", &fork_id],
        vec!["runs", "show", named],
        vec!["runs", "show", &fork_id],
        vec!["run", "--resume", named],
        vec!["report", "import", file.to_str().unwrap()],
    ] {
        let ran = koab.run(&[&["--lang", "en"], words.as_slice()].concat());
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert_ne!(ran.code, 0, "{words:?}: {said}");
        assert!(said.contains("is a fork: it explains a run and never enters a report"), "{words:?}: {said}");
    }
    assert_eq!(koab.json(&["runs", "list"]).as_array().unwrap().len(), 1);
    let reports = koab.json(&["report", "list"]);
    assert_eq!(reports.as_array().map(Vec::len), Some(0), "{reports}");
    // Deleted and brought back.
    koab.ok(&["runs", "fork-delete", &id, "--yes"]);
    assert_eq!(koab.json(&["runs", "forks"]), json!([]));
    koab.ok(&["runs", "fork-delete", &id, "--undo"]);
    assert_eq!(koab.json(&["runs", "forks"])[0]["id"], json!(id));
    // What its file says is not believed blindly.
    fs::write(&file, "{}").unwrap();
    let ran = koab.run(&["--lang", "en", "runs", "fork-show", &id]);
    assert!(ran.stderr.contains("is not a fork"), "{}", ran.stderr);
}

#[test]
fn what_does_not_go_is_said_in_a_sentence() {
    let (koab, run) = workspace();
    for (words, said) in [
        (vec!["--step", "99"], "the attempt has no step 99"),
        (vec!["--step", "1", "--result", "{"], "is not JSON"),
        (vec!["--step", "1", "--result", "{}", "--call", "9"], "step 1 has no call 9"),
        (vec!["--step", "1", "--temperature", "3"], "the temperature must be from 0 to 2"),
        (vec!["--step", "1", "--repetition", "4"], "has no finished attempt 4 at L3-001"),
        (vec!["--step", "1", "--max-cost", "0"], "a budget in USD must be an amount above 0"),
    ] {
        let all = [&["--lang", "en", "runs", "fork", &run, "L3-001", "--quiet"], words.as_slice()].concat();
        let ran = koab.run(&all);
        assert_ne!(ran.code, 0);
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
    }
    assert!(!koab.path().join("forks").exists(), "nothing half made is left");
    assert_eq!(koab.json(&["runs", "forks", &run]), json!([]));
    let nowhere = koab.run(&["runs", "forks", "nope"]);
    assert_eq!(nowhere.code, 1, "{}", nowhere.stdout);
    assert!(nowhere.stderr.contains("`nope`"), "{}", nowhere.stderr);
}

/// A published log does not say whether a recording answered a call: neither does its fork. What is made here is known.
#[test]
fn a_fork_of_a_published_log_claims_no_more_than_the_log() {
    let Some(shared) = crate::support::shared("a_fork_of_a_published_log") else {
        return;
    };
    let koab = Koab::new();
    koab.use_published(&shared);
    let logs = shared.join("parity/logs/benchmark_results/by_model/azure_gpt-4o");
    koab.ok(&["report", "import", logs.to_str().unwrap()]);
    let made = koab.json(&["runs", "fork", "last", "L1-001", "--step", "1", "--model", "baseline/golden"]);
    let id = made["fork"]["id"].as_str().unwrap();
    let shown = koab.json(&["runs", "fork-show", id]);
    let sources = |branch: &str| -> Vec<Value> {
        let calls = shown[branch]["attempt"]["calls"].as_array().unwrap().iter();
        calls.map(|call| call["source"].clone()).collect()
    };
    assert_eq!(sources("original"), [Value::Null]);
    assert_eq!(sources("forked"), [Value::from("miss")]);
}

#[test]
fn a_dry_run_asks_nobody_and_makes_nothing() {
    let (koab, run) = workspace();
    let words = ["runs", "fork", &run, "L3-001", "--step", "1", "--model", "openai/gpt-4o", "--dry-run"];
    let plan = koab.json(&words);
    assert_eq!((&plan["kept_steps"], &plan["model"]), (&json!(0), &json!("openai/gpt-4o")));
    assert!(plan["estimate"]["prompt_tokens"].as_f64().unwrap() > 0.0);
    assert!(!koab.path().join("forks").exists());
    // The gate holds for forks as for runs.
    let offline = koab.run(&[
        "--offline",
        "--lang",
        "en",
        "runs",
        "fork",
        &run,
        "L3-001",
        "--step",
        "1",
        "--model",
        "openai/gpt-4o",
    ]);
    assert_ne!(offline.code, 0);
    assert!(!koab.path().join("forks").exists(), "{}", offline.stderr);
}
