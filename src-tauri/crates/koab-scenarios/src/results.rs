//! Results of scenarios on disk, from this product or other tools: the scenarios, their tables and
//! their trials. This module only reads.
//!
//! Every call names its folder, scenario and instance; no state is kept between calls.
//! [`crate::tabulate`] counts the trials and does not follow links. This module defines the types
//! that the user interface receives.

mod compared;
mod table;
mod trial;

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::layout::{self, Layout};
use crate::outcome::Trial;
use crate::scenario_file;
use koab_core::finding::Problem;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use compared::{ScenarioComparison, ScenarioDifference, ScenarioSide, ScenarioStanding};
pub use table::{ScenarioCurvePoint, ScenarioTable};
pub use trial::{ScenarioLogPart, ScenarioTrialPage, TrialFileContent, TrialPageState};

use crate::Scenarios;
use crate::trial_files;
use koab_workspace::WireError;

/// A results folder.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioResults {
    /// Folder that was read: the requested one, or `results` or `Results` in it.
    pub folder: String,
    /// Whether the folder exists.
    pub exists: bool,
    /// Scenarios in the folder, sorted by name.
    pub scenarios: Vec<ScenarioCounts>,
}

/// Counts of a scenario's trials.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScenarioCounts {
    /// Name of the scenario, which is the name of its file.
    pub name: String,
    /// Number of instances that have a folder.
    pub instances: u32,
    /// Number of distinct repetitions.
    pub repetitions: u32,
    /// Number of trials that have a folder.
    pub trials: u32,
    /// Number of trials that were not finished.
    pub unfinished: u32,
    /// Number of ended trials by cause.
    pub causes: BTreeMap<String, u32>,
    /// Start of the newest trial with a known start time: ISO 8601, with its UTC offset if the
    /// offset is known.
    pub started: Option<String>,
    /// Reason why the trials could not be counted.
    pub problem: Option<Sentence>,
}

impl Scenarios {
    /// Every fault of scenario files, for display as a list.
    ///
    /// # Errors
    /// When an allowed folder cannot be read.
    pub fn problems(&self, path: &str, allow: &[String]) -> Result<Vec<Problem>, WireError> {
        let allowed = allow
            .iter()
            .map(|folder| std::fs::canonicalize(folder).map_err(|error| unreadable(Path::new(folder), error)))
            .collect::<Result<Vec<_>, _>>()?;
        let read = scenario_file::read(Path::new(path), &allowed);
        Ok(read.err().map_or_else(Vec::new, |problems| problems.0))
    }

    /// Results folder inside a benchmark's folder, where users of the original tool expect it;
    /// `None` when `folder` is not a benchmark.
    #[must_use]
    pub fn benchmark_results(folder: &Path) -> Option<PathBuf> {
        let has = |name: &str| folder.join(name).exists();
        let is_benchmark = has("Tasks") && (has("Templates") || has("MANIFEST.json"));
        is_benchmark.then(|| Layout::in_folder(folder).results().to_owned())
    }

    /// Scenarios of a results folder, by default the workspace's. For a folder that contains
    /// `results` or `Results`, that subfolder is read; for the folder of one scenario, its parent.
    ///
    /// # Errors
    /// When the folder cannot be read. A folder that does not exist has no scenarios.
    pub fn results(&self, folder: Option<&str>) -> Result<ScenarioResults, WireError> {
        let results = self.results_folder(folder);
        let mut scenarios = Vec::new();
        if results.is_dir() {
            for entry in results.read_dir().map_err(|error| unreadable(&results, error))? {
                let entry = entry.map_err(|error| unreadable(&results, error))?;
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if let (Some(name), true) = (entry.file_name().to_str(), is_folder)
                    && !name.starts_with('.')
                {
                    scenarios.push(counts(name, &entry.path()));
                }
            }
            scenarios.sort_by(|a, b| a.name.cmp(&b.name));
        }
        Ok(ScenarioResults { exists: results.is_dir(), folder: results.display().to_string(), scenarios })
    }

    fn results_folder(&self, folder: Option<&str>) -> PathBuf {
        let Some(folder) = folder.filter(|folder| !folder.is_empty()).map(PathBuf::from) else {
            return self.workspace.home().path().join("results");
        };
        let inner = Layout::in_folder(&folder);
        if inner.results().is_dir() {
            return inner.results().to_owned();
        }
        let is_scenario =
            layout::tasks(&folder).is_ok_and(|tasks| tasks.iter().any(|task| !task.trials.is_empty()));
        match folder.parent() {
            Some(parent) if is_scenario => parent.to_owned(),
            _ => folder,
        }
    }

    /// Path of a scenario's folder. The name must be a plain folder name, and the folder must not
    /// be a link.
    fn folder(&self, folder: Option<&str>, scenario: &str) -> Result<PathBuf, WireError> {
        let path = self.results_folder(folder).join(scenario);
        let is_name = Path::new(scenario).file_name().is_some_and(|name| name == scenario);
        if !is_name || !std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir()) {
            return Err(WireError::not_found(say!(
                "there are no results of {scenario} in {}",
                path.parent().unwrap_or(&path).display()
            )));
        }
        Ok(path)
    }
}

fn counts(name: &str, folder: &Path) -> ScenarioCounts {
    let mut counts = ScenarioCounts {
        name: name.to_owned(),
        instances: 0,
        repetitions: 0,
        trials: 0,
        unfinished: 0,
        causes: BTreeMap::new(),
        started: None,
        problem: None,
    };
    let tasks = match layout::tasks(folder) {
        Ok(tasks) => tasks,
        Err(error) => {
            counts.problem = Some(error.to_sentence());
            return counts;
        }
    };
    let mut repetitions = std::collections::BTreeSet::new();
    counts.instances = number(tasks.len());
    for trial in tasks.iter().flat_map(|task| &task.trials) {
        counts.trials += 1;
        repetitions.insert(trial.repetition);
        match trial_files::outcome(&trial.path) {
            Trial::Finished(outcome) => {
                *counts.causes.entry(outcome.cause.name().to_owned()).or_default() += 1;
                counts.started = counts.started.max(outcome.started);
            }
            Trial::HalfMade { .. } | Trial::Missing => counts.unfinished += 1,
        }
    }
    counts.repetitions = number(repetitions.len());
    counts
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn unreadable(path: &Path, error: impl ToSentence) -> WireError {
    WireError::bad_file(say!("{} cannot be read: {error}", path.display()))
}
