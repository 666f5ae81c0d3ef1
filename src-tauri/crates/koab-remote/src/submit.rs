//! Submits a run to an engine: a new run as a whole, or the unfinished shards of an existing run.

use super::check::CheckedRun;
use super::cut::work_of_run;
use super::handover::Handover;
use crate::Remote;
use koab_cluster::{Engine, Submission};
use koab_core::run_record::RunManifest;
use koab_core::say;
use koab_engine::no_model::NoModel;
use koab_engine::ports::{Cancel, ChangeInbox, Pause, RunLog as _};
use koab_engine::{RunInput, RunPorts, run};
use koab_library::{RemotePlan, RemoteRequest, RemoteRun, RunRequest};
use koab_runs::runs::library::made_here;
use koab_runs::runs::prepare::run_id;
use koab_runs::runs::shards::{NoWatcher, check_mode};
use koab_scoring::worker_home::{PACKS, PRICES};
use koab_store::runs::RunEntry;
use koab_store::{FolderLog, ShardProgress};
use koab_workspace::WireError;
use koab_workspace::clock::{SystemClock, folder_date};
use std::path::Path;
use std::sync::Arc;

impl Remote {
    /// Returns the plan of a submission without writing files or making API calls.
    ///
    /// # Errors
    /// Every error of [`Remote::remote_submit`].
    pub async fn remote_plan(
        &self,
        request: RunRequest,
        how: RemoteRequest,
    ) -> Result<RemotePlan, WireError> {
        match request.origin.resumed() {
            Some(id) => {
                let entry = self.runs.library.to_resume(id)?;
                let manifest = made_here(&entry)?;
                let rest = self.rest(&entry, &manifest, &how, &request).await?;
                let counts = self.runs.library.progress(&entry, &manifest, |progress| progress.whole())?;
                rest.shown(counts.planned - counts.done + counts.failed)
            }
            None => {
                let checked = self.checked(&request).await?;
                let folder = koab_store::runs::new_folder(
                    &self.workspace.home().logs(),
                    &checked.request.model,
                    &folder_date(),
                );
                let attempts = attempts(&checked.input);
                Handover::new(&how, work_of_run(&folder)?, attempts, checked.keys, (None, false))?
                    .shown(attempts as u32)
            }
        }
    }

    /// Submits a run to an engine: a new run, or the unfinished shards of a resumed one.
    ///
    /// # Errors
    /// When the engine is missing or refuses, the request is invalid, or workers cannot make the
    /// run because it makes live calls or its model is inside the application. The folder of a new
    /// run is then removed.
    pub async fn remote_submit(
        &self,
        request: RunRequest,
        how: RemoteRequest,
    ) -> Result<RemoteRun, WireError> {
        let id = match request.origin.resumed() {
            Some(id) => {
                let entry = self.runs.library.to_resume(id)?;
                self.submit_rest(&entry, &request, &how).await?;
                entry.id
            }
            None => self.submit_new(&request, &how).await?,
        };
        self.run_remote(&id, None).await
    }

    async fn submit_new(&self, request: &RunRequest, how: &RemoteRequest) -> Result<String, WireError> {
        let CheckedRun { request, input, keys, agent } = self.checked(request).await?;
        let folder = self.runs.new_folder(&request.model).await?;
        let submitted = async {
            let work = work_of_run(&folder)?;
            let handover = Handover::new(how, work, attempts(&input), keys, (None, false))?;
            handover.engine.check().await?;
            let id = run_id(&folder);
            self.hold_caps(&id, &request)?;
            self.write_plan(&folder, input).await?;
            if let Some(definition) = &agent {
                koab_agents::keep(&folder, definition)?;
            }
            self.write_packs(&folder)?;
            handover.submit().await?;
            Ok(id)
        };
        let submitted = submitted.await;
        if submitted.is_err() {
            // No attempt was made. A folder that cannot be removed remains as an empty run.
            let _ = std::fs::remove_dir_all(&folder);
            if let Some(parent) = folder.parent() {
                let _ = std::fs::remove_dir(parent);
            }
        }
        submitted
    }

