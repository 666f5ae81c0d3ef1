//! Runs on a real Slurm: what comes of them, and what is left when something breaks.
//!
//! The long ones (`long.rs`) are left out by nextest's default filter; `cargo xtask bench --only cluster` runs them, and `short.rs` has
//! the same in seconds.

#![cfg(unix)]

mod agents;
mod bears;
mod judging;
mod kubernetes;
mod long;
mod on_a_cluster;
mod refusals;
mod scenarios;
mod short;
mod slurm;
mod trouble;

use crate::support::logs::{journal, of_type, same_logs, turns};
use crate::support::wait::until;
use slurm::{CANARY, Calm, answered, at_slurm, holding, marks};
use std::path::Path;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn a_run_on_slurm_comes_to_the_log_of_one_process_and_shows_no_key() {
    at_slurm!(a_run_on_slurm_comes_to_the_log_of_one_process_and_shows_no_key, slurm, desk, server, "100");
    let url = server.base_url.as_str();
    let calm = Calm::of(&desk, "1");

    let words = ["--shards", "8", "--at-once", "4", "--concurrency", "16"];
    let plan = ["run", "--model", "azure/gpt-4o", "--base-url", url, "--on", "slurm", "--dry-run"];
    let plan = desk.json(&[plan.as_slice(), words.as_slice()].concat());
    assert_eq!((&plan["unfinished"], &plan["attempts"]), (&8.into(), &91.into()));
    let script = plan["files"][0]["text"].as_str().expect("a script");
    assert!(script.contains("--shard \"$shard/8\"") && !script.contains("TASK_COUNT"), "{script}");
    assert_eq!(desk.json(&["runs", "list"]).as_array().expect("runs").len(), 0, "nothing was made");

    let run = desk.submit(url, &words);
    let job = desk.remote(&run)["jobs"][0].as_str().expect("a job").to_owned();
    let told = slurm.ask("scontrol", &["show", "job", &job]);
    assert!(told.contains("cluster/worker.sh") && !told.contains(CANARY), "{told}");
    let queue = slurm.ask("squeue", &["-o", "%all"]);
    assert!(queue.contains(&job) && !queue.contains(CANARY), "{queue}");
    let words = slurm.ask("sh", &["-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"]);
    assert!(words.contains("slurmctld"), "the words of all programs: {words}");
    assert!(!words.contains(CANARY), "a key is among the words of a program");
    let busy = desk.refused(&["runs", "delete", &run, "--yes"]);
    assert!(busy.contains("end them first"), "{busy}");
    let busy = desk.refused(&["run", "--resume", &run]);
    assert!(busy.contains("workers on Slurm are making the run"), "{busy}");

    let shown = desk.ended(&run, MINUTE);
    let remote = &shown["remote"];
    assert_eq!((&remote["states"]["done"], &remote["done"]), (&8.into(), &91.into()), "{remote}");
    assert_eq!(shown["complete"], true, "the merge followed by itself: {shown}");
    assert_eq!(answered(&server), calm.needed, "as many answers, and none for the merge");
    let made = desk.folder(&run);
    same_logs(&calm.folder, &made);
    assert_eq!(of_type(&journal(&made), "step").count() as u64, turns(&made), "no step twice");
    for gone in ["shards", "packs.sqlite"] {
        assert!(!made.join(gone).exists(), "{gone} is left over");
    }
    let workspace = desk.koab.path();
    assert_eq!(holding(workspace, CANARY), Vec::<std::path::PathBuf>::new());
    let log = desk.json(&["runs", "logs", &run, "3"]);
    assert!(log["path"].as_str().expect("a path").ends_with("cluster/3.log"));
}

