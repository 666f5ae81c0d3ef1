//! A container engine for the tests and benchmarks of scenarios: started for one run, apart from any other on the
//! machine, and gone after it. Where there is none (no root, no dockerd) those tests say that they are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::Place;
use crate::{command, out};

/// The programs that the script beside the tests uses.
const PROGRAMS: [&str; 5] = ["dockerd", "docker", "busybox", "ip", "python3"];
/// A running engine; it stops when this is dropped.
pub(crate) struct Engine {
    script: PathBuf,
    folder: PathBuf,
}

impl Engine {
    /// Starts one with its image, or says why not.
    pub(crate) fn start(place: &Place) -> Option<Self> {
        let missing = PROGRAMS.iter().find(|program| command::which(program).is_none());
        if let Some(program) = missing {
            out::line(format_args!("no {program} here: nothing is run in containers"));
            return None;
        }
        let engine = Self {
            script: place
                .root
                .join("src-tauri/crates/koab-sandbox/tests/docker/daemon.sh"),
            // A socket's path may have 107 bytes, and some temporary folders are deep.
            folder: Path::new("/tmp").join(format!("koab-docker-{}", std::process::id())),
        };
        for act in ["start", "image"] {
            if let Err(error) = engine.act(act) {
                out::error(format_args!("no container engine: {error:#}"));
                return None;
            }
        }
        Some(engine)
    }

    /// Where it listens.
    pub(crate) fn host(&self) -> String {
        format!("unix://{}", self.folder.join("docker.sock").display())
    }

    fn act(&self, act: &str) -> anyhow::Result<()> {
        // A bridge and addresses of its own: two engines on the same addresses answer into each other's bridge.
        let own = std::process::id();
        command::succeed(
            Command::new("sh")
                .arg(&self.script)
                .arg(act)
                .arg(&self.folder)
                .arg(format!("koab{}", own % 100_000))
                .arg(format!("10.214.{}.1/24", own % 250)),
        )
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Err(error) = self.act("stop") {
            out::error(format_args!("the container engine is still there: {error:#}"));
        }
    }
}
