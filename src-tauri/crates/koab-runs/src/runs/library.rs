//! Runs of the workspace: deletes and resumes them.

use crate::Runs;
use koab_core::cache_source::SnapshotRef;
use koab_core::event::RunOutcome;
use koab_core::pack_identity::PackIdentity;
use koab_core::run_record::{
    AttemptEnd, AttemptSummary, Attempts, CacheMode, ChangeRecord, EarlierLimits, Journal, OpenSteps,
    RunManifest, RunSpec, TokenUsage,
};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_library::{Origin, RunRequest};
use koab_models::concurrency;
use koab_models::local_models::{LocalRun, LocalSettings};
use koab_packs::wire::PackRemoval;
use koab_store::runs::{self, RunEntry};
use koab_store::verdict_shards::JUDGING;
use koab_store::{Deleted, RunLock, TrashKind};
use koab_workspace::WireError;
use serde::Deserialize;
use std::path::PathBuf;

/// A run to resume: its settings, and the content of its journal.
pub struct EarlierRun {
    /// Run id.
    pub(crate) id: String,
    pub(crate) spec: RunSpec,
    pub(crate) tasks: Vec<String>,
    /// Folder of the run; empty if only the settings are needed.
    pub(crate) folder: PathBuf,
    /// Snapshot that the run reads in place of the responses of its pack.
    pub(crate) snapshot: Option<SnapshotRef>,
    /// Attempts that have ended and are not made again.
    pub(crate) attempts: Attempts<AttemptSummary>,
    /// Steps of attempts that have not ended, by task and repetition.
    pub(crate) steps: OpenSteps,
    /// Number of tokens of all sessions, including interrupted attempts.
    pub(crate) spent: TokenUsage,
    /// Problems with the run's journal, one sentence each.
    pub(crate) problems: Vec<Sentence>,
    /// Changes of the run while it was being made. `spec` includes them.
    pub(crate) changed: Changed,
}

/// Changes of a run while it was being made.
#[derive(Default)]
pub(crate) struct Changed {
    /// The changes of all starts, in order.
    pub(crate) changes: Vec<ChangeRecord>,
    /// Limits of unfinished attempts that began before the limits were changed.
    pub(crate) limits: EarlierLimits,
}

impl Changed {
    /// Takes the changes from a run's journal. Changes that `manifest` lacks, because the process
    /// was killed before it wrote the file, are applied to `spec`.
    pub(crate) fn take<A: AttemptEnd>(
        journal: &mut Journal<A>,
        manifest: &RunManifest,
        spec: &mut RunSpec,
    ) -> Self {
        // A change is written to the journal first.
        let missing = journal.changes.iter().skip(manifest.changes.len());
        missing.for_each(|record| record.change.apply(spec));
        Self { changes: journal.changes.clone(), limits: journal.take_limits() }
    }
}

impl EarlierRun {
    /// Creates the entry of a run from its manifest, without attempts.
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
            changed: Changed::default(),
        }
    }

    /// Returns the name and version of the run's pack, `name@version`.
    pub(crate) fn pack(&self) -> &str {
        &self.spec.pack
    }

    /// Returns the hashes that identify the run's pack.
    pub(crate) fn identity(&self) -> Option<&PackIdentity> {
        self.spec.identity.as_ref()
    }

    /// Returns the settings of the run for resuming it. `now` may change the address, the
    /// concurrency and the caps. Otherwise concurrency and caps do not change. The origin is that
    /// of the run itself.
    pub(crate) fn options(&self, now: &RunRequest) -> Result<RunRequest, WireError> {
        let spec = &self.spec;
        if !now.model.is_empty() && now.model != spec.model {
            return Err(WireError::bad_request(say!(
                "the run was made with {}; leave --model out to resume it",
                spec.model
            )));
        }
        let base_url = now.base_url.clone().or_else(|| spec.base_url.clone());
        // An automatic concurrency is determined again, up to the same maximum.
        let (_, automatic) = concurrency(None, &spec.model, base_url.as_deref());
        let requested = Some(spec.concurrency).filter(|most| *most != 0 && *most != automatic);
        Ok(RunRequest {
            pack: Some(spec.pack.clone()),
            agent: spec.agent.as_ref().map(|agent| agent.name.clone()),
            by_hand: now.by_hand.clone(),
            own_model: spec.agent.as_ref().is_some_and(|agent| agent.own_model),
            base_url,
            tasks: self.tasks.clone(),
            settings: spec.settings.clone().into(),
            concurrency: now.concurrency.or(requested),
            max_cost: now.max_cost.or(spec.max_cost),
            max_total_tokens: now.max_total_tokens.or(spec.max_total_tokens),
            max_cost_per_day: now.max_cost_per_day,
            max_total_tokens_per_day: now.max_total_tokens_per_day,
            otlp: now.otlp.clone(),
            // Another precision would be another model, but the device may change with the machine.
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
            // A run that left services out keeps doing so. Keys that are present by now are used.
            without_keys: now.without_keys || spec.without_keys,
            cache_snapshot: self.snapshot.as_ref().map(|snapshot| snapshot.name.clone()),
            with_overlay: spec.overlay == Some(true) && spec.cache_mode != Some(CacheMode::Write),
            origin: spec.completes.clone().map_or(Origin::New, |run| Origin::Completes { run }),
            adaptive: spec.adaptive,
            fixed: now.fixed,
            texts: spec.texts.clone(),
            ..RunRequest::published(&now.run, &spec.model)
        })
    }
}

