//! Sweeps of the window: commands that plan, start, list and read them. The window sends the
//! content of a sweep's file.

use super::cells;
use super::file::{NONE, SweepFile, text_of};
use super::folder::SweepEntry;
use super::plan::SweepPlan;
use super::text::is_withheld;
use super::{Sweep, packs_of};
use crate::Compare;
use crate::ends::Ended;
use crate::progress::Progress;
use koab_analysis::sweep::SweepSummary;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::files::name_of;
use koab_engine::ports::{Cancel, EventSink};
use koab_library::ReportFile;
use koab_workspace::jobs::JobKind;
use koab_workspace::{ErrorCode, WireError};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ts_rs::TS;

/// A sweep in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepRow {
    /// Id of the sweep.
    pub id: String,
    /// Name of the sweep; empty if its file has no name.
    pub name: String,
    /// Name of the metric, as the sweep's file has it; empty if the file cannot be read.
    pub metric: String,
    /// Model ids.
    pub models: Vec<String>,
    /// Names of the packs.
    pub packs: Vec<String>,
    /// Number of combinations of a model and settings.
    pub cells: usize,
    /// Number of runs.
    pub runs: usize,
    /// Number of complete runs.
    pub made: usize,
    /// Time of the sweep's last start, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub begun_ms: u64,
    /// Reason why the sweep cannot be read or planned; null if it can.
    pub problem: Option<Sentence>,
}

/// A sweep with its plan and its results so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepView {
    /// Id of the sweep.
    pub id: String,
    /// Content of the sweep's file.
    pub file: SweepFile,
    /// Plan with the runs and the cost that remain.
    pub plan: SweepPlan,
    /// Results so far.
    pub table: SweepSummary,
}

impl Compare {
    /// Plans the sweep that the form describes. Writes nothing and makes no API calls.
    ///
    /// # Errors
    /// The errors of [`Compare::sweep`].
    pub fn sweep_plan(&self, file: SweepFile) -> Result<SweepPlan, WireError> {
        Ok(self.sweep_of(file)?.plan)
    }

    /// Starts or resumes a sweep as a job and returns its id. The job continues when the caller
    /// disconnects.
    ///
    /// # Errors
    /// The errors of [`Compare::sweep`]; when the sweep may cost too much, a model or judge cannot
    /// be reached, or a run or sweep is in progress.
    pub async fn sweep_start(&self, file: SweepFile) -> Result<String, WireError> {
        self.runs.check_idle()?;
        let this = self.clone();
        let task = tokio::task::spawn_blocking(move || {
            let sweep = this.sweep_of(file)?;
            if let Some(refusal) = &sweep.plan.refusal {
                return Err(WireError::bad_request(refusal.clone()));
            }
            Ok(sweep)
        });
        let sweep = task.await.map_err(WireError::internal)??;
        self.check_askable(&sweep).await?;
        let cancel = Cancel::new();
        let (id, watch) = self.begin_sweep(&sweep, &cancel)?;
        self.ends.forget(&id);
        let (this, of) = (self.clone(), id.clone());
        tokio::spawn(async move {
            let sink = || Arc::clone(&watch) as Arc<dyn EventSink>;
            let before = sweep.notes();
            let result = this.play_sweep(sweep, &sink, &cancel).await;
            if let Some(outcome) = ended(&result, &before) {
                this.ends.note(of, outcome);
            }
            // Runs that were queued in the meantime can begin now.
            watch.finish(result);
            this.runs.begin_next();
        });
        Ok(id)
    }

    /// Starts the job of a sweep, and returns the sweep's id with the job. Only one such job runs
    /// at a time.
    fn begin_sweep(&self, sweep: &Sweep, cancel: &Cancel) -> Result<(String, Arc<Progress>), WireError> {
        let (id, job) = self.runs.begin_several(JobKind::Sweep, cancel, || {
            let id = self.keep_sweep(sweep)?;
            let about = vec![id.clone(), sweep.file.name.clone()];
            Ok((id, about))
        })?;
        let watch = Progress::new(job, u64::from(sweep.plan.attempts));
        Ok((id, Arc::new(watch)))
    }

