//! Sweeps for the window: planned from its form, begun as a job, listed and read. What it sends is
//! a sweep's file.

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
use koab_runs::{ErrorCode, ReportFile, WireError};
use koab_workspace::jobs::JobKind;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ts_rs::TS;

/// A sweep in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepRow {
    /// Its id.
    pub id: String,
    /// Its name; empty where its file gives none.
    pub name: String,
    /// Name of the metric.
    pub metric: String,
    /// Its models.
    pub models: Vec<String>,
    /// Its packs by name.
    pub packs: Vec<String>,
    /// Choices of model and settings.
    pub cells: usize,
    /// Runs in all.
    pub runs: usize,
    /// Runs that are complete.
    pub made: usize,
    /// When it was last begun, milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub begun_ms: u64,
    /// Why it cannot be read or planned as it is; null where it can.
    pub problem: Option<Sentence>,
}

/// A sweep with what is made of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepView {
    /// Its id.
    pub id: String,
    /// What its file says.
    pub file: SweepFile,
    /// What is left of it.
    pub plan: SweepPlan,
    /// What is known so far.
    pub table: SweepSummary,
}

impl Compare {
    /// Plans what the form says. Writes nothing and asks nobody.
    ///
    /// # Errors
    /// As [`Compare::sweep`].
    pub fn sweep_plan(&self, file: SweepFile) -> Result<SweepPlan, WireError> {
        Ok(self.sweep_of(file)?.plan)
    }

    /// Begins or goes on with a sweep as a job and gives its id; it goes on when whoever asked goes
    /// away.
    ///
    /// # Errors
    /// As [`Compare::sweep`]; when it may cost too much, a model or judge cannot be asked, or a run
    /// or sweep is under way.
    pub async fn sweep_start(&self, file: SweepFile) -> Result<String, WireError> {
        self.runs.check_idle()?;
        let this = self.clone();
        let planned = tokio::task::spawn_blocking(move || {
            let sweep = this.sweep_of(file)?;
            if let Some(refusal) = &sweep.plan.refusal {
                return Err(WireError::bad_request(refusal.clone()));
            }
            Ok(sweep)
        });
        let sweep = planned.await.map_err(WireError::internal)??;
        self.check_askable(&sweep).await?;
        let cancel = Cancel::new();
        let (id, watch) = self.begin_sweep(&sweep, &cancel)?;
        self.ends.forget(&id);
        let (this, of) = (self.clone(), id.clone());
        tokio::spawn(async move {
            let sink = || Arc::clone(&watch) as Arc<dyn EventSink>;
            let before = sweep.notes();
            let played = this.play_sweep(sweep, &sink, &cancel).await;
            if let Some(ended) = ended(&played, &before) {
                this.ends.note(of, ended);
            }
            // Runs that were queued meanwhile waited for it.
            watch.finish(played);
            this.runs.begin_next();
        });
        Ok(id)
    }

    /// Begins the job of a sweep, of which there is one at a time, and gives the sweep's id with
    /// it.
    fn begin_sweep(&self, sweep: &Sweep, cancel: &Cancel) -> Result<(String, Arc<Progress>), WireError> {
        let (id, job) = self.runs.begin_several(JobKind::Sweep, cancel, || {
            let id = self.keep_sweep(sweep)?;
            let about = vec![id.clone(), sweep.file.name.clone()];
            Ok((id, about))
        })?;
        let watch = Progress::new(job, u64::from(sweep.plan.attempts));
        Ok((id, Arc::new(watch)))
    }

