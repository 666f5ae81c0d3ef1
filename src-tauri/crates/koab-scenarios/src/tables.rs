//! Queries on existing results: tables, unfinished trials and findings in logs. This module runs
//! nothing.

use super::prepare::bad_file;
use crate::Scenarios;
use crate::layout;
use crate::lint::{LogFinding, lint};
use crate::markers::log_text;
use crate::outcome::CONSOLE_LOG;
use crate::remove_missing::{self, Incomplete};
use crate::tabulate::original::{self, Generation};
use crate::tabulate::{Scorer, Table, tabulate};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::name_of;
use koab_workspace::WireError;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The table of one scenario.
#[derive(Clone, Debug, Serialize)]
pub struct TabulatedScenario {
    /// Name of the scenario's folder.
    pub scenario: String,
    /// Path of the scenario's folder.
    pub folder: String,
    /// Trials and totals.
    #[serde(flatten)]
    pub table: Table,
}

/// A trial without a result, or an instance's folder without a trial.
#[derive(Clone, Debug, Serialize)]
pub struct UnfinishedTrial {
    /// Path of the scenario's folder.
    #[serde(skip)]
    folder: PathBuf,
    #[serde(skip)]
    incomplete: Incomplete,
    /// Path of the folder without a result.
    pub path: String,
    /// Reason why there is no result: one sentence without its full stop.
    pub why: Sentence,
}

/// Findings in one log.
#[derive(Clone, Debug, Serialize)]
pub struct LintedLog {
    /// Path of the log.
    pub log: String,
    /// Findings, the most severe first, then by line.
    pub findings: Vec<LogFinding>,
}

impl Scenarios {
    /// Table of a scenario's results, or the tables of all scenarios in a results folder.
    ///
    /// # Errors
    /// When there are no results, or they cannot be read.
    pub fn tables(&self, folder: &str, scorer: Scorer) -> Result<Vec<TabulatedScenario>, WireError> {
        scenario_folders(Path::new(folder))?
            .into_iter()
            .map(|path| {
                Ok(TabulatedScenario {
                    scenario: name_of(&path),
                    table: tabulate(&path, scorer).map_err(bad_file)?,
                    folder: path.display().to_string(),
                })
            })
            .collect()
    }

    /// Tables of the original tool, one entry per scenario: its name and the table.
    ///
    /// # Errors
    /// The errors of [`Scenarios::tables`], and the failures of the original tool.
    pub fn original_tables(
        &self,
        folder: &str,
        generation: Generation,
        scorer: Scorer,
        csv: bool,
    ) -> Result<Vec<(String, String)>, WireError> {
        scenario_folders(Path::new(folder))?
            .into_iter()
            .map(|path| {
                let text = original::tabulate(&path, generation, scorer, csv).map_err(bad_file)?;
                Ok((name_of(&path), text))
            })
            .collect()
    }

    /// Unfinished trials of a scenario's results, or of all scenarios in a results folder.
    ///
    /// # Errors
    /// When there are no results, or they cannot be read.
    pub fn unfinished(&self, folder: &str) -> Result<Vec<UnfinishedTrial>, WireError> {
        let mut all = Vec::new();
        for folder in scenario_folders(Path::new(folder))? {
            let trials = remove_missing::incomplete(&folder).map_err(bad_file)?;
            all.extend(trials.into_iter().map(|incomplete| UnfinishedTrial {
                folder: folder.clone(),
                path: incomplete.path.display().to_string(),
                why: incomplete.why.clone(),
                incomplete,
            }));
        }
        Ok(all)
    }

    /// Moves the folders that [`Scenarios::unfinished`] found to the trash of their results.
    /// Returns their new paths.
    ///
    /// # Errors
    /// When a folder cannot be moved; the folders that were moved before stay in the trash.
    pub fn set_aside(&self, trials: &[UnfinishedTrial]) -> Result<Vec<String>, WireError> {
        let mut moved = Vec::new();
        for trial in trials {
            let now = remove_missing::set_aside(&trial.folder, std::slice::from_ref(&trial.incomplete))
                .map_err(super::prepare::claimed)?;
            moved.extend(now.iter().map(|path| path.display().to_string()));
        }
        Ok(moved)
    }

    /// Findings in one log, or in every log below a results folder. A finding is a problem that the
    /// verdict does not show.
    ///
    /// # Errors
    /// When the log does not exist or cannot be read.
    pub fn lint(&self, path: &str) -> Result<Vec<LintedLog>, WireError> {
        logs(Path::new(path))?
            .into_iter()
            .map(|log| {
                let text = log_text(&log)
                    .map_err(|error| bad_file(say!("{} cannot be read: {error}", log.display())))?;
                let log = log.display().to_string();
                let findings = lint(&text).into_iter();
                Ok(LintedLog { findings: findings.map(|finding| finding.in_file(&log)).collect(), log })
            })
            .collect()
    }
}

/// Scenario folders below `folder`, or `folder` itself if it contains trials.
pub(super) fn scenario_folders(folder: &Path) -> Result<Vec<PathBuf>, WireError> {
    if !folder.is_dir() {
        return Err(WireError::not_found(say!(
            "{} is not a folder; name the results of a scenario, as in results/<scenario>, or a results folder",
            folder.display()
        )));
    }
    // Canonical, since "." has no file name.
    let folder = folder.canonicalize().map_err(WireError::storage)?;
    let inside = layout::tasks(&folder).map_err(bad_file)?;
    if inside.iter().any(|task| !task.trials.is_empty()) {
        return Ok(vec![folder]);
    }
    let mut scenarios = Vec::new();
    for scenario in inside {
        let tasks = layout::tasks(&scenario.path).map_err(bad_file)?;
        if tasks.iter().any(|task| !task.trials.is_empty()) {
            scenarios.push(scenario.path);
        }
    }
    if scenarios.is_empty() {
        return Err(WireError::not_found(say!(
            "{} holds no results; name the results of a scenario, as in results/<scenario>, or a results folder",
            folder.display()
        )));
    }
    Ok(scenarios)
}

fn logs(path: &Path) -> Result<Vec<PathBuf>, WireError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let own = path.join(CONSOLE_LOG);
    if own.is_file() {
        return Ok(vec![own]);
    }
    let mut paths = Vec::new();
    for scenario in scenario_folders(path)? {
        for task in layout::tasks(&scenario).map_err(bad_file)? {
            let trials = task.trials.into_iter().map(|trial| trial.path.join(CONSOLE_LOG));
            paths.extend(trials.filter(|log| log.is_file()));
        }
    }
    Ok(paths)
}
