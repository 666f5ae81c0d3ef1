//! Clears away trials that were not finished.
//!
//! The original's command deletes a whole task with all its trials as soon as one of them does not
//! look as its author's own benchmark does. This one lists what it would take, takes unfinished
//! trials only, and puts them into the trash.

use crate::error::{Error, Result};
use crate::layout::{Layout, TrialId, tasks};
use crate::outcome::{Cause, Trial};
use crate::trial_files;
use koab_core::say;
use koab_core::sentence::Sentence;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that holds no finished trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// The trial; `None` for the folder of an instance without any.
    pub trial: Option<TrialId>,
    /// The folder.
    pub path: PathBuf,
    /// One sentence without its full stop.
    pub why: Sentence,
}

/// What there is to clear away in the scenario in `folder`, in the table's order.
///
/// These are trials that were not finished, never started or were ended from outside, and folders
/// without a trial. Trials that failed or ran out of time are finished.
///
/// # Errors
/// When a folder cannot be read.
pub fn incomplete(folder: &Path) -> Result<Vec<Incomplete>> {
    let scenario = name(folder)?;
    let mut found = Vec::new();
    for task in tasks(folder)? {
        if task.trials.is_empty() {
            found.push(Incomplete { trial: None, path: task.path, why: say!("there is no trial in it") });
            continue;
        }
        for trial in task.trials {
            let why = match trial_files::outcome(&trial.path) {
                Trial::HalfMade { why } => why,
                Trial::Finished(outcome) => match outcome.cause {
                    Cause::CouldNotStart => say!("it could not start"),
                    Cause::Cancelled => say!("it was cancelled"),
                    Cause::Lost => say!("what ran it went away"),
                    Cause::Completed | Cause::Failed | Cause::TimedOut | Cause::OutOfMemory => continue,
                },
                Trial::Missing => continue,
            };
            let id = TrialId {
                scenario: scenario.clone(),
                instance: task.instance.clone(),
                repetition: trial.repetition,
            };
            found.push(Incomplete { trial: Some(id), path: trial.path, why });
        }
    }
    Ok(found)
}

/// Moves what [`incomplete`] found in the scenario in `folder` to the trash of its results, and
/// says where it is now.
///
/// An instance's folder without a trial is removed when it is empty, and left with what is in it
/// otherwise.
///
/// # Errors
/// When scenarios are running there, or the disk refuses; what was moved by then stays moved.
pub fn set_aside(folder: &Path, found: &[Incomplete]) -> Result<Vec<PathBuf>> {
    let layout = Layout::new(folder.parent().unwrap_or(folder));
    let _nobody_runs = layout.claim()?;
    let mut moved = Vec::new();
    for incomplete in found {
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
