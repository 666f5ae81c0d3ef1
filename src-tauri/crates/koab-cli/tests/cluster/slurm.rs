//! The Slurm of the test run: real, of several nodes on this machine.

use crate::support::{Koab, ReplayServer, shared, skip};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// How long Slurm may take to miss a node or to have it back; with two gone at once on a busy computer it takes minutes.
const NODE: Duration = Duration::from_secs(240);

/// What workers must never leave anywhere.
pub(crate) const CANARY: &str = "canary-0c6e2f81b7";

/// A Slurm, and what of it a test looks at.
pub(crate) struct Slurm {
    folder: PathBuf,
    shared: PathBuf,
}

/// The beginning of a test: the test run's Slurm with a workspace at it, and where it is named a server of the published answers.
/// Where there is no Slurm the test ends with a line that says so.
macro_rules! at_slurm {
    ($test:ident, $slurm:ident, $desk:ident) => {
        let Some($slurm) = $crate::cluster::slurm::slurm(stringify!($test)) else {
            return;
        };
        let $desk = $crate::cluster::slurm::Desk::new(&$slurm);
    };
    ($test:ident, $slurm:ident, $desk:ident, $server:ident, $latency:literal) => {
        $crate::cluster::slurm::at_slurm!($test, $slurm, $desk);
        let $server = $crate::support::ReplayServer::start($slurm.shared(), &["--latency-ms", $latency]);
    };
}
pub(crate) use at_slurm;

/// The Slurm that the test run started; `None` with a line that says why there is none.
pub(crate) fn slurm(test: &str) -> Option<Slurm> {
    let shared = shared(test)?;
    let folder = std::env::var_os("KOAB_TEST_SLURM");
    if folder.is_none() {
        let why = std::env::var("KOAB_TEST_SLURM_WHY");
        let why = why.unwrap_or_else(|_| "KOAB_TEST_SLURM names the folder of one".to_owned());
        skip(test, &format!("Slurm ({why})"));
    }
    let folder = folder?.into();
    Some(Slurm { folder, shared })
}

impl Slurm {
    pub(crate) fn shared(&self) -> &Path {
        &self.shared
    }

    /// A command of Slurm's.
    pub(crate) fn ask(&self, program: &str, words: &[&str]) -> String {
        let mut command = Command::new(program);
        let said = self.with_it(command.args(words)).output().expect("it is there");
        String::from_utf8_lossy(&said.stdout).into_owned()
    }

    pub(crate) fn with_it<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("SLURM_CONF", self.folder.join("slurm.conf"))
            .env("AZURE_API_KEY", CANARY)
    }

    /// Ends a node as a power cut would; [`Slurm::start_node`] brings it back.
    pub(crate) fn kill_node(&self, node: u32) {
        let mut script = Command::new(self.shared.join("tools/slurm.sh"));
        script.arg("kill-node").arg(&self.folder).arg(node.to_string());
        assert!(self.with_it(&mut script).status().expect("it runs").success());
    }

    /// Ends the daemon of a node and leaves its jobs.
    pub(crate) fn kill_daemon(&self, node: u32) {
        let pid =
            std::fs::read_to_string(self.folder.join(format!("run/slurmd-n{node}.pid"))).expect("a pid");
        let killed = Command::new("kill").args(["-9", pid.trim()]).status();
        assert!(killed.expect("kill is there").success());
    }

    /// Waits until Slurm marks a node as down, which is when it begins the node's jobs elsewhere.
    pub(crate) fn until_down(&self, node: u32) -> Duration {
        self.until_state(node, "marked as down", |state| {
            // While it has jobs that Slurm has begun elsewhere, one that is down is shown as mixed, with the reason.
            state.starts_with("down") || state.contains("Not responding")
        })
    }

    /// Of a node, with the reason where there is one; empty where Slurm does not answer, which is then asked again.
    fn state(&self, node: u32) -> String {
        let node = format!("n{node}");
        let words = ["20", "sinfo", "-h", "-N", "-n", &node, "-o", "%T|%E"];
        self.ask("timeout", &words)
            .trim()
            .trim_end_matches("|none")
            .to_owned()
    }

    /// Starts the daemon of a node and waits for nothing.
    pub(crate) fn start_daemon(&self, node: u32) -> bool {
        let mut daemon = Command::new("slurmd");
        daemon
            .arg("-f")
            .arg(self.folder.join("slurm.conf"))
            .args(["-N", &format!("n{node}")]);
        let started = self.with_it(&mut daemon).status();
        started.expect("slurmd is there").success()
    }

    pub(crate) fn start_node(&self, node: u32) {
        assert!(self.start_daemon(node));
        self.until_state(node, "back", |state| {
            !state.is_empty() && !state.starts_with("down") && !state.contains(['*', '|'])
        });
    }

    fn until_state(&self, node: u32, what: &str, is_so: impl Fn(&str) -> bool) -> Duration {
        let begun = Instant::now();
        loop {
            let state = self.state(node);
            if is_so(&state) {
                return begun.elapsed();
            }
            assert!(
                begun.elapsed() < NODE,
                "n{node} is not {what} within {NODE:?}: `{state}`"
            );
            std::thread::sleep(Duration::from_millis(500));
        }
    }
}

