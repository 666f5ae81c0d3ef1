//! Runs that meet busy servers, broken connections, `kill -9`, a second process, or the end of the budget: nothing is lost,
//! nothing is asked twice that was answered, and the finished log is that of an undisturbed run.

#![allow(clippy::print_stdout, reason = "figures and the seed are for whoever reads a failed test's output")]

use crate::support::dice::Dice;
use crate::support::logs::{folder, journal, logs, of_type, same_logs, turns};
use crate::support::{Koab, ReplayServer, read_json, shared};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const MODEL: &str = "azure/gpt-4o";

/// The reference material and a workspace with the published pack; `None` where the test is skipped.
fn prepared(test: &str) -> Option<(PathBuf, Koab)> {
    let shared = shared(test)?;
    let koab = Koab::new();
    koab.use_published(&shared);
    Some((shared, koab))
}

/// The words that run the recorded model.
fn asking<'a>(server: &'a ReplayServer, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["run", "--model", MODEL, "--base-url", &server.base_url];
    [&words, more].concat()
}

fn run(koab: &Koab, server: &ReplayServer, more: &[&str]) -> Value {
    koab.json(&asking(server, more))["run"].clone()
}

#[test]
fn busy_servers_and_broken_connections_change_nothing() {
    let Some((shared, koab)) = prepared("busy_servers_and_broken_connections_change_nothing") else {
        return;
    };
    let calm = ReplayServer::start(&shared, &[]);
    let undisturbed = run(&koab, &calm, &["--concurrency", "32"]);
    let faults = ["--fail-429", "0.1", "--fail-500", "0.1", "--drop", "0.05", "--retry-after", "0"];
    let stormy = ReplayServer::start(&shared, &faults);
    let begun = Instant::now();
    let made = run(&koab, &stormy, &["--concurrency", "32"]);
    let stats = stormy.stats();
    println!("{stats} in {:.1} s", begun.elapsed().as_secs_f64());
    assert_eq!((&made["done"], &made["failed"]), (&91.into(), &0.into()));
    same_logs(&folder(&undisturbed), &folder(&made));
    for kind in ["fail_429", "fail_500", "dropped"] {
        assert!(stats[kind].as_u64().is_some_and(|n| n > 0), "the server did misbehave: {stats}");
    }
    assert_eq!(stats["answered"], turns(&folder(&made)), "nothing is asked twice that was answered");
    assert_eq!(calm.stats()["answered"], turns(&folder(&undisturbed)));
    let journal = journal(&folder(&made));
    let waits: Vec<&Value> = of_type(&journal, "wait").collect();
    for what in ["HTTP 429", "\"status\":500", "connection broke"] {
        let said = |wait: &&Value| wait["reason"].to_string().contains(what);
        assert!(waits.iter().any(said), "no wait for {what}");
    }
    assert!(waits.iter().all(|wait| wait["task"].is_string()), "every wait says whose it is");
}

#[test]
fn malformed_arguments_are_logged_as_the_model_s_faults() {
    let Some((shared, koab)) = prepared("malformed_arguments_are_logged_as_the_model_s_faults") else {
        return;
    };
    let server = ReplayServer::start(&shared, &["--malformed", "0.2"]);
    let made = run(&koab, &server, &["--concurrency", "16"]);
    assert_eq!((&made["done"], &made["failed"]), (&91.into(), &0.into()));
    let faulty = |calls: &Value| {
        let calls = calls.as_array().expect("calls").iter();
        calls.filter(|call| call["unreadable_arguments"] == "{not json").cloned().collect::<Vec<_>>()
    };
    let logged: Vec<Value> = logs(&folder(&made))
        .iter()
        .flat_map(|log| log["results"].as_array().expect("results").clone())
        .flat_map(|task| faulty(&task["tool_calls"]))
        .collect();
    let journal = journal(&folder(&made));
    let kept: Vec<Value> =
        of_type(&journal, "attempt").flat_map(|line| faulty(&line["record"]["calls"])).collect();
    let malformed = server.stats()["malformed"].as_u64().expect("a counter");
    assert!(!logged.is_empty() && logged.len() == kept.len(), "{} {}", logged.len(), kept.len());
    assert!(malformed > 0, "the server did misbehave");
    for (call, record) in logged.iter().zip(&kept) {
        assert_eq!(call["success"], false);
        assert!(
            call["error"].as_str().is_some_and(|why| why.starts_with("the arguments are not valid JSON"))
        );
        assert_eq!(record["owner"], "model");
    }
}

