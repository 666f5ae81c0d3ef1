//! Reads a run with its logs, and the tasks that the logs belong to.

use crate::Library;
use crate::options::{EvaluateOptions, RunChoice};
use crate::run::Run;
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::say;
use koab_report::Dataset;
use koab_store::journal_index::JournalIndex;
use koab_store::runs;
use koab_workspace::{WireError, if_found};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

impl Library {
    /// Reads a run with its logs and its manifest.
    ///
    /// # Errors
    /// When the run does not exist or cannot be read.
    pub fn read_run(&self, options: &EvaluateOptions) -> Result<Run, WireError> {
        let logs_folder = options.logs.clone().unwrap_or_else(|| self.workspace.home().logs());
        let (entry, execution_date, folder_name) = match &options.run {
            RunChoice::Run(run) => {
                let entry = self.run_meant_in(&logs_folder, run)?;
                let date: String = entry.date.chars().take(8).collect();
                let name = format!("{}_{}", entry.model_folder, entry.date.replace('_', "-"));
                (entry, date, name)
            }
            RunChoice::Date { date, model } => {
                let entry = runs::find_by_date(&logs_folder, model, date)?;
                let name = format!("{}_{date}", entry.model_folder);
                (entry, date.clone(), name)
            }
        };
        let (there, mut logs) = (&entry.run.levels, Vec::new());
        // Levels of Ko-AgentBench that were not run are left out, like in the published tool.
        let is_of_another = |level: &Level| !Level::ALL.contains(level);
        let is_unknown = |level: &&Level| {
            !there.contains_key(level) && (is_of_another(level) || there.keys().any(is_of_another))
        };
        if let Some(level) = options.levels.iter().find(is_unknown) {
            let groups: Vec<&str> = there.keys().map(|group| group.as_str()).collect();
            return Err(WireError::bad_request(say!(
                "run {run} has no group {level}; its groups are {groups}",
                run = entry.id,
                groups = groups.join(", ")
            )));
        }
        for level in entry.run.levels.keys() {
            if options.levels.is_empty() || options.levels.contains(level) {
                let document = entry.run.level(level)?;
                let log = LevelLog::read_as(level.clone(), &document).map_err(|error| {
                    let file = entry.run.levels[level].display();
                    WireError::bad_file(say!("{file} is not a run log: {error}"))
                })?;
                logs.push(log);
            }
        }
        if logs.is_empty() {
            let folder = entry.run.folder.display();
            return Err(WireError::not_found(say!(
                "{folder} has no log of the chosen levels; run them first"
            )));
        }
        let manifest = entry.run.manifest()?;
        let problems = if entry.run.has_journal() {
            let journal = self.inner.kept.journal(&entry.run.folder)?;
            journal.problems(manifest.as_ref())
        } else {
            Vec::new()
        };
        Ok(Run { entry, manifest, problems, logs, attempts: None, execution_date, folder_name })
    }

    /// Returns the tasks of the run as the dataset defines them, because logs lack some of their
    /// data. They come from the run's pack, or from the active pack. Empty if no pack is installed.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub fn dataset(&self, run: &Run) -> Result<Dataset, WireError> {
        if let Some(log) = run.logs.iter().find(|log| log.level.place().is_none()) {
            let items = self.items_of(&log.level, run.pack().as_deref())?;
            return Ok(items.unwrap_or_default());
        }
        let pack = match &run.manifest {
            Some(manifest) => self.workspace.installed_pack(&manifest.spec.pack)?,
            None => self.workspace.active_pack()?,
        };
        let Some(pack) = pack else {
            return Ok(Dataset::none());
        };
        // Another pack may have other tasks with the same ids, so only tasks with the log's
        // instruction count.
        let logged = |id: &str| {
            let mut tasks = run.logs.iter().flat_map(|log| &log.tasks);
            tasks.find(|t| t.id == id).map(|t| t.get("instruction").clone())
        };
        let tasks = pack.tasks.into_values().flatten();
        let same = tasks
            .filter(|task| logged(&task.id).is_some_and(|text| text.as_str() == Some(task.instruction())));
        Ok(Dataset::from_tasks(same.map(|task| Value::Object(task.raw))))
    }

    /// Returns the items (tasks with their scoring rules) of another benchmark's pack for a run of
    /// this group; `None` for a level of Ko-AgentBench, and if the items are not installed.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub(crate) fn items_of(&self, level: &Level, pack: Option<&str>) -> Result<Option<Dataset>, WireError> {
        // Items of another version may have other answers with the same ids.
        match pack {
            Some(label) if level.place().is_none() => {
                Ok(if_found(self.packs.scoring(label))?.map(|scoring| Dataset::of_items(scoring)))
            }
            _ => Ok(None),
        }
    }

    /// Returns the index of the journal in a run's folder: the positions of its attempts.
    ///
    /// # Errors
    /// When the run has no journal, or the journal cannot be read.
    pub fn journal(&self, folder: &Path) -> Result<Arc<JournalIndex>, WireError> {
        self.inner.kept.journal(folder)
    }

    /// Returns the folder of a run of this process. `run` is the id that the run had in its request
    /// ([`RunRequest::run`](crate::wire::RunRequest::run)).
    pub fn folder_of(&self, run: &str) -> Option<String> {
        self.live_run(run)?.folder()
    }
}
