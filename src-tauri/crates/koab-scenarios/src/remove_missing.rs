//! Moves unfinished trials to the trash.
//!
//! The original tool's command deletes all trials of a task if one trial does not look like those
//! of the author's own benchmark. This product's command lists the trials first, takes only
//! unfinished trials, and moves them to the trash.

use crate::error::{Error, Result};
use crate::layout::{Layout, TrialId, tasks};
use crate::outcome::{Cause, Trial};
use crate::trial_files;
use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder without a finished trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// Id of the trial; `None` for an instance's folder without trials.
    pub trial: Option<TrialId>,
    /// Path of the folder.
    pub path: PathBuf,
    /// Reason, one sentence without its full stop.
    pub why: Sentence,
}

/// Unfinished trials of the scenario in `folder`, in the order of its table.
///
/// An unfinished trial was interrupted, never started, or was ended from outside. A folder of an
/// instance without a trial is listed too. Trials that failed or ran out of time are finished.
///
/// # Errors
/// When a folder cannot be read.
pub fn incomplete(folder: &Path) -> Result<Vec<Incomplete>> {
    let scenario = name(folder)?;
    let mut folders = Vec::new();
    for task in tasks(folder)? {
        if task.trials.is_empty() {
            folders.push(Incomplete { trial: None, path: task.path, why: say!("the folder has no trial") });
            continue;
        }
        for trial in task.trials {
            let why = match trial_files::outcome(&trial.path) {
                Trial::HalfMade { why } => why,
                Trial::Finished(outcome) => match outcome.cause {
                    Cause::CouldNotStart => say!("it could not start"),
                    Cause::Cancelled => say!("it was cancelled"),
                    Cause::Lost => say!("the connection to the container engine was lost"),
                    Cause::Completed | Cause::Failed | Cause::TimedOut | Cause::OutOfMemory => continue,
                },
                Trial::Missing => continue,
            };
            let id = TrialId {
                scenario: scenario.clone(),
                instance: task.instance.clone(),
                repetition: trial.repetition,
            };
            folders.push(Incomplete { trial: Some(id), path: trial.path, why });
        }
    }
    Ok(folders)
}

/// Moves the folders that [`incomplete`] found in the scenario in `folder` to the trash of its
/// results. Returns their new paths.
///
/// An instance's folder without a trial is removed if it is empty, and stays otherwise.
///
/// # Errors
/// When scenarios are running in the results folder, or the disk refuses. The folders that were
/// moved before stay in the trash.
pub fn set_aside(folder: &Path, folders: &[Incomplete]) -> Result<Vec<PathBuf>> {
    let layout = Layout::new(folder.parent().unwrap_or(folder));
    let _nobody_runs = layout.claim()?;
    let mut moved = Vec::new();
    for incomplete in folders {
        match &incomplete.trial {
            Some(trial) => moved.push(layout.set_aside(trial)?),
            None => {
                let _ = fs::remove_dir(&incomplete.path);
            }
        }
    }
    Ok(moved)
}

fn name(folder: &Path) -> Result<String> {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned)
        .ok_or_else(|| Error::bad(folder, say!("is not the folder of a scenario, as in results/<scenario>")))
}
