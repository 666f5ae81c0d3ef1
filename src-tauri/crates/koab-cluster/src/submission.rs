//! `cluster.json`: the engine that a run was submitted to, and the ids of its jobs.

use crate::error::ClusterError;
use koab_core::say;
use koab_engine::atomic::{self, Readers};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the file in a run's folder.
pub const SUBMISSION: &str = "cluster.json";

/// Kind of a cluster engine.
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
    /// Display name of the engine.
    pub fn title(self) -> &'static str {
        match self {
            Self::Slurm => "Slurm",
            Self::Kubernetes => "Kubernetes",
        }
    }
}

/// A submission of a run to an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Kind of the engine.
    pub engine: EngineKind,
    /// The user's arguments for the engine.
    pub engine_args: Vec<String>,
    /// Number of shards of the run.
    pub of: u32,
    /// Maximum number of concurrent workers.
    pub at_once: u32,
    /// Submitted jobs, the newest last.
    pub jobs: Vec<SubmittedJob>,
    /// Time at which a user cancelled the newest job, milliseconds since the Unix epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_ms: Option<u64>,
}

/// A job that Slurm or Kubernetes accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmittedJob {
    /// Id that the engine gave the job.
    pub id: String,
    /// Id of the job that merges the results of this job.
    pub merge: Option<String>,
    /// Numbers (from 0) of the shards that the job's workers process.
    pub shards: Vec<u32>,
    /// Time of the submission, milliseconds since the Unix epoch.
    pub at_ms: u64,
}

impl Submission {
    /// Reads the submission of the run in this folder; `None` without the file.
    ///
    /// # Errors
    /// When the file cannot be read as a submission.
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

    /// Writes the submission into a folder. A concurrent reader sees either the old file or the new
    /// one.
    ///
    /// # Errors
    /// When the file cannot be written; the old file then remains.
    pub fn keep(&self, folder: &Path) -> Result<(), ClusterError> {
        let path = folder.join(SUBMISSION);
        // Other users of a cluster read this file.
        atomic::write(&path, Readers::Everyone, self.text())
            .map_err(|error| ClusterError::disk(&path, &error))
    }

    /// Returns the JSON text of the file.
    pub fn text(&self) -> String {
        format!("{:#}", serde_json::json!(self))
    }

    /// Returns the ids of all jobs, including the jobs that merge results.
    pub fn names(&self) -> Vec<&str> {
        let names = self.jobs.iter().flat_map(|job| [Some(&job.id), job.merge.as_ref()]);
        names.flatten().map(String::as_str).collect()
    }
}
