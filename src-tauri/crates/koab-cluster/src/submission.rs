//! `cluster.json`: to which engine a run was handed, and under which names it knows the jobs.

use crate::error::ClusterError;
use koab_core::say;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::Path;

/// Name of the file in a run's folder.
pub const SUBMISSION: &str = "cluster.json";

/// An engine by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum EngineKind {
    /// Slurm, by `sbatch`, `squeue` and `scancel`.
    Slurm,
    /// Kubernetes, by `kubectl`.
    Kubernetes,
}

impl EngineKind {
    /// As people write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Slurm => "Slurm",
            Self::Kubernetes => "Kubernetes",
        }
    }
}

/// What was handed to an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Which engine.
    pub engine: EngineKind,
    /// Words for it.
    pub engine_args: Vec<String>,
    /// Shards of the run.
    pub of: u32,
    /// Workers at once at most.
    pub at_once: u32,
    /// Its jobs, the newest last.
    pub jobs: Vec<SubmittedJob>,
    /// When somebody cancelled the newest, milliseconds since the Unix epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_ms: Option<u64>,
}

/// A job of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmittedJob {
    /// Its name at the engine.
    pub id: String,
    /// The job that merges what it made.
    pub merge: Option<String>,
    /// The shards that it makes.
    pub shards: Vec<u32>,
    /// When, milliseconds since the Unix epoch.
    pub at_ms: u64,
}

impl Submission {
    /// The submission of the run in this folder, when it has one.
    ///
    /// # Errors
    /// When the file is there and cannot be read as one.
    pub fn read(folder: &Path) -> Result<Option<Self>, ClusterError> {
        let path = folder.join(SUBMISSION);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ClusterError::disk(&path, &error)),
        };
        serde_json::from_slice(&text).map(Some).map_err(|error| {
            ClusterError::Disk(say!("{} cannot be read: {error}; move it away", path.display()))
        })
    }

    /// Keeps it in a folder: whoever reads it sees the old file or the new one.
    ///
    /// # Errors
    /// When the disk refuses; what was there stays.
    pub fn keep(&self, folder: &Path) -> Result<(), ClusterError> {
        let path = folder.join(SUBMISSION);
        let failed = |error: std::io::Error| ClusterError::disk(&path, &error);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".koab-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // Temporary files are private, and others of a cluster look at this one.
            builder.permissions(std::fs::Permissions::from_mode(0o644));
        }
        let mut file = builder.tempfile_in(folder).map_err(failed)?;
        file.write_all(self.text().as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// What the file says.
    pub fn text(&self) -> String {
        format!("{:#}", serde_json::json!(self))
    }

    /// Names of all its jobs, those that merge included.
    pub fn names(&self) -> Vec<&str> {
        let names = self.jobs.iter().flat_map(|job| [Some(&job.id), job.merge.as_ref()]);
        names.flatten().map(String::as_str).collect()
    }
}
