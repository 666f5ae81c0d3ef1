//! Settings and workspace of a worker on a machine of a cluster.

use koab_core::say;
use koab_store::verdict_shards::JUDGING;
use koab_workspace::WireError;
use std::path::Path;

/// File name of the database in a run's folder that contains the packs for workers.
pub const PACKS: &str = "packs.sqlite";
/// File name of the prices for workers. The file exists if the submitting workspace has its own
/// prices.
pub const PRICES: &str = "prices.json";
/// Environment variable with the number of concurrent workers. The scripts of the workers set it.
/// Each worker makes only its share of the concurrent calls.
const WORKERS: &str = "KOAB_WORKERS";

/// A temporary workspace of a worker with the packs from the run's folder; deleted on drop.
#[derive(Debug)]
pub struct WorkerHome(tempfile::TempDir);

impl WorkerHome {
    /// Creates a workspace on this machine's own disk. `None` if the run's folder has no packs, as
    /// on the machine where the run was started.
    ///
    /// # Errors
    /// When the workspace cannot be written.
    pub fn for_run(run: &Path) -> Result<Option<Self>, WireError> {
        Self::from(run)
    }

    /// Creates a workspace for a worker that calls judges. `None` if the judging's folder has no
    /// packs.
    ///
    /// # Errors
    /// When the workspace cannot be written.
    pub fn for_judging(run: &Path) -> Result<Option<Self>, WireError> {
        Self::from(&run.join(JUDGING))
    }

    fn from(run: &Path) -> Result<Option<Self>, WireError> {
        let packs = run.join(PACKS);
        if !packs.is_file() {
            return Ok(None);
        }
        let failed = |error: std::io::Error| {
            WireError::storage(say!(
                "the packs of the run cannot be copied to this machine's own disk: {error}"
            ))
        };
        let home = tempfile::Builder::new().prefix("koab-worker-").tempdir().map_err(failed)?;
        std::fs::copy(&packs, home.path().join("koab.sqlite")).map_err(failed)?;
        let prices = run.join(PRICES);
        if prices.is_file() {
            std::fs::copy(&prices, home.path().join(PRICES)).map_err(failed)?;
        }
        Ok(Some(Self(home)))
    }

    /// Returns the path of the workspace.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Whether a cluster engine started this process, with a workspace of its own.
pub(crate) fn is_worker() -> bool {
    std::env::var_os(WORKERS).is_some()
}

/// Returns the number of concurrent workers of the run, including this one.
pub fn workers() -> u32 {
    let workers = std::env::var(WORKERS).ok().and_then(|workers| workers.parse().ok());
    workers.unwrap_or(1).max(1)
}

/// Returns the name of this worker's job; `None` if this process is not a job of a cluster.
pub fn job_name() -> Option<String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(worker) = variable("KOAB_WORKER") {
        return Some(worker);
    }
    let job = variable("SLURM_JOB_ID")?;
    Some(match variable("SLURM_RESTART_COUNT") {
        Some(restart) => format!("{job}-{restart}"),
        None => job,
    })
}
