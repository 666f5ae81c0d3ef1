//! Opens a run for reading: its entry, levels and pack.

use super::OpenRun;
use crate::Library;
use koab_core::level::Level;
use koab_core::log::LevelLog;
use koab_core::pack::Pack;
use koab_core::run_record::AttemptSummary;
use koab_core::say;
use koab_store::RunFolder;
use koab_store::runs::{self, RunEntry};
use koab_workspace::{WireError, if_found};
use std::path::PathBuf;
use std::sync::Arc;

impl Library {
    /// Returns a run by its id, by its folder, or by the id in the request with which this process
    /// makes the run.
    pub(crate) fn entry_of(&self, run: &str) -> Result<RunEntry, WireError> {
        let logs = self.workspace.home().logs();
        let run = self.folder_of(run).unwrap_or_else(|| run.to_owned());
        // Most ids contain the folder; only other ids need a search through all runs.
        match directly(&logs, &run) {
            Some(entry) => Ok(entry),
            None => self.run_meant(&run),
        }
    }

    /// Opens a run with its manifest and journal.
    pub fn open_run(&self, run: &str) -> Result<OpenRun, WireError> {
        self.open_entry(self.entry_of(run)?)
    }

    /// Opens a listed run with its manifest and journal.
    pub(crate) fn open_entry(&self, entry: RunEntry) -> Result<OpenRun, WireError> {
        let manifest = entry.run.manifest()?;
        let journal = self.inner.kept.journal(&entry.run.folder)?;
        Ok(OpenRun { entry, manifest, journal })
    }

    /// Returns the log of a level.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn level(&self, opened: &OpenRun, level: &Level) -> Result<Arc<LevelLog>, WireError> {
        let run = &opened.entry.run;
        let path = run.levels.get(level).cloned().unwrap_or_else(PathBuf::new);
        self.inner.kept.levels.file(&path, || {
            LevelLog::read_as(level.clone(), &run.level(level)?)
                .map_err(|error| WireError::bad_file(say!("{} is not a run log: {error}", path.display())))
        })
    }

    /// Returns the level of a task. The level is in the journal or the plan; otherwise the logs are
    /// searched, beginning with the level that the task's id names.
    pub fn level_of(
        &self,
        opened: &OpenRun,
        task: &str,
        lines: &[&AttemptSummary],
    ) -> Result<Level, WireError> {
        if let Some(line) = lines.first() {
            return Ok(line.level.clone());
        }
        let plan = opened.planned();
        if let Some(plan) = plan.iter().find(|plan| plan.tasks.iter().any(|id| id == task)) {
            return Ok(plan.level.clone());
        }
        let level_in_id = task.get(..2).and_then(|level| level.parse::<Level>().ok());
        let mut levels: Vec<&Level> = opened.entry.run.levels.keys().collect();
        levels.sort_by_key(|level| Some(*level) != level_in_id.as_ref());
        for level in levels {
            let log = self.level(opened, level)?;
            if log.tasks.iter().any(|logged| logged.id == task) {
                return Ok(level.clone());
            }
            if let Some(skipped) = log.skipped.iter().find(|skipped| skipped.id == task) {
                return Err(WireError::bad_file(say!(
                    "{task} in the log of {level} of the run {} cannot be read: {}",
                    opened.entry.id,
                    skipped.reason
                )));
            }
        }
        Err(WireError::not_found(say!("the run {} has no task {task}", opened.entry.id)))
    }

    /// Returns the pack of the run, or the installed version of it. If the run does not name a
    /// pack, returns the active pack. `None` if the pack is not installed.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub fn pack_of(&self, opened: &OpenRun) -> Result<Option<Arc<Pack>>, WireError> {
        let name = match opened.pack() {
            Some(label) => Some(self.workspace.pack_of_label(&label)?),
            None => self.workspace.store()?.active_pack()?,
        };
        match name {
            Some(name) => if_found(self.packs.recent(&name)),
            None => Ok(None),
        }
    }

    /// Returns the model id of a run, from its manifest or its log.
    pub fn model_of(&self, opened: &OpenRun, log: Option<&LevelLog>) -> String {
        let model = opened.spec().map(|spec| spec.model.clone());
        model
            .or_else(|| Some(log?.metadata.get("model")?.as_str()?.to_owned()))
            .unwrap_or_else(|| opened.entry.model_folder.clone())
    }
}

/// Returns the run with an id in the form `<model folder>/<date>`, without listing other runs.
fn directly(logs: &std::path::Path, id: &str) -> Option<RunEntry> {
    let (model, date) = id.split_once('/')?;
    let plain = |name: &str| !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    if !plain(model) || !plain(date) {
        return None;
    }
    let run = RunFolder::open(&logs.join(runs::BY_MODEL).join(model).join(date)).ok()?;
    Some(RunEntry { id: id.to_owned(), model_folder: model.to_owned(), date: date.to_owned(), run })
}