impl Runs {
    /// Returns the settings for resuming a run, see [`EarlierRun::options`]. `now` may contain the
    /// model's display name in place of its id.
    ///
    /// # Errors
    /// When `now` has another model, or the workspace cannot be read.
    pub(crate) fn options_of(&self, earlier: &EarlierRun, now: &RunRequest) -> Result<RunRequest, WireError> {
        earlier.options(&RunRequest { model: self.models.resolve(&now.model, None)?.id, ..now.clone() })
    }

    /// Returns the numbers of tasks, cached responses and runs that removing a pack would concern.
    ///
    /// # Errors
    /// When the pack does not exist.
    pub fn pack_removal(&self, name: &str) -> Result<PackRemoval, WireError> {
        let of_it = |pack: &str| pack.rsplit_once('@').map_or(pack, |(name, _)| name) == name;
        let runs = self.library.runs_list()?.into_iter();
        let of_it = runs.filter(|run| run.pack.as_deref().is_some_and(of_it));
        self.packs.removal(name, of_it.count() as u32)
    }

    /// Moves a pack with its cached responses to the trash. Runs, reports and flags stay. A starter
    /// pack that was deleted is not reinstalled automatically.
    ///
    /// # Errors
    /// When the pack does not exist, or this process is making a run.
    pub fn pack_remove(&self, name: &str) -> Result<Deleted, WireError> {
        if self.current_run().is_some() {
            return Err(WireError::busy(say!(
                "a run is under way and may be using the pack; remove it when the run is over"
            )));
        }
        self.packs.remove(name)
    }

    /// Moves a run and its logs to the workspace's trash; [`Runs::run_restore`] restores it.
    ///
    /// # Errors
    /// When the run is not in the workspace, a process is making the run, or the folder cannot be
    /// moved.
    pub fn run_trash(&self, id: &str) -> Result<Deleted, WireError> {
        let entry = self.free(id)?;
        runs::own_folder(&self.workspace.home().logs(), &entry)?;
        self.workspace.trash_put(TrashKind::Run, &entry.id)
    }

    /// Restores the run with this id that was deleted last.
    ///
    /// # Errors
    /// When the run is not in the trash, or another run now has its name.
    pub fn run_restore(&self, id: &str) -> Result<String, WireError> {
        self.workspace.trash_restore_last(TrashKind::Run, id)
    }

    /// Deletes a run and its logs permanently.
    ///
    /// # Errors
    /// When the run is not in the workspace, or its folder cannot be deleted.
    pub fn run_delete(&self, id: &str) -> Result<(), WireError> {
        let entry = self.free(id)?;
        Ok(runs::remove(&self.workspace.home().logs(), &entry)?)
    }

    /// Returns a run of the workspace. It is an error if a process or a worker is making the run.
    fn free(&self, id: &str) -> Result<RunEntry, WireError> {
        let entry = self.library.run_meant(id)?;
        if let Some(holder) = RunLock::holder(&entry.run.folder) {
            return Err(WireError::busy(say!(
                "process {} is making {}; wait until it is done or end it",
                holder.pid,
                entry.id
            )));
        }
        // Only the engine knows whether workers still exist; cancelling the run asks it.
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
        let judging = koab_cluster::Submission::read(&entry.run.folder.join(JUDGING))?;
        if judging.is_some_and(|judging| judging.cancelled_ms.is_none())
            && !self.scoring.is_answered(&entry.run.folder)?
        {
            return Err(WireError::busy(say!(
                "workers on a cluster may be asking judges about {}; end them first with `koab runs cancel {}`",
                entry.id,
                entry.id
            )));
        }
        Ok(entry)
    }

    /// Reads the results of a run to resume. The caller must have locked the run.
    pub(crate) fn earlier(&self, entry: &RunEntry) -> Result<EarlierRun, WireError> {
        let manifest = made_here(entry)?;
        let mut journal = entry.run.journal::<AttemptSummary>()?;
        let mut spec = manifest.spec.clone();
        let changed = Changed::take(&mut journal, &manifest, &mut spec);
        Ok(EarlierRun {
            spec,
            changed,
            problems: journal.problems(Some(&manifest)),
            spent: journal.spent(),
            steps: journal.take_steps(OpenSteps::new()),
            attempts: journal.finished(),
            folder: entry.run.folder.clone(),
            ..EarlierRun::of_manifest(&entry.id, manifest)
        })
    }
}

/// Returns the manifest of a run that is to be resumed.
///
/// # Errors
/// When the run has no manifest, because it was not made here.
pub fn made_here(entry: &RunEntry) -> Result<RunManifest, WireError> {
    let cannot = |why: Sentence| {
        let folder = entry.run.folder.display();
        WireError::bad_request(say!("{folder} cannot be resumed: {why}"))
    };
    entry.run.manifest()?.ok_or_else(|| cannot(say!("it has no run.json, so it was not made here")))
}