    /// Checks whether the models and judges of the remaining runs can be reached.
    ///
    /// # Errors
    /// When a model or judge cannot be reached. The error is one sentence with the reason.
    pub async fn check_askable(&self, sweep: &Sweep) -> Result<(), WireError> {
        for (model, base_url) in sweep.models().filter(|_| sweep.plan.attempts > 0) {
            if let Some(note) = withheld(model, base_url) {
                return Err(WireError::bad_request(note));
            }
            self.runs.models.check_model(model, base_url).await?;
        }
        if sweep.asks_judges() {
            let (judges, base_url) = sweep.judges();
            if let Some(note) = withheld(&judges.join(", "), base_url) {
                return Err(WireError::bad_request(note));
            }
            self.runs.scoring.check_judges(judges, base_url, &Default::default()).await?;
        }
        Ok(())
    }

    /// Sweeps that were started on the command line or in the window, newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn sweeps_list(&self) -> Result<Vec<SweepRow>, WireError> {
        let runs_by_name = self.sweep_runs()?;
        let is_made = |name: &String| runs_by_name.get(name).is_some_and(|run| run.is_complete);
        let mut contents = HashMap::new();
        let row = |entry: SweepEntry| {
            let read = entry.file.map(|file| {
                let names = self.run_names(&file, &mut contents);
                (file, names)
            });
            let (file, names) = match read {
                Ok((file, names)) => (Some(file), names),
                Err(problem) => (None, Err(problem)),
            };
            let (cells, names, problem) = match names {
                Ok((cells, names)) => (cells, names, None),
                Err(problem) => (0, Vec::new(), Some(problem.message)),
            };
            SweepRow {
                id: entry.id,
                name: file.as_ref().map(|file| file.name.clone()).unwrap_or_default(),
                metric: file.as_ref().map(|file| file.metric.clone()).unwrap_or_default(),
                models: file
                    .iter()
                    .flat_map(|file| file.models.iter().map(|model| model.id.clone()))
                    .collect(),
                packs: file.and_then(|file| file.packs).unwrap_or_default(),
                cells,
                runs: names.len(),
                made: names.iter().filter(|name| is_made(name)).count(),
                begun_ms: entry.begun_ms,
                problem,
            }
        };
        Ok(self.kept_sweeps()?.into_iter().map(row).collect())
    }

    /// Number of cells of a sweep, and the names of its runs.
    fn run_names(
        &self,
        file: &SweepFile,
        contents: &mut HashMap<Option<String>, String>,
    ) -> Result<(usize, Vec<String>), WireError> {
        let cells = cells::cells(file, &shown(file))?;
        let mut names = Vec::new();
        for pack in packs_of(file) {
            if !contents.contains_key(&pack) {
                contents.insert(pack.clone(), self.content(pack.as_deref())?.1);
            }
            for cell in &cells {
                let request = cell.request(file, pack.clone())?;
                names.push(cell.run_name(file, &request, &contents[&pack]));
            }
        }
        Ok((cells.len(), names))
    }

    /// A started sweep with its results so far.
    ///
    /// # Errors
    /// When there is no such sweep, or a model, pack or task that it names no longer exists.
    pub fn sweep_show(&self, id: &str) -> Result<SweepView, WireError> {
        let file = self.kept_sweep(id)?.file?;
        let sweep = self.sweep_of(file)?;
        let mut table = self.table(&sweep)?;
        // A sweep that ended early here may have been completed by another process.
        if let Some(outcome) = self.ends.last(id).filter(|_| table.done < table.runs) {
            table.stopped = outcome.stopped;
            table.notes.extend(outcome.failed);
        }
        if table.done < table.runs {
            table.notes.extend(sweep.models().filter_map(|(model, at)| withheld(model, at)));
            let (judges, at) = sweep.judges();
            table.notes.extend(withheld(&judges.join(", "), at));
        }
        Ok(SweepView { id: id.to_owned(), table, plan: sweep.plan, file: sweep.file })
    }

    /// Reads a sweep's file for the form, including the texts in files next to it. Among several
    /// paths, only one may be the path of a sweep.
    ///
    /// # Errors
    /// When none of the files or more than one file is a sweep, or a text cannot be read.
    pub fn sweep_open(&self, paths: &[PathBuf]) -> Result<SweepFile, WireError> {
        let mut read: Option<SweepFile> = None;
        let mut problem: Option<(bool, WireError)> = None;
        for path in paths {
            match SweepFile::read(path).and_then(|file| file.check(&name_of(path)).map(|()| file)) {
                Ok(_) if read.is_some() => {
                    return Err(WireError::bad_request(say!(
                        "two of the files are sweeps; open one at a time"
                    )));
                }
                Ok(file) => read = Some(file),
                // The texts next to a sweep are not sweeps, so the error of the file that was meant
                // to be a sweep is reported.
                Err(error) => {
                    let is_meant = is_meant(path);
                    if problem.as_ref().is_none_or(|(other, _)| is_meant && !other) {
                        problem = Some((is_meant, error));
                    }
                }
            }
        }
        match (read, problem) {
            (Some(file), _) => file.whole(),
            (None, Some((_, error))) => Err(error),
            (None, None) => Err(WireError::bad_request(say!("no file was chosen"))),
        }
    }

    /// The file that `koab sweep` reads, with all texts included and possible secrets removed.
    ///
    /// # Errors
    /// When a text is missing, or a number is too large for TOML.
    pub fn sweep_save(&self, file: &SweepFile) -> Result<ReportFile, WireError> {
        check_has_texts(file)?;
        Ok(ReportFile {
            name: "sweep.toml".to_owned(),
            media: "application/toml".to_owned(),
            text: file.whole()?.without_secrets().text()?,
            beside: Vec::new(),
        })
    }

    /// Removes a sweep from the list; its runs and reports stay.
    ///
    /// # Errors
    /// When there is no such sweep, it is still running, or its file cannot be removed.
    pub fn sweep_forget(&self, id: &str) -> Result<(), WireError> {
        self.kept_sweep(id)?;
        let jobs = self.workspace.jobs().into_iter();
        let mut own =
            jobs.filter(|job| job.kind == JobKind::Sweep && job.about.first().is_some_and(|of| of == id));
        if own.any(|job| !job.finished) {
            return Err(WireError::busy(say!("the sweep is under way; cancel it first")));
        }
        std::fs::remove_file(self.sweep_file(id)?).map_err(WireError::internal)
    }

    /// Plans a sweep that was not read from a path.
    fn sweep_of(&self, file: SweepFile) -> Result<Sweep, WireError> {
        check_has_texts(&file)?;
        let name = shown(&file);
        self.planned(file, &name, true)
    }
}

