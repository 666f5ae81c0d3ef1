//! What is asked of results that are there: tables, what was not finished, what logs show. Nothing
//! is run here.

use super::prepare::bad_file;
use crate::Scenarios;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::name_of;
use koab_sandbox::layout;
use koab_sandbox::lint::{LogFinding, lint};
use koab_sandbox::markers::log_text;
use koab_sandbox::outcome::CONSOLE_LOG;
use koab_sandbox::remove_missing::{self, Incomplete};
use koab_sandbox::tabulate::original::{self, Generation};
use koab_sandbox::tabulate::{Scorer, Table, tabulate};
use koab_workspace::WireError;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The table of one scenario.
#[derive(Clone, Debug, Serialize)]
pub struct TabulatedScenario {
    /// Name of its folder.
    pub scenario: String,
    /// The folder.
    pub folder: String,
    /// Its trials and their sums.
    #[serde(flatten)]
    pub table: Table,
}

/// A trial, or an instance's folder without one, that holds no result.
#[derive(Clone, Debug, Serialize)]
pub struct UnfinishedTrial {
    /// The scenario's folder.
    #[serde(skip)]
    folder: PathBuf,
    #[serde(skip)]
    found: Incomplete,
    /// The folder without a result.
    pub path: String,
    /// Why it holds none, one sentence without its full stop.
    pub why: Sentence,
}

/// What one log shows.
#[derive(Clone, Debug, Serialize)]
pub struct LintedLog {
    /// The log.
    pub log: String,
    /// The gravest first, then by line.
    pub findings: Vec<LogFinding>,
}

impl Scenarios {
    /// The tables of a scenario's results, or of all scenarios in a results folder.
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

    /// Names of scenarios and the text that the original prints for each.
    ///
    /// # Errors
    /// As [`Scenarios::tables`], and where the original itself fails.
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

    /// What in a scenario's results, or in all of a results folder, holds no result.
    ///
    /// # Errors
    /// When there are no results, or they cannot be read.
    pub fn unfinished(&self, folder: &str) -> Result<Vec<UnfinishedTrial>, WireError> {
        let mut all = Vec::new();
        for folder in scenario_folders(Path::new(folder))? {
            let found = remove_missing::incomplete(&folder).map_err(bad_file)?;
            all.extend(found.into_iter().map(|found| UnfinishedTrial {
                folder: folder.clone(),
                path: found.path.display().to_string(),
                why: found.why.clone(),
                found,
            }));
        }
        Ok(all)
    }

    /// Moves what [`Scenarios::unfinished`] found to the trash of its results, and says where it is
    /// now.
    ///
    /// # Errors
    /// When the disk refuses; what was moved by then stays moved.
    pub fn set_aside(&self, found: &[UnfinishedTrial]) -> Result<Vec<String>, WireError> {
        let mut moved = Vec::new();
        for trial in found {
            let now = remove_missing::set_aside(&trial.folder, std::slice::from_ref(&trial.found))
                .map_err(super::prepare::claimed)?;
            moved.extend(now.iter().map(|path| path.display().to_string()));
        }
        Ok(moved)
    }

    /// What a log, or every log below a folder of results, shows that its verdict does not.
    ///
    /// # Errors
    /// When there is no log, or one cannot be read.
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

/// The folders of scenarios that `folder` stands for: itself, when there are trials in it, else
/// those in it.
pub(super) fn scenario_folders(folder: &Path) -> Result<Vec<PathBuf>, WireError> {
    if !folder.is_dir() {
        return Err(WireError::not_found(say!(
            "{} is not a folder; name the results of a scenario, as in results/<scenario>, or a results folder",
            folder.display()
        )));
    }
    // A name is needed, which "." has none of.
    let folder = folder.canonicalize().map_err(WireError::storage)?;
    let inside = layout::tasks(&folder).map_err(bad_file)?;
    if inside.iter().any(|task| !task.trials.is_empty()) {
        return Ok(vec![folder]);
    }
    let mut found = Vec::new();
    for scenario in inside {
        let tasks = layout::tasks(&scenario.path).map_err(bad_file)?;
        if tasks.iter().any(|task| !task.trials.is_empty()) {
            found.push(scenario.path);
        }
    }
    if found.is_empty() {
        return Err(WireError::not_found(say!(
            "{} holds no results; name the results of a scenario, as in results/<scenario>, or a results folder",
            folder.display()
        )));
    }
    Ok(found)
}

fn logs(path: &Path) -> Result<Vec<PathBuf>, WireError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let own = path.join(CONSOLE_LOG);
    if own.is_file() {
        return Ok(vec![own]);
    }
    let mut found = Vec::new();
    for scenario in scenario_folders(path)? {
        for task in layout::tasks(&scenario).map_err(bad_file)? {
            let trials = task.trials.into_iter().map(|trial| trial.path.join(CONSOLE_LOG));
            found.extend(trials.filter(|log| log.is_file()));
        }
    }
    Ok(found)
}
