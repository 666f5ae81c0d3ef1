//! Judges that workers of a real Slurm ask: the report is that of one process, and nothing is asked twice.

use crate::cluster::slurm::{CANARY, Desk, at_slurm, holding};
use crate::support::wait::until;
use crate::support::{Koab, ReplayServer, copy};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

/// Questions that a server was asked as a judge.
fn asked(server: &ReplayServer) -> u64 {
    server.stats()["judge"].as_u64().expect("a counter")
}

/// A report without the time of its making.
fn report(workspace: &Path) -> String {
    let reports = fs::read_dir(workspace.join("reports")).expect("reports").flatten();
    let folders: Vec<PathBuf> = reports
        .map(|entry| entry.path().join("evaluation_report.json"))
        .filter(|path| path.is_file())
        .collect();
    assert_eq!(folders.len(), 1, "one report: {folders:?}");
    let text = fs::read_to_string(&folders[0]).expect("read");
    let lines = text.lines().filter(|line| !line.contains("evaluation_date"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The report of one process about a copy of a run, and what it asked.
fn alone(desk: &Desk<'_>, folder: &Path, server: &ReplayServer, judges: &[&str]) -> (String, u64) {
    let koab = Koab::new();
    koab.use_published(desk.slurm.shared());
    let inside = folder.strip_prefix(desk.koab.path()).expect("in the workspace");
    copy(folder, &koab.path().join(inside));
    let before = asked(server);
    let words =
        [&["evaluate", "last", "--judge-base-url", &server.base_url, "--judge-models"], judges].concat();
    let mut command = koab.command(&words);
    let said = desk.slurm.with_it(&mut command).output().expect("koab starts");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    (report(koab.path()), asked(server) - before)
}

/// Waits until workers and merge have ended.
fn ended(desk: &Desk<'_>, run: &str) -> Value {
    let folder = desk.folder(run);
    desk.slurm.until_idle("the judging ends", &folder, MINUTE);
    let judging = desk.shown(run)["judging"].clone();
    assert!(judging["silent"].is_null(), "{}", judging["silent"]);
    assert_eq!((&judging["active"], &judging["merging"]), (&false.into(), &false.into()), "{judging}");
    judging
}

const JUDGES: [&str; 2] = ["azure/one", "azure/two"];

#[test]
fn judges_that_workers_ask_come_to_the_report_of_one_process() {
    at_slurm!(judges_that_workers_ask_come_to_the_report_of_one_process, slurm, desk, server, "20");
    let run = desk.json(&["run", "--model", "baseline/golden"])["run"].clone();
    let folder = PathBuf::from(run["folder"].as_str().expect("a folder"));
    let (expected, needed) = alone(&desk, &folder, &server, &JUDGES);
    assert!(needed > 100, "{needed}");

    let judged =
        [&["evaluate", "last", "--judge-base-url", &server.base_url, "--judge-models"], &JUDGES[..]].concat();
    let on = ["--on", "slurm", "--shards", "8", "--at-once", "4"];
    let plan = desk.json(&[&judged[..], &on, &["--dry-run"]].concat());
    assert_eq!((&plan["attempts"], &plan["unfinished"]), (&needed.into(), &8.into()));
    assert!(!folder.join("judging").exists(), "nothing was made");
    let before = asked(&server);
    let remote = desk.json(&[&judged[..], &on].concat());
    assert_eq!((&remote["work"], &remote["planned"]), (&"judging".into(), &needed.into()));
    let id = remote["run"].as_str().expect("an id").to_owned();
    let busy = desk.refused(&judged);
    assert!(busy.contains("workers on Slurm are asking the judges"), "{busy}");
    let judging = ended(&desk, &id);
    assert_eq!(
        (&judging["states"]["done"], &judging["done"], &judging["failed"]),
        (&8.into(), &needed.into(), &0.into()),
        "{judging}"
    );
    assert!(judging["tokens"].as_u64() > Some(0), "{judging}");
    assert_eq!(asked(&server) - before, needed, "each question once, and none for the merge");
    assert_eq!(report(desk.koab.path()), expected);
    assert_eq!(holding(desk.koab.path(), CANARY), Vec::<PathBuf>::new());
    let text = String::from_utf8_lossy(&desk.output(&["runs", "show", &id]).stdout).into_owned();
    assert!(text.contains("answers of judges"), "{text}");
    let log = desk.json(&["runs", "logs", &id, "0", "--judging"]);
    assert!(log["path"].as_str().expect("a path").ends_with("judging/cluster/0.log"));

    // Whoever scores it next finds all answers, and then they are in the workspace.
    desk.json(&judged);
    assert_eq!(asked(&server) - before, needed);
    assert!(!folder.join("judging").exists());
    assert_eq!(report(desk.koab.path()), expected);
    let nothing = desk.refused(&[&judged[..], &on].concat());
    assert!(nothing.contains("every question about the run is answered"), "{nothing}");
}

#[test]
fn judging_that_was_cancelled_asks_only_what_is_missing() {
    at_slurm!(judging_that_was_cancelled_asks_only_what_is_missing, slurm, desk, server, "150");
    let run = desk.json(&["run", "--model", "baseline/golden", "--levels", "L4,L5"])["run"].clone();
    let folder = PathBuf::from(run["folder"].as_str().expect("a folder"));
    let (expected, needed) = alone(&desk, &folder, &server, &JUDGES[..1]);
    let judged = ["evaluate", "last", "--judge-models", JUDGES[0], "--judge-base-url", &server.base_url];
    let on = ["--on", "slurm", "--concurrency", "4", "--at-once", "2"];
    let before = asked(&server);
    let remote = desk.json(&[&judged[..], &on, &["--shards", "6"]].concat());
    let id = remote["run"].as_str().expect("an id").to_owned();
    // At least eight of them are answered and written, because four are in flight at the most.
    until("some questions are answered", MINUTE, || asked(&server) - before >= 16);
    let cancelled = desk.json(&["runs", "cancel", &id]);
    assert_eq!(cancelled["work"], "judging");
    slurm.until_idle("the jobs end", &folder, MINUTE);
    let done = desk.shown(&id)["judging"]["done"].as_u64().expect("a count");
    assert!((8..needed).contains(&done), "{done} of {needed}");
    desk.json(&[&judged[..], &on].concat());
    let judging = ended(&desk, &id);
    assert_eq!(judging["done"], needed, "{judging}");
    let all = asked(&server) - before;
    // Two workers had at most two questions in flight each.
    assert!((needed..=needed + 4).contains(&all), "{all} instead of {needed}");
    assert_eq!(report(desk.koab.path()), expected);
}

#[test]
fn judges_of_all_workers_stay_within_the_cap_of_their_scoring() {
    at_slurm!(judges_of_all_workers_stay_within_the_cap_of_their_scoring, slurm, desk, server, "20");
    const CAP: u64 = 40_000;
    desk.json(&["run", "--model", "baseline/golden"]);
    let judged = |more: &[&'static str]| -> Vec<String> {
        let words = ["evaluate", "last", "--judge-base-url", &server.base_url, "--judge-models"];
        let words = words.iter().chain(&JUDGES).chain(more);
        words.map(|word| (*word).to_owned()).collect()
    };
    let json = |words: &[String]| desk.json(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let before = asked(&server);
    let remote =
        json(&judged(&["--on", "slurm", "--shards", "4", "--at-once", "4", "--max-total-tokens", "40000"]));
    let id = remote["run"].as_str().expect("an id").to_owned();
    assert_eq!(remote["max_total_tokens"], CAP);
    let judging = ended(&desk, &id);
    let (tokens, done) = (judging["tokens"].as_u64(), judging["done"].as_u64());
    let planned = judging["planned"].as_u64();
    println!("a cap of {CAP} tokens: {tokens:?} taken, {done:?} of {planned:?} answers");
    // Each of the two judges of each of the four workers spends from one budget.
    assert!(tokens > Some(0) && tokens <= Some(CAP), "{judging}");
    assert!(done > Some(0) && done < planned, "{judging}");
    assert_eq!(judging["states"]["failed"], 4, "a spent cap is no end by itself: {judging}");
    let first = asked(&server) - before;
    assert_eq!(Some(first), done, "nothing was asked beyond it");
    // What was taken counts against the next cap as well: one that is no higher asks for nothing more.
    json(&judged(&["--on", "slurm", "--max-total-tokens", "40000"]));
    let again = ended(&desk, &id);
    assert!(again["tokens"].as_u64() <= Some(CAP), "{again}");
    json(&judged(&["--on", "slurm", "--max-total-tokens", "100000000"]));
    let whole = ended(&desk, &id);
    assert_eq!((&whole["done"], &whole["failed"]), (&whole["planned"], &0.into()), "{whole}");
    assert_eq!(Some(asked(&server) - before), planned, "each question once");
}
