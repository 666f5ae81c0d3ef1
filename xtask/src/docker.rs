//! Container engines for the tests and benchmarks of scenarios: started for one run, apart from any
//! other on the machine, and gone after it. Where there is none (no root, no dockerd, no runtime
//! that this machine's control groups suit) those tests are skipped and say why.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::checkout::Checkout;
use crate::{command, out};

/// The programs that the script beside the tests uses for either engine.
const PROGRAMS: [&str; 4] = ["docker", "busybox", "ip", "python3"];

/// Which engine.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Docker, under which all of the tests run.
    Docker,
    /// Podman behind Docker's API, under which a handful does.
    Podman,
}

impl Kind {
    fn program(self) -> &'static str {
        match self {
            Self::Docker => "dockerd",
            Self::Podman => "podman",
        }
    }

    /// What the script calls its start.
    fn start(self) -> &'static str {
        match self {
            Self::Docker => "start",
            Self::Podman => "podman",
        }
    }

    /// Folder and bridge begin so; what follows is the process.
    fn letter(self) -> char {
        match self {
            Self::Docker => 'd',
            Self::Podman => 'p',
        }
    }

    /// Second number of its addresses: two engines on the same ones answer into each other's
    /// bridge.
    fn addresses(self) -> u8 {
        match self {
            Self::Docker => 214,
            Self::Podman => 215,
        }
    }
}

/// A running engine; it stops when this is dropped.
pub(crate) struct Engine {
    kind: Kind,
    script: PathBuf,
    folder: PathBuf,
}

impl Engine {
    /// Starts one with its image.
    ///
    /// # Errors
    /// What is missing, in one sentence without its full stop.
    pub(crate) fn start(checkout: &Checkout, kind: Kind) -> anyhow::Result<Self> {
        let mut programs = PROGRAMS.into_iter().chain([kind.program()]);
        if let Some(program) = programs.find(|program| command::which(program).is_none()) {
            bail!("there is no {program} here");
        }
        let engine = Self {
            kind,
            script: checkout.root.join("src-tauri/crates/koab-sandbox/tests/docker/daemon.sh"),
            // A socket's path may have 107 bytes, and some temporary folders are deep.
            folder: Path::new("/tmp").join(format!("koab-{}-{}", kind.letter(), std::process::id())),
        };
        for act in [kind.start(), "image"] {
            engine.act(act).with_context(|| format!("{kind:?} does not start"))?;
        }
        Ok(engine)
    }

    /// Where it listens.
    pub(crate) fn host(&self) -> String {
        format!("unix://{}", self.folder.join("docker.sock").display())
    }

    /// Has the script do something. What it says in its last line is the error.
    fn act(&self, act: &str) -> anyhow::Result<()> {
        let own = std::process::id();
        let done = Command::new("sh")
            .arg(&self.script)
            .arg(act)
            .arg(&self.folder)
            .arg(format!("koab{}{}", self.kind.letter(), own % 100_000))
            .arg(format!("10.{}.{}.1/24", self.kind.addresses(), own % 250))
            .stdin(Stdio::null())
            .output()
            .context("there is no sh here")?;
        if done.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&done.stderr);
        let last = said.trim_end().lines().last();
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
