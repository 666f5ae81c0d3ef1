//! A real Slurm of several nodes on this machine, for the tests and benchmarks of runs on clusters: started for one run, and gone
//! after it. The script that starts it lies in the reference data beside the checkout; where that, root or Slurm is missing, those tests
//! are skipped and say why.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::checkout::Checkout;
use crate::{command, out};

/// The programs without which there is none. `cargo xtask setup` installs them.
const PROGRAMS: [&str; 4] = ["slurmctld", "slurmd", "munged", "sbatch"];
/// Nodes, of two processors each.
const NODES: u32 = 4;

/// A running Slurm; it stops when this is dropped.
pub(crate) struct Slurm {
    script: PathBuf,
    folder: PathBuf,
}

impl Slurm {
    /// Starts one.
    ///
    /// # Errors
    /// What is missing, in one sentence without its full stop.
    pub(crate) fn start(checkout: &Checkout) -> anyhow::Result<Self> {
        if let Some(program) = PROGRAMS
            .into_iter()
            .find(|program| command::which(program).is_none())
        {
            bail!("there is no {program} here");
        }
        let shared = checkout
            .shared()
            .context("there is no ../shared with the script that starts it")?;
        let slurm = Self {
            script: shared.join("tools/slurm.sh"),
            folder: Path::new("/tmp").join(format!("koab-s-{}", std::process::id())),
        };
        slurm
            .act(&["start"], &[&NODES.to_string()])
            .context("Slurm does not start")?;
        Ok(slurm)
    }

    /// Its folder, with `slurm.conf`.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn act(&self, verb: &[&str], more: &[&str]) -> anyhow::Result<()> {
        // Apart from another one on the machine: some ports for each process.
        let port = 20_000 + std::process::id() % 100 * 300;
        let done = Command::new("bash")
            .arg(&self.script)
            .args(verb)
            .arg(&self.folder)
            .args(more)
            .env("SLURM_PORT", port.to_string())
            .stdin(Stdio::null())
            .output()
            .context("there is no bash here")?;
        if done.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&done.stderr);
        bail!(
            "{}",
            said.trim_end().lines().last().unwrap_or("it does not say why")
        );
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        if let Err(error) = self.act(&["stop"], &[]) {
            out::error(format_args!("Slurm is still there: {error:#}"));
        }
        // Its daemons may still write their last lines.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
