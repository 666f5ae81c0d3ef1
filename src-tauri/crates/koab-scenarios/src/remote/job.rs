//! Job description for the workers of scenarios: `.cluster/<date>/scenarios.json` in the results
//! folder. Keys are in the workers' environment.

use super::cluster::ScenarioCluster;
use crate::layout::{Layout, TrialId};
use crate::outcome::Trial;
use crate::request::ScenarioRequest;
use crate::trial_files;
use koab_core::say;
use koab_engine::files::if_there;
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Name of the job description's file.
pub(super) const FILE: &str = "scenarios.json";

/// A trial as the job description stores it.
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

/// Job description for the workers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    /// Request to run, with full paths.
    pub(super) request: ScenarioRequest,
    /// Settings of the submission; missing in jobs of earlier versions.
    #[serde(default)]
    pub(super) how: Option<ScenarioCluster>,
    /// Time of the submission, milliseconds since the Unix epoch.
    pub(super) began_ms: u64,
    /// Trials that were unfinished at the submission. Shard `i` of `n` has the trials whose
    /// position divided by `n` leaves the remainder `i`.
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

    /// Trials of the shard with this `index`, when there are `of` shards.
    pub(super) fn of_shard(&self, index: u32, of: u32) -> Vec<TrialId> {
        let own = self.trials.iter().skip(index as usize).step_by(of.max(1) as usize);
        own.map(JobTrial::id).collect()
    }

    /// Whether the results contain the trial and the job does not require to run it again.
    pub(super) fn is_finished(&self, layout: &Layout, trial: &TrialId) -> bool {
        match trial_files::outcome(&layout.trial(trial)) {
            Trial::Finished(outcome) => {
                !self.request.rerun_failed || !outcome.cause.is_technical() || self.is_new(layout, trial)
            }
            Trial::HalfMade { .. } | Trial::Missing => false,
        }
    }

    /// Whether the trial's result is newer than the job. A trial that failed again is not run a
    /// third time.
    fn is_new(&self, layout: &Layout, trial: &TrialId) -> bool {
        let modified = std::fs::metadata(layout.trial(trial)).and_then(|meta| meta.modified());
        let since = modified.ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        since.is_some_and(|since| since.as_millis() > u128::from(self.began_ms))
    }
}

/// Folder of the job that was submitted last, if there is one.
pub(super) fn newest(results: &Path) -> Result<Option<PathBuf>, WireError> {
    let entries = if_there(std::fs::read_dir(Layout::new(results).jobs()))
        .map_err(|error| WireError::unreadable(results, error))?;
    let folders = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    Ok(folders.filter(|path| path.join(FILE).is_file()).max())
}
