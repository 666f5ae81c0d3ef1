//! The list of runs, from the files of each run and from the user's tags and notes.

use crate::Library;
use crate::names;
use crate::wire::{RunLevel, RunPart, RunStatus, RunSummary};
use koab_cluster::EngineKind;
use koab_core::event::RunOutcome;
use koab_core::run_record::AgentSpec;
use koab_core::say;
use koab_core::sentence::ToSentence as _;
use koab_store::runs::{self, RunEntry};
use koab_store::verdict_shards::JUDGING;
use koab_store::{Remark, RunLock};
use koab_workspace::WireError;
use koab_workspace::connections::Connection;
use std::collections::HashMap;

impl Library {
    /// Returns all runs, the newest first.
    ///
    /// # Errors
    /// When the logs folder cannot be read. A run whose manifest cannot be read is listed as
    /// incomplete.
    pub fn runs_list(&self) -> Result<Vec<RunSummary>, WireError> {
        let mut remarks = if self.workspace.home().database().exists() {
            self.workspace.store()?.run_remarks()?
        } else {
            HashMap::new()
        };
        let connections = self.connections();
        let summaries = runs::list(&self.workspace.home().logs())?.into_iter().map(|entry| {
            let run = self.summary(&entry, &connections);
            match remarks.remove(&run.id) {
                Some(remark) => with_remark(run, remark),
                None => run,
            }
        });
        Ok(summaries.collect())
    }

    /// Replaces the user's tags and note of a run. Tags are trimmed and deduplicated. They are
    /// stored in the workspace's database; the run's files do not change.
    ///
    /// # Errors
    /// When the run does not exist, or the database cannot be written.
    pub fn run_remark(&self, id: &str, tags: Vec<String>, note: String) -> Result<RunSummary, WireError> {
        let run = self.summary(&self.run_meant(id)?, &self.connections());
        let remark = Remark::new(tags, note);
        self.workspace.store()?.set_run_remark(&run.id, &remark)?;
        Ok(with_remark(run, remark))
    }

    /// Sets the note of a run to the purpose of the run. A note of the user is not replaced, and
    /// tags do not change.
    ///
    /// # Errors
    /// When the run does not exist, or the database cannot be read or written.
    pub fn run_note(&self, id: &str, note: String) -> Result<(), WireError> {
        let run = self.run_show(id)?;
        if run.note.is_empty() {
            self.run_remark(id, run.tags, note)?;
        }
        Ok(())
    }

    /// Returns one run by its id or folder.
    ///
    /// # Errors
    /// When the run does not exist.
    pub fn run_show(&self, id: &str) -> Result<RunSummary, WireError> {
        let run = self.summary(&self.run_meant(id)?, &self.connections());
        if !self.workspace.home().database().exists() {
            return Ok(run);
        }
        let remark = self.workspace.store()?.run_remark(&run.id)?;
        Ok(with_remark(run, remark))
    }