    /// Finds out whether models and judges of what is left can be asked.
    ///
    /// # Errors
    /// One sentence on why not.
    pub async fn check_askable(&self, sweep: &Sweep) -> Result<(), WireError> {
        for (model, base_url) in sweep.models().filter(|_| sweep.plan.attempts > 0) {
            if let Some(note) = withheld(model, base_url) {
                return Err(WireError::bad_request(note));
            }
            self.runs.scoring.check_model(model, base_url).await?;
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

    /// Sweeps that were begun, on the command line or here, the newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn sweeps_list(&self) -> Result<Vec<SweepRow>, WireError> {
        let made = self.sweep_runs()?;
        let is_made = |name: &String| made.get(name).is_some_and(|run| run.is_complete);
        let mut contents = HashMap::new();
        let row = |kept: SweepEntry| {
            let read = kept.file.map(|file| {
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
                id: kept.id,
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
                begun_ms: kept.begun_ms,
                problem,
            }
        };
        Ok(self.kept_sweeps()?.into_iter().map(row).collect())
    }

    /// Its cells and the names of its runs.
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

    /// A sweep that was begun, with what is made of it by now.
    ///
    /// # Errors
    /// When there is no such sweep, or what it names is there no more.
    pub fn sweep_show(&self, id: &str) -> Result<SweepView, WireError> {
        let file = self.kept_sweep(id)?.file?;
        let sweep = self.sweep_of(file)?;
        let mut table = self.table(&sweep)?;
        // What ended early here may be complete by now, by whoever went on with it.
        if let Some(ended) = self.ends.last(id).filter(|_| table.done < table.runs) {
            table.stopped = ended.stopped;
            table.notes.extend(ended.failed);
        }
        if table.done < table.runs {
            table.notes.extend(sweep.models().filter_map(|(model, at)| withheld(model, at)));
            let (judges, at) = sweep.judges();
            table.notes.extend(withheld(&judges.join(", "), at));
        }
        Ok(SweepView { id: id.to_owned(), table, plan: sweep.plan, file: sweep.file })
    }

    /// Reads a sweep's file for the form, with the texts that lie beside it. Of several paths the
    /// one that is a sweep counts.
    ///
    /// # Errors
    /// When none of them is a sweep, or a text cannot be read.
    pub fn sweep_open(&self, paths: &[PathBuf]) -> Result<SweepFile, WireError> {
        let mut read: Option<SweepFile> = None;
        let mut refused: Option<(bool, WireError)> = None;
        for path in paths {
            match SweepFile::read(path).and_then(|file| file.check(&name_of(path)).map(|()| file)) {
                Ok(_) if read.is_some() => {
                    return Err(WireError::bad_request(say!(
                        "two of the files are sweeps; open one at a time"
                    )));
                }
                Ok(file) => read = Some(file),
                // What lies beside a sweep is none, and what is wrong with the sweep is what
                // counts.
                Err(error) => {
                    let is_meant = is_meant(path);
                    if refused.as_ref().is_none_or(|(other, _)| is_meant && !other) {
                        refused = Some((is_meant, error));
                    }
                }
            }
        }
        match (read, refused) {
            (Some(file), _) => file.whole(),
            (None, Some((_, error))) => Err(error),
            (None, None) => Err(WireError::bad_request(say!("no file was chosen"))),
        }
    }

    /// The file that `koab sweep` reads, with all texts in it and without what may be a secret.
    ///
    /// # Errors
    /// When a text is not in it, or a number is too large for TOML.
    pub fn sweep_save(&self, file: &SweepFile) -> Result<ReportFile, WireError> {
        check_has_texts(file)?;
        Ok(ReportFile {
            name: "sweep.toml".to_owned(),
            media: "application/toml".to_owned(),
            text: file.whole()?.without_secrets().text()?,
            beside: Vec::new(),
        })
    }

    /// Takes a sweep out of the list; its runs and reports stay.
    ///
    /// # Errors
    /// When there is no such sweep, it is under way, or its file cannot be removed.
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

    /// Plans a file that came from no path.
    fn sweep_of(&self, file: SweepFile) -> Result<Sweep, WireError> {
        check_has_texts(&file)?;
        let shown = shown(&file);
        self.planned(file, &shown, true)
    }
}

/// Refuses names without a text: what came from no path has no folder, and nothing of the working
/// folder is sent to a model.
fn check_has_texts(file: &SweepFile) -> Result<(), WireError> {
    let settings = &file.settings;
    let mut names = [&settings.system_prompt, &settings.tool_texts].into_iter().flatten().flatten();
    match names.find(|name| *name != NONE && !file.texts.contains_key(*name)) {
        Some(name) => Err(WireError::bad_request(say!("{name} has no text; add it to the form"))),
        None => Ok(()),
    }
}

/// What is to be done about an address that is no more as it was given.
fn withheld(model: &str, address: Option<&str>) -> Option<Sentence> {
    address.filter(|address| is_withheld(address)).map(|_| {
        say!(
            "the address of {model} was kept without its password and query; give it again before continuing"
        )
    })
}

/// Whether a file that is no sweep was to be one.
fn is_meant(path: &Path) -> bool {
    let is_toml = path.extension().is_some_and(|ending| ending == "toml");
    is_toml && text_of(path).is_ok_and(|text| text.contains("[[models]]") || text.contains("[settings]"))
}

/// What is told of a sweep's end; `before`: what its table says anyway.
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

/// What a sweep without a path is called in sentences.
fn shown(file: &SweepFile) -> String {
    match file.name.is_empty() {
        true => "sweep.toml".to_owned(),
        false => file.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::ended;
    use koab_core::say;
    use koab_runs::WireError;

    #[test]
    fn a_sweep_that_breaks_off_says_why_and_a_cancelled_one_does_not() {
        let broken = ended(&Err(WireError::bad_request(say!("the disk is full"))), &[]);
        let stopped = broken.and_then(|ended| ended.stopped);
        assert_eq!(stopped, Some(say!("the disk is full")));
        let cancelled = WireError::cancelled(say!("cancelled"));
        assert!(ended(&Err(cancelled), &[]).is_none());
    }
}
