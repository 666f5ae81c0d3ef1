//! A run of one process that another one changes: its record has what was changed, and what cannot be changed is refused in one
//! sentence.

use crate::support::http::{Local, Refusing, completion, model, models, says};
use crate::support::logs::{journal, of_type};
use crate::support::wait::until;
use crate::support::{Koab, Ran, ran, read_json};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// A server that refuses its first request and holds all others until it is opened.
struct Held {
    server: Local,
    gate: Arc<(Mutex<bool>, Condvar)>,
}

impl Held {
    fn start() -> Self {
        let gate = Arc::<(Mutex<bool>, Condvar)>::default();
        let (held, refused) = (Arc::clone(&gate), Mutex::new(false));
        let server = Local::start(move |request| {
            if !request.line.starts_with("POST") {
                return models(&["m"]);
            }
            if !std::mem::replace(&mut *refused.lock().expect("the mark"), true) {
                return (400, json!({ "error": { "message": "no" } }));
            }
            let (open, opened) = &*held;
            let open = open.lock().expect("the gate");
            drop(opened.wait_while(open, |open| !*open).expect("the gate"));
            (200, completion(&says("답")))
        });
        Self { server, gate }
    }

    fn open(&self) {
        *self.gate.0.lock().expect("the gate") = true;
        self.gate.1.notify_all();
    }
}

fn folder(koab: &Koab) -> Option<PathBuf> {
    let runs = koab.json(&["runs", "list"]);
    Some(PathBuf::from(runs.get(0)?["folder"].as_str()?))
}

fn refusal(ran: &Ran, part: &str) {
    assert!(ran.code != 0 && ran.stderr.contains(part), "{}\ninstead of\n{part}", ran.stderr);
    assert_eq!(ran.stderr.trim().lines().count(), 1, "{}", ran.stderr);
}

/// A run of one level, one attempt at a time, and its folder as soon as its first attempt has failed.
fn begun(koab: &Koab, held: &Held) -> (Child, PathBuf) {
    let address = format!("{}/v1", held.server.address);
    let model = ["run", "--model", "openai_compat/m", "--base-url", &address];
    let words = [&model[..], &["--levels", "L1", "--concurrency", "1"]].concat();
    let run = koab.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let folder = until("the run has its folder", LIMIT, || folder(koab));
    until("the first attempt has failed", LIMIT, || of_type(&journal(&folder), "attempt").next().map(drop));
    (run.expect("koab starts"), folder)
}

#[test]
fn a_run_is_changed_from_another_terminal_and_keeps_the_list() {
    let (koab, held) = (Koab::new(), Held::start());
    let (run, folder) = begun(&koab, &held);
    let tasks: Vec<String> = read_json(&folder.join("run.json"))["levels"][0]["tasks"]
        .as_array()
        .expect("tasks")
        .iter()
        .filter_map(|task| task.as_str().map(str::to_owned))
        .collect();
    let last = tasks.last().expect("a task").as_str();

    let set = ["runs", "set", "last", "--concurrency", "2", "--max-steps", "7", "--leave-out", last];
    let made: Value = koab.json(&set);
    let kinds: Vec<&str> =
        made.as_array().expect("changes").iter().filter_map(|made| made["change"]["what"].as_str()).collect();
    assert_eq!(kinds, ["concurrency", "max_steps", "leave_out"]);
    let again = koab.ok(&["runs", "retry", "last", "--all-failed"]).stdout;
    assert!(again.contains(&format!("failed attempts made again: 1 ({})", tasks[0])), "{again}");
    refusal(&koab.run(&["runs", "set", "last", "--leave-out", "L9-001"]), "the run has no task L9-001");
    refusal(&koab.run(&["runs", "retry", "last", "--task", &tasks[1]]), "has failed for technical reasons");
    assert_eq!(koab.run(&["runs", "set", "last"]).code, 2, "nothing to set");

    held.open();
    let run = ran(run.wait_with_output().expect("it ends"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("changed: attempts at the same time: 1 → 2"), "{}", run.stderr);
    let manifest = read_json(&folder.join("run.json"));
    let counts = &manifest["attempts"];
    let planned = json!(tasks.len() - 1);
    assert_eq!((&counts["planned"], &counts["done"], &counts["failed"]), (&planned, &planned, &json!(0)));
    assert_eq!(
        (&manifest["spec"]["max_steps"], manifest["changes"].as_array().map(Vec::len)),
        (&json!(7), Some(4))
    );
    assert!(!folder.join("changes").exists(), "requests are removed by whoever asked");

    let shown = koab.ok(&["runs", "show", "last"]).stdout;
    assert!(shown.contains("model turns of an attempt: 10 → 7 (after 1 attempts)"), "{shown}");
    assert!(shown.contains("the limit of model turns was changed while the run was being made"), "{shown}");
    refusal(&koab.run(&["runs", "set", "last", "--concurrency", "3"]), "no process is making the run");
}

#[test]
fn a_run_moves_to_another_server_that_answers() {
    let (koab, held, other) = (Koab::new(), Held::start(), model("stop"));
    let (run, folder) = begun(&koab, &held);
    let refusing = Refusing::new();
    let nobody = format!("http://{}/v1", refusing.address);
    refusal(&koab.run(&["runs", "set", "last", "--base-url", &nobody]), "no server answers at");
    let with_key = other.address.replace("http://", "http://me:key@");
    refusal(&koab.run(&["runs", "set", "last", "--base-url", &with_key]), "without a user name");
    let address = format!("{}/v1", other.address);
    koab.ok(&["runs", "set", "last", "--base-url", &address]);
    koab.ok(&["runs", "retry", "last", "--all-failed"]);
    held.open();
    let run = ran(run.wait_with_output().expect("it ends"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(read_json(&folder.join("run.json"))["spec"]["base_url"], address);
    let asked = |server: &Local| server.requests().iter().filter(|one| one.line.starts_with("POST")).count();
    assert_eq!(asked(&held.server), 2, "one refused, and one that was out");
    assert!(asked(&other) > 1);
}
