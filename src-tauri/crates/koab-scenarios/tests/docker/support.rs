//! A real container engine for these tests.
//!
//! `cargo xtask test` starts one and names it in `KOAB_TEST_DOCKER`; without it a test says that it is skipped, or
//! fails where everything is required.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "this is part of tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use koab_scenarios::console::Console;
use koab_scenarios::docker::{Container, Engine, Image, Mounts, Owner};
use koab_scenarios::outcome::Limits;
use koab_scenarios::process_end::ProcessEnd;
use koab_scenarios::relay::Relay;
use koab_scenarios::scenario_file::Network;
use tokio_util::sync::CancellationToken;

/// What a test needs to run containers.
pub(crate) struct Stage {
    pub(crate) engine: Engine,
    pub(crate) image: Image,
    pub(crate) home: tempfile::TempDir,
    pub(crate) owner: Owner,
}

/// The engine of the test run, else a line that says what is skipped.
pub(crate) async fn stage(test: &str) -> Option<Stage> {
    stage_named("KOAB_TEST_DOCKER", "dockerd", test).await
}

/// The engine that a variable names, else a line that says what is skipped.
pub(crate) async fn stage_named(variable: &str, program: &str, test: &str) -> Option<Stage> {
    let Some(host) = std::env::var(variable).ok() else {
        let why = std::env::var(format!("{variable}_WHY"));
        let why = why.unwrap_or_else(|_| format!("{variable} names its address"));
        let line = format!("SKIP: {test} needs {program} ({why})");
        assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none(), "{line}");
        eprintln!("{line}");
        return None;
    };
    Some(stage_at(&host).await)
}

/// A stage on an engine of one's own.
pub(crate) async fn stage_at(host: &str) -> Stage {
    stage_in(host, tempfile::tempdir().unwrap()).await
}

/// A stage in a folder that is there already.
pub(crate) async fn stage_in(host: &str, home: tempfile::TempDir) -> Stage {
    let engine = Engine::at(&koab_stand_ins::gate(), host).await.unwrap();
    let image = engine.local_image("koab-test").await.unwrap().unwrap();
    let owner = Owner::new(&home.path().join("locks")).unwrap();
    Stage { engine, image, home, owner }
}

/// How a run went.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ended: ProcessEnd,
    pub(crate) log: String,
    pub(crate) folder: PathBuf,
    /// Whether a watcher saw what the log says.
    pub(crate) seen: String,
}

/// Something that a test does once.
pub(crate) type Act<'a> = Box<dyn Fn() + Send + Sync + 'a>;

/// A container as a test wants it.
pub(crate) struct Script<'a> {
    pub(crate) text: &'a str,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) secrets: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) relay: Option<Relay>,
    pub(crate) cancel: CancellationToken,
    /// What is done when its output first says this.
    pub(crate) when: Option<(&'a str, Act<'a>)>,
}

impl<'a> Script<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            environment: BTreeMap::new(),
            secrets: Vec::new(),
            limits: Limits { timeout_s: Some(60), network: Some(Network::None), ..Limits::usual() },
            relay: None,
            cancel: CancellationToken::new(),
            when: None,
        }
    }

    /// Cancels it when its output first says this.
    pub(crate) fn cancel_when(&mut self, said: &'a str) {
        let cancel = self.cancel.clone();
        self.when = Some((said, Box::new(move || cancel.cancel())));
    }

    /// Runs it in a folder of this name.
    pub(crate) async fn run(&self, stage: &Stage, name: &str) -> Ran {
        let folder = stage.home.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("run.sh"), self.text).unwrap();
        let mut console = Console::create(
            &folder.join("console_log.txt"),
            self.limits.output_bytes.unwrap(),
            &self.secrets,
        )
        .unwrap();
        let container = Container {
            engine: &stage.engine,
            owner: &stage.owner,
            image: &stage.image,
            command: &["sh", "-c", "exec sh run.sh 2>&1"],
            environment: &self.environment,
            mounts: Mounts { folder: &folder, read_only: &["run.sh", "console_log.txt"] },
            relay: self.relay.as_ref(),
            limits: &self.limits,
        };
        let mut seen = String::new();
        let mut when = self.when.as_ref();
        let ended = container
            .run(&mut console, &self.cancel, &mut |text| {
                seen.push_str(text);
                if let Some((_, act)) = when.take_if(|(said, _)| seen.contains(said)) {
                    act();
                }
            })
            .await
            .unwrap();
        let (rest, _) = console.finish().unwrap();
        seen.push_str(&rest);
        Ran { ended, log: std::fs::read_to_string(folder.join("console_log.txt")).unwrap(), folder, seen }
    }
}

/// Containers of this stage that the engine still knows, running or not.
pub(crate) fn left(host: &str, stage: &Stage) -> usize {
    let locks = stage.home.path().join("locks").canonicalize().unwrap();
    containers(host, &format!("label=org.koab.locks={}", locks.display()))
}

fn containers(host: &str, filter: &str) -> usize {
    let output = std::process::Command::new("docker")
        .args(["-H", host, "ps", "-aq", "--filter", filter])
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().count()
}

/// An engine that a test starts for itself; it stops when this is dropped.
pub(crate) struct OwnDaemon {
    place: tempfile::TempDir,
}

impl OwnDaemon {
    /// Starts Docker with its image.
    pub(crate) fn start() -> Self {
        // A socket's path may have 107 bytes, and some temporary folders are deep.
        let place = tempfile::Builder::new().prefix("kd").tempdir_in("/tmp").unwrap();
        let daemon = Self { place };
        daemon.act("start");
        daemon.act("image");
        daemon
    }

    /// Has the script beside this file do something.
    pub(crate) fn act(&self, act: &str) {
        let own = std::process::id();
        let done = std::process::Command::new("sh")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/docker/daemon.sh"))
            .arg(act)
            .arg(self.folder())
            .args([format!("koabo{}", own % 100_000), format!("10.213.{}.1/24", own % 250)])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{act}: {said}");
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.place.path().join("d")
    }

    pub(crate) fn host(&self) -> String {
        format!("unix://{}", self.folder().join("docker.sock").display())
    }
}

impl Drop for OwnDaemon {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return self.act("stop");
        }
        // What the test failed on is told already.
        let _told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.act("stop")));
    }
}
