//! The Slurm of the test run: real, of several nodes on this machine.

use crate::support::wait::until;
use crate::support::{Koab, ReplayServer, copy, shared, skip};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// Limit for a node that Slurm was told about: its state changes at once, but its daemon has to start.
const NODE_LIMIT: Duration = Duration::from_secs(60);
/// Limit for Slurm's own detector. It needs half a minute, and minutes for two nodes on a busy computer.
const DETECTOR_LIMIT: Duration = Duration::from_secs(240);

/// Way in which Slurm learns that a node is down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detection {
    /// By `scontrol update`, as an administrator does it. It takes no time.
    Told,
    /// By Slurm's own detector, for the long tests.
    Own,
}

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

    /// Output of a command of Slurm's, which must succeed.
    #[track_caller]
    pub(crate) fn ask(&self, program: &str, words: &[&str]) -> String {
        let answer = self.try_ask(program, words);
        answer.unwrap_or_else(|why| panic!("{program} {words:?}: {why}"))
    }

    /// # Errors
    /// The exit status and the complaint of a command that failed.
    fn try_ask(&self, program: &str, words: &[&str]) -> Result<String, String> {
        let mut command = Command::new(program);
        let output = self.with_it(command.args(words)).output();
        let output = output.map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        Err(format!("{}: {}", output.status, complaint.trim()))
    }

    /// Waits until the queue has no job whose folder is this one or below it.
    ///
    /// `squeue` is asked because it costs much less than a `koab` in debug mode.
    pub(crate) fn until_idle(&self, what: &str, folder: &Path, limit: Duration) {
        until(what, limit, || {
            let queue = self.try_ask("squeue", &["-h", "-r", "-o", "%Z|%F_%K|%T|%r"])?;
            let jobs: Vec<&str> = queue
                .lines()
                .filter(|job| job.split('|').next().is_some_and(|at| Path::new(at).starts_with(folder)))
                .collect();
            if jobs.is_empty() { Ok(()) } else { Err(jobs.join("\n")) }
        });
    }

    pub(crate) fn with_it<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).env("AZURE_API_KEY", CANARY)
    }

    /// Ends a node as a power cut would. [`Slurm::start_node`] brings it back.
    pub(crate) fn kill_node(&self, node: u32, detection: Detection) {
        let mut script = Command::new(self.shared.join("tools/slurm.sh"));
        script.arg("kill-node").arg(&self.folder).arg(node.to_string());
        assert!(self.with_it(&mut script).status().expect("it runs").success());
        self.learn(node, detection);
    }

    /// Ends the daemon of a node. Its jobs stay.
    pub(crate) fn kill_daemon(&self, node: u32, detection: Detection) {
        let path = self.folder.join(format!("run/slurmd-n{node}.pid"));
        let pid = fs::read_to_string(path).expect("a pid");
        let killed = Command::new("kill").args(["-9", pid.trim()]).status();
        assert!(killed.expect("kill is there").success());
        self.learn(node, detection);
    }

    fn learn(&self, node: u32, detection: Detection) {
        if detection == Detection::Told {
            let node = format!("nodename=n{node}");
            self.ask("scontrol", &["update", &node, "state=down", "reason=power"]);
        }
    }

    /// Lets Slurm use a node again.
    ///
    /// # Errors
    /// The complaint of Slurm, which refuses for a node that is already in use.
    pub(crate) fn resume(&self, node: u32) -> Result<String, String> {
        self.try_ask("scontrol", &["update", &format!("nodename=n{node}"), "state=resume"])
    }

    /// Waits until Slurm marks a node as down, which is when it begins the node's jobs elsewhere.
    pub(crate) fn until_down(&self, node: u32) {
        self.until_state(node, "marked as down", DETECTOR_LIMIT, |state| {
            // A node whose jobs have already begun elsewhere is shown as mixed, with the reason.
            state.starts_with("down") || state.contains("Not responding") || state.ends_with("|power")
        });
    }

    /// State of a node, with the reason where it has one.
    ///
    /// # Errors
    /// The complaint of Slurm where it does not answer. A busy one answers later.
    fn state(&self, node: u32) -> Result<String, String> {
        let node = format!("n{node}");
        let words = ["20", "sinfo", "-h", "-N", "-n", &node, "-o", "%T|%E"];
        let state = self.try_ask("timeout", &words)?;
        Ok(state.trim().trim_end_matches("|none").to_owned())
    }

    /// Starts the daemon of a node and waits for nothing.
    pub(crate) fn start_daemon(&self, node: u32) -> bool {
        let mut daemon = Command::new("slurmd");
        daemon.arg("-f").arg(self.folder.join("slurm.conf")).args(["-N", &format!("n{node}")]);
        let started = self.with_it(&mut daemon).status();
        started.expect("slurmd is there").success()
    }

    pub(crate) fn start_node(&self, node: u32) {
        assert!(self.start_daemon(node));
        until("the node resumes", NODE_LIMIT, || {
            let state = self.state(node)?;
            if state.starts_with("down") {
                self.resume(node)?;
            }
            let is_back = !state.is_empty() && !state.starts_with("down") && !state.contains(['*', '|']);
            if is_back { Ok(()) } else { Err(state) }
        });
    }

    fn until_state(&self, node: u32, what: &str, limit: Duration, is_so: impl Fn(&str) -> bool) {
        until(&format!("n{node} is {what}"), limit, || {
            let state = self.state(node)?;
            if is_so(&state) { Ok(()) } else { Err(state) }
        });
    }
}

