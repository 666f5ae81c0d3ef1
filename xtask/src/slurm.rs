//! A real Slurm with several nodes on this machine, for tests and benchmarks of runs on clusters.
//!
//! Slurm is started for one run and deleted afterwards. The script that starts it is in the
//! reference data next to the checkout. If the script, root or Slurm is missing, the tests on
//! clusters are skipped with the reason.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::checkout::Checkout;
use crate::{command, out};

/// Programs of Slurm that must be installed. `cargo xtask setup` installs them.
const PROGRAMS: [&str; 4] = ["slurmctld", "slurmd", "munged", "sbatch"];
/// Number of nodes, each with two processors.
const NODE_COUNT: u16 = 4;
/// First port of the range from which the ports of a Slurm are chosen.
const FIRST_PORT: u16 = 20_000;
/// First port of the system's ephemeral range. Many tests let the system choose a free port, and it
/// chooses one from this range.
const FIRST_EPHEMERAL_PORT: u16 = 32_768;
/// Distance from the controller's port to the port of the first node. The script uses the same
/// distance.
const NODE_PORT_OFFSET: u16 = 184;
/// Number of ports from the controller's to the last node's, inclusive.
const PORT_SPAN: u16 = NODE_PORT_OFFSET + NODE_COUNT;

/// A running Slurm. It is stopped on drop.
pub(crate) struct Slurm {
    script: PathBuf,
    folder: PathBuf,
    /// Port of the controller.
    port: u16,
}

impl Slurm {
    /// Starts a Slurm.
    ///
    /// # Errors
    /// When something is missing. The error is one sentence without its full stop.
    pub(crate) fn start(checkout: &Checkout) -> anyhow::Result<Self> {
        if let Some(program) = PROGRAMS.into_iter().find(|program| command::which(program).is_none()) {
            bail!("there is no {program} here");
        }
        let shared = checkout.shared().context("there is no ../shared with the script that starts it")?;
        let slurm = Self {
            script: shared.join("tools/slurm.sh"),
            folder: Path::new("/tmp").join(format!("koab-s-{}", std::process::id())),
            port: base_ports(std::process::id())
                .find(|port| ports(*port).all(is_free))
                .context("its ports are all in use")?,
        };
        slurm.act(&["start"], &[&NODE_COUNT.to_string()]).context("Slurm does not start")?;
        Ok(slurm)
    }

    /// Folder of this Slurm, with `slurm.conf`.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn act(&self, verb: &[&str], more: &[&str]) -> anyhow::Result<()> {
        let output = Command::new("bash")
            .arg(&self.script)
            .args(verb)
            .arg(&self.folder)
            .args(more)
            .env("SLURM_PORT", self.port.to_string())
            .stdin(Stdio::null())
            .output()
            .context("there is no bash here")?;
        if output.status.success() {
            return Ok(());
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("{}", stderr.trim_end().lines().last().unwrap_or("it does not say why"));
    }
}

/// Ports that a controller may use, in the order of trial. Each process tries another port first.
fn base_ports(process: u32) -> impl Iterator<Item = u16> {
    let bases = (FIRST_PORT..=FIRST_EPHEMERAL_PORT - PORT_SPAN).step_by(usize::from(PORT_SPAN));
    let skipped = process as usize % bases.len();
    bases.clone().skip(skipped).chain(bases.take(skipped))
}

/// Ports that a Slurm uses if its controller has the port `base`.
fn ports(base: u16) -> impl Iterator<Item = u16> {
    let first = base + NODE_PORT_OFFSET;
    std::iter::once(base).chain(first..first + NODE_COUNT)
}

fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

impl Drop for Slurm {
    fn drop(&mut self) {
        if let Err(error) = self.act(&["stop"], &[]) {
            out::error(format_args!("Slurm is still there: {error:#}"));
        }
        // Slurm's daemons may still write their last lines, so an error is ignored.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_port_of_a_slurm_is_one_that_the_system_gives_to_others() {
        for process in [0, 1, 42, 43, 99, 4_194_304] {
            let bases: Vec<u16> = base_ports(process).collect();
            let all: Vec<u16> = bases.iter().copied().flat_map(ports).collect();
            assert!(all.iter().all(|port| (20_000..32_768).contains(port)), "{all:?}");
            assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "no port twice");
            assert_eq!(bases.len(), 67, "every process may try each of them");
        }
        assert_ne!(base_ports(1).next(), base_ports(2).next());
        assert_eq!(ports(20_188).collect::<Vec<_>>(), [20_188, 20_372, 20_373, 20_374, 20_375]);
    }
}
