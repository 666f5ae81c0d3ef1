//! Container engines for tests and benchmarks of scenarios.
//!
//! The script `daemon.sh` in the tests of `koab-scenarios` starts an engine for one run, isolated
//! from other engines on the machine, and stops it afterwards. If no engine can start (no root, no
//! dockerd, no runtime that supports this machine's control groups), the tests that need it are
//! skipped with the reason.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::checkout::Checkout;
use crate::{command, out};

/// Programs that the script for starting engines needs, for Docker as well as for Podman.
const PROGRAMS: [&str; 4] = ["docker", "busybox", "ip", "python3"];

/// Kind of container engine.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Docker, on which all tests of scenarios run.
    Docker,
    /// Podman with Docker's API, on which a few of the tests run.
    Podman,
}

impl Kind {
    fn program(self) -> &'static str {
        match self {
            Self::Docker => "dockerd",
            Self::Podman => "podman",
        }
    }

    /// Name of the script's command that starts this engine.
    fn start(self) -> &'static str {
        match self {
            Self::Docker => "start",
            Self::Podman => "podman",
        }
    }

    /// Letter of the engine in the names of its folder and its network bridge, such as
    /// `koab-d-1234` and `koabd1234`.
    fn letter(self) -> char {
        match self {
            Self::Docker => 'd',
            Self::Podman => 'p',
        }
    }

    /// Second number of the engine's IPv4 addresses. Two engines with the same addresses would
    /// disturb each other's bridges.
    fn addresses(self) -> u8 {
        match self {
            Self::Docker => 214,
            Self::Podman => 215,
        }
    }
}

/// A running engine. It is stopped on drop.
pub(crate) struct Engine {
    kind: Kind,
    script: PathBuf,
    folder: PathBuf,
}

impl Engine {
    /// Starts an engine and loads the image of the tests.
    ///
    /// # Errors
    /// When something is missing. The error is one sentence without its full stop.
    pub(crate) fn start(checkout: &Checkout, kind: Kind) -> anyhow::Result<Self> {
        let mut programs = PROGRAMS.into_iter().chain([kind.program()]);
        if let Some(program) = programs.find(|program| command::which(program).is_none()) {
            bail!("there is no {program} here");
        }
        let engine = Self {
            kind,
            script: checkout.root.join("src-tauri/crates/koab-scenarios/tests/docker/daemon.sh"),
            // A socket's path may have at most 107 bytes, and some temporary folders have long
            // paths.
            folder: Path::new("/tmp").join(format!("koab-{}-{}", kind.letter(), std::process::id())),
        };
        for act in [kind.start(), "image"] {
            engine.act(act).with_context(|| format!("{kind:?} does not start"))?;
        }
        Ok(engine)
    }

    /// Address at which the engine listens.
    pub(crate) fn host(&self) -> String {
        format!("unix://{}", self.folder.join("docker.sock").display())
    }

    /// Runs a command of `daemon.sh`, such as `image` or `stop`. If the command fails, the last
    /// line of its stderr is the error.
    fn act(&self, act: &str) -> anyhow::Result<()> {
        let own = std::process::id();
        let output = Command::new("sh")
            .arg(&self.script)
            .arg(act)
            .arg(&self.folder)
            .arg(format!("koab{}{}", self.kind.letter(), own % 100_000))
            .arg(format!("10.{}.{}.1/24", self.kind.addresses(), own % 250))
            .stdin(Stdio::null())
            .output()
            .context("there is no sh here")?;
        if output.status.success() {
            return Ok(());
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        let last = stderr.trim_end().lines().last();
        bail!("{}", last.unwrap_or("it does not say why"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Err(error) = self.act("stop") {
            out::error(format_args!("the container engine is still there: {error:#}"));
        }
    }
}
