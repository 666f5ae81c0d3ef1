//! What goes wrong with workers: one sentence each, and nothing is lost.

use crate::cluster::slurm::at_slurm;
use crate::support::logs::{folder, same_logs};
use crate::support::{Koab, Ran, ran};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn one_sentence(ran: &Ran, expected: &str) {
    assert!(ran.code != 0 && ran.stderr.contains(expected), "{}", ran.stderr);
    assert_eq!(ran.stderr.trim().lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn a_worker_says_what_it_does_not_see() {
    at_slurm!(a_worker_says_what_it_does_not_see, slurm, desk);
    let plan = desk.json(&["run", "--model", "baseline/golden", "--on", "slurm", "--dry-run"]);
    let script = plan["files"][0]["text"].as_str().expect("a script");
    let worker = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        for (name, value) in [("SLURM_ARRAY_TASK_ID", "0"), ("SLURM_JOB_ID", "7"), ("SLURMD_NODENAME", "n9")]
        {
            command.env(name, value);
        }
        ran(slurm.with_it(&mut command).output().expect("sh is there"))
    };
    // The run was not made: as on a node that does not have the disk.
    one_sentence(&worker(script), "n9 does not see the folder of the run");

    desk.json(&["run", "--model", "baseline/golden", "--tasks", "L1-001"]);
    let run = desk.json(&["runs", "list"])[0]["folder"].as_str().expect("a folder").to_owned();
    let there = script
        .lines()
        .map(|line| match line {
            _ if line.starts_with("run=") => format!("run='{run}'"),
            _ if line.starts_with("koab=") => "koab=/nowhere/koab".to_owned(),
            _ if line.starts_with("if ! [ -f ") => format!("if ! [ -f '{run}/run.json' ]; then"),
            _ => line.to_owned(),
        })
        .collect::<Vec<_>>()
        .join("\n");
    fs::create_dir_all(Path::new(&run).join("cluster")).expect("made");
    one_sentence(&worker(&there), "n9 does not have the program /nowhere/koab");
}

#[test]
fn a_worker_with_another_pack_makes_nothing() {
    at_slurm!(a_worker_with_another_pack_makes_nothing, slurm, desk, server, "1");
    let run = desk.json(&["run", "--model", "baseline/golden", "--levels", "L6"])["run"].clone();
    let made = run["folder"].as_str().expect("a folder").to_owned();
    // The starter pack has other tasks.
    let other = Koab::new();
    let shard = ["run", "--resume", &made, "--shard", "0/2"];
    one_sentence(&other.run(&shard), "there is no pack `ko-agentbench`");
    assert!(!Path::new(&made).join("shards").exists());
    let judged = ["evaluate", &made, "--judge-models", "azure/one", "--judge-base-url", &server.base_url];
    desk.json(&[&judged[..], &["--on", "slurm", "--dry-run"]].concat());
    let part = [&judged[..], &["--shard", "0/2"]].concat();
    let mut own = desk.koab.command(&part);
    assert!(slurm.with_it(&mut own).status().expect("koab starts").success());
    // The same pack with other prompts has other questions.
    let changed = other.path().join("ko-agentbench");
    let copied = Command::new("sh")
        .args(["-c", "mkdir -p \"$2\" && cd \"$1\" && cp -r tasks tool_catalog.json judge_prompts.yaml \"$2\" && echo '# other' >>\"$2/judge_prompts.yaml\"", "sh"])
        .args([slurm.shared().join("ko-agentbench"), changed.clone()])
        .status();
    assert!(copied.expect("sh is there").success());
    other.ok(&["pack", "import", changed.to_str().expect("UTF-8"), "--use"]);
    let mut others = other.command(&["evaluate", &made, "--shard", "1/2"]);
    let said = ran(slurm.with_it(&mut others).output().expect("koab starts"));
    one_sentence(&said, "this machine has another pack");
}

/// A small disk of its own in the place of a folder; gone when it is dropped.
struct Full(PathBuf);

impl Full {
    fn at(folder: PathBuf) -> Option<Self> {
        fs::create_dir_all(&folder).expect("made");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=16k", "koab-test"]).arg(&folder);
        mount.status().is_ok_and(|status| status.success()).then(|| Self(folder))
    }
}

impl Drop for Full {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_shared_disk_stops_a_worker_and_loses_nothing() {
    at_slurm!(a_full_shared_disk_stops_a_worker_and_loses_nothing, slurm, desk);
    let _ = &slurm;
    let words = ["run", "--model", "baseline/golden", "--levels", "L1,L6"];
    let calm = desk.json(&words)["run"].clone();
    let begun =
        desk.json(&[&words[..], &["--on", "slurm", "--shards", "2", "--engine-args", "--hold"]].concat());
    let run = begun["run"].as_str().expect("an id").to_owned();
    desk.json(&["runs", "cancel", &run]);
    let made = desk.folder(&run);
    let made = made.to_str().expect("UTF-8");
    let part = |shard: &'static str| desk.koab.run(&["run", "--resume", made, "--shard", shard, "--quiet"]);
    {
        let Some(_full) = Full::at(Path::new(made).join("shards")) else {
            crate::support::skip(
                "a_full_shared_disk_stops_a_worker_and_loses_nothing",
                "a disk may be mounted",
            );
            return;
        };
        one_sentence(&part("0/2"), "the disk is full");
    }
    for shard in ["0/2", "1/2"] {
        let ran = part(shard);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    // A file that is cut is made whole by the next start; one of another run is refused.
    let first = Path::new(made).join("shards/0.1.jsonl");
    let whole = fs::read_to_string(&first).expect("read");
    fs::write(&first, &whole.as_bytes()[..whole.len() / 2]).expect("written");
    assert_eq!(part("0/2").code, 0);
    let strange = Path::new(made).join("shards/1.9.jsonl");
    fs::write(&strange, whole.replacen("\"plan\":\"", "\"plan\":\"0", 1)).expect("written");
    one_sentence(&desk.koab.run(&["runs", "merge", made]), "move the file away");
    fs::remove_file(strange).expect("removed");
    let merged = desk.json(&["runs", "merge", made]);
    assert_eq!(merged["missing"], 0, "{merged}");
    same_logs(&folder(&calm), Path::new(made));
}