    /// Returns the run to resume, by its id or folder, or by `last`.
    ///
    /// `last` is the newest run with missing or failed attempts that no process is making.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn to_resume(&self, id: &str) -> Result<RunEntry, WireError> {
        let logs = self.workspace.home().logs();
        if id != "last" {
            return self.run_meant(id);
        }
        let unfinished = |entry: &RunEntry| self.summary(entry, &[]).resume.is_some();
        let all = runs::list(&logs)?;
        let newest = all.first().map(|entry| entry.id.clone());
        all.into_iter().find(unfinished).ok_or_else(|| {
            WireError::not_found(match newest {
                // A run that was killed during its scoring has all its attempts.
                Some(id) => say!(
                    "no run is unfinished; to score the newest, or to continue its scoring, use `koab score {id}`"
                ),
                None => say!("no run is unfinished, and there is none; make one with `koab run`"),
            })
        })
    }

    /// Returns the row of a run in the list of runs, without the user's tags and note.
    pub fn summary(&self, entry: &RunEntry, connections: &[Connection]) -> RunSummary {
        let read = entry.run.manifest();
        // Published logs have no manifest and are complete. An unreadable manifest does not mean
        // that.
        let published = matches!(&read, Ok(None)) && !entry.run.levels.is_empty();
        let submission = koab_cluster::Submission::read(&entry.run.folder);
        let judging = koab_cluster::Submission::read(&entry.run.folder.join(JUDGING));
        let unreadable = (read.as_ref().err().map(|error| error.to_sentence()))
            .or_else(|| submission.as_ref().err().map(|error| error.to_sentence()))
            .or_else(|| judging.as_ref().err().map(|error| error.to_sentence()));
        let manifest = read.ok().flatten();
        let levels: Vec<RunLevel> = match &manifest {
            Some(manifest) => manifest
                .levels
                .iter()
                .map(|plan| RunLevel { level: plan.level.clone(), tasks: Some(plan.tasks.len() as u32) })
                .collect(),
            // Published logs have no manifest. Counting their tasks would mean reading megabytes,
            // but the logs contain the number.
            None => entry
                .run
                .levels
                .keys()
                .map(|level| RunLevel { level: level.clone(), tasks: entry.run.tasks_told(level) })
                .collect(),
        };
        let outcome = manifest.as_ref().and_then(|manifest| manifest.outcome);
        let complete = published || outcome == Some(RunOutcome::Completed);
        let held_by =
            if complete { None } else { RunLock::holder(&entry.run.folder).map(|holder| holder.pid) };
        let engine_of = |submission: koab_cluster::Submission| submission.engine;
        let remote = submission.ok().flatten().map(engine_of);
        let status = manifest.as_ref().map(|manifest| {
            // The manifest of a running or killed run is from its start.
            let (done, uncounted) = match outcome {
                // Attempts of a cluster's workers count before the merge, as on the run's page.
                _ if remote.is_some() && !complete => self.done_remotely(entry, manifest),
                Some(_) => (manifest.attempts.counts.done, None),
                None => (self.inner.kept.ended(&entry.run.folder), None),
            };
            RunStatus {
                outcome,
                reason: manifest.reason.clone(),
                planned: manifest.attempts.counts.planned,
                done,
                failed: manifest.attempts.counts.failed,
                max_cost: manifest.spec.max_cost,
                max_total_tokens: manifest.spec.max_total_tokens,
                here: held_by == Some(std::process::id()),
                uncounted,
            }
        });
        // Attempts that failed for technical reasons are made again too.
        let is_whole = complete && status.as_ref().is_none_or(|status: &RunStatus| status.failed == 0);
        let usd = manifest.as_ref().and_then(|manifest| manifest.spending.as_ref()?.usd);
        let manifest_model = match &manifest {
            Some(manifest) => Some(manifest.model.clone()),
            None => entry.run.model().ok().flatten(),
        };
        let mut model = manifest_model.unwrap_or_else(|| entry.model_folder.clone());
        let spec = manifest.map(|manifest| manifest.spec);
        let mut address = spec.as_ref().and_then(|spec| spec.base_url.clone());
        names::name(connections, &mut model, &mut address);
        let there = match remote {
            Some(EngineKind::Slurm) => " --on slurm",
            Some(EngineKind::Kubernetes) => " --on kubernetes",
            None => "",
        };
        RunSummary {
            status,
            id: entry.id.clone(),
            model,
            address,
            date: entry.date.clone(),
            protocol: spec.as_ref().map(|spec| spec.settings.protocol),
            levels,
            complete,
            held_by,
            resume: (!is_whole && held_by.is_none() && unreadable.is_none())
                .then(|| format!("koab run --resume {}{there}", entry.id)),
            usd,
            cache_mode: spec.as_ref().and_then(|spec| spec.cache_mode),
            overlay: spec.as_ref().and_then(|spec| spec.overlay),
            completes: spec.as_ref().and_then(|spec| spec.completes.clone()),
            agent: spec.as_ref().and_then(|spec| spec.agent.as_ref().map(AgentSpec::label)),
            part_of: spec.as_ref().and_then(RunPart::from_spec),
            pack: spec.map(|spec| spec.pack).or_else(|| entry.run.pack_of_logs()),
            remote,
            judging: judging.ok().flatten().map(engine_of),
            unreadable,
            tags: Vec::new(),
            note: String::new(),
            folder: entry.run.folder.display().to_string(),
        }
    }
}

fn with_remark(run: RunSummary, Remark { tags, note }: Remark) -> RunSummary {
    RunSummary { tags, note, ..run }
}
