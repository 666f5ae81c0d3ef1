//! Runs that the workspace keeps: list, show, delete, and what is needed to go on with one.

use crate::names;
use crate::wire::{PackRemoval, RunLevel, RunPart, RunRequest, RunStatus, RunSummary, WireError};
use crate::{Library, Runs, Scoring};
use koab_cluster::EngineKind;
use koab_core::cache_source::SnapshotRef;
use koab_core::event::RunOutcome;
use koab_core::pack_identity::PackIdentity;
use koab_core::run_record::{
    AgentSpec, AttemptSummary, Attempts, CacheMode, OpenSteps, RunManifest, RunSpec, TokenUsage,
};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_models::concurrency;
use koab_models::local_models::{LocalRun, LocalSettings};
use koab_store::runs::{self, RunEntry};
use koab_store::verdict_shards::JUDGING;
use koab_store::{Remark, RunLock};
use koab_workspace::connections::Connection;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::PathBuf;

/// A run that is to go on: how it was made, and what its journal holds.
pub(crate) struct EarlierRun {
    /// The run, by its name in the workspace.
    pub(crate) id: String,
    pub(crate) spec: RunSpec,
    pub(crate) tasks: Vec<String>,
    /// Its folder; empty where only its settings are wanted.
    pub(crate) folder: PathBuf,
    /// What it reads instead of its pack's own records.
    pub(crate) snapshot: Option<SnapshotRef>,
    /// Attempts that need not be made again.
    pub(crate) attempts: Attempts<AttemptSummary>,
    /// Steps of attempts that are to go on, by task and repetition.
    pub(crate) steps: OpenSteps,
    /// Tokens of all its starts, attempts that were broken off included.
    pub(crate) spent: TokenUsage,
    /// What is wrong with its journal, one sentence each.
    pub(crate) problems: Vec<Sentence>,
}

impl EarlierRun {
    /// The settings that a manifest has, without anything that was done.
    pub(crate) fn of_manifest(id: &str, manifest: RunManifest) -> Self {
        Self {
            id: id.to_owned(),
            folder: PathBuf::new(),
            tasks: manifest.tasks().cloned().collect(),
            spec: manifest.spec,
            snapshot: manifest.cache.source.snapshot,
            attempts: Attempts::default(),
            steps: OpenSteps::new(),
            spent: TokenUsage::default(),
            problems: Vec::new(),
        }
    }

    /// `name@version` of its pack.
    pub(crate) fn pack(&self) -> &str {
        &self.spec.pack
    }

    /// What its pack was, in hashes.
    pub(crate) fn identity(&self) -> Option<&PackIdentity> {
        self.spec.identity.as_ref()
    }

    /// The run's own settings; what may differ now (address, concurrency, caps) is taken from
    /// `now`. Concurrency and caps stay until others are given.
    pub(crate) fn options(&self, now: &RunRequest) -> Result<RunRequest, WireError> {
        let spec = &self.spec;
        if !now.model.is_empty() && now.model != spec.model {
            return Err(WireError::bad_request(say!(
                "the run was made with {}; leave --model out to resume it",
                spec.model
            )));
        }
        let base_url = now.base_url.clone().or_else(|| spec.base_url.clone());
        // What nobody asked for is found anew, from few calls at once to the same most.
        let (_, found) = concurrency(None, &spec.model, base_url.as_deref());
        let asked = Some(spec.concurrency).filter(|most| *most != 0 && *most != found);
        Ok(RunRequest {
            pack: Some(spec.pack.clone()),
            agent: spec.agent.as_ref().map(|agent| agent.name.clone()),
            by_hand: now.by_hand.clone(),
            own_model: spec.agent.as_ref().is_some_and(|agent| agent.own_model),
            base_url,
            tasks: self.tasks.clone(),
            protocol: spec.protocol,
            repetitions: spec.repetitions,
            max_steps: spec.max_steps,
            timeout_s: spec.timeout_s,
            full_rollout: spec.full_rollout,
            temperature: Some(spec.temperature),
            max_tokens: spec.max_tokens,
            effort: spec.effort.clone(),
            seed: spec.seed,
            concurrency: now.concurrency.or(asked),
            max_cost: now.max_cost.or(spec.max_cost),
            max_total_tokens: now.max_total_tokens.or(spec.max_total_tokens),
            max_cost_per_day: now.max_cost_per_day,
            max_total_tokens_per_day: now.max_total_tokens_per_day,
            otlp: now.otlp.clone(),
            // Another precision would be another model; where it computes may change with the
            // machine.
            local: match &spec.local {
                Some(local) => LocalSettings {
                    device: now.local.device,
                    ..LocalRun::deserialize(local)
                        .map_err(|error| {
                            let run = &self.id;
                            WireError::bad_request(say!("run {run}: the settings of its model inside the application cannot be read from run.json: {error}"))
                        })?
                        .settings
                },
                None => now.local.clone(),
            },
            cache_mode: spec.cache_mode.unwrap_or_default(),
            // Once left out, always left out; a key that is there by now counts all the same.
            without_keys: now.without_keys || spec.without_keys,
            cache_snapshot: self.snapshot.as_ref().map(|snapshot| snapshot.name.clone()),
            with_overlay: spec.overlay == Some(true) && spec.cache_mode != Some(CacheMode::Write),
            completes: spec.completes.clone(),
            adaptive: spec.adaptive,
            texts: spec.texts.clone(),
            ..RunRequest::published(&now.run, &spec.model)
        })
    }
}

