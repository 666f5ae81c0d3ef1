//! Scenarios on a real Slurm, handed over by an ordinary user, each worker with a rootless Podman of its own.

use crate::cluster::slurm::{CANARY, Slurm, answered, holding, slurm};
use crate::support::wait::until;
use crate::support::{ReplayServer, skip};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);
/// An ordinary user that every machine has.
const USER: &str = "nobody";
const IMAGE: &str = "localhost/koab-tiny";
/// What scenarios find as Python.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Python {
    /// A shell: most scenarios of these tests are shell.
    Shell,
    /// This machine's own, with its library.
    Real,
}

/// Copies this machine's Python with all that it needs.
const REAL: &str = r#"set -e
python=/usr/bin/python3
[ -x "$python" ] || python=$(command -v python3)
python=$("$python" -c 'import os, sys; print(os.path.realpath(sys.executable))')
library=$("$python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
mkdir -p "$1$(dirname "$python")" "$1$library" "$1/usr/bin"
cp "$python" "$1$python"
for name in python python3; do ln -sf "$python" "$1/usr/bin/$name"; done
(cd "$library" && tar -c --exclude=test --exclude=__pycache__ --exclude='config-*' --exclude='*-packages' .) | tar -x -C "$1$library"
for object in "$python" "$library"/lib-dynload/*.so; do
    ldd "$object" | grep -o '/[^ ]*' | while read -r needed; do
        mkdir -p "$1$(dirname "$needed")"
        [ -e "$1$needed" ] || cp -L "$needed" "$1$needed"
    done
done"#;
/// It stands for Python.
const SHELL: &str = "#!/bin/sh\n[ \"$1\" = -V ] && { echo Python 3; exit; }\nexec sh \"$@\"\n";

/// An ordinary user at a cluster, with a benchmark and an image in a folder of its own.
struct User<'a> {
    slurm: &'a Slurm,
    folder: tempfile::TempDir,
    /// Files that have a line for the user that was not there before.
    lines: Vec<&'static str>,
}

fn done(command: &mut Command) -> Output {
    let said = command.output().expect("it starts");
    let errors = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{command:?}: {errors}");
    said
}

/// `None` with a line that says what is missing.
fn user<'a>(test: &str, slurm: &'a Slurm) -> Option<User<'a>> {
    for program in ["podman", "newuidmap", "setpriv", "busybox"] {
        if !Command::new("sh")
            .args(["-c", &format!("command -v {program}")])
            .output()
            .is_ok_and(|said| said.status.success())
        {
            skip(test, program);
            return None;
        }
    }
    let folder = tempfile::Builder::new().prefix("user-").tempdir_in("/tmp").expect("a folder");
    let user = User {
        slurm,
        // What an administrator does for everybody who is to run containers.
        lines: ["/etc/subuid", "/etc/subgid"]
            .into_iter()
            .filter(|file| {
                let text = fs::read_to_string(file).unwrap_or_default();
                let is_missing = !text.lines().any(|line| line.starts_with(&format!("{USER}:")));
                if is_missing {
                    fs::write(file, format!("{text}{USER}:300000:65536\n")).expect("written");
                }
                is_missing
            })
            .collect(),
        folder,
    };
    // Folders of builds are often their owner's alone.
    fs::copy(env!("CARGO_BIN_EXE_koab"), user.path().join("koab")).expect("copied");
    Some(user)
}

impl Drop for User<'_> {
    fn drop(&mut self) {
        for file in &self.lines {
            let text = fs::read_to_string(file).unwrap_or_default();
            let _ = fs::write(file, text.replace(&format!("{USER}:300000:65536\n"), ""));
        }
    }
}

impl User<'_> {
    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// An archive with an image of a static busybox; no registry is asked.
    fn image(&self, python: Python) {
        let own = tempfile::tempdir().expect("a folder");
        let root = own.path().join("root");
        for folder in ["bin", "usr/bin", "tmp", "workspace"] {
            fs::create_dir_all(root.join(folder)).expect("made");
        }
        let busybox = String::from_utf8(done(Command::new("sh").args(["-c", "command -v busybox"])).stdout);
        fs::copy(busybox.expect("UTF-8").trim(), root.join("bin/busybox")).expect("copied");
        let applets = done(Command::new("busybox").arg("--list")).stdout;
        for applet in String::from_utf8(applets).expect("UTF-8").lines() {
            let _ = symlink("busybox", root.join("bin").join(applet));
        }
        match python {
            Python::Shell => fs::write(root.join("usr/bin/python"), SHELL).expect("written"),
            Python::Real => {
                done(Command::new("sh").args(["-c", REAL, "sh"]).arg(&root));
            }
        }
        let modes = [("tmp", 0o1777), ("workspace", 0o1777), ("usr/bin/python", 0o755)];
        // What a link leads to is as executable as it was.
        let of_file = modes.len() - usize::from(python == Python::Real);
        for (folder, mode) in &modes[..of_file] {
            fs::set_permissions(root.join(folder), fs::Permissions::from_mode(*mode)).expect("set");
        }
        let archive = self.path().join("image.tar");
        let script = format!(
            "set -e; engine() {{ podman --root {0}/data --runroot {0}/run \"$@\"; }}\ntar -C {0}/root -c . | engine import - {IMAGE} >/dev/null\nengine save -q -o {1} {IMAGE}\nchmod 644 {1}",
            own.path().display(),
            archive.display()
        );
        done(Command::new("sh").args(["-c", &script]));
    }

    /// A benchmark of scenarios, each with the seconds that it takes.
    fn benchmark(&self, seconds: &[f64]) {
        let lines: Vec<(u32, String)> = seconds
            .iter()
            .zip(1..)
            .map(|(seconds, number)| {
                (number, format!("sleep {seconds}; id -u; echo 'ALL TESTS PASSED !#!#'"))
            })
            .collect();
        self.scenarios(&lines);
    }

    /// A benchmark of scenarios by their numbers and programs.
    fn scenarios(&self, programs: &[(u32, String)]) {
        let folder = self.path().join("bench");
        fs::create_dir_all(folder.join("Templates/T")).expect("made");
        fs::create_dir_all(folder.join("Tasks")).expect("made");
        fs::write(folder.join("Templates/T/scenario.py"), "__CODE__\n").expect("written");
        let lines: Vec<String> = programs
            .iter()
            .map(|(number, code)| {
                let code = Value::from(code.as_str());
                format!(r#"{{"id": "s{number}", "template": "../Templates/T", "substitutions": {{"scenario.py": {{"__CODE__": {code}}}}}}}"#)
            })
            .collect();
        fs::write(folder.join("Tasks/mini.jsonl"), lines.join("\n")).expect("written");
        done(Command::new("chown").args(["-R", USER]).arg(self.path()));
    }

    fn output(&self, words: &[&str]) -> Output {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid", USER, "--regid", "nogroup", "--clear-groups"])
            .arg(self.path().join("koab"))
            .args(words)
            .current_dir(self.path())
            .env("HOME", self.path())
            .env("KOAB_HOME", self.path().join("home"));
        self.slurm.with_it(&mut command).output().expect("koab starts")
    }

    fn json(&self, words: &[&str]) -> Value {
        let said = self.output(&[words, &["--json", "--quiet"]].concat());
        let errors = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "koab {words:?}\n{errors}");
        serde_json::from_slice(&said.stdout).expect("one JSON document")
    }

    fn refused(&self, words: &[&str]) -> String {
        let said = self.output(words);
        assert!(!said.status.success(), "koab {words:?} did not refuse");
        let errors = String::from_utf8_lossy(&said.stderr).trim().to_owned();
        assert_eq!(errors.lines().count(), 1, "one sentence: {errors}");
        errors
    }

    fn trial(&self, trial: &str) -> PathBuf {
        self.path().join("home/results/mini").join(trial)
    }

    /// Nothing of the user's workers is on the machine any more: processes, containers, folders.
    fn leaves_nothing(&self) {
        let left = || {
            // A machine whose first process reaps late has their shells still.
            let script = format!(
                "ps -o stat=,args= -u {USER} | grep -v '^Z'; find /tmp -maxdepth 1 -user {USER} -name 'koab-*'"
            );
            let said = Command::new("sh").args(["-c", &script]).output().expect("sh is there");
            String::from_utf8_lossy(&said.stdout).trim().to_owned()
        };
        until("nothing of the user is left", MINUTE, || {
            let rest = left();
            if rest.is_empty() { Ok(()) } else { Err(rest) }
        });
    }
}

/// Asks the model that is offered, by what every scenario has: an address and a token.
const ASKS: &str = r#"import json, os, urllib.request
base, token = os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"]
body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hello"}]}
request = urllib.request.Request(base + "/chat/completions", json.dumps(body).encode(), {"authorization": "Bearer " + token, "content-type": "application/json"})
print(json.load(urllib.request.urlopen(request, timeout=50))["choices"][0]["message"]["role"])
print("ALL TESTS PASSED !#!#")"#;

/// `scenario run` of the benchmark on Slurm.
const RUN: [&str; 12] = [
    "scenario",
    "run",
    "bench/Tasks/mini.jsonl",
    "--on",
    "slurm",
    "--docker-image",
    IMAGE,
    "--image-archive",
    "image.tar",
    "--network",
    "none",
    "--timeout=60",
];

/// Waits until no worker is left.
fn ended(user: &User<'_>) -> Value {
    user.slurm.until_idle("the scenarios end", user.path(), MINUTE * 2);
    let status = user.json(&["scenario", "status"]);
    assert!(status["silent"].is_null(), "{status}");
    assert_eq!(status["active"], false, "{status}");
    status
}

#[test]
fn trials_over_four_nodes_run_as_an_ordinary_user() {
    let test = "trials_over_four_nodes_run_as_an_ordinary_user";
    let Some(slurm) = slurm(test) else { return };
    let Some(user) = user(test, &slurm) else { return };
    user.image(Python::Shell);
    user.benchmark(&[0.2; 12]);
    let more = ["--repeat", "2", "--shards", "8", "--at-once", "8"];
    let words = [&RUN[..], &more].concat();
    let plan = user.json(&[&words[..], &["--dry-run"]].concat());
    assert_eq!((&plan["trials"], &plan["shards"]), (&24.into(), &8.into()));
    assert!(!user.path().join("home/results").exists(), "nothing was made");
    let remote = user.json(&words);
    assert_eq!(remote["trials"], 24);
    let busy = user.refused(&words);
    assert!(busy.contains("workers are running scenarios"), "{busy}");
    let status = ended(&user);
    assert_eq!(status["finished"], 24, "{status}");
    let shards = status["shards"].as_array().expect("shards");
    let nodes: BTreeSet<&str> = shards.iter().filter_map(|shard| shard["node"].as_str()).collect();
    assert_eq!(nodes.len(), 4, "{nodes:?}");
    for number in 1..=12 {
        for repetition in 0..2 {
            let trial = user.trial(&format!("s{number}/{repetition}"));
            let outcome = fs::read_to_string(trial.join("outcome.json")).expect("an outcome");
            assert!(outcome.contains("\"completed\""), "{outcome}");
            let log = fs::read_to_string(trial.join("console_log.txt")).expect("a log");
            assert!(log.contains("ALL TESTS PASSED !#!#"), "{log}");
            assert!(!log.lines().any(|line| line == "0"), "as nobody's root: {log}");
        }
    }
    user.leaves_nothing();
    let folder = status["folder"].as_str().expect("a folder");
    let log = fs::read_to_string(Path::new(folder).join("cluster/merge.log")).expect("the table follows");
    assert!(log.contains("24 of 24 trials passed"), "{log}");
    let table = String::from_utf8_lossy(&user.output(&words).stdout).into_owned();
    assert!(table.contains("24 of 24 trials passed"), "nothing is handed over: {table}");
}

#[test]
fn cancelled_scenarios_leave_no_container_and_only_the_rest_runs_again() {
    let test = "cancelled_scenarios_leave_no_container_and_only_the_rest_runs_again";
    let Some(slurm) = slurm(test) else { return };
    let Some(user) = user(test, &slurm) else { return };
    user.image(Python::Shell);
    user.benchmark(&[0.1, 0.1, 0.1, 15.0, 15.0]);
    let words = [&RUN[..], &["--at-once", "2"]].concat();
    user.json(&words);
    until("some are finished and others run", MINUTE, || {
        let sleeps = Command::new("pgrep")
            .args(["-u", USER, "-f", "sleep 15"])
            .output()
            .is_ok_and(|output| output.status.success());
        sleeps && user.json(&["scenario", "status"])["finished"].as_u64() >= Some(2)
    });
    let cancelled = user.json(&["scenario", "cancel"]);
    assert_eq!(cancelled["trials"], 5);
    user.leaves_nothing();
    // Slurm takes some seconds until it has seen the end of a job.
    let status = ended(&user);
    let finished = status["finished"].as_u64().expect("a count");
    assert!((2..=3).contains(&finished), "{status}");
    assert!(!user.trial("s5/0").exists(), "what was broken off is not among the results");
    let began = fs::metadata(user.trial("s1/0")).and_then(|meta| meta.modified()).expect("a time");
    let remote = user.json(&words);
    assert_eq!(remote["trials"].as_u64(), Some(5 - finished), "only what is missing");
    let status = ended(&user);
    assert_eq!(status["finished"].as_u64(), Some(5 - finished), "{status}");
    assert!(user.trial("s5/0/outcome.json").is_file());
    let still = fs::metadata(user.trial("s1/0")).and_then(|meta| meta.modified()).expect("a time");
    assert_eq!(began, still, "a finished trial stays");
    user.leaves_nothing();
}

#[test]
fn scenarios_that_cannot_be_handed_over_are_refused_in_one_sentence() {
    let test = "scenarios_that_cannot_be_handed_over_are_refused_in_one_sentence";
    let Some(slurm) = slurm(test) else { return };
    let Some(user) = user(test, &slurm) else { return };
    user.image(Python::Shell);
    user.benchmark(&[0.1]);
    let bare = ["scenario", "run", "bench/Tasks/mini.jsonl", "--on", "slurm"];
    let image = ["--docker-image", IMAGE];
    for (words, expected) in [
        (bare.to_vec(), "workers need an image"),
        (
            [&["scenario", "run", "-", "--on", "slurm"], &image[..]].concat(),
            "name one on a disk that every node sees",
        ),
        (
            [&bare[..], &image, &["--image-archive", "nowhere.tar"]].concat(),
            "there is no image archive nowhere.tar",
        ),
        ([&bare[..], &image, &["--engine-args", "-p nowhere"]].concat(), "invalid partition"),
        (
            [&["scenario", "run", "bench/Tasks/mini.jsonl", "--on", "kubernetes"], &image[..]].concat(),
            "which cannot run inside pods",
        ),
        (vec!["scenario", "status"], "no scenarios were handed to a cluster"),
        (vec!["scenario", "cancel"], "no scenarios were handed to a cluster"),
    ] {
        let said = user.refused(&words);
        assert!(said.contains(expected), "{words:?}: {said}");
    }
    let left = fs::read_dir(user.path().join("home/results/.cluster")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing is left");
}

#[test]
fn workers_offer_scenarios_a_model_and_keep_its_key_and_its_cap() {
    let test = "workers_offer_scenarios_a_model_and_keep_its_key_and_its_cap";
    let Some(slurm) = slurm(test) else { return };
    let Some(user) = user(test, &slurm) else { return };
    user.image(Python::Real);
    let programs: Vec<(u32, String)> = (1..=6).map(|number| (number, ASKS.to_owned())).collect();
    user.scenarios(&programs);
    let server = ReplayServer::start(slurm.shared(), &[]);
    let model = [
        "--model",
        "azure/gpt-4o",
        "--base-url",
        &server.base_url,
        "--max-total-tokens",
        "600000",
        "--shards",
        "3",
        "--at-once",
        "3",
    ];
    let words = [&RUN[..], &model].concat();
    let remote = user.json(&words);
    assert_eq!(remote["trials"], 6);
    let job = remote["jobs"][0].as_str().expect("a job").to_owned();
    let told = slurm.ask("scontrol", &["show", "job", &job]);
    assert!(!told.contains(CANARY), "{told}");
    let status = ended(&user);
    assert_eq!(status["finished"], 6, "{status}");
    for number in 1..=6 {
        let trial = user.trial(&format!("s{number}/0"));
        let log = fs::read_to_string(trial.join("console_log.txt")).expect("a log");
        assert!(log.contains("assistant\nALL TESTS PASSED !#!#"), "{log}");
        let calls = fs::read_to_string(trial.join("model_calls.jsonl")).expect("a record");
        assert_eq!(calls.lines().count(), 1, "{calls}");
        assert!(!calls.contains(CANARY) && !log.contains(CANARY));
        let outcome = fs::read_to_string(trial.join("outcome.json")).expect("an outcome");
        let outcome: Value = serde_json::from_str(&outcome).expect("JSON");
        assert_eq!(outcome["model_calls"]["count"], 1, "{outcome}");
    }
    let told = holding(&user.path().join("home"), CANARY);
    assert_eq!(told, Vec::<PathBuf>::new(), "the key is in no file");
    user.leaves_nothing();

    // A share of a cap that bears no call lets none out: a sentence of the gateway, and an outcome of the trial.
    let tight =
        [&RUN[..], &model[..4], &["--max-total-tokens", "300", "--results", "tight", "--shards", "3"]]
            .concat();
    let before = answered(&server);
    user.json(&tight);
    slurm.until_idle("the scenarios end", user.path(), MINUTE * 2);
    assert_eq!(user.json(&["scenario", "status", "tight"])["active"], false);
    assert_eq!(answered(&server), before, "nothing was asked");
    let log = user.path().join("tight/mini/s1/0/console_log.txt");
    let log = fs::read_to_string(log).expect("a log");
    assert!(log.contains("HTTP Error 402"), "{log}");
}