/// Line ends behind so many bytes of a run's journal.
fn lines(folder: &Path, behind: u64) -> usize {
    let mut text = Vec::new();
    let mut journal = File::open(folder.join("journal.jsonl")).expect("it is there");
    journal.seek(SeekFrom::Start(behind)).expect("sought");
    journal.read_to_end(&mut text).expect("read");
    text.iter().filter(|byte| **byte == b'\n').count()
}

/// Starts `koab` and kills it at a moment of the dice's choice: in its first moments, or after some more journal lines.
fn start_and_kill(koab: &Koab, words: &[&str], made: Option<&Path>, longest: u64, dice: &mut Dice) {
    let before =
        made.map_or(0, |folder| fs::metadata(folder.join("journal.jsonl")).map_or(0, |meta| meta.len()));
    let mut child =
        koab.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("koab starts");
    match made {
        Some(folder) if dice.below(4) > 0 => {
            let wanted = 1 + dice.below(9) as usize;
            let begun = Instant::now();
            while lines(folder, before) < wanted && begun.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(2));
            }
            std::thread::sleep(Duration::from_millis(dice.below(25)));
        }
        Some(_) => std::thread::sleep(Duration::from_millis(dice.below(300))),
        None => std::thread::sleep(Duration::from_millis(dice.below(longest))),
    }
    assert!(child.try_wait().expect("asked").is_none(), "it was killed and did not end by itself");
    child.kill().expect("killed");
    child.wait().expect("gone");
}

fn newest_run(koab: &Koab) -> Option<PathBuf> {
    let runs = koab.json(&["runs", "list"]);
    Some(PathBuf::from(runs.get(0)?["folder"].as_str()?))
}

/// Kills of a run; `KOAB_TEST_KILLS` asks for more, and for a run that is longer by as much. Histories in
/// `koab-runs` have those at each write.
const KILLS: usize = 5;
/// Kills that a run without repetitions outlasts.
const OUTLASTED: usize = 20;

