//! A benchmark that executes code, run by its own program in scenarios: what that found becomes a report.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::{Koab, Ran, docker, ran};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// Items of each category of the stand-in; it says that two of them are wrong.
const ITEMS: usize = 6;

/// The recipe in the workspace's folder, with its pack imported.
fn cloned() -> (Koab, PathBuf) {
    let koab = Koab::new();
    let mut clone = koab.command(&["scenario", "clone", "BFCLMultiTurn"]);
    let done = ran(clone.current_dir(koab.path()).output().unwrap());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let folder = koab.path().join("BFCLMultiTurn");
    koab.ok(&["pack", "import", &folder.join("Questions").display().to_string()]);
    (koab, folder)
}

/// Runs the stand-in; answers the folder of its results.
fn stood_in(koab: &Koab, folder: &PathBuf, more: &[&str], host: Option<&str>) -> (Ran, String) {
    let mut command = koab.command(&[&["scenario", "run", "Tasks/stand_in.jsonl"], more].concat());
    if let Some(host) = host {
        command.env("DOCKER_HOST", host);
    }
    let done = ran(command.current_dir(folder).output().unwrap());
    (done, folder.join("results/stand_in").display().to_string())
}

fn evaluate(results: &str, more: &[&'static str]) -> Vec<String> {
    let words = ["evaluate", "--answers", results, "--pack", "bfcl_multi_turn"];
    words.iter().chain(more).map(|word| (*word).to_owned()).collect()
}

fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// That the results of the stand-in give its figures everywhere.
fn reported(koab: &Koab, results: &str) {
    let scored = koab.json(&words(&evaluate(results, &[])));
    let rows = scored["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4 * ITEMS);
    let wrong: Vec<&Value> = rows.iter().filter(|row| row["value"] == 0).collect();
    assert_eq!(wrong.len(), 8);
    assert_eq!(
        (&wrong[0]["id"], &wrong[0]["error_type"]),
        (&json!("multi_turn_base_1"), &json!("stand_in:wrong"))
    );
    assert_eq!(scored["tables"]["multi_turn"]["printed"]["Multi Turn Acc"], "66.67%");

    let report = koab.json(&words(&evaluate(results, &["--save", "their/model"])))[0].clone();
    let levels = report["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 4);
    for level in levels {
        let metric = &level["metrics"][0];
        assert_eq!((&metric["mean"], &metric["scored"]), (&json!(4.0 / 6.0), &json!(ITEMS)), "{level}");
    }
    let id = report["id"].as_str().unwrap();
    let shown = koab.ok(&["report", "show", id]).stdout;
    for told in ["BFCL v4, multi turn", "Multi Turn Long Context", "66.67%"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    let page = koab.path().join("page.html").display().to_string();
    koab.ok(&["report", "export", id, "--format", "html", "-o", &page]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("BFCL v4, multi turn") && page.contains("Multi Turn Miss Func"));
}

#[test]
fn what_the_programs_found_is_a_report_of_their_benchmark() {
    let (koab, folder) = cloned();
    let (done, results) = stood_in(&koab, &folder, &["--native", "--yes"], None);
    assert_eq!(done.code, 0, "{}", done.stderr);
    reported(&koab, &results);

    // A run cannot ask it.
    for asked in [
        &["run", "--pack", "bfcl_multi_turn", "--model", "baseline/silent"][..],
        &["run", "--dry-run", "--requests", "--pack", "bfcl_multi_turn"],
    ] {
        let refused = koab.run(asked);
        assert_ne!(refused.code, 0);
        assert_eq!(refused.stderr.trim_end().lines().count(), 1, "{}", refused.stderr);
        assert!(refused.stderr.contains("own program asks and scores"), "{}", refused.stderr);
    }
    // The verdicts that were saved, and nothing else; they can be handed on.
    let runs = koab.json(&["runs", "list"]);
    assert_eq!(runs.as_array().unwrap().len(), 1, "{runs}");
    let bundle = koab.path().join("verdicts.koab").display().to_string();
    koab.ok(&["submit", "bundle", runs[0]["id"].as_str().unwrap(), "-o", &bundle]);
    koab.ok(&["submit", "verify", &bundle]);
}

#[test]
fn in_a_container_it_finds_the_same() {
    let Some(host) = docker("a benchmark's own program in a container") else {
        return;
    };
    let (koab, folder) = cloned();
    let (done, results) = stood_in(&koab, &folder, &["-d", "koab-test"], Some(&host));
    assert_eq!(done.code, 0, "{}", done.stderr);
    reported(&koab, &results);
}

#[test]
fn a_trial_that_found_nothing_is_named_and_an_item_counts_once() {
    let (koab, folder) = cloned();
    let standing_in = folder.join("Templates/StandIn/stand_in.py");
    let sound = fs::read_to_string(&standing_in).unwrap();
    // What it counts and what it lists differ at one category.
    let astray =
        sound.replace("\"correct_count\": 4", "\"correct_count\": 4 + (category == 'multi_turn_base')");
    fs::write(&standing_in, astray).unwrap();
    let (done, results) = stood_in(&koab, &folder, &["--native", "--yes"], None);
    assert_eq!(done.code, 3, "{}", done.stderr);
    let refused = koab.run(&words(&evaluate(&results, &[])));
    assert_eq!((refused.code, refused.stderr.trim_end().lines().count()), (1, 1), "{}", refused.stderr);
    let told = "multi_turn_base/0/answers.jsonl is missing, so this trial did not finish";
    assert!(refused.stderr.contains(told), "{}", refused.stderr);

    fs::write(&standing_in, sound).unwrap();
    let again = ["--native", "--yes", "--repeat", "2", "--rerun-failed"];
    assert_eq!(stood_in(&koab, &folder, &again, None).0.code, 0);
    assert_eq!(koab.json(&words(&evaluate(&results, &[])))["rows"].as_array().unwrap().len(), 8 * ITEMS);
    let refused = koab.run(&words(&evaluate(&results, &["--save", "their/model"])));
    assert!(refused.stderr.contains("/0/answers.jsonl already; give each item once"), "{}", refused.stderr);
    let nothing = koab.run(&words(&evaluate(&folder.join("Tasks").display().to_string(), &[])));
    assert!(nothing.stderr.contains("is a folder without results of scenarios"), "{}", nothing.stderr);
}