impl Runs {
    /// The settings with which a run goes on ([`EarlierRun::options`]); its model may be named as
    /// faces name it.
    ///
    /// # Errors
    /// When another model is named, or the workspace cannot be read.
    pub(crate) fn options_of(&self, earlier: &EarlierRun, now: &RunRequest) -> Result<RunRequest, WireError> {
        earlier.options(&RunRequest { model: self.models.resolve(&now.model, None)?.id, ..now.clone() })
    }

    /// What removing a pack would take along.
    ///
    /// # Errors
    /// When there is no such pack.
    pub fn pack_removal(&self, name: &str) -> Result<PackRemoval, WireError> {
        let of_it = |pack: &str| pack.rsplit_once('@').map_or(pack, |(name, _)| name) == name;
        let runs = self.runs_list()?.into_iter();
        let of_it = runs.filter(|run| run.pack.as_deref().is_some_and(of_it));
        self.packs.removal(name, of_it.count() as u32)
    }

    /// Removes a pack with its cached responses. Runs, reports and flags stay. The starter pack
    /// does not come back by itself.
    ///
    /// # Errors
    /// When there is no such pack, or a run is being made in this process.
    pub fn pack_remove(&self, name: &str) -> Result<(), WireError> {
        if self.current_run().is_some() {
            return Err(WireError::busy(say!(
                "a run is under way and may be using the pack; remove it when the run is over"
            )));
        }
        self.packs.remove(name)
    }

    /// Every run, the newest first.
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
        let connections = self.library.connections();
        let listed = runs::list(&self.workspace.home().logs())?.into_iter().map(|entry| {
            let run = self.library.summary(&entry, &connections);
            match remarks.remove(&run.id) {
                Some(remark) => with_remark(run, remark),
                None => run,
            }
        });
        Ok(listed.collect())
    }

    /// Keeps the user's tags and note on a run, in place of earlier ones. Tags are trimmed, and
    /// each is kept once. They lie in the workspace's database; the run's files stay as they are.
    ///
    /// # Errors
    /// When there is no such run, or the database cannot be written.
    pub fn run_remark(&self, id: &str, tags: Vec<String>, note: String) -> Result<RunSummary, WireError> {
        let run = self.library.summary(&self.library.run_meant(id)?, &self.library.connections());
        let remark = Remark::new(tags, note);
        self.workspace.store()?.set_run_remark(&run.id, &remark)?;
        Ok(with_remark(run, remark))
    }

    /// Notes on a run what it was made for. Tags and a note that the user gave it meanwhile stay.
    ///
    /// # Errors
    /// When there is no such run, or the database cannot be read or written.
    pub fn run_note(&self, id: &str, note: String) -> Result<(), WireError> {
        let run = self.library.run_show(id)?;
        if run.note.is_empty() {
            self.run_remark(id, run.tags, note)?;
        }
        Ok(())
    }

    /// Moves a run and its logs to the workspace's trash, from where [`Runs::run_restore`] brings
    /// it back.
    ///
    /// # Errors
    /// When there is no such run in the workspace, somebody is making it, or the disk refuses.
    pub fn run_trash(&self, id: &str) -> Result<(), WireError> {
        let entry = self.free(id)?;
        Ok(runs::trash(&self.workspace.home().logs(), &self.workspace.home().trash(), &entry)?)
    }

    /// Brings a run back from the trash.
    ///
    /// # Errors
    /// When it is not there, or a run of its name has been made since.
    pub fn run_restore(&self, id: &str) -> Result<(), WireError> {
        Ok(runs::restore(&self.workspace.home().logs(), &self.workspace.home().trash(), id)?)
    }

    /// Removes a run and its logs for good.
    ///
    /// # Errors
    /// When there is no such run in the workspace, or the disk refuses.
    pub fn run_delete(&self, id: &str) -> Result<(), WireError> {
        let entry = self.free(id)?;
        Ok(runs::remove(&self.workspace.home().logs(), &entry)?)
    }

    /// A run of the workspace that nobody is making.
    fn free(&self, id: &str) -> Result<RunEntry, WireError> {
        let entry = self.library.run_meant(id)?;
        if let Some(holder) = RunLock::holder(&entry.run.folder) {
            return Err(WireError::busy(say!(
                "process {} is making {}; wait until it is done or end it",
                holder.pid,
                entry.id
            )));
        }
        // Whether its workers are still there is known to the engine alone; whoever cancels asks
        // it.
        let complete = entry.run.manifest().ok().flatten().and_then(|manifest| manifest.outcome)
            == Some(RunOutcome::Completed);
        let submission = koab_cluster::Submission::read(&entry.run.folder)?;
        if submission.is_some_and(|submission| !complete && submission.cancelled_ms.is_none()) {
            return Err(WireError::busy(say!(
                "workers on a cluster may be making {}; end them first with `koab runs cancel {}`",
                entry.id,
                entry.id
            )));
        }
        Ok(entry)
    }

    /// What a run that is to go on has done. Whoever goes on with it has locked it before.
    pub(crate) fn earlier(&self, entry: &RunEntry) -> Result<EarlierRun, WireError> {
        let manifest = made_here(entry)?;
        let mut journal = entry.run.journal::<AttemptSummary>()?;
        Ok(EarlierRun {
            problems: journal.problems(Some(&manifest)),
            spent: journal.spent(),
            steps: journal.take_steps(OpenSteps::new()),
            attempts: journal.finished(),
            folder: entry.run.folder.clone(),
            ..EarlierRun::of_manifest(&entry.id, manifest)
        })
    }
}

