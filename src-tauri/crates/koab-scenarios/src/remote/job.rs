//! What workers of scenarios are told: `.cluster/<date>/scenarios.json` in the results folder. Keys
//! are in their environment.

use super::cluster::ScenarioCluster;
use crate::request::ScenarioRequest;
use koab_core::say;
use koab_engine::files::if_there;
use koab_sandbox::layout::{Layout, TrialId};
use koab_sandbox::outcome::Trial;
use koab_sandbox::trial_files;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Name of the file.
pub(super) const FILE: &str = "scenarios.json";

/// A trial by its names.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct JobTrial {
    scenario: String,
    instance: String,
    repetition: u32,
}

impl From<TrialId> for JobTrial {
    fn from(id: TrialId) -> Self {
        Self { scenario: id.scenario, instance: id.instance, repetition: id.repetition }
    }
}

impl JobTrial {
    pub(super) fn id(&self) -> TrialId {
        TrialId {
            scenario: self.scenario.clone(),
            instance: self.instance.clone(),
            repetition: self.repetition,
        }
    }
}

/// What workers are told.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    /// What is run, with full paths.
    pub(super) request: ScenarioRequest,
    /// How it was handed over; earlier versions did not keep it.
    #[serde(default)]
    pub(super) how: Option<ScenarioCluster>,
    /// When it was handed over, milliseconds since the Unix epoch.
    pub(super) began_ms: u64,
    /// The trials that were not finished then; a shard has those whose place leaves its number.
    pub(super) trials: Vec<JobTrial>,
}

impl Job {
    pub(super) fn read(folder: &Path) -> Result<Self, WireError> {
        let path = folder.join(FILE);
        let text = std::fs::read(&path)
            .map_err(|error| WireError::not_found(say!("{} cannot be read: {error}", path.display())))?;
        serde_json::from_slice(&text)
            .map_err(|error| WireError::storage(say!("{} cannot be read: {error}", path.display())))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), WireError> {
        let path = folder.join(FILE);
        let failed = |error: std::io::Error| WireError::unwritable(&path, error);
        std::fs::create_dir_all(folder).map_err(failed)?;
        let text = serde_json::to_vec_pretty(self).map_err(WireError::internal)?;
        std::fs::write(&path, text).map_err(failed)
    }

    /// The trials of a shard.
    pub(super) fn of_shard(&self, index: u32, of: u32) -> Vec<TrialId> {
        let own = self.trials.iter().skip(index as usize).step_by(of.max(1) as usize);
        own.map(JobTrial::id).collect()
    }

    /// Whether a trial is in the results as this job wants it.
    pub(super) fn is_finished(&self, layout: &Layout, trial: &TrialId) -> bool {
        match trial_files::outcome(&layout.trial(trial)) {
            Trial::Finished(outcome) => {
                !self.request.rerun_failed || !outcome.cause.is_technical() || self.is_new(layout, trial)
            }
            Trial::HalfMade { .. } | Trial::Missing => false,
        }
    }

    /// Whether what is there came after the job was handed over: one that failed again is not run a
    /// third time.
    fn is_new(&self, layout: &Layout, trial: &TrialId) -> bool {
        let written = std::fs::metadata(layout.trial(trial)).and_then(|meta| meta.modified());
        let since = written.ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        since.is_some_and(|since| since.as_millis() > u128::from(self.began_ms))
    }
}

/// The folder of what was handed over last.
pub(super) fn newest(results: &Path) -> Result<Option<PathBuf>, WireError> {
    let entries = if_there(std::fs::read_dir(Layout::new(results).jobs()))
        .map_err(|error| WireError::unreadable(results, error))?;
    let folders = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    Ok(folders.filter(|path| path.join(FILE).is_file()).max())
}
