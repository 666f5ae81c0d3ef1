//! What a worker on a machine of a cluster is told, and where it works.

use crate::wire::WireError;
use koab_core::say;
use koab_store::verdict_shards::JUDGING;
use std::path::Path;

/// The packs of a run that goes to other machines, in its folder.
pub(crate) const PACKS: &str = "packs.sqlite";
/// The prices of the workspace that it was begun in, where that has its own.
pub(crate) const PRICES: &str = "prices.json";
/// How many workers make a run at once; whoever begins them says so, and each takes its share of
/// the calls in flight.
const WORKERS: &str = "KOAB_WORKERS";

/// A workspace of a worker's own with the packs that the run's folder has; removed when it is
/// dropped.
#[derive(Debug)]
pub struct WorkerHome(tempfile::TempDir);

impl WorkerHome {
    /// Makes one on this machine's own disk; `None` where the run's folder has no packs, as on the
    /// machine that it was begun on.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn for_run(run: &Path) -> Result<Option<Self>, WireError> {
        Self::from(run)
    }

    /// The same for one that asks judges.
    ///
    /// # Errors
    /// When the disk refuses.
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Whether this process is one that an engine of a cluster began, in a workspace of its own.
pub(crate) fn is_worker() -> bool {
    std::env::var_os(WORKERS).is_some()
}

/// Workers that make the run at once, this one among them.
pub(crate) fn workers() -> u32 {
    let told = std::env::var(WORKERS).ok().and_then(|workers| workers.parse().ok());
    told.unwrap_or(1).max(1)
}

/// The job of a cluster that this process is, where an engine says so.
pub(crate) fn job_name() -> Option<String> {
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
