//! Runs on Kubernetes, as far as that goes without a cluster: what `kubectl` is given, that it is valid, and that its commands make
//! the run. A program that answers as `kubectl` does stands in its place.

use crate::cluster::slurm::CANARY;
use crate::support::logs::{folder, same_logs};
use crate::support::{Koab, ReplayServer, ran, shared, skip};
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

/// Answers, and keeps what it is asked and given.
const KUBECTL: &str = r#"#!/bin/sh
here=$(dirname "$0")
echo "$*" >>"$here/calls"
case "$*" in
  *"version -o json"*) echo "{\"serverVersion\":{\"major\":\"1\",\"minor\":\"$(cat "$here/minor")\"}}" ;;
  *"get secret missing"*) echo 'Error from server (NotFound): secrets "missing" not found' >&2; exit 1 ;;
  *"get pods"*) if [ -f "$here/silent" ]; then echo 'connection refused' >&2; exit 1; fi; cat "$here/pods" ;;
  *apply*) cat >"$here/applied" ;;
esac
"#;

struct Cluster {
    koab: Koab,
    tools: tempfile::TempDir,
}

impl Cluster {
    /// One of version 1 and this minor.
    fn new(minor: &str) -> Self {
        let tools = tempfile::tempdir().expect("a folder");
        let kubectl = tools.path().join("kubectl");
        fs::write(&kubectl, KUBECTL).expect("written");
        fs::set_permissions(&kubectl, fs::Permissions::from_mode(0o755)).expect("made a program");
        symlink(env!("CARGO_BIN_EXE_koab"), tools.path().join("koab")).expect("linked");
        for (name, text) in [("minor", minor), ("pods", "{\"items\":[]}"), ("calls", "")] {
            fs::write(tools.path().join(name), text).expect("written");
        }
        Self { koab: Koab::new(), tools }
    }

    fn with_it<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.tools.path().display())).env("AZURE_API_KEY", CANARY)
    }

    fn run(&self, words: &[&str]) -> crate::support::Ran {
        let mut command = self.koab.command(words);
        ran(self.with_it(&mut command).output().expect("koab starts"))
    }

    fn json(&self, words: &[&str]) -> Value {
        let ran = self.run(&[words, &["--json", "--quiet"]].concat());
        assert_eq!(ran.code, 0, "koab {words:?}\n{}", ran.stderr);
        serde_json::from_str(&ran.stdout).expect("one JSON document")
    }

    fn kept(&self, name: &str) -> String {
        fs::read_to_string(self.tools.path().join(name)).unwrap_or_default()
    }

    /// What was applied, a document each.
    fn jobs(&self) -> Vec<Value> {
        let text = self.kept("applied");
        let jobs = serde_norway::Deserializer::from_str(&text);
        jobs.map(|job| Value::deserialize(job).expect("YAML")).collect()
    }

    /// Runs the command of a job as a pod would.
    fn pod(&self, job: &Value, name: &str, index: usize) -> i32 {
        let words =
            job["spec"]["template"]["spec"]["containers"][0]["command"].as_array().expect("a command");
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .env("JOB_COMPLETION_INDEX", index.to_string())
            .env("KOAB_POD", name)
            .env("KOAB_NODE", "node-a");
        let ended = self.with_it(&mut command).output().expect("sh is there");
        ended.status.code().unwrap_or(-1)
    }
}

const ON: [&str; 4] =
    ["--on", "kubernetes", "--engine-args", "--image=koab:1 --claim=runs --secret=koab-keys"];