impl Library {
    /// One run, by id or folder.
    ///
    /// # Errors
    /// When there is no such run.
    pub fn run_show(&self, id: &str) -> Result<RunSummary, WireError> {
        let run = self.summary(&self.run_meant(id)?, &self.connections());
        if !self.workspace.home().database().exists() {
            return Ok(run);
        }
        let remark = self.workspace.store()?.run_remark(&run.id)?;
        Ok(with_remark(run, remark))
    }
}

impl Scoring {
    /// The run that is to go on: by id or folder, or `last`, the newest of which attempts are to be
    /// made, also such as failed, and that nobody is making.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn to_resume(&self, id: &str) -> Result<RunEntry, WireError> {
        let logs = self.workspace.home().logs();
        if id != "last" {
            return self.library.run_meant(id);
        }
        let unfinished = |entry: &RunEntry| self.library.summary(entry, &[]).resume.is_some();
        let all = runs::list(&logs)?;
        let newest = all.first().map(|entry| entry.id.clone());
        all.into_iter().find(unfinished).ok_or_else(|| {
            WireError::not_found(match newest {
                // What was killed while it was scored has all its answers.
                Some(id) => say!(
                    "no run is unfinished; to score the newest, or to go on scoring it, use `koab evaluate {id}`"
                ),
                None => say!("no run is unfinished, and there is none; make one with `koab run`"),
            })
        })
    }
}

/// The manifest of a run that is to go on.
///
/// # Errors
/// When the run has none.
pub(crate) fn made_here(entry: &RunEntry) -> Result<RunManifest, WireError> {
    let cannot = |why: Sentence| {
        let folder = entry.run.folder.display();
        WireError::bad_request(say!("{folder} cannot be resumed: {why}"))
    };
    entry.run.manifest()?.ok_or_else(|| cannot(say!("it has no run.json, so it was not made here")))
}

fn with_remark(run: RunSummary, Remark { tags, note }: Remark) -> RunSummary {
    RunSummary { tags, note, ..run }
}

impl Library {
    pub(crate) fn summary(&self, entry: &RunEntry, connections: &[Connection]) -> RunSummary {
        let read = entry.run.manifest();
        // Published logs have no manifest and are whole. One that cannot be read says nothing of
        // the kind.
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
                .map(|plan| RunLevel { level: plan.level, tasks: Some(plan.tasks.len() as u32) })
                .collect(),
            // Published logs have no manifest; counting their tasks would mean reading megabytes,
            // but they say their number.
            None => entry
                .run
                .levels
                .keys()
                .map(|level| RunLevel { level: *level, tasks: entry.run.tasks_told(*level) })
                .collect(),
        };
        let outcome = manifest.as_ref().and_then(|manifest| manifest.outcome);
        let complete = published || outcome == Some(RunOutcome::Completed);
        let held_by =
            if complete { None } else { RunLock::holder(&entry.run.folder).map(|holder| holder.pid) };
        let engine_of = |submission: koab_cluster::Submission| submission.engine;
        let remote = submission.ok().flatten().map(engine_of);
        let status = manifest.as_ref().map(|manifest| {
            // A run that goes on, or was killed, wrote its description when it began.
            let (done, uncounted) = match outcome {
                // The parts of a cluster's workers count before they are merged, as on the run's
                // page.
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
        // Attempts that failed for technical reasons are to be made, too.
        let is_whole = complete && status.as_ref().is_none_or(|status: &RunStatus| status.failed == 0);
        let usd = manifest.as_ref().and_then(|manifest| manifest.spending.as_ref()?.usd);
        let stated = match &manifest {
            Some(manifest) => Some(manifest.model.clone()),
            None => entry.run.model().ok().flatten(),
        };
        let mut model = stated.unwrap_or_else(|| entry.model_folder.clone());
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
            protocol: spec.as_ref().map(|spec| spec.protocol),
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

#[cfg(test)]
mod tests;
