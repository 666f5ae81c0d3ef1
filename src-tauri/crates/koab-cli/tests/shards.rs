//! A run that several processes make at once, a part each, with one of them killed: the merged log is that of one process.

#![cfg(unix)]

use crate::support::logs::{folder, journal, of_type, same_logs, turns};
use crate::support::{Koab, ReplayServer, shared};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(koab: &Koab, words: &[&str]) -> Child {
    let mut command = koab.command(words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("koab starts")
}

/// Waits until a file has grown to so many bytes.
fn until_written(path: &Path, bytes: u64) {
    let begun = Instant::now();
    while fs::metadata(path).map_or(0, |meta| meta.len()) < bytes && begun.elapsed() < Duration::from_secs(20)
    {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Tells a process something, waits for its end, and gives its exit code.
fn stop(mut process: Child, signal: &str) -> Option<i32> {
    let signal = Command::new("kill").args([signal, &process.id().to_string()]).status();
    assert!(signal.expect("kill is there").success());
    process.wait().expect("gone").code()
}

/// The folder of a run that was begun, beside another one, and told to end once its journal has so much.
fn begun(koab: &Koab, words: &[&str], other: &Value, until: impl Fn(&Path)) -> PathBuf {
    let first = start(koab, words);
    let made = loop {
        let newest = koab.json(&["runs", "list"])[0]["folder"].clone();
        if newest.is_string() && newest != *other {
            break PathBuf::from(newest.as_str().expect("a folder"));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    until(&made.join("journal.jsonl"));
    assert_eq!(stop(first, "-TERM"), Some(130), "it ended by itself");
    assert_eq!(of_type(&journal(&made), "end").count(), 1, "and wrote that down");
    made
}

#[test]
fn parts_of_a_run_come_to_the_log_of_one_process() {
    let Some(shared) = shared("parts_of_a_run_come_to_the_log_of_one_process") else {
        return;
    };
    let koab = Koab::new();
    koab.use_published(&shared);
    let server = ReplayServer::start(&shared, &["--latency-ms", "20"]);
    let asking = |more: &[&'static str]| -> Vec<String> {
        let words = ["run", "--model", "azure/gpt-4o", "--base-url", &server.base_url];
        words.iter().chain(more).map(|word| (*word).to_owned()).collect()
    };
    let words = asking(&["--concurrency", "16"]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let calm = koab.json(&words)["run"].clone();
    let needed = server.stats()["answered"].as_u64().expect("a counter");

    // It begins, and is told to end as a scheduler tells it.
    let words = asking(&["--concurrency", "2", "--quiet"]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let made = &begun(&koab, &words, &calm["folder"], |journal| {
        until_written(journal, 20_000);
    });

    let run = made.to_str().expect("UTF-8");
    let part = |shard: &'static str| {
        start(&koab, &["run", "--resume", run, "--shard", shard, "--concurrency", "2", "--quiet"])
    };
    let mut workers: Vec<Child> = ["0/3", "1/3"].into_iter().map(part).collect();
    let mut killed = part("2/3");
    until_written(&made.join("shards/2.1.jsonl"), 30_000);
    killed.kill().expect("killed");
    killed.wait().expect("gone");
    // A part of another cut is refused and takes nothing over.
    let refused = koab.run(&["run", "--resume", run, "--shard", "1/4"]);
    assert!(refused.stderr.contains("was already divided into 3 shards"), "{}", refused.stderr);
    assert!(!made.join("shards/1.2.jsonl").exists());
    // What there is can be merged while others work.
    koab.command(&["runs", "merge", run, "--quiet"]).output().expect("koab starts");
    // As if that merge had been killed before it wrote down how far it came.
    fs::remove_file(made.join("shards/taken.json")).expect("it was written");
    workers.push(part("2/3"));
    for mut worker in workers {
        assert_eq!(worker.wait().expect("gone").code(), Some(0), "a part that is done");
    }
    let before = server.stats()["answered"].as_u64().expect("a counter");
    let merge = koab.json(&["runs", "merge", run]);
    assert_eq!((&merge["done"], &merge["missing"], &merge["doubled"]), (&91.into(), &0.into(), &0.into()));
    let after = server.stats()["answered"].as_u64().expect("a counter");
    assert_eq!(before, after, "a merge asks nobody");
    same_logs(&folder(&calm), made);
    let steps = of_type(&journal(made), "step").count() as u64;
    assert_eq!(steps, turns(made), "no step is made twice");
    // Two starts were ended with two calls in flight each.
    assert!((2 * needed..=2 * needed + 4).contains(&after), "{after} answers for two runs of {needed}");
    assert!(!made.join("shards").exists(), "nothing is left over");
}

/// What a worker's file has, line by line; each is whole.
fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("read");
    assert!(text.ends_with('\n'), "the last line is whole");
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().expect("JSON")
}

/// Waits until a file has a step of each of so many tasks.
fn until_steps_of(tasks: usize, file: &Path) {
    let steps_of = || {
        let text = fs::read_to_string(file).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let lines: Vec<Value> = lines.collect();
        let tasks = of_type(&lines, "step").map(|line| line["task"].to_string());
        tasks.collect::<BTreeSet<_>>().len()
    };
    let begun = Instant::now();
    while steps_of() < tasks && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// An attempt that several starts make together goes on behind the last step of any of them: one that began anew would ask
/// again what was answered, and its steps would stand twice in the journal.
#[test]
fn a_worker_that_is_told_to_end_does_so_within_its_attempt_and_asks_to_be_started_again() {
    let Some(shared) =
        shared("a_worker_that_is_told_to_end_does_so_within_its_attempt_and_asks_to_be_started_again")
    else {
        return;
    };
    let koab = Koab::new();
    koab.use_published(&shared);
    let server = ReplayServer::start(&shared, &["--latency-ms", "300"]);
    // The two of the longest attempts, six calls each: four starts share them.
    let run = [
        "run",
        "--model",
        "azure/gpt-4o",
        "--base-url",
        &server.base_url,
        "--tasks",
        "L5-007,L5-009",
        "--concurrency",
        "2",
        "--quiet",
    ];
    let made = begun(&koab, &run, &Value::Null, |journal| until_steps_of(2, journal));
    let run = made.to_str().expect("UTF-8");
    let worker = || {
        let words = ["run", "--resume", run, "--shard", "0/1", "--concurrency", "2", "--quiet"];
        start(&koab, &words)
    };
    for (number, signal) in [(1, "-TERM"), (2, "-USR1")] {
        let worker = worker();
        let file = made.join(format!("shards/0.{number}.jsonl"));
        until_steps_of(2, &file);
        let code = stop(worker, signal);
        assert_eq!(code, Some(75), "{signal}: it is to be started again");
        let lines = lines(&file);
        let ended = of_type(&lines, "attempt").count();
        assert_eq!(ended, 0, "{signal}: within its attempts");
        let last = lines.last().expect("lines");
        assert_eq!(
            (&last["type"], &last["outcome"]),
            (&"end".into(), &"cancelled".into()),
            "{signal}: {last}"
        );
    }
    assert_eq!(worker().wait().expect("gone").code(), Some(0), "the part is done");
    let merge = koab.json(&["runs", "merge", run]);
    assert_eq!((&merge["missing"], &merge["doubled"]), (&0.into(), &0.into()), "{merge}");
    let needed = turns(&made);
    let steps = of_type(&journal(&made), "step").count() as u64;
    assert_eq!(steps, needed, "no step is made twice");
    let answered = server.stats()["answered"].as_u64().expect("a counter");
    // Three starts were ended with two calls in flight each.
    assert!((needed..=needed + 6).contains(&answered), "{answered} answers instead of {needed}");
}

/// As if a run had been handed to a cluster, which has forgotten it.
fn handed_over(made: &Path) {
    let cluster = json!({
        "engine": "slurm",
        "engine_args": [],
        "of": 2,
        "at_once": 2,
        "jobs": [{ "id": "7", "merge": null, "shards": [0, 1], "at_ms": 1 }],
    });
    fs::write(made.join("cluster.json"), cluster.to_string()).expect("written");
}

#[test]
fn a_file_of_a_worker_that_cannot_be_read_is_said_where_runs_are_counted() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L6"])["run"].clone();
    let made = folder(&run);
    handed_over(&made);
    let told = fs::read_to_string(made.join("run.json")).expect("read");
    let mut told: Value = serde_json::from_str(&told).expect("JSON");
    told["status"] = "cancelled".into();
    fs::write(made.join("run.json"), told.to_string()).expect("written");
    let status = || koab.json(&["runs", "list"])[0]["status"].clone();
    let calm = status();
    assert!(calm["uncounted"].is_null() && calm["done"].as_u64() > Some(0), "{calm}");
    fs::create_dir_all(made.join("shards/0.1.jsonl")).expect("made");
    let said = status();
    assert_eq!(said["done"], calm["done"], "what is merged counts: {said}");
    assert!(said["uncounted"].to_string().contains("0.1.jsonl"), "{said}");
    let text = koab.ok(&["runs", "list"]).stdout;
    assert!(text.contains("only attempts that are merged are counted"), "{text}");
    let facts = koab.json(&["runs", "show", "last"])["comparability"]["facts"].clone();
    for fact in ["attempts", "calls"] {
        assert!(facts[fact]["value"].is_null(), "{facts}");
        assert!(facts[fact]["reason"].to_string().contains("0.1.jsonl"), "{facts}");
    }
}

/// As if a run had been ended before its last attempt.
fn without_its_last(made: &Path) {
    let told = fs::read_to_string(made.join("run.json")).expect("read");
    let mut told: Value = serde_json::from_str(&told).expect("JSON");
    told["status"] = "cancelled".into();
    fs::write(made.join("run.json"), told.to_string()).expect("written");
    let journal = fs::read_to_string(made.join("journal.jsonl")).expect("read");
    let lines: Vec<&str> = journal.lines().collect();
    let is_attempt = |line: &&str| line.contains("\"attempt\"") && line.contains("\"record\"");
    let last = lines.iter().rposition(is_attempt).expect("an attempt");
    fs::write(made.join("journal.jsonl"), lines[..last].join("\n") + "\n").expect("written");
}

#[test]
fn what_two_starts_of_a_part_made_counts_as_the_earlier_one_made_it_and_is_told() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L6"])["run"].clone();
    let made = folder(&run);
    without_its_last(&made);
    let shards = made.join("shards");
    let [first, second, away] = ["0.1.jsonl", "0.2.jsonl", "away"].map(|name| shards.join(name));
    let part = || koab.ok(&["run", "--resume", "last", "--shard", "0/1"]);
    part();
    fs::rename(&first, &away).expect("moved");
    // It does not see what the other one makes at the same time.
    part();
    fs::rename(&first, &second).expect("moved");
    fs::rename(&away, &first).expect("moved");
    let attempt = |file: &Path| {
        let lines = lines(file);
        let attempts: Vec<Value> = of_type(&lines, "attempt").map(|line| line["record"].clone()).collect();
        assert_eq!(attempts.len(), 1, "the one that was missing");
        attempts[0].clone()
    };
    let (earlier, later) = (attempt(&first), attempt(&second));
    assert_ne!(earlier, later, "no two take equally long");
    let text = koab.ok(&["runs", "merge", "last"]).stdout;
    assert!(
        text.contains("1 attempts were merged")
            && text
                .contains("1 attempts had been made twice, by two starts of a part; the earlier ones count"),
        "{text}"
    );
    let journal = journal(&made);
    let merged: Vec<&Value> = of_type(&journal, "attempt")
        .map(|line| &line["record"])
        .filter(|record| record["task"] == earlier["task"])
        .collect();
    assert_eq!(merged, [&earlier]);
    assert!(!shards.exists(), "nothing is left over");
}

#[test]
fn what_parts_have_counts_before_it_is_merged_and_is_merged_by_a_run_that_goes_on_here() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L6"])["run"].clone();
    let made = folder(&run);
    without_its_last(&made);
    let facts = || koab.json(&["runs", "show", "last"])["comparability"]["facts"].clone();
    let whole = facts()["attempts"]["value"]["planned"].clone();
    koab.ok(&["run", "--resume", "last", "--shard", "0/1"]);
    let unmerged = facts();
    assert_eq!(unmerged["attempts"]["value"]["done"], whole, "{unmerged}");
    assert_eq!(unmerged["calls"]["reason"], "the run's shards are not merged yet", "{unmerged}");
    koab.ok(&["run", "--resume", "last"]);
    assert!(made.join("shards").exists(), "its files are still there");
    let merged = facts();
    assert_eq!(merged["attempts"]["value"]["done"], whole, "{merged}");
    assert!(merged["calls"]["value"]["levels"].is_array(), "{merged}");
}

#[test]
fn a_run_does_not_go_on_here_while_its_cluster_does_not_answer() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L6"])["run"].clone();
    let made = folder(&run);
    handed_over(&made);
    without_its_last(&made);
    // A machine without the engine's programs.
    let resume = |more: &[&str]| {
        let words = [&["run", "--resume", "last"], more].concat();
        let mut command = koab.command(&words);
        crate::support::ran(command.env("PATH", "").output().expect("koab starts"))
    };
    let refused = resume(&[]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(
        refused.stderr.contains("Slurm does not answer") && refused.stderr.contains("--without-engine"),
        "{}",
        refused.stderr
    );
    assert_eq!(refused.stderr.trim().lines().count(), 1, "{}", refused.stderr);
    let anyway = resume(&["--without-engine"]);
    assert_eq!(anyway.code, 0, "{}", anyway.stderr);
    // What has been made in full is nobody's to make again.
    let whole = resume(&[]);
    assert!(!whole.stderr.contains("does not answer"), "{}", whole.stderr);
}