#[test]
fn kills_leave_the_log_of_an_undisturbed_run() {
    let Some((shared, koab)) = prepared("kills_leave_the_log_of_an_undisturbed_run") else {
        return;
    };
    let asked = std::env::var("KOAB_TEST_KILLS").ok();
    let kills: usize = asked.map_or(KILLS, |kills| kills.parse().expect("a number of kills"));
    // So long that no start comes to its end.
    let repetitions = 2 * kills.div_ceil(OUTLASTED) - 1;
    let (planned, repetitions) = (91 * repetitions, repetitions.to_string());
    let server = ReplayServer::start(&shared, &["--latency-ms", "20"]);
    let mut dice = Dice::new();
    let first = asking(&server, &["--concurrency", "2", "--quiet", "--repetitions", &repetitions]);
    // Neither model nor address: the run knows them.
    let again = ["run", "--resume", "last", "--concurrency", "2", "--quiet"];
    let (mut made, mut killed) = (None, 0);
    while killed < kills || made.is_none() {
        let words = if made.is_some() { &again[..] } else { &first[..] };
        killed += 1;
        // A slow machine may not have begun the run by then; the next start has more time.
        start_and_kill(&koab, words, made.as_deref(), 600 * killed as u64, &mut dice);
        if made.is_none() {
            made = newest_run(&koab);
        }
    }
    let made = made.expect("the run began between two kills");
    let listed = koab.json(&["runs", "list"]);
    let unfinished = listed.as_array().unwrap().iter().find(|run| run["folder"] == made.to_str().unwrap());
    let command = unfinished.expect("it is listed")["resume"].as_str().expect("with the command").to_owned();
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let end = koab.json(&[&words[..], &["--concurrency", "16"]].concat())["run"].clone();
    assert_eq!((&end["done"], &end["outcome"]), (&planned.into(), &"completed".into()));
    let answered = server.stats()["answered"].as_u64().expect("a counter");
    let calm = run(&koab, &server, &["--concurrency", "16", "--repetitions", &repetitions]);
    same_logs(&folder(&calm), &made);
    let journal = journal(&made);
    let (starts, attempts) = (of_type(&journal, "run").count(), of_type(&journal, "attempt").count());
    let steps = of_type(&journal, "step").count() as u64;
    let of_attempts: u64 = of_type(&journal, "attempt")
        .map(|line| line["record"]["steps"].as_array().expect("steps").len() as u64)
        .sum();
    println!(
        "{starts} starts left a mark, {attempts} attempts, {steps} steps for {of_attempts} turns, {answered} answers"
    );
    assert_eq!(attempts, planned, "no finished attempt is made twice");
    assert!((1..=killed + 1).contains(&starts), "{starts} of {killed} starts and one left a mark");
    assert_eq!(steps, of_attempts, "an attempt that a kill broke off goes on behind its last step");
    assert!(
        (steps..=steps + 2 * killed as u64).contains(&answered),
        "{answered} answers, {steps} of them kept: a kill loses those of the two that are under way"
    );
    assert_eq!(
        end["spending"]["usage"]["total_tokens"],
        of_type(&journal, "step")
            .filter_map(|line| line["step"]["usage"]["total_tokens"].as_u64())
            .sum::<u64>(),
        "what was spent in all starts counts"
    );
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_second_process_is_told_who_has_the_run() {
    let Some((shared, koab)) = prepared("a_second_process_is_told_who_has_the_run") else {
        return;
    };
    let server = ReplayServer::start(&shared, &["--latency-ms", "300"]);
    let words = asking(&server, &["--concurrency", "1", "--quiet"]);
    let child = koab.command(&words).stdout(Stdio::null()).spawn().expect("koab starts");
    let running = Running(child);
    let begun = Instant::now();
    let made = loop {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not begin");
        match newest_run(&koab).filter(|folder| !journal(folder).is_empty()) {
            Some(folder) => break folder,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let listed = koab.json(&["runs", "list"]);
    assert_eq!((&listed[0]["held_by"], &listed[0]["resume"]), (&running.0.id().into(), &Value::Null));
    let id = listed[0]["id"].as_str().expect("an id");
    let before = journal(&made).len();
    for words in [vec!["run", "--resume", id], vec!["runs", "delete", id, "--yes"]] {
        let refused = koab.run(&words);
        let said = format!("process {}", running.0.id());
        assert!(refused.code == 1 && refused.stderr.contains(&said), "{}", refused.stderr);
    }
    let none = koab.run(&["run", "--resume", "last"]);
    assert!(none.code == 1 && none.stderr.contains("no run is unfinished"), "{}", none.stderr);
    let grown = |folder: &Path| journal(folder).len() > before;
    let begun = Instant::now();
    while !grown(&made) {
        assert!(begun.elapsed() < Duration::from_secs(10), "the first one goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(running);
    assert!(koab.json(&["runs", "list"])[0]["resume"].is_string(), "now anybody may go on with it");
}

#[test]
fn many_processes_begin_in_one_new_workspace() {
    let koab = Koab::new();
    let words = ["run", "--model", "baseline/golden", "--levels", "L1,L5", "--json", "--quiet"];
    let children: Vec<Child> = (0..6)
        .map(|_| {
            let mut command = koab.command(&words);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("koab starts")
        })
        .collect();
    for child in children {
        let ran = crate::support::ran(child.wait_with_output().expect("ended"));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let runs = koab.json(&["runs", "list"]);
    assert_eq!(runs.as_array().unwrap().len(), 6, "each has a folder of its own");
    koab.ok(&["pack", "verify"]);
}

#[test]
fn a_run_stops_before_its_cap_and_a_higher_one_finishes_it() {
    let Some((shared, koab)) = prepared("a_run_stops_before_its_cap_and_a_higher_one_finishes_it") else {
        return;
    };
    let server = ReplayServer::start(&shared, &[]);
    // Without L3 and L4: the server spreads a published task's tokens evenly over its turns, so that a first turn of
    // a task with long tool answers seems to take more tokens than its request has bytes.
    // Each call in flight holds its upper bound, so how near the cap a run comes depends on how many are.
    let levels = ["--levels", "L1,L2,L5,L6,L7", "--concurrency", "4"];
    let calm = run(&koab, &server, &levels);
    let whole = calm["spending"]["usage"]["total_tokens"].as_u64().expect("tokens");
    let usd = calm["spending"]["usd"].as_f64().expect("the price of this model is known");
    let (tokens_cap, usd_cap) = (whole / 2, usd / 2.0);
    for (option, cap) in
        [("--max-total-tokens", tokens_cap.to_string()), ("--max-cost", format!("{usd_cap:.4}"))]
    {
        let words = asking(&server, &[option, &cap, "--json", "--quiet"]);
        let stopped = koab.run(&[&words[..], &levels].concat());
        assert_eq!(stopped.code, 3, "{}", stopped.stderr);
        let stopped: Value = serde_json::from_str(&stopped.stdout).expect("one document");
        let stopped = &stopped["run"];
        assert_eq!(stopped["outcome"], "budget_spent");
        let (done, spending) = (stopped["done"].as_u64().expect("a number"), &stopped["spending"]);
        println!("{option} {cap}: {done} of 71, {spending}");
        let (tokens, cost) = (spending["usage"]["total_tokens"].as_u64(), spending["usd"].as_f64());
        if option == "--max-cost" {
            assert!(
                cost.is_some_and(|cost| cost <= usd_cap && cost > 0.6 * usd_cap),
                "{cost:?} of {usd_cap}"
            );
        } else {
            assert!(
                tokens.is_some_and(|n| n <= tokens_cap && n > tokens_cap * 6 / 10),
                "{tokens:?} of {tokens_cap}"
            );
        }
        assert!((1..71).contains(&done));
        let manifest = read_json(&folder(stopped).join("run.json"));
        assert_eq!((&manifest["status"], &manifest["spending"]), (&"budget_spent".into(), spending));
        // The cap stays until another one is given.
        let still = koab.run(&["run", "--resume", "last"]);
        assert!(
            still.code == 3 && still.stdout.contains("the budget of "),
            "{}{}",
            still.stdout,
            still.stderr
        );
        let higher = if option == "--max-cost" { "9".to_owned() } else { (whole * 3).to_string() };
        let end = koab.json(&["run", "--resume", "last", option, &higher])["run"].clone();
        assert_eq!(
            (&end["outcome"], &end["done"], &end["resume"]),
            (&"completed".into(), &71.into(), &Value::Null)
        );
        same_logs(&folder(&calm), &folder(&end));
    }
    let day = whole * 3 / 2;
    let day = day.to_string();
    let stopped = koab.run(&asking(&server, &["--max-total-tokens-per-day", &day]));
    assert!(
        stopped.code == 3 && stopped.stdout.contains("today's budget of "),
        "three runs were made today: {}{}",
        stopped.stdout,
        stopped.stderr
    );
    let unknown =
        koab.run(&["run", "--model", "openai_compat/m", "--base-url", &server.base_url, "--max-cost", "1"]);
    assert!(
        unknown.code == 2 && unknown.stderr.contains("the price of openai_compat/m is not known"),
        "{}",
        unknown.stderr
    );
    let zero = koab.run(&asking(&server, &["--max-cost", "0"]));
    assert!(
        zero.code == 2 && zero.stderr.contains("a budget in USD must be an amount above 0"),
        "{}",
        zero.stderr
    );
}

#[test]
fn a_dry_run_says_what_the_run_would_take() {
    let koab = Koab::new();
    let plan = koab.json(&["run", "--model", MODEL, "--base-url", "http://127.0.0.1:1/v1", "--dry-run"]);
    let total = &plan["estimate"];
    let number = |name: &str| total[name].as_f64().expect(name);
    // 28 tasks of the starter pack; the published run of this model took 2.3 turns a task.
    assert!((50.0..90.0).contains(&number("calls")), "{total}");
    assert!((0.1..1.0).contains(&number("usd")) && (0.1..5.0).contains(&number("minutes")), "{total}");
    assert_eq!(total["from"], "the published run of azure/gpt-4o");
    let golden = koab.json(&["run", "--model", "baseline/golden", "--dry-run"]);
    assert_eq!(golden["estimate"], Value::Null);
    assert_eq!(koab.json(&["runs", "list"]).as_array().unwrap().len(), 0, "nothing was run");
}