#[test]
fn the_jobs_for_kubernetes_are_those_of_the_golden_file_and_valid() {
    let cluster = Cluster::new("30+");
    let words = ["run", "--model", "azure/gpt-4o", "--base-url", "http://vllm.lab:8000/v1", "--shards", "3"];
    let remote = cluster.json(&[&words, &ON[..], &["--at-once", "2"]].concat());
    let run = remote["run"].as_str().expect("an id");
    let made = cluster.json(&["runs", "show", run])["folder"].as_str().expect("a folder").to_owned();
    let logs = Path::new(&made).ancestors().nth(2).expect("the logs").display().to_string();
    let job = remote["jobs"][0].as_str().expect("a job");
    let applied = cluster.kept("applied");
    let told = applied.replace(&made, "/logs/RUN").replace(&logs, "/logs").replace(job, "koab-NAME");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/kubernetes.yaml");
    if std::env::var_os("KOAB_GOLDEN").is_some() {
        fs::write(&golden, &told).expect("written");
    }
    assert_eq!(told, fs::read_to_string(&golden).expect("the golden file"), "KOAB_GOLDEN=1 writes it anew");
    for text in [&applied, &cluster.kept("calls")] {
        assert!(!text.contains(CANARY), "{text}");
    }
    assert_eq!(crate::cluster::slurm::holding(cluster.koab.path(), CANARY), Vec::<std::path::PathBuf>::new());
    valid("the_jobs_for_kubernetes_are_those_of_the_golden_file_and_valid", &applied, "1.28");

    let pods = json!({ "items": [
        { "metadata": { "annotations": { "batch.kubernetes.io/job-completion-index": "1" } },
          "spec": { "nodeName": "gpu-3" },
          "status": { "phase": "Pending", "containerStatuses": [{ "state": { "waiting": { "reason": "ErrImagePull" } } }] } },
    ] });
    fs::write(cluster.tools.path().join("pods"), pods.to_string()).expect("written");
    let shard = cluster.json(&["runs", "show", run])["remote"]["shards"][1].clone();
    assert_eq!((&shard["state"], &shard["reason"]), (&"waiting".into(), &"ErrImagePull".into()));
    fs::write(cluster.tools.path().join("silent"), "").expect("written");
    let silent = cluster.json(&["runs", "show", run])["remote"].clone();
    assert_eq!(
        (&silent["states"]["unknown"], &silent["states"]["waiting"], &silent["active"]),
        (&3.into(), &0.into(), &false.into()),
        "nothing follows from silence: {silent}"
    );
    let text = cluster.run(&["runs", "list"]).stdout;
    assert!(text.contains("it does not answer"), "{text}");
    fs::remove_file(cluster.tools.path().join("silent")).expect("removed");
    let cancelled = cluster.json(&["runs", "cancel", run]);
    assert_eq!(cancelled["states"]["cancelled"], 3, "{cancelled}");
    assert!(cluster.kept("calls").contains(&format!("delete jobs -l koab/run={job}")));
}

#[test]
fn the_commands_of_the_jobs_make_the_run_and_merge_it() {
    // Of a version that has limits by index, and one that has not.
    for (minor, jobs) in [("29", 2), ("27", 4)] {
        let cluster = Cluster::new(minor);
        let calm = cluster.json(&["run", "--model", "baseline/golden"])["run"].clone();
        let words = ["run", "--model", "baseline/golden", "--shards", "3"];
        let remote = cluster.json(&[&words, &ON[..]].concat());
        let run = remote["run"].as_str().expect("an id");
        let applied = cluster.jobs();
        assert_eq!(applied.len(), jobs, "1.{minor}");
        if minor == "27" {
            valid("the_commands_of_the_jobs_make_the_run_and_merge_it", &cluster.kept("applied"), "1.27");
        }
        let (merge, workers) = applied.split_last().expect("jobs");
        for (number, job) in workers.iter().enumerate() {
            let completions = job["spec"]["completions"].as_u64().unwrap_or(1) as usize;
            for index in 0..completions {
                assert_eq!(cluster.pod(job, &format!("pod-{number}-{index}"), index), 0);
            }
        }
        let before = cluster.json(&["runs", "show", run])["remote"].clone();
        assert_eq!((&before["states"]["done"], &before["done"]), (&3.into(), &28.into()), "{before}");
        assert_eq!(before["shards"][2]["node"], "node-a");
        let listed = cluster.json(&["runs", "list"]);
        let listed = listed.as_array().and_then(|runs| runs.iter().find(|one| one["id"] == run));
        assert_eq!(listed.expect("in the list")["status"]["done"], 28, "the list counts what is not merged");
        assert_eq!(cluster.pod(merge, "pod-merge", 0), 0);
        let shown = cluster.json(&["runs", "show", run]);
        assert_eq!(shown["complete"], true, "{shown}");
        same_logs(&folder(&calm), Path::new(shown["folder"].as_str().expect("a folder")));
    }
}