    async fn submit_rest(
        &self,
        entry: &RunEntry,
        request: &RunRequest,
        how: &RemoteRequest,
    ) -> Result<(), WireError> {
        let mut manifest = made_here(entry)?;
        let handover = self.rest(entry, &manifest, how, request).await?;
        handover.engine.check().await?;
        let folder = &entry.run.folder;
        // Workers read the changed settings from the manifest.
        let spec = &mut manifest.spec;
        spec.base_url = request.base_url.clone().or(spec.base_url.take());
        spec.max_cost = request.max_cost.or(spec.max_cost);
        spec.max_total_tokens = request.max_total_tokens.or(spec.max_total_tokens);
        spec.concurrency = request.concurrency.unwrap_or(spec.concurrency);
        let mut log = FolderLog::resume(folder)?;
        log.write_manifest(&manifest)?;
        drop(log);
        if !folder.join(PACKS).is_file() {
            self.write_packs(folder)?;
        }
        if let Some(earlier) = &handover.earlier {
            self.end_held(folder, earlier).await?;
        }
        handover.submit().await
    }

    /// Cancels the remaining jobs of an earlier submission if none of its workers is waiting or
    /// running. The remaining jobs are workers that the engine holds back until a user releases
    /// them, and a merge that waits for these workers.
    async fn end_held(&self, folder: &Path, earlier: &Submission) -> Result<(), WireError> {
        let engine = Engine::from_submission(earlier)?;
        let workers = engine.states(folder, earlier).await?;
        if workers.iter().any(|worker| worker.state.is_at_work()) {
            return Ok(());
        }
        Ok(engine.cancel(earlier).await?)
    }

    /// Returns the submission of the unfinished shards of a run.
    async fn rest(
        &self,
        entry: &RunEntry,
        manifest: &RunManifest,
        how: &RemoteRequest,
        request: &RunRequest,
    ) -> Result<Handover, WireError> {
        check_mode(manifest)?;
        let base_url = request.base_url.as_deref().or(manifest.spec.base_url.as_deref());
        let folder = &entry.run.folder;
        let keys = self.keys_of_run(folder, manifest, base_url).await?;
        let earlier = Submission::read(folder)?;
        let has_started = !koab_store::shards::files(folder)?.is_empty();
        let planned_attempts =
            self.runs.library.progress(entry, manifest, |progress| progress.whole().planned)?;
        let work = work_of_run(folder)?;
        let handover = Handover::new(how, work, u64::from(planned_attempts), keys, (earlier, has_started))?;
        let of = handover.plan.of;
        let is_open = |progress: &ShardProgress, index: u32| {
            let count = progress.shard(index, of);
            count.done - count.failed < count.planned
        };
        let shards: Vec<u32> = self.runs.library.progress(entry, manifest, |progress| {
            (0..of).filter(|index| is_open(progress, *index)).collect()
        })?;
        if shards.is_empty() {
            return Err(WireError::bad_request(say!(
                "every attempt of the run {} has ended; `koab runs merge {}` joins them",
                entry.id,
                entry.id
            )));
        }
        handover.only(shards, &entry.id).await
    }

    /// Writes `run.json` and the first line of the journal. The files are the same as those of a
    /// run that is cancelled before its first attempt.
    async fn write_plan(&self, folder: &Path, input: RunInput) -> Result<(), WireError> {
        let cache = self.packs.recorded(&input.spec.pack, None)?.0;
        let ports = RunPorts {
            // The run's file gets the caps of the model's limits.
            model: Arc::new(NoModel(self.limits(&input.spec)?)),
            agent: None,
            cache,
            live: None,
            log: Some(Box::new(FolderLog::start(folder)?)),
            sink: Arc::new(NoWatcher),
            clock: Arc::new(SystemClock),
            pause: Pause::default(),
            changes: ChangeInbox::default(),
            folder: Some(folder.display().to_string()),
        };
        let cancel = Cancel::new();
        cancel.cancel();
        let report = run(input, ports, cancel).await;
        match report.reason {
            Some(reason) => Err(WireError::storage(reason)),
            None => Ok(()),
        }
    }

    /// Copies the packs and prices of this workspace into the run's folder, where workers read
    /// them.
    fn write_packs(&self, folder: &Path) -> Result<(), WireError> {
        self.workspace.store()?.copy_packs(&folder.join(PACKS))?;
        let prices = self.workspace.home().prices();
        if prices.is_file() {
            let to = folder.join(PRICES);
            std::fs::copy(&prices, &to).map_err(|error| WireError::unwritable(&to, error))?;
        }
        Ok(())
    }
}

fn attempts(input: &RunInput) -> u64 {
    input.tasks.len() as u64 * u64::from(input.spec.settings.repetitions)
}