/// Run of one process at a server that answers at once, to compare with.
pub(crate) struct Calm {
    /// Folder with the logs.
    pub(crate) folder: PathBuf,
    /// Answers that the run needed.
    pub(crate) needed: u64,
}

impl Calm {
    /// The run with this many repetitions. The first test makes it and the others of the same test run read it: the Slurm and its
    /// folder belong to one test run.
    pub(crate) fn of(desk: &Desk<'_>, repetitions: &str) -> Self {
        let folder = desk.slurm.folder.join(format!("calm-{repetitions}"));
        let lock = File::create(folder.with_extension("lock")).expect("a lock file");
        lock.lock().expect("locked");
        let answers = folder.join("answers");
        if !answers.exists() {
            let server = ReplayServer::start(desk.slurm.shared(), &["--latency-ms", "1"]);
            let own = Desk::new(desk.slurm);
            let words = ["--repetitions", repetitions, "--concurrency", "32"];
            let run = own.calm(&server.base_url, &words);
            copy(Path::new(run["folder"].as_str().expect("a folder")), &folder);
            fs::write(&answers, answered(&server).to_string()).expect("written");
        }
        let needed = fs::read_to_string(&answers).expect("read");
        let needed = needed.parse().expect("a count");
        Self { folder, needed }
    }
}

/// Marks of a run's workers that contain a text: `node ` for a start, `end 0` for a good end.
pub(crate) fn marks(run: &Path, text: &str) -> usize {
    let files = fs::read_dir(run.join("cluster")).expect("marks").flatten();
    let marks = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mark"));
    let texts = marks.filter_map(|path| fs::read_to_string(path).ok());
    texts.filter(|mark| mark.contains(text)).count()
}

/// Attempts that the workers of a run have ended so far.
pub(crate) fn attempts(run: &Path) -> usize {
    let files = fs::read_dir(run.join("shards")).into_iter().flatten().flatten();
    let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
    texts.map(|text| text.lines().filter(|line| line.starts_with("{\"type\":\"attempt\"")).count()).sum()
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
        let words = ["run", "--model", "azure/gpt-4o", "--base-url", server, "--on", "slurm"];
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

    /// Waits until workers and merge have ended; the run as `koab runs show` then has it.
    pub(crate) fn ended(&self, run: &str, limit: Duration) -> Value {
        let folder = self.folder(run);
        self.slurm.until_idle("the run ends", &folder, limit);
        let shown = self.shown(run);
        let remote = &shown["remote"];
        assert!(remote["silent"].is_null(), "{}", remote["silent"]);
        assert_eq!((&remote["active"], &remote["merging"]), (&false.into(), &false.into()), "{remote}");
        shown
    }

    pub(crate) fn folder(&self, run: &str) -> PathBuf {
        PathBuf::from(self.json(&["runs", "show", run])["folder"].as_str().expect("a folder"))
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