#[test]
fn cancelled_workers_leave_nothing_and_the_rest_is_made_by_the_next_submission() {
    at_slurm!(
        cancelled_workers_leave_nothing_and_the_rest_is_made_by_the_next_submission,
        slurm,
        desk,
        server,
        "100"
    );
    let url = server.base_url.as_str();
    let calm = Calm::of(&desk, "1");
    let run = desk.submit(url, &["--shards", "8", "--at-once", "2", "--concurrency", "8"]);
    let folder = desk.folder(&run);
    until("two shards are done", MINUTE, || marks(&folder, "end 0") >= 2);
    let cancelled = desk.json(&["runs", "cancel", &run]);
    assert_eq!(cancelled["merging"], false, "{cancelled}");
    slurm.until_idle("the jobs end", &folder, MINUTE);
    let remote = desk.remote(&run);
    let done = remote["states"]["done"].as_u64().expect("a count");
    assert!((2..8).contains(&done), "{remote}");
    assert_eq!(remote["states"]["cancelled"].as_u64(), Some(8 - done), "{remote}");
    // What its workers made counts, though it is not merged.
    let facts = desk.json(&["runs", "show", &run])["comparability"]["facts"].clone();
    assert_eq!(facts["attempts"]["value"]["done"], remote["done"], "{facts}");
    assert_eq!(facts["calls"]["reason"], "the run's shards are not merged yet");
    let text = desk.output(&["runs", "list"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains(&format!("cancelled, {done} of 8 shards done")), "{text}");

    let other = desk.refused(&["run", "--resume", &run, "--on", "slurm", "--shards", "4"]);
    assert!(other.contains("was cut into 8 shards"), "{other}");
    let resumed = desk.json(&["run", "--resume", &run, "--on", "slurm", "--at-once", "4"]);
    let job = resumed["jobs"][1].as_str().expect("a second job").to_owned();
    let told = slurm.ask("squeue", &["-h", "-r", "-j", &job]);
    assert!((1..=8 - done).contains(&(told.lines().count() as u64)), "only what is unfinished: {told}");
    let shown = desk.ended(&run, MINUTE);
    assert_eq!(shown["complete"], true, "{shown}");
    same_logs(&calm.folder, &desk.folder(&run));
    // Two workers had four calls in flight each.
    let (asked, needed) = (answered(&server), calm.needed);
    assert!((needed..=needed + 8).contains(&asked), "{asked} answers instead of {needed}");
    let nothing = desk.refused(&["run", "--resume", &run, "--on", "slurm"]);
    assert!(nothing.contains("every attempt of the run"), "{nothing}");
}

#[test]
fn what_cannot_be_handed_over_is_refused_in_one_sentence_and_leaves_nothing() {
    at_slurm!(what_cannot_be_handed_over_is_refused_in_one_sentence_and_leaves_nothing, slurm, desk);
    let golden = ["run", "--model", "baseline/golden", "--on", "slurm"];
    for (words, expected) in [
        (["--engine-args", "-p nowhere"].as_slice(), "invalid partition"),
        (&["--engine-args", "-p 'batch"], "quotation mark"),
        (&["--cache-mode", "write"], "many machines cannot share"),
        (&["--with-overlay"], "many machines cannot share"),
    ] {
        let said = desk.refused(&[&golden, words].concat());
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    for (words, expected) in [
        (["run", "--model", "local/nothing", "--on", "slurm"].as_slice(), "serve it"),
        (
            &["run", "--model", "azure/gpt-4o", "--base-url", "http://u:p@127.0.0.1:9/v1", "--on", "slurm"],
            "may hold a secret",
        ),
        (
            &["run", "--model", "baseline/golden", "--on", "kubernetes", "--dry-run"],
            "need an image with koab",
        ),
        (&["runs", "cancel", "last"], "there is no run yet"),
    ] {
        let said = desk.refused(words);
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    let mut nowhere = desk.koab.command(&golden);
    let said = nowhere.env("PATH", "/nonexistent").output().expect("koab starts");
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.contains("Slurm is not here"), "{said}");
    assert!(desk.json(&["runs", "list"]).as_array().expect("runs").is_empty(), "nothing is left");
    let left = Path::new(desk.koab.path()).join("logs/benchmark_results/by_model/baseline_golden");
    assert!(!left.exists(), "not even an empty folder");
}