/// Refuses names of files without a text in the sweep. A sweep that was not read from a path has no
/// folder, and files of the working folder must not be sent to a model.
fn check_has_texts(file: &SweepFile) -> Result<(), WireError> {
    let settings = &file.settings;
    let mut names = [&settings.system_prompt, &settings.tool_texts].into_iter().flatten().flatten();
    match names.find(|name| *name != NONE && !file.texts.contains_key(*name)) {
        Some(name) => Err(WireError::bad_request(say!("{name} has no text; add it to the form"))),
        None => Ok(()),
    }
}

/// Note that an address was stored without its password or query, so that the user must enter it
/// again.
fn withheld(model: &str, address: Option<&str>) -> Option<Sentence> {
    address.filter(|address| is_withheld(address)).map(|_| {
        say!(
            "the address of {model} was kept without its password and query; give it again before continuing"
        )
    })
}

/// Whether a file that is not a valid sweep was probably intended as a sweep.
fn is_meant(path: &Path) -> bool {
    let is_toml = path.extension().is_some_and(|ending| ending == "toml");
    is_toml && text_of(path).is_ok_and(|text| text.contains("[[models]]") || text.contains("[settings]"))
}

/// Outcome of a sweep to remember. `before` are the notes that its table already has.
fn ended(played: &Result<SweepSummary, WireError>, before: &[Sentence]) -> Option<Ended> {
    match played {
        Ok(summary) => {
            let own = summary.notes.iter().filter(|note| !before.contains(note));
            Some(Ended { stopped: summary.stopped.clone(), failed: own.cloned().collect() })
        }
        Err(error) if error.code == ErrorCode::Cancelled => None,
        Err(error) => Some(Ended { stopped: Some(error.message.clone()), failed: Vec::new() }),
    }
}

/// Name for messages about a sweep that was not read from a path.
fn shown(file: &SweepFile) -> String {
    if file.name.is_empty() { "sweep.toml".to_owned() } else { file.name.clone() }
}

#[cfg(test)]
mod tests {
    use super::ended;
    use koab_core::say;
    use koab_workspace::WireError;

    #[test]
    fn a_sweep_that_breaks_off_says_why_and_a_cancelled_one_does_not() {
        let broken = ended(&Err(WireError::bad_request(say!("the disk is full"))), &[]);
        let stopped = broken.and_then(|ended| ended.stopped);
        assert_eq!(stopped, Some(say!("the disk is full")));
        let cancelled = WireError::cancelled(say!("cancelled"));
        assert!(ended(&Err(cancelled), &[]).is_none());
    }
}