/// Waits until something is so.
pub(crate) fn until(what: &str, limit: Duration, mut is_so: impl FnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < limit, "{what}: not within {limit:?}");
        std::thread::sleep(Duration::from_millis(500));
    }
    begun.elapsed()
}

/// A workspace with the published pack, and the command line as somebody at the cluster has it.
pub(crate) struct Desk<'a> {
    pub(crate) koab: Koab,
    pub(crate) slurm: &'a Slurm,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(slurm: &'a Slurm) -> Self {
        let koab = Koab::new();
        koab.use_published(slurm.shared());
        Self { koab, slurm }
    }

    pub(crate) fn output(&self, words: &[&str]) -> Output {
        let mut command = self.koab.command(words);
        self.slurm.with_it(&mut command).output().expect("koab starts")
    }

    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let said = self.output(&[words, &["--json", "--quiet"]].concat());
        let errors = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "koab {words:?}\n{errors}");
        serde_json::from_slice(&said.stdout).expect("one JSON document")
    }

    /// What it complains about in one line.
    pub(crate) fn refused(&self, words: &[&str]) -> String {
        let said = self.output(words);
        assert!(!said.status.success(), "koab {words:?} did not refuse");
        let errors = String::from_utf8_lossy(&said.stderr).trim().to_owned();
        assert_eq!(errors.lines().count(), 1, "one sentence: {errors}");
        errors
    }

    /// Makes a run here, without a cluster.
    pub(crate) fn calm(&self, server: &str, more: &[&str]) -> Value {
        let words = ["run", "--model", "azure/gpt-4o", "--base-url", server];
        self.json(&[&words, more].concat())["run"].clone()
    }

    /// Hands a run over; its id.
    pub(crate) fn submit(&self, server: &str, more: &[&str]) -> String {
        let words = [
            "run",
            "--model",
            "azure/gpt-4o",
            "--base-url",
            server,
            "--on",
            "slurm",
        ];
        let remote = self.json(&[&words, more].concat());
        remote["run"].as_str().expect("an id").to_owned()
    }

    pub(crate) fn shown(&self, run: &str) -> Value {
        self.json(&["runs", "show", run])
    }

    /// How it stands at the engine.
    pub(crate) fn remote(&self, run: &str) -> Value {
        self.shown(run)["remote"].clone()
    }

    /// Waits until workers and merge have ended, and answers how it then stands.
    pub(crate) fn ended(&self, run: &str, limit: Duration) -> Value {
        until("the run ends", limit, || {
            let remote = self.remote(run);
            assert!(remote["silent"].is_null(), "{}", remote["silent"]);
            remote["active"] == false && remote["merging"] == false
        });
        self.shown(run)
    }

    pub(crate) fn folder(&self, run: &str) -> PathBuf {
        PathBuf::from(
            self.json(&["runs", "show", run])["folder"]
                .as_str()
                .expect("a folder"),
        )
    }
}

/// Answers that a server has given.
pub(crate) fn answered(server: &ReplayServer) -> u64 {
    server.stats()["answered"].as_u64().expect("a counter")
}

/// Files below a folder that hold a text.
pub(crate) fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if let Ok(content) = std::fs::read(&path)
            && content.windows(text.len()).any(|part| part == text.as_bytes())
        {
            found.push(path);
        }
    }
    found
}