#[test]
fn pods_ask_the_judges_of_a_run_and_a_merge_scores_it() {
    let test = "pods_ask_the_judges_of_a_run_and_a_merge_scores_it";
    let Some(shared) = shared(test) else { return };
    let cluster = Cluster::new("29");
    let server = ReplayServer::start(&shared, &["--latency-ms", "1"]);
    cluster.json(&["run", "--model", "baseline/golden", "--levels", "L6"]);
    let judged = ["evaluate", "last", "--judge-models", "azure/one", "--judge-base-url", &server.base_url];
    let remote = cluster.json(&[&judged[..], &ON, &["--shards", "2"]].concat());
    let run = remote["run"].as_str().expect("an id").to_owned();
    valid(test, &cluster.kept("applied"), "1.28");
    let jobs = cluster.jobs();
    for index in 0..2 {
        assert_eq!(cluster.pod(&jobs[0], &format!("pod-{index}"), index), 0);
    }
    let judging = cluster.json(&["runs", "show", &run])["judging"].clone();
    assert_eq!(judging["states"]["done"], 2, "{judging}");
    assert_eq!(judging["done"], judging["planned"], "{judging}");
    let asked = server.stats()["judge"].as_u64();
    assert_eq!(asked, judging["planned"].as_u64());
    assert_eq!(cluster.pod(&jobs[1], "pod-merge", 0), 0);
    let reports = cluster.json(&["report", "list"]);
    assert_eq!(reports.as_array().expect("reports").len(), 1, "{reports}");
    assert_eq!(server.stats()["judge"].as_u64(), asked, "a merge asks nobody");
}

#[test]
fn what_kubernetes_lacks_is_said_in_one_sentence() {
    let cluster = Cluster::new("30");
    let azure =
        ["run", "--model", "azure/gpt-4o", "--base-url", "http://vllm.lab:8000/v1", "--on", "kubernetes"];
    for (args, expected) in [
        ("--claim=runs", "need an image with koab"),
        ("--image=k", "the claim is ReadWriteMany"),
        ("--image=k --claim=runs", "make a Secret of the cluster"),
        ("--image=k --claim=runs --secret=missing", "has no Secret `missing` with AZURE_API_KEY"),
        ("--image=k --claim=runs --mount=/elsewhere --secret=s", "is not below /elsewhere"),
        ("--queue=x", "not --queue"),
        ("--image", "has no value"),
    ] {
        let ran = cluster.run(&[&azure[..], &["--engine-args", args]].concat());
        assert!(ran.code != 0 && ran.stderr.contains(expected), "{args}: {}", ran.stderr);
        assert_eq!(ran.stderr.trim().lines().count(), 1, "{}", ran.stderr);
    }
    assert!(cluster.json(&["runs", "list"]).as_array().expect("runs").is_empty(), "nothing is left");
}

/// Holds manifests against the schema of a version of the API.
fn valid(test: &str, manifests: &str, version: &str) {
    let Some(program) = std::env::var_os("KOAB_TEST_KUBERNETES_VALIDATE") else {
        skip(test, "kubernetes-validate, which KOAB_TEST_KUBERNETES_VALIDATE names");
        return;
    };
    let file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("a file");
    fs::write(file.path(), manifests).expect("written");
    let mut command = Command::new(program);
    let said = command.args(["--strict", "-k", version]).arg(file.path()).output().expect("it starts");
    let text = String::from_utf8_lossy(&said.stdout).into_owned() + &String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{text}");
}
